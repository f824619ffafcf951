//! Knuth's generator of whole numbers, which BookSim draws its random permutations from: the same seed gives the same permutation.
//!
//! Knuth, The Art of Computer Programming, volume 2, third edition, section 3.6, as revised in 2002.

/// The lags.
const LONG: usize = 100;
const SHORT: usize = 37;
/// All numbers are below it.
const MODULUS: i64 = 1 << 30;
/// Of so many numbers the first [`LONG`] are used.
const BATCH: usize = 1009;
/// How far apart streams are kept.
const APART: u32 = 70;

/// The generator.
pub struct Knuth {
    state: [i64; LONG],
    batch: Vec<i64>,
    used: usize,
}

fn less(a: i64, b: i64) -> i64 {
    (a - b) & (MODULUS - 1)
}

impl Knuth {
    /// Of a seed.
    pub fn new(seed: i64) -> Knuth {
        let mut x = [0; 2 * LONG - 1];
        let mut bits = (seed + 2) & (MODULUS - 2);
        for place in x.iter_mut().take(LONG) {
            *place = bits;
            bits <<= 1;
            if bits >= MODULUS {
                bits -= MODULUS - 2;
            }
        }
        x[1] += 1;
        let (mut rest, mut left) = (seed & (MODULUS - 1), APART - 1);
        while left > 0 {
            square(&mut x);
            if rest & 1 == 1 {
                shift(&mut x);
            }
            if rest == 0 {
                left -= 1;
            }
            rest >>= 1;
        }
        let state = std::array::from_fn(|i| x[(i + SHORT) % LONG]);
        let mut knuth = Knuth { state, batch: Vec::new(), used: LONG };
        (0..10).for_each(|_| _ = knuth.array(2 * LONG - 1));
        knuth
    }

    /// The next `count` numbers, all of them.
    fn array(&mut self, count: usize) -> Vec<i64> {
        let mut all = self.state.to_vec();
        for i in LONG..count + LONG {
            all.push(less(all[i - LONG], all[i - SHORT]));
        }
        self.state.copy_from_slice(&all[count..]);
        all.truncate(count);
        all
    }

    /// A number up to `max`.
    pub fn up_to(&mut self, max: u32) -> u32 {
        if self.used == LONG {
            self.batch = self.array(BATCH);
            self.used = 0;
        }
        self.used += 1;
        (self.batch[self.used - 1] % (i64::from(max) + 1)) as u32
    }
}

fn square(x: &mut [i64; 2 * LONG - 1]) {
    for j in (1..LONG).rev() {
        x[2 * j] = x[j];
        x[2 * j - 1] = 0;
    }
    for j in (LONG..2 * LONG - 1).rev() {
        x[j - (LONG - SHORT)] = less(x[j - (LONG - SHORT)], x[j]);
        x[j - LONG] = less(x[j - LONG], x[j]);
    }
}

fn shift(x: &mut [i64; 2 * LONG - 1]) {
    x.copy_within(0..LONG, 1);
    x[0] = x[LONG];
    x[SHORT] = less(x[SHORT], x[LONG]);
}

/// A random permutation: place by place of the destinations, one of those sources that have none yet.
pub fn permutation(nodes: u32, seed: i64) -> Vec<u32> {
    let mut knuth = Knuth::new(seed);
    let (mut free, mut to): (Vec<u32>, Vec<u32>) = ((0..nodes).collect(), vec![0; nodes as usize]);
    for destination in 0..nodes {
        let source = free.remove(knuth.up_to(nodes - 1 - destination) as usize);
        to[source as usize] = destination;
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knuth's own check value.
    #[test]
    fn numbers_are_those_of_the_book() {
        let mut knuth = Knuth::new(310_952);
        let last = (0..=2009).map(|_| knuth.array(1009)[0]).last();
        assert_eq!(last, Some(995_235_265));
        let mut other = Knuth::new(310_952);
        assert_eq!((0..=1009).map(|_| other.array(2009)[0]).last(), Some(995_235_265));
    }

    #[test]
    fn a_permutation_has_every_node_once() {
        let mut all = permutation(16, 7);
        assert_ne!(all, permutation(16, 8));
        all.sort_unstable();
        assert!(all.into_iter().eq(0..16));
    }
}
