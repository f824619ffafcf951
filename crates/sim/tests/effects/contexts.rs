//! Which changes are tried in which specs.

use super::Change;
use super::runs::{point, result};
use super::values::{aids, others};
use crate::common::specs::{kind, set, with};
use std::collections::BTreeSet;
use tailback_sim::catalogue;
use tailback_spec::{Idle, Kind, Param, Section, When};
use toml::{Table, Value};

/// What else may matter, on top of a base.
pub const VARIATIONS: [&[(&str, &str)]; 13] = [
    &[],
    &[("topology.kind", "'mesh'")],
    &[("topology.radix", "[5, 5]")],
    &[("topology.radix", "[8]")],
    &[("topology.radix", "[8]"), ("probes.space_time_cycles", "60")],
    &[("router.virtual_channels", "1"), ("topology.kind", "'mesh'")],
    &[("router.virtual_channels", "2")],
    &[("routing", "{ kind = 'adaptive', escape = 'none' }")],
    &[("routing", "{ kind = 'adaptive' }")],
    &[("router.header_cycles", "3")],
    &[("router.channel_buffer_flits", "[4, 4, 4, 12]")],
    &[("workload.cycles", "600")],
    &[("topology", "{ kind = 'hyperx', sides = [4, 4] }"), ("routing", "{ kind = 'valiant' }")],
];

/// Classes of packets, each with a traffic of its own.
pub const CLASSES: &[(&str, &str)] = &[("traffic.classes", "[{}, { process = 'periodic' }]")];

/// Parameters whose effect is no result of a run; the tests named hold it.
const ELSEWHERE: [&str; 5] = [
    // Here: `what_a_run_may_do_is_decided_before_it`.
    "run.replicas",
    "run.allow_deadlock",
    "run.memory_limit_mib",
    // Results do not depend on it: `crates/embed/tests/same.rs`.
    "workload.threads",
    // Pictures alone: `crates/cli/tests/it/effects.rs`.
    "probes.moving_average_windows",
];

/// Whether parameters of a section are tried under every kind of another one: where they say that they depend on it, and where
/// the mechanisms of routers meet.
pub fn is_crossed(section: &Section, other: &Section) -> bool {
    let about = |idle: &&Idle| {
        idle.when
            .iter()
            .filter_map(When::path)
            .any(|path| path.rsplit_once('.').is_some_and(|(home, _)| home == other.path))
    };
    let structure = ["topology", "routing", "queueing", "admission"].contains(&other.path);
    let timed = other.path == "workload" && ["traffic", "traffic.process", "probes"].contains(&section.path);
    section.idle.iter().any(about) || (structure && is_mechanism(section.path)) || timed
}

/// Whether a section is about what routers do.
pub fn is_mechanism(path: &str) -> bool {
    ["router", "routing", "selection", "arbiter", "admission", "flow_control", "queueing", "interface"].contains(&path)
}

/// The base with every word of every parameter of every kind, where there can be such a network.
pub fn words(base: &Table) -> Vec<(&'static Section, String, Table)> {
    let mut found = Vec::new();
    for section in &catalogue().sections {
        let entries: Vec<Option<&str>> = match section.entries.is_empty() || section.path == "router" {
            true => vec![None],
            false => section.entries.iter().map(|entry| Some(entry.name)).collect(),
        };
        for entry in entries {
            let mut spec = base.clone();
            if let Some(name) = entry {
                set(&mut spec, section.path, kind(section.path, name));
            }
            let Ok(resolved) = point(&spec).map(|point| point.resolved) else { continue };
            for param in section.every_param() {
                let path = format!("{}.{}", section.path, param.name);
                let Some(now) = resolved.get(&path) else { continue };
                let values = match param.kind {
                    Kind::Bool | Kind::Choice(_) => others(param, &path, now),
                    _ => Vec::new(),
                };
                for value in values {
                    let helped = aids(&path).iter().fold(spec.clone(), |spec, aids| with(&spec, aids));
                    let spec = changed(&helped, &path, &value);
                    if result(&spec).is_ok() && found.iter().all(|(_, _, known)| *known != spec) {
                        found.push((section, format!("{path} = {value}"), spec));
                    }
                }
            }
        }
    }
    found
}

