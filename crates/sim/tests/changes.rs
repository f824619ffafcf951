//! Settings that change while a run goes on: the same as phases where phases can say it, refused where they cannot change.

use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_sim::{Control, catalogue, prepare, run};
use tailback_spec::Document;

const NETWORK: &str = "topology = { kind = \"torus\", radix = [4, 4] }\n";

const ROUTERS: [&str; 4] = [
    "router = { kind = \"cut_through\", virtual_channels = 2, buffer_flits = 8 }",
    "router = { kind = \"adaptive_cut_through\", virtual_channels = 3, buffer_flits = 8 }\nrouting = \"adaptive\"",
    "router = { kind = \"wormhole\", virtual_channels = 2, buffer_flits = 8 }",
    "router = { kind = \"input_queued\", virtual_channels = 2, buffer_flits = 8 }",
];

fn digest(spec: &str, threads: usize) -> Result<String, String> {
    let document = Document::parse("spec.toml", spec.as_bytes()).map_err(|errors| errors.to_string())?;
    let points = document.expand(catalogue()).map_err(|errors| errors.to_string())?;
    let prepared = prepare(&points[0]).map_err(|errors| errors.to_string())?;
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads };
    Ok(run(&prepared, &control).record.digest)
}

fn steady(router: &str, process: &str, changes: &str) -> String {
    format!(
        "{router}\n{NETWORK}traffic = {{ load = 0.1, process = {process}, size = {{ kind = \"fixed\", flits = 4 }} }}\n[workload]\n\
         warmup_cycles = 0\nmeasure_cycles = 3000\ndrain_cycles = 0\n{changes}"
    )
}

fn change(cycle: u64, set: &str) -> String {
    format!("[[workload.changes]]\ncycle = {cycle}\nset = {{ {set} }}\n")
}

#[test]
fn loads_and_patterns_that_change_are_phases() {
    let changes = change(700, "\"traffic.load\" = 0.6")
        + &change(1300, "\"traffic.pattern\" = \"trns\"")
        + &change(1301, "\"traffic.load\" = 0.0")
        + &change(2000, "\"traffic.load\" = 0.4, \"traffic.pattern\" = \"uniform\"");
    let phase = |cycles: u64, load: f64, pattern: &str| {
        format!("[[workload.phases]]\ncycles = {cycles}\nload = {load}\npattern = \"{pattern}\"\n")
    };
    let phases = phase(700, 0.1, "uniform")
        + &phase(600, 0.6, "uniform")
        + &phase(1, 0.6, "trns")
        + &phase(699, 0.0, "trns")
        + &phase(1000, 0.4, "uniform");
    for router in ROUTERS {
        for process in
            ["\"bernoulli\"", "\"periodic\"", "{ kind = \"on_off\", mean_on_cycles = 40.0, mean_off_cycles = 20.0 }"]
        {
            let head = format!(
                "{router}\n{NETWORK}traffic = {{ process = {process}, size = {{ kind = \"fixed\", flits = 4 }} }}\n"
            );
            let in_phases = digest(
                &format!("{head}workload = {{ kind = \"phases\" }}\n{phases}")
                    .replace("workload = { kind = \"phases\" }\n", "[workload]\nkind = \"phases\"\n"),
                1,
            );
            assert_eq!(
                digest(&steady(router, process, &changes), 1).unwrap(),
                in_phases.unwrap(),
                "{router} {process}"
            );
        }
    }
}

#[test]
fn a_setting_that_changes_nothing_changes_nothing() {
    for router in ROUTERS {
        let same = change(512, "\"traffic.load\" = 0.1, \"traffic.pattern\" = \"uniform\", admission = \"off\"");
        assert_eq!(digest(&steady(router, "\"bernoulli\"", &same), 1), digest(&steady(router, "\"bernoulli\"", ""), 1));
    }
}

#[test]
fn a_process_that_changes_does_not_change_what_was_before() {
    let process = "\"traffic.process\" = { kind = \"on_off\", mean_on_cycles = 30.0, mean_off_cycles = 30.0 }";
    for router in ROUTERS {
        let cut = |spec: String| spec.replace("measure_cycles = 3000", "measure_cycles = 1500");
        let with = cut(steady(router, "\"bernoulli\"", &change(1499, process)));
        let without = cut(steady(router, "\"bernoulli\"", ""));
        let earlier = cut(steady(router, "\"bernoulli\"", &change(500, process)));
        assert_ne!(digest(&earlier, 1), digest(&without, 1));
        assert!(digest(&with, 1).is_ok());
    }
}

#[test]
fn what_cannot_be_is_refused_where_it_stands() {
    let cases = [
        (change(0, "\"traffic.load\" = 0.2"), "cycle"),
        (change(3000, "\"traffic.load\" = 0.2"), "nothing is measured from cycle 3000 on"),
        (change(9, "\"traffic.load\" = 0.2") + &change(9, "\"traffic.load\" = 0.3"), "follows one at cycle 9"),
        (change(9, "\"router.kind\" = \"wormhole\""), "cannot change while a run goes on"),
        (change(9, "\"run.seed\" = 2"), "cannot change"),
        (change(9, "traffic.load = 0.2"), "`traffic` cannot change"),
        (change(9, "\"traffic.load\" = 65"), "must be between"),
        (change(9, "\"traffic.loud\" = 1"), "cannot change"),
        (change(9, "\"traffic.pattern\" = \"nobody\""), "has no kind"),
        (change(9, "admission = \"nobody\""), "has no kind"),
        (change(9, "\"admission.x\" = 1"), "unknown key"),
        (change(9, ""), "sets nothing"),
        ("[[workload.changes]]\ncycle = 9\n".to_owned(), "`workload.changes[0].set` is missing"),
        ("[[workload.changes]]\ncycle = 9\nset = [1]\n".to_owned(), "a table of paths and values"),
    ];
    for (changes, says) in cases {
        let refused = digest(&steady(ROUTERS[0], "\"bernoulli\"", &changes), 1).unwrap_err();
        assert!(refused.contains(says), "{changes}\n{refused}");
        assert!(refused.contains("--> spec.toml:"), "it has a place: {refused}");
    }
    let other = steady(ROUTERS[3], "\"bernoulli\"", &change(9, "admission = \"self_tuned\""));
    assert!(digest(&other, 1).unwrap_err().contains("no admission mechanism is asked"));
}
