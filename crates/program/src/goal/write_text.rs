//! Writes GOAL text: every operation has a label, and a dependency stands as soon as both its labels do.

use super::Units;
use crate::contract::{Program, Upon, Work};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Write};

/// Dependencies that wait for a label: who waits, for whom.
type Open = BinaryHeap<Reverse<(u32, u32, Upon)>>;

/// Writes a program as text, bytes and nanoseconds by the units. It is not held as a whole.
///
/// # Errors
/// Those of the writer, and of kind [`io::ErrorKind::InvalidInput`] where a program computes and the units have no cycle.
pub fn write_text(program: &dyn Program, units: &Units, out: &mut dyn Write) -> io::Result<()> {
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidInput, message);
    units.check().map_err(wrong)?;
    writeln!(out, "num_ranks {}", program.ranks())?;
    for rank in 0..program.ranks() {
        writeln!(out, "\nrank {rank} {{")?;
        let mut open = Open::new();
        for number in 0..program.operations(rank) {
            match program.operation(rank, number).work {
                Work::Send { to, flits, tag } => {
                    writeln!(out, "l{number}: send {}b to {to} tag {tag}", units.bytes(flits))?;
                }
                Work::Receive { from, tag, flits } => {
                    write!(out, "l{number}: recv {}b from ", units.bytes(flits))?;
                    any(from, out)?;
                    write!(out, " tag ")?;
                    any(tag, out)?;
                    writeln!(out)?;
                }
                Work::Compute { cycles, on } => {
                    write!(out, "l{number}: calc {}", units.ns(cycles).map_err(wrong)?)?;
                    match on {
                        0 => writeln!(out)?,
                        on => writeln!(out, " cpu {on}")?,
                    }
                }
            }
            dependencies(program, rank, number, &mut open, out)?;
        }
        writeln!(out, "}}")?;
    }
    Ok(())
}

fn any(value: Option<u32>, out: &mut dyn Write) -> io::Result<()> {
    match value {
        Some(value) => write!(out, "{value}"),
        None => write!(out, "-1"),
    }
}

/// All dependencies whose later label is this one.
fn dependencies(program: &dyn Program, rank: u32, number: u32, open: &mut Open, out: &mut dyn Write) -> io::Result<()> {
    while let Some(&Reverse((after, before, upon))) = open.peek().filter(|next| next.0.0 == number) {
        open.pop();
        dependency(after, before, upon, out)?;
    }
    let mut wrong = Ok(());
    program.dependants(rank, number, &mut |after, upon| {
        if after > number {
            open.push(Reverse((after, number, upon)));
        } else if wrong.is_ok() {
            wrong = dependency(after, number, upon, out);
        }
    });
    wrong
}

fn dependency(after: u32, before: u32, upon: Upon, out: &mut dyn Write) -> io::Result<()> {
    let verb = if upon == Upon::Start { "irequires" } else { "requires" };
    writeln!(out, "l{after} {verb} l{before}")
}
