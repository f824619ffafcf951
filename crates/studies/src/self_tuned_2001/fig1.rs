//! Figure 1: throughput over load without congestion control, deadlock recovery; claim c1.

use super::curve::{Curve, curve, form, panel, short, shown, throughput, throughput_axis, throughput_cells};
use super::key::{Method, Mode, PATTERNS};
use super::specs::FIG1;
use crate::lab::Lab;
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::Part;

const ITEM: &str = "fig1";

/// Part of the peak that a throughput which has collapsed keeps at most.
pub const COLLAPSED: f64 = 0.5;

/// Measures the curves.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG1)?;
    let curves = PATTERNS.map(|(pattern, name)| (name, curve(runs.iter(), Mode::Recovery, Method::Base, pattern)));
    let mut part = Part::default();
    for (name, curve) in &curves {
        part.cells.extend(throughput_cells(ITEM, name, &format!("Base, recovery{}", form(lab)), curve));
    }
    let series = curves.iter().map(|(name, curve)| curve.series(*name, throughput)).collect();
    let caption = format!("Throughput over load without congestion control, deadlock recovery{} (figure 1)", form(lab));
    let chart = panel("Base, recovery", throughput_axis(), series);
    part.figures.push(picture::panels(ITEM, caption, &[chart], 1)?);
    part.verdicts.push(c1(&curves));
    Ok(part)
}

/// Rule of c1: for both patterns the throughput at the highest load is at most half of the peak over loads, in the mean over
/// seeds; and the load of butterfly's peak differs from that of random's by a fifth or more.
fn c1(curves: &[(&str, Curve); 2]) -> (&'static str, Option<bool>, String) {
    let collapse = curves.iter().all(|(_, curve)| curve.kept().is_some_and(|kept| kept <= COLLAPSED));
    let [random, butterfly] = curves.each_ref().map(|(_, curve)| curve.peak().map(|(point, _)| point.rate));
    let apart = random.zip(butterfly).is_some_and(|(a, b)| (a - b).abs() >= 0.2 * a.max(b));
    let told: Vec<String> = curves.iter().map(|(name, curve)| format!("{name} {}", story(curve))).collect();
    ("c1", Some(collapse && apart), format!("{} (flits/node/cycle)", told.join("; ")))
}

/// A curve in words.
pub fn story(curve: &Curve) -> String {
    let Some((point, peak)) = curve.peak() else { return "none".to_owned() };
    let kept = curve.kept().map(|kept| 100.0 * kept);
    format!(
        "peak {} at {} packets/node/cycle, {} at the highest load, {} %",
        short(peak),
        short(point.rate),
        shown(curve.end()),
        shown(kept)
    )
}
