//! Deadlock, found and not guessed: the queues whose first packet can never move again, whatever the rest of the network does.
//!
//! A queue of an ingress side moves some day if there is, or will be, a place in the egress queue that its first packet joins:
//! one that is being sent, or one of a queue that moves. A queue of an egress side moves some day if its packet goes to a node,
//! or finds a credit: one that is there or on its way, or one of a queue that moves. What a discipline holds is taken to move:
//! why, only the discipline knows. In a network that is still nothing moves.

use super::audit::Books;
use super::fabric::Fabric;
use super::layout::NODE;
use super::mechanisms::Mechanisms;
use super::shape::Shape;
use crate::contract::queueing::Queueing;
use crate::mask::Mask;
use crate::outcome::{Blocked, Deadlock, Waiting};

/// A queue of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Ingress side and queue.
    Ingress(usize, usize),
    /// Egress side and queue.
    Egress(usize, usize),
}

/// What is known of the queues of all switches.
struct Search {
    books: Books,
    /// Whether what a discipline holds moves some day.
    released: bool,
    /// Queues not known to move, by `side * in_stride + queue`.
    ingress: Vec<bool>,
    /// By `out * out_stride + queue`.
    egress: Vec<bool>,
}

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Looks for packets that can never move.
    pub(super) fn deadlock(&self) -> Option<Deadlock> {
        let search = self.search();
        let start = search.ingress.iter().position(|&stuck| stuck);
        let start = start.map(|n| Place::Ingress(n / self.in_stride, n % self.in_stride)).or_else(|| {
            let n = search.egress.iter().position(|&stuck| stuck)?;
            Some(Place::Egress(n / self.out_stride, n % self.out_stride))
        })?;
        let blocked = search.ingress.iter().chain(&search.egress).filter(|&&stuck| stuck).count();
        Some(Deadlock { blocked, cycle: self.cycle_from(start, &search) })
    }

    fn search(&self) -> Search {
        let (sides, filled) = (self.layout.sides, |list: &super::Queue| list.level > 0);
        let mut search = Search {
            books: self.books(),
            released: !self.is_still(),
            ingress: (0..sides).flat_map(|side| self.in_lists_of(side)).map(filled).collect(),
            egress: (0..sides).flat_map(|out| self.out_lists_of(out)).map(filled).collect(),
        };
        loop {
            let mut changed = false;
            for n in 0..search.ingress.len() {
                let place = Place::Ingress(n / self.in_stride, n % self.in_stride);
                if search.ingress[n] && self.moves(place, &search) {
                    search.ingress[n] = false;
                    changed = true;
                }
            }
            for n in 0..search.egress.len() {
                let place = Place::Egress(n / self.out_stride, n % self.out_stride);
                if search.egress[n] && self.moves(place, &search) {
                    search.egress[n] = false;
                    changed = true;
                }
            }
            if !changed {
                return search;
            }
        }
    }

    /// Whether the first packet of a queue moves some day.
    fn moves(&self, place: Place, search: &Search) -> bool {
        let (held, queue) = match place {
            Place::Ingress(side, queue) => (self.ingress[side].held.get(), queue),
            Place::Egress(out, queue) => (self.outs[out].held.get(), queue),
        };
        if queue < 64 && held >> queue & 1 == 1 {
            return search.released;
        }
        match place {
            Place::Ingress(side, queue) => {
                let (out, joins) = self.next_queue(side, queue);
                let state = &self.outs[out];
                let mut lists = self.out_lists_of(out).iter().enumerate();
                if S::SHARED {
                    let frees = |(n, list): (usize, &super::Queue)| {
                        self.used(out, n) > list.level || list.level > 0 && !search.egress[out * self.out_stride + n]
                    };
                    return self.has_room(out) || lists.any(frees);
                }
                let list = &self.out_lists_of(out)[joins];
                let used = self.used(out, joins);
                used < state.part || used > list.level || !search.egress[out * self.out_stride + joins]
            }
            Place::Egress(out, queue) => self.finds_credit(out, queue, search),
        }
    }

    /// The egress side, and the queue there, that the first packet of a queue joins.
    fn next_queue(&self, side: usize, queue: usize) -> (usize, usize) {
        let id = self.in_list(side, queue).first;
        let (switch, input) = (side / self.layout.ports, side % self.layout.ports);
        let out = switch * self.layout.ports + self.pool.port(id);
        (out, self.outs[out].queues.queue_for(input as u8, self.pool.route_behind(id)))
    }

    fn finds_credit(&self, out: usize, queue: usize, search: &Search) -> bool {
        let first = self.out_lists_of(out)[queue].first;
        let Some(counter) = self.counter(out, first) else { return true };
        let (side, here) = (self.outs[out].to as usize, out * self.out_stride + counter);
        let there = side * self.in_stride + counter;
        let Books { flying, returning, crossing, .. } = &search.books;
        let (here_now, owed) = (self.credits(out, counter), self.owed(side, counter));
        let coming = here_now + flying[here] + returning[here] + crossing[there] + owed;
        let moves =
            |queue: usize| self.in_list(side, queue).level > 0 && !search.ingress[side * self.in_stride + queue];
        coming > 0 || if S::SHARED { (0..self.in_stride).any(moves) } else { moves(counter) }
    }

    /// A queue that the first packet of a queue waits for and that does not move.
    fn obstacle(&self, place: Place, search: &Search) -> Option<Place> {
        match place {
            Place::Ingress(side, queue) => {
                let (out, joins) = self.next_queue(side, queue);
                let stuck = |&n: &usize| search.egress[out * self.out_stride + n];
                let mut queues = std::iter::once(joins).chain(0..self.out_stride);
                let found = if S::SHARED { queues.find(stuck) } else { Some(joins).filter(stuck) };
                found.map(|n| Place::Egress(out, n))
            }
            Place::Egress(out, queue) => {
                let first = self.out_lists_of(out)[queue].first;
                let (side, counter) = (self.outs[out].to, self.counter(out, first)?);
                let side = if side == NODE { return None } else { side as usize };
                let stuck = |&n: &usize| search.ingress[side * self.in_stride + n];
                let found = if S::SHARED { (0..self.in_stride).find(stuck) } else { Some(counter).filter(stuck) };
                found.map(|n| Place::Ingress(side, n))
            }
        }
    }

    /// Follows what stands in the way until it comes back; what the packets of ingress sides on the way ask for.
    fn cycle_from(&self, start: Place, search: &Search) -> Vec<Blocked> {
        let mut path = vec![start];
        while let Some(next) = self.obstacle(path[path.len() - 1], search) {
            if let Some(first) = path.iter().position(|&place| place == next) {
                path.drain(..first);
                break;
            }
            path.push(next);
        }
        let inside = |place: &&Place| matches!(place, Place::Ingress(..));
        let cycle: Vec<Blocked> = path.iter().filter(inside).map(|&place| self.blocked(place)).collect();
        if cycle.is_empty() { vec![self.blocked(start)] } else { cycle }
    }

    fn blocked(&self, place: Place) -> Blocked {
        let ((side, queue), id) = match place {
            Place::Ingress(side, queue) => ((side, queue), self.in_list(side, queue).first),
            Place::Egress(out, queue) => ((out, queue), self.out_lists_of(out)[queue].first),
        };
        let (router, port) = ((side / self.layout.ports) as u32, side % self.layout.ports);
        let (asked, input) = match place {
            Place::Ingress(..) => (self.pool.port(id), self.layout.comes_by(port)),
            Place::Egress(..) => (port, port as u8),
        };
        let packet = self.pool.packet(id);
        Blocked {
            router,
            input: (input, queue.min(usize::from(u8::MAX)) as u8),
            port: asked as u8,
            channels: 1,
            source: packet.source,
            destination: packet.destination,
            index: packet.index,
            room: None,
        }
    }

    /// Calls `each` with the first packets of all queues of ingress sides of links that have one.
    pub(super) fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
        let links = self.layout.network;
        for side in (0..self.layout.sides).filter(|side| side % self.layout.ports < links) {
            for queue in (0..self.in_stride).filter(|&queue| self.in_list(side, queue).level > 0) {
                let port = self.pool.port(self.in_list(side, queue).first);
                let bit = if port < links { port as u32 } else { Waiting::NODE };
                let (router, input) =
                    ((side / self.layout.ports) as u32, self.layout.comes_by(side % self.layout.ports));
                each(Waiting { router, input, ports: 1 << bit });
            }
        }
    }
}
