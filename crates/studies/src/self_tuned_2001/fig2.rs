//! Figure 2: throughput over full buffers. The paper's figure is a sketch of what section 4 climbs, not an experiment; here
//! it is measured, from the runs of figure 1.

use super::curve::{curve, form, short, shown, throughput, throughput_axis};
use super::key::{Method, Mode, PATTERNS};
use super::specs::FIG1;
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use tailback_pictures::chart::{Axis, Chart, Series, Style};
use tailback_results::Series as Table;
use tailback_results::statistics::mean;

const ITEM: &str = "fig2";

/// Mean number of full buffers in the measured window.
fn full_buffers(run: &Run) -> Option<f64> {
    let table = Table::named(&run.outcome.series, "congestion")?;
    let column = table.column("full_buffers")?;
    let from = run.point.resolved.view("workload").u64("warmup_cycles") as f64;
    let rows = table.x.iter().zip(column).filter(|(cycle, _)| **cycle >= from);
    mean(&rows.map(|(_, full)| *full).collect::<Vec<_>>())
}

/// Measures it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG1)?;
    let mut part = Part::default();
    let mut series = Vec::new();
    for (pattern, name) in PATTERNS {
        let curve = curve(runs.iter(), Mode::Recovery, Method::Base, pattern);
        let points = curve.0.iter().filter_map(|point| Some((point.mean(full_buffers)?, point.mean(throughput)?)));
        series.push(Series::new(name, points.collect()).style(Style::LineMarks));
        let peak = curve.peak();
        let note = peak.as_ref().map_or(String::new(), |(point, value)| {
            format!("{} flits/node/cycle at {} packets/node/cycle", short(*value), short(point.rate))
        });
        let at = |column: &str, value| {
            let column = format!("{column}, Base, recovery{}", form(lab));
            Cell::new(ITEM, name, column, "buffers", (None, value))
        };
        part.cells.push(at("full buffers at the peak", peak.and_then(|(p, _)| p.mean(full_buffers))).note(note));
        let end = curve.last().and_then(|point| point.mean(full_buffers));
        let note = format!("{} flits/node/cycle", shown(curve.end()));
        part.cells.push(at("full buffers at the highest load", end).note(note));
    }
    let chart = Chart {
        title: "Base, recovery".to_owned(),
        x: Axis::new("Full buffers", "buffers"),
        y: throughput_axis(),
        series,
        ..Chart::default()
    };
    let caption =
        format!("Throughput over full buffers, a point a load, from the runs of figure 1{} (figure 2)", form(lab));
    part.figures.push(picture::panels(ITEM, caption, &[chart], 1)?);
    part.notes.push(
        "Figure 2 of the paper is a sketch of the hill that its tuning climbs, without numbers; this is the hill as measured."
            .to_owned(),
    );
    Ok(part)
}
