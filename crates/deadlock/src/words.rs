//! A circle of waiting packets, and how it is told.

use crate::places::{Hold, Next};
use crate::stuck::Waits;
use crate::verdict::Dependencies;
use tailback_base::bits::ones;
use tailback_network::Network as Wiring;

/// Where a packet stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// Behind virtual channel `channel` of output `port` of a router.
    Channel {
        /// The router that sends into it, by coordinates.
        router: Vec<u32>,
        /// Its output port.
        port: u32,
        /// The virtual channel.
        channel: u32,
    },
    /// The same in a network whose routers have numbers only.
    Link {
        /// The router that sends into it.
        router: u32,
        /// Its output port.
        port: u32,
        /// The router that the link leads to.
        to: u32,
        /// The virtual channel.
        channel: u32,
    },
    /// Before the crossbar of a switch.
    Ingress {
        /// The switch, by coordinates.
        router: Vec<u32>,
        /// The port, by the direction in which packets come.
        port: u32,
        /// The queue, where each has a memory of its own.
        queue: Option<u32>,
    },
    /// The same in a network whose switches have numbers only.
    Before {
        /// The switch.
        router: u32,
        /// The switch at the other end of the link.
        from: u32,
        /// The queue, where each has a memory of its own.
        queue: Option<u32>,
    },
    /// Behind the crossbar of a switch that has a number only.
    Behind {
        /// The switch.
        router: u32,
        /// The switch at the other end of the link.
        to: u32,
        /// The queue, where each has a memory of its own.
        queue: Option<u32>,
    },
    /// The ejection buffers of the nodes of a router, full of requests whose answers have not left.
    Ejection {
        /// The router, by coordinates; its number alone where there are none.
        router: Vec<u32>,
    },
    /// Behind the crossbar of a switch.
    Egress {
        /// The switch, by coordinates.
        router: Vec<u32>,
        /// The port.
        port: u32,
        /// The queue, where each has a memory of its own.
        queue: Option<u32>,
    },
}

/// A packet of the circle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Coordinates of its source; its number alone where there are none.
    pub source: Vec<u32>,
    /// Coordinates of its destination, likewise.
    pub destination: Vec<u32>,
    /// What it holds, from its tail on.
    pub holds: Vec<Buffer>,
    /// What it waits for: any one of these.
    pub waits: Vec<Buffer>,
}

/// Packets that wait for each other: each for what the next one holds, and the last for the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The packets.
    pub steps: Vec<Step>,
    /// Buffers, these among them, that can all be full of packets that wait for each other; 0 where that is not known.
    pub stuck: usize,
}

/// `x+`, `x-`, `y+`, and so on, `d3+` from the fourth dimension on.
fn direction(port: u32) -> String {
    let sign = if port.is_multiple_of(2) { '+' } else { '-' };
    match port / 2 {
        d @ 0..3 => format!("{}{sign}", ['x', 'y', 'z'][d as usize]),
        d => format!("d{d}{sign}"),
    }
}

/// `(3, 0)`.
fn place(coordinates: &[u32]) -> String {
    let numbers: Vec<String> = coordinates.iter().map(u32::to_string).collect();
    format!("({})", numbers.join(", "))
}

impl Buffer {
    fn words(&self) -> String {
        let queue = |queue: &Option<u32>| queue.map_or("the memory".to_owned(), |queue| format!("queue {queue}"));
        match self {
            Buffer::Channel { router, port, channel } => {
                format!("{} channel {channel} of {}", direction(*port), place(router))
            }
            Buffer::Link { router, to, channel, .. } => {
                format!("channel {channel} of the link from router {router} to router {to}")
            }
            Buffer::Ingress { router, port, queue: q } => {
                format!("{} where {} links come into {}", queue(q), direction(*port), place(router))
            }
            Buffer::Before { router, from, queue: q } => {
                format!("{} of router {router} on the link from router {from}", queue(q))
            }
            Buffer::Behind { router, to, queue: q } => {
                format!("{} behind the crossbar of router {router} on the link to router {to}", queue(q))
            }
            Buffer::Ejection { router } => {
                format!(
                    "a place in the ejection buffer {}",
                    if router.len() == 1 {
                        format!("of router {}", router[0])
                    } else {
                        format!("at {}", place(router))
                    }
                )
            }
            Buffer::Egress { router, port, queue: q } => {
                format!("{} behind the crossbar of {} towards {}", queue(q), place(router), direction(*port))
            }
        }
    }
}

impl Step {
    fn end(&self, router: &[u32]) -> String {
        match (self.holds.first(), router) {
            (Some(Buffer::Ejection { .. }), [number]) => format!("router {number}"),
            (Some(Buffer::Link { .. } | Buffer::Before { .. } | Buffer::Behind { .. }), [number]) => {
                format!("router {number}")
            }
            _ => place(router),
        }
    }

