//! What all routers of a block do in every cycle, written once for all and without a branch, so that the compiler turns it
//! into vector instructions.
//!
//! PERF: one by one, a router's few flits a cycle are loops whose length nobody can predict; side by side the same work is
//! a third of the instructions and has nothing to predict (`tailback bench wormhole-16`). Functions of their own, because
//! among other code the compiler takes the loops apart in other ways.

use super::feed::Run;
use super::groups::{Groups, choose_in_groups, pass_in_groups};
use super::lanes::{LANES, Lanes, Mask, lanes};
use std::sync::atomic::{Ordering, compiler_fence};

/// Begins a turn of a loop over inputs, channels or ports: it is lanes that go side by side in a vector, and the compiler
/// must not take the turns instead. Costs nothing.
#[inline(always)]
fn one_by_one() {
    compiler_fence(Ordering::SeqCst);
}

/// Adds one to the counters of the members of `up`, takes one from those of `down`, and returns those above 0.
///
/// Counter `n` is kept upright: bit `n` of `planes[k]` is worth `2^k`. So all counters of a router are counted at once.
#[inline(always)]
fn count<W: Mask>(planes: &mut [Lanes<W>], up: &Lanes<W>, down: &Lanes<W>, positive: &mut Lanes<W>) {
    let mut carry = lanes(|l| up[l] & !down[l]);
    let mut borrow = lanes(|l| down[l] & !up[l]);
    let mut some = [W::default(); LANES];
    for plane in planes {
        one_by_one();
        let old = *plane;
        let new = lanes(|l| old[l] ^ (carry[l] | borrow[l]));
        carry = lanes(|l| carry[l] & old[l]);
        borrow = lanes(|l| borrow[l] & !old[l]);
        some = lanes(|l| some[l] | new[l]);
        *plane = new;
    }
    *positive = some;
}

/// Takes one from the counters of the members of `down`, and returns those that were 0 before.
#[inline(always)]
fn count_down<W: Mask>(planes: &mut [Lanes<W>], down: &Lanes<W>, ended: &mut Lanes<W>) {
    // What is still to be taken away when all planes are through was taken from 0.
    let mut borrow = *down;
    for plane in planes {
        one_by_one();
        let old = *plane;
        *plane = lanes(|l| old[l] ^ borrow[l]);
        borrow = lanes(|l| borrow[l] & !old[l]);
    }
    *ended = borrow;
}

/// The members `n` whose set `sets[n]` meets `with`.
#[inline(always)]
fn meeting<W: Mask>(sets: &[Lanes<W>], with: &Lanes<W>, out: &mut Lanes<W>) {
    let (with, mut met) = (*with, [W::default(); LANES]);
    // Backwards, so that what was found is shifted on: a bit that is the same in all lanes would take longer to make.
    for set in sets.iter().rev() {
        one_by_one();
        let larger = met;
        met = lanes(|l| larger[l].next() | W::of(1).when(set[l] & with[l] != W::default()));
    }
    *out = met;
}

/// All members of the sets `sets[n]` of the members `n` of `of`, of which there are at most as many as `of` has bits.
#[inline(always)]
fn union<W: Mask>(sets: &[Lanes<W>], of: &Lanes<W>, out: &mut Lanes<W>) {
    let mut all = [W::default(); LANES];
    let mut left = lanes(|l| of[l].up(W::BITS.wrapping_sub(sets.len()) % W::BITS));
    for set in sets.iter().rev() {
        one_by_one();
        let (some, now) = (all, left);
        all = lanes(|l| some[l] | set[l] & now[l].spread_last());
        left = lanes(|l| now[l].next());
    }
    *out = all;
}

/// A stage of round-robin contests, one for every one of `sets`: the first of its members among `requests` from `turns` on.
#[inline(always)]
fn choose<W: Mask>(sets: &[Lanes<W>], turns: &[Lanes<W>], requests: &Lanes<W>, picked: &mut Lanes<W>) {
    let mut all = [W::default(); LANES];
    for (set, turn) in sets.iter().zip(turns) {
        one_by_one();
        all = lanes(|l| {
            let asking = requests[l] & set[l];
            let later = asking & turn[l];
            all[l] | (later | asking.when(later == W::default())).lowest()
        });
    }
    *picked = all;
}

