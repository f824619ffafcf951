//! Heads get channels.

use super::super::allocators::islip::next;
use super::super::allocators::ports::first_of_port;
use super::super::allocators::requests::first_bit_from;
use super::super::fabric::Fabric;
use super::super::mechanisms::Mechanisms;
use super::super::state::Doing;
use super::super::table::Place;
use super::found::Heads;
use crate::contract::probe::{Probe, Taken, TakenBy};
use crate::contract::routing::Routing;
use tailback_base::bits::ones;

impl<M: Mechanisms> Fabric<'_, M> {
    /// Which heads get a channel, by one round of iSLIP; `None` if another allocator has to say so.
    #[inline(always)]
    pub(super) fn find_heads(&mut self, place: Place, router: usize, asking: u64) -> Option<Heads> {
        if self.gives_at_once && asking.is_power_of_two() {
            let (_, wants) = self.asks_for(place, asking.trailing_zeros() as usize);
            return Some(Heads { heads: if wants == 0 { 0 } else { asking }, granted: false, turn: true });
        }
        let (mut heads, mut ports, mut rivals) = (0u64, 0u64, 0u64);
        for n in ones(asking) {
            let (port, wants) = self.asks_for(place, n);
            if wants != 0 {
                rivals |= ports & 1 << port;
                ports |= 1 << port;
                heads |= 1 << n;
            }
        }
        if rivals == 0 && self.gives_at_once {
            return Some(Heads { heads, granted: false, turn: true });
        }
        // Where turns go on though nobody can ask, the allocator is asked.
        if heads == 0 {
            return if self.counts_steps { None } else { Some(Heads::default()) };
        }
        if rivals == 0 && self.gives_alone {
            self.grant_alone(place, router, heads);
            return Some(Heads { heads, granted: true, turn: false });
        }
        if !self.gives_in_one_round {
            return None;
        }
        Some(Heads { heads: self.grant_channels(place, router, heads, rivals), granted: true, turn: true })
    }

    /// The port that a head asks for, and its channels that the head may have now.
    #[inline(always)]
    pub(super) fn asks_for(&self, place: Place, n: usize) -> (usize, u16) {
        let input = &self.inputs.at(place)[n & 63];
        let port = usize::from(input.port) & 63;
        let open = if self.config.needs_credit { self.open.at(place)[port] } else { u16::MAX };
        (port, self.free.at(place)[port] & input.channels & open)
    }

    /// What channels grant these heads, some of which ask for the same port, in one round of iSLIP. Returns the heads that are granted any.
    fn grant_channels(&mut self, place: Place, router: usize, heads: u64, rivals: u64) -> u64 {
        let mut granted = 0;
        ones(rivals).for_each(|port| self.askers[port] = 0);
        for n in ones(heads) {
            let (port, wants) = self.asks_for(place, n);
            if rivals >> port & 1 == 1 {
                self.askers[port] |= 1 << n;
                self.grants[n] = 0;
            } else {
                self.grants[n] = wants;
                granted |= 1 << n;
            }
        }
        for port in ones(rivals) {
            // By channel, who asks for it.
            let mut who = [0u64; 16];
            for n in ones(self.askers[port]) {
                ones(self.asks_for(place, n).1.into()).for_each(|channel| who[channel & 15] |= 1 << n);
            }
            for (channel, &who) in who.iter().enumerate().filter(|(_, who)| **who != 0) {
                let turn = *self.channel_turns.of_output(router, port * self.layout.channels + channel);
                let n = first_bit_from(who, turn.into()) & 63;
                self.grants[n] |= 1 << channel;
                granted |= 1 << n;
            }
        }
        granted
    }

    /// Each of these heads has a channel of its port.
    #[inline(always)]
    pub(super) fn give_all<P: Probe>(&mut self, place: Place, router: usize, found: &Heads, now: u64, probe: &mut P) {
        let (links, channels) = (self.layout.links(router), self.layout.channels);
        let (inputs, outputs) = (self.inputs.at_mut(place), self.outputs.at_mut(place));
        let (free, open) = (self.free.at_mut(place), self.open.at(place));
        let (of_inputs, of_outputs, size) = self.channel_turns.of(router);
        let own = self.layout.own(router);
        let mut ready = 0;
        for n in ones(found.heads) {
            let input = &mut inputs[n];
            let port = usize::from(input.port) & 63;
            let wants = match found.granted {
                true => self.grants[n],
                false => free[port] & input.channels & if self.config.needs_credit { open[port] } else { u16::MAX },
            };
            let channel = first_of_port(wants, port * channels, of_inputs[n].into());
            let output = (port * channels + channel) & 63;
            if found.turn {
                of_inputs[n] = next(output, size.1);
                of_outputs[output] = next(n, size.0);
            }
            (input.doing, input.channel) = (Doing::Going, channel as u8);
            free[port] &= !(1 << channel);
            outputs[output].user = n as u16;
            ready |= u64::from(outputs[output].credits > 0) << n;
            if !links.has(port) {
                continue;
            }
            let slot = &mut self.rings[(place.base() + n) * self.layout.ring + usize::from(input.front)];
            let name = links.name(port);
            slot.word = self.parts.routing.advance(name, slot.word);
            self.packets[slot.packet].hops += 1;
            self.counters.packet_hops += 1;
            probe.sets_out(now, own, name);
            probe.taken(Taken { cycle: now, router: own, port: name, by: TakenBy::Preference });
        }
        *self.asking.first_word_mut(router) &= !found.heads;
        *self.going.first_word_mut(router) |= found.heads;
        *self.ready.first_word_mut(router) |= ready;
    }
}
