//! Arbiters: who wins a contest.

use super::config::Arbiter;
use std::collections::BTreeMap;
use tailback_base::rng::{self, Purpose};

/// Somebody who takes part in a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival {
    /// The input.
    pub input: usize,
    /// The age of its packet.
    pub age: (u64, u32),
}

/// Arbiters of one kind, by their numbers.
#[derive(Clone, Debug)]
pub struct Arbiters {
    kind: Arbiter,
    seed: u64,
    /// Who was served, most recent last, by arbiter.
    served: BTreeMap<usize, Vec<usize>>,
}

impl Arbiters {
    /// Arbiters that have not served anybody; the seed is for random ones.
    pub fn new(kind: Arbiter, seed: u64) -> Self {
        Arbiters { kind, seed, served: BTreeMap::new() }
    }

    /// The input that wins at an arbiter in cycle `now`, out of at least one, in ascending order of inputs.
    pub fn pick(&self, arbiter: usize, now: u64, rivals: &[Rival]) -> usize {
        match self.kind {
            Arbiter::RoundRobin => {
                let after_last = |rival: &&Rival| self.last_served(arbiter).is_none_or(|last| rival.input > last);
                rivals.iter().find(after_last).unwrap_or(&rivals[0]).input
            }
            Arbiter::OldestFirst => rivals.iter().min_by_key(|rival| rival.age).expect("somebody asks").input,
            Arbiter::Random if rivals.len() == 1 => rivals[0].input,
            Arbiter::Random => {
                let bits = rng::draw_u64(self.seed, Purpose::Arbiter, arbiter as u32, now);
                rivals[rng::below(bits, rivals.len() as u64) as usize].input
            }
            Arbiter::Matrix => {
                rivals.iter().min_by_key(|rival| self.turn(arbiter, rival.input)).expect("somebody asks").input
            }
        }
    }

    /// The pick was served.
    pub fn serve(&mut self, arbiter: usize, winner: usize) {
        let served = self.served.entry(arbiter).or_default();
        served.retain(|&input| input != winner);
        served.push(winner);
    }

    fn last_served(&self, arbiter: usize) -> Option<usize> {
        self.served.get(&arbiter).and_then(|served| served.last().copied())
    }

    /// Least recently served first: those never served, by number; then the others in the order in which they were.
    fn turn(&self, arbiter: usize, input: usize) -> (Option<usize>, usize) {
        let served = self.served.get(&arbiter).map_or(&[][..], Vec::as_slice);
        (served.iter().position(|&other| other == input), input)
    }
}
