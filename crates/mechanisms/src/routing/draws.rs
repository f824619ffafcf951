//! Draws of ways hop by hop: the digits of one number, one for each link that is left.

use tailback_base::rng::{self, Purpose};
use tailback_network::ways::Ways;

/// The most draws that are told apart: with more of them a packet's ways are drawn hop by hop, and no check visits all.
const MOST_DRAWS: u64 = 4096;

/// How many draws there are.
#[derive(Clone, Debug)]
pub struct Draws {
    /// By links left: how many draws there are for fewer links, and for this one. None where they are too many.
    of_left: Option<Vec<(u32, u32)>>,
}

impl Draws {
    /// Those that give every port of these ways as often as any other.
    pub fn of(ways: &[&Ways], routers: u32) -> Draws {
        let longest = ways.iter().map(|ways| ways.diameter()).max().unwrap_or(0);
        let mut many = vec![1u64; 1 + longest as usize];
        for ways in ways {
            for (to, at) in ways.ends().flat_map(|to| (0..routers).map(move |at| (to, at))) {
                let left = ways.distance(at, to) as usize;
                let Some(of_left) = many.get_mut(left).filter(|_| left > 0) else { continue };
                *of_left = multiple(*of_left, (ways.ports(at, to).len() as u64).max(1));
                if *of_left > MOST_DRAWS {
                    return Draws { of_left: None };
                }
            }
        }
        let mut below = 1;
        let mut of_left = Vec::new();
        for many in many {
            of_left.push((below as u32, many as u32));
            below *= many;
            if below > MOST_DRAWS {
                return Draws { of_left: None };
            }
        }
        Draws { of_left: Some(of_left) }
    }

    /// How many there are, where they can be told apart.
    pub fn count(&self) -> Option<u32> {
        self.of_left.as_ref()?.last().map(|&(below, many)| below * many)
    }

    /// All of them; none where they cannot be told apart.
    pub fn all(&self) -> Vec<u32> {
        self.count().map_or_else(Vec::new, |all| (0..all).collect())
    }

    /// A packet's choice, out of fresh random bits.
    #[inline]
    pub fn take(&self, draw: impl FnOnce() -> u32) -> u32 {
        match self.count() {
            Some(1) => 0,
            Some(all) => draw() % all,
            None => draw(),
        }
    }

    /// The digit of a choice for a hop with so many links left.
    #[inline]
    pub fn digit(&self, choice: u32, left: u32) -> u32 {
        match &self.of_left {
            Some(of_left) => {
                let (below, many) = of_left[left as usize];
                // PERF: divisions cost as much as the rest of a hop's routing.
                match below.is_power_of_two() && many.is_power_of_two() {
                    true => choice >> below.trailing_zeros() & (many - 1),
                    false => choice / below % many,
                }
            }
            None => rng::draw_u64(choice.into(), Purpose::Tie, left, 0) as u32,
        }
    }

    /// The choice of a packet of `hops` links by a number that counts: it is the first hop that changes with every number.
    pub fn turn(&self, number: u32, hops: u32) -> u32 {
        let Some(of_left) = &self.of_left else { return number };
        let (mut choice, mut rest) = (0, number);
        for &(below, many) in of_left[..=hops as usize].iter().rev() {
            choice += rest % many * below;
            rest /= many;
        }
        choice
    }
}

/// The least common multiple.
pub(super) fn multiple(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
