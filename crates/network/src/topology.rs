//! The topologies a spec may name.

use crate::{Grid, family};
use std::sync::LazyLock;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, Section, View, When};

pub(crate) const RADIX: Param = Param {
    name: "radix",
    kind: Kind::Integers { min: 2, max: 1 << 30, min_len: 1, max_len: 6 },
    unit: "routers",
    fallback: Fallback::Required,
    doc: "Routers per dimension, lowest dimension first; 1 to 6 dimensions, any radix from 2.",
};

/// Nodes of every router of a grid.
static NODES: Param = Param {
    name: "nodes_per_router",
    kind: Kind::Integer { min: 1, max: 64 },
    unit: "nodes",
    fallback: Fallback::Integer(1),
    doc: "Nodes attached to each router, each with injection and ejection ports of its own.",
};

/// The kinds that may have a grid.
const GRIDS: [&str; 2] = ["torus", "mesh"];

/// All families, each with its own parameters and the nodes of a router.
static KINDS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let with_nodes = |entry: &Entry| {
        let nodes = if GRIDS.contains(&entry.name) { &NODES } else { &family::NODES_PER_ROUTER };
        let params: Vec<Param> = entry.params.iter().chain([nodes]).copied().collect();
        Entry { params: params.leak(), ..*entry }
    };
    family::FAMILIES.iter().map(|family| with_nodes(family.entry)).collect()
});

/// Whether the network of a `topology` section has no grid that says all of it.
pub fn lacks_grid(view: View) -> bool {
    !has_grid(view)
}

/// Whether the network of a `topology` section is a grid and nothing more: its links are all alike, and its nodes are numbered router by
/// router.
pub fn has_grid(view: View) -> bool {
    GRIDS.contains(&view.kind()) && family::beside_grid(view).is_none()
}

/// Whether the network has one dimension, so that packets turn nowhere.
pub fn is_of_one_dimension(spec: &Resolved, _own: View<'_>) -> bool {
    has_grid(spec.view("topology")) && spec.view("topology").u32s("radix").len() == 1
}

/// The `topology` section.
pub fn section() -> Section {
    Section {
        path: "topology",
        doc: "How routers are wired.",
        params: &[Param {
            name: "link_cycles",
            kind: Kind::Integer { min: 1, max: 4096 },
            unit: "cycles",
            fallback: Fallback::Integer(1),
            doc: "Time of a flit on a link between routers.",
        }],
        entries: KINDS.iter().collect(),
        default_entry: None,
        idle: IDLE.iter().collect(),
    }
}

/// Links of nodes take `link_cycles` under input-output queueing, and no time elsewhere.
const OF_NODES: When = When::IsNot("router.kind", &["input_output_queued"]);

const IDLE: &[Idle] = &[
    Idle {
        keys: &["link_cycles"],
        when: &[When::Is(".kind", &["crossbar"]), OF_NODES],
        because: "one router has no links",
    },
    Idle {
        keys: &["link_cycles"],
        when: &[When::Where("every link has a time of its own", has_all_times), OF_NODES],
        because: "it is the time of links that have no other one",
    },
    Idle {
        keys: &["arrangement"],
        when: &[When::Is(".groups", &["2"])],
        because: "every link leads to the other group, whatever the arrangement",
    },
    Idle {
        keys: &["node_order"],
        when: &[When::Is(".nodes_per_router", &["1"])],
        because: "a tile of one node is numbered as its router is",
    },
    Idle {
        keys: &["row"],
        when: &[When::Is(".nodes_per_router", &["1", "auto"]), When::Is(".lengths", &["equal"])],
        because: "a layout numbers the nodes of a router, or gives links their lengths",
    },
];

/// Whether the parameters of a family say the time of each of its links.
fn has_all_times(_spec: &Resolved, own: View<'_>) -> bool {
    let of_levels = ["level_cycles", "dimension_cycles"].iter().any(|key| own.has(key) && !own.u32s(key).is_empty());
    let of_groups = ["local_cycles", "global_cycles"].iter().all(|key| own.has(key) && own.finite(key).is_some());
    of_levels || of_groups
}

/// The largest number of nodes that ids can name.
pub const MAX_NODES: u64 = (1 << 31) - 1;

/// Builds the topology of a resolved `topology` section whose size has been checked (see [`node_count`]).
pub fn build(view: View) -> Grid {
    let radix = view.u32s("radix");
    let wrap = vec![view.kind() == GRIDS[0]; radix.len()];
    Grid::new(&radix, &wrap, view.u32("nodes_per_router"), view.u32("link_cycles"))
}

/// A small grid that stands for one too large to build: the same dimensions, rings and nodes at a router, but no dimension
/// of more than four routers, with which a ring has all that datelines and deadlock are about.
pub fn model(view: View) -> Grid {
    let radix: Vec<u32> = view.u32s("radix").into_iter().map(|k| k.min(4)).collect();
    let wrap = vec![view.kind() == GRIDS[0]; radix.len()];
    Grid::new(&radix, &wrap, view.u32("nodes_per_router"), view.u32("link_cycles"))
}

/// Routers and nodes of a resolved `topology` section, before anything is built; saturating.
pub fn node_count(view: View) -> (u64, u64) {
    let routers = view.integers("radix").iter().fold(1u64, |n, &k| n.saturating_mul(k as u64));
    (routers, routers.saturating_mul(view.u64("nodes_per_router")))
}
