//! `tailback curve`: the latency-load curve of a spec, of each of its variants, placed and repeated by itself. Of a program it is the
//! completion time over the size of messages.

use crate::completion::{self, Asked};
use crate::exit::{Failure, Result, SUCCESS};
use crate::fabric::Fabric;
use crate::folder::can_be_folder;
use crate::interrupt;
use crate::loads::{Loads, load};
use crate::output::{ForceArgs, inputs};
use crate::points::code_unless_stopped;
use crate::show;
use crate::show::numbers::{count, thousands};
use crate::spec_file::SpecArgs;
use crate::study::{self, Made, rows};
use crate::study_folder::StudyFolder;
use std::path::PathBuf;
use tailback_curve::{Options, Variant, study};
use tailback_results::store::Existing;

const AFTER: &str = "\
Examples:
  tailback curve examples/study.toml --out study
  tailback curve examples/mesh.toml --set traffic.pattern=uniform
  tailback curve my.toml --points 20 --precision 0.01 --out curve
  tailback curve my.toml --set admission=off --low 0.05 --high 0.4 --max-runs 500 --json
  tailback curve examples/all_reduce.toml --vary workload.generate.flits=64..4096 --out sizes

If the spec sweeps mechanisms, such as admission = [\"off\", \"spth\"], every variant gets a curve, all
under the same seeds. If it also sweeps traffic.load, the curves have these loads. Loads are in
flits/cycle for each node that sends. A load is stable only if repeated runs show that the backlog
does not grow (docs/comparing.md). If longer runs do not decide this, it counts as not stable.
Ctrl-C keeps what is known.

Of a program (docs/programs.md) the curve is completion time over the size of messages, or over
what --vary names, beside the bound that nothing beats. The same command again runs what a folder
lacks.";

/// Arguments of `curve`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// A load that the network surely carries [flits/node/cycle] [default: a hundredth of --high]
    #[arg(long, value_name = "LOAD", value_parser = load)]
    low: Option<f64>,
    /// A load that is surely too much [flits/node/cycle] [default: the channel-load bound of each variant]
    #[arg(long, value_name = "LOAD", value_parser = load)]
    high: Option<f64>,
    /// Measure chosen loads beyond saturation up to this one [flits/node/cycle] [default: the largest --high]
    #[arg(long, value_name = "LOAD", value_parser = load)]
    highest: Option<f64>,
    /// Choose N loads below saturation, even if the spec sweeps loads [default: the loads of the spec, or 12]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(3..=1000))]
    points: Option<u16>,
    /// Add seeds to a chosen load until half of the 95 % interval of its latency is at most this share of the mean [default: 0.02]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    precision: Option<f64>,
    /// Width of the bracket at which a search for saturation ends, as a share of the load [default: 0.01]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    tolerance: Option<f64>,
    /// Number of searches for the saturation point of each variant. From 3 on it has an interval [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    searches: Option<u16>,
    /// Number of seeds. A chosen load gets at most this number. A load of the spec gets exactly this number [default: 20 for a
    /// chosen load; run.replicas for a load of the spec, or 5 if that is 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(5..=1000))]
    seeds: Option<u16>,
    /// Largest number of runs, for all variants together. When they are used up, `curve` shows what is known [default: 2000
    /// for each variant, and the runs of the spec's own loads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(5..))]
    max_runs: Option<u64>,
    /// Number of runs at the same time. Results do not depend on it [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Of a program: the number that varies. It is doubled until it is TO, or it has the values of a list [default: a number that the spec sweeps, or
    /// workload.generate.flits up to its value]
    #[arg(long, value_name = "PATH=FROM..TO", conflicts_with_all = OF_LOADS)]
    vary: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write curve.json, records, capsules, series, pictures and report.html to this folder
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

fn share(text: &str) -> std::result::Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "a number is wanted".to_owned())?;
    if value > 0.0 && value < 1.0 { Ok(value) } else { Err("a share between 0 and 1 is wanted".to_owned()) }
}

