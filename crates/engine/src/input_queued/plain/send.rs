//! Flits leave their buffers.

use super::super::allocators::islip::next;
use super::super::fabric::Fabric;
use super::super::layout::{Links, NONE};
use super::super::mechanisms::Mechanisms;
use super::super::router::{NODE_LINK, Sharing};
use super::super::state::{Doing, Flit, NOBODY};
use super::super::table::{Place, WINDOW};
use super::found::Flits;
use crate::contract::probe::{Grant, Probe};
use crate::packet::Slot;
use tailback_base::bits::ones;

/// Input channels whose flits left.
#[derive(Default)]
struct Left {
    /// Those with another flit of the same packet, and those of them without a credit.
    stays: u64,
    blocked: u64,
    /// Those with the next packet at the front.
    follow: u64,
}

/// A flit that has left its buffer.
struct Gone {
    head: bool,
    tail: bool,
    port: usize,
    channel: usize,
    /// Where its packet stands in the ring.
    front: usize,
}

impl<M: Mechanisms> Fabric<'_, M> {
    /// The first flits of these channels go through the switch.
    ///
    /// PERF: most often it is one flit, so nothing is looked up for all of them (`tailback bench booksim-mesh8`).
    #[inline(always)]
    pub(super) fn send_all<P: Probe>(&mut self, place: Place, router: usize, flits: Flits, now: u64, probe: &mut P) {
        let (mut left, links) = (Left::default(), self.layout.links(router));
        for n in ones(flits.go) {
            let gone = self.leave(place, n, &mut left);
            let (from, channel) = self.layout.place(n);
            let from = usize::from(from) & (WINDOW - 1);
            if flits.turn {
                let (of_inputs, of_outputs, size) = self.switch_turns.of(router);
                of_outputs[gone.port] = next(from, size.0);
                of_inputs[from] = next(gone.port, size.1);
            }
            let after = if usize::from(channel) + 1 == self.layout.channels { 0 } else { channel + 1 };
            self.offsets[router * self.layout.most + from] = after;
            self.go_on(place, links, n, &gone, now, probe);
            self.give_credit_back(place, links, (from, channel), now);
            if probe.watches_flits() {
                probe.granted(Grant {
                    cycle: now,
                    router: self.layout.own(router),
                    channel: links.has(gone.port).then(|| (links.name(gone.port), gone.channel as u8)),
                    flits: 1,
                    injected: false,
                });
            }
        }
        let gone = flits.go & !left.stays;
        *self.going.first_word_mut(router) &= !gone;
        *self.ready.first_word_mut(router) &= !(gone | left.blocked);
        for n in ones(left.follow) {
            let front = usize::from(self.inputs.at(place)[n].front);
            let slot = self.rings[(place.base() + n) * self.layout.ring + front];
            self.lead(place, router, n, slot);
        }
    }

    /// The first flit of an input channel leaves its buffer and takes a credit.
    #[inline(always)]
    fn leave(&mut self, place: Place, n: usize, left: &mut Left) -> Gone {
        let input = &mut self.inputs.at_mut(place)[n & 63];
        input.level -= 1;
        input.left -= 1;
        let head = std::mem::replace(&mut input.whole, false);
        let front = usize::from(input.front);
        let (tail, channel, port) = (input.left == 0, usize::from(input.channel), usize::from(input.port) & 63);
        let output = &mut self.outputs.at_mut(place)[(port * self.layout.channels + channel) & 63];
        output.credits -= 1;
        if output.credits == 0 {
            self.open.at_mut(place)[port] &= !(1 << channel);
            left.blocked |= 1 << n;
        }
        left.stays |= u64::from(!tail && input.level > 0) << n;
        if tail {
            output.user = NOBODY;
            if self.config.sharing == Sharing::Shared {
                self.free.at_mut(place)[port] |= 1 << channel;
            } else {
                output.ends = true;
            }
            input.front = (input.front + 1) & self.layout.ring_mask;
            input.packets -= 1;
            if input.packets == 0 {
                input.doing = Doing::Nothing;
            } else {
                left.follow |= 1 << n;
            }
        }
        Gone { head, tail, port, channel, front }
    }

    /// A flit is on the wire to the next router, or to its node.
    #[inline(always)]
    fn go_on<P: Probe>(&mut self, place: Place, links: Links, n: usize, gone: &Gone, now: u64, probe: &mut P) {
        let at = (place.base() + n) * self.layout.ring + gone.front;
        if links.has(gone.port) {
            let hop = self.layout.hops.at(place)[gone.port];
            let Slot { packet, word } = if gone.head { self.rings[at] } else { Slot { packet: NONE, word: 0 } };
            let to = hop.to + gone.channel as u32;
            self.flits.push_alone(now + u64::from(hop.cycles) + 2, Flit { to, packet, word });
            self.counters.flit_hops += 1;
            return;
        }
        let (there, packet) = (now + NODE_LINK + 2, self.rings[at].packet);
        if probe.times_flits() {
            probe.flit_arrived(there, packet, &self.packets[packet]);
        }
        if gone.head {
            self.homing.push_alone(there - 1, packet);
        }
        if gone.tail {
            self.deliveries.push_alone(there, packet);
        }
        let output = place.base() + gone.port * self.layout.channels + gone.channel;
        self.credits.push_alone(self.counts_from(now) + 2 * NODE_LINK + 2, output as u32);
    }

    /// The credit of a flit is on the way back to the sender.
    #[inline(always)]
    fn give_credit_back(&mut self, place: Place, links: Links, (from, channel): (usize, u8), now: u64) {
        let back = self.layout.hops_back.at(place)[from];
        let of = back.to + u32::from(channel);
        if links.has(from) {
            self.credits.push_alone(self.counts_from(now) + u64::from(back.cycles), of);
        } else {
            self.node_credits.push_alone(now + NODE_LINK + 1, of);
        }
    }

    /// The cycle from which on a credit would count that has no wire to take.
    #[inline(always)]
    fn counts_from(&self, now: u64) -> u64 {
        now + 1 + u64::from(self.config.credit_cycles)
    }
}
