//! Small networks without a grid, on which parameters are tried.

use crate::common::specs::{bases, with};
use toml::Table;

/// A kind, what it needs, and values of parameters that are lists or narrow.
pub type OfKind = (&'static str, &'static str, &'static [(&'static str, &'static [&'static str])]);

/// Networks without a grid.
pub const WITHOUT_GRID: [OfKind; 14] = [
    ("dragonfly", "routers_per_group = 2, global_links = 1, nodes_per_router = 2", &[]),
    ("megafly", "leaves = 2, spines = 2, global_links = 1, nodes_per_router = 2", &[]),
    (
        "hyperx",
        "sides = [3, 3]",
        &[("row", &["3"]), ("sides", &["[3, 2]"]), ("trunks", &["[2, 1]"]), ("dimension_cycles", &["[4, 2]"])],
    ),
    ("fat_tree", "arity = 2, levels = 3", &[("level_cycles", &["[2, 3]"])]),
    ("folded_clos", "levels = [[4, 2], [3, 0]]", &[("levels", &["[[4, 3], [3, 0]]"]), ("level_cycles", &["[4]"])]),
    ("leaf_spine", "leaves = 4, spines = 2, nodes_per_router = 2", &[]),
    ("slim_fly", "q = 3", &[("q", &["4", "5"])]),
    ("jellyfish", "routers = 10, degree = 3", &[("degree", &["4"]), ("routers", &["12"])]),
    ("crossbar", "nodes_per_router = 8", &[]),
    ("polarfly", "q = 3", &[("q", &["4", "5"])]),
    ("express_mesh", "side = 4", &[("side", &["6"])]),
    ("tree4", "link_cycles = 1", &[]),
    (
        "torus",
        "radix = [4, 4], twist = [[0, 2], [0, 0]]",
        &[("radix", &["[3, 4]"]), ("twist", &["[[0, 1], [0, 0]]", "[]"])],
    ),
    ("mesh", "radix = [4, 4], boundary.every = [2, 2], boundary.cycles = 3", &[("radix", &["[4, 6]"])]),
];

/// The base of a network without a grid.
pub fn without_grid(kind: &str, params: &str) -> Table {
    let topology = format!("{{ kind = '{kind}', {params} }}");
    with(&bases()[0].1, &[("topology", &topology), ("routing", "{ kind = 'minimal' }")])
}
