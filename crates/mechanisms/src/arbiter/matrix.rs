//! Matrix: the asking input that was served longest ago.
//!
//! Paper:    none of the five; the least recently served arbiter of the field (Dally and Towles 2004, section 18.5), which
//!           hardware keeps as a triangle of bits, one for each pair of inputs.
//! Acts:     `allocate`, once per output that is idle and wanted.
//! Sees:     the output's requests and who was served.
//! State:    the order in which inputs were last served, per output.
//! Differs from the paper: nothing known.

use super::Listed;
use std::ops::Range;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};
use tailback_engine::contract::arbiter::{Arbiter, Askers, Contest, Turn};
use tailback_spec::{Entry, View};

/// Matrix.
pub static ENTRY: Entry = Entry {
    name: "matrix",
    summary: "the asking input that was served longest ago; inputs that were never served come first, in the order \
        of round_robin",
    paper: "",
    ideal: false,
    params: &[],
};

/// State of an output.
const BYTES: usize = 64;

/// The inputs that were served, plus 1, the last first; then zeros. All zeros at the start, so that memory of outputs that
/// do not exist is never touched.
type Order = [u8; BYTES];

/// The orders of all outputs.
#[derive(Clone, Debug)]
pub struct Matrix {
    orders: Vec<Order>,
}

/// Saved as the orders of the outputs that served somebody.
impl State for Matrix {
    fn save(&self, to: &mut Writer) {
        let Self { orders } = self;
        let used = || orders.iter().enumerate().filter(|(_, order)| order[0] != 0);
        to.put(&used().count());
        for (output, order) in used() {
            to.put(&(output, order.iter().take_while(|&&input| input != 0).collect::<Vec<_>>()));
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        for _ in 0..from.length()? {
            let (output, served): (usize, Vec<u8>) = from.take()?;
            let inputs = served.iter().all(|input| (1..=BYTES as u8).contains(input));
            let once = (1..served.len()).all(|n| !served[..n].contains(&served[n]));
            let fits = output < self.orders.len() && self.orders[output][0] == 0 && inputs && once;
            ensure(fits, "an output has served who is not there")?;
            self.orders[output][..served.len()].copy_from_slice(&served);
        }
        Ok(())
    }
}

impl Listed for Matrix {
    const MOST_INPUTS: usize = BYTES;

    fn build(_view: View, _seed: u64, inputs: super::Inputs) -> Self {
        Matrix { orders: vec![[0; BYTES]; inputs.arbiters] }
    }
}

impl Arbiter for Matrix {
    fn pick(&self, contest: Contest<impl Askers>, _pointer: &mut impl Turn, _age: impl Fn(u32) -> (u64, u32)) -> u32 {
        // Cross out the askers, the last served first, while more than one is left.
        let mut left = contest.inputs.low();
        for &input in &self.orders[contest.output as usize] {
            if input == 0 || left & (left - 1) == 0 {
                break;
            }
            left &= !(1 << (input - 1));
        }
        left.trailing_zeros()
    }

    fn join(&mut self, part: &Self, outputs: Range<u32>) {
        let outputs = outputs.start as usize..outputs.end as usize;
        self.orders[outputs.clone()].copy_from_slice(&part.orders[outputs]);
    }

    fn served(&mut self, output: u32, winner: u32) {
        let order = &mut self.orders[output as usize];
        let input = winner as u8 + 1;
        let known = order.iter().position(|&i| i == input || i == 0).expect("64 inputs at most");
        order.copy_within(..known, 1);
        order[0] = input;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(outputs: usize) -> Matrix {
        Matrix { orders: vec![[0; BYTES]; outputs] }
    }

    fn pick(matrix: &Matrix, output: u32, inputs: u64) -> u32 {
        matrix.pick(Contest { cycle: 0, output, inputs }, &mut 0u8, |_| (0, 0))
    }

    #[test]
    fn the_one_served_longest_ago_wins() {
        let mut matrix = matrix(2);
        for winner in [3, 1, 63, 3] {
            matrix.served(1, winner);
        }
        assert_eq!(pick(&matrix, 1, 1 << 63 | 0b1010), 1);
        assert_eq!(pick(&matrix, 1, 1 << 63 | 0b1000), 63);
        assert_eq!(pick(&matrix, 1, 0b1000), 3);
        assert_eq!(pick(&matrix, 1, 0b1_1110), 2, "those never served come first");
        assert_eq!(pick(&matrix, 0, 0b1010), 1, "each output has its own order");
    }

    #[test]
    fn agrees_with_time_stamps_over_a_random_history() {
        let mut matrix = matrix(1);
        let mut last = [0; 64];
        for cycle in 1..5000 {
            let mask = tailback_base::rng::draw_u64(7, tailback_base::rng::Purpose::Pattern, 0, cycle);
            let inputs = if mask & 1 == 0 { mask & 0xff } else { mask } | 1 << (cycle % 64);
            let expected = tailback_base::bits::ones(inputs).min_by_key(|&i| last[i]).expect("somebody asks");
            assert_eq!(pick(&matrix, 0, inputs), expected as u32);
            last[expected] = cycle;
            matrix.served(0, expected as u32);
        }
    }

    #[test]
    fn what_is_not_served_changes_nothing() {
        let matrix = matrix(1);
        assert_eq!([pick(&matrix, 0, 0b110), pick(&matrix, 0, 0b110)], [1, 1]);
    }
}
