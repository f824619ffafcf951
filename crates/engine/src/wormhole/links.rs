//! Masks of all inputs beside masks of channels of links alone, which are narrower: twice as many go side by side in a
//! vector.
//!
//! PERF: the kernels have the same width for all their masks, because the compiler makes vectors only as wide as the
//! widest value allows (`tailback bench wormhole-16`). For the same reason masks of the other width are kept out of its
//! sight: it puts kernels in line here even where it was asked not to.

use super::kernels::Kernels;
use super::lanes::{LANES, Lanes, Mask, lanes};
use std::hint::black_box;

/// The numbers of the inputs whose set meets `with`.
#[inline(always)]
pub(crate) fn meeting<W: Mask>(sets: &[Lanes<W::Links>], with: &Lanes<W::Links>, kernels: impl Kernels) -> Lanes<W> {
    let (narrow, others) = sets.split_at(sets.len().min(W::Links::BITS));
    let mut met = [W::Links::default(); LANES];
    kernels.meeting(narrow, black_box(with), black_box(&mut met));
    let mut all = lanes(|l| W::of_links(met[l], 0));
    for (set, input) in others.iter().zip(W::Links::BITS..) {
        let (some, one) = (all, W::of(1 << input));
        all = lanes(|l| some[l] | one.when(set[l] & with[l] != W::Links::default()));
    }
    all
}

/// The union of the sets of the inputs in `of`.
#[inline(always)]
pub(crate) fn union<W: Mask>(sets: &[Lanes<W::Links>], of: &Lanes<W>, kernels: impl Kernels) -> Lanes<W::Links> {
    let (narrow, others) = sets.split_at(sets.len().min(W::Links::BITS));
    let mut all = [W::Links::default(); LANES];
    let first = lanes(|l| of[l].links(0));
    kernels.union(narrow, black_box(&first), black_box(&mut all));
    for (set, input) in others.iter().zip(W::Links::BITS..) {
        let (some, one) = (all, W::of(1 << input));
        all = lanes(|l| some[l] | set[l].when(of[l] & one == one));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::kernels::AnyProcessor;
    use super::*;

    #[test]
    fn inputs_beyond_the_narrow_masks_are_there_too() {
        // Input n has channel n mod 16.
        let sets: Vec<Lanes<u16>> = (0..20).map(|n| [1 << (n % 16); LANES]).collect();
        let met: Lanes<u32> = meeting(&sets, &lanes(|l| if l == 3 { 0b110 } else { 0 }), AnyProcessor);
        assert_eq!((met[3], met[4]), (0b110 | 0b110 << 16, 0));
        let all = union(&sets, &lanes(|l| if l == 9 { 1u32 << 15 | 1 << 18 } else { 0 }), AnyProcessor);
        assert_eq!((all[9], all[8]), (1 << 15 | 1 << 2, 0));
    }

    #[test]
    fn masks_that_are_as_wide() {
        let sets: Vec<Lanes<u64>> = (0..64).map(|n| [1 << n; LANES]).collect();
        assert_eq!(meeting::<u64>(&sets, &[5 << 60; LANES], AnyProcessor)[0], 5 << 60);
        assert_eq!(union::<u64>(&sets, &[5 << 60; LANES], AnyProcessor)[7], 5 << 60);
    }
}
