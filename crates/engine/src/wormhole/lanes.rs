//! Sixty-four routers side by side, and sets of their inputs or channels.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};
use tailback_base::state::State;

/// Routers side by side.
pub(crate) const LANES: usize = 64;

/// A value for each of them.
pub(crate) type Lanes<T> = [T; LANES];

/// The lane of a router in its block.
#[inline(always)]
pub(crate) fn lane(router: u32) -> usize {
    router as usize % LANES
}

/// The value of every lane.
#[inline(always)]
pub(crate) fn lanes<T: Copy + Default>(value: impl Fn(usize) -> T) -> Lanes<T> {
    // Not `array::from_fn`, which is not always inlined.
    let mut all = [T::default(); LANES];
    for (l, one) in all.iter_mut().enumerate() {
        *one = value(l);
    }
    all
}

/// A set of inputs, or of output channels, of a router.
pub(crate) trait Mask:
    State
    + Copy
    + Default
    + Eq
    + std::fmt::Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// A set of network inputs, or of channels of links, alone: as narrow as the smallest shape's allows.
    type Links: Mask;
    /// Members that fit.
    const BITS: usize;
    /// The bits.
    fn get(self) -> u64;
    /// Makes a mask from bits that fit into it.
    fn of(bits: u64) -> Self;
    /// The lowest member alone.
    fn lowest(self) -> Self;
    /// How many members there are.
    fn len(self) -> u32;
    /// The numbers above that of the only member; nothing if there is none.
    fn above(self) -> Self;
    /// The next number, of a set with one member.
    fn next(self) -> Self;
    /// All numbers if the last one is a member, else nothing.
    fn spread_last(self) -> Self;
    /// Larger numbers.
    fn up(self, by: usize) -> Self;
    /// Smaller numbers.
    fn down(self, by: usize) -> Self;
    /// The members from number `from` on, as many as fit, numbered from 0.
    fn links(self, from: usize) -> Self::Links;
    /// The other way round.
    fn of_links(links: Self::Links, from: usize) -> Self;
    /// Itself if `condition` holds, else nothing. Not by a branch, see the head of this file.
    fn when(self, condition: bool) -> Self;
}

macro_rules! mask {
    ($($t:ty: $links:ty),+) => {$(
        impl Mask for $t {
            type Links = $links;
            const BITS: usize = <$t>::BITS as usize;
            #[inline(always)]
            fn get(self) -> u64 {
                u64::from(self)
            }
            #[inline(always)]
            fn of(bits: u64) -> Self {
                bits as $t
            }
            #[inline(always)]
            fn lowest(self) -> Self {
                self & self.wrapping_neg()
            }
            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn above(self) -> Self {
                !(self | self.wrapping_sub(1))
            }
            #[inline(always)]
            fn next(self) -> Self {
                self << 1
            }
            #[inline(always)]
            fn spread_last(self) -> Self {
                (self.cast_signed() >> (<$t>::BITS - 1)).cast_unsigned()
            }
            #[inline(always)]
            fn up(self, by: usize) -> Self {
                self << by
            }
            #[inline(always)]
            fn down(self, by: usize) -> Self {
                self >> by
            }
            #[inline(always)]
            fn links(self, from: usize) -> $links {
                (self >> from) as $links
            }
            #[inline(always)]
            fn of_links(links: $links, from: usize) -> Self {
                <$t>::from(links) << from
            }
            #[inline(always)]
            fn when(self, condition: bool) -> Self {
                self & <$t>::from(condition).wrapping_neg()
            }
        }
    )+};
}
mask!(u16: u16, u32: u16, u64: u64);

/// The members of links alone.
#[inline(always)]
pub(crate) fn links<W: Mask>(masks: &Lanes<W>) -> Lanes<W::Links> {
    lanes(|l| masks[l].links(0))
}

/// Adds members to one set.
#[inline(always)]
pub(crate) fn add<W: Mask>(mask: &mut W, bits: u64) {
    *mask |= W::of(bits);
}

/// Takes members out of one set.
#[inline(always)]
pub(crate) fn clear<W: Mask>(mask: &mut W, bits: u64) {
    *mask &= !W::of(bits);
}

/// Whether some set has a member.
#[inline(always)]
pub(crate) fn any<W: Mask>(masks: &Lanes<W>) -> bool {
    masks.iter().fold(W::default(), |all, &mask| all | mask) != W::default()
}

/// The lanes whose set has a member, as a mask.
#[inline(always)]
pub(crate) fn occupied<W: Mask>(masks: &Lanes<W>) -> u64 {
    masks.iter().enumerate().fold(0, |m, (l, &mask)| m | u64::from(mask != W::default()) << l)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_one() {
        assert_eq!((0b0110u32.lowest(), 0b0010u32.above(), 0u64.above(), (1u64 << 63).above()), (0b10, !0b11, 0, 0));
        assert_eq!((7u32.when(true), 7u64.when(false), 1u32.next()), (7, 0, 2));
    }

    #[test]
    fn lanes_with_members() {
        assert_eq!(occupied(&lanes(|l| u32::from(l == 4))), 1 << 4);
        assert!(any(&lanes(|l| u64::from(l == 4))) && !any(&[0u64; LANES]));
    }
}
