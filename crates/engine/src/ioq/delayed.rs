//! What happens a fixed time after it was decided.

use tailback_base::state::{Reader, State, Unfit, Writer, ensure, restore_grown, save_grown};

/// Events that all happen the same number of cycles after they were made, as a list a cycle.
///
/// PERF: a wheel looks for the list of each event, and for the next chunk of a cycle's events; here both are at hand, and
/// those that happen are nobody else's while they do (`tailback bench recn-1`).
#[derive(Clone, Debug)]
pub(super) struct Delayed<T> {
    /// Made in the current cycle.
    made: Vec<T>,
    /// Made in the cycles before, oldest first, in a circle.
    before: Box<[Vec<T>]>,
    /// The oldest of them.
    oldest: usize,
}

impl<T: Copy> Delayed<T> {
    /// Events happen `delay` cycles after they are made, at least 1; at most `bound` are made in a cycle. The memory is
    /// reserved, and touched only when used.
    pub fn new(delay: u64, bound: usize) -> Self {
        assert!(delay >= 1, "what happens at once is no event");
        let list = || Vec::with_capacity(bound);
        Delayed { made: list(), before: (1..delay).map(|_| list()).collect(), oldest: 0 }
    }

    /// Makes an event in the current cycle.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        assert!(self.made.len() < self.made.capacity(), "more events than the bound given at construction");
        self.made.push(item);
    }

    /// Makes an event in the current cycle that happens by some cycles sooner than others.
    #[inline(always)]
    pub fn push_sooner(&mut self, item: T, sooner: u16) {
        match sooner {
            0 => self.push(item),
            _ => self.push_early(item, sooner.into()),
        }
    }

    #[cold]
    fn push_early(&mut self, item: T, sooner: usize) {
        let times = self.before.len();
        assert!(sooner <= times, "what happens at once is no event");
        let list = &mut self.before[(self.oldest + times - sooner) % times];
        assert!(list.len() < list.capacity(), "more events than the bound given at construction");
        list.push(item);
    }

    /// Begins the next cycle: the events that happen in it. They go to [`Delayed::close`] before others are made.
    #[inline]
    pub fn open(&mut self) -> Vec<T> {
        let made = std::mem::take(&mut self.made);
        let oldest = self.oldest;
        self.oldest = if oldest + 1 < self.before.len() { oldest + 1 } else { 0 };
        match self.before.get_mut(oldest) {
            Some(oldest) => std::mem::replace(oldest, made),
            None => made,
        }
    }

    /// They have happened.
    #[inline]
    pub fn close(&mut self, mut happened: Vec<T>) {
        debug_assert!(self.made.is_empty(), "the list is used again");
        happened.clear();
        self.made = happened;
    }

    /// Events outstanding.
    pub fn pending(&self) -> usize {
        self.iter().count()
    }

    /// Cycles before `now` were left out, and nothing is outstanding.
    pub fn skip(&mut self, now: u64) {
        self.oldest = (now % self.before.len().max(1) as u64) as usize;
    }

    /// Whether the lists stand as they do before cycle `now`.
    pub fn is_at(&self, now: u64) -> bool {
        self.oldest as u64 == now % self.before.len().max(1) as u64
    }

    /// All events outstanding, with the cycles in which they happen, from `now` on.
    pub fn iter_from(&self, now: u64) -> impl Iterator<Item = (u64, &T)> + '_ {
        let lists = self.before[self.oldest..].iter().chain(&self.before[..self.oldest]).chain([&self.made]);
        (now..).zip(lists).flat_map(|(at, list)| list.iter().map(move |item| (at, item)))
    }

    /// All events outstanding.
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.before.iter().flatten().chain(&self.made)
    }
}

/// No list is longer than what was reserved for it.
impl<T: State + Copy + Default> State for Delayed<T> {
    fn save(&self, to: &mut Writer) {
        let Self { made, before, oldest } = self;
        oldest.save(to);
        save_grown(made, to);
        before.iter().for_each(|list| save_grown(list, to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.oldest.restore(from)?;
        ensure(self.oldest < self.before.len().max(1), "events are due at no time")?;
        for list in std::iter::once(&mut self.made).chain(&mut self.before) {
            let bound = list.capacity();
            restore_grown(list, from)?;
            ensure(list.len() <= bound, "more events are due than there can be")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_happen_their_time_after_they_were_made() {
        for delay in [1, 2, 3, 7, 8] {
            let mut delayed = Delayed::new(delay, 11);
            let made = |cycle: u64| (cycle * 7) % 12;
            for now in 0..100u64 {
                let happen = delayed.open();
                let then = now.checked_sub(delay);
                let expected: Vec<_> = then.map_or(vec![], |then| (0..made(then)).map(|n| (then, n)).collect());
                assert_eq!(happen, expected, "cycle {now} with a delay of {delay}");
                delayed.close(happen);
                (0..made(now)).for_each(|n| delayed.push((now, n)));
                let left: Vec<_> = (0..=now).filter(|then| then + delay > now).collect();
                assert_eq!(delayed.pending() as u64, left.iter().map(|&then| made(then)).sum::<u64>());
                assert!(delayed.iter().all(|&(then, n)| left.contains(&then) && n < made(then)));
            }
        }
    }

    #[test]
    #[should_panic(expected = "more events than the bound")]
    fn the_bound_is_checked() {
        let mut delayed = Delayed::new(3, 5);
        (0..99).for_each(|n| delayed.push(n));
    }
}
