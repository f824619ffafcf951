//! Adapters: packets leave their admittance queues, and throttles say which may.

use super::link::round_robin;
use super::network::Network;
use super::side::{Neighbour, Sort};

impl Network<'_> {
    /// The adapter of a node takes a packet, if it is idle.
    pub(super) fn admit(&mut self, node: usize) {
        let source = &self.sources[node];
        if self.now < source.free_from {
            return;
        }
        let next = |&destination: &usize| {
            source.queues[destination].front().is_some_and(|&packet| self.is_accepted(node, packet))
        };
        let Some(destination) = round_robin(source.last_served, source.queues.len()).find(next) else { return };
        let source = &mut self.sources[node];
        let packet = source.queues[destination].pop_front().expect("it is accepted");
        source.last_served = destination;
        source.free_from = self.now + u64::from(self.config.transfer_cycles);
        self.packets[packet].entered = Some(self.now);
        self.join(self.config.adapter_end(node), Sort::Adapter, packet, Neighbour::Port(0), self.now + 1);
    }

    /// Whether the adapter side of a node accepts a packet and has room for it.
    fn is_accepted(&self, node: usize, packet: usize) -> bool {
        let end = self.config.adapter_end(node);
        let side = &self.ends[end].sending;
        let (switch, port) = (self.config.shared.base.router_of(node as u32), self.packets[packet].route[0]);
        if !self.may_start(switch, port) {
            return false;
        }
        let accepts = side.recn.as_ref().is_none_or(|recn| recn.accepts(self.way(packet, Sort::Adapter)));
        accepts && side.has_room(self.queue_for(end, Sort::Adapter, packet, Neighbour::Port(0)))
    }

    /// Whether a new packet may start by a port of a switch, as far as its adapter knows: what the throttle decided comes by
    /// wires as long as the link. A packet for a node of the switch enters no network.
    fn may_start(&self, switch: usize, port: usize) -> bool {
        let heard = self.decided.get(self.config.shared.base.link_cycles as usize);
        port >= self.config.network_ports() || heard.is_none_or(|decided| decided[switch][port])
    }

    /// The end of a cycle: throttles look at the network, and decide for the next one.
    pub(super) fn observe(&mut self) {
        let ends = &self.ends;
        let memory = |router: usize, port: usize| ends[self.config.port_end(router, port)].receiving.as_ref();
        // Buffers are named by the port that feeds them, at the other end of the link.
        let packets = |router: usize, port: usize| memory(router, port ^ 1).map_or(0, |side| side.packets());
        let level = |router: usize, port: usize, _| packets(router, port) * self.config.packet_flits as usize;
        self.throttle.observe(&self.seen, self.now, level);
        let (switches, ports) = (self.config.shared.base.routers(), self.config.network_ports());
        let decide = |switch: usize| (0..ports).map(|port| self.decide(switch, port)).collect();
        let decided = (0..switches).map(decide).collect();
        self.decided.push_front(decided);
        self.decided.truncate(self.config.shared.base.link_cycles as usize + 1);
    }

    /// Whether the throttle of a switch lets new packets start by a port in the next cycle. A port has one channel, which is
    /// free while there is no packet in the egress side.
    fn decide(&self, switch: usize, port: usize) -> bool {
        let free = |port: usize| usize::from(self.ends[self.config.port_end(switch, port)].sending.packets() == 0);
        self.throttle.admits_by(&self.seen, self.now + 1, (switch, &[port], &[0]), free)
    }
}
