//! All ways that a routing can take packets, and who waits for whom on them.

use crate::routing::{Any, build, section};
use crate::testing::resolved;
use std::collections::{BTreeMap, BTreeSet};
use tailback_base::bits::ones;
use tailback_engine::contract::routing::{Candidates, Head, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Resolved, View};

/// Virtual channels of the networks here.
pub const CHANNELS: u32 = 4;

/// A routing on a network.
pub struct World {
    pub name: String,
    spec: Resolved,
    pub grid: Grid,
    pub routing: Any,
    pub sees: Sees,
}

/// What a head is asked for, and what it says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// Candidates, as under wormhole.
    Candidates,
    /// Candidates, as if every head came from a node.
    CandidatesAtNode,
    /// One request, as under cut-through.
    Request,
}

/// A head somewhere on its way: router, input, word.
pub type Place = (u32, Option<(u8, u8)>, u32);

/// Where a packet's head may come to, and what it may take there.
pub type Places = BTreeMap<Place, Candidates>;

/// Who waits for whom.
pub type Graph = BTreeMap<u32, BTreeSet<u32>>;

impl World {
    /// Of these words of the section; `None` where the routing refuses.
    pub fn new(words: &[(&str, &str)], grid: &Grid, sees: Sees) -> Option<World> {
        let spec = resolved(section(), words);
        let routing = build(spec.view("routing"), grid, CHANNELS).ok()?;
        let name = format!("{words:?} on {:?} wrap {:?}, {sees:?}", grid.radix(), grid.wrap());
        Some(World { name, spec, grid: grid.clone(), routing, sees })
    }

