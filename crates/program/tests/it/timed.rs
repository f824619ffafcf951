//! An ideal network: a rank sends one flit a cycle and takes one flit a cycle, and a message of `m` flits alone takes `a + m` cycles.
//!
//! Everything else is what a program's semantics say: operations become ready, sends queue, receives match, computations share processors.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use tailback_program::{Program, Upon, Work};

/// What happens at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A message is there: source, tag, destination.
    Delivered {
        to: u32,
        from: u32,
        tag: u32,
    },
    Finished {
        rank: u32,
        number: u32,
    },
    Started {
        rank: u32,
        number: u32,
    },
    /// A rank's port may be free.
    Port {
        rank: u32,
    },
}

#[derive(Debug, Default)]
struct Rank {
    missing: Vec<u32>,
    /// Sends that are ready, by cycle and number.
    queue: BTreeSet<(u64, u32)>,
    port_free: u64,
    door_free: u64,
    /// Posted receives in their order, and messages that found none.
    posted: VecDeque<u32>,
    waiting: VecDeque<(u32, u32)>,
    processors: BTreeMap<u8, u64>,
}

struct Machine<'p> {
    program: &'p dyn Program,
    across: u64,
    ranks: Vec<Rank>,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    left: u64,
}

/// The cycle in which the last operation finishes, or nothing where the program is stuck.
pub fn completion(program: &dyn Program, across: u64) -> Option<u64> {
    let rank = |rank: u32| Rank {
        missing: (0..program.operations(rank)).map(|number| program.operation(rank, number).requirements).collect(),
        ..Rank::default()
    };
    let ranks: Vec<Rank> = (0..program.ranks()).map(rank).collect();
    let left = ranks.iter().map(|rank| rank.missing.len() as u64).sum();
    let mut machine = Machine { program, across, ranks, events: BinaryHeap::new(), left };
    for rank in 0..program.ranks() {
        let mut roots = Vec::new();
        program.roots(rank, &mut |number| roots.push(number));
        roots.into_iter().for_each(|number| machine.ready(0, rank, number));
    }
    machine.run()
}

impl Machine<'_> {
    fn run(mut self) -> Option<u64> {
        let mut last = 0;
        while let Some(Reverse((now, event))) = self.events.pop() {
            match event {
                Event::Delivered { to, from, tag } => self.arrive(now, to, from, tag),
                Event::Finished { rank, number } => {
                    last = now;
                    self.left -= 1;
                    self.wake(now, rank, number, Upon::Finish);
                }
                Event::Started { rank, number } => self.wake(now, rank, number, Upon::Start),
                Event::Port { rank } => self.serve(now, rank),
            }
        }
        (self.left == 0).then_some(last)
    }

    fn at(&mut self, when: u64, event: Event) {
        self.events.push(Reverse((when, event)));
    }

    fn wake(&mut self, now: u64, rank: u32, number: u32, what: Upon) {
        let mut woken = Vec::new();
        self.program.dependants(rank, number, &mut |dependant, upon| {
            if upon == what {
                woken.push(dependant);
            }
        });
        for number in woken {
            let missing = &mut self.ranks[rank as usize].missing[number as usize];
            *missing -= 1;
            if *missing == 0 {
                self.ready(now, rank, number);
            }
        }
    }

    fn ready(&mut self, now: u64, rank: u32, number: u32) {
        let me = &mut self.ranks[rank as usize];
        match self.program.operation(rank, number).work {
            Work::Send { .. } => {
                me.queue.insert((now, number));
                let when = me.port_free.max(now);
                self.at(when, Event::Port { rank });
            }
            Work::Receive { .. } => {
                me.posted.push_back(number);
                self.matched(now, rank);
            }
            Work::Compute { cycles, on } => {
                let free = me.processors.entry(on).or_default();
                let begin = now.max(*free);
                *free = begin + cycles;
                self.at(begin, Event::Started { rank, number });
                self.at(begin + cycles, Event::Finished { rank, number });
            }
        }
    }

    fn serve(&mut self, now: u64, rank: u32) {
        let me = &mut self.ranks[rank as usize];
        if me.port_free > now {
            return;
        }
        let Some((_, number)) = me.queue.pop_first() else { return };
        let Work::Send { to, flits, tag } = self.program.operation(rank, number).work else { unreachable!() };
        me.port_free = now + u64::from(flits);
        let free = me.port_free;
        let door = &mut self.ranks[to as usize].door_free;
        *door = (now + self.across).max(*door) + u64::from(flits);
        let there = *door;
        self.at(now, Event::Started { rank, number });
        self.at(free, Event::Finished { rank, number });
        self.at(free, Event::Port { rank });
        self.at(there, Event::Delivered { to, from: rank, tag });
    }

    fn arrive(&mut self, now: u64, to: u32, from: u32, tag: u32) {
        self.ranks[to as usize].waiting.push_back((from, tag));
        self.matched(now, to);
    }

    /// Matches all that can be matched: messages in the order of arrival, receives in the order in which they were posted.
    fn matched(&mut self, now: u64, rank: u32) {
        let program = self.program;
        let me = &mut self.ranks[rank as usize];
        let fits = |number: u32, (source, mark): (u32, u32)| match program.operation(rank, number).work {
            Work::Receive { from, tag, .. } => {
                from.is_none_or(|from| from == source) && tag.is_none_or(|tag| tag == mark)
            }
            _ => unreachable!("only receives are posted"),
        };
        let pair = me.waiting.iter().enumerate().find_map(|(message, &what)| {
            let receive = me.posted.iter().position(|&number| fits(number, what))?;
            Some((message, receive))
        });
        if let Some((message, receive)) = pair {
            me.waiting.remove(message);
            let number = me.posted.remove(receive).expect("it was found");
            self.at(now, Event::Started { rank, number });
            self.at(now, Event::Finished { rank, number });
        }
    }
}
