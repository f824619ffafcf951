//! The routers of a network that one fabric simulates: all of them, or those of one part.
//!
//! A part has the tables of the whole network and uses of them what belongs to its own routers. What it does to a router of
//! another part, a head that reaches it or credits that come back to it, takes a cycle at least: it is posted when it is
//! decided and carries the cycle in which it counts.

use super::blocks::Blocks;
use super::tables::Id;
use crate::packet::Packet;
use crate::partition::cut::Cut;
use serde::{Deserialize, Serialize};
use tailback_network::Network;

/// What one part tells another.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Mail {
    /// The router that it is for.
    pub(super) router: u32,
    /// The cycle in which it counts.
    pub(super) then: u64,
    pub(super) what: What,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum What {
    /// A head may ask at an input, with the routing's word.
    Head { input: u32, word: u32, packet: Packet },
    /// Flits are free behind a channel.
    Credit { port: u8, channel: u8, period: u16, flits: u32 },
}

/// What is done of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// All of it.
    Both,
    /// What may be of consequence to other parts: allocate at the edge, and what that needs.
    Edge,
    /// The rest.
    Rest,
}

/// What the routers of a block have to do with other parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Border {
    /// They belong to other parts.
    Abroad,
    /// Nothing, nor have their neighbours.
    Inside,
    /// They have neighbours in blocks at the edge.
    Near,
    /// Some of its routers have neighbours in other parts.
    Edge,
}

/// The routers of one fabric.
#[derive(Clone, Debug)]
pub(super) struct Share {
    /// The lowest number, and how many numbers there are from that to the highest.
    first: u32,
    count: u32,
    /// Whether all of these are its own.
    solid: bool,
    part: usize,
    /// By block.
    places: Vec<Border>,
    cut: Cut,
    /// What is posted, by part; none where there is only one.
    outboxes: Vec<Vec<Mail>>,
}

impl Share {
    /// All routers.
    pub fn whole(network: &Network) -> Self {
        let count = network.routers() as u32;
        let cut = Cut::new(network, 1);
        Share { first: 0, count, solid: true, part: 0, places: Vec::new(), cut, outboxes: Vec::new() }
    }

    /// The routers of one part.
    pub fn new(cut: Cut, part: usize) -> Self {
        let own: Vec<u32> = cut.routers(part).collect();
        let (first, last) = (own[0], own[own.len() - 1]);
        let count = last + 1 - first;
        let (solid, outboxes) = (own.len() == count as usize, vec![Vec::new(); cut.parts()]);
        Share { first, count, solid, part, places: Vec::new(), cut, outboxes }
    }

    /// Whether there are other parts.
    #[inline(always)]
    pub fn is_cut(&self) -> bool {
        !self.outboxes.is_empty()
    }

    /// Whether a router is its own.
    #[inline(always)]
    pub fn owns(&self, router: Id) -> bool {
        self.has(router.get())
    }

    /// PERF: most parts are routers of consecutive numbers, and nothing is looked up.
    #[inline(always)]
    fn has(&self, router: u32) -> bool {
        router.wrapping_sub(self.first) < self.count && (self.solid || self.cut.part_of(router) == self.part)
    }

    /// Finds out where its blocks are.
    pub fn place_blocks(&mut self, network: &Network, blocks: Blocks) {
        if !self.is_cut() {
            self.places = vec![Border::Inside; blocks.count];
            return;
        }
        let own = |router: u32| self.has(router);
        let mut places = vec![Border::Abroad; blocks.count];
        let routers = || (0..network.routers() as u32).filter(|&router| own(router));
        let peers =
            |router| (0..network.ports(router)).filter_map(move |port| Some(network.peer(router, port)?.router));
        for router in routers() {
            let place = &mut places[blocks.of(router)];
            if peers(router).any(|peer| !own(peer)) {
                *place = Border::Edge;
            } else if *place == Border::Abroad {
                *place = Border::Inside;
            }
        }
        for router in routers() {
            let at_the_edge = |peer: u32| own(peer) && places[blocks.of(peer)] == Border::Edge;
            if places[blocks.of(router)] == Border::Inside && peers(router).any(at_the_edge) {
                places[blocks.of(router)] = Border::Near;
            }
        }
        self.places = places;
    }

    /// Whether what is due at a block is delivered in this half of a cycle.
    #[inline]
    pub fn delivers(&self, half: Half, block: usize) -> bool {
        match self.places[block] {
            Border::Abroad => false,
            Border::Inside => half != Half::Edge,
            Border::Near | Border::Edge => half != Half::Rest,
        }
    }

    /// Whether the routers of a block allocate in this half of a cycle.
    #[inline]
    pub fn allocates(&self, half: Half, block: usize) -> bool {
        match self.places[block] {
            Border::Abroad => false,
            Border::Inside | Border::Near => half != Half::Edge,
            Border::Edge => half != Half::Rest,
        }
    }

    /// What is posted for a part.
    pub fn outbox(&mut self, part: usize) -> &mut Vec<Mail> {
        &mut self.outboxes[part]
    }

    /// Posts what counts in cycle `then` at a router of another part.
    #[inline(never)]
    pub fn post(&mut self, router: Id, then: u64, what: What) {
        self.outboxes[self.cut.part_of(router.get())].push(Mail { router: router.get(), then, what });
    }
}