    /// The section.
    pub fn view(&self) -> View<'_> {
        self.spec.view("routing")
    }

    /// What `start` makes of every packet: all pairs, all draws that matter. With its first word.
    pub fn packets(&self) -> Vec<(Packet, u32)> {
        let routers = self.grid.routers() as u32;
        let draws: Vec<u32> = match self.routing {
            Any::Valiant(_) => (0..routers).flat_map(|m| [0, 5, 7].map(|ties| middle(m, routers) + ties)).collect(),
            Any::O1Turn(_) => (0..4).flat_map(|ties| [ties, ties | 1 << 31]).collect(),
            _ => (0..1 << self.grid.dimensions()).collect(),
        };
        let mut packets = Vec::new();
        for (source, router) in (0..routers).flat_map(|a| (0..routers).map(move |b| (a, b))) {
            for &draw in &draws {
                let mut packet = Packet { source, destination: router, router, ..Packet::default() };
                let word = self.routing.start(source, &mut packet, || draw);
                packets.push((packet, word));
            }
        }
        packets.dedup();
        packets
    }

    /// Everywhere the head of `packet` may come.
    pub fn places(&self, packet: &Packet, word: u32) -> Places {
        let mut places = Places::new();
        let mut open = vec![(packet.source, None, word)];
        while let Some(place) = open.pop() {
            if places.contains_key(&place) {
                continue;
            }
            let (candidates, next) = self.next(packet, place);
            places.insert(place, candidates);
            open.extend(next);
        }
        places
    }

    /// What a head may take at `place`, and where that leads, in the order of the bits.
    pub fn next(&self, packet: &Packet, (router, input, mut word): Place) -> (Candidates, Vec<Place>) {
        let head = Head { router, input: input.filter(|_| self.sees != Sees::CandidatesAtNode) };
        let candidates = if self.sees == Sees::Request {
            let request = self.routing.request(head, packet, &mut word);
            let shift = u32::from(request.port.unwrap_or(0)) * CHANNELS;
            let preferred = if request.port.is_some() { u64::from(request.channels) << shift } else { 0 };
            Candidates { preferred, fallback: 0 }
        } else {
            self.routing.candidates(head, packet, CHANNELS, &mut word)
        };
        let step = |bit: usize| {
            let (port, channel) = (bit as u32 / CHANNELS, bit as u32 % CHANNELS);
            let to = self.grid.peer(router, port as usize);
            assert_ne!(to, tailback_network::NONE, "{}: off the edge", self.name);
            (to, Some((port as u8, channel as u8)), self.routing.advance(port as u8, word))
        };
        (candidates, ones(candidates.all()).map(step).collect())
    }

    /// The ports on the way that `request` says: (router, port).
    pub fn way(&self, packet: &Packet, mut word: u32) -> Vec<(u32, u8)> {
        let (mut router, mut input, mut way) = (packet.source, None, Vec::new());
        while let Some(port) = self.routing.request(Head { router, input }, packet, &mut word).port {
            way.push((router, port));
            word = self.routing.advance(port, word);
            router = self.grid.peer(router, usize::from(port));
            input = Some((port, 0));
        }
        way
    }

    /// Where a head may go from `place`.
    pub fn leads_to(&self, packet: &Packet, place: Place) -> BTreeSet<Place> {
        self.next(packet, place).1.into_iter().collect()
    }

    /// The channel by which the head came to `place`.
    fn channel(&self, (router, input, _): Place) -> Option<u32> {
        let (port, channel) = input?;
        let from = self.grid.upstream(router, usize::from(port));
        Some(from * 64 + u32::from(port) * CHANNELS + u32::from(channel))
    }

    /// Every channel waits for those that a packet at its end may take.
    pub fn dependencies(&self) -> Graph {
        let mut graph = Graph::new();
        for (packet, word) in self.packets() {
            for (&place, candidates) in &self.places(&packet, word) {
                let waits = ones(candidates.all()).map(|bit| place.0 * 64 + bit as u32);
                if let Some(channel) = self.channel(place) {
                    graph.entry(channel).or_default().extend(waits);
                }
            }
        }
        graph
    }

    /// Every escape channel waits for those escape channels that a packet in it may ask for next, at its end or further
    /// on along preferred channels (Duato's direct and indirect dependencies).
    pub fn escape_dependencies(&self) -> Graph {
        let mut graph = Graph::new();
        for (packet, word) in self.packets() {
            let places = self.places(&packet, word);
            let taken: BTreeSet<u32> = places.iter().flat_map(|(place, c)| escapes(*place, *c)).collect();
            for &place in places.keys() {
                if let Some(channel) = self.channel(place).filter(|c| taken.contains(c)) {
                    graph.entry(channel).or_default().extend(self.asks_later(&packet, &places, place));
                }
            }
        }
        graph
    }

    /// Every escape channel waits for those escape channels that a packet at its end may ask for: all there is where a
    /// packet fits into a buffer, since it then holds one channel at a time.
    pub fn direct_escape_dependencies(&self) -> Graph {
        let mut graph = Graph::new();
        for (packet, word) in self.packets() {
            let places = self.places(&packet, word);
            let taken: BTreeSet<u32> = places.iter().flat_map(|(place, c)| escapes(*place, *c)).collect();
            for (&place, &candidates) in &places {
                if let Some(channel) = self.channel(place).filter(|c| taken.contains(c)) {
                    graph.entry(channel).or_default().extend(escapes(place, candidates));
                }
            }
        }
        graph
    }

    /// Who waits for whom, all channels that lead the same way round a ring (or along a line) taken as one.
    pub fn between_rings(&self, graph: &Graph) -> Graph {
        let ring = |&channel: &u32| {
            let (router, port) = (channel / 64, channel % 64 / CHANNELS);
            let d = (port / 2) as usize;
            let stride: u32 = self.grid.radix()[..d].iter().product();
            (router - self.grid.coordinates(router)[d] * stride) * 64 + port
        };
        let mut rings = Graph::new();
        for (from, to) in graph {
            let others = to.iter().map(ring).filter(|&to| to != ring(from));
            rings.entry(ring(from)).or_default().extend(others);
        }
        rings
    }

    fn asks_later(&self, packet: &Packet, places: &Places, from: Place) -> BTreeSet<u32> {
        let (mut asks, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![from]);
        while let Some(place) = open.pop() {
            if !seen.insert(place) {
                continue;
            }
            let candidates = places[&place];
            asks.extend(escapes(place, candidates));
            let next = ones(candidates.all()).zip(self.next(packet, place).1);
            open.extend(next.filter(|(bit, _)| candidates.preferred >> bit & 1 == 1).map(|(_, next)| next));
        }
        asks
    }
}

/// The lowest draw for which the way of Valiant's routing is by router `m` of `routers`.
pub fn middle(m: u32, routers: u32) -> u32 {
    (u64::from(m) << 32).div_ceil(u64::from(routers)) as u32
}

fn escapes(place: Place, candidates: Candidates) -> impl Iterator<Item = u32> {
    ones(candidates.fallback).map(move |bit| place.0 * 64 + bit as u32)
}

/// Whether nobody waits for itself, by whatever chain.
pub fn is_acyclic<T: Ord + Copy>(graph: &BTreeMap<T, BTreeSet<T>>) -> bool {
    let mut waiting: BTreeMap<T, usize> = BTreeMap::new();
    for (from, to) in graph {
        waiting.entry(*from).or_default();
        to.iter().for_each(|t| *waiting.entry(*t).or_default() += 1);
    }
    let mut free: Vec<T> = waiting.iter().filter(|&(_, &n)| n == 0).map(|(&node, _)| node).collect();
    let mut done = 0;
    while let Some(node) = free.pop() {
        done += 1;
        for to in graph.get(&node).into_iter().flatten() {
            let n = waiting.get_mut(to).expect("counted above");
            *n -= 1;
            if *n == 0 {
                free.push(*to);
            }
        }
    }
    done == waiting.len()
}
