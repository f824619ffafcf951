//! The engine against the reference model: random small networks, and every packet, buffer and cycle must be the same.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks. What once failed is kept in `regressions/` and tried first.

mod case;

use crate::common::tested::{Tested, engines};
use crate::common::{traffic, twins, watch};
use case::{Case, any_case, cross_line_case, finite_case, known_cases, usual_case};
use proptest::strategy::Strategy;
use tailback_engine::cut_through::CutThrough;
use tailback_engine::{Buffers, NoProbe};
use tailback_engine::{DataPath as _, Network as _};
use tailback_traffic::Traffic;
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::{self, Network};
use twins::{Trial, all_delivered, buffers, never_delivered, same, same_totals};
use watch::Watch;

/// Cycles in which nothing happens after which nothing will ever happen: more than all delays, and than a silent phase.
const STUCK_AFTER: u64 = 400;

/// Runs both side by side, and the engine once more as it is without buffer levels, when it leaves out what the network does
/// not need; the error says where they part.
fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let config = &case.config;
    let grid = bridge::grid(config);
    let mut engine = engines::cut_through(config, &grid, traffic, Buffers::Watched);
    let mut lean = engines::cut_through(config, &grid, traffic, Buffers::Unwatched);
    let mut lean_deliveries = Deliveries::default();
    let mut reference = Network::new(config, traffic);
    let size = (config.routers(), config.ports(), config.virtual_channels as usize);
    let mut watch = Watch { size, ..Watch::default() };
    for cycle in 0..case.cycles {
        engine.step(&mut AnyProbe(&mut watch));
        lean.step(&mut AnyProbe(&mut lean_deliveries));
        reference.step();
        same(&format!("cycle {cycle}: counters without levels"), lean.counters(), engine.counters())?;
        same(&format!("cycle {cycle}: in flight"), watch.in_flight, reference.in_flight())?;
        for ((router, port, channel), &level) in buffers(size).zip(&watch.levels) {
            let name = format_args!("cycle {cycle}: buffer {channel} of port {port} at router {router}");
            let expected = reference.level(router, port, channel);
            if level != expected {
                return Err(format!("{name}: engine {level}, reference {expected}"));
            }
        }
        if cycle % case.audit_every == 0 {
            same_totals(cycle, engine.totals(), reference.totals())?;
            engine.audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
            lean.audit().map_err(|error| format!("cycle {cycle}, without levels: {error}"))?;
        }
    }
    compare_packets(watch.deliveries, &engine, &reference)?;
    compare_packets(lean_deliveries, &lean, &reference)?;
    check_deadlock(&engine, &mut reference, config)
}

/// A finite amount of traffic, until nothing is left or nothing moves: all that was due is delivered, unless heads wait for each other
/// for ever, which the engine says, or a throttle holds them.
fn compare_to_the_end(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let config = &case.config;
    let grid = bridge::grid(config);
    let mut engine = engines::cut_through(config, &grid, traffic, Buffers::Unwatched);
    let mut reference = Network::new(config, traffic);
    let (mut counters, mut since) = (engine.counters(), 0);
    while since < STUCK_AFTER {
        engine.step(&mut AnyProbe(&mut NoProbe));
        reference.step();
        let cycle = engine.cycle();
        let ended = engine.in_flight() == 0 && engine.sources_are_dry();
        same(&format!("cycle {cycle}: ended"), ended, reference.has_ended())?;
        if cycle.is_multiple_of(case.audit_every) || ended {
            same_totals(cycle, engine.totals(), reference.totals())?;
        }
        if ended {
            return all_delivered(traffic, config, None, engine.totals());
        }
        since = if engine.counters() == counters { since + 1 } else { 0 };
        counters = engine.counters();
    }
    same_totals(engine.cycle(), engine.totals(), reference.totals())?;
    match engine.deadlock().is_some() || config.admission != reference::Admission::Off {
        true => Ok(()),
        false => Err(format!("neither delivered nor stuck: {:?}", engine.totals())),
    }
}

/// What the engine says about deadlock: never where the routing prevents it, and what it names never moves again.
fn check_deadlock(
    engine: &CutThrough<Tested>,
    reference: &mut Network,
    config: &reference::Config,
) -> Result<(), String> {
    let Some(deadlock) = engine.deadlock() else { return same("still", engine.is_still(), false) };
    let long_ring = config.radix.iter().zip(&config.wrap).any(|(&k, &wrap)| wrap && k >= 4);
    if config.datelines != reference::Datelines::None || !long_ring {
        return Err(format!("this routing cannot deadlock: {deadlock:?}"));
    }
    for _ in 0..300 {
        reference.step();
    }
    never_delivered(&deadlock, &reference.delivered())
}

/// At the end: packets delivered, and packets that wait at their sources.
fn compare_packets(deliveries: Deliveries, engine: &CutThrough<Tested>, reference: &Network) -> Result<(), String> {
    let (found, expected) = (deliveries.sorted(), reference.delivered());
    for (found, expected) in found.iter().zip(&expected) {
        same("a packet", found, expected)?;
    }
    same("packets delivered", found.len(), expected.len())?;
    let mut backlog = Vec::new();
    engine.backlog(engine.cycle(), |node, lot| backlog.extend(lot.numbers().map(|n| (node, n, lot.cycle))));
    same("packets at their sources", backlog, reference.backlog())
}

#[test]
fn what_once_went_wrong_stays_right() {
    for case in known_cases() {
        let traffic = bridge::traffic(&case.config, &case.traffic).expect("possible");
        compare(&case, &traffic).unwrap_or_else(|difference| panic!("{case:?}: {difference}"));
    }
}

/// Draws `share` hundredths of as many networks as asked for.
fn agree(
    networks: impl Strategy<Value = Case>,
    share: u32,
    regressions: &'static str,
    test: impl Fn(&Case, &Traffic) -> Result<(), String>,
) {
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share, regressions };
    trial.run(networks, |case| bridge::traffic(&case.config, &case.traffic), test);
}

#[test]
fn engine_and_reference_agree() {
    agree(any_case(), 100, "regressions/differential.txt", compare);
}

#[test]
fn engine_and_reference_agree_on_usual_networks() {
    agree(usual_case(), 30, "regressions/differential.txt", compare);
}

#[test]
fn engine_and_reference_agree_until_nothing_is_left() {
    agree(finite_case(), 20, "regressions/differential-drain.txt", compare_to_the_end);
}

#[test]
fn engine_and_reference_agree_on_the_rows_ahead() {
    agree(cross_line_case(), 40, "regressions/differential-lines.txt", compare);
}
