//! A timing wheel for what is known to happen in a few cycles: O(1), bounded, without allocation after construction.

/// Items per chunk: a chunk of 12-byte items spans a few cache lines, and a nearly empty one wastes little.
const CHUNK: usize = 32;
const NONE: u32 = u32::MAX;

/// Events at times less than `horizon` cycles ahead. A slot is a chain of fixed-size chunks out of one pool, so that the
/// memory follows the events outstanding, not slots times the worst cycle.
#[derive(Clone, Debug)]
pub struct Wheel<T> {
    mask: u64,
    first: Vec<u32>,
    last: Vec<u32>,
    items: Vec<T>,
    next: Vec<u32>,
    len: Vec<u32>,
    free: u32,
    pending: usize,
    capacity_chunks: usize,
}

/// A position in the events of one cycle.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    chunk: u32,
    at: u32,
}

impl<T: Copy + Default> Wheel<T> {
    /// A wheel for times up to `horizon` cycles ahead and at most `bound` events outstanding.
    pub fn new(horizon: u64, bound: usize) -> Self {
        let slots = (horizon + 1).next_power_of_two() as usize;
        let capacity_chunks = bound.div_ceil(CHUNK) + slots;
        Wheel {
            mask: slots as u64 - 1,
            first: vec![NONE; slots],
            last: vec![NONE; slots],
            items: Vec::with_capacity(capacity_chunks * CHUNK),
            next: Vec::with_capacity(capacity_chunks),
            len: Vec::with_capacity(capacity_chunks),
            free: NONE,
            pending: 0,
            capacity_chunks,
        }
    }

    /// Events outstanding.
    #[inline]
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// Schedules `item` for cycle `time`, which is ahead of the current cycle and within the horizon.
    #[inline]
    pub fn push(&mut self, time: u64, item: T) {
        let slot = (time & self.mask) as usize;
        let mut chunk = self.last[slot];
        if chunk == NONE || self.len[chunk as usize] == CHUNK as u32 {
            chunk = self.append(slot);
        }
        let c = chunk as usize;
        self.items[c * CHUNK + self.len[c] as usize] = item;
        self.len[c] += 1;
        self.pending += 1;
    }

    #[cold]
    fn append(&mut self, slot: usize) -> u32 {
        let chunk = if self.free != NONE {
            let chunk = self.free;
            self.free = self.next[chunk as usize];
            chunk
        } else {
            assert!(self.next.len() < self.capacity_chunks, "more events than the bound given at construction");
            self.items.resize(self.items.len() + CHUNK, T::default());
            self.next.push(NONE);
            self.len.push(0);
            (self.next.len() - 1) as u32
        };
        self.next[chunk as usize] = NONE;
        self.len[chunk as usize] = 0;
        match self.last[slot] {
            NONE => self.first[slot] = chunk,
            last => self.next[last as usize] = chunk,
        }
        self.last[slot] = chunk;
        chunk
    }

    /// All events outstanding, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.first.iter().flat_map(move |&first| {
            let chain = std::iter::successors((first != NONE).then_some(first), |&c| {
                let next = self.next[c as usize];
                (next != NONE).then_some(next)
            });
            chain.flat_map(|c| &self.items[c as usize * CHUNK..][..self.len[c as usize] as usize])
        })
    }

    /// Starts to take the events of cycle `time`; go on with [`Wheel::take`] until it returns `None`. In between,
    /// events may be pushed for other cycles.
    #[inline]
    pub fn open(&mut self, time: u64) -> Cursor {
        let slot = (time & self.mask) as usize;
        let chunk = std::mem::replace(&mut self.first[slot], NONE);
        self.last[slot] = NONE;
        Cursor { chunk, at: 0 }
    }

    /// The next event at the cursor.
    #[inline]
    pub fn take(&mut self, cursor: &mut Cursor) -> Option<T> {
        if cursor.chunk == NONE {
            return None;
        }
        let c = cursor.chunk as usize;
        let item = self.items[c * CHUNK + cursor.at as usize];
        cursor.at += 1;
        self.pending -= 1;
        if cursor.at == self.len[c] {
            let next = self.next[c];
            self.next[c] = self.free;
            self.free = cursor.chunk;
            *cursor = Cursor { chunk: next, at: 0 };
        }
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_in_their_cycle() {
        let mut wheel = Wheel::new(10, 1000);
        for t in 1..=10u64 {
            for i in 0..t * 7 {
                wheel.push(t, (t, i));
            }
        }
        assert_eq!(wheel.pending(), 385);
        for t in 1..=10u64 {
            let mut cursor = wheel.open(t);
            let mut seen = 0;
            while let Some((time, i)) = wheel.take(&mut cursor) {
                // In the order of pushing: first what was there from the start, then what cycle 1 added.
                assert_eq!((time, i), (t, seen % (t * 7)));
                wheel.push(t + 9, (t + 9, i));
                seen += 1;
            }
            assert_eq!(seen, if t == 10 { 70 + 7 } else { t * 7 });
        }
    }

    #[test]
    #[should_panic(expected = "more events than the bound")]
    fn the_bound_is_checked() {
        let mut wheel = Wheel::new(1, 1);
        for i in 0..200u32 {
            wheel.push(1, i);
        }
    }
}
