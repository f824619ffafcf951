//! Figure 7: delivered throughput under bursty load; claim c6.

use super::curve::short;
use super::fig6::{Phase, bursts, marks};
use super::key::{METHODS, MODES, Method, Mode, endless_queue};
use super::specs::FIG7;
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use tailback_pictures::chart::{Axis, Chart, Series};
use tailback_results::statistics::mean;

const ITEM: &str = "fig7";

/// The end of a burst in which throughput has been sustained or has collapsed \[cycles\].
const END: u64 = 500;

/// Part of a burst's best window that its end has to deliver to be "sustained".
const SUSTAINED: f64 = 0.75;

/// A spurt is "late" from here on after the end of its burst \[cycles\].
const LATE: u64 = 1000;

/// What a window of a spurt delivers at least \[flits/node/cycle\]: ten times the light load.
const SPURT: f64 = 0.1;

/// How much more a window of a spurt delivers than the least window before it since the burst.
const RISE: f64 = 3.0;

/// What a run delivered, by window: first cycle and throughput \[flits/node/cycle\].
fn delivered(run: &Run) -> impl Iterator<Item = (u64, f64)> {
    let starts = run.windows().map_or(&[][..], |table| &table.x);
    starts.iter().map(|start| *start as u64).zip(run.window_column("accepted_load").iter().copied())
}

fn between(run: &Run, from: u64, to: u64) -> Vec<f64> {
    delivered(run).filter(|(start, _)| (from..to).contains(start)).map(|(_, value)| value).collect()
}

/// What the end of a burst delivers, relative to the best window of the burst.
fn sustained(run: &Run, burst: &Phase) -> Option<f64> {
    let best = between(run, burst.from, burst.to).into_iter().fold(0.0, f64::max);
    Some(mean(&between(run, burst.to - END, burst.to))? / best)
}

/// Whether throughput comes back long after the burst. `until` is where the next burst begins.
fn spurts(run: &Run, burst: &Phase, until: u64) -> bool {
    let mut least = f64::INFINITY;
    for (start, value) in delivered(run).filter(|(start, _)| (burst.to..until).contains(start)) {
        if start >= burst.to + LATE && value >= SPURT && value >= RISE * least {
            return true;
        }
        least = least.min(value);
    }
    false
}

/// In how many of these runs some burst has a late spurt.
fn with_spurts(runs: &[&Run]) -> usize {
    let any = |run: &&&Run| {
        let bursts = bursts(run);
        let ends = bursts.iter().skip(1).map(|burst| burst.from).chain([u64::MAX]);
        bursts.iter().zip(ends).any(|(burst, until)| spurts(run, burst, until))
    };
    runs.iter().filter(any).count()
}

/// The runs of a mode, method and queue, a seed each.
pub fn of(runs: &[Run], mode: Mode, method: Method, endless: bool) -> Vec<&Run> {
    let wanted = |run: &&Run| Mode::of(run) == mode && Method::of(run) == method && endless_queue(run) == endless;
    runs.iter().filter(wanted).collect()
}

/// Measures it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG7)?;
    let mut part = Part::default();
    for mode in MODES {
        for method in METHODS {
            let runs = of(&runs, mode, method, false);
            let Some(first) = runs.first() else { continue };
            for (i, burst) in bursts(first).iter().enumerate() {
                let column = format!("end of the burst over its best, {method}");
                let row = format!("{}, {}", mode.name(), burst.pattern);
                part.cells.push(Cell::new(ITEM, row, column, "", (None, ends(&runs).get(i).copied())));
            }
        }
    }
    for (endless, name) in [(false, ITEM.to_owned()), (true, format!("{ITEM}-endless-queue"))] {
        let charts: Vec<Chart> = MODES.iter().filter_map(|mode| chart(&runs, *mode, endless)).collect();
        let queue = if endless { "source queues without end" } else { "source queues of 8 packets" };
        let caption = format!("Delivered throughput by 200 cycles, bursty load, {queue}, the first seed (figure 7)");
        if !charts.is_empty() {
            part.figures.push(picture::panels(&name, caption, &charts, 1)?);
        }
    }
    part.verdicts.push(c6(&runs));
    Ok(part)
}

fn chart(runs: &[Run], mode: Mode, endless: bool) -> Option<Chart> {
    let series = |method: &Method| {
        let run = of(runs, mode, *method, endless).into_iter().next()?;
        Some(Series::new(method.to_string(), delivered(run).map(|(start, v)| (start as f64, v)).collect()))
    };
    let series: Vec<Series> = METHODS.iter().filter_map(series).collect();
    let marks = of(runs, mode, Method::Base, endless).first().map(|run| marks(run))?;
    Some(Chart {
        title: format!("Deadlock {}", mode.name()),
        x: Axis::new("Time", "cycles"),
        y: Axis::new("Throughput", "flits/node/cycle"),
        series,
        marks,
        ..Chart::default()
    })
}

/// What the end of each burst delivers relative to its best window, mean over the seeds.
fn ends(runs: &[&Run]) -> Vec<f64> {
    let Some(first) = runs.first() else { return Vec::new() };
    let of = |burst: &Phase| {
        let values: Option<Vec<f64>> = runs.iter().map(|run| sustained(run, burst)).collect();
        values.and_then(|values| mean(&values)).unwrap_or(f64::NAN)
    };
    bursts(first).iter().map(of).collect()
}

/// Rule of c6, with source queues of 8 packets. In both modes, in means over seeds, the last 500 cycles of a burst deliver with
/// Base and with ALO at most 75 percent of the burst's best window of 200 cycles in at least three of the four bursts, and
/// with Tune more than that in at least three. With recovery, with Base and with ALO, most seeds have a late spurt: a window
/// that begins 1000 cycles or more after the end of a burst and before the next, delivers at least 0.1 flits/node/cycle and
/// three times the least window since that end.
fn c6(runs: &[Run]) -> (&'static str, Option<bool>, String) {
    let mut holds = true;
    let mut evidence = Vec::new();
    for mode in MODES {
        for method in METHODS {
            let ends = ends(&of(runs, mode, method, false));
            let kept = ends.iter().filter(|end| **end > SUSTAINED).count();
            holds &= match method {
                Method::Tune => kept >= 3,
                _ => kept <= 1 && !ends.is_empty(),
            };
            let ends: Vec<String> = ends.into_iter().map(short).collect();
            evidence.push(format!("{} {method} {}", mode.name(), ends.join(" / ")));
        }
    }
    let mut spurts = Vec::new();
    for method in METHODS {
        let runs = of(runs, Mode::Recovery, method, false);
        let count = with_spurts(&runs);
        holds &= method == Method::Tune || 2 * count > runs.len();
        spurts.push(format!("{method} {count} of {}", runs.len()));
    }
    let evidence = format!(
        "end of each burst over its best window: {}; seeds with late spurts under recovery: {}",
        evidence.join("; "),
        spurts.join(", ")
    );
    ("c6", Some(holds), evidence)
}
