//! Hashing of small numbers. Nothing is ever listed in the order of these tables, so results do not depend on it.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Multiplies and folds: keys here are ids and masks that nobody chose against it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }
}

/// A table of numbers by something small.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// A set of something small.
pub type Set<K> = HashSet<K, BuildHasherDefault<Mix>>;
