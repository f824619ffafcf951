//! One network in parts, each simulated by a thread of its own.
//!
//! Whatever a router does to another counts there a cycle later at the earliest, and usually some cycles later: that is the
//! *lookahead*. So parts simulate as many cycles on their own, then give each neighbour what they have posted for it and wait
//! for what it has posted for them. There is no other synchronisation: a part is never more than one exchange ahead of its
//! neighbours. The bits are those of the network in one piece, because the order of events within a cycle cannot change a
//! result (`ARCHITECTURE.md`, the clock contract).

mod cores;
pub(crate) mod cut;
mod doorbell;
mod exchange;
mod halves;
mod primitives;
pub mod ranks;

pub use cut::Cut;

use crate::contract::census::{Front, Name, Scope, Scratch, Stand};
use crate::contract::host::{Arrived, Offer};
use crate::contract::partition::Partition;
use crate::contract::probe::Probe;
use crate::data_path::Network;
use crate::outcome::{AuditError, Counters, Deadlock, Standing, Waiting};
use crate::totals::{Amount, Lot, Totals};
use cores::Cores;
use doorbell::Doorbell;
use exchange::{Abandoned, Neighbour, connect, own_parts};
use primitives::Arc;
use ranks::{Ranks, gather, sum, told};
use serde::{Serialize, de::DeserializeOwned};
use tailback_base::state::{Reader, Writer};
use tailback_network::Network as Wiring;

/// A part and the post between it and its neighbours.
struct Member<'a, D: Partition> {
    part: D,
    neighbours: Vec<Neighbour<'a, D::Mail>>,
}

/// A network in parts, or those parts of it that are this process'.
pub struct Partitioned<'a, D: Partition> {
    members: Vec<Member<'a, D>>,
    /// Theirs.
    bells: Vec<Arc<Doorbell>>,
    ranks: Option<&'a dyn Ranks>,
    /// How many parts there are in all processes.
    count: usize,
    /// By node, its place among the members.
    owners: Box<[u16]>,
    /// Makes a part, as it is in cycle 0.
    part: Box<dyn Fn(usize) -> D + Send + 'a>,
    /// Makes the whole network, as it is in cycle 0.
    whole: Box<dyn Fn() -> D + Send + 'a>,
}

impl<'a, D: Partition> Partitioned<'a, D> {
    /// The network that `whole` makes in the parts of `cut`, which `part` makes; each of `ranks` has as many of them.
    pub fn new(
        network: &Wiring,
        cut: &Cut,
        ranks: Option<&'a dyn Ranks>,
        part: impl Fn(usize) -> D + Send + 'a,
        whole: impl Fn() -> D + Send + 'a,
    ) -> Self {
        let (neighbours, bells) = connect(&cut.neighbours(network), ranks);
        let own = own_parts(ranks, cut.parts());
        // Only the process that has all parts has a host.
        let owner = |node| cut.part_of(network.router_of(node)) as u16;
        let owners = (0..network.nodes() as u32).map(owner).collect();
        let members = own.zip(neighbours).map(|(n, neighbours)| Member { part: part(n), neighbours }).collect();
        Partitioned { members, bells, ranks, count: cut.parts(), owners, part: Box::new(part), whole: Box::new(whole) }
    }

    /// What `find` finds in all parts, those of other processes included, at the first process.
    fn of_parts<T>(&self, find: impl FnOnce(&[&D]) -> T) -> Option<T> {
        let afar = match self.ranks {
            None => Vec::new(),
            Some(ranks) => self.fetched(ranks)?,
        };
        Some(find(&self.parts().chain(&afar).collect::<Vec<_>>()))
    }

    /// The network in one piece, as it is now, at the first process. It takes as much memory as a part, and the time to build it: what comes
    /// of a run is found in the parts instead.
    fn joined(&self) -> Option<D> {
        self.of_parts(|parts| {
            let mut whole = (self.whole)();
            whole.join(&mut parts.iter().copied());
            whole
        })
    }

    /// The parts of the other processes, at the first one.
    fn fetched(&self, ranks: &dyn Ranks) -> Option<Vec<D>> {
        let mut to = Writer::default();
        if ranks.rank() > 0 {
            self.parts().for_each(|part| part.pack(&mut to));
        }
        let packed = gather(ranks, to.into_bytes())?;
        let mut all = Vec::new();
        for (rank, bytes) in packed.iter().enumerate().skip(1) {
            let mut from = Reader::new(bytes, &[]);
            let each = self.count / ranks.count();
            for number in rank * each..(rank + 1) * each {
                let mut part = (self.part)(number);
                part.unpack(&mut from).expect("all processes simulate one network");
                all.push(part);
            }
        }
        Some(all)
    }

    /// What the first process finds in all parts, at each.
    fn agreed<T: Serialize + DeserializeOwned>(&self, find: impl FnOnce(&[&D]) -> T) -> T {
        let found = self.of_parts(find);
        match self.ranks {
            None => found.expect("a process by itself is the first one"),
            Some(ranks) => told(ranks, found),
        }
    }

    fn parts(&self) -> impl Iterator<Item = &D> {
        self.members.iter().map(|member| &member.part)
    }
}

