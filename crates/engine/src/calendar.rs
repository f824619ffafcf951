//! When idle sources wake: one event a node, any distance ahead, in an intrusive list a slot.

const NONE: u32 = u32::MAX;

/// The next wake-up of every node that has one. Times further ahead than the slots stay in their slot's list and are
/// looked at once a turn, so a node that sleeps a million cycles costs a thousand glances.
#[derive(Clone, Debug)]
pub struct Calendar {
    mask: u64,
    head: Vec<u32>,
    next: Vec<u32>,
    time: Vec<u64>,
}

impl Calendar {
    /// A calendar for nodes `0..nodes`.
    pub fn new(nodes: usize) -> Self {
        let slots = 1024;
        Calendar { mask: slots as u64 - 1, head: vec![NONE; slots], next: vec![NONE; nodes], time: vec![0; nodes] }
    }

    /// Wakes `node` in cycle `time`. A node has at most one wake-up.
    #[inline]
    pub fn schedule(&mut self, node: u32, time: u64) {
        let slot = (time & self.mask) as usize;
        self.time[node as usize] = time;
        self.next[node as usize] = self.head[slot];
        self.head[slot] = node;
    }

    /// Starts on cycle `time`; call [`Calendar::take`] until it returns `None`.
    #[inline]
    pub fn open(&mut self, time: u64) -> u32 {
        std::mem::replace(&mut self.head[(time & self.mask) as usize], NONE)
    }

    /// The next node that wakes in cycle `time`; the others go back to the slot.
    #[inline]
    pub fn take(&mut self, cursor: &mut u32, time: u64) -> Option<u32> {
        while *cursor != NONE {
            let node = *cursor;
            *cursor = self.next[node as usize];
            let due = self.time[node as usize];
            if due == time {
                return Some(node);
            }
            self.schedule(node, due);
        }
        None
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
}
