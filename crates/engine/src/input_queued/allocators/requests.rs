//! Who asks for what, and who is matched with whom.

use tailback_base::bits::ones;

/// Requests of inputs for outputs, as bits, and the matches found. Made for the largest router, and used for one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Requests {
    /// Words of a set of inputs, and of a set of outputs.
    words: (usize, usize),
    /// Per input the outputs it asks for.
    by_input: Vec<u64>,
    /// Per output the inputs that ask for it.
    by_output: Vec<u64>,
    /// Inputs that ask, and outputs that are asked for.
    asking: Vec<u64>,
    asked: Vec<u64>,
    /// Inputs and outputs that are matched.
    taken: Vec<u64>,
    given: Vec<u64>,
    /// Per input the outputs that grant it, and per output the inputs that choose it, of the present round.
    granters: Vec<u64>,
    choosers: Vec<u64>,
    /// Inputs with a grant, and outputs that are chosen.
    granted: Vec<u64>,
    chosen: Vec<u64>,
    /// Empty sets.
    none: (Vec<u64>, Vec<u64>),
    /// Per input and output how much a request counts, at its input and at its output; nothing where all are alike.
    ranks: Vec<(u64, u64)>,
    /// Room for what an allocator lists.
    lists: [Vec<u32>; 2],
    /// Per input its output, where it is matched.
    output_of: Vec<u16>,
    /// Per output its input, where it is matched.
    input_of: Vec<u16>,
}

impl Requests {
    /// Nobody asks; at most so many inputs and outputs.
    pub fn new(inputs: usize, outputs: usize) -> Self {
        let words = (inputs.div_ceil(64), outputs.div_ceil(64));
        Requests {
            words,
            by_input: vec![0; inputs * words.1],
            by_output: vec![0; outputs * words.0],
            asking: vec![0; words.0],
            asked: vec![0; words.1],
            taken: vec![0; words.0],
            given: vec![0; words.1],
            granters: vec![0; inputs * words.1],
            choosers: vec![0; outputs * words.0],
            granted: vec![0; words.0],
            chosen: vec![0; words.1],
            none: (vec![0; words.0], vec![0; words.1]),
            ranks: Vec::new(),
            lists: [inputs + outputs, outputs].map(Vec::with_capacity),
            output_of: vec![0; inputs],
            input_of: vec![0; outputs],
        }
    }

    /// The same, of which some may count more than others.
    pub fn with_ranks(inputs: usize, outputs: usize) -> Self {
        Requests { ranks: vec![(0, 0); inputs * outputs], ..Requests::new(inputs, outputs) }
    }

    /// Forgets all requests and matches.
    ///
    /// PERF: a row of one word is set, not filled by a call (`tailback bench booksim-mesh8`).
    #[inline]
    pub fn clear(&mut self) {
        if self.are_narrow() {
            ones(std::mem::take(&mut self.asking[0])).for_each(|input| self.by_input[input] = 0);
            ones(std::mem::take(&mut self.asked[0])).for_each(|output| self.by_output[output] = 0);
            self.forget_matches();
            self.forget_grants();
            return;
        }
        for word in 0..self.words.0 {
            for bit in ones(std::mem::take(&mut self.asking[word])) {
                let first = (word * 64 + bit) * self.words.1;
                self.by_input[first..first + self.words.1].fill(0);
            }
        }
        for word in 0..self.words.1 {
            for bit in ones(std::mem::take(&mut self.asked[word])) {
                let first = (word * 64 + bit) * self.words.0;
                self.by_output[first..first + self.words.0].fill(0);
            }
        }
        self.forget_matches();
        self.forget_grants();
    }

    /// Forgets who is matched with whom.
    #[inline(always)]
    pub fn forget_matches(&mut self) {
        if self.words == (1, 1) {
            (self.taken[0], self.given[0]) = (0, 0);
        } else {
            self.taken.fill(0);
            self.given.fill(0);
        }
    }

    /// An input asks for an output.
    #[inline(always)]
    pub fn ask(&mut self, input: usize, output: usize) {
        self.by_input[input * self.words.1 + (output >> 6)] |= 1 << (output & 63);
        self.by_output[output * self.words.0 + (input >> 6)] |= 1 << (input & 63);
        self.asking[input >> 6] |= 1 << (input & 63);
        self.asked[output >> 6] |= 1 << (output & 63);
    }

