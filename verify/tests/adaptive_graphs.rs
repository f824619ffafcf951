//! Adaptive cut-through routers in networks of any shape: the engine against its reference model on random graphs with random routes,
//! every packet, message, buffer, injection queue and cycle; and where the static check says that nothing can lock, nothing does.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks.

use crate::common::tested::Tested;
use crate::common::{listed, plain_adaptive, shapeless, twins};
use listed::{Listed, wiring};
use plain_adaptive::plain;
use proptest::prelude::*;
use shapeless::{USUAL, Width};
use tailback_deadlock::{Heads, Rules, Sharing, Verdict};
use tailback_engine::adaptive::{MAX_INPUTS, MAX_OUTPUTS, MAX_PORTS, Parts};
use tailback_engine::contract::probe::{EndOfCycle, Message};
use tailback_engine::{Adaptive, Buffers, Delivery, Probe};
use tailback_engine::{DataPath as _, Network as _};
use tailback_mechanisms::{admission, flow_control};
use tailback_traffic::{Shape, Traffic};
use tailback_verify::adaptive::{
    self, Config, CrossbarOutputs, FlowControl, InterfaceChannels, Network, Policy, Requests,
};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::wormhole::{self, Arbiter, Selection};
use tailback_verify::{adaptive_bridge, reference, wormhole_bridge};
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
    let selection = prop_oneof![Just(Selection::First), Just(Selection::Random), Just(Selection::MostCredits)];
    let crossbar = prop_oneof![Just(CrossbarOutputs::Link), Just(CrossbarOutputs::Channel)];
    let requests = prop_oneof![Just(Requests::Parallel), Just(Requests::Random), Just(Requests::Shortest)];
    let policy = prop_oneof![2 => Just(Policy::Sh), 1 => Just(Policy::Random), 1 => Just(Policy::RoundRobin)];
    let shared = proptest::option::of(1u32..=4);
    let choices = (arbiter, selection, crossbar, requests, any::<bool>());
    // Flits of a packet, packets of a buffer and of a message; header, consumption and credit cycles.
    let times = (1u32..=8, 1u32..=4, 1u32..=3, 0u32..=4, 0u32..=3, prop_oneof![3 => Just(1u32), 2 => 2u32..=12]);
    // Channels of a link, ejection channels of a node, its queues, how many packets each holds, and how they get to the router.
    let channels = prop_oneof![4 => 1u32..=3, 1 => 7u32..=16];
    let widths = (channels, 1u32..=2, 1u32..=3, proptest::option::of(1u32..=4), policy, shared);
    let time = (0.02f64..1.2, 100u64..400, 1u64..40);
    let wide = (9usize..=62, 1usize..=40).prop_map(|(links, nodes)| Width { links, spare: 2, nodes, drawn: nodes });
    let width = prop_oneof![8 => Just(USUAL), 1 => wide];
    ((shapeless::drawn(), width), choices, times, widths, time, any::<u64>()).prop_map(
        |((drawn, width), choices, times, widths, (load, cycles, audit_every), seed)| {
            let (arbiter, selection, crossbar_outputs, requests, transit_first) = choices;
            let (packet_flits, buffer_packets, packets, header_cycles, consumption_cycles, credit_cycles) = times;
            let (channels, ejection_channels, queues, source_queue_packets, policy, shared) = widths;
            let (base, _) = shapeless::wide_config(drawn, channels, width);
            let base = reference::Config {
                buffer_flits: packet_flits * buffer_packets,
                header_cycles,
                credit_cycles,
                ejection_channels: Some(ejection_channels),
                source_queue_packets,
                seed,
                ..base
            };
            let config = Config {
                shared: wormhole::Config { base, arbiter, selection, ..wormhole::Config::plain(&[2], false) },
                packet_flits,
                consumption_cycles,
                crossbar_outputs,
                requests,
                transit_first,
                flow_control: FlowControl::VirtualCutThrough,
                queues,
                policy,
                interface_channels: match shared {
                    None => InterfaceChannels::Physical,
                    Some(router_packets) => InterfaceChannels::Virtual { router_packets },
                },
                ..plain(&[2], false)
            };
            let flits = packet_flits * packets;
            let load = load.min(f64::from(flits));
            let size = format!("size = {{ kind = \"fixed\", flits = {flits} }}");
            let traffic = format!("[traffic]\nload = {load:?}\npacket_flits = {packet_flits}\n{size}\n");
            Case { config, traffic, cycles, audit_every }
        },
    )
}

fn network(config: &Config) -> tailback_network::Network {
    wiring(config.shared.base.graph.as_ref().expect("it has one"))
}

/// How routers are kept.
#[derive(Clone, Copy)]
enum Kept {
    /// As they need it.
    AsUsual,
    /// As the widest are.
    AsTheWidest,
}

fn engine<'a>(config: &Config, traffic: &'a Traffic, kept: Kept) -> Adaptive<'a, Tested> {
    let base = &config.shared.base;
    let flow_control = bridge::of_kind(flow_control::section(), "virtual_cut_through");
    let parts = Parts {
        routing: Listed::new(base).into(),
        selection: wormhole_bridge::selection(&config.shared),
        arbiter: wormhole_bridge::arbiter(&config.shared, base.seed),
        flow_control: flow_control::build(tailback_spec::View::new(&flow_control)),
        admission: admission::off(),
        // Queues of a node have nothing to do with dimensions where packets are not sorted by them.
        injection: adaptive_bridge::injection(config, 6, base.nodes()).expect("it works anywhere"),
    };
    let (network, router) = (network(config), adaptive_bridge::router(config));
    let engine = match kept {
        Kept::AsUsual => Adaptive::new(network, traffic, router, parts, Buffers::Watched),
        Kept::AsTheWidest => Adaptive::widest(network, traffic, router, parts, Buffers::Watched),
    };
    // Half of the networks without the processor's bit instructions.
    if base.seed.is_multiple_of(2) { engine.portable() } else { engine }
}

