//! The catalogue for reading: the page of the documentation, and what `list` shows.

use crate::catalogue::{Catalogue, Entry, Fallback, Kind, Param, Section};
use crate::effect::{Idle, When};
use crate::words;

/// The sections, or the one that `filter` names together with those below it. Errors with the sentence to print when there
/// is none.
pub fn list<'c>(catalogue: &'c Catalogue, filter: Option<&str>) -> Result<Vec<&'c Section>, String> {
    let Some(filter) = filter else { return Ok(catalogue.every_section().collect()) };
    let fits = |s: &&Section| s.path.strip_prefix(filter).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let found: Vec<&Section> = catalogue.every_section().filter(fits).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let paths: Vec<&str> = catalogue.every_section().map(|s| s.path).collect();
    let (_, help) = words::instead(filter, "sections", &paths);
    Err(format!("there is no section `{}`; {help}", words::shorten(filter)))
}

/// Documentation of every section, kind and parameter, as Markdown.
pub fn markdown(catalogue: &Catalogue) -> String {
    let mut out = String::new();
    if !catalogue.presets.is_empty() {
        presets(catalogue, &mut out);
    }
    for section in catalogue.every_section() {
        out.push_str(&format!("## `[{}]`\n\n{}\n\n", section.path, section.doc));
        if !section.params.is_empty() {
            table(section.params, &mut out);
        }
        if !section.entries.is_empty() {
            kinds(section, &mut out);
        }
        section.entries.iter().for_each(|e| component(section, e, &mut out));
        idle(section, &mut out);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn presets(catalogue: &Catalogue, out: &mut String) {
    out.push_str(
        "## `preset`\n\n`preset = \"name\"` at the top of a spec takes the values of a preset as defaults; what the \
         spec \
         itself says comes before them. A section for which the spec chooses another kind takes nothing from the preset. \
         Presets can be swept. `tailback list presets` shows their values.\n\n| preset | what it is | paper |\n|---|---|---|\n",
    );
    for preset in &catalogue.presets {
        out.push_str(&format!("| `{}` | {} | {} |\n", preset.name, cell(preset.summary), cell(preset.paper)));
    }
    out.push('\n');
}

fn kinds(section: &Section, out: &mut String) {
    let default = match section.default_entry {
        Some(name) => format!("`{name}` by default"),
        None => "required".to_owned(),
    };
    out.push_str(&format!(
        "`kind` chooses one of these ({default}):\n\n| kind | what it does | paper |\n|---|---|---|\n"
    ));
    for entry in &section.entries {
        let ideal = if entry.ideal { " (ideal: knows what no hardware could)" } else { "" };
        out.push_str(&format!("| `{}` | {}{ideal} | {} |\n", entry.name, cell(entry.summary), cell(entry.paper)));
    }
    out.push('\n');
}

fn component(section: &Section, entry: &Entry, out: &mut String) {
    if entry.params.is_empty() {
        return;
    }
    out.push_str(&format!("### `{}` of `[{}]`\n\n{}\n\n", entry.name, section.path, entry.summary));
    table(entry.params, out);
}

/// What of a section has no effect, and when.
fn idle(section: &Section, out: &mut String) {
    if section.idle.is_empty() {
        return;
    }
    out.push_str(&format!(
        "Keys of `[{}]` that have no effect in some specs; `check` and `run` warn of them:\n\n",
        section.path
    ));
    for idle in &section.idle {
        let keys: Vec<String> = idle.keys.iter().map(|key| format!("`{key}`")).collect();
        let keys = if keys.is_empty() { "all of it".to_owned() } else { keys.join(", ") };
        out.push_str(&format!("- {keys}{}, because {}.\n", conditions(idle), idle.because));
    }
    out.push('\n');
}

fn conditions(idle: &Idle) -> String {
    let word = |word: &&str| if word.is_empty() { "not given".to_owned() } else { format!("`{word}`") };
    let words = |words: &[&str]| words.iter().map(word).collect::<Vec<_>>().join(" or ");
    let of = |when: &When| match *when {
        When::Is(path, is) => format!("if `{}` is {}", path.trim_start_matches('.'), words(is)),
        When::IsNot(path, is) => format!("if `{}` is not {}", path.trim_start_matches('.'), words(is)),
        When::Where(place, _) => format!("where {place}"),
    };
    format!(" {}", idle.when.iter().map(of).collect::<Vec<_>>().join(" and "))
}

fn table(params: &[Param], out: &mut String) {
    out.push_str("| key | value | unit | default | meaning |\n|---|---|---|---|---|\n");
    rows("", params, out);
    out.push('\n');
}

fn rows(prefix: &str, params: &[Param], out: &mut String) {
    for param in params {
        let unit = if param.unit.is_empty() { "-" } else { param.unit };
        let default = default_text(param).map_or_else(|| "required".to_owned(), |d| format!("`{d}`"));
        let key = format!("{prefix}{}", param.name);
        let meaning = cell(param.doc);
        out.push_str(&format!("| `{key}` | {} | {} | {default} | {meaning} |\n", cell(&values(param)), cell(unit)));
        if let Kind::Tables(inner) = param.kind {
            rows(&format!("{key}[].", key = key), inner, out);
        }
    }
}

/// The type and range of a parameter, in words.
pub(crate) fn values(param: &Param) -> String {
    let ranged = |noun: &str| words::range(&param.kind, "").map_or(noun.to_owned(), |r| format!("{noun} {r}"));
    match param.kind {
        Kind::Bool => "`true` or `false`".to_owned(),
        Kind::Integer { .. } => ranged("integer"),
        Kind::Float { .. } => ranged("number"),
        Kind::IntegerOrInfinite { .. } => format!("{}, or `\"infinite\"`", ranged("integer")),
        Kind::IntegerOrAuto { .. } => format!("{}, or `\"auto\"`", ranged("integer")),
        Kind::Choice(words) => {
            words.iter().map(|(word, doc)| format!("`\"{word}\"`: {doc}")).collect::<Vec<_>>().join("; ")
        }
        Kind::Text => "text".to_owned(),
        Kind::Path => "path of a file, relative to the spec".to_owned(),
        Kind::Integers { min_len, max_len, .. } => {
            format!("list of {}, each {}", words::length(min_len, max_len), ranged("an integer"))
        }
        Kind::Floats { min_len, max_len, .. } => {
            format!("list of {}, each {}", words::length(min_len, max_len), ranged("a number"))
        }
        Kind::Rows { min_len, max_len, .. } => {
            format!("list of rows of {}, each {}", words::length(min_len, max_len), ranged("an integer"))
        }
        Kind::Component(path) => format!("a kind of `[{path}]`: its name, or a table"),
        Kind::Tables(_) => "list of tables".to_owned(),
        Kind::Settings => "table of paths and values".to_owned(),
    }
}

/// The default as TOML, or `None` where there is none.
pub(crate) fn default_text(param: &Param) -> Option<String> {
    match (param.fallback, param.kind) {
        (Fallback::Required, _) => None,
        (Fallback::Empty, Kind::Component(_)) => Some("the section's default".to_owned()),
        _ => Some(param.fallback.value(&param.kind).to_string()),
    }
}

/// Text that may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
