//! `tailback plot`: records of earlier runs once more.

use crate::chosen::WhereArgs;
use crate::compared::About;
use crate::exit::{Result, SUCCESS};
use crate::figure_files::{FigureFiles, figure_file};
use crate::gathered::gather;
use crate::interrupt;
use crate::output::ForceArgs;
use crate::picture;
use crate::plotted::{Asked, Asking, plotted};
use crate::show;
use std::path::PathBuf;
use tailback_pictures::comparison::Columns;

const AFTER: &str = "\
Without options, records over a load give the comparison figure: accepted load and latency with 95 % intervals, a curve for
each variant. Records without a number that varies give bars. Any option for an axis, colours or panels gives plain curves.

Examples:
  tailback plot results
  tailback plot results --out figure.pdf --out figure.csv --columns one
  tailback plot results other --y latency_p99 --log y --out p99.svg
  tailback plot results --where status=steady --y hops_mean --out hops.png
  tailback plot records.jsonl --x router.buffer_flits --y accepted_load --svg buffers.svg";

/// Which axes are logarithmic.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Log {
    X,
    Y,
    Xy,
}

/// Width of a paper's column.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    // 3.5 inches, panels one below the other.
    One,
    // 7.16 inches, panels side by side.
    Two,
}

/// Arguments of `plot`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// Folders made by `tailback run --out`, or files of records as `--json` prints them; points that several of them have are
    /// told apart by the folder
    #[arg(value_name = "DIR|RECORDS", required = true)]
    results: Vec<PathBuf>,
    /// Column on the x axis [default: the load, or the first number that varies]
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// Column on the y axis; several give a panel each [default: accepted load, and mean latency]
    #[arg(long, value_name = "COLUMN")]
    y: Vec<String>,
    /// Swept parameter that has a colour for each of its values [default: the admission, or the first that varies]
    #[arg(long, value_name = "PATH", alias = "color")]
    colour: Option<String>,
    /// Swept parameter that has a panel for each of its values [default: all that vary besides x and the colour]
    #[arg(long, value_name = "PATH")]
    panels: Option<String>,
    #[command(flatten)]
    filters: WhereArgs,
    /// Logarithmic axes
    #[arg(long, value_name = "AXES")]
    log: Option<Log>,
    /// Ends of the x axis, in its unit
    #[arg(long, value_name = "LOW:HIGH", value_parser = limits, allow_hyphen_values = true)]
    xlim: Option<(f64, f64)>,
    /// Ends of the y axis, in its unit
    #[arg(long, value_name = "LOW:HIGH", value_parser = limits, allow_hyphen_values = true)]
    ylim: Option<(f64, f64)>,
    /// Name of the x axis, with its unit
    #[arg(long, value_name = "TEXT")]
    xlabel: Option<String>,
    /// Name of the y axis, with its unit
    #[arg(long, value_name = "TEXT")]
    ylabel: Option<String>,
    /// Title above the picture
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Width of the picture: one column of a paper (3.5 inches, panels one below the other) or two (7.16 inches, side by side)
    #[arg(long, value_name = "COUNT", default_value = "two")]
    columns: Width,
    /// Width and height of plain curves in inches, such as 5x3
    #[arg(long, value_name = "WxH", value_parser = inches)]
    size: Option<(f64, f64)>,
    /// Write the picture, or the numbers that it shows, to this file instead of showing it. Its ending says which: .svg, .png,
    /// .pdf or .csv. May be given several times
    #[arg(long, value_name = "FILE", value_parser = figure_file)]
    out: Vec<PathBuf>,
    /// Write the picture as SVG to this file instead of showing it; `-` is standard output
    #[arg(long, value_name = "FILE", value_parser = picture::svg_file)]
    svg: Option<PathBuf>,
    /// Write the picture as PNG to this file instead of showing it; `-` is standard output
    #[arg(long, value_name = "FILE", value_parser = picture::png_file)]
    png: Option<PathBuf>,
    /// Write the numbers that the picture shows as CSV to this file; `-` is standard output
    #[arg(long, value_name = "FILE", value_parser = picture::csv_file)]
    csv: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Plots the records.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was drawn")?;
    let gathered = gather(&args.results)?;
    let named = [&args.svg, &args.png, &args.csv].map(Option::as_deref);
    let files = FigureFiles::new(&args.out, named, args.force.replace(), &gathered.inputs)?;
    let chosen = args.filters.choose(&gathered.records)?;
    let drawn = plotted(&chosen, &args.asked(), &About::default())?;
    let drawn = drawn.ok_or_else(|| picture::nothing_to_draw(args.x.as_deref()))?;
    if !files.any() {
        drawn.texts().iter().try_for_each(|text| show::print(&format!("{text}\n")))?;
        if drawn.charts.is_empty() {
            show::print(&drawn.figure.csv)?;
        }
        show::print(&show::wrapped(&drawn.figure.caption, 0))?;
        return Ok(SUCCESS);
    }
    // A picture is written whole.
    interrupt::keep();
    files.write(&drawn.figure)?;
    Ok(SUCCESS)
}

impl Args {
    fn asked(&self) -> Asked {
        let log = |which: Log| self.log.is_some_and(|log| log == which || log == Log::Xy);
        let axis = |which: Log, limits: Option<(f64, f64)>, label: &Option<String>| Asking {
            log: log(which),
            limits,
            label: label.clone(),
        };
        Asked {
            x: self.x.clone(),
            y: self.y.clone(),
            colour: self.colour.clone(),
            panels: self.panels.clone(),
            x_axis: axis(Log::X, self.xlim, &self.xlabel),
            y_axis: axis(Log::Y, self.ylim, &self.ylabel),
            title: self.title.clone(),
            columns: if self.columns == Width::One { Columns::One } else { Columns::Two },
            size: self.size,
        }
    }
}

/// Parses `LOW:HIGH`.
fn limits(text: &str) -> std::result::Result<(f64, f64), String> {
    let ends = text.split_once(':').and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    match ends {
        Some((low, high)) if low < high && f64::is_finite(low) && f64::is_finite(high) => Ok((low, high)),
        _ => Err("two numbers are needed, the smaller one first, such as 0:0.5".to_owned()),
    }
}

/// Parses `WxH`.
fn inches(text: &str) -> std::result::Result<(f64, f64), String> {
    let size = text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
    match size {
        Some((width, height)) if (1.0..=40.0).contains(&width) && (1.0..=40.0).contains(&height) => Ok((width, height)),
        _ => Err("width and height in inches are needed, from 1 to 40, such as 5x3".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_and_sizes_are_pairs_of_sensible_numbers() {
        assert_eq!((limits("0:0.5"), limits("-1: 2e3")), (Ok((0.0, 0.5)), Ok((-1.0, 2000.0))));
        assert!(["", "1", "1:1", "2:1", "a:b", "0:inf", "nan:1"].iter().all(|text| limits(text).is_err()));
        assert_eq!(inches("5x3.5"), Ok((5.0, 3.5)));
        assert!(["5", "0x3", "5x1e9", "x", "-1x2"].iter().all(|text| inches(text).is_err()));
    }
}
