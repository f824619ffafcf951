//! Random small networks of adaptive cut-through routers and specs of their traffic.

use super::networks::{arbiter, base, fit_routing, routing, selection};
use super::throttles::admission;
use super::traffic::{finite, process, traffic};
use proptest::option;
use proptest::prelude::*;
use tailback_verify::adaptive::{
    Config, CrossbarOutputs, FlowControl, InterfaceChannels, Pace, Policy, Port, Requests, Scope,
};
use tailback_verify::reference;
use tailback_verify::wormhole::{self, Admission, Escape, Routing};

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

/// Any case.
pub fn any_case() -> impl Strategy<Value = Case> {
    (any_config(), messages(), traffic()).prop_map(|(config, messages, (mut cycles, audit_every, text))| {
        if config.shared.base.routers() <= 9 {
            cycles *= 3;
        }
        let text = messages.of(&text, config.packet_flits);
        Case { config, traffic: text, cycles, audit_every }
    })
}

/// A finite amount of traffic, so that in the end either nothing is left or nothing moves; many of these networks lock.
pub fn any_collective() -> impl Strategy<Value = Case> {
    let amount = (1u32..=30, any::<bool>());
    (any_config(), messages(), amount, 0u32..4).prop_map(|(mut config, messages, (packets, tornado), risk)| {
        config.shared.admission = Admission::Off;
        if risk > 0 {
            take_risks(&mut config, risk);
        }
        let pattern = if tornado { "tornado" } else { "uniform" };
        let text = format!(
            "[traffic]\npattern = \"{pattern}\"\nsize = SIZES\n[workload]\nkind = \"collective\"\npackets_per_node = {packets}"
        );
        Case { traffic: messages.of(&text, config.packet_flits), config, cycles: 100_000, audit_every: 500 }
    })
}

/// The same networks, and phases after which all is silent; or a collective.
pub fn any_phases() -> impl Strategy<Value = Case> {
    let phases = (process(), prop_oneof!["\"tornado\"", "\"uniform\""], finite(30));
    (any_collective(), messages(), phases).prop_map(|(case, messages, (process, pattern, workload))| {
        let workload = workload.replace("PATTERN", &pattern);
        let text = format!("[traffic]\npattern = {pattern}\nprocess = {process}\nsize = SIZES\n[workload]\n{workload}");
        Case { traffic: messages.of(&text, case.config.packet_flits), ..case }
    })
}

/// Few channels; long rings without datelines, turns in any order, or an escape around rings, with whatever bubble.
fn take_risks(config: &mut Config, risk: u32) {
    let shared = &mut config.shared;
    shared.base.virtual_channels = shared.base.virtual_channels.div_ceil(3);
    shared.base.datelines = reference::Datelines::None;
    shared.base.wrap.fill(true);
    shared.base.radix[0] = shared.base.radix[0].max(4);
    shared.routing = match risk {
        1 => Routing::DimensionOrder,
        2 => Routing::Adaptive(Escape::None),
        _ => Routing::Adaptive(Escape::Ring),
    };
    fit(config);
}

/// How many packets make a message.
#[derive(Clone, Debug)]
enum Messages {
    /// One, and the spec says nothing about packets.
    Packets,
    /// So many, each with its weight.
    Cut(Vec<(u32, u32)>),
}

impl Messages {
    /// A traffic with these messages in packets of `flits`.
    fn of(&self, text: &str, flits: u32) -> String {
        let (sizes, packet_flits) = match self {
            Messages::Packets => (format!("{{ kind = \"fixed\", flits = {flits} }}"), 0),
            Messages::Cut(list) => {
                let (lengths, weights): (Vec<u32>, Vec<u32>) =
                    list.iter().map(|(n, weight)| (n * flits, weight)).unzip();
                (format!("{{ kind = \"distribution\", flits = {lengths:?}, weights = {weights:?} }}"), flits)
            }
        };
        let text = text.replace("SIZES", &sizes);
        text.replace("[traffic]\n", &format!("[traffic]\npacket_flits = {packet_flits}\n"))
    }
}

fn messages() -> impl Strategy<Value = Messages> {
    let cut = prop::collection::vec((1u32..=6, 1u32..=5), 1..=3).prop_map(Messages::Cut);
    prop_oneof![1 => Just(Messages::Packets), 1 => cut]
}

