//! What a report begins with: the answer in sentences, and the table by variant.

mod sentences;

use crate::curves::unit_of;
use crate::made::Made;
use crate::show::numbers::{count, scalar};
use crate::show::records;
use sentences::Study;
use tailback_pictures::report::{Answer, Block, Cell, Column, Dot, Fill, Head, Table, Value, Variants};
use tailback_pictures::terminal::Paint;
use tailback_results::{Record, Scalar};
use tailback_sim::Finding;
use tailback_summary::paired::{against_first, by_seed};
use tailback_summary::variants::heading;
use tailback_summary::{Difference, LOAD, Mark, Point, Spread, Variant, digits, points, variants};

/// What the dots mean.
pub const MARKS: &str =
    " ● steady or completed, ○ saturated or slow, ◐ interrupted, × deadlocked, starved or livelocked.";

/// The most variants that have a row.
const MOST_ROWS: usize = 24;

/// The answer of these records; without pictures.
pub fn answer(records: &[Record], findings: &[Finding], made: &Made) -> Answer {
    let command = made.command.clone();
    match records {
        [] => Answer { made: made.facts(&[]), command, ..Answer::default() },
        [one] => Answer {
            headline: sentences::of_one(one),
            made: made.facts(&[format!("1 run, seed {}", one.seed)]),
            command,
            blocks: vec![Block::Table(numbers(one, findings))],
        },
        many => {
            let points = points(many);
            let runs = if points.len() < many.len() {
                vec![count(points.len() as u64, "point"), count(many.len() as u64, "run")]
            } else {
                vec![count(points.len() as u64, "point")]
            };
            let made = made.facts(&[runs.join(", ")]);
            let overview = Overview::new(variants(points));
            Answer { headline: overview.study().headline(), made, command, blocks: overview.blocks() }
        }
    }
}

/// All numbers of a single run, as the terminal has them.
fn numbers(record: &Record, findings: &[Finding]) -> Table {
    let rows = records::rows(record, findings, Paint::Plain);
    let row = |(name, value): (String, String)| vec![Cell::text(name.trim()), Cell::text(value)];
    Table {
        caption: "What came out.".to_owned(),
        columns: vec![Column::new("what", ""), Column::new("value", "")],
        rows: rows.into_iter().map(row).collect(),
    }
}

struct Overview<'a> {
    variants: Vec<Variant<'a>>,
    /// What is compared: accepted load or, for workloads that end, their duration.
    column: &'static str,
    /// By variant, against the first, at the highest load that all have.
    differences: Vec<Option<Difference>>,
    /// The highest load that all variants have.
    load: Option<f64>,
}

impl<'a> Overview<'a> {
    fn new(variants: Vec<Variant<'a>>) -> Overview<'a> {
        let ends = variants.iter().flat_map(|variant| &variant.points).all(|point| point.spread("duration").is_some());
        let column = if ends { "duration" } else { "accepted_load" };
        let common = |load: &f64| variants.iter().all(|variant| variant.at(*load).is_some());
        let loads = variants[0].points.iter().rev().filter_map(|point| point.number(LOAD));
        let load = loads.clone().find(common);
        let mut overview = Overview { variants, column, differences: Vec::new(), load };
        let samples = overview.variants.iter().map(|variant| overview.compared(variant).map(|p| by_seed(p, column)));
        let samples: Vec<_> = samples.map(Option::unwrap_or_default).collect();
        overview.differences = against_first(&samples);
        overview
    }

    /// The point of a variant that is compared with those of others.
    fn compared<'v>(&self, variant: &'v Variant<'a>) -> Option<&'v Point<'a>> {
        match self.load {
            Some(load) => variant.at(load),
            None => variant.points.last(),
        }
    }

    fn study(&self) -> Study<'_, 'a> {
        Study { variants: &self.variants, differences: &self.differences, column: self.column, load: self.load }
    }

