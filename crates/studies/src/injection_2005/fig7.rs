//! Figure 7: accepted over offered load by injection organisation, 32x32; claim c5.

use super::curve::{Family, bisection, family, family_cells, family_figure, form, rules_of};
use super::key::POLICIES;
use super::specs::FIG7;
use super::verdict::{Verdict, by_rule, full_form};
use crate::lab::Lab;
use crate::reproduce::StudyError;
use crate::seeds::short;
use crate::study::Part;

const ITEM: &str = "fig7";

/// Part of the highest peak that the lowest of "similar" ones has.
const SIMILAR: f64 = 0.95;

/// The printed 20 to 25 percent, with five to either side \[percent\].
const LOST: (f64, f64) = (15.0, 30.0);

/// Measures the curves.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG7)?;
    let families = Family::all(&runs, &POLICIES);
    let mut part = Part { cells: family_cells(lab, ITEM, &families), ..Part::default() };
    let caption =
        format!("Accepted over offered load, 32x32, uniform traffic, by request rule{} (figure 7)", form(lab));
    part.figures.push(family_figure(ITEM, caption, &families, bisection(lab, 32))?);
    part.verdicts.push(full_form(lab, c5(&families), "two loads show no peak, and congestion takes longer"));
    Ok(part)
}

/// Rule of c5, in means over seeds: the lowest of the four peaks is at least 95 percent of the highest, and each organisation
/// loses 15 to 30 percent of its peak at offered load 1.0.
fn c5(families: &[Family]) -> Verdict {
    by_rule("c5", &rules_of(families), |rule| {
        let family = family(families, rule);
        let peaks = family.curves.iter().map(|(_, curve)| curve.peak().map_or(f64::NAN, |(peak, _)| peak));
        let (low, high) = peaks.fold((f64::INFINITY, 0.0), |(low, high), p| (f64::min(low, p), f64::max(high, p)));
        let lose = family.curves.iter().all(|(_, curve)| {
            let loss = curve.loss();
            loss.is_some_and(|loss| (LOST.0..=LOST.1).contains(&loss))
        });
        let told: Vec<String> =
            family.curves.iter().map(|(policy, curve)| format!("{} {}", policy.name(), curve.story())).collect();
        let told =
            format!("{} (peak at offered load, sustained); peaks {} to {}", told.join(", "), short(low), short(high));
        (low >= SIMILAR * high && lose, told)
    })
}
