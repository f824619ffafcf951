//! No parameter is ignored in silence: whatever a spec says is refused, or warned of, or changes what comes of the run. The whole
//! catalogue is gone through, so a new parameter that does nothing under some kind of router fails here until its component says
//! so (`Section::idle`); and what is said to have no effect is run with several values, whose results are one.

mod runs;
mod specs;
mod values;

use runs::{point, result};
use specs::{VARIATIONS, bases, kind, set, with};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use tailback_sim::catalogue;
use tailback_spec::{Idle, Kind, Param, Section, When};
use toml::{Table, Value};
use values::{DESIGNS, aids, others};

/// Parameters whose effect is no result of a run; the tests named hold it.
const ELSEWHERE: [&str; 4] = [
    // Here: `what_a_run_may_do_is_decided_before_it`.
    "run.replicas",
    "run.allow_deadlock",
    "run.memory_limit_mib",
    // Pictures alone: `crates/cli/tests/it/effects.rs`.
    "probes.moving_average_windows",
];

/// What a change of a spec came to.
#[derive(Debug)]
enum Verdict {
    Effect,
    Refused,
    /// It was warned of, for these reasons, and had none.
    Warned(BTreeSet<&'static str>),
    Wrong(String),
}

/// A spec that can be, and what it is called.
struct Context {
    name: String,
    spec: Table,
}

/// A change: a value at a path, the parameter it is of, where it is one, and what to try.
struct Change {
    path: String,
    values: Vec<Value>,
    aids: Vec<&'static [(&'static str, &'static str)]>,
}

#[test]
fn whatever_a_spec_says_is_refused_or_warned_of_or_has_an_effect() {
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for (router, base) in bases() {
            let found = &found;
            scope.spawn(move || {
                let mine = of_router(router, &base);
                found.lock().expect("nobody panicked").extend(mine);
            });
        }
    });
    let found = found.into_inner().expect("nobody panicked");
    let (mut wrong, mut reasons) = (Vec::new(), BTreeSet::new());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, verdict) in found {
        let kind = match verdict {
            Verdict::Effect => "effect",
            Verdict::Refused => "refused",
            Verdict::Warned(why) => {
                reasons.extend(why);
                "warned"
            }
            Verdict::Wrong(what) => {
                wrong.push(format!("{name}: {what}"));
                "wrong"
            }
        };
        *counts.entry(kind).or_default() += 1;
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{} of these:\n{}", wrong.len(), wrong.join("\n"));
    let idle = catalogue().sections.iter().flat_map(|section| &section.idle);
    let untried: Vec<&Idle> = idle.copied().filter(|idle| !reasons.contains(idle.because)).collect();
    assert!(untried.is_empty(), "no context of this test is about these: {untried:#?}");
}

/// All changes of all contexts with a router.
fn of_router(router: &str, base: &Table) -> Vec<(String, Verdict)> {
    let mut found = Vec::new();
    let mut tried = |context: &Context, sections: &dyn Fn(&Section) -> bool| {
        for change in changes(&context.spec, sections) {
            found.push((format!("{}, {}", context.name, change.path), verdict(&context.spec, &change)));
        }
    };
    let plain = Context { name: router.to_owned(), spec: base.clone() };
    tried(&plain, &|_| true);
    for section in catalogue().sections.iter().filter(|section| section.path != "router") {
        for entry in &section.entries {
            let mut spec = base.clone();
            set(&mut spec, section.path, kind(section.path, entry.name));
            if chosen(base, section) == Some(entry.name) || result(&spec).is_err() {
                continue;
            }
            let context = Context { name: format!("{router}, {} {}", section.path, entry.name), spec };
            tried(&context, &|other| other.path == section.path || is_crossed(other, section));
        }
    }
    for (section, word, spec) in words(base) {
        let context = Context { name: format!("{router}, {word}"), spec };
        tried(&context, &|other| other.path == section.path);
    }
    for variation in VARIATIONS {
        let context = Context { name: format!("{router}, {variation:?}"), spec: with(base, variation) };
        if result(&context.spec).is_ok() {
            tried(&context, &|other| is_mechanism(other.path));
        }
    }
    for section in &catalogue().sections {
        for idle in &section.idle {
            found.extend(of_idle(router, base, section, idle));
        }
    }
    found
}

