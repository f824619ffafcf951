//! Random small networks of input-output-queued switches and specs of their traffic.

use super::networks::{arbiter, base, fit_routing, valiant};
use super::throttles::admission;
use super::traffic::{finite, process, traffic};
use proptest::option;
use proptest::prelude::*;
use tailback_verify::ioq::side::{Place, Sort};
use tailback_verify::ioq::{Config, Discipline, EgressIndex, Recn};
use tailback_verify::reference::{self, Datelines};
use tailback_verify::wormhole::{self, Admission, Escape, Routing, Rule};

/// One comparison.
#[derive(Clone, Debug)]
pub struct Case {
    /// The network.
    pub config: Config,
    /// The tables `traffic` and `workload` of the spec.
    pub traffic: String,
    /// Simulated time.
    pub cycles: u64,
    /// The engine's books are audited every so many cycles.
    pub audit_every: u64,
}

/// Any network with any traffic.
pub fn any_case() -> impl Strategy<Value = Case> {
    (any_config(), sizes(), traffic()).prop_map(|(config, sizes, (mut cycles, audit_every, text))| {
        if config.shared.base.routers() <= 9 {
            cycles *= 3;
        }
        let traffic = text.replace("SIZES", &sizes_of(&sizes, config.packet_flits));
        Case { config, traffic, cycles, audit_every }
    })
}

/// A network that cannot deadlock, or a torus that may, and a finite amount of traffic, most of it to few nodes.
pub fn any_collective() -> impl Strategy<Value = Case> {
    let pattern = (0u32..4, 1u32..=3, 30u32..=100, any::<bool>());
    (any_config(), sizes(), 1u32..=12, pattern, any::<bool>()).prop_map(
        |(mut config, sizes, packets, (hot, one_in, share, evenly), recn)| {
            if recn && !matches!(config.discipline, Discipline::Recn(_)) {
                // What can be stuck is most of all a set-aside queue.
                config.discipline = Discipline::Recn(Recn {
                    set_aside_queues: 1 + packets % 4,
                    detection_bytes: config.packet_bytes,
                    notification_bytes: config.packet_bytes * (share % 3),
                    xoff_bytes: config.packet_bytes * (1 + share % 2),
                    xon_bytes: config.packet_bytes,
                });
            }
            let placement = if evenly { "even" } else { "random" };
            let pattern = match hot {
                0 => "\"uniform\"".to_owned(),
                1 => format!("{{ kind = \"hot_spot\", nodes = [0, 1], share_percent = {share} }}"),
                2 => format!("{{ kind = \"hot_spot\", nodes = [1], share_percent = {share} }}"),
                _ => format!(
                    "{{ kind = \"hot_sources\", destination = 0, one_in = {one_in}, placement = \"{placement}\" }}"
                ),
            };
            let traffic = format!(
                "[traffic]\npattern = {pattern}\nsize = {}\n[workload]\nkind = \"collective\"\npackets_per_node = {packets}",
                sizes_of(&sizes, config.packet_flits)
            );
            Case { traffic, config, cycles: 200_000, audit_every: 500 }
        },
    )
}

/// The same networks, and phases after which all is silent; or a collective.
pub fn any_phases() -> impl Strategy<Value = Case> {
    let phases = (process(), prop_oneof!["\"tornado\"", "\"uniform\""], finite(12));
    (any_collective(), sizes(), phases).prop_map(|(case, sizes, (process, pattern, workload))| {
        let traffic = format!(
            "[traffic]\npattern = {pattern}\nprocess = {process}\nsize = {}\n[workload]\n{}",
            sizes_of(&sizes, case.config.packet_flits),
            workload.replace("PATTERN", &pattern)
        );
        Case { traffic, ..case }
    })
}

/// The same networks with message classes: disciplines whose queues do not share a memory, and ports for each class at every node.
pub fn any_classed() -> impl Strategy<Value = Case> {
    (any_case(), 2u32..=3, 1u32..=3, 0u32..=4, any::<bool>()).prop_map(|(mut case, classes, each, more, single)| {
        let config = &mut case.config;
        config.classes = classes;
        let base = &mut config.shared.base;
        base.nodes_per_router = classes * base.nodes_per_router.min(2);
        if base.nodes() > 48 {
            base.nodes_per_router = classes;
        }
        if config.shares_memory() {
            config.discipline = if single { Discipline::Single } else { Discipline::VoqSw(EgressIndex::NextTurn) };
        }
        let queues = config.queues(&Place { sort: Sort::Ingress, of: 0, port: 0, to_node: false }) as u32;
        (config.ingress_packets, config.egress_packets) = (queues * each + more, queues * (1 + more % 2) + each);
        fit_throttle(config);
        case
    })
}

/// Lengths of messages in packets, each with its weight.
fn sizes() -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop_oneof![2 => Just(vec![(1, 1)]), 1 => prop::collection::vec((1u32..=5, 1u32..=5), 1..=3)]
}

fn sizes_of(list: &[(u32, u32)], flits: u32) -> String {
    let (lengths, weights): (Vec<u32>, Vec<u32>) = list.iter().map(|(n, weight)| (n * flits, weight)).unzip();
    format!("{{ kind = \"distribution\", flits = {lengths:?}, weights = {weights:?} }}")
}

