//! `tailback list`: what a spec may say, and what a record says.

use crate::complete;
use crate::exit::{Failure, Result, SUCCESS};
use crate::show::table::pairs;
use crate::show::{self, bold, wrapped};
use clap_complete::engine::ArgValueCompleter;
use serde_json::{Value, json};
use tailback_results::schema::COLUMNS;
use tailback_sim::catalogue;
use tailback_spec::{Catalogue, Entry, Fallback, Kind, Param, Section};

const AFTER: &str = "\
Examples:
  tailback list                    the sections of a spec and the kinds to choose from
  tailback list traffic.pattern    one section with all parameters, their ranges, units and defaults
  tailback list columns            the columns of a record, with units
  tailback list presets            routers of papers, as values of a spec
  tailback list --json             everything, for programs";

/// Arguments of `list`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// A section, such as traffic.pattern or routing; or `columns`, or `presets`
    #[arg(add = ArgValueCompleter::new(complete::listed))]
    section: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

/// Lists.
pub fn run(args: &Args) -> Result {
    if args.section.as_deref() == Some("columns") {
        show::print(&columns(args))?;
        return Ok(SUCCESS);
    }
    if args.section.as_deref() == Some("presets") {
        show::print(&presets(args))?;
        return Ok(SUCCESS);
    }
    let filter = args.section.as_deref();
    let sections = tailback_spec::list(catalogue(), filter).map_err(|why| {
        Failure::usage(format!("{why}; `tailback list` names all, `tailback list columns` those of a record"))
    })?;
    let text = if args.json {
        format!("{:#}\n", Value::Array(sections.into_iter().map(section_json).collect()))
    } else if args.markdown {
        let presets = if filter.is_none() { catalogue().presets.clone() } else { Vec::new() };
        tailback_spec::markdown(&Catalogue { sections: sections.into_iter().cloned().collect(), presets })
    } else if filter.is_some() {
        sections.into_iter().map(section_text).collect::<Vec<_>>().join("\n")
    } else {
        overview(&sections)
    };
    show::print(&text)?;
    Ok(SUCCESS)
}

/// The sections with their kinds.
fn overview(sections: &[&Section]) -> String {
    let mut out = String::new();
    for section in sections {
        out += &format!("{}  {}\n", bold(&format!("[{}]", section.path)), section.doc);
        let kinds: Vec<String> = section.entries.iter().map(|e| marked(section, e)).collect();
        if !kinds.is_empty() {
            out += &wrapped(&format!("kinds: {}", kinds.join(", ")), 4);
        }
        let params: Vec<&str> = section.params.iter().map(|p| p.name).collect();
        if !params.is_empty() {
            out += &wrapped(&format!("parameters: {}", params.join(", ")), 4);
        }
    }
    out += "\n* is the default. `tailback list SECTION` shows parameters with ranges, units and defaults.\n";
    out += "Any number or kind can be swept: [sweep] \"traffic.load\" = { from = 0.1, to = 0.5, step = 0.1 }\n";
    out
}

fn marked(section: &Section, entry: &Entry) -> String {
    let default = if section.default_entry == Some(entry.name) { "*" } else { "" };
    format!("{}{default}", entry.name)
}

/// One section whole.
fn section_text(section: &Section) -> String {
    let mut out = format!("{}  {}\n", bold(&format!("[{}]", section.path)), section.doc);
    section.params.iter().for_each(|p| out += &param_text(p, 2));
    if !section.entries.is_empty() {
        let default = section.default_entry.map_or("required".to_owned(), |name| format!("{name} by default"));
        out += &format!("  kind ({default}):\n");
    }
    for entry in &section.entries {
        let ideal = if entry.ideal { " (ideal: knows what no hardware could)" } else { "" };
        let paper = if entry.paper.is_empty() { String::new() } else { format!(" [{}]", entry.paper) };
        out += &format!("    {}\n", bold(entry.name));
        out += &wrapped(&format!("{}{ideal}{paper}", entry.summary), 6);
        entry.params.iter().for_each(|p| out += &param_text(p, 6));
    }
    out
}

