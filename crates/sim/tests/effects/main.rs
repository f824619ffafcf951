//! No parameter is ignored in silence: whatever a spec says is refused, or warned of, or changes what comes of the run. The whole
//! catalogue is gone through, so a new parameter that does nothing under some kind of router fails here until its component says
//! so (`Section::idle`); and what is said to have no effect is run with several values, whose results are one.

mod contexts;
mod runs;
mod shapes;
mod values;

use crate::common::specs;
use crate::common::specs::{bases, kind, set, value, with};
use contexts::{CLASSES, VARIATIONS, changed, changes, chosen, is_crossed, is_mechanism, reasons, supposed, words};
use runs::{point, result};
use shapes::{WITHOUT_GRID, without_grid};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use tailback_sim::catalogue;
use tailback_spec::{Idle, Kind, Section};
use toml::{Table, Value};
use values::{DESIGNS, others};

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
    // What idles in the topology does so without a grid: see below.
    all_tried(&reasons, |section| section.path != "topology");
}

/// What these sections say of parameters without effect was told, for these reasons.
fn all_tried(reasons: &BTreeSet<&str>, sections: impl Fn(&Section) -> bool) {
    let idle = catalogue().sections.iter().filter(|section| sections(section)).flat_map(|section| &section.idle);
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
    let context = Context { name: format!("{router}, {CLASSES:?}"), spec: with(base, CLASSES) };
    if result(&context.spec).is_ok() {
        tried(&context, &|other| other.path.starts_with("traffic"));
    }
    for section in &catalogue().sections {
        for idle in &section.idle {
            found.extend(of_idle(router, base, section, idle));
        }
    }
    found
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

/// Networks without a grid: all parameters of each kind, also where another one of them was chosen; and all of one of them.
#[test]
fn the_same_holds_for_networks_without_a_grid() {
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for of_kind in WITHOUT_GRID {
            let found = &found;
            scope.spawn(move || {
                let mine = of_network(of_kind);
                found.lock().expect("nobody panicked").extend(mine);
            });
        }
    });
    let (mut wrong, mut reasons) = (Vec::new(), BTreeSet::new());
    for (name, verdict) in found.into_inner().expect("nobody panicked") {
        match verdict {
            Verdict::Wrong(what) => wrong.push(format!("{name}: {what}")),
            Verdict::Warned(why) => reasons.extend(why),
            Verdict::Effect | Verdict::Refused => {}
        }
    }
    assert!(wrong.is_empty(), "{} of these:\n{}", wrong.len(), wrong.join("\n"));
    all_tried(&reasons, |section| section.path == "topology");
}

fn of_network((kind, params, lists): (&str, &str, &[(&str, &[&str])])) -> Vec<(String, Verdict)> {
    let base = without_grid(kind, params);
    let changes = |spec: &Table, sections: &dyn Fn(&Section) -> bool| {
        let mut changes = changes(spec, sections);
        for change in &mut changes {
            let of_list = lists.iter().find(|(name, _)| change.path == format!("topology.{name}"));
            change
                .values
                .splice(..0, of_list.into_iter().flat_map(|(_, values)| values.iter().map(|text| value(text))));
        }
        changes
    };
    let whole = kind == WITHOUT_GRID[0].0;
    let mut found = Vec::new();
    // A leaf of a tree has as many nodes as the tree says: all other numbers are refused, whatever else is chosen.
    let leaves = ["fat_tree", "folded_clos"].contains(&kind);
    if leaves {
        let nodes = result(&with(&base, &[("topology.nodes_per_router", "7")])).expect_err("a leaf has no 7 nodes");
        assert!(nodes.contains("`nodes_per_router` is 7"), "{nodes}");
    }
    let is_open = |change: &Change| !(leaves && change.path == "topology.nodes_per_router");
    for change in changes(&base, &|section| whole || section.path.starts_with("topology")).into_iter().filter(is_open) {
        found.push((format!("{kind}, {}", change.path), verdict(&base, &change)));
        let others = change.values.iter().map(|value| changed(&base, &change.path, value));
        let Some(spec) = others.into_iter().find(|spec| result(spec).is_ok()) else { continue };
        if !change.path.starts_with("topology.") || change.path == "topology.kind" {
            continue;
        }
        let first = change.path.trim_start_matches("topology.");
        for second in changes(&spec, &|section| section.path == "topology") {
            if second.path == change.path || second.path == "topology.kind" || !is_open(&second) {
                continue;
            }
            let verdict = match verdict(&spec, &second) {
                // A list that has a value for each level is refused for another number of levels, and not these.
                Verdict::Wrong(why) if why.starts_with("never runs") && why.contains(first) => Verdict::Refused,
                other => other,
            };
            found.push((format!("{kind}, {} and {}", change.path, second.path), verdict));
        }
    }
    found
}

