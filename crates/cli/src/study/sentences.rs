//! The headline of a study: a sentence on saturation, one on the largest difference that is shown, one on what is equal.
//! Nothing is said that is not in the table.

use super::{Made, Row, Saturates};
use crate::show::numbers::count;
use tailback_summary::digits::{decimals, number, words};
use tailback_summary::paired::Difference;
use tailback_summary::spread::Spread;

/// The most names in one sentence.
const NAMED: usize = 3;

/// The headline: at most three sentences.
pub fn headline(made: &Made) -> Vec<String> {
    [saturation(made), difference(made), equal(made)].into_iter().flatten().collect()
}

const UNIT: &str = "flits/node/cycle";

fn saturation(made: &Made) -> Option<String> {
    let first = made.rows.first()?;
    let found: Vec<(&Row, Spread)> = made.rows.iter().filter_map(|row| Some((row, at(row)?))).collect();
    if made.rows.len() == 1 {
        return Some(alone(first));
    }
    if found.len() < made.rows.len() {
        return some_only(made, &found);
    }
    if let Some((row, largest)) = largest(&made.rows, |row| row.saturation_difference) {
        let [own, others] = [row, first].map(|row| at(row).map_or(String::new(), |spread| number(spread.mean, 3)));
        return Some(format!(
            "{} saturates at {own} {UNIT}, {} than {} ({others}).",
            row.label(),
            change(&largest),
            first.label(),
        ));
    }
    let means = || found.iter().map(|(_, spread)| spread.mean);
    let (low, high) = (means().fold(f64::INFINITY, f64::min), means().fold(0.0, f64::max));
    let (low, high) = (number(low, 2), number(high, 2));
    let loads = if low == high { low } else { format!("{low} to {high}") };
    let noun = made.noun();
    // Without intervals there is no test.
    let tested = made.rows[1..].iter().all(|row| row.saturation_difference.is_some_and(|found| found.p.is_some()));
    let shown = if tested { "does not differ measurably" } else { "has too few searches to show a difference" };
    Some(format!("Saturation {shown}: {loads} {UNIT} under every {noun}."))
}

fn at(row: &Row) -> Option<Spread> {
    match row.saturates {
        Saturates::At(spread) => Some(spread),
        _ => None,
    }
}

/// Where some variants have no saturation point.
fn some_only(made: &Made, found: &[(&Row, Spread)]) -> Option<String> {
    let names =
        |of: &dyn Fn(&Row) -> bool| -> Vec<String> { made.rows.iter().filter(|row| of(row)).map(Row::label).collect() };
    let never = names(&|row| matches!(row.saturates, Saturates::Never(_)));
    if never.len() == made.rows.len() {
        return Some(format!("No load of the range saturates any {}.", made.noun()));
    }
    let mut said: Vec<String> = found
        .iter()
        .take(NAMED)
        .map(|(row, spread)| format!("{} saturates at {}", row.label(), number(spread.mean, 3)))
        .collect();
    if !never.is_empty() {
        said.push(format!("no load of the range saturates {}", list(&never)));
    }
    let open = names(&|row| matches!(row.saturates, Saturates::Open(..)));
    if !open.is_empty() {
        let verb = if open.len() == 1 { "saturates" } else { "saturate" };
        said.push(format!("where {} {verb} is open", list(&open)));
    }
    let below = names(&|row| matches!(row.saturates, Saturates::Below(_)));
    if !below.is_empty() {
        said.push(format!("even the lowest load saturates {}", list(&below)));
    }
    let text = list_of(&said);
    let mut letters = text.chars();
    let begin = letters.next()?;
    // Names stay as they are spelt.
    let begins_with_name = !found.is_empty();
    let begin = if begins_with_name { begin.to_string() } else { begin.to_uppercase().to_string() };
    Some(format!("{begin}{}.", letters.as_str()))
}

fn alone(row: &Row) -> String {
    match row.saturates {
        Saturates::At(spread) => format!("The network saturates at {} {UNIT}.", words(&spread, decimals([&spread]))),
        Saturates::Never(high) => format!("The network carries every load up to {} {UNIT}.", number(high, 3)),
        Saturates::Below(low) => format!("Even a load of {} {UNIT} saturates the network.", number(low, 3)),
        Saturates::Open(..) => "Where the network saturates is open.".to_owned(),
    }
}

