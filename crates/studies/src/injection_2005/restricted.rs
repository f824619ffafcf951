//! Restrictive injection: what is sustained at load 1.0 by bubble and organisation. Figures 9 and 11, right.

use super::bars;
use super::curve::{LOAD, accepted, form, of};
use super::key::{Bubble, Policy, READINGS, RESTRICTED, Reading, Rule, rules, settings};
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::seeds::{over_seeds, seeds};
use crate::study::{Cell, Figure};
use tailback_pictures::chart::{Axis, Chart, Mark};
use tailback_results::statistics::Summary;

/// The runs of a rule, an organisation and a bubble.
pub fn held(runs: &[Run], rule: Rule, policy: Policy, bubble: Bubble) -> impl Iterator<Item = &Run> {
    of(runs, rule, policy).filter(move |run| Bubble::of(run) == bubble)
}

/// What is accepted at load 1.0 \[phits/node/cycle\].
pub fn sustained(runs: &[Run], rule: Rule, policy: Policy, bubble: Bubble) -> Option<Summary> {
    over_seeds(held(runs, rule, policy, bubble), accepted)
}

/// The bubbles that the runs have, both readings, each once.
pub fn bubbles(runs: &[Run]) -> Vec<Bubble> {
    let mut found = Vec::new();
    for bubble in READINGS.into_iter().flat_map(settings) {
        if !found.contains(&bubble) && runs.iter().any(|run| Bubble::of(run) == bubble) {
            found.push(bubble);
        }
    }
    found
}

/// The organisations of figures 9 and 11, right, that the runs have.
fn policies(runs: &[Run]) -> Vec<Policy> {
    RESTRICTED.into_iter().filter(|policy| runs.iter().any(|run| Policy::of(run) == *policy)).collect()
}

/// A cell a rule, organisation and bubble.
pub fn cells(lab: &Lab, item: &'static str, runs: &[Run], what: &str) -> Vec<(Rule, Policy, Bubble, Cell)> {
    let mut cells = Vec::new();
    for rule in rules(runs) {
        for policy in policies(runs) {
            for bubble in bubbles(runs) {
                let found = sustained(runs, rule, policy, bubble);
                let row = format!("{}, {}", rule.name(), policy.name());
                let column = format!("sustained{what}, {}{}", bubble.name(), form(lab));
                let value = (None, found.map(|summary| summary.mean));
                cells.push((rule, policy, bubble, Cell::new(item, row, column, LOAD, value).note(seeds(found))));
            }
        }
    }
    cells
}

/// Bars by bubble and organisation: a panel a rule and reading.
pub fn figure(
    name: &str,
    caption: String,
    runs: &[Run],
    readings: &[Reading],
    bound: Option<f64>,
) -> Result<Figure, StudyError> {
    let mut charts: Vec<Chart> = Vec::new();
    for rule in rules(runs) {
        for reading in readings {
            let all = settings(*reading);
            let groups: Vec<String> = all.iter().map(|bubble| bubble.name()).collect();
            let value = |policy, bubble| sustained(runs, rule, policy, bubble).map(|summary| summary.mean);
            let bars = policies(runs).into_iter().map(|policy| {
                let values = all.iter().map(|bubble| value(policy, *bubble)).collect();
                (policy.name().to_owned(), values)
            });
            let title = format!("Request rule {}, reading {}", rule.name(), reading.letter());
            // A little above the bisection limit of 8 / radix.
            let radix = runs.first().map_or(32, Run::radix);
            let y = Axis::new("Sustained", LOAD).range(0.0, 0.26 * 32.0 / f64::from(radix));
            let mut chart = bars::chart(title, y, &groups, &bars.collect::<Vec<_>>());
            chart.marks.extend(bound.iter().map(|y| Mark::Horizontal { y: *y, label: String::new() }));
            charts.push(chart);
        }
    }
    picture::panels(name, caption, &charts, readings.len().max(1))
}
