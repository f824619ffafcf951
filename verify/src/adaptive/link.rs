//! Who goes: outputs pick among the heads that ask, links among the packets that hold their channels.

use super::config::{CrossbarOutputs, Way};
use super::network::Network;
use super::request::Ask;
use crate::wormhole::arbiter::Rival;

impl Network<'_> {
    /// Each output of a router that nobody holds and that heads ask for picks one of them.
    pub(super) fn allocate(&mut self, router: usize, asks: &[Ask]) {
        for output in 0..self.config.outputs() {
            if !self.is_open(router, output) {
                continue;
            }
            let mut for_it: Vec<Ask> = asks.iter().filter(|ask| ask.output == output).copied().collect();
            let in_transit = |ask: &Ask| ask.input < self.config.network_inputs();
            if self.config.transit_first && for_it.iter().any(in_transit) {
                for_it.retain(in_transit);
            }
            if self.config.pace.first_come
                && let Some(first) = for_it.iter().map(|ask| self.asks_from(router, ask.input)).min()
            {
                for_it.retain(|ask| self.asks_from(router, ask.input) == first);
            }
            if for_it.is_empty() {
                continue;
            }
            let rivals: Vec<Rival> =
                for_it.iter().map(|ask| Rival { input: ask.input, age: self.age(router, ask.input) }).collect();
            let arbiter = self.config.number_of(router, output);
            let winner = self.arbiters.pick(arbiter, self.now, &rivals);
            self.arbiters.serve(arbiter, winner);
            let winner = *for_it.iter().find(|ask| ask.input == winner).expect("one of them won");
            self.grant(router, winner);
        }
    }

    /// Whether nobody holds an output and it has rested after its last packet.
    pub(super) fn is_open(&self, router: usize, output: usize) -> bool {
        !self.routers[router].held[output] && self.routers[router].rests_until[output] <= self.now
    }

    /// The first cycle in which the head of an input might ask.
    fn asks_from(&self, router: usize, input: usize) -> u64 {
        self.routers[router].inputs[input].front.as_ref().expect("it asked").asks_from
    }

    fn age(&self, router: usize, input: usize) -> (u64, u32) {
        self.packets[self.routers[router].inputs[input].front.as_ref().expect("it asked").packet].age()
    }

    /// A head gets the output that it asked for, and with it a place in the buffer behind.
    fn grant(&mut self, router: usize, ask: Ask) {
        let at = &mut self.routers[router];
        at.held[ask.output] = true;
        let front = at.inputs[ask.input].front.as_mut().expect("it asked");
        front.holds = Some((ask.output, ask.way));
        let packet = front.packet;
        if ask.way == Way::Ejection || self.config.crossbar_outputs == CrossbarOutputs::Link {
            front.sent = Some(0);
        }
        if ask.way == Way::Ejection && self.config.ejection_port.is_some() {
            let node = self.packets[packet].made.destination;
            at.ejection_room[self.config.ejection_channel(ask.input, node)] -= 1;
        }
        if let Way::Link(link) = ask.way {
            let number = self.config.number(link);
            at.room[number] -= 1;
            let (next, port) = self.config.shared.base.ahead(router, link.0).expect("routes end at the edge");
            self.routers[next].inputs[self.config.number((port, link.1))].granted.push(packet);
        }
    }

    /// Each link that sends nothing takes the next of its held channels whose packet has not been sent.
    pub(super) fn serve_links(&mut self, router: usize) {
        let channels = self.config.shared.base.virtual_channels as usize;
        let holders = self.holders(router);
        for port in 0..self.config.shared.base.ports() {
            let holder = |channel: usize| {
                let held = Way::Link((port, channel));
                holders.iter().find(|(way, _)| *way == held).map(|&(_, input)| input)
            };
            let rests = self.routers[router].link_rests_until[port] > self.now;
            if rests || (0..channels).filter_map(holder).any(|input| self.is_being_sent(router, input)) {
                continue;
            }
            let turn = self.routers[router].turn[port];
            let in_turn = (turn..turn + channels).map(|channel| channel % channels);
            let next = in_turn.filter_map(|channel| Some((channel, holder(channel)?))).next();
            let Some((channel, input)) = next else { continue };
            self.routers[router].turn[port] = (channel + 1) % channels;
            self.routers[router].inputs[input].front.as_mut().expect("it holds the channel").sent = Some(0);
        }
    }

    /// The inputs whose packets hold something, and what.
    fn holders(&self, router: usize) -> Vec<(Way, usize)> {
        let inputs = self.routers[router].inputs.iter().enumerate();
        inputs.filter_map(|(input, at)| Some((at.front.as_ref()?.holds?.1, input))).collect()
    }

    fn is_being_sent(&self, router: usize, input: usize) -> bool {
        self.routers[router].inputs[input].front.as_ref().is_some_and(|front| front.sent.is_some())
    }
}