/// Whether parameters of a section are tried under every kind of another one: where they say that they depend on it, and where
/// the mechanisms of routers meet.
fn is_crossed(section: &Section, other: &Section) -> bool {
    let about = |idle: &&Idle| {
        idle.when
            .iter()
            .filter_map(When::path)
            .any(|path| path.rsplit_once('.').is_some_and(|(home, _)| home == other.path))
    };
    let structure = ["topology", "routing", "queueing", "admission"].contains(&other.path);
    let timed = other.path == "workload" && ["traffic", "traffic.process", "probes"].contains(&section.path);
    section.idle.iter().any(|idle| about(idle)) || (structure && is_mechanism(section.path)) || timed
}

/// Whether a section is about what routers do.
fn is_mechanism(path: &str) -> bool {
    ["router", "routing", "selection", "admission", "flow_control", "queueing", "interface"].contains(&path)
}

/// The base with every word of every parameter of every kind, where there can be such a network.
fn words(base: &Table) -> Vec<(&'static Section, String, Table)> {
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
fn chosen(spec: &Table, section: &Section) -> Option<&'static str> {
    let resolved = point(spec).expect("it can be").resolved;
    section.entry(resolved.view(section.path).kind()).map(|entry| entry.name)
}

/// What can be changed in the sections of a spec: every parameter, and the kind to every other one.
fn changes(spec: &Table, sections: &dyn Fn(&Section) -> bool) -> Vec<Change> {
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
fn changed(spec: &Table, path: &str, value: &Value) -> Table {
    let mut spec = spec.clone();
    set(&mut spec, path.strip_suffix(".kind").unwrap_or(path), value.clone());
    spec
}

/// The reasons for which a spec says in vain what is at a path.
fn reasons(spec: &Table, path: &str) -> BTreeSet<&'static str> {
    let Ok(point) = point(spec) else { return BTreeSet::new() };
    let told = point.without_effect(catalogue()).into_iter();
    let within = |whole: &str| path.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    told.filter(|told| within(&told.path)).map(|told| told.because).collect()
}

/// What comes of a change, with what helps it to show where a network can have that.
fn verdict(spec: &Table, change: &Change) -> Verdict {
    let first = change.values.iter().map(|value| reasons(&changed(spec, &change.path, value), &change.path));
    let warned: BTreeSet<&str> = first.flatten().chain(reasons(spec, &change.path)).collect();
    if !warned.is_empty() {
        return without(spec, change, warned);
    }
    let helped = change.aids.iter().map(|aids| with(spec, aids));
    let (mut refusals, mut ran) = (Vec::new(), 0);
    for base in helped.chain([spec.clone()]) {
        for design in DESIGNS {
            let base = with(&base, design);
            let Ok(before) = result(&base) else { continue };
            for value in change.values.iter().take(8) {
                match result(&changed(&base, &change.path, value)) {
                    Ok(after) if after != before => return Verdict::Effect,
                    Ok(_) => ran += 1,
                    Err(why) => refusals.push(why),
                }
            }
        }
    }
    let key = change.path.rsplit('.').next().expect("a key");
    let section = change.path.rsplit_once('.').and_then(|(section, _)| section.rsplit('.').next()).expect("a section");
    // With a kind comes all that it needs.
    let named = |why: &String| key == "kind" || why.contains(key) || why.contains(section);
    match (ran, refusals.iter().all(named)) {
        (0, true) if !refusals.is_empty() => Verdict::Refused,
        (0, _) => Verdict::Wrong(format!("never runs: {}", refusals.join("\n"))),
        _ => Verdict::Wrong(format!("no effect, refusal or warning with {:?}", change.values)),
    }
}