/// Any network.
pub fn any_config() -> impl Strategy<Value = Config> {
    (shared(), times(), (discipline(), 0u32..3, 0u32..7, 0u32..3, 0u32..7)).prop_map(
        |(shared, times, (discipline, ingress, more_ingress, egress, more_egress))| {
            let (packet_flits, packet_bytes, transfer_cycles, control_flits, credit_batch_packets) = times;
            let mut config = Config {
                shared,
                packet_flits,
                packet_bytes,
                ingress_packets: 0,
                egress_packets: 0,
                transfer_cycles: transfer_cycles.min(packet_flits),
                control_flits,
                credit_batch_packets,
                classes: 1,
                discipline,
            };
            // From one packet a queue up; some packets more than a multiple are of no use in parted memory.
            let queues = config.queues(&Place { sort: Sort::Ingress, of: 0, port: 0, to_node: false }) as u32;
            let least = if config.shares_memory() { 1 } else { queues };
            config.ingress_packets = least * (1 + ingress) + more_ingress;
            config.egress_packets = least * (1 + egress) + more_egress;
            fit_throttle(&mut config);
            config
        },
    )
}

/// No buffer is busy when it is empty: such a spec is refused.
fn fit_throttle(config: &mut Config) {
    let flits = config.ingress_packets * config.packet_flits;
    if let reference::Admission::Spth { margin_flits, .. } = &mut config.shared.base.admission {
        *margin_flits = (*margin_flits).min(flits - 1);
    }
}

/// Throttles that do not count the flits that routers send: such a spec is refused.
fn throttle() -> impl Strategy<Value = Admission> {
    admission().prop_filter("packets move as wholes", |admission| {
        !matches!(admission, Admission::Entropy { .. } | Admission::Inc(_))
    })
}

/// What other routers have too.
fn shared() -> impl Strategy<Value = wormhole::Config> {
    let wrap = prop_oneof![3 => Just(false), 1 => Just(true)];
    let mechanisms = (routing(), prop_oneof![Just(wormhole::Arbiter::RoundRobin), arbiter()], throttle());
    (base(), 1u32..=3, wrap, mechanisms, 0u32..=4).prop_map(
        |(base, nodes_per_router, may_wrap, (routing, arbiter, admission), header_cycles)| {
            let mut base = reference::Config { nodes_per_router, header_cycles, datelines: Datelines::None, ..base };
            base.radix.iter_mut().for_each(|k| *k = (*k).min(5));
            base.wrap.iter_mut().for_each(|wrap| *wrap &= may_wrap);
            let plain = wormhole::Config::plain(&[2], false);
            let mut shared = wormhole::Config { base, routing, arbiter, admission, ..plain };
            fit_routing(&mut shared);
            // The switch has none; the reference's routings want some.
            shared.base.virtual_channels = 16;
            while shared.base.nodes() > 48 {
                shared.base.nodes_per_router -= 1;
            }
            shared
        },
    )
}

fn routing() -> impl Strategy<Value = Routing> {
    let rule =
        prop_oneof![Just(Rule::WestFirst), Just(Rule::NorthLast), Just(Rule::NegativeFirst), Just(Rule::OddEven)];
    prop_oneof![
        6 => Just(Routing::DimensionOrder),
        3 => rule.prop_map(Routing::TurnModel),
        1 => Just(Routing::Adaptive(Escape::None)),
        1 => valiant(),
        1 => Just(Routing::O1Turn),
    ]
}

/// Flits and bytes of a packet, cycles through the crossbar, flits of a control packet, packets of a batch of credits.
fn times() -> impl Strategy<Value = (u32, u32, u32, u32, u32)> {
    (1u32..=8, 1u32..=64, 1u32..=8, 1u32..=3, 1u32..=8)
}

fn discipline() -> impl Strategy<Value = Discipline> {
    let index = prop_oneof![Just(EgressIndex::NextTurn), Just(EgressIndex::InputPort), Just(EgressIndex::Single)];
    prop_oneof![
        1 => Just(Discipline::Single),
        3 => index.prop_map(Discipline::VoqSw),
        1 => Just(Discipline::VoqNet),
        1 => (1u32..=5).prop_map(Discipline::Dbbm),
        1 => Just(Discipline::Damq),
        6 => recn().prop_map(Discipline::Recn),
    ]
}

/// Thresholds from nothing to a few packets of any size.
fn recn() -> impl Strategy<Value = Recn> {
    let bytes = || prop_oneof![2 => 0u32..64, 1 => 0u32..300];
    (1u32..=8, bytes(), bytes(), bytes(), option::of(bytes())).prop_map(
        |(set_aside_queues, detection_bytes, notification_bytes, xoff, xon)| {
            let xoff_bytes = xoff.max(1);
            let xon_bytes = xon.unwrap_or(xoff).clamp(1, xoff_bytes);
            Recn { set_aside_queues, detection_bytes, notification_bytes, xoff_bytes, xon_bytes }
        },
    )
}
