//! Generate and transfer: nodes make packets and give them to injection queues, and queues bring them to the router.

use super::fabric::Fabric;
use super::interface::{Made, NEVER, Shared};
use super::mechanisms::Mechanisms;
use super::state::{Mask, Queued, RouterState};
use crate::contract::injection::Injection;
use crate::contract::probe::Probe;
use crate::contract::routing::Routing;
use crate::contract::sources::Sources;
use crate::packet::{Packet, Slot};
use crate::sources::makers::Maker;
use crate::totals::{Amount, Lot, Totals};
use tailback_base::bits::ones;
use tailback_base::rng::{self, Purpose};

/// Numbers of draws for packets that choose again, beside those for packets by their number.
const AGAIN: u64 = 1 << 63;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Nodes whose next packet is due, or whose queue has room again, make what is due, until a queue is full.
    #[inline]
    pub(super) fn generate<P: Probe>(&mut self, routers: &mut [RouterState<W, NI, NO>], now: u64, probe: &mut P) {
        let mut cursor = self.interface.makers.open(now);
        while let Some(node) = self.interface.makers.take(&mut cursor, now) {
            while self.interface.makers.is_due(node, now) && self.make_packet(routers, now, node, probe) {}
        }
    }

    /// Makes the next packet of a node, unless the queue that it is for is full.
    fn make_packet<P: Probe>(
        &mut self,
        routers: &mut [RouterState<W, NI, NO>],
        now: u64,
        node: u32,
        probe: &mut P,
    ) -> bool {
        let (n, flits) = (node as usize, self.config.packet_flits);
        let Maker { next, made, stalled, .. } = self.interface.makers.nodes[n];
        let mut packet = Packet {
            birth: now,
            index: made,
            source: node,
            destination: next.destination,
            router: self.network.router_of(next.destination),
            flits,
            ..Packet::default()
        };
        let router = self.network.router_of(node);
        let draw = || rng::draw(self.config.seed, Purpose::Tie, node, made)[0];
        let word = self.parts.routing.start(router, &mut packet, draw);
        // The links that it takes are counted: an escape may lead it astray.
        packet.hops = 0;
        let queue = match stalled {
            Some(queue) if !self.config.choose_again => usize::from(queue),
            _ => self.choose(now, router, &packet, stalled.is_some()),
        };
        let at = n * self.layout.queues + queue;
        if self.interface.counts[at] >= self.interface.limit {
            self.interface.makers.stall(node, queue);
            if self.config.choose_again {
                self.interface.makers.resume(n);
            }
            return false;
        }
        let (_, message) = self.interface.makers.make(node, now);
        packet.mark = self.interface.makers.mark(node);
        let made = Made { packet, word, message, since: now };
        self.interface.counts[at] += 1;
        self.interface.queues[at].waiting.push_back(made);
        if self.interface.shared.is_some() {
            self.interface.transfers.insert(n);
        } else if !self.interface.queues[at].fronted {
            self.head_queue(&mut routers[self.network.router_of(node) as usize], now, node, queue, probe);
        }
        true
    }

    /// The queue for a packet; `again`: the one that it chose before is full.
    fn choose(&mut self, now: u64, router: u32, packet: &Packet, again: bool) -> usize {
        let (queues, node) = (self.layout.queues, packet.source);
        if queues == 1 {
            return 0;
        }
        self.interface.look_at(node as usize * queues, now, self.config.packet_flits);
        let offsets = self.parts.routing.offsets(router, packet);
        let number = if again { AGAIN | now } else { packet.index };
        let draw = || rng::draw_u64(self.config.seed, Purpose::Interface, node, number);
        let view = &self.interface.view;
        let queue = self.parts.injection.choose(node, &offsets[..self.layout.dimensions], view, draw);
        assert!(queue < queues, "a policy chooses one of the queues");
        queue
    }

    /// Nodes whose queues share a channel begin to bring the next packet to the router.
    #[inline]
    pub(super) fn transfer<P: Probe>(&mut self, routers: &mut [RouterState<W, NI, NO>], now: u64, probe: &mut P) {
        let Some(shared) = self.interface.shared else { return };
        let mut cursor = self.interface.credits.open(now);
        while let Some(at) = self.interface.credits.take(&mut cursor) {
            self.interface.queues[at as usize].owed -= 1;
            self.interface.transfers.insert(at as usize / self.layout.queues);
        }
        let mut cursor = self.interface.freed.open(now);
        while let Some(node) = self.interface.freed.take(&mut cursor) {
            self.interface.transfers.insert(node as usize);
        }
        for word in 0..self.interface.transfers.word_count() {
            for bit in ones(self.interface.transfers.take_word(word)) {
                self.transfer_of(routers, now, (word * 64 + bit) as u32, shared, probe);
            }
        }
    }

    fn transfer_of<P: Probe>(
        &mut self,
        routers: &mut [RouterState<W, NI, NO>],
        now: u64,
        node: u32,
        shared: Shared,
        probe: &mut P,
    ) {
        let (queues, first) = (self.layout.queues, node as usize * self.layout.queues);
        let of = &mut self.interface.channels[node as usize];
        if of.free_at > now {
            return;
        }
        let ready = |queue: &usize| {
            let (q, count) = (&self.interface.queues[first + queue], self.interface.counts[first + queue]);
            count > q.at_router && q.at_router + q.owed < shared.router_packets
        };
        let turn = usize::from(of.turn);
        let Some(queue) = (0..queues).map(|k| (turn + k) % queues).find(ready) else { return };
        of.turn = ((queue + 1) % queues) as u8;
        of.free_at = now + u64::from(self.config.packet_flits);
        self.interface.freed.push(of.free_at, node);
        let q = &mut self.interface.queues[first + queue];
        let behind = (q.at_router - u32::from(q.fronted)) as usize;
        q.waiting[behind].since = now + u64::from(shared.link_cycles);
        q.at_router += 1;
        if !q.fronted {
            self.head_queue(&mut routers[self.network.router_of(node) as usize], now, node, queue, probe);
        }
    }

    /// The next packet at the router comes to the front of an injection queue.
    fn head_queue<P: Probe>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        now: u64,
        node: u32,
        queue: usize,
        probe: &mut P,
    ) {
        let q = &mut self.interface.queues[node as usize * self.layout.queues + queue];
        let Some(made) = q.waiting.pop_front() else { return };
        q.fronted = true;
        if self.interface.shared.is_none() {
            q.at_router = 1;
        }
        let id = self.packets.insert(made.packet);
        self.interface.makers.messages.carries(id, made.message);
        self.counters.started += 1;
        probe.started(&made.packet);
        let router = self.network.router_of(node);
        let local = self.seat(router, node);
        let input = self.layout.network + local * self.layout.queues + queue;
        let slot = Slot { packet: id, word: made.word };
        self.come_to_front::<false>(state, now, router, input, Queued { slot, arrived: made.since });
    }

    /// The packet at the front of an injection queue is sent from cycle `now` on.
    #[inline(always)]
    pub(super) fn enters<P: Probe>(&mut self, now: u64, router: u32, input: usize, packet: u32, probe: &mut P) {
        self.packets[packet].entered = now;
        self.counters.entered += 1;
        probe.entered(now, &self.packets[packet]);
        let at = self.queue_of(router, input);
        self.interface.queues[at].sent = now;
        if self.follows_packets {
            let leaves = now + u64::from(self.config.packet_flits);
            self.interface.makers.entered(now, leaves, &self.packets[packet]);
        }
    }

    /// The tail of the packet at the front of an injection queue has left.
    pub(super) fn leave_interface<P: Probe>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        now: u64,
        router: u32,
        input: usize,
        probe: &mut P,
    ) {
        let at = self.queue_of(router, input);
        let (node, queue) = (at / self.layout.queues, at % self.layout.queues);
        self.interface.counts[at] -= 1;
        let q = &mut self.interface.queues[at];
        (q.sent, q.fronted, q.at_router) = (NEVER, false, q.at_router - 1);
        let next = if self.interface.shared.is_some() { q.at_router > 0 } else { !q.waiting.is_empty() };
        if self.interface.makers.stalled(node) == Some(queue) {
            self.interface.makers.resume(node);
        }
        if let Some(shared) = self.interface.shared {
            self.interface.transfers.insert(node);
            if shared.late > 0 {
                self.interface.queues[at].owed += 1;
                self.interface.credits.push(now + u64::from(shared.late), at as u32);
            }
        }
        if next {
            self.head_queue(state, now, node as u32, queue, probe);
        }
    }

    /// The injection queue of an input, in the network.
    #[inline(always)]
    pub(super) fn queue_of(&self, router: u32, input: usize) -> usize {
        if self.layout.even {
            return router as usize * self.layout.nodes * self.layout.queues + input - self.layout.network;
        }
        let (node, queue) = self.node_of(router, input);
        node as usize * self.layout.queues + queue
    }

    /// Lets everything happen at the sources that is due before the next cycle.
    pub(super) fn catch_up(&mut self) {
        self.interface.makers.sources.catch_up(self.cycle);
    }

    /// Packets made before cycle `end` that have not come to the front of their queue.
    pub(super) fn backlog(&self, end: u64, mut made: impl FnMut(u32, Lot)) {
        for waiting in self.interface.queues.iter().flat_map(|queue| &queue.waiting) {
            let Packet { birth, source, flits, index, .. } = waiting.packet;
            if birth < end {
                made(source, Lot { cycle: birth, first: index, amount: Amount::one(flits) });
            }
        }
    }

    /// What became of all packets since cycle 0.
    pub(super) fn totals(&self) -> Totals {
        let (interface, flits) = (&self.interface, self.config.packet_flits);
        let (mut behind, mut in_fronts) = (Amount::default(), Amount::default());
        for queue in &interface.queues {
            behind += queue.waiting.iter().map(|made| &made.packet).sum();
            if queue.fronted && queue.sent == NEVER {
                in_fronts += Amount::one(flits);
            }
        }
        let generated = interface.makers.generated(self.cycle);
        Totals::new(generated, &self.counters, self.packets.present().sum(), in_fronts, behind)
    }
}
