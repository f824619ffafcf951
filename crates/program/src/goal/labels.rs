//! Labels of a rank: which operation each one names.
//!
//! The letters of all labels stand one behind the other, and a table of open addresses says where. Its hash is seeded anew in every run, so that no
//! file can be written against it. Nothing is ever listed in its order.

use std::hash::{BuildHasher, RandomState};

/// Labels of a rank.
#[derive(Debug, Default)]
pub(super) struct Labels {
    letters: Vec<u8>,
    /// Where the letters of a label end, and the operation that it names.
    labels: Vec<(u32, u32)>,
    /// Numbers of labels plus one, by hash; 0 is free.
    table: Vec<u32>,
    hash: RandomState,
}

impl Labels {
    /// Forgets all labels.
    pub(super) fn clear(&mut self) {
        self.letters.clear();
        self.labels.clear();
        // A large table of one rank is not cleared for every small one behind it.
        if self.table.len() > 1 << 12 {
            self.table = Vec::new();
        }
        self.table.fill(0);
    }

    /// The operation that a label names.
    pub(super) fn find(&self, name: &[u8]) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        match self.table[self.slot(name)] {
            0 => None,
            found => Some(self.labels[found as usize - 1].1),
        }
    }

    /// Gives an operation a name that is not given yet; nothing where there is no room for more letters.
    pub(super) fn add(&mut self, name: &[u8], operation: u32) -> bool {
        if self.letters.len() + name.len() > u32::MAX as usize {
            return false;
        }
        if 4 * (self.labels.len() + 1) > 3 * self.table.len() {
            self.grow();
        }
        let slot = self.slot(name);
        self.letters.extend_from_slice(name);
        self.labels.push((self.letters.len() as u32, operation));
        self.table[slot] = self.labels.len() as u32;
        true
    }

    fn name(&self, label: usize) -> &[u8] {
        let begin = label.checked_sub(1).map_or(0, |before| self.labels[before].0);
        &self.letters[begin as usize..self.labels[label].0 as usize]
    }

    /// Where a name stands in the table, or would stand.
    fn slot(&self, name: &[u8]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = self.hash.hash_one(name) as usize & mask;
        while self.table[slot] != 0 && self.name(self.table[slot] as usize - 1) != name {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.table = vec![0; (2 * self.table.len()).max(16)];
        for label in 0..self.labels.len() {
            let slot = self.slot(self.name(label));
            self.table[slot] = label as u32 + 1;
        }
    }
}
