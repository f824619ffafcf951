//! Wormhole routers in networks of any shape: the engine against its reference model on random graphs with random routes, every packet,
//! buffer and cycle; and where the static check says that nothing can lock, nothing does.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks.

use crate::common::tested::Tested;
use crate::common::{listed, shapeless, twins};
use listed::{Listed, wiring};
use proptest::prelude::*;
use tailback_deadlock::{Heads, Rules, Sharing as Waits, Verdict};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::wormhole::{MAX_PORTS, Parts};
use tailback_engine::{Buffers, Delivery, Probe, Wormhole};
use tailback_engine::{DataPath as _, Network as _};
use tailback_mechanisms::{admission, recovery};
use tailback_traffic::{Shape, Traffic};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference;
use tailback_verify::wormhole::{
    Arbiter, ChannelAllocator, Config, CrossbarInputs, Network, Selection, Sharing, SwitchAllocator,
};
use tailback_verify::wormhole_bridge;
use twins::{Trial, buffers, never_delivered, same, same_totals};

/// One comparison.
#[derive(Clone, Debug)]
struct Case {
    config: Config,
    /// The tables `traffic` and `workload` of the spec.
    traffic: String,
    cycles: u64,
    audit_every: u64,
}

fn any_case() -> impl Strategy<Value = Case> {
    let arbiter =
        prop_oneof![2 => Just(Arbiter::RoundRobin), 1 => Just(Arbiter::Random), 1 => Just(Arbiter::OldestFirst)];
    let sharing = prop_oneof![Just(Sharing::Owned), Just(Sharing::Shared), Just(Sharing::SharedWhole)];
    let selection = prop_oneof![Just(Selection::First), Just(Selection::Random), Just(Selection::MostCredits)];
    let channels = prop_oneof![
        1 => Just(ChannelAllocator::Central),
        2 => Just(ChannelAllocator::InputFirst),
        1 => Just(ChannelAllocator::OutputFirst)
    ];
    let switch = prop_oneof![Just(SwitchAllocator::InputFirst), Just(SwitchAllocator::OutputFirst)];
    let crossbar = prop_oneof![Just(CrossbarInputs::Port), Just(CrossbarInputs::Channel)];
    let stages = (0u32..=3, 0u32..=3, 0u32..=3, 0u32..=3, prop_oneof![3 => Just(1u32), 2 => 2u32..=12]);
    let choices = (arbiter, sharing, selection, channels, switch, crossbar, any::<bool>());
    let sizes = (prop_oneof![3 => Just(1u32..=1), 1 => Just(1u32..=3)], 1u32..=8, 1u32..=10);
    // Channels of a link, injection and ejection channels of a node, packets of a source queue.
    let widths = (1u32..=3, 1u32..=2, 1u32..=2, proptest::option::of(1u32..=4));
    let time = (0.02f64..1.2, 100u64..400, 1u64..40);
    (shapeless::drawn(), stages, choices, sizes, widths, time, any::<u64>()).prop_map(
        |(drawn, stages, choices, (lengths, flits, buffer_flits), widths, (load, cycles, audit_every), seed)| {
            let (routing_cycles, vc_allocation_cycles, switch_allocation_cycles, crossbar_cycles, credit_cycles) =
                stages;
            let (arbiter, sharing, selection, channel_allocator, switch_allocator, crossbar_inputs, speculative) =
                choices;
            let (channels, injection_channels, ejection_channels, source_queue_packets) = widths;
            let (base, _) = shapeless::config(drawn, channels);
            let base = reference::Config {
                buffer_flits,
                credit_cycles,
                ejection_channels: Some(ejection_channels),
                source_queue_packets,
                seed,
                ..base
            };
            let speculative =
                speculative && channel_allocator == ChannelAllocator::InputFirst && vc_allocation_cycles > 0;
            let config = Config {
                base,
                routing_cycles,
                vc_allocation_cycles,
                switch_allocation_cycles,
                crossbar_cycles,
                injection_channels,
                sharing,
                channel_allocator,
                switch_allocator,
                crossbar_inputs,
                speculative,
                arbiter,
                selection,
                ..Config::plain(&[2], false)
            };
            let longest = flits * lengths.end();
            let size = match lengths.end() {
                1 => format!("{{ kind = \"fixed\", flits = {flits} }}"),
                _ => format!(
                    "{{ kind = \"bimodal\", short_flits = {flits}, long_flits = {longest}, long_percent = 40 }}"
                ),
            };
            let load = load.min(f64::from(flits));
            Case { config, traffic: format!("[traffic]\nload = {load:?}\nsize = {size}\n"), cycles, audit_every }
        },
    )
}

/// The same on more routers than the engine has side by side, so that what crosses from block to block is compared too.
fn large_case() -> impl Strategy<Value = Case> {
    (any_case(), (any::<u64>(), 65usize..=140, 0usize..80, shapeless::routes())).prop_map(|(mut case, drawn)| {
        let old = &case.config.base;
        let (new, _) = shapeless::config(drawn, old.virtual_channels);
        let (graph, nodes_per_router) = (new.graph, new.nodes_per_router);
        case.config.base = reference::Config { graph, nodes_per_router, ..old.clone() };
        case.cycles = case.cycles.min(150);
        case
    })
}

