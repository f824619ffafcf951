//! Where every packet is and what keeps it there.

use super::fabric::Fabric;
use super::layout::{End, NONE};
use super::mechanisms::Mechanisms;
use super::state::{Doing, Input};
use crate::contract::census::{Name, Scope, Stand, What};

impl<M: Mechanisms> Fabric<'_, M> {
    /// Calls `each` with every queue that a packet is in which asks for the network or has.
    pub(super) fn census(&self, _: Scope, each: &mut dyn FnMut(Stand)) {
        for (number, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.packet != NONE) {
            let packet = &self.packets[node.packet];
            let what = if node.sends {
                What::Leaves(None)
            } else {
                What::Channel { ports: 0, free: self.has_channel(number) }
            };
            let router = self.network.router_of(packet.source);
            each(Stand { head: !node.sends, flits: node.left, ..Stand::of(packet, router, None, what) });
        }
        for at in 0..self.channels() {
            self.stands_in(at, each);
        }
        let heads = self.flits.iter().filter(|flit| flit.packet != NONE);
        heads.for_each(|flit| self.flies(flit.to as usize, flit.packet, each));
        for flit in self.waiting.iter().chain(&self.crossing).flatten().filter(|flit| flit.packet != NONE) {
            let (port, channel) = self.layout.split(flit.channel as usize);
            match self.layout.ahead[port].end {
                End::Port(far) => self.flies(far as usize * self.layout.channels + channel, flit.packet, each),
                End::Node(_) | End::Nowhere => self.goes_home(flit.packet, each),
            }
        }
        self.homing.iter().for_each(|&id| self.goes_home(id, each));
    }

    /// A head is on its way to its node.
    fn goes_home(&self, id: u32, each: &mut dyn FnMut(Stand)) {
        let packet = &self.packets[id];
        each(Stand { flits: 0, ..Stand::of(packet, packet.router, None, What::Flying) });
    }

    /// A head is on its way to an input channel.
    fn flies(&self, at: usize, id: u32, each: &mut dyn FnMut(Stand)) {
        each(Stand { flits: 0, position: u32::from(self.inputs[at].packets), ..self.stand(id, at, What::Flying) });
    }

    /// The packets in the buffer of an input channel.
    fn stands_in(&self, at: usize, each: &mut dyn FnMut(Stand)) {
        let input = &self.inputs[at];
        let mut level = u32::from(input.level);
        let mut first = None;
        for position in 0..input.packets {
            let place = usize::from(input.front.wrapping_add(position) & self.layout.ring_mask);
            let id = self.rings[at * self.layout.ring + place].packet;
            let all = if position == 0 { input.left } else { self.packets[id].flits };
            let there = level.min(all);
            level -= there;
            let (head, what) = match first {
                None => (input.whole, self.doing(at, input)),
                Some(first) => (true, What::Behind(self.name(first))),
            };
            first = first.or(Some(id));
            if there > 0 || head {
                each(Stand { position: position.into(), flits: there, head, ..self.stand(id, at, what) });
            }
        }
    }

    fn stand(&self, id: u32, at: usize, what: What) -> Stand {
        let router = self.layout.router[at / self.layout.channels] as usize;
        let entry = self.layout.entry(router, at - self.first(router) * self.layout.channels);
        // The buffer behind the wire of a node counts as its source queue.
        let buffer = entry.map(|(port, channel)| (port, channel.into()));
        Stand::of(&self.packets[id], self.layout.own(router), buffer, what)
    }

    pub(super) fn name(&self, id: u32) -> Name {
        Name::of(&self.packets[id])
    }

    /// What the packet at the front of an input channel does.
    fn doing(&self, at: usize, input: &Input) -> What {
        let router = self.layout.router[at / self.layout.channels] as usize;
        let (first, channels) = (self.first(router), self.layout.channels);
        let local = usize::from(input.port);
        let port = self.layout.links(router).has(local).then(|| self.layout.links(router).name(local));
        match input.doing {
            Doing::Nothing | Doing::Routing => What::Routing,
            Doing::Asking => {
                let free = self.may_have(router, at - first * channels) != 0;
                What::Channel { ports: 1 << port.map_or(What::NODE, u32::from), free }
            }
            Doing::Going if !input.whole => What::Leaves(port),
            Doing::Going => {
                let output = (first + usize::from(input.port)) * channels + usize::from(input.channel);
                match port {
                    Some(port) if self.outputs[output].credits == 0 => {
                        What::Room { port, channels: 1 << input.channel, flits: 0 }
                    }
                    _ => What::Turn(port),
                }
            }
        }
    }
}
