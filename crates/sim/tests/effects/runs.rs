//! Runs of small networks, and all that comes of them.

use crate::common::timeless::timeless;
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_engine::Offer;
use tailback_results::Record;
use tailback_sim::{Control, Outcome, Prepared, catalogue, host, prepare, run};
use tailback_spec::{Document, Point};
use toml::Table;

/// The point of a spec that sweeps nothing.
///
/// # Errors
/// Why the spec is refused.
pub fn point(spec: &Table) -> Result<Point, String> {
    let text = toml::to_string(spec).expect("a table can be written");
    let points = Document::parse("effects.toml", text.as_bytes()).and_then(|document| document.expand(catalogue()));
    points.map(|mut points| points.remove(0)).map_err(|errors| errors.render())
}

/// A digest of all that comes of a spec: its columns, its tables, its charts.
///
/// # Errors
/// Why it is refused.
pub fn result(spec: &Table) -> Result<u64, String> {
    thread_local!(static KNOWN: RefCell<HashMap<String, Result<u64, String>>> = RefCell::default());
    let text = toml::to_string(spec).expect("a table can be written");
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&text).cloned()) {
        return known;
    }
    let result = run_of(spec);
    KNOWN.with_borrow_mut(|known| known.insert(text, result.clone()));
    result
}

fn run_of(spec: &Table) -> Result<u64, String> {
    let prepared = prepare(&point(spec)?).map_err(|errors| errors.render())?;
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
    match prepared.hosted() {
        Some(bounds) => Ok(all_of(&played(&prepared, bounds.messages(), control))),
        None => Ok(all_of(&run(&prepared, &control))),
    }
}

/// What a host comes to that sends messages of all lengths that it may, short ones first.
fn played(prepared: &Prepared, (shortest, longest): (u32, u32), control: Control<'_>) -> Outcome {
    let mut network = host(prepared, control, None).expect("a host steps it");
    let nodes = prepared.network().nodes() as u32;
    for name in 0..400u32 {
        let (source, flits) = (name * 7 % nodes, shortest + name % (longest.min(shortest + 40) - shortest + 1));
        let destination = (source + 1 + name % (nodes - 1)) % nodes;
        if prepared.source_queue_packets().is_none_or(|most| network.queued(source).packets < u64::from(most) / 2) {
            network.offer(Offer { source, destination, flits, name: name.into() });
        }
        network.advance(network.clock() + 1 + u64::from(name % 2)).expect("it goes on");
        network.arrivals(&mut |_| {});
    }
    network.advance(800).expect("it goes on");
    network.outcome()
}

fn all_of(outcome: &Outcome) -> u64 {
    let record = Record {
        point_id: String::new(),
        // What a mechanism may know is no result.
        ideal: false,
        ..timeless(&outcome.record)
    };
    let mut all = DefaultHasher::new();
    format!("{record:?}").hash(&mut all);
    // A table without rows is written nowhere.
    for series in outcome.series.iter().filter(|series| !series.x.is_empty()) {
        (&series.name, &series.x_name).hash(&mut all);
        series.x.iter().for_each(|x| x.to_bits().hash(&mut all));
        for column in &series.columns {
            column.name.hash(&mut all);
            column.values.iter().for_each(|value| value.to_bits().hash(&mut all));
        }
    }
    for panel in outcome.space_time.iter().flat_map(|charts| &charts.panels) {
        (panel.name, &panel.cells).hash(&mut all);
    }
    all.finish()
}
