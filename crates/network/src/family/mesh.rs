//! The mesh, with nodes numbered by tile (concentrated meshes), and with slower or narrower links between tiles (chiplets).

use super::params::{entry, nodes_per_router, refusal};
use super::torus::{DimensionOrder, check_size};
use super::{Built, Classes, Family, refused};
use crate::Grid;
use crate::graph::{Builder, LinkKind, Network, Port, Seats, Wire};
use crate::topology::RADIX;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Section, SpecError, View, When};

static ENTRY: Entry = entry(
    "mesh",
    "n-dimensional mesh: every dimension is a line",
    &[
        RADIX,
        Param {
            name: "node_order",
            kind: Kind::Choice(&[
                ("router", "router by router"),
                (
                    "tile",
                    "row by row over the plane of all nodes, where the nodes of a router form a tile; two dimensions",
                ),
            ]),
            unit: "",
            fallback: Fallback::Text("router"),
            doc: "How nodes are numbered. A tile is as square as the number of nodes allows, and wider than high.",
        },
    ],
);

pub static FAMILY: Family = Family { entry: &ENTRY, build };

/// The `topology.boundary` section.
pub fn boundary_section() -> Section {
    Section {
        path: "topology.boundary",
        doc: "Slower or narrower links between the tiles of a mesh, such as those between chiplets.",
        params: &[
            Param {
                name: "every",
                kind: Kind::Integers { min: 1, max: 1 << 30, min_len: 0, max_len: 6 },
                unit: "routers",
                fallback: Fallback::Integers(&[]),
                doc: "Sides of a tile, one per dimension. Without them there are no boundaries.",
            },
            Param {
                name: "cycles",
                kind: Kind::IntegerOrAuto { min: 1, max: 4096 },
                unit: "cycles",
                fallback: Fallback::Text("auto"),
                doc: "Time of a flit on a link between tiles; \"auto\" is `link_cycles`.",
            },
            Param {
                name: "width",
                kind: Kind::Float { min: 1.0 / 4096.0, max: 1.0 },
                unit: "flits/cycle",
                fallback: Fallback::Float(1.0),
                doc: "What a link between tiles carries: 1, or 1 over a whole number, such as 0.5.",
            },
        ],
        entries: Vec::new(),
        default_entry: None,
        idle: vec![&WITHOUT_TILES],
    }
}

static WITHOUT_TILES: Idle = Idle {
    keys: &["cycles", "width"],
    when: &[When::Where("there are no tiles", |_, own| own.u32s("every").is_empty())],
    because: "no link leads from tile to tile",
};

/// Whether a `topology` section asks for boundaries.
pub fn has_boundary(view: View) -> bool {
    let every = |boundary: View| boundary.has("every") && !boundary.u32s("every").is_empty();
    view.has("boundary") && every(view.sub("boundary"))
}

/// Whether a `topology` section asks for nodes numbered by tile. One node is a tile, and numbered as its router is.
pub fn has_tiles(view: View) -> bool {
    let all = view.has("node_order") && view.has("nodes_per_router");
    all && view.text("node_order") == "tile" && nodes_per_router(view, 1) > 1
}

/// The plane of routers, or that of all nodes where these are numbered over it: radices, and nodes at each place.
pub fn plane(view: View) -> (Vec<u32>, u32) {
    let (radix, nodes) = (view.u32s("radix"), nodes_per_router(view, 1));
    match radix[..] {
        [columns, rows] if has_tiles(view) => {
            let (wide, high) = tile(nodes);
            (vec![columns * wide, rows * high], 1)
        }
        _ => (radix, nodes),
    }
}

/// The columns and rows of the tile that the nodes of a router form.
pub(super) fn tile(nodes: u32) -> (u32, u32) {
    let high = (1..=nodes).take_while(|high| high * high <= nodes).filter(|high| nodes.is_multiple_of(*high));
    let high = high.last().expect("1 divides every number");
    (nodes / high, high)
}

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let (radix, nodes) = (view.u32s("radix"), nodes_per_router(view, 1));
    check_size(&radix, nodes)?;
    let grid = Grid::new(&radix, &vec![false; radix.len()], nodes, view.u32("link_cycles"));
    let mut network = Network::from(grid.clone());
    if has_boundary(view) {
        network = chiplets(&grid, view)?;
    }
    if has_tiles(view) {
        network = network.with_seats(tiles(&grid)?);
    }
    Ok(Built::by(network, DimensionOrder(grid)).with_classes(Classes::One))
}

