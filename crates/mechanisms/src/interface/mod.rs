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
use tailback_spec::{Fallback, Idle, Kind, Param, View, When};

crate::registry::registry! {
    /// An injection interface that a spec can name.
    Injection: sh::Sh, shp::Shp, lpath::Lpath, dor::Dor, random::Random, round_robin::RoundRobin;

    section {
        path: "interface",
        doc: "Which of a node's injection queues takes a new packet, under adaptive cut-through.",
        default: sh,
        params: SHARED,
        idle: IDLE
    }

    /// Makes that of so many nodes from a resolved `interface` section.
    fn make(view: View, nodes: usize) -> Any;

    /// Whether it has a queue for each direction.
    const BY_DIRECTION as by_direction: bool = false;

    impl State {
        fn save(&self, to: &mut Writer);
        fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit>;
    }

    impl Injection {
        fn choose(&mut self, node: u32, offsets: &[i32], queues: &[InjectionQueue], draw: impl FnOnce() -> u64) -> usize;
    }
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
    Param {
        name: "choose_again",
        kind: Kind::Bool,
        unit: "",
        fallback: Fallback::Bool(false),
        doc: "A packet whose queue is full chooses again in every cycle, and not once (FSIN).",
    },
];

/// Where there is nothing to choose, or nobody waits at the router.
const IDLE: &[Idle] = &[
    Idle { keys: &["kind"], when: &[When::Is(".queues", &["1"])], because: "a packet has one queue to go to" },
    Idle {
        keys: &["choose_again"],
        when: &[When::Is("router.source_queue_packets", &["infinite"])],
        because: "no queue is ever full",
    },
    Idle { keys: &["choose_again"], when: &[When::Is(".queues", &["1"])], because: "a packet has one queue to go to" },
    Idle {
        keys: &["channels", "router_packets"],
        when: &[When::Is("router.injection", &["port"])],
        because: "the queues are virtual channels of the node's link",
    },
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

/// Builds the interface of a resolved `interface` section for a network of `dimensions` dimensions and `nodes` nodes.
///
/// # Errors
/// Why it cannot work there.
pub fn build(view: View, dimensions: usize, nodes: usize) -> Result<Any, Refusal> {
    let (queues, directions) = (view.u32("queues") as usize, 2 * dimensions);
    if queues > directions {
        return Err(Refusal {
            path: "interface.queues",
            message: format!("a node has up to two injection queues a dimension, {directions} here, and not {queues}"),
            help: format!("set interface.queues to {directions} or less"),
        });
    }
    if by_direction(view) && queues != directions {
        return Err(Refusal {
            path: "interface.queues",
            message: format!(
                "`{}` has a queue for each of the {directions} directions that packets leave by, and a node has {queues}",
                view.kind()
            ),
            help: format!("set interface.queues to {directions}, or take \"sh\", which is for any number"),
        });
    }
    Ok(make(view, nodes))
}

/// Whether a resolved `interface` section is that of a node with one plain queue, as every data path has it.
pub fn is_plain(view: View) -> bool {
    view.kind() == sh::ENTRY.name
        && view.u32("queues") == 1
        && view.text("channels") == "physical"
        && !view.bool("choose_again")
}
