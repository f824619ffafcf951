//! Whose turn it is: what the allocators of all routers keep from one step to the next.

use super::super::router::{Allocator, Stages};
use super::super::table::WINDOW;
use super::halves::{Half, Halves, Part};
use super::requests::{Requests, members};
use super::trees::Trees;
use std::cmp::Ordering;
use tailback_base::state::{Unfit, ensure};

/// What the allocators of all routers keep.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    allocator: Allocator,
    /// Inputs and outputs of the largest router, and how many of each the others have.
    most: (usize, usize),
    sizes: Vec<(u16, u16)>,
    /// By router and input, by router and output, and by router: the next one's number.
    inputs: Vec<u16>,
    outputs: Vec<u16>,
    routers: Vec<u16>,
    /// By router and input: the outputs that won there since an output did, a row of words for each.
    input_matrices: Vec<u64>,
    /// The same by router and output.
    output_matrices: Vec<u64>,
    /// Arbiters with groups, of inputs and of outputs.
    pub input_trees: Trees,
    pub output_trees: Trees,
    /// Where routers are folded, and the allocator minds how many inputs and outputs there are that never ask. Then there are turns of each half,
    /// in the place of those of a router.
    pub halves: Option<Box<Halves>>,
}

tailback_base::state!([] Turns {
    saved: inputs, outputs, routers, input_matrices, output_matrices, input_trees, output_trees;
    rebuilt: allocator, most, sizes, halves;
} [fits]);

impl Turns {
    /// Before the first step, of routers with so many inputs and outputs.
    pub fn new(allocator: Allocator, sizes: Vec<(u16, u16)>) -> Self {
        let most = |of: fn(&(u16, u16)) -> u16| sizes.iter().map(of).max().unwrap_or(0).max(1) as usize;
        let (most, routers) = ((most(|s| s.0), most(|s| s.1)), sizes.len());
        let matrices = allocator.has_arbiters() && allocator.stages == Stages::Matrix && allocator.groups == 1;
        let backwards: Vec<(u16, u16)> = sizes.iter().map(|&(inputs, outputs)| (outputs, inputs)).collect();
        let words = |n: usize| n * n.div_ceil(64);
        let [of_inputs, of_outputs] = match matrices {
            true => [routers * most.0 * words(most.1), routers * most.1 * words(most.0)],
            false => [0, 0],
        };
        Turns {
            allocator,
            most,
            input_trees: Trees::new(allocator, most, &sizes),
            output_trees: Trees::new(allocator, (most.1, most.0), &backwards),
            sizes,
            inputs: vec![0; routers * most.0 + WINDOW],
            outputs: vec![0; routers * most.1 + WINDOW],
            routers: vec![0; routers],
            input_matrices: first_first(of_inputs, most.1),
            output_matrices: first_first(of_outputs, most.0),
            halves: None,
        }
    }

    /// Before the first step, of halves of routers.
    pub fn of_halves(allocator: Allocator, halves: Vec<Half>, requests: Requests) -> Self {
        let size = |half: &Half| (half.inputs.len() as u16, half.outputs.len() as u16);
        let turns = Turns::new(allocator, halves.iter().map(size).collect());
        Turns { halves: Some(Box::new(Halves::new(halves, requests))), ..turns }
    }

    fn fits(&self) -> Result<(), Unfit> {
        let below = |turns: &[u16], most: usize| turns.iter().all(|&turn| usize::from(turn) < most);
        let right = below(&self.inputs, self.most.1)
            && below(&self.outputs, self.most.0)
            && below(&self.routers, self.most.0.max(self.most.1));
        ensure(right, "it is the turn of nobody")?;
        let are_orders = |matrices: &[u64], size: usize| {
            let all = size * size.div_ceil(64);
            matrices.chunks(all.max(1)).all(|rows| is_order(rows, size))
        };
        let orders = are_orders(&self.input_matrices, self.most.1) && are_orders(&self.output_matrices, self.most.0);
        ensure(orders, "an arbiter has no order")
    }

