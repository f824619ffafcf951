//! `tailback explain`: the spec as it is understood, and how its points end and why.

use crate::chosen::{ShowArgs, WhereArgs};
use crate::drawings::Axes;
use crate::exit::{Failure, Result, SUCCESS};
use crate::folder::why_rows;
use crate::gathered::gather;
use crate::interrupt;
use crate::points::points;
use crate::runner::run_points;
use crate::session::{Rows, Session};
use crate::show::progress::Bar;
use crate::show::{self, numbers::scalar};
use crate::spec_file::SpecArgs;
use crate::why;
use std::cmp::Ordering;
use std::path::Path;
use tailback_results::{Record, Scalar};
use tailback_sim::catalogue;

const AFTER: &str = "\
Examples:
  tailback explain examples/first.toml
  tailback explain my.toml --set workload=collective > collective.toml
  tailback explain my.toml --why --set traffic.load=0.4
  tailback explain results --why --where status=saturated

The output is a spec with the same meaning. Comments show the units, and which values are defaults.

With --why the output is how each point ended and why. The points of a spec are run for it, and
nothing is kept. Of a folder of results nothing is run.";

/// Arguments of `explain`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// Print how each point ended and why on standard output, and nothing else; with --json one JSON object per line. SPEC may
    /// then be a folder of results
    #[arg(long)]
    why: bool,
    /// With --why: print one JSON object per line
    #[arg(long, requires = "why")]
    json: bool,
    #[command(flatten)]
    points: WhereArgs,
}

/// Prints the resolved spec, or why its points end as they do.
pub fn run(args: &Args) -> Result {
    let folder = args.spec.spec.is_dir().then_some(args.spec.spec.as_path());
    match (folder, args.why) {
        (Some(root), true) => results(args, root),
        (None, true) => ends(args),
        (Some(root), false) => {
            let root = show::path(root);
            let help = format!("--why says how its points ended and why; the spec is {root}/spec.toml");
            Err(Failure::usage(format!("`{root}` is a folder, not a spec: {help}")))
        }
        (None, false) if !args.points.filters.is_empty() => {
            Err(Failure::usage("--where goes with --why, which is not there: a spec has no results to choose from"))
        }
        (None, false) => spec(args),
    }
}

fn spec(args: &Args) -> Result {
    interrupt::watch("the spec was not printed whole")?;
    let document = args.spec.document()?;
    document.plan(catalogue())?;
    show::print(&document.resolve(catalogue())?.to_toml(catalogue()))?;
    Ok(SUCCESS)
}

/// Runs the points.
fn ends(args: &Args) -> Result {
    interrupt::watch("nothing was run")?;
    let points = points(&args.spec)?;
    points.told.warn();
    args.points.check(&points.groups.concat())?;
    interrupt::keep();
    let rows = if args.json { Rows::Why } else { Rows::Words };
    let mut session = Session::new(&points, None, rows, Bar::Shown)?.only(&args.points);
    let pending = session.pending();
    run_points(&points, &pending, 0, &mut session)?;
    session.finish(&Axes::default(), &ShowArgs::default())
}

/// Reads what is in a folder of results.
fn results(args: &Args, root: &Path) -> Result {
    interrupt::watch("not all points were printed")?;
    let gathered = gather(&[root.to_path_buf()])?;
    let mut chosen = args.points.choose(&gathered.records)?;
    chosen.retain(|record| args.points.has(record));
    chosen.sort_by(|a, b| by_parameters(a, b));
    let rows = why_rows(root)?;
    let mut left_out = 0;
    for record in &chosen {
        let row = rows.get(&record.point_id);
        let text = match (args.json, row) {
            (true, Some(row)) => Some(format!("{row}\n")),
            (false, Some(row)) => why::of_row(row).map(|why| why::one_of(chosen.len(), record, &why)),
            (_, None) => None,
        };
        left_out += usize::from(text.is_none());
        show::print(&text.unwrap_or_default())?;
    }
    if left_out > 0 {
        let runs = show::numbers::count(left_out as u64, "run");
        show::note(&format!(
            "{runs} left out: this version finds no reason of theirs in {}/why.jsonl",
            show::path(root)
        ));
    }
    Ok(SUCCESS)
}

/// Records are in a folder as they ended; here by what was swept, and by seed.
fn by_parameters(a: &Record, b: &Record) -> Ordering {
    let one = |(a, b): (&Scalar, &Scalar)| match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => scalar(a).cmp(&scalar(b)),
    };
    let pairs = a.parameters.iter().zip(&b.parameters).map(|((_, a), (_, b))| one((a, b)));
    pairs.fold(Ordering::Equal, Ordering::then).then(a.seed.cmp(&b.seed))
}
