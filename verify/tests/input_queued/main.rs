//! The input-queued engine against its reference model: random small networks, and every packet, buffer and cycle must
//! be the same.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks. What once failed is kept in `regressions/` and tried first.

mod answers;
pub mod at_source;
mod case;

use crate::common::tested::{Tested, engines};
use crate::common::{listed, networks, shapeless, traffic, twins};
use at_source::AtSource;
use case::{Case, any_case, any_classes, any_collective, any_graph, any_phases};
use listed::{Listed, wiring};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use tailback_deadlock::{Heads, Rules, Sharing as Waits, Verdict};
use tailback_engine::contract::probe::{EndOfCycle, Message};
use tailback_engine::{Buffers, Delivery, InputQueued, Probe};
use tailback_engine::{DataPath as _, Network as _};
use tailback_traffic::{Shape, Traffic};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::input_queued::{Allocator, Config, Needs, Network, Sharing, Speculation};
use tailback_verify::input_queued_bridge;
use tailback_verify::wormhole::{Asks, Routing as Way, Tied};
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
    engine: InputQueued<'a, Tested>,
    reference: Network<'a>,
    watch: Watch,
    audit_every: u64,
}

impl<'a> Twins<'a> {
    fn new(case: &'a Case, traffic: &'a Traffic, engine: InputQueued<'a, Tested>) -> Self {
        let base = &case.config.shared.base;
        let size = (base.routers(), base.ports(), case.config.channels());
        Twins {
            engine,
            reference: Network::new(&case.config, traffic),
            watch: Watch { size, ..Watch::default() },
            audit_every: case.audit_every,
        }
    }

