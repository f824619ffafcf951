//! How heads came to their channels, and deadlocks recovered from.

use crate::listed::{End, Finding, Listed, Site};
use tailback_base::state::{Unfit, are_counts};
use tailback_engine::Probe;
use tailback_engine::contract::probe::{Taken, TakenBy};

/// How heads came to their channels and how many were recovered, within a span of cycles. Only wormhole networks tell.
#[derive(Clone, Debug)]
pub struct Takes {
    from: u64,
    to: u64,
    /// Channels given of those that routing prefers.
    pub preferred: u64,
    /// Escape channels given.
    pub escapes: u64,
    /// Channels of the recovery lane given.
    pub lane: u64,
    /// Packets taken for deadlocked and handed to the recovery lane.
    pub recovered: u64,
}

tailback_base::state!([] Takes { saved: preferred, escapes, lane, recovered; rebuilt: from, to; } [fits]);

impl Takes {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts([self.preferred, self.escapes, self.lane, self.recovered])
    }

    /// Share of the channels given outside the recovery lane that were escapes; `None` where none was given.
    pub fn escape_share(&self) -> Option<f64> {
        let all = self.preferred + self.escapes;
        (all > 0).then(|| self.escapes as f64 / all as f64)
    }
}

impl Probe for Takes {
    #[inline]
    fn taken(&mut self, taken: Taken) {
        if (self.from..self.to).contains(&taken.cycle) {
            match taken.by {
                TakenBy::Preference => self.preferred += 1,
                TakenBy::Escape => self.escapes += 1,
                TakenBy::Lane => self.lane += 1,
            }
        }
    }

    fn recovers(&mut self, cycle: u64, _router: u32) {
        self.recovered += u64::from((self.from..self.to).contains(&cycle));
    }
}

impl Listed for Takes {
    fn is_on(site: &Site<'_>) -> bool {
        site.path.tells_takes
    }

    fn close(&mut self, cycle: u64) {
        self.to = self.to.min(cycle);
    }

    fn new(site: &Site<'_>) -> Self {
        let (from, to) = site.measured;
        Takes { from, to, preferred: 0, escapes: 0, lane: 0, recovered: 0 }
    }

    fn findings(&self, end: &End<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        if end.site.path.recovers {
            findings.push(Finding::new("recovered_packets", "packets", self.recovered as f64));
        }
        if let (true, Some(share)) = (end.site.path.escapes, self.escape_share()) {
            findings.push(Finding::new("escape_share", "", share));
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(cycle: u64, by: TakenBy) -> Taken {
        Taken { cycle, router: 0, port: 0, by }
    }

    #[test]
    fn takes_count_within_their_span() {
        let mut takes = Takes { from: 10, to: 20, preferred: 0, escapes: 0, lane: 0, recovered: 0 };
        assert_eq!(takes.escape_share(), None);
        for cycle in [9, 10, 19, 20] {
            takes.taken(take(cycle, TakenBy::Escape));
            takes.recovers(cycle, 3);
        }
        for by in [TakenBy::Preference, TakenBy::Preference, TakenBy::Lane] {
            takes.taken(take(15, by));
        }
        assert_eq!((takes.preferred, takes.escapes, takes.lane, takes.recovered), (2, 2, 1, 2));
        assert_eq!(takes.escape_share(), Some(0.5));
    }
}