    fn blocks(&self) -> Vec<Block> {
        let shown: Vec<(usize, &Variant)> =
            self.variants.iter().enumerate().filter(|(_, variant)| variant.same_as.is_none()).collect();
        let left_out = shown.len().saturating_sub(MOST_ROWS);
        let shown = &shown[..shown.len() - left_out];
        vec![Block::Variants(self.table(shown)), Block::Note(self.note(left_out))]
    }

    fn table(&self, shown: &[(usize, &Variant)]) -> Variants {
        let mut columns: Vec<(Head, Vec<Value>)> = Vec::new();
        let spreads =
            |of: &dyn Fn(&Variant) -> Option<Spread>| -> Vec<Value> { values(shown.iter().map(|(_, v)| of(v))) };
        let over_load = self.variants.iter().any(|variant| variant.points.len() > 1) && self.load.is_some();
        if over_load {
            let lowest = |variant: &Variant| variant.points.first().and_then(|point| point.spread("latency_mean"));
            columns.push((Head::new("latency", format!("cycles, at load {}", self.first_load())), spreads(&lowest)));
            columns.push((Head::new("peak", "accepted").optional(), shown.iter().map(|(_, v)| peak(v)).collect()));
        } else {
            for (name, head) in [("latency_mean", "latency"), ("latency_p99", "p99")] {
                let of = |variant: &Variant| self.compared(variant).and_then(|point| point.spread(name));
                columns.push((Head::new(head, unit_of(name)), spreads(&of)));
            }
        }
        let compared = |variant: &Variant| self.compared(variant).and_then(|point| point.spread(self.column));
        columns.push((self.compared_head(over_load), spreads(&compared)));
        if self.variants.len() > 1 {
            let against = shown.iter().map(|(index, _)| against(*index, self.differences[*index].as_ref())).collect();
            let what = if over_load { "sustained" } else { self.noun() };
            columns.push((Head::new(format!("against {}", self.variants[0].label), what), against));
        }
        columns.retain(|(_, cells)| cells.iter().any(|cell| cell.text != "-"));
        let several = self.variants.len() > 1;
        let row = |(row, (index, variant)): (usize, &(usize, &Variant))| tailback_pictures::report::Variant {
            name: if variant.label.is_empty() { "all".to_owned() } else { variant.label.clone() },
            colour: several.then_some(*index),
            dots: variant.points.iter().map(dot).collect(),
            status: statuses(variant.points.iter()),
            values: columns.iter().map(|(_, cells)| cells[row].clone()).collect(),
        };
        Variants {
            name: Head::new(if several { heading(&self.variants) } else { String::new() }, ""),
            status: Head::new("status", self.loads()),
            rows: shown.iter().enumerate().map(row).collect(),
            heads: columns.iter().map(|(head, _)| head.clone()).collect(),
        }
    }

