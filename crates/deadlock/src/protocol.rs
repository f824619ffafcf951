//! Messages that wait for messages: requests that keep their places in a finite ejection buffer until the answers to them have left.
//!
//! Such a buffer is one more thing that packets wait for. A request that has arrived waits for the buffer of its router, and the buffer waits
//! for the first channels of the answers. A network that is free by itself is free with this protocol if no circle goes through a buffer.

use crate::cycles::Graph;
use crate::walk::{Budget, Network, TooLarge, port_and_channel};
use crate::words::{Buffer, Circle, Step, name};
use std::collections::{BTreeMap, BTreeSet};
use tailback_base::bits::ones;
use tailback_engine::contract::routing::{Head, Routing};
use tailback_engine::packet::Packet;

/// Who sends requests to whom, and who answers them: routers from and to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protocol {
    /// Requests, each of which keeps its place where it arrives until its answer has left.
    pub requests: BTreeSet<(u32, u32)>,
    /// Answers.
    pub answers: BTreeSet<(u32, u32)>,
}

/// A circle that goes through an ejection buffer, if there is one. Requests and answers share all channels.
///
/// # Errors
/// [`TooLarge`] where more places would have to be visited than the budget has; after the budget was cancelled.
pub fn protocol<'a, R: Routing>(
    network: &Network<R>,
    protocol: &Protocol,
    budget: impl Into<Budget<'a>>,
) -> Result<Option<Circle>, TooLarge> {
    let budget = budget.into();
    let mut arcs = Arcs { network, edges: BTreeMap::new(), places: budget.places };
    for (pairs, are_answers) in [(&protocol.requests, false), (&protocol.answers, true)] {
        for &(from, to) in pairs {
            if budget.is_cancelled() {
                return Err(TooLarge);
            }
            arcs.pair(Pair { from, to, answers: are_answers })?;
        }
    }
    let nodes = arcs.ejection(network.wiring.routers() as u32);
    let edges: Vec<(u32, u32)> = arcs.edges.keys().copied().collect();
    let graph = Graph::new(nodes as usize, &edges);
    let buffers = arcs.ejection(0)..nodes;
    Ok(buffers.filter_map(|buffer| graph.round(buffer)).min_by_key(Vec::len).map(|circle| arcs.words(&circle)))
}

/// Packets from one router to another.
#[derive(Clone, Copy, Debug)]
struct Pair {
    from: u32,
    to: u32,
    answers: bool,
}

/// Who may wait for whom. Vertices are the channels of all routers, then the ejection buffers.
struct Arcs<'a, 'n, R> {
    network: &'a Network<'n, R>,
    /// With a pair of routers whose packets may wait so.
    edges: BTreeMap<(u32, u32), Pair>,
    /// Places that may still be visited.
    places: u64,
}

/// A head in its search for all of its ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    router: u32,
    input: Option<(u8, u8)>,
    word: u32,
    /// The channel behind which it stands.
    behind: Option<u32>,
}

impl<R: Routing> Arcs<'_, '_, R> {
    fn width(&self) -> u32 {
        self.network.wiring.most_ports() as u32 * self.network.channels
    }

    /// The vertex of a router's ejection buffer.
    fn ejection(&self, router: u32) -> u32 {
        self.network.wiring.routers() as u32 * self.width() + router
    }

    /// All ways of all packets of a pair.
    fn pair(&mut self, pair: Pair) -> Result<(), TooLarge> {
        let Pair { from, to, .. } = pair;
        if from == to {
            return Ok(());
        }
        let routing = self.network.routing;
        let variety = routing.variety();
        if variety.draws.is_empty() {
            return Err(TooLarge);
        }
        let coins = routing.coins(from, &self.network.packet(from, (to, 0)));
        for draw in variety
            .draws
            .iter()
            .flat_map(|&draw| tailback_engine::contract::routing::submasks(coins).map(move |coins| draw | coins))
        {
            for index in 0..variety.indices {
                let mut packet = Packet { index, ..self.network.packet(from, (to, draw)) };
                let word = routing.start(from, &mut packet, || draw);
                self.follow(pair, &packet, Place { router: from, input: None, word, behind: None })?;
            }
        }
        Ok(())
    }

    fn follow(&mut self, pair: Pair, packet: &Packet, start: Place) -> Result<(), TooLarge> {
        let (mut seen, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(place) = open.pop() {
            self.places = self.places.checked_sub(1).ok_or(TooLarge)?;
            let head = Head { router: place.router, input: place.input };
            for option in 0..self.network.options(head, packet, place.word) {
                let mut word = place.word;
                let asked = self.network.candidates(head, packet, &mut word, option);
                let mask = asked.candidates.all();
                if mask == 0 {
                    self.arrives(pair, place);
                }
                for bit in ones(mask) {
                    let (port, channel) = port_and_channel(asked.first, 1 << bit, self.network.channels);
                    let vertex = place.router * self.width() + asked.first + bit as u32;
                    self.waits(pair, place, vertex);
                    let there = self.network.wiring.ahead(place.router, port.into());
                    let there = there.expect("routing does not lead over the edge of the network");
                    let word = self.network.routing.advance(port, word);
                    let input = Some((there.port as u8, channel));
                    let next = Place { router: there.router, input, word, behind: Some(vertex) };
                    if seen.insert(next) {
                        open.push(next);
                    }
                }
            }
        }
        Ok(())
    }

    /// A head may wait for a channel: in another one, or, of an answer that has not left, in an ejection buffer.
    fn waits(&mut self, pair: Pair, place: Place, channel: u32) {
        let source = pair.answers.then(|| self.ejection(pair.from));
        if let Some(from) = place.behind.or(source) {
            self.edges.entry((from, channel)).or_insert(pair);
        }
    }

    /// A head has arrived: a request waits for a place in the ejection buffer.
    fn arrives(&mut self, pair: Pair, place: Place) {
        if let (false, Some(channel)) = (pair.answers, place.behind) {
            self.edges.entry((channel, self.ejection(pair.to))).or_insert(pair);
        }
    }

    fn words(&self, circle: &[u32]) -> Circle {
        let first = circle.iter().position(|&vertex| vertex >= self.ejection(0)).unwrap_or(0);
        let turned: Vec<u32> = circle[first..].iter().chain(&circle[..first]).copied().collect();
        let nexts = turned.iter().skip(1).chain(&turned[..1]);
        let steps = turned.iter().zip(nexts).map(|(&at, &next)| {
            let Pair { from, to, .. } = self.edges[&(at, next)];
            Step {
                source: name(&self.network.wiring, from),
                destination: name(&self.network.wiring, to),
                holds: vec![self.buffer(at)],
                waits: vec![self.buffer(next)],
            }
        });
        Circle { steps: steps.collect(), stuck: 0 }
    }

    fn buffer(&self, vertex: u32) -> Buffer {
        let wiring = &self.network.wiring;
        if let Some(router) = vertex.checked_sub(self.ejection(0)) {
            return Buffer::Ejection { router: name(wiring, router) };
        }
        let (router, bit) = (vertex / self.width(), vertex % self.width());
        let (port, channel) = (bit / self.network.channels, bit % self.network.channels);
        match wiring.grid() {
            Some(grid) => Buffer::Channel { router: grid.coordinates(router).to_vec(), port, channel },
            None => {
                let to = wiring.ahead(router, port as usize).expect("packets hold links that are there").router;
                Buffer::Link { router, port, to, channel }
            }
        }
    }
}
