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
}

tailback_base::plain!(Roles);

impl State for Flows {
    fn save(&self, to: &mut Writer) {
        let Self { flows } = self;
        flows.iter().map(|(&flow, &roles)| (flow, roles)).collect::<HashMap<_, _>>().save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        let mut flows = HashMap::<(u32, u32), Roles>::new();
        flows.restore(from)?;
        are_counts(flows.values().flat_map(|roles| [roles.culprit, roles.victim]))?;
        self.flows = flows.into_iter().collect();
        Ok(())
    }
}

impl Flows {
    /// Adds a blocked packet.
    pub fn add(&mut self, source: u32, destination: u32, crosses: bool) {
        let roles = self.flows.entry((source, destination)).or_default();
        *(if crosses { &mut roles.culprit } else { &mut roles.victim }) += 1;
    }

    /// All together.
    pub fn total(&self) -> Roles {
        let sum = |all: Roles, roles: &Roles| Roles {
            culprit: all.culprit + roles.culprit,
            victim: all.victim + roles.victim,
        };
        self.flows.values().fold(Roles::default(), sum)
    }

    /// Flows in each role: those that are ever a culprit, and those that are ever a victim.
    pub fn count(&self) -> (usize, usize) {
        let roles = || self.flows.values();
        (roles().filter(|roles| roles.culprit > 0).count(), roles().filter(|roles| roles.victim > 0).count())
    }

    /// The flows that are most of what `role` says, at most `most` of them, none for which it is 0; equal ones by source, then
    /// destination.
    pub fn top(&self, most: usize, role: impl Fn(&Roles) -> u64) -> Vec<((u32, u32), Roles)> {
        let mut flows: Vec<_> = self.flows.iter().filter(|(_, roles)| role(roles) > 0).map(|(&f, &r)| (f, r)).collect();
        flows.sort_by_key(|(flow, roles)| (std::cmp::Reverse(role(roles)), *flow));
        flows.truncate(most);
        flows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_are_summed_in_both_roles() {
        let mut flows = Flows::default();
        for (source, destination, crosses) in [(1, 2, true), (1, 2, true), (0, 3, false), (1, 2, false), (0, 2, true)] {
            flows.add(source, destination, crosses);
        }
        let roles = |culprit, victim| Roles { culprit, victim };
        assert_eq!(flows.total(), roles(3, 2));
        assert_eq!(flows.count(), (2, 2));
        assert_eq!(flows.top(9, |r| r.culprit), [((1, 2), roles(2, 1)), ((0, 2), roles(1, 0))]);
        assert_eq!(flows.top(1, |r| r.victim), [((0, 3), roles(0, 1))], "the first of equal ones");
        assert!(Flows::default().top(3, |r| r.culprit).is_empty());
    }
}
