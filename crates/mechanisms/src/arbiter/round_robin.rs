//! Round robin: the first asking input after the last winner.
//!
//! Paper:    the default of `spth-2015` (its arbiter is not given; round robin over the 13 inputs fits its table 2 best).
//! Acts:     `allocate`, once per output that is idle and wanted.
//! Sees:     the output's requests.
//! State:    the input after the last winner, a byte an output.
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_engine::contract::arbiter::{Arbiter, Contest};
use tailback_spec::{Entry, View};

/// Round robin.
pub static ENTRY: Entry = Entry {
    name: "round_robin",
    summary: "the first asking input after the last winner, by port, then virtual channel, then injection queue",
    paper: "",
    ideal: false,
    params: &[],
};

/// Round robin over a router's inputs.
#[derive(Clone, Copy, Debug)]
pub struct RoundRobin;

tailback_base::stateless!(RoundRobin);

impl Listed for RoundRobin {
    const TAKES_TURNS: bool = true;

    fn build(_view: View, _seed: u64, _inputs: super::Inputs) -> Self {
        RoundRobin
    }
}

impl Arbiter for RoundRobin {
    #[inline(always)]
    fn pick(&self, contest: Contest, pointer: &mut u8, _age: impl Fn(u32) -> (u64, u32)) -> u32 {
        let from_pointer = contest.inputs & (u64::MAX << *pointer);
        let pool = if from_pointer != 0 { from_pointer } else { contest.inputs };
        let winner = pool.trailing_zeros();
        // 64 inputs at most: the pointer after input 63 is 0 again.
        *pointer = ((winner + 1) & 63) as u8;
        winner
    }

    #[inline]
    fn is_round_robin(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_turns() {
        let mut pointer = 0;
        let mut pick = |inputs| RoundRobin.pick(Contest { cycle: 0, output: 0, inputs }, &mut pointer, |_| (0, 0));
        assert_eq!([pick(0b1011), pick(0b1011), pick(0b1011), pick(0b1011)], [0, 1, 3, 0]);
        assert_eq!(pick(1 << 63), 63);
        assert_eq!(pick(1 << 63 | 1), 0);
    }
}
