//! Points in the terminal: one row per point, its seeds summed up.

use super::numbers::scalar;
use super::records::{LOAD, colored};
use super::table::{Column, table};
use crate::curves::unit_of;
use std::collections::BTreeSet;
use tailback_pictures::terminal::Paint;
use tailback_results::table::parameter_names;
use tailback_results::{Record, Status};
use tailback_summary::points::offers_swept_load;
use tailback_summary::spread::FEWEST;
use tailback_summary::{Mark, NoInterval, Point, Spread, digits};

/// A column of numbers: name in the records, head, unit.
const NUMBERS: [(&str, &str, &str); 10] = [
    ("offered_load", "offered", ""),
    ("accepted_load", "accepted", ""),
    ("duration", "duration", "cycles"),
    ("efficiency", "efficiency", ""),
    ("latency_mean", "latency", "cycles"),
    ("latency_p99", "p99", "cycles"),
    ("message_latency_mean", "messages", "cycles"),
    ("latency_mean_ns", "latency", "ns"),
    ("accepted_flits_per_ns", "accepted", "flits/ns"),
    ("hops_mean", "hops", "links"),
];

/// What gives way, in this order, where the terminal is narrow: a column, or its intervals alone.
const GIVES_WAY: [(&str, Keep); 6] = [
    ("hops_mean", Keep::Mean),
    ("latency_p99", Keep::Mean),
    ("hops_mean", Keep::Nothing),
    ("accepted_flits_per_ns", Keep::Mean),
    ("message_latency_mean", Keep::Mean),
    ("latency_p99", Keep::Nothing),
];

#[derive(Clone, Copy, PartialEq)]
enum Keep {
    Mean,
    Nothing,
}

/// A table of points, at most `width` wide where that can be, and below it what its numbers are.
pub fn points(points: &[Point], width: usize, color: Paint) -> String {
    let mut narrowed = 0;
    loop {
        let text = table(&columns(points, &GIVES_WAY[..narrowed], color), color);
        let widest = text.lines().map(console::measure_text_width).max().unwrap_or(0);
        if widest <= width || narrowed == GIVES_WAY.len() {
            return text + &super::wrapped(&note(points), 0);
        }
        narrowed += 1;
    }
}

fn columns(points: &[Point], narrowed: &[(&str, Keep)], color: Paint) -> Vec<Column> {
    let runs: Vec<&Record> = points.iter().flat_map(|point| point.runs.iter().copied()).collect();
    let swept = parameter_names(runs.iter().copied()).into_iter().filter(|name| *name != "run.seed");
    let mut columns: Vec<Column> = swept.map(|name| parameter(points, name)).collect();
    for (name, head, unit) in NUMBERS {
        let keep = narrowed.iter().rev().find(|(other, _)| *other == name).map(|(_, keep)| *keep);
        if is_shown(points, &runs, name) && keep != Some(Keep::Nothing) {
            columns.push(Column::new(head, unit, numbers(points, name, keep.is_none())));
        }
    }
    if common_seeds(points).is_none() {
        columns.push(Column::new("seeds", "", points.iter().map(|point| point.seeds().to_string()).collect()));
    }
    columns.push(Column::text("status", points.iter().map(|point| status(point, color)).collect()));
    columns
}

/// Whether a column says something that no other one does.
fn is_shown(points: &[Point], runs: &[&Record], name: &str) -> bool {
    match name {
        "offered_load" if runs.iter().all(|run| offers_swept_load(run)) => false,
        "message_latency_mean" => runs.iter().any(|run| run.message_latency_mean != run.latency_mean),
        _ => points.iter().any(|point| !point.values(name).is_empty()),
    }
}

fn parameter(points: &[Point], name: &str) -> Column {
    let values = || points.iter().map(|point| point.parameter(name));
    let cells = values().map(|value| value.map_or("-".to_owned(), scalar)).collect();
    let unit = Some(unit_of(name)).filter(|unit| *unit != LOAD).unwrap_or_default();
    let numeric = values().flatten().all(|value| value.as_f64().is_some());
    Column { left: !numeric, ..Column::new(name, unit, cells) }
}

