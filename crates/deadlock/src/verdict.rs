//! The argument by which a network is free of deadlock, or packets that lock it.

use crate::channels::{Detail, collect, rings};
use crate::cycles::Graph;
use crate::places::Places;
use crate::shared;
use crate::stuck::{Waits, stays, stuck, targets};
use crate::walk::{Budget, Heads, Network, TooLarge};
use crate::words::{Circle, circle};
use tailback_base::bits::ones;
use tailback_engine::contract::routing::Routing;

/// Why no packets wait for each other for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// No buffer waits for itself, by whatever chain (Dally and Seitz 1987).
    Acyclic,
    /// Every head that waits may take an escape channel, and these close no circle, neither by themselves nor by way of
    /// others that a packet holds in between (Duato 1993).
    Escape,
    /// As these two, where rings of escape channels never fill up (bubble flow control).
    Bubble,
    /// Circles there are, but in every set of full buffers some head has a way out (Verbeek and Schmaltz 2011).
    WayOut,
}

impl Argument {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Argument::Acyclic => "acyclic",
            Argument::Escape => "escape",
            Argument::Bubble => "bubble",
            Argument::WayOut => "way out",
        }
    }
}

/// How packets share buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Packets move as wholes: a packet that waits is in one buffer.
    Whole,
    /// A packet may be spread over many buffers, and a buffer belongs to one packet.
    Owned,
    /// As owned; but a head may be given a channel with a buffer full of other packets.
    Shared,
    /// As shared; but a preferred channel beside an escape only where there is room for it.
    SharedWhole,
}

/// What moves packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Sharing of buffers.
    pub sharing: Sharing,
    /// Whether rings of escape channels always keep room for a packet.
    pub bubbles: bool,
}

impl Rules {
    /// Whether a packet may be spread over many buffers of which each is its own, or has room for it.
    fn spreads(self) -> bool {
        matches!(self.sharing, Sharing::Owned | Sharing::SharedWhole)
    }
}

/// What the check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No deadlock can form.
    Free {
        /// Why.
        argument: Argument,
        /// Buffers that packets use.
        buffers: usize,
    },
    /// These packets wait for each other.
    Circle(Circle),
}

/// Places and ways at most where packets are kept apart by destination: each costs some hundred bytes.
const MOST_EXACT: u64 = 1 << 22;

/// Checks a network of virtual channels.
///
/// # Errors
/// [`TooLarge`] where more places and ways than the budget has would have to be visited; after the budget was cancelled.
pub fn check<'a, R: Routing + Sync>(
    network: &Network<R>,
    rules: Rules,
    budget: impl Into<Budget<'a>>,
) -> Result<Verdict, TooLarge> {
    let budget = budget.into();
    let follow = rules.spreads() && network.heads == Heads::Candidates && network.routing.is_adaptive();
    if follow {
        let graph = Dependencies::new(network, rules, collect(network, Detail::Ways, budget)?);
        let exact = Budget { places: budget.places.min(MOST_EXACT), ..budget };
        return judge(graph, network, rules, Some(exact));
    }
    if let Some(places) = shared::collect(network, budget)? {
        let verdict = judge(Dependencies::new(network, rules, places), network, rules, None)?;
        // A circle is one of packets, which are found where they are looked for one by one.
        if matches!(verdict, Verdict::Free { .. }) {
            return Ok(verdict);
        }
    }
    judge(Dependencies::new(network, rules, collect(network, Detail::Ends, budget)?), network, rules, None)
}

/// The first argument that holds, or a circle. `exact`: what may be visited to look again, packets for each destination by themselves,
/// before a circle counts that might never close.
fn judge<R: Routing + Sync>(
    graph: Dependencies,
    network: &Network<R>,
    rules: Rules,
    exact: Option<Budget>,
) -> Result<Verdict, TooLarge> {
    let free = |argument| Ok(Verdict::Free { argument, buffers: graph.buffers() });
    let Some(any) = graph.all().circle(graph.vertices()) else { return free(Argument::Acyclic) };
    if graph.escape().is_some_and(|escape| escape.circle(graph.vertices()).is_none()) {
        return free(Argument::Escape);
    }
    let locked = graph.locked();
    if locked.is_none() && !rules.spreads() && rules.sharing != Sharing::Shared {
        return free(Argument::WayOut);
    }
    if rules.bubbles {
        let rings = graph.with_rings(network);
        let Some(locked) = rings.locked() else {
            return Ok(Verdict::Free { argument: Argument::Bubble, buffers: rings.buffers() });
        };
        return Ok(Verdict::Circle(locked));
    }
    if let Some(locked) = locked {
        return Ok(Verdict::Circle(locked));
    }
    match exact {
        Some(budget) => by_goal(network, rules, budget),
        None => Ok(Verdict::Circle(graph.words(&any, 0))),
    }
}

/// Whether escape channels wait in circles by way of others, no two packets taken for one.
fn by_goal<R: Routing + Sync>(network: &Network<R>, rules: Rules, budget: Budget) -> Result<Verdict, TooLarge> {
    let graph = Dependencies::new(network, rules, collect(network, Detail::Goals, budget)?);
    let found = match graph.escape() {
        Some(escape) => escape.circle(graph.vertices()),
        None => graph.all().circle(graph.vertices()),
    };
    Ok(match found {
        Some(nodes) => Verdict::Circle(graph.words(&nodes, 0)),
        None => Verdict::Free { argument: Argument::Escape, buffers: graph.buffers() },
    })
}

