//! Sources that execute a program, and their twin beside them: each answer is compared.

use super::listed::Listed;
use super::twin::Twin;
use tailback_base::state::Unfit;
use tailback_engine::contract::sources::{Ahead, Next, Sources};
use tailback_engine::outcome::Standing;
use tailback_engine::packet::Packet;
use tailback_engine::{Amount, Driven, Lot};
use tailback_traffic::{Generated, Placed};

pub struct Checked<'t> {
    pub driven: Driven<'t>,
    placed: &'t Placed,
    pub twin: Twin,
}

tailback_base::unsaved!(Checked<'_>, "a twin has no checkpoint");

impl<'t> Checked<'t> {
    pub fn new(placed: &'t Placed, program: &Listed, on_the_way: fn(u32) -> u32) -> Self {
        Checked { driven: Driven::new(placed), placed, twin: Twin::new(program, on_the_way) }
    }

    /// The ranks of a packet, and the operation that sends it.
    fn of(&self, packet: &Packet) -> (u32, u32, u32) {
        let rank = |node: u32| self.placed.behind(node).expect("ranks send to ranks");
        let ((from, class), (to, into)) = (rank(packet.source), rank(packet.destination));
        assert_eq!(class, into, "a packet stays in its class");
        let (number, nth) = ((packet.mark >> 32) as u32, packet.mark as u32);
        assert_eq!(
            self.twin.nth(from, (to, class), nth),
            number,
            "messages are numbered in the order in which they are sent"
        );
        (from, to, number)
    }
}

impl Sources for Checked<'_> {
    type Ahead<'s>
        = <Driven<'s> as Sources>::Ahead<'s>
    where
        Self: 's;

    fn next(&mut self, node: u32, now: u64) -> Next {
        let found = self.driven.next(node, now);
        let Some((rank, class)) = self.placed.behind(node) else {
            assert_eq!(found, Next::Asleep);
            return found;
        };
        let due = self.twin.next(rank, class, now);
        match found {
            Next::Packet(packet) => {
                let (cycle, number) = due.expect("the twin has a message");
                let mark = self.driven.mark(node, packet.index);
                let (to, _) = self.placed.behind(packet.destination).expect("ranks send to ranks");
                assert_eq!((packet.cycle, (mark >> 32) as u32), (cycle, number), "rank {rank}, cycle {now}");
                self.twin.give(rank, number, packet.flits);
                assert_eq!(self.twin.nth(rank, (to, class), mark as u32), number);
            }
            none => assert_eq!(due, None, "rank {rank}, cycle {now}: {none:?}"),
        }
        found
    }

    fn delivered(&mut self, now: u64, packet: &Packet, message: Option<u64>) -> Option<u64> {
        let (from, _, number) = self.of(packet);
        self.twin.delivered(from, number, packet.flits, now);
        self.driven.delivered(now, packet, message)
    }

    fn kin(&self, node: u32) -> std::ops::Range<u32> {
        self.driven.kin(node)
    }

    fn frees(&mut self, node: u32, now: u64) -> Option<u32> {
        self.driven.frees(node, now)
    }

    fn holds(&self, node: u32) -> u32 {
        self.driven.holds(node)
    }

    fn waits_to_leave(&self, node: u32) -> Option<u32> {
        self.driven.waits_to_leave(node)
    }

    fn follows_packets(&self) -> bool {
        self.driven.follows_packets()
    }

    fn entered(&mut self, now: u64, packet: &Packet) -> Option<u64> {
        let (from, _, number) = self.of(packet);
        self.twin.entered(from, number, now);
        self.driven.entered(now, packet)
    }

    fn left(&mut self, at: u64, packet: &Packet) -> Option<u64> {
        let (from, _, number) = self.of(packet);
        self.twin.left(from, number, packet.flits, at);
        self.driven.left(at, packet)
    }

    fn mark(&self, node: u32, index: u64) -> u64 {
        self.driven.mark(node, index)
    }

    fn has_ended(&self, node: u32) -> bool {
        self.driven.has_ended(node)
    }

    fn taken(&self, node: u32) -> u64 {
        self.driven.taken(node)
    }

    fn ahead(&self, node: u32) -> Self::Ahead<'_> {
        self.driven.ahead(node)
    }

    /// Lots are what the packets are, one by one.
    fn ahead_to(&self, node: u32, end: u64) -> Self::Ahead<'_> {
        let (mut single, mut many) = (self.driven.ahead(node), self.driven.ahead_to(node, end));
        let singles = std::iter::from_fn(|| single.next()).map(Lot::from);
        let lots = std::iter::from_fn(|| many.lot().or_else(|| many.next().map(Lot::from)));
        let (mut due, mut found) = (Amount::default(), Amount::default());
        singles.take_while(|lot| lot.cycle < end).for_each(|lot| due += lot.amount);
        lots.take_while(|lot| lot.cycle < end).for_each(|lot| found += lot.amount);
        assert_eq!(found, due, "node {node}, before cycle {end}");
        self.driven.ahead_to(node, end)
    }

    fn catch_up(&mut self, now: u64) {
        self.driven.catch_up(now);
    }

    fn made(&self, node: u32, packets: u64, now: u64) -> Amount {
        self.driven.made(node, packets, now)
    }

    fn min_flits(&self) -> u32 {
        self.driven.min_flits()
    }

    fn max_flits(&self) -> u32 {
        self.driven.max_flits()
    }

    fn makes(&self, node: u32, packet: &Generated) -> bool {
        self.driven.makes(node, packet)
    }

    fn stands_behind(&self, node: u32, packet: &Generated, latest: u64) -> bool {
        self.driven.stands_behind(node, packet, latest)
    }

    fn standing(&self, most: usize) -> Option<Standing> {
        self.driven.standing(most)
    }

    fn know(&self, now: u64, packets: &[Packet]) -> Result<(), Unfit> {
        self.driven.know(now, packets)
    }

    fn join(&mut self, part: &Self, node: u32) {
        self.driven.join(&part.driven, node);
    }
}