fn param_text(param: &Param, indent: usize) -> String {
    let default = param.fallback.json().map_or("required".to_owned(), |d| format!("default {d}"));
    let unit = if param.unit.is_empty() { String::new() } else { format!(" [{}]", param.unit) };
    let mut out = format!("{:indent$}{}{unit}: {}, {default}\n", "", bold(param.name), values(&param.kind));
    out += &wrapped(param.doc, indent + 4);
    match param.kind {
        Kind::Tables(inner) => inner.iter().for_each(|p| out += &param_text(p, indent + 4)),
        Kind::Choice(words) => {
            words.iter().for_each(|(word, doc)| out += &wrapped(&format!("{word}: {doc}"), indent + 4));
        }
        _ => {}
    }
    out
}

/// The type and range of a parameter, in words.
fn values(kind: &Kind) -> String {
    let integers =
        |min: i64, max: i64| if max == i64::MAX { format!("{min} or more") } else { format!("{min} to {max}") };
    let floats =
        |min: f64, max: f64| if max == f64::MAX { format!("{min} or more") } else { format!("{min} to {max}") };
    match *kind {
        Kind::Bool => "true or false".to_owned(),
        Kind::Integer { min, max } => format!("integer, {}", integers(min, max)),
        Kind::Float { min, max } => format!("number, {}", floats(min, max)),
        Kind::IntegerOrInfinite { min, max } => format!("integer, {}, or \"infinite\"", integers(min, max)),
        Kind::IntegerOrAuto { min, max } => format!("integer, {}, or \"auto\"", integers(min, max)),
        Kind::Choice(words) => words.iter().map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(" or "),
        Kind::Text => "text".to_owned(),
        Kind::Path => "path of a file, relative to the spec".to_owned(),
        Kind::Integers { min, max, .. } => format!("list of integers, each {}", integers(min, max)),
        Kind::Floats { min, max, .. } => format!("list of numbers, each {}", floats(min, max)),
        Kind::Component(path) => format!("a kind of [{path}]: its name or a table"),
        Kind::Tables(_) => "list of tables".to_owned(),
    }
}

fn section_json(section: &Section) -> Value {
    let kinds = section.entries.iter().map(|entry| {
        json!({
            "name": entry.name, "summary": entry.summary, "paper": entry.paper, "ideal": entry.ideal,
            "params": entry.params.iter().map(param_json).collect::<Vec<_>>(),
        })
    });
    json!({
        "path": section.path, "doc": section.doc, "default_kind": section.default_entry,
        "params": section.params.iter().map(param_json).collect::<Vec<_>>(),
        "kinds": kinds.collect::<Vec<_>>(),
    })
}

fn param_json(param: &Param) -> Value {
    let mut row = json!({
        "name": param.name, "values": values(&param.kind), "unit": param.unit, "required": param.fallback == Fallback::Required,
        "default": param.fallback.json(), "doc": param.doc,
    });
    if let Kind::Tables(inner) = param.kind {
        row["params"] = inner.iter().map(param_json).collect();
    }
    row
}

/// The presets and what they say.
fn presets(args: &Args) -> String {
    let presets = &catalogue().presets;
    if args.json {
        let rows =
            presets.iter().map(|p| json!({ "name": p.name, "summary": p.summary, "paper": p.paper, "toml": p.toml }));
        return format!("{:#}\n", Value::Array(rows.collect()));
    }
    let mut out =
        "preset = \"NAME\" at the top of a spec takes these values as defaults; explicit ones come before them.\n\n"
            .to_owned();
    for preset in presets {
        out += &format!("{}  {} [{}]\n", bold(preset.name), preset.summary, preset.paper);
        preset.toml.lines().filter(|line| !line.is_empty()).for_each(|line| out += &format!("    {line}\n"));
        out.push('\n');
    }
    out
}

/// The columns of a record.
fn columns(args: &Args) -> String {
    if args.json {
        let rows = COLUMNS.iter().map(|c| json!({ "name": c.name, "unit": c.unit, "meaning": c.meaning }));
        return format!("{:#}\n", Value::Array(rows.collect()));
    }
    let unit = |unit: &str| if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
    let rows: Vec<(String, String)> =
        COLUMNS.iter().map(|c| (format!("{}{}", c.name, unit(c.unit)), c.meaning.to_owned())).collect();
    format!("Columns of a record, after those of swept parameters (traffic.load and so on):\n{}", pairs(&rows))
}