/// Means, with what stands behind them aligned.
fn numbers(points: &[Point], name: &str, intervals: bool) -> Vec<String> {
    let spreads: Vec<Option<Spread>> = points.iter().map(|point| point.spread(name)).collect();
    let decimals = digits::decimals(spreads.iter().flatten());
    let shown: Vec<(String, String)> = spreads
        .iter()
        .map(|spread| match spread {
            Some(spread) if intervals => {
                let shown = digits::shown(spread, decimals);
                (shown.mean, shown.interval)
            }
            Some(spread) => (digits::number(spread.mean, decimals), String::new()),
            None => ("-".to_owned(), String::new()),
        })
        .collect();
    let width = |text: &dyn Fn(&(String, String)) -> usize| shown.iter().map(text).max().unwrap_or(0);
    let behind = width(&|(_, interval)| interval.chars().count());
    let cell = |(mean, interval): &(String, String)| match behind {
        0 => mean.clone(),
        _ => format!("{mean} {interval:<behind$}"),
    };
    shown.iter().map(cell).collect()
}

/// How its runs ended, in the colour of the worst.
fn status(point: &Point, color: Paint) -> String {
    let worst = match point.mark() {
        Mark::Filled => Status::Steady,
        Mark::Hollow | Mark::Half => Status::Saturated,
        Mark::Crossed => Status::Deadlocked,
    };
    colored(worst, &point.statuses().brief(), color)
}

/// The number of seeds that all points have.
fn common_seeds(points: &[Point]) -> Option<usize> {
    let seeds: BTreeSet<usize> = points.iter().map(Point::seeds).collect();
    seeds.first().copied().filter(|_| seeds.len() == 1)
}

/// What the numbers of the table are.
fn note(points: &[Point]) -> String {
    let over = match common_seeds(points) {
        Some(seeds) => format!("over {seeds} seeds"),
        None => "over the seeds of the point".to_owned(),
    };
    let spreads: Vec<Spread> =
        points.iter().flat_map(|point| NUMBERS.iter().filter_map(|(name, ..)| point.spread(name))).collect();
    let mut note = format!("Loads are in {LOAD}. Numbers are means {over}");
    note += match spreads.iter().any(|spread| spread.interval.is_ok()) {
        true => "; ± is half of a 95 % interval, and uneven intervals are given by their ends.",
        false => ".",
    };
    if spreads.iter().any(|spread| matches!(spread.interval, Err(NoInterval::TooFew(_)))) {
        note += " ± ?: the seeds are too few for an interval.";
    }
    if points.iter().any(|point| point.seeds() < FEWEST) {
        note += &format!(" Fewer than {FEWEST} seeds have no interval.");
    }
    let interrupted: usize = points.iter().map(Point::interrupted).sum();
    if interrupted > 0 {
        let runs = super::numbers::count(interrupted as u64, "run");
        note += &format!(
            " {runs} that {} interrupted count{} in no mean.",
            if interrupted == 1 { "was" } else { "were" },
            if interrupted == 1 { "s" } else { "" }
        );
    }
    note
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::Scalar;
    use tailback_summary::points as grouped;

    fn run(load: f64, seed: u64, latency: f64, status: Status) -> Record {
        let parameters = vec![("traffic.load".to_owned(), Scalar::Float(load))];
        let some = |value| Some(value);
        Record {
            parameters,
            offered_load: some(load),
            accepted_load: some(load + seed as f64 * 1e-3),
            latency_mean: some(latency),
            message_latency_mean: some(latency),
            latency_p99: some(2.0 * latency),
            hops_mean: some(8.0),
            ..Record::empty(format!("{load} {seed}"), seed, "0", status)
        }
    }

    fn sweep() -> Vec<Record> {
        let mut records: Vec<Record> = (1..=3).map(|seed| run(0.1, seed, 20.0 + seed as f64, Status::Steady)).collect();
        records.extend((1..=3).map(|seed| run(0.4, seed, 400.0 * seed as f64, Status::Saturated)));
        records[3].status = Status::Steady;
        records.push(run(0.5, 1, 900.0, Status::Interrupted));
        records
    }

    #[test]
    fn one_row_per_point_with_what_stands_behind_its_means() {
        let records = sweep();
        insta::assert_snapshot!(points(&grouped(&records), 80, Paint::Plain));
    }

    #[test]
    fn a_wide_terminal_shows_more_and_a_narrow_one_the_means_that_matter() {
        let records = &sweep()[..3];
        let wide = points(&grouped(records), 120, Paint::Plain);
        let narrow = points(&grouped(records), 56, Paint::Plain);
        assert!(wide.contains("p99") && wide.contains("hops"), "{wide}");
        assert!(!narrow.contains("hops") && narrow.contains("latency"), "{narrow}");
        assert!(narrow.lines().take(4).all(|line| console::measure_text_width(line) <= 56), "{narrow}");
    }
}
