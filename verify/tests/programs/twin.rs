//! The naive twin of sources that execute a program: of every rank it keeps what it was told from outside, and works out from that
//! and the program, from cycle 0 on, all that happened, whenever it is asked.

use super::listed::Listed;
use std::collections::{BTreeMap, BTreeSet};
use tailback_program::{Upon, Work};

/// What a rank is told: cycle and event, in the order in which it hears of them.
#[derive(Clone, Copy, Debug)]
pub enum Told {
    /// The first flit of a message leaves.
    Enters(u64, u32),
    /// The last flit of a message has left.
    Left(u64, u32),
    /// A message has arrived from a rank, sent by that operation of it.
    Arrived(u64, u32, u32),
}

/// The cycles of starts and ends that are known, by operation and whether it is the end.
type Ahead = BTreeMap<(u32, bool), u64>;

/// What follows from that.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// By operation.
    pub ready: BTreeMap<u32, u64>,
    pub started: BTreeMap<u32, u64>,
    pub finished: BTreeMap<u32, u64>,
    /// Receives that wait, in their order.
    pub posted: Vec<u32>,
    unmatched: Vec<(u32, u32)>,
    /// By receive: the source and the operation of the message that it has taken.
    pub taken: BTreeMap<u32, (u32, u32)>,
}

/// The message classes of a program.
#[derive(Clone, Debug)]
pub struct Classes {
    /// First tags of all but the first.
    pub tags: Vec<u32>,
    pub keeps: Keeps,
}

/// What keeps its place in an ejection buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keeps {
    Nothing,
    /// Messages with lower tags are requests, which keep a place until they are answered.
    Requests(u32),
    /// Packets of messages that no receive asks for.
    Unmatched,
}

/// All ranks.
#[derive(Clone, Debug)]
pub struct Twin {
    program: Listed,
    told: Vec<Vec<Told>>,
    /// Messages whose packets are given or all given, by rank: the operations in their order.
    pub given: Vec<Vec<u32>>,
    /// Flits of each message, by rank and operation, that are given, have left, and are delivered.
    flits: BTreeMap<(u32, u32), [u32; 3]>,
    pub classes: Classes,
    /// Packets that keep their places, by their messages: rank, source and operation. Of a request it is the last one.
    kept: Vec<(u32, u32, u32)>,
    /// Flits that a message has on its way.
    pub on_the_way: fn(u32) -> u32,
}

impl Twin {
    pub fn new(program: &Listed, on_the_way: fn(u32) -> u32) -> Twin {
        let ranks = program.0.len();
        let (told, given) = (vec![Vec::new(); ranks], vec![Vec::new(); ranks]);
        let classes = Classes { tags: Vec::new(), keeps: Keeps::Nothing };
        let (flits, kept) = (BTreeMap::new(), Vec::new());
        Twin { program: program.clone(), told, given, flits, classes, kept, on_the_way }
    }

    /// The class of the message that an operation sends.
    pub fn class(&self, rank: u32, number: u32) -> u32 {
        let (.., tag) = self.message(rank, number);
        self.classes.tags.iter().filter(|&&first| first <= tag).count() as u32
    }

