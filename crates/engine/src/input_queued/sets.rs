//! Sets of the channels of every router.

use tailback_base::bits::ones;

/// A set of channels of each of some routers.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    words: usize,
    bits: Vec<u64>,
}

tailback_base::state!([] Sets { saved: bits; rebuilt: words; });

impl Sets {
    /// Empty sets of `words` words.
    pub fn new(routers: usize, words: usize) -> Self {
        Sets { words, bits: vec![0; routers * words] }
    }

    #[inline(always)]
    pub fn insert(&mut self, router: usize, n: usize) {
        self.bits[router * self.words + (n >> 6)] |= 1 << (n & 63);
    }

    #[inline(always)]
    pub fn remove(&mut self, router: usize, n: usize) {
        self.bits[router * self.words + (n >> 6)] &= !(1 << (n & 63));
    }

    #[inline(always)]
    pub fn contains(&self, router: usize, n: usize) -> bool {
        self.bits[router * self.words + (n >> 6)] >> (n & 63) & 1 == 1
    }

    /// Whether the set of a router is empty.
    #[inline(always)]
    pub fn is_empty(&self, router: usize) -> bool {
        if self.words == 1 {
            return self.bits[router] == 0;
        }
        self.bits[router * self.words..][..self.words].iter().all(|&word| word == 0)
    }

    /// Members `64 * word ..` of a router's set.
    #[inline(always)]
    pub fn word(&self, router: usize, word: usize) -> u64 {
        self.bits[router * self.words + word]
    }

    /// Takes those of a mask out of a word of a router's set, and returns which were in it.
    #[inline(always)]
    pub fn take(&mut self, router: usize, word: usize, mask: u64) -> u64 {
        let bits = &mut self.bits[router * self.words + word];
        let taken = *bits & mask;
        *bits &= !mask;
        taken
    }

    /// The one word of a router's set, where sets have one.
    #[inline(always)]
    pub fn first_word(&self, router: usize) -> u64 {
        debug_assert_eq!(self.words, 1);
        self.bits[router]
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn first_word_mut(&mut self, router: usize) -> &mut u64 {
        debug_assert_eq!(self.words, 1);
        &mut self.bits[router]
    }

    /// Adds members `64 * word ..`.
    #[inline(always)]
    pub fn add(&mut self, router: usize, word: usize, bits: u64) {
        self.bits[router * self.words + word] |= bits;
    }

    /// Words of a set.
    #[inline(always)]
    pub fn words(&self) -> usize {
        self.words
    }

    /// The members of a router's set.
    pub fn of(&self, router: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.words).flat_map(move |word| ones(self.word(router, word)).map(move |bit| word * 64 + bit))
    }
}
