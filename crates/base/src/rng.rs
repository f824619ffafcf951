//! Counter-based random numbers: a draw is a pure function of (seed, purpose, entity, index).
//!
//! No draw depends on iteration order, on threads or on how many draws anybody else made, so adding a mechanism
//! cannot perturb the traffic and any engine may make its draws in any order. The generator is Philox4x32-10
//! (Salmon et al., SC 2011).

/// What a draw is for. Each purpose is a stream of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// Gap to the next packet of a node.
    Gap = 1,
    /// Destination of a packet.
    Destination = 2,
    /// Size of a packet.
    Size = 3,
    /// Direction at distance k/2 on a ring.
    Tie = 4,
    /// Arbitration among the heads that ask for an output.
    Arbiter = 5,
    /// Shape of a random pattern (a random permutation, a random pairing, a hot set).
    Pattern = 6,
    /// On-off process of a node.
    Burst = 7,
    /// Routing decisions.
    Routing = 8,
    /// Initial phase of a periodic source.
    Phase = 9,
    /// Seeds of replicas.
    Replica = 10,
    /// Choice among several free channels.
    Selection = 11,
    /// Which candidate a head asks for, where its router draws.
    Request = 12,
    /// Which injection queue takes a packet.
    Interface = 13,
    /// Seeds of classes of traffic.
    Class = 14,
}

/// The 128 random bits of draw `index` of `entity`'s stream for `purpose`.
#[inline]
pub fn draw(seed: u64, purpose: Purpose, entity: u32, index: u64) -> [u32; 4] {
    philox4x32_10([index as u32, (index >> 32) as u32, entity, purpose as u32], [seed as u32, (seed >> 32) as u32])
}

/// The first 64 bits of [`draw`].
#[inline]
pub fn draw_u64(seed: u64, purpose: Purpose, entity: u32, index: u64) -> u64 {
    low_u64(draw(seed, purpose, entity, index))
}

/// The first 64 bits of a draw.
#[inline]
pub fn low_u64(d: [u32; 4]) -> u64 {
    u64::from(d[0]) | u64::from(d[1]) << 32
}

/// The last 64 bits of a draw.
#[inline]
pub fn high_u64(d: [u32; 4]) -> u64 {
    u64::from(d[2]) | u64::from(d[3]) << 32
}

/// Maps 64 random bits to `0..bound` by multiplication (bias below `bound` / 2^64).
#[inline]
pub fn below(bits: u64, bound: u64) -> u64 {
    ((u128::from(bits) * u128::from(bound)) >> 64) as u64
}

/// Maps 64 random bits to the open interval (0, 1).
#[inline]
pub fn unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
}

/// What a round multiplies the first and the third word by.
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];

/// What a round adds to the two words of the key.
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

#[cfg(target_arch = "x86_64")]
#[inline]
fn philox4x32_10(c: [u32; 4], k: [u32; 2]) -> [u32; 4] {
    // SAFETY: it asks for SSE2 only, which every processor of this architecture has.
    #[allow(unsafe_code)]
    unsafe {
        paired_philox4x32_10(c, k)
    }
}

/// PERF: the two products of a round in one instruction halve the work of a draw, two of which go into every packet
/// (`tailback bench dor-16`).
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn paired_philox4x32_10(c: [u32; 4], k: [u32; 2]) -> [u32; 4] {
    use std::arch::x86_64::*;
    // Two lanes of 64 bits. Words 0 and 2 in one register, 1 and 3 in the other; only the lower half of a lane counts.
    let lanes = |low: u32, high: u32| _mm_set_epi32(0, high as i32, 0, low as i32);
    let (multipliers, weyl) = (lanes(MULTIPLIERS[0], MULTIPLIERS[1]), lanes(WEYL[0], WEYL[1]));
    let (mut even, mut odd, mut key) = (lanes(c[0], c[2]), lanes(c[1], c[3]), lanes(k[0], k[1]));
    for _ in 0..10 {
        let products = _mm_mul_epu32(even, multipliers);
        // The upper halves of the products change places, and so do the lower ones.
        let upper = _mm_shuffle_epi32::<0b00_01_00_11>(products);
        even = _mm_xor_si128(_mm_xor_si128(upper, odd), key);
        odd = _mm_shuffle_epi32::<0b00_00_00_10>(products);
        key = _mm_add_epi32(key, weyl);
    }
    let words = _mm_unpacklo_epi64(_mm_unpacklo_epi32(even, odd), _mm_unpackhi_epi32(even, odd));
    let (low, high) = (_mm_cvtsi128_si64(words) as u64, _mm_cvtsi128_si64(_mm_unpackhi_epi64(words, words)) as u64);
    [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32]
}

#[cfg(not(target_arch = "x86_64"))]
use plain_philox4x32_10 as philox4x32_10;

/// The generator as it is written down.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn plain_philox4x32_10(mut c: [u32; 4], mut k: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let p0 = u64::from(c[0]) * u64::from(MULTIPLIERS[0]);
        let p1 = u64::from(c[2]) * u64::from(MULTIPLIERS[1]);
        c = [(p1 >> 32) as u32 ^ c[1] ^ k[0], p1 as u32, (p0 >> 32) as u32 ^ c[3] ^ k[1], p0 as u32];
        k = [k[0].wrapping_add(WEYL[0]), k[1].wrapping_add(WEYL[1])];
    }
    c
}

