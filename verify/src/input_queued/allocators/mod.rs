//! Allocators: which of the inputs that ask for outputs get one. At most one output for an input, and one input for an
//! output.

mod islip;
mod loa;
mod max_size;
mod pim;
mod select;
mod separable;
#[cfg(test)]
mod tests;
mod wavefront;

use super::arbiters::Arbiter;

/// A kind of allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// Outputs offer in turns, inputs accept in turns.
    Islip {
        /// Rounds.
        iterations: u32,
    },
    /// Inputs choose first.
    SeparableInputFirst(Arbiter),
    /// Outputs choose first.
    SeparableOutputFirst(Arbiter),
    /// Diagonal by diagonal of the matrix of requests, from one that moves on.
    Wavefront,
    /// The same; the diagonal moves past the first that had a grant.
    RoundRobinWavefront,
    /// As many pairs as possible.
    MaxSize,
    /// Outputs offer and inputs accept at random.
    Pim {
        /// Rounds.
        iterations: u32,
    },
    /// Inputs ask where the fewest ask.
    Loa,
    /// As iSLIP, and priorities count.
    Select {
        /// Rounds.
        iterations: u32,
    },
}

/// How much a request counts, in allocators that look at that: the higher, the more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ranks {
    /// When its input chooses among outputs.
    pub at_input: u64,
    /// When its output chooses among inputs.
    pub at_output: u64,
}

/// Requests of one step.
#[derive(Clone, Debug)]
pub struct Requests {
    /// By input, then by output: a request.
    matrix: Vec<Option<Ranks>>,
    /// By input: whether it asks for any output.
    asks: Vec<bool>,
    /// By output: whether any input asks for it.
    is_wanted: Vec<bool>,
}

impl Requests {
    /// None, by so many inputs for so many outputs.
    pub fn new(inputs: usize, outputs: usize) -> Self {
        Requests { matrix: vec![None; inputs * outputs], asks: vec![false; inputs], is_wanted: vec![false; outputs] }
    }

    /// An input asks for an output.
    pub fn add(&mut self, input: usize, output: usize, ranks: Ranks) {
        let at = self.at(input, output);
        self.matrix[at] = Some(ranks);
        (self.asks[input], self.is_wanted[output]) = (true, true);
    }

    /// Whether an input asks for an output.
    pub fn has(&self, input: usize, output: usize) -> bool {
        self.matrix[self.at(input, output)].is_some()
    }

    /// Where a request stands.
    fn at(&self, input: usize, output: usize) -> usize {
        assert!(output < self.outputs(), "there is no such output");
        input * self.outputs() + output
    }

    /// The rank of a request in the eyes of its input.
    pub fn at_input(&self, input: usize, output: usize) -> Option<u64> {
        Some(self.matrix[self.at(input, output)]?.at_input)
    }

    /// The rank of a request in the eyes of its output.
    pub fn at_output(&self, input: usize, output: usize) -> Option<u64> {
        Some(self.matrix[self.at(input, output)]?.at_output)
    }

    /// Whether anyone asks for an output.
    pub fn is_asked_for(&self, output: usize) -> bool {
        self.is_wanted[output]
    }

    /// The inputs that ask for any output, in order.
    pub fn asking(&self) -> impl Iterator<Item = usize> {
        (0..self.inputs()).filter(|&input| self.asks[input])
    }

    /// The outputs that any input asks for, in order.
    pub fn wanted(&self) -> impl Iterator<Item = usize> {
        (0..self.outputs()).filter(|&output| self.is_wanted[output])
    }

    /// Inputs.
    pub fn inputs(&self) -> usize {
        self.asks.len()
    }

    /// Outputs.
    pub fn outputs(&self) -> usize {
        self.is_wanted.len()
    }

    /// All ranks of requests, at their outputs and then at their inputs, each once, the highest first.
    pub fn ranks(&self) -> Vec<(u64, u64)> {
        let requests = self.matrix.iter().flatten();
        let mut all: Vec<(u64, u64)> = requests.map(|ranks| (ranks.at_output, ranks.at_input)).collect();
        all.sort_unstable();
        all.dedup();
        all.reverse();
        all
    }
}

/// Pairs, as they come together.
#[derive(Clone, Debug)]
pub struct Matching {
    /// By input.
    pub output_of: Vec<Option<usize>>,
    /// By output.
    pub input_of: Vec<Option<usize>>,
}

