//! Source queues of which only the front is kept: the next packet of every node, where it is known, and when the node wakes.
//!
//! What stands behind the next packet is with the sources, so a packet that never gets to the front is never made.

use super::calendar::Calendar;
use crate::contract::sources::{Ahead, Next, Sources};
use crate::packet::are_made;
use crate::totals::{Amount, Lot};
use tailback_base::bits::BitSet;
use tailback_base::pages::large_vec;
use tailback_base::prefetch::prefetch;
use tailback_base::state::{Unfit, are_counts};
use tailback_traffic::Generated;

/// The front of the source queue of every node.
pub(crate) struct Heads<S> {
    pub sources: S,
    /// Per node: the next packet where it is known, else the last one that was.
    pub upcoming: Vec<Generated>,
    /// Nodes whose next packet is known and has not been taken.
    pub known: BitSet,
    /// Nodes with a wake-up in the calendar. Its owner may leave out those whose next packet is known.
    pub asleep: BitSet,
    /// Wake-ups of nodes, and of whatever its owner has numbered behind these.
    pub calendar: Calendar,
    /// Packets that a queue holds, those being sent included; `None`: any number.
    limit: Option<u64>,
    /// Finite queues: per node, the packets that have left.
    pub gone: Vec<u64>,
    /// Finite queues: cycle in which each of the last `limit` packets left, a ring a node.
    pub left: Vec<u64>,
}

tailback_base::state!([S: Sources] Heads<S> {
    saved: sources, upcoming, known, asleep, calendar, gone, left;
    rebuilt: limit;
});

impl<S: Sources> Heads<S> {
    /// Empty queues of `nodes` nodes, in whose calendar there are `others` more numbers. No source has been asked.
    pub fn new(sources: S, nodes: usize, others: usize, limit: Option<u64>) -> Self {
        let ring = limit.unwrap_or(0) as usize;
        Heads {
            sources,
            upcoming: large_vec(Generated { cycle: 0, destination: 0, flits: 0, index: 0 }, nodes),
            known: BitSet::new(nodes),
            asleep: BitSet::new(nodes),
            calendar: Calendar::new(nodes + others),
            limit,
            gone: vec![0; if ring > 0 { nodes } else { 0 }],
            left: vec![0; ring * nodes],
        }
    }

    /// That packets are for nodes that are there.
    pub fn fit(&self) -> Result<(), Unfit> {
        are_counts(self.gone.iter().copied())?;
        are_made(&self.upcoming, (self.upcoming.len() as u32, self.sources.max_flits()))
    }

    /// Asks the source of `node`, which has no wake-up, for the next packet, where its queue has room for one. Returns whether it is
    /// known now; if it comes later, the node wakes then.
    #[inline(always)]
    pub fn pull(&mut self, node: u32, now: u64) -> bool {
        let Some(left) = self.room(node, self.limit.map(|_| self.sources.taken(node))) else { return false };
        match self.sources.next(node, now) {
            Next::Packet(mut next) => {
                if left > next.cycle {
                    next.cycle = left;
                    // It is made in cycle `left`: the next gap begins after it.
                    self.sources.stall(node, left + 1);
                }
                self.upcoming[node as usize] = next;
                self.known.insert(node as usize);
                true
            }
            Next::Later(cycle) => {
                assert!(cycle > now, "a source that has no packet yet is asked again in a later cycle");
                self.sleep(node, cycle);
                false
            }
            Next::Asleep => false,
        }
    }

    /// Since which cycle there is room for packet number `index` of `node`, of which a finite queue of `n` packets has room when the
    /// packet `n` before it has left. `None` where there is none.
    #[inline(always)]
    fn room(&self, node: u32, index: Option<u64>) -> Option<u64> {
        let (Some(limit), Some(index)) = (self.limit, index) else { return Some(0) };
        if index < limit {
            return Some(0);
        }
        let there = index - limit < self.gone[node as usize];
        there.then(|| self.left[(u64::from(node) * limit + index % limit) as usize])
    }

    /// The packet after those that `ahead` has given, where a queue has room for it.
    #[inline]
    fn next_ahead(&self, node: u32, ahead: &mut S::Ahead<'_>) -> Option<Generated> {
        let mut next = ahead.next()?;
        let left = self.room(node, Some(next.index))?;
        if left > next.cycle {
            next.cycle = left;
            ahead.stall(left + 1);
        }
        Some(next)
    }

    /// Whether nothing follows the packets that `node` has given before something is delivered or leaves, or before it wakes in cycle
    /// `due`.
    pub fn waits(&self, node: u32, due: Option<u64>) -> bool {
        let next = self.next_ahead(node, &mut self.sources.ahead(node));
        next.is_none_or(|next| due.is_some_and(|due| next.cycle >= due))
    }

