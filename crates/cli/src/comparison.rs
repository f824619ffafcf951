//! What a comparison of variants found: a row for each point of the sweep and each column.

use crate::show;
use crate::show::numbers::{maybe, scalar, short};
use crate::show::table::{self, Column};
use crate::variants::Named;
use serde_json::json;
use tailback_results::identical::is_identical;
use tailback_results::schema::column;
use tailback_results::statistics::{Comparison, compare_paired, mean};
use tailback_results::{Record, Scalar};
use tailback_summary::paired::{BySeed, Difference, Verdict, against_first};
use tailback_summary::spread::FEWEST;

/// One column at one point of the sweep.
pub struct Row {
    parameters: Vec<(String, Scalar)>,
    column: String,
    /// Means of the variants; `None` where no run has a value.
    means: Vec<Option<f64>>,
    seeds: usize,
    /// Each but the first against the first.
    against: Vec<Against>,
}

/// A variant against the first.
#[derive(Clone, Debug)]
struct Against {
    /// The ratio; `None` where a value is missing or not positive.
    ratio: Option<Difference>,
    /// The difference; `None` where a value is missing.
    difference: Option<Comparison>,
    /// Whether the two came out identical, bit for bit, at every point and seed.
    identical: bool,
}

/// What is known of the order of two variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Identical,
    More,
    Less,
    NotShown,
    FewSeeds,
    Unknown,
}

/// The rows of these runs, each set of which has one point and seed in all variants.
pub fn rows(sets: &[Vec<&Record>], columns: &[String]) -> Vec<Row> {
    let variants = sets.first().map_or(0, Vec::len);
    // Of the variants, not of a point: where one pair differs they are two.
    let identical: Vec<bool> =
        (0..variants).map(|other| sets.iter().all(|set| is_identical(set[0], set[other]))).collect();
    let points = sets.chunk_by(|one, next| one[0].parameters == next[0].parameters);
    points.flat_map(|point| columns.iter().map(|column| row(point, column, &identical))).collect()
}

fn row(point: &[Vec<&Record>], column: &str, identical: &[bool]) -> Row {
    let whole = |set: &&Vec<&Record>| set.iter().all(|record| record.number(column).is_some());
    let known: Vec<&Vec<&Record>> = point.iter().filter(whole).collect();
    let values = |variant: usize| known.iter().filter_map(|set| set[variant].number(column)).collect::<Vec<f64>>();
    let complete = known.len() == point.len();
    let all: Vec<Vec<f64>> = (0..identical.len()).map(values).collect();
    let by_seed: Vec<BySeed> = all.iter().map(|values| (0..).zip(values.iter().copied()).collect()).collect();
    let ratios = against_first(&by_seed);
    let against = (1..identical.len()).map(|other| Against {
        ratio: ratios[other].filter(|_| complete),
        difference: compare_paired(&all[other], &all[0]).filter(|_| complete),
        identical: identical[other],
    });
    Row {
        parameters: point[0][0].parameters.clone(),
        column: column.to_owned(),
        seeds: known.len(),
        against: against.collect(),
        means: all.iter().map(|values| mean(values)).collect(),
    }
}

impl Against {
    fn order(&self) -> Order {
        let side = |more: bool| if more { Order::More } else { Order::Less };
        match (&self.ratio, &self.difference) {
            _ if self.identical => Order::Identical,
            (Some(ratio), _) => match ratio.verdict {
                Verdict::Differs => side(ratio.ratio > 1.0),
                Verdict::NotShown => Order::NotShown,
                Verdict::Unknown => Order::FewSeeds,
            },
            // A value that is 0 has no ratio.
            (None, Some(found)) if found.difference.count < FEWEST => Order::FewSeeds,
            (None, Some(found)) if found.significant() => side(found.difference.mean > 0.0),
            (None, Some(_)) => Order::NotShown,
            (None, None) => Order::Unknown,
        }
    }

    fn words(&self, name: &str) -> String {
        match self.order() {
            Order::Identical => "identical".to_owned(),
            Order::More => format!("{name} is more"),
            Order::Less => format!("{name} is less"),
            Order::NotShown => "no difference shown".to_owned(),
            Order::FewSeeds => format!("fewer than {FEWEST} seeds"),
            Order::Unknown => "unknown".to_owned(),
        }
    }

    /// `1.83 to 1.91`.
    fn interval(&self) -> String {
        let interval = self.ratio.and_then(|ratio| ratio.interval);
        interval.map_or("-".to_owned(), |interval| format!("{:.4} to {:.4}", interval.low, interval.high))
    }

    fn mean_difference(&self) -> Option<f64> {
        self.difference.as_ref().map(|found| found.difference.mean)
    }
}

