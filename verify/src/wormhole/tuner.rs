//! Self-tuned throttling: the threshold on full buffers follows what it does to the delivered bandwidth.

/// How the threshold is tuned. Percentages are of all buffers, rounded down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Gathers from one decision to the next, at least 1.
    pub period_gathers: u64,
    /// What the threshold goes up by; at least one buffer.
    pub increment_percent: f64,
    /// What it goes down by; at least one buffer.
    pub decrement_percent: f64,
    /// The first one.
    pub initial_percent: f64,
    /// Bandwidth drops when a period delivers less than 1 - this of the one before.
    pub drop_fraction: f64,
    /// Whether it follows the tuning table.
    pub climbs: bool,
    /// Whether packets count as held when they were in any cycle of the period, or else in the last.
    pub any_cycle: bool,
    /// Whether it goes back to the conditions of the best period.
    pub avoids_maxima: bool,
    /// It does when a period delivers less than this of the best.
    pub max_fraction: f64,
    /// After going back in so many consecutive periods it forgets the best.
    pub refresh_periods: Option<u64>,
}

/// The best period since it was last forgotten.
#[derive(Clone, Copy, Debug, Default)]
struct Best {
    flits: u64,
    full: u64,
    threshold: u64,
}

/// The threshold, and what is known of this period, the last and the best.
#[derive(Clone, Debug)]
pub struct Tuner {
    tuning: Tuning,
    buffers: u64,
    threshold: u64,
    held: bool,
    flits: u64,
    full: u64,
    flits_before: u64,
    best: Best,
    times_back: u64,
}

impl Tuner {
    /// Before cycle 0, in a network of so many buffers.
    pub fn new(tuning: Tuning, buffers: u64) -> Self {
        let mut tuner = Tuner {
            tuning,
            buffers,
            threshold: 0,
            held: false,
            flits: 0,
            full: 0,
            flits_before: 0,
            best: Best::default(),
            times_back: 0,
        };
        tuner.set(tuner.share(tuning.initial_percent));
        tuner
    }

    /// Gathers a period.
    pub fn gathers(&self) -> u64 {
        self.tuning.period_gathers
    }

    /// The threshold \[buffers\].
    pub fn threshold(&self) -> u64 {
        self.threshold
    }

    /// A cycle ends in which packets were held or not.
    pub fn cycle(&mut self, held: bool) {
        self.held |= held;
    }

    /// A snapshot has arrived.
    pub fn snapshot(&mut self, full: u64, flits: u64) {
        self.full = full;
        self.flits += flits;
    }

    /// A period ends; in its last cycle packets were held or not.
    pub fn decide(&mut self, held_last: bool) {
        let throttling = if self.tuning.any_cycle { self.held } else { held_last };
        let flits = std::mem::take(&mut self.flits);
        let back = self.tuning.avoids_maxima && self.well_below_best(flits);
        let (up, down) =
            (self.share(self.tuning.increment_percent).max(1), self.share(self.tuning.decrement_percent).max(1));
        let dropped = (flits as f64) < (1.0 - self.tuning.drop_fraction) * self.flits_before as f64;
        if back {
            self.set(self.best.threshold.min(self.best.full));
        } else if self.tuning.climbs && dropped {
            self.set(self.threshold.saturating_sub(down));
        } else if self.tuning.climbs && throttling {
            self.set(self.threshold + up);
        }
        if back && Some(self.times_back) == self.tuning.refresh_periods {
            (self.best, self.times_back) = (Best::default(), 0);
        }
        (self.held, self.flits_before) = (false, flits);
    }

    /// Compares with the best period, which may be this one.
    fn well_below_best(&mut self, flits: u64) -> bool {
        let below = (flits as f64) < self.tuning.max_fraction * self.best.flits as f64;
        self.times_back = if below { self.times_back + 1 } else { 0 };
        if flits > self.best.flits {
            self.best = Best { flits, full: self.full, threshold: self.threshold };
        }
        below
    }

    fn share(&self, percent: f64) -> u64 {
        (self.buffers as f64 * percent / 100.0) as u64
    }

    /// The threshold stays between an increment and all buffers.
    fn set(&mut self, threshold: u64) {
        let least = self.share(self.tuning.increment_percent).max(1).min(self.buffers);
        self.threshold = threshold.clamp(least, self.buffers);
    }
}
