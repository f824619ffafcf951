//! Whether packets get in and get there: what tells livelock and starvation from a network that is merely full.
//!
//! It is shown the counters of a run now and then, so a cycle costs nothing.

use tailback_base::state::{Unfit, ensure};
use tailback_engine::outcome::Counters;

/// Cycles between two notes of how many packets have entered.
const APART: u64 = 1024;

/// Packets that go on and on without any being delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Livelock {
    /// The cycle since which none was delivered, within the cycles between two looks.
    pub since: u64,
    /// Hops made since then \[links\].
    pub hops: u64,
    /// Packets that made them.
    pub packets: u64,
    /// Hops that no packet makes on its way \[links\].
    pub longest: u64,
}

/// The past of a run, as far as it matters.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Hops that no packet makes on its way.
    longest: u64,
    /// Packets delivered when it was looked last, and the cycle and hops when that number was first seen.
    delivered: u64,
    since: u64,
    hops: u64,
    /// Packets that had entered in cycle `n * APART` or soon after.
    entered: Vec<u64>,
}

tailback_base::state!([] Progress { saved: delivered, since, hops; grown: entered; rebuilt: longest; } [fits]);

impl Progress {
    /// At cycle 0. `longest` is more hops than any packet makes on its way to its destination.
    pub fn new(longest: u64) -> Self {
        Progress { longest, delivered: 0, since: 0, hops: 0, entered: vec![0] }
    }

    /// Looks at the run in `cycle`. Finds a livelock where none was delivered while those in the network, `in_flight` by now, made
    /// more hops than they need: some packet among them made more than any way has.
    pub fn look(&mut self, cycle: u64, counters: Counters, in_flight: u64) -> Option<Livelock> {
        while self.entered.len() as u64 * APART <= cycle {
            self.entered.push(counters.entered);
        }
        if counters.delivered != self.delivered {
            (self.delivered, self.since, self.hops) = (counters.delivered, cycle, counters.packet_hops);
        }
        let hops = counters.packet_hops - self.hops;
        let too_many = in_flight > 0 && hops > in_flight.saturating_mul(self.longest);
        too_many.then_some(Livelock { since: self.since, hops, packets: in_flight, longest: self.longest })
    }

    /// That there is the note of cycle 0.
    /// Whether it has noted no more than there was.
    pub fn is_of(&self, counters: Counters) -> bool {
        self.hops <= counters.packet_hops && self.delivered <= counters.delivered
    }

    fn fits(&self) -> Result<(), Unfit> {
        ensure(!self.entered.is_empty(), "nobody noted what entered")
    }

    /// Packets that entered the network from `cycle` on, or a little later on, of `entered` in all.
    pub fn entered_since(&self, cycle: u64, entered: u64) -> u64 {
        let note = (cycle.div_ceil(APART) as usize).min(self.entered.len() - 1);
        entered - self.entered[note].min(entered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters(entered: u64, delivered: u64, packet_hops: u64) -> Counters {
        Counters { entered, delivered, packet_hops, ..Counters::default() }
    }

    #[test]
    fn hops_without_end_are_a_livelock() {
        let mut progress = Progress::new(10);
        assert_eq!(progress.look(512, counters(4, 2, 20), 2), None);
        assert_eq!(progress.look(1024, counters(5, 2, 50), 3), None, "30 hops of 3 packets may be their ways");
        let found = progress.look(1536, counters(5, 2, 51), 3);
        assert_eq!(found, Some(Livelock { since: 512, hops: 31, packets: 3, longest: 10 }));
    }

    #[test]
    fn a_delivery_or_an_empty_network_begins_anew() {
        let mut progress = Progress::new(10);
        assert_eq!(progress.look(512, counters(9, 1, 500), 8), None);
        assert_eq!(progress.look(1024, counters(9, 2, 600), 7), None);
        assert_eq!(progress.look(1536, counters(9, 9, 700), 0), None);
        assert_eq!(progress.look(2048, counters(9, 9, 700), 0), None);
    }

    #[test]
    fn who_entered_since_is_known_to_a_thousand_cycles() {
        let mut progress = Progress::new(10);
        for cycle in (512..=8192).step_by(512) {
            progress.look(cycle, counters(cycle, cycle, 0), 0);
        }
        assert_eq!(progress.entered_since(0, 9000), 9000);
        assert_eq!(progress.entered_since(2048, 9000), 9000 - 2048);
        assert_eq!(progress.entered_since(2049, 9000), 9000 - 3072, "rather too few than too many");
        assert_eq!(progress.entered_since(1 << 40, 9000), 9000 - 8192);
    }
}
