//! Who waits for whom, and whether anything can still happen.

use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::contract::sources::Sources;
use crate::outcome::Blocked;
use crate::packet::Packet;
use crate::snapshot::{Need, Side, Snapshot};
use tailback_base::bits::ones;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Who waits for whom. A head finds room in a channel that has some or will get some, and behind a queue that moves. Behind the queues
    /// of links come, where ejection buffers are finite, the buffer and the source queue of each node.
    pub(super) fn snapshot(&self) -> Snapshot {
        let l = &self.layout;
        let mut snapshot = Snapshot::new(l.ports);
        let mut returning = vec![false; self.routers.len() * l.network_inputs];
        for (router, port, channel, flits) in self.returns.outstanding() {
            returning[router as usize * l.network_inputs + port * l.channels + channel] |= flits > 0;
        }
        for router in self.routers.ids() {
            for input in 0..l.network_inputs {
                if !(self.routers.at(router).is_taken(input) && self.routers.at(router).asks(input)) {
                    snapshot.nobody();
                    continue;
                }
                self.ways(&mut snapshot, &returning, router, input);
                let place = ((input / l.channels) as u8, (input % l.channels) as u8);
                snapshot.head(Side::Link, router.get(), place, self.packets[self.front(router, input).packet]);
            }
        }
        if self.ejection.is_finite() {
            (0..self.network.nodes() as u32).for_each(|node| self.ends(&mut snapshot, &returning, node));
        }
        snapshot
    }

    /// The number of the ejection buffer of a node among the queues; its source queue follows.
    fn ejection_queue(&self, node: u32) -> usize {
        self.routers.len() * self.layout.network_inputs + 2 * node as usize
    }

    /// The ways of the head of an input that asks.
    fn ways(&self, snapshot: &mut Snapshot, returning: &[bool], router: Id, input: usize) {
        let l = &self.layout;
        let (asked, packet) = (self.routers.at(router).input(input), self.front(router, input).packet);
        let Some(port) = self.port(router, input).map(usize::from) else {
            let node = self.packets[packet].destination;
            let full = self.ejection.is_full(node).then(|| Need::of(self.ejection_queue(node)));
            return snapshot.way(l.ports, 0, None, full);
        };
        let (peer, into) = self.peers.ahead(router, port, None);
        let first = peer.get() as usize * l.network_inputs + into * l.channels;
        let number = router.get() as usize * l.network_inputs + port * l.channels;
        for channel in ones(u64::from(asked.channels)) {
            let room = self.settled(router, port, channel);
            let comes = returning[number + channel] || room >= i64::from(self.length(packet));
            let need = (!comes).then_some(Need::of(first + channel));
            snapshot.way(port, channel, Some(room.max(0) as u32), need);
        }
    }

    /// The ejection buffer and the source queue of a node. All places of the buffer may be held by requests whose answers wait to leave.
    fn ends(&self, snapshot: &mut Snapshot, returning: &[bool], node: u32) {
        let sources = &self.heads.sources;
        let router = self.routers.id(self.network.router_of(node));
        let full = self.ejection.is_full(node) && self.ejection.taken(node) == sources.holds(node);
        match sources.waits_to_leave(node).filter(|_| full) {
            Some(from) => {
                snapshot.way(self.layout.ports, 0, None, [Need::of(self.ejection_queue(from) + 1)]);
                let held = Packet { source: from, destination: node, router: router.get(), ..Packet::default() };
                snapshot.head(Side::Consumer, router.get(), (Blocked::CONSUMER, 0), held);
            }
            // Something else has to happen to the rank: while all is still, only a packet that waits now could bring it about.
            None if full && self.is_quiet() && !sources.has_host() && !self.comes_free(node) => {
                let group = Some(snapshot.group(self.queues_that_wait(node).into_iter()));
                snapshot.way(self.layout.ports, 0, None, [Need { queue: None, group }]);
                let held = Packet { source: node, destination: node, router: router.get(), ..Packet::default() };
                snapshot.head(Side::Consumer, router.get(), (Blocked::CONSUMER, 0), held);
            }
            None => snapshot.nobody(),
        }
        let input = self.layout.injection_input(node);
        if self.at_head.contains(node as usize) && self.routers.at(router).asks(input) {
            self.ways(snapshot, returning, router, input);
            let packet = self.packets[self.front(router, input).packet];
            snapshot.head(Side::Node, router.get(), (Blocked::SOURCE, 0), packet);
        } else {
            snapshot.nobody();
        }
    }

    /// Whether a full ejection buffer has a place one day, whatever else happens.
    fn comes_free(&self, node: u32) -> bool {
        self.consumers.is_some() && self.heads.sources.comes_free(node)
    }

    /// Whether no flit moves and no node wakes by itself.
    fn is_quiet(&self) -> bool {
        self.is_still() && self.heads.known.is_empty() && self.heads.asleep.is_empty()
    }

    /// The queues of links and nodes at whose front a packet asks. Those come first whose packet is for `node` or its kin: there a message
    /// may wait that the node waits for.
    fn queues_that_wait(&self, node: u32) -> Vec<usize> {
        let l = &self.layout;
        let links = self.routers.ids().flat_map(|router| (0..l.network_inputs).map(move |input| (router, input)));
        let asks = |&(router, input): &(Id, usize)| {
            self.routers.at(router).is_taken(input) && self.routers.at(router).asks(input)
        };
        let kin = self.heads.sources.kin(node);
        let is_for =
            |router: Id, input: usize| kin.contains(&self.packets[self.front(router, input).packet].destination);
        let of_link =
            |(router, input): (Id, usize)| (!is_for(router, input), router.get() as usize * l.network_inputs + input);
        let of_node = |node: usize| {
            let router = self.routers.id(self.network.router_of(node as u32));
            (!is_for(router, l.injection_input(node as u32)), self.ejection_queue(node as u32) + 1)
        };
        let nodes = self.at_head.iter().map(of_node);
        let mut queues: Vec<(bool, usize)> = links.filter(asks).map(of_link).chain(nodes).collect();
        queues.sort_unstable();
        queues.into_iter().map(|(_, queue)| queue).collect()
    }

    /// Whether nothing in the network can ever happen again although packets are in it, or wait before ejection buffers without a place:
    /// no flit moves, no credit is on its way, no output is ready. Costs a few loads, so it may be asked every cycle.
    #[inline]
    pub(super) fn is_still(&self) -> bool {
        (self.counters.in_flight() > 0 || self.ejection.is_finite() && !self.at_head.is_empty())
            && self.tails.pending() == 0
            && self.arrivals.pending() == 0
            && !self.returns.any_outstanding()
            && self.active.is_empty()
    }
}
