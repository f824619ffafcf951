//! Heads that choose among the hops of a list by what their router has sent and has no credit for.

use super::network::Network;
use super::router::State;
use crate::reference::graph::{Graph, Hop, Taste};
use crate::wormhole::packet::Packet;

/// By output port and channel: flits sent whose credits are not back.
pub type Owed = Vec<Vec<usize>>;

impl Network<'_> {
    /// What a router has sent and has no credit for.
    pub(super) fn owed(&self, router: usize) -> Owed {
        let ports = self.routers[router].outputs.iter();
        ports.map(|port| port.iter().map(|channel| channel.outstanding()).collect()).collect()
    }

    /// Heads whose routing is done now choose, all by the same queues.
    pub(super) fn decide_routed(&mut self, router: usize) {
        let Some((graph, taste)) = tasting(self.config.shared.base.graph.as_ref()) else { return };
        let (owed, waiting) = (self.owed(router), self.waiting(router));
        for (port, channel) in self.routers[router].places() {
            let input = &self.routers[router].inputs[port][channel];
            if input.state == State::Routing(Some(self.now)) {
                let id = input.flits.front().expect("its head is there").packet;
                let to = self.config.shared.base.router_of(self.packets[id].made.destination);
                decide(graph, taste, (router, to), &mut self.packets[id], (&owed, &waiting));
            }
        }
    }

    /// The head of a packet that leaves its node chooses, where routing takes no time.
    pub(super) fn decide_early(&mut self, router: usize, id: usize) {
        let Some((graph, taste)) = tasting(self.config.shared.base.graph.as_ref()) else { return };
        if self.config.routing_cycles == 0 {
            let waiting = self.waiting(router);
            let to = self.config.shared.base.router_of(self.packets[id].made.destination);
            decide(graph, taste, (router, to), &mut self.packets[id], (&self.owed_before[router], &waiting));
        }
    }

    /// By output port: flits of the packets whose heads ask for its channels.
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
        waiting
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
