//! Where every packet is and what keeps it there.

use super::block::Block;
use super::fabric::Fabric;
use super::lanes::{LANES, Mask, lane};
use super::mechanisms::Mechanisms;
use crate::contract::census::{Name, Scope, Stand, What};
use tailback_base::bits::ones;
use tailback_network::NONE;

/// A router, with what is derived of it once for all its inputs.
struct Local<'s, W: Mask, const NN: usize, const NI: usize> {
    router: u32,
    lane: usize,
    block: &'s Block<W, NN, NI>,
    /// New heads that admission holds back.
    held_back: u64,
}

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Calls `each` with every queue that a packet is in which asks for the network or has.
    pub(super) fn census(&self, _: Scope, each: &mut dyn FnMut(Stand)) {
        let common = &self.common;
        for router in 0..common.grid.routers() as u32 {
            let (block, lane) = (&self.blocks[router as usize / LANES], lane(router));
            let held_back = if common.throttled { common.held_back(block, router) } else { 0 };
            let at = Local { router, lane, block, held_back };
            for input in ones(block.fronted[lane].get() & !common.layout.links) {
                let flits = block.after(input, lane) + 1;
                self.stand_at_front(&at, input, flits, each);
            }
            for input in 0..common.layout.network {
                self.stands_in(&at, input, each);
            }
        }
    }

    /// The packet at the front of an input, of which some flits are there.
    fn stand_at_front(&self, at: &Local<'_, W, NN, NI>, input: usize, flits: u32, each: &mut dyn FnMut(Stand)) {
        let packet = self.common.packet(at.block, at.router, input);
        let head = at.block.after(input, at.lane) + 1 == packet.flits;
        let what = if head { self.doing(at, input) } else { What::Leaves(self.port(at, input)) };
        let id = self.common.front(at.block, at.router, input).packet;
        each(Stand { head, flits, ..self.stand(id, at.router, input, what) });
    }

    /// The packets in the buffer of a network input, and the one whose head is on the way there.
    fn stands_in(&self, at: &Local<'_, W, NN, NI>, input: usize, each: &mut dyn FnMut(Stand)) {
        let (mut level, mut coming) = (at.block.level(input, at.lane), self.coming(at.router, input));
        if level + coming == 0 {
            return;
        }
        let mut first = None;
        if at.block.fronted[at.lane].get() >> input & 1 == 1 {
            let rest = at.block.after(input, at.lane) + 1;
            let there = level.min(rest);
            self.stand_at_front(at, input, there, each);
            (level, coming) = (level - there, coming - coming.min(rest - there));
            first = Some(self.common.front(at.block, at.router, input).packet);
        }
        let (front, mask) = (at.block.front[input][at.lane], self.common.layout.ring_mask);
        let mut position = u32::from(first.is_some());
        while level + coming > 0 {
            let place = self.common.ring(at.router, input, (front + position as u16) & mask);
            let id = self.common.rings[place].packet;
            let all = self.common.packets[id].flits;
            let there = level.min(all);
            let what = match first {
                Some(first) if there > 0 => What::Behind(self.name(first)),
                _ => What::Flying,
            };
            each(Stand { position, flits: there, ..self.stand(id, at.router, input, what) });
            (level, coming) = (level - there, coming - coming.min(all - there));
            position += 1;
        }
    }

    /// Flits on their way to a network input.
    pub(super) fn coming(&self, router: u32, input: usize) -> u32 {
        let from = self.common.grid.upstream(router, usize::from(self.common.layout.port[input]));
        if from == NONE {
            return 0;
        }
        self.on_link(from).map(|mask| (mask >> input & 1) as u32).sum()
    }

    fn stand(&self, id: u32, router: u32, input: usize, what: What) -> Stand {
        let input = self.common.layout.name(input).map(|(port, channel)| (port, channel.into()));
        Stand::of(&self.common.packets[id], router, input, what)
    }

    pub(super) fn name(&self, id: u32) -> Name {
        Name::of(&self.common.packets[id])
    }

    /// The port of the channel that the packet at the front of an input holds.
    fn port(&self, at: &Local<'_, W, NN, NI>, input: usize) -> Option<u8> {
        self.common.layout.name(at.block.held(input, at.lane)).map(|name| name.0)
    }

    /// What a head at the front of an input does.
    fn doing(&self, at: &Local<'_, W, NN, NI>, input: usize) -> What {
        let (block, lane, bit) = (at.block, at.lane, 1u64 << input);
        let has = |mask: W| mask.get() & bit != 0;
        if has(block.asking[lane]) {
            return match at.held_back & bit {
                0 => self.without_channel(at, input),
                _ => What::Admission,
            };
        }
        if !has(block.able[lane]) {
            return What::Routing;
        }
        let channel = block.held(input, lane);
        let port = self.port(at, input);
        match port {
            Some(port) if block.credit(channel, lane) == 0 => {
                let number = channel - usize::from(port) * self.common.layout.link_channels;
                What::Room { port, channels: 1 << number, flits: 0 }
            }
            _ => self.without_switch(at, input, port),
        }
    }

    fn without_channel(&self, at: &Local<'_, W, NN, NI>, input: usize) -> What {
        let l = &self.common.layout;
        let wanted = at.block.preferred[input][at.lane].get() | at.block.wanted[input][at.lane].get();
        let bit = |c: usize| if c < l.network { u32::from(l.port[c]) } else { What::NODE };
        let ports = ones(wanted).fold(0, |mask, c| mask | 1 << bit(c));
        What::Channel { ports, free: self.common.choice(at.block, at.router, input) != 0 }
    }

    /// A head that could be sent and was not: another packet used its output port in the last cycle, or its crossbar input.
    fn without_switch(&self, at: &Local<'_, W, NN, NI>, input: usize, port: Option<u8>) -> What {
        let (block, lane) = (at.block, at.lane);
        let sent = block.left[lane].get() & block.holding[lane].get();
        let uses = |&other: &usize| other != input && port.is_some() && self.port(at, other) == port;
        match ones(sent).find(uses) {
            Some(other) => What::Output(port, self.name(self.common.front(block, at.router, other).packet)),
            None => What::Turn(port),
        }
    }
}
