//! Flits leave their buffers: what that sets in motion for later cycles.

use super::fabric::Fabric;
use super::layout::{End, NONE};
use super::mechanisms::Mechanisms;
use super::router::{NODE_LINK, STEP};
use super::state::{Crossing, Doing, Flit, NOBODY};
use crate::contract::probe::{Grant, Probe};

impl<M: Mechanisms> Fabric<'_, M> {
    /// The first flit of an input channel goes into the channel that its packet has.
    #[inline(always)]
    pub(super) fn send<P: Probe>(&mut self, router: usize, n: usize, now: u64, next: u64, probe: &mut P) {
        let (first, channels) = (self.first(router), self.layout.channels);
        let (at, shared) = (first * channels + n, self.is_shared());
        let input = &mut self.inputs[at];
        input.level -= 1;
        input.left -= 1;
        let head = std::mem::replace(&mut input.whole, false);
        let (tail, level, out) = (input.left == 0, input.level, first + usize::from(input.port));
        let (to, local, channel) = (out * channels + usize::from(input.channel), input.port, input.channel);
        let bit = 1u16 << channel;
        let slot = self.rings[at * self.layout.ring + usize::from(input.front)];
        let output = &mut self.outputs[to];
        output.credits -= 1;
        let credit = output.credits > 0;
        if !credit {
            self.open[out] &= !bit;
        }
        if tail {
            output.user = NOBODY;
            if shared {
                self.free[out] |= bit;
            } else {
                self.outputs[to].ends = true;
            }
        }
        if tail || level == 0 {
            self.going.remove(router, n);
            self.ready.remove(router, n);
        } else if !credit {
            self.ready.remove(router, n);
        }
        let link = self.layout.links(router).has(local.into());
        self.counters.flit_hops += u64::from(link);
        if probe.watches_flits() {
            let channel = link.then(|| (self.layout.links(router).name(local.into()), channel));
            probe.granted(Grant { cycle: now, router: self.layout.own(router), channel, flits: 1, injected: false });
        }
        let (packet, word) = if head { (slot.packet, slot.word) } else { (NONE, 0) };
        let crossing =
            Crossing { channel: to as u32, packet, word, tail: if tail { slot.packet } else { NONE }, of: slot.packet };
        if self.config.crossbar_cycles > 1 {
            let crossbar = self.crossbar_of(router, n);
            self.waiting[crossbar].push(crossing);
        } else {
            self.note_turn(out);
            self.depart((out, usize::from(channel)), crossing, next, probe);
        }
        self.return_credit(first + usize::from(self.layout.places[n].0), n, now);
        if tail {
            self.follow(router, n);
        }
    }

    /// A flit for a port and a channel of it that is through the crossbar in cycle `at` takes the next turn of its link.
    #[inline(always)]
    pub(super) fn depart<P: Probe>(&mut self, (port, channel): (usize, usize), flit: Crossing, at: u64, probe: &mut P) {
        let leaves = if self.queues_at_outputs {
            let leaves = at.max(self.departs[port]);
            self.departs[port] = leaves + 1;
            leaves
        } else {
            at
        };
        let wire = self.layout.ahead[port];
        match wire.end {
            End::Port(far) => {
                let to = far as usize * self.layout.channels + channel;
                self.flits.push(leaves + wire.cycles + 1, Flit { to: to as u32, packet: flit.packet, word: flit.word });
            }
            End::Node(_) => {
                let there = leaves + NODE_LINK + 1;
                if probe.times_flits() {
                    probe.flit_arrived(there, flit.of, &self.packets[flit.of]);
                }
                if flit.packet != NONE {
                    self.homing.push(there - 1, flit.packet);
                }
                if flit.tail != NONE {
                    self.deliveries.push(there, flit.tail);
                }
                let back = there + NODE_LINK + 1 + u64::from(self.config.credit_cycles);
                self.credits.push(back, flit.channel);
            }
            End::Nowhere => unreachable!("routing does not lead over the edge of the network"),
        }
    }

    /// The credit of a flit that has left an input port goes back.
    #[inline(always)]
    fn return_credit(&mut self, port: usize, n: usize, now: u64) {
        let leaves = if self.config.steps > STEP {
            // Credits of one step go together, one message a cycle.
            let (next, step) = self.returns[port];
            let leaves = if step == self.step { next - 1 } else { now.max(next) };
            self.returns[port] = (leaves + 1, self.step);
            leaves
        } else {
            now
        };
        let channel = usize::from(self.layout.places[n].1);
        let wire = self.layout.behind[port];
        match wire.end {
            End::Port(from) => {
                let at = leaves + wire.cycles + 1 + u64::from(self.config.credit_cycles);
                self.credits.push(at, (from as usize * self.layout.channels + channel) as u32);
            }
            End::Node(wire) => {
                let to = wire as usize * self.layout.channels + channel;
                self.node_credits.push(leaves + NODE_LINK + 1, to as u32);
            }
            End::Nowhere => unreachable!("a flit came from somewhere"),
        }
    }

    /// A tail has left: the next packet comes to the front.
    #[inline(always)]
    fn follow(&mut self, router: usize, n: usize) {
        let at = self.first(router) * self.layout.channels + n;
        let input = &mut self.inputs[at];
        input.front = (input.front + 1) & self.layout.ring_mask;
        input.packets -= 1;
        if input.packets == 0 {
            input.doing = Doing::Nothing;
        } else {
            self.come_to_front(router, n);
        }
    }
}