    /// Whether `node` has no packet that has not been taken, and makes none any more.
    pub fn is_dry(&self, node: u32) -> bool {
        !self.known.contains(node as usize) && self.sources.has_ended(node)
    }

    /// Wakes `node`, which has no wake-up, in cycle `until`.
    #[inline]
    pub fn sleep(&mut self, node: u32, until: u64) {
        self.asleep.insert(node as usize);
        self.calendar.schedule(node, until);
    }

    /// Wakes `node`, of which no packet is known, in cycle `at`, if it does not wake before.
    #[cold]
    pub fn wake(&mut self, node: u32, at: u64) {
        if self.asleep.contains(node as usize) {
            if self.calendar.due(node) <= at {
                return;
            }
            self.calendar.remove(node);
        }
        self.sleep(node, at);
    }

    /// `node`, of which no packet is known, is asked now: it need not wake for it.
    #[cold]
    pub fn rouse(&mut self, node: u32) {
        if self.asleep.contains(node as usize) {
            self.asleep.remove(node as usize);
            self.calendar.remove(node);
        }
    }

    /// The tail of a packet of `node` has left its queue; there is room in cycle `at`.
    #[inline]
    pub fn leaves(&mut self, node: u32, at: u64) {
        if let Some(limit) = self.limit {
            let gone = &mut self.gone[node as usize];
            self.left[(u64::from(node) * limit + *gone % limit) as usize] = at;
            *gone += 1;
        }
    }

    /// Asks for the memory that [`Heads::pull`] will touch; there may be no such node.
    #[inline(always)]
    pub fn expect(&self, node: u32) {
        prefetch(&self.upcoming, node as usize, 0, 1);
        self.sources.expect(node);
        self.calendar.prefetch(node);
    }

    /// Calls `made` with the packets of `node` that were made before cycle `end` and have not been taken; returns the number of all that
    /// were made before.
    pub fn backlog(&self, node: u32, end: u64, mut made: impl FnMut(Lot)) -> u64 {
        let mut ahead = self.sources.ahead_to(node, end);
        let mut next = self.known.contains(node as usize).then(|| self.upcoming[node as usize].into());
        let mut all = next.map_or_else(|| self.sources.taken(node), |lot: Lot| lot.first);
        while let Some(lot) = next.take().or_else(|| self.lot_ahead(node, &mut ahead)) {
            if lot.cycle >= end {
                break;
            }
            made(lot);
            all = lot.numbers().end;
        }
        all
    }

    /// What follows the packets that `ahead` has given; one packet, where a queue has an end or their cycles differ.
    #[inline]
    fn lot_ahead(&self, node: u32, ahead: &mut S::Ahead<'_>) -> Option<Lot> {
        let many = if self.limit.is_none() { ahead.lot() } else { None };
        many.or_else(|| self.next_ahead(node, ahead).map(Lot::from))
    }

    /// What `node` has made before cycle `end`; `behind` grows by what of it has not been taken.
    pub fn generated(&self, node: u32, end: u64, behind: &mut Amount) -> Amount {
        let packets = self.backlog(node, end, |lot| *behind += lot.amount);
        self.sources.made(node, packets, end)
    }

    /// Whether a source stands behind the packet that it has given last; one that has given none does.
    pub fn stands(&self, node: u32) -> bool {
        let last = &self.upcoming[node as usize];
        match self.sources.taken(node) {
            0 => !self.known.contains(node as usize),
            _ => self.sources.makes(node, last) && self.sources.stands_behind(node, last, last.cycle + 1),
        }
    }

    /// Forgets all packets and wake-ups: [`Heads::join`] brings those of the parts.
    pub fn forget(&mut self) {
        let nodes = self.upcoming.len();
        (self.known, self.asleep, self.calendar) = (BitSet::new(nodes), BitSet::new(nodes), Calendar::new(nodes));
    }

    /// Takes over the queue of one of its nodes from a part of the network.
    pub fn join(&mut self, part: &Self, node: usize) {
        self.sources.join(&part.sources, node as u32);
        self.upcoming[node] = part.upcoming[node];
        if part.known.contains(node) {
            self.known.insert(node);
        }
        if let Some(limit) = self.limit {
            let ring = node * limit as usize..(node + 1) * limit as usize;
            self.left[ring.clone()].copy_from_slice(&part.left[ring]);
            self.gone[node] = part.gone[node];
        }
        if part.asleep.contains(node) {
            self.sleep(node as u32, part.calendar.due(node as u32));
        }
    }
}
