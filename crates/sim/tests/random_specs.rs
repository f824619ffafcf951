//! Random small specs through a whole run: each is refused with a reason or runs to an honest end.

use crate::common;
use crate::common::random::{
    SILENCE, adaptive, adaptive_mechanisms, divisible, for_programs, input_queued, mechanisms, probed, program, queued,
    router, topology, traffic, wormhole, wormhole_mechanisms,
};
use crate::common::ranks::together;
use crate::common::timeless::timeless;
use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_probes::latency_split::PARTS;
use tailback_results::{Record, Status};
use tailback_sim::{Control, Outcome, Prepared, catalogue, prepare, run, run_in_parts, run_in_ranks};
use tailback_spec::Document;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_spec_is_refused_with_a_reason_or_runs(parts in (topology(), router(), mechanisms(), traffic())) {
        holds(&format!("{}{}{}{}", parts.0, parts.1, parts.2, parts.3))?;
    }

    #[test]
    fn so_is_one_of_a_wormhole_network(parts in (topology(), wormhole(), wormhole_mechanisms(), traffic())) {
        holds(&format!("{}{}{}{}", parts.0, parts.1, parts.2, parts.3))?;
    }

    #[test]
    fn and_one_of_an_adaptive_cut_through_network(parts in (topology(), adaptive(), adaptive_mechanisms())) {
        holds(&format!("{}{}{}", parts.0, parts.1, parts.2))?;
    }

    #[test]
    fn and_one_of_a_network_of_input_output_queued_switches(parts in (topology(), queued())) {
        holds(&format!("{}{}", parts.0, parts.1))?;
    }

    #[test]
    fn and_one_of_a_network_of_input_queued_routers(parts in (topology(), input_queued(), traffic())) {
        holds(&format!("{}{}{}", parts.0, parts.1, parts.2))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    /// What the check calls free never locks, and every generated program comes to its end on it.
    #[test]
    fn a_program_is_refused_with_a_reason_or_comes_to_its_end(parts in (for_programs(), program())) {
        comes_to_its_end(&format!("{}{}", parts.0, parts.1))?;
    }
}

fn comes_to_its_end(spec: &str) -> Result<(), TestCaseError> {
    let prepared = match common::prepared(spec) {
        Ok(prepared) => prepared,
        Err(errors) => {
            prop_assert!(errors.render().contains("error"), "{}", errors.render());
            return Ok(());
        }
    };
    let freedom = prepared.facts().deadlock_freedom;
    let may_lock = freedom.starts_with("it can deadlock") || freedom.contains("of which that is not proved");
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
    let outcome = run(&prepared, &control);
    let record = &outcome.record;
    prop_assert!(common::adds_up(record), "{:?}\n{}", record, spec);
    let ended = record.status == Status::Completed || may_lock && record.status == Status::Deadlocked;
    prop_assert!(ended, "{:?}: {}\n{}", record.status, outcome.explanation, spec);
    splits(spec, record)?;
    if prepared.indivisible().is_none() {
        same_in_parts(spec)?;
    }
    common::same::gone_on(&prepared, record, spec);
    Ok(())
}

/// Processes, and parts of each.
const CUTS: [(usize, usize); 8] = [(1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1)];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_network_in_parts_is_the_same_network(spec in divisible(common::local_throttles())) {
        let spec = spec.replace(&probed(), "");
        let Some(digest) = same_in_parts(&spec)? else { return Err(TestCaseError::reject("no such network")) };
        prop_assert_eq!(same_in_parts(&format!("{}{spec}", probed()))?, Some(digest), "with probes:\n{}", spec);
    }
}

/// The digest of a network, where there can be such a one: it is the same in any number of parts and processes, as is all that is
/// measured.
fn same_in_parts(spec: &str) -> Result<Option<String>, TestCaseError> {
    let Ok(prepared) = common::prepared(spec) else { return Ok(None) };
    prop_assert_eq!(prepared.indivisible(), None);
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
    let whole = run(&prepared, &control);
    for (processes, parts) in CUTS {
        let cut = match processes {
            1 => run_in_parts(&prepared, &control, parts),
            _ if processes * parts > prepared.grid().routers() => continue,
            _ => in_processes(spec, processes, parts),
        };
        let [one, other] = [&whole.record, &cut.record].map(timeless);
        prop_assert_eq!(one, other, "{} parts in each of {} processes of\n{}", parts, processes, spec);
        let [one, other] = [&whole, &cut].map(|outcome| {
            outcome.series.iter().map(|table| table.to_csv().expect("columns fit")).collect::<Vec<String>>()
        });
        prop_assert!(one == other, "tables of {parts} parts in each of {processes} processes of\n{spec}");
        prop_assert_eq!(
            &whole.diagnosis,
            &cut.diagnosis,
            "{} parts in each of {} processes of\n{}",
            parts,
            processes,
            spec
        );
    }
    Ok(Some(whole.record.digest))
}

