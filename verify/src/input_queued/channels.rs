//! Which heads get channels.

use super::allocators::{Ranks, Requests, Turn};
use super::config::{HALVES, Half, Ports, RequestOrder};
use super::network::Network;
use super::router::State;

/// A channel given to a head.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Input port and channel of the head.
    pub to: (usize, usize),
    /// Output port and channel.
    pub output: (usize, usize),
}

impl Network<'_> {
    /// The channels that are given in this step.
    pub(super) fn allocate_channels(&mut self, router: usize) -> Vec<Given> {
        HALVES.iter().flat_map(|&half| self.allocate_channels_of(router, half)).collect()
    }

    /// Those of a half of the router.
    fn allocate_channels_of(&mut self, router: usize, half: Half) -> Vec<Given> {
        let config = self.config;
        let Ports { inputs, outputs } = config.ports_of_half(router, half);
        let mut own = self.routers[router].inputs[inputs.clone()].iter().flatten();
        if !own.any(|input| matches!(input.state, State::Asking(_))) {
            return Vec::new();
        }
        let turn = self.turn(2 * router, half);
        let channels = config.channels();
        let priorities = self.priorities(router);
        let at = &mut self.routers[router];
        let (first, ports) = (inputs.start, inputs.len());
        let number = |(port, channel): (usize, usize)| match config.request_order {
            RequestOrder::ByPort => (port - first) * channels + channel,
            RequestOrder::ByChannel => channel * ports + (port - first),
        };
        let asker = |input: usize| match config.request_order {
            RequestOrder::ByPort => (first + input / channels, input % channels),
            RequestOrder::ByChannel => (first + input % ports, input / ports),
        };
        let mut requests = Requests::new(ports * channels, outputs.len() * channels);
        for (port, channel) in config.places(router, half) {
            let State::Asking(wishes) = &at.inputs[port][channel].state else { continue };
            for wish in wishes {
                let good = |channel: usize| {
                    let output = &at.outputs[wish.port][channel];
                    output.is_free() && (output.has_credit() || !config.channel_needs_credit)
                };
                // To a node whose ejection buffer has an end one packet begins in a step, by the first channel.
                let counts = config.ejection_flits.is_some() && config.node_behind(router, wish.port).is_some();
                let begins = !counts || !at.shut[wish.port] && !(0..wish.channel).any(good);
                if good(wish.channel) && begins {
                    let output = (wish.port - outputs.start) * channels + wish.channel;
                    let input = number((port, channel));
                    // An empty buffer counts for more than what routing prefers.
                    let empty = config.prefers_empty && at.outputs[wish.port][wish.channel].outstanding() == 0;
                    let at_input = u64::from(wish.priority) + if empty { 2 } else { 0 };
                    requests.add(input, output, Ranks { at_input, at_output: priorities[port][channel] });
                }
            }
        }
        let matching = at.allocators[half as usize].vc.allocate(&requests, turn);
        let place = |output: usize| (outputs.start + output / channels, output % channels);
        matching.into_iter().map(|(input, output)| Given { to: asker(input), output: place(output) }).collect()
    }

    /// The present turn of an allocator of a router, or of a half of it.
    pub(super) fn turn(&self, allocator: usize, half: Half) -> Turn {
        let allocator = allocator + half as usize * 3 * self.routers.len();
        Turn { allocator: allocator as u32, step: self.steps }
    }

    /// Notes at which ports of a router nodes take no other packet, because their ejection buffers are full.
    pub(super) fn look_at_nodes(&mut self, router: usize) {
        let Some(most) = self.config.ejection_flits else { return };
        for port in 0..self.config.ports(router) {
            let Some(node) = self.config.node_behind(router, port) else { continue };
            let packets = self.homing.iter().map(|&id| &self.packets[id].made);
            let coming: u32 = packets.filter(|made| made.destination == node).map(|made| made.flits).sum();
            self.routers[router].shut[port] = coming + self.held[node as usize] >= most;
        }
    }

    /// Heads take the channels that they were given.
    pub(super) fn give_channels(&mut self, router: usize, all: &[Given]) {
        for given in all {
            let (port, channel) = given.output;
            let at = &mut self.routers[router];
            if self.config.node_behind(router, port).is_some() {
                self.homing.insert(at.inputs[given.to.0][given.to.1].flits[0].packet);
            }
            at.outputs[port][channel].take();
            at.inputs[given.to.0][given.to.1].state = State::Active { port, channel };
        }
    }
}