    /// A request counts so much at its input and at its output.
    #[inline(always)]
    pub fn rank(&mut self, input: usize, output: usize, ranks: (u64, u64)) {
        let outputs = self.output_count();
        self.ranks[input * outputs + output] = ranks;
    }

    /// How much a request counts at its input and at its output: the higher, the more.
    #[inline(always)]
    pub fn ranks(&self, input: usize, output: usize) -> (u64, u64) {
        if self.ranks.is_empty() { (0, 0) } else { self.ranks[input * self.output_count() + output] }
    }

    #[inline(always)]
    fn output_count(&self) -> usize {
        self.input_of.len()
    }

    /// Whether some requests may count more than others.
    #[inline(always)]
    pub fn are_ranked(&self) -> bool {
        !self.ranks.is_empty()
    }

    /// Whether an input asks for an output.
    #[inline(always)]
    pub fn is_asked(&self, input: usize, output: usize) -> bool {
        self.by_input[input * self.words.1 + (output >> 6)] >> (output & 63) & 1 == 1
    }

    /// Whether an input asks.
    #[inline(always)]
    pub fn asks(&self, input: usize) -> bool {
        self.asking[input >> 6] >> (input & 63) & 1 == 1
    }

    /// Whether somebody asks for an output.
    #[inline(always)]
    pub fn is_asked_for(&self, output: usize) -> bool {
        self.asked[output >> 6] >> (output & 63) & 1 == 1
    }

    /// Whether an input, if it is one, asks for an output and neither is matched.
    #[inline(always)]
    pub fn may_pair(&self, input: usize, output: usize) -> bool {
        let there = input < self.output_of.len() && self.is_asked(input, output);
        there && self.output_of(input).is_none() && self.input_of(output).is_none()
    }

    /// Whether a word holds all inputs, and all outputs.
    #[inline(always)]
    pub fn are_narrow(&self) -> bool {
        self.words == (1, 1)
    }

    /// Whether nobody asks.
    #[inline]
    pub fn are_none(&self) -> bool {
        if self.are_narrow() {
            return self.asking[0] == 0;
        }
        self.asking.iter().all(|&word| word == 0)
    }

    /// The one request, if there is only one.
    pub fn only(&self) -> Option<(usize, usize)> {
        let input = only(&self.asking)?;
        Some((input, only(self.outputs_of(input))?))
    }

    /// The outputs that an input asks for.
    #[inline(always)]
    pub fn outputs_of(&self, input: usize) -> &[u64] {
        &self.by_input[input * self.words.1..][..self.words.1]
    }

    /// The inputs that ask for an output.
    #[inline(always)]
    pub fn inputs_of(&self, output: usize) -> &[u64] {
        &self.by_output[output * self.words.0..][..self.words.0]
    }

    /// A word of the set of inputs that ask.
    #[inline(always)]
    pub fn asking(&self) -> &[u64] {
        &self.asking
    }

    /// A word of the set of outputs that are asked for.
    #[inline(always)]
    pub fn asked(&self) -> &[u64] {
        &self.asked
    }

    /// Inputs that are matched.
    #[inline(always)]
    pub fn taken(&self) -> &[u64] {
        &self.taken
    }

    /// Outputs that are matched.
    #[inline(always)]
    pub fn given(&self) -> &[u64] {
        &self.given
    }

    /// Matches an input with an output, whatever they were matched with before.
    #[inline(always)]
    pub fn pair(&mut self, input: usize, output: usize) {
        self.taken[input >> 6] |= 1 << (input & 63);
        self.given[output >> 6] |= 1 << (output & 63);
        self.output_of[input] = output as u16;
        self.input_of[output] = input as u16;
    }

