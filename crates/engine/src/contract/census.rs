//! The census: where every packet is and what keeps it there, read from the state between two cycles. For stories, for the parts
//! of latency and for the anatomy of congestion; not for the cycle loop.

use super::queueing::Side;
use crate::packet::Packet;
use serde::{Deserialize, Serialize};

/// A packet by its source node and its number among the packets of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Name {
    /// Source node.
    pub source: u32,
    /// Number, from 0 on.
    pub index: u64,
}

impl Name {
    /// That of a packet.
    #[inline]
    pub(crate) fn of(packet: &Packet) -> Self {
        Name { source: packet.source, index: packet.index }
    }
}

/// Which queues a census is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All.
    All,
    /// Less those of the adapters of nodes and before them.
    Routers,
}

/// A queue that a packet, or a part of it, is in at the end of a cycle, or that its head is on the way to.
///
/// A packet has one for every queue that some of it is in; at most one of them has its head, and none once the head has been sent to
/// its node. (Where the way there is not always equally long, the head has one, [`What::Flying`], until it is there.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The packet.
    pub packet: Name,
    /// Its destination node.
    pub destination: u32,
    /// The router.
    pub router: u32,
    /// Network port and virtual channel (or queue), by the direction in which packets come, of an egress side by that in which they
    /// leave; of a side towards a node the port after those of the network. `None`: its source queue.
    pub input: Option<(u8, u16)>,
    /// The side of an input-output-queued switch or adapter, to which admittance queues belong; `None` under other data paths.
    pub side: Option<Side>,
    /// Packets before it in the queue; means nothing while it is on the way there.
    pub position: u32,
    /// Room that it takes there \[flits\]: under wormhole what is there of it, else all of it.
    pub flits: u32,
    /// Whether its head is there, and not only what follows.
    pub head: bool,
    /// Whether the queue is a set-aside one.
    pub aside: bool,
    /// What it does there.
    pub what: What,
}

impl Stand {
    /// All of a packet with its head, at the front of a queue that belongs to no side.
    #[inline]
    pub(crate) fn of(packet: &Packet, router: u32, input: Option<(u8, u16)>, what: What) -> Self {
        let Packet { destination, flits, .. } = *packet;
        let packet = Name::of(packet);
        Stand { packet, destination, router, input, side: None, position: 0, flits, head: true, aside: false, what }
    }
}

/// What a packet does in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Its head has left by this port, and the rest follows; `None`: to its node.
    Leaves(Option<u8>),
    /// It stands behind the packet at the front.
    Behind(Name),
    /// Admission holds it.
    Admission,
    /// It is in a stage of the router's pipeline.
    Routing,
    /// It waits for a virtual channel, or for an ejection channel.
    Channel {
        /// The ports it asks for, as a mask; bit [`What::NODE`]: its node's.
        ports: u64,
        /// Whether one of the channels is free, so that it waits for its turn; else other packets hold all of them.
        free: bool,
    },
    /// Another packet holds or uses the output that it asks for (`None`: that of its node).
    Output(Option<u8>, Name),
    /// No channel that it may take, or none that it holds, has the room that it needs.
    Room {
        /// The port it asks for.
        port: u8,
        /// The channels of that port, as a mask.
        channels: u16,
        /// Flits of room in the one with most.
        flits: u32,
    },
    /// Its queue is held by the queueing discipline: flow control of set-aside queues.
    Held(Option<u8>),
    /// It may go, and will when its turn comes.
    Turn(Option<u8>),
    /// Its head is on a wire, or on its way through a crossbar.
    Flying,
}

/// What a head does that stands behind no other packet, in one word: what its cycles are charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Admission holds it.
    Admission,
    /// It is in a stage of the router's pipeline.
    Routing,
    /// It waits for a virtual channel.
    Channel,
    /// It waits for an output, a crossbar or a link, or for its turn.
    Switch,
    /// It waits for room, or its queue is held.
    Room,
    /// It is on a wire, or on its way through a crossbar.
    Wires,
    /// It has left its last queue for its node, and the rest follows.
    Arriving,
}

/// What is known from one look at all heads to the next, one cycle later.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The engine's own.
    pub words: Vec<u64>,
    /// Source and destination node of the packets that started in that cycle and are to be told of.
    pub started: Vec<(u32, u32)>,
}

/// A head that stands behind no other packet at the end of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// The packet, by a number of its own among those in the network; numbers are used again.
    pub id: u32,
    /// What it does.
    pub doing: Doing,
    /// Cycles on wires before it came to its queue, where nothing is told of it while it is on them; else 0.
    pub flight: u32,
    /// Whether it goes on doing so until it is told of again or enters the network.
    pub lasts: bool,
}

impl What {
    /// The same in one word; `None` for a head that stands behind another packet, or that has left.
    pub fn doing(self) -> Option<Doing> {
        Some(match self {
            What::Behind(_) | What::Leaves(_) => return None,
            What::Admission => Doing::Admission,
            What::Routing => Doing::Routing,
            What::Channel { .. } => Doing::Channel,
            What::Output(..) | What::Turn(_) => Doing::Switch,
            What::Room { .. } | What::Held(_) => Doing::Room,
            What::Flying => Doing::Wires,
        })
    }

    /// The bit of a router's own nodes in a mask of ports.
    pub const NODE: u32 = 63;
}