/// Natural logarithm of `x` in (0, 1], by exact IEEE operations only, so that every machine gets the same bits
/// (the platform's `ln` may differ in the last place). Relative error below 1e-14.
pub const fn ln(x: f64) -> f64 {
    assert!(x > 0.0 && x <= 1.0, "ln is defined here on (0, 1]");
    if x < f64::MIN_POSITIVE {
        return ln(x * (1u64 << 54) as f64) - 54.0 * std::f64::consts::LN_2;
    }
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut m = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh((m-1)/(m+1)), |z| < 0.172: the series to z^21 is exact to double precision.
    let z = (m - 1.0) / (m + 1.0);
    let z2 = z * z;
    let mut sum = 0.0;
    let mut n = 21;
    while n >= 1 {
        sum = sum * z2 + 1.0 / n as f64;
        n -= 2;
    }
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * z * sum
}

/// How far [`ln_about`] may be from [`ln`].
pub const LN_ABOUT_ERROR: f64 = 1e-8;

/// Pieces of [1, 2) in the table of [`ln_about`], as a power of two.
const PIECES_BITS: u32 = 6;

/// Per piece: the inverse of its middle, and the logarithm of that middle.
static PIECES: [(f64, f64); 1 << PIECES_BITS] = {
    let mut pieces = [(0.0, 0.0); 1 << PIECES_BITS];
    let mut n = 0;
    while n < pieces.len() {
        let middle = 1.0 + (n as f64 + 0.5) / pieces.len() as f64;
        // ln is for (0, 1], and the middle is above 1.
        pieces[n] = (1.0 / middle, -ln(1.0 / middle));
        n += 1;
    }
    pieces
};

/// [`ln`] of a normal `x` in (0, 1] to within [`LN_ABOUT_ERROR`], much faster. For callers that need less and can tell when
/// they do not: what is simulated must not depend on the error.
///
/// PERF: the series of `ln` is one long chain of operations (`tailback bench dor-16`).
#[inline]
pub fn ln_about(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i64 - 1023;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    let (inverse, logarithm) = PIECES[(bits >> (52 - PIECES_BITS)) as usize & ((1 << PIECES_BITS) - 1)];
    // |r| <= 2^-7: the terms left out are below r^4 / 4 = 2^-30.
    let r = mantissa * inverse - 1.0;
    exponent as f64 * std::f64::consts::LN_2 + logarithm + r * (1.0 - r * (0.5 - r * (1.0 / 3.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Known answers of Random123 (kat_vectors, philox4x32 10 rounds).
    #[test]
    fn philox_known_answers() {
        assert_eq!(philox4x32_10([0; 4], [0; 2]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
        assert_eq!(philox4x32_10([u32::MAX; 4], [u32::MAX; 2]), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
        assert_eq!(
            philox4x32_10([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]),
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]
        );
    }

    #[test]
    fn both_ways_to_draw_are_one() {
        let mut words = [1u32, 2, 3, 4];
        for n in 0..10_000u32 {
            let key = [words[n as usize % 4].wrapping_mul(n), n.rotate_left(n % 32)];
            let next = philox4x32_10(words, key);
            assert_eq!(next, plain_philox4x32_10(words, key), "{words:?} {key:?}");
            words = next;
        }
        for extreme in [[0; 4], [u32::MAX; 4], [u32::MAX, 0, u32::MAX, 0], [0, u32::MAX, 0, u32::MAX]] {
            for key in [[0; 2], [u32::MAX; 2], [u32::MAX, 0], [0, u32::MAX]] {
                assert_eq!(philox4x32_10(extreme, key), plain_philox4x32_10(extreme, key));
            }
        }
    }

    #[test]
    fn ln_agrees_with_libm() {
        for x in [1.0, 0.999_999_9, 0.5, 0.3, 1e-3, 1e-9, 1e-300, 5e-324, unit(0)] {
            let (a, b) = (ln(x), x.ln());
            assert!((a - b).abs() <= 1e-14 * b.abs().max(1e-300), "{x}: {a} {b}");
        }
    }

    #[test]
    fn the_fast_logarithm_keeps_its_bound() {
        let mut worst = 0f64;
        let mut check = |x: f64| worst = worst.max((ln_about(x) - ln(x)).abs());
        for n in 0..1_000_000u64 {
            check(unit(draw_u64(1, Purpose::Gap, 0, n)));
        }
        // The edges of every piece at every exponent that `unit` has, and the smallest normal number.
        for exponent in 0..=54 {
            for piece in 0..=64 {
                let edge = (1.0 + f64::from(piece) / 64.0) / (1u64 << exponent) as f64 / 2.0;
                for x in [edge.next_down(), edge, edge.next_up()] {
                    check(x.min(1.0));
                }
            }
        }
        [1.0, unit(0), unit(u64::MAX), f64::MIN_POSITIVE].into_iter().for_each(&mut check);
        assert!(worst < LN_ABOUT_ERROR / 2.0, "{worst}");
        assert!(worst > LN_ABOUT_ERROR / 100.0, "the bound is not far from what happens: {worst}");
    }

    #[test]
    fn ranges() {
        assert_eq!(below(u64::MAX, 10), 9);
        assert_eq!(below(0, 10), 0);
        assert!(unit(0) > 0.0 && unit(u64::MAX) < 1.0);
    }
}