impl Matching {
    /// No pairs.
    fn new(requests: &Requests) -> Self {
        Matching { output_of: vec![None; requests.inputs()], input_of: vec![None; requests.outputs()] }
    }

    /// By input.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let pairs = self.output_of.iter().enumerate();
        pairs.filter_map(|(input, output)| Some((input, (*output)?))).collect()
    }

    /// An input gets an output.
    fn pair(&mut self, input: usize, output: usize) {
        self.output_of[input] = Some(output);
        self.input_of[output] = Some(input);
    }

    /// Whether neither has a partner.
    fn are_free(&self, input: usize, output: usize) -> bool {
        self.output_of[input].is_none() && self.input_of[output].is_none()
    }
}

/// Which allocation of a run it is: what tells its draws apart.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The allocator: twice the number of its router, and one more if it is that of the switch. That of heads without a
    /// channel has the number of its router behind those of all others, and the second halves of routers have three numbers for
    /// each router behind all those.
    pub allocator: u32,
    /// The number of the step since cycle 0.
    pub step: u64,
}

/// An allocator with its memory.
#[derive(Clone, Debug)]
pub enum Matcher {
    /// iSLIP.
    Islip(islip::Islip),
    /// Two stages of arbiters.
    Separable(separable::Separable),
    /// Either wavefront.
    Wavefront(wavefront::Wavefront),
    /// As many pairs as possible.
    MaxSize(max_size::MaxSize),
    /// Parallel iterative matching.
    Pim(pim::Pim),
    /// Lonely outputs first.
    Loa(loa::Loa),
    /// As iSLIP, with priorities.
    Select(select::Select),
}

impl Matcher {
    /// An allocator without a past, for so many inputs and outputs.
    pub fn new(kind: Allocator, inputs: usize, outputs: usize, seed: u64) -> Self {
        use separable::{First, Separable};
        use wavefront::{Moves, Wavefront};
        match kind {
            Allocator::Islip { iterations } => Matcher::Islip(islip::Islip::new(inputs, outputs, iterations)),
            Allocator::SeparableInputFirst(arbiter) => {
                Matcher::Separable(Separable::new(First::Inputs, inputs, outputs, arbiter))
            }
            Allocator::SeparableOutputFirst(arbiter) => {
                Matcher::Separable(Separable::new(First::Outputs, inputs, outputs, arbiter))
            }
            Allocator::Wavefront => Matcher::Wavefront(Wavefront::new(Moves::ByOne)),
            Allocator::RoundRobinWavefront => Matcher::Wavefront(Wavefront::new(Moves::PastFirstGrant)),
            Allocator::MaxSize => Matcher::MaxSize(max_size::MaxSize::default()),
            Allocator::Pim { iterations } => Matcher::Pim(pim::Pim::new(seed, iterations)),
            Allocator::Loa => Matcher::Loa(loa::Loa::new(inputs, outputs)),
            Allocator::Select { iterations } => Matcher::Select(select::Select::new(inputs, outputs, iterations)),
        }
    }

    /// The pairs of a step in which somebody waits, though perhaps nobody asks; by input.
    pub fn allocate(&mut self, requests: &Requests, turn: Turn) -> Vec<(usize, usize)> {
        self.find(requests, turn).pairs()
    }

    /// The same with the outputs that are given: of a select allocator an input may have left one that stays so.
    pub fn find(&mut self, requests: &Requests, turn: Turn) -> Matching {
        let matching = match self {
            Matcher::Islip(islip) => islip.allocate(requests),
            Matcher::Separable(separable) => separable.allocate(requests),
            Matcher::Wavefront(wavefront) => wavefront.allocate(requests),
            Matcher::MaxSize(max_size) => max_size.allocate(requests),
            Matcher::Pim(pim) => pim.allocate(requests, turn),
            Matcher::Loa(loa) => loa.allocate(requests),
            Matcher::Select(select) => select.allocate(requests),
        };
        let asked = matching.pairs().into_iter().all(|(input, output)| requests.has(input, output));
        assert!(asked, "only who asks gets");
        matching
    }
}

/// All numbers below `many`, in turns from `first` on.
fn cyclic(first: usize, many: usize) -> impl Iterator<Item = usize> {
    (0..many).map(move |step| (first + step) % many)
}
