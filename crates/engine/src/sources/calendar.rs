//! When idle sources wake: one event a node, any distance ahead, in an intrusive list a slot.

use tailback_base::bits::BitSet;
use tailback_base::prefetch::prefetch;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};

const NONE: u32 = u32::MAX;

/// The next wake-up of every node that has one. Times further ahead than the slots stay in their slot's list and are
/// looked at once a turn, so a node that sleeps a million cycles costs a thousand glances.
#[derive(Clone, Debug)]
pub struct Calendar {
    mask: u64,
    head: Vec<u32>,
    next: Vec<u32>,
    time: Vec<u64>,
    /// Nodes of one cycle, while they are put in order.
    due: Vec<u32>,
}

impl Calendar {
    /// A calendar for nodes `0..nodes`.
    pub fn new(nodes: usize) -> Self {
        let slots = 1024;
        let (head, next, time) = (vec![NONE; slots], vec![NONE; nodes], vec![0; nodes]);
        Calendar { mask: slots as u64 - 1, head, next, time, due: Vec::new() }
    }

    /// Wakes `node` in cycle `time`. A node has at most one wake-up.
    #[inline]
    pub fn schedule(&mut self, node: u32, time: u64) {
        let slot = (time & self.mask) as usize;
        self.time[node as usize] = time;
        self.next[node as usize] = self.head[slot];
        self.head[slot] = node;
    }

    /// Asks for the memory of a node's wake-up; the node may be none.
    #[inline]
    pub fn prefetch(&self, node: u32) {
        prefetch(&self.next, node as usize, 0, 1);
        prefetch(&self.time, node as usize, 0, 1);
    }

    /// Starts on cycle `time`; call [`Calendar::take`] until it returns `None`.
    #[inline]
    pub fn open(&mut self, time: u64) -> u32 {
        std::mem::replace(&mut self.head[(time & self.mask) as usize], NONE)
    }

    /// As [`Calendar::open`]; nodes of cycle `time` come in the order of their numbers.
    pub fn open_in_order(&mut self, time: u64) -> u32 {
        let mut cursor = self.open(time);
        self.due.clear();
        while let Some(node) = self.take(&mut cursor, time) {
            self.due.push(node);
        }
        self.due.sort_unstable();
        let link = |after, &node: &u32| {
            self.next[node as usize] = after;
            node
        };
        self.due.iter().rev().fold(NONE, link)
    }

    /// The next node that wakes in cycle `time`; the others go back to the slot.
    #[inline]
    pub fn take(&mut self, cursor: &mut u32, time: u64) -> Option<u32> {
        while *cursor != NONE {
            let node = *cursor;
            *cursor = self.next[node as usize];
            self.prefetch(*cursor);
            let due = self.time[node as usize];
            if due == time {
                return Some(node);
            }
            self.schedule(node, due);
        }
        None
    }
}

impl Calendar {
    /// Takes back the wake-up of a node. Cost: proportional to the wake-ups in the same slot.
    pub(crate) fn remove(&mut self, node: u32) {
        let slot = (self.time[node as usize] & self.mask) as usize;
        let after = self.next[node as usize];
        if self.head[slot] == node {
            self.head[slot] = after;
            return;
        }
        let mut before = self.head[slot] as usize;
        while self.next[before] != node {
            before = self.next[before] as usize;
        }
        self.next[before] = after;
    }

    /// When a node wakes that has a wake-up.
    pub(crate) fn due(&self, node: u32) -> u64 {
        self.time[node as usize]
    }

    /// Nodes with a wake-up, in the reverse of the order in which to schedule them again.
    pub(crate) fn asleep(&self) -> Vec<u32> {
        let mut asleep: Vec<u32> = Vec::new();
        for &head in &self.head {
            let after = |&node: &u32| Some(self.next[node as usize]).filter(|&next| next != NONE);
            asleep.extend(std::iter::successors((head != NONE).then_some(head), after));
        }
        asleep
    }
}

/// Saved as the wake-ups in the order in which to schedule them again.
impl State for Calendar {
    fn save(&self, to: &mut Writer) {
        let asleep = self.asleep();
        to.put(&asleep.len());
        asleep.iter().rev().for_each(|&node| to.put(&(node, self.time[node as usize])));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.head.fill(NONE);
        let mut asleep = BitSet::new(self.next.len());
        for _ in 0..from.length()? {
            let (node, time): (u32, u64) = from.take()?;
            let once = (node as usize) < self.next.len() && !asleep.contains(node as usize);
            ensure(once, "a node wakes twice, or is not there")?;
            asleep.insert(node as usize);
            self.schedule(node, time);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wakes_on_time_however_far() {
        let mut calendar = Calendar::new(4);
        let times = [3, 1027, 5_000, 3];
        for (node, &t) in times.iter().enumerate() {
            calendar.schedule(node as u32, t);
        }
        let mut woken = Vec::new();
        for t in 0..6_000 {
            let mut cursor = calendar.open(t);
            while let Some(node) = calendar.take(&mut cursor, t) {
                woken.push((t, node));
            }
        }
        woken.sort_unstable();
        assert_eq!(woken, [(3, 0), (3, 3), (1027, 1), (5_000, 2)]);
    }

    #[test]
    fn nodes_of_a_cycle_come_in_order() {
        let mut calendar = Calendar::new(5);
        [5, 1029, 5, 6, 5].into_iter().zip(0..).for_each(|(time, node)| calendar.schedule(node, time));
        for (time, expected) in [(5, vec![0, 2, 4]), (6, vec![3]), (1029, vec![1])] {
            let mut cursor = calendar.open_in_order(time);
            let woken: Vec<u32> = std::iter::from_fn(|| calendar.take(&mut cursor, time)).collect();
            assert_eq!(woken, expected);
        }
    }

    #[test]
    fn who_is_taken_out_does_not_wake() {
        for gone in 0..4 {
            let mut calendar = Calendar::new(4);
            [5, 5, 1029, 5].into_iter().zip(0..).for_each(|(time, node)| calendar.schedule(node, time));
            calendar.remove(gone);
            let left: Vec<u32> = calendar.asleep();
            assert_eq!(left, (0..4).rev().filter(|&node| node != gone).collect::<Vec<_>>());
            calendar.schedule(gone, 6);
            assert_eq!((calendar.due(gone), calendar.asleep().len()), (6, 4));
        }
    }

    #[test]
    fn a_restored_calendar_wakes_in_the_same_order() {
        let mut calendar = Calendar::new(5);
        [7, 7, 1031, 7].into_iter().zip(0..).for_each(|(time, node)| calendar.schedule(node, time));
        let mut to = Writer::default();
        calendar.save(&mut to);
        let bytes = to.into_bytes();
        let mut restored = Calendar::new(5);
        restored.schedule(4, 3);
        restored.restore(&mut Reader::new(&bytes, &[])).unwrap();
        let woken = |calendar: &mut Calendar| {
            let mut cursor = calendar.open(7);
            std::iter::from_fn(|| calendar.take(&mut cursor, 7)).collect::<Vec<_>>()
        };
        assert_eq!(woken(&mut restored), woken(&mut calendar));
        assert!(Calendar::new(3).restore(&mut Reader::new(&bytes, &[])).is_err(), "node 3 is not there");
        let mut twice = Writer::default();
        twice.put(&[(1u32, 7u64), (1, 8)].as_slice());
        assert!(Calendar::new(3).restore(&mut Reader::new(&twice.into_bytes(), &[])).is_err());
    }
}
