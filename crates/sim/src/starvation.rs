//! Starvation: what proves that a packet which does not get in waits without bound, and not by chance.
//!
//! The hypothesis to be refuted is that every node is served like the others. Under it a wait is long by chance, and its
//! chance is stated below; or because the network changes, and then its load changes; or because waits are long here, and
//! then others as long have ended. Who is starved is told by no threshold alone: docs/results.md has the rule in words.

use crate::prepare::Prepared;
use crate::run::Finished;
use crate::why::numbers::whole;
use std::fmt;

/// A node that gets nothing in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Starving {
    /// The node.
    pub node: u32,
    /// The number, among those of its node, of the packet at the front.
    pub index: u64,
    /// The cycle since which it has stood there.
    pub since: u64,
    /// Packets that the nodes which send have got in since then, in the mean.
    pub others: f64,
}

/// Nodes that have got nothing in for long, which is not called starvation.
#[derive(Clone, Debug, PartialEq)]
pub struct LongWaits {
    /// The nodes, those first that have waited longest.
    pub nodes: Vec<Starving>,
    /// Why it is not.
    pub doubt: Doubt,
}

/// Why a long wait is not called starvation. Displays as the rest of a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// It began after the middle of the measured window.
    Late {
        /// The middle \[cycle\].
        middle: u64,
    },
    /// The others got so little in that it may be chance.
    Chance {
        /// Packets that each got in, in the mean.
        others: f64,
        /// Packets that it takes.
        needed: f64,
    },
    /// Too few waits have ended for one to be held against them.
    Few {
        /// Waits that have ended in the measured window or later.
        ended: u64,
    },
    /// Waits that are not much shorter have ended.
    Ended {
        /// The longest of them \[cycles\].
        longest: u64,
    },
    /// The load that the network accepts was not the same all the while.
    Unsteady {
        /// Its change from the first half of the wait to the second, as a part of the first.
        change: f64,
    },
    /// The other nodes do not get what they ask for, either.
    Unserved,
}

/// A wait shorter than this says nothing \[cycles\].
const LEAST_WAIT: u64 = 1000;

/// A wait is worth a word when the others got so many packets in meanwhile.
const OTHERS: f64 = 20.0;

/// The chance, for all nodes of a run together, that is taken for none.
const CHANCE: f64 = 1e-9;

/// A wait is none of those that end when it is this many times as long as the longest of them. Were waits spread without
/// memory (exponentially), the longest of N + 1 would be 8 times as long as all others with the chance 8! / ((N + 2) ... (N + 8)).
const TIMES: u64 = 8;

/// For so many waits that is less than [`CHANCE`].
const ENDED: u64 = 100;

/// A load that changes by more than this part is not the same any more.
const CHANGE: f64 = 0.1;

/// Nodes are served that get this part of what they ask, or more.
const SERVED: f64 = 0.9;

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Late { middle } => {
                write!(f, "the wait began after cycle {}, the middle of the measured window", whole(*middle))
            }
            Doubt::Chance { others, needed } => write!(
                f,
                "meanwhile the nodes that send got {others:.0} packets each into the network, and with fewer than {needed:.0} it may be chance"
            ),
            Doubt::Few { ended } => {
                write!(f, "only {} waits ended in the measured window, and a comparison needs {ENDED}", whole(*ended))
            }
            Doubt::Ended { longest } => {
                write!(
                    f,
                    "another wait, of {} cycles, did end, and a packet that waits less than {TIMES} times as long may get in as well",
                    whole(*longest)
                )
            }
            Doubt::Unsteady { change } => {
                let (how, percent) = (if *change < 0.0 { "fell" } else { "rose" }, 100.0 * change.abs());
                write!(
                    f,
                    "meanwhile the accepted load {how} by {percent:.0} %, so the network was not in a steady state"
                )
            }
            Doubt::Unserved => write!(f, "the other nodes get less than 90 % of what they ask for as well"),
        }
    }
}

impl LongWaits {
    /// These, if there are any.
    pub(crate) fn any(self) -> Option<LongWaits> {
        (!self.nodes.is_empty()).then_some(self)
    }
}

/// What is known of waits that goes for all nodes of a run.
struct Waited {
    /// The last cycle.
    end: u64,
    /// The middle of the measured window.
    middle: u64,
    /// Nodes that send.
    active: f64,
    /// Waits that ended in the measured window or later, and the longest of them \[cycles\].
    ended: u64,
    longest: u64,
}

impl Finished {
    /// Nodes that are proved to get nothing in, those first that have waited longest; where there are none, those of which
    /// that might be thought, and why it is not proved.
    pub(crate) fn starving(&self, prepared: &Prepared) -> (Vec<Starving>, Option<LongWaits>) {
        let waiting = self.waiting(prepared);
        let Some(first) = waiting.first() else { return (Vec::new(), None) };
        let waited = self.waited(prepared);
        match self.doubt(&waited, first) {
            Some(doubt) => (Vec::new(), Some(LongWaits { nodes: waiting, doubt })),
            // Who has waited for less long may be in doubt.
            None => (waiting.into_iter().filter(|node| self.doubt(&waited, node).is_none()).collect(), None),
        }
    }

