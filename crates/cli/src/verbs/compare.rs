//! `tailback compare`: variants of a spec under the same seeds, and by how much each differs from the first.

use crate::comparison::{Row, rows, text};
use crate::curves::no_column;
use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::points::{Points, Source, code_unless_stopped, points_of};
use crate::runner::collect;
use crate::show::progress::Bar;
use crate::show::{self, progress::Progress};
use crate::spec_file::SpecArgs;
use crate::variants::{Named, Setting, setting, variants};
use tailback_results::schema::{COLUMNS, column};
use tailback_results::{Record, Status};
use tailback_spec::{Document, Point};

const AFTER: &str = "\
Examples:
  tailback compare examples/first.toml --a admission=off --b admission=spth
  tailback compare my.toml --a router.virtual_channels=2 --b router.virtual_channels=4 --seeds 20
  tailback compare my.toml --variant off: --variant spth:admission=spth --variant alo:admission=alo
  tailback compare my.toml --variant off: --variant two:admission=spth --variant two:arbiter=random
  tailback compare my.toml --a admission=off --b admission=spth --column latency_p99 --json

All variants meet the same traffic, seed by seed, so a few seeds show small differences. A ratio and
its 95 percent interval come from Student's t on the logarithms of the seeds' ratios, so they cannot
be negative. A difference is shown only if it is significant at 5 percent. With more than two
variants this is after Holm's correction. A column in which a value is 0 has no ratio, and the mean
difference decides. docs/comparing.md says more.";

/// Arguments of `compare`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// What makes variant A, as for --set; may be given more than once
    #[arg(long, value_name = "PATH=VALUE", conflicts_with = "variant")]
    a: Vec<String>,
    /// What makes variant B, as for --set; may be given more than once
    #[arg(long, value_name = "PATH=VALUE", required_unless_present = "variant", conflicts_with = "variant")]
    b: Vec<String>,
    /// A variant by name, instead of --a and --b: the others are compared with the first. To set more than one parameter, give
    /// the name again; `NAME:` alone is the spec as it is
    #[arg(long, value_name = "NAME:PATH=VALUE", value_parser = setting)]
    variant: Vec<Setting>,
    /// Column that is compared; may be given more than once [default: accepted_load and latency_mean, of programs
    /// duration and efficiency]
    #[arg(long, value_name = "COLUMN")]
    column: Vec<String>,
    /// Seeds, the same for all variants; from 3 on there are intervals
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000))]
    seeds: u16,
    /// Number of runs at the same time. Results do not depend on it [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print one JSON object for each point of the sweep, each column and each variant but the first
    #[arg(long)]
    json: bool,
}

/// Compares.
pub fn run(args: &Args) -> Result {
    check_columns(args)?;
    let named = named(args)?;
    interrupt::watch("nothing was run")?;
    let document = args.spec.document()?;
    let mut all = named.iter().map(|variant| points(args, &document, variant)).collect::<Result<Vec<Points>>>()?;
    let others: Vec<_> = all[1..].iter().map(|points| points.told.clone()).collect();
    others.into_iter().for_each(|told| all[0].told.join(told));
    all[0].told.warn();
    let points = Together::new(all, &named)?;
    interrupt::keep();
    let columns = columns(args, &points)?;
    let progress = Progress::new(points.count() as u64, Bar::Shown);
    let tick = |ended, _| progress.at(ended, "comparing".to_owned());
    let records = collect(&points, args.threads.map_or(0, usize::from), |done| done.outcome.record, tick)?;
    drop(progress);
    let whole = |record: &&Record| record.status != Status::Interrupted;
    let sets: Vec<Vec<&Record>> = records
        .chunks_exact(named.len())
        .filter_map(|set| set.iter().map(|record| record.as_ref().filter(whole)).collect())
        .collect();
    let rows: Vec<Row> = rows(&sets, &columns);
    if args.json {
        rows.iter().flat_map(|row| row.json(&named)).try_for_each(|line| show::line(&line))?;
    } else {
        show::print(&text(&named, args.seeds, &rows))?;
    }
    Ok(code_unless_stopped(SUCCESS))
}

/// Refuses columns that are not there.
fn check_columns(args: &Args) -> Result<()> {
    match args.column.iter().find(|name| column(name).is_none()) {
        Some(name) => Err(no_column(name, COLUMNS.iter().map(|column| column.name))),
        None => Ok(()),
    }
}

/// The columns that are compared: unless the user says which, how long programs take, and of other workloads load and latency.
fn columns(args: &Args, points: &dyn Source) -> Result<Vec<String>> {
    if !args.column.is_empty() {
        return Ok(args.column.clone());
    }
    let mut programs = points.count() > 0;
    for index in 0..points.count() {
        programs = programs && points.at(index)?.resolved.view("workload").kind() == "program";
    }
    let names = if programs { ["duration", "efficiency"] } else { ["accepted_load", "latency_mean"] };
    Ok(names.map(str::to_owned).to_vec())
}

/// The variants, the first of which the others are compared with.
fn named(args: &Args) -> Result<Vec<Named>> {
    if !args.variant.is_empty() {
        return variants(&args.variant);
    }
    let one = |name: &str, sets: &[String]| Named { name: name.to_owned(), sets: sets.to_vec() };
    Ok(vec![one("A", &args.a), one("B", &args.b)])
}

fn points(args: &Args, document: &Document, variant: &Named) -> Result<Points> {
    let mut document = document.clone();
    variant.sets.iter().try_for_each(|set| document.set(set))?;
    document.set(&format!("run.replicas={}", args.seeds))?;
    points_of(&args.spec, &document)
}

/// Points of the variants in turn: what is finished when the user stops can be compared.
struct Together(Vec<Points>);

impl Together {
    /// Refuses variants whose points do not pair off with those of the first.
    fn new(all: Vec<Points>, named: &[Named]) -> Result<Together> {
        let fits = |(a, b): (Result<Point>, Result<Point>)| {
            let (a, b) = (a?, b?);
            Ok(a.swept == b.swept && a.seed == b.seed)
        };
        for (variant, points) in named.iter().zip(&all).skip(1) {
            let pairs = all[0].iter().zip(points.iter());
            let same = all[0].count() == points.count()
                && pairs.map(fits).collect::<Result<Vec<bool>>>()?.iter().all(|&fit| fit);
            if !same {
                return Err(Failure::usage(format!(
                    "variants {} and {} have other sweeps or seeds, so their points do not pair off: a variant may change \
                     anything else",
                    named[0].name, variant.name
                )));
            }
        }
        Ok(Together(all))
    }
}

impl Source for Together {
    fn count(&self) -> usize {
        self.0.len() * self.0[0].count()
    }

    fn at(&self, index: usize) -> Result<Point> {
        let variants = self.0.len();
        self.0[index % variants].at(index / variants)
    }
}
