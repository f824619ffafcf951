//! Which heads get channels.

use super::allocators::{Ranks, Requests, Turn};
use super::config::RequestOrder;
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
        let mut inputs = self.routers[router].inputs.iter().flatten();
        if !inputs.any(|input| matches!(input.state, State::Asking(_))) {
            return Vec::new();
        }
        let config = self.config;
        let turn = Turn { allocator: 2 * router as u32, step: self.steps };
        let channels = config.channels();
        let priorities = self.priorities(router);
        let at = &mut self.routers[router];
        let ports = config.ports(router);
        let size = ports * channels;
        let number = |(port, channel): (usize, usize)| match config.request_order {
            RequestOrder::ByPort => port * channels + channel,
            RequestOrder::ByChannel => channel * ports + port,
        };
        let asker = |input: usize| match config.request_order {
            RequestOrder::ByPort => (input / channels, input % channels),
            RequestOrder::ByChannel => (input % ports, input / ports),
        };
        let mut requests = Requests::new(size, size);
        for (port, channel) in at.places() {
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
                    let (input, output) = (number((port, channel)), wish.port * channels + wish.channel);
                    // An empty buffer counts for more than what routing prefers.
                    let empty = config.prefers_empty && at.outputs[wish.port][wish.channel].outstanding() == 0;
                    let at_input = u64::from(wish.priority) + if empty { 2 } else { 0 };
                    requests.add(input, output, Ranks { at_input, at_output: priorities[port][channel] });
                }
            }
        }
        let matching = at.vc_allocator.allocate(&requests, turn);
        let place = |output: usize| (output / channels, output % channels);
        matching.into_iter().map(|(input, output)| Given { to: asker(input), output: place(output) }).collect()
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