/// Who may wait for whom. Nodes of its graphs are vertices, which are buffers or rings of them, and behind these the
/// situations of heads.
pub(crate) struct Dependencies {
    pub places: Places,
    pub wiring: tailback_network::Network,
    pub channels: u32,
    pub width: u32,
    pub waits: Waits,
    /// By buffer.
    vertex: Vec<u32>,
}

impl Dependencies {
    fn new<R>(network: &Network<R>, rules: Rules, places: Places) -> Self {
        let width = network.wiring.most_ports() as u32 * network.channels;
        let waits = match rules.sharing {
            Sharing::Whole | Sharing::Owned => Waits::Any,
            Sharing::Shared => Waits::Given,
            Sharing::SharedWhole => Waits::GivenEscape,
        };
        let vertex = (0..network.wiring.routers() as u32 * width).collect();
        Dependencies { places, wiring: network.wiring.clone(), channels: network.channels, width, waits, vertex }
    }

    /// The escape channels of a ring taken as one: as long as one of its packets may go on within the ring, some do.
    fn with_rings<R: Routing>(self, network: &Network<R>) -> Self {
        let mut preferred = vec![false; self.vertex.len()];
        let mut fallback = vec![!network.routing.is_adaptive(); self.vertex.len()];
        for situation in self.places.situations.iter().filter(|_| network.routing.is_adaptive()) {
            let buffer = |bit: usize| (situation.router * self.width + situation.first) as usize + bit;
            ones(situation.preferred).for_each(|bit| preferred[buffer(bit)] = true);
            ones(situation.fallback).for_each(|bit| fallback[buffer(bit)] = true);
        }
        let is_escape = |buffer: u32| fallback[buffer as usize] && !preferred[buffer as usize];
        let vertex = rings(network.grid(), network.channels, is_escape);
        Dependencies { vertex, ..self }
    }

    /// Every buffer that packets fill with their heads in a situation, and the situation.
    fn holds(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.places.holds.iter().flat_map(|hold| hold.buffers(self.width).map(|buffer| (buffer, hold.situation)))
    }

    /// Buffers that packets use.
    fn buffers(&self) -> usize {
        let mut used = vec![false; self.vertex.len()];
        self.holds().for_each(|(buffer, _)| used[buffer as usize] = true);
        used.iter().filter(|&&used| used).count()
    }

    fn situation_node(&self, situation: u32) -> u32 {
        self.vertex.len() as u32 + situation
    }

    fn nodes(&self) -> usize {
        self.vertex.len() + self.places.situations.len()
    }

    /// Every vertex waits for all that a packet at its end may take.
    fn all(&self) -> Graph {
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for (buffer, situation) in self.holds() {
            edges.push((self.vertex[buffer as usize], self.situation_node(situation)));
        }
        for (id, situation) in self.places.situations.iter().enumerate() {
            let from = self.situation_node(id as u32);
            edges.extend(targets(situation, Waits::Any, self.width, &self.vertex).map(|to| (from, to)));
        }
        Graph::new(self.nodes(), &edges)
    }

    /// Every escape channel waits for those that a packet in it may ask for, at its end or further on along preferred
    /// channels. `None` where some head that waits has no escape, or may have been given another channel that is full.
    fn escape(&self) -> Option<Graph> {
        let complete = |hold: &crate::places::Hold| {
            let situation = &self.places.situations[hold.situation as usize];
            situation.arrived() || situation.fallback != 0
        };
        if self.waits == Waits::Given || !self.places.holds.iter().all(complete) {
            return None;
        }
        let (mut edges, mut is_escape) = (Vec::new(), vec![false; self.vertex.len()]);
        for (id, situation) in self.places.situations.iter().enumerate() {
            let from = self.situation_node(id as u32);
            for to in targets(situation, Waits::GivenEscape, self.width, &self.vertex) {
                is_escape[to as usize] = true;
                edges.push((from, to));
            }
        }
        for (buffer, situation) in self.holds() {
            let held = self.vertex[buffer as usize];
            if is_escape[held as usize] {
                edges.push((held, self.situation_node(situation)));
            }
        }
        let further = self.places.next.iter();
        edges.extend(further.map(|next| (self.situation_node(next.from), self.situation_node(next.to))));
        Some(Graph::new(self.nodes(), &edges))
    }

    /// A circle within the largest set of buffers that can all be full of packets that wait for each other.
    fn locked(&self) -> Option<Circle> {
        let stuck = stuck(&self.places, self.waits, self.width, &self.vertex);
        let mut edges = Vec::new();
        for (buffer, id) in self.holds() {
            let held = self.vertex[buffer as usize];
            let situation = &self.places.situations[id as usize];
            let waits = stuck.vertices[held as usize] && stuck.situations[id as usize];
            if waits && !stays(situation, held, self.width, &self.vertex) {
                edges.push((held, self.situation_node(id)));
            }
        }
        for (id, situation) in self.places.situations.iter().enumerate().filter(|&(id, _)| stuck.situations[id]) {
            let from = self.situation_node(id as u32);
            let full =
                targets(situation, self.waits, self.width, &self.vertex).filter(|&to| stuck.vertices[to as usize]);
            edges.extend(full.map(|to| (from, to)));
        }
        let nodes = Graph::new(self.nodes(), &edges).circle(self.vertices())?;
        Some(self.words(&nodes, stuck.count()))
    }

    fn words(&self, nodes: &[u32], stuck: usize) -> Circle {
        circle(self, nodes, stuck)
    }

    /// The vertex of a buffer.
    pub fn vertex(&self, buffer: u32) -> u32 {
        self.vertex[buffer as usize]
    }

    /// The number of vertices.
    pub fn vertices(&self) -> u32 {
        self.vertex.len() as u32
    }
}