    /// Begins a round: nobody has granted or chosen.
    #[inline(always)]
    pub fn forget_grants(&mut self) {
        if self.words == (1, 1) {
            ones(std::mem::take(&mut self.granted[0])).for_each(|input| self.granters[input] = 0);
            ones(std::mem::take(&mut self.chosen[0])).for_each(|output| self.choosers[output] = 0);
            return;
        }
        for word in 0..self.words.0 {
            for bit in ones(std::mem::take(&mut self.granted[word])) {
                let first = (word * 64 + bit) * self.words.1;
                self.granters[first..first + self.words.1].fill(0);
            }
        }
        for word in 0..self.words.1 {
            for bit in ones(std::mem::take(&mut self.chosen[word])) {
                let first = (word * 64 + bit) * self.words.0;
                self.choosers[first..first + self.words.0].fill(0);
            }
        }
    }

    /// An output grants an input, in this round.
    #[inline(always)]
    pub fn grant(&mut self, input: usize, output: usize) {
        self.granters[input * self.words.1 + (output >> 6)] |= 1 << (output & 63);
        self.granted[input >> 6] |= 1 << (input & 63);
    }

    /// An input chooses an output, in this round.
    #[inline(always)]
    pub fn choose(&mut self, input: usize, output: usize) {
        self.choosers[output * self.words.0 + (input >> 6)] |= 1 << (input & 63);
        self.chosen[output >> 6] |= 1 << (output & 63);
    }

    /// Inputs with a grant.
    #[inline(always)]
    pub fn granted(&self) -> &[u64] {
        &self.granted
    }

    /// Outputs that are chosen.
    #[inline(always)]
    pub fn chosen(&self) -> &[u64] {
        &self.chosen
    }

    /// The outputs that grant an input.
    #[inline(always)]
    pub fn granters_of(&self, input: usize) -> &[u64] {
        &self.granters[input * self.words.1..][..self.words.1]
    }

    /// The inputs that choose an output.
    #[inline(always)]
    pub fn choosers_of(&self, output: usize) -> &[u64] {
        &self.choosers[output * self.words.0..][..self.words.0]
    }

    /// The first output at or after `from` that grants an input which has a grant.
    #[inline(always)]
    pub fn accepts(&self, input: usize, from: usize) -> usize {
        first_from(self.granters_of(input), &self.none.1, from).expect("it has a grant")
    }

    /// As [`Requests::accepts`]; the place is asked for only where several outputs grant the input.
    #[inline(always)]
    pub fn accepts_any(&self, input: usize, from: impl FnOnce() -> usize) -> usize {
        first_from_any(self.granters_of(input), &self.none.1, from).expect("it has a grant")
    }

    /// Takes an empty list with room for every input and output; give it back.
    pub fn list(&mut self, number: usize) -> Vec<u32> {
        let mut list = std::mem::take(&mut self.lists[number]);
        list.clear();
        list
    }

    /// Takes a list back.
    pub fn keep(&mut self, number: usize, list: Vec<u32>) {
        self.lists[number] = list;
    }

    /// No inputs.
    #[inline(always)]
    pub fn no_inputs(&self) -> &[u64] {
        &self.none.0
    }

    /// No outputs.
    #[inline(always)]
    pub fn no_outputs(&self) -> &[u64] {
        &self.none.1
    }

    /// The output of an input.
    #[inline(always)]
    pub fn output_of(&self, input: usize) -> Option<usize> {
        (self.taken[input >> 6] >> (input & 63) & 1 == 1).then(|| usize::from(self.output_of[input]))
    }

    /// The input of an output.
    #[inline(always)]
    pub fn input_of(&self, output: usize) -> Option<usize> {
        (self.given[output >> 6] >> (output & 63) & 1 == 1).then(|| usize::from(self.input_of[output]))
    }
}

/// The members of a set in words.
pub(crate) fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(word, &bits)| ones(bits).map(move |bit| word * 64 + bit))
}

/// The member of a set that has one.
#[inline]
pub(crate) fn only(words: &[u64]) -> Option<usize> {
    let mut words = words.iter().enumerate().filter(|(_, word)| **word != 0);
    let (at, word) = words.next()?;
    (word.is_power_of_two() && words.next().is_none()).then(|| at * 64 + word.trailing_zeros() as usize)
}

