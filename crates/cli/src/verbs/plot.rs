//! `tailback plot`: records of an earlier run once more.

use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::output::{ForceArgs, Pictures};
use crate::picture;
use crate::show::{self, chart};
use std::path::{Path, PathBuf};
use tailback_results::{Inputs, Record, json_lines};

const AFTER: &str = "\
Examples:
  tailback plot results
  tailback plot results --y latency_p99 --svg p99.svg
  tailback plot records.jsonl --x router.buffer_flits --y accepted_load --png buffers.png";

/// Arguments of `plot`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// A folder made by `tailback run --out`, or a file of records as `--json` prints them
    #[arg(value_name = "DIR|RECORDS")]
    results: PathBuf,
    /// Column on the x axis [default: the load, or the first number that varies]
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// Column on the y axis [default: accepted load, and mean latency]
    #[arg(long, value_name = "COLUMN")]
    y: Option<String>,
    /// Write the picture as SVG to this file instead of showing it; `-` is standard output
    #[arg(long, value_name = "FILE", value_parser = picture::svg_file)]
    svg: Option<PathBuf>,
    /// Write the picture as PNG to this file instead of showing it
    #[arg(long, value_name = "FILE", value_parser = picture::png_file)]
    png: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Plots the records.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was drawn")?;
    let file = if args.results.is_dir() { args.results.join("records.jsonl") } else { args.results.clone() };
    let inputs = Inputs::none().with(&file, "the records");
    let pictures = Pictures::new(args.svg.as_deref(), args.png.as_deref(), args.force.replace(), &inputs)?;
    let records = read(&file)?;
    let (x, y) = (args.x.as_deref(), args.y.as_deref());
    let charts = picture::charts(&records, x, y)?.ok_or_else(|| picture::nothing_to_draw(x))?;
    if !pictures.any() {
        charts.iter().try_for_each(|c| show::print(&format!("{}\n", chart::chart(c))))?;
        return Ok(SUCCESS);
    }
    // A picture is written whole.
    interrupt::keep();
    pictures.write(&picture::sheet(&charts))?;
    Ok(SUCCESS)
}

fn read(file: &Path) -> Result<Vec<Record>> {
    let found = json_lines::read(file).map_err(|error| Failure::usage(error.to_string()))?;
    if found.torn {
        show::note("the last row is torn and was left out");
    }
    if found.records.is_empty() {
        return Err(Failure::usage(format!("there are no records in `{}`", show::path(file))));
    }
    Ok(found.records)
}
