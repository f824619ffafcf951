//! One rank of a program that runs: what is ready, what waits, what is under way.
//!
//! Only operations that some and not all of their requirements hold back are counted, so memory follows what is under way. What is
//! known to happen later at the rank itself is a list by cycle, and is looked at when the node is asked or told something.

use super::counts::Counts;
use super::held::Held;
use super::matching::{Came, Matching, Name, Order, Posted, Taken};
use super::soonest::Soonest;
use super::told::{Book, Last};
use super::unmet::Unmet;
use crate::sources::given::Given;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use tailback_program::{Program, Upon, Work};
use tailback_traffic::{Generated, Placed};

/// What happens to an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum What {
    /// Its requirements are met.
    #[default]
    Ready,
    /// It starts.
    Starts,
    /// It finishes.
    Finishes,
}

/// Cycle, operation and what happens to it.
pub(crate) type Event = (u64, u32, What);

/// The message that a rank gives to its node.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Giving {
    pub number: u32,
    /// Cycle in which it became ready.
    pub cycle: u64,
    /// Its destination, a node.
    pub destination: u32,
    /// Flits that have not been given.
    pub left: u32,
}

impl Giving {
    /// The message of a send that is ready, with its destination, a rank.
    pub fn of(site: Site, (cycle, number): (u64, u32)) -> Option<(u32, Giving)> {
        let Work::Send { to, flits, tag } = site.work(number) else { return None };
        let left = site.placed.on_the_way(flits);
        let destination = site.placed.port_of(to, site.placed.class_of(tag));
        Some((to, Giving { number, cycle, destination, left }))
    }

    /// Its next packet, number `index` of its node.
    #[inline]
    pub fn packet(&mut self, site: Site, index: u64) -> Generated {
        let flits = site.placed.next_packet(self.left);
        self.left -= flits;
        Generated { cycle: self.cycle, destination: self.destination, flits, index }
    }
}

/// A message of which some flits have not left the node.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Leaving {
    pub number: u32,
    /// Its place among the messages to its destination.
    pub sequence: u32,
    /// Number of its first packet at the node.
    pub first: u64,
    /// Flits that have not left.
    pub left: u32,
    pub has_started: bool,
}

/// What a rank sends of one message class, by the port of that class.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outbox {
    /// Sends that are ready, by cycle and number.
    pub sends: Soonest<(u64, u32)>,
    pub giving: Option<Giving>,
    /// In the order of their packets.
    pub leaving: VecDeque<Leaving>,
    /// By destination, a rank: how many messages have been given. Empty where each destination has one message at most.
    pub sent: Counts,
    pub given: Given,
}

/// One rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Rank {
    /// What will happen here whatever arrives, in its order.
    pub events: Soonest<Event>,
    /// Operations of which some requirement is met, with how many are not.
    pub unmet: Unmet,
    /// By message class.
    pub outboxes: Vec<Outbox>,
    pub matching: Matching,
    /// What keeps places of ejection buffers.
    pub held: Held,
    /// By processor: the cycle from which on it is free.
    pub processors: BTreeMap<u8, u64>,
    /// Operations that have not finished.
    pub remaining: u32,
    /// Cycle in which the last one of the others finished.
    pub finish: u64,
    /// What happened to every operation, where a run asks for it.
    pub book: Book,
    /// Whether its job has stopped: nothing happens to its operations any more.
    pub stopped: bool,
}

/// A rank with its program.
#[derive(Clone, Copy)]
pub(crate) struct Site<'p> {
    pub placed: &'p Placed,
    pub rank: u32,
}

impl<'p> Site<'p> {
    pub fn program(&self) -> &'p dyn Program {
        self.placed.program()
    }

    pub fn work(&self, number: u32) -> Work {
        self.program().work(self.rank, number)
    }

    /// How messages between two ranks are told apart.
    #[inline]
    pub fn order(&self) -> Order {
        if self.placed.meets_once() { Order::Once } else { Order::Counted }
    }
}

