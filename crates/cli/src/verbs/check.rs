//! `tailback check`: errors, or what is known of the network before it runs.

use crate::exit::{Result, SUCCESS};
use crate::interrupt;
use crate::output::{ForceArgs, Pictures, files_of, inputs};
use crate::picture;
use crate::points::{Points, Source, points_of};
use crate::report::facts_rows;
use crate::show::numbers::count;
use crate::show::{self, table::pairs};
use crate::spec_file::SpecArgs;
use crate::wait_pictures;
use serde_json::{Value, json};
use std::path::PathBuf;
use tailback_sim::{Facts, catalogue, prepare, witness};
use tailback_spec::{Document, Point};

const AFTER: &str = "\
Examples:
  tailback check examples/first.toml
  tailback check my.toml --set topology.radix='[16, 16]'
  tailback check my.toml --json
  tailback check my.toml --svg circle.svg

A bound is a load above which no run is steady. Loads are in flits/node/cycle, latencies in cycles.";

/// Facts of this many points at most: counting the load of every link may take a second.
const MOST: usize = 100;

/// Arguments of `check`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// Print one JSON object per point
    #[arg(long)]
    json: bool,
    /// If packets can wait for each other forever, draw such packets to this SVG file; `-` is standard output
    #[arg(long, value_name = "FILE", value_parser = picture::svg_file)]
    svg: Option<PathBuf>,
    /// The same picture as PNG
    #[arg(long, value_name = "FILE", value_parser = picture::png_file)]
    png: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Checks the spec.
pub fn run(args: &Args) -> Result {
    interrupt::watch("not all points were checked; nothing was run")?;
    let document = args.spec.document()?;
    let pictures = draw(args, &document)?;
    let points = points_of(&args.spec, &document)?;
    if pictures.fill_stdout() {
        return Ok(crate::points::code_unless_stopped(SUCCESS));
    }
    if args.json { json(&points) } else { text(args, &points) }
}

/// Draws the packets of the first point that has some, where that is asked for: such a network is refused later, and the picture
/// comes first. A document that makes no plan is told of later.
fn draw(args: &Args, document: &Document) -> Result<Pictures> {
    if args.svg.is_none() && args.png.is_none() {
        return Ok(Pictures::default());
    }
    let plan = document.plan(catalogue());
    let mut points: Vec<Point> = plan.iter().flat_map(|plan| plan.points()).flatten().take(MOST).collect();
    points.iter_mut().try_for_each(|point| args.spec.locate_files(point))?;
    let inputs = inputs(&args.spec, files_of(&points));
    let pictures = Pictures::new(args.svg.as_deref(), args.png.as_deref(), args.force.replace(), &inputs)?;
    match points.iter().find_map(|point| witness(point, interrupt::flag())) {
        None => show::note("no picture was written: no packets that can wait for each other were found"),
        Some(found) => match wait_pictures::witness(&found) {
            Ok(svg) => pictures.write(&svg)?,
            Err(why) => show::note(&format!("no picture: {why}")),
        },
    }
    Ok(pictures)
}

fn facts(point: &Point) -> Result<Facts> {
    Ok(prepare(point)?.facts())
}

fn json(points: &Points) -> Result {
    for point in points.iter() {
        let point = point?;
        let facts = facts(&point)?;
        let mut row = serde_json::Map::new();
        for (path, value) in &point.swept {
            row.insert(path.clone(), serde_json::to_value(value).unwrap_or(Value::Null));
        }
        row.insert("point_id".to_owned(), json!(point.id));
        row.insert("seed".to_owned(), json!(point.seed));
        row.extend(crate::facts::json(&facts));
        show::line(&Value::Object(row).to_string())?;
        if interrupt::requested() {
            break;
        }
    }
    Ok(crate::points::code_unless_stopped(SUCCESS))
}

fn text(args: &Args, points: &Points) -> Result {
    let all = points.count();
    let first = facts(&points.at(0)?)?;
    let mut heading = format!("{} is fine: {}", args.spec.name(), count(all as u64, "point"));
    if !points.groups.is_empty() {
        heading += &format!(", sweeping {}", points.axes());
    }
    show::line(&show::bold(&heading))?;
    if all > 1 {
        show::line("The first point:")?;
    }
    show::print(&pairs(&facts_rows(&first)))?;
    for note in points.told.notes() {
        show::print(&show::wrapped(&format!("note: {note}"), 0))?;
    }
    for idle in points.told.sentences() {
        show::print(&show::wrapped(&format!("warning: {idle}"), 0))?;
    }
    for (warning, index, times) in warnings(points, first)? {
        let of = if all > 1 { format!(" (point {} of {all}", index + 1) } else { String::new() };
        let more = if times > 1 { format!(", and {} more", times - 1) } else { String::new() };
        let of = if of.is_empty() { of } else { format!("{of}{more})") };
        show::print(&show::wrapped(&format!("warning: {warning}{of}"), 0))?;
    }
    if all > MOST {
        show::line(&format!("All {all} points can run; bounds were computed for the first {MOST}."))?;
    }
    Ok(crate::points::code_unless_stopped(SUCCESS))
}

/// Warnings of all points but of what has no effect, those that begin alike as one: the text and index of the first, and how many
/// there are.
fn warnings(points: &Points, first: Facts) -> Result<Vec<(String, usize, usize)>> {
    let mut found: Vec<(String, usize, usize)> = Vec::new();
    for index in 0..points.count().min(MOST) {
        let point = points.at(index)?;
        let facts = if index == 0 { first.clone() } else { facts(&point)? };
        let (idle, notes) = (point.without_effect(catalogue()), tailback_sim::notes(&point));
        for warning in facts.warnings {
            if idle.iter().any(|idle| idle.message == warning) || notes.contains(&warning) {
                continue;
            }
            let begin = |text: &str| text.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
            match found.iter_mut().find(|(text, ..)| begin(text) == begin(&warning)) {
                Some((_, _, times)) => *times += 1,
                None => found.push((warning, index, 1)),
            }
        }
        if interrupt::requested() {
            break;
        }
    }
    Ok(found)
}
