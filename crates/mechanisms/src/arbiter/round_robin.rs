//! Round robin: the first asking input after the last winner.
//!
//! Paper:    the default of `spth-2015` (its arbiter is not given; round robin over the 13 inputs fits its table 2 best).
//! Acts:     `allocate`, once per output that is idle and wanted.
//! Sees:     the output's requests.
//! State:    the input after the last winner, one number per output.
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_engine::contract::arbiter::{Arbiter, Askers, Contest, Turn};
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
    fn pick(&self, contest: Contest<impl Askers>, pointer: &mut impl Turn, _age: impl Fn(u32) -> (u64, u32)) -> u32 {
        let winner = contest.inputs.next(pointer.get());
        *pointer = Turn::of(winner as usize + 1);
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
        let mut pointer = 0u8;
        let mut pick = |inputs: u64| RoundRobin.pick(Contest { cycle: 0, output: 0, inputs }, &mut pointer, |_| (0, 0));
        assert_eq!([pick(0b1011), pick(0b1011), pick(0b1011), pick(0b1011)], [0, 1, 3, 0]);
        assert_eq!(pick(1 << 63), 63);
        assert_eq!(pick(1 << 63 | 1), 0);
    }
}
