//! What a spec says in vain: told of whoever wrote it, once, and never of what nobody chose.

use tailback_spec::{Catalogue, Document, Idle, NoEffect, Resolved, View, When, markdown, problems};

use crate::sample;

const LOAD: Idle =
    Idle { keys: &["load"], when: &[When::Is("workload.kind", &["phases"])], because: "each phase has its own" };
const PATTERN: Idle =
    Idle { keys: &[], when: &[When::Is("workload.kind", &["phases"])], because: "each phase has a pattern" };
const SHARE: Idle = Idle { keys: &["share"], when: &[When::Is(".share", &["0.5"])], because: "half is enough" };
const NARROW: Idle = Idle {
    keys: &["vcs", "buffer_flits"],
    when: &[When::IsNot("admission.kind", &["off"]), When::Where("the network is a line", is_a_line)],
    because: "nobody looks",
};
const MARGIN: Idle = Idle {
    keys: &["margin_flits"],
    when: &[When::Where("", never_asked)],
    because: "it is asked for its own kind alone",
};

fn is_a_line(spec: &Resolved, _own: View<'_>) -> bool {
    spec.view("topology").integers("radix").len() == 1
}

fn never_asked(_spec: &Resolved, own: View<'_>) -> bool {
    own.integer("margin_flits") > 1000
}

fn catalogue() -> Catalogue {
    let mut catalogue = sample::catalogue();
    for section in &mut catalogue.sections {
        section.idle = match section.path {
            "traffic" => vec![&LOAD],
            "traffic.pattern" => vec![&PATTERN, &SHARE],
            "network" => vec![&NARROW],
            "admission" => vec![&MARGIN],
            _ => Vec::new(),
        };
    }
    catalogue
}

/// What is told of every point of a spec with these arguments.
fn told(spec: &str, sets: &[&str]) -> Vec<Vec<NoEffect>> {
    let catalogue = catalogue();
    let mut document = Document::parse("spec.toml", spec.as_bytes()).expect("it is TOML");
    sets.iter().for_each(|set| document.set(set).expect("it is an argument"));
    let points = document.expand(&catalogue).unwrap_or_else(|errors| panic!("{}", errors.render()));
    points.iter().map(|point| point.without_effect(&catalogue)).collect()
}

fn messages(spec: &str, sets: &[&str]) -> Vec<String> {
    told(spec, sets).remove(0).into_iter().map(|idle| idle.message).collect()
}

const PHASES: &str = "[traffic]\nload = 0.3\n[workload]\nkind = 'phases'\n";

#[test]
fn what_was_written_is_told_with_the_reason() {
    let load = "traffic.load = 0.3 has no effect under workload.kind = phases, because each phase has its own";
    assert_eq!(messages(PHASES, &[]), [load]);
    assert_eq!(messages(PHASES, &["workload=steady"]), [""; 0]);
    let pattern = "traffic.pattern has no effect under workload.kind = phases, because each phase has a pattern";
    assert_eq!(messages(PHASES, &["traffic.pattern={kind = 'hot-spot', share = 0.5}"]), [load, pattern]);
}

#[test]
fn of_defaults_and_presets_nothing_is_told() {
    let line = "[topology]\nradix = [5]\n[admission]\nkind = 'spth'\n[traffic]\nload = 0.1\n";
    let vcs =
        "network.vcs = 3 has no effect under admission.kind = spth where the network is a line, because nobody looks";
    assert_eq!(messages(line, &["network.vcs=3", "network.buffer_flits=16"]), [vcs]);
    assert_eq!(messages(line, &["network.vcs=2"]), [""; 0]);
    assert_eq!(messages(&format!("preset = 'narrow'\n{line}"), &[]), [""; 0]);
    assert_eq!(messages(line, &["topology.radix=[5, 5]", "network.vcs=3"]), [""; 0]);
}

#[test]
fn what_is_swept_in_vain_repeats_runs() {
    let spec = format!("{PHASES}[sweep]\n'traffic.load' = [0.1, 0.2]\n");
    let of_points = told(&spec, &[]);
    assert_eq!(of_points.len(), 2);
    for (idle, load) in of_points.iter().zip(["0.1", "0.2"]) {
        assert_eq!(idle.len(), 1);
        assert!(idle[0].message.starts_with(&format!("traffic.load = {load} has no effect")), "{idle:?}");
        assert!(idle[0].message.ends_with("; to sweep it repeats the same runs"), "{idle:?}");
    }
}

#[test]
fn components_within_lists_are_looked_into() {
    let phases = "phases = [{ cycles = 9, pattern = { kind = 'hot-spot', share = 0.5 } }, \
                  { cycles = 9, pattern = { kind = 'hot-spot', share = 0.6 } }]";
    let found = messages(&format!("{PHASES}{phases}\n"), &[]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[1], "workload.phases[0].pattern.share = 0.5 has no effect, because half is enough");
}

#[test]
fn what_does_not_exist_is_a_fault_of_the_catalogue() {
    assert_eq!(problems(&catalogue()), Vec::<String>::new());
    static STRANGE: Idle = Idle {
        keys: &["nothing"],
        when: &[When::Is("traffic.nobody", &["1"]), When::Is(".kind", &["off"]), When::Is("nowhere", &["1"])],
        because: "it is not there",
    };
    let mut bad = catalogue();
    bad.sections[0].idle.push(&STRANGE);
    let found = problems(&bad);
    for wanted in ["run.nothing", "traffic.nobody", ".kind", "nowhere"] {
        assert!(found.iter().any(|found| found.contains(wanted)), "{wanted}: {found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn the_page_says_what_has_no_effect() {
    let page = markdown(&catalogue());
    assert!(page.contains("- `load` if `workload.kind` is `phases`, because each phase has its own.\n"), "{page}");
    assert!(page.contains("- all of it if `workload.kind` is `phases`, because each phase has a pattern.\n"), "{page}");
    let both = "- `vcs`, `buffer_flits` if `admission.kind` is not `off` and where the network is a line, because nobody looks.\n";
    assert!(page.contains(both), "{page}");
}
