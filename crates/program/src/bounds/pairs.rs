//! Which receive gets which message, as far as it is certain before anything runs.
//!
//! Messages of one source, destination and tag are received in the order in which they are sent. It is certain where there is one of them,
//! and where both the sends and the receives become ready in the order of their numbers: all that one waits for comes before what the next
//! one waits for.

use crate::contract::{Program, Upon};
use crate::matching::{Arrivals, Receives, Sent};

/// No partner.
const NONE: u32 = u32::MAX;

/// Operations looked at between one send or receive and the next, at most; behind that their order counts as uncertain.
const FAR: usize = 256;

/// Pairs of sends and receives.
#[derive(Debug)]
pub(super) struct Pairs {
    /// Number of the partner in its rank, by operation.
    partner: Vec<u32>,
    /// Where the operations of a rank begin.
    begin: Vec<usize>,
}

impl Pairs {
    pub(super) fn of(program: &dyn Program) -> Pairs {
        let mut begin = vec![0];
        for rank in 0..program.ranks() {
            begin.push(begin[rank as usize] + program.operations(rank) as usize);
        }
        let mut pairs = Pairs { partner: vec![NONE; begin[program.ranks() as usize]], begin };
        let arrivals = Arrivals::of(program);
        for rank in 0..program.ranks() {
            let receives = Receives::of(program, rank);
            if receives.are_exact() {
                pairs.destination(program, rank, arrivals.at(rank), &receives.exact);
            }
        }
        pairs
    }

    /// Place of an operation among all.
    pub(super) fn index(&self, rank: u32, number: u32) -> usize {
        self.begin[rank as usize] + number as usize
    }

    /// The other end of a message.
    pub(super) fn partner(&self, rank: u32, number: u32) -> Option<u32> {
        Some(self.partner[self.index(rank, number)]).filter(|&partner| partner != NONE)
    }

    /// How many operations there are in all.
    pub(super) fn operations(&self) -> usize {
        self.partner.len()
    }

    fn destination(&mut self, program: &dyn Program, rank: u32, sent: &[Sent], exact: &[Sent]) {
        let same = |one: &Sent, other: &Sent| (one.0, one.1) == (other.0, other.1);
        let mut receives = exact.chunk_by(same).peekable();
        for sends in sent.chunk_by(same) {
            let kind = |list: &[Sent]| (list[0].0, list[0].1);
            while receives.next_if(|list| kind(list) < kind(sends)).is_some() {}
            let Some(list) = receives.next_if(|list| kind(list) == kind(sends)) else { continue };
            let certain = sends.len() == list.len()
                && (sends.len() == 1 || in_order(program, sends[0].0, sends) && in_order(program, rank, list));
            if certain {
                for (&(source, _, send), &(_, _, receive)) in sends.iter().zip(list) {
                    let (one, other) = (self.index(source, send), self.index(rank, receive));
                    self.partner[one] = receive;
                    self.partner[other] = send;
                }
            }
        }
    }
}

/// Whether operations of a rank become ready in the order of their numbers, whatever happens.
fn in_order(program: &dyn Program, rank: u32, list: &[Sent]) -> bool {
    list.windows(2).all(|pair| follows(program, rank, pair[0].2, pair[1].2))
}

/// Whether all that `one` waits for has happened when `other` is ready, as far as it stands near enough to be seen.
fn follows(program: &dyn Program, rank: u32, one: u32, other: u32) -> bool {
    let requirements = program.operation(rank, one).requirements;
    let mut led = 0;
    let count = program.operations(rank);
    // What an operation waits for mostly stands shortly before it.
    let near = (1..=FAR as u32).flat_map(|far| [one.checked_sub(far), one.checked_add(far)]);
    for before in near.flatten().filter(|&before| before < count) {
        if led == requirements {
            return true;
        }
        let mut upon = Vec::new();
        program.dependants(rank, before, &mut |after, what| {
            if after == one {
                upon.push(what);
            }
        });
        for what in upon {
            if !leads(program, rank, before, what, other) {
                return false;
            }
            led += 1;
        }
    }
    led == requirements
}

/// Whether `other` waits for this about `before`, at however many removes.
fn leads(program: &dyn Program, rank: u32, before: u32, upon: Upon, other: u32) -> bool {
    let mut seen: Vec<u32> = Vec::new();
    program.dependants(rank, before, &mut |after, what| {
        // Who waits for the start alone may go on before the end.
        if what == Upon::Finish || upon == Upon::Start {
            seen.push(after);
        }
    });
    let mut next = 0;
    while next < seen.len() && seen.len() < FAR {
        if seen[next] == other {
            return true;
        }
        program.dependants(rank, seen[next], &mut |after, _| {
            if !seen[next..].contains(&after) {
                seen.push(after);
            }
        });
        next += 1;
    }
    seen.contains(&other)
}