/// The kind that a spec chooses.
pub fn chosen(spec: &Table, section: &Section) -> Option<&'static str> {
    let resolved = point(spec).expect("it can be").resolved;
    section.entry(resolved.view(section.path).kind()).map(|entry| entry.name)
}

/// What can be changed in the sections of a spec: every parameter, and the kind to every other one.
pub fn changes(spec: &Table, sections: &dyn Fn(&Section) -> bool) -> Vec<Change> {
    let resolved = point(spec).expect("it can be").resolved;
    let mut changes = Vec::new();
    for section in catalogue().sections.iter().filter(|section| sections(section)) {
        let chosen = (!section.entries.is_empty()).then(|| resolved.view(section.path).kind());
        // Kinds are compared with the default.
        if section.path != "router" && chosen == section.default_entry.or(chosen) {
            for entry in section.entries.iter().filter(|entry| Some(entry.name) != chosen) {
                let path = format!("{}.kind", section.path);
                changes.push(Change { values: vec![kind(section.path, entry.name)], aids: aids(&path), path });
            }
        }
        for param in section.params_of(chosen) {
            let path = format!("{}.{}", section.path, param.name);
            if !ELSEWHERE.contains(&path.as_str()) {
                changes.push(change(param, path, resolved.get(&format!("{}.{}", section.path, param.name))));
            }
        }
    }
    changes
}

fn change(param: &Param, path: String, now: Option<&Value>) -> Change {
    Change { values: others(param, &path, now.unwrap_or(&Value::Boolean(false))), aids: aids(&path), path }
}

/// A spec in which a change is written: a kind is a whole table.
pub fn changed(spec: &Table, path: &str, value: &Value) -> Table {
    let mut spec = spec.clone();
    set(&mut spec, path.strip_suffix(".kind").unwrap_or(path), value.clone());
    spec
}

/// The reasons for which a spec says in vain what is at a path.
pub fn reasons(spec: &Table, path: &str) -> BTreeSet<&'static str> {
    let Ok(point) = point(spec) else { return BTreeSet::new() };
    let told = point.without_effect(catalogue()).into_iter();
    let within = |whole: &str| path.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    told.filter(|told| within(&told.path)).map(|told| told.because).collect()
}

/// Specs for which the words of a condition hold, as far as it has words.
pub fn supposed(
    base: &Table,
    section: &Section,
    (idle, key): (&Idle, &str),
    chosen: Option<&str>,
    variation: &[(&str, &str)],
) -> Vec<Table> {
    let mut spec = base.clone();
    if let Some(name) = chosen {
        set(&mut spec, section.path, kind(section.path, name));
    }
    let mut specs = vec![with(&spec, variation)];
    for when in idle.when {
        let (path, words): (String, &[&str]) = match *when {
            When::Is(path, words) => (path.to_owned(), words),
            When::IsNot(path, _) if path == "probes.window_cycles" => (path.to_owned(), &["7"]),
            _ => continue,
        };
        let path = path.strip_prefix('.').map_or(path.clone(), |key| format!("{}.{key}", section.path));
        // The bases and variations have the kinds; what depends on itself is tried with all its values.
        if path.ends_with(".kind") || path == format!("{}.{key}", section.path) {
            continue;
        }
        let text = |word: &str| match toml::from_str::<Table>(&format!("it = {word}")) {
            Ok(mut table) => table.remove("it").expect("it is there"),
            Err(_) => Value::String(word.to_owned()),
        };
        let put = |spec: &Table, word: &&str| {
            let mut spec = spec.clone();
            set(&mut spec, &path, text(word));
            spec
        };
        specs = specs.iter().flat_map(|spec| words.iter().map(move |word| put(spec, word))).collect();
    }
    specs
}