    /// The messages of a class that a rank has given.
    fn given_of(&self, rank: u32, class: u32) -> impl Iterator<Item = u32> + '_ {
        self.given[rank as usize].iter().copied().filter(move |&number| self.class(rank, number) == class)
    }

    /// Places of an ejection buffer that packets keep in cycle `now`: a request until all sends that wait for its receive have left, any other
    /// packet until its message is taken, or asked for by a receive that waits.
    pub fn holds(&mut self, rank: u32, class: u32, now: u64) -> u32 {
        let of = |twin: &Twin, kept: &(u32, u32, u32)| kept.0 == rank && twin.class(kept.1, kept.2) == class;
        if !self.kept.iter().any(|kept| of(self, kept)) {
            return 0;
        }
        let story = self.story(rank, now);
        let steps = &self.program.0[rank as usize];
        let waits = |(_, source, number): &(u32, u32, u32)| {
            let taken = story.taken.iter().find(|(_, of)| **of == (*source, *number));
            if self.classes.keeps == Keeps::Unmatched {
                let asked = story.posted.iter().any(|&receive| self.takes(rank, receive, *source, *number));
                return taken.is_none() && !asked;
            }
            taken.is_none_or(|(receive, _)| {
                let mut answers = (0u32..).zip(steps).filter(|(_, step)| {
                    matches!(step.work, Work::Send { .. }) && step.waits.contains(&(*receive, Upon::Finish))
                });
                answers.any(|(answer, _)| !self.has_left(rank, answer, now))
            })
        };
        let kept: Vec<_> = self.kept.iter().copied().filter(|kept| !of(self, kept) || waits(kept)).collect();
        self.kept = kept;
        self.kept.iter().filter(|kept| of(self, kept)).count() as u32
    }

    /// Whether the last flit of a message has left before cycle `now`.
    fn has_left(&self, rank: u32, number: u32, now: u64) -> bool {
        let left = |told: &Told| matches!(*told, Told::Left(at, of) if of == number && at <= now);
        self.told[rank as usize].iter().any(left)
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        self.program.0[rank as usize][number as usize].work
    }

    fn message(&self, rank: u32, number: u32) -> (u32, u32, u32) {
        match self.work(rank, number) {
            Work::Send { to, flits, tag } => (to, (self.on_the_way)(flits), tag),
            other => panic!("operation {number} of rank {rank} sends nothing: {other:?}"),
        }
    }

    /// The message of a class that a rank would give in cycle `now`: the one that it is giving, or the first that is ready; with its cycle.
    pub fn next(&self, rank: u32, class: u32, now: u64) -> Option<(u64, u32)> {
        let story = self.story(rank, now);
        if let Some(last) = self.given_of(rank, class).last() {
            let given = self.flits.get(&(rank, last)).map_or(0, |flits| flits[0]);
            if given < self.message(rank, last).1 {
                return Some((story.ready[&last], last));
            }
        }
        let waits = |&(&number, &cycle): &(&u32, &u64)| {
            let sends = matches!(self.work(rank, number), Work::Send { to, .. } if to != rank);
            sends && cycle <= now && self.class(rank, number) == class && !self.given[rank as usize].contains(&number)
        };
        story.ready.iter().filter(waits).map(|(&number, &cycle)| (cycle, number)).min()
    }

    /// A packet of `flits` of the message of [`Twin::next`] is given.
    pub fn give(&mut self, rank: u32, number: u32, flits: u32) {
        if !self.given[rank as usize].contains(&number) {
            self.given[rank as usize].push(number);
        }
        self.flits.entry((rank, number)).or_default()[0] += flits;
    }

    /// The operation whose message is to `to`, of a class, and the `nth` of those.
    pub fn nth(&self, rank: u32, (to, class): (u32, u32), nth: u32) -> u32 {
        let mut messages = self.given_of(rank, class).filter(|&number| self.message(rank, number).0 == to);
        messages.nth(nth as usize).expect("it was given")
    }

    pub fn entered(&mut self, rank: u32, number: u32, now: u64) {
        if !self.told[rank as usize].iter().any(|told| matches!(told, Told::Enters(_, of) if *of == number)) {
            self.told[rank as usize].push(Told::Enters(now + 1, number));
        }
    }

    pub fn left(&mut self, rank: u32, number: u32, flits: u32, at: u64) {
        let all = self.message(rank, number).1;
        let left = &mut self.flits.entry((rank, number)).or_default()[1];
        *left += flits;
        if *left == all {
            self.told[rank as usize].push(Told::Left(at, number));
        }
    }

    pub fn delivered(&mut self, from: u32, number: u32, flits: u32, now: u64) {
        let (to, _, tag) = self.message(from, number);
        let last = number;
        self.flits.entry((from, number)).or_default()[2] += flits;
        if self.classes.keeps == Keeps::Unmatched {
            self.kept.push((to, from, number));
        }
        // All of them that have arrived, in the order in which they were sent, up to the first that has not.
        let whole =
            |&number: &u32| self.flits.get(&(from, number)).is_some_and(|f| f[2] == self.message(from, number).1);
        let class = self.class(from, number);
        let sent: Vec<u32> = self.given_of(from, class).filter(|&number| self.message(from, number).0 == to).collect();
        let here: Vec<u32> = sent.into_iter().take_while(whole).collect();
        for number in here {
            let known = |told: &Told| matches!(*told, Told::Arrived(_, source, of) if (source, of) == (from, number));
            if !self.told[to as usize].iter().any(known) {
                self.told[to as usize].push(Told::Arrived(now, from, number));
                if number == last && matches!(self.classes.keeps, Keeps::Requests(below) if tag < below) {
                    self.kept.push((to, from, number));
                }
            }
        }
    }

    /// What has happened at a rank up to cycle `now`.
    pub fn story(&self, rank: u32, now: u64) -> Story {
        let mut story = Story::default();
        let mut heard: BTreeSet<usize> = BTreeSet::new();
        // Starts and ends that are known, and whether they have happened.
        let mut ahead = Ahead::new();
        let mut processors: BTreeMap<u8, u64> = BTreeMap::new();
        for cycle in 0..=now {
            loop {
                for (n, told) in self.told[rank as usize].iter().enumerate() {
                    match *told {
                        Told::Enters(at, number) if at <= cycle && heard.insert(n) => {
                            _ = ahead.insert((number, false), at)
                        }
                        Told::Left(at, number) if at <= cycle && heard.insert(n) => {
                            _ = ahead.insert((number, true), at)
                        }
                        Told::Arrived(at, source, number) if at <= cycle && heard.insert(n) => {
                            self.arrives(rank, &mut story, (source, number), cycle, &mut ahead);
                        }
                        _ => {}
                    }
                }
                let Some((number, what)) = self.due(rank, &story, &ahead, cycle) else { break };
                match what {
                    0 => self.begins(rank, number, cycle, (&mut story, &mut ahead, &mut processors)),
                    1 => _ = story.started.insert(number, cycle),
                    _ => _ = story.finished.insert(number, cycle),
                }
            }
        }
        story
    }

    /// The first thing that happens next in a cycle: to the operation with the lowest number.
    fn due(&self, rank: u32, story: &Story, ahead: &Ahead, cycle: u64) -> Option<(u32, u8)> {
        (0..self.program.0[rank as usize].len() as u32).find_map(|number| {
            let step = &self.program.0[rank as usize][number as usize];
            let met = |(of, upon): &(u32, Upon)| match upon {
                Upon::Start => story.started.contains_key(of),
                Upon::Finish => story.finished.contains_key(of),
            };
            let known = |end: bool| ahead.get(&(number, end)).is_some_and(|&at| at <= cycle);
            if !story.ready.contains_key(&number) && step.waits.iter().all(met) {
                Some((number, 0))
            } else if known(false) && !story.started.contains_key(&number) {
                Some((number, 1))
            } else if known(true) && !story.finished.contains_key(&number) {
                Some((number, 2))
            } else {
                None
            }
        })
    }

    fn begins(
        &self,
        rank: u32,
        number: u32,
        cycle: u64,
        (story, ahead, processors): (&mut Story, &mut Ahead, &mut BTreeMap<u8, u64>),
    ) {
        story.ready.insert(number, cycle);
        match self.work(rank, number) {
            Work::Send { to, .. } if to == rank => {
                ahead.insert((number, false), cycle);
                ahead.insert((number, true), cycle);
                self.arrives(rank, story, (rank, number), cycle, ahead);
            }
            Work::Send { .. } => {}
            Work::Receive { .. } => {
                ahead.insert((number, false), cycle);
                let fits = |&(source, sent): &(u32, u32)| self.takes(rank, number, source, sent);
                match story.unmatched.iter().position(fits) {
                    None => story.posted.push(number),
                    Some(at) => {
                        story.taken.insert(number, story.unmatched.remove(at));
                        ahead.insert((number, true), cycle);
                    }
                }
            }
            Work::Compute { cycles, on } => {
                let start = cycle.max(processors.get(&on).copied().unwrap_or(0));
                processors.insert(on, start + cycles);
                ahead.insert((number, false), start);
                ahead.insert((number, true), start + cycles);
            }
        }
    }

    fn takes(&self, rank: u32, receive: u32, source: u32, sent: u32) -> bool {
        let Work::Send { tag: written, .. } = self.work(source, sent) else { return false };
        match self.work(rank, receive) {
            Work::Receive { from, tag, .. } => {
                from.is_none_or(|from| from == source) && tag.is_none_or(|tag| tag == written)
            }
            _ => false,
        }
    }

    fn arrives(&self, rank: u32, story: &mut Story, (source, number): (u32, u32), cycle: u64, ahead: &mut Ahead) {
        match story.posted.iter().position(|&receive| self.takes(rank, receive, source, number)) {
            None => story.unmatched.push((source, number)),
            Some(at) => {
                let receive = story.posted.remove(at);
                story.taken.insert(receive, (source, number));
                ahead.insert((receive, true), cycle);
            }
        }
    }
}
