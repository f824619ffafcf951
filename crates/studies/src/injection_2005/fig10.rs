//! Figure 10: occupation and utilisation of every virtual channel under restrictive injection, `lpath`, 32x32; claim c7.

use super::channels::{adaptive_occupation, cells, charts, emptiest, fullest, imbalance};
use super::curve::{accepted, form};
use super::key::{Bubble, Policy, Reading, rules};
use super::restricted::{bubbles, held};
use super::specs::FIG9;
use super::verdict::{Verdict, by_rule, full_form};
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::seeds::{Value, over_seeds, shown};
use crate::study::Part;

const ITEM: &str = "fig10";

/// How many times the emptiest direction's occupation the fullest's is at least where they are "unbalanced".
const UNBALANCED: f64 = 1.5;

/// And at most where they are balanced.
const BALANCED: f64 = 1.25;

/// What "a little" less throughput is at most \[percent\].
const LITTLE: f64 = 5.0;

/// Measures it, from the runs of figure 9.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG9)?;
    let mut part = Part::default();
    for rule in rules(&runs) {
        let mut panels = Vec::new();
        for bubble in bubbles(&runs).into_iter().filter(|bubble| *bubble != Bubble::ESC) {
            let found: Vec<&Run> = held(&runs, rule, Policy::Lpath, bubble).collect();
            let row = format!("{}, {}, {}", rule.name(), Policy::Lpath.name(), bubble.name());
            part.cells.extend(cells(lab, ITEM, &row, &found));
            if let Some(first) = found.first() {
                panels.extend(charts(first, &bubble.name()));
            }
        }
        let caption = format!(
            "Occupation of transit queues and utilisation of channels at load 1.0, 32x32, four queues and lpath, request rule \
             {}, the first seed{} (figure 10)",
            rule.name(),
            form(lab)
        );
        part.figures.push(picture::panels(&format!("{ITEM}-{}", rule.name()), caption, &panels, 2)?);
    }
    part.verdicts.push(full_form(lab, c7(&runs), "congestion takes longer to build up"));
    Ok(part)
}

/// Rule of c7, `lpath`, in means over seeds and in reading b: with 2-All the fullest direction's adaptive queues hold at least
/// 1.5 times what the emptiest's do; with 4-All at most 1.25 times, and the fullest holds less than with 2-All; with 6-All the
/// adaptive queues of all directions together hold more than with 4-All, and the load accepted is lower, by 5 percent at most.
fn c7(runs: &[Run]) -> Verdict {
    by_rule("c7", &rules(runs), |rule| {
        let mean = |n, value: Value| {
            let found = held(runs, rule, Policy::Lpath, Bubble::all(n, Reading::All));
            over_seeds(found, value).map(|summary| summary.mean)
        };
        let ratio = |n| mean(n, imbalance);
        let less = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| a < b);
        let balance = ratio(2).is_some_and(|ratio| ratio >= UNBALANCED)
            && ratio(4).is_some_and(|ratio| ratio <= BALANCED)
            && less(mean(4, fullest), mean(2, fullest));
        let fuller = less(mean(4, adaptive_occupation), mean(6, adaptive_occupation));
        let lost = mean(6, accepted).zip(mean(4, accepted)).map(|(six, four)| 100.0 * (1.0 - six / four));
        let told = [2, 4, 6].map(|n| {
            format!(
                "{n}-All: adaptive occupation {} phits, by direction {} to {}, the one {} times the other (mean of seeds), \
                 accepted {}",
                shown(mean(n, adaptive_occupation)),
                shown(mean(n, emptiest)),
                shown(mean(n, fullest)),
                shown(ratio(n)),
                shown(mean(n, accepted))
            )
        });
        let holds = balance && fuller && lost.is_some_and(|lost| lost > 0.0 && lost <= LITTLE);
        (holds, format!("{}; 6-All loses {} %", told.join("; "), shown(lost)))
    })
}
