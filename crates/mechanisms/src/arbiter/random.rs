//! Random: every asking input is as likely as any other.
//!
//! Paper:    `injection-2005` section 3 ("random arbitration").
//! Acts:     `allocate`, once per output that is idle and wanted.
//! Sees:     the output's requests.
//! State:    none; the draw is a function of (seed, output, cycle).
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_base::rng::{self, Purpose};
use tailback_engine::contract::arbiter::{Arbiter, Askers, Contest, Turn};
use tailback_spec::{Entry, View};

/// Random.
pub static ENTRY: Entry = Entry {
    name: "random",
    summary: "any asking input with the same probability",
    paper: "injection-2005 section 3",
    ideal: false,
    params: &[],
};

/// A uniform choice.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    seed: u64,
}

tailback_base::stateless!(Random);

impl Listed for Random {
    fn build(_view: View, seed: u64, _inputs: super::Inputs) -> Self {
        Random { seed }
    }
}

impl Arbiter for Random {
    #[inline]
    fn pick(&self, contest: Contest<impl Askers>, _pointer: &mut impl Turn, _age: impl Fn(u32) -> (u64, u32)) -> u32 {
        let asking = contest.inputs.count();
        if asking == 1 {
            return contest.inputs.next(0);
        }
        let draw = rng::draw_u64(self.seed, Purpose::Arbiter, contest.output, contest.cycle);
        contest.inputs.nth(rng::below(draw, asking.into()) as u32)
    }

    fn forgets_single_askers(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_fair_and_picks_only_who_asks() {
        let mut wins = [0; 64];
        for cycle in 0..3000 {
            let contest = Contest { cycle, output: 5, inputs: 0b1001_0100_u64 };
            wins[Random { seed: 1 }.pick(contest, &mut 0u8, |_| (0, 0)) as usize] += 1;
        }
        assert_eq!(wins.iter().sum::<i32>(), wins[2] + wins[4] + wins[7]);
        assert!([wins[2], wins[4], wins[7]].iter().all(|w| (900..1100).contains(w)));
    }
}
