//! What the policies of this folder share.

use tailback_engine::contract::injection::InjectionQueue;

/// The queue of the direction of `offset` hops in dimension `d`; `None` where there is no hop.
pub fn queue(d: usize, offset: i32) -> Option<usize> {
    (offset != 0).then(|| 2 * d + usize::from(offset < 0))
}

/// The queues of all directions that lead closer, the lowest dimension first.
pub fn closer(offsets: &[i32]) -> impl Iterator<Item = usize> + '_ {
    offsets.iter().enumerate().filter_map(|(d, &offset)| queue(d, offset))
}

/// Of `which` the queue with the fewest flits waiting, the first among equals; queue 0 where there is none.
pub fn shortest(which: impl Iterator<Item = usize>, queues: &[InjectionQueue]) -> usize {
    which.min_by_key(|&queue| queues[queue].waiting_flits).unwrap_or(0)
}
