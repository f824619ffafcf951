//! Who waits for whom, and whether anything can still happen.

use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::contract::sources::Sources;
use crate::outcome::Blocked;
use crate::packet::Packet;
use crate::snapshot::{Need, Side, Snapshot};
use std::ops::Range;
use tailback_base::bits::ones;

/// The fabrics of a network, one for each part of it. Of each router the part is asked that simulates it.
struct Fabrics<'f, 'a, M: Mechanisms, R: Hot>(&'f [&'f Fabric<'a, M, R>]);

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Who waits for whom. A head finds room in a channel that has some or will get some, and behind a queue that moves. Behind the queues
    /// of links come, where ejection buffers are finite, the buffer and the source queue of each node. Of a part: who waits in it.
    pub(super) fn snapshot(&self) -> Snapshot {
        Fabrics(&[self]).snapshot()
    }

    /// Who waits for whom in the network that has these parts.
    pub(super) fn snapshot_of(parts: &[&Self]) -> Snapshot {
        Fabrics(parts).snapshot()
    }

    /// Tells of the queues of links at a router.
    fn inputs(&self, snapshot: &mut Snapshot, returning: &[bool], router: Id) {
        let l = &self.layout;
        for input in 0..l.network_inputs {
            if !(self.routers.at(router).is_taken(input) && self.routers.at(router).asks(input)) {
                snapshot.nobody();
                continue;
            }
            self.ways(snapshot, returning, router, input);
            let place = ((input / l.channels) as u8, (input % l.channels) as u8);
            snapshot.head(Side::Link, router.get(), place, self.packets[self.front(router, input).packet]);
        }
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

    /// Tells of the source queue of a node.
    fn source(&self, snapshot: &mut Snapshot, returning: &[bool], router: Id, node: u32) {
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

    /// The queues of own links and nodes at whose front a packet asks, and of each whether its packet is for another node than those of `kin`.
    fn queues_that_wait(&self, kin: &Range<u32>) -> Vec<(bool, usize)> {
        let l = &self.layout;
        let own = self.routers.ids().filter(|&router| self.share.owns(router));
        let links = own.flat_map(|router| (0..l.network_inputs).map(move |input| (router, input)));
        let asks = |&(router, input): &(Id, usize)| {
            self.routers.at(router).is_taken(input) && self.routers.at(router).asks(input)
        };
        let is_for =
            |router: Id, input: usize| kin.contains(&self.packets[self.front(router, input).packet].destination);
        let of_link =
            |(router, input): (Id, usize)| (!is_for(router, input), router.get() as usize * l.network_inputs + input);
        let of_node = |node: usize| {
            let router = self.routers.id(self.network.router_of(node as u32));
            (!is_for(router, l.injection_input(node as u32)), self.ejection_queue(node as u32) + 1)
        };
        links.filter(asks).map(of_link).chain(self.at_head.iter().map(of_node)).collect()
    }

    /// Whether nothing in the network can ever happen again although packets are in it, or wait before ejection buffers without a place:
    /// no flit moves, no credit is on its way, no output is ready. Costs a few loads, so it may be asked every cycle.
    #[inline]
    pub(super) fn is_still(&self) -> bool {
        (self.counters.in_flight() > 0 || self.waits_for_places()) && !self.moves()
    }

    /// Whether a flit or a credit is on its way, or an output is ready.
    #[inline]
    pub(super) fn moves(&self) -> bool {
        self.tails.pending() > 0
            || self.arrivals.pending() > 0
            || self.returns.any_outstanding()
            || !self.active.is_empty()
    }

    /// Whether packets wait at sources, where ejection buffers may have no place.
    #[inline]
    pub(super) fn waits_for_places(&self) -> bool {
        self.ejection.is_finite() && !self.at_head.is_empty()
    }
}

impl<'f, 'a, M: Mechanisms, R: Hot> Fabrics<'f, 'a, M, R> {
    /// The one that simulates a router; none where that part is not here.
    fn of(&self, router: Id) -> Option<&'f Fabric<'a, M, R>> {
        self.0.iter().copied().find(|fabric| fabric.share.owns(router))
    }

    fn snapshot(&self) -> Snapshot {
        let some = self.0[0];
        let inputs = some.layout.network_inputs;
        let mut snapshot = Snapshot::new(some.layout.ports);
        let returning = self.returning();
        for router in some.routers.ids() {
            match self.of(router) {
                Some(fabric) => fabric.inputs(&mut snapshot, &returning, router),
                None => (0..inputs).for_each(|_| snapshot.nobody()),
            }
        }
        if some.ejection.is_finite() {
            (0..some.network.nodes() as u32).for_each(|node| self.ends(&mut snapshot, &returning, node));
        }
        snapshot
    }

    /// By channel, in the order of the queues that feed them: whether credits are on their way to it. Those that a tail brings with it, which
    /// parts tell each other ahead, are not asked for: the queue of that tail moves.
    fn returning(&self) -> Vec<bool> {
        let l = &self.0[0].layout;
        let mut returning = vec![false; self.0[0].routers.len() * l.network_inputs];
        for returns in self.0.iter().map(|fabric| &fabric.returns).filter(|returns| !returns.whole_at_tail()) {
            for (router, port, channel, flits) in returns.outstanding() {
                returning[router as usize * l.network_inputs + port * l.channels + channel] |= flits > 0;
            }
        }
        returning
    }

    /// The ejection buffer and the source queue of a node. All places of the buffer may be held by requests whose answers wait to leave.
    fn ends(&self, snapshot: &mut Snapshot, returning: &[bool], node: u32) {
        let router = self.0[0].routers.id(self.0[0].network.router_of(node));
        let Some(fabric) = self.of(router) else { return (0..2).for_each(|_| snapshot.nobody()) };
        let (sources, ports) = (&fabric.heads.sources, fabric.layout.ports);
        let full = fabric.ejection.is_full(node) && fabric.ejection.taken(node) == sources.holds(node);
        match sources.waits_to_leave(node).filter(|_| full) {
            Some(from) => {
                snapshot.way(ports, 0, None, [Need::of(fabric.ejection_queue(from) + 1)]);
                let held = Packet { source: from, destination: node, router: router.get(), ..Packet::default() };
                snapshot.head(Side::Consumer, router.get(), (Blocked::CONSUMER, 0), held);
            }
            // Something else has to happen to the rank: while all is still, only a packet that waits now could bring it about.
            None if full && self.is_quiet() && !sources.has_host() && !fabric.comes_free(node) => {
                let group = Some(snapshot.group(self.queues_that_wait(sources.kin(node)).into_iter()));
                snapshot.way(ports, 0, None, [Need { queue: None, group }]);
                let held = Packet { source: node, destination: node, router: router.get(), ..Packet::default() };
                snapshot.head(Side::Consumer, router.get(), (Blocked::CONSUMER, 0), held);
            }
            None => snapshot.nobody(),
        }
        fabric.source(snapshot, returning, router, node);
    }

    /// Whether no flit moves and no node wakes by itself.
    fn is_quiet(&self) -> bool {
        let in_flight = self.0.iter().fold(0u64, |all, fabric| all.wrapping_add(fabric.counters.in_flight()));
        (in_flight > 0 || self.0.iter().any(|fabric| fabric.waits_for_places()))
            && self.0.iter().all(|fabric| !fabric.moves())
            && self.0.iter().all(|fabric| fabric.heads.known.is_empty() && fabric.heads.asleep.is_empty())
    }

    /// The queues of links and nodes at whose front a packet asks. Those come first whose packet is for a node of `kin`: there a message may
    /// wait that they wait for.
    fn queues_that_wait(&self, kin: Range<u32>) -> Vec<usize> {
        let mut queues: Vec<_> = self.0.iter().flat_map(|fabric| fabric.queues_that_wait(&kin)).collect();
        queues.sort_unstable();
        queues.into_iter().map(|(_, queue)| queue).collect()
    }
}
