//! `tailback list`: what a spec may say, and what a record says.

mod named;

use crate::complete;
use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::show::table::pairs;
use crate::show::{self, bold, wrapped};
use clap_complete::engine::ArgValueCompleter;
use named::Named;
use serde_json::{Value, json};
use tailback_base::text::shown;
use tailback_results::schema::{COLUMNS, Column};
use tailback_sim::catalogue;
use tailback_spec::{Catalogue, Entry, Fallback, Kind, Param, Preset, Section};

const AFTER: &str = "\
Examples:
  tailback list                    the sections of a spec and the kinds to choose from
  tailback list traffic.pattern    one section with all parameters, their ranges, units and defaults
  tailback list traffic.load       one parameter; admission.spth, a kind; latency_p99, a column
  tailback list columns            the columns of a record, with units
  tailback list presets            routers of papers, as values of a spec
  tailback list --json             everything, for programs";

/// Arguments of `list`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// A section, such as traffic.pattern or routing, or `columns` or `presets`. Or the name of one parameter, kind, column or
    /// preset, such as traffic.load or admission.spth
    #[arg(value_name = "NAME", add = ArgValueCompleter::new(complete::listed))]
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
    interrupt::watch("the list was not printed whole")?;
    if args.section.as_deref() == Some("columns") {
        show::print(&columns(args))?;
        return Ok(SUCCESS);
    }
    if args.section.as_deref() == Some("presets") {
        show::print(&presets(args))?;
        return Ok(SUCCESS);
    }
    let filter = args.section.as_deref();
    let sections = match (tailback_spec::list(catalogue(), filter), filter) {
        (Err(why), Some(name)) => {
            show::print(&named(args, name, &why)?)?;
            return Ok(SUCCESS);
        }
        (sections, _) => sections.map_err(Failure::Usage)?,
    };
    let text = if args.json {
        format!("{:#}\n", Value::Array(sections.into_iter().map(section_json).collect()))
    } else if args.markdown {
        let presets = if filter.is_none() { catalogue().presets.clone() } else { Vec::new() };
        tailback_spec::markdown(&Catalogue {
            sections: sections.into_iter().cloned().collect(),
            presets,
            ..Catalogue::default()
        })
    } else if filter.is_some() {
        sections.into_iter().map(section_text).collect::<Vec<_>>().join("\n")
    } else {
        overview(&sections)
    };
    show::print(&text)?;
    Ok(SUCCESS)
}

/// What is called so, where it is no section, for which the reason is `why`.
fn named(args: &Args, name: &str, why: &str) -> Result<String> {
    let found = named::called(catalogue(), name);
    if found.is_empty() {
        let near = named::near(catalogue(), name);
        let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
        let why = match near.is_empty() {
            true => why.to_owned(),
            false => format!("nothing is called `{}`; did you mean {}?", shown(name), near.join(" or ")),
        };
        let more = "`tailback list` names all, `tailback list columns` those of a record";
        return Err(Failure::usage(format!("{why}; {more}").replace("?;", "?")));
    }
    if args.markdown {
        return Err(Failure::usage("--markdown prints whole sections"));
    }
    if args.json {
        let rows: Vec<Value> = found.into_iter().map(named_json).collect();
        return Ok(format!("{:#}\n", Value::Array(rows)));
    }
    Ok(found.into_iter().map(named_text).collect::<Vec<_>>().join("\n"))
}

/// One parameter, kind, column or preset as a page shows it.
fn named_text(named: Named) -> String {
    match named {
        Named::Param(section, None, param) => format!("{}\n{}", heading(section), param_text(param, 2)),
        Named::Param(section, Some(entry), param) => {
            format!("{}\n  kind {}\n{}", heading(section), bold(entry.name), param_text(param, 4))
        }
        Named::Kind(section, entry) => format!("{}\n{}", heading(section), entry_text(entry, 2)),
        Named::Column(column) => pairs(&[column_pair(column)]),
        Named::Preset(preset) => preset_text(preset),
    }
}

