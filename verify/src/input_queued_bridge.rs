//! From the input-queued reference's configuration to the engine's parts, so that both simulate the same network.

use crate::bridge::resolved;
use crate::input_queued::{
    Allocator, Arbiter, Config, Entry, InputPorts, Needs, NodePorts, Order, Priority, RequestOrder, Sharing,
    Speculation, Yields,
};
use crate::wormhole_bridge::routing_table;
use tailback_engine::input_queued::{self as engine, Matching, STEP, Stages};
use tailback_mechanisms::routing::{self, Conditions, ranged::Ranged};
use tailback_network::Grid;
use tailback_spec::View;
use toml::Table;

/// The routing of a configuration whose packets are of several kinds, on a grid.
///
/// # Errors
/// Why it is impossible there.
pub fn routing_of_kinds(config: &Config, grid: &Grid) -> Result<routing::Any, String> {
    let Some(ranges) = ranges(config) else { return routing(config, grid) };
    let all = Some((0, config.channels() as u8));
    let ranged = Ranged::new(ranges, all, |channels| {
        let mut one = config.clone();
        one.shared.base.virtual_channels = channels;
        routing(&one, grid)
    })?;
    Ok(routing::Any::Ranged(ranged))
}

/// The first channel of each kind of packets, and how many it has.
fn ranges(config: &Config) -> Option<[(u8, u8); 4]> {
    let kinds = config.kinds?;
    Some([0, 1, 2, 3].map(|kind| (kinds.first[kind] as u8, kinds.widths[kind] as u8)))
}

/// The routing of a configuration on a grid.
///
/// # Errors
/// Why it is impossible there.
pub fn routing(config: &Config, grid: &Grid) -> Result<routing::Any, String> {
    let table = routing_of(config);
    routing::build(View::new(&table), grid, config.shared.base.virtual_channels).map_err(|no| no.message)
}

/// Whether a network of this configuration is claimed to be free of deadlock, as the catalogue tells a user.
pub fn is_deadlock_free(config: &Config, grid: &Grid) -> bool {
    let table = routing_of(config);
    let view = View::new(&table);
    let sharing = match config.sharing {
        Sharing::Owned => "owned",
        Sharing::Shared => "shared",
    };
    let when = Conditions { channels: config.shared.base.virtual_channels, candidates: false, bubbles: false };
    routing::deadlock_freedom(view, grid, when).is_ok() && routing::safe_sharing(view).contains(&sharing)
}

/// The numbers of its routers.
pub fn router(config: &Config) -> engine::Router {
    let base = &config.shared.base;
    engine::Router {
        channels: base.virtual_channels,
        buffer_flits: base.buffer_flits,
        routing_cycles: config.routing_cycles,
        crossbar_cycles: config.crossbar_cycles,
        credit_cycles: config.credit_cycles,
        sharing: match config.sharing {
            Sharing::Owned => engine::Sharing::Owned,
            Sharing::Shared => engine::Sharing::Shared,
        },
        needs_credit: config.channel_needs_credit,
        input_speedup: config.input_speedup as u32,
        output_speedup: config.output_speedup as u32,
        steps: (config.internal_speedup * f64::from(STEP)) as u32,
        output_queue_flits: config.output_queue_flits.map(|most| most as u32),
        input_ports: match config.input_ports {
            InputPorts::AsOutputs => engine::InputPorts::AsOutputs,
            InputPorts::ByRouter => engine::InputPorts::ByRouter,
        },
        node_ports: match config.node_ports {
            NodePorts::Last => engine::NodePorts::Last,
            NodePorts::First => engine::NodePorts::First,
        },
        request_order: match config.request_order {
            RequestOrder::ByPort => engine::RequestOrder::ByPort,
            RequestOrder::ByChannel => engine::RequestOrder::ByChannel,
        },
        channel_allocator: allocator(config.vc_allocator),
        switch_allocator: allocator(config.switch_allocator),
        holds_switch: config.hold_switch,
        speculation: speculation(config.speculation),
        ejection_flits: config.ejection_flits,
        entry_channel: match config.entry {
            Entry::Next => engine::EntryChannel::Next,
            Entry::Drawn => engine::EntryChannel::Drawn,
        },
        types: engine::Types {
            planes: config.kinds.and_then(|kinds| kinds.planes).map(|planes| planes.map(|plane| plane as u8)),
            channels: ranges(config),
            untyped: false,
        },
        planes: config.planes as u32,
        classes: config.classes as u32,
        priority: match config.priority {
            Priority::None => engine::Priority::None,
            Priority::Age => engine::Priority::Age,
            Priority::Sequence => engine::Priority::Sequence,
            Priority::Queue => engine::Priority::Queue,
            Priority::Class => {
                let of = |class| config.class_priorities.get(class).copied().unwrap_or(0);
                engine::Priority::Class(std::array::from_fn(of))
            }
        },
        donates_priority: config.donation,
        prefers_empty: config.prefers_empty,
        source_queue_packets: base.source_queue_packets,
        packet_flits: config.shared.packet_flits,
        seed: base.seed,
    }
}

fn speculation(kind: Speculation) -> engine::Speculation {
    let needs = |needs| match needs {
        Needs::Nothing => engine::Needs::Nothing,
        Needs::Channel => engine::Needs::Channel,
        Needs::Credit => engine::Needs::Credit,
    };
    match kind {
        Speculation::Off => engine::Speculation::Off,
        Speculation::Shared(what) => engine::Speculation::Shared(needs(what)),
        Speculation::Separate { needs: what, yields, allocator: kind } => engine::Speculation::Separate {
            needs: needs(what),
            yields: match yields {
                Yields::Grants => engine::Yields::Grants,
                Yields::Requests => engine::Yields::Requests,
            },
            allocator: allocator(kind),
        },
    }
}

fn allocator(kind: Allocator) -> engine::Allocator {
    let rounds = |matching, rounds| engine::Allocator { matching, rounds, stages: Stages::RoundRobin, groups: 1 };
    let plain = |matching| rounds(matching, 1);
    let staged = |matching, arbiter| {
        let (stages, groups) = match arbiter {
            Arbiter::RoundRobin => (Stages::RoundRobin, 1),
            Arbiter::Matrix => (Stages::Matrix, 1),
            Arbiter::TreeOfRoundRobins(groups) => (Stages::RoundRobin, groups as u32),
            Arbiter::TreeOfMatrices(groups) => (Stages::Matrix, groups as u32),
        };
        engine::Allocator { matching, rounds: 1, stages, groups }
    };
    match kind {
        Allocator::Islip { iterations } => rounds(Matching::Islip, iterations),
        Allocator::SeparableInputFirst(arbiter) => staged(Matching::InputFirst, arbiter),
        Allocator::SeparableOutputFirst(arbiter) => staged(Matching::OutputFirst, arbiter),
        Allocator::Wavefront => plain(Matching::Wavefront),
        Allocator::RoundRobinWavefront => plain(Matching::SkippingWavefront),
        Allocator::MaxSize => plain(Matching::Maximum),
        Allocator::Pim { iterations } => rounds(Matching::Drawn, iterations),
        Allocator::Loa => plain(Matching::Lonely),
        Allocator::Select { iterations } => rounds(Matching::Select, iterations),
    }
}

fn routing_of(config: &Config) -> Table {
    let mut table = routing_table(&config.shared);
    if config.order == Order::Queues && config.shared.routing == crate::wormhole::Routing::O1Turn {
        table.insert("by".to_owned(), "queues".into());
    }
    resolved(&[routing::section()], "routing", &table)
}
