//! What happens a fixed time after it was decided.

/// Events that all happen the same number of cycles after they were made: a ring, oldest first.
///
/// PERF: a wheel looks for a place for each event, and for the next chunk of a cycle's events; here both are the next place
/// (`tailback bench recn-1`).
#[derive(Clone, Debug)]
pub(super) struct Delayed<T> {
    delay: u64,
    /// A power of two of places.
    items: Box<[T]>,
    /// Events taken, and made, since the start.
    taken: usize,
    made: usize,
    /// Events made before each of the last cycles, by its number modulo a power of two.
    before: Box<[usize]>,
}

/// Numbers of events, in the order of making.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Due {
    next: usize,
    end: usize,
}

impl<T: Copy + Default> Delayed<T> {
    /// Events happen `delay` cycles after they are made, at least 1; at most `bound` are outstanding.
    pub fn new(delay: u64, bound: usize) -> Self {
        assert!(delay >= 1, "what happens at once is no event");
        Delayed {
            delay,
            items: vec![T::default(); bound.next_power_of_two()].into(),
            taken: 0,
            made: 0,
            before: vec![0; (delay as usize + 1).next_power_of_two()].into(),
        }
    }

    /// Makes an event in the current cycle.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        let places = self.items.len();
        assert!(self.made - self.taken < places, "more events than the bound given at construction");
        self.items[self.made & (places - 1)] = item;
        self.made += 1;
    }

    /// Begins cycle `now`, which is the one after the last that was begun: the events that happen in it.
    #[inline]
    pub fn open(&mut self, now: u64) -> Due {
        let cycles = self.before.len() as u64;
        self.before[(now & (cycles - 1)) as usize] = self.made;
        // Those that were made before the cycle behind the one in which they were made.
        let end = match (now + 1).checked_sub(self.delay) {
            Some(made) => self.before[(made & (cycles - 1)) as usize],
            None => 0,
        };
        Due { next: std::mem::replace(&mut self.taken, end), end }
    }

    /// The next one of those events.
    #[inline(always)]
    pub fn take(&self, due: &mut Due) -> Option<T> {
        if due.next == due.end {
            return None;
        }
        let item = self.items[due.next & (self.items.len() - 1)];
        due.next += 1;
        Some(item)
    }

    /// An event that happens a few places behind the next one, in this cycle or later; any event where there is none.
    #[inline(always)]
    pub fn ahead(&self, due: &Due, places: usize) -> T {
        self.items[(due.next + places) & (self.items.len() - 1)]
    }

    /// Events outstanding.
    pub fn pending(&self) -> usize {
        self.made - self.taken
    }

    /// All events outstanding, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        (self.taken..self.made).map(|n| &self.items[n & (self.items.len() - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_happen_their_time_after_they_were_made() {
        for delay in [1, 2, 3, 7, 8] {
            let mut delayed = Delayed::new(delay, 100);
            let made = |cycle: u64| (cycle * 7) % 12;
            for now in 0..100 {
                let mut due = delayed.open(now);
                let mut seen = Vec::new();
                while let Some(event) = delayed.take(&mut due) {
                    seen.push(event);
                }
                let then = now.checked_sub(delay);
                let expected: Vec<_> = then.map_or(vec![], |then| (0..made(then)).map(|n| (then, n)).collect());
                assert_eq!(seen, expected, "cycle {now} with a delay of {delay}");
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
        (0..9).for_each(|n| delayed.push(n));
    }
}
