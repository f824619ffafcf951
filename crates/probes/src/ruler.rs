//! Cycles in intervals of one length.

/// Divides time into intervals, and remembers the last one asked for: most events fall into the same interval as those
/// before, and a division costs as much as all the rest of an event's book-keeping.
#[derive(Clone, Debug)]
pub(crate) struct Ruler {
    length: u64,
    /// First cycle of the interval asked for last.
    from: u64,
    index: usize,
}

impl Ruler {
    /// Intervals of `length` cycles, at least 1, from cycle 0.
    pub fn new(length: u64) -> Self {
        Ruler { length, from: 0, index: 0 }
    }

    /// Cycles of an interval.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The number of the interval that `cycle` is in.
    #[inline]
    pub fn index(&mut self, cycle: u64) -> usize {
        if cycle.wrapping_sub(self.from) >= self.length {
            self.index = (cycle / self.length) as usize;
            self.from = self.index as u64 * self.length;
        }
        self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_divides() {
        for length in [1, 7, 225, u64::MAX] {
            let mut ruler = Ruler::new(length);
            for cycle in [0, 3, 6, 7, 8, 6, 449, 450, 224, 225, 1 << 40, 5, u64::MAX] {
                assert_eq!(ruler.index(cycle), (cycle / length) as usize, "{cycle} / {length}");
            }
        }
    }
}
