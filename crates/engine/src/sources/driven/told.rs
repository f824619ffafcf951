//! What happened to every operation of a rank, for runs that ask for it: a list as long as the rank, 56 bytes per operation.

use super::matching::Name;
use crate::outcome::{NEVER, Told};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tailback_base::state::{Unfit, ensure};
use tailback_program::Upon;

/// A packet whose delivery completes a message: that which it belongs to, and its number at its source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    pub name: Name,
    pub index: u64,
}

/// The operations of a rank; empty where nobody asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Book {
    pub operations: Vec<Told>,
    /// By processor: the computation that came last.
    last: BTreeMap<u8, u32>,
}

impl Book {
    /// The book of a rank with so many operations.
    pub fn of(operations: u32) -> Book {
        Book { operations: vec![Told::default(); operations as usize], last: BTreeMap::new() }
    }

    fn at(&mut self, number: u32, change: impl FnOnce(&mut Told)) {
        if let Some(told) = self.operations.get_mut(number as usize) {
            change(told);
        }
    }

    /// The last thing that `number` waited for has happened to `after`.
    pub fn freed(&mut self, number: u32, (after, upon): (u32, Upon)) {
        self.at(number, |told| (told.after, told.upon_start) = (after, upon == Upon::Start));
    }

    pub fn ready(&mut self, number: u32, now: u64) {
        self.at(number, |told| told.ready = now);
    }

    pub fn starts(&mut self, number: u32, at: u64) {
        self.at(number, |told| told.started = at);
    }

    /// A computation gets its processor.
    pub fn computes(&mut self, number: u32, on: u8) {
        if !self.operations.is_empty() {
            let before = self.last.insert(on, number);
            self.at(number, |told| told.before = before.unwrap_or(NEVER));
        }
    }

    /// A receive takes this message, which came with that packet; `None`: it was here before.
    pub fn takes(&mut self, number: u32, name: Name, last: Option<Last>) {
        self.at(number, |told| {
            told.message = (name.source, name.number);
            if let Some(last) = last {
                (told.trigger, told.packet) = ((last.name.source, last.name.number), last.index);
            }
        });
    }

    pub fn finishes(&mut self, number: u32, now: u64) {
        self.at(number, |told| told.finished = now);
    }

    /// That it is of a rank with so many operations, or that nobody asked for it.
    pub fn fits(&self, operations: u32) -> Result<(), Unfit> {
        ensure(self.operations.len() == operations as usize, "what is told of a rank is not of its operations")?;
        let computed = self.last.values().all(|&number| number < operations);
        ensure(computed, "a processor computes what is no operation")
    }
}
