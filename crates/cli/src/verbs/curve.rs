//! `tailback curve`: the whole latency-load curve of a spec, placed and repeated by itself.

use crate::exit::{Failure, Result, SUCCESS};
use crate::folder::can_be_folder;
use crate::interrupt;
use crate::loads::{Loads, load};
use crate::output::{Destination, ForceArgs, Pictures, files_of, inputs};
use crate::picture;
use crate::points::code_unless_stopped;
use crate::runner::{Done, collect};
use crate::show::{self, curve as shown, progress::Progress};
use crate::spec_file::SpecArgs;
use std::path::{Path, PathBuf};
use tailback_curve::{Answer, Ask, Curve, Network, Options, curve};
use tailback_results::{Inputs, Kind, Series, Status};

const AFTER: &str = "\
Examples:
  tailback curve examples/mesh.toml --set traffic.pattern=uniform
  tailback curve my.toml --precision 0.01 --points 20 --out curve
  tailback curve my.toml --set admission=off --low 0.05 --high 0.4 --max-runs 500 --json

Loads are values of traffic.load, in flits/cycle for each node that sends. A load is called stable
only when repeated runs show that the backlog does not grow (docs/results.md, Curves); what stays
open after longer runs counts as not stable. Ctrl-C keeps what is known.";

/// Arguments of `curve`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// A load that is surely carried, of the zero-load latency [flits/node/cycle] [default: a hundredth of --high]
    #[arg(long, value_name = "LOAD", value_parser = load)]
    low: Option<f64>,
    /// A load that is surely too much [flits/node/cycle] [default: the channel-load bound]
    #[arg(long, value_name = "LOAD", value_parser = load)]
    high: Option<f64>,
    /// Measure beyond saturation up to this load [flits/node/cycle] [default: --high]
    #[arg(long, value_name = "LOAD", value_parser = load)]
    highest: Option<f64>,
    /// Points below saturation
    #[arg(long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u16).range(3..=1000))]
    points: u16,
    /// Seeds are added to a point until the 95 % interval of its latency is so narrow, half over mean
    #[arg(long, default_value_t = 0.02, value_name = "SHARE", value_parser = share)]
    precision: f64,
    /// Width of the bracket at which a search for saturation ends, over the load
    #[arg(long, default_value_t = 0.01, value_name = "SHARE", value_parser = share)]
    tolerance: f64,
    /// Seeds of a point at most
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u16).range(5..=1000))]
    seeds: u16,
    /// Runs at most; when they are spent, what is known is shown
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u64).range(5..))]
    max_runs: u64,
    /// Runs at the same time; results do not depend on it [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write curve.json, curve.svg and curve.png to this folder
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

fn share(text: &str) -> std::result::Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "a number is wanted".to_owned())?;
    if value > 0.0 && value < 1.0 { Ok(value) } else { Err("a share between 0 and 1 is wanted".to_owned()) }
}

/// Measures a curve.
pub fn run(args: &Args) -> Result {
    if let Some(root) = &args.out {
        can_be_folder(root)?;
        std::fs::create_dir_all(root).map_err(|error| Failure::file("create", root, &error))?;
    }
    interrupt::watch("nothing was run")?;
    let loads = Loads::new(&args.spec, args.low.unwrap_or(LEAST), args.high)?;
    let inputs = inputs(&args.spec, files_of(&[loads.one(LEAST, 0, 0)?]));
    let files = args.out.as_deref().map(|root| Files::new(root, args.force, &inputs)).transpose()?;
    let low = args.low.unwrap_or(loads.high / 100.0);
    let highest = args.highest.unwrap_or(loads.high).max(loads.high);
    let options = Options {
        highest,
        points: usize::from(args.points),
        precision: args.precision,
        tolerance: args.tolerance,
        seeds_max: u64::from(args.seeds),
        runs_max: args.max_runs,
        ..Options::between(low, loads.high)
    };
    let threads = args.threads.map_or(0, usize::from);
    interrupt::keep();
    let mut fabric = Fabric { loads, threads, made: 0, at_most: args.max_runs, progress: Progress::new(1, false) };
    let found = curve(&mut fabric, &options)?;
    fabric.progress = Progress::new(1, true);
    let json = shown::json(&found, fabric.loads.bound);
    if let Some(files) = &files {
        files.write(&found, &json, fabric.loads.bound)?;
    }
    if args.json {
        show::line(&json)?
    } else {
        show::print(&shown::text(&found, fabric.loads.bound))?
    }
    Ok(code_unless_stopped(SUCCESS))
}

