//! Flits come into their buffers.

use super::super::deliver::asks;
use super::super::fabric::Fabric;
use super::super::layout::NONE;
use super::super::mechanisms::Mechanisms;
use super::super::state::{Doing, Flit};
use super::super::table::Place;
use crate::packet::Slot;

impl<M: Mechanisms> Fabric<'_, M> {
    /// As [`Fabric::arrive`].
    #[inline(always)]
    pub(in super::super) fn arrive_plain(&mut self, flit: Flit) {
        let at = flit.to as usize;
        let input = &mut self.inputs[at];
        input.level += 1;
        // A flit behind others of its packet changes nothing.
        if flit.packet == NONE && (input.level > 1 || input.doing != Doing::Going) {
            return;
        }
        let router = self.layout.router[self.layout.split(at).0] as usize;
        let place = self.layout.place_of(router);
        let n = (at - place.base()) & 63;
        if flit.packet != NONE {
            let behind = input.front.wrapping_add(input.packets) & self.layout.ring_mask;
            input.packets += 1;
            let slot = Slot { packet: flit.packet, word: flit.word };
            self.rings[at * self.layout.ring + usize::from(behind)] = slot;
            if input.doing == Doing::Nothing {
                self.lead(place, router, n, slot);
            }
            return;
        }
        let output = usize::from(input.port) * self.layout.channels + usize::from(input.channel);
        *self.going.first_word_mut(router) |= 1 << n;
        *self.ready.first_word_mut(router) |= u64::from(self.outputs.at(place)[output & 63].credits > 0) << n;
        self.awake.insert(router);
    }

    /// As [`Fabric::come_to_front`], of the packet in this slot.
    #[inline(always)]
    pub(super) fn lead(&mut self, place: Place, router: usize, n: usize, mut slot: Slot) {
        let input = &mut self.inputs.at_mut(place)[n];
        let packet = &self.packets[slot.packet];
        (input.left, input.whole) = (packet.flits, true);
        (input.port, input.channels) = asks(&self.parts.routing, &self.layout, (router, n), packet, &mut slot.word);
        self.rings[(place.base() + n) * self.layout.ring + usize::from(input.front)].word = slot.word;
        if self.config.routing_cycles == 0 {
            input.doing = Doing::Asking;
            *self.asking.first_word_mut(router) |= 1 << n;
        } else {
            input.doing = Doing::Routing;
            *self.unrouted.first_word_mut(router) |= 1 << n;
        }
        self.awake.insert(router);
    }
}
