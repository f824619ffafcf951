//! Who waits for whom: what every data path gives of the fronts of its queues between two cycles, and what follows from that in the
//! same words under all of them: heads that wait, and heads that wait for ever.
//!
//! Deadlock is found and not guessed. A head moves one day if one of its ways has no needs, or if each need of that way is met one
//! day by a queue that moves. What is left when nothing more can be added waits for itself, whatever the rest of the network does. A
//! head that others always overtake is starved; that is not deadlock.

use crate::outcome::{Blocked, Deadlock, Waiting};
use crate::packet::Packet;
use std::ops::Range;

/// The fronts of the queues of a network, as they are between two cycles.
#[derive(Default)]
pub(crate) struct Snapshot {
    /// Network ports of a router; those of its nodes come behind.
    ports: usize,
    /// By number of the queue; `None` where nobody waits, so that the queue moves.
    heads: Vec<Option<Head>>,
    ways: Vec<Way>,
    needs: Vec<Need>,
    groups: Vec<Vec<usize>>,
}

/// What a queue belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The input of a link between routers.
    Link,
    /// The input of a node's link.
    Node,
    /// The ejection buffer of a node whose requests all wait for their answers to leave.
    Consumer,
    /// An output, at which no packet asks for another one.
    Output,
}

/// The first packet of a queue, which waits, if only for its turn.
struct Head {
    side: Side,
    router: u32,
    input: (u8, u8),
    packet: Packet,
    ways: Range<usize>,
}

/// An output by which a head could go on.
struct Way {
    port: usize,
    /// The virtual channel of that port.
    channel: usize,
    /// Flits of room behind it, by its credits; `None` where packets are counted.
    room: Option<u32>,
    needs: Range<usize>,
}

/// What a head needs to go a way: that a queue moves, this one or one of a group. Where there is neither, the way stays closed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Need {
    pub queue: Option<usize>,
    pub group: Option<Group>,
}

/// Queues of which many heads need one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group(usize);

impl Need {
    /// That a queue moves.
    pub fn of(queue: usize) -> Self {
        Need { queue: Some(queue), group: None }
    }
}

// A data path tells of its queues in the order of their numbers, and of the ways of a head before the head.
impl Snapshot {
    /// No queues, of routers with so many network ports.
    pub fn new(ports: usize) -> Self {
        Snapshot { ports, ..Snapshot::default() }
    }

    /// Queues of which many heads need one.
    pub fn group(&mut self, queues: impl Iterator<Item = usize>) -> Group {
        self.groups.push(queues.collect());
        Group(self.groups.len() - 1)
    }

    /// A way by a port and a channel of it, with the room behind it. It has no needs where nothing stands in the way for ever.
    pub fn way(&mut self, port: usize, channel: usize, room: Option<u32>, needs: impl IntoIterator<Item = Need>) {
        let first = self.needs.len();
        self.needs.extend(needs);
        self.ways.push(Way { port, channel, room, needs: first..self.needs.len() });
    }

    /// A way to a node, which takes what comes.
    pub fn way_home(&mut self) {
        self.way(self.ports, 0, None, []);
    }

    /// The head of the next queue, which goes by the ways told of since the last head.
    pub fn head(&mut self, side: Side, router: u32, input: (u8, u8), packet: Packet) {
        let first = self.heads.iter().rev().flatten().next().map_or(0, |head| head.ways.end);
        self.heads.push(Some(Head { side, router, input, packet, ways: first..self.ways.len() }));
    }

    /// Nobody waits in the next queue.
    pub fn nobody(&mut self) {
        self.heads.push(None);
    }
}

impl Snapshot {
    /// Calls `each` with all heads that wait behind links.
    pub fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
        for head in self.heads.iter().flatten().filter(|head| head.side == Side::Link) {
            let bit = |port: usize| if port < self.ports { port as u32 } else { Waiting::NODE };
            let ports = self.ways[head.ways.clone()].iter().fold(0, |mask, way| mask | 1 << bit(way.port));
            each(Waiting { router: head.router, input: head.input.0, ports });
        }
    }

    /// Looks for heads that can never move.
    pub fn deadlock(&self) -> Option<Deadlock> {
        let stuck = self.stuck();
        let start = stuck.iter().position(|&stuck| stuck)?;
        Some(Deadlock { blocked: stuck.iter().filter(|&&stuck| stuck).count(), cycle: self.circle_from(start, &stuck) })
    }

    /// By queue, whether its head waits for ever.
    fn stuck(&self) -> Vec<bool> {
        let mut stuck: Vec<bool> = self.heads.iter().map(Option::is_some).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (queue, head) in self.heads.iter().enumerate() {
                let moves = |head: &Head| self.ways[head.ways.clone()].iter().any(|way| self.is_open(way, &stuck));
                if stuck[queue] && head.as_ref().is_none_or(moves) {
                    stuck[queue] = false;
                    changed = true;
                }
            }
        }
        stuck
    }

    /// Whether every need of a way is met one day.
    fn is_open(&self, way: &Way, stuck: &[bool]) -> bool {
        self.needs[way.needs.clone()].iter().all(|need| self.queues(need).any(|queue| !stuck[queue]))
    }

    /// The queues of which a way needs one.
    fn queues(&self, need: &Need) -> impl Iterator<Item = usize> + '_ {
        let group = need.group.map_or(&[][..], |Group(group)| &self.groups[group]);
        need.queue.into_iter().chain(group.iter().copied())
    }

    /// Follows what stands in the way until it comes back, or leads no further.
    fn circle_from(&self, start: usize, stuck: &[bool]) -> Vec<Blocked> {
        let (mut path, mut at) = (Vec::<(usize, &Head, &Way)>::new(), Some(start));
        while let Some(queue) = at {
            if let Some(first) = path.iter().position(|&(before, ..)| before == queue) {
                path.drain(..first);
                break;
            }
            let head = self.heads[queue].as_ref().expect("who is stuck waits");
            let obstacle = |way: &Way| {
                let mut needs = self.needs[way.needs.clone()].iter();
                needs.find_map(|need| self.queues(need).find(|&queue| stuck[queue]))
            };
            let ways = self.ways[head.ways.clone()].iter();
            let next = ways.clone().find_map(|way| Some((way, Some(obstacle(way)?))));
            let (way, next) = next.or_else(|| ways.clone().next().map(|way| (way, None))).expect("it asks for a way");
            path.push((queue, head, way));
            at = next;
        }
        let asking = path.iter().filter(|(_, head, _)| head.side != Side::Output);
        let circle: Vec<Blocked> = asking.map(|&(_, head, way)| self.blocked(head, way)).collect();
        if circle.is_empty() { path.iter().map(|&(_, head, way)| self.blocked(head, way)).collect() } else { circle }
    }

    /// A head that waits for a way and for the others of its port that it could go.
    fn blocked(&self, head: &Head, way: &Way) -> Blocked {
        let ways = || self.ways[head.ways.clone()].iter().filter(|other| other.port == way.port);
        Blocked {
            router: head.router,
            input: head.input,
            port: way.port as u8,
            channels: ways().fold(0, |mask, way| mask | 1 << way.channel),
            source: head.packet.source,
            destination: head.packet.destination,
            index: head.packet.index,
            room: ways().map(|way| way.room).max().flatten(),
        }
    }
}
