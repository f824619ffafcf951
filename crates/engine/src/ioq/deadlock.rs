//! Who waits for whom, in queues of ingress and egress sides.
//!
//! A queue of an ingress side moves some day if there is, or will be, a place in the egress queue that its first packet joins:
//! one that is being sent, or one of a queue that moves. A queue of an egress side moves some day if its packet goes to a node,
//! or finds a credit: one that is there or on its way, or one of a queue that moves. What a discipline holds is taken to move:
//! why, only the discipline knows. In a network that is still nothing moves.

use super::audit::Books;
use super::fabric::Fabric;
use super::layout::NODE;
use super::mechanisms::Mechanisms;
use super::queues::Queue;
use super::shape::Shape;
use crate::contract::queueing::Queueing;
use crate::mask::Mask;
use crate::snapshot::{Group, Need, Side, Snapshot};

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Who waits for whom: queues of ingress sides by `side * in_stride + queue`, behind them those of egress sides.
    pub(super) fn snapshot(&self) -> Snapshot {
        let (sides, mut snapshot, books) = (self.layout.sides, Snapshot::new(self.layout.network), self.books());
        let egress = sides * self.in_stride;
        // Queues of a side share its memory.
        let mut group = |lists: &[Queue], first: usize| {
            let filled = lists.iter().enumerate().filter(|(_, list)| list.level > 0);
            snapshot.group(filled.map(|(n, _)| first + n))
        };
        let mut groups = |side: usize| {
            let ins = group(self.in_lists_of(side), side * self.in_stride);
            (ins, group(self.out_lists_of(side), egress + side * self.out_stride))
        };
        let shared: Vec<(Group, Group)> = if S::SHARED { (0..sides).map(&mut groups).collect() } else { Vec::new() };
        // Where nothing ever happens again, what is held stays so.
        let still = self.is_still();
        let needs = |held: bool, open: bool, need: Need| match (held, open) {
            (true, _) if still => vec![need, Need::default()],
            (false, false) => vec![need],
            _ => Vec::new(),
        };
        for side in 0..sides {
            for (queue, list) in self.in_lists_of(side).iter().enumerate() {
                if list.level == 0 {
                    snapshot.nobody();
                    continue;
                }
                let (out, joins) = self.next_queue(side, queue);
                let lists = self.out_lists_of(out);
                let first =
                    Some(egress + out * self.out_stride + joins).filter(|_| !S::SHARED || lists[joins].level > 0);
                let need = Need { queue: first, group: shared.get(out).map(|&(_, out)| out) };
                let frees = |n: usize| self.used(out, n) > lists[n].level;
                let open = match S::SHARED {
                    true => self.has_room(out) || (0..lists.len()).any(frees),
                    false => self.used(out, joins) < self.outs[out].part || frees(joins),
                };
                let is_held = queue < 64 && self.ingress[side].held.get() >> queue & 1 == 1;
                snapshot.way(out % self.layout.ports, 0, None, needs(is_held, open, need));
                let kind = if side % self.layout.ports < self.layout.network { Side::Link } else { Side::Node };
                self.head(&mut snapshot, kind, (side, self.layout.comes_by(side % self.layout.ports), queue), list);
            }
        }
        for out in 0..sides {
            for (queue, list) in self.out_lists_of(out).iter().enumerate() {
                if list.level == 0 {
                    snapshot.nobody();
                    continue;
                }
                let is_held = queue < 64 && self.outs[out].held.get() >> queue & 1 == 1;
                let (need, open) = match self.counter(out, list.first).filter(|_| self.outs[out].to != NODE) {
                    None => (Need::default(), true),
                    Some(counter) => {
                        let side = self.outs[out].to as usize;
                        let own = (!S::SHARED && self.in_list(side, counter).level > 0)
                            .then_some(side * self.in_stride + counter);
                        let need = Need { queue: own, group: shared.get(side).map(|&(ins, _)| ins) };
                        (need, self.credits_to_come(out, counter, &books) > 0)
                    }
                };
                let port = out % self.layout.ports;
                snapshot.way(port, 0, None, needs(is_held, open, need));
                self.head(&mut snapshot, Side::Output, (out, port as u8, queue), list);
            }
        }
        snapshot
    }

    /// The first packet of a queue of a side.
    fn head(&self, snapshot: &mut Snapshot, kind: Side, (side, port, queue): (usize, u8, usize), list: &Queue) {
        let place = (port, queue.min(usize::from(u8::MAX)) as u8);
        snapshot.head(kind, (side / self.layout.ports) as u32, place, *self.pool.packet(list.first));
    }

    /// The egress side, and the queue there, that the first packet of a queue joins.
    fn next_queue(&self, side: usize, queue: usize) -> (usize, usize) {
        let id = self.in_list(side, queue).first;
        let (switch, input) = (side / self.layout.ports, side % self.layout.ports);
        let out = switch * self.layout.ports + self.pool.port(id);
        (out, self.outs[out].queues.queue_for(input as u8, self.pool.route_behind(id)))
    }

    /// Credits of a counter that are there, on their way or owed.
    fn credits_to_come(&self, out: usize, counter: usize, books: &Books) -> u32 {
        let side = self.outs[out].to as usize;
        let (here, there) = (out * self.out_stride + counter, side * self.in_stride + counter);
        let Books { flying, returning, crossing, .. } = books;
        self.credits(out, counter) + flying[here] + returning[here] + crossing[there] + self.owed(side, counter)
    }
}
