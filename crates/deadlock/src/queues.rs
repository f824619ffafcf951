//! Who may wait for whom in the memories on both sides of a crossbar: a vertex is a memory, or a queue where each has a part
//! of its own. Routes are fixed when packets are made, so a packet waits for one memory at a time.

use crate::cycles::Graph;
use crate::hash::Map;
use crate::verdict::{Argument, Verdict};
use crate::walk::{Class, Heads, Network, Place, TooLarge, walk};
use crate::words::{Buffer, Circle, Step};
use tailback_engine::contract::queueing::{self, Discipline, Packing, Queueing, Route, Side};
use tailback_engine::contract::routing::Routing;
use tailback_network::Grid;

/// A memory: router, port, whether it is behind the crossbar, queue.
type Memory = (u32, u8, bool, u32);

struct Collector<'a, D> {
    grid: &'a Grid,
    discipline: &'a D,
    packing: Packing,
    memories: Vec<Memory>,
    ids: Map<Memory, u32>,
    /// Who waits for whom, and a packet that does: source and destination router.
    edges: Map<(u32, u32), (u32, u32)>,
    order: Vec<(u32, u32)>,
}

/// Checks a network of input-output-queued switches.
///
/// # Errors
/// [`TooLarge`] where more than `budget` places and ways would have to be visited.
pub fn check<R: Routing, D: Discipline>(
    grid: &Grid,
    routing: &R,
    discipline: &D,
    budget: u64,
) -> Result<Verdict, TooLarge> {
    let network = Network { grid, routing, channels: 1, heads: Heads::Ports };
    let (memories, ids, edges, order) = Default::default();
    let packing = Packing::new(grid.ports() + grid.nodes_per_router() as usize);
    let mut collector = Collector { grid, discipline, packing, memories, ids, edges, order };
    walk(&network, budget, |class| collector.add(class))?;
    Ok(collector.verdict())
}

impl<D: Discipline> Collector<'_, D> {
    fn add(&mut self, class: &Class) {
        let ends = self.grid.nodes_per_router();
        for place in &class.places {
            for (port, to) in class.ways(place) {
                for node in 0..ends {
                    self.hop(class, place, port as u8, (&class.places[to], node));
                }
            }
        }
    }

    /// A packet at `place` takes `port`, to a place where it is for node `node` if that is its last.
    fn hop(&mut self, class: &Class, place: &Place, port: u8, (to, node): (&Place, u32)) {
        let destination = class.destination * self.grid.nodes_per_router() + node;
        let route = |turn: u8| ([turn], destination);
        let arrived = to.candidates.all() == 0;
        let last = arrived.then_some(self.grid.ports() as u8 + node as u8);
        let turns = class.ways(to).map(|(turn, _)| turn as u8).chain(last);
        for turn in turns {
            let from = place.input.map_or(self.grid.ports() as u8, |(from, _)| from);
            let behind = self.egress(place.router, port, from, route(turn));
            let next = self.ingress(to.router, port, route(turn));
            let example = (place.source, class.destination);
            self.waits(behind, next, example);
            if place.input.is_some() {
                let before = self.ingress(place.router, from, route(port));
                self.waits(before, behind, example);
            }
        }
    }

    fn ingress(&mut self, router: u32, port: u8, (turns, destination): ([u8; 1], u32)) -> u32 {
        let queue = self.discipline.credit_counter(Route::new(self.packing, &turns, destination));
        self.memory((router, port, false, queue as u32))
    }

    fn egress(&mut self, router: u32, port: u8, from: u8, (turns, destination): ([u8; 1], u32)) -> u32 {
        let queue = if self.discipline.shares_memory() {
            0
        } else {
            let place = queueing::Place { side: Side::Egress, port, node: false };
            self.discipline.queues(place).queue_for(from, Route::new(self.packing, &turns, destination))
        };
        self.memory((router, port, true, queue as u32))
    }

    fn memory(&mut self, memory: Memory) -> u32 {
        let new = self.memories.len() as u32;
        let id = *self.ids.entry(memory).or_insert(new);
        if id == new {
            self.memories.push(memory);
        }
        id
    }

    fn waits(&mut self, from: u32, to: u32, example: (u32, u32)) {
        if let std::collections::hash_map::Entry::Vacant(entry) = self.edges.entry((from, to)) {
            entry.insert(example);
            self.order.push((from, to));
        }
    }

    fn verdict(&self) -> Verdict {
        let Some(circle) = Graph::new(self.memories.len(), &self.order).circle(u32::MAX) else {
            return Verdict::Free { argument: Argument::Acyclic, buffers: self.memories.len() };
        };
        let next = circle.iter().cycle().skip(1);
        let steps = circle.iter().zip(next).map(|(&from, &to)| self.step(from, to)).collect();
        Verdict::Circle(Circle { steps, stuck: 0 })
    }

    fn step(&self, from: u32, to: u32) -> Step {
        let (source, destination) = self.edges[&(from, to)];
        Step {
            source: self.grid.coordinates(source).to_vec(),
            destination: self.grid.coordinates(destination).to_vec(),
            holds: vec![self.buffer(from)],
            waits: vec![self.buffer(to)],
        }
    }

    fn buffer(&self, memory: u32) -> Buffer {
        let (router, port, behind, queue) = self.memories[memory as usize];
        let (router, port) = (self.grid.coordinates(router).to_vec(), u32::from(port));
        let queue = (!self.discipline.shares_memory()).then_some(queue);
        if behind { Buffer::Egress { router, port, queue } } else { Buffer::Ingress { router, port, queue } }
    }
}
