//! Figure 6: occupation over time from an empty network on, 16x16; claim c4.

use super::channels::{CAPACITY, DIRECTIONS};
use super::curve::{form, of};
use super::key::{Policy, Rule, rules};
use super::specs::FIG6;
use super::verdict::{Verdict, by_rule, full_form};
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::seeds::{over_seeds, seeds, shown};
use crate::study::{Cell, Figure, Part};
use tailback_pictures::chart::{Axis, Chart, Series};
use tailback_results::Series as Table;
use tailback_results::statistics::{Window, mean, moving_average};

const ITEM: &str = "fig6";

/// The organisations of the figure.
const SHOWN: [Policy; 2] = [Policy::Sh, Policy::Lpath];

/// Samples that are averaged over: 2000 cycles.
const SMOOTHED: usize = 8;

/// Part of its capacity from which on a direction's adaptive queues are saturated.
const SATURATED: f64 = 0.75;

/// The printed 10,000 to 15,000 cycles, halved and half as much again.
const IN_TIME: (f64, f64) = (5_000.0, 22_500.0);

/// What is left at most of a direction's highest occupation when it "falls to a lower value".
const FALLEN: f64 = 0.75;

/// The end of the run that counts as its outcome \[cycles\].
const END: f64 = 10_000.0;

/// Cycles and the mean level of the adaptive queues of a direction, smoothed \[phits\].
fn levels(run: &Run, direction: usize) -> Option<(&[f64], Vec<f64>)> {
    let table = Table::named(&run.outcome.series, "occupancy")?;
    let column = |channel: usize| table.column(&format!("{}_vc{channel}_mean", DIRECTIONS[direction]));
    let both: Vec<f64> = column(1)?.iter().zip(column(2)?).map(|(a, b)| 0.5 * (a + b)).collect();
    Some((&table.x, moving_average(&both, SMOOTHED, Window::Centred)))
}

/// What a run does on the axis of its emptiest direction.
struct Story {
    /// The emptiest direction at the end.
    empty: usize,
    /// When the opposite one saturates \[cycles\].
    saturated: Option<f64>,
    /// Adaptive occupation at the end: opposite, emptiest \[phits\].
    end: (f64, f64),
    /// What the emptiest has left of its own highest.
    left: f64,
}

fn story(run: &Run) -> Option<Story> {
    let all: Option<Vec<_>> = (0..DIRECTIONS.len()).map(|direction| levels(run, direction)).collect();
    let all = all?;
    let last = *all[0].0.last()?;
    let late = |direction: usize| {
        let (x, values) = &all[direction];
        mean(&x.iter().zip(values).filter(|(x, _)| **x > last - END).map(|(_, v)| *v).collect::<Vec<_>>())
    };
    let ends: Option<Vec<f64>> = (0..DIRECTIONS.len()).map(late).collect();
    let ends = ends?;
    let empty = (0..ends.len()).min_by(|a, b| ends[*a].total_cmp(&ends[*b]))?;
    let opposite = empty ^ 1;
    let (x, values) = &all[opposite];
    let reached = values.iter().position(|value| *value >= SATURATED * CAPACITY);
    let highest = all[empty].1.iter().copied().fold(0.0, f64::max);
    let left = if highest > 0.0 { ends[empty] / highest } else { 1.0 };
    Some(Story { empty, saturated: reached.map(|i| x[i]), end: (ends[opposite], ends[empty]), left })
}

fn saturated(run: &Run) -> Option<f64> {
    story(run)?.saturated
}

fn opposite_end(run: &Run) -> Option<f64> {
    Some(story(run)?.end.0)
}

fn emptiest_end(run: &Run) -> Option<f64> {
    Some(story(run)?.end.1)
}

fn left(run: &Run) -> Option<f64> {
    Some(100.0 * story(run)?.left)
}

