//! Programs: nodes whose messages wait for messages (`docs/programs.md`, `docs/decisions/0035-programs.md`).

mod checks;
mod matching;
mod rank;
mod stuck;
mod told;

use crate::contract::sources::{Ahead, Next, Sources};
use crate::outcome::Standing;
use crate::packet::Packet;
use crate::totals::Amount;
use matching::Name;
use rank::{Rank, Site};
use tailback_base::state::Unfit;
use tailback_traffic::{Generated, Placed};
use told::Last;

/// What is written on a packet: the operation that sends it, and the place of its message among those to its destination.
fn mark(number: u32, sequence: u32) -> u64 {
    u64::from(number) << 32 | u64::from(sequence)
}

/// What [`mark`] wrote: operation and place.
fn read(mark: u64) -> (u32, u32) {
    ((mark >> 32) as u32, mark as u32)
}

/// The operation that sends a packet, by its number in its rank; of packets of programs.
pub fn sending_operation(packet: &Packet) -> u32 {
    read(packet.mark).0
}

/// Sources that execute a program.
pub struct Driven<'t> {
    placed: &'t Placed,
    /// By rank.
    ranks: Vec<Rank>,
}

tailback_base::state!(['t] Driven<'t> { saved: ; by checks: ranks; rebuilt: placed; } [fits]);

impl<'t> Driven<'t> {
    /// The program before cycle 0.
    pub fn new(placed: &'t Placed) -> Self {
        let ranks = (0..placed.program().ranks()).map(|rank| Rank::new(Site { placed, rank })).collect();
        Driven { placed, ranks }
    }

    fn site(&self, node: u32) -> Option<Site<'t>> {
        self.placed.rank_at(node).map(|rank| Site { placed: self.placed, rank })
    }

    /// The rank at a node, if there is one.
    fn at(&self, node: u32) -> Option<(Site<'t>, &Rank)> {
        self.site(node).map(|site| (site, &self.ranks[site.rank as usize]))
    }

    fn at_mut(&mut self, node: u32) -> Option<(Site<'t>, &mut Rank)> {
        self.site(node).map(|site| (site, &mut self.ranks[site.rank as usize]))
    }

    fn fits(&self) -> Result<(), Unfit> {
        let sites = (0..).map(|rank| Site { placed: self.placed, rank });
        sites.zip(&self.ranks).try_for_each(|(site, rank)| checks::fits(site, rank))
    }
}

