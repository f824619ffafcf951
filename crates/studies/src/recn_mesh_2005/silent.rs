//! What some choices do on which the paper is silent, on network 1 under traffic 2 at one rate.

use super::curve::form;
use super::key::{Scheme, most_egress, most_ingress, relative};
use super::specs::{SILENT_LINK, SILENT_PLACEMENT, SILENT_RECN, SILENT_SOURCES, SILENT_SWITCH, SILENT_WARMUP};
use crate::lab::{Dataset, Lab, Run};
use crate::reproduce::StudyError;
use crate::seeds::{over_seeds, seeds, shown};
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
    Choice { name: "switch", dataset: SILENT_SWITCH, setting: switch },
    Choice { name: "thresholds and queues", dataset: SILENT_RECN, setting: thresholds },
    Choice { name: "sources", dataset: SILENT_SOURCES, setting: sources },
    Choice { name: "hot sources", dataset: SILENT_PLACEMENT, setting: placement },
    Choice { name: "links", dataset: SILENT_LINK, setting: link },
    Choice { name: "warm-up", dataset: SILENT_WARMUP, setting: warmup },
];

fn switch(run: &Run) -> String {
    let queueing = run.point.resolved.view("queueing");
    let index =
        if queueing.kind() == "voq_sw" { format!(", {}", queueing.text("egress_index")) } else { String::new() };
    let speedup = run.point.resolved.view("router").float("crossbar_speedup");
    format!("crossbar speed-up {speedup}{index}")
}

fn thresholds(run: &Run) -> String {
    let queueing = run.point.resolved.view("queueing");
    format!("{} bytes, {} queues", queueing.u32("detection_bytes"), queueing.u32("set_aside_queues"))
}

fn sources(run: &Run) -> String {
    let traffic = run.point.resolved.view("traffic");
    format!("{}, messages of {} bytes", traffic.sub("process").kind(), 4 * traffic.sub("size").u32("flits"))
}

fn placement(run: &Run) -> String {
    run.point.resolved.view("traffic.pattern").text("placement").to_owned()
}

fn link(run: &Run) -> String {
    format!("flight of {} ns", 4 * run.point.resolved.view("topology").u32("link_cycles"))
}

fn warmup(run: &Run) -> String {
    format!("{} microseconds", 4 * run.point.resolved.view("workload").u64("warmup_cycles") / 1000)
}

/// Measures relative throughput by setting and scheme.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = Part::default();
    for choice in &CHOICES {
        let runs = lab.runs(&choice.dataset)?;
        let key = |run: &Run| ((choice.setting)(run), Scheme::of(run));
        let mut keys = Vec::new();
        for run in runs.iter() {
            if !keys.contains(&key(run)) {
                keys.push(key(run));
            }
        }
        for (setting, scheme) in keys {
            let of: Vec<&Run> = runs.iter().filter(|run| key(run) == (setting.clone(), scheme)).collect();
            part.cells.push(cell(lab, choice.name, &format!("{setting}, {}", scheme.name()), &of));
        }
    }
    part.notes.push(
        "The study itself has no speed-up, egress queues by next turn, thresholds of 1310 bytes (20 packets), 8 queues, periodic \
         sources, messages of 64 bytes, hot sources evenly spaced, a flight of 20 ns and a warm-up of 800 microseconds."
            .to_owned(),
    );
    Ok(part)
}

fn cell(lab: &Lab, row: &str, what: &str, runs: &[&Run]) -> Cell {
    let found = over_seeds(runs.iter().copied(), relative);
    let most = |value: fn(&Run) -> Option<f64>| runs.iter().filter_map(|run| value(run)).reduce(f64::max);
    let queues = most(most_ingress).map_or(String::new(), |ingress| {
        format!("; most queues: ingress {ingress}, egress {}", shown(most(most_egress)))
    });
    let column = format!("relative throughput, {what}{}", form(lab));
    Cell::new(ITEM, row, column, "%", (None, found.map(|found| found.mean))).note(format!("{}{queues}", seeds(found)))
}
