//! Linear extrapolation against the last snapshot, section 3.1; claim c7.

use super::curve::{form, network_latency, over_seeds, seeds, short, shown, throughput};
use super::key::{MODES, Mode};
use super::specs::ESTIMATE;
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use tailback_results::statistics::{Summary, mean, summarise};

const ITEM: &str = "extrapolation";

fn extrapolates(run: &Run) -> bool {
    run.point.resolved.view("admission").text("estimate") == "extrapolate"
}

fn load(run: &Run) -> f64 {
    run.point.resolved.view("traffic").float("load")
}

/// Pairs of runs of a mode that differ in the estimate alone: extrapolated, last snapshot.
fn pairs(runs: &[Run], mode: Mode) -> Vec<(&Run, &Run)> {
    let partner = |run: &Run| {
        let same =
            |other: &&Run| Mode::of(other) == mode && load(other) == load(run) && other.point.seed == run.point.seed;
        runs.iter().find(|other| !extrapolates(other) && same(other))
    };
    let of_mode = runs.iter().filter(|run| Mode::of(run) == mode && extrapolates(run));
    of_mode.filter_map(|run| Some((run, partner(run)?))).collect()
}

/// Gain in throughput, the mean over loads, seed by seed \[percent\].
fn gain(pairs: &[(&Run, &Run)]) -> Option<Summary> {
    let mut all: Vec<u64> = pairs.iter().map(|(run, _)| run.point.seed).collect();
    all.sort_unstable();
    all.dedup();
    let of_seed = |seed: &u64| {
        let pairs = pairs.iter().filter(|(run, _)| run.point.seed == *seed);
        let ratios: Option<Vec<f64>> = pairs.map(|(a, b)| Some(throughput(a)? / throughput(b)?)).collect();
        mean(&ratios?).map(|ratio| 100.0 * (ratio - 1.0))
    };
    summarise(&all.iter().map(of_seed).collect::<Option<Vec<f64>>>()?)
}

/// Measures it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&ESTIMATE)?;
    let mut part = Part::default();
    let printed = |mode: Mode| lab.targets().number(&format!("self_tuning.extrapolation_gain_percent.{}", mode.name()));
    let mut gains = Vec::new();
    for mode in MODES {
        let pairs = pairs(&runs, mode);
        let found = gain(&pairs);
        let mut loads: Vec<f64> = pairs.iter().map(|(run, _)| load(run)).collect();
        loads.sort_by(f64::total_cmp);
        loads.dedup();
        let by_load: Vec<String> = loads
            .iter()
            .map(|at| {
                let here: Vec<_> = pairs.iter().filter(|(run, _)| load(run) == *at).copied().collect();
                format!("{} at {at}", shown(gain(&here).map(|gain| gain.mean)))
            })
            .collect();
        let latency = |first: bool| {
            let runs = pairs.iter().map(|(a, b)| if first { *a } else { *b });
            shown(over_seeds(runs, network_latency).map(|summary| summary.mean))
        };
        let note = format!(
            "{}; by load: {}; network latency {} against {} cycles",
            seeds(found),
            by_load.join(", "),
            latency(true),
            latency(false)
        );
        let column = format!("gain in throughput{}", form(lab));
        let values = (printed(mode), found.map(|gain| gain.mean));
        part.cells.push(Cell::new(ITEM, mode.name(), column, "%", values).note(note));
        gains.push((mode, printed(mode), found));
    }
    let verdict = c7(&gains);
    part.verdicts.push(if lab.quick() { withheld(verdict) } else { verdict });
    Ok(part)
}

/// A gain of a few percent needs more than one short run.
fn withheld((id, _, evidence): (&'static str, Option<bool>, String)) -> (&'static str, Option<bool>, String) {
    (id, None, format!("not judged: gains of a few percent need more than one load and seed; {evidence}"))
}

/// Rule of c7, for both modes: the gain, a mean over five loads from saturation on and over seeds, is greater than nothing by
/// more than the half width of its 95 percent interval over seeds, and between half and twice the printed one.
fn c7(gains: &[(Mode, Option<f64>, Option<Summary>)]) -> (&'static str, Option<bool>, String) {
    let good = |(_, printed, found): &(Mode, Option<f64>, Option<Summary>)| match (printed, found) {
        (Some(printed), Some(Summary { mean, half_width: Some(half), .. })) => {
            mean > half && (0.5 * printed..=2.0 * printed).contains(mean)
        }
        _ => false,
    };
    let told: Vec<String> = gains
        .iter()
        .map(|(mode, printed, found)| {
            let measured = found.map_or("none".to_owned(), |gain| short(gain.mean));
            format!("{} {measured} % (printed {}), {}", mode.name(), shown(*printed), seeds(*found))
        })
        .collect();
    ("c7", Some(gains.iter().all(good)), format!("gain in throughput by extrapolation: {}", told.join("; ")))
}
