//! Starvation: how long packets stand at the front of their injection queues.

use crate::listed::{End, Listed, Site};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::packet::Packet;
use tailback_results::Record;

/// Since when a front is vacant: never.
const VACANT: u64 = u64::MAX;

/// A packet that stands at the front of an injection queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its node.
    pub node: u32,
    /// Its number among those of its node.
    pub index: u64,
    /// Since this cycle.
    pub since: u64,
}

/// The front of one injection queue or channel.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Front {
    /// The packet, by its number among those of its node.
    index: u64,
    /// Cycle in which it came there, or [`VACANT`].
    since: u64,
    /// The longest wait so far \[cycles\].
    longest: u64,
}

/// The longest wait of a packet from coming to the front of an injection queue until its head leaves, by node. Waits that
/// end before the measured window do not count.
#[derive(Clone, Debug)]
pub struct Waits {
    from: u64,
    now: u64,
    /// Packets of a node that can be at a front at a time.
    fronts_each: usize,
    /// Whether they are those of its queues for each destination.
    by_destination: bool,
    fronts: Vec<Front>,
}

tailback_base::plain!(Front);
tailback_base::state!([] Waits { saved: now, fronts; rebuilt: from, fronts_each, by_destination; } [fits]);

impl Waits {
    fn fits(&self) -> Result<(), Unfit> {
        let past = |front: &Front| front.since == VACANT || front.since <= self.now && front.longest <= self.now;
        ensure(self.fronts.iter().all(past), "a packet waits that has not come")
    }
}

impl Waits {
    /// Waits that end from cycle `from` on, of `nodes` nodes with `fronts` injection queues (or channels) each.
    pub fn new(from: u64, nodes: usize, fronts: usize) -> Self {
        let vacant = Front { index: 0, since: VACANT, longest: 0 };
        Waits { from, now: 0, fronts_each: fronts, by_destination: false, fronts: vec![vacant; nodes * fronts] }
    }

    /// The waits of `nodes` nodes that have one injection queue per destination.
    pub fn by_destination(from: u64, nodes: usize) -> Self {
        Waits { by_destination: true, ..Waits::new(from, nodes, nodes) }
    }

    /// The longest wait of every node \[cycles\], those that go on in cycle `end` included.
    pub fn by_node(&self, end: u64) -> Vec<u64> {
        let wait = |front: &Front| front.longest.max(end.saturating_sub(front.since));
        self.fronts.chunks(self.fronts_each).map(|fronts| fronts.iter().map(wait).max().unwrap_or(0)).collect()
    }

    /// The longest wait \[cycles\], those that go on in cycle `end` included, and its node, the lowest among equals.
    pub fn longest(&self, end: u64) -> (u64, u32) {
        let waits = self.by_node(end).into_iter().zip(0..);
        waits.max_by_key(|&(wait, node)| (wait, Reverse(node))).unwrap_or_default()
    }

    /// The longest wait that has ended \[cycles\]; 0 where none has.
    pub fn longest_ended(&self) -> u64 {
        self.fronts.iter().map(|front| front.longest).max().unwrap_or(0)
    }

    /// The packets that have stood at a front since before cycle `before`, the longest wait of each node, by node.
    pub fn standing(&self, before: u64) -> Vec<Standing> {
        let first = |(node, fronts): (u32, &[Front])| {
            let standing = fronts.iter().filter(|front| front.since < before);
            let longest = standing.min_by_key(|front| front.since)?;
            Some(Standing { node, index: longest.index, since: longest.since })
        };
        (0..).zip(self.fronts.chunks(self.fronts_each)).filter_map(first).collect()
    }

    #[inline]
    fn fronts_of(&mut self, packet: &Packet) -> &mut [Front] {
        let of_node = packet.source as usize * self.fronts_each;
        if self.by_destination {
            return &mut self.fronts[of_node + packet.destination as usize..][..1];
        }
        &mut self.fronts[of_node..][..self.fronts_each]
    }
}

impl Listed for Waits {
    // A queue is watched at one router only.
    const MERGE: Option<fn(&mut Self, &Self)> = Some(|one, other| {
        one.now = one.now.max(other.now);
        for (front, other) in one.fronts.iter_mut().zip(&other.fronts) {
            if other.since != VACANT {
                (front.index, front.since) = (other.index, other.since);
            }
            front.longest = front.longest.max(other.longest);
        }
    });

    fn new(site: &Site<'_>) -> Self {
        let (from, nodes) = (site.measured.0, site.network.nodes());
        match site.path.by_destination {
            true => Waits::by_destination(from, nodes),
            false => Waits::new(from, nodes, site.path.queues),
        }
    }

