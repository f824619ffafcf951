//! Reads GOAL in its binary form, rank by rank.
//!
//! No number of the file is believed: places lie within it, ranks do not share bytes, and lists are as long as the bytes that are there for them. So
//! what is held is never much more than the file.

use super::draft::Draft;
use super::fault::{At, Fault};
use super::stored::{Form, Kind, MOST_OPERATIONS, OfRank, Record, Stored};
use super::{ANY, MAGIC, RECORD, USED_UP, Units};
use crate::contract::Upon;
use crate::generate::table::MOST_RANKS;
use std::io::{Read, Seek, SeekFrom};

/// What stands before the table of ranks.
const HEAD: u64 = 14;
/// From here on places are counted.
const ORIGIN: u64 = 8;

/// Reads a file of so many bytes.
pub(super) fn read(reader: &mut (impl Read + Seek), length: u64, units: &Units) -> Result<Stored, Fault> {
    units.check().map_err(|message| Fault::new(At::File, message))?;
    let head = bytes(reader, 0, HEAD, length)?;
    match number(&head, 0) {
        MAGIC => {}
        USED_UP => {
            let message = "LogGOPSim has run this file with --save-mem and used it up; make it again";
            return Err(Fault::new(At::Byte(0), message.to_owned()));
        }
        other => {
            return Err(Fault::new(
                At::Byte(0),
                format!("a binary file begins with {MAGIC}, and this one with {other}"),
            ));
        }
    }
    let ranks = u64::from(short(&head, 8));
    if !(1..=MOST_RANKS).contains(&ranks) {
        let message = format!("there are {ranks} ranks, and a program has between 1 and {MOST_RANKS}");
        return Err(Fault::new(At::Byte(8), message));
    }
    let table = bytes(reader, HEAD, 16 * ranks, length)?;
    let mut all = Vec::new();
    let mut end = HEAD + 16 * ranks;
    for rank in 0..ranks {
        let at = HEAD + 16 * rank;
        let section = |place: usize| number(&table, 16 * rank as usize + place).saturating_add(ORIGIN);
        let (begin, behind) = (section(0), section(8));
        if begin < end || behind < begin || behind > length {
            let message = format!(
                "rank {rank} is said to stand from byte {begin} to byte {behind}; \
                 it begins behind byte {end} and ends before byte {length}"
            );
            return Err(Fault::new(At::Byte(at), message));
        }
        end = behind;
        let held = bytes(reader, begin, behind - begin, length)?;
        all.push(Section { bytes: &held, begin, rank, ranks, units }.read()?);
    }
    Ok(Stored::new(all, Form::Binary))
}

/// Bytes of a file that has so many.
fn bytes(reader: &mut (impl Read + Seek), begin: u64, count: u64, length: u64) -> Result<Vec<u8>, Fault> {
    if begin.checked_add(count).is_none_or(|end| end > length) {
        let message = format!("the file ends at byte {length}, and {count} bytes are due from here on");
        return Err(Fault::new(At::Byte(begin), message));
    }
    let system = |error: std::io::Error| Fault::new(At::Byte(begin), format!("it cannot be read: {error}"));
    let mut bytes = vec![0; count as usize];
    reader.seek(SeekFrom::Start(begin)).map_err(system)?;
    reader.read_exact(&mut bytes).map_err(system)?;
    Ok(bytes)
}

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes are eight bytes"))
}

fn short(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes are four bytes"))
}

/// The bytes of a rank.
struct Section<'f> {
    bytes: &'f [u8],
    /// Where they stand in the file.
    begin: u64,
    rank: u64,
    ranks: u64,
    units: &'f Units,
}

/// Where the dependants of an operation are said in its record: after its end, and after its start.
const LISTS: [(usize, Upon); 2] = [(23, Upon::Finish), (31, Upon::Start)];

