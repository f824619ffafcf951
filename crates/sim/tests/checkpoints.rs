//! Whoever goes on from a checkpoint comes to the same bits; what is none is refused.

mod common;

use common::random::{
    adaptive, adaptive_mechanisms, divisible, mechanisms, queued, router, topology, traffic, wormhole,
    wormhole_mechanisms,
};
use proptest::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_results::{Checkpoint, Record};
use tailback_sim::{Control, Keep, Outcome, Prepared, Resumed, go_on, run, run_kept, run_parts_kept};

/// Does `work` with a control of its own.
fn controlled<T>(work: impl FnOnce(&Control) -> T) -> T {
    work(&Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 })
}

/// Runs with a checkpoint every so many cycles, and gives them as they come out of their files.
fn kept(prepared: &Prepared, every: u64, parts: usize) -> (Outcome, Vec<Checkpoint>) {
    let found = Mutex::new(Vec::new());
    let keeper =
        |checkpoint: Checkpoint| found.lock().unwrap().push(Checkpoint::parse(&checkpoint.to_bytes()).unwrap());
    let outcome = controlled(|control| match parts {
        1 => run_kept(prepared, control, Some(Keep { every, keeper: &keeper })).unwrap(),
        _ => run_parts_kept(prepared, control, Keep { every, keeper: &keeper }, parts),
    });
    (outcome, found.into_inner().unwrap())
}

fn resumed(checkpoint: Checkpoint, set: &[&str]) -> Result<Resumed, String> {
    let set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
    Resumed::new(checkpoint, &set, "the checkpoint's spec", &mut |_| {}).map_err(|refused| refused.to_string())
}

/// Goes on in a network that has just been built.
fn gone_on(resumed: &Resumed) -> Result<Outcome, String> {
    let prepared = resumed.prepare().map_err(|errors| errors.render(false))?;
    controlled(|control| go_on(&prepared, control, resumed, None))
}

fn timeless(record: &Record) -> Record {
    Record {
        wall_seconds: None,
        cycles_per_second: None,
        flit_hops_per_second: None,
        packet_hops_per_second: None,
        ..record.clone()
    }
}

fn same(one: &Outcome, other: &Outcome, what: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(timeless(&one.record), timeless(&other.record), "{}", what);
    let tables = |outcome: &Outcome| -> Vec<String> {
        outcome.series.iter().map(|table| table.to_csv().expect("columns fit")).collect()
    };
    prop_assert_eq!(tables(one), tables(other), "{}", what);
    prop_assert_eq!(&one.diagnosis, &other.diagnosis, "{}", what);
    let panels = |outcome: &Outcome| outcome.space_time.as_ref().map(|chart| chart.panels.clone());
    prop_assert_eq!(panels(one), panels(other), "{}", what);
    prop_assert_eq!(&one.link_map, &other.link_map, "{}", what);
    prop_assert_eq!(&one.findings, &other.findings, "{}", what);
    prop_assert_eq!(&one.explanation, &other.explanation, "{}", what);
    Ok(())
}

/// As it was drawn, but as long as some looks at the outside world, and watched by these probes.
fn longer(spec: &str, probes: &str) -> String {
    let spec = spec
        .replace(
            "warmup_cycles = 100, measure_cycles = 400, drain_cycles = 500",
            "warmup_cycles = 700, measure_cycles = 1500, drain_cycles = 1000",
        )
        .replace("packets_per_node = 3,", "packets_per_node = 40,")
        .replace("cycles = 800, window_cycles = 50", "cycles = 3000, window_cycles = 50");
    let lines = spec.lines().filter(|line| !line.starts_with("probes"));
    lines.map(|line| format!("{line}\n")).collect::<String>() + &format!("probes = {{ {probes} }}\n")
}

/// An unbroken run, one that is interrupted everywhere, and one that goes on from each of the checkpoints are the same.
fn goes_on(spec: &str, every: u64, parts: usize) -> Result<(), TestCaseError> {
    let Ok(prepared) = common::prepared(spec) else { return Err(TestCaseError::reject("no such network")) };
    let whole = controlled(|control| run(&prepared, control));
    let (watched, checkpoints) = kept(&prepared, every, parts);
    same(&whole, &watched, &format!("checkpoints every {every} cycles of\n{spec}"))?;
    for checkpoint in checkpoints {
        let cycle = checkpoint.head.cycle;
        let other = resumed(checkpoint, &[]).and_then(|resumed| gone_on(&resumed));
        let other = other.map_err(|why| TestCaseError::fail(format!("{why} in cycle {cycle} of\n{spec}")))?;
        same(&whole, &other, &format!("from cycle {cycle} of\n{spec}"))?;
    }
    Ok(())
}

const ALL: &str = "link_load = true, node_load = true, load_map_every_cycles = 64, occupancy_every_cycles = 50, \
                   channel_occupancy = true, latency_split = true, space_time_cycles = 300, space_time_from_cycle = 1000, \
                   congestion = true, anatomy_every_cycles = 100";
const FEW: &str = "node_load = true";

prop_compose! {
    fn probes(more: &'static str)(all in any::<bool>()) -> String {
        if all { format!("{ALL}{more}") } else { FEW.to_owned() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn a_cut_through_network_goes_on(parts in (topology(), router(), mechanisms(), traffic(), probes("")), every in 1u64..2000) {
        goes_on(&longer(&format!("{}{}{}{}", parts.0, parts.1, parts.2, parts.3), &parts.4), every, 1)?;
    }

    #[test]
    fn so_does_a_wormhole_network(
        parts in (topology(), wormhole(), wormhole_mechanisms(), traffic(), probes("")),
        every in 1u64..2000,
    ) {
        goes_on(&longer(&format!("{}{}{}{}", parts.0, parts.1, parts.2, parts.3), &parts.4), every, 1)?;
    }

    #[test]
    fn and_an_adaptive_cut_through_network(
        parts in (topology(), adaptive(), adaptive_mechanisms(), probes(", injection_queues = true")),
        every in 1u64..2000,
    ) {
        goes_on(&longer(&format!("{}{}{}", parts.0, parts.1, parts.2), &parts.3), every, 1)?;
    }

    #[test]
    fn and_a_network_of_input_output_queued_switches(
        parts in (topology(), queued(), probes(", injection_queues = true")),
        every in 1u64..2000,
    ) {
        goes_on(&longer(&format!("{}{}", parts.0, parts.1), &parts.2), every, 1)?;
    }

    #[test]
    fn a_network_in_parts_goes_on_in_one_piece(spec in divisible(), every in 1u64..2000, parts in 2usize..5) {
        goes_on(&longer(&spec, "link_load = true, node_load = true, load_map_every_cycles = 64"), every, parts)?;
    }
}
