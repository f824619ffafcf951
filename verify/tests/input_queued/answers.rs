//! Nodes that answer requests: engine and reference agree on every packet, with channels and planes of their own for each kind.

use super::case::{any_exchange, any_exchange_in_classes};
use super::{Trial, Watch, bridge, buffers, input_queued_bridge, same};
use crate::common::tested::engines;
use tailback_engine::{Buffers, DataPath as _, Network as _};
use tailback_traffic::{Shape, Traffic};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::input_queued::Network;
use tailback_verify::input_queued::exchange::{Exchange, Lengths};

use super::case::Case;

fn compare((case, classes): &(Case, Vec<Option<Lengths>>), traffic: &Traffic) -> Result<(), String> {
    let (config, base) = (&case.config, &case.config.shared.base);
    let grid = bridge::grid(base);
    let routing = input_queued_bridge::routing_of_kinds(config, &grid)?;
    let mut engine = engines::input_queued(config, &grid, traffic, routing, Buffers::Watched);
    let (mut reference, mut script) = (Network::new(config, traffic), Exchange::new(config, classes, traffic));
    let mut watch = Watch { size: (base.routers(), base.ports(), config.channels()), ..Watch::default() };
    for cycle in 0..case.cycles {
        engine.step(&mut AnyProbe(&mut watch));
        reference.step_by(&mut script);
        same(&format!("cycle {cycle}: in flight"), watch.in_flight, reference.in_flight())?;
        for ((router, port, channel), &level) in buffers(watch.size).zip(&watch.levels) {
            let place = format!("cycle {cycle}: buffer {channel} of port {port} at router {router}");
            same(&place, level, reference.level(router, port, channel))?;
        }
        if cycle.is_multiple_of(case.audit_every) {
            engine.audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
            let totals = engine.totals();
            same(&format!("cycle {cycle}: all packets are somewhere"), totals.add_up(), true)?;
        }
    }
    let (found, expected) = (watch.deliveries.clone().sorted(), reference.delivered());
    for (found, expected) in found.iter().zip(&expected) {
        same("a packet", found, expected)?;
    }
    same("packets delivered", found.len(), expected.len())
}

/// The traffic of a case, whose classes are ports of nodes.
fn traffic((case, classes): &(Case, Vec<Option<Lengths>>)) -> Result<Traffic, String> {
    let base = &case.config.shared.base;
    let nodes_per_router = base.nodes_per_router / classes.len() as u32;
    bridge::traffic_on(base, &Shape { radix: base.radix.clone(), nodes_per_router }, &case.traffic)
}

#[test]
fn engine_and_reference_agree_on_answers() {
    let regressions = "regressions/input-queued-answers.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 25, regressions };
    trial.run(any_exchange(), traffic, compare);
}

#[test]
fn engine_and_reference_agree_on_answers_in_classes() {
    let regressions = "regressions/input-queued-answers-in-classes.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 25, regressions };
    trial.run(any_exchange_in_classes(), traffic, compare);
}
