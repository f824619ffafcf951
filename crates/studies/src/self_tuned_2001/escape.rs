//! What the escape network does to figure 3c, and which of them deadlock. The paper names one escape channel in dimension
//! order; over the wrap-around links of a torus that is not free of deadlock.

use super::curve::{Curve, form, panel, seeds, shown, throughput, uniform_axis};
use super::key::{METHODS, Method, Mode};
use super::specs::{ESCAPE, FIG3};
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use tailback_results::Status;
use tailback_results::statistics::mean;

const ITEM: &str = "escape";

/// The variants and what they are.
const VARIANTS: [(&str, &str); 3] = [
    ("dateline", "two channels with datelines"),
    ("mesh", "one channel without wrap-around links"),
    ("ring", "one channel with them, the literal reading"),
];

fn variant(run: &Run) -> &str {
    run.point.resolved.view("routing").text("escape")
}

fn deadlocked(run: &Run) -> bool {
    run.outcome.record.status == Status::Deadlocked
}

/// Share of escape channels among the channels given; of no deadlocked run.
fn escape_share(run: &Run) -> Option<f64> {
    run.outcome.findings.iter().find(|finding| finding.name == "escape_share").map(|finding| finding.value)
}

/// Measures the curves; those with datelines are of the runs of figure 3.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (dateline, others) = (lab.runs(&FIG3)?, lab.runs(&ESCAPE)?);
    let all: Vec<&Run> = dateline.iter().chain(others.iter()).filter(|run| Mode::of(run) == Mode::Avoidance).collect();
    let mut part = Part::default();
    let mut charts = Vec::new();
    for (name, what) in VARIANTS {
        let mut series = Vec::new();
        for method in METHODS {
            let runs = || all.iter().copied().filter(move |run| variant(run) == name && Method::of(run) == method);
            let curve = Curve::of(runs());
            if curve.0.is_empty() {
                continue;
            }
            part.cells.extend(cells(lab, &format!("{name}: {what}"), method, &curve));
            series.push(curve.series(method.to_string(), throughput));
        }
        charts.push(panel(format!("Escape {name}"), uniform_axis(), series));
    }
    let caption = format!("Throughput over load of uniform traffic, three escape networks{}", form(lab));
    part.figures.push(picture::panels(ITEM, caption, &charts, 3)?);
    part.notes.push(deadlocks(&all));
    Ok(part)
}

fn cells(lab: &Lab, row: &str, method: Method, curve: &Curve) -> Vec<Cell> {
    let cell = |column: &str, unit, value| {
        Cell::new(ITEM, row, format!("{column}, {method}{}", form(lab)), unit, (None, value))
    };
    let peak = curve.peak();
    let at = format!("at {} packets/node/cycle", shown(peak.as_ref().map(|(point, _)| point.rate)));
    let end = curve.last().and_then(|point| point.summary(throughput));
    let runs: Vec<&Run> = curve.0.iter().flat_map(|point| point.runs.iter().copied()).collect();
    let dead = runs.iter().filter(|run| deadlocked(run)).count();
    let shares: Vec<f64> =
        curve.last().map_or(Vec::new(), |p| p.runs.iter().filter_map(|run| escape_share(run)).collect());
    vec![
        cell("peak throughput", "flits/node/cycle", peak.map(|(_, value)| value)).note(at),
        cell("throughput at the highest load", "flits/node/cycle", curve.end()).note(seeds(end)),
        cell("escapes among the channels given, highest load", "%", mean(&shares).map(|share| 100.0 * share)),
        cell("deadlocked runs", "runs", Some(dead as f64)).note(format!("of {}", runs.len())),
    ]
}

/// When deadlocks were found.
fn deadlocks(runs: &[&Run]) -> String {
    let told = VARIANTS.map(|(name, _)| {
        let of: Vec<&&Run> = runs.iter().filter(|run| variant(run) == name).collect();
        let mut cycles: Vec<u64> =
            of.iter().filter(|run| deadlocked(run)).map(|run| run.outcome.record.cycles).collect();
        cycles.sort_unstable();
        match (cycles.first(), cycles.last()) {
            (Some(first), Some(last)) => {
                format!("{name}: {} of {} runs, recognised in cycles {first} to {last}", cycles.len(), of.len())
            }
            _ => format!("{name}: none of {} runs", of.len()),
        }
    });
    format!(
        "Deadlocks, of all methods and loads. {}. Throughput of a deadlocked run counts the whole window.",
        told.join("; ")
    )
}
