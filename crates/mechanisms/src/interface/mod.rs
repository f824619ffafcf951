//! Injection interfaces: which of a node's injection queues takes a new packet.

mod dor;
mod lpath;
mod random;
mod round_robin;
mod sh;
mod shp;
#[cfg(test)]
mod tests;
mod ways;

use crate::Refusal;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::injection::{Injection, InjectionQueue};
use tailback_spec::{Fallback, Idle, Kind, Param, Section, View, When};

crate::catalogue! {
    /// Shortest.
    Sh(sh::Sh, sh::ENTRY),
    /// Shortest, pre-routed.
    Shp(shp::Shp, shp::ENTRY),
    /// Longest path.
    Lpath(lpath::Lpath, lpath::ENTRY),
    /// Dimension order.
    Dor(dor::Dor, dor::ENTRY),
    /// Random.
    Random(random::Random, random::ENTRY),
    /// Round robin.
    RoundRobin(round_robin::RoundRobin, round_robin::ENTRY),
}

const SHARED: &[Param] = &[
    Param {
        name: "queues",
        kind: Kind::Integer { min: 1, max: 12 },
        unit: "queues",
        fallback: Fallback::Integer(1),
        doc: "Number of injection queues per node, up to two per dimension. Each holds router.source_queue_packets.",
    },
    Param {
        name: "channels",
        kind: Kind::Choice(&[
            ("physical", "every queue has a channel of its own to the router, of one flit per cycle"),
            ("virtual", "the queues share one channel of one flit per cycle, packet by packet, round robin"),
        ]),
        unit: "",
        fallback: Fallback::Text("physical"),
        doc: "How packets get from the node's queues to its router.",
    },
    Param {
        name: "router_packets",
        kind: Kind::Integer { min: 1, max: 65_536 },
        unit: "packets",
        fallback: Fallback::Integer(8),
        doc: "Packets of a queue that are at the router at a time, with channels = \"virtual\".",
    },
];

/// Where there is nothing to choose, or nobody waits at the router.
const IDLE: &[Idle] = &[
    Idle { keys: &["kind"], when: &[When::Is(".queues", &["1"])], because: "a packet has one queue to go to" },
    Idle {
        keys: &["router_packets"],
        when: &[When::Is(".channels", &["physical"])],
        because: "queues with a channel of their own hold all packets themselves",
    },
    Idle {
        keys: &["channels", "router_packets"],
        when: &[
            When::Is(".queues", &["1"]),
            When::Is("router.header_cycles", &["0"]),
            When::Is("router.consumption_cycles", &["0"]),
        ],
        because: "a single queue has the channel to itself",
    },
];

/// The `interface` section.
pub fn section() -> Section {
    Section {
        path: "interface",
        doc: "Which of a node's injection queues takes a new packet, under adaptive cut-through.",
        params: SHARED,
        entries: ENTRIES.to_vec(),
        default_entry: Some(sh::ENTRY.name),
        idle: IDLE.iter().collect(),
    }
}

/// Builds the interface of a resolved `interface` section for a network of `dimensions` dimensions and `nodes` nodes.
///
/// # Errors
/// Why it cannot work there.
pub fn build(view: View, dimensions: usize, nodes: usize) -> Result<Any, Refusal> {
    let (kind, queues, directions) = (view.kind(), view.u32("queues") as usize, 2 * dimensions);
    if queues > directions {
        return Err(Refusal {
            path: "interface.queues",
            message: format!("a node has up to two injection queues a dimension, {directions} here, and not {queues}"),
            help: format!("set interface.queues to {directions} or less"),
        });
    }
    if matches!(kind, "shp" | "lpath" | "dor") && queues != directions {
        return Err(Refusal {
            path: "interface.queues",
            message: format!(
                "`{kind}` has a queue for each of the {directions} directions that packets leave by, and a node has \
                 {queues}"
            ),
            help: format!("set interface.queues to {directions}, or take \"sh\", which is for any number"),
        });
    }
    Ok(match kind {
        "shp" => Any::Shp(shp::Shp),
        "lpath" => Any::Lpath(lpath::Lpath),
        "dor" => Any::Dor(dor::Dor),
        "random" => Any::Random(random::Random),
        "round_robin" => Any::RoundRobin(round_robin::RoundRobin::new(nodes, queues)),
        _ => Any::Sh(sh::Sh),
    })
}

/// Whether a resolved `interface` section is that of a node with one plain queue, as every data path has it.
pub fn is_plain(view: View) -> bool {
    view.kind() == sh::ENTRY.name && view.u32("queues") == 1 && view.text("channels") == "physical"
}

impl State for Any {
    fn save(&self, to: &mut Writer) {
        match self {
            Any::Sh(m) => m.save(to),
            Any::Shp(m) => m.save(to),
            Any::Lpath(m) => m.save(to),
            Any::Dor(m) => m.save(to),
            Any::Random(m) => m.save(to),
            Any::RoundRobin(m) => m.save(to),
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        match self {
            Any::Sh(m) => m.restore(from),
            Any::Shp(m) => m.restore(from),
            Any::Lpath(m) => m.restore(from),
            Any::Dor(m) => m.restore(from),
            Any::Random(m) => m.restore(from),
            Any::RoundRobin(m) => m.restore(from),
        }
    }
}

impl Injection for Any {
    fn choose(&mut self, node: u32, offsets: &[i32], queues: &[InjectionQueue], draw: impl FnOnce() -> u64) -> usize {
        match self {
            Any::Sh(i) => i.choose(node, offsets, queues, draw),
            Any::Shp(i) => i.choose(node, offsets, queues, draw),
            Any::Lpath(i) => i.choose(node, offsets, queues, draw),
            Any::Dor(i) => i.choose(node, offsets, queues, draw),
            Any::Random(i) => i.choose(node, offsets, queues, draw),
            Any::RoundRobin(i) => i.choose(node, offsets, queues, draw),
        }
    }
}
