//! The chain of causes, from what was told of every operation.

use super::{COMPUTE, Shares};
use serde::{Deserialize, Serialize};
use tailback_engine::outcome::{NEVER, Told};
use tailback_program::Work;
use tailback_traffic::Placed;

/// A part of the chain: one computation, or one message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// First cycle.
    pub from: u64,
    /// The first cycle behind it.
    pub to: u64,
    /// What it is.
    pub kind: Kind,
    /// The rank that computes or sends.
    pub rank: u32,
    /// The operation of that rank.
    pub operation: u32,
    /// Where the operation stands, for people.
    pub place: String,
    /// The rank that receives.
    pub peer: Option<u32>,
    /// Flits of the message on its way.
    pub flits: u32,
    /// Number of the packet at its source with which the message was complete; means nothing of other kinds.
    #[serde(skip)]
    pub packet: u64,
    /// Its cycles by what they were spent on: their sum is its length.
    pub shares: Shares,
}

/// What a part of the chain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A computation.
    Compute,
    /// A message, from when its send was ready until it was delivered.
    Message,
    /// A send, from when it was ready until its last flit left the source, for which another operation waited.
    Send,
    /// A send until its first flit left.
    Start,
}

/// What happened to an operation, and made the next thing happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Ready(u32, u32),
    Started(u32, u32),
    Finished(u32, u32),
}

/// What is known of a run.
struct Walk<'a> {
    placed: &'a Placed,
    told: &'a [Vec<Told>],
    /// From the end on.
    segments: Vec<Segment>,
}

/// The chain in the order of time; `None` where not all operations have finished, or where what was told contradicts itself.
pub(super) fn chain(placed: &Placed, told: &[Vec<Told>]) -> Option<Vec<Segment>> {
    let mut walk = Walk { placed, told, segments: Vec::new() };
    let mut event = walk.end()?;
    let all: usize = told.iter().map(Vec::len).sum();
    // Three things happen to an operation.
    for _ in 0..3 * all + 1 {
        let Some(before) = walk.before(event)? else {
            walk.segments.reverse();
            return is_whole(&walk.segments).then_some(walk.segments);
        };
        event = before;
    }
    None
}

/// Whether nothing lies between two segments, nor before the first.
fn is_whole(segments: &[Segment]) -> bool {
    let begins = segments.first().is_none_or(|first| first.from == 0);
    begins && segments.windows(2).all(|two| two[0].to == two[1].from)
}

impl Walk<'_> {
    fn of(&self, rank: u32, number: u32) -> Option<&Told> {
        self.told.get(rank as usize)?.get(number as usize)
    }

    /// What finished last: of several the one of the lowest rank and number.
    fn end(&self) -> Option<Event> {
        let mut last: Option<(u64, Event)> = None;
        for (rank, operations) in (0..).zip(self.told) {
            for (number, told) in (0..).zip(operations) {
                if told.finished == u64::MAX {
                    return None;
                }
                if last.is_none_or(|(cycle, _)| told.finished > cycle) {
                    last = Some((told.finished, Event::Finished(rank, number)));
                }
            }
        }
        last.map(|(_, event)| event)
    }

    /// What made it happen, in the same cycle or at the beginning of the segment that is added: `Some(None)` in cycle 0.
    fn before(&mut self, event: Event) -> Option<Option<Event>> {
        match event {
            Event::Ready(rank, number) => {
                let told = self.of(rank, number)?;
                Some(match (told.after, told.upon_start) {
                    (NEVER, _) => None,
                    (after, true) => Some(Event::Started(rank, after)),
                    (after, false) => Some(Event::Finished(rank, after)),
                })
            }
            Event::Started(rank, number) => self.started(rank, number).map(Some),
            Event::Finished(rank, number) => self.finished(rank, number).map(Some),
        }
    }

    fn started(&mut self, rank: u32, number: u32) -> Option<Event> {
        let told = *self.of(rank, number)?;
        match self.placed.program().operation(rank, number).work {
            Work::Compute { .. } if told.started > told.ready => Some(Event::Finished(rank, told.before)),
            Work::Send { to, .. } if to != rank => {
                self.add((told.ready, told.started), Kind::Start, (rank, number), 0);
                Some(Event::Ready(rank, number))
            }
            _ => Some(Event::Ready(rank, number)),
        }
    }

    fn finished(&mut self, rank: u32, number: u32) -> Option<Event> {
        let told = *self.of(rank, number)?;
        match self.placed.program().operation(rank, number).work {
            Work::Compute { .. } => {
                self.add((told.started, told.finished), Kind::Compute, (rank, number), 0);
                Some(Event::Started(rank, number))
            }
            Work::Send { to, .. } if to != rank => {
                self.add((told.ready, told.finished), Kind::Send, (rank, number), 0);
                Some(Event::Ready(rank, number))
            }
            Work::Send { .. } => Some(Event::Ready(rank, number)),
            Work::Receive { .. } if told.trigger.0 == NEVER => Some(Event::Ready(rank, number)),
            Work::Receive { .. } => {
                let (source, send) = told.trigger;
                let ready = self.of(source, send)?.ready;
                if source != rank {
                    self.add((ready, told.finished), Kind::Message, (source, send), told.packet);
                }
                Some(Event::Ready(source, send))
            }
        }
    }

    fn add(&mut self, (from, to): (u64, u64), kind: Kind, (rank, operation): (u32, u32), packet: u64) {
        if from >= to {
            return;
        }
        let program = self.placed.program();
        let (peer, flits) = match program.operation(rank, operation).work {
            Work::Send { to, flits, .. } => (Some(to), self.placed.on_the_way(flits)),
            _ => (None, 0),
        };
        let mut shares = Shares::default();
        if kind == Kind::Compute {
            shares[COMPUTE] = to - from;
        }
        let place = program.place(rank, operation);
        self.segments.push(Segment { from, to, kind, rank, operation, place, peer, flits, packet, shares });
    }
}