    fn noun(&self) -> &'static str {
        if self.column == "duration" { "duration" } else { "accepted" }
    }

    fn compared_head(&self, over_load: bool) -> Head {
        let load = self.load.map_or(String::new(), |load| format!(" at load {}", scalar(&Scalar::Float(load))));
        match (self.column, over_load) {
            ("duration", _) => Head::new("duration", format!("cycles{load}")),
            (_, true) => Head::new("sustained", format!("accepted{load}")),
            (_, false) => Head::new("accepted", load.trim()),
        }
    }

    fn first_load(&self) -> String {
        let first = self.variants[0].points.first().and_then(|point| point.parameter(LOAD));
        first.map_or("-".to_owned(), scalar)
    }

    /// `12 loads, 0.05 to 0.6`.
    fn loads(&self) -> String {
        let longest = self.variants.iter().max_by_key(|variant| variant.points.len());
        let loads: Vec<&Scalar> = longest.iter().flat_map(|v| &v.points).filter_map(|p| p.parameter(LOAD)).collect();
        match (loads.first(), loads.last()) {
            (Some(first), Some(last)) if loads.len() > 1 => {
                format!("{} loads, {} to {}", loads.len(), scalar(first), scalar(last))
            }
            (Some(only), _) => format!("load {}", scalar(only)),
            _ => String::new(),
        }
    }

    fn note(&self, left_out: usize) -> String {
        let points = || self.variants.iter().flat_map(|variant| &variant.points);
        let mut note = "Loads are in flits/node/cycle.".to_owned();
        let (least, most) =
            (points().map(Point::seeds).min().unwrap_or(0), points().map(Point::seeds).max().unwrap_or(0));
        note += &match (least, most) {
            (_, 0 | 1) => " Every point was run with one seed, so there are no intervals.".to_owned(),
            (2, 2) => " Numbers are means over 2 seeds: too few for intervals.".to_owned(),
            (least, most) if least == most => {
                format!(" ±: half of a 95 % interval over {most} seeds. ± ?: too few seeds for one.")
            }
            _ => format!(
                " ±: half of a 95 % interval over the {least} to {most} seeds of a point. ± ?: too few seeds for one."
            ),
        };
        if self.differences.iter().flatten().any(|difference| difference.interval.is_some()) {
            note += &format!(
                " Bold: differs from {} at the 5 % level under common seeds (paired, Holm). Otherwise no difference is shown.",
                self.variants[0].label
            );
        }
        note += MARKS;
        if left_out > 0 {
            note += &format!(" {} more are in the table of points below.", count(left_out as u64, "variant"));
        }
        note
    }
}

/// The largest mean of accepted load, and where it is.
fn peak(variant: &Variant) -> Value {
    let of = |point: &Point| Some((point.spread("accepted_load")?, point.parameter(LOAD).map(scalar)));
    let best = variant.points.iter().filter_map(of).max_by(|a, b| a.0.mean.total_cmp(&b.0.mean));
    best.map_or(Value::new("-", ""), |(spread, load)| {
        let load = load.map_or(String::new(), |load| format!("at {load}"));
        Value::new(digits::number(spread.mean, digits::decimals([&spread])), load)
    })
}

/// A column of means with their intervals.
pub fn values(spreads: impl Iterator<Item = Option<Spread>>) -> Vec<Value> {
    let spreads: Vec<Option<Spread>> = spreads.collect();
    let decimals = digits::decimals(spreads.iter().flatten());
    let value = |spread: &Option<Spread>| match spread {
        Some(spread) => {
            let shown = digits::shown(spread, decimals);
            Value::new(shown.mean, shown.interval)
        }
        None => Value::new("-", ""),
    };
    spreads.iter().map(value).collect()
}

/// What a row says of its difference from the first.
pub fn against(row: usize, difference: Option<&Difference>) -> Value {
    match difference {
        None if row == 0 => Value::new("reference", ""),
        None => Value::new("-", ""),
        Some(difference) => {
            let words = difference.words();
            let interval = difference.interval_words();
            let behind = if interval.is_empty() { interval } else { format!("({interval})") };
            Value { bold: difference.differs(), ..Value::new(words.trim_end_matches(" *"), behind) }
        }
    }
}

/// The dot of a point.
pub fn dot(point: &Point) -> Dot {
    let fill = match point.mark() {
        Mark::Filled => Fill::Filled,
        Mark::Hollow => Fill::Hollow,
        Mark::Half => Fill::Half,
        Mark::Crossed => Fill::Crossed,
    };
    let load = point.parameter(LOAD).map_or(String::new(), |load| format!("load {}: ", scalar(load)));
    Dot { fill, title: format!("{load}{}", point.statuses().brief()) }
}

/// `6 steady, 6 saturated`: points whose runs all ended so; `mixed` where they did not.
pub fn statuses<'a>(points: impl Iterator<Item = &'a Point<'a>>) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for point in points {
        let name = point.statuses().common().map_or("mixed", |status| status.name()).to_owned();
        match counts.iter_mut().find(|(other, _)| *other == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    match counts.as_slice() {
        [(name, 1)] => name.clone(),
        _ => counts.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", "),
    }
}
