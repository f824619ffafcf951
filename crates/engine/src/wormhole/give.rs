//! A head is given an output channel.

use super::block::Block;
use super::common::Common;
use super::lanes::{Mask, add, clear, lane};
use super::mechanisms::Mechanisms;
use super::router::MAX_PORTS;
use crate::contract::probe::{Probe, Taken, TakenBy};
use crate::contract::routing::Routing;
use crate::packet::Slot;

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// The head of `input` has `channel` from now on.
    #[inline(always)]
    pub(super) fn give<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
        channel: usize,
        now: u64,
        probe: &mut P,
    ) {
        let (l, i, bit) = (lane(router), input & (NI - 1), 1 << input);
        clear(&mut block.asking[l], bit);
        clear(&mut block.look[l], bit);
        clear(&mut block.free[l], 1 << channel);
        add(&mut block.holding[l], bit);
        block.held[i][l] = channel as u8;
        let port = self.layout.port[channel & (MAX_PORTS - 1)];
        add(&mut block.users[usize::from(port) & (NI - 1)][l], bit);
        if channel < self.layout.network {
            block.channel[i][l] = W::Links::of(1 << channel);
            self.announce(block, router, input, channel);
            probe.sets_out(now, router, port);
            let by = if self.layout.lane >> channel & 1 == 1 {
                TakenBy::Lane
            } else if block.preferred[i][l].get() >> channel & 1 == 1 {
                TakenBy::Preference
            } else {
                TakenBy::Escape
            };
            probe.taken(Taken { cycle: now, router, port, by });
        } else {
            block.channel[i][l] = W::Links::default();
            add(&mut block.ejecting[l], bit);
            clear(&mut block.homing[(channel - self.layout.network) & (NI - 1)][l], bit);
        }
        if self.config.vc_allocation_cycles == 0 {
            add(&mut block.able[l], bit);
        } else if !self.speculative {
            self.wires.ripe(self.times.able, router, input);
        }
    }

    /// Tells the buffer behind a link channel which packet comes next.
    #[inline(always)]
    fn announce<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
        channel: usize,
    ) {
        let Slot { packet, word } = self.front(block, router, input);
        let port = self.layout.port[channel & (MAX_PORTS - 1)];
        let in_lane = self.layout.lane >> channel & 1 == 1;
        let word = if in_lane { word } else { self.parts.routing.advance(port, word) };
        let (peer, entry) = self.ahead(router, channel).expect("routing does not lead over the edge of the network");
        let back = &mut block.back[channel & (NN - 1)][lane(router)];
        let at = self.ring(peer, entry, *back);
        *back = (*back + 1) & self.layout.ring_mask;
        self.rings[at] = Slot { packet, word };
        self.packets[packet].hops += 1;
        self.counters.packet_hops += 1;
    }
}
