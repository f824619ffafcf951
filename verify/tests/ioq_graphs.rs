//! Input-output-queued switches in networks of any shape: the engine against its reference model on random graphs with random routes,
//! every packet, memory and admittance queue in every cycle; and where the static check says that nothing can lock, nothing does.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks.

use crate::common::tested::Tested;
use crate::common::{listed, shapeless, twins};
use listed::{Listed, wiring};
use proptest::prelude::*;
use tailback_deadlock::Verdict;
use tailback_engine::contract::probe::{EndOfCycle, Message};
use tailback_engine::ioq::{MAX_PORTS, Parts, port_count};
use tailback_engine::{Buffers, Delivery, Ioq, Probe};
use tailback_engine::{DataPath as _, Network as _};
use tailback_mechanisms::{admission, arbiter};
use tailback_network::routes::most_hops;
use tailback_traffic::{Shape, Traffic};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::ioq::side::{Place, Sort};
use tailback_verify::ioq::{Config, Discipline, EgressIndex, Network};
use tailback_verify::reference;
use tailback_verify::{adaptive, ioq_bridge, wormhole, wormhole_bridge};
use twins::{Trial, never_delivered, same, same_totals};

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
    let arbiter = prop_oneof![
        2 => Just(wormhole::Arbiter::RoundRobin),
        1 => Just(wormhole::Arbiter::Random),
        1 => Just(wormhole::Arbiter::OldestFirst)
    ];
    let index = prop_oneof![Just(EgressIndex::NextTurn), Just(EgressIndex::InputPort), Just(EgressIndex::Single)];
    let discipline = prop_oneof![
        1 => Just(Discipline::Single),
        1 => index.prop_map(Discipline::VoqSw),
        2 => Just(Discipline::VoqNet),
        1 => (1u32..=5).prop_map(Discipline::Dbbm),
        1 => Just(Discipline::Damq),
    ];
    // Flits and bytes of a packet, cycles through the crossbar, flits of a control packet, packets of a batch of credits.
    let times = (1u32..=8, 1u32..=64, 1u32..=8, 1u32..=3, 1u32..=8);
    // Cycles of a head, of links of nodes, packets of an admittance queue, and of a message.
    let more = (0u32..=4, 1u32..=6, proptest::option::of(1u32..=4), 1u32..=3);
    let memories = (0u32..3, 0u32..7, 0u32..3, 0u32..7);
    let time = (0.02f64..1.2, 100u64..400, 1u64..40);
    let drawn = (shapeless::drawn(), any::<u64>());
    (drawn, arbiter, discipline, times, more, memories, time).prop_map(
        |((drawn, seed), arbiter, discipline, times, more, memories, (load, cycles, audit_every))| {
            let (packet_flits, packet_bytes, transfer_cycles, control_flits, credit_batch_packets) = times;
            let (header_cycles, link_cycles, source_queue_packets, packets) = more;
            let (base, _) = shapeless::config(drawn, 1);
            let base = reference::Config { header_cycles, link_cycles, source_queue_packets, seed, ..base };
            let shared = wormhole::Config { base, arbiter, ..wormhole::Config::plain(&[2], false) };
            let transfer_cycles = transfer_cycles.min(packet_flits);
            let (ingress_packets, egress_packets) = (0, 0);
            let mut config = Config {
                shared,
                packet_flits,
                packet_bytes,
                ingress_packets,
                egress_packets,
                transfer_cycles,
                control_flits,
                credit_batch_packets,
                classes: 1,
                discipline,
            };
            // From one packet a queue up; some packets more than a multiple are of no use in parted memory.
            let queues = config.queues(&Place { sort: Sort::Ingress, of: 0, port: 0, to_node: false }) as u32;
            let least = if config.shares_memory() { 1 } else { queues };
            config.ingress_packets = least * (1 + memories.0) + memories.1;
            config.egress_packets = least * (1 + memories.2) + memories.3;
            let flits = packet_flits * packets;
            let load = load.min(f64::from(flits));
            let traffic = format!("[traffic]\nload = {load:?}\nsize = {{ kind = \"fixed\", flits = {flits} }}\n");
            Case { config, traffic, cycles, audit_every }
        },
    )
}

fn network(config: &Config) -> tailback_network::Network {
    wiring(config.shared.base.graph.as_ref().expect("it has one"))
}

