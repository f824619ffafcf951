//! A play that is saved and run again simulates the same: under every data path, with changes of load, pattern, process and admission,
//! forks, and ways back in time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_sim::live::{Anew, LONG_WAIT, PACE, Picture, Running, Scope, Script};
use tailback_sim::{Control, catalogue, prepare, run};
use tailback_spec::Document;
use toml::Value;

const COMMON: &str = "\
[traffic]
load = 0.1
pattern = \"uniform\"
size = { kind = \"fixed\", flits = 8 }
";

fn script(router: &str) -> Script {
    let text = format!("{router}\n{COMMON}");
    let document = Document::parse("play.toml", text.as_bytes()).unwrap();
    Script::new(&document.expand(catalogue()).unwrap_or_else(|errors| panic!("{errors}"))[0]).unwrap()
}

/// The digest that `tailback run` of a spec gives.
fn digest_of_run(spec: &str) -> String {
    let document = Document::parse("saved.toml", spec.as_bytes()).unwrap();
    let points = document.expand(catalogue()).unwrap_or_else(|errors| panic!("{errors}\n{spec}"));
    assert_eq!(points.len(), 1);
    let prepared = prepare(&points[0]).unwrap_or_else(|errors| panic!("{errors}\n{spec}"));
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
    run(&prepared, &control).record.digest
}

/// Plays a script from cycle 0 on, as the session does: at every change the network is set up anew from its state.
fn digest_of_play(script: &Script, cycles: u64) -> String {
    let start = |cycle, from: Option<&_>, anew| {
        let prepared = script.prepare(cycle).unwrap_or_else(|errors| panic!("{errors}"));
        Running::start(prepared.into(), from, anew).unwrap()
    };
    let mut running = start(0, None, Anew::Nothing);
    for &cycle in script.changes().keys().filter(|&&cycle| cycle > 0 && cycle < cycles) {
        running.ask(move |stage| stage.advance(cycle)).unwrap();
        let state = running.ask(|stage| stage.state()).unwrap();
        let anew = if script.changes_admission(cycle) { Anew::Admission } else { Anew::Nothing };
        running = start(cycle, Some(&state), anew);
    }
    running.ask(move |stage| stage.advance(cycles)).unwrap();
    running.ask(|stage| stage.digest()).unwrap()
}

const ROUTERS: [(&str, &str); 5] = [
    (
        "cut_through",
        "router = { kind = \"cut_through\", virtual_channels = 2, buffer_flits = 16 }\ntopology = { kind = \"torus\", radix = [4, 4] }",
    ),
    (
        "adaptive",
        "router = { kind = \"adaptive_cut_through\", virtual_channels = 3, buffer_flits = 16 }\ntopology = { kind = \"torus\", radix = [4, 4] }\nrouting = \"adaptive\"",
    ),
    (
        "wormhole",
        "router = { kind = \"wormhole\", virtual_channels = 2, buffer_flits = 16 }\ntopology = { kind = \"torus\", radix = [4, 4] }",
    ),
    (
        "input_queued",
        "router = { kind = \"input_queued\", virtual_channels = 2, buffer_flits = 16 }\ntopology = { kind = \"torus\", radix = [4, 4] }",
    ),
    (
        "input_output_queued",
        "router = { kind = \"input_output_queued\" }\ntopology = { kind = \"mesh\", radix = [4, 4] }",
    ),
];

/// Changes of a play: the cycle as a number of paces, the path, the value.
type Change = (u64, &'static str, &'static str);

const TRAFFIC: &[Change] = &[
    (2, "traffic.load", "0.6"),
    (5, "traffic.pattern", "\"trns\""),
    (9, "traffic.process", "{ kind = \"on_off\", mean_on_cycles = 40.0, mean_off_cycles = 20.0 }"),
    (11, "traffic.load", "0.0"),
    (14, "traffic.process", "\"periodic\""),
    (14, "traffic.load", "0.3"),
    (20, "traffic.pattern", "\"uniform\""),
];

fn value(text: &str) -> Value {
    format!("x = {text}").parse::<toml::Table>().unwrap().remove("x").unwrap()
}

fn changed(mut script: Script, changes: &[Change]) -> Script {
    for &(paces, path, text) in changes {
        script = script.with(paces * PACE, path, value(text)).unwrap_or_else(|errors| panic!("{path} {errors}")).0;
    }
    script
}

#[test]
fn traffic_that_changes_is_the_same_in_a_run_and_in_a_play() {
    for (name, router) in ROUTERS {
        let script = changed(script(router), TRAFFIC);
        for cycles in [1, PACE, 700, 2500] {
            let spec = script.spec(cycles).unwrap();
            assert_eq!(digest_of_play(&script, cycles), digest_of_run(&spec), "{name} {cycles}\n{spec}");
        }
    }
}

#[test]
fn admission_that_changes_is_the_same_in_a_run_and_in_a_play() {
    let changes: &[Change] = &[
        (3, "traffic.load", "0.9"),
        (7, "admission", "\"self_tuned\""),
        (12, "traffic.load", "0.7"),
        (16, "admission", "\"off\""),
    ];
    for (name, router) in &ROUTERS[..3] {
        let script = changed(script(router), changes);
        let spec = script.spec(2000).unwrap();
        assert_eq!(digest_of_play(&script, 2000), digest_of_run(&spec), "{name}");
        let without = changed(self::script(router), &changes[..1]);
        assert_ne!(digest_of_play(&without, 2000), digest_of_play(&script, 2000), "{name}: it does something");
    }
}

#[test]
fn a_play_without_changes_is_the_run_of_its_spec() {
    for (name, router) in ROUTERS {
        let script = script(router);
        assert_eq!(digest_of_play(&script, 1500), digest_of_run(&script.spec(1500).unwrap()), "{name}");
    }
}

#[test]
fn a_load_that_begins_with_nothing_can_be_raised() {
    let script = script(ROUTERS[0].1);
    let (script, _) = script.with(0, "traffic.load", 0.0.into()).unwrap();
    let (script, _) = script.with(4 * PACE, "traffic.load", 0.5.into()).unwrap();
    let spec = script.spec(1000).unwrap();
    assert_eq!(digest_of_play(&script, 1000), digest_of_run(&spec));
    let silent = script.until(0);
    assert_ne!(digest_of_play(&silent, 1000), digest_of_play(&script, 1000));
}

#[test]
fn what_cannot_change_is_refused() {
    let script = script(ROUTERS[0].1);
    for (path, text) in [
        ("topology.radix", "[8, 8]"),
        ("traffic.load", "-1.0"),
        ("traffic.size", "\"fixed\""),
        ("run.seed", "2"),
        ("admission", "\"nobody\""),
    ] {
        assert!(script.with(PACE, path, value(text)).is_err(), "{path}");
    }
}

/// Work that ends, played up to any cycle and beyond its end, has the digest of its run.
#[test]
fn work_is_played_to_its_end() {
    let torus =
        "topology = { kind = \"torus\", radix = [4, 4] }\nrouter = { virtual_channels = 2, buffer_flits = 16 }\n";
    let program = "traffic = { packet_flits = 8 }\nworkload = { kind = \"program\", generate = { kind = \"all_reduce\", ranks = 16, flits = 512 } }\n";
    let collective = "traffic = { pattern = \"bcmp\", size = { kind = \"fixed\", flits = 8 } }\nworkload = { kind = \"collective\", packets_per_node = 20 }\n";
    for work in [program, collective] {
        let document = Document::parse("play.toml", format!("{torus}{work}").as_bytes()).unwrap();
        let points = document.expand(catalogue()).unwrap_or_else(|errors| panic!("{errors}"));
        let script = Script::new(&points[0]).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(script.ends());
        for cycles in [1, 100, 333, 20_000] {
            let spec = script.spec(cycles).unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(digest_of_play(&script, cycles), digest_of_run(&spec), "{cycles} cycles of {work}");
        }
        let running = Running::start(script.prepare(0).unwrap().into(), None, Anew::Nothing).unwrap();
        assert!(!running.ask(|stage| stage.is_done()).unwrap(), "it has not begun");
        running.ask(|stage| stage.advance(20_000)).unwrap();
        assert!(running.ask(|stage| stage.is_done()).unwrap());
        assert!(script.with(64, "admission", Value::from("alo")).is_err(), "nothing changes while it runs");
    }
}

/// Beside a busy ring: who stands at the front of its source queue is looked at in every cycle, and so is since when.
#[test]
fn who_waits_long_to_get_in_is_seen() {
    let ring = "topology = { kind = \"torus\", radix = [8] }\nflow_control = \"bubble\"\n\
                router = { kind = \"adaptive_cut_through\", virtual_channels = 1, buffer_flits = 16 }\n\
                routing = { kind = \"dimension_order\", datelines = \"none\" }";
    let script = changed(script(ring), &[(1, "traffic.load", "1.0"), (1, "traffic.pattern", "\"tornado\"")]);
    let mut running = Running::start(script.prepare(0).unwrap().into(), None, Anew::Nothing).unwrap();
    running.ask(|stage| stage.advance(PACE)).unwrap();
    let state = running.ask(|stage| stage.state()).unwrap();
    running = Running::start(script.prepare(PACE).unwrap().into(), Some(&state), Anew::Nothing).unwrap();
    let mut fronts: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    let (mut seen, mut compared) = (0, 0);
    for cycle in PACE + 1..12_000 {
        running.ask(move |stage| stage.advance(cycle)).unwrap();
        for node in 0..8 {
            let at_front = move |stage: &mut dyn tailback_sim::live::Stage| {
                stage.waiters(Scope::Router(node)).into_iter().find(|w| w.input.is_none() && w.position == 0)
            };
            match running.ask(at_front).unwrap() {
                Some(waiter) if fronts.get(&node).is_some_and(|front| front.0 == waiter.number) => {}
                Some(waiter) => drop(fronts.insert(node, (waiter.number, cycle))),
                None => drop(fronts.remove(&node)),
            }
        }
        if cycle % 97 != 0 {
            continue;
        }
        let picture = running.ask(|stage| {
            let mut picture = Picture::default();
            stage.picture(&mut picture);
            picture
        });
        if picture.as_ref().unwrap().held.iter().any(|&held| held > 1) {
            let words = running.ask(|stage| stage.now().text).unwrap();
            assert!(words.contains("to get in"), "{words}");
        }
        for (&node, &(_, since)) in &fronts {
            let (waited, held) = (cycle - since, picture.as_ref().unwrap().held[node as usize] >> 1);
            seen += u32::from(held > 0);
            // A packet comes to the front in a cycle, and is seen there after it.
            if waited % LONG_WAIT + 4 < LONG_WAIT {
                assert_eq!(u64::from(held), waited / LONG_WAIT, "node {node} in cycle {cycle}");
                compared += 1;
            }
        }
        if seen > 0 && cycle > 8_000 {
            break;
        }
    }
    assert!(seen > 0 && compared > 200, "{seen} {compared}");
}
