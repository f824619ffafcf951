//! The input-output-queued engine against its reference model: random small networks, and every packet, message, memory,
//! admittance queue, set-aside queue and cycle must be the same. And the model itself: no memory too full, order kept,
//! nothing stuck.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks. What once failed is kept in `regressions/` and tried first.

mod case;

use crate::common::tested::{Tested, engines};
use crate::common::{networks, throttles, traffic, twins};
use case::{Case, any_case, any_classed, any_collective, any_phases};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};
use tailback_engine::Buffers;
use tailback_engine::contract::probe::{EndOfCycle, SetAside};
use tailback_engine::{DataPath as _, Network as _};
use tailback_engine::{Delivery, Ioq, Probe, contract};
use tailback_mechanisms::admission::Switching;
use tailback_mechanisms::{admission, arbiter};
use tailback_spec::View;
use tailback_traffic::Traffic;
use tailback_verify::adaptive::Message;
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::ioq::Network;
use tailback_verify::ioq::side::Place;
use tailback_verify::{ioq_bridge, wormhole_bridge};
use twins::{Trial, all_delivered, never_delivered, same, same_totals};

/// What the engine shows.
#[derive(Default)]
struct Watch {
    deliveries: Deliveries,
    messages: Vec<Message>,
    in_flight: u64,
    /// Flits in the ingress memories, by router and port.
    levels: Vec<usize>,
    /// Packets in the admittance queues, node by node.
    injection: Vec<u32>,
    /// Set-aside queues in use.
    set_aside: BTreeMap<Place, u32>,
    /// Routers and network ports.
    size: (usize, usize),
}

impl Probe for Watch {
    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.deliveries.delivered(delivery);
    }

    fn message_delivered(&mut self, message: contract::probe::Message) {
        let contract::probe::Message { cycle, birth, source, destination, flits } = message;
        self.messages.push(Message { source, birth, destination, flits, delivered: cycle });
    }

    fn set_aside(&mut self, change: SetAside) {
        let place = ioq_bridge::place(change.side, change.router, change.port);
        let before = self.set_aside.insert(place, change.in_use);
        assert_ne!(before.unwrap_or(0), change.in_use, "a change changes something");
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.in_flight = end.in_flight;
        let occupancy = end.occupancy.expect("it was asked for");
        // Buffers are named by the port that feeds them, at the other end of the link.
        self.levels = memories(self.size).map(|(r, p)| usize::from(occupancy.level(r as u32, p ^ 1, 0))).collect();
        self.injection = end.injection.to_vec();
    }
}

/// All memories of the network ports of so many routers.
fn memories((routers, ports): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    (0..routers).flat_map(move |r| (0..ports).map(move |p| (r, p)))
}

/// Both side by side.
struct Twins<'a> {
    engine: Ioq<'a, Tested>,
    reference: Network<'a>,
    watch: Watch,
    audit_every: u64,
}

impl Twins<'_> {
    /// A cycle of both; the error says where they part, or what does not hold in the reference.
    fn step(&mut self) -> Result<(), String> {
        let cycle = self.engine.cycle();
        self.engine.step(&mut AnyProbe(&mut self.watch));
        self.reference.step();
        self.reference.check()?;
        self.compare().map_err(|error| format!("cycle {cycle}: {error}"))?;
        let ended = self.engine.in_flight() == 0 && self.engine.sources_are_dry();
        same(&format!("cycle {cycle}: ended"), ended, self.reference.has_ended())?;
        if cycle.is_multiple_of(self.audit_every) {
            same_totals(cycle, self.engine.totals(), self.reference.totals())?;
            self.reference.check_branches().map_err(|error| format!("cycle {cycle}: {error}"))?;
            self.engine.audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
        }
        Ok(())
    }

    fn compare(&self) -> Result<(), String> {
        let (watch, reference) = (&self.watch, &self.reference);
        let points = reference.points();
        same("set-aside queues", &ioq_bridge::points(&self.engine), &points)?;
        let mut in_use = BTreeMap::new();
        points.iter().for_each(|(place, _)| *in_use.entry(*place).or_insert(0) += 1);
        let reported = watch.set_aside.iter().map(|(&place, &n)| (place, n)).filter(|(_, n)| *n > 0).collect();
        same("set-aside queues as reported", reported, in_use)?;
        same("admittance queues", &watch.injection, &reference.injection())?;
        for ((router, port), &level) in memories(watch.size).zip(&watch.levels) {
            let expected = reference.level(router, port);
            if level != expected {
                return Err(format!("port {port} of router {router}: engine {level}, reference {expected}"));
            }
        }
        same("in flight", watch.in_flight, reference.in_flight())
    }

    /// At the end: packets and messages delivered, and packets that wait at their sources.
    fn compare_packets(&self, is_one_route: bool) -> Result<(), String> {
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
        same("packets at their sources", backlog, self.reference.backlog())?;
        if is_one_route { self.reference.check_order() } else { Ok(()) }
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

/// What is claimed of a network.
#[derive(Clone, Copy)]
struct Claims {
    deadlock_free: bool,
    one_route: bool,
}

/// Runs `body` with the twins of a case.
fn with_twins(
    case: &Case,
    traffic: &Traffic,
    body: impl FnOnce(&mut Twins, Claims) -> Result<(), String>,
) -> Result<(), String> {
    let config = &case.config;
    let grid = bridge::grid(&config.shared.base);
    let size = (config.shared.base.routers(), config.network_ports());
    // Half of the networks without the processor's bit instructions.
    let engine = engines::ioq(config, &grid, traffic, Buffers::Watched)?;
    let mut twins = Twins {
        engine: if config.shared.base.seed.is_multiple_of(2) { engine.portable() } else { engine },
        reference: Network::new(config, traffic),
        watch: Watch { size, ..Watch::default() },
        audit_every: case.audit_every,
    };
    let deadlock_free = ioq_bridge::is_deadlock_free(config, &grid);
    body(&mut twins, Claims { deadlock_free, one_route: ioq_bridge::is_one_route(config, &grid) })
}

/// A while of any traffic.
fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    with_twins(case, traffic, |twins, claims| {
        (0..case.cycles).try_for_each(|_| twins.step())?;
        twins.compare_packets(claims.one_route)?;
        twins.check_deadlock(claims.deadlock_free)
    })
}

