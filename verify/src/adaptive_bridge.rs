//! From the adaptive reference's configuration to the engine's parts, so that both simulate the same network.

use crate::adaptive::{Config, CrossbarOutputs, FlowControl, InterfaceChannels, Policy, Port, Requests, Scope};
use crate::bridge::{kind, resolved, site};
use crate::wormhole_bridge::{admission_table, arbiter, entry, number, routing_table, selection};
use tailback_engine::adaptive::{self as engine, Parts};
use tailback_mechanisms::routing::Conditions;
use tailback_mechanisms::{Bundle, admission, flow_control, interface, routing};
use tailback_network::Grid;
use tailback_spec::{Section, View};
use toml::Table;

/// Whether a network of this configuration is claimed to be free of deadlock, as the catalogue tells a user. A bubble for
/// which there is no place in the buffers is refused: nothing would ever enter.
pub fn is_deadlock_free(config: &Config, grid: &Grid) -> bool {
    let table = resolved(&[routing::section()], "routing", &routing_table(&config.shared));
    let flow_control = flow_control_table(config);
    let (link_cycles, channels) = (config.shared.base.link_cycles, config.shared.base.virtual_channels);
    let room = flow_control::keeps_room(View::new(&flow_control), link_cycles, config.packet_flits);
    let when = Conditions { channels, candidates: true, bubbles: room == Some(Ok(())) };
    routing::deadlock_freedom(View::new(&table), grid, when).is_ok() && has_place(config)
}

/// Whether the buffers can hold the bubble.
fn has_place(config: &Config) -> bool {
    let FlowControl::Bubble { escape_packets, scope, .. } = config.flow_control else { return true };
    let base = &config.shared.base;
    let buffers = base.radix.iter().zip(&base.wrap).map(|(&k, &wrap)| if wrap { k } else { k - 1 });
    let fewest = if scope == Scope::Ring { buffers.min().expect("there is a dimension") } else { 1 };
    escape_packets <= fewest * config.buffer_packets()
}

/// The numbers of its routers.
pub fn router(config: &Config) -> engine::Router {
    let base = &config.shared.base;
    engine::Router {
        channels: base.virtual_channels,
        buffer_packets: config.buffer_packets(),
        packet_flits: config.packet_flits,
        header_cycles: base.header_cycles,
        turn_cycles: config.turn_cycles,
        consumption_cycles: config.consumption_cycles,
        credit_cycles: base.credit_cycles,
        crossbar_outputs: match config.crossbar_outputs {
            CrossbarOutputs::Link => engine::CrossbarOutputs::Link,
            CrossbarOutputs::Channel => engine::CrossbarOutputs::Channel,
        },
        requests: match config.requests {
            Requests::Parallel => engine::Requests::Parallel,
            Requests::InTurn => engine::Requests::InTurn,
            Requests::Smart => engine::Requests::Smart,
            Requests::Random => engine::Requests::Random,
            Requests::Shortest => engine::Requests::Shortest,
            Requests::ShortestFlits => engine::Requests::ShortestFlits,
            Requests::Stay => engine::Requests::Stay,
        },
        escape_first: config.escape_first,
        transit_first: config.transit_first,
        ejection_channels: base.ejection_channels,
        injection_queues: config.queues,
        source_queue_packets: base.source_queue_packets,
        interface_channels: match config.interface_channels {
            InterfaceChannels::Physical => engine::InterfaceChannels::Physical,
            InterfaceChannels::Virtual { router_packets } => engine::InterfaceChannels::Virtual { router_packets },
            InterfaceChannels::Port(of) => engine::InterfaceChannels::Port(port(of)),
        },
        ejection_port: config.ejection_port.map(port),
        choose_again: config.choose_again,
        pace: engine::Pace {
            output_gap_cycles: config.pace.output_gap,
            input_gap_cycles: config.pace.input_gap,
            refusal_cycles: config.pace.refusal,
            first_come: config.pace.first_come,
        },
        seed: base.seed,
    }
}

fn port(of: Port) -> engine::Port {
    engine::Port { buffer_packets: of.buffer_packets, link_cycles: of.link_cycles }
}

/// The mechanisms of a configuration.
///
/// # Errors
/// Why they are impossible there.
pub fn parts(config: &Config, grid: &Grid) -> Result<Parts<Bundle>, String> {
    let (shared, base) = (&config.shared, &config.shared.base);
    let build = |section: Section, given: Table| {
        let path = section.path;
        resolved(&[section], path, &given)
    };
    let routing_table = build(routing::section(), routing_table(shared));
    let admission_table = build(admission::section(), admission_table(shared));
    Ok(Parts {
        routing: routing::build(View::new(&routing_table), grid, base.virtual_channels).map_err(|no| no.message)?,
        selection: selection(shared),
        arbiter: arbiter(shared, base.seed),
        flow_control: flow_control::build(View::new(&flow_control_table(config))),
        admission: admission::build(View::new(&admission_table), site(grid, base)),
        injection: injection(config, base.dimensions(), grid.nodes())?,
    })
}

/// The interface of a configuration in a network of so many dimensions and nodes.
///
/// # Errors
/// Why it is impossible there.
pub fn injection(config: &Config, dimensions: usize, nodes: usize) -> Result<interface::Any, String> {
    let table = resolved(&[interface::section()], "interface", &interface_table(config));
    interface::build(View::new(&table), dimensions, nodes).map_err(|no| no.message)
}

fn flow_control_table(config: &Config) -> Table {
    let given = match config.flow_control {
        FlowControl::VirtualCutThrough => kind("virtual_cut_through"),
        FlowControl::Bubble { escape_packets, new_packets, scope } => entry(
            "bubble",
            &[
                ("escape_packets", number(escape_packets.into())),
                ("new_packets", number(new_packets.into())),
                ("scope", if scope == Scope::Ring { "ring" } else { "local" }.into()),
            ],
        ),
    };
    resolved(&[flow_control::section()], "flow_control", &given)
}

fn interface_table(config: &Config) -> Table {
    let policy = match config.policy {
        Policy::Sh => "sh",
        Policy::Shp => "shp",
        Policy::Lpath => "lpath",
        Policy::Dor => "dor",
        Policy::Random => "random",
        Policy::RoundRobin => "round_robin",
    };
    let mut parameters = vec![("queues", number(config.queues.into()))];
    match config.interface_channels {
        InterfaceChannels::Physical => parameters.push(("channels", "physical".into())),
        // Its buffers are the router's.
        InterfaceChannels::Port(_) => parameters.push(("channels", "virtual".into())),
        InterfaceChannels::Virtual { router_packets } => {
            parameters.push(("channels", "virtual".into()));
            parameters.push(("router_packets", number(router_packets.into())));
        }
    }
    entry(policy, &parameters)
}
