//! A rank while it is read: its operations so far, and its dependencies in the order in which the file says them.

use super::stored::{OfRank, Record, START};
use crate::contract::Upon;

/// A rank in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) records: Vec<Record>,
    /// Who is waited for, and who waits, with the bit of a start.
    edges: Vec<(u32, u32)>,
}

impl Draft {
    /// Says that `after` waits for `before`. Nothing is said where there are more dependencies than can be counted.
    pub(super) fn wait(&mut self, after: u32, before: u32, upon: Upon) -> bool {
        if self.edges.len() >= u32::MAX as usize {
            return false;
        }
        let bit = if upon == Upon::Start { START } else { 0 };
        self.edges.push((before, after | bit));
        self.records[after as usize].requirements += 1;
        true
    }

    /// The rank with its dependants in order.
    pub(super) fn finish(self, base: u64) -> OfRank {
        let Draft { mut records, edges } = self;
        // Count, sum up, distribute: `first` is moved behind what was put there, and moved back at last.
        let mut counts = vec![0_u32; records.len()];
        edges.iter().for_each(|&(before, _)| counts[before as usize] += 1);
        let mut sum = 0;
        for (record, &count) in records.iter_mut().zip(&counts) {
            record.first = sum;
            sum += count;
        }
        let mut dependants = vec![0; edges.len()].into_boxed_slice();
        let mut next: Vec<u32> = records.iter().map(|record| record.first).collect();
        for (before, packed) in edges {
            let at = &mut next[before as usize];
            dependants[*at as usize] = packed;
            *at += 1;
        }
        for (record, &count) in records.iter().zip(&counts) {
            let own = &mut dependants[record.first as usize..(record.first + count) as usize];
            // By number; of one number the start first.
            own.sort_unstable_by_key(|&packed| (packed & !START, packed & START == 0));
        }
        OfRank { records: records.into_boxed_slice(), dependants, base }
    }
}
