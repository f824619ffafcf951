//! Deliver: what was due in this cycle is there, and heads that come to the front learn where they may go.

use super::block::{Block, PLANES, both, either, without};
use super::common::Common;
use super::kernels::Kernels;
use super::lanes::{LANES, Lanes, Mask, add, lane, lanes, links};
use super::mechanisms::Mechanisms;
use super::wires::Due;
use crate::contract::admission::Admission;
use crate::contract::probe::{Delivery, Message, Probe};
use crate::contract::recovery::Recovery;
use crate::contract::routing::{Candidates, Head, Routing};
use crate::packet::Packet;
use crate::sources::messages::Done;

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// Nodes receive flits; packets whose tail is among them are delivered.
    #[inline]
    pub(super) fn receive<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut cursor = self.received.open(now);
        while let Some(router) = self.received.take(&mut cursor) {
            self.parts.admission.delivered(router, 1);
        }
        let mut cursor = self.deliveries.open(now);
        while let Some(id) = self.deliveries.take(&mut cursor) {
            let packet = &self.packets[id];
            probe.delivered(Delivery { cycle: now, packet });
            self.counters.delivered += 1;
            self.counters.delivered_flits += u64::from(packet.flits);
            let done = self.sources.delivered(now, id, packet);
            if let Some(Done { birth, flits, .. }) = done.filter(|_| self.config.packet_flits.is_some()) {
                let Packet { source, destination, .. } = *packet;
                probe.message_delivered(Message { cycle: now, birth, source, destination, flits });
            }
            self.packets.remove(id);
        }
    }

    /// What is due at a block.
    #[inline(always)]
    fn due(&mut self, number: usize, kernels: impl Kernels) -> Due<W> {
        let times = self.times;
        Due {
            flits: self.wires.flits(times.flits_sent, number, &self.upstream, kernels),
            credits: self.wires.credits(times.credits_sent, number, &self.downstream, kernels),
            freed: match self.layout.owned {
                0 => [W::Links::default(); LANES],
                _ => both(&self.wires.freed(times.credits_sent, number, &self.downstream, kernels), &self.owned),
            },
            ripe: self.wires.take_ripe(times.now, number),
        }
    }

    /// Delivers what is due at a block; returns the inputs where a head has arrived.
    #[inline(always)]
    pub(super) fn deliver<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        number: usize,
        kernels: impl Kernels,
    ) -> Lanes<W::Links> {
        let due = self.due(number, kernels);
        let planes = block.planes.0.min(PLANES);
        let none = [W::Links::default(); LANES];
        let (mut in_buffers, local) = (none, W::of(!self.layout.links));
        kernels.count(&mut block.count[..planes], &due.flits, &block.left, &mut in_buffers);
        let filled = block.filled;
        block.filled = lanes(|l| W::of_links(in_buffers[l], 0) | filled[l] & local);
        kernels.count(&mut block.credits[..planes], &due.credits, &block.sent, &mut block.open);
        (block.left, block.sent) = (none, none);
        let free = block.free;
        block.free = lanes(|l| free[l] | W::of_links(due.freed[l], 0));
        block.able = either(&block.able, &both(&due.ripe, &block.holding));
        block.asking = either(&block.asking, &without(&due.ripe, &block.holding));
        without(&due.flits, &links(&block.fronted))
    }

    /// A head arrives at an input that holds no packet: it is at the front at once.
    #[inline(always)]
    pub(super) fn arrive<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
    ) {
        let l = lane(router);
        self.come_to_front(block, router, input);
        if self.layout.lane >> input & 1 == 1 && block.lane[l].get() >> input & 1 == 0 {
            self.parts.recovery.arrived(router);
        }
        if self.config.routing_cycles == 0 {
            add(&mut block.asking[l], 1 << input);
        } else {
            self.wires.ripe(self.times.asks, router, input);
        }
    }

    /// The packet at the front of a network input is a new one: where may it go?
    #[inline]
    pub(super) fn come_to_front<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
    ) {
        let l = lane(router);
        let at = self.ring(router, input, block.front[input & (NN - 1)][l]);
        let slot = &mut self.rings[at];
        let packet = &self.packets[slot.packet];
        if self.lane {
            self.attempts[router as usize * self.layout.network + input] = 0;
        }
        add(&mut block.fronted[l], 1 << input);
        block.set_after(input, l, packet.flits - 1);
        let candidates = if self.layout.lane >> input & 1 == 0 {
            let head = Head { router, input: self.layout.name(input) };
            self.parts.routing.candidates(head, packet, self.config.channels, &mut slot.word)
        } else if packet.router == router {
            Candidates::default()
        } else {
            let port = self.parts.recovery.port(router, packet);
            return self.set_lane(block, router, input, port);
        };
        let destination = packet.destination;
        self.set_candidates(block, router, input, destination, candidates);
    }

    /// What the head at the front of `input` may take; nothing means that its destination is here.
    #[inline(always)]
    pub(super) fn set_candidates<const NN: usize, const NI: usize>(
        &self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
        destination: u32,
        candidates: Candidates,
    ) {
        let (l, i) = (lane(router), input & (NI - 1));
        if candidates.all() == 0 {
            let local = destination as usize - router as usize * self.layout.nodes;
            let channel = self.layout.ejection_channel(local, input);
            block.preferred[i][l] = W::of(1 << channel);
            block.wanted[i][l] = W::Links::default();
            add(&mut block.homing[(channel - self.layout.network) & (NI - 1)][l], 1 << input);
        } else {
            let preferred = self.layout.numbered(candidates.preferred);
            block.preferred[i][l] = W::of(preferred);
            block.wanted[i][l] = W::Links::of(preferred | self.layout.numbered(candidates.fallback));
        }
    }

    /// Writes down how full all buffers are after this cycle.
    #[inline(always)]
    pub(super) fn record_all<const NN: usize, const NI: usize>(&mut self, blocks: &[Block<W, NN, NI>]) {
        // PERF: not by a closure, which is compiled without the processor's wide vectors (`tailback bench --probes wormhole-16`).
        for (number, block) in blocks.iter().enumerate() {
            self.record(block, number);
        }
    }

    /// Writes down how full a block's buffers are after this cycle, for probes and admission.
    #[inline(always)]
    pub(super) fn record<const NN: usize, const NI: usize>(&mut self, block: &Block<W, NN, NI>, number: usize) {
        let Some(occupancy) = &mut self.occupancy else { return };
        let planes = &block.count[..block.planes.0.min(PLANES)];
        for input in (0..self.layout.network).filter(|&input| self.layout.lane >> input & 1 == 0) {
            let Some((port, channel)) = self.layout.name(input) else { continue };
            let mut levels = lanes(|l| 0u16.wrapping_sub((block.left[l].get() >> input & 1) as u16));
            for (k, plane) in planes.iter().enumerate() {
                levels = lanes(|l| levels[l].wrapping_add(((plane[l].get() >> input & 1) as u16) << k));
            }
            occupancy.store(usize::from(port), usize::from(channel), number * LANES, &levels);
        }
    }
}
