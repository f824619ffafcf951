//! Which values the axes of a chart show. Intervals do not widen them.

use super::{Axis, Chart, Mark, Scale, Series, Side};
use crate::scale::{LARGEST, Span};

/// A knee axis shows this multiple of the curves' typical lowest value.
const KNEE: f64 = 8.0;

/// The spans of a chart's axes.
pub(crate) struct Spans {
    pub(crate) x: Span,
    pub(crate) left: Span,
    pub(crate) right: Option<Span>,
}

impl Spans {
    /// The span of the axis on which `series` is drawn.
    pub(crate) fn y_of(&self, series: &Series) -> Span {
        match series.axis {
            Side::Right => self.right.unwrap_or(self.left),
            Side::Left => self.left,
        }
    }
}

/// Spans of all axes of `chart`: fixed ones as given, the others from what is drawn.
pub(crate) fn spans(chart: &Chart) -> Spans {
    let vertical = chart.marks.iter().filter_map(|m| match m {
        Mark::Vertical { x, .. } => Some(*x),
        Mark::Horizontal { .. } => None,
    });
    let horizontal = chart.marks.iter().filter_map(|m| match m {
        Mark::Horizontal { y, .. } => Some(*y),
        Mark::Vertical { .. } => None,
    });
    let xs = chart.series.iter().flat_map(|s| s.points.iter().map(|p| p.0));
    let on_right = |s: &&Series| s.axis == Side::Right && chart.y2.is_some();
    let left: Vec<&Series> = chart.series.iter().filter(|s| !on_right(s)).collect();
    let right: Vec<&Series> = chart.series.iter().filter(on_right).collect();
    Spans {
        x: span(&chart.x, xs, vertical, 0.02),
        left: vertical_span(&chart.y, &left, horizontal),
        right: chart.y2.as_ref().map(|axis| vertical_span(axis, &right, std::iter::empty())),
    }
}

fn vertical_span(axis: &Axis, series: &[&Series], marks: impl Iterator<Item = f64> + Clone) -> Span {
    let ys = || series.iter().flat_map(|s| s.points.iter().map(|p| p.1));
    let whole = span(axis, ys(), marks.clone(), 0.05);
    if !axis.knee || axis.scale == Scale::Log || fixed(axis).is_some() {
        return whole;
    }
    let mut floors: Vec<f64> = series.iter().filter_map(|s| lowest_positive(s)).collect();
    floors.sort_by(f64::total_cmp);
    match floors.get(floors.len().saturating_sub(1) / 2).map(|floor| KNEE * floor) {
        Some(top) if whole.hi > top => {
            let below = span(axis, ys().map(|y| y.min(top)), marks, 0.05);
            Span { lo: below.lo.min(0.0), hi: top, log: false }
        }
        _ => whole,
    }
}

fn lowest_positive(series: &Series) -> Option<f64> {
    series.points.iter().map(|p| p.1).filter(|y| *y > 0.0 && *y < LARGEST).min_by(f64::total_cmp)
}

/// The ends that the axis itself asks for, if they make an axis.
fn fixed(axis: &Axis) -> Option<Span> {
    let (lo, hi) = axis.range?;
    let span = Span { lo, hi, log: axis.scale == Scale::Log };
    let wide_enough = hi - lo > 1e-9 * lo.abs().max(hi.abs()) && hi - lo > 1.0 / LARGEST;
    (span.shows(lo) && span.shows(hi) && wide_enough).then_some(span)
}

fn span(axis: &Axis, data: impl Iterator<Item = f64>, marks: impl Iterator<Item = f64>, pad: f64) -> Span {
    if let Some(span) = fixed(axis) {
        return span;
    }
    let log = axis.scale == Scale::Log;
    let probe = Span { lo: 1.0, hi: 10.0, log };
    let Some((lo, hi)) = extent(data.filter(|v| probe.shows(*v))) else {
        return if log { probe } else { Span { lo: 0.0, hi: 1.0, log } };
    };
    let ends = |lo: f64, hi: f64| if log { (lo.log10(), hi.log10()) } else { (lo, hi) };
    let (low, high) = ends(lo, hi);
    let width = (high - low).max(if log { 1.0 } else { 0.1 * high.abs() });
    let near = marks.filter(|m| probe.shows(*m) && ends(*m, *m).0 <= high + width && ends(*m, *m).0 >= low - width);
    let (lo, hi) = extent(near.chain([lo, hi])).unwrap_or((lo, hi));
    if log { log_span(lo, hi, pad) } else { linear_span(lo, hi, pad) }
}

fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |seen, v| Some(seen.map_or((v, v), |(lo, hi): (f64, f64)| (lo.min(v), hi.max(v)))))
}

/// Starts at zero where the data come down to half of their height; pads the other ends.
fn linear_span(lo: f64, hi: f64, pad: f64) -> Span {
    let largest = lo.abs().max(hi.abs());
    if largest < 1.0 / LARGEST {
        return Span { lo: 0.0, hi: 1.0, log: false };
    }
    let width = hi - lo;
    let pad = if width <= 1e-8 * largest { 0.1 * largest } else { pad * width };
    let low = if lo >= 0.0 && lo <= 0.5 * hi { 0.0 } else { lo - pad };
    let high = if hi <= 0.0 && hi >= 0.5 * lo { 0.0 } else { hi + pad };
    Span { lo: low, hi: high, log: false }
}

fn log_span(lo: f64, hi: f64, pad: f64) -> Span {
    let decades = hi.log10() - lo.log10();
    // Padding of less than three decades keeps within what a number can hold.
    let pad = if decades < 1e-6 { 0.3 } else { (pad * decades).min(3.0) };
    let factor = 10f64.powf(pad);
    Span { lo: lo / factor, hi: hi * factor, log: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> Chart {
        Chart { series: vec![Series::new("a", points)], ..Chart::default() }
    }

    #[test]
    fn nothing_to_show_gives_the_unit_square() {
        for points in [vec![], vec![(f64::NAN, f64::NAN)], vec![(f64::INFINITY, 1e301)]] {
            let spans = spans(&chart(points));
            assert_eq!((spans.x.lo, spans.x.hi, spans.left.lo, spans.left.hi), (0.0, 1.0, 0.0, 1.0));
        }
    }

    #[test]
    fn positive_data_start_at_zero_unless_far_from_it() {
        let near = spans(&chart(vec![(0.1, 10.0), (0.5, 30.0)]));
        assert_eq!((near.x.lo, near.left.lo), (0.0, 0.0));
        assert!(near.left.hi > 30.0 && near.left.hi < 33.0);
        let far = spans(&chart(vec![(0.0, 1000.0), (1.0, 1010.0)]));
        assert!(far.left.lo > 990.0 && far.left.lo < 1000.0);
    }

    #[test]
    fn a_knee_axis_cuts_a_diverging_curve_only() {
        let diverging = vec![(0.1, 40.0), (0.2, 45.0), (0.3, 90.0), (0.4, 90_000.0)];
        let mut with = chart(diverging);
        assert!(spans(&with).left.hi > 90_000.0);
        with.y.knee = true;
        assert_eq!(spans(&with).left.hi, 320.0);
        let mut calm = chart(vec![(0.1, 40.0), (0.2, 60.0)]);
        calm.y.knee = true;
        assert!(spans(&calm).left.hi < 70.0);
    }

    #[test]
    fn useless_fixed_ranges_fall_back_to_the_data() {
        for range in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            let mut bad = chart(vec![(0.0, 5.0), (1.0, 6.0)]);
            bad.y.range = Some(range);
            assert!(spans(&bad).left.hi > 6.0, "{range:?}");
        }
        let mut log = chart(vec![(0.0, 5.0), (1.0, 6.0)]);
        log.y = Axis::new("", "").log().range(0.0, 10.0);
        assert!(spans(&log).left.lo > 0.0);
    }

    #[test]
    fn marks_widen_the_range_within_reason() {
        let mut marked = chart(vec![(0.0, 1.0), (1.0, 2.0)]);
        let at = |y| Mark::Horizontal { y, label: String::new() };
        marked.marks = vec![at(2.5), at(1e9), at(f64::NAN)];
        let hi = spans(&marked).left.hi;
        assert!((2.5..3.0).contains(&hi), "{hi}");
    }

    #[test]
    fn intervals_widen_no_axis() {
        let mut wide = chart(vec![(0.1, 10.0), (0.5, 30.0)]);
        let narrow = (spans(&wide).left, spans(&wide).x);
        wide.series[0].band = Some(vec![(0.1, -293.0, 313.0), (0.9, 0.0, 1.0)]);
        assert_eq!((spans(&wide).left, spans(&wide).x), narrow);
    }

    #[test]
    fn log_axes_ignore_zeros() {
        let mut log = chart(vec![(0.0, 0.0), (1.0, 10.0), (2.0, 1000.0)]);
        log.y.scale = Scale::Log;
        let left = spans(&log).left;
        assert!(left.lo > 5.0 && left.lo <= 10.0 && left.hi >= 1000.0, "{left:?}");
    }
}