impl Row {
    fn at(&self) -> String {
        let one = |(name, value): &(String, Scalar)| format!("{name} {}", scalar(value));
        self.parameters.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// One object for each variant but the first.
    pub fn json(&self, named: &[Named]) -> Vec<String> {
        let parameters: serde_json::Map<_, _> =
            self.parameters.iter().map(|(name, value)| (name.clone(), json!(scalar(value)))).collect();
        let one = |(number, against): (usize, &Against)| {
            let (variant, difference, ratio) = (&named[number + 1], against.difference.as_ref(), against.ratio);
            let interval = ratio.and_then(|ratio| ratio.interval);
            json!({
                "reference": named[0].name, "variant": variant.name, "a_set": named[0].sets, "b_set": variant.sets,
                "point": parameters, "column": self.column,
                "unit": column(&self.column).map_or("", |column| column.unit),
                "a": self.means[0], "b": self.means[number + 1], "pairs": self.seeds,
                "difference": difference.map(|found| found.difference.mean),
                "difference_ci95": difference.and_then(|found| found.difference.half_width),
                "ratio": ratio.map(|ratio| ratio.ratio),
                "ratio_low": interval.map(|interval| interval.low), "ratio_high": interval.map(|interval| interval.high),
                "p": ratio.and_then(|ratio| ratio.p), "p_holm": ratio.and_then(|ratio| ratio.adjusted),
                "verdict": against.words(&variant.name), "identical": against.identical,
            })
            .to_string()
        };
        self.against.iter().enumerate().map(one).collect()
    }
}

/// The page.
pub fn text(named: &[Named], seeds: u16, rows: &[Row]) -> String {
    let variants: String = named.iter().map(|variant| format!("{}: {}\n", variant.name, variant.words())).collect();
    let table = if named.len() == 2 { of_two(named, rows) } else { of_many(named, rows) };
    let said = sentences(named, rows);
    let holm = match named.len() {
        2 => String::new(),
        _ => show::wrapped(
            &format!(
                "Intervals: 95 % of each ratio alone. A difference from {} is shown at 5 % (Holm).",
                named[0].name
            ),
            0,
        ),
    };
    format!("{variants}{seeds} pairs of seeds a point\n\n{table}\n{holm}{said}")
}

fn unit(row: &Row) -> String {
    column(&row.column).map_or(String::new(), |column| column.unit.to_owned())
}

/// The table of two variants, side by side.
fn of_two(named: &[Named], rows: &[Row]) -> String {
    let cells = |cell: &dyn Fn(&Row) -> String| rows.iter().map(cell).collect::<Vec<_>>();
    let [a, b] = [0, 1].map(|number| named[number].name.clone());
    table::table(
        &[
            Column::text("point", cells(&Row::at)),
            Column::text("column", cells(&|row| row.column.clone())),
            Column::text("unit", cells(&unit)),
            Column::new(a.as_str(), "", cells(&|row| maybe(row.means[0]))),
            Column::new(b.as_str(), "", cells(&|row| maybe(row.means[1]))),
            Column::new(format!("{b} - {a}"), "", cells(&|row| maybe(row.against[0].mean_difference()))),
            Column::new(format!("{b} / {a}, 95 %"), "", cells(&|row| row.against[0].interval())),
            Column::text("", cells(&|row| row.against[0].words(&b))),
        ],
        show::color(),
    )
}

/// The table of many variants, one below the other.
fn of_many(named: &[Named], rows: &[Row]) -> String {
    let each = || rows.iter().flat_map(|row| (0..named.len()).map(move |number| (row, number)));
    let cells =
        |cell: &dyn Fn(&Row, usize) -> String| each().map(|(row, number)| cell(row, number)).collect::<Vec<_>>();
    let first = |text: String, number: usize| if number == 0 { text } else { String::new() };
    let against = |row: &Row, number: usize| number.checked_sub(1).map(|other| row.against[other].clone());
    table::table(
        &[
            Column::text("point", cells(&|row, number| first(row.at(), number))),
            Column::text("column", cells(&|row, number| first(row.column.clone(), number))),
            Column::text("unit", cells(&|row, number| first(unit(row), number))),
            Column::text("variant", cells(&|_, number| named[number].name.clone())),
            Column::new("mean", "", cells(&|row, number| maybe(row.means[number]))),
            Column::new(
                format!("/ {}, 95 %", named[0].name),
                "",
                cells(&|row, number| against(row, number).map_or(String::new(), |found| found.interval())),
            ),
            Column::text(
                "",
                cells(&|row, number| {
                    against(row, number).map_or("reference".to_owned(), |found| found.words(&named[number].name))
                }),
            ),
        ],
        show::color(),
    )
}

/// What is proved, in words.
fn sentences(named: &[Named], rows: &[Row]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut said = String::new();
    for (number, _) in first.against.iter().enumerate().filter(|(_, against)| against.identical) {
        said += &format!(
            "{} is identical to {}: the same was simulated, bit for bit, with every seed\n",
            named[number + 1].name,
            named[0].name
        );
    }
    let differing = rows.iter().flat_map(|row| (0..row.against.len()).map(move |number| (row, number)));
    said.extend(
        differing.filter_map(|(row, number)| sentence(row, &row.against[number], &named[number + 1], &named[0])),
    );
    said
}

fn sentence(row: &Row, against: &Against, variant: &Named, reference: &Named) -> Option<String> {
    let shown = matches!(against.order(), Order::More | Order::Less);
    let interval = against.ratio.and_then(|ratio| ratio.interval).filter(|_| shown)?;
    let at = if row.parameters.is_empty() { String::new() } else { format!(" at {}", row.at()) };
    let (low, high) = (short(interval.low), short(interval.high));
    let column = &row.column;
    let (of, that) = match variant.name == "B" && reference.name == "A" {
        true => (variant.words(), reference.words()),
        false => (variant.name.clone(), reference.name.clone()),
    };
    Some(format!("{column} of {of} is {low} to {high} times that of {that}{at} (95 percent)\n"))
}
