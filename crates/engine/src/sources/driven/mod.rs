//! Programs: nodes whose messages wait for messages (`docs/programs.md`, `docs/decisions/0035-programs.md`).

mod checks;
mod counts;
mod held;
mod line;
mod matching;
mod rank;
mod ready;
mod soonest;
mod stuck;
mod told;
mod unmet;

use crate::contract::sources::{Ahead, Next, Sources};
use crate::outcome::Standing;
use crate::packet::Packet;
use crate::sources::given::Given;
use crate::totals::{Amount, Lot};
use matching::{Came, Name, Taken};
use rank::{Outbox, Rank, Site};
use ready::Ready;
use std::ops::Range;
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

tailback_base::state!(['t] Driven<'t> { saved: ; by checks: ranks; rebuilt: placed; } [settles]);

impl<'t> Driven<'t> {
    /// The program before cycle 0.
    pub fn new(placed: &'t Placed) -> Self {
        let ranks = (0..placed.program().ranks()).map(|rank| Rank::new(Site { placed, rank })).collect();
        Driven { placed, ranks }
    }

    /// The rank behind a port, if there is one, and the message class of the port.
    fn site(&self, port: u32) -> Option<(Site<'t>, usize)> {
        let (rank, class) = self.placed.behind(port)?;
        Some((Site { placed: self.placed, rank }, class as usize))
    }

    /// The rank behind a port.
    fn at(&self, port: u32) -> Option<(Site<'t>, &Rank)> {
        self.site(port).map(|(site, _)| (site, &self.ranks[site.rank as usize]))
    }

    /// What is sent by a port.
    fn outbox(&self, port: u32) -> Option<&Outbox> {
        self.site(port).map(|(site, class)| &self.ranks[site.rank as usize].outboxes[class])
    }

    fn at_mut(&mut self, node: u32) -> Option<(Site<'t>, &mut Rank)> {
        self.site(node).map(|(site, _)| (site, &mut self.ranks[site.rank as usize]))
    }

    /// What was restored is of the program. Ranks of jobs that do not run any more stop.
    fn settles(&mut self) -> Result<(), Unfit> {
        let sites = (0..).map(|rank| Site { placed: self.placed, rank });
        sites.zip(&mut self.ranks).try_for_each(|(site, rank)| {
            if site.program().operations(site.rank) < site.program().known(site.rank) {
                rank.stop();
            }
            checks::fits(site, rank)
        })
    }
}

impl Sources for Driven<'_> {
    type Ahead<'s>
        = DrivenAhead<'s>
    where
        Self: 's;

    fn next(&mut self, node: u32, now: u64) -> Next {
        let Some((site, class)) = self.site(node) else { return Next::Asleep };
        let rank = &mut self.ranks[site.rank as usize];
        // PERF: the packets of a message follow each other whatever else has happened.
        if !rank.outboxes[class].gives() {
            rank.run(site, now);
        }
        match rank.outboxes[class].give(site) {
            Some(packet) => Next::Packet(packet),
            None => rank.later(now).map_or(Next::Asleep, Next::Later),
        }
    }

    fn delivered(&mut self, now: u64, packet: &Packet, _message: Option<u64>) -> Option<u64> {
        let (source, class) = self.placed.behind(packet.source)?;
        let (site, rank) = self.at_mut(packet.destination)?;
        let (number, sequence) = read(packet.mark);
        let name = Name { source, number };
        let taken = rank.receive(site, (name, class), Came { sequence, flits: packet.flits });
        if site.placed.keeps_unmatched() {
            rank.held.keeps(name, class);
        }
        // PERF: a packet in the midst of its message tells nobody anything.
        if taken == Taken::Part && !site.placed.has_requests() {
            return None;
        }
        // What happens in this cycle is in order once all that arrives in it is known.
        if let Some(before) = now.checked_sub(1) {
            rank.run(site, before);
        }
        rank.received(site, (Last { name, index: packet.index }, class), taken, now);
        rank.wakes(now)
    }

    fn follows_packets(&self) -> bool {
        true
    }

    fn kin(&self, node: u32) -> Range<u32> {
        let (classes, first) = (self.placed.classes(), node - node % self.placed.classes());
        first..first + classes
    }

    fn frees(&mut self, node: u32, now: u64) -> Option<u32> {
        let first = self.kin(node).start;
        let (site, rank) = self.at_mut(node)?;
        if site.placed.keeps_unmatched() {
            rank.consumes(site, now);
        }
        Some(first + rank.held.frees(now)?)
    }

    fn frees_late(&self) -> bool {
        self.placed.keeps_unmatched()
    }

    fn comes_free(&self, node: u32) -> bool {
        let Some((site, class)) = self.site(node) else { return true };
        let mut rank = self.ranks[site.rank as usize].clone();
        let kept = rank.held.of_class(class as u32);
        rank.consumes(site, u64::MAX);
        while rank.held.frees(u64::MAX).is_some() {}
        rank.held.of_class(class as u32) < kept
    }

    fn holds(&self, node: u32) -> u32 {
        self.site(node).map_or(0, |(site, class)| self.ranks[site.rank as usize].held.of_class(class as u32))
    }

    fn waits_to_leave(&self, node: u32) -> Option<u32> {
        let (site, class) = self.site(node)?;
        let mut rank = self.ranks[site.rank as usize].clone();
        // What will happen at the rank whatever arrives, has happened.
        rank.run(site, u64::MAX);
        let answer = rank.awaited(site, class as u32)?;
        Some(self.kin(node).start + answer)
    }

    fn entered(&mut self, now: u64, packet: &Packet) -> Option<u64> {
        let (site, class) = self.site(packet.source)?;
        let rank = &mut self.ranks[site.rank as usize];
        let news = rank.enters((site, class), read(packet.mark).0, now);
        if news { rank.wakes(now + 1) } else { None }
    }

    fn left(&mut self, at: u64, packet: &Packet) -> Option<u64> {
        let (site, class) = self.site(packet.source)?;
        let rank = &mut self.ranks[site.rank as usize];
        let news = rank.leaves((site, class), read(packet.mark).0, packet.flits, at);
        if news { rank.wakes(at) } else { None }
    }

    fn mark(&self, node: u32, index: u64) -> u64 {
        let message = self.outbox(node).and_then(|outbox| outbox.message(index));
        message.map_or(0, |message| mark(message.number, message.sequence))
    }

    fn has_ended(&self, node: u32) -> bool {
        self.at(node).is_none_or(|(_, rank)| rank.has_ended())
    }

    fn taken(&self, node: u32) -> u64 {
        self.outbox(node).map_or(0, |outbox| outbox.given.packets)
    }

    fn ahead(&self, node: u32) -> DrivenAhead<'_> {
        self.ahead_to(node, u64::MAX)
    }

    fn ahead_to(&self, node: u32, end: u64) -> DrivenAhead<'_> {
        DrivenAhead(self.site(node).map(|(site, class)| {
            let rank = &self.ranks[site.rank as usize];
            Coming { site, class, rank, end, ready: Ready::new(&rank.outboxes[class]), later: None }
        }))
    }

    fn catch_up(&mut self, now: u64) {
        let Some(before) = now.checked_sub(1) else { return };
        let sites = (0..).map(|rank| Site { placed: self.placed, rank });
        sites.zip(&mut self.ranks).for_each(|(site, rank)| rank.run(site, before));
    }

    fn made(&self, node: u32, packets: u64, now: u64) -> Amount {
        let given = self.outbox(node).map_or_else(Given::default, |outbox| outbox.given);
        given.made(packets, |more| self.ahead_to(node, now).flits(more))
    }

    fn min_flits(&self) -> u32 {
        self.placed.lengths().0
    }

    fn max_flits(&self) -> u32 {
        self.placed.lengths().1
    }

    fn makes(&self, node: u32, packet: &Generated) -> bool {
        let given = self.outbox(node).is_some_and(|outbox| outbox.given.may_be(packet, self.placed.lengths()));
        given && self.placed.behind(packet.destination).is_some()
    }

    fn stands_behind(&self, node: u32, packet: &Generated, _latest: u64) -> bool {
        self.outbox(node).is_some_and(|outbox| outbox.given.stands_behind(packet))
    }

    fn know(&self, now: u64, packets: &[Packet]) -> Result<(), Unfit> {
        let sites = (0..).map(|rank| Site { placed: self.placed, rank });
        sites.zip(&self.ranks).try_for_each(|(site, rank)| checks::is_near(site, rank, now))?;
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
        let (waiting, waits, kept) = (self.waiting(), self.stuck(most), self.kept(most));
        Some(Standing { completed, remaining, finishes, waiting, waits, kept, told })
    }

    fn has_program(&self) -> bool {
        true
    }

    fn standing_of(parts: &[&Self], owners: &[u16], most: usize) -> Option<Standing> {
        let mut whole = Driven::new(parts[0].placed);
        (0..).zip(owners).for_each(|(node, &owner)| whole.join(parts[usize::from(owner)], node));
        whole.standing(most)
    }

    fn join(&mut self, part: &Self, node: u32) {
        if let Some((site, _)) = self.site(node) {
            self.ranks[site.rank as usize] = part.ranks[site.rank as usize].clone();
        }
    }
}