    /// What is matched by itself: a router, or each of its halves in which somebody waits.
    #[inline(always)]
    pub fn parts(&self, router: usize, waits: [bool; 2]) -> impl Iterator<Item = Part> + use<> {
        let parts = match &self.halves {
            None => [Some(Part::whole(router)), None],
            Some(halves) => [0, 1].map(|half| waits[half].then(|| halves.part(router, half))),
        };
        parts.into_iter().flatten()
    }

    pub fn allocator(&self) -> Allocator {
        self.allocator
    }

    /// Inputs and outputs of a router.
    #[inline(always)]
    pub fn size(&self, router: usize) -> (usize, usize) {
        let (inputs, outputs) = self.sizes[router];
        (inputs.into(), outputs.into())
    }

    /// Whose turn it is at the inputs and at the outputs of a router of at most [`WINDOW`] of each, and how many it has.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn of(&mut self, router: usize) -> (&mut [u16; WINDOW], &mut [u16; WINDOW], (usize, usize)) {
        let size = self.size(router);
        let (inputs, outputs) = (router * self.most.0, router * self.most.1);
        debug_assert!(inputs + WINDOW <= self.inputs.len() && outputs + WINDOW <= self.outputs.len());
        // SAFETY: `size` found the router among `sizes`. `new` gave the tables `most` entries for each of those, and `WINDOW` more, and neither
        // `most` nor a length ever changes: a checkpoint with tables of other lengths is refused. The two tables do not overlap.
        // PERF: no checks (`tailback bench booksim-mesh8`).
        unsafe {
            (
                &mut *self.inputs.as_mut_ptr().add(inputs).cast(),
                &mut *self.outputs.as_mut_ptr().add(outputs).cast(),
                size,
            )
        }
    }

    /// Whose turn it is at an input.
    #[inline(always)]
    pub fn of_input(&mut self, router: usize, input: usize) -> &mut u16 {
        &mut self.inputs[router * self.most.0 + input]
    }

    /// Whose turn it is at an output.
    #[inline(always)]
    pub fn of_output(&mut self, router: usize, output: usize) -> &mut u16 {
        &mut self.outputs[router * self.most.1 + output]
    }

    /// Whose turn it is at a router.
    #[inline(always)]
    pub fn of_router(&mut self, router: usize) -> &mut u16 {
        &mut self.routers[router]
    }

    /// The same, to look at.
    pub fn turn_of_router(&self, router: usize) -> usize {
        self.routers[router].into()
    }

    /// Who has priority over whom at an input, among the outputs.
    pub fn input_matrix(&mut self, router: usize, input: usize) -> Matrix<'_> {
        let words = self.most.1.div_ceil(64);
        let all = self.most.1 * words;
        Matrix { rows: &mut self.input_matrices[(router * self.most.0 + input) * all..][..all], words }
    }

    /// Who has priority over whom at an output, among the inputs.
    pub fn output_matrix(&mut self, router: usize, output: usize) -> Matrix<'_> {
        let words = self.most.0.div_ceil(64);
        let all = self.most.0 * words;
        Matrix { rows: &mut self.output_matrices[(router * self.most.1 + output) * all..][..all], words }
    }
}

/// Matrices of so many words in all, among `size`, before anyone has won: the last one comes first.
fn first_first(all: usize, size: usize) -> Vec<u64> {
    let words = size.div_ceil(64);
    let row = |row: usize, word: usize| {
        let behind = row.saturating_sub(word * 64);
        if behind >= 64 { u64::MAX } else { (1u64 << behind) - 1 }
    };
    (0..all).map(|at| row(at / words % size, at % words)).collect()
}

/// Whether a matrix has one after the other: each has priority over just those that come behind it.
fn is_order(rows: &[u64], size: usize) -> bool {
    let words = size.div_ceil(64);
    let row = |one: usize| &rows[one * words..][..words];
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by_key(|&one| row(one).iter().map(|word| word.count_ones()).sum::<u32>());
    let mut behind = vec![0u64; words];
    order.into_iter().all(|one| {
        let right = row(one) == behind;
        behind[one >> 6] |= 1 << (one & 63);
        right
    })
}