impl Rank {
    /// A rank before cycle 0.
    pub fn new(site: Site) -> Rank {
        let remaining = site.program().operations(site.rank);
        let outboxes = vec![Outbox::default(); site.placed.classes() as usize];
        let book = if site.placed.is_recorded() { Book::of(remaining) } else { Book::default() };
        let mut rank = Rank { remaining, outboxes, book, ..Rank::default() };
        let events = &mut rank.events;
        site.program().roots(site.rank, &mut |number| events.insert((0, number, What::Ready)));
        rank
    }

    /// Its job stops. What has been given to the network is delivered, and nobody takes it.
    pub fn stop(&mut self) {
        let Rank { events, unmet, outboxes, matching, remaining, book, stopped, held, .. } = self;
        held.stop();
        (*events, *book) = Default::default();
        (*remaining, *stopped) = (0, true);
        *unmet = Unmet::default();
        matching.posted = Default::default();
        for outbox in outboxes {
            outbox.sends = Soonest::default();
            outbox.giving = None;
        }
    }

    /// Lets everything happen that is due up to cycle `now`.
    pub fn run(&mut self, site: Site, now: u64) {
        while let Some((cycle, number, what)) = self.events.first().copied().filter(|event| event.0 <= now) {
            self.events.pop_first();
            match what {
                _ if self.stopped => {}
                What::Ready => self.begin(site, number, cycle),
                What::Starts => self.meet(site, (number, Upon::Start), cycle),
                What::Finishes => self.finishes(site, number, cycle),
            }
        }
    }

    /// An operation is ready.
    fn begin(&mut self, site: Site, number: u32, now: u64) {
        self.book.ready(number, now);
        match site.work(number) {
            Work::Send { to, tag, .. } if to == site.rank => {
                self.starts(site, number, now);
                self.events.insert((now, number, What::Finishes));
                self.arrives(site, (Name { source: to, number }, None), tag, now);
            }
            Work::Send { tag, .. } => self.outbox(site, tag).sends.insert((now, number)),
            Work::Receive { from, tag, .. } => {
                self.starts(site, number, now);
                if let Some(name) = self.matching.post(Posted { number, from, tag }) {
                    self.book.takes(number, name, None);
                    self.events.insert((now, number, What::Finishes));
                    self.held.taken(site, (name, number), now);
                } else if site.placed.keeps_unmatched() {
                    self.held.news = true;
                }
            }
            Work::Compute { cycles, on } => {
                self.book.computes(number, on);
                let free = self.processors.entry(on).or_default();
                let start = now.max(*free);
                let end = start.saturating_add(cycles);
                *free = end;
                self.starts(site, number, start);
                self.events.insert((end, number, What::Finishes));
            }
        }
    }

    /// An operation starts in cycle `at`, now or later.
    fn starts(&mut self, site: Site, number: u32, at: u64) {
        self.book.starts(number, at);
        // PERF: nobody waits for the start of anything in most programs.
        if !site.program().has_starts() {
            return;
        }
        let mut waits = false;
        site.program().dependants(site.rank, number, &mut |_, upon| waits |= upon == Upon::Start);
        if waits {
            self.events.insert((at, number, What::Starts));
        }
    }

    fn finishes(&mut self, site: Site, number: u32, now: u64) {
        self.remaining = self.remaining.saturating_sub(1);
        self.finish = self.finish.max(now);
        self.book.finishes(number, now);
        self.meet(site, (number, Upon::Finish), now);
    }

    /// What others wait for has happened to an operation.
    fn meet(&mut self, site: Site, (number, what): (u32, Upon), now: u64) {
        let (events, unmet, book, program) = (&mut self.events, &mut self.unmet, &mut self.book, site.program());
        program.dependants(site.rank, number, &mut |waiting, upon| {
            if upon != what {
                return;
            }
            if unmet.meet(waiting, || program.operation(site.rank, waiting).requirements) {
                book.freed(waiting, (number, what));
                events.insert((now, waiting, What::Ready));
            }
        });
    }