/// The mesh with other links between its tiles.
fn chiplets(grid: &Grid, view: View) -> Result<Network, Box<SpecError>> {
    let boundary = view.sub("boundary");
    let every = boundary.u32s("every");
    let n = grid.dimensions();
    if every.len() != n {
        let message = format!("`every` has {} sides; a mesh of {n} dimensions needs {n}", every.len());
        return Err(refusal("topology.boundary.every", message));
    }
    let width = boundary.float("width");
    let period = (1.0 / width).round();
    if (period * width - 1.0).abs() > 1e-6 {
        let message = format!("`width` must be 1 over a whole number, such as 0.5 or 0.25, not {width}");
        return Err(refusal("topology.boundary.width", message));
    }
    let cycles = boundary.finite("cycles").map_or(grid.link_cycles(), |cycles| cycles as u32);
    let seats = Seats::even(grid.routers(), grid.nodes_per_router());
    let mut builder = Builder::new(&vec![grid.ports() as u32; grid.routers()], seats).map_err(refused)?;
    let plain = Network::from(grid.clone());
    builder.fill(|router, port| {
        let to: Port = plain.peer(router, port)?;
        let d = port / 2;
        let tile = |router| grid.coordinates(router)[d] / every[d];
        let mut wire = Wire::new(grid.link_cycles(), LinkKind::of_grid(port));
        if tile(router) != tile(to.router) {
            wire = Wire { period: period as u32, ..Wire::new(cycles, wire.kind) };
        }
        Some((to, wire))
    });
    Ok(builder.finish().map_err(refused)?.with_coordinates(grid.clone()))
}

/// Nodes numbered row by row over the plane of all tiles.
pub(super) fn tiles(grid: &Grid) -> Result<Seats, Box<SpecError>> {
    let &[columns, rows] = grid.radix() else {
        let message = format!("node_order = \"tile\" needs two dimensions; this mesh has {}", grid.dimensions());
        return Err(refusal("topology.node_order", message));
    };
    let (wide, high) = tile(grid.nodes_per_router());
    let node = |y: u32| (0..columns * wide).map(move |x| y / high * columns + x / wide);
    Ok(Seats::listed(grid.routers(), (0..rows * high).flat_map(node).collect()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, measured, refused};

    /// Dimension order loads a mesh more evenly than an even split at every router.
    #[test]
    fn check_values_of_a_concentrated_mesh() {
        for order in ["router", "tile"] {
            let sets = format!("radix=[4,4] nodes_per_router=4 node_order=\"{order}\"");
            check("mesh", &sets, (16, 64, 48, 6), (2.539683, 0.24609375, 0.211409));
        }
    }

    #[test]
    fn tiles_number_nodes_over_the_plane() {
        let network = built("mesh", "radix=[3,2] nodes_per_router=4 node_order=\"tile\"").network;
        let routers: Vec<u32> = (0..24).map(|node| network.router_of(node)).collect();
        assert_eq!(routers[..12], [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
        assert_eq!(routers[12..], [3, 3, 4, 4, 5, 5, 3, 3, 4, 4, 5, 5]);
        let two = built("mesh", "radix=[2,2] nodes_per_router=2 node_order=\"tile\"").network;
        assert_eq!((0..8).map(|node| two.router_of(node)).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2, 3, 3]);
        assert!(refused("mesh", "radix=[2,2,2] nodes_per_router=2 node_order=\"tile\"").contains("two dimensions"));
    }

    #[test]
    fn links_between_tiles_are_slower_and_narrower() {
        let sets = "radix=[8,8] link_cycles=2 boundary.every=[4,8] boundary.cycles=9 boundary.width=0.5";
        let network = built("mesh", sets).network;
        let inner = network.link(2, 0).unwrap();
        let outer = network.link(3, 0).unwrap();
        let other = network.link(24, 2).unwrap();
        assert_eq!((inner.cycles, inner.period, outer.cycles, outer.period), (2, 1, 9, 2));
        assert_eq!((other.cycles, other.period), (2, 1));
        assert!(network.grid().is_some() && !network.is_plain_grid());
        // The middle links are the busiest, and carry half.
        let (plain, narrow) = (measured("mesh", "radix=[8,8]"), measured("mesh", sets));
        let half = plain.channel_load_bound.unwrap() / 2.0;
        assert!((narrow.channel_load_bound.unwrap() - half).abs() < 1e-12);
    }

    #[test]
    fn boundaries_that_make_no_sense_are_refused() {
        assert!(refused("mesh", "radix=[8,8] boundary.every=[4]").contains("needs 2"));
        assert!(refused("mesh", "radix=[8,8] boundary.every=[4,4] boundary.width=0.7").contains("whole number"));
    }
}