/// Whether the static check says that these packets can never lock.
fn is_free(config: &Config) -> bool {
    let (base, routing) = (&config.shared.base, Listed::new(&config.shared.base));
    let network = tailback_deadlock::Network::new(network(config), &routing, base.virtual_channels, Heads::Candidates);
    let rules = Rules { sharing: Sharing::Whole, bubbles: false };
    matches!(tailback_deadlock::check(&network, rules, 1 << 24), Ok(Verdict::Free { .. }))
}

/// Whether a router has no more inputs and outputs than the engine takes.
fn fits(config: &Config) -> bool {
    config.inputs() <= MAX_INPUTS && config.outputs() <= MAX_OUTPUTS
}

/// What the engine shows.
#[derive(Debug, Default, PartialEq)]
struct Watch {
    deliveries: Deliveries,
    messages: Vec<adaptive::Message>,
    in_flight: u64,
    /// Flits in the buffers, by router, port and virtual channel.
    levels: Vec<usize>,
    injection: Vec<u32>,
    /// Routers, ports and virtual channels.
    size: (usize, usize, usize),
}

impl Probe for Watch {
    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.deliveries.delivered(delivery);
    }

    fn message_delivered(&mut self, message: Message) {
        let Message { cycle, birth, source, destination, flits } = message;
        self.messages.push(adaptive::Message { source, birth, destination, flits, delivered: cycle });
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.in_flight = end.in_flight;
        let occupancy = end.occupancy.expect("it was asked for");
        let level = |(router, port, channel)| usize::from(occupancy.level(router as u32, port, channel));
        self.levels = buffers(self.size).map(level).collect();
        self.injection = end.injection.to_vec();
    }
}

fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let config = &case.config;
    let base = &config.shared.base;
    let size = (base.routers(), base.ports(), base.virtual_channels as usize);
    let (mut engine, mut reference) = (engine(config, traffic, Kept::AsUsual), Network::new(config, traffic));
    let mut watch = Watch { size, ..Watch::default() };
    for cycle in 0..case.cycles {
        engine.step(&mut AnyProbe(&mut watch));
        reference.step();
        same(&format!("cycle {cycle}: injection queues"), &watch.injection, &reference.injection())?;
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
    watch.messages.sort_unstable();
    same("messages delivered", watch.messages, reference.messages())?;
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

/// The traffic of a case, on its nodes by number.
fn own_traffic(case: &Case) -> Result<Traffic, String> {
    let base = &case.config.shared.base;
    bridge::traffic_on(base, &Shape { radix: vec![base.nodes() as u32], nodes_per_router: 1 }, &case.traffic)
}

#[test]
fn engine_and_reference_agree_on_any_network() {
    let regressions = "regressions/adaptive-graphs.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 100, regressions };
    trial.run(any_case().prop_filter("a router has masks", |case| fits(&case.config)), own_traffic, compare);
}

/// Both ways to keep routers, cycle by cycle.
fn compare_kept(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let (config, base) = (&case.config, &case.config.shared.base);
    let size = (base.routers(), base.ports(), base.virtual_channels as usize);
    let mut engines = [Kept::AsUsual, Kept::AsTheWidest].map(|kept| engine(config, traffic, kept));
    let mut watches = [(); 2].map(|()| Watch { size, ..Watch::default() });
    for cycle in 0..case.cycles {
        engines.iter_mut().zip(&mut watches).for_each(|(engine, watch)| engine.step(&mut AnyProbe(watch)));
        let [narrow, wide] = &watches;
        if narrow != wide {
            return Err(format!("cycle {cycle}: kept as usual {narrow:?}, as the widest {wide:?}"));
        }
        if cycle % case.audit_every == 0 {
            engines[1].audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
        }
    }
    let [narrow, wide] = &engines;
    same("what became of all packets", narrow.totals(), wide.totals())?;
    same("deadlock", narrow.deadlock(), wide.deadlock())
}

/// A router that fits into words does the same where it is kept as those are that do not.
#[test]
fn a_router_kept_as_the_widest_does_what_it_does_as_usual() {
    let regressions = "regressions/adaptive-graphs-kept.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 30, regressions };
    let narrow = |case: &Case| case.config.inputs() <= MAX_PORTS && case.config.outputs() <= MAX_PORTS;
    trial.run(any_case().prop_filter("a router fits into words", narrow), own_traffic, compare_kept);
}

/// Some of the random networks lock, of some the check says that they cannot, and some have wide routers: else the test above would show
/// little.
#[test]
fn random_routes_lock_and_do_not() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let cases: Vec<Case> = (0..60).map(|_| any_case().new_tree(&mut runner).expect("a case").current()).collect();
    let free = cases.iter().filter(|case| is_free(&case.config)).count();
    assert!((15..=55).contains(&free), "{free} of 60");
    let wide = cases.iter().filter(|case| case.config.inputs() > MAX_PORTS).count();
    assert!((5..=30).contains(&wide), "{wide} of 60 are wide");
}