    /// A cycle of both; the error says where they part.
    fn step(&mut self) -> Result<(), String> {
        let cycle = self.engine.cycle();
        self.engine.step(&mut AnyProbe(&mut self.watch));
        self.reference.step();
        same(&format!("cycle {cycle}: in flight"), self.watch.in_flight, self.reference.in_flight())?;
        for ((router, port, channel), &level) in buffers(self.watch.size).zip(&self.watch.levels) {
            let expected = self.reference.level(router, port, channel);
            if level != expected {
                let place = format!("cycle {cycle}: buffer {channel} of port {port} at router {router}");
                return same(&place, level, expected);
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

    /// A while of any traffic.
    fn run(&mut self, cycles: u64, is_deadlock_free: bool) -> Result<(), String> {
        (0..cycles).try_for_each(|_| self.step())?;
        self.compare_packets()?;
        self.check_deadlock(is_deadlock_free)
    }

    /// A while of any traffic, and then what is under way, while nodes send nothing more.
    fn run_until_empty(&mut self, cycles: u64, is_deadlock_free: bool) -> Result<(), String> {
        (0..cycles).try_for_each(|_| self.step())?;
        self.engine.cease();
        self.reference.cease();
        let (mut sent, mut since) = (0, 0);
        while since < STUCK_AFTER {
            self.step()?;
            since = if self.reference.flits_sent() == sent { since + 1 } else { 0 };
            sent = self.reference.flits_sent();
        }
        self.compare_packets()?;
        let counters = self.engine.counters();
        if is_deadlock_free {
            same("packets that have come to the front", counters.delivered, counters.started)
        } else {
            Ok(())
        }
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

    /// A finite amount of traffic, until nothing is left or nothing moves: the engine says `deadlock` if and only if
    /// packets are left.
    fn run_to_the_end(&mut self, case: &Case, traffic: &Traffic, is_deadlock_free: bool) -> Result<(), String> {
        let (mut sent, mut since) = (0, 0);
        while since < STUCK_AFTER {
            self.step()?;
            since = if self.reference.flits_sent() == sent { since + 1 } else { 0 };
            sent = self.reference.flits_sent();
            if self.engine.cycle() > case.cycles {
                return Err("neither delivered nor stuck".to_owned());
            }
        }
        self.compare_packets()?;
        let stuck = self.reference.in_flight() > 0;
        same_totals(self.engine.cycle(), self.engine.totals(), self.reference.totals())?;
        if !stuck {
            same("ended", self.engine.sources_are_dry(), true)?;
            let shared = &case.config.shared;
            all_delivered(traffic, &shared.base, shared.packet_flits, self.engine.totals())?;
        }
        let deadlock = self.engine.deadlock();
        if stuck && deadlock.is_none() && may_halt(&case.config) {
            // Heads without hope keep flits from the switch, which could go: nobody waits in a circle.
            same("still", self.engine.is_still(), false)?;
            return self.engine.audit().map_err(|error| format!("at the halt: {error}"));
        }
        if deadlock.is_some() != stuck || stuck && is_deadlock_free {
            return Err(format!("stuck: {stuck}; the engine says {deadlock:?}; excluded: {is_deadlock_free}"));
        }
        // Beside a circle in one part, another part may halt as above: its flits could go, and do not.
        if !(stuck && may_halt(&case.config)) {
            same("still", self.engine.is_still(), stuck)?;
        }
        self.engine.audit().map_err(|error| format!("at the end: {error}"))
    }
}

/// Whether a part of the network may halt without a deadlock, as `docs/input_queued.md` says under "Speculation": heads that may have no
/// hope of a channel ask the allocator of the switch like all others, and it is not fair.
fn may_halt(config: &Config) -> bool {
    let unfair = matches!(config.switch_allocator, Allocator::MaxSize | Allocator::Loa);
    unfair && matches!(config.speculation, Speculation::Shared(Needs::Nothing))
}

/// Cycles without any flit leaving a buffer after which nothing will ever be: more than all delays.
const STUCK_AFTER: u64 = 200;

/// A comparison on a grid, for a while or to the end.
fn compare(case: &Case, traffic: &Traffic, to_the_end: bool) -> Result<(), String> {
    let config = &case.config;
    let grid = bridge::grid(&config.shared.base);
    let routing = input_queued_bridge::routing(config, &grid)?;
    let is_deadlock_free = input_queued_bridge::is_deadlock_free(config, &grid);
    let mut twins = Twins::new(case, traffic, engines::input_queued(config, &grid, traffic, routing, Buffers::Watched));
    match to_the_end {
        true => twins.run_to_the_end(case, traffic, is_deadlock_free),
        false => twins.run(case.cycles, is_deadlock_free),
    }
}

fn compare_graph(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let base = &case.config.shared.base;
    let network = wiring(base.graph.as_ref().expect("it has one"));
    let early = case.config.routing_cycles == 0 && base.graph.as_ref().is_some_and(|graph| graph.taste.is_some());
    if early {
        let engine = engines::input_queued(&case.config, network, traffic, AtSource::new(base), Buffers::Watched);
        return Twins::new(case, traffic, engine).run(case.cycles, is_free(&case.config));
    }
    let engine = engines::input_queued(&case.config, network, traffic, Listed::new(base), Buffers::Watched);
    Twins::new(case, traffic, engine).run(case.cycles, is_free(&case.config))
}

/// Whether the static check says that packets can never lock on a network with listed routes.
fn is_free(config: &Config) -> bool {
    let base = &config.shared.base;
    let (wiring, routing) = (wiring(base.graph.as_ref().expect("it has one")), Listed::new(base));
    let network = tailback_deadlock::Network::new(wiring, &routing, base.virtual_channels, Heads::Request);
    let sharing = match config.sharing {
        Sharing::Owned => Waits::Owned,
        Sharing::Shared => Waits::Shared,
    };
    matches!(tailback_deadlock::check(&network, Rules { sharing, bubbles: false }, 1 << 24), Ok(Verdict::Free { .. }))
}

/// Tries random cases, `share` in a hundred of those asked for.
fn try_cases(
    regressions: &'static str,
    share: u32,
    strategy: impl Strategy<Value = Case>,
    test: impl Fn(&Case, &Traffic) -> Result<(), String>,
) {
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share, regressions };
    let traffic = |case: &Case| {
        let base = &case.config.shared.base;
        match base.graph {
            None => {
                let nodes_per_router = base.nodes_per_router / case.config.classes as u32;
                bridge::traffic_on(base, &Shape { radix: base.radix.clone(), nodes_per_router }, &case.traffic)
            }
            Some(_) => {
                let shape = Shape { radix: vec![base.nodes() as u32], nodes_per_router: 1 };
                bridge::traffic_on(base, &shape, &case.traffic)
            }
        }
    };
    trial.run(strategy, traffic, test);
}

#[test]
fn engine_and_reference_agree() {
    try_cases("regressions/input-queued.txt", 45, any_case(), |case, traffic| compare(case, traffic, false));
}

#[test]
fn engine_and_reference_agree_on_networks_of_any_shape() {
    try_cases("regressions/input-queued-graphs.txt", 25, any_graph(), compare_graph);
}

#[test]
fn engine_and_reference_agree_on_deadlock() {
    try_cases("regressions/input-queued-deadlock.txt", 20, any_collective(), |case, traffic| {
        compare(case, traffic, true)
    });
}

/// Both halt in the same cycle where heads without hope are preferred. The first case that halts shows it.
#[test]
fn engine_and_reference_agree_on_halts() {
    let (mut runner, mut halted) = (TestRunner::deterministic(), 0);
    for number in 0..60 {
        let mut case = any_collective().new_tree(&mut runner).expect("a case").current();
        case.config.switch_allocator = if number % 2 == 0 { Allocator::Loa } else { Allocator::MaxSize };
        case.config.speculation = Speculation::Shared(Needs::Nothing);
        assert!(may_halt(&case.config));
        let Ok(traffic) = bridge::traffic(&case.config.shared.base, &case.traffic) else { continue };
        let grid = bridge::grid(&case.config.shared.base);
        let routing = input_queued_bridge::routing(&case.config, &grid).expect("a routing");
        let engine = engines::input_queued(&case.config, &grid, &traffic, routing, Buffers::Watched);
        let mut twins = Twins::new(&case, &traffic, engine);
        let free = input_queued_bridge::is_deadlock_free(&case.config, &grid);
        twins.run_to_the_end(&case, &traffic, free).unwrap_or_else(|why| panic!("case {number}: {why}\n{case:?}"));
        halted += u32::from(twins.reference.in_flight() > 0 && twins.engine.deadlock().is_none());
        if halted > 0 {
            break;
        }
    }
    assert!(halted > 0, "no case shows it");
}

#[test]
fn engine_and_reference_agree_on_workloads_that_end() {
    try_cases("regressions/input-queued-end.txt", 10, any_phases(), |case, traffic| compare(case, traffic, true));
}

/// Nodes cease after a third of the time, when networks are full.
#[test]
fn engine_and_reference_agree_when_nodes_cease() {
    let cease = |case: &Case, traffic: &Traffic| {
        let (config, grid) = (&case.config, bridge::grid(&case.config.shared.base));
        let free = input_queued_bridge::is_deadlock_free(config, &grid) && !may_halt(config);
        let routing = input_queued_bridge::routing(config, &grid)?;
        let engine = engines::input_queued(config, &grid, traffic, routing, Buffers::Watched);
        Twins::new(case, traffic, engine).run_until_empty(case.cycles / 3, free)
    };
    let regressions = "regressions/input-queued-cease.txt";
    try_cases(regressions, 15, any_case(), cease);
    try_cases(regressions, 10, any_classes(false), cease);
}

#[test]
fn engine_and_reference_agree_on_classes() {
    let regressions = "regressions/input-queued-classes.txt";
    try_cases(regressions, 25, any_classes(false), |case, traffic| compare(case, traffic, false));
    try_cases(regressions, 10, any_classes(true), |case, traffic| compare(case, traffic, true));
}

/// The tests above would show little if their cases had not all of it.
#[test]
fn cases_have_all_allocators_and_routers_of_all_widths() {
    let mut runner = TestRunner::deterministic();
    let mut draw = |cases: &dyn Fn(&mut TestRunner) -> Case| (0..300).map(|_| cases(&mut runner)).collect::<Vec<_>>();
    let grids = draw(&|runner| any_case().new_tree(runner).expect("a case").current());
    let graphs = draw(&|runner| any_graph().new_tree(runner).expect("a case").current());
    let kinds = |of: fn(&Config) -> String| grids.iter().map(|case| of(&case.config)).collect::<BTreeSet<_>>().len();
    // With their rounds and arbiters.
    assert_eq!(kinds(|config| format!("{:?}", config.vc_allocator)), 21);
    assert_eq!(kinds(|config| format!("{:?}", config.switch_allocator)), 21);
    assert_eq!(kinds(|config| format!("{:?}", config.priority)), 5);
    let two_ports = |case: &&Case| {
        let base = &case.config.shared.base;
        let even = base.radix.iter().zip(&base.wrap).any(|(k, &wrap)| wrap && k % 2 == 0);
        even && case.config.shared.routing == Way::EscapeOrder(Asks::Escape(Tied::Coin))
    };
    assert!(grids.iter().filter(two_ports).count() >= 10);
    let shared = |case: &&Case| case.config.shared.base.shares_middle && case.config.channels() % 2 == 1;
    let ring = |case: &&Case| {
        let one = case.config.shared.routing == Way::DimensionOrder && case.config.channels() > 1;
        one && case.config.shared.base.wrap.contains(&true) && shared(case)
    };
    let turn = |case: &&Case| case.config.shared.routing == Way::O1Turn && shared(case);
    let both = [grids.iter().filter(ring).count(), grids.iter().filter(turn).count()];
    assert!(both.iter().all(|&found| found >= 8), "{both:?}");
    let folded = |case: &&Case| case.config.shared.base.graph.as_ref().is_some_and(|graph| graph.one_way.is_some());
    let slow = |case: &&Case| case.config.crossbar_cycles > 1 || case.config.routing_cycles > 1;
    assert!(graphs.iter().filter(folded).filter(slow).count() >= 30);
    let inputs = |case: &&Case| case.config.ports(0) * case.config.channels();
    for (least, most) in [(1, 64), (65, 128), (129, 1024)] {
        assert!(grids.iter().filter(|case| (least..=most).contains(&inputs(case))).count() >= 5, "{least} to {most}");
    }
    let narrow =
        |case: &Case| (0..case.config.routers()).all(|router| case.config.ports(router) * case.config.channels() <= 64);
    let plain = |case: &&Case| case::is_plain(&case.config) && narrow(case);
    let plain = [grids.iter().filter(plain).count(), graphs.iter().filter(folded).filter(plain).count()];
    assert!(plain[0] >= 60 && plain[1] >= 25, "{plain:?}");
    let batches = |case: &&Case| case.config.crossbar_cycles > 1 && case.config.internal_speedup > 1.0;
    assert!(grids.iter().filter(batches).count() >= 30);
    let free = graphs.iter().filter(|case| is_free(&case.config)).count();
    assert!((60..=280).contains(&free), "{free} of 300");
}
