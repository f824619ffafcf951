//! Generate and transfer: nodes make packets and give them to their queues, which bring them to the router.

use super::config::InterfaceChannels;
use super::interface::Message;
use super::network::{Network, Open};
use crate::wormhole::packet::Packet;
use tailback_traffic::Generated;

impl Network<'_> {
    /// Nodes make the packets of this cycle.
    pub(super) fn generate(&mut self) {
        for node in 0..self.interfaces.len() {
            while let Some((made, first)) = self.interfaces[node].due(self.config, self.now, self.traffic) {
                let waiting: Vec<u64> = (0..self.config.queues as usize).map(|q| self.waiting_flits(node, q)).collect();
                let queue = self.interfaces[node].queue(self.config, &made, &waiting);
                if !self.interfaces[node].has_room(self.config, queue) {
                    break;
                }
                self.interfaces[node].push(self.config, self.packets.len(), queue, self.now, self.traffic);
                self.make(node as u32, made, first);
            }
        }
    }

    /// A packet is made; `first`: it begins a message of so many flits.
    fn make(&mut self, node: u32, made: Generated, first: Option<u32>) {
        if let Some(flits) = first {
            let message = Message { source: node, birth: self.now, destination: made.destination, flits, delivered: 0 };
            self.messages.push(Open { message, packets_left: flits / self.config.packet_flits });
        }
        let of_node = self.messages.iter().rposition(|open| open.message.source == node).expect("it has begun");
        let at_router = (self.config.interface_channels == InterfaceChannels::Physical).then_some(self.now);
        self.origins.push((at_router, of_node));
        self.packets.push(Packet::new(node, made, self.config.shared.plan(node, &made)));
    }

    /// Flits of an injection queue that have not been sent.
    fn waiting_flits(&self, node: usize, queue: usize) -> u64 {
        let packets = self.interfaces[node].queues[queue].packets.len() as u64;
        let router = self.config.shared.base.router_of(node as u32);
        let front = self.routers[router].inputs[self.config.injection_input(node, queue)].front.as_ref();
        packets * u64::from(self.config.packet_flits) - front.map_or(0, |front| u64::from(front.sent.unwrap_or(0)))
    }

    /// Channels that the queues of a node share begin to transfer packets.
    pub(super) fn transfer(&mut self) {
        let link = match self.config.interface_channels {
            InterfaceChannels::Port(port) => u64::from(port.link_cycles),
            InterfaceChannels::Physical | InterfaceChannels::Virtual { .. } => 0,
        };
        for interface in &mut self.interfaces {
            if let Some(packet) = interface.transfer(self.config, self.now) {
                self.origins[packet].0 = Some(self.now + link);
            }
        }
    }
}
