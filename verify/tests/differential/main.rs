//! The engine against the reference model: random small networks, and every packet, buffer and cycle must be the same.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks. What once failed is kept in `regressions/` and tried first.

mod case;
#[path = "../common/traffic.rs"]
mod traffic;

use case::{Case, any_case, known_cases, usual_case};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, FileFailurePersistence, TestCaseError, TestRunner};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::cut_through::{CutThrough, Mechanisms};
use tailback_engine::{Delivery, Probe};
use tailback_traffic::Traffic;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::{self, Network};

/// What the engine shows.
#[derive(Default)]
struct Watch {
    deliveries: Deliveries,
    in_flight: u64,
    /// Flits in the buffers, by router, port and virtual channel.
    levels: Vec<usize>,
    /// Routers, ports and virtual channels.
    size: (usize, usize, usize),
}

impl Probe for Watch {
    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.deliveries.delivered(delivery);
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.in_flight = end.in_flight;
        let occupancy = end.occupancy.expect("it was asked for");
        let level = |(router, port, channel)| usize::from(occupancy.level(router as u32, port, channel));
        self.levels = buffers(self.size).map(level).collect();
    }
}

/// All buffers of a network of so many routers, ports and virtual channels.
fn buffers((routers, ports, channels): (usize, usize, usize)) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..routers).flat_map(move |r| (0..ports).flat_map(move |p| (0..channels).map(move |c| (r, p, c))))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, engine: T, reference: T) -> Result<(), String> {
    if engine == reference {
        return Ok(());
    }
    Err(format!("{what}: engine {engine:?}, reference {reference:?}"))
}

/// Runs both side by side, and the engine once more as it is without buffer levels, when it leaves out what the network does
/// not need; the error says where they part.
fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let config = &case.config;
    let grid = bridge::grid(config);
    let mut engine = bridge::engine(config, &grid, traffic, true);
    let mut lean = bridge::engine(config, &grid, traffic, false);
    let mut lean_deliveries = Deliveries::default();
    let mut reference = Network::new(config, traffic);
    let size = (config.routers(), config.ports(), config.virtual_channels as usize);
    let mut watch = Watch { size, ..Watch::default() };
    for cycle in 0..case.cycles {
        engine.step(&mut watch);
        lean.step(&mut lean_deliveries);
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
            engine.audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
            lean.audit().map_err(|error| format!("cycle {cycle}, without levels: {error}"))?;
        }
    }
    compare_packets(watch.deliveries, &engine, &reference)?;
    compare_packets(lean_deliveries, &lean, &reference)?;
    check_deadlock(&engine, &mut reference, config)
}

/// What the engine says about deadlock: never where the routing prevents it, and what it names never moves again.
fn check_deadlock<M: Mechanisms>(
    engine: &CutThrough<M>,
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
    let delivered = reference.delivered();
    let moved = deadlock.cycle.iter().find(|b| delivered.iter().any(|d| (d.source, d.index) == (b.source, b.index)));
    moved.map_or(Ok(()), |blocked| Err(format!("{blocked:?} was said to wait for ever")))
}

/// At the end: packets delivered, and packets that wait at their sources.
fn compare_packets<M: Mechanisms>(
    deliveries: Deliveries,
    engine: &CutThrough<M>,
    reference: &Network,
) -> Result<(), String> {
    let (found, expected) = (deliveries.sorted(), reference.delivered());
    for (found, expected) in found.iter().zip(&expected) {
        same("a packet", found, expected)?;
    }
    same("packets delivered", found.len(), expected.len())?;
    let mut backlog = Vec::new();
    engine.backlog(engine.cycle(), |node, packet| backlog.push((node, packet.index, packet.cycle)));
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
fn agree(networks: impl Strategy<Value = Case>, share: u32) {
    let cases = std::env::var("TAILBACK_SOAK_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(300u32);
    let persistence = FileFailurePersistence::Direct("regressions/differential.txt");
    let config = Config {
        cases: cases * share / 100,
        max_global_rejects: cases * 10,
        failure_persistence: Some(Box::new(persistence)),
        source_file: Some(file!()),
        ..Config::default()
    };
    let result = TestRunner::new(config).run(&networks, |case| {
        // Some patterns and processes are impossible on some networks, and refused.
        let traffic = bridge::traffic(&case.config, &case.traffic).map_err(TestCaseError::reject)?;
        compare(&case, &traffic).map_err(TestCaseError::fail)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn engine_and_reference_agree() {
    agree(any_case(), 100);
}

#[test]
fn engine_and_reference_agree_on_usual_networks() {
    agree(usual_case(), 30);
}