/// What the first of several processes gets, each of which has read the spec by itself; the others get nothing.
fn in_processes(spec: &str, processes: usize, parts: usize) -> Outcome {
    let mut outcomes = together(processes, |ranks| {
        let prepared = common::prepared(spec).expect("it was prepared before");
        let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
        run_in_ranks(&prepared, &control, None, parts, ranks)
    });
    let first = outcomes.remove(0).expect("it can be cut").expect("the first process has the outcome");
    assert!(outcomes.iter().all(|other| matches!(other, Ok(None))), "only the first process has it");
    first
}

/// The parts of every packet's latency, which the probe adds up itself, are the whole that the meter measured, and looking at them
/// changes nothing.
fn splits(spec: &str, record: &Record) -> Result<(), TestCaseError> {
    let watched = match spec.contains("probes = {") {
        true => spec.replace("probes = {", "probes = { latency_split = true,"),
        false => format!("{spec}probes = {{ latency_split = true }}\n"),
    };
    let outcome = common::outcome(&watched);
    prop_assert_eq!(&outcome.record.digest, &record.digest, "{}", spec);
    let table = common::table(&outcome, "latency_split");
    let all = |column: &str| table.column(column).and_then(|values| values.first()).copied();
    prop_assert_eq!(all("latency_mean"), record.latency_mean, "{}", spec);
    if let (Some(packets), Some(latency)) = (all("packets"), record.latency_mean) {
        let parts: f64 =
            PARTS.iter().filter_map(|part| all(&format!("{part}_mean"))).map(|mean| (mean * packets).round()).sum();
        prop_assert_eq!(parts, (latency * packets).round(), "{}", spec);
        prop_assert_eq!(all("latency_p50"), record.latency_p50, "{}", spec);
    }
    Ok(())
}

/// What was due was made, where no queue was full; what was made was delivered or is still there; and of what ends nothing is left,
/// or it is not called an end.
fn all_are_somewhere(spec: &str, prepared: &Prepared, outcome: &Outcome) -> Result<(), TestCaseError> {
    let record = &outcome.record;
    prop_assert!(common::adds_up(record), "{:?}\n{}", record, spec);
    let workload = prepared.point().resolved.view("workload").kind();
    let (packets, flits) = common::due(prepared, if workload == "collective" { u64::MAX } else { record.cycles });
    // What a full queue holds up may come in another cycle; a collective has what it has.
    if !prepared.sources_may_stall() {
        prop_assert_eq!((record.total_packets_generated, record.total_flits_generated), (packets, flits), "{}", spec);
    }
    if record.status == Status::Completed {
        prop_assert_eq!((record.total_packets_delivered, record.total_flits_delivered), (packets, flits), "{}", spec);
    }
    let locks = matches!(record.status, Status::Deadlocked | Status::Livelocked);
    if workload == "phases" && record.packets_in_flight_end > 0 && !locks {
        // A busy network goes on delivering in the silence; one that has come to rest has nothing left.
        let windows = common::table(outcome, "windows");
        let accepted = common::column(windows, "accepted_load");
        let late =
            windows.x.iter().zip(accepted).filter(|(begin, _)| **begin > record.cycles as f64 - SILENCE as f64 / 2.0);
        prop_assert!(late.map(|(_, load)| load).sum::<f64>() > 0.0, "{:?}\n{}", record, spec);
    }
    Ok(())
}

fn holds(spec: &str) -> Result<(), TestCaseError> {
    let points = Document::parse("random.toml", spec.as_bytes()).and_then(|d| d.expand(catalogue()));
    let prepared = points.and_then(|points| prepare(&points[0]));
    match prepared {
        Err(errors) => {
            let text = errors.render();
            prop_assert!(text.contains("error") && text.contains("random.toml"), "{text}");
        }
        Ok(prepared) => {
            let facts = prepared.facts();
            let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
            let outcome = run(&prepared, &control);
            all_are_somewhere(spec, &prepared, &outcome)?;
            let record = outcome.record;
            splits(spec, &record)?;
            let may_lock = facts.deadlock_freedom.starts_with("it can deadlock");
            prop_assert!(record.status != Status::Deadlocked || may_lock, "{spec}");
            if let (Some(bound), Some(accepted), None) =
                (facts.channel_load_bound, record.accepted_load, record.duration)
            {
                // What was in buffers when the window began may arrive in it, so a short window can be a little over.
                let slack = 64.0 * 40.0 / record.measured_cycles.max(1) as f64;
                prop_assert!(accepted <= bound + slack, "{accepted} over {bound}\n{spec}");
            }
        }
    }
    Ok(())
}
