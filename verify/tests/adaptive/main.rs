//! The adaptive cut-through engine against its reference model: random small networks, and every packet, message, buffer,
//! injection queue and cycle must be the same.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks. What once failed is kept in `regressions/` and tried first.

pub mod case;

use crate::common::tested::{Tested, engines};
use crate::common::{networks, throttles, traffic, twins};
use case::{Case, any_case, any_collective, any_phases};
use proptest::strategy::Strategy;
use tailback_engine::Buffers;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::{Adaptive, Delivery, Probe, contract};
use tailback_engine::{DataPath as _, Network as _};
use tailback_traffic::Traffic;
use tailback_verify::adaptive::{FlowControl, Message, Network};
use tailback_verify::adaptive_bridge;
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use twins::{Trial, all_delivered, buffers, never_delivered, same, same_totals};

/// What the engine shows.
#[derive(Default)]
struct Watch {
    deliveries: Deliveries,
    messages: Vec<Message>,
    in_flight: u64,
    /// Flits in the buffers, by router, port and virtual channel.
    levels: Vec<usize>,
    /// Packets in the injection queues, node by node.
    injection: Vec<u32>,
    /// Routers, ports and virtual channels.
    size: (usize, usize, usize),
}

impl Probe for Watch {
    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.deliveries.delivered(delivery);
    }

    fn message_delivered(&mut self, message: contract::probe::Message) {
        let contract::probe::Message { cycle, birth, source, destination, flits } = message;
        self.messages.push(Message { source, birth, destination, flits, delivered: cycle });
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.in_flight = end.in_flight;
        let occupancy = end.occupancy.expect("it was asked for");
        let level = |(router, port, channel)| usize::from(occupancy.level(router as u32, port, channel));
        self.levels = buffers(self.size).map(level).collect();
        self.injection = end.injection.to_vec();
    }
}

/// Both side by side.
struct Twins<'a> {
    engine: Adaptive<'a, Tested>,
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
        same(&format!("cycle {cycle}: injection queues"), &self.watch.injection, &self.reference.injection())?;
        for ((router, port, channel), &level) in buffers(self.watch.size).zip(&self.watch.levels) {
            let expected = self.reference.level(router, port, channel);
            if level != expected {
                return Err(format!(
                    "cycle {cycle}: buffer {channel} of port {port} at router {router}: engine {level}, reference {expected}"
                ));
            }
        }
        same(&format!("cycle {cycle}: in flight"), self.watch.in_flight, self.reference.in_flight())?;
        let ended = self.engine.in_flight() == 0 && self.engine.sources_are_dry();
        same(&format!("cycle {cycle}: ended"), ended, self.reference.has_ended())?;
        if cycle.is_multiple_of(self.audit_every) {
            same_totals(cycle, self.engine.totals(), self.reference.totals())?;
            self.engine.audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
        }
        Ok(())
    }

    /// At the end: packets and messages delivered, and packets that wait at their sources.
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

/// Runs `body` with the twins of a case; it is told whether deadlock is excluded.
fn with_twins(
    case: &Case,
    traffic: &Traffic,
    body: impl FnOnce(&mut Twins, bool) -> Result<(), String>,
) -> Result<(), String> {
    let config = &case.config;
    let base = &config.shared.base;
    let grid = bridge::grid(base);
    let size = (base.routers(), base.ports(), base.virtual_channels as usize);
    let mut twins = Twins {
        engine: engines::adaptive(config, &grid, traffic, Buffers::Watched)?,
        reference: Network::new(config, traffic),
        watch: Watch { size, ..Watch::default() },
        audit_every: case.audit_every,
    };
    body(&mut twins, adaptive_bridge::is_deadlock_free(config, &grid))
}

/// A while of any traffic.
fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    with_twins(case, traffic, |twins, is_deadlock_free| {
        (0..case.cycles).try_for_each(|_| twins.step())?;
        twins.compare_packets()?;
        twins.check_deadlock(is_deadlock_free)
    })
}

/// Cycles without any flit sent after which nothing will ever be: more than all delays.
const STUCK_AFTER: u64 = 200;

/// A finite amount of traffic, until nothing is left or nothing moves: the engine says `deadlock` if packets are left that
/// the network holds, and never where nothing is.
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
        // A bubble may be larger than any buffer, and then nothing is ever let in.
        let ended = twins.reference.has_ended();
        if is_deadlock_free && case.config.flow_control == FlowControl::VirtualCutThrough {
            same("ended", ended, true)?;
        }
        if ended {
            all_delivered(traffic, &case.config.shared.base, Some(case.config.packet_flits), twins.engine.totals())?;
        }
        let deadlock = twins.engine.deadlock();
        if deadlock.is_some() != stuck || stuck && is_deadlock_free {
            return Err(format!("stuck: {stuck}; the engine says {deadlock:?}; excluded: {is_deadlock_free}"));
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
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 200, share, regressions };
    trial.run(strategy, |case| bridge::traffic(&case.config.shared.base, &case.traffic), test);
}

#[test]
fn engine_and_reference_agree() {
    try_cases("regressions/adaptive.txt", 80, any_case(), compare);
}

#[test]
fn engine_and_reference_agree_on_deadlock() {
    try_cases("regressions/adaptive-deadlock.txt", 20, any_collective(), compare_to_the_end);
}

#[test]
fn engine_and_reference_agree_on_workloads_that_end() {
    try_cases("regressions/adaptive-end.txt", 10, any_phases(), compare_to_the_end);
}
