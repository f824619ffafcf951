//! What some choices do on which the paper is silent: crossbar outputs, injection queues, ties, priority, warm-up, the place
//! of the hot region.

use super::curve::{Curve, LOAD, accepted, form};
use super::key::{Policy, Rule};
use super::specs::{SILENT_OUTPUTS, SILENT_PRIORITY, SILENT_QUEUE, SILENT_REGION, SILENT_TIE, SILENT_WARMUP};
use crate::lab::{Dataset, Lab, Run};
use crate::reproduce::StudyError;
use crate::seeds::{seeds, short};
use crate::study::{Cell, Part};

const ITEM: &str = "silent";

/// One choice.
struct Choice {
    name: &'static str,
    dataset: Dataset,
    /// A run's setting.
    setting: fn(&Run) -> String,
}

const CHOICES: [Choice; 6] = [
    Choice { name: "crossbar outputs", dataset: SILENT_OUTPUTS, setting: outputs },
    Choice { name: "injection queue", dataset: SILENT_QUEUE, setting: queue },
    Choice { name: "tie", dataset: SILENT_TIE, setting: tie },
    Choice { name: "transit first", dataset: SILENT_PRIORITY, setting: priority },
    Choice { name: "warm-up", dataset: SILENT_WARMUP, setting: warmup },
    Choice { name: "hot region", dataset: SILENT_REGION, setting: region },
];

fn outputs(run: &Run) -> String {
    let router = run.point.resolved.view("router");
    format!("{}, {}", router.text("crossbar_outputs"), Rule::of(run).name())
}

fn queue(run: &Run) -> String {
    format!("{} packets", run.point.resolved.view("router").finite("source_queue_packets").unwrap_or(0))
}

fn tie(run: &Run) -> String {
    run.point.resolved.view("routing").text("tie").to_owned()
}

fn priority(run: &Run) -> String {
    let first = run.point.resolved.view("router").bool("transit_first");
    if first { "yes" } else { "no" }.to_owned()
}

fn warmup(run: &Run) -> String {
    format!("{} cycles", run.point.resolved.view("workload").u64("warmup_cycles"))
}

fn region(run: &Run) -> String {
    let pattern = run.point.resolved.view("traffic.pattern");
    match pattern.u32s("block_routers").as_slice() {
        [x, y] => format!("block of {x}x{y}"),
        _ => format!("band of {}x{}", run.radix(), run.radix() / 8),
    }
}

/// Measures what is sustained at the highest load of each spec, by setting and organisation.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = Part::default();
    for choice in &CHOICES {
        let runs = lab.runs(&choice.dataset)?;
        let key = |run: &Run| ((choice.setting)(run), Policy::of(run).name());
        let mut keys = Vec::new();
        for run in runs.iter() {
            if !keys.contains(&key(run)) {
                keys.push(key(run));
            }
        }
        for (setting, policy) in keys {
            let curve = Curve::of(runs.iter().filter(|run| key(run) == (setting.clone(), policy)));
            let radix = runs.first().map_or(0, Run::radix);
            let row = format!("{}, {radix}x{radix}", choice.name);
            part.cells.extend(cell(lab, &row, &format!("{setting}, {policy}"), &curve));
        }
    }
    part.notes.push(
        "The study itself has outputs by channel, 16 packets, random ties, no priority, 20,000 cycles, the band; request rule \
         smart where none is named."
            .to_owned(),
    );
    Ok(part)
}

fn cell(lab: &Lab, row: &str, what: &str, curve: &Curve) -> Option<Cell> {
    let end = curve.0.last()?.summary(accepted);
    let peak = curve.peak().filter(|_| curve.0.len() > 1);
    let most = peak.map_or(String::new(), |(peak, at)| format!("; most {} at {at}", short(peak)));
    let column = format!("sustained, {what}{}", form(lab));
    let value = (None, end.map(|end| end.mean));
    Some(Cell::new(ITEM, row, column, LOAD, value).note(format!("{}{most}", seeds(end))))
}
