//! `tailback topology`: builds or reads a network, measures it, writes it.

use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::maps;
use crate::network_args::{self, NetworkArgs};
use crate::output::{Destination, ForceArgs, Pictures};
use crate::picture;
use crate::show::table::pairs;
use crate::show::{self, numbers::thousands};
use crate::verbs::list::{entry_text, section_text};
use clap::ValueEnum;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tailback_base::text::shown;
use tailback_network::family::{self, Built, FAMILIES};
use tailback_network::files::Format;
use tailback_network::measure::{Measures, measure};
use tailback_results::Kind;
use tailback_spec::{Catalogue, Section};

const AFTER: &str = "\
Examples:
  tailback topology                                  the kinds of networks
  tailback topology --kind dragonfly --parameters    what this kind takes
  tailback topology --kind dragonfly -s routers_per_group=4 -s global_links=2 -s nodes_per_router=2
  tailback topology --kind hyperx -s sides='[4, 4]' -s nodes_per_router=4 --json
  tailback topology --kind slim_fly --set q=5 -o slim-fly.net
  tailback topology slim-fly.net --format anynet > slim-fly.anynet
  tailback topology examples/first.toml --format dot | head -3
  tailback topology --kind fat_tree -s arity=4 -s levels=3 --svg tree.svg

Measures are those of uniform traffic. Loads are in flits/node/cycle, distances in links between routers.";

/// Arguments of `topology`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    network: NetworkArgs,
    /// What is printed or written: the measures as a table, or the network in a format [default: table, and native with -o]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Shape>,
    /// Write the network to this file; `-` is standard output
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the measures as one JSON object
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Draw the network to this SVG file: its routers, and its links by their kind; `-` is standard output
    #[arg(long, value_name = "FILE", value_parser = picture::svg_file)]
    svg: Option<PathBuf>,
    /// The same picture as PNG
    #[arg(long, value_name = "FILE", value_parser = picture::png_file)]
    png: Option<PathBuf>,
    /// Print what the kind takes, or what all kinds take: parameters with units, ranges and defaults
    #[arg(long, conflicts_with_all = ["network", "set", "format", "output", "json", "svg", "png"])]
    parameters: bool,
    /// The parameters of all kinds as Markdown
    #[arg(long, requires = "parameters", conflicts_with = "kind")]
    markdown: bool,
    #[command(flatten)]
    force: ForceArgs,
}

/// What is printed or written.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Shape {
    // No doc comments: with them, `-h` and `--help` would differ.
    Table,
    Native,
    Anynet,
    Dot,
    Json,
}

impl Shape {
    /// The format of files that it is.
    fn format(self) -> Option<&'static Format> {
        let word = self.to_possible_value()?.get_name().to_owned();
        Format::named(&word)
    }
}

/// Builds, measures, writes.
pub fn run(args: &Args) -> Result {
    interrupt::watch("the network was not printed whole")?;
    if args.parameters {
        show::print(&parameters(args)?)?;
        return Ok(SUCCESS);
    }
    let Some((resolved, name)) = args.network.asked()? else {
        let drawn = args.svg.is_some() || args.png.is_some();
        if args.output.is_some() || args.json || args.format.is_some() || drawn {
            return Err(Failure::usage("there is no network to print: give a spec, a file, or --kind"));
        }
        show::print(&kinds())?;
        return Ok(SUCCESS);
    };
    let shape = match (args.format, &args.output) {
        (None, None) => Shape::Table,
        (None, Some(_)) => Shape::Native,
        (Some(Shape::Table), Some(_)) => return Err(Failure::usage("-o writes a network, and --format table is none")),
        (Some(shape), _) => shape,
    };
    let pictures =
        Pictures::new(args.svg.as_deref(), args.png.as_deref(), args.force.replace(), &args.network.inputs(&resolved))?;
    let path = args.output.as_deref().unwrap_or(Path::new("-"));
    let destination = Destination::new(path, Kind::Network, args.force.replace(), &args.network.inputs(&resolved))?;
    let built = network_args::build(&resolved)?;
    if let Some(format) = shape.format() {
        destination.write(format.write(&built.network).map_err(Failure::usage)?.as_bytes())?;
    }
    if pictures.fill_stdout() && shape.format().is_some() && destination.is_stdout() {
        return Err(Failure::usage("a picture and a network cannot both be written to standard output"));
    }
    if pictures.any() {
        let map = maps::bare(&name, &built.network).svg();
        pictures.write(&map.map_err(|error| Failure::usage(format!("there is no picture: {error}")))?)?;
    }
    let printed = shape != Shape::Table && destination.is_stdout() || pictures.fill_stdout();
    match (printed, args.json) {
        (true, _) => {}
        (false, true) => show::line(&json_of(&name, &measure(&built)).to_string())?,
        (false, false) => show::print(&page(&name, &built, &measure(&built)))?,
    }
    Ok(SUCCESS)
}

