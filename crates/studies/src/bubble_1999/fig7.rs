//! Figure 7: latency and throughput under transpose, two dimensions; claim c4.

use super::curve::Four;
use super::key::Traffic;
use super::specs::FIG7;
use crate::lab::Lab;
use crate::picture;
use crate::reproduce::StudyError;
use crate::seeds::short;
use crate::study::{Cell, Part};
use tailback_cost::Family;

const ITEM: &str = "fig7";

/// The working range ends at this part of the lowest of the four maximum throughputs.
const WORKING: f64 = 0.8;

/// Loads of the working range at which latencies are compared.
const LOADS: u32 = 8;

/// What of the difference between slowest and fastest at zero load has to be left.
const LEFT: f64 = 0.75;

/// Measures the curves.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG7)?;
    let four = Four::of(&runs, Traffic::Transpose);
    let mut part = Part { cells: cells(ITEM, &four), ..Part::default() };
    let caption = "Latency and throughput of a 256-node 2-D torus under transpose over applied load (figure 7)";
    part.figures.push(picture::panels(ITEM, caption.to_owned(), &four.charts(), 2)?);
    part.verdicts.push(c4(&four));
    Ok(part)
}

/// Base latency and most accepted load of every router, which the paper only draws.
pub fn cells(item: &'static str, four: &Four) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (router, curve) in four.named() {
        let load = curve.0.first().map_or(0.0, |point| point.load);
        let note = format!("at an offered load of {} flits/node/cycle", short(load));
        cells.push(
            Cell::new(item, router.title(), "latency at the lowest load", "ns", (None, curve.base_ns())).note(note),
        );
        cells.push(Cell::new(item, router.title(), "most accepted", "phits/ns", (None, four.peak_ns(router))));
    }
    cells
}

/// Rule of c4, latencies in ns, means over seeds, between measured loads on a line: at eight equally spaced applied loads up to
/// 80 percent of the lowest of the four maximum throughputs (phits/ns), the routers are in the order of their base
/// latencies, and the difference between slowest and fastest is at least 75 percent of that at base.
fn c4(four: &Four) -> (&'static str, Option<bool>, String) {
    let peak = |router| four.peak_ns(router).unwrap_or(f64::NAN);
    let end = WORKING * Family::ALL.into_iter().map(peak).fold(f64::INFINITY, f64::min);
    let base = four.0.each_ref().map(|curve| curve.base_ns().unwrap_or(f64::NAN));
    let spread = |values: &[f64; 4]| {
        values.iter().copied().fold(0.0, f64::max) - values.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let same_order = |values: &[f64; 4]| {
        let pairs = (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.into_iter().all(|(i, j)| (base[i] > base[j]) == (values[i] > values[j]))
    };
    let mut holds = true;
    let mut last = base;
    for step in 1..=LOADS {
        let applied = end * f64::from(step) / f64::from(LOADS);
        last = four.0.each_ref().map(|curve| curve.latency_at(applied).unwrap_or(f64::NAN));
        holds &= same_order(&last) && spread(&last) >= LEFT * spread(&base);
    }
    let told = |values: &[f64; 4]| {
        let each =
            Family::ALL.iter().zip(values).map(|(router, value)| format!("{} {}", router.title(), short(*value)));
        each.collect::<Vec<_>>().join(", ")
    };
    let evidence = format!("latency in ns at base: {}; at {} phits/ns: {}", told(&base), short(end), told(&last));
    ("c4", Some(holds), evidence)
}