    /// Nodes that got nothing in since before the second half of what was simulated from the measured window on, while the
    /// others did. The longest wait first.
    fn waiting(&self, prepared: &Prepared) -> Vec<Starving> {
        let from = self.window.0;
        let half = (self.cycle.saturating_sub(from) / 2).max(LEAST_WAIT);
        let active = f64::from(prepared.traffic.active_nodes().max(1));
        let standing = self.watch.waits.standing(self.cycle.saturating_sub(half));
        let waiting = standing.into_iter().map(|s| {
            let others = self.progress.entered_since(s.since, self.counters.entered) as f64 / active;
            Starving { node: s.node, index: s.index, since: s.since, others }
        });
        let mut waiting: Vec<Starving> = waiting.filter(|node| node.others >= OTHERS).collect();
        waiting.sort_by_key(|node| (node.since, node.node));
        waiting
    }

    fn waited(&self, prepared: &Prepared) -> Waited {
        let (from, to) = self.window;
        Waited {
            end: self.cycle,
            middle: from + (to.min(self.cycle).saturating_sub(from)) / 2,
            active: f64::from(prepared.traffic.active_nodes().max(1)),
            ended: self.progress.entered_since(from, self.counters.entered),
            longest: self.watch.waits.longest_ended(),
        }
    }

    /// What speaks against a node's being starved, the first reason of several.
    fn doubt(&self, waited: &Waited, node: &Starving) -> Option<Doubt> {
        let Waited { end, middle, active, ended, longest } = *waited;
        // Served at the rate of the others, a node gets nothing in with the chance exp(-others), one of all with that many times it.
        let needed = (active / CHANCE).ln();
        if node.since > middle {
            return Some(Doubt::Late { middle });
        }
        if node.others < needed {
            return Some(Doubt::Chance { others: node.others, needed: needed.ceil() });
        }
        if ended < ENDED {
            return Some(Doubt::Few { ended });
        }
        if end.saturating_sub(node.since) < TIMES.saturating_mul(longest) {
            return Some(Doubt::Ended { longest });
        }
        let change = self.change_since(node.since);
        (change.abs() > CHANGE).then_some(Doubt::Unsteady { change })
    }

    /// The change of the accepted load from the first half to the second of what was measured from cycle `since` on, as a part
    /// of the first.
    fn change_since(&self, since: u64) -> f64 {
        let meter = &self.watch.meter;
        let before = since.saturating_sub(self.window.0).div_ceil(meter.batch_cycles()) as usize;
        let batches = &meter.batches()[before.min(meter.batches().len())..];
        let half = batches.len() / 2;
        let flits = |part: &[tailback_probes::meter::Batch]| part.iter().map(|b| b.delivered_flits).sum::<u64>() as f64;
        let (first, second) = (flits(&batches[..half]), flits(&batches[batches.len() - half..]));
        // Nothing and then something is a change, too.
        if first == second { 0.0 } else { (second - first) / first.max(1.0) }
    }

    /// Whether it is starvation that some nodes get nothing in, and no saturation: the others are served, on average.
    pub(crate) fn others_are_served(&self, prepared: &Prepared, starving: &[Starving]) -> bool {
        // A workload without a rate asks for no more than it has.
        let Some(offered) = prepared.offered_load() else { return true };
        let (from, to) = self.window;
        let others = f64::from(prepared.traffic.active_nodes()) - starving.len() as f64;
        let cycles = self.cycle.min(to).saturating_sub(from) as f64;
        let of_each = offered * prepared.nodes() as f64 / f64::from(prepared.traffic.active_nodes().max(1));
        let asked = of_each.min(f64::from(prepared.router.injection_channels()));
        let sent: u64 = self.watch.node_load.sent().iter().sum();
        sent as f64 >= SERVED * asked * others * cycles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_waits_leave_no_chance_that_counts() {
        let chance = |ended: u64| 40_320.0 / (2..=8).map(|i| (ended + i) as f64).product::<f64>();
        assert!(chance(ENDED) < CHANCE && chance(50) > CHANCE, "{} {}", chance(ENDED), chance(50));
    }

    #[test]
    fn the_longest_of_waits_without_memory_is_as_rarely_so_long_as_is_said() {
        // Exactly, for the smallest case that can be added up by hand: of two waits one is 8 times the other with 2 / 9.
        let chance = |n: u64| (n + 1) as f64 * (1..=n).map(|i| i as f64 / (i + TIMES) as f64).product::<f64>();
        assert!((chance(1) - 2.0 / 9.0).abs() < 1e-12);
        let stated = 40_320.0 / (2..=8).map(|i| (100 + i) as f64).product::<f64>();
        assert!((chance(100) / stated - 1.0).abs() < 1e-9, "{} {stated}", chance(100));
    }
}
