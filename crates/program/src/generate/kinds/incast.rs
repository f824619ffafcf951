//! Incast: every rank but the root sends one message to the root, all at once.

use crate::contract::{Upon, Work};
use crate::generate::shape::Shape;

/// Many to one.
#[derive(Debug)]
pub(crate) struct Incast {
    /// All ranks.
    pub(crate) ranks: u32,
    /// The rank that receives.
    pub(crate) root: u32,
    /// Flits of every message.
    pub(crate) flits: u32,
}

impl Shape for Incast {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn operations(&self, rank: u32) -> u64 {
        if rank == self.root { u64::from(self.ranks - 1) } else { 1 }
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        if rank != self.root {
            return Work::Send { to: self.root, flits: self.flits, tag: 0 };
        }
        let from = number + u32::from(number >= self.root);
        Work::Receive { from: Some(from), tag: Some(0), flits: self.flits }
    }

    fn waits_for(&self, _: u32, _: u32, _: &mut dyn FnMut(u32, Upon)) {}

    fn dependants(&self, _: u32, _: u32, _: &mut dyn FnMut(u32, Upon)) {}

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        (0..self.operations(rank) as u32).for_each(each);
    }

    fn place(&self, rank: u32, number: u32) -> String {
        match self.work(rank, number) {
            Work::Receive { from: Some(from), .. } => format!("the message from rank {from}"),
            _ => "the message to the root".to_owned(),
        }
    }

    fn lengths(&self) -> (u32, u32) {
        (self.flits, self.flits)
    }
}