    /// A message has arrived in cycle `now`, with a packet that is its last; one to the own rank has none.
    fn arrives(&mut self, site: Site, (name, last): (Name, Option<Last>), tag: u32, now: u64) {
        if let Some(receive) = self.matching.arrive(name, tag) {
            self.book.takes(receive, name, Some(last.unwrap_or(Last { name, index: 0 })));
            self.events.insert((now, receive, What::Finishes));
            self.held.taken(site, (name, receive), now);
        }
    }

    /// What is sent of the class of messages with this tag.
    fn outbox(&mut self, site: Site, tag: u32) -> &mut Outbox {
        &mut self.outboxes[site.placed.class_of(tag) as usize]
    }

    /// The head of a packet of message `number` leaves the node in cycle `now`. Returns whether something happened to an operation.
    #[inline]
    pub fn enters(&mut self, (site, class): (Site, usize), number: u32, now: u64) -> bool {
        let leaving = &mut self.outboxes[class].leaving;
        let message = leaving.iter_mut().find(|message| message.number == number);
        let Some(message) = message.filter(|message| !message.has_started) else { return false };
        message.has_started = true;
        self.starts(site, number, now + 1);
        true
    }

    /// The last one of `flits` flits of message `number` leaves the node before cycle `at`. Returns as [`Rank::enters`].
    #[inline]
    pub fn leaves(&mut self, (site, class): (Site, usize), number: u32, flits: u32, at: u64) -> bool {
        let leaving = &mut self.outboxes[class].leaving;
        let Some(which) = leaving.iter().position(|message| message.number == number) else { return false };
        let message = &mut leaving[which];
        message.left = message.left.saturating_sub(flits);
        if message.left > 0 {
            return false;
        }
        // The only flit of a packet may be told of as its last one before it is told of as its first one.
        let has_started = message.has_started;
        leaving.remove(which);
        if !has_started {
            self.starts(site, number, at);
        }
        self.events.insert((at, number, What::Finishes));
        if site.placed.has_requests() {
            self.held.answered(number, at);
        }
        true
    }

    /// Flits of a message are delivered. Unless it is [`Taken::Part`] of it, call [`Rank::received`].
    #[inline]
    pub fn receive(&mut self, site: Site, of: (Name, u32), came: Came) -> Taken {
        let name = of.0;
        let all = || match site.program().work(name.source, name.number) {
            Work::Send { flits, .. } => site.placed.on_the_way(flits),
            Work::Receive { .. } | Work::Compute { .. } => 0,
        };
        self.matching.take(of, came, site.order(), all)
    }

    /// The packet `last` has been delivered in cycle `now`: messages that are complete with it have arrived.
    pub fn received(&mut self, site: Site, (last, class): (Last, u32), taken: Taken, now: u64) {
        let (name, order) = (last.name, site.order());
        let mut waits = false;
        let mut alone = (taken == Taken::Alone).then_some(name);
        while let Some(of) = alone.take().or_else(|| self.matching.complete((name.source, class), order)) {
            let Work::Send { tag, .. } = site.program().work(of.source, of.number) else { continue };
            // One that had to wait for an earlier message was taken out of the buffer.
            if of == name && site.placed.is_request(tag) {
                waits = true;
                self.held.holds(name, class);
            }
            self.arrives(site, (of, Some(last)), tag, now);
        }
        if !waits && site.placed.has_requests() {
            self.held.freed.push((now, class));
        }
    }

    /// Lets everything happen that is due up to cycle `now`, all of which is known, and gives back the places of packets that are asked for.
    pub fn consumes(&mut self, site: Site, now: u64) {
        self.run(site, now);
        match self.stopped {
            true => self.held.stop(),
            false => self.held.consumes(site, &self.matching, now),
        }
    }

