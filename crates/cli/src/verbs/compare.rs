//! `tailback compare`: two variants of a spec under the same seeds, and by how much one beats the other.

use crate::curves::no_column;
use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::points::{Points, Source, code_unless_stopped, points_of};
use crate::runner::collect;
use crate::show::numbers::{maybe, short};
use crate::show::{self, progress::Progress, table};
use crate::spec_file::SpecArgs;
use serde_json::json;
use tailback_results::identical::is_identical;
use tailback_results::schema::{COLUMNS, column};
use tailback_results::statistics::{Comparison, compare_paired, mean};
use tailback_results::{Record, Scalar, Status};
use tailback_spec::{Document, Point};

const AFTER: &str = "\
Examples:
  tailback compare examples/first.toml --a admission=off --b admission=spth
  tailback compare my.toml --a router.virtual_channels=2 --b router.virtual_channels=4 --seeds 20
  tailback compare my.toml --a admission=off --b admission=spth --column latency_p99 --json

Both variants meet the same traffic, seed by seed, so that few seeds show small differences. The
interval of the ratio is Fieller's, 95 percent, over the pairs.";

/// Arguments of `compare`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// What makes variant A, as for --set; may be given more than once
    #[arg(long, value_name = "KEY=VALUE")]
    a: Vec<String>,
    /// What makes variant B, as for --set; may be given more than once
    #[arg(long, value_name = "KEY=VALUE", required = true)]
    b: Vec<String>,
    /// Column that is compared; may be given more than once [default: accepted_load, latency_mean]
    #[arg(long, value_name = "COLUMN")]
    column: Vec<String>,
    /// Seeds, the same for both
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000))]
    seeds: u16,
    /// Runs at the same time; results do not depend on it [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print one JSON object for each point of the sweep and each column
    #[arg(long)]
    json: bool,
}

/// Compares.
pub fn run(args: &Args) -> Result {
    let columns = columns(args)?;
    interrupt::watch("nothing was run")?;
    let document = args.spec.document()?;
    let (mut a, b) = (variant(args, &document, &args.a)?, variant(args, &document, &args.b)?);
    a.told.join(b.told.clone());
    a.told.warn();
    let points = Pairs::new([a, b])?;
    interrupt::keep();
    let progress = Progress::new(points.count() as u64, false);
    let tick = |ended, _| progress.at(ended, "comparing".to_owned());
    let records = collect(&points, args.threads.map_or(0, usize::from), |done| done.outcome.record, tick)?;
    drop(progress);
    let whole = |record: &&Record| record.status != Status::Interrupted;
    let pairs: Vec<(&Record, &Record)> = records
        .chunks_exact(2)
        .filter_map(|pair| Some((pair[0].as_ref().filter(whole)?, pair[1].as_ref().filter(whole)?)))
        .collect();
    // Of the variants, not of a point: where one pair differs they are two.
    let identical = !pairs.is_empty() && pairs.iter().all(|(a, b)| is_identical(a, b));
    let rows: Vec<Row> = pairs
        .chunk_by(|one, next| one.0.parameters == next.0.parameters)
        .flat_map(|pairs| columns.iter().map(|column| Row { identical, ..Row::of(pairs, column) }))
        .collect();
    if args.json {
        rows.iter().try_for_each(|row| show::line(&row.json(args)))?;
    } else {
        show::print(&text(args, &rows))?;
    }
    Ok(code_unless_stopped(SUCCESS))
}

/// The columns, of which each must be a number.
fn columns(args: &Args) -> Result<Vec<String>> {
    if args.column.is_empty() {
        return Ok(vec!["accepted_load".to_owned(), "latency_mean".to_owned()]);
    }
    match args.column.iter().find(|name| column(name).is_none()) {
        Some(name) => Err(no_column(name, COLUMNS.iter().map(|column| column.name))),
        None => Ok(args.column.clone()),
    }
}

fn variant(args: &Args, document: &Document, sets: &[String]) -> Result<Points> {
    let mut document = document.clone();
    sets.iter().try_for_each(|set| document.set(set))?;
    document.set(&format!("run.replicas={}", args.seeds))?;
    points_of(&args.spec, &document)
}

/// Points of two variants in turn: what is finished when the user stops can be compared.
struct Pairs([Points; 2]);

impl Pairs {
    /// Refuses variants whose points do not pair off.
    fn new([a, b]: [Points; 2]) -> Result<Pairs> {
        let fits = |(a, b): (Result<Point>, Result<Point>)| {
            let (a, b) = (a?, b?);
            Ok(a.swept == b.swept && a.seed == b.seed)
        };
        if a.count() == b.count()
            && a.iter().zip(b.iter()).map(fits).collect::<Result<Vec<bool>>>()?.iter().all(|&fit| fit)
        {
            return Ok(Pairs([a, b]));
        }
        Err(Failure::usage(
            "the variants have other sweeps or seeds, so their points do not pair off: --a and --b may change anything else",
        ))
    }
}