/// What a program has no use for.
const OF_LOADS: [&str; 8] = ["low", "high", "highest", "points", "precision", "tolerance", "searches", "max_runs"];
/// Unless the user says otherwise.
const PRECISION: f64 = 0.02;
const TOLERANCE: f64 = 0.01;
const SEARCHES: u16 = 3;

/// Where a spec is checked before the range is known.
const LEAST: f64 = 1e-3;
/// Loads below saturation, unless the spec or the user says otherwise.
const POINTS: u16 = 12;
/// Runs for each variant, beside those of the loads of the spec.
const RUNS: u64 = 2000;
/// Seeds of a chosen load at most.
const SEEDS: u64 = 20;
/// Seeds that judge whether a load is stable; a point of the spec has as many unless the spec asks for another number.
const JUDGES: u64 = 5;

/// Measures the curves.
pub fn run(args: &Args) -> Result {
    args.out.as_deref().map_or(Ok(()), can_be_folder)?;
    interrupt::watch("nothing was run")?;
    let document = args.spec.document()?;
    if completion::is_program(&document) {
        return completion::run(&of_program(args)?, document);
    }
    if args.vary.is_some() {
        return Err(Failure::usage(
            "--vary is of programs: this spec has another workload, whose curve is over traffic.load",
        ));
    }
    let loads = Loads::of(&args.spec, document, args.low.unwrap_or(LEAST), args.high)?;
    let plan = Plan::new(args, &loads)?;
    let folder = args.out.as_deref();
    let folder =
        folder.map(|root| StudyFolder::open(root, args.force, &inputs(&args.spec, loads.files()))).transpose()?;
    let (folder, runs_folder) = folder.map_or((None, None), |(folder, runs)| (Some(folder), Some(runs)));
    interrupt::keep();
    let threads = args.threads.map_or(0, usize::from);
    let fabric = Fabric::new(&loads, threads, plan.budget);
    let mut fabric = fabric.keeping(plan.seeds, &plan.variants[0].loads, runs_folder);
    let found = study(&mut fabric, &plan.variants, plan.budget)?;
    let runs = fabric.end();
    let first = loads.first()?;
    let made = Made {
        variants: &loads.variants,
        rows: rows(&loads.variants, &found, &fabric),
        study: &found,
        budget: plan.budget,
        searches: u64::from(args.searches.unwrap_or(SEARCHES)),
        title: first.resolved.description().or(first.resolved.name()).map(str::to_owned),
        subject: study::subject(&first.resolved, &loads.axes()),
    };
    let json = study::json(&made);
    let printed = if args.json { show::line(&json) } else { show::print(&text(&made, &plan)) };
    // Who reads no further may still want the folder.
    if let (Some(folder), Some(runs)) = (folder, runs) {
        folder.fill(runs, &made, &json, &loads, &fabric)?;
    }
    printed?;
    Ok(code_unless_stopped(SUCCESS))
}

/// What is asked of the curve of a program.
///
/// # Errors
/// For options that are about loads.
fn of_program(args: &Args) -> Result<Asked<'_>> {
    let given = [
        args.low.is_some(),
        args.high.is_some(),
        args.highest.is_some(),
        args.points.is_some(),
        args.precision.is_some(),
        args.tolerance.is_some(),
        args.searches.is_some(),
        args.max_runs.is_some(),
    ];
    if let Some((name, _)) = OF_LOADS.iter().zip(given).find(|(_, given)| *given) {
        return Err(Failure::usage(format!(
            "--{} is about loads, and this spec runs a program, which has none; --vary PATH=FROM..TO says what varies",
            name.replace('_', "-")
        )));
    }
    let existing = if args.force.is_given() { Existing::Replace } else { Existing::Keep };
    Ok(Asked {
        spec: &args.spec,
        vary: args.vary.as_deref(),
        seeds: args.seeds.map(u64::from),
        threads: args.threads.map_or(0, usize::from),
        json: args.json,
        out: args.out.as_deref().map(|root| (root, existing)),
    })
}

