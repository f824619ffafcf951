//! Programs by arithmetic: collectives and other patterns, of which nothing is held.
//!
//! Lengths that do not come out even: chunks differ by one flit, the longer ones come first, and a chunk without flits travels as one flit.

mod asked;
mod build;
mod chunks;
mod fold;
mod kinds;
mod rounds;
mod shape;
mod steps;
pub mod table;

pub use asked::{Generate, Refused};
pub use table::{Algorithm, Form, KINDS, Kind, Parameter};

use crate::contract::{Operation, Program, Upon, Work};
use crate::hash::Hash;
use asked::Asked;
use shape::Shape;

/// A generated program. It holds its parameters and nothing else.
#[derive(Debug)]
pub struct Generated {
    shape: Box<dyn Shape>,
    identity: u64,
    notes: Vec<String>,
}

impl Generated {
    /// The program that is asked for.
    ///
    /// # Errors
    /// [`Refused`] with the parameter that is missing, wrong, or not of this kind.
    pub fn new(generate: &Generate) -> Result<Generated, Refused> {
        let asked = Asked::new(generate)?;
        let (shape, notes) = build::shape(&asked)?;
        fits(shape.as_ref())?;
        Ok(Generated { shape, identity: identity(&asked), notes })
    }

    /// What a user ought to know, a sentence each: that ranks fold, for example.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// Refuses what has more operations of a rank than can be numbered.
fn fits(shape: &dyn Shape) -> Result<(), Refused> {
    let most = u64::from(u32::MAX) / 2;
    match (0..shape.ranks()).find(|&rank| shape.operations(rank) > most) {
        None => Ok(()),
        Some(rank) => {
            let found = shape.operations(rank);
            Err(Refused(format!(
                "rank {rank} would have {found} operations, and a rank has {most} at most; ask for less"
            )))
        }
    }
}

fn identity(asked: &Asked) -> u64 {
    let mut hash = Hash::of("generated");
    hash.text(asked.kind.name);
    hash.text(asked.algorithm);
    for (name, values) in asked.values() {
        hash.text(name);
        hash.number(values.len() as u64);
        values.iter().for_each(|&value| hash.number(value));
    }
    hash.value()
}

impl Program for Generated {
    fn ranks(&self) -> u32 {
        self.shape.ranks()
    }

    fn operations(&self, rank: u32) -> u32 {
        u32::try_from(self.shape.operations(rank)).expect("it was looked at when the program was made")
    }

    fn operation(&self, rank: u32, number: u32) -> Operation {
        let mut requirements = 0;
        self.shape.waits_for(rank, number, &mut |_, _| requirements += 1);
        Operation { work: self.shape.work(rank, number), requirements }
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        self.shape.work(rank, number)
    }

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        self.shape.roots(rank, each);
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        self.shape.dependants(rank, number, each);
    }

    fn has_starts(&self) -> bool {
        self.shape.has_starts()
    }

    fn meets_once(&self) -> bool {
        self.shape.meets_once()
    }

    fn place(&self, rank: u32, number: u32) -> String {
        self.shape.place(rank, number)
    }

    fn sends(&self, rank: u32) -> (u64, u64) {
        (0..self.operations(rank)).fold((0, 0), |(messages, all), number| match self.shape.work(rank, number) {
            Work::Send { flits, .. } => (messages + 1, all + u64::from(flits)),
            Work::Receive { .. } | Work::Compute { .. } => (messages, all),
        })
    }

    fn lengths(&self) -> (u32, u32) {
        self.shape.lengths()
    }

    fn identity(&self) -> u64 {
        self.identity
    }
}
