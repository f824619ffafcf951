//! Figure 5: occupation and utilisation of every virtual channel at load 1.0, 16x16; claim c3.

use super::channels::{CAPACITY, all_occupation, cells, charts, third};
use super::curve::{form, of};
use super::key::{Policy, rules};
use super::specs::FIG5;
use super::verdict::{Verdict, by_rule, full_form};
use crate::lab::{Dataset, Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::seeds::{over_seeds, shown};
use crate::study::Part;

const ITEM: &str = "fig5";

/// Part of its capacity from which on a queue is nearly full.
const NEARLY_FULL: f64 = 0.75;

/// Occupation up to which there is "about one packet" of 16 phits \[phits\].
const ABOUT_ONE: f64 = 32.0;

/// The organisations of figures 5 and 8.
const SHOWN: [Policy; 4] = [Policy::One, Policy::TwoSh, Policy::Sh, Policy::Lpath];

/// Measures it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = measure(lab, ITEM, &FIG5)?;
    let runs = lab.runs(&FIG5)?;
    part.verdicts.push(full_form(lab, c3(&runs), "queues need 10,000 cycles and more to fill"));
    Ok(part)
}

/// Tables and pictures of a figure of channels by organisation.
pub fn measure(lab: &Lab, item: &'static str, dataset: &Dataset) -> Result<Part, StudyError> {
    let runs = lab.runs(dataset)?;
    let mut part = Part::default();
    for rule in rules(&runs) {
        let mut panels = Vec::new();
        for policy in SHOWN {
            let found: Vec<&Run> = of(&runs, rule, policy).collect();
            let Some(first) = found.first() else { continue };
            part.cells.extend(cells(lab, item, &format!("{}, {}", rule.name(), policy.name()), &found));
            panels.extend(charts(first, policy.name()));
        }
        let radix = runs.first().map_or(0, Run::radix);
        let caption = format!(
            "Occupation of transit queues and utilisation of channels at load 1.0, {radix}x{radix}, request rule {}, the \
             first seed{} (figure {})",
            rule.name(),
            form(lab),
            &item[3..]
        );
        part.figures.push(picture::panels(&format!("{item}-{}", rule.name()), caption, &panels, 2)?);
    }
    Ok(part)
}

/// Rule of c3, in means over seeds at load 1.0: with four queues and `sh` the adaptive queues of the third fullest of the four
/// directions hold at least three quarters of their capacity (the paper has one direction that is not saturated); with one
/// queue, and with `lpath`, a queue holds at most two packets in the mean over all directions and channels.
fn c3(runs: &[Run]) -> Verdict {
    by_rule("c3", &rules(runs), |rule| {
        let mean = |policy, value: fn(&Run) -> Option<f64>| {
            over_seeds(of(runs, rule, policy), value).map(|summary| summary.mean)
        };
        let [sh, one, lpath] =
            [mean(Policy::Sh, third), mean(Policy::One, all_occupation), mean(Policy::Lpath, all_occupation)];
        let few = |level: Option<f64>| level.is_some_and(|level| level <= ABOUT_ONE);
        let holds = sh.is_some_and(|level| level >= NEARLY_FULL * CAPACITY) && few(one) && few(lpath);
        let told = format!(
            "sh, third direction's adaptive queues {} phits; all queues: 1_inj {}, lpath {} phits",
            shown(sh),
            shown(one),
            shown(lpath)
        );
        (holds, told)
    })
}