/// After a stage: for the one of `grants` in each of `sets` the turn is at the numbers above it; without one it stays.
#[inline(always)]
fn pass<W: Mask>(sets: &[Lanes<W>], grants: &Lanes<W>, turns: &mut [Lanes<W>]) {
    for (set, turn) in sets.iter().zip(turns) {
        one_by_one();
        let old = *turn;
        *turn = lanes(|l| {
            let winner = grants[l] & set[l];
            winner.above() | old[l].when(winner == W::default())
        });
    }
}

/// A stage that is final: [`choose`] and [`pass`] in one.
#[inline(always)]
fn decide<W: Mask>(sets: &[Lanes<W>], requests: &Lanes<W>, turns: &mut [Lanes<W>], grants: &mut Lanes<W>) {
    let mut all = [W::default(); LANES];
    for (set, turn) in sets.iter().zip(turns) {
        one_by_one();
        let old = *turn;
        let asking = lanes(|l| requests[l] & set[l]);
        let later = lanes(|l| asking[l] & old[l]);
        let winner = lanes(|l| (later[l] | asking[l].when(later[l] == W::default())).lowest());
        *turn = lanes(|l| winner[l].above() | old[l].when(winner[l] == W::default()));
        all = lanes(|l| all[l] | winner[l]);
    }
    *grants = all;
}

/// What `runs` read out of `sent`.
#[inline(always)]
fn gather<W: Mask>(runs: &[Run<W>], sent: &[W], all: &mut Lanes<W>) {
    let mut read = [W::default(); LANES];
    for run in runs {
        one_by_one();
        let from = &sent[run.first..][..LANES];
        read = lanes(|l| read[l] | from[l] & run.keep[l]);
    }
    *all = read;
}

