//! `tailback sweep`: many points into a folder that outlives whatever happens, here or on a cluster.

mod on;
mod sbatch;

use crate::chosen::ShowArgs;
use crate::drawings::Axes;
use crate::exit::{FAILURE, Failure, INTERRUPTED, Result, SUCCESS};
use crate::folder::{Folder, can_be_folder};
use crate::interrupt;
use crate::output::inputs;
use crate::points::{Points, Source, points_that_can};
use crate::runner::{Watcher, run_points};
use crate::session::{Rows, Session};
use crate::show;
use crate::show::progress::Bar;
use crate::spec_file::SpecArgs;
use crate::why::WhyArgs;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tailback_results::Error;
use tailback_results::store::{Existing, read_failures, refuse_foreign};

pub use on::{Elsewhere, On, Remote};

/// Folders of shares, within the folder of the sweep.
const SHARES: &str = "shares";

const AFTER: &str = "\
Examples:
  tailback sweep my.toml --out results           the missing points, on this machine
  tailback sweep my.toml --out results --on dask://head:8786
  tailback sweep my.toml --out results --on slurm --tasks 40
  tailback sweep my.toml --out results --on sbatch --tasks 40
  tailback sweep my.toml --out results --collect
  tailback sweep my.toml --out results --why     how each point ended and why

The result of a point is saved as soon as the point ends. After a kill, or
after you change the sweep, type the same command again: it runs only the
points that are missing. A point that fails is noted in failures.jsonl. The
other points still run, and the exit code is 1.";

/// Arguments of `sweep`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// The folder of the results. It is created if it does not exist
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Number of points to run at the same time. Results do not depend on it [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "on")]
    threads: Option<u16>,
    /// Where to run. `dask://HOST:PORT` is a Dask scheduler. `slurm` starts Dask workers as Slurm jobs. `sbatch` writes a
    /// script for an array of Slurm jobs, without Dask [default: this machine]
    #[arg(long, value_name = "WHERE", conflicts_with_all = ["share", "collect"])]
    on: Option<On>,
    /// With `--on slurm` or `--on sbatch`: the number of jobs
    #[arg(long, value_name = "N", requires = "on", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    tasks: u32,
    /// Run only every Nth point, starting with point I; the first point is 0
    #[arg(long, value_name = "I/N", value_parser = share)]
    share: Option<(usize, usize)>,
    /// Run nothing: collect the points that shares have finished, and show them. The exit code is 1 while points are missing
    #[arg(long, conflicts_with = "share")]
    collect: bool,
    #[command(flatten)]
    rows: WhyArgs,
    #[command(flatten)]
    show: ShowArgs,
    /// Show no progress bar
    #[arg(long)]
    no_progress: bool,
}

/// Runs the sweep. `elsewhere` runs it on what this program cannot reach by itself.
pub fn run(args: &Args, program: &str, elsewhere: &Elsewhere) -> Result {
    can_be_folder(&args.out)?;
    refuse_foreign(&args.out)?;
    interrupt::watch("nothing was run")?;
    let points = points_that_can(&args.spec)?;
    points.told.warn();
    args.show.points.check(&points.groups.concat())?;
    if args.on == Some(On::Sbatch) && args.rows.rows() != Rows::None {
        return Err(Failure::usage(
            "--on sbatch runs nothing: give --json or --why with --collect, when the jobs have ended",
        ));
    }
    match &args.on {
        None => here(args, &points, args.collect),
        Some(On::Sbatch) => sbatch::write(args, &points, program),
        Some(on) => {
            let remote = Remote { spec: &points.spec, out: &args.out, on, tasks: args.tasks, quiet: args.no_progress };
            if !elsewhere(&remote)? {
                show::note("stopped; the finished points are kept, and the same command runs the others");
                return Ok(INTERRUPTED);
            }
            here(args, &points, true)
        }
    }
}

/// Runs what is missing on this machine, or nothing, and shows all.
fn here(args: &Args, points: &Points, collect: bool) -> Result {
    let mine = |index: usize| args.share.is_none_or(|(share, shares)| index % shares == share);
    let failed = if collect { failures(&args.out) } else { BTreeMap::new() };
    let inputs = inputs(&args.spec, points.files.clone());
    let mut folder = Folder::open(&args.out, Existing::Keep, &inputs).map_err(foreign)?;
    let shares = shares(&args.out);
    if !shares.is_empty() {
        let wanted = points.iter().map(|point| Ok(point?.id)).collect::<Result<BTreeSet<String>>>()?;
        shares.iter().try_for_each(|share| folder.take_in(share, &wanted))?;
    }
    interrupt::keep();
    let bar = if args.no_progress { Bar::Hidden } else { Bar::Shown };
    let mut session = Session::new(points, Some(folder), args.rows.rows(), bar)?.only(&args.show.points);
    for (index, reason) in points.refused.iter().filter(|(index, _)| mine(*index)) {
        session.failed(*index, reason.clone())?;
    }
    if collect {
        note_failures(points, &mut session, failed)?;
    } else {
        let mut pending = session.pending();
        pending.retain(|&index| mine(index));
        run_points(points, &pending, args.threads.map_or(0, usize::from), &mut session)?;
    }
    let missing = session.pending().len();
    let code = session.finish(&Axes::default(), &args.show)?;
    Ok(if collect && missing > 0 && code == SUCCESS { FAILURE } else { code })
}

/// A sweep replaces nothing that is not of its kind, whatever its user says.
fn foreign(failure: Failure) -> Failure {
    match failure {
        Failure::Results(error @ Error::Output { .. }) => {
            let words = error.to_string();
            Failure::Usage(words.replace("choose another name, or replace it with --force", "choose another folder"))
        }
        other => other,
    }
}

/// Tells of points that failed elsewhere and are not finished by now.
fn note_failures(points: &Points, session: &mut Session, mut failed: BTreeMap<String, String>) -> Result<()> {
    let pending = if failed.is_empty() { Vec::new() } else { session.pending() };
    for index in pending {
        if let Some(reason) = failed.remove(&points.at(index)?.id) {
            session.failed(index, reason)?;
        }
    }
    Ok(())
}

/// Points that failed when the sweep or a share of it was last run, and why.
fn failures(root: &Path) -> BTreeMap<String, String> {
    let roots = shares(root).into_iter().chain([root.to_path_buf()]);
    roots.flat_map(|root| read_failures(&root)).map(|failed| (failed.point_id, failed.reason)).collect()
}

/// The folders of shares that are there.
fn shares(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root.join(SHARES)).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn share(text: &str) -> std::result::Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(share, shares)| Some((share.parse().ok()?, shares.parse().ok()?)));
    match parts {
        Some((share, shares)) if share < shares => Ok((share, shares)),
        _ => Err("it must be I/N with I below N, such as 0/8".to_owned()),
    }
}

impl From<On> for Failure {
    /// What is said where nobody can reach that place.
    fn from(on: On) -> Failure {
        Failure::usage(format!(
            "`--on {on}` needs the Python package, whose command can do it: pip install 'tailback[cluster]'; `--on \
             sbatch` \
             needs nothing"
        ))
    }
}