    /// `the packet from (0, 0) to (2, 0) holds x+ channel 0 of (0, 0) and waits for x+ channel 0 of (1, 0)`.
    pub fn words(&self) -> String {
        let list = |buffers: &[Buffer], and: &str| {
            let words: Vec<String> = buffers.iter().map(Buffer::words).collect();
            words.join(and)
        };
        if let [Buffer::Ejection { .. }] = self.holds[..] {
            return format!(
                "requests at {} keep every place of the ejection buffer until their answers leave, and an answer to {} waits for {}",
                self.end(&self.source),
                self.end(&self.destination),
                list(&self.waits, " or ")
            );
        }
        format!(
            "a packet from {} to {} holds {} and waits for {}",
            self.end(&self.source),
            self.end(&self.destination),
            list(&self.holds, ", "),
            list(&self.waits, " or ")
        )
    }
}

/// Packets of a circle that are told one by one.
const TOLD: usize = 8;

impl Circle {
    /// The circle, a sentence a packet, the first few of many.
    pub fn words(&self) -> Vec<String> {
        let mut told: Vec<String> = self.steps.iter().take(TOLD).map(Step::words).collect();
        if self.steps.len() > TOLD {
            told.push(format!("and so on, {} packets in all", self.steps.len()));
        }
        told
    }
}

/// The circle along these nodes of a graph of dependencies.
pub(crate) fn circle(graph: &Dependencies, nodes: &[u32], stuck: usize) -> Circle {
    let vertices = graph.vertices();
    let begin = nodes.iter().position(|&node| node < vertices).expect("heads wait for buffers, not for heads alone");
    let turned: Vec<u32> = nodes[begin..].iter().chain(&nodes[..begin]).copied().collect();
    let steps = turned.chunk_by(|_, &next| next >= vertices);
    let ends = turned.iter().copied().filter(|&node| node < vertices).cycle().skip(1);
    Circle { steps: steps.zip(ends).map(|(nodes, next)| step(graph, nodes, next)).collect(), stuck }
}

/// A packet that holds a vertex, is in the situations behind it one after the other, and waits for vertex `next`.
fn step(graph: &Dependencies, nodes: &[u32], next: u32) -> Step {
    let (held, situations) = (nodes[0], &nodes[1..]);
    let situation = |node: u32| node - graph.vertices();
    let of_vertex = |hold: &Hold| hold.buffers(graph.width).find(|&buffer| graph.vertex(buffer) == held);
    let mut there = graph.places.holds.iter().filter(|hold| hold.situation == situation(situations[0]));
    let (first, buffer) =
        there.find_map(|hold| Some((hold, of_vertex(hold)?))).expect("an edge of the graph is a hold");
    let mut buffers = vec![buffer];
    for pair in situations.windows(2) {
        let (from, to) = (situation(pair[0]), situation(pair[1]));
        let way = graph.places.next.iter().find(|next| (next.from, next.to) == (from, to));
        let buffer = |next: &Next| graph.places.situations[from as usize].router * graph.width + next.channel;
        buffers.extend(way.map(buffer));
    }
    let end = &graph.places.situations[situation(situations[situations.len() - 1]) as usize];
    let any = ones(end.preferred | end.fallback).map(|bit| end.router * graph.width + end.first + bit as u32);
    let waits = any.filter(|&buffer| graph.waits == Waits::Any || graph.vertex(buffer) == next);
    let channel = |buffer: u32| channel(graph, buffer);
    Step {
        source: name(&graph.wiring, first.source),
        destination: name(&graph.wiring, first.destination),
        holds: buffers.into_iter().map(channel).collect(),
        waits: waits.map(channel).collect(),
    }
}

fn channel(graph: &Dependencies, buffer: u32) -> Buffer {
    let (router, bit) = (buffer / graph.width, buffer % graph.width);
    let (port, channel) = (bit / graph.channels, bit % graph.channels);
    match graph.wiring.grid() {
        Some(grid) => Buffer::Channel { router: grid.coordinates(router).to_vec(), port, channel },
        None => {
            let to = graph.wiring.ahead(router, port as usize).expect("packets hold links that are there").router;
            Buffer::Link { router, port, to, channel }
        }
    }
}

/// The coordinates of a router, or its number where it has none.
pub(crate) fn name(wiring: &Wiring, router: u32) -> Vec<u32> {
    wiring.grid().map_or(vec![router], |grid| grid.coordinates(router).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_told_by_where_they_are() {
        let (router, queue) = (vec![3, 0], Some(7));
        let of = |buffer: Buffer| buffer.words();
        assert_eq!(of(Buffer::Channel { router: router.clone(), port: 3, channel: 1 }), "y- channel 1 of (3, 0)");
        assert_eq!(
            of(Buffer::Ingress { router: router.clone(), port: 4, queue }),
            "queue 7 where z+ links come into (3, 0)"
        );
        let behind = of(Buffer::Egress { router, port: 7, queue: None });
        assert_eq!(behind, "the memory behind the crossbar of (3, 0) towards d3-");
    }

    #[test]
    fn of_many_packets_the_first_few_are_told() {
        let step = Step { source: vec![1], destination: vec![3], holds: Vec::new(), waits: Vec::new() };
        let told = |packets| Circle { steps: vec![step.clone(); packets], stuck: 0 }.words();
        assert_eq!(told(TOLD), vec![step.words(); TOLD]);
        let more = told(TOLD + 1);
        assert_eq!((more.len(), more[TOLD].as_str()), (TOLD + 1, "and so on, 9 packets in all"));
    }
}
