//! `tailback resume`: on from a checkpoint, with the same settings or, as a fork, with others.

use crate::checkpoints::{self, KeepArgs, beside, resumed};
use crate::chosen::ShowArgs;
use crate::complete;
use crate::drawings::Axes;
use crate::exit::{Failure, Result};
use crate::folder::{Folder, can_be_folder};
use crate::interrupt;
use crate::output::{ForceArgs, add_files};
use crate::resume::same_spec;
use crate::runner::go_on;
use crate::session::Session;
use crate::show::progress::Bar;
use crate::why::WhyArgs;
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;
use tailback_results::Inputs;
use tailback_results::store::Existing;

const AFTER: &str = "\
Examples:
  tailback run my.toml --out results --checkpoint-every 100000
  tailback resume results.checkpoint --out results
  tailback resume results.checkpoint --set admission=alo --json

A checkpoint holds the spec and the whole state of a run. A run that continues from it gives
the same bits as a run that was never interrupted. With --set the run is a fork: it keeps the
state and changes admission, traffic.load or the lengths of the workload. The record of a fork
names its checkpoint in the columns fork.cycle and fork.checkpoint, and has its own point_id.

Only the version of this program that wrote a checkpoint can read it. A damaged checkpoint is
refused.";

/// Arguments of `resume`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// The checkpoint
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Fork: continue from this state with another setting, such as admission=alo. May be given several times
    #[arg(long = "set", short = 's', value_name = "PATH=VALUE", add = ArgValueCompleter::new(complete::setting))]
    set: Vec<String>,
    /// Write record, capsule, series, pictures and report.html to this folder. It may be the folder of the interrupted run
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    rows: WhyArgs,
    #[command(flatten)]
    show: ShowArgs,
    /// Show no progress bar
    #[arg(long)]
    no_progress: bool,
}

/// Goes on.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was run")?;
    args.out.as_deref().map_or(Ok(()), can_be_folder)?;
    let (resumed, points) = resumed(&args.file, &args.set)?;
    points.told.warn();
    if let Some(root) = &args.out {
        same_spec(root, &points)?;
    }
    let mut inputs = Inputs::none().with(&args.file, "the checkpoint");
    add_files(&mut inputs, &resumed.point.resolved);
    let default = || match (&args.out, args.set.is_empty()) {
        (Some(out), _) => Ok(beside(out)),
        (None, true) => Ok(args.file.clone()),
        (None, false) => {
            Err(Failure::usage("a fork needs a file of its own for its checkpoints: name one with --checkpoint"))
        }
    };
    let default = || default().map(|file| another(file, &inputs));
    let keeping = args.keep.keeping(1, args.force.replace(), &inputs, default)?;
    let open = |root| Folder::open(root, Existing::Keep, &inputs);
    let folder = args.out.as_deref().map(open).transpose()?;
    interrupt::keep();
    let bar = if args.no_progress { Bar::Hidden } else { Bar::Shown };
    let mut session = Session::new(&points, folder, args.rows.rows(), bar)?.only(&args.show.points);
    if !session.pending().is_empty() {
        go_on(&resumed, keeping.as_ref(), &mut session)?;
    }
    Ok(checkpoints::code(session.finish(&Axes { x: None, y: None }, &args.show)?, keeping.as_ref()))
}

/// The file itself, or one beside it where it is what the run goes on from, which stays as it is.
fn another(file: PathBuf, inputs: &Inputs) -> PathBuf {
    if inputs.what(&file).is_none() {
        return file;
    }
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    let stem = stem.strip_suffix(RESUMED).map_or(format!("{stem}{RESUMED}"), str::to_owned);
    file.with_file_name(format!("{stem}{ending}"))
}

/// What the name of a file ends in that keeps the state of a run that was gone on with.
const RESUMED: &str = "-resumed";

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn what_a_run_goes_on_from_is_not_where_it_keeps_its_state() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let beside = |name: &str| {
            std::fs::write(at(name), "x").unwrap();
            another(at(name), &Inputs::none().with(&at(name), "the checkpoint"))
        };
        assert_eq!(beside("a.checkpoint"), at("a-resumed.checkpoint"));
        assert_eq!(
            beside("a-resumed.checkpoint"),
            at("a.checkpoint"),
            "two files in turn, and not a longer name each time"
        );
        assert_eq!(beside("state"), at("state-resumed"));
        assert_eq!(another(at("other"), &Inputs::none().with(Path::new("state"), "x")), at("other"));
    }
}
