//! The wormhole engine against its reference model: random small networks, and every packet, buffer and cycle must be the
//! same.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks. What once failed is kept in `regressions/` and tried first. Side-bands
//! narrower than their numbers are not in the reference model.

mod case;
#[path = "../common/networks.rs"]
mod networks;
mod throttles;
#[path = "../common/traffic.rs"]
mod traffic;
#[path = "../common/twins.rs"]
mod twins;

use case::{Case, any_case, any_collective, any_phases, large_case};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use tailback_engine::contract::probe::{EndOfCycle, Message};
use tailback_engine::{DataPath as _, Network as _};
use tailback_engine::{Delivery, Probe, Wormhole};
use tailback_mechanisms::{Bundle, admission, arbiter};
use tailback_spec::View;
use tailback_traffic::Traffic;
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::wormhole::{Admission, Network};
use tailback_verify::wormhole_bridge;
use twins::{Trial, all_delivered, buffers, never_delivered, same, same_totals};

/// What the engine shows.
#[derive(Default)]
struct Watch {
    deliveries: Deliveries,
    /// Messages delivered: source, birth, destination, flits, cycle.
    messages: Vec<(u32, u64, u32, u32, u64)>,
    in_flight: u64,
    /// Flits in the buffers, by router, port and virtual channel.
    levels: Vec<usize>,
    /// Routers, ports and virtual channels.
    size: (usize, usize, usize),
}

impl Probe for Watch {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.deliveries.delivered(delivery);
    }

    fn message_delivered(&mut self, message: Message) {
        let Message { cycle, birth, source, destination, flits } = message;
        self.messages.push((source, birth, destination, flits, cycle));
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.in_flight = end.in_flight;
        let occupancy = end.occupancy.expect("it was asked for");
        let level = |(router, port, channel)| usize::from(occupancy.level(router as u32, port, channel));
        self.levels = buffers(self.size).map(level).collect();
    }
}

/// Both side by side.
struct Twins<'a> {
    engine: Wormhole<'a, Bundle>,
    reference: Network<'a>,
    watch: Watch,
    audit_every: u64,
}

impl Twins<'_> {
    /// A cycle of both; the error says where they part.
    fn step(&mut self) -> Result<(), String> {
        let cycle = self.engine.cycle();
        self.engine.step(&mut AnyProbe(&mut self.watch));
        self.reference.step();
        same(&format!("cycle {cycle}: in flight"), self.watch.in_flight, self.reference.in_flight())?;
        for ((router, port, channel), &level) in buffers(self.watch.size).zip(&self.watch.levels) {
            let expected = self.reference.level(router, port, channel);
            if level != expected {
                return Err(format!(
                    "cycle {cycle}: buffer {channel} of port {port} at router {router}: engine {level}, reference {expected}"
                ));
            }
        }
        let ended = self.engine.in_flight() == 0 && self.engine.sources_are_dry();
        same(&format!("cycle {cycle}: ended"), ended, self.reference.has_ended())?;
        if cycle.is_multiple_of(self.audit_every) {
            same_totals(cycle, self.engine.totals(), self.reference.totals())?;
            self.engine.audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
        }
        Ok(())
    }

    /// At the end: packets delivered, and packets that wait at their sources.
    fn compare_packets(&self) -> Result<(), String> {
        let (found, expected) = (self.watch.deliveries.clone().sorted(), self.reference.delivered());
        for (found, expected) in found.iter().zip(&expected) {
            same("a packet", found, expected)?;
        }
        same("packets delivered", found.len(), expected.len())?;
        let mut messages = self.watch.messages.clone();
        messages.sort_unstable();
        same("messages delivered", messages, self.reference.messages())?;
        let mut backlog = Vec::new();
        self.engine
            .backlog(self.engine.cycle(), |node, lot| backlog.extend(lot.numbers().map(|n| (node, n, lot.cycle))));
        backlog.sort_unstable();
        same("packets at their sources", backlog, self.reference.backlog())
    }

    /// What the engine says about deadlock at the end: never where it is excluded, and what it names never moves again.
    fn check_deadlock(&mut self, is_excluded: bool) -> Result<(), String> {
        let Some(deadlock) = self.engine.deadlock() else { return same("still", self.engine.is_still(), false) };
        if is_excluded {
            return Err(format!("this network cannot deadlock: {deadlock:?}"));
        }
        (0..400).for_each(|_| self.reference.step());
        never_delivered(&deadlock, &self.reference.delivered())
    }
}

