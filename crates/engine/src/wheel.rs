//! A timing wheel for what is known to happen in a few cycles: O(1), bounded, without allocation after construction.

use tailback_base::pages::large_capacity;
use tailback_base::prefetch::prefetch;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};

/// Events per chunk: a chunk of 12-byte items spans a few cache lines, and a nearly empty one wastes little.
pub const CHUNK: usize = 32;
const NONE: u32 = u32::MAX;

/// Events at times less than `horizon` cycles ahead. A slot is a chain of fixed-size chunks out of one pool, so that the
/// memory follows the events outstanding, not slots times the worst cycle.
#[derive(Clone, Debug)]
pub struct Wheel<T> {
    mask: u64,
    lane_bits: u32,
    /// Slots less one; they are a power of two.
    slot_mask: usize,
    /// First chunk of every slot.
    first: Vec<u32>,
    /// Position in `items` after the last event of every slot; a multiple of [`CHUNK`] when a new chunk is due.
    end: Vec<u32>,
    items: Vec<T>,
    /// The chunk after each chunk, in a slot or among the free ones.
    next: Vec<u32>,
    free: u32,
    pending: usize,
    capacity_chunks: usize,
}

/// A cycle of a wheel, as the first of its slots.
#[derive(Clone, Copy, Debug)]
pub struct Time(usize);

/// A position in the events of one cycle.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    /// The next event.
    at: u32,
    /// Where this chunk's events end.
    stop: u32,
    /// Where the last chunk's events end.
    end: u32,
}

impl<T: Copy + Default> Wheel<T> {
    /// A wheel for times up to `horizon` cycles ahead and at most `bound` events outstanding.
    pub fn new(horizon: u64, bound: usize) -> Self {
        Wheel::with_lanes(horizon, 1, bound)
    }

    /// A wheel whose events of a cycle are kept apart in `lanes`, each taken by itself.
    pub fn with_lanes(horizon: u64, lanes: usize, bound: usize) -> Self {
        let times = (horizon + 1).next_power_of_two();
        let lane_bits = lanes.next_power_of_two().trailing_zeros();
        let slots = (times as usize) << lane_bits;
        // The first chunk is never used, so that position 0 is free to mean "no chunk yet".
        let capacity_chunks = bound.div_ceil(CHUNK) + slots + 1;
        let mut wheel = Wheel {
            mask: times - 1,
            lane_bits,
            slot_mask: slots - 1,
            first: vec![NONE; slots],
            end: vec![0; slots],
            items: large_capacity(capacity_chunks * CHUNK),
            next: Vec::with_capacity(capacity_chunks),
            free: NONE,
            pending: 0,
            capacity_chunks,
        };
        wheel.items.resize(CHUNK, T::default());
        wheel.next.push(NONE);
        wheel
    }

    /// Events outstanding.
    #[inline]
    pub fn pending(&self) -> usize {
        self.pending
    }

    #[inline]
    fn slot(&self, time: u64, lane: usize) -> usize {
        ((time & self.mask) << self.lane_bits) as usize | lane & ((1 << self.lane_bits) - 1)
    }

    /// The events of cycle `time`, for [`Wheel::push_at`].
    #[inline]
    pub fn at(&self, time: u64) -> Time {
        Time(self.slot(time, 0))
    }

    /// Schedules `item` for cycle `time`, which is ahead of the current cycle and within the horizon.
    #[inline]
    pub fn push(&mut self, time: u64, item: T) {
        self.push_to(time, 0, item);
    }

    /// Pushes an event, as [`Wheel::push`] does, into a wheel without lanes.
    #[inline(always)]
    pub fn push_alone(&mut self, time: u64, item: T) {
        debug_assert_eq!(self.lane_bits, 0);
        self.push_at(Time(time as usize & self.slot_mask), 0, item);
    }

    /// Pushes an event, as [`Wheel::push`] does, into a lane.
    #[inline]
    pub fn push_to(&mut self, time: u64, lane: usize, item: T) {
        self.push_at(self.at(time), lane & ((1 << self.lane_bits) - 1), item);
    }