/// The row with the largest difference that is shown.
fn largest<'r, 'a>(rows: &'r [Row<'a>], of: impl Fn(&Row) -> Option<Difference>) -> Option<(&'r Row<'a>, Difference)> {
    let shown = rows.iter().filter_map(|row| Some((row, of(row).filter(Difference::differs)?)));
    shown.max_by(|a, b| a.1.ratio.ln().abs().total_cmp(&b.1.ratio.ln().abs()))
}

/// `31 % more`, with its interval.
fn change(found: &Difference) -> String {
    let (sign, side) = if found.ratio >= 1.0 { (1.0, "more") } else { (-1.0, "less") };
    let percent = |ratio: f64| sign * 100.0 * (ratio - 1.0);
    let interval = found.interval.map_or(String::new(), |interval| {
        let (one, other) = (percent(interval.low), percent(interval.high));
        format!(" ({:.0} to {:.0} %)", one.min(other), one.max(other))
    });
    format!("{:.0} % {side}{interval}", percent(found.ratio))
}

/// What is sustained beyond saturation.
fn difference(made: &Made) -> Option<String> {
    let first = made.rows.first()?;
    let reference = first.sustained.as_ref()?.0;
    let shown: Vec<&Row> =
        made.rows.iter().filter(|row| row.sustained_difference.is_some_and(|found| found.differs())).collect();
    let sustains = |row: &Row| row.sustained.map_or(String::new(), |(spread, _)| number(spread.mean, 2));
    let one_side = shown.windows(2).all(|pair| {
        let more = |row: &Row| row.sustained_difference.is_some_and(|found| found.ratio > 1.0);
        more(pair[0]) == more(pair[1])
    });
    if let ([_, _, ..], true, true) = (shown.as_slice(), one_side, shown.len() <= NAMED) {
        let names: Vec<String> = shown.iter().map(|row| row.label()).collect();
        let values: Vec<String> = shown.iter().map(|row| sustains(row)).collect();
        let more = shown[0].sustained_difference.is_some_and(|found| found.ratio > 1.0);
        let (only, own) = (if more { "only " } else { "" }, number(reference.mean, 2));
        return Some(format!("Beyond it {} sustain {}, {} {only}{own}.", list(&names), list(&values), first.name));
    }
    if let Some((row, found)) = largest(&made.rows, |row| row.sustained_difference) {
        let share = row.share().map_or(String::new(), |share| format!(" {:.0} % of its peak,", 100.0 * share));
        return Some(format!(
            "Beyond it {} sustains{share} {} {UNIT}, {} than {}.",
            row.label(),
            sustains(row),
            change(&found),
            first.name,
        ));
    }
    let tested = made.rows.len() > 1
        && made.rows[1..].iter().all(|row| row.sustained_difference.is_some_and(|found| found.p.is_some()));
    tested.then(|| format!("Beyond it no difference in what the {}s sustain is shown.", made.noun()))
}

/// What came out bit for bit the same.
fn equal(made: &Made) -> Option<String> {
    let equal: Vec<&Row> = made.rows.iter().filter(|row| !row.twins.is_empty()).collect();
    let row = equal.first()?;
    let runs = count(row.equal_runs, "run");
    let said = match row.twins.as_slice() {
        [one] => format!("{one} changes nothing: its {runs} equal those of {} bit for bit", row.name),
        many => format!("{} change nothing: their {runs} each equal those of {} bit for bit", list(many), row.name),
    };
    let more = equal.len() - 1;
    let more = if more == 0 { String::new() } else { format!(", and so do those of {more} more groups") };
    Some(format!("{said}{more}."))
}

/// At most [`NAMED`] names: `a, b and c`, or `a, b, c and 4 more`.
fn list(names: &[String]) -> String {
    if names.len() <= NAMED {
        return list_of(names);
    }
    format!("{} and {} more", names[..NAMED].join(", "), names.len() - NAMED)
}

fn list_of(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
