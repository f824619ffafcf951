//! What the tuning period, the steps and a narrow side-band change, sections 4.1 and 5.1; claim c8.

use super::curve::{form, network_latency, over_seeds, seeds, short, shown, throughput};
use super::key::{MODES, Mode};
use super::specs::{PERIOD, SIDE_BAND, STEPS};
use crate::lab::{Dataset, Lab, Run};
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use std::rc::Rc;
use tailback_results::statistics::{Summary, summarise};

const ITEM: &str = "sensitivity";

/// What a tuning period may change, where the paper has no number: "did not alter significantly" \[percent\].
const PERIOD_CHANGE: f64 = 5.0;

/// One thing that is varied.
struct Knob {
    name: &'static str,
    dataset: Dataset,
    /// A run's setting.
    setting: fn(&Run) -> String,
    /// The paper's setting.
    default: &'static str,
}

const KNOBS: [Knob; 3] = [
    Knob { name: "tuning period", dataset: PERIOD, setting: period, default: "96 cycles" },
    Knob { name: "steps", dataset: STEPS, setting: steps, default: "+1 % / -4 %" },
    Knob { name: "side-band", dataset: SIDE_BAND, setting: side_band, default: "25 bits" },
];

fn period(run: &Run) -> String {
    format!("{} cycles", run.point.resolved.view("admission").u64("tuning_period_cycles"))
}

fn steps(run: &Run) -> String {
    let admission = run.point.resolved.view("admission");
    format!("+{} % / -{} %", admission.float("increment_percent"), admission.float("decrement_percent"))
}

fn side_band(run: &Run) -> String {
    let admission = run.point.resolved.view("admission");
    match admission.finite("side_band_bits") {
        Some(bits) => format!("{bits} bits, {}", admission.text("narrow_side_band")),
        None => "25 bits".to_owned(),
    }
}

/// What a setting changes in a mode.
struct Change {
    mode: Mode,
    setting: String,
    /// Throughput over that of the paper's setting, loads and seeds together \[percent\].
    percent: Option<f64>,
    note: String,
}

fn changes(runs: &Rc<Vec<Run>>, knob: &Knob) -> Vec<Change> {
    let mut settings: Vec<String> = Vec::new();
    for run in runs.iter() {
        let setting = (knob.setting)(run);
        if !settings.contains(&setting) {
            settings.push(setting);
        }
    }
    let of = |mode: Mode, setting: &str, value| {
        let runs = runs.iter().filter(|run| Mode::of(run) == mode && (knob.setting)(run) == setting);
        over_seeds(runs, value).map(|summary| summary.mean)
    };
    let change = |mode: Mode, setting: String| {
        let (here, default) = (of(mode, &setting, throughput), of(mode, knob.default, throughput));
        let percent = here.zip(default).map(|(here, default)| 100.0 * (here / default - 1.0));
        let latency = shown(of(mode, &setting, network_latency));
        let spread = seeds(of_seeds(runs, knob, mode, &setting));
        let note = format!("{} flits/node/cycle, network latency {latency} cycles; change over {spread}", shown(here));
        Change { mode, setting, percent, note }
    };
    let all = MODES.iter().flat_map(|mode| settings.iter().map(|setting| change(*mode, setting.clone())));
    all.collect()
}

/// The change of throughput against the paper's setting, seed by seed, loads together \[percent\].
fn of_seeds(runs: &[Run], knob: &Knob, mode: Mode, setting: &str) -> Option<Summary> {
    let mut all: Vec<u64> = runs.iter().map(|run| run.point.seed).collect();
    all.sort_unstable();
    all.dedup();
    let of = |seed: u64, setting: &str| {
        let wanted = |run: &&Run| Mode::of(run) == mode && (knob.setting)(run) == setting && run.point.seed == seed;
        over_seeds(runs.iter().filter(wanted), throughput).map(|summary| summary.mean)
    };
    let change = |seed: &u64| Some(100.0 * (of(*seed, setting)? / of(*seed, knob.default)? - 1.0));
    summarise(&all.iter().map(change).collect::<Option<Vec<f64>>>()?)
}

/// Measures all of it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = Part::default();
    let mut found = Vec::new();
    for knob in &KNOBS {
        let changes = changes(&lab.runs(&knob.dataset)?, knob);
        for change in &changes {
            let row = format!("{}, {}", change.mode.name(), knob.name);
            let column = format!("{} against {}{}", change.setting, knob.default, form(lab));
            part.cells.push(Cell::new(ITEM, row, column, "%", (None, change.percent)).note(change.note.clone()));
        }
        found.push(changes);
    }
    let steps = lab.targets().number("self_tuning.increment_decrement_insensitivity_percent").unwrap_or(0.0);
    part.verdicts.push(c8(&found[0], &found[1], steps));
    part.notes.push(
        "Change of throughput under uniform traffic beyond saturation, all loads and seeds of the spec together, against the \
         paper's setting."
            .to_owned(),
    );
    Ok(part)
}

/// The greatest change either way \[percent\]; infinite where one is missing.
fn greatest(changes: &[Change]) -> f64 {
    changes.iter().map(|change| change.percent.map_or(f64::INFINITY, f64::abs)).fold(0.0, f64::max)
}

/// Rule of c8: in both modes, in the mean over loads beyond saturation and seeds, no tuning period from 32 to 192 cycles changes
/// the throughput by more than 5 percent against 96 cycles, and no steps of 1 to 4 percent change it by more than the printed
/// 4 percent against +1 and -4 percent.
fn c8(periods: &[Change], steps: &[Change], most: f64) -> (&'static str, Option<bool>, String) {
    let holds = greatest(periods) <= PERIOD_CHANGE && greatest(steps) <= most;
    let told = |changes: &[Change]| {
        let each: Vec<String> = changes
            .iter()
            .map(|change| {
                format!("{} {} {}", change.mode.name(), change.setting, change.percent.map_or("none".into(), short))
            })
            .collect();
        each.join(", ")
    };
    let evidence =
        format!("change of throughput in percent by tuning period: {}; by steps: {}", told(periods), told(steps));
    ("c8", Some(holds), evidence)
}