    fn idle(&mut self, until: u64) {
        self.now = until;
    }

    fn is_of(&self, cycle: u64) -> bool {
        self.now == cycle
    }

    fn measure_anew(&mut self, _new: Self) {
        self.fronts.iter_mut().for_each(|front| front.longest = 0);
    }

    fn columns(&self, end: &End<'_>, record: &mut Record) {
        let (wait, node) = self.longest(end.cycle);
        record.longest_wait = (end.watch.meter.made_packets > 0).then_some(wait as f64);
        record.longest_wait_node = (wait > 0).then_some(f64::from(node));
    }
}

impl Probe for Waits {
    #[inline]
    fn started(&mut self, packet: &Packet) {
        let (now, alone) = (self.now, self.by_destination);
        // PERF: of a queue's only front the last packet has gone, and nobody waits for that to come from memory
        // (`tailback bench recn-1`).
        if let Some(front) = self.fronts_of(packet).iter_mut().find(|front| alone || front.since == VACANT) {
            (front.index, front.since) = (packet.index, now);
        }
    }

    #[inline]
    fn entered(&mut self, cycle: u64, packet: &Packet) {
        let counts = cycle >= self.from;
        let stood = |front: &&mut Front| front.since != VACANT && front.index == packet.index;
        if let Some(front) = self.fronts_of(packet).iter_mut().find(stood) {
            let wait = cycle - front.since;
            front.since = VACANT;
            if counts {
                front.longest = front.longest.max(wait);
            }
        }
    }

    #[inline]
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.now = end.cycle + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::contract::admission::Gauges;

    /// Lets the cycles before `cycle` pass.
    fn until(waits: &mut Waits, cycle: u64) {
        let gauges = Gauges::default();
        waits.end_of_cycle(EndOfCycle { cycle: cycle - 1, in_flight: 0, occupancy: None, injection: &[], gauges });
    }

    fn packet(source: u32, index: u64) -> Packet {
        Packet { source, index, ..Packet::default() }
    }

    #[test]
    fn a_wait_is_from_the_front_to_the_network() {
        let mut waits = Waits::new(0, 3, 1);
        waits.started(&packet(1, 0));
        waits.started(&packet(2, 0));
        waits.entered(4, &packet(1, 0));
        until(&mut waits, 10);
        waits.started(&packet(1, 1));
        waits.entered(17, &packet(2, 0));
        waits.entered(12, &packet(1, 1));
        assert_eq!(waits.by_node(20), [0, 4, 17]);
        assert_eq!(waits.longest(20), (17, 2));
        assert_eq!(waits.longest_ended(), 17);
    }

    #[test]
    fn those_that_still_wait_count_and_those_of_the_warm_up_do_not() {
        let mut waits = Waits::new(100, 2, 1);
        waits.started(&packet(0, 0));
        waits.entered(99, &packet(0, 0));
        assert_eq!(waits.longest(100), (0, 0));
        until(&mut waits, 90);
        waits.started(&packet(0, 1));
        waits.started(&packet(1, 0));
        waits.entered(100, &packet(0, 1));
        assert_eq!((waits.by_node(130), waits.longest_ended()), (vec![10, 40], 10));
        assert_eq!(waits.standing(91), [Standing { node: 1, index: 0, since: 90 }]);
        assert_eq!(waits.standing(90), []);
        assert_eq!(waits.longest(95), (10, 0), "never less than one that has ended");
    }

    #[test]
    fn every_queue_of_a_node_has_a_front() {
        let mut waits = Waits::new(0, 2, 2);
        waits.started(&packet(1, 0));
        until(&mut waits, 5);
        waits.started(&packet(1, 1));
        waits.entered(6, &packet(1, 1));
        until(&mut waits, 7);
        waits.started(&packet(1, 2));
        assert_eq!(waits.by_node(8), [0, 8], "the first one waits all the time");
        waits.entered(9, &packet(1, 2));
        waits.entered(11, &packet(1, 0));
        assert_eq!(waits.by_node(50), [0, 11]);
    }
    #[test]
    fn queues_by_destination_are_told_apart() {
        let to = |destination, index| Packet { destination, ..packet(1, index) };
        let mut waits = Waits::by_destination(0, 3);
        waits.started(&to(2, 0));
        until(&mut waits, 5);
        waits.started(&to(0, 1));
        waits.entered(6, &to(0, 1));
        waits.started(&to(0, 2));
        waits.entered(9, &to(2, 0));
        assert_eq!(waits.by_node(12), [0, 9, 0]);
    }
}