fn engine<'a>(config: &Config, traffic: &'a Traffic) -> Ioq<'a, Tested> {
    let (base, network) = (&config.shared.base, network(config));
    let word = wormhole_bridge::arbiter_word(config.shared.arbiter);
    let table = bridge::of_kind(arbiter::section(), word);
    let inputs = bridge::inputs(base, base.routers() * MAX_PORTS);
    let parts = Parts {
        routing: Listed::new(base).into(),
        discipline: ioq_bridge::discipline(config, &network).expect("it works on any network"),
        arbiter: arbiter::build(tailback_spec::View::new(&table), base.seed, inputs),
        admission: admission::off(),
    };
    let engine = Ioq::new(network, traffic, ioq_bridge::router(config), parts, Buffers::Watched);
    // Half of the networks without the processor's bit instructions.
    if base.seed.is_multiple_of(2) { engine.portable() } else { engine }
}

/// Whether the static check says that these packets can never lock.
fn is_free(config: &Config) -> bool {
    let (network, routing) = (network(config), Listed::new(&config.shared.base));
    let discipline = ioq_bridge::discipline(config, &network).expect("it works on any network");
    matches!(tailback_deadlock::queues::check(&network, &routing, &discipline, 1 << 24), Ok(Verdict::Free { .. }))
}

/// Whether no route is longer than what packets have places for, and ports are not too many.
fn fits(config: &Config) -> bool {
    let (network, base) = (network(config), &config.shared.base);
    let graph = base.graph.as_ref().expect("it has one");
    let routers = || 0..base.routers();
    let longest = routers().flat_map(|a| routers().map(move |b| (a, b))).map(|(a, b)| graph.length(a, b)).max();
    port_count(&network) <= MAX_PORTS && longest.unwrap_or(0) as usize <= most_hops(&network)
}

/// What the engine shows.
#[derive(Default)]
struct Watch {
    deliveries: Deliveries,
    messages: Vec<adaptive::Message>,
    in_flight: u64,
    /// Flits in the ingress memories, by router and port.
    levels: Vec<usize>,
    injection: Vec<u32>,
    /// Routers and network ports.
    size: (usize, usize),
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
        self.levels = memories(self.size).map(|(r, p)| usize::from(occupancy.level(r as u32, p, 0))).collect();
        self.injection = end.injection.to_vec();
    }
}

/// All memories of the network ports of so many routers.
fn memories((routers, ports): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    (0..routers).flat_map(move |r| (0..ports).map(move |p| (r, p)))
}

fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let config = &case.config;
    let size = (config.shared.base.routers(), config.network_ports());
    let (mut engine, mut reference) = (engine(config, traffic), Network::new(config, traffic));
    let mut watch = Watch { size, ..Watch::default() };
    for cycle in 0..case.cycles {
        engine.step(&mut AnyProbe(&mut watch));
        reference.step();
        reference.check().map_err(|error| format!("cycle {cycle}: {error}"))?;
        same(&format!("cycle {cycle}: admittance queues"), &watch.injection, &reference.injection())?;
        same(&format!("cycle {cycle}: in flight"), watch.in_flight, reference.in_flight())?;
        for ((router, port), &level) in memories(size).zip(&watch.levels) {
            same(&format!("cycle {cycle}: port {port} of router {router}"), level, reference.level(router, port))?;
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
    reference.check_order()?;
    let Some(deadlock) = engine.deadlock() else { return same("still", engine.is_still(), false) };
    if is_free(config) {
        return Err(format!("these routes were said to be free of deadlock: {deadlock:?}"));
    }
    (0..300).for_each(|_| reference.step());
    never_delivered(&deadlock, &reference.delivered())
}

#[test]
fn engine_and_reference_agree_on_any_network() {
    let regressions = "regressions/ioq-graphs.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 100, regressions };
    let traffic = |case: &Case| {
        let nodes = case.config.shared.base.nodes() as u32;
        let shape = Shape { radix: vec![nodes], nodes_per_router: 1 };
        bridge::traffic_on(&case.config.shared.base, &shape, &case.traffic)
    };
    trial.run(any_case().prop_filter("routes have places", |case| fits(&case.config)), traffic, compare);
}

/// Some of the random networks lock, and of some the check says that they cannot: else the test above would show little.
#[test]
fn random_routes_lock_and_do_not() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let cases: Vec<Case> = (0..60).map(|_| any_case().new_tree(&mut runner).expect("a case").current()).collect();
    let free = cases.iter().filter(|case| is_free(&case.config)).count();
    assert!((15..=55).contains(&free), "{free} of 60");
}
