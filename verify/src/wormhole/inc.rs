//! INC: a router whose flow falls although one of its buffers is full holds its new packets for a time.

/// When a router holds its new packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inc {
    /// Flits that pass a router from link to link are counted over so long, at least 1.
    pub interval_cycles: u64,
    /// Flow falls when an interval has less than 1 - this of the one before.
    pub fall_fraction: f64,
    /// How long packets are held the first time, at least 1.
    pub hold_cycles: u64,
    /// It is doubled up to this, or up to `hold_cycles` if that is more, each time that flow falls again: while it held
    /// packets in the interval that ends or in the one before.
    pub max_hold_cycles: u64,
}

/// One router's flow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flow {
    passed: u64,
    passed_before: u64,
    /// The first cycle in which packets are not held any more.
    free_from: u64,
    hold_cycles: u64,
}

impl Flow {
    /// A flit passes from link to link.
    pub fn pass(&mut self) {
        self.passed += 1;
    }

    /// Whether packets are held in cycle `now`.
    pub fn holds(&self, now: u64) -> bool {
        now < self.free_from
    }

    /// Cycle `now` begins; some buffer of the router was full at the end of the last one, or none.
    pub fn begin(&mut self, inc: &Inc, now: u64, is_full: bool) {
        if !now.is_multiple_of(inc.interval_cycles) {
            return;
        }
        let falls = (self.passed as f64) < (1.0 - inc.fall_fraction) * self.passed_before as f64;
        if falls && is_full {
            let again = now <= self.free_from + inc.interval_cycles;
            let longest = inc.max_hold_cycles.max(inc.hold_cycles);
            let doubled = if again { (2 * self.hold_cycles).min(longest) } else { 0 };
            self.hold_cycles = doubled.max(inc.hold_cycles);
            self.free_from = now + self.hold_cycles;
        }
        (self.passed, self.passed_before) = (0, self.passed);
    }
}
