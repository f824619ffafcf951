//! Writes GOAL in its binary form, as LogGOPSim reads it.

use super::{ANY, MAGIC, RECORD, Units};
use crate::contract::{Program, Upon, Work};
use std::io::{self, Write};

/// Writes a program in the binary form. It is not held as a whole: every rank is asked several times.
///
/// # Errors
/// Those of the writer, and of kind [`io::ErrorKind::InvalidInput`] where a program computes and the units have no cycle.
pub fn write_binary(program: &dyn Program, units: &Units, out: &mut dyn Write) -> io::Result<()> {
    units.check().map_err(wrong)?;
    out.write_all(&MAGIC.to_le_bytes())?;
    out.write_all(&program.ranks().to_le_bytes())?;
    out.write_all(&[processors(program), 0])?;
    // Places count from behind the first eight bytes.
    let mut begin = 6 + 16 * u64::from(program.ranks());
    for rank in 0..program.ranks() {
        let end = begin + Counts::of(program, rank).bytes();
        out.write_all(&begin.to_le_bytes())?;
        out.write_all(&end.to_le_bytes())?;
        begin = end;
    }
    (0..program.ranks()).try_for_each(|rank| write_rank(program, rank, units, out))
}

fn wrong(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

/// The highest number of a processor.
fn processors(program: &dyn Program) -> u8 {
    let mut most = 0;
    for rank in 0..program.ranks() {
        for number in 0..program.operations(rank) {
            if let Work::Compute { on, .. } = program.operation(rank, number).work {
                most = most.max(on);
            }
        }
    }
    most
}

/// What a rank has.
struct Counts {
    operations: u32,
    roots: u32,
    dependencies: u64,
}

impl Counts {
    fn of(program: &dyn Program, rank: u32) -> Counts {
        let operations = program.operations(rank);
        let mut counts = Counts { operations, roots: 0, dependencies: 0 };
        for number in 0..operations {
            let requirements = program.operation(rank, number).requirements;
            counts.roots += u32::from(requirements == 0);
            counts.dependencies += u64::from(requirements);
        }
        counts
    }

    fn bytes(&self) -> u64 {
        8 + 4 * u64::from(self.roots) + RECORD * u64::from(self.operations) + 4 * self.dependencies
    }
}

/// Dependants of an operation: after its end, then after its start.
fn dependants(program: &dyn Program, rank: u32, number: u32) -> [Vec<u32>; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    program.dependants(rank, number, &mut |after, upon| lists[usize::from(upon == Upon::Start)].push(after));
    lists
}

fn write_rank(program: &dyn Program, rank: u32, units: &Units, out: &mut dyn Write) -> io::Result<()> {
    let counts = Counts::of(program, rank);
    out.write_all(&counts.operations.to_le_bytes())?;
    out.write_all(&counts.roots.to_le_bytes())?;
    let mut written = Ok(());
    program.roots(rank, &mut |root| {
        if written.is_ok() {
            written = out.write_all(&root.to_le_bytes());
        }
    });
    written?;
    let mut first = 0_u32;
    for number in 0..counts.operations {
        out.write_all(&record(program, rank, number, units)?)?;
        for list in dependants(program, rank, number) {
            let count = list.len() as u32;
            out.write_all(&count.to_le_bytes())?;
            out.write_all(&first.to_le_bytes())?;
            first = first.wrapping_add(count);
        }
    }
    for number in 0..counts.operations {
        for after in dependants(program, rank, number).iter().flatten() {
            out.write_all(&after.to_le_bytes())?;
        }
    }
    Ok(())
}

/// An operation up to its dependants.
fn record(program: &dyn Program, rank: u32, number: u32, units: &Units) -> io::Result<Vec<u8>> {
    let operation = program.operation(rank, number);
    let (kind, peer, size, tag, on) = match operation.work {
        Work::Send { to, flits, tag } => (1, to, units.bytes(flits), tag, 0),
        Work::Receive { from, tag, flits } => (2, from.unwrap_or(ANY), units.bytes(flits), tag.unwrap_or(ANY), 0),
        Work::Compute { cycles, on } => (3, 0, units.ns(cycles).map_err(wrong)?, 0, on),
    };
    let mut bytes = Vec::with_capacity(RECORD as usize);
    bytes.extend(operation.requirements.to_le_bytes());
    bytes.push(kind);
    bytes.extend(u32::to_le_bytes(peer));
    bytes.extend(u64::to_le_bytes(size));
    bytes.extend(u32::to_le_bytes(tag));
    bytes.extend([on, 0]);
    Ok(bytes)
}