fn named_json(named: Named) -> Value {
    let mut row = match named {
        Named::Param(.., param) => param_json(param),
        Named::Kind(_, entry) => entry_json(entry),
        Named::Column(column) => column_json(column),
        Named::Preset(preset) => preset_json(preset),
    };
    row["path"] = json!(named.path());
    row
}

fn heading(section: &Section) -> String {
    format!("{}  {}", bold(&format!("[{}]", section.path)), section.doc)
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
pub(super) fn section_text(section: &Section) -> String {
    let mut out = heading(section) + "\n";
    section.params.iter().for_each(|p| out += &param_text(p, 2));
    if !section.entries.is_empty() {
        let default = section.default_entry.map_or("required".to_owned(), |name| format!("{name} by default"));
        out += &format!("  kind ({default}):\n");
    }
    section.entries.iter().for_each(|entry| out += &entry_text(entry, 4));
    out
}

/// One kind whole.
pub(super) fn entry_text(entry: &Entry, indent: usize) -> String {
    let ideal = if entry.ideal { " (ideal: knows what no hardware could)" } else { "" };
    let paper = if entry.paper.is_empty() { String::new() } else { format!(" [{}]", entry.paper) };
    let mut out = format!("{:indent$}{}\n", "", bold(entry.name));
    out += &wrapped(&format!("{}{ideal}{paper}", entry.summary), indent + 2);
    entry.params.iter().for_each(|p| out += &param_text(p, indent + 2));
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
        Kind::Rows { min, max, .. } => format!("list of rows, each a list of integers, each {}", integers(min, max)),
        Kind::Component(path) => format!("a kind of [{path}]: its name or a table"),
        Kind::Tables(_) => "list of tables".to_owned(),
        Kind::Settings => "table of paths and values".to_owned(),
    }
}

fn section_json(section: &Section) -> Value {
    let kinds = section.entries.iter().copied().map(entry_json);
    json!({
        "path": section.path, "doc": section.doc, "default_kind": section.default_entry,
        "params": section.params.iter().map(param_json).collect::<Vec<_>>(),
        "kinds": kinds.collect::<Vec<_>>(),
    })
}

fn entry_json(entry: &Entry) -> Value {
    json!({
        "name": entry.name, "summary": entry.summary, "paper": entry.paper, "ideal": entry.ideal,
        "params": entry.params.iter().map(param_json).collect::<Vec<_>>(),
    })
}

fn preset_json(preset: &Preset) -> Value {
    json!({ "name": preset.name, "summary": preset.summary, "paper": preset.paper, "toml": preset.toml })
}

fn preset_text(preset: &Preset) -> String {
    let mut out = format!("{}  {} [{}]\n", bold(preset.name), preset.summary, preset.paper);
    preset.toml.lines().filter(|line| !line.is_empty()).for_each(|line| out += &format!("    {line}\n"));
    out
}

fn column_json(column: &Column) -> Value {
    json!({ "name": column.name, "unit": column.unit, "meaning": column.meaning })
}

/// A column with its unit, and what it means.
fn column_pair(column: &Column) -> (String, String) {
    let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
    (format!("{}{unit}", column.name), column.meaning.to_owned())
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
        return format!("{:#}\n", Value::Array(presets.iter().map(preset_json).collect()));
    }
    let mut out =
        "preset = \"NAME\" at the top of a spec takes these values as defaults; a value in the spec replaces them.\n\n"
            .to_owned();
    for preset in presets {
        out += &format!("{}\n", preset_text(preset));
    }
    out
}

/// The columns of a record.
fn columns(args: &Args) -> String {
    if args.json {
        return format!("{:#}\n", Value::Array(COLUMNS.iter().map(column_json).collect()));
    }
    let rows: Vec<(String, String)> = COLUMNS.iter().map(column_pair).collect();
    format!("Columns of a record, after those of swept parameters (traffic.load and so on):\n{}", pairs(&rows))
}