/// Makes the functions above callable as they are compiled for any processor and for one with wide vectors.
macro_rules! kernels {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*);)+) => {
        /// The functions of this module, compiled for some processor. The last argument is the result.
        pub(crate) trait Kernels: Copy {
            $($(#[$doc])* fn $name<W: Mask>(self, $($argument: $type),*);)+
        }

        impl Kernels for AnyProcessor {
            $(#[inline(never)]
            fn $name<W: Mask>(self, $($argument: $type),*) {
                $name($($argument),*);
            })+
        }

        #[cfg(target_arch = "x86_64")]
        impl Kernels for Wide {
            $(#[inline(always)]
            fn $name<W: Mask>(self, $($argument: $type),*) {
                #[target_feature(enable = "avx2")]
                #[inline(never)]
                fn wide<W: Mask>($($argument: $type),*) {
                    $name($($argument),*);
                }
                // SAFETY: a `Wide` exists only where the feature was detected, see `Wide::new`. A test compares both.
                #[allow(unsafe_code)]
                unsafe {
                    wide($($argument),*);
                }
            })+
        }
    };
}

/// What every processor can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnyProcessor;

/// Proof that this processor has wide vectors and bit instructions.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide(());

#[cfg(target_arch = "x86_64")]
impl Wide {
    /// The proof, if there is one.
    pub fn new() -> Option<Self> {
        use std::arch::is_x86_feature_detected as has;
        (has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")).then_some(Wide(()))
    }
}

kernels! {
    /// Counts up and down; the members whose counters are above 0.
    count(planes: &mut [Lanes<W>], up: &Lanes<W>, down: &Lanes<W>, positive: &mut Lanes<W>);
    /// Counts down; the members whose counters were 0 before.
    count_down(planes: &mut [Lanes<W>], down: &Lanes<W>, ended: &mut Lanes<W>);
    /// The numbers of the sets that meet `with`.
    meeting(sets: &[Lanes<W>], with: &Lanes<W>, out: &mut Lanes<W>);
    /// The union of the sets whose numbers are in `of`.
    union(sets: &[Lanes<W>], of: &Lanes<W>, out: &mut Lanes<W>);
    /// The winners of round-robin contests.
    choose(sets: &[Lanes<W>], turns: &[Lanes<W>], requests: &Lanes<W>, picked: &mut Lanes<W>);
    /// Turns after a contest.
    pass(sets: &[Lanes<W>], grants: &Lanes<W>, turns: &mut [Lanes<W>]);
    /// The winners of round-robin contests in fixed groups.
    choose_in_groups(groups: &Groups<W>, turns: &Lanes<W>, requests: &Lanes<W>, picked: &mut Lanes<W>);
    /// Turns after such a contest.
    pass_in_groups(groups: &Groups<W>, grants: &Lanes<W>, turns: &mut Lanes<W>);
    /// The winners of round-robin contests that are final, and the turns after them.
    decide(sets: &[Lanes<W>], requests: &Lanes<W>, turns: &mut [Lanes<W>], grants: &mut Lanes<W>);
    /// What was sent to the routers of a block.
    gather(runs: &[Run<W>], sent: &[W], all: &mut Lanes<W>);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a test for every processor that this one can be.
    macro_rules! on_all {
        ($test:ident) => {
            $test(AnyProcessor);
            #[cfg(target_arch = "x86_64")]
            Wide::new().map($test);
        };
    }

    fn counting(kernels: impl Kernels) {
        let mut planes = [[0u32; LANES]; 3];
        let mut numbers = [[0i32; 20]; LANES];
        let mut positive = [0; LANES];
        for turn in 0..200u32 {
            let draw = |l: usize, n: u32| (turn * 7919 + l as u32 * 104_729).wrapping_mul(0x9e37_79b9 + n) >> 12;
            let mut up = lanes(|l| draw(l, 1));
            let mut down = lanes(|l| draw(l, 2));
            for (l, numbers) in numbers.iter_mut().enumerate() {
                for (n, number) in numbers.iter_mut().enumerate() {
                    // From 0 to 7.
                    up[l] &= !(u32::from(*number == 7) << n);
                    down[l] &= !(u32::from(*number == 0) << n);
                    *number += (up[l] >> n & 1) as i32 - (down[l] >> n & 1) as i32;
                }
            }
            kernels.count(&mut planes, &up, &down, &mut positive);
            for (l, numbers) in numbers.iter().enumerate() {
                let get = |n: usize| (0..3).map(|k| (planes[k][l] >> n & 1) << k).sum::<u32>() as i32;
                assert!(numbers.iter().enumerate().all(|(n, &number)| get(n) == number));
                assert!(numbers.iter().enumerate().all(|(n, &number)| (positive[l] >> n & 1 == 1) == (number > 0)));
            }
        }
    }

    fn ending(kernels: impl Kernels) {
        // Member 0 stands at 0, member 1 at 2.
        let mut planes = [[0b00u64; LANES], [0b10; LANES]];
        let mut ended = [0; LANES];
        kernels.count_down(&mut planes, &lanes(|l| if l == 7 { 0b11u64 } else { 0 }), &mut ended);
        assert_eq!((ended[7], ended[6]), (0b01, 0));
        assert_eq!((planes[0][7] & 0b10, planes[1][7] & 0b10, planes[1][6]), (0b10, 0, 0b10));
    }

    fn taking_turns(kernels: impl Kernels) {
        let (sets, mut turns) = ([[0b1011u32; LANES], [0b0100; LANES]], [[0; LANES]; 2]);
        let mut winners = Vec::new();
        for requests in [0b1111u32, 0b1111, 0b1011, 0b1111, 0] {
            let mut picked = [0; LANES];
            kernels.choose(&sets, &turns, &[requests; LANES], &mut picked);
            kernels.pass(&sets, &picked, &mut turns);
            winners.push(picked[9]);
        }
        assert_eq!(winners, [0b0101, 0b0110, 0b1000, 0b0101, 0]);
        let (mut turns, mut winners) = ([[0; LANES]; 2], Vec::new());
        for requests in [0b1111u32, 0b1111, 0b1011, 0b1111, 0] {
            let mut granted = [0; LANES];
            kernels.decide(&sets, &[requests; LANES], &mut turns, &mut granted);
            winners.push(granted[9]);
        }
        assert_eq!(winners, [0b0101, 0b0110, 0b1000, 0b0101, 0]);
    }

    fn meeting_and_uniting(kernels: impl Kernels) {
        let (sets, mut out) = ([[0b0110u32; LANES], [0b1000; LANES]], [0; LANES]);
        kernels.meeting(&sets, &[0b0010; LANES], &mut out);
        assert_eq!(out[0], 0b01);
        kernels.meeting(&[sets[0], sets[1], sets[0], sets[1], sets[0]], &[0b0010; LANES], &mut out);
        assert_eq!(out[3], 0b10101);
        kernels.union(&[sets[0], sets[1], [1; LANES]], &[0b101; LANES], &mut out);
        assert_eq!(out[3], 0b0111);
        kernels.union(&sets, &lanes(|l| if l == 15 { 0b11 } else { 0b10 }), &mut out);
        assert_eq!((out[15], out[14]), (0b1110, 0b1000));
    }

    #[test]
    fn all_kernels() {
        on_all!(counting);
        on_all!(ending);
        on_all!(taking_turns);
        on_all!(meeting_and_uniting);
    }
}
