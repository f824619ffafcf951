//! Figure 4: accepted over offered load by injection organisation, 16x16; claim c2.

use super::curve::{Family, LOAD, bisection, family, family_cells, family_figure, form, rules_of};
use super::key::{POLICIES, Policy, Rule};
use super::specs::FIG4;
use super::verdict::{Verdict, by_rule};
use crate::lab::Lab;
use crate::reproduce::StudyError;
use crate::seeds::{seeds, short, shown};
use crate::study::{Cell, Part};

const ITEM: &str = "fig4";

/// What one queue sustains: the text prints no number, the figure shows about this \[phits/node/cycle\].
const ONE_QUEUE: f64 = 0.47;

/// Part of its peak that an organisation keeps which "sustains its peak".
const KEPT: f64 = 0.95;

/// What is lost where "about 20 percent" is \[percent\].
const ABOUT_20: (f64, f64) = (12.0, 25.0);

/// How far apart two loads are at most that "match".
const MATCH: f64 = 0.05;

/// Measures the curves.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG4)?;
    let families = Family::all(&runs, &POLICIES);
    let mut part = Part { cells: family_cells(lab, ITEM, &families), ..Part::default() };
    part.cells.extend(families.iter().filter(|family| family.rule == Rule::Smart).flat_map(|f| required(lab, f)));
    let caption =
        format!("Accepted over offered load, 16x16, uniform traffic, by request rule{} (figure 4)", form(lab));
    part.figures.push(family_figure(ITEM, caption, &families, bisection(lab, 16))?);
    part.verdicts.push(c2(&families));
    Ok(part)
}

/// What has to be reached, under the rule that the paper's text gives.
fn required(lab: &Lab, family: &Family) -> [Cell; 2] {
    let one = family.of(Policy::One).sustained();
    let loss = family.of(Policy::Sh).loss();
    let cell =
        |column: &str, unit, value| Cell::new(ITEM, family.rule.name(), format!("{column}{}", form(lab)), unit, value);
    let near = one.is_some_and(|one| (one.mean / ONE_QUEUE - 1.0).abs() <= 0.05);
    let beside = one.zip(family.of(Policy::Sh).sustained()).map(|(one, sh)| 100.0 * (1.0 - sh.mean / one.mean));
    [
        cell("sustained with one queue", LOAD, (Some(ONE_QUEUE), one.map(|one| one.mean)))
            .note(seeds(one))
            .require("within 5 %", near),
        cell("lost with four queues and sh", "%", (None, loss))
            .note(format!("of its own peak; {} % of what one queue sustains; printed: 20 %", shown(beside)))
            .require("12 to 25 %", loss.is_some_and(about_20)),
    ]
}

fn about_20(loss: f64) -> bool {
    (ABOUT_20.0..=ABOUT_20.1).contains(&loss)
}

/// Rule of c2, in means over seeds, sustained being accepted at offered load 1.0: one queue sustains at least 95 percent of
/// its peak; `sh` and `shp` each lose 12 to 25 percent of theirs; `lpath` sustains within 5 percent of what one queue does.
fn c2(families: &[Family]) -> Verdict {
    by_rule("c2", &rules_of(families), |rule| {
        let family = family(families, rule);
        let loss = |policy| family.of(policy).loss();
        let sustained = |policy| family.of(policy).sustained().map(|summary| summary.mean);
        let one = loss(Policy::One).is_some_and(|loss| loss <= 100.0 * (1.0 - KEPT));
        let shortest = [Policy::Sh, Policy::Shp].into_iter().all(|policy| loss(policy).is_some_and(about_20));
        let beside = sustained(Policy::Lpath).zip(sustained(Policy::One)).map(|(lpath, one)| lpath / one - 1.0);
        let holds = one && shortest && beside.is_some_and(|beside| beside.abs() <= MATCH);
        let told: Vec<String> =
            family.curves.iter().map(|(policy, curve)| format!("{} {}", policy.name(), curve.story())).collect();
        let beside = beside.map_or("none".to_owned(), |beside| short(100.0 * beside));
        (holds, format!("{} (peak at offered load, sustained); lpath {beside} % beside one queue", told.join(", ")))
    })
}
