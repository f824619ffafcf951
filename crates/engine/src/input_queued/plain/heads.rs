//! Heads get channels.

use super::super::allocators::islip::next;
use super::super::allocators::ports::first_of_port;
use super::super::fabric::Fabric;
use super::super::mechanisms::Mechanisms;
use super::super::router::Matching;
use super::super::state::Doing;
use crate::contract::probe::{Probe, Taken, TakenBy};
use crate::contract::routing::Routing;
use tailback_base::bits::ones;

impl<M: Mechanisms> Fabric<'_, M> {
    /// Heads that may have a channel now, if iSLIP allocates them and no two of them ask for the same port.
    #[inline(always)]
    pub(super) fn find_heads(&self, router: usize, asking: u64) -> Option<u64> {
        if self.config.channel_allocator.matching != Matching::Islip {
            return None;
        }
        let place = self.layout.place_of(router);
        let (inputs, free, open) = (self.inputs.at(place), self.free.at(place), self.open.at(place));
        let (mut heads, mut ports, mut rivals) = (0u64, 0u64, 0);
        for n in ones(asking) {
            let (port, channels) = (usize::from(inputs[n].port) & 63, inputs[n].channels);
            let open = if self.config.needs_credit { open[port] } else { u16::MAX };
            if channels & free[port] & open != 0 {
                rivals |= ports & 1 << port;
                ports |= 1 << port;
                heads |= 1 << n;
            }
        }
        (rivals == 0).then_some(heads)
    }

    /// Each of these heads has a channel of its port; nobody else asks for that. Returns whether there are any.
    #[inline(always)]
    pub(super) fn give_all<P: Probe>(&mut self, router: usize, heads: u64, now: u64, probe: &mut P) -> bool {
        let (place, links, channels) = (self.layout.place_of(router), self.layout.links(router), self.layout.channels);
        let (inputs, outputs) = (self.inputs.at_mut(place), self.outputs.at_mut(place));
        let (free, open) = (self.free.at_mut(place), self.open.at(place));
        let (of_inputs, of_outputs, size) = self.channel_turns.of(router);
        let mut ready = 0;
        for n in ones(heads) {
            let input = &mut inputs[n];
            let port = usize::from(input.port) & 63;
            let wants = free[port] & input.channels & if self.config.needs_credit { open[port] } else { u16::MAX };
            let channel = first_of_port(wants, port * channels, of_inputs[n].into());
            let output = (port * channels + channel) & 63;
            of_inputs[n] = next(output, size.1);
            of_outputs[output] = next(n, size.0);
            (input.doing, input.channel) = (Doing::Going, channel as u8);
            free[port] &= !(1 << channel);
            outputs[output].user = n as u16;
            ready |= u64::from(outputs[output].credits > 0) << n;
            if port >= links {
                continue;
            }
            let slot = &mut self.rings[(place.base() + n) * self.layout.ring + usize::from(input.front)];
            slot.word = self.parts.routing.advance(port as u8, slot.word);
            self.packets[slot.packet].hops += 1;
            self.counters.packet_hops += 1;
            let own = self.layout.own(router);
            probe.sets_out(now, own, port as u8);
            probe.taken(Taken { cycle: now, router: own, port: port as u8, by: TakenBy::Preference });
        }
        *self.asking.first_word_mut(router) &= !heads;
        *self.going.first_word_mut(router) |= heads;
        *self.ready.first_word_mut(router) |= ready;
        true
    }
}
