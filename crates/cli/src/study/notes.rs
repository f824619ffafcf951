//! What stands below the table of a study: units, what intervals are, what was left open.

use super::{Made, Row, Saturates};
use crate::show::numbers::count;
use tailback_summary::digits::number;
use tailback_summary::paired::Difference;
use tailback_summary::spread::FEWEST;

/// The notes, each a few sentences: on the numbers, and on what is missing.
pub fn notes(made: &Made) -> Vec<String> {
    let facts = [
        Some("Loads in flits/node/cycle.".to_owned()),
        intervals(made),
        star(made),
        few_searches(made),
        steady(made),
        zero_load(made),
        bound(made),
    ];
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    std::iter::once(facts).chain(left_open(made)).collect()
}

fn intervals(made: &Made) -> Option<String> {
    let (fewest, most) = made.seeds();
    let seeds = match (fewest, most) {
        (0, _) => return None,
        (fewest, _) if fewest < FEWEST => {
            return Some(format!("No intervals over {}: that takes {FEWEST}.", count(fewest as u64, "seed")));
        }
        (fewest, most) if fewest == most => format!("{fewest} seeds"),
        (fewest, most) => format!("{fewest} to {most} seeds"),
    };
    let searches = made.rows.iter().filter_map(|row| searches(row, made)).filter(|searches| *searches >= FEWEST).max();
    let searches = searches.map_or(String::new(), |searches| format!(", or over {searches} searches for saturation"));
    Some(format!("±: half a 95 % interval, over {seeds}{searches}."))
}

/// The searches that ended with a bracket.
fn searches(row: &Row, made: &Made) -> Option<usize> {
    Some(made.study.curves[row.variant].saturation.as_ref()?.brackets.len())
}

fn star(made: &Made) -> Option<String> {
    let first = made.rows.first()?;
    let any = made.rows.iter().any(|row| row.sustained_difference.is_some_and(|found: Difference| found.differs()));
    any.then(|| format!("* differs from {} at 5 % under common seeds (paired, Holm).", first.name))
}

fn few_searches(made: &Made) -> Option<String> {
    let few = |row: &&Row| matches!(row.saturates, Saturates::At(spread) if spread.n < FEWEST);
    let rows: Vec<String> = made.rows.iter().filter(few).map(Row::label).collect();
    (!rows.is_empty()).then(|| format!("Fewer than {FEWEST} searches ended for {}: no interval.", rows.join(", ")))
}

fn steady(made: &Made) -> Option<String> {
    let first = made.rows.first()?;
    let said = |row: &Row| (row.steady(), row.points.len(), row.steady_up_to());
    let up_to =
        |row: &Row| row.steady_up_to().map_or(String::new(), |load| format!(", up to load {}", number(load, 2)));
    if made.rows.iter().all(|row| said(row) == said(first)) {
        let of = if made.rows.len() == 1 { String::new() } else { format!(" of every {}", made.noun()) };
        let points = count(first.points.len() as u64, "point");
        return Some(format!("Steady: {} of {points}{of}{}.", first.steady(), up_to(first)));
    }
    let one = |row: &Row| format!("{} {} of {}{}", row.label(), row.steady(), row.points.len(), up_to(row));
    let all: Vec<String> = made.rows.iter().map(one).collect();
    Some(format!("Steady points: {}.", all.join("; ")))
}

fn zero_load(made: &Made) -> Option<String> {
    made.rows.iter().any(|row| row.zero_load.is_some()).then(|| "Zero load: cycles without waiting.".to_owned())
}

fn bound(made: &Made) -> Option<String> {
    let bound = made.bound()?;
    let busiest = made.variants[0]
        .busiest
        .as_ref()
        .filter(|first| made.variants.iter().all(|variant| variant.busiest.as_ref() == Some(first)));
    let set_by = busiest.map_or(String::new(), |link| format!(", set by {link}"));
    Some(format!("Channel-load bound {}{set_by}.", number(bound, 3)))
}

/// What was not measured, and why.
fn left_open(made: &Made) -> Option<String> {
    let why = match (made.study.stopped, made.study.budget_spent) {
        (false, false) => return None,
        (true, _) => "Stopped early".to_owned(),
        (false, true) => format!("The budget of {} is spent", count(made.budget, "run")),
    };
    let open = |row: &&Row| matches!(row.saturates, Saturates::Open(..));
    let rows: Vec<String> = made.rows.iter().filter(open).map(|row| name(row)).collect();
    let searches = made.rows.iter().filter(|row| !open(row));
    let fewer = searches.filter(|row| searches_ended(row, made) < wanted(made)).map(|row| name(row));
    let fewer: Vec<String> = fewer.collect();
    let mut left = Vec::new();
    if !rows.is_empty() {
        left.push(format!("no search for saturation ended ({})", rows.join(", ")));
    }
    if !fewer.is_empty() {
        left.push(format!("fewer than {} searches ended ({})", wanted(made), fewer.join(", ")));
    }
    let what = if left.is_empty() { "some points or seeds are missing".to_owned() } else { left.join(", ") };
    let more = if made.study.stopped { "" } else { "; a larger --max-runs goes on" };
    Some(format!("{why}: {what}{more}."))
}

fn name(row: &Row) -> String {
    let label = row.label();
    if label.is_empty() { "the network".to_owned() } else { label }
}

fn searches_ended(row: &Row, made: &Made) -> usize {
    match row.saturates {
        Saturates::At(_) => searches(row, made).unwrap_or(0),
        _ => wanted(made),
    }
}

/// Searches for each variant.
fn wanted(made: &Made) -> usize {
    made.searches as usize
}
