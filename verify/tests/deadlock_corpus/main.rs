//! The static check on networks with known answers: what it calls free of deadlock goes on under overload, and what it shows
//! a circle in is driven into one.

mod table;

use std::sync::atomic::{AtomicBool, AtomicU64};
use table::{ADAPTIVE, CUT_THROUGH, QUEUED, Row, WORMHOLE};
use tailback_sim::{Control, Prepared, catalogue, prepare, run};
use tailback_spec::{Document, Errors};

/// What is known of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It is free of deadlock, by this argument.
    Free(&'static str),
    /// Packets can wait for each other in a circle, and under the workload of the row they do.
    Locks,
}

/// Cycles of overload; the search for a deadlock of a part of the network is made every 16,384.
const CYCLES: u32 = 17_000;

fn prepared(spec: &str) -> Result<Prepared, Errors> {
    let points = Document::parse("corpus.toml", spec.as_bytes())?.expand(catalogue())?;
    prepare(&points[0])
}

fn spec(kind: &str, flits: u32, (_, topology, router, routing, more): &Row, allow: &str) -> String {
    let pattern = if topology.contains("radix = [8]") { "{ kind = 'torn', offset = 3 }" } else { "'uniform'" };
    let overload =
        format!("workload = {{ kind = 'steady', warmup_cycles = 0, measure_cycles = {CYCLES}, drain_cycles = 0 }}");
    let workload = if more.contains("workload") { "" } else { &overload };
    // Queues of their own for every destination fill up only where more is offered than links carry.
    let load = if kind == "input_output_queued" || more.contains("arbiter") { "2.0" } else { "1.0" };
    let traffic =
        format!("traffic = {{ load = {load}, pattern = {pattern}, size = {{ kind = 'fixed', flits = {flits} }} }}");
    let traffic = if more.contains("traffic") { "" } else { &traffic };
    format!(
        "topology = {{ {topology} }}\nrouter = {{ kind = '{kind}', source_queue_packets = 4, {router} }}\n\
         routing = {{ {routing} }}\n{more}\n\
         {traffic}\n{workload}\n{allow}"
    )
}

fn deadlocks(prepared: &Prepared) -> bool {
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
    let outcome = run(prepared, &control);
    assert!(outcome.diagnosis.lock().is_some() || outcome.record.packets_delivered > 0);
    outcome.diagnosis.lock().is_some()
}

/// What is wrong with the verdict on a network, or with the network.
fn objection(kind: &str, flits: u32, row: &Row) -> Option<String> {
    const ALLOW: &str = "run.allow_deadlock = true\n";
    let refused = prepared(&spec(kind, flits, row, ""));
    let allowed = match prepared(&spec(kind, flits, row, ALLOW)) {
        Ok(prepared) => prepared,
        Err(errors) => return Some(errors.render()),
    };
    let (facts, expected) = (allowed.facts(), row.0);
    let found = match facts.deadlock_argument {
        Some(argument) => Expected::Free(argument),
        None if refused.is_err() => Expected::Locks,
        None => return Some(format!("no argument and no refusal: {}", facts.deadlock_freedom)),
    };
    if found != expected {
        return Some(format!("found {found:?}, expected {expected:?}: {}", facts.deadlock_freedom));
    }
    if let Err(errors) = refused {
        let text = errors.render().split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.contains("a packet from (") || !text.contains("and waits for") {
            return Some(format!("the circle is not told: {text}"));
        }
    }
    match (expected, deadlocks(&allowed)) {
        (Expected::Free(_), true) => Some("it deadlocks, and was called free".to_owned()),
        (Expected::Locks, false) => Some("it does not deadlock under this traffic".to_owned()),
        _ => None,
    }
}

fn hold(kind: &str, flits: u32, rows: &[Row]) {
    let objections: Vec<String> = rows
        .iter()
        .filter_map(|row| objection(kind, flits, row).map(|objection| format!("{row:?}:\n  {objection}")))
        .collect();
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}

#[test]
fn cut_through() {
    hold("cut_through", 4, CUT_THROUGH);
}

#[test]
fn adaptive_cut_through() {
    hold("adaptive_cut_through", 4, ADAPTIVE);
}

#[test]
fn wormhole() {
    hold("wormhole", 12, WORMHOLE);
}

#[test]
fn input_output_queued() {
    hold("input_output_queued", 8, QUEUED);
}

#[test]
fn the_corpus_is_large_enough() {
    let rows = CUT_THROUGH.len() + ADAPTIVE.len() + WORMHOLE.len() + QUEUED.len();
    assert!(rows >= 40, "{rows}");
}