/// The first one bit at or after `from`, else the first of all; there is one.
#[inline(always)]
pub(crate) fn first_bit_from(bits: u64, from: usize) -> usize {
    let late = bits & u64::MAX << (from & 63);
    if late != 0 { late } else { bits }.trailing_zeros() as usize
}

/// The first at or after `from`, else the first of all, out of those with the highest rank.
pub(crate) fn best_from(all: impl Iterator<Item = usize>, from: usize, rank: impl Fn(usize) -> u64) -> Option<usize> {
    all.min_by_key(|&one| (std::cmp::Reverse(rank(one)), one < from, one))
}

/// The first member at or after `from`, else the first of all, out of those in `words` and not in `without`.
#[inline(always)]
pub(crate) fn first_from(words: &[u64], without: &[u64], from: usize) -> Option<usize> {
    let bits = |word: usize| words[word] & !without[word];
    if words.len() == 1 {
        return (bits(0) != 0).then(|| first_bit_from(bits(0), from));
    }
    let start = from >> 6;
    let at = |word: usize, bits: u64| word * 64 + bits.trailing_zeros() as usize;
    let late = bits(start) & u64::MAX << (from & 63);
    if late != 0 {
        return Some(at(start, late));
    }
    let rest = (start + 1..words.len()).chain(0..start + 1);
    rest.map(|word| (word, bits(word))).find(|&(_, bits)| bits != 0).map(|(word, bits)| at(word, bits))
}

/// As [`first_from`]. The place is asked for only where there are several.
///
/// PERF: a place that is drawn takes as long as the rest (`tailback booksim` with `sw_allocator = pim`).
#[inline(always)]
pub(crate) fn first_from_any(words: &[u64], without: &[u64], from: impl FnOnce() -> usize) -> Option<usize> {
    let mut members = words.iter().zip(without).enumerate().filter(|(_, (word, without))| *word & !*without != 0);
    let (at, (word, without_word)) = members.next()?;
    let bits = word & !without_word;
    if bits.is_power_of_two() && members.next().is_none() {
        return Some(at * 64 + bits.trailing_zeros() as usize);
    }
    first_from(words, without, from())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_from_a_place_goes_round() {
        let (one, none) = ([0b1001_0000u64], [0]);
        assert_eq!(first_from(&one, &none, 5), Some(7));
        assert_eq!(first_from(&one, &none, 8), Some(4));
        assert_eq!(first_from(&one, &[0b1_0000], 8), Some(7));
        assert_eq!(first_from(&[0], &none, 8), None);
        let (two, none) = ([1u64 << 3, 1 << 2], [0, 0]);
        assert_eq!(first_from(&two, &none, 4), Some(66));
        assert_eq!(first_from(&two, &none, 67), Some(3));
        assert_eq!(first_from(&two, &none, 66), Some(66));
        assert_eq!(first_from_any(&two, &none, || 4), Some(66));
        assert_eq!(first_from_any(&two, &[0, 1 << 2], || panic!("there is one")), Some(3));
        assert_eq!(first_from_any(&two, &two, || panic!("there is none")), None);
        // Behind its own place in the word in which it begins.
        assert_eq!(first_from(&[1 << 3, 0], &none, 4), Some(3));
    }

    #[test]
    fn the_highest_rank_goes_before_the_turn() {
        let best = |from, ranks: [u64; 4]| best_from(0..4, from, |one| ranks[one]);
        assert_eq!(best(2, [0; 4]), Some(2));
        assert_eq!(best(2, [5, 5, 1, 0]), Some(0));
        assert_eq!(best(1, [5, 5, 1, 0]), Some(1));
        assert_eq!(best_from(std::iter::empty(), 0, |_| 0), None);
    }

    #[test]
    fn what_is_cleared_is_gone() {
        let mut requests = Requests::new(70, 3);
        requests.ask(69, 2);
        requests.pair(69, 2);
        assert_eq!(requests.only(), Some((69, 2)));
        assert_eq!((requests.output_of(69), requests.input_of(2)), (Some(2), Some(69)));
        requests.clear();
        assert!(requests.are_none() && requests.output_of(69).is_none() && !requests.is_asked(69, 2));
        assert!(requests.inputs_of(2).iter().all(|&word| word == 0));
    }
}
