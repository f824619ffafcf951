//! Injection interfaces: the queues of every node and what is in front of them.
//!
//! Policies look at queues, so packets are made when they are due. A queue without a bound grows as it must, the one thing that
//! allocates in the loop; a finite one has its memory from the start.

use super::bounds::Bounds;
use super::router::{InterfaceChannels, Router};
use super::state::Layout;
use crate::contract::injection::InjectionQueue;
use crate::contract::sources::Sources;
use crate::packet::Packet;
use crate::sources::makers::Makers;
use crate::wheel::Wheel;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tailback_base::bits::BitSet;
use tailback_network::Network;

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

tailback_base::plain!(Made, Channel);

/// An injection queue, without the packet at its front.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub waiting: VecDeque<Made>,
    /// Whether there is a packet at the front.
    pub fronted: bool,
    /// Packets at the router, the front one included; where channels are physical only that.
    pub at_router: u32,
    /// Places at the router whose credits are on their way.
    pub owed: u32,
    /// Cycle from which on the front packet is sent.
    pub sent: u64,
}

/// The channel that the queues of a node share.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Channel {
    /// Free from then on.
    pub free_at: u64,
    /// The queue after the one it served last.
    pub turn: u8,
}

/// The channel that the queues of a node share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    /// Packets of a queue at the router.
    pub router_packets: u32,
    /// Cycles from a packet's being sent to its head at the router.
    pub link_cycles: u32,
    /// Cycles from a tail's leaving the router to the next use of its place, less one.
    pub late: u32,
}

/// The injection interfaces of all nodes.
pub(super) struct Interface<S> {
    /// Packets a queue holds.
    pub limit: u32,
    /// The channel to the router, where queues share one.
    pub shared: Option<Shared>,
    pub makers: Makers<S>,
    /// By node, where queues share a channel.
    pub channels: Vec<Channel>,
    /// By `node * queues + queue`.
    pub queues: Vec<Queue>,
    /// Packets in every queue, those at the router and one that is being sent included.
    pub counts: Vec<u32>,
    /// Nodes whose shared channel may have something to do.
    pub transfers: BitSet,
    /// Shared channels that fall free.
    pub freed: Wheel<u32>,
    /// Credits of injection queues on their way to the node.
    pub credits: Wheel<u32>,
    /// What a policy sees of the queues of a node.
    pub view: Vec<InjectionQueue>,
}

/// Packets of an injection queue for which memory is reserved.
const RESERVED: u32 = 1024;

tailback_base::state!([] Queue { saved: waiting, fronted, at_router, owed, sent; });

tailback_base::state!([S: Sources] Interface<S> {
    saved: makers, channels, queues, counts, transfers, freed, credits;
    rebuilt: limit, shared, view;
});

impl<S: Sources> Interface<S> {
    pub fn new(network: &Network, sources: S, config: &Router) -> Self {
        let (nodes, queues) = (network.nodes(), config.injection_queues as usize);
        let shared = match config.interface_channels {
            InterfaceChannels::Physical => None,
            InterfaceChannels::Virtual { router_packets } => Some(Shared { router_packets, link_cycles: 0, late: 0 }),
            InterfaceChannels::Port(port) => Some(Shared {
                router_packets: port.buffer_packets,
                link_cycles: port.link_cycles,
                late: config.credit_cycles - 1,
            }),
        };
        let bounds = Bounds::new(network, config, &Layout::new(network, config));
        // What finite queues of a usual length hold never makes the loop allocate; longer ones grow as they fill.
        let space = config.source_queue_packets.map_or(0, |packets| packets.min(RESERVED) as usize);
        let packets = bounds.queued + bounds.arrivals + bounds.injections;
        let messages = if space > 0 { packets + nodes * (queues * space + 1) } else { 0 };
        let queue =
            || Queue { waiting: VecDeque::with_capacity(space), fronted: false, at_router: 0, owed: 0, sent: NEVER };
        let late = shared.map_or(0, |shared: Shared| shared.late);
        let owed = if late == 0 { 0 } else { nodes * queues * (2 + late as usize / config.packet_flits as usize) };
        Interface {
            limit: config.source_queue_packets.unwrap_or(u32::MAX),
            shared,
            makers: Makers::new(sources, nodes, config.packet_flits, (packets, messages)),
            channels: vec![Channel::default(); if shared.is_some() { nodes } else { 0 }],
            queues: (0..nodes * queues).map(|_| queue()).collect(),
            counts: vec![0; nodes * queues],
            transfers: BitSet::new(nodes),
            freed: Wheel::new(u64::from(config.packet_flits), if shared.is_some() { nodes } else { 0 }),
            credits: Wheel::new(late.into(), owed),
            view: vec![InjectionQueue::default(); queues],
        }
    }

    /// Packets in every queue.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Whether all nodes have sent their last packet and will make none any more.
    pub fn is_dry(&self) -> bool {
        self.is_empty() && self.makers.are_dry()
    }

    /// Whether no node has a packet, nor will have one before something is delivered.
    pub fn waits(&self) -> bool {
        self.is_empty() && self.makers.wait()
    }

    fn is_empty(&self) -> bool {
        self.counts.iter().all(|&count| count == 0)
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