    /// The cycle in which there is something new, if anything is known of it: `now` where a packet is ready.
    pub fn wakes(&self, now: u64) -> Option<u64> {
        if self.outboxes.iter().any(Outbox::is_ready) { Some(now) } else { self.later(now) }
    }

    /// The cycle, `now` or later, in which something is known to happen here.
    pub fn later(&self, now: u64) -> Option<u64> {
        self.events.first().map(|event| event.0.max(now))
    }

    /// The class of the answers for which all places of a class wait, where all requests that hold them have come to a receive and every
    /// answer that has not left is ready: nothing at the rank itself is in their way.
    pub fn awaited(&self, site: Site, class: u32) -> Option<u32> {
        let Held { untaken, waiting, answers, freed, .. } = &self.held;
        let of_class = answers.iter().filter(|answer| waiting.get(&answer.1).is_some_and(|held| held.0 == class));
        let mut found = None;
        for &(send, _) in of_class {
            let Work::Send { tag, .. } = site.work(send) else { return None };
            let answer = site.placed.class_of(tag);
            let outbox = &self.outboxes[answer as usize];
            let leaves = outbox.leaving.iter().any(|message| message.number == send);
            let ready = leaves || outbox.sends.iter().any(|&(_, number)| number == send);
            if !ready || found.replace(answer).is_some_and(|other| other != answer) {
                return None;
            }
        }
        let goes = freed.iter().any(|of| of.1 == class);
        found.filter(|_| !goes && untaken.values().all(|&of| of != class))
    }

    /// Whether all operations have finished.
    pub fn has_ended(&self) -> bool {
        self.remaining == 0
    }
}

impl Outbox {
    /// Whether a message is under way to the port.
    #[inline]
    pub fn gives(&self) -> bool {
        self.giving.is_some()
    }

    /// The next packet for the port, if one is ready.
    pub fn give(&mut self, site: Site) -> Option<Generated> {
        if self.giving.is_none() {
            let send = self.sends.pop_first()?;
            self.open(site, send);
        }
        let packet = self.giving.as_mut()?.packet(site, self.given.packets);
        self.giving = self.giving.filter(|giving| giving.left > 0);
        self.given.add(packet);
        Some(packet)
    }

    /// The next message that is ready begins.
    fn open(&mut self, site: Site, send: (u64, u32)) {
        let Some((to, giving)) = Giving::of(site, send) else { return };
        let Giving { number, left, .. } = giving;
        let sequence = match site.order() {
            Order::Once => 0,
            Order::Counted => self.sent_to(to),
        };
        self.giving = Some(giving);
        self.leaving.push_back(Leaving { number, sequence, first: self.given.packets, left, has_started: false });
    }

    /// The place of the next message among those to a rank.
    fn sent_to(&mut self, to: u32) -> u32 {
        let sent = self.sent.of(to);
        *sent = sent.wrapping_add(1);
        sent.wrapping_sub(1)
    }

    /// All that was ready is given, so that the next packet has this number.
    pub fn is_empty_after(&mut self, packets: u64) {
        (self.sends, self.giving, self.given.packets) = (Soonest::default(), None, packets);
    }

    /// The message to which packet number `index` belongs, if it has not left.
    pub fn message(&self, index: u64) -> Option<&Leaving> {
        if let Some(last) = self.leaving.back().filter(|message| message.first <= index) {
            return Some(last);
        }
        let behind = self.leaving.partition_point(|message| message.first <= index);
        self.leaving.get(behind.checked_sub(1)?)
    }

    /// Sends that are ready, or under way, and of which not all has left.
    pub fn begun(&self) -> impl Iterator<Item = u32> {
        self.leaving.iter().map(|message| message.number).chain(self.sends.iter().map(|send| send.1))
    }

    /// Whether a packet is ready.
    fn is_ready(&self) -> bool {
        self.giving.is_some() || !self.sends.is_empty()
    }
}