/// What each kind of generated program needs.
const GENERATED: [(&str, &str); 11] = [
    ("all_reduce", "ranks = 8, flits = 64, groups = 2"),
    ("reduce_scatter", "ranks = 8, flits = 64"),
    ("all_gather", "ranks = 8, flits = 64"),
    ("broadcast", "ranks = 8, flits = 64"),
    ("reduce", "ranks = 8, flits = 64"),
    ("all_to_all", "ranks = 8, flits = 64"),
    ("barrier", "ranks = 8"),
    ("halo", "dimensions = [2, 4], flits = 8"),
    ("request_reply", "ranks = 8, servers = 2, request_flits = 4, reply_flits = 9, count = 5"),
    ("incast", "ranks = 8, flits = 64"),
    ("pipeline", "stages = 4, flits = 8, microbatches = 3"),
];

/// Programs that are generated: all parameters of each kind, under each algorithm, as the only program and as a job.
#[test]
fn the_same_holds_for_what_programs_are_generated_from() {
    let section = catalogue().section("workload.generate").expect("programs are generated");
    let (_, base) = bases().swap_remove(0);
    let (mut wrong, mut told) = (Vec::new(), BTreeSet::new());
    for entry in section.entries.iter().filter(|entry| Some(entry.name) != section.default_entry) {
        let (_, needs) = GENERATED.iter().find(|(kind, _)| *kind == entry.name).expect("each kind is tried");
        let algorithms = match entry.params.iter().find(|param| param.name == "algorithm").map(|param| param.kind) {
            Some(Kind::Choice(words)) => words.iter().map(|(word, _)| format!(", algorithm = '{word}'")).collect(),
            _ => vec![String::new()],
        };
        for algorithm in algorithms {
            let generate = format!("{{ kind = '{}', {needs}{algorithm} }}", entry.name);
            let program = format!("{{ kind = 'program', generate = {generate} }}");
            let spec = with(&base, &[("workload", &program), ("traffic.packet_flits", "4")]);
            let resolved = point(&spec).expect("it can be").resolved;
            for param in entry.params {
                let path = format!("{}.{}", section.path, param.name);
                let values = others(param, &path, resolved.get(&path).expect("it has a value"));
                // An algorithm that is the only one has no other value.
                if values.is_empty() {
                    continue;
                }
                // The first value that somebody is told of: to write the default says nothing.
                let told_of = |value: &&Value| !reasons(&changed(&spec, &path, value), &path).is_empty();
                let value = values.iter().find(told_of).cloned();
                let name = format!("{generate}, {}", param.name);
                match verdict(&spec, &Change { path: path.clone(), values, aids: Vec::new() }) {
                    Verdict::Wrong(what) => wrong.push(format!("{name}: {what}")),
                    Verdict::Warned(why) => {
                        // Of a job the same is told.
                        let value = value.expect("somebody was told of one");
                        let mut of_job = changed(&spec, &path, &value)["workload"]["generate"].clone();
                        of_job = Value::Table(
                            [("name".to_owned(), "a".into()), ("generate".to_owned(), of_job)].into_iter().collect(),
                        );
                        let program = [("workload", "{ kind = 'program' }"), ("traffic.packet_flits", "4")];
                        let mut spec = with(&base, &program);
                        set(&mut spec, "workload.jobs", Value::Array(vec![of_job]));
                        assert_eq!(reasons(&spec, &format!("workload.jobs[0].generate.{}", param.name)), why, "{name}");
                        told.extend(why);
                    }
                    Verdict::Effect | Verdict::Refused => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of these:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(told, section.idle.iter().map(|idle| idle.because).collect());
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