/// What a rank would send if nothing more arrived, and nothing more left it.
pub struct DrivenAhead<'s>(Option<Coming<'s>>);

struct Coming<'s> {
    site: Site<'s>,
    class: usize,
    rank: &'s Rank,
    /// What happens from this cycle on is left out.
    end: u64,
    /// What is left of what the rank has ready.
    ready: Ready<'s>,
    /// The rank later on, once something else has happened there. PERF: most ranks wait for others, and nobody copies them.
    later: Option<Box<Rank>>,
}

impl Ahead for DrivenAhead<'_> {
    fn next(&mut self) -> Option<Generated> {
        let Coming { site, class, rank, end, ready, later } = self.0.as_mut()?;
        loop {
            let packet = match later {
                Some(rank) => rank.outboxes[*class].give(*site),
                None => ready.give(*site),
            };
            if packet.is_some() {
                return packet;
            }
            let events = &later.as_deref().unwrap_or(rank).events;
            let next = events.first().map(|event| event.0).filter(|next| next < end)?;
            let rank = later.get_or_insert_with(|| {
                let mut rank = Box::new(rank.clone());
                rank.outboxes[*class].is_empty_after(ready.given());
                rank
            });
            rank.run(*site, next);
        }
    }

    fn lot(&mut self) -> Option<Lot> {
        let Coming { site, ready, later, .. } = self.0.as_mut()?;
        // Once all that was ready has been given, nothing is.
        if later.is_some() { None } else { ready.lot(*site, u64::MAX) }
    }

    fn flits(&mut self, mut packets: u64) -> Option<u64> {
        let mut flits = 0;
        while packets > 0 {
            let Coming { site, ready, later, .. } = self.0.as_mut()?;
            let lot = if later.is_some() { None } else { ready.lot(*site, packets) };
            let Amount { packets: some, flits: of } = match lot {
                Some(lot) => lot.amount,
                None => Amount::one(self.next()?.flits),
            };
            (packets, flits) = (packets - some, flits + of);
        }
        Some(flits)
    }
}
