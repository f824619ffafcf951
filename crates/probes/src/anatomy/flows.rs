//! Who fills congestion trees, and who only stands in them.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use tailback_base::hash::Map;
use tailback_base::state::{Reader, State, Unfit, Writer, are_counts};

/// Blocked packets in all looks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roles {
    /// Packets that still have to cross the root of their tree.
    pub culprit: u64,
    /// Packets that do not cross the root of their tree: victims.
    pub victim: u64,
}

/// Flows, by source and destination.
#[derive(Clone, Debug, Default)]
pub struct Flows {
    /// Looked up, and put into an order where one is needed.
    flows: Map<(u32, u32), Roles>,
    /// By destination, then source, what has come since: of so few nodes that there is room for all pairs.
    ///
    /// PERF: every blocked packet is added in every look, and those of a queue mostly have one destination
    /// (`tailback bench --probes recn-1`).
    pairs: Vec<Roles>,
    nodes: u32,
    /// What has come in this look: twice the number of a pair, and 1 more for a victim.
    ///
    /// PERF: the pairs are more than the caches hold beside the network, and waiting for many of them at once is quicker.
    now: Vec<u32>,
}

/// So many pairs of nodes have a place of their own.
const PAIRS: u64 = 1 << 18;

tailback_base::plain!(Roles);

impl State for Flows {
    fn save(&self, to: &mut Writer) {
        self.all().into_iter().collect::<HashMap<_, _>>().save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        let mut flows = HashMap::<(u32, u32), Roles>::new();
        flows.restore(from)?;
        are_counts(flows.values().flat_map(|roles| [roles.culprit, roles.victim]))?;
        self.flows = flows.into_iter().collect();
        self.pairs.fill(Roles::default());
        Ok(())
    }
}

/// What a blocked packet is to a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It crosses the root.
    Culprit,
    /// It does not.
    Victim,
}

/// Counts a packet in its role.
#[inline]
fn count(roles: &mut Roles, role: Role) {
    *(if role == Role::Culprit { &mut roles.culprit } else { &mut roles.victim }) += 1;
}

impl Flows {
    /// None yet, of a network of so many nodes.
    pub fn of(nodes: u32) -> Self {
        let pairs = u64::from(nodes) * u64::from(nodes);
        let pairs = if pairs <= PAIRS { vec![Roles::default(); pairs as usize] } else { Vec::new() };
        Flows { pairs, nodes, ..Flows::default() }
    }

    /// Adds blocked packets of these sources, with one destination. They count from [`Flows::settle`] on.
    #[inline]
    pub fn add(&mut self, sources: impl Iterator<Item = u32>, destination: u32, role: Role) {
        if self.pairs.is_empty() {
            return sources.for_each(|source| count(self.flows.entry((source, destination)).or_default(), role));
        }
        let first = destination * self.nodes;
        self.now.extend(sources.map(|source| 2 * (first + source) + u32::from(role == Role::Victim)));
    }

    /// Counts the packets of a look.
    pub fn settle(&mut self) {
        for packet in self.now.drain(..) {
            let role = if packet % 2 == 0 { Role::Culprit } else { Role::Victim };
            count(&mut self.pairs[packet as usize / 2], role);
        }
    }

    /// Each flow with its roles.
    fn all(&self) -> Map<(u32, u32), Roles> {
        let mut all = self.flows.clone();
        for (at, roles) in (0u32..).zip(&self.pairs).filter(|(_, roles)| **roles != Roles::default()) {
            let sum = all.entry((at % self.nodes, at / self.nodes)).or_default();
            *sum = Roles { culprit: sum.culprit + roles.culprit, victim: sum.victim + roles.victim };
        }
        all
    }

    /// All together.
    pub fn total(&self) -> Roles {
        let sum = |all: Roles, roles: &Roles| Roles {
            culprit: all.culprit + roles.culprit,
            victim: all.victim + roles.victim,
        };
        self.flows.values().chain(&self.pairs).fold(Roles::default(), sum)
    }

    /// Flows in each role: those that are ever a culprit, and those that are ever a victim.
    pub fn count(&self) -> (usize, usize) {
        let flows = self.all();
        let roles = || flows.values();
        (roles().filter(|roles| roles.culprit > 0).count(), roles().filter(|roles| roles.victim > 0).count())
    }

    /// The flows that are most of what `role` says, at most `most` of them, none for which it is 0; equal ones by source, then
    /// destination.
    pub fn top(&self, most: usize, role: impl Fn(&Roles) -> u64) -> Vec<((u32, u32), Roles)> {
        let mut flows: Vec<_> = self.all().into_iter().filter(|(_, roles)| role(roles) > 0).collect();
        flows.sort_by_key(|(flow, roles)| (std::cmp::Reverse(role(roles)), *flow));
        flows.truncate(most);
        flows
    }
}

#[cfg(test)]
mod tests {
    use super::Role::{Culprit, Victim};
    use super::*;

    #[test]
    fn flows_are_summed_in_both_roles() {
        let roles = |culprit, victim| Roles { culprit, victim };
        // With places for all pairs and without.
        for mut flows in [Flows::of(4), Flows::of(1 << 20), Flows::default()] {
            assert!(flows.top(3, |r| r.culprit).is_empty());
            for (source, destination, role) in
                [(1, 2, Culprit), (1, 2, Culprit), (0, 3, Victim), (1, 2, Victim), (0, 2, Culprit)]
            {
                flows.add([source].into_iter(), destination, role);
            }
            flows.settle();
            assert_eq!(flows.total(), roles(3, 2));
            assert_eq!(flows.count(), (2, 2));
            assert_eq!(flows.top(9, |r| r.culprit), [((1, 2), roles(2, 1)), ((0, 2), roles(1, 0))]);
            assert_eq!(flows.top(1, |r| r.victim), [((0, 3), roles(0, 1))], "the first of equal ones");
            // What was saved goes on, wherever it was.
            let mut saved = Writer::default();
            flows.save(&mut saved);
            let bytes = saved.into_bytes();
            for mut restored in [Flows::of(4), Flows::default()] {
                restored.add([3].into_iter(), 3, Culprit);
                restored.settle();
                restored.restore(&mut Reader::new(&bytes, &[])).expect("it was saved");
                restored.add([1].into_iter(), 2, Victim);
                restored.settle();
                assert_eq!((restored.total(), restored.count()), (roles(3, 3), (2, 2)));
                assert_eq!(restored.top(1, |r| r.culprit), [((1, 2), roles(2, 2))]);
            }
        }
    }
}