impl Sources for Driven<'_> {
    type Ahead<'s>
        = DrivenAhead<'s>
    where
        Self: 's;

    fn next(&mut self, node: u32, now: u64) -> Next {
        let Some((site, rank)) = self.at_mut(node) else { return Next::Asleep };
        rank.run(site, now);
        match rank.give(site) {
            Some(packet) => Next::Packet(packet),
            None => rank.wakes(now).map_or(Next::Asleep, Next::Later),
        }
    }

    fn delivered(&mut self, now: u64, packet: &Packet, _message: Option<u64>) -> Option<u64> {
        let source = self.placed.rank_at(packet.source)?;
        let (site, rank) = self.at_mut(packet.destination)?;
        let (number, sequence) = read(packet.mark);
        // What happens in this cycle is in order once all that arrives in it is known.
        if let Some(before) = now.checked_sub(1) {
            rank.run(site, before);
        }
        let last = Last { name: Name { source, number }, index: packet.index };
        rank.receive(site, last, (sequence, packet.flits), now);
        rank.wakes(now)
    }

    fn follows_packets(&self) -> bool {
        true
    }

    fn entered(&mut self, now: u64, packet: &Packet) -> Option<u64> {
        let (site, rank) = self.at_mut(packet.source)?;
        rank.enters(site, read(packet.mark).0, now);
        rank.wakes(now + 1)
    }

    fn left(&mut self, at: u64, packet: &Packet) -> Option<u64> {
        let (site, rank) = self.at_mut(packet.source)?;
        rank.leaves(site, read(packet.mark).0, packet.flits, at);
        rank.wakes(at)
    }

    fn mark(&self, node: u32, index: u64) -> u64 {
        let message = self.at(node).and_then(|(_, rank)| rank.message(index));
        message.map_or(0, |message| mark(message.number, message.sequence))
    }

    fn has_ended(&self, node: u32) -> bool {
        self.at(node).is_none_or(|(_, rank)| rank.has_ended())
    }

    fn taken(&self, node: u32) -> u64 {
        self.at(node).map_or(0, |(_, rank)| rank.taken)
    }

    fn ahead(&self, node: u32) -> DrivenAhead<'_> {
        DrivenAhead(self.at(node).map(|(site, rank)| (site, Box::new(rank.clone()))))
    }

    fn made(&self, node: u32, packets: u64, _now: u64) -> Amount {
        let none = Rank::default();
        let rank = self.at(node).map_or(&none, |(_, rank)| rank);
        let last = rank.last.map_or(0, |last| u64::from(last.flits));
        let flits = match packets.checked_sub(rank.taken) {
            Some(more) => self.flits_ahead(node, more).map(|ahead| rank.flits + ahead),
            None if packets + 1 == rank.taken => rank.flits.checked_sub(last),
            None => None,
        };
        Amount { packets, flits: flits.unwrap_or(u64::MAX) }
    }

    fn min_flits(&self) -> u32 {
        self.placed.lengths().0
    }

    fn max_flits(&self) -> u32 {
        self.placed.lengths().1
    }

    fn makes(&self, node: u32, packet: &Generated) -> bool {
        let Some((_, rank)) = self.at(node) else { return false };
        let last = rank.last.filter(|last| last.index == packet.index);
        let same = last.is_none_or(|last| (last.destination, last.flits) == (packet.destination, packet.flits));
        let (shortest, longest) = self.placed.lengths();
        let likely = (shortest..=longest).contains(&packet.flits) && packet.index < rank.taken;
        same && likely && self.placed.rank_at(packet.destination).is_some()
    }

    fn stands_behind(&self, node: u32, packet: &Generated, _latest: u64) -> bool {
        let last = self.at(node).and_then(|(_, rank)| rank.last);
        last.is_some_and(|last| last.index == packet.index && last.cycle <= packet.cycle)
    }

    fn know(&self, packets: &[Packet]) -> Result<(), Unfit> {
        packets.iter().try_for_each(|packet| checks::knows(self.placed, packet))
    }

    fn standing(&self, most: usize) -> Option<Standing> {
        let finishes: Vec<u64> = self.ranks.iter().map(|rank| rank.finish).collect();
        let remaining = self.ranks.iter().map(|rank| u64::from(rank.remaining)).sum();
        let last = finishes.iter().copied().max().unwrap_or(0);
        let completed = (remaining == 0).then_some(last);
        let told = match self.placed.is_recorded() {
            true => self.ranks.iter().map(|rank| rank.book.operations.clone()).collect(),
            false => Vec::new(),
        };
        Some(Standing { completed, remaining, finishes, waiting: self.waiting(), waits: self.stuck(most), told })
    }

    fn join(&mut self, part: &Self, node: u32) {
        if let Some(site) = self.site(node) {
            self.ranks[site.rank as usize] = part.ranks[site.rank as usize].clone();
        }
    }
}

impl Driven<'_> {
    /// Flits of the next `packets` packets of a node; `None` where it does not know so many.
    fn flits_ahead(&self, node: u32, packets: u64) -> Option<u64> {
        let mut ahead = self.ahead(node);
        let mut flits = 0;
        for _ in 0..packets {
            flits += u64::from(ahead.next()?.flits);
        }
        Some(flits)
    }
}

/// What a rank would send if nothing more arrived, and nothing more left it.
pub struct DrivenAhead<'s>(Option<(Site<'s>, Box<Rank>)>);

impl Ahead for DrivenAhead<'_> {
    fn next(&mut self) -> Option<Generated> {
        let (site, rank) = self.0.as_mut()?;
        loop {
            if let Some(packet) = rank.give(*site) {
                return Some(packet);
            }
            let next = rank.events.first()?.0;
            rank.run(*site, next);
        }
    }
}