impl<D: Partition> Member<'_, D> {
    /// Simulates up to cycle `stop`, where the post has been read. Gives up where a neighbour has.
    fn advance<P: Probe>(&mut self, probe: &mut P, stop: u64, abandoned: &Abandoned) {
        let _alarm = abandoned.on_panic();
        while self.part.cycle() < stop {
            let end = stop.min(self.part.cycle() + self.part.lookahead());
            while self.part.cycle() + 1 < end {
                self.part.step(probe);
            }
            self.part.begin(probe);
            for neighbour in &mut self.neighbours {
                neighbour.send(self.part.outbox(neighbour.part));
            }
            self.part.end(probe);
            for neighbour in &mut self.neighbours {
                let Some(mail) = neighbour.wait(abandoned) else { return };
                self.part.receive(&mail);
                neighbour.give_back(mail);
            }
        }
    }
}

impl<'a, D: Partition> Network for Partitioned<'a, D> {
    fn watchers(&self) -> usize {
        self.members.len()
    }

    fn advance<P: Probe + Send>(&mut self, probes: &mut [P], stop: u64) {
        let abandoned = Abandoned::new(&self.bells);
        let cores = Cores::new(self.members.len());
        let simulate = |number: usize, member: &mut Member<'a, D>, probe: &mut P| {
            cores.begin(number);
            member.advance(probe, stop, &abandoned);
        };
        std::thread::scope(|scope| {
            let mut members = self.members.iter_mut().zip(probes).enumerate();
            // One of them is simulated by the thread that is there already.
            let here = members.next();
            for (number, (member, probe)) in members {
                let simulate = &simulate;
                scope.spawn(move || simulate(number, member, probe));
            }
            if let Some((number, (member, probe))) = here {
                simulate(number, member, probe);
            }
        });
    }

    fn cycle(&self) -> u64 {
        self.members[0].part.cycle()
    }

    fn counters(&self) -> Counters {
        let mut all = Counters::default();
        self.parts().for_each(|part| all.add(&part.counters()));
        Counters::from_array(sum(self.ranks, all.to_array()))
    }

    fn in_flight(&self) -> u64 {
        let counters = self.counters();
        counters.entered - counters.delivered
    }

    fn totals(&self) -> Totals {
        let all: Totals = self.parts().map(Network::totals).sum();
        Totals::from_array(sum(self.ranks, all.to_array()))
    }

    fn sources_are_dry(&self) -> bool {
        let going_on = self.parts().filter(|part| !part.sources_are_dry()).count() as u64;
        sum(self.ranks, [going_on]) == [0]
    }

    fn sources_wait(&self) -> bool {
        let awake = self.parts().filter(|part| !part.sources_wait()).count() as u64;
        sum(self.ranks, [awake]) == [0]
    }

    fn standing(&self, most: usize) -> Option<Standing> {
        // All parts have nodes of the same kind.
        let program = self.members[0].part.has_program();
        program.then(|| self.agreed(|parts| D::standing_of(parts, &self.owners, most))).flatten()
    }

    fn catch_up(&mut self) {
        self.members.iter_mut().for_each(|member| member.part.catch_up());
    }

    fn backlog(&self, end: u64, mut made: impl FnMut(u32, Lot)) {
        self.parts().for_each(|part| part.backlog(end, &mut made));
    }

    fn audit(&self) -> Result<(), AuditError> {
        self.joined().map_or(Ok(()), |whole| whole.audit())
    }

    fn deadlock(&self) -> Option<Deadlock> {
        self.agreed(|parts| D::deadlock_of(parts))
    }

    fn is_still(&self) -> bool {
        let moving = self.parts().filter(|part| part.moves()).count() as u64;
        let waiting = self.parts().filter(|part| part.waits_for_places()).count() as u64;
        let [moving, waiting] = sum(self.ranks, [moving, waiting]);
        moving == 0 && (waiting > 0 || self.in_flight() > 0)
    }

    fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
        self.parts().for_each(|part| part.waiting(each));
    }

    fn census(&self, scope: Scope, each: &mut dyn FnMut(Stand)) {
        self.joined().into_iter().for_each(|whole| whole.census(scope, each));
    }

    fn fronts(&self, scratch: &mut Scratch, mut each: impl FnMut(Front)) {
        self.joined().into_iter().for_each(|whole| whole.fronts(scratch, &mut each));
    }

    fn name_of(&self, id: u32) -> Name {
        self.joined().expect("the process that was told of a packet has it").name_of(id)
    }

    fn offer(&mut self, offer: Offer) {
        self.members[usize::from(self.owners[offer.source as usize])].part.offer(offer);
    }

    fn queued(&mut self, node: u32) -> Amount {
        self.members[usize::from(self.owners[node as usize])].part.queued(node)
    }

    fn consumed(&mut self, node: u32, places: u32) {
        self.members[usize::from(self.owners[node as usize])].part.consumed(node, places);
    }

    fn arrivals(&mut self, each: &mut dyn FnMut(Arrived)) {
        self.members.iter_mut().for_each(|member| member.part.arrivals(each));
    }

    fn is_at_rest(&self) -> bool {
        self.parts().all(Network::is_at_rest)
    }

    fn skip(&mut self, to: u64) {
        self.members.iter_mut().for_each(|member| member.part.skip(to));
    }

    fn checkpoint(&self, to: &mut Writer) {
        self.joined().into_iter().for_each(|whole| whole.save(to));
    }

    fn ranks(&self) -> Option<&dyn Ranks> {
        self.ranks
    }
}