impl Section<'_> {
    fn fault(&self, at: u64, message: String) -> Fault {
        Fault::new(At::Byte(self.begin + at), message)
    }

    fn read(&self) -> Result<OfRank, Fault> {
        let (rank, length) = (self.rank, self.bytes.len() as u64);
        if length < 8 {
            return Err(self.fault(0, format!("rank {rank} has {length} bytes, and its counts alone are 8")));
        }
        let (operations, roots) = (u64::from(short(self.bytes, 0)), u64::from(short(self.bytes, 4)));
        let records = 8 + 4 * roots;
        let appendix = records + RECORD * operations;
        if appendix > length || operations > MOST_OPERATIONS {
            let message = format!(
                "rank {rank} is said to have {operations} operations and {roots} that wait for nothing, \
                 which are {appendix} bytes; it has {length}"
            );
            return Err(self.fault(0, message));
        }
        let mut draft = Draft::default();
        draft.records.reserve_exact(operations as usize);
        for number in 0..operations {
            draft.records.push(self.record(records + RECORD * number)?);
        }
        self.dependants(&mut draft, records, appendix)?;
        self.agrees(&draft, records)?;
        Ok(draft.finish(self.begin + records))
    }

    fn record(&self, at: u64) -> Result<Record, Fault> {
        let bytes = &self.bytes[at as usize..(at + RECORD) as usize];
        let kind = match bytes[4] {
            1 => Kind::Send,
            2 => Kind::Receive,
            3 => Kind::Compute,
            other => {
                return Err(self.fault(at + 4, format!("an operation has type 1, 2 or 3, and this one has {other}")));
            }
        };
        let (peer, size, tag) = (short(bytes, 5), number(bytes, 9), short(bytes, 17));
        let any = kind == Kind::Receive && peer == ANY;
        if kind != Kind::Compute && u64::from(peer) >= self.ranks && !any {
            return Err(self.fault(at + 5, format!("there is no rank {peer}; the file has {} ranks", self.ranks)));
        }
        let length = match kind {
            Kind::Compute => self.units.cycles(size),
            Kind::Send | Kind::Receive => self.units.flits(size).map(u64::from),
        };
        let length = length.map_err(|message| self.fault(at + 9, message))?;
        let computes = kind == Kind::Compute;
        let (peer, tag, on) = if computes { (0, 0, bytes[21]) } else { (peer, tag, 0) };
        Ok(Record { length, peer, tag, requirements: 0, first: 0, line: 0, column: 0, kind, on })
    }

    /// Every list of dependants, which lie in the appendix and are no more together than it has.
    fn dependants(&self, draft: &mut Draft, records: u64, appendix: u64) -> Result<(), Fault> {
        let there = (self.bytes.len() as u64 - appendix) / 4;
        let mut taken = 0;
        for before in 0..draft.records.len() as u32 {
            for (place, upon) in LISTS {
                let at = records + RECORD * u64::from(before) + place as u64;
                let count = u64::from(short(self.bytes, at as usize));
                let first = u64::from(short(self.bytes, at as usize + 4));
                taken += count;
                if count > 0 && (first + count > there || taken > there) {
                    let message = format!(
                        "{count} dependants are said to begin at {first}, and the appendix of rank {} has {there}",
                        self.rank
                    );
                    return Err(self.fault(at, message));
                }
                for which in first..first + count {
                    let at = appendix + 4 * which;
                    let after = short(self.bytes, at as usize);
                    if after as usize >= draft.records.len() {
                        let message =
                            format!("there is no operation {after}; rank {} has {}", self.rank, draft.records.len());
                        return Err(self.fault(at, message));
                    }
                    if !draft.wait(after, before, upon) {
                        return Err(self.fault(at, format!("a rank has {} dependencies at most", u32::MAX)));
                    }
                }
            }
        }
        Ok(())
    }

    /// The counts of dependencies and the list of what waits for nothing say what the lists of dependants say.
    fn agrees(&self, draft: &Draft, records: u64) -> Result<(), Fault> {
        let mut next = 8;
        for (record, number) in draft.records.iter().zip(0_u32..) {
            let at = records + RECORD * u64::from(number);
            let said = short(self.bytes, at as usize);
            if said != record.requirements {
                let found = record.requirements;
                return Err(
                    self.fault(at, format!("the operation is said to wait for {said} others, and waits for {found}"))
                );
            }
            if said == 0 {
                if next >= records || short(self.bytes, next as usize) != number {
                    let message = format!(
                        "operation {number} of rank {} waits for nothing, \
                         and the list of such operations has not got it here",
                        self.rank
                    );
                    return Err(self.fault(next.min(records), message));
                }
                next += 4;
            }
        }
        match next == records {
            true => Ok(()),
            false => {
                Err(self.fault(next, format!("the list of what waits for nothing in rank {} is too long", self.rank)))
            }
        }
    }
}
