//! Who may wait for whom in the memories on both sides of a crossbar: a vertex is a memory, or a queue where each has a part
//! of its own. Routes are fixed when packets are made, so a packet waits for one memory at a time.

use crate::cycles::Graph;
use crate::verdict::{Argument, Verdict};
use crate::walk::{Budget, Heads, Network, TooLarge, Walk, walk};
use crate::words::{Buffer, Circle, Step, name};
use tailback_base::bits::ones;
use tailback_base::hash::Map;
use tailback_engine::contract::queueing::{self, Discipline, Packing, Queueing, Route, Side};
use tailback_engine::contract::routing::Routing;
use tailback_network::Network as Wiring;

/// A memory: router, port, whether it is behind the crossbar, queue.
type Memory = (u32, u8, bool, u32);

struct Collector<'a, D> {
    wiring: &'a Wiring,
    discipline: &'a D,
    packing: Packing,
    memories: Vec<Memory>,
    ids: Map<Memory, u32>,
    /// Which memory waits for which, with a packet that does: source and destination router.
    edges: Map<(u32, u32), (u32, u32)>,
    order: Vec<(u32, u32)>,
    /// By link: the ports from which packets to it were seen, as a mask; with one more for those that start there.
    seen: Vec<u64>,
}

/// Who waits for whom, at most, in a part of all goals: each costs some fifty bytes. Queues by destination have many.
const MOST_EDGES: usize = 1 << 20;

/// Checks a network of input-output-queued switches.
///
/// # Errors
/// [`TooLarge`] where more places and ways than the budget has would have to be visited; after the budget was cancelled.
pub fn check<'a, R: Routing + Sync, D: Discipline + Sync>(
    wiring: impl Into<Wiring>,
    routing: &R,
    discipline: &D,
    budget: impl Into<Budget<'a>>,
) -> Result<Verdict, TooLarge> {
    let network = Network::new(wiring, routing, 1, Heads::Ports);
    let wiring = &network.wiring;
    let packing = Packing::new(wiring.most_ports() + wiring.most_nodes() as usize);
    let seen = vec![0; wiring.routers() * wiring.most_ports()];
    let collector = || {
        let (memories, ids, edges, order) = Default::default();
        Collector { wiring, discipline, packing, memories, ids, edges, order, seen: seen.clone() }
    };
    let each = |collector: &mut Collector<D>, walk: &Walk| {
        collector.add(walk);
        if collector.order.len() > MOST_EDGES { Err(TooLarge) } else { Ok(()) }
    };
    let parts = walk(&network, budget.into(), collector, each)?.into_iter();
    let all = parts.reduce(|mut all, part| {
        all.take(&part);
        all
    });
    Ok(all.expect("there is a part").verdict())
}

impl<D: Discipline> Collector<'_, D> {
    fn add(&mut self, walk: &Walk) {
        for at in 0..walk.places.len() {
            let ends = self.wiring.nodes_at(walk.destination(&walk.places[at]));
            for &(bits, to) in walk.ways(at) {
                for node in 0..ends {
                    self.hop(walk, at, bits.trailing_zeros() as u8, (to as usize, node));
                }
            }
        }
    }

    /// Packets at a place take `port`, to a place where they are for node `node` if that is their last.
    fn hop(&mut self, walk: &Walk, at: usize, port: u8, (to, node): (usize, u32)) {
        let (place, next) = (&walk.places[at], &walk.places[to]);
        let destination = self.wiring.seats().node(walk.destination(place), node);
        let route = |turn: u8| ([turn], destination);
        let ports = self.wiring.most_ports() as u8;
        let entry = self.wiring.ahead(place.router, port.into()).expect("packets hold links that are there").port as u8;
        let arrived = next.asked.candidates.all() == 0;
        let example = (place.source, walk.destination(place));
        let mut sources = place.inputs | u64::from(place.starts) << ports;
        let mut turns = next.asked.candidates.all();
        // No mask: a network may be looked at that is refused for having too many ports.
        let to_node = arrived.then_some(ports + node as u8);
        if self.discipline.shares_memory() {
            // Then where a packet goes on to does not matter to where it waits.
            let seen = &mut self.seen[place.router as usize * usize::from(ports) + usize::from(port)];
            sources &= !*seen;
            *seen |= sources;
            turns &= turns.wrapping_neg();
        }
        for turn in ones(turns).map(|turn| turn as u8).chain(to_node) {
            for from in ones(sources).map(|from| from as u8) {
                let behind = self.egress(place.router, port, from, route(turn));
                let on = self.ingress(next.router, entry, route(turn));
                self.waits(behind, on, example);
                if from != ports {
                    let before = self.ingress(place.router, from, route(port));
                    self.waits(before, behind, example);
                }
            }
        }
    }

    /// Takes in all that was found in another part.
    fn take(&mut self, part: &Self) {
        for edge in &part.order {
            let [from, to] = [edge.0, edge.1].map(|memory| self.memory(part.memories[memory as usize]));
            self.waits(from, to, part.edges[edge]);
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
            source: name(self.wiring, source),
            destination: name(self.wiring, destination),
            holds: vec![self.buffer(from)],
            waits: vec![self.buffer(to)],
        }
    }

    fn buffer(&self, memory: u32) -> Buffer {
        let (number, port, behind, queue) = self.memories[memory as usize];
        let (router, wiring) = (name(self.wiring, number), self.wiring);
        let queue = (!self.discipline.shares_memory()).then_some(queue);
        let far = if behind { wiring.ahead(number, port.into()) } else { wiring.behind(number, port.into()) };
        let far = || far.expect("packets hold links that are there").router;
        let port = u32::from(port);
        match (behind, wiring.grid().is_some()) {
            (true, true) => Buffer::Egress { router, port, queue },
            (false, true) => Buffer::Ingress { router, port, queue },
            (true, false) => Buffer::Behind { router: number, to: far(), queue },
            (false, false) => Buffer::Before { router: number, from: far(), queue },
        }
    }
}