impl Source for Pairs {
    fn count(&self) -> usize {
        2 * self.0[0].count()
    }

    fn at(&self, index: usize) -> Result<Point> {
        self.0[index % 2].at(index / 2)
    }
}

/// One column at one point of the sweep.
struct Row {
    parameters: Vec<(String, Scalar)>,
    column: String,
    a: Option<f64>,
    b: Option<f64>,
    pairs: usize,
    /// B against A; `None` where a value is missing.
    found: Option<Comparison>,
    /// Whether the variants came out identical, bit for bit, at every point and seed.
    identical: bool,
}

impl Row {
    fn of(pairs: &[(&Record, &Record)], name: &str) -> Row {
        let known = pairs.iter().filter_map(|(a, b)| Some((a.number(name)?, b.number(name)?)));
        let (a, b): (Vec<f64>, Vec<f64>) = known.unzip();
        let whole = a.len() == pairs.len();
        Row {
            parameters: pairs[0].0.parameters.clone(),
            column: name.to_owned(),
            a: mean(&a),
            b: mean(&b),
            pairs: a.len(),
            found: compare_paired(&b, &a).filter(|_| whole),
            identical: false,
        }
    }

    fn at(&self) -> String {
        let one = |(name, value): &(String, Scalar)| format!("{name} {}", show::numbers::scalar(value));
        self.parameters.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// `1.83 to 1.91`, and whether that is a difference.
    fn ratio(&self) -> (String, &'static str) {
        let interval = self.found.as_ref().and_then(|found| found.ratio_interval);
        let ratio = interval.map_or("-".to_owned(), |i| format!("{:.4} to {:.4}", i.low, i.high));
        let verdict = match interval {
            _ if self.identical => "identical",
            Some(interval) if interval.low > 1.0 => "B is more",
            Some(interval) if interval.high < 1.0 => "B is less",
            Some(_) => "no difference shown",
            None => "unknown",
        };
        (ratio, verdict)
    }

    fn json(&self, args: &Args) -> String {
        let parameters: serde_json::Map<_, _> =
            self.parameters.iter().map(|(name, value)| (name.clone(), json!(show::numbers::scalar(value)))).collect();
        let found = self.found.as_ref();
        let interval = found.and_then(|found| found.ratio_interval);
        json!({
            "a_set": args.a, "b_set": args.b, "point": parameters, "column": self.column,
            "unit": column(&self.column).map_or("", |column| column.unit),
            "a": self.a, "b": self.b, "pairs": self.pairs,
            "difference": found.map(|found| found.difference.mean),
            "difference_ci95": found.and_then(|found| found.difference.half_width),
            "ratio": found.and_then(|found| found.ratio),
            "ratio_low": interval.map(|interval| interval.low), "ratio_high": interval.map(|interval| interval.high),
            "verdict": self.ratio().1, "identical": self.identical,
        })
        .to_string()
    }
}

fn text(args: &Args, rows: &[Row]) -> String {
    let cells = |cell: &dyn Fn(&Row) -> String| rows.iter().map(cell).collect::<Vec<_>>();
    let unit = |row: &Row| column(&row.column).map_or(String::new(), |column| column.unit.to_owned());
    let name = |sets: &[String]| if sets.is_empty() { "the spec as it is".to_owned() } else { sets.join(", ") };
    let table = table::table(
        &[
            table::Column::text("point", cells(&Row::at)),
            table::Column::text("column", cells(&|row| row.column.clone())),
            table::Column::text("unit", cells(&unit)),
            table::Column::new("A", "", cells(&|row| maybe(row.a))),
            table::Column::new("B", "", cells(&|row| maybe(row.b))),
            table::Column::new("B - A", "", cells(&|row| maybe(row.found.as_ref().map(|found| found.difference.mean)))),
            table::Column::new("B / A, 95 %", "", cells(&|row| row.ratio().0)),
            table::Column::text("", cells(&|row| row.ratio().1.to_owned())),
        ],
        show::color(),
    );
    let said: String = match rows.first() {
        Some(row) if row.identical => {
            "B is identical to A: the same was simulated, bit for bit, with every seed\n".to_owned()
        }
        _ => rows.iter().filter_map(|row| sentence(row, &name(&args.b), &name(&args.a))).collect(),
    };
    format!("A: {}\nB: {}\n{} pairs of seeds a point\n\n{table}\n{said}", name(&args.a), name(&args.b), args.seeds)
}

/// What is proved, in words.
fn sentence(row: &Row, b: &str, a: &str) -> Option<String> {
    let interval = row.found.as_ref()?.ratio_interval.filter(|interval| interval.low > 1.0 || interval.high < 1.0)?;
    let at = if row.parameters.is_empty() { String::new() } else { format!(" at {}", row.at()) };
    let (low, high) = (short(interval.low), short(interval.high));
    Some(format!("{} of {b} is {low} to {high} times that of {a}{at} (95 percent)\n", row.column))
}
