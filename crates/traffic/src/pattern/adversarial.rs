//! Adversarial traffic between groups (ADV+i of dragonflies): all nodes of a group send to one other group.

use super::{Built, Pattern};
use crate::{Shape, problem};
use tailback_base::rng;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "adversarial",
    summary: "adversarial: every packet goes to a random node of the group that is `offset` groups further on",
    paper: "Kim et al., ISCA 2008",
    ideal: false,
    params: &[
        Param {
            name: "group_nodes",
            kind: Kind::Integer { min: 1, max: 1 << 30 },
            unit: "nodes",
            fallback: Fallback::Required,
            doc: "Nodes of a group, which have consecutive numbers: in a dragonfly `routers_per_group` times `nodes_per_router`.",
        },
        Param {
            name: "offset",
            kind: Kind::Integer { min: 1, max: 1 << 30 },
            unit: "groups",
            fallback: Fallback::Integer(1),
            doc: "How many groups further on the destination is; the first group follows the last one.",
        },
    ],
};

/// Builds it; refused unless groups fill the network and the offset leads to another one.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let (nodes, group, offset) = (shape.nodes(), view.u32("group_nodes"), view.u32("offset"));
    if !nodes.is_multiple_of(group) {
        let message = format!("groups of {group} nodes do not fill a network of {nodes} nodes");
        return problem("group_nodes", message, Some("take the number of nodes of the network's own groups"));
    }
    let groups = nodes / group;
    if offset % groups == 0 {
        let message =
            format!("there are {groups} groups of {group} nodes, and {offset} groups further on is the own group");
        return problem("offset", message, Some("take an offset from 1 to the number of groups less 1"));
    }
    Ok(Box::new(Adversarial { nodes, group, distance: offset % groups * group }))
}

/// Destinations drawn in the group `distance` nodes further on.
struct Adversarial {
    nodes: u32,
    group: u32,
    distance: u32,
}

impl Adversarial {
    /// The first node of the group that a node sends to.
    fn first(&self, source: u32) -> u32 {
        let own = source - source % self.group;
        ((u64::from(own) + u64::from(self.distance)) % u64::from(self.nodes)) as u32
    }
}

impl Pattern for Adversarial {
    fn destination(&self, source: u32, draw: u64) -> Option<u32> {
        Some(self.first(source) + rng::below(draw, u64::from(self.group)) as u32)
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        let share = 1.0 / f64::from(self.group);
        (0..self.group).for_each(|node| emit(self.first(source) + node, share));
    }
}
