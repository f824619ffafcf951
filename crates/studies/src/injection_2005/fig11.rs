//! Figure 11: hot region, 32x32: accepted over offered load, and restrictive injection; claim c8.

use super::curve::{Family, family, family_cells, family_figure, form, rules_of};
use super::key::{Bubble, POLICIES, Policy, RESTRICTED, Reading};
use super::restricted::{cells, figure, sustained};
use super::specs::{FIG7, FIG11, FIG11_BUBBLE};
use super::verdict::{Verdict, by_rule, full_form};
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::seeds::shown;
use crate::study::Part;

const ITEM: &str = "fig11";

/// What no routing can exceed: the two cuts around the band of 32x4 routers \[phits/node/cycle\].
const CUT: f64 = 0.1538;

/// Part of its peak below which an organisation loses, and above which it does not.
const KEPT: f64 = 0.95;

/// Measures both sides.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (runs, restricted, uniform) = (lab.runs(&FIG11)?, lab.runs(&FIG11_BUBBLE)?, lab.runs(&FIG7)?);
    let (families, uniform) = (Family::all(&runs, &POLICIES), Family::all(&uniform, &POLICIES));
    let mut part = Part { cells: family_cells(lab, ITEM, &families), ..Part::default() };
    part.cells.extend(cells(lab, ITEM, &restricted, ", restricted").into_iter().map(|(_, _, _, cell)| cell));
    let radix = runs.first().map_or(0, Run::radix);
    let caption = format!("Accepted over offered load, {radix}x{radix}, hot region{} (figure 11, left)", form(lab));
    part.figures.push(family_figure("fig11-load", caption, &families, None)?);
    let caption = format!(
        "What is sustained at load 1.0 under restrictive injection, hot region{} (figure 11, right)",
        form(lab)
    );
    part.figures.push(figure("fig11-bubble", caption, &restricted, &[Reading::All], None)?);
    let why = "two loads show no peak, and congestion takes longer";
    part.verdicts.push(full_form(lab, c8(&families, &restricted, &uniform), why));
    let limit = if lab.quick() {
        format!("This form's network is {radix}x{radix}.")
    } else {
        format!("The links into it limit any minimal routing to {CUT} phits/node/cycle.")
    };
    part.notes.push(format!("The hot region is a band of {radix}x{} routers, as in FSIN. {limit}", radix / 8));
    Ok(part)
}

/// Rule of c8, in means over seeds: the peak of each organisation is lower than under uniform traffic; at offered load 1.0
/// some organisation keeps less than 95 percent of its peak; with 4-All (reading b) each of the three organisations sustains
/// at least 95 percent of its peak, and each that lost without it sustains more than with 2-Esc.
fn c8(families: &[Family], restricted: &[Run], uniform: &[Family]) -> Verdict {
    by_rule("c8", &rules_of(families), |rule| {
        let (hot, uniform) = (family(families, rule), family(uniform, rule));
        let peak = |family: &Family, policy| family.of(policy).peak().map_or(f64::NAN, |(peak, _)| peak);
        let lower = POLICIES.into_iter().all(|policy| peak(hot, policy) < peak(uniform, policy));
        let loses = |policy: Policy| hot.of(policy).loss().is_some_and(|loss| loss > 100.0 * (1.0 - KEPT));
        let held = |policy, bubble| sustained(restricted, rule, policy, bubble).map_or(f64::NAN, |found| found.mean);
        let four = Bubble::all(4, Reading::All);
        let restored = RESTRICTED.into_iter().all(|policy| {
            held(policy, four) >= KEPT * peak(hot, policy)
                && (!loses(policy) || held(policy, four) > held(policy, Bubble::ESC))
        });
        let told: Vec<String> = hot
            .curves
            .iter()
            .map(|(policy, curve)| {
                let four = sustained(restricted, rule, *policy, four).map(|found| found.mean);
                format!("{} {}, with 4-All {}", policy.name(), curve.story(), shown(four))
            })
            .collect();
        (
            lower && POLICIES.into_iter().any(loses) && restored,
            format!("{} (peak at offered load, sustained)", told.join("; ")),
        )
    })
}
