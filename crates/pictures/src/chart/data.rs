//! From values to pixels: projection, breaks, decimation.

pub(super) use crate::area::{Area, Pixel, runs};

/// Corners of the staircase through `run`.
pub(super) fn steps(run: &[Pixel]) -> Vec<Pixel> {
    let corners = run.windows(2).flat_map(|w| [w[0], (w[1].0, w[0].1)]);
    corners.chain(run.last().copied()).collect()
}

/// A run that looks the same with far fewer points. Where x ascends, each half pixel keeps its first, lowest, highest
/// and last point; otherwise points next to the one before are dropped.
pub(super) fn decimate(run: Vec<Pixel>, width: f64) -> Vec<Pixel> {
    if run.len() as f64 <= 8.0 * width {
        return run;
    }
    if run.windows(2).all(|w| w[0].0 <= w[1].0) { by_column(&run) } else { by_distance(&run) }
}

fn by_column(run: &[Pixel]) -> Vec<Pixel> {
    let column = |p: &Pixel| (p.0 * 2.0).floor();
    let mut kept: Vec<Pixel> = Vec::new();
    for bucket in run.chunk_by(|a, b| column(a) == column(b)) {
        let by_y = |a: &usize, b: &usize| bucket[*a].1.total_cmp(&bucket[*b].1);
        let lowest = (0..bucket.len()).min_by(by_y).unwrap_or(0);
        let highest = (0..bucket.len()).max_by(by_y).unwrap_or(0);
        let mut keep = vec![0, lowest, highest, bucket.len() - 1];
        keep.sort_unstable();
        keep.dedup();
        kept.extend(keep.into_iter().map(|i| bucket[i]));
    }
    kept
}

fn by_distance(run: &[Pixel]) -> Vec<Pixel> {
    let mut kept: Vec<Pixel> = Vec::new();
    for p in run {
        if kept.last().is_none_or(|k| (k.0 - p.0).abs() + (k.1 - p.1).abs() > 0.7) {
            kept.push(*p);
        }
    }
    kept
}

/// Points at least `gap` pixels from the one kept before, one in each square of `square` pixels.
pub(super) fn thin(points: &[Pixel], gap: f64, square: f64) -> Vec<Pixel> {
    let mut seen = std::collections::BTreeSet::new();
    let mut last: Option<Pixel> = None;
    let mut kept = Vec::new();
    for p in points {
        let far = last.is_none_or(|l| (l.0 - p.0).abs() + (l.1 - p.1).abs() >= gap);
        if far && seen.insert(((p.0 / square).round() as i64, (p.1 / square).round() as i64)) {
            kept.push(*p);
            last = Some(*p);
        }
    }
    kept
}

/// Where a run leaves the area through its top (true) or bottom (false), at the edge.
pub(super) fn exits(run: &[Pixel], area: &Area) -> Vec<(Pixel, bool)> {
    let mut exits = Vec::new();
    for w in run.windows(2) {
        for (inside, outside) in [(w[0], w[1]), (w[1], w[0])] {
            let up = outside.1 < area.top - 0.5;
            if !area.contains(inside) || !(up || outside.1 > area.bottom() + 0.5) {
                continue;
            }
            let edge = if up { area.top } else { area.bottom() };
            let x = inside.0 + (outside.0 - inside.0) * (edge - inside.1) / (outside.1 - inside.1);
            if x <= area.right() && x >= area.left {
                exits.push(((x, edge), up));
            }
        }
    }
    exits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_break_at_gaps() {
        let some = |i: i32| Some(i);
        assert_eq!(runs([some(1), some(2), None, None, some(3), None]), [vec![1, 2], vec![3]]);
        assert!(runs::<i32>([None, None]).is_empty());
    }

    #[test]
    fn decimation_keeps_the_extremes() {
        let mut run: Vec<Pixel> = (0..100_000).map(|i| (f64::from(i) / 200.0, 50.0)).collect();
        run[54_321].1 = -3.0;
        run[54_322].1 = 99.0;
        let small = decimate(run, 500.0);
        assert!(small.len() < 4100, "{}", small.len());
        assert!(small.iter().any(|p| p.1 == -3.0) && small.iter().any(|p| p.1 == 99.0));
    }

    #[test]
    fn decimation_of_loops_keeps_distinct_places() {
        let circle = |i: i32| (f64::from(i) * 0.0123).sin_cos();
        let run: Vec<Pixel> = (0..100_000).map(circle).map(|(s, c)| (s * 20.0, c * 20.0)).collect();
        let kept = decimate(run, 500.0).len();
        assert!((100..60_000).contains(&kept), "{kept}");
    }

    #[test]
    fn exits_lie_on_the_edge() {
        let area = Area { left: 0.0, top: 0.0, width: 10.0, height: 10.0 };
        let run = [(0.0, 5.0), (4.0, 1.0), (6.0, -1.0), (8.0, 1.0), (9.0, 1.0)];
        assert_eq!(exits(&run, &area), [((5.0, 0.0), true), ((7.0, 0.0), true)]);
    }
}