/// Cycles in which no packet joins a queue after which nothing will ever be: more than all delays.
const STUCK_AFTER: u64 = 600;

/// A finite amount of traffic, until nothing is left or nothing moves: everything is delivered where deadlock is excluded,
/// set-aside queues or not; elsewhere the engine says `deadlock` if packets are left, and never where nothing is.
fn compare_to_the_end(case: &Case, traffic: &Traffic) -> Result<(), String> {
    with_twins(case, traffic, |twins, claims| {
        let (mut joins, mut since) = (0, 0);
        while since < STUCK_AFTER {
            twins.step()?;
            since = if twins.reference.joins() == joins { since + 1 } else { 0 };
            joins = twins.reference.joins();
            if twins.engine.cycle() > case.cycles {
                return Err("neither delivered nor stuck".to_owned());
            }
        }
        twins.compare_packets(claims.one_route)?;
        twins.reference.check_branches()?;
        let (stuck, deadlock) = (twins.reference.in_flight() > 0, twins.engine.deadlock());
        same_totals(twins.engine.cycle(), twins.engine.totals(), twins.reference.totals())?;
        if !stuck {
            same("ended", twins.engine.sources_are_dry(), true)?;
            all_delivered(traffic, &case.config.shared.base, Some(case.config.packet_flits), twins.engine.totals())?;
        }
        if deadlock.is_some() != stuck || stuck && claims.deadlock_free {
            return Err(format!("stuck: {stuck}; the engine says {deadlock:?}; excluded: {}", claims.deadlock_free));
        }
        if !stuck {
            same("drained", twins.reference.is_drained(), true)?;
        }
        same("still", twins.engine.is_still(), stuck)?;
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
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share, regressions };
    trial.run(strategy, |case| bridge::traffic(&case.config.shared.base, &case.traffic), test);
}

#[test]
fn engine_and_reference_agree() {
    try_cases("regressions/ioq.txt", 60, any_case(), compare);
}

#[test]
fn engine_and_reference_agree_with_message_classes() {
    try_cases("regressions/ioq-classes.txt", 15, any_classed(), compare);
}

#[test]
fn engine_and_reference_agree_until_nothing_is_left() {
    try_cases("regressions/ioq-drain.txt", 40, any_collective(), compare_to_the_end);
}

#[test]
fn engine_and_reference_agree_on_workloads_that_end() {
    try_cases("regressions/ioq-end.txt", 10, any_phases(), compare_to_the_end);
}

#[test]
fn every_throttle_and_arbiter_of_the_catalogue_has_a_twin_or_is_refused() {
    let mut runner = TestRunner::deterministic();
    let mut drawn = BTreeSet::new();
    for _ in 0..1000 {
        let config = any_case().new_tree(&mut runner).expect("a network").current().config.shared;
        drawn.insert(wormhole_bridge::admission_table(&config)["kind"].as_str().expect("its name").to_owned());
        drawn.insert(wormhole_bridge::arbiter_word(config.arbiter).to_owned());
    }
    for entry in arbiter::ENTRIES {
        let is_refused = arbiter::asks_ports(View::new(&bridge::of_kind(arbiter::section(), entry.name)));
        assert!(is_refused || drawn.contains(entry.name), "no reference model of {}", entry.name);
    }
    let grid = bridge::grid(&any_case().new_tree(&mut runner).expect("a network").current().config.shared.base);
    let switching = Switching { by_flits: false, adaptive: false, by_channels: false, shared_buffers: true };
    for entry in admission::ENTRIES {
        let table = bridge::of_kind(admission::section(), entry.name);
        let site = admission::Site { grid: &grid, channels: 1, buffer_flits: 64 };
        let is_refused = admission::objection(View::new(&table), site, switching).is_some();
        assert!(is_refused || drawn.contains(entry.name), "no reference model of {}", entry.name);
    }
}
