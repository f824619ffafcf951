//! The resolved spec as TOML for reading: every value with its unit, and whether it is a default.

use toml::{Table, Value};

use crate::catalogue::{Catalogue, Kind, Param, Section};
use crate::node::join;
use crate::resolved::{Origin, Resolved};
use tailback_base::text::is_hostile;

/// Column at which comments begin, where the value leaves room.
const COMMENT: usize = 36;

impl Resolved {
    /// The spec as TOML that resolves to the same: each key with its unit and a mark where the value is a default. The base
    /// of a sweep keeps its `[sweep]`.
    pub fn to_toml(&self, catalogue: &Catalogue) -> String {
        let mut writer = Writer { resolved: self, catalogue, out: String::new() };
        for key in ["name", "description"] {
            if let Some(value) = self.table.get(key) {
                writer.line(key, value, "");
            }
        }
        if let Some(preset) = self.table.get("preset").filter(|_| !writer.preset_swept()) {
            writer.line("preset", preset, "its values are marked below");
        }
        for child in catalogue.children("") {
            if let Some(Value::Table(table)) = self.table.get(child) {
                writer.section(child, table);
            }
        }
        if let Some(Value::Table(sweep)) = &self.sweep {
            writer.header("[", "sweep", "]", "");
            for (key, value) in sweep {
                writer.line(&quoted(key), value, "");
            }
        }
        writer.out
    }
}

struct Writer<'a> {
    resolved: &'a Resolved,
    catalogue: &'a Catalogue,
    out: String,
}

impl Writer<'_> {
    /// Whether every point has a preset of its own. Written down, the values of one would stand in the way of the others,
    /// and so would defaults.
    fn preset_swept(&self) -> bool {
        self.resolved.sweep.as_ref().is_some_and(|sweep| sweep.get("preset").is_some())
    }

    /// A key, as a comment where its value may depend on the point.
    fn key(&self, path: &str, key: &str) -> String {
        let loose = matches!(self.resolved.sources.origin(path), Origin::Default | Origin::Preset);
        if loose && self.preset_swept() { format!("# {key}") } else { key.to_owned() }
    }

    fn section(&mut self, path: &str, table: &Table) {
        let section = self.catalogue.section(path);
        if let Some(section) = section {
            self.chosen(path, path, section, table, section.doc);
        }
        for child in self.catalogue.children(path) {
            if let Some(Value::Table(inner)) = table.get(child) {
                self.section(&join(path, child), inner);
            }
        }
    }

    /// A section's own table, or that of a component of it at another path.
    fn chosen(&mut self, path: &str, header: &str, section: &Section, table: &Table, doc: &str) {
        let kind = table.get("kind").filter(|_| !section.entries.is_empty());
        let params = section.params_of(kind.and_then(Value::as_str));
        if params.is_empty() && kind.is_none() {
            return;
        }
        self.header("[", header, "]", doc);
        if let Some(kind) = kind {
            let entry = kind.as_str().and_then(|k| section.entry(k));
            self.line(
                &self.key(&join(path, "kind"), "kind"),
                kind,
                &self.comment(&join(path, "kind"), entry.map_or("", |e| e.summary)),
            );
        }
        let swept = self.resolved.sweep.as_ref().is_some_and(|s| s.get(format!("{path}.kind")).is_some());
        let (loose, fixed): (Vec<&'static Param>, Vec<&'static Param>) = params.into_iter().partition(|p| {
            let own = !section.params.iter().any(|q| q.name == p.name);
            let origin = self.resolved.sources.origin(&join(path, p.name));
            swept && own && matches!(origin, Origin::Default | Origin::Preset)
        });
        // Written down, defaults of one kind would stand in the way of the other kinds of the sweep.
        for param in loose {
            if let Some(value) = table.get(param.name) {
                let key = format!("# {}", param.name);
                self.line(&key, value, &self.comment(&join(path, param.name), param.unit));
            }
        }
        self.params(path, header, &fixed, table);
    }

    /// Plain values first: in TOML, what follows a sub-table's header belongs to it.
    fn params(&mut self, path: &str, header: &str, params: &[&'static Param], table: &Table) {
        let values = || params.iter().filter_map(|p| table.get(p.name).map(|v| (*p, v)));
        let nested = |param: &Param, value: &Value| match (param.kind, value) {
            (Kind::Component(_), _) => true,
            (Kind::Tables(_), Value::Array(list)) => !list.is_empty(),
            _ => false,
        };
        for (param, value) in values().filter(|(p, v)| !nested(p, v)) {
            self.line(
                &self.key(&join(path, param.name), param.name),
                value,
                &self.comment(&join(path, param.name), param.unit),
            );
        }
        for (param, value) in values().filter(|(p, v)| nested(p, v)) {
            let (path, header) = (join(path, param.name), join(header, param.name));
            match (param.kind, value) {
                (Kind::Component(name), Value::Table(inner)) => {
                    if let Some(section) = self.catalogue.section(name) {
                        self.chosen(&path, &header, section, inner, param.doc);
                    }
                }
                (Kind::Tables(params), Value::Array(list)) => {
                    let params: Vec<&'static Param> = params.iter().collect();
                    for (i, element) in list.iter().enumerate() {
                        self.header("[[", &header, "]]", "");
                        if let Value::Table(inner) = element {
                            self.params(&format!("{path}[{i}]"), &header, &params, inner);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn comment(&self, path: &str, text: &str) -> String {
        let origin = match self.resolved.sources.origin(path) {
            Origin::Default => "default",
            Origin::Preset => "preset",
            _ => return text.to_owned(),
        };
        match text {
            "" => origin.to_owned(),
            text => format!("{}; {origin}", text.trim_end_matches('.')),
        }
    }

    fn header(&mut self, open: &str, path: &str, close: &str, doc: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let comment = if doc.is_empty() { String::new() } else { format!("  # {}", one_line(doc)) };
        self.out.push_str(&format!("{open}{path}{close}{comment}\n"));
    }

    fn line(&mut self, key: &str, value: &Value, comment: &str) {
        let text = format!("{key} = {}", inline(value));
        let width = text.chars().count();
        self.out.push_str(&text);
        if !comment.is_empty() {
            self.out.push_str(&" ".repeat(COMMENT.saturating_sub(width).max(2)));
            self.out.push_str(&format!("# {}", one_line(comment)));
        }
        self.out.push('\n');
    }
}

/// A value on one line.
fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => string(text),
        Value::Array(list) => format!("[{}]", list.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Table(table) => {
            let pairs: Vec<String> = table.iter().map(|(k, v)| format!("{} = {}", bare(k), inline(v))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        Value::Float(number) if number.is_finite() => format!("{number:?}"),
        other => other.to_string(),
    }
}

/// A basic string on one line: TOML's own writer may choose several.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_hostile(c) => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn quoted(key: &str) -> String {
    if key == "zip" { key.to_owned() } else { string(key) }
}

fn bare(key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if plain { key.to_owned() } else { string(key) }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
