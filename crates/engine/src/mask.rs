//! Small sets as the bits of an integer, as narrow as a shape allows.

use tailback_base::bits::ones;
use tailback_base::state::State;

/// A set of numbers below the integer's width.
pub(crate) trait Mask: Copy + Default + std::fmt::Debug + Send + Sync + State {
    /// The bits.
    fn get(self) -> u64;
    /// Makes a mask from bits that fit into it.
    fn of(bits: u64) -> Self;

    /// Whether `n` is a member.
    #[inline(always)]
    fn has(self, n: usize) -> bool {
        self.get() >> n & 1 == 1
    }

    /// The set with `n` as a member, or without it.
    #[inline(always)]
    fn with(self, n: usize, member: bool) -> Self {
        Self::of(self.get() & !(1 << n) | u64::from(member) << n)
    }
}

macro_rules! mask {
    ($($t:ty),+) => {$(
        impl Mask for $t {
            #[inline(always)]
            fn get(self) -> u64 {
                u64::from(self)
            }
            #[inline(always)]
            fn of(bits: u64) -> Self {
                bits as $t
            }
        }
    )+};
}
mask!(u8, u16, u32, u64);

/// A set of inputs of a router.
pub(crate) trait Set: Copy + Default + std::fmt::Debug + Send + Sync {
    /// Whether it has no member.
    fn is_empty(&self) -> bool;
    /// Adds a member.
    fn insert(&mut self, n: usize);
    /// Takes out the members of another set.
    fn without(self, other: &Self) -> Self;
    /// The members, in order.
    fn members(&self) -> impl Iterator<Item = usize>;

    /// The members for which `keep` holds.
    #[inline]
    fn filter(&self, keep: impl Fn(usize) -> bool) -> Self {
        let mut kept = Self::default();
        self.members().filter(|&n| keep(n)).for_each(|n| kept.insert(n));
        kept
    }
}

impl Set for u64 {
    #[inline(always)]
    fn is_empty(&self) -> bool {
        *self == 0
    }

    #[inline(always)]
    fn insert(&mut self, n: usize) {
        *self |= 1 << n;
    }

    #[inline(always)]
    fn without(self, other: &Self) -> Self {
        self & !other
    }

    #[inline(always)]
    fn members(&self) -> impl Iterator<Item = usize> {
        ones(*self)
    }
}

/// A mask of the lowest `n` bits.
pub(crate) fn ones_below(n: usize) -> u64 {
    if n == 64 { u64::MAX } else { (1 << n) - 1 }
}

/// Whether words of a set have no member from `bound` on.
pub(crate) fn are_below(words: impl IntoIterator<Item = u64>, bound: usize) -> bool {
    let below = |(n, word): (usize, u64)| word & !ones_below(bound.saturating_sub(64 * n).min(64)) == 0;
    words.into_iter().enumerate().all(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_and_go() {
        let set = 0u8.with(7, true).with(2, true);
        assert_eq!(set, 0b1000_0100);
        assert!(set.has(7) && set.has(2) && !set.has(3));
        assert_eq!(set.with(2, true), set);
        assert_eq!(set.with(7, false).with(3, false), 0b100);
        assert_eq!(0u64.with(63, true).get(), 1 << 63);
    }
}