/// Who has priority over whom: row `i` has the bits of those over whom `i` has it.
pub(crate) struct Matrix<'m> {
    rows: &'m mut [u64],
    words: usize,
}

impl Matrix<'_> {
    /// The one of `who` over whom nobody else of them has priority, out of those with the highest rank.
    pub fn winner(&self, who: &[u64], rank: impl Fn(usize) -> u64) -> Option<usize> {
        let older = |other: usize, one: usize| self.rows[other * self.words + (one >> 6)] >> (one & 63) & 1 == 1;
        let beats = |other: usize, one: usize| match rank(other).cmp(&rank(one)) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => older(other, one),
        };
        members(who).find(|&one| !members(who).any(|other| beats(other, one)))
    }

    /// The same where all have one rank.
    pub fn first(&self, who: &[u64]) -> Option<usize> {
        let beats_all = |one: usize| {
            let row = &self.rows[one * self.words..][..self.words];
            let left = |word: usize| who[word] & !row[word] & !if word == one >> 6 { 1 << (one & 63) } else { 0 };
            (0..self.words).all(|word| left(word) == 0)
        };
        members(who).find(|&one| beats_all(one))
    }

    /// The winner goes behind all others, of `size`.
    pub fn won(&mut self, one: usize, size: usize) {
        let (rows, bit) = (&mut self.rows[..size * self.words], 1 << (one & 63));
        // PERF: words side by side are set together (`tailback booksim` with arbiters of matrices).
        match self.words {
            1 => rows.iter_mut().for_each(|row| *row |= bit),
            words => rows.iter_mut().skip(one >> 6).step_by(words).for_each(|word| *word |= bit),
        }
        self.rows[one * self.words..][..self.words].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::router::Matching;
    use super::*;

    #[test]
    fn the_last_router_has_all_of_its_turns_and_others() {
        let allocator = Allocator { matching: Matching::Islip, rounds: 1, stages: Stages::RoundRobin, groups: 1 };
        for sizes in [vec![(3, 5)], vec![(3, 5), (1, 1)], vec![(64, 1), (1, 64), (2, 2)], vec![(0, 0)]] {
            let mut turns = Turns::new(allocator, sizes.clone());
            for router in 0..sizes.len() {
                let (inputs, outputs, _) = turns.of(router);
                (inputs[WINDOW - 1], outputs[WINDOW - 1]) = (7, 9);
                assert_eq!(turns.inputs[router * turns.most.0 + WINDOW - 1], 7);
                assert_eq!(turns.outputs[router * turns.most.1 + WINDOW - 1], 9);
            }
        }
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_router_that_is_not_there_has_no_turns() {
        let allocator = Allocator { matching: Matching::Islip, rounds: 1, stages: Stages::RoundRobin, groups: 1 };
        Turns::new(allocator, vec![(3, 5)]).of(1);
    }

    #[test]
    fn who_won_last_comes_last() {
        let allocator = Allocator { matching: Matching::InputFirst, rounds: 1, stages: Stages::Matrix, groups: 1 };
        let mut turns = Turns::new(allocator, vec![(3, 70)]);
        let all = [0b101, 1 << 5];
        let mut order = Vec::new();
        for _ in 0..4 {
            let mut matrix = turns.input_matrix(0, 1);
            let winner = matrix.winner(&all, |_| 0).expect("somebody asks");
            assert_eq!(matrix.first(&all), Some(winner));
            matrix.won(winner, 70);
            order.push(winner);
        }
        assert_eq!(order, [69, 2, 0, 69]);
        assert_eq!(turns.input_matrix(0, 2).winner(&[0, 0], |_| 0), None);
        assert!(turns.fits().is_ok());
        // Everybody over everybody.
        turns.input_matrices.fill(u64::MAX);
        assert!(turns.fits().is_err());
    }
}
