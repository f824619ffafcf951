//! Faults of the catalogue itself. They are our bugs, not the user's; the crate that builds the catalogue tests for none.

use std::collections::BTreeSet;

use crate::catalogue::{Catalogue, Fallback, Kind, Param, Section};
use crate::check;
use crate::effect::When;
use crate::error::Faults;
use crate::node::{Item, Node, Place, join};
use crate::parse;
use crate::resolve::{RESERVED, Resolver};

/// Everything that is wrong with a catalogue: double names, defaults out of range, references to nowhere.
pub fn problems(catalogue: &Catalogue) -> Vec<String> {
    let mut found = Vec::new();
    let mut paths = BTreeSet::new();
    for section in catalogue.every_section() {
        let path = section.path;
        if !paths.insert(path) {
            found.push(format!("two sections are called {path}"));
        }
        if path.is_empty() || RESERVED.contains(&path.split('.').next().unwrap_or("")) {
            found.push(format!("\"{path}\" cannot be a section"));
        }
        if section.default_entry.is_some_and(|name| section.entry(name).is_none()) {
            found.push(format!("the default kind of {path} does not exist"));
        }
        kinds(catalogue, section, &mut found);
        idle(catalogue, section, &mut found);
    }
    presets(catalogue, &mut found);
    found
}

/// A preset has a name of its own, and every key of it exists, with a value in range.
fn presets(catalogue: &Catalogue, found: &mut Vec<String>) {
    let mut names = BTreeSet::new();
    for preset in &catalogue.presets {
        let name = preset.name;
        if !names.insert(name) {
            found.push(format!("two presets are called {name}"));
        }
        let mut faults = Faults::default();
        let root = parse::document(preset.toml, &mut faults);
        let mut resolver = Resolver::new(catalogue);
        resolver.root(&root);
        // What a spec has to say, a preset may leave open.
        let wrong = faults.into_iter().chain(resolver.faults).filter(|error| !error.message.ends_with("is missing"));
        found.extend(wrong.map(|error| format!("preset {name}: {}", error.message)));
    }
}

/// What is said to have no effect exists, and so does all that this depends on.
fn idle(catalogue: &Catalogue, section: &Section, found: &mut Vec<String>) {
    for idle in &section.idle {
        let strange = idle.keys.iter().filter(|key| !is_key(section, key));
        found.extend(strange.map(|key| format!("{}.{key}, said to have no effect, does not exist", section.path)));
        for path in idle.when.iter().filter_map(When::path) {
            let (home, key) = match path.strip_prefix('.') {
                Some(key) => (Some(section), key),
                None => path.rsplit_once('.').map_or((None, path), |(home, key)| (catalogue.section(home), key)),
            };
            if !home.is_some_and(|home| is_key(home, key)) {
                found.push(format!("an effect in {} depends on {path}, which does not exist", section.path));
            }
        }
    }
}

fn is_key(section: &Section, key: &str) -> bool {
    (key == "kind" && !section.entries.is_empty()) || section.every_param().any(|param| param.name == key)
}

fn kinds(catalogue: &Catalogue, section: &Section, found: &mut Vec<String>) {
    let children = catalogue.children(section.path);
    let mut names = BTreeSet::new();
    for entry in &section.entries {
        if !names.insert(entry.name) {
            found.push(format!("two kinds of {} are called {}", section.path, entry.name));
        }
        params(catalogue, section.path, &section.params_of(Some(entry.name)), &children, found);
    }
    if section.entries.is_empty() {
        params(catalogue, section.path, &section.params_of(None), &children, found);
    }
}

fn params(catalogue: &Catalogue, path: &str, params: &[&Param], taken: &[&str], found: &mut Vec<String>) {
    let mut names: BTreeSet<&str> = taken.iter().copied().collect();
    names.insert("kind");
    for param in params {
        let path = join(path, param.name);
        if !names.insert(param.name) {
            found.push(format!("{path} is declared twice"));
        }
        match param.kind {
            Kind::Tables(inner) => {
                if !matches!(param.fallback, Fallback::Empty | Fallback::Required) {
                    found.push(format!("the default of {path} must be empty"));
                }
                self::params(catalogue, &path, &inner.iter().collect::<Vec<_>>(), &[], found);
            }
            Kind::Component(name) => component(catalogue, &path, name, param, found),
            _ => default(&path, param, found),
        }
    }
}

fn component(catalogue: &Catalogue, path: &str, name: &str, param: &Param, found: &mut Vec<String>) {
    let Some(section) = catalogue.section(name).filter(|s| !s.entries.is_empty()) else {
        found.push(format!("{path} refers to {name}, where there is nothing to choose"));
        return;
    };
    if !catalogue.children(name).is_empty() {
        found.push(format!("{path} refers to {name}, which has sub-tables"));
    }
    let fits = match param.fallback {
        Fallback::Text(word) => section.entry(word).is_some_and(complete),
        Fallback::Empty => section.default_entry.and_then(|word| section.entry(word)).is_some_and(complete),
        Fallback::Required => true,
        _ => false,
    };
    if !fits {
        found.push(format!("the default of {path} is no complete kind of {name}"));
    }
}

/// Whether a component can stand without parameters.
fn complete(entry: &crate::Entry) -> bool {
    entry.params.iter().all(|p| p.fallback != Fallback::Required)
}

fn default(path: &str, param: &Param, found: &mut Vec<String>) {
    if param.fallback == Fallback::Required {
        return;
    }
    let mut faults = Faults::default();
    let node = node(&param.fallback.value(&param.kind));
    if check::plain(param, path, &node, &mut faults).is_none() {
        let why = faults.into_iter().next().map_or(String::new(), |e| e.message);
        found.push(format!("the default of {path} is refused: {why}"));
    }
}

fn node(value: &toml::Value) -> Node {
    let item = match value {
        toml::Value::Boolean(v) => Item::Bool(*v),
        toml::Value::Integer(v) => Item::Integer(*v),
        toml::Value::Float(v) => Item::Float(*v),
        toml::Value::Array(v) => Item::List(v.iter().map(node).collect()),
        other => Item::Text(other.as_str().unwrap_or_default().to_owned()),
    };
    Node { item, place: Place { text: 0, start: 0, end: 0 } }
}
