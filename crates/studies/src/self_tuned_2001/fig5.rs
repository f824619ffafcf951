//! Figure 5: static thresholds against tuning, two patterns, deadlock recovery; claim c4.

use super::curve::{Curve, curve, form, panel, shown, throughput, throughput_axis, throughput_cells};
use super::key::{Method, Mode, PATTERNS};
use super::specs::{FIG1, FIG5};
use crate::lab::Lab;
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::Part;

const ITEM: &str = "fig5";

/// Part of the best method's throughput that "suits" a pattern.
const SUITS: f64 = 0.9;

/// Part of the best method's throughput below which a threshold "fails".
const FAILS: f64 = 0.75;

/// Part of the best method's throughput that tuning has to reach, as in c2.
const TUNED: f64 = 0.85;

/// The four curves of a pattern: Base, the static thresholds of the paper for random and for butterfly, Tune.
type Four<'r> = [(Method, Curve<'r>); 4];

/// Measures the curves. Those without control are of the runs of figure 1.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (base, throttled) = (lab.runs(&FIG1)?, lab.runs(&FIG5)?);
    let good = |pattern: &str| lab.targets().number(&format!("static_thresholds.good_for_{pattern}")).unwrap_or(0.0);
    let methods =
        [Method::Base, Method::Static(good("random") as u64), Method::Static(good("butterfly") as u64), Method::Tune];
    let four = |pattern: &str| -> Four<'_> {
        methods.map(|m| (m, curve(base.iter().chain(throttled.iter()), Mode::Recovery, m, pattern)))
    };
    let patterns = PATTERNS.map(|(pattern, name)| (name, four(pattern)));
    let mut part = Part::default();
    let mut charts = Vec::new();
    for (name, curves) in &patterns {
        for (method, curve) in curves {
            part.cells.extend(throughput_cells(ITEM, name, &format!("{method}{}", form(lab)), curve));
        }
        let series = curves.iter().map(|(method, curve)| curve.series(method.to_string(), throughput)).collect();
        charts.push(panel(*name, throughput_axis(), series));
    }
    let caption =
        format!("Throughput over load, static thresholds and tuning, deadlock recovery{} (figure 5)", form(lab));
    part.figures.push(picture::panels(ITEM, caption, &charts, 2)?);
    part.verdicts.push(c4(&patterns));
    Ok(part)
}

/// Rule of c4, all at the highest load, in means over seeds and relative to the best of the four methods with that pattern.
/// Random: static 250 at least 90 percent, static 50 less than 90 percent ("over-throttles"). Butterfly: static 50 at least 90
/// percent, static 250 less than 75 percent ("fails"). Tune: at least 85 percent with both.
fn c4(patterns: &[(&str, Four); 2]) -> (&'static str, Option<bool>, String) {
    let ends = |four: &Four| four.each_ref().map(|(_, curve)| curve.end().unwrap_or(0.0));
    let relative = patterns.each_ref().map(|(_, four)| {
        let ends = ends(four);
        let best = ends.into_iter().fold(0.0, f64::max);
        ends.map(|end| end / best)
    });
    let [[_, for_random, for_butterfly, tune], [_, misfit, fit, tune_too]] = relative;
    let holds =
        for_random >= SUITS && for_butterfly < SUITS && fit >= SUITS && misfit < FAILS && tune.min(tune_too) >= TUNED;
    let told: Vec<String> = patterns
        .iter()
        .map(|(name, four)| {
            let each: Vec<String> =
                four.iter().map(|(method, curve)| format!("{method} {}", shown(curve.end()))).collect();
            format!("{name}: {}", each.join(", "))
        })
        .collect();
    ("c4", Some(holds), format!("throughput at the highest load, flits/node/cycle: {}", told.join("; ")))
}