/// Runs `body` with the twins of a case.
fn with_twins(
    case: &Case,
    traffic: &Traffic,
    body: impl FnOnce(&mut Twins, bool) -> Result<(), String>,
) -> Result<(), String> {
    let config = &case.config;
    let grid = bridge::grid(&config.base);
    let size = (config.base.routers(), config.base.ports(), config.base.virtual_channels as usize);
    // Half of the networks without the processor's wide vectors.
    let engine = wormhole_bridge::engine(config, &grid, traffic)?;
    let mut twins = Twins {
        engine: if config.base.seed.is_multiple_of(2) { engine.portable() } else { engine },
        reference: Network::new(config, traffic),
        watch: Watch { size, ..Watch::default() },
        audit_every: case.audit_every,
    };
    body(&mut twins, wormhole_bridge::is_deadlock_free(config, &grid))
}

/// A while of any traffic.
fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    with_twins(case, traffic, |twins, is_deadlock_free| {
        (0..case.cycles).try_for_each(|_| twins.step())?;
        twins.compare_packets()?;
        twins.check_deadlock(is_deadlock_free)
    })
}

/// Cycles without any flit sent after which nothing will ever be: more than all delays and two rounds of a walking token.
const STUCK_AFTER: u64 = 200;

/// A finite amount of traffic, until nothing is left or nothing moves: the engine says `deadlock` if and only if packets
/// are left.
fn compare_to_the_end(case: &Case, traffic: &Traffic) -> Result<(), String> {
    with_twins(case, traffic, |twins, is_deadlock_free| {
        let (mut sent, mut since) = (0, 0);
        while since < STUCK_AFTER {
            twins.step()?;
            since = if twins.reference.flits_sent() == sent { since + 1 } else { 0 };
            sent = twins.reference.flits_sent();
            if twins.engine.cycle() > case.cycles {
                return Err("neither delivered nor stuck".to_owned());
            }
        }
        twins.compare_packets()?;
        let stuck = twins.reference.in_flight() > 0;
        same_totals(twins.engine.cycle(), twins.engine.totals(), twins.reference.totals())?;
        if !stuck && case.config.admission == Admission::Off {
            same("ended", twins.engine.sources_are_dry(), true)?;
            all_delivered(traffic, &case.config.base, case.config.packet_flits, twins.engine.totals())?;
        }
        if case.config.lane().is_some() && !is_deadlock_free {
            // The engine takes a recovery lane for a proof that nothing locks, and does not look.
            return Ok(());
        }
        let deadlock = twins.engine.deadlock();
        if deadlock.is_some() != stuck || stuck && is_deadlock_free {
            return Err(format!("stuck: {stuck}; the engine says {deadlock:?}; excluded: {is_deadlock_free}"));
        }
        // A new packet that a throttle holds might always be let go, as far as the engine knows.
        if case.config.admission == Admission::Off {
            same("still", twins.engine.is_still(), stuck)?;
        }
        twins.engine.audit().map_err(|error| format!("at the end: {error}"))
    })
}

/// Tries random cases, `share` in a hundred of those asked for.
fn try_cases(
    regressions: &'static str,
    share: u32,
    strategy: impl Strategy<Value = Case>,
    test: impl Fn(&Case, &Traffic) -> Result<(), String>,
) {
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 160, share, regressions };
    trial.run(strategy, |case| bridge::traffic(&case.config.base, &case.traffic), test);
}

#[test]
fn engine_and_reference_agree() {
    try_cases("regressions/wormhole.txt", 75, any_case(), compare);
}

#[test]
fn engine_and_reference_agree_on_several_blocks() {
    try_cases("regressions/wormhole-blocks.txt", 15, large_case(), compare);
}

#[test]
fn engine_and_reference_agree_on_deadlock() {
    try_cases("regressions/wormhole-deadlock.txt", 25, any_collective(), compare_to_the_end);
}

#[test]
fn engine_and_reference_agree_on_workloads_that_end() {
    try_cases("regressions/wormhole-end.txt", 10, any_phases(), compare_to_the_end);
}

#[test]
fn every_throttle_and_arbiter_of_the_catalogue_has_a_twin() {
    let mut runner = TestRunner::deterministic();
    let mut drawn = BTreeSet::new();
    for _ in 0..1000 {
        let config = any_case().new_tree(&mut runner).expect("a network").current().config;
        let throttle = wormhole_bridge::admission_table(&config);
        drawn.insert(throttle["kind"].as_str().expect("its name").to_owned());
        drawn.insert(wormhole_bridge::arbiter_word(config.arbiter).to_owned());
    }
    // Arbiters that ask for ports are refused.
    let takes = |kind| !arbiter::asks_ports(View::new(&bridge::of_kind(arbiter::section(), kind)));
    let arbiters = arbiter::ENTRIES.iter().filter(|entry| takes(entry.name));
    for entry in admission::ENTRIES.iter().chain(arbiters) {
        assert!(drawn.contains(entry.name), "no reference model of {}", entry.name);
    }
}
