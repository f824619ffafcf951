//! `tailback run`: all points of a spec.

use crate::checkpoints::{self, KeepArgs, beside};
use crate::chosen::ShowArgs;
use crate::curves::no_column;
use crate::drawings::Axes;
use crate::exit::{Failure, Result};
use crate::folder::{Folder, can_be_folder};
use crate::interrupt;
use crate::output::{inputs, replace};
use crate::points::{Source, points};
use crate::remedies::{self, RemedyArgs};
use crate::resume::same_spec;
use crate::runner::run_points_kept;
use crate::session::Session;
use crate::show;
use crate::show::progress::Bar;
use crate::spec_file::SpecArgs;
use crate::together::{self, Lead};
use crate::why::WhyArgs;
use std::path::PathBuf;
use tailback_results::Error;
use tailback_results::store::Existing;

const AFTER: &str = "\
Examples:
  tailback run examples/first.toml
  tailback run examples/first.toml --set traffic.pattern=bcmp --out bit-complement
  tailback run my.toml --where traffic.load=0.4 --per-seed
  tailback run my.toml --json | jq .latency_mean
  tailback run my.toml --why --set traffic.load=0.4
  tailback run my.toml --why --json | jq .short
  tailback run my.toml --remedies --set traffic.load=0.4
  tailback run my.toml --out results --resume
  tailback run my.toml --out results --checkpoint-every 100000
  mpirun -n 4 tailback run large.toml        one network in four processes (needs mpi4py)

Loads are in flits/node/cycle, times in cycles. Ctrl-C keeps the points that
are finished; --resume runs the others. With --checkpoint-every, `tailback
resume` continues a point in its middle.";

/// Arguments of `run`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// Number of threads. They run points side by side; a large network uses several. Under mpirun, the threads of each
    /// process. Results do not depend on it [default: all cores; under mpirun 1]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Write records, capsules, series, pictures and report.html to this folder
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the results in DIR, and a file that has the name of the checkpoint. Files that this command reads are never
    /// replaced
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// With --out: keep the points that are finished in DIR, run the others
    #[arg(long, requires = "out")]
    resume: bool,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    rows: WhyArgs,
    #[command(flatten)]
    remedies: RemedyArgs,
    /// Column on the x axis of the plot, such as router.buffer_flits [default: the load, if swept]
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// Column on the y axis of the plot, such as latency_p99 [default: accepted load and mean latency]
    #[arg(long, value_name = "COLUMN")]
    y: Option<String>,
    #[command(flatten)]
    show: ShowArgs,
    /// Show no progress bar
    #[arg(long)]
    no_progress: bool,
}

/// Runs the spec.
pub fn run(args: &Args, lead: Option<&Lead>) -> Result {
    together::alone_or_led(lead)?;
    interrupt::watch("nothing was run")?;
    if args.force && args.out.is_none() && !args.keep.any() {
        return Err(Failure::usage("--force goes with --out or --checkpoint, and neither is there"));
    }
    args.out.as_deref().map_or(Ok(()), can_be_folder)?;
    let points = points(&args.spec)?;
    points.told.warn();
    let remedies = args.remedies.seeds(&points)?;
    if remedies.is_some() && (args.keep.any() || lead.is_some()) {
        return Err(Failure::usage(
            "--remedies runs the point many times: not with checkpoints, nor in several processes",
        ));
    }
    let axes = axes(args, &points.groups.concat())?;
    args.show.points.check(&points.groups.concat())?;
    if let (Some(root), true) = (&args.out, args.resume) {
        same_spec(root, &points)?;
    }
    let inputs = inputs(&args.spec, points.files.clone());
    let keeping = args.keep.keeping(points.count(), replace(args.force), &inputs, || Ok(args.default_file()))?;
    let open = |root| Folder::open(root, existing(args), &inputs).map_err(occupied);
    let folder = args.out.as_deref().map(open).transpose()?;
    interrupt::keep();
    let bar = if args.no_progress { Bar::Hidden } else { Bar::Shown };
    let mut session = Session::new(&points, folder, args.rows.rows(), bar)?.only(&args.show.points);
    let pending = session.pending();
    let threads = args.threads.map_or(0, usize::from);
    match lead {
        Some(lead) => {
            together::run_points(lead, (&points, &pending), threads.max(1), keeping.as_ref(), &mut session)?;
        }
        None if remedies.is_some() && !pending.is_empty() => {
            remedies::run_point(&points, threads, remedies.unwrap_or_default(), &mut session)?;
        }
        None => run_points_kept(&points, &pending, threads, keeping.as_ref(), &mut session)?,
    }
    Ok(checkpoints::code(session.finish(&axes, &args.show)?, keeping.as_ref()))
}

impl Args {
    /// Where checkpoints are kept if nobody says where.
    fn default_file(&self) -> PathBuf {
        let spec = self.spec.spec.file_stem().filter(|stem| *stem != "-").map_or("run".into(), PathBuf::from);
        beside(self.out.as_deref().unwrap_or(&spec))
    }
}

fn existing(args: &Args) -> Existing {
    match (args.force, args.resume) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Keep,
        _ => Existing::Refuse,
    }
}

/// Says which options decide, where the folder is not empty.
fn occupied(failure: Failure) -> Failure {
    match failure {
        Failure::Results(Error::Occupied { path }) => {
            let choice = "--resume keeps them and runs the rest, --force replaces them, or choose another folder";
            Failure::usage(format!("{} already holds records: {choice}", show::path(&path)))
        }
        other => other,
    }
}

/// The axes asked for, refused before anything runs where no record will have such a column.
fn axes(args: &Args, swept: &[String]) -> Result<Axes> {
    for name in [&args.x, &args.y].into_iter().flatten() {
        let core = tailback_results::schema::column(name).is_some();
        if !core && !swept.contains(name) {
            let core = tailback_results::schema::COLUMNS.iter().map(|column| column.name);
            return Err(no_column(name, swept.iter().map(String::as_str).chain(core)));
        }
    }
    let x = args.x.clone().or_else(|| args.y.as_ref().and(swept.first().cloned()));
    Ok(Axes { x, y: args.y.clone() })
}