/// Where a spec is checked before the range is known.
const LEAST: f64 = 1e-3;

/// The files of a curve in its folder.
struct Files {
    json: Destination,
    pictures: Pictures,
    svg: PathBuf,
}

impl Files {
    /// In the folder `root`.
    fn new(root: &Path, force: ForceArgs, inputs: &Inputs) -> Result<Files> {
        let (svg, png) = (root.join("curve.svg"), root.join("curve.png"));
        let json = Destination::new(&root.join("curve.json"), Kind::Curve, force.replace(), inputs)?;
        Ok(Files { json, pictures: Pictures::new(Some(&svg), Some(&png), force.replace(), inputs)?, svg })
    }

    fn write(&self, found: &Curve, json: &str, bound: Option<f64>) -> Result<()> {
        self.json.write(format!("{json}\n").as_bytes())?;
        self.pictures.write(&picture::sheet(&shown::charts(found, bound)))?;
        show::note(&format!("wrote {}", show::path(&self.svg)));
        Ok(())
    }
}

/// A spec as something that can be measured at a load.
struct Fabric<'a> {
    loads: Loads<'a>,
    threads: usize,
    made: u64,
    at_most: u64,
    progress: Progress,
}

impl Network for Fabric<'_> {
    type Error = Failure;

    fn measure(&mut self, asks: &[Ask]) -> Result<Option<Vec<Answer>>> {
        let points = asks.iter().map(|ask| self.loads.one(ask.load, ask.replica, ask.doublings));
        let points = points.collect::<Result<Vec<_>>>()?;
        let message = asks.first().map_or(String::new(), |ask| format!("load {:.4}", ask.load));
        let tick = |ended, _| self.progress.of(self.made + ended, self.at_most, message.clone());
        let answers = collect(&points, self.threads, |done| answer(&done), tick)?;
        self.made += points.len() as u64;
        // Runs that were cut short say nothing.
        Ok(if interrupt::requested() { None } else { answers.into_iter().collect() })
    }
}

fn answer(done: &Done) -> Answer {
    let record = &done.outcome.record;
    let workload = done.prepared.point().resolved.view("workload");
    let end = workload.u64("warmup_cycles").saturating_add(workload.u64("measure_cycles"));
    let generated = record.generated_load.unwrap_or(0.0);
    let windows = Series::named(&done.outcome.series, "windows");
    let offered = record.offered_load.filter(|_| done.prepared.sources_may_stall());
    Answer {
        offered: offered.unwrap_or(generated),
        generated,
        accepted: record.accepted_load.unwrap_or(0.0),
        latency: record.latency_mean,
        backlog: windows.map_or(vec![], |windows| backlog(windows, end as f64, done.prepared.grid().nodes() as f64)),
        deadlocked: record.status == Status::Deadlocked,
    }
}

/// Flits that were made and have not arrived, at the end of every window before cycle `end`.
fn backlog(windows: &Series, end: f64, nodes: f64) -> Vec<f64> {
    let column = |name: &str| windows.column(name).unwrap_or_default();
    let flits = nodes * windows.x.get(1).map_or(end, |second| second - windows.x[0]);
    let flows = column("generated_load").iter().zip(column("accepted_load"));
    let within = flows.zip(&windows.x).take_while(|(_, start)| **start < end);
    let grown = within.scan(0.0, |backlog, ((made, arrived), _)| {
        *backlog += (made - arrived) * flits;
        Some(*backlog)
    });
    grown.collect()
}
