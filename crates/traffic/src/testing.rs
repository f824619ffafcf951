//! Resolved specs for tests: the catalogue's defaults, overlaid with TOML text.

use crate::{Problem, Shape, Traffic, nested, sections};
use std::sync::atomic::{AtomicU32, Ordering};
use tailback_spec::{Fallback, Kind, Param, Section, View};
use toml::{Table, Value};

/// A network of one node a router.
pub fn shape(radix: &[u32]) -> Shape {
    Shape { radix: radix.to_vec(), nodes_per_router: 1 }
}

/// The resolved table of the section at `path`: `overlay` and, where it is silent, defaults.
pub fn resolved(path: &str, overlay: &Table) -> Table {
    let sections: Vec<Section> = sections().into_iter().chain(nested()).collect();
    let section = sections.iter().find(|section| section.path == path).expect("a section");
    let mut table = overlay.clone();
    if let Some(kind) = section.default_entry {
        table.entry("kind").or_insert(kind.into());
        let entry = section.entry(table["kind"].as_str().expect("a word")).expect("a known kind");
        resolve(entry.params, &mut table);
    }
    resolve(section.params, &mut table);
    for child in children(&crate::sections(), path) {
        let key = child.path.rsplit('.').next().expect("a last part");
        let overlay = table.get(key).cloned().unwrap_or(Value::Table(Table::new()));
        table.insert(key.into(), component(child.path, &overlay));
    }
    table
}

fn children<'a>(sections: &'a [Section], path: &str) -> impl Iterator<Item = &'a Section> {
    sections.iter().filter(move |section| section.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
}

fn component(path: &str, value: &Value) -> Value {
    let overlay = match value {
        Value::String(kind) => Table::from_iter([("kind".to_owned(), Value::from(kind.as_str()))]),
        other => other.as_table().expect("a component").clone(),
    };
    Value::Table(resolved(path, &overlay))
}

fn resolve(params: &[Param], table: &mut Table) {
    for param in params {
        if !table.contains_key(param.name) {
            let value: Value = match param.fallback {
                Fallback::Required => panic!("{} is required", param.name),
                Fallback::Bool(v) => v.into(),
                Fallback::Integer(v) => v.into(),
                Fallback::Float(v) => v.into(),
                Fallback::Text(v) => v.into(),
                Fallback::Integers(v) => v.to_vec().into(),
                Fallback::Floats(v) => v.to_vec().into(),
                Fallback::Empty => Value::Array(Vec::new()),
            };
            table.insert(param.name.into(), value);
        }
        match (param.kind, table.get_mut(param.name).expect("just inserted")) {
            (Kind::Component(path), value) => *value = component(path, value),
            (Kind::Tables(params), Value::Array(tables)) => {
                tables.iter_mut().for_each(|t| resolve(params, t.as_table_mut().expect("a table")));
            }
            _ => {}
        }
    }
}

/// The traffic of a spec text with the tables `traffic` and `workload`.
pub fn try_traffic(text: &str, shape: &Shape, seed: u64) -> Result<Traffic, Vec<Problem>> {
    let spec: Table = text.parse().expect("TOML");
    let section = |path: &str| {
        let empty = Table::new();
        resolved(path, spec.get(path).map_or(&empty, |value| value.as_table().expect("a table")))
    };
    Traffic::build(View::new(&section("traffic")), View::new(&section("workload")), shape, seed)
}

/// As [`try_traffic`], which must succeed.
pub fn traffic(text: &str, shape: &Shape, seed: u64) -> Traffic {
    try_traffic(text, shape, seed).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

/// The only problem of a spec text, as `path: message`.
pub fn refusal(text: &str, shape: &Shape) -> String {
    let problems = try_traffic(text, shape, 1).err().unwrap_or_else(|| panic!("accepted: {text}"));
    assert_eq!(problems.len(), 1, "{problems:?}");
    format!("{}: {}", problems[0].0, problems[0].1)
}

/// A text file among the temporary ones, gone with this value.
pub struct TextFile(std::path::PathBuf);

impl TextFile {
    /// A file with a name of its own that holds `text`.
    pub fn new(text: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tailback-traffic-{}-{count}", std::process::id()));
        std::fs::write(&path, text).expect("a writable directory");
        TextFile(path)
    }

    /// Where it is.
    pub fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for TextFile {
    fn drop(&mut self) {
        // Nothing depends on it.
        let _ = std::fs::remove_file(&self.0);
    }
}
