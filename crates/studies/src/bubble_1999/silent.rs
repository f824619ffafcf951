//! Choices on which the paper is silent, or that the model cannot make as the paper does.

use super::curve::Curve;
use super::key::Traffic;
use super::specs::{SILENT_QUEUES, SILENT_REQUESTS, SILENT_SHARING};
use crate::lab::{Dataset, Lab, Run};
use crate::reproduce::StudyError;
use crate::seeds::{seeds, short};
use crate::study::{Cell, Part};

const ITEM: &str = "silent";

/// A choice: its spec, and what sets runs apart, in words.
struct Choice {
    dataset: Dataset,
    router: &'static str,
    setting: fn(&Run) -> String,
}

const CHOICES: [Choice; 3] = [
    Choice { dataset: SILENT_QUEUES, router: "VC Adap", setting: queues },
    Choice { dataset: SILENT_SHARING, router: "VC Adap", setting: sharing },
    Choice { dataset: SILENT_REQUESTS, router: "Bubble Adap", setting: requests },
];

fn queues(run: &Run) -> String {
    let router = run.point.resolved.view("router");
    format!("{} channels of {} flits", router.u32("virtual_channels"), router.u32("buffer_flits"))
}

fn sharing(run: &Run) -> String {
    let router = run.point.resolved.view("router");
    format!("sharing {}, channel allocator {}", router.text("sharing"), router.text("vc_allocator"))
}

fn requests(run: &Run) -> String {
    let (router, flow) = (run.point.resolved.view("router"), run.point.resolved.view("flow_control"));
    format!("requests {}, bubble {}", router.text("requests"), flow.text("scope"))
}

/// Measures them.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = Part::default();
    for choice in &CHOICES {
        let runs = lab.runs(&choice.dataset)?;
        let mut settings: Vec<(String, Traffic)> = Vec::new();
        for run in runs.iter() {
            let key = ((choice.setting)(run), Traffic::of(run));
            if !settings.contains(&key) {
                settings.push(key);
            }
        }
        for (setting, traffic) in settings {
            let wanted = |run: &&Run| (choice.setting)(run) == setting && Traffic::of(run) == traffic;
            let curve = Curve::from(runs.iter().filter(wanted));
            let peak = curve.peak();
            let load = peak.as_ref().map_or(f64::NAN, |(point, _)| point.load);
            let summary = peak.map(|(_, summary)| summary);
            let row = format!("{}, {setting}", choice.router);
            let values = (None, summary.map(|summary| summary.mean));
            let note = format!("{}; at an offered load of {} flits/node/cycle", seeds(summary), short(load));
            part.cells.push(Cell::new(ITEM, row, traffic.name(), "phits/cycle", values).note(note));
        }
    }
    part.notes.push("Most that the whole network delivers at any of the loads of the spec.".to_owned());
    Ok(part)
}