/// Every kind in a line.
fn kinds() -> String {
    let kind = |family: &&family::Family| (family.entry.name.to_owned(), family.entry.summary.to_owned());
    let kinds = pairs(&FAMILIES.iter().map(kind).collect::<Vec<_>>());
    format!("Kinds of networks:\n\n{kinds}\n`tailback topology --kind KIND --parameters` shows what a kind takes.\n")
}

/// What a kind takes, or what all of them take.
fn parameters(args: &Args) -> Result<String> {
    let sections: Vec<Section> = [family::section()].into_iter().chain(family::subsections()).collect();
    if args.markdown {
        return Ok(tailback_spec::markdown(&Catalogue { sections, ..Catalogue::default() }));
    }
    let Some(kind) = &args.network.kind else {
        return Ok(sections.iter().map(section_text).collect::<Vec<_>>().join("\n"));
    };
    let Some(entry) = sections[0].entry(kind) else {
        let names = sections[0].names().join(", ");
        return Err(Failure::usage(format!("there is no kind `{}`; there are {names}", shown(kind))));
    };
    let common = Section { entries: Vec::new(), ..sections[0].clone() };
    Ok(format!("{}\n{}", entry_text(entry, 0), section_text(&common)))
}

fn page(kind: &str, built: &Built, m: &Measures) -> String {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.6}"));
    let load = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.6} flits/node/cycle"));
    let mut rows = vec![
        ("routers", thousands(m.routers as f64)),
        ("nodes", thousands(m.nodes as f64)),
        ("links", format!("{}, directed, between routers", thousands(m.links as f64))),
        ("ports", format!("{} to other routers, at most", built.network.most_ports())),
        ("diameter", m.diameter.map_or("-".to_owned(), |links| format!("{links} links"))),
        ("mean distance", format!("{} links", number(m.hops_mean))),
        ("bound, minimal ways", load(m.channel_load_bound)),
    ];
    let kinds: Vec<String> = m.bounds.iter().map(|(kind, bound)| format!("{kind} {bound:.6}")).collect();
    if !kinds.is_empty() {
        rows.push(("  by kind of link", kinds.join(", ")));
    }
    rows.push(("bound, shortest ways", load(m.ecmp_bound)));
    let rows: Vec<(String, String)> = rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let mut text = format!("A network of kind {kind}\n\n{}", pairs(&rows));
    if m.diameter.is_none() {
        text += "\nDistances and bounds are not counted in a network of this size.\n";
    }
    text
}

fn json_of(kind: &str, m: &Measures) -> Value {
    let bounds: serde_json::Map<String, Value> =
        m.bounds.iter().map(|(kind, bound)| (kind.to_string(), json!(bound))).collect();
    json!({
        "kind": kind, "routers": m.routers, "nodes": m.nodes, "links": m.links, "diameter": m.diameter,
        "hops_mean": m.hops_mean, "channel_load_bound": m.channel_load_bound, "bounds": bounds, "ecmp_bound": m.ecmp_bound,
    })
}