/// Measures it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG6)?;
    let mut part = Part::default();
    for rule in rules(&runs) {
        for policy in SHOWN {
            part.cells.extend(cells(lab, &runs, rule, policy));
        }
        part.figures.push(figure(lab, &runs, rule)?);
    }
    part.verdicts.push(full_form(lab, c4(&runs), "directions part for good in 50,000 cycles"));
    let cycles = if lab.quick() { "15,000" } else { "50,000" };
    part.notes.push(format!(
        "Which direction saturates first is chance. The table and the verdict look at the axis of the direction that is emptiest \
         in the last 10,000 of {cycles} cycles; the pictures show that axis of the first seed."
    ));
    Ok(part)
}

fn cells(lab: &Lab, runs: &[Run], rule: Rule, policy: Policy) -> Vec<Cell> {
    let row = format!("{}, {}", rule.name(), policy.name());
    let cell = |column: &str, unit, value: fn(&Run) -> Option<f64>| {
        let summary = over_seeds(of(runs, rule, policy), value);
        let column = format!("{column}{}", form(lab));
        Cell::new(ITEM, row.clone(), column, unit, (None, summary.map(|summary| summary.mean))).note(seeds(summary))
    };
    let empty = of(runs, rule, policy).map(|run| story(run).map_or("?", |story| DIRECTIONS[story.empty]));
    let empty: Vec<&str> = empty.collect();
    vec![
        cell("adaptive queues of a direction saturated from", "cycles", saturated),
        cell("adaptive occupation at the end, that direction", "phits", opposite_end),
        cell("adaptive occupation at the end, opposite one", "phits", emptiest_end)
            .note(format!("by seed the opposite one is {}", empty.join(", "))),
        cell("left of its highest, opposite one", "%", left),
    ]
}

fn figure(lab: &Lab, runs: &[Run], rule: Rule) -> Result<Figure, StudyError> {
    let mut charts = Vec::new();
    for policy in SHOWN {
        let Some(run) = of(runs, rule, policy).next() else { continue };
        let axis = story(run).map_or(0, |story| story.empty / 2 * 2);
        let Some(table) = Table::named(&run.outcome.series, "occupancy") else { continue };
        let mut series = Vec::new();
        for direction in &DIRECTIONS[axis..axis + 2] {
            for (channel, name) in ["escape", "adaptive 1", "adaptive 2"].into_iter().enumerate() {
                let Some(column) = table.column(&format!("{direction}_vc{channel}_mean")) else { continue };
                let points = table.x.iter().copied().zip(column.iter().copied()).collect();
                let dashed = channel == 0;
                series.push(Series { dashed, ..Series::new(format!("{direction} {name}"), points) });
            }
        }
        charts.push(Chart {
            title: policy.name().to_owned(),
            x: Axis::new("Time", "cycles"),
            y: Axis::new("Occupation", "phits").range(0.0, CAPACITY),
            series,
            ..Chart::default()
        });
    }
    let caption = format!(
        "Occupation of transit queues over time, 16x16 at load 1.0 from an empty network on, request rule {}, the axis of the \
         emptiest direction, the first seed{} (figure 6)",
        rule.name(),
        form(lab)
    );
    picture::panels(&format!("{ITEM}-{}", rule.name()), caption, &charts, 2)
}

/// Rule of c4, four queues and `sh`: on the axis of the direction that is emptiest at the end, the opposite direction's
/// adaptive queues reach three quarters of their capacity in every seed, in the mean over seeds between 5,000 and 22,500
/// cycles after the start (half of the printed 10,000 to half as much again as the printed 15,000); and the emptiest
/// direction has at the end at most three quarters of its own highest occupation, in the mean over seeds.
fn c4(runs: &[Run]) -> Verdict {
    by_rule("c4", &rules(runs), |rule| {
        let mean =
            |value: fn(&Run) -> Option<f64>| over_seeds(of(runs, rule, Policy::Sh), value).map(|summary| summary.mean);
        let [at, end, empty, left] = [mean(saturated), mean(opposite_end), mean(emptiest_end), mean(left)];
        let in_time = at.is_some_and(|at| (IN_TIME.0..=IN_TIME.1).contains(&at));
        let told = format!(
            "saturated after {} cycles; adaptive occupation at the end {} against {} phits, {} % of the latter's highest",
            shown(at),
            shown(end),
            shown(empty),
            shown(left)
        );
        (in_time && left.is_some_and(|left| left <= 100.0 * FALLEN), told)
    })
}
