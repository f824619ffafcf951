//! Figure 13: duration of the collective over the length of the VCinfo registers; claim c9.

use super::key::{Method, PATTERNS};
use super::specs::{FIG13, FIG13_RANDOM};
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use std::collections::BTreeMap;
use tailback_pictures::chart::{Axis, Chart, Series};
use tailback_results::statistics::mean;

const ITEM: &str = "fig13";
const MARGINS: [u32; 2] = [0, 8];

/// Loss against a pattern's own best that would still serve it.
const SERVES: f64 = 0.02;

/// Mean duration by length, of one pattern and margin.
type Durations = BTreeMap<u32, f64>;

/// Measures the durations.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (fixed, drawn) = (lab.runs(&FIG13)?, lab.runs(&FIG13_RANDOM)?);
    let all: Vec<&Run> = fixed.iter().chain(drawn.iter()).collect();
    let side = all.first().map_or(0, |run| run.radix());
    let form = if lab.quick() { ", 16x16" } else { "" };
    let mut part = Part::default();
    let (mut charts, mut by_margin) = (Vec::new(), MARGINS.map(|_| Vec::new()));
    for pattern in PATTERNS {
        let curves = MARGINS.map(|margin| durations(&all, pattern, margin));
        for ((curve, margin), list) in curves.iter().zip(MARGINS).zip(&mut by_margin) {
            part.cells.extend(cells(pattern, margin, curve, form));
            list.push((pattern, curve.clone()));
        }
        charts.push(chart(pattern, &curves));
    }
    let caption = format!("Duration of the collective over VCinfo length, {side}x{side}; 0 is no-th (figure 13)");
    part.figures.push(crate::picture::panels(ITEM, caption, &charts, 4)?);
    part.verdicts.push(c9(&by_margin, side / 2));
    Ok(part)
}

fn durations(runs: &[&Run], pattern: &str, margin: u32) -> Durations {
    let mut values: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for run in runs.iter().filter(|run| run.pattern() == pattern && Method::of(run) == Method::Th(margin)) {
        let bits = run.point.resolved.view("admission").u32("register_bits");
        values.entry(bits).or_default().push(run.duration().unwrap_or(f64::NAN));
    }
    values.into_iter().filter_map(|(bits, values)| Some((bits, mean(&values)?))).collect()
}

/// The shortest of the lengths with the shortest duration.
fn best(curve: &Durations) -> Option<(u32, f64)> {
    let pairs = curve.iter().map(|(bits, duration)| (*bits, *duration));
    pairs.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
}

fn cells(pattern: &str, margin: u32, curve: &Durations, form: &str) -> [Cell; 3] {
    let row = format!("{pattern} th({margin})");
    let cell = |what: &str, unit, value| Cell::new(ITEM, row.clone(), format!("{what}{form}"), unit, (None, value));
    let best = best(curve);
    [
        cell("best length", "routers", best.map(|(bits, _)| f64::from(bits))),
        cell("duration at the best length", "cycles", best.map(|(_, duration)| duration)),
        cell("duration at length 0", "cycles", curve.get(&0).copied()),
    ]
}

fn chart(pattern: &str, curves: &[Durations; 2]) -> Chart {
    let series = |(curve, margin): (&Durations, u32)| {
        let points = curve.iter().map(|(bits, duration)| (f64::from(*bits), *duration)).collect();
        Series::new(format!("th({margin})"), points)
    };
    Chart {
        title: pattern.to_owned(),
        x: Axis::new("VCinfo length", "routers"),
        y: Axis::new("Duration", "cycles"),
        series: curves.iter().zip(MARGINS).map(series).collect(),
        ..Chart::default()
    }
}

/// Rule of c9: with th(0) and with th(8), no one length from 0 to N/2 comes within 2 percent of every pattern's own best.
fn c9(by_margin: &[Vec<(&'static str, Durations)>; 2], most: u32) -> (&'static str, Option<bool>, String) {
    let mut holds = true;
    let mut evidence = Vec::new();
    for (curves, margin) in by_margin.iter().zip(MARGINS) {
        let short = |curve: &Durations| -> Durations { curve.range(0..=most).map(|(b, d)| (*b, *d)).collect() };
        let curves: Vec<(&str, Durations)> = curves.iter().map(|(pattern, curve)| (*pattern, short(curve))).collect();
        let Some((length, loss)) = compromise(&curves) else { continue };
        holds &= loss > SERVES;
        let bests = curves.iter().filter_map(|(pattern, curve)| Some(format!("{pattern} {}", best(curve)?.0)));
        let bests: Vec<String> = bests.collect();
        evidence.push(format!(
            "th({margin}): best lengths {}; the best compromise, {length}, costs some pattern {:.1} %",
            bests.join(", "),
            100.0 * loss
        ));
    }
    if evidence.len() < MARGINS.len() {
        return ("c9", None, "not judged: a run did not end".to_owned());
    }
    ("c9", Some(holds), evidence.join("; "))
}

/// The length whose largest loss over all patterns, relative to each one's own best, is smallest; with that loss.
fn compromise(curves: &[(&str, Durations)]) -> Option<(u32, f64)> {
    let lengths = curves.first()?.1.keys().copied();
    let loss = |bits: u32| {
        let one = |(_, curve): &(&str, Durations)| Some(curve.get(&bits)? / best(curve)?.1 - 1.0);
        let losses: Option<Vec<f64>> = curves.iter().map(one).collect();
        Some((bits, losses?.into_iter().fold(0.0, f64::max)))
    };
    lengths.filter_map(loss).min_by(|a, b| a.1.total_cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_compromise_is_found() {
        let flat = Durations::from([(0, 100.0), (1, 101.0), (2, 110.0)]);
        let falling = Durations::from([(0, 120.0), (1, 105.0), (2, 100.0)]);
        assert_eq!(best(&flat), Some((0, 100.0)));
        let (length, loss) = compromise(&[("a", flat), ("b", falling)]).unwrap();
        assert_eq!(length, 1);
        assert!((loss - 0.05).abs() < 1e-12);
        assert_eq!(compromise(&[]), None);
    }
}