    /// Pushes an event, as [`Wheel::push_to`] does, at a time that was looked up before.
    ///
    /// PERF: all heads granted in a cycle arrive in the same one, and so do tails of one length
    /// (`tailback bench spth-32`).
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn push_at(&mut self, time: Time, lane: usize, item: T) {
        let slot = (time.0 | lane) & self.slot_mask;
        debug_assert!(slot < self.end.len());
        // SAFETY: `end` has `slot_mask + 1` entries from construction on, whatever wheel `time` is of.
        let mut at = unsafe { *self.end.get_unchecked(slot) };
        if at.is_multiple_of(CHUNK as u32) {
            at = self.append(slot);
        }
        debug_assert!((at as usize) < self.items.len());
        // SAFETY: `at` is a place in a chunk: `append` returns the first place of one that it made part of `items`, and an
        // `end` that is no multiple of CHUNK is behind a place that was written before, in the same chunk. `items` grows by
        // whole chunks and never shrinks. `slot` as above.
        unsafe {
            *self.items.get_unchecked_mut(at as usize) = item;
            *self.end.get_unchecked_mut(slot) = at + 1;
        }
        self.pending += 1;
    }

    /// Adds a chunk to a slot and returns its first position.
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
            (self.next.len() - 1) as u32
        };
        self.next[chunk as usize] = NONE;
        match self.end[slot] {
            0 => self.first[slot] = chunk,
            end => self.next[(end as usize - 1) / CHUNK] = chunk,
        }
        chunk * CHUNK as u32
    }

    /// Whether it was made for a bound of more than no events.
    pub(crate) fn can_hold_any(&self) -> bool {
        self.capacity_chunks > self.first.len() + 1
    }

    /// All events outstanding, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        (0..self.first.len()).flat_map(|slot| self.of_slot(slot))
    }

    fn of_slot(&self, slot: usize) -> impl Iterator<Item = &T> + '_ {
        self.chunks_of(slot).flatten()
    }

    #[inline]
    fn chunks_of(&self, slot: usize) -> impl Iterator<Item = &[T]> + '_ {
        let (first, end) = (self.first[slot] as usize, self.end[slot]);
        let chain = std::iter::successors((end > 0).then_some(first), move |&c| {
            (c != (end as usize - 1) / CHUNK).then(|| self.next[c] as usize)
        });
        chain.map(move |c| {
            let at = (c * CHUNK) as u32;
            &self.items[at as usize..chunk_stop(at, end) as usize]
        })
    }

    /// All events outstanding with their cycles, the earliest of which is not before `from`, in no particular order.
    pub fn iter_from(&self, from: u64) -> impl Iterator<Item = (u64, &T)> + '_ {
        (0..self.first.len()).flat_map(move |slot| {
            let time = from + (((slot >> self.lane_bits) as u64).wrapping_sub(from) & self.mask);
            self.of_slot(slot).map(move |item| (time, item))
        })
    }

    /// The events of a lane in cycle `time`, chunk by chunk.
    #[inline]
    pub fn chunks(&self, time: u64, lane: usize) -> impl Iterator<Item = &[T]> + '_ {
        self.chunks_of(self.slot(time, lane))
    }

    /// Asks for the memory of a lane's first events in cycle `time`.
    #[inline]
    pub fn prefetch(&self, time: u64, lane: usize) {
        let slot = self.slot(time, lane);
        if self.end[slot] > 0 {
            let lines = (CHUNK * size_of::<T>()).div_ceil(64);
            prefetch(&self.items, self.first[slot] as usize * CHUNK, 0, lines);
        }
    }

    /// Starts to take the events of cycle `time`; go on with [`Wheel::take`] until it returns `None`. In between,
    /// events may be pushed for other cycles.
    #[inline]
    pub fn open(&mut self, time: u64) -> Cursor {
        self.open_lane(time, 0)
    }

    /// Looks up a time, as [`Wheel::open`] does, in a lane.
    #[inline]
    pub fn open_lane(&mut self, time: u64, lane: usize) -> Cursor {
        let slot = self.slot(time, lane);
        let end = std::mem::replace(&mut self.end[slot], 0);
        if end == 0 {
            return Cursor { at: 0, stop: 0, end: 0 };
        }
        let at = self.first[slot] * CHUNK as u32;
        Cursor { at, stop: chunk_stop(at, end), end }
    }

    /// The next event at the cursor.
    #[inline]
    pub fn take(&mut self, cursor: &mut Cursor) -> Option<T> {
        if cursor.at == cursor.stop && !self.turn(cursor) {
            return None;
        }
        let item = self.items[cursor.at as usize];
        cursor.at += 1;
        Some(item)
    }

    /// The next events at the cursor, a chunk of them, moved to `batch`; none at the end.
    ///
    /// PERF: a loop over events that nothing else can change costs a load an event, not a look at the cursor and at the
    /// wheel's length (`tailback bench spth-32`).
    #[inline]
    pub fn take_chunk<'b>(&mut self, cursor: &mut Cursor, batch: &'b mut [T; CHUNK]) -> &'b [T] {
        if cursor.at == cursor.stop && !self.turn(cursor) {
            return &[];
        }
        let events = &self.items[cursor.at as usize..cursor.stop as usize];
        let batch = &mut batch[..events.len()];
        batch.copy_from_slice(events);
        cursor.at = cursor.stop;
        batch
    }

    /// Gives the chunk that was read back and goes to the next one, if there is one.
    #[cold]
    fn turn(&mut self, cursor: &mut Cursor) -> bool {
        if cursor.stop == 0 {
            return false;
        }
        let chunk = (cursor.stop as usize - 1) / CHUNK;
        self.pending -= cursor.stop as usize - chunk * CHUNK;
        let next = std::mem::replace(&mut self.next[chunk], self.free);
        self.free = chunk as u32;
        if cursor.stop == cursor.end {
            *cursor = Cursor { at: 0, stop: 0, end: 0 };
            return false;
        }
        let at = next * CHUNK as u32;
        *cursor = Cursor { at, stop: chunk_stop(at, cursor.end), end: cursor.end };
        true
    }
}

