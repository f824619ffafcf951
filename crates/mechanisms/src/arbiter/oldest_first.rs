//! Oldest first: the packet generated first.
//!
//! Paper:    none of the five; the usual age-based arbiter of the field.
//! Acts:     `allocate`, once per output that is idle and wanted.
//! Sees:     the age of the packets that ask (a field of the head).
//! State:    none.
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_engine::contract::arbiter::{Arbiter, Askers, Contest, Turn};
use tailback_spec::{Entry, View};

/// Oldest first.
pub static ENTRY: Entry = Entry {
    name: "oldest_first",
    summary: "the packet that was generated first; ties go to the lower source node",
    paper: "",
    ideal: false,
    params: &[],
};

/// Age order.
#[derive(Clone, Copy, Debug)]
pub struct OldestFirst;

tailback_base::stateless!(OldestFirst);

impl Listed for OldestFirst {
    fn build(_view: View, _seed: u64, _inputs: super::Inputs) -> Self {
        OldestFirst
    }
}

impl Arbiter for OldestFirst {
    #[inline]
    fn pick(&self, contest: Contest<impl Askers>, _pointer: &mut impl Turn, age: impl Fn(u32) -> (u64, u32)) -> u32 {
        contest.inputs.iter().min_by_key(|&i| age(i)).expect("somebody asks")
    }

    fn forgets_single_askers(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eldest_wins() {
        let ages = [(9, 0), (4, 2), (4, 1), (7, 0)];
        let contest = |inputs: u64| Contest { cycle: 0, output: 0, inputs };
        let pick = |inputs| OldestFirst.pick(contest(inputs), &mut 0u8, |i| ages[i as usize]);
        assert_eq!((pick(0b1111), pick(0b1001)), (2, 3));
    }
}