/// What was warned of has no effect.
fn without(spec: &Table, change: &Change, warned: BTreeSet<&'static str>) -> Verdict {
    for design in &DESIGNS[..2] {
        let base = with(spec, design);
        let Ok(before) = result(&base) else { continue };
        for value in change.values.iter().take(3) {
            let spec = changed(&base, &change.path, value);
            if reasons(&spec, &change.path).is_empty() && reasons(&base, &change.path).is_empty() {
                continue;
            }
            match result(&spec) {
                Ok(after) if after != before => {
                    return Verdict::Wrong(format!("it has an effect with {value}, against {warned:?}"));
                }
                _ => {}
            }
        }
    }
    Verdict::Warned(warned)
}

/// The keys of what is said to have no effect, tried where it is said: with each kind that has them, on each variation of the
/// base, and with every word that it depends on.
fn of_idle(router: &str, base: &Table, section: &Section, idle: &Idle) -> Vec<(String, Verdict)> {
    let mut found = Vec::new();
    for key in idle.keys {
        let path = format!("{}.{key}", section.path);
        let has = |name: &str| *key == "kind" || section.params_of(Some(name)).iter().any(|param| param.name == *key);
        let kinds: Vec<Option<&str>> = match section.entries.is_empty() || section.path == "router" {
            true => vec![None],
            false => section.entries.iter().map(|entry| entry.name).filter(|name| has(name)).map(Some).collect(),
        };
        for (kind, variation) in kinds.into_iter().flat_map(|kind| VARIATIONS.iter().map(move |v| (kind, v))) {
            for spec in supposed(base, section, (idle, key), kind, variation) {
                let Ok(resolved) = point(&spec).map(|point| point.resolved) else { continue };
                let now = resolved.get(&path).cloned();
                let param = section.every_param().find(|param| param.name == *key);
                let values = match (param, &now) {
                    // The default kind is what comes of one that does nothing.
                    (None, Some(_)) => vec![resolved.get(section.path).cloned().expect("a table")],
                    (Some(param), Some(now)) => others(param, &path, now),
                    _ => continue,
                };
                let plain = match (param, section.default_entry) {
                    (None, Some(default)) => changed(&spec, &path, &specs::kind(section.path, default)),
                    _ => spec,
                };
                let change = Change { path: path.clone(), values, aids: Vec::new() };
                let warned: BTreeSet<&str> =
                    change.values.iter().flat_map(|value| reasons(&changed(&plain, &path, value), &path)).collect();
                if warned.contains(idle.because) {
                    found
                        .push((format!("{router}, {kind:?}, {variation:?}, {path}"), without(&plain, &change, warned)));
                }
            }
        }
    }
    found
}

/// Specs for which the words of a condition hold, as far as it has words.
fn supposed(
    base: &Table,
    section: &Section,
    (idle, key): (&Idle, &str),
    kind: Option<&str>,
    variation: &[(&str, &str)],
) -> Vec<Table> {
    let mut spec = base.clone();
    if let Some(kind) = kind {
        set(&mut spec, section.path, specs::kind(section.path, kind));
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

#[test]
fn what_a_run_may_do_is_decided_before_it() {
    let base = &bases()[0].1;
    let locks = with(base, &[("routing.datelines", "'none'"), ("router.virtual_channels", "1")]);
    assert!(result(&locks).is_ok());
    let refused = |changes: &[(&str, &str)]| result(&with(&locks, changes)).expect_err("it is refused");
    assert!(refused(&[("run.allow_deadlock", "false")]).contains("run.allow_deadlock"));
    assert!(refused(&[("topology.radix", "[64, 64]"), ("run.memory_limit_mib", "1")]).contains("memory"));
    let text = toml::to_string(&with(base, &[("run.replicas", "3")])).expect("a spec");
    let plan =
        tailback_spec::Document::parse("replicas.toml", text.as_bytes()).and_then(|d| Ok(d.plan(catalogue())?.len()));
    assert_eq!(plan, Ok(3));
}
