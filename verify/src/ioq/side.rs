//! A side: a memory and the queues in it.

use super::config::{Config, Discipline};
use super::recn::{Notice, Recn};
use std::collections::VecDeque;

/// Which side of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// Of a switch port, before the crossbar.
    Ingress,
    /// Of a switch port, behind the crossbar.
    Egress,
    /// Of a node's adapter.
    Adapter,
}

/// Where a side is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which side.
    pub sort: Sort,
    /// Its switch; of an adapter its node.
    pub of: usize,
    /// Its port; of an adapter the port at the switch.
    pub port: usize,
    /// Whether the port is a node's.
    pub to_node: bool,
}

/// The neighbours of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Neighbour {
    /// At the other end of the link.
    Link,
    /// Across the crossbar.
    Port(usize),
}

/// A packet in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The packet, as its place in the network's list.
    pub packet: usize,
    /// The cycle from which on it may go.
    pub goes_from: u64,
}

/// A packet that has left its queue and still takes up its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// The queue that it was in.
    pub queue: usize,
    /// The cycle from which on its place is free.
    pub free_from: u64,
    /// The credit counter that its place belongs to.
    pub counter: usize,
}

/// A side.
#[derive(Clone, Debug)]
pub struct Side {
    /// Where it is.
    pub place: Place,
    /// Its queues, by number, in order of arrival.
    pub queues: Vec<VecDeque<Waiting>>,
    /// What has left.
    pub leaving: Vec<Leaving>,
    /// The memory \[packets\].
    pub memory: u32,
    /// What a queue holds, or all of them where they share the memory \[packets\].
    pub part: u32,
    /// Whether they do.
    pub shares: bool,
    /// The queue that it sent from last.
    pub last_queue: usize,
    /// The lines, under RECN.
    pub recn: Option<Recn>,
}

impl Side {
    /// The empty side at `place`.
    pub fn new(config: &Config, place: Place) -> Self {
        let memory = if place.sort == Sort::Ingress { config.ingress_packets } else { config.egress_packets };
        let count = config.queues(&place);
        let recn = match config.discipline {
            Discipline::Recn(numbers) => Some(Recn::new(numbers, config, place)),
            _ => None,
        };
        Side {
            place,
            queues: vec![VecDeque::new(); count],
            leaving: Vec::new(),
            memory,
            part: config.part(memory, count),
            shares: config.shares_memory(),
            last_queue: count - 1,
            recn,
        }
    }

    /// The queue that a packet joins which comes from `from`; `way` is its way on.
    pub fn queue_for(&self, config: &Config, from: Neighbour, way: &[usize], destination: u32) -> usize {
        match &self.recn {
            Some(recn) => recn.queue_for(way),
            None => config.queue(&self.place, from, way, destination),
        }
    }

    /// Packets that take up places in all queues.
    pub fn packets(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum::<usize>() + self.leaving.len()
    }

    /// Whether a queue has room for one more packet.
    pub fn has_room(&self, queue: usize) -> bool {
        let there = if self.shares {
            self.packets()
        } else {
            self.queues[queue].len() + self.leaving.iter().filter(|leaving| leaving.queue == queue).count()
        };
        there < self.part as usize
    }

    /// The packet at the front of a queue, if it may go and the discipline does not hold it.
    pub fn first(&self, queue: usize, now: u64) -> Option<usize> {
        let waiting = self.queues[queue].front().filter(|waiting| waiting.goes_from <= now)?;
        let held = self.recn.as_ref().is_some_and(|recn| recn.is_held(queue));
        (!held).then_some(waiting.packet)
    }

    /// A packet from `from` joins a queue.
    pub fn join(&mut self, queue: usize, waiting: Waiting, from: Neighbour) -> Vec<(Neighbour, Notice)> {
        self.queues[queue].push_back(waiting);
        self.recn.as_mut().map(|recn| recn.joined(&self.queues, queue, from)).unwrap_or_default()
    }

    /// The first packet of a queue leaves it; its place is free from cycle `free_from` on.
    pub fn leave(&mut self, queue: usize, free_from: u64, counter: usize) -> (usize, Vec<(Neighbour, Notice)>) {
        let packet = self.queues[queue].pop_front().expect("it was first").packet;
        self.leaving.push(Leaving { queue, free_from, counter });
        self.last_queue = queue;
        let notices = self.recn.as_mut().map(|recn| recn.left(&self.queues, queue, packet)).unwrap_or_default();
        (packet, notices)
    }

    /// A notice has come from `from`.
    pub fn told(&mut self, from: Neighbour, notice: &Notice) -> Vec<(Neighbour, Notice)> {
        self.recn.as_mut().expect("only lines send notices").told(&self.queues, from, notice)
    }
}
