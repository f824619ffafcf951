//! Figure 3: throughput and latency over load, three methods, both modes; claims c2 and c3.

use super::curve::{
    Point, Three, form, network_latency, panel, seeds, short, shown, throughput, throughput_cells, total_latency,
    uniform_axis,
};
use super::fig1::{COLLAPSED, story};
use super::key::{METHODS, MODES, Method, Mode};
use super::specs::FIG3;
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use tailback_pictures::chart::{Axis, Chart};

const ITEM: &str = "fig3";

/// Part of the best throughput that is "close to the peak".
const CLOSE: f64 = 0.85;

/// Factor over the latency at the peak that is still close to it, on the paper's logarithmic axis.
const CLOSE_LATENCY: f64 = 3.0;

/// What ALO has to gain over Base to "help".
const HELPS: f64 = 1.05;

/// Part of its own peak below which ALO is "severely degraded".
const SEVERE: f64 = 0.75;

/// Measures the curves.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG3)?;
    let modes = MODES.map(|mode| (mode, Three::of(&runs, mode, "uniform")));
    let mut part = Part::default();
    for (mode, three) in &modes {
        for (method, curve) in three.named() {
            let mut cells = throughput_cells(ITEM, mode.name(), &format!("{method}{}", form(lab)), curve);
            if let (Mode::Recovery, Some(end)) = (mode, cells.pop()) {
                cells.push(required(end, method, curve.kept()));
            } else if let Some(point) = curve.last() {
                let end =
                    cell(lab, *mode, method, "throughput at the highest load", "flits/node/cycle", point, throughput);
                let note = format!("{}; {} of the peak", end.note.clone().unwrap_or_default(), shown(curve.kept()));
                cells.push(end.note(note));
            }
            part.cells.extend(cells);
            if let Some(point) = curve.last() {
                let cell = |what, value| cell(lab, *mode, method, what, "cycles", point, value);
                part.cells.push(cell("network latency at the highest load", network_latency));
                part.cells.push(cell("latency at the highest load", total_latency));
            }
        }
    }
    part.figures.push(figure(lab, &modes)?);
    part.verdicts = vec![c2(&modes), c3(&modes)];
    Ok(part)
}

/// What the paper's first figures say of recovery: Base collapses, Tune does not.
fn required(cell: Cell, method: Method, kept: Option<f64>) -> Cell {
    match method {
        Method::Base => cell.require("at most half of the peak", kept.is_some_and(|kept| kept <= COLLAPSED)),
        Method::Tune => cell.require("at least 85 % of the peak", kept.is_some_and(|kept| kept >= CLOSE)),
        _ => cell,
    }
}

fn cell(
    lab: &Lab,
    mode: Mode,
    method: Method,
    what: &str,
    unit: &'static str,
    point: &Point,
    value: fn(&Run) -> Option<f64>,
) -> Cell {
    let summary = point.summary(value);
    let column = format!("{what}, {method}{}", form(lab));
    Cell::new(ITEM, mode.name(), column, unit, (None, summary.map(|summary| summary.mean))).note(seeds(summary))
}

fn figure(lab: &Lab, modes: &[(Mode, Three); 2]) -> Result<crate::study::Figure, StudyError> {
    let mut charts: Vec<Chart> = Vec::new();
    for (mode, three) in modes {
        let series = |value| three.named().map(|(method, curve)| curve.series(method.to_string(), value)).collect();
        charts.push(panel(format!("Throughput, {}", mode.name()), uniform_axis(), series(throughput)));
        let axis = || Axis::new("Network latency", "cycles").log();
        charts.push(panel(format!("Latency, {}", mode.name()), axis(), series(network_latency)));
    }
    let caption = format!("Throughput and network latency over load of uniform traffic{} (figure 3 a to d)", form(lab));
    picture::panels(ITEM, caption, &charts, 2)
}

/// The loads from that of Base's peak on: what happens there is beyond saturation. By method.
fn beyond<'a, 'r>(three: &'a Three<'r>) -> [&'a [Point<'r>]; 3] {
    let from = three.0[0].peak().map_or(0.0, |(point, _)| point.rate);
    three.0.each_ref().map(|curve| &curve.0[curve.0.partition_point(|point| point.rate < from)..])
}

/// Rule of c2, all in means over seeds. Tune, in both modes, at every load from that of Base's peak on: throughput at least
/// 85 percent of the best of all methods and loads, network latency at most three times that of Base at its peak. ALO, with
/// avoidance: at some load from that of Base's peak on at least 5 percent more throughput than Base, and at the highest load
/// less than 75 percent of its own peak.
fn c2(modes: &[(Mode, Three); 2]) -> (&'static str, Option<bool>, String) {
    let mut holds = true;
    let mut evidence = Vec::new();
    for (mode, three) in modes {
        let best = three.0.iter().filter_map(|curve| curve.peak()).map(|(_, peak)| peak).fold(0.0, f64::max);
        let [_, _, tune] = beyond(three);
        let least = tune.iter().map(|point| point.mean(throughput).unwrap_or(0.0)).fold(f64::INFINITY, f64::min);
        let latency = tune.iter().map(|point| point.mean(network_latency).unwrap_or(f64::NAN)).fold(0.0, f64::max);
        let at_peak = three.0[0].peak().and_then(|(point, _)| point.mean(network_latency)).unwrap_or(f64::NAN);
        holds &= least >= CLOSE * best && latency <= CLOSE_LATENCY * at_peak;
        evidence.push(format!(
            "{}: Tune at least {} of the best {} (flits/node/cycle), network latency at most {} against {} of Base at its peak",
            mode.name(),
            short(least),
            short(best),
            short(latency),
            short(at_peak)
        ));
    }
    let three = &modes[1].1;
    let [base, alo, _] = beyond(three);
    let gains = base.iter().zip(alo).filter_map(|(base, alo)| Some(alo.mean(throughput)? / base.mean(throughput)?));
    let gain = gains.fold(0.0, f64::max);
    let kept = three.0[1].kept();
    holds &= gain >= HELPS && kept.is_some_and(|kept| kept < SEVERE);
    evidence.push(format!("ALO with avoidance: up to {} of Base, and {}", short(gain), story(&three.0[1])));
    ("c2", Some(holds), evidence.join("; "))
}

/// Rule of c3: at the highest load Base delivers less with recovery than with avoidance, and the 95 percent intervals of the
/// two means over seeds do not meet (one seed alone has no interval: then less is enough).
fn c3(modes: &[(Mode, Three); 2]) -> (&'static str, Option<bool>, String) {
    let ends = modes.each_ref().map(|(_, three)| three.0[0].last().and_then(|point| point.summary(throughput)));
    let holds = match ends {
        [Some(recovery), Some(avoidance)] => {
            let half = |summary: tailback_results::statistics::Summary| summary.half_width.unwrap_or(0.0);
            recovery.mean + half(recovery) < avoidance.mean - half(avoidance)
        }
        _ => false,
    };
    let told = modes.iter().map(|(mode, three)| {
        let ends: Vec<String> =
            METHODS.iter().zip(&three.0).map(|(method, curve)| format!("{method} {}", shown(curve.end()))).collect();
        format!("{} {}", mode.name(), ends.join(" / "))
    });
    let told: Vec<String> = told.collect();
    let notes = ends.map(seeds);
    let evidence = format!(
        "throughput at the highest load, flits/node/cycle: {}; Base over {} and {}",
        told.join("; "),
        notes[0],
        notes[1]
    );
    ("c3", Some(holds), evidence)
}
