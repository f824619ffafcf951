//! Occupation of transit queues and utilisation of channels, by direction and virtual channel.

use super::bars;
use super::curve::form;
use crate::lab::{Lab, Run};
use crate::seeds::{Value, over_seeds, seeds};
use crate::study::Cell;
use tailback_pictures::chart::{Axis, Chart};
use tailback_results::Series;
use tailback_results::statistics::mean;

/// Directions as the probes call them.
pub const DIRECTIONS: [&str; 4] = ["x+", "x-", "y+", "y-"];

/// Virtual channels as the paper calls them.
const CHANNELS: [&str; 3] = ["escape", "adaptive 1", "adaptive 2"];

/// A number a direction and virtual channel.
pub type Table = [[f64; 3]; 4];

/// Capacity of a transit queue \[phits\].
pub const CAPACITY: f64 = 128.0;

/// Mean occupation of transit queues in the measured window \[phits\].
pub fn occupation(run: &Run) -> Option<Table> {
    let table = Series::named(&run.outcome.series, "occupancy")?;
    let from = run.point.resolved.view("workload").u64("warmup_cycles") as f64;
    let mut found = Table::default();
    for (direction, values) in DIRECTIONS.iter().zip(&mut found) {
        for (channel, value) in values.iter_mut().enumerate() {
            let name = format!("{direction}_vc{channel}_mean");
            let column = table.column(&name)?;
            let inside = table.x.iter().zip(column).filter(|(cycle, _)| **cycle >= from);
            *value = mean(&inside.map(|(_, level)| *level).collect::<Vec<_>>())?;
        }
    }
    Some(found)
}

/// Mean utilisation of channels in the measured window \[share of cycles\].
pub fn utilisation(run: &Run) -> Option<Table> {
    let map = run.outcome.link_map.as_ref()?;
    let mut found = Table::default();
    for (direction, values) in DIRECTIONS.iter().zip(&mut found) {
        for (channel, value) in values.iter_mut().enumerate() {
            let links = map.iter().filter(|link| link.name == *direction);
            *value = mean(&links.filter_map(|link| link.channels.get(channel).copied()).collect::<Vec<_>>())?;
        }
    }
    Some(found)
}

/// Mean over the two adaptive channels of each direction.
fn adaptive(table: Table) -> [f64; 4] {
    table.map(|[_, one, two]| 0.5 * (one + two))
}

/// Adaptive occupation by direction, the fullest first \[phits\].
fn ranked(run: &Run) -> Option<[f64; 4]> {
    let mut found = adaptive(occupation(run)?);
    found.sort_by(|a, b| b.total_cmp(a));
    Some(found)
}

/// Adaptive occupation of the fullest direction \[phits\].
pub fn fullest(run: &Run) -> Option<f64> {
    Some(ranked(run)?[0])
}

/// Adaptive occupation of the third fullest of the four directions \[phits\].
pub fn third(run: &Run) -> Option<f64> {
    Some(ranked(run)?[2])
}

/// Adaptive occupation of the emptiest direction \[phits\].
pub fn emptiest(run: &Run) -> Option<f64> {
    Some(ranked(run)?[3])
}

/// How many times the emptiest direction's adaptive occupation the fullest's is.
pub fn imbalance(run: &Run) -> Option<f64> {
    let ranked = ranked(run)?;
    (ranked[3] > 0.0).then(|| ranked[0] / ranked[3])
}

/// Adaptive occupation of all directions \[phits\].
pub fn adaptive_occupation(run: &Run) -> Option<f64> {
    mean(&adaptive(occupation(run)?))
}

/// Escape occupation of all directions \[phits\].
pub fn escape_occupation(run: &Run) -> Option<f64> {
    mean(&occupation(run)?.map(|channels| channels[0]))
}

/// Occupation of all channels \[phits\].
pub fn all_occupation(run: &Run) -> Option<f64> {
    mean(occupation(run)?.as_flattened())
}

/// Utilisation of an adaptive channel, all directions \[percent\].
pub fn adaptive_use(run: &Run) -> Option<f64> {
    Some(100.0 * mean(&adaptive(utilisation(run)?))?)
}

/// Utilisation of an escape channel, all directions \[percent\].
pub fn escape_use(run: &Run) -> Option<f64> {
    Some(100.0 * mean(&utilisation(run)?.map(|channels| channels[0]))?)
}

/// What tables show of channels: column, unit, value.
const SHOWN: [(&str, &str, Value); 6] = [
    ("adaptive occupation, fullest direction", "phits", fullest),
    ("adaptive occupation, emptiest direction", "phits", emptiest),
    ("adaptive occupation", "phits", adaptive_occupation),
    ("escape occupation", "phits", escape_occupation),
    ("utilisation of an adaptive channel", "%", adaptive_use),
    ("utilisation of an escape channel", "%", escape_use),
];

/// A row of cells of runs that differ in the seed alone.
pub fn cells(lab: &Lab, item: &'static str, row: &str, runs: &[&Run]) -> Vec<Cell> {
    let cell = |(column, unit, value): (&str, &'static str, Value)| {
        let summary = over_seeds(runs.iter().copied(), value);
        let column = format!("{column}{}", form(lab));
        Cell::new(item, row, column, unit, (None, summary.map(|summary| summary.mean))).note(seeds(summary))
    };
    SHOWN.map(cell).to_vec()
}

/// Two panels of a run: occupation and utilisation of every channel.
pub fn charts(run: &Run, title: &str) -> [Chart; 2] {
    let groups = DIRECTIONS.map(str::to_owned);
    let panel = |what: &str, y: Axis, table: Option<Table>| {
        let series = CHANNELS.iter().enumerate().map(|(channel, name)| {
            let values = (0..4).map(|direction| table.map(|table| table[direction][channel]));
            ((*name).to_owned(), values.collect())
        });
        bars::chart(format!("{title}: {what}"), y, &groups, &series.collect::<Vec<_>>())
    };
    [
        panel("occupation", Axis::new("Occupation", "phits").range(0.0, CAPACITY), occupation(run)),
        panel("utilisation", Axis::new("Utilisation", "share of cycles").range(0.0, 0.7), utilisation(run)),
    ]
}
