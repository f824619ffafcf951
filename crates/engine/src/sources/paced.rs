//! Lazy traffic of which nobody knows yet what it will be: a person may change it while the network runs.
//!
//! What nodes send may change in multiples of a pace. Before such a cycle no source gives a packet of that cycle or a later one, so none
//! has to be taken back. A node that has none before says when to ask again. So it sends what lazy traffic sends that knew of the
//! change from the beginning.

use super::lazy::{Coming, Lazy};
use crate::contract::sources::{Next, Sources};
use crate::totals::Amount;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_traffic::{Generated, Traffic};

/// Sources that look no further ahead than to the next time at which what they send may change.
pub struct Paced<'t> {
    lazy: Lazy<'t>,
    pace: u64,
}

impl<'t> Paced<'t> {
    /// The sources of a traffic that has a pace.
    pub fn new(traffic: &'t Traffic) -> Self {
        Paced { lazy: traffic.into(), pace: traffic.pace() }
    }
}

impl State for Paced<'_> {
    fn save(&self, to: &mut Writer) {
        self.lazy.save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.lazy.restore(from)
    }
}

impl Sources for Paced<'_> {
    type Ahead<'s>
        = Coming<'s>
    where
        Self: 's;

    fn next(&mut self, node: u32, now: u64) -> Next {
        let before = self.lazy.cursor(node);
        let horizon = (now / self.pace + 1) * self.pace;
        match self.lazy.next(node, now) {
            Next::Packet(packet) if packet.cycle < horizon => Next::Packet(packet),
            _ => {
                self.lazy.put_back(node, before);
                Next::Later(horizon)
            }
        }
    }

    fn stall(&mut self, node: u32, until: u64) {
        self.lazy.stall(node, until);
    }

    /// A node that sends nothing now may send later.
    fn has_ended(&self, _node: u32) -> bool {
        false
    }

    fn taken(&self, node: u32) -> u64 {
        self.lazy.taken(node)
    }

    fn ahead(&self, node: u32) -> Coming<'_> {
        self.lazy.ahead(node)
    }

    fn made(&self, node: u32, packets: u64, now: u64) -> Amount {
        self.lazy.made(node, packets, now)
    }

    fn min_flits(&self) -> u32 {
        self.lazy.min_flits()
    }

    fn max_flits(&self) -> u32 {
        self.lazy.max_flits()
    }

    fn makes(&self, node: u32, packet: &Generated) -> bool {
        self.lazy.makes(node, packet)
    }

    fn stands_behind(&self, node: u32, packet: &Generated, latest: u64) -> bool {
        self.lazy.stands_behind(node, packet, latest)
    }

    fn join(&mut self, part: &Self, node: u32) {
        self.lazy.join(&part.lazy, node);
    }

    fn expect(&self, node: u32) {
        self.lazy.expect(node);
    }
}
