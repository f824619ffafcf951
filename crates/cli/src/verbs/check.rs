//! `tailback check`: errors, or what is known of the network before it runs.

use crate::exit::{Result, SUCCESS};
use crate::interrupt;
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
use tailback_spec::Document;

const AFTER: &str = "\
Examples:
  tailback check examples/first.toml
  tailback check my.toml --set topology.radix='[16, 16]'
  tailback check my.toml --json
  tailback check my.toml --svg circle.svg

Bounds are loads in flits/node/cycle above which no run is steady; latencies are in cycles.";

/// Facts of this many points at most: counting the load of every link may take a second.
const MOST: usize = 100;

/// Arguments of `check`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// Print one JSON object a point
    #[arg(long)]
    json: bool,
    /// Draw packets that can wait for each other for ever to this file, as SVG, where there are any
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The same as PNG
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

/// Checks the spec.
pub fn run(args: &Args) -> Result {
    interrupt::watch()?;
    let document = args.spec.document()?;
    if args.svg.is_some() || args.png.is_some() {
        // Such a network is refused below: the picture comes first.
        draw(args, &document)?;
    }
    let points = points_of(&args.spec, &document)?;
    if args.json { json(&points) } else { text(args, &points) }
}

/// Draws the packets of the first point that has some. A document that makes no plan is told of later.
fn draw(args: &Args, document: &Document) -> Result<()> {
    let plan = document.plan(catalogue());
    let mut points = plan.iter().flat_map(|plan| plan.points()).flatten().take(MOST);
    let Some(found) = points.find_map(|point| witness(&point)) else {
        show::note("no picture: no packets were found that can wait for each other");
        return Ok(());
    };
    match wait_pictures::witness(&found) {
        Ok(svg) => picture::write(&svg, args.svg.as_deref(), args.png.as_deref()),
        Err(why) => {
            show::note(&format!("no picture: {why}"));
            Ok(())
        }
    }
}

fn facts(points: &Points, index: usize) -> Result<Facts> {
    Ok(prepare(&points.at(index)?)?.facts())
}

fn json(points: &Points) -> Result {
    for point in points.iter() {
        let point = point?;
        let facts = prepare(&point)?.facts();
        let mut row = serde_json::Map::new();
        for (path, value) in &point.swept {
            row.insert(path.clone(), serde_json::to_value(value).unwrap_or(Value::Null));
        }
        row.insert("point_id".to_owned(), json!(point.id));
        row.insert("seed".to_owned(), json!(point.seed));
        if let Value::Object(more) = facts_json(&facts) {
            row.extend(more);
        }
        show::line(&Value::Object(row).to_string())?;
        if interrupt::requested() {
            break;
        }
    }
    Ok(crate::points::code_unless_stopped(SUCCESS))
}

fn facts_json(facts: &Facts) -> Value {
    let details: serde_json::Map<String, Value> =
        facts.details.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
    json!({
        "routers": facts.routers, "nodes": facts.nodes, "links": facts.links, "memory_bytes": facts.memory_bytes,
        "hops_mean": facts.hops_mean, "zero_load_latency": facts.zero_load_latency,
        "bisection_load": facts.bisection_load, "channel_load_bound": facts.channel_load_bound,
        "busiest_link": facts.busiest_link, "offered_load": facts.offered_load,
        "deadlock_freedom": facts.deadlock_freedom, "deadlock_argument": facts.deadlock_argument, "deadlock_details": facts.deadlock_details, "details": details, "warnings": facts.warnings,
    })
}

fn text(args: &Args, points: &Points) -> Result {
    let all = points.count();
    let first = facts(points, 0)?;
    let mut heading = format!("{} is fine: {}", args.spec.name(), count(all as u64, "point"));
    if !points.groups.is_empty() {
        heading += &format!(", sweeping {}", points.axes());
    }
    show::line(&show::bold(&heading))?;
    if all > 1 {
        show::line("The first point:")?;
    }
    show::print(&pairs(&facts_rows(&first)))?;
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

/// Warnings of all points, those that begin alike as one: the text and index of the first, and how many there are.
fn warnings(points: &Points, first: Facts) -> Result<Vec<(String, usize, usize)>> {
    let mut found: Vec<(String, usize, usize)> = Vec::new();
    for index in 0..points.count().min(MOST) {
        let facts = if index == 0 { first.clone() } else { facts(points, index)? };
        for warning in facts.warnings {
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