/// Any network.
pub fn any_config() -> impl Strategy<Value = Config> {
    (shared(), times(), outputs(), flow_control(), interface(), (pace(), option::of(port()))).prop_map(
        |(shared, times, outputs, flow_control, interface, (pace, ejection_port))| {
            let (packet_flits, buffer_packets, header_cycles, turn_cycles, consumption_cycles) = times;
            let (crossbar_outputs, requests, escape_first, transit_first) = outputs;
            let (queues, policy, interface_channels, choose_again) = interface;
            let mut config = Config {
                shared,
                packet_flits,
                turn_cycles,
                consumption_cycles,
                crossbar_outputs,
                requests,
                escape_first,
                transit_first,
                flow_control,
                queues,
                policy,
                interface_channels,
                ejection_port,
                choose_again,
                pace,
            };
            config.shared.base.header_cycles = header_cycles;
            config.shared.base.buffer_flits = packet_flits * buffer_packets;
            fit(&mut config);
            config
        },
    )
}

/// Makes what cannot be together fit.
pub fn fit(config: &mut Config) {
    fit_routing(&mut config.shared);
    if matches!(config.shared.admission, Admission::Entropy { .. } | Admission::Inc(_)) {
        // They count single flits: such a spec is refused.
        config.shared.admission = Admission::Off;
    }
    let directions = config.shared.base.ports() as u32;
    let pre_routes = matches!(config.policy, Policy::Shp | Policy::Lpath | Policy::Dor);
    config.queues = if pre_routes { directions } else { config.queues.min(directions) };
    let least = config.shared.channels_needed();
    let too_many = |c: &Config| c.inputs() > 64 || c.outputs() > 64;
    if too_many(config) {
        config.shared.base.ejection_channels = Some(1);
    }
    while too_many(config) && config.shared.base.virtual_channels > least {
        config.shared.base.virtual_channels -= 1;
    }
    if too_many(config) {
        config.shared.base.nodes_per_router = 1;
    }
}

/// What wormhole routers have too.
fn shared() -> impl Strategy<Value = wormhole::Config> {
    (base(), arbiter(), routing(), selection(), admission()).prop_map(
        |(base, arbiter, routing, selection, admission)| wormhole::Config {
            base,
            arbiter,
            routing,
            selection,
            admission,
            ..wormhole::Config::plain(&[2], true)
        },
    )
}

/// Flits of a packet, packets of a buffer; header, turn and consumption cycles.
fn times() -> impl Strategy<Value = (u32, u32, u32, u32, u32)> {
    (1u32..=8, 1u32..=5, 0u32..=4, 0u32..=3, 0u32..=3)
}

fn outputs() -> impl Strategy<Value = (CrossbarOutputs, Requests, bool, bool)> {
    let crossbar = prop_oneof![Just(CrossbarOutputs::Link), Just(CrossbarOutputs::Channel)];
    let requests = prop_oneof![
        Just(Requests::Parallel),
        Just(Requests::InTurn),
        Just(Requests::Smart),
        Just(Requests::Random),
        Just(Requests::Shortest),
        Just(Requests::ShortestFlits),
        Just(Requests::Stay)
    ];
    (crossbar, requests, any::<bool>(), any::<bool>())
}

fn flow_control() -> impl Strategy<Value = FlowControl> {
    let scope = prop_oneof![3 => Just(Scope::Local), 2 => Just(Scope::Ring)];
    let new_packets = prop_oneof![2 => Just(0u32), 1 => 1u32..=5];
    let bubble = (1u32..=4, new_packets, scope).prop_map(|(escape_packets, new_packets, scope)| FlowControl::Bubble {
        escape_packets,
        new_packets,
        scope,
    });
    prop_oneof![1 => Just(FlowControl::VirtualCutThrough), 3 => bubble]
}

/// Queues of a node, which of them takes a packet, and how it gets to the router.
fn interface() -> impl Strategy<Value = (u32, Policy, InterfaceChannels, bool)> {
    let policy = prop_oneof![
        3 => Just(Policy::Sh),
        1 => Just(Policy::Shp),
        1 => Just(Policy::Lpath),
        1 => Just(Policy::Dor),
        1 => Just(Policy::Random),
        1 => Just(Policy::RoundRobin)
    ];
    let channels = prop_oneof![
        Just(InterfaceChannels::Physical),
        (1u32..=4).prop_map(|router_packets| InterfaceChannels::Virtual { router_packets }),
        port().prop_map(InterfaceChannels::Port),
    ];
    (1u32..=4, policy, channels, any::<bool>())
}

/// Pauses, in half of the networks.
fn pace() -> impl Strategy<Value = Pace> {
    let any = (0u32..=5, 0u32..=5, 1u32..=4, any::<bool>());
    let any = any.prop_map(|(output_gap, input_gap, refusal, first_come)| Pace {
        output_gap,
        input_gap,
        refusal,
        first_come,
    });
    prop_oneof![1 => Just(Pace::default()), 1 => any]
}

/// A link between nodes and their router.
fn port() -> impl Strategy<Value = Port> {
    (1u32..=3, prop_oneof![3 => Just(1u32), 2 => 2u32..=12])
        .prop_map(|(buffer_packets, link_cycles)| Port { buffer_packets, link_cycles })
}
