//! Flits leave their buffers.

use super::super::fabric::Fabric;
use super::super::layout::{End, NONE, Wire};
use super::super::mechanisms::Mechanisms;
use super::super::router::{NODE_LINK, Sharing};
use super::super::state::{Doing, Flit, Input, NOBODY, Output};
use super::super::table::WINDOW;
use super::window::window_mut;
use crate::contract::probe::{Grant, Probe};
use crate::packet::{Packets, Slot};
use crate::wheel::Wheel;
use tailback_base::bits::ones;

/// What flits change in the router that they leave.
struct Here<'f> {
    inputs: &'f mut [Input; WINDOW],
    outputs: &'f mut [Output; WINDOW],
    free: &'f mut [u16; WINDOW],
    open: &'f mut [u16; WINDOW],
    channels: usize,
    sharing: Sharing,
    ring_mask: u16,
    /// Channels with another flit of their packet, those of them without a credit, and those that the next packet is at the front of.
    stays: u64,
    blocked: u64,
    follow: u64,
}

/// A flit that has left its buffer.
struct Left {
    head: bool,
    tail: bool,
    port: usize,
    channel: usize,
}

impl Here<'_> {
    /// The first flit of an input channel leaves its buffer and takes a credit.
    #[inline(always)]
    fn leave(&mut self, n: usize) -> Left {
        let input = &mut self.inputs[n & 63];
        input.level -= 1;
        input.left -= 1;
        let head = std::mem::replace(&mut input.whole, false);
        let (tail, channel, port) = (input.left == 0, usize::from(input.channel), usize::from(input.port) & 63);
        let output = &mut self.outputs[(port * self.channels + channel) & 63];
        output.credits -= 1;
        let last = output.credits == 0;
        self.open[port] &= !(u16::from(last) << channel);
        self.blocked |= u64::from(last) << n;
        self.stays |= u64::from(!tail && input.level > 0) << n;
        if tail {
            output.user = NOBODY;
            if self.sharing == Sharing::Shared {
                self.free[port] |= 1 << channel;
            } else {
                output.ends = true;
            }
            input.front = (input.front + 1) & self.ring_mask;
            input.packets -= 1;
            if input.packets == 0 {
                input.doing = Doing::Nothing;
            } else {
                self.follow |= 1 << n;
            }
        }
        Left { head, tail, port, channel }
    }
}

/// What they and their credits are put on.
struct Wires<'f> {
    flits: &'f mut Wheel<Flit>,
    homing: &'f mut Wheel<u32>,
    deliveries: &'f mut Wheel<u32>,
    credits: &'f mut Wheel<u32>,
    node_credits: &'f mut Wheel<u32>,
    packets: &'f Packets,
    channels: u32,
    /// The cycle, and the one from which on a credit would count that has no wire to take.
    now: u64,
    counts: u64,
}

impl Wires<'_> {
    /// A flit is on the wire to the next router, or to its node.
    #[inline(always)]
    fn go<P: Probe>(&mut self, left: &Left, slot: Slot, wire: Wire, output: usize, probe: &mut P) {
        if let End::Port(far) = wire.end {
            let to = far * self.channels + left.channel as u32;
            let Slot { packet, word } = if left.head { slot } else { Slot { packet: NONE, word: 0 } };
            self.flits.push_alone(self.now + wire.cycles + 2, Flit { to, packet, word });
            return;
        }
        let there = self.now + NODE_LINK + 2;
        if probe.times_flits() {
            probe.flit_arrived(there, slot.packet, &self.packets[slot.packet]);
        }
        if left.head {
            self.homing.push_alone(there - 1, slot.packet);
        }
        if left.tail {
            self.deliveries.push_alone(there, slot.packet);
        }
        self.credits.push_alone(self.counts + 2 * NODE_LINK + 2, output as u32);
    }

    /// A credit is on the way back, for a channel of the sender.
    #[inline(always)]
    fn go_back(&mut self, wire: Wire, channel: u8) {
        match wire.end {
            End::Port(from) => {
                self.credits.push_alone(self.counts + wire.cycles, from * self.channels + u32::from(channel));
            }
            End::Node(wire) => {
                self.node_credits.push_alone(self.now + NODE_LINK + 1, wire * self.channels + u32::from(channel));
            }
            End::Nowhere => unreachable!("a flit came from somewhere"),
        }
    }
}

impl<M: Mechanisms> Fabric<'_, M> {
    /// The first flits of these channels go through the switch.
    #[inline(always)]
    pub(super) fn send_all<P: Probe>(&mut self, router: usize, go: u64, now: u64, probe: &mut P) {
        let (place, links, channels) = (self.layout.place_of(router), self.layout.links(router), self.layout.channels);
        let base = place.base();
        let watches = probe.watches_flits();
        let mut here = Here {
            inputs: self.inputs.at_mut(place),
            outputs: self.outputs.at_mut(place),
            free: self.free.at_mut(place),
            open: self.open.at_mut(place),
            channels,
            sharing: self.config.sharing,
            ring_mask: self.layout.ring_mask,
            stays: 0,
            blocked: 0,
            follow: 0,
        };
        let mut wires = Wires {
            flits: &mut self.flits,
            homing: &mut self.homing,
            deliveries: &mut self.deliveries,
            credits: &mut self.credits,
            node_credits: &mut self.node_credits,
            packets: &self.packets,
            channels: channels as u32,
            now,
            counts: now + 1 + u64::from(self.config.credit_cycles),
        };
        let offsets = window_mut(&mut self.offsets, router * self.layout.most);
        let (ahead, behind) = (self.layout.ahead.at(place), self.layout.behind.at(place));
        let mut hops = 0;
        for n in ones(go) {
            let (from, channel) = self.layout.place(n);
            let from = usize::from(from) & (WINDOW - 1);
            offsets[from] = if usize::from(channel) + 1 == channels { 0 } else { channel + 1 };
            let front = usize::from(here.inputs[n].front);
            let left = here.leave(n);
            let link = left.port < links;
            hops += u64::from(link);
            let slot = match left.head || left.tail || !link {
                true => self.rings[(base + n) * self.layout.ring + front],
                false => Slot::default(),
            };
            wires.go(&left, slot, ahead[left.port], base + left.port * channels + left.channel, probe);
            wires.go_back(behind[from], channel);
            if watches {
                let channel = link.then_some((left.port as u8, left.channel as u8));
                probe.granted(Grant {
                    cycle: now,
                    router: self.layout.own(router),
                    channel,
                    flits: 1,
                    injected: false,
                });
            }
        }
        self.counters.flit_hops += hops;
        let gone = go & !here.stays;
        let (unready, follow) = (gone | here.blocked, here.follow);
        *self.going.first_word_mut(router) &= !gone;
        *self.ready.first_word_mut(router) &= !unready;
        for n in ones(follow) {
            self.come_to_front(router, n);
        }
    }
}
