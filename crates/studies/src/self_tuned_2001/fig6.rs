//! Figure 6: the bursty load as offered.

use super::curve::short;
use super::key::endless_queue;
use super::specs::FIG7;
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use tailback_pictures::chart::{Axis, Chart, Mark, Series, Style};

const ITEM: &str = "fig6";

/// A time of one load.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// First cycle.
    pub from: u64,
    /// First cycle after it.
    pub to: u64,
    /// What each sending node is asked for \[flits/node/cycle\].
    pub load: f64,
    /// Pattern.
    pub pattern: String,
}

/// The phases of a run.
pub fn phases(run: &Run) -> Vec<Phase> {
    let mut from = 0;
    let mut all = Vec::new();
    for table in run.point.resolved.view("workload").tables("phases") {
        let to = from + table.u64("cycles");
        all.push(Phase { from, to, load: table.float("load"), pattern: table.sub("pattern").kind().to_owned() });
        from = to;
    }
    all
}

/// The phases of high load: those above the mean of the least and the greatest.
pub fn bursts(run: &Run) -> Vec<Phase> {
    let all = phases(run);
    let (least, most) = all.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), p| (l.min(p.load), m.max(p.load)));
    all.into_iter().filter(|phase| phase.load > (least + most) / 2.0).collect()
}

/// Marks where bursts begin, with their patterns.
pub fn marks(run: &Run) -> Vec<Mark> {
    let mark = |phase: Phase| Mark::Vertical { x: phase.from as f64, label: phase.pattern };
    bursts(run).into_iter().map(mark).collect()
}

/// Shows what is asked for and, where the queue has no end, what sources make of it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG7)?;
    let mut part = Part::default();
    let Some(first) = runs.iter().find(|run| endless_queue(run)).or_else(|| runs.first()) else { return Ok(part) };
    let flits = f64::from(first.point.resolved.view("traffic").sub("size").u32("flits"));
    let all = phases(first);
    for (i, (name, key)) in [("low", "low"), ("high", "high")].into_iter().enumerate() {
        let rate = all.get(i).map(|phase| phase.load / flits);
        let paper = lab.targets().number(&format!("bursty.{key}_rate_packets_per_node_cycle"));
        part.cells.push(Cell::new(ITEM, name, "rate asked for", "packets/node/cycle", (paper, rate)));
    }
    let steps = all.iter().flat_map(|phase| [phase.from, phase.to].map(|cycle| (cycle as f64, phase.load))).collect();
    let mut series = vec![Series::new("asked of each sending node", steps)];
    if endless_queue(first) {
        let made = first.window_column("generated_load");
        let starts = first.windows().map_or(&[][..], |table| &table.x);
        let points = starts.iter().copied().zip(made.iter().copied()).collect();
        series.push(Series::new("made, mean over all nodes", points).style(Style::Step));
    }
    let told: Vec<String> = bursts(first)
        .iter()
        .map(|burst| format!("{} in cycles {} to {}", burst.pattern, burst.from, burst.to))
        .collect();
    part.notes.push(format!(
        "Bursts of {} flits/node/cycle: {}. Nodes that butterfly, shuffle and bit reversal map to themselves are silent.",
        short(all.get(1).map_or(f64::NAN, |phase| phase.load)),
        told.join(", ")
    ));
    let chart = Chart {
        title: "Offered load".to_owned(),
        x: Axis::new("Time", "cycles"),
        y: Axis::new("Load", "flits/node/cycle"),
        series,
        marks: marks(first),
        ..Chart::default()
    };
    part.figures.push(picture::panels(ITEM, "Bursty load over time (figure 6)".to_owned(), &[chart], 1)?);
    Ok(part)
}
