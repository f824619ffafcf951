//! Figure 4: threshold and throughput over time, hill climbing alone and with avoidance of local maxima; claim c5.

use super::curve::{over_seeds, seeds, short, shown};
use super::specs::FIG4;
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::{Cell, Figure, Part};
use tailback_pictures::chart::{Axis, Chart, Series};
use tailback_results::Series as Table;
use tailback_results::statistics::{Window, mean, moving_average};

const ITEM: &str = "fig4";

/// Windows that the pictures of throughput and the search for a creep average over: about 5000 cycles.
const SMOOTHED: usize = 52;

/// What "less" means for a throughput.
const LESS: f64 = 0.9;

/// What "held" means for a throughput.
const HELD: f64 = 0.95;

/// The two variants and their names: whether local maxima are avoided.
const VARIANTS: [(bool, &str); 2] = [(false, "hill climbing only"), (true, "avoiding local maxima")];

fn avoids(run: &Run) -> bool {
    run.point.resolved.view("admission").bool("avoid_local_maxima")
}

/// First cycles of the windows and a column of them.
fn column<'r>(run: &'r Run, name: &str) -> (&'r [f64], &'r [f64]) {
    let table = Table::named(&run.outcome.series, "congestion");
    table.and_then(|table| Some((table.x.as_slice(), table.column(name)?))).unwrap_or_default()
}

/// Mean of a column over the windows that begin in these cycles.
fn within(run: &Run, name: &str, (from, to): (f64, f64)) -> Option<f64> {
    let (x, values) = column(run, name);
    mean(&x.iter().zip(values).filter(|(x, _)| (from..to).contains(*x)).map(|(_, value)| *value).collect::<Vec<_>>())
}

fn early(run: &Run) -> Option<f64> {
    within(run, "throughput", (10_000.0, 20_000.0))
}

fn late(run: &Run) -> Option<f64> {
    within(run, "throughput", (40_000.0, 60_000.0))
}

fn late_threshold(run: &Run) -> Option<f64> {
    within(run, "threshold", (40_000.0, 60_000.0))
}

/// When the smoothed throughput falls below nine tenths of the best it had and never comes back \[cycles\].
fn creep(run: &Run) -> Option<f64> {
    let (x, values) = column(run, "throughput");
    let smooth = moving_average(values, SMOOTHED, Window::Centred);
    let best = smooth.iter().copied().fold(0.0, f64::max);
    let last = smooth.iter().rposition(|value| *value >= LESS * best)?;
    x.get(last + 1).copied().filter(|_| last + 1 + SMOOTHED / 2 < x.len())
}

/// Measures it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG4)?;
    let mut part = Part::default();
    let of = VARIANTS.map(|(avoid, name)| (name, runs.iter().filter(|run| avoids(run) == avoid).collect::<Vec<_>>()));
    for (name, runs) in &of {
        let cell = |column: &str, unit, value: fn(&Run) -> Option<f64>| {
            let summary = over_seeds(runs.iter().copied(), value);
            Cell::new(ITEM, *name, column, unit, (None, summary.map(|summary| summary.mean))).note(seeds(summary))
        };
        part.cells.push(cell("throughput, cycles 10,000 to 20,000", "flits/node/cycle", early));
        part.cells.push(cell("throughput, cycles 40,000 to 60,000", "flits/node/cycle", late));
        part.cells.push(cell("threshold, cycles 40,000 to 60,000", "buffers", late_threshold));
    }
    part.cells.push(creeps(lab, &of[0].1));
    part.figures.push(figure(&of)?);
    part.verdicts.push(c5(&of));
    Ok(part)
}

/// When hill climbing alone goes wrong.
fn creeps(lab: &Lab, runs: &[&Run]) -> Cell {
    let found: Vec<Option<f64>> = runs.iter().map(|run| creep(run)).collect();
    let known: Vec<f64> = found.iter().flatten().copied().collect();
    let told: Vec<String> = found.iter().map(|cycle| cycle.map_or("never".to_owned(), |c| format!("{c:.0}"))).collect();
    let paper = lab.targets().number("figure4.creep_starts_cycle_about");
    Cell::new(ITEM, VARIANTS[0].1, "creep into saturation from", "cycles", (paper, mean(&known)))
        .note(format!("by seed: {}", told.join(", ")))
}

fn figure(of: &[(&str, Vec<&Run>); 2]) -> Result<Figure, StudyError> {
    let chart = |title: &str, y: Axis, name: &str, smoothed: usize| {
        let series = of.iter().filter_map(|(variant, runs)| {
            let (x, values) = column(runs.first()?, name);
            let values = moving_average(values, smoothed, Window::Centred);
            let points = x.iter().copied().zip(values).collect();
            Some(Series { dashed: *variant == VARIANTS[1].1, ..Series::new(*variant, points) })
        });
        let series = series.collect();
        Chart { title: title.to_owned(), x: Axis::new("Time", "cycles"), y, series, ..Chart::default() }
    };
    let charts = [
        chart("Threshold", Axis::new("Threshold", "buffers"), "threshold", 1),
        chart("Throughput", Axis::new("Throughput", "flits/node/cycle"), "throughput", SMOOTHED / 5),
    ];
    let caption = "Threshold by tuning period, and throughput averaged over 960 cycles; deadlock avoidance, uniform traffic, a \
                   packet a node each 10 cycles, the first seed (figure 4)";
    picture::panels(ITEM, caption.to_owned(), &charts, 2)
}

/// Rule of c5, all in means over seeds: in cycles 40,000 to 60,000 hill climbing alone delivers less than nine tenths of what
/// it delivers with avoidance of local maxima, at a higher threshold; and with avoidance these cycles deliver at least 95
/// percent of what cycles 10,000 to 20,000 do.
fn c5(of: &[(&str, Vec<&Run>); 2]) -> (&'static str, Option<bool>, String) {
    let mean = |runs: &[&Run], value| over_seeds(runs.iter().copied(), value).map(|summary| summary.mean);
    let [alone, avoiding] = of.each_ref().map(|(_, runs)| [early, late, late_threshold].map(|value| mean(runs, value)));
    let holds = match (alone, avoiding) {
        ([_, Some(alone), Some(high)], [Some(before), Some(after), Some(low)]) => {
            alone < LESS * after && high > low && after >= HELD * before
        }
        _ => false,
    };
    let told = |[early, late, threshold]: [Option<f64>; 3]| {
        format!("{} then {} at a threshold of {}", shown(early), shown(late), threshold.map_or("none".into(), short))
    };
    let evidence = format!(
        "throughput of cycles 10,000 to 20,000 and of 40,000 to 60,000, flits/node/cycle: hill climbing alone {}; avoiding local maxima {}",
        told(alone),
        told(avoiding)
    );
    ("c5", Some(holds), evidence)
}