fn network(config: &Config) -> tailback_network::Network {
    wiring(config.base.graph.as_ref().expect("it has one"))
}

fn engine<'a>(config: &Config, traffic: &'a Traffic) -> Wormhole<'a, Tested> {
    let [channel_arbiter, input_arbiter, output_arbiter] =
        config.arbiter_seeds().map(|seed| wormhole_bridge::arbiter(config, seed));
    let parts = Parts {
        routing: Listed::new(&config.base).into(),
        selection: wormhole_bridge::selection(config),
        channel_arbiter,
        input_arbiter,
        output_arbiter,
        admission: admission::off(),
        recovery: recovery::off(),
    };
    let engine = Wormhole::new(network(config), traffic, wormhole_bridge::router(config), parts, Buffers::Watched);
    // Half of the networks without the processor's wide vectors.
    if config.base.seed.is_multiple_of(2) { engine.portable() } else { engine }
}

/// Whether the static check says that these packets can never lock.
fn is_free(config: &Config) -> bool {
    let routing = Listed::new(&config.base);
    let network =
        tailback_deadlock::Network::new(network(config), &routing, config.base.virtual_channels, Heads::Candidates);
    let sharing = match config.sharing {
        Sharing::Owned => Waits::Owned,
        Sharing::Shared => Waits::Shared,
        Sharing::SharedWhole => Waits::SharedWhole,
    };
    let rules = Rules { sharing, bubbles: false };
    matches!(tailback_deadlock::check(&network, rules, 1 << 24), Ok(Verdict::Free { .. }))
}

/// Whether a router has no more inputs and channels than the engine takes.
fn fits(config: &Config) -> bool {
    config.inputs() <= MAX_PORTS && config.outputs() <= MAX_PORTS
}

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
    fn needs_occupancy(&self) -> bool {
        true
    }

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

fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let config = &case.config;
    let size = (config.base.routers(), config.base.ports(), config.base.virtual_channels as usize);
    let (mut engine, mut reference) = (engine(config, traffic), Network::new(config, traffic));
    let mut watch = Watch { size, ..Watch::default() };
    for cycle in 0..case.cycles {
        engine.step(&mut AnyProbe(&mut watch));
        reference.step();
        same(&format!("cycle {cycle}: in flight"), watch.in_flight, reference.in_flight())?;
        for ((router, port, channel), &level) in buffers(size).zip(&watch.levels) {
            let expected = reference.level(router, port, channel);
            if level != expected {
                let place = format!("cycle {cycle}: buffer {channel} of port {port} at router {router}");
                return same(&place, level, expected);
            }
        }
        if cycle % case.audit_every == 0 {
            same_totals(cycle, engine.totals(), reference.totals())?;
            engine.audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
        }
    }
    let (found, expected) = (watch.deliveries.sorted(), reference.delivered());
    found.iter().zip(&expected).try_for_each(|(found, expected)| same("a packet", found, expected))?;
    same("packets delivered", found.len(), expected.len())?;
    let mut backlog = Vec::new();
    engine.backlog(engine.cycle(), |node, lot| backlog.extend(lot.numbers().map(|n| (node, n, lot.cycle))));
    backlog.sort_unstable();
    same("packets at their sources", backlog, reference.backlog())?;
    let Some(deadlock) = engine.deadlock() else { return same("still", engine.is_still(), false) };
    if is_free(config) {
        return Err(format!("these routes were said to be free of deadlock: {deadlock:?}"));
    }
    (0..300).for_each(|_| reference.step());
    never_delivered(&deadlock, &reference.delivered())
}

fn try_cases(regressions: &'static str, share: u32, strategy: impl Strategy<Value = Case>) {
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share, regressions };
    let traffic = |case: &Case| {
        let nodes = case.config.base.nodes() as u32;
        bridge::traffic_on(&case.config.base, &Shape { radix: vec![nodes], nodes_per_router: 1 }, &case.traffic)
    };
    trial.run(strategy.prop_filter("a router has masks", |case| fits(&case.config)), traffic, compare);
}

#[test]
fn engine_and_reference_agree_on_any_network() {
    try_cases("regressions/wormhole-graphs.txt", 90, any_case());
}

#[test]
fn engine_and_reference_agree_on_networks_of_several_blocks() {
    try_cases("regressions/wormhole-graphs-large.txt", 10, large_case());
}

/// Some of the random networks lock, and of some the check says that they cannot: else the tests above would show little.
#[test]
fn random_routes_lock_and_do_not() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let cases: Vec<Case> = (0..60).map(|_| any_case().new_tree(&mut runner).expect("a case").current()).collect();
    let free = cases.iter().filter(|case| is_free(&case.config)).count();
    assert!((15..=55).contains(&free), "{free} of 60");
}
