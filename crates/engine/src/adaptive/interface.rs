//! Injection interfaces: the queues of every node and what is in front of them.
//!
//! Policies look at queues, so packets are made when they are due. A queue without a bound grows as it must, the one thing that
//! allocates in the loop; a finite one has its memory from the start.

use super::bounds::Bounds;
use super::router::{InterfaceChannels, Router};
use super::state::Layout;
use crate::calendar::Calendar;
use crate::contract::injection::InjectionQueue;
use crate::messages::Messages;
use crate::packet::Packet;
use crate::totals::{Amount, cut};
use crate::wheel::Wheel;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tailback_base::bits::BitSet;
use tailback_network::Grid;
use tailback_traffic::{Generated, Source, Traffic};

/// A cycle that never comes.
pub(super) const NEVER: u64 = u64::MAX;

/// A packet in an injection queue that has not come to the front.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Made {
    /// The packet.
    pub packet: Packet,
    /// Routing's first word.
    pub word: u32,
    /// The message it belongs to.
    pub message: u32,
    /// When its header time begins: its birth, or the start of its transfer.
    pub since: u64,
}

tailback_base::plain!(Made, Node);

/// An injection queue, without the packet at its front.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub waiting: VecDeque<Made>,
    /// Whether there is a packet at the front.
    pub fronted: bool,
    /// Packets at the router, the front one included; where channels are physical only that.
    pub at_router: u32,
    /// Cycle from which on the front packet is sent.
    pub sent: u64,
}

/// A node's generator.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Node {
    pub source: Source,
    /// The message that is being made or the next one; its cycle is that of the spec.
    pub next: Generated,
    /// Packets of it that have not been made; 0 where there is none.
    pub left: u32,
    /// Its number, while it is being made.
    pub message: u32,
    /// Packets made.
    pub made: u64,
    /// The full queue that the next packet waits for.
    pub stalled: Option<u8>,
    /// Shared channel: free from then on.
    pub free_at: u64,
    /// Shared channel: the queue after the one it served last.
    pub turn: u8,
}

/// The injection interfaces of all nodes.
pub(super) struct Interface {
    /// Packets a queue holds.
    pub limit: u32,
    /// Packets of a queue at the router, where queues share a channel.
    pub shared: Option<u32>,
    pub nodes: Vec<Node>,
    /// By `node * queues + queue`.
    pub queues: Vec<Queue>,
    /// Packets in every queue, those at the router and one that is being sent included.
    pub counts: Vec<u32>,
    pub messages: Messages,
    pub calendar: Calendar,
    /// Nodes that waited for room, and have it.
    pub resumed: BitSet,
    /// Nodes whose shared channel may have something to do.
    pub transfers: BitSet,
    /// Shared channels that fall free.
    pub freed: Wheel<u32>,
    /// What a policy sees of the queues of a node.
    pub view: Vec<InjectionQueue>,
}

/// Packets of an injection queue for which memory is reserved.
const RESERVED: u32 = 1024;

tailback_base::state!([] Queue { saved: waiting, fronted, at_router, sent; });

tailback_base::state!([] Interface {
    saved: nodes, queues, counts, messages, calendar, resumed, transfers, freed;
    rebuilt: limit, shared, view;
});

impl Interface {
    pub fn new(grid: &Grid, traffic: &Traffic, config: &Router) -> Self {
        let (nodes, queues) = (grid.nodes(), config.injection_queues as usize);
        let shared = match config.interface_channels {
            InterfaceChannels::Physical => None,
            InterfaceChannels::Virtual { router_packets } => Some(router_packets),
        };
        let bounds = Bounds::new(grid, config, &Layout::new(grid, config));
        let cut = traffic.max_flits() > config.packet_flits;
        // What finite queues of a usual length hold never makes the loop allocate; longer ones grow as they fill.
        let space = config.source_queue_packets.map_or(0, |packets| packets.min(RESERVED) as usize);
        let packets = bounds.queued + bounds.arrivals + bounds.injections;
        let messages = if space > 0 { packets + nodes * (queues * space + 1) } else { 0 };
        let queue = || Queue { waiting: VecDeque::with_capacity(space), fronted: false, at_router: 0, sent: NEVER };
        let mut interface = Interface {
            limit: config.source_queue_packets.unwrap_or(u32::MAX),
            shared,
            nodes: Vec::with_capacity(nodes),
            queues: (0..nodes * queues).map(|_| queue()).collect(),
            counts: vec![0; nodes * queues],
            messages: Messages::new(cut, packets, messages),
            calendar: Calendar::new(nodes),
            resumed: BitSet::new(nodes),
            transfers: BitSet::new(nodes),
            freed: Wheel::new(u64::from(config.packet_flits), if shared.is_some() { nodes } else { 0 }),
            view: vec![InjectionQueue::default(); queues],
        };
        for node in 0..nodes as u32 {
            interface.nodes.push(Node::new(traffic, node, config.packet_flits));
            let first = &interface.nodes[node as usize];
            if first.left > 0 {
                interface.calendar.schedule(node, first.next.cycle);
            }
        }
        interface
    }

    /// Packets in every queue.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The full queue that a node waits for.
    pub fn stalled(&self, node: usize) -> Option<usize> {
        self.nodes[node].stalled.map(usize::from)
    }

    /// What all nodes have made.
    pub fn generated(&self, traffic: &Traffic, packet_flits: u32, now: u64) -> Amount {
        let of = |(node, of): (u32, &Node)| cut(traffic, node, (of.source.taken(), of.left), packet_flits, now);
        (0..).zip(&self.nodes).map(of).sum()
    }

    /// Whether all nodes have sent their last packet and will make none any more.
    pub fn are_dry(&self, traffic: &Traffic) -> bool {
        let makes_none = |(node, of): (u32, &Node)| of.left == 0 && traffic.next(node, &mut { of.source }).is_none();
        self.counts.iter().all(|&count| count == 0) && (0..).zip(&self.nodes).all(makes_none)
    }

    /// Brings what policies see up to date for a node whose queues begin with `first`.
    pub fn look_at(&mut self, first: usize, now: u64, flits: u32) {
        for (n, view) in self.view.iter_mut().enumerate() {
            let (count, sent) = (self.counts[first + n], self.queues[first + n].sent);
            view.waiting_flits = count * flits - now.saturating_sub(sent) as u32;
            view.has_room = count < self.limit;
        }
    }
}

impl Node {
    fn new(traffic: &Traffic, node: u32, packet_flits: u32) -> Self {
        let nothing = Generated { cycle: 0, destination: node, flits: 0, index: 0 };
        let mut new = Node {
            source: traffic.source(node),
            next: nothing,
            left: 0,
            message: 0,
            made: 0,
            stalled: None,
            free_at: 0,
            turn: 0,
        };
        new.pull(traffic, node, packet_flits);
        new
    }

    /// Makes the next message known; `false` when there is none.
    pub fn pull(&mut self, traffic: &Traffic, node: u32, packet_flits: u32) -> bool {
        if let Some(next) = traffic.next(node, &mut self.source) {
            self.next = next;
            self.left = next.flits / packet_flits;
        }
        self.left > 0
    }
}
