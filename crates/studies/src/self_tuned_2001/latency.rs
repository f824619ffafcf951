//! Average latencies under bursty load, section 5.2.3.
//!
//! The paper does not say where a packet's latency begins, nor how long source queues are; here both latencies stand, with
//! queues of 8 packets and without end, each beside the same printed number.

use super::curve::{network_latency, over_seeds, seeds, total_latency};
use super::fig7::of;
use super::key::{METHODS, MODES, Method, Mode};
use super::specs::{BURSTY_MESH, FIG7};
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};

const ITEM: &str = "bursty";

/// Whether source queues have no end, and what rows say of it.
const QUEUES: [(bool, &str); 2] = [(false, "queue of 8"), (true, "queue without end")];

/// How far Tune has to lie below Base in network latency.
fn factor(mode: Mode) -> f64 {
    match mode {
        Mode::Recovery => 5.0,
        Mode::Avoidance => 2.5,
    }
}

/// Measures the table.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (runs, other) = (lab.runs(&FIG7)?, lab.runs(&BURSTY_MESH)?);
    let mut part = Part::default();
    for (network, name) in [(true, "network latency"), (false, "total latency")] {
        for (endless, queue) in QUEUES {
            for mode in MODES {
                let row = format!("{}, {name}, {queue}", mode.name());
                part.cells.extend(row_cells(lab, &runs, (mode, endless), &row, network));
            }
        }
    }
    for (endless, queue) in QUEUES {
        let row = format!("avoidance by one channel without wrap-around links, network latency, {queue}");
        let cells = row_cells(lab, &other, (Mode::Avoidance, endless), &row, true);
        part.cells.extend(cells.into_iter().map(|cell| Cell { required: None, ok: None, ..cell }));
    }
    part.cells.extend(undelivered(&runs));
    part.notes.push(
        "Network latency: from the head's leaving the source queue to the delivery of the tail; total latency: from generation. \
         Of packets made after cycle 10,000 and delivered by cycle 60,000."
            .to_owned(),
    );
    Ok(part)
}

/// The row of a mode and queue; empty where nothing was run for it.
fn row_cells(lab: &Lab, runs: &[Run], (mode, endless): (Mode, bool), row: &str, network: bool) -> Vec<Cell> {
    let value = if network { network_latency } else { total_latency };
    let found = METHODS.map(|method| over_seeds(of(runs, mode, method, endless), value));
    if found.iter().all(Option::is_none) {
        return Vec::new();
    }
    let printed = |i| lab.targets().element(&format!("bursty.average_latency_cycles.{}", mode.name()), i);
    let means = found.map(|summary| summary.map(|summary| summary.mean));
    let mut cells: Vec<Cell> = METHODS
        .iter()
        .enumerate()
        .map(|(i, method)| {
            Cell::new(ITEM, row, method.to_string(), "cycles", (printed(i), means[i])).note(seeds(found[i]))
        })
        .collect();
    let ratio = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
    let measured = ratio(means[0], means[2]);
    let below = Cell::new(ITEM, row, "Base / Tune", "", (ratio(printed(0), printed(2)), measured));
    // The full form alone requires it of avoidance, and misses it: the README says by how much.
    if !network || (lab.quick() && mode == Mode::Avoidance) {
        cells.push(below);
        return cells;
    }
    let least = factor(mode);
    cells.push(below.require(format!("at least {least}"), measured.is_some_and(|ratio| ratio >= least)));
    let ordered = matches!(means, [Some(base), Some(alo), Some(tune)] if base > alo && alo > tune);
    let alo = cells[1].clone();
    cells[1] = alo.require("between Tune and Base, as printed", ordered);
    cells
}

/// Packets that were still in the network at the end, which no latency counts.
fn undelivered(runs: &[Run]) -> Vec<Cell> {
    let left = |run: &Run| Some(run.outcome.record.packets_in_network_end as f64);
    let cell = |mode: Mode, method: Method| {
        let summary = over_seeds(of(runs, mode, method, false), left);
        let row = format!("{}, queue of 8", mode.name());
        let value = summary.map(|summary| summary.mean);
        Cell::new(ITEM, row, format!("in the network at the end, {method}"), "packets", (None, value))
            .note(seeds(summary))
    };
    MODES.iter().flat_map(|mode| METHODS.map(|method| cell(*mode, method))).collect()
}
