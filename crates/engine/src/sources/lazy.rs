//! Lazy traffic: packets are a pure function of (node, number), so what a node will send is a cursor
//! (`docs/decisions/0003-lazy-traffic.md`).

use crate::contract::sources::{Ahead, Next, Sources};
use crate::totals::{Amount, Lot};
use tailback_base::pages::large_capacity;
use tailback_base::prefetch::prefetch;
use tailback_traffic::{Generated, Source, Traffic};

/// Sources that send what a traffic says, whatever is delivered.
pub struct Lazy<'t> {
    traffic: &'t Traffic,
    /// By node.
    cursors: Vec<Source>,
}

tailback_base::state!(['t] Lazy<'t> { saved: cursors; rebuilt: traffic; });

impl<'t> From<&'t Traffic> for Lazy<'t> {
    fn from(traffic: &'t Traffic) -> Self {
        let mut cursors = large_capacity(traffic.nodes() as usize);
        cursors.extend((0..traffic.nodes()).map(|node| traffic.source(node)));
        Lazy { traffic, cursors }
    }
}

impl Lazy<'_> {
    /// Where a node has got to.
    pub(super) fn cursor(&self, node: u32) -> Source {
        self.cursors[node as usize]
    }

    /// Takes back what a node gave since its cursor was this one.
    pub(super) fn put_back(&mut self, node: u32, cursor: Source) {
        self.cursors[node as usize] = cursor;
    }
}

impl Sources for Lazy<'_> {
    type Ahead<'s>
        = Coming<'s>
    where
        Self: 's;

    #[inline(always)]
    fn next(&mut self, node: u32, _now: u64) -> Next {
        let cursor = &mut self.cursors[node as usize];
        let before = *cursor;
        let Some(next) = self.traffic.next(node, cursor) else {
            // Behind its last packet a cursor stays where it is.
            *cursor = before;
            return Next::Asleep;
        };
        Next::Packet(next)
    }

    fn stall(&mut self, node: u32, until: u64) {
        self.traffic.stall(node, &mut self.cursors[node as usize], until);
    }

    fn has_ended(&self, node: u32) -> bool {
        self.ahead(node).next().is_none()
    }

    fn taken(&self, node: u32) -> u64 {
        self.cursors[node as usize].taken()
    }

    fn ahead(&self, node: u32) -> Coming<'_> {
        Coming { traffic: self.traffic, node, cursor: self.cursors[node as usize] }
    }

    fn made(&self, node: u32, packets: u64, now: u64) -> Amount {
        let possible = packets <= self.traffic.most_taken(now);
        Amount { packets, flits: if possible { self.traffic.flits_of(node, 0..packets) } else { u64::MAX } }
    }

    fn min_flits(&self) -> u32 {
        self.traffic.min_flits()
    }

    fn max_flits(&self) -> u32 {
        self.traffic.max_flits()
    }

    fn makes(&self, node: u32, packet: &Generated) -> bool {
        self.traffic.makes(node, packet)
    }

    fn stands_behind(&self, node: u32, packet: &Generated, latest: u64) -> bool {
        self.traffic.stands_behind(&self.cursors[node as usize], packet, latest)
    }

    fn join(&mut self, part: &Self, node: u32) {
        self.cursors[node as usize] = part.cursors[node as usize];
    }

    #[inline(always)]
    fn expect(&self, node: u32) {
        prefetch(&self.cursors, node as usize, 0, 1);
    }
}

/// The packets that follow a cursor.
pub struct Coming<'s> {
    traffic: &'s Traffic,
    node: u32,
    cursor: Source,
}

impl Ahead for Coming<'_> {
    #[inline]
    fn next(&mut self) -> Option<Generated> {
        self.traffic.next(self.node, &mut self.cursor)
    }

    fn stall(&mut self, until: u64) {
        self.traffic.stall(self.node, &mut self.cursor, until);
    }

    fn lot(&mut self) -> Option<Lot> {
        let first = self.cursor.taken();
        let (cycle, packets) = self.traffic.rest(self.node, &mut self.cursor)?;
        let flits = self.traffic.flits_of(self.node, first..first + packets);
        Some(Lot { cycle, first, amount: Amount { packets, flits } })
    }
}
