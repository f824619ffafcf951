//! Shift: every node sends to the one so many nodes further on, within groups of consecutive nodes or in the whole network.

use super::{Built, mapping::mapping};
use crate::{Shape, problem};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "shift",
    summary: "shift: W + offset, modulo the nodes of a group, which may be the whole network",
    paper: "",
    ideal: false,
    params: &[
        Param {
            name: "offset",
            kind: Kind::IntegerOrAuto { min: 1, max: 1 << 30 },
            unit: "nodes",
            fallback: Fallback::Text("auto"),
            doc: "How many nodes further on the destination is; \"auto\" is a tornado: half of the group, rounded up, less 1.",
        },
        Param {
            name: "group_nodes",
            kind: Kind::IntegerOrAuto { min: 2, max: 1 << 30 },
            unit: "nodes",
            fallback: Fallback::Text("auto"),
            doc: "Nodes of a group, which have consecutive numbers; \"auto\" is all nodes. In a HyperX a row of the first dimension has \
                its side times `nodes_per_router`; with an offset of `nodes_per_router` all nodes of a router send to the next one.",
        },
    ],
};

/// Builds it; refused unless groups fill the network.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let nodes = shape.nodes();
    let group = view.finite("group_nodes").map_or(nodes, |group| group as u32);
    if !nodes.is_multiple_of(group) {
        let message = format!("groups of {group} nodes do not fill a network of {nodes} nodes");
        return problem("group_nodes", message, Some("take a number that divides the number of nodes"));
    }
    let offset = view.finite("offset").map_or(group.div_ceil(2).saturating_sub(1), |offset| offset as u32) % group;
    Ok(mapping(move |node| {
        let own = node % group;
        node - own + ((u64::from(own) + u64::from(offset)) % u64::from(group)) as u32
    }))
}
