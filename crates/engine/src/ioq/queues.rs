//! Queues as lists of packets, and round robin over sets of them.

use super::pool::Pool;
use serde::{Deserialize, Serialize};
use tailback_base::bits::{BitSet, ones};
use tailback_base::state::{Unfit, ensure};

/// No packet.
pub(super) const NONE: u32 = u32::MAX;

/// A queue of packets.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[repr(align(16))]
pub(super) struct Queue {
    pub first: u32,
    pub last: u32,
    /// Packets in it.
    pub level: u32,
    /// Of the counter with the queue's number. Of an ingress side: credits that are owed. Of an out side: packets more that
    /// the next ingress side takes. PERF: whoever moves a packet has the queue at hand.
    pub credits: u32,
}

tailback_base::plain!(Queue);

impl Queue {
    /// An empty queue.
    pub const EMPTY: Queue = Queue { first: NONE, last: NONE, level: 0, credits: 0 };

    /// A packet joins; how many there are then.
    #[inline(always)]
    pub fn push(&mut self, pool: &mut Pool, id: u32) -> u32 {
        // PERF: no branch: whether a queue is empty is as good as random. Nobody asks who is behind the last packet.
        let empty = self.level == 0;
        self.first = if empty { id } else { self.first };
        pool.set_next(if empty { id } else { self.last }, id);
        self.last = id;
        self.level += 1;
        self.level
    }

    /// The first packet leaves.
    #[inline(always)]
    pub fn pop(&mut self, pool: &Pool) -> u32 {
        let id = self.first;
        self.first = pool.next(id);
        self.level -= 1;
        id
    }

    /// The packets, first one first.
    pub fn iter<'a>(&self, pool: &'a Pool) -> impl Iterator<Item = u32> + use<'a> {
        let first = (self.level > 0).then_some(self.first);
        let left = self.level as usize;
        std::iter::successors(first, |&id| Some(pool.next(id))).take(left)
    }
}

/// The member of a mask, which has some, that comes first from `from` on, in circles.
#[inline(always)]
pub(super) fn first_of(mask: u64, from: u32) -> usize {
    // PERF: no branch: who comes first is as good as random.
    ((mask.rotate_right(from).trailing_zeros() + from) & 63) as usize
}

/// Members of a mask from `from` on, in circles.
#[inline(always)]
pub(super) fn in_circles(mask: u64, from: u32) -> impl Iterator<Item = usize> {
    ones(mask.rotate_right(from)).map(move |n| (n + from as usize) & 63)
}

/// The member of a set that comes first from `from` on, in circles; arguments as those of [`next_in`].
#[inline(always)]
pub(super) fn first_in(words: usize, word: impl Fn(usize) -> u64, from: u32) -> Option<usize> {
    if words == 1 {
        let mask = word(0);
        return (mask != 0).then(|| first_of(mask, from));
    }
    next_in(words, word, from, |_| true)
}

/// The member of a set that `fits` and comes first from `from` on, in circles. `word(w)` are members `64 * w ..`, of `words`
/// words; `from` is below 64 times that.
#[inline(always)]
pub(super) fn next_in(
    words: usize,
    word: impl Fn(usize) -> u64,
    from: u32,
    mut fits: impl FnMut(usize) -> bool,
) -> Option<usize> {
    if words == 1 {
        return in_circles(word(0), from).find(|&member| fits(member));
    }
    let (start, later) = (from as usize / 64, u64::MAX << (from % 64));
    let mut w = start;
    for turn in 0..=words {
        let mut bits = word(w);
        if turn == 0 {
            bits &= later;
        } else if turn == words {
            bits &= !later;
        }
        while bits != 0 {
            let member = w * 64 + bits.trailing_zeros() as usize;
            if fits(member) {
                return Some(member);
            }
            bits &= bits - 1;
        }
        w = if w + 1 == words { 0 } else { w + 1 };
    }
    None
}

/// The number after `last` of `count`, in circles.
#[inline]
pub(super) fn after(last: usize, count: usize) -> u32 {
    if last + 1 >= count { 0 } else { last as u32 + 1 }
}

/// That the lists that begin with `heads` come to an end, and that none meets another.
pub(super) fn follow(heads: &[u32], next: &[u32]) -> Result<(), Unfit> {
    let mut seen = BitSet::new(next.len());
    for &head in heads {
        let mut at = head;
        while at != NONE {
            ensure((at as usize) < next.len() && !seen.contains(at as usize), "a list has no end")?;
            seen.insert(at as usize);
            at = next[at as usize];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_is_in_circles_over_words() {
        let set = [1 << 3 | 1 << 60, 0, 1 << 5];
        let next = |from: u32, not: usize| next_in(3, |w| set[w], from, |member| member != not);
        assert_eq!(
            [0, 3, 4, 60, 61, 133, 134, 191].map(|from| next(from, 999)),
            [Some(3), Some(3), Some(60), Some(60), Some(133), Some(133), Some(3), Some(3)]
        );
        assert_eq!([next(3, 3), next(133, 133), next(4, 3)], [Some(60), Some(3), Some(60)]);
        assert_eq!(next_in(1, |_| 1 << 7, 8, |_| true), Some(7));
        assert_eq!(next_in(1, |_| 1 << 7, 8, |_| false), None);
        assert_eq!([after(0, 1), after(0, 2), after(1, 2), after(63, 64)], [0, 1, 0, 0]);
    }
}