/// What is to be measured.
struct Plan {
    variants: Vec<Variant>,
    budget: u64,
    seeds: u64,
    /// Runs of the loads of the spec.
    swept_runs: u64,
}

impl Plan {
    fn new(args: &Args, loads: &Loads) -> Result<Plan> {
        let swept: &[f64] = if args.points.is_some() { &[] } else { &loads.swept };
        let own = if loads.replicas == 1 { JUDGES } else { loads.replicas };
        let seeds = args.seeds.map(u64::from).unwrap_or(if swept.is_empty() { SEEDS } else { own });
        let high = loads.variants.iter().map(|variant| variant.high).fold(0.0, f64::max);
        let of = |known: &crate::loads::Variant| Variant {
            options: Options {
                highest: args.highest.unwrap_or(high).max(known.high),
                points: usize::from(args.points.unwrap_or(POINTS)),
                precision: args.precision.unwrap_or(PRECISION),
                tolerance: args.tolerance.unwrap_or(TOLERANCE),
                seeds_min: if swept.is_empty() { JUDGES } else { seeds },
                seeds_max: seeds,
                searches: u64::from(args.searches.unwrap_or(SEARCHES)),
                ..Options::between(args.low.unwrap_or(known.high / 100.0), known.high)
            },
            loads: swept.to_vec(),
            zero_load_latency: known.zero_load_latency,
        };
        let variants: Vec<Variant> = loads.variants.iter().map(of).collect();
        let points = (swept.len() * variants.len()) as u64;
        let budget = args.max_runs.unwrap_or(RUNS * variants.len() as u64 + points * seeds);
        if budget < points {
            let all = count(points, "point");
            return Err(Failure::usage(format!(
                "--max-runs {budget} does not give each of the {all} of this sweep one run; give --max-runs {points} or \
                 more, or fewer loads"
            )));
        }
        Ok(Plan { variants, budget, seeds, swept_runs: points * seeds })
    }

    /// What is run, in words.
    fn words(&self, made: &Made) -> String {
        let variants = match self.variants.len() {
            1 => String::new(),
            many => format!("{many} variants, "),
        };
        let own = &self.variants[0].loads;
        let runs = match self.swept_runs {
            0 => format!("loads chosen, {}", count(made.study.runs, "run")),
            runs => format!("{} loads, {}: {} runs", own.len(), count(self.seeds, "seed"), thousands(runs as f64)),
        };
        let searches = if self.variants.len() == 1 { "" } else { " a variant" };
        let word = if made.searches == 1 { "search" } else { "searches" };
        format!("{variants}{runs}, and {} {word}{searches}", made.searches)
    }
}

/// The page: title and headline, the table, the charts.
fn text(made: &Made, plan: &Plan) -> String {
    let (width, color) = (show::width(), show::color());
    let title =
        made.title.as_ref().map_or(String::new(), |title| show::bold(show::wrapped(title, 0).trim_end()) + "\n");
    let title = title + &show::wrapped(&plan.words(made), 0);
    let drawn = study::comparison(made).terminal(width, color);
    let charts = format!("{}\n{}", drawn.charts, show::wrapped(&drawn.note, 0));
    let notes = study::notes(made).iter().map(|note| show::wrapped(note, 0)).collect::<Vec<_>>().join("\n");
    if made.rows.len() == 1 {
        let said: String = study::statements(made).iter().map(|line| format!("{}\n", show::bold(line))).collect();
        let equal: String = study::headline(made).iter().skip(1).map(|line| show::wrapped(line, 0)).collect();
        return format!("{title}\n{}\n{charts}\n{said}{equal}\n{notes}", study::points(made, color));
    }
    let headline = show::wrapped(&study::headline(made).join(" "), 0);
    format!("{title}\n{headline}\n{}\n{notes}\n{charts}", study::table(made, width, color))
}
