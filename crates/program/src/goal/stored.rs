//! A program that was read from a file: compact arrays, 32 bytes an operation and 4 bytes a dependency.

use super::fault::At;
use super::{ANY, RECORD};
use crate::contract::{Operation, Program, Upon, Work};
use crate::hash::Hash;

/// A dependency's bit that says: upon the start.
pub(super) const START: u32 = 1 << 31;
/// Operations of a rank at most, so that the bit is free.
pub(super) const MOST_OPERATIONS: u64 = (1 << 31) - 1;

/// What an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A send.
    Send,
    /// A receive.
    Receive,
    /// A computation.
    Compute,
}

/// An operation as it is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// Flits or cycles.
    pub(super) length: u64,
    /// The other rank, or [`ANY`].
    pub(super) peer: u32,
    /// The tag, or [`ANY`] of a receive.
    pub(super) tag: u32,
    /// How many dependencies lead here.
    pub(super) requirements: u32,
    /// Where its dependants begin in the list of its rank.
    pub(super) first: u32,
    /// The line of a text file, as far as it fits.
    pub(super) line: u32,
    /// The column in that line, as far as it fits.
    pub(super) column: u16,
    pub(super) kind: Kind,
    /// The processor of a computation.
    pub(super) on: u8,
}

/// Operations of a rank.
#[derive(Clone, Debug)]
pub(super) struct OfRank {
    pub(super) records: Box<[Record]>,
    /// Dependants, those of an operation in rising order, each with [`START`] where it waits for the start.
    pub(super) dependants: Box<[u32]>,
    /// Where the records begin in a binary file.
    pub(super) base: u64,
}

/// A program that was read.
#[derive(Clone, Debug)]
pub struct Stored {
    ranks: Vec<OfRank>,
    form: Form,
    identity: u64,
    lengths: (u32, u32),
    has_starts: bool,
    meets_once: bool,
}

/// How places are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// By lines.
    Text,
    /// By bytes.
    Binary,
}

impl Stored {
    pub(super) fn new(ranks: Vec<OfRank>, form: Form) -> Stored {
        let (identity, lengths) = (identity(&ranks), lengths(&ranks));
        let has_starts = ranks.iter().any(|rank| rank.dependants.iter().any(|&packed| packed & START != 0));
        let meets_once = meets_once(&ranks);
        Stored { ranks, form, identity, lengths, has_starts, meets_once }
    }

    /// Where an operation stands in its file.
    pub fn at(&self, rank: u32, number: u32) -> At {
        let of_rank = &self.ranks[rank as usize];
        match self.form {
            Form::Binary => At::Byte(of_rank.base + RECORD * u64::from(number)),
            Form::Text => {
                let record = &of_rank.records[number as usize];
                At::Line(record.line.into(), record.column.into())
            }
        }
    }

    fn record(&self, rank: u32, number: u32) -> &Record {
        &self.ranks[rank as usize].records[number as usize]
    }
}

impl OfRank {
    fn of(&self, number: u32) -> &[u32] {
        let begin = self.records[number as usize].first as usize;
        let end = self.records.get(number as usize + 1).map_or(self.dependants.len(), |next| next.first as usize);
        &self.dependants[begin..end]
    }
}

/// A number and what is waited for.
pub(super) fn unpack(packed: u32) -> (u32, Upon) {
    (packed & !START, if packed & START == 0 { Upon::Finish } else { Upon::Start })
}

fn work(record: &Record) -> Work {
    let some = |value: u32| (value != ANY).then_some(value);
    match record.kind {
        Kind::Send => Work::Send { to: record.peer, flits: record.length as u32, tag: record.tag },
        Kind::Receive => Work::Receive { from: some(record.peer), tag: some(record.tag), flits: record.length as u32 },
        Kind::Compute => Work::Compute { cycles: record.length, on: record.on },
    }
}

fn identity(ranks: &[OfRank]) -> u64 {
    let mut hash = Hash::of("read");
    hash.number(ranks.len() as u64);
    for rank in ranks {
        hash.number(rank.records.len() as u64);
        for record in &rank.records {
            hash.number(record.length);
            hash.number(u64::from(record.peer) << 32 | u64::from(record.tag));
            let (kind, on) = (record.kind as u64, u64::from(record.on));
            hash.number(u64::from(record.first) << 16 | kind << 8 | on);
        }
        rank.dependants.iter().for_each(|&packed| hash.number(packed.into()));
    }
    hash.value()
}

fn lengths(ranks: &[OfRank]) -> (u32, u32) {
    let records = ranks.iter().flat_map(|rank| &rank.records);
    let sent = records.filter(|record| record.kind == Kind::Send).map(|record| record.length as u32);
    sent.fold(None, |found: Option<(u32, u32)>, flits| {
        Some(found.map_or((flits, flits), |(most, least)| (most.max(flits), least.min(flits))))
    })
    .unwrap_or((0, 0))
}

/// Whether no rank sends to another one twice.
fn meets_once(ranks: &[OfRank]) -> bool {
    // By rank: the last one that sends to it.
    let mut last = vec![ANY; ranks.len()];
    (0_u32..).zip(ranks).all(|(from, rank)| {
        let mut sends = rank.records.iter().filter(|record| record.kind == Kind::Send && record.peer != from);
        let mut is_first =
            |to: u32| last.get_mut(to as usize).is_some_and(|last| std::mem::replace(last, from) != from);
        sends.all(|record| is_first(record.peer))
    })
}

impl Program for Stored {
    fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn operations(&self, rank: u32) -> u32 {
        self.ranks[rank as usize].records.len() as u32
    }

    fn operation(&self, rank: u32, number: u32) -> Operation {
        let record = self.record(rank, number);
        Operation { work: work(record), requirements: record.requirements }
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        work(self.record(rank, number))
    }

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        let records = self.ranks[rank as usize].records.iter().zip(0..);
        records.filter(|(record, _)| record.requirements == 0).for_each(|(_, number)| each(number));
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        for &packed in self.ranks[rank as usize].of(number) {
            let (dependant, upon) = unpack(packed);
            each(dependant, upon);
        }
    }

    fn has_starts(&self) -> bool {
        self.has_starts
    }

    fn meets_once(&self) -> bool {
        self.meets_once
    }

    fn place(&self, rank: u32, number: u32) -> String {
        match self.at(rank, number) {
            At::Line(line, _) => format!("line {line}"),
            other => other.to_string(),
        }
    }

    fn sends(&self, rank: u32) -> (u64, u64) {
        let records = self.ranks[rank as usize].records.iter();
        let sent = records.filter(|record| record.kind == Kind::Send);
        sent.fold((0, 0), |(messages, flits), record| (messages + 1, flits + record.length))
    }

    fn lengths(&self) -> (u32, u32) {
        self.lengths
    }

    fn identity(&self) -> u64 {
        self.identity
    }
}