/// Saved as its events, slot by slot.
impl<T: State + Copy + Default> State for Wheel<T> {
    fn save(&self, to: &mut Writer) {
        let filled = || (0..self.end.len()).filter(|&slot| self.end[slot] > 0);
        to.put(&filled().count());
        for slot in filled() {
            to.put(&slot);
            to.put(&self.of_slot(slot).count());
            self.of_slot(slot).for_each(|item| item.save(to));
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        ensure(self.pending == 0, "events are due already")?;
        for _ in 0..from.length()? {
            let slot: usize = from.take()?;
            ensure(slot <= self.slot_mask && self.end[slot] == 0, "events are due at no time")?;
            for _ in 0..from.length()? {
                let mut item = T::default();
                item.restore(from)?;
                let full = self.free == NONE && self.next.len() == self.capacity_chunks;
                ensure(!full || !self.end[slot].is_multiple_of(CHUNK as u32), "more events are due than there can be")?;
                self.push_at(Time(slot), 0, item);
            }
        }
        Ok(())
    }
}

/// Where the events of the chunk that begins at `at` end, in a slot whose last event is before `end`.
#[inline]
fn chunk_stop(at: u32, end: u32) -> u32 {
    if (end - 1) / CHUNK as u32 == at / CHUNK as u32 { end } else { at + CHUNK as u32 }
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
    fn a_restored_wheel_goes_on_as_the_other_would() {
        let mut wheel = Wheel::with_lanes(30, 3, 20_000);
        for i in 0..8000u64 {
            wheel.push_to(1 + i % 7 * 5, (i % 3) as usize, i);
        }
        let mut cursor = wheel.open_lane(1, 1);
        while wheel.take(&mut cursor).is_some() {}
        let mut to = Writer::default();
        wheel.save(&mut to);
        let bytes = to.into_bytes();
        let mut restored = Wheel::with_lanes(30, 3, 20_000);
        restored.restore(&mut Reader::new(&bytes, &[])).unwrap();
        assert_eq!(restored.pending(), wheel.pending());
        for (time, lane) in (2..=31).flat_map(|time| (0..3).map(move |lane| (time, lane))) {
            let mut cursors = [wheel.open_lane(time, lane), restored.open_lane(time, lane)];
            loop {
                let item = wheel.take(&mut cursors[0]);
                assert_eq!(restored.take(&mut cursors[1]), item);
                if item.is_none() {
                    break;
                }
            }
        }
        let refusal = |mut other: Wheel<u64>| other.restore(&mut Reader::new(&bytes, &[])).unwrap_err().to_string();
        assert!(refusal(Wheel::with_lanes(30, 3, 10)).contains("more events are due than there can be"));
        assert!(refusal(Wheel::with_lanes(3, 3, 20_000)).contains("at no time"));
        let mut full = Wheel::with_lanes(30, 3, 20_000);
        full.push(1, 1);
        assert!(refusal(full).contains("already"));
    }

    #[test]
    fn agrees_with_a_sorted_list_whatever_is_pushed() {
        for (horizon, lanes, seed) in [(1, 1, 1u64), (7, 3, 2), (100, 1, 3), (30, 64, 4)] {
            let mut wheel = Wheel::with_lanes(horizon, lanes, 100_000);
            let mut model: std::collections::BTreeMap<(u64, usize), Vec<u64>> = Default::default();
            let mut state = seed;
            for now in 0..300u64 {
                for _ in 0..(now * 7919) % 150 {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let (time, lane) = (now + 1 + (state >> 33) % horizon, (state >> 20) as usize % lanes);
                    if state & 1 == 0 {
                        wheel.push_to(time, lane, state);
                    } else {
                        wheel.push_at(wheel.at(time), lane, state);
                    }
                    model.entry((time, lane)).or_default().push(state);
                }
                for lane in 0..lanes {
                    let mut cursor = wheel.open_lane(now, lane);
                    let mut seen = Vec::new();
                    // A few one by one, the rest by chunks.
                    seen.extend(std::iter::from_fn(|| wheel.take(&mut cursor)).take(now as usize % 40));
                    let mut batch = [0; CHUNK];
                    loop {
                        let some = wheel.take_chunk(&mut cursor, &mut batch);
                        if some.is_empty() {
                            break;
                        }
                        seen.extend_from_slice(some);
                    }
                    assert_eq!(seen, model.remove(&(now, lane)).unwrap_or_default());
                }
                let mut left: Vec<(u64, u64)> = wheel.iter_from(now + 1).map(|(time, &item)| (time, item)).collect();
                let mut expected: Vec<(u64, u64)> =
                    model.iter().flat_map(|(&(time, _), items)| items.iter().map(move |&item| (time, item))).collect();
                left.sort_unstable();
                expected.sort_unstable();
                assert_eq!(left, expected);
            }
            assert_eq!(wheel.pending(), model.values().map(Vec::len).sum::<usize>());
        }
    }

    #[test]
    fn a_lane_that_is_not_there_is_another_one() {
        let mut wheel = Wheel::with_lanes(3, 4, 10);
        wheel.push_to(u64::MAX, usize::MAX, 7);
        let mut cursor = wheel.open_lane(3, 3);
        assert_eq!((wheel.take(&mut cursor), wheel.take(&mut cursor)), (Some(7), None));
    }

    #[test]
    fn a_time_of_another_wheel_is_some_time_of_this_one() {
        let large = Wheel::<u32>::with_lanes(1000, 64, 1);
        let mut small = Wheel::with_lanes(1, 2, 1000);
        for time in 0..1024 {
            small.push_at(large.at(time), time as usize, 1);
        }
        assert_eq!((small.pending(), small.iter().count()), (1024, 1024));
    }

    #[test]
    #[should_panic(expected = "more events than the bound")]
    fn the_bound_is_checked() {
        let mut wheel = Wheel::new(1, 1);
        for i in 0..200u32 {
            wheel.push(1, i);
        }
    }

    #[test]
    fn lanes_are_taken_apart() {
        let mut wheel = Wheel::with_lanes(3, 5, 1000);
        for i in 0..200u32 {
            wheel.push_to(2, (i % 5) as usize, i);
        }
        for lane in 0..5 {
            let mut cursor = wheel.open_lane(2, lane);
            let mut seen = Vec::new();
            while let Some(i) = wheel.take(&mut cursor) {
                seen.push(i);
            }
            assert_eq!(seen, (0..40).map(|n| n * 5 + lane as u32).collect::<Vec<_>>());
        }
        assert_eq!(wheel.pending(), 0);
    }
}
