//! Generate and admit: new packets ask, or are held back.

use super::block::Block;
use super::common::Common;
use super::lanes::{LANES, Mask, add, lane};
use super::mechanisms::Mechanisms;
use super::router::MAX_PORTS;
use crate::contract::admission::{Admission, LocalView};
use crate::contract::probe::Probe;
use crate::contract::routing::{Head, Request, Routing};
use crate::contract::sources::Sources;
use crate::packet::{Packet, Slot};
use crate::sources::queues::Started;
use tailback_base::bits::ones;
use tailback_base::rng::{self, Purpose};

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// Packets that ask for the first time.
    #[inline]
    pub(super) fn generate<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        blocks: &mut [Block<W, NN, NI>],
        now: u64,
        probe: &mut P,
    ) {
        let mut cursor = self.sources.open(now);
        while let Some(started) = self.sources.take(&mut cursor, now) {
            let router = self.network.router_of(started.node);
            self.start(&mut blocks[router as usize / LANES], router, started, probe);
            self.wires.wake(self.wires.moment(now), router);
        }
    }

    fn start<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        started: Started,
        probe: &mut P,
    ) {
        let Started { node, channel, packet: made } = started;
        let mut packet = Packet::made(node, &made, self.network.router_of(made.destination));
        packet.mark = self.sources.packets().mark(node, made.index);
        let draw = || rng::draw(self.config.seed, Purpose::Tie, node, made.index)[0];
        let mut word = self.parts.routing.start(router, &mut packet, draw);
        // The links that it takes are counted: an escape may lead it astray.
        packet.hops = 0;
        let head = Head { router, input: None };
        let candidates = self.parts.routing.candidates(head, &packet, self.config.channels, &mut word);
        probe.started(&packet);
        self.counters.started += 1;
        let local = self.seat(router, node);
        let input = self.layout.network + local * self.layout.injection + channel;
        let at = self.ring(router, input, 0);
        let id = self.packets.insert(packet);
        self.sources.carries(id, node, channel);
        self.rings[at] = Slot { packet: id, word };
        let l = lane(router);
        block.set_after(input, l, made.flits - 1);
        let Block { filled, fronted, whole, asking, .. } = block;
        for mask in [&mut filled[l], &mut fronted[l], &mut whole[l], &mut asking[l]] {
            add(mask, 1 << input);
        }
        self.set_candidates(block, router, input, made.destination, candidates);
    }

    /// Heads of new packets that admission does not let ask in this cycle.
    pub(super) fn held_back<const NN: usize, const NI: usize>(&self, block: &Block<W, NN, NI>, router: u32) -> u64 {
        let new = block.look[lane(router)].get() >> self.layout.network << self.layout.network;
        if new == 0 {
            return 0;
        }
        let (l, all, free) = (&self.layout, self.layout.all_channels(), block.free[lane(router)].get());
        let (mut room, mut idle) = ([0u16; MAX_PORTS], 0);
        for (port, room) in room[..l.ports].iter_mut().enumerate() {
            *room = (free >> (port * l.link_channels)) as u16 & all;
            idle |= u64::from(*room == all) << port;
        }
        let view = LocalView { router, idle, room: &room[..l.ports], all };
        ones(new).filter(|&input| !self.admits(block, view, input)).fold(0, |held, input| held | 1 << input)
    }

    fn admits<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        view: LocalView<'_>,
        input: usize,
    ) -> bool {
        let (l, at, i) = (&self.layout, lane(view.router), input & (NI - 1));
        let candidates = block.wanted[i][at].get();
        if candidates == 0 {
            return true;
        }
        let channels = |port: usize| (candidates >> (port * l.link_channels)) as u16 & view.all;
        let useful = (0..l.ports).filter(|&port| channels(port) != 0).fold(0u16, |m, port| m | 1 << port);
        let first = useful.trailing_zeros() as usize;
        let request = Request { port: Some(first as u8), channels: channels(first) };
        self.parts.admission.admits_by_any(view, request, useful)
    }
}
