//! Heads that choose among the hops of a list by what their router has sent and has no credit for.

use super::config::{Config, Order};
use super::network::Network;
use super::router::State;
use crate::reference::graph::{Graph, Hop, Taste};
use crate::wormhole::Routing;
use crate::wormhole::packet::Packet;
use crate::wormhole::routing::Order as First;

/// By the name of an output port, and channel: flits sent whose credits are not back.
pub type Owed = Vec<Vec<usize>>;

impl Network<'_> {
    /// What a router has sent by its links and has no credit for.
    pub(super) fn owed(&self, router: usize) -> Owed {
        let names = 0..self.config.network_ports(router);
        let ports = names.map(|name| &self.routers[router].outputs[self.config.output(router, name)]);
        ports.map(|port| port.iter().map(|channel| channel.outstanding()).collect()).collect()
    }

    /// Heads whose routing is done now choose, all by the same queues.
    pub(super) fn decide_routed(&mut self, router: usize) {
        let config = self.config;
        let tasting = tasting(config.shared.base.graph.as_ref());
        let (owed, waiting) = (self.owed(router), self.waiting(router));
        for (port, channel) in self.routers[router].places() {
            let input = &self.routers[router].inputs[port][channel];
            if input.state == State::Routing(Some(self.now)) {
                let id = input.flits.front().expect("its head is there").packet;
                let to = config.shared.base.router_of(self.packets[id].made.destination);
                if let Some((graph, taste)) = tasting {
                    decide(graph, taste, (config.place(router).0, to), &mut self.packets[id], (&owed, &waiting));
                } else if config.node_behind(router, port).is_some() {
                    choose_order(config, &mut self.packets[id], &owed);
                }
            }
        }
    }

    /// The head of a packet that leaves its node chooses, where routing takes no time.
    pub(super) fn decide_early(&mut self, router: usize, id: usize) {
        if self.config.routing_cycles > 0 {
            return;
        }
        let waiting = self.waiting(router);
        let (base, owed, packet) = (&self.config.shared.base, &self.owed_before[router], &mut self.packets[id]);
        match tasting(base.graph.as_ref()) {
            Some((graph, taste)) => {
                let own = self.config.place(router).0;
                decide(graph, taste, (own, base.router_of(packet.made.destination)), packet, (owed, &waiting));
            }
            None => choose_order(self.config, packet, owed),
        }
    }

    /// By the name of an output port: flits of the packets whose heads ask for its channels.
    fn waiting(&self, router: usize) -> Vec<usize> {
        let at = &self.routers[router];
        let mut waiting = vec![0; at.outputs.len()];
        for (port, channel) in at.places() {
            let input = &at.inputs[port][channel];
            if let State::Asking(wishes) = &input.state {
                let id = input.flits.front().expect("its head is there").packet;
                waiting[wishes[0].port] += self.packets[id].made.flits as usize;
            }
        }
        (0..self.config.network_ports(router)).map(|name| waiting[self.config.output(router, name)]).collect()
    }
}

/// A packet that turns once takes the order whose first port its router owes less; else it keeps to its coin.
fn choose_order(config: &Config, packet: &mut Packet, owed: &Owed) {
    if (config.order, config.shared.routing) != (Order::Queues, Routing::O1Turn) || packet.plan.is_empty() {
        return;
    }
    let known = config.of_kind(packet.kind);
    let [x, y] = [First::XFirst, First::YFirst].map(|first| known.in_order(packet.source, &packet.made, first));
    let [to_x, to_y] = [&x, &y].map(|plan| owed[plan[0].0].iter().sum::<usize>());
    if to_x < to_y {
        packet.plan = x;
    } else if to_y < to_x {
        packet.plan = y;
    }
}

/// The lists, where heads look at queues.
fn tasting(graph: Option<&Graph>) -> Option<(&Graph, Taste)> {
    graph.and_then(|graph| Some((graph, graph.taste?)))
}

/// A packet takes the hop with the least sum, of several the first, and the usual way from there.
fn decide(
    graph: &Graph,
    taste: Taste,
    (router, to): (usize, usize),
    packet: &mut Packet,
    (owed, waiting): (&Owed, &[usize]),
) {
    if router == to {
        return;
    }
    let made = packet.hops as usize;
    let sum = |hop: &&Hop| {
        let sent: usize = hop.channels.iter().map(|&channel| owed[hop.port][channel]).sum();
        taste.owed as usize * sent + taste.waiting as usize * waiting[hop.port]
    };
    let chosen = graph.ways(router, to, made).iter().min_by_key(sum).expect("a way");
    packet.plan.truncate(made);
    let mut hop = chosen;
    let mut at = router;
    loop {
        packet.plan.push((hop.port, hop.channels.clone()));
        at = graph.link(at, hop.port).expect("routes follow links").router;
        if at == to {
            return;
        }
        hop = &graph.ways(at, to, packet.plan.len())[0];
    }
}
