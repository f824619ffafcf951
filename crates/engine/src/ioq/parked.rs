//! Who waits for what where memory is parted: queues for room behind the crossbar, queues for credits, admittance queues for
//! room in the adapter. Whoever was looked at in vain is not looked at again before what it waits for is there.
//!
//! PERF: a side has a queue a destination under VOQnet; with all of them tried again at every look, most of the time went
//! into those that are full.

use super::queues::{NONE, follow};
use tailback_base::state::Unfit;

/// Things that wait for places, as a list a place, in no order that matters. A thing waits for one place at a time.
#[derive(Clone, Debug)]
pub(super) struct Parked {
    /// By place: the one that came last.
    heads: Vec<u32>,
    /// By thing: the one that came before it.
    next: Vec<u32>,
}

tailback_base::state!([] Parked { saved: heads, next; } [fits]);

impl Parked {
    /// Nobody waits; numbers are below these.
    pub fn new(things: usize, places: usize) -> Self {
        Parked { heads: vec![NONE; places], next: vec![NONE; things] }
    }

    /// A thing waits for a place.
    #[inline]
    pub fn park(&mut self, thing: usize, place: usize) {
        self.next[thing] = std::mem::replace(&mut self.heads[place], thing as u32);
    }

    /// Nobody waits for a place any more; those who did, for [`Parked::take`].
    #[inline]
    pub fn wake(&mut self, place: usize) -> u32 {
        std::mem::replace(&mut self.heads[place], NONE)
    }

    /// The next of those who waited.
    #[inline]
    pub fn take(&self, waiters: &mut u32) -> Option<usize> {
        let thing = *waiters as usize;
        if *waiters == NONE {
            return None;
        }
        *waiters = self.next[thing];
        Some(thing)
    }

    /// That no list goes round.
    fn fits(&self) -> Result<(), Unfit> {
        follow(&self.heads, &self.next)
    }

    /// Things that wait for some places.
    pub fn waiters(&self, places: std::ops::Range<usize>) -> impl Iterator<Item = usize> + '_ {
        self.heads[places].iter().flat_map(move |&head| {
            let mut waiters = head;
            std::iter::from_fn(move || self.take(&mut waiters))
        })
    }

    /// Things that wait, and for which place.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.heads.iter().enumerate().flat_map(move |(place, &head)| {
            let mut waiters = head;
            std::iter::from_fn(move || Some((self.take(&mut waiters)?, place)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_who_wait_for_a_place_are_woken_once() {
        let mut parked = Parked::new(6, 3);
        [(0, 1), (5, 1), (3, 2), (4, 1)].into_iter().for_each(|(thing, place)| parked.park(thing, place));
        assert_eq!(parked.iter().collect::<Vec<_>>(), [(4, 1), (5, 1), (0, 1), (3, 2)]);
        let mut waiters = parked.wake(1);
        let woken: Vec<usize> = std::iter::from_fn(|| parked.take(&mut waiters)).collect();
        assert_eq!(woken, [4, 5, 0]);
        assert_eq!((parked.wake(1), parked.wake(0)), (NONE, NONE));
        parked.park(5, 2);
        assert_eq!(parked.iter().collect::<Vec<_>>(), [(5, 2), (3, 2)]);
    }
}
