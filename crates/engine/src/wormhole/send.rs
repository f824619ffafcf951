//! Flits go: what that sets in motion for later cycles.

use super::block::{Block, PLANES, both, either};
use super::common::Common;
use super::kernels::Kernels;
use super::lanes::{LANES, Lanes, Mask, add, clear, lane, lanes, links, occupied};
use super::links::union;
use super::mechanisms::Mechanisms;
use super::router::MAX_PORTS;
use super::wires::Sent;
use crate::contract::admission::Admission;
use crate::contract::probe::{Grant, Probe};
use tailback_base::bits::ones;

/// What has been sent in a cycle.
pub(super) struct Gone<W: Mask> {
    sent: Sent<W::Links>,
    /// Inputs that a tail left, local ones too.
    tails: Lanes<W>,
}

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// The first flit of every input in `grants` goes into the channel that its packet holds.
    #[inline(always)]
    pub(super) fn send<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        grants: &Lanes<W>,
        number: usize,
        kernels: impl Kernels,
    ) -> Gone<W> {
        let inputs = self.layout.inputs.min(NI);
        let mut tails = [W::default(); LANES];
        let channels = union(&block.channel[..inputs], grants, kernels);
        kernels.count_down(&mut block.after[..block.planes.1.min(PLANES)], grants, &mut tails);
        let network = W::Links::of(self.layout.links);
        let sent = Sent { channels, inputs: lanes(|l| grants[l].links(0) & network), tails: links(&tails) };
        self.wires.send(self.times.now, number, &sent);
        self.counters.flit_hops += u64::from(channels.iter().map(|sent| sent.len()).sum::<u32>());
        Gone { sent, tails }
    }

    /// What follows from `gone` in the block: heads have entered, tails leave their places to others.
    #[inline(always)]
    pub(super) fn follow<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        grants: &Lanes<W>,
        gone: &Gone<W>,
        number: usize,
        now: u64,
        probe: &mut P,
    ) {
        (block.sent, block.left) = (gone.sent.channels, gone.sent.inputs);
        if self.watches_flits || probe.watches_flits() {
            self.tell(block, grants, number, now, probe);
        }
        if self.throttled {
            self.eject(&both(grants, &block.ejecting), number, now);
        }
        let (tails, entering) = (gone.tails, both(grants, &block.whole));
        for l in ones(occupied(&either(&tails, &entering))) {
            let router = (number * LANES + l) as u32;
            for input in ones(entering[l].get()) {
                self.enter(block, router, input, now, probe);
            }
            for input in ones(tails[l].get()) {
                self.finish(block, router, input, now);
            }
        }
    }

    /// Tells those who watch every flit.
    fn tell<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &Block<W, NN, NI>,
        grants: &Lanes<W>,
        number: usize,
        now: u64,
        probe: &mut P,
    ) {
        for l in ones(occupied(grants)) {
            let router = (number * LANES + l) as u32;
            for input in ones(grants[l].get()) {
                let channel = block.held(input, l);
                if self.layout.lane >> channel & 1 == 1 {
                    continue;
                }
                let injected = block.whole[l].get() >> input & 1 == 1;
                let name = self.layout.name(channel);
                probe.granted(Grant { cycle: now, router, channel: name, flits: 1, injected });
                if let (true, Some((port, _))) = (self.watches_flits, name) {
                    self.parts.admission.sent(router, port, self.layout.name(input));
                }
            }
        }
    }

    /// Admission will hear of flits that go into ejection channels when they are received.
    fn eject(&mut self, ejected: &Lanes<W>, number: usize, now: u64) {
        for l in ones(occupied(ejected)) {
            for _ in ones(ejected[l].get()) {
                self.received.push(now + self.config.receive_cycles(), (number * LANES + l) as u32);
            }
        }
    }

    /// A new packet's head has left its source.
    fn enter<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
        now: u64,
        probe: &mut P,
    ) {
        clear(&mut block.whole[lane(router)], 1 << input);
        let id = self.front(block, router, input).packet;
        self.packets[id].entered = now;
        probe.entered(now, &self.packets[id]);
        self.counters.entered += 1;
        if self.sources.follows_packets {
            self.sources.entered(now, &self.packets[id]);
        }
    }

    /// `input` has sent a tail: what its packet held is free, and what is behind it comes to the front.
    #[inline]
    fn finish<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
        now: u64,
    ) {
        let (l, bit) = (lane(router), 1 << input);
        let channel = block.held(input, l);
        let port = usize::from(self.layout.port[channel & (MAX_PORTS - 1)]);
        let Block { fronted, holding, able, lane, ejecting, users, .. } = block;
        for mask in [
            &mut fronted[l],
            &mut holding[l],
            &mut able[l],
            &mut lane[l],
            &mut ejecting[l],
            &mut users[port & (NI - 1)][l],
        ] {
            clear(mask, bit);
        }
        if channel >= self.layout.network {
            let id = self.front(block, router, input).packet;
            self.deliveries.push(now + self.config.receive_cycles(), id);
        }
        // Nobody is given a channel between now and the next cycle.
        if self.layout.owned >> channel & 1 == 0 {
            add(&mut block.free[l], 1 << channel);
        }
        if input < self.layout.network {
            let front = &mut block.front[input & (NN - 1)][l];
            *front = (*front + 1) & self.layout.ring_mask;
            if block.has_more(input, l) {
                self.come_to_front(block, router, input);
                self.wires.ripe(self.times.asks_behind, router, input);
            }
        } else {
            clear(&mut block.filled[l], bit);
            if self.sources.follows_packets {
                self.sources.left(now + 1, &self.packets[self.front(block, router, input).packet]);
            }
            self.vacate(router, input, now);
        }
    }

    /// An injection channel is free.
    fn vacate(&mut self, router: u32, input: usize, now: u64) {
        let injection = input - self.layout.network;
        let (local, channel) = (injection / self.layout.injection, injection % self.layout.injection);
        let node = self.network.seats().node(router, local as u32);
        self.sources.freed(node, channel, now + 1);
    }
}
