//! HyperX: routers in a grid, each linked to all others of its row in every dimension. With one link per pair and as many nodes
//! at a router as a side has routers it is the flattened butterfly.
//!
//! Routers are numbered as in a grid, lowest dimension first. Ports go by dimension, then by coordinate without the own one.

use super::mesh::tile;
use super::params::{delays, each_of, entry, nodes_per_router, refusal};
use super::{Built, Classes, Family, Rule, refused, sized};
use crate::graph::{Builder, LinkKind, Port, Seats, Wire, limits};
use tailback_spec::{Entry, Fallback, Kind, Param, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Ahn et al., SC 2009",
    ..entry(
        "hyperx",
        "a grid whose routers are linked to all others of their row in every dimension",
        &[
            Param {
                name: "sides",
                kind: Kind::Integers { min: 2, max: 1 << 20, min_len: 1, max_len: 8 },
                unit: "routers",
                fallback: Fallback::Required,
                doc: "Routers per dimension, lowest dimension first.",
            },
            Param {
                name: "trunks",
                kind: Kind::Integers { min: 1, max: 64, min_len: 0, max_len: 8 },
                unit: "links",
                fallback: Fallback::Integers(&[]),
                doc: "Parallel links between two routers, one number per dimension; 1 each where the list is empty.",
            },
            delays(
                "dimension_cycles",
                "Time of a flit on a link, one number per dimension; `link_cycles` each where the list is empty.",
            ),
            Param {
                name: "row",
                kind: Kind::Integer { min: 0, max: 1 << 20 },
                unit: "routers",
                fallback: Fallback::Integer(0),
                doc: "Routers in a row of a layout in a plane, in their order; nodes are then numbered row by row over the plane of all \
                    nodes, where those of a router form a tile, as square as their number allows. 0: no layout; nodes are numbered \
                    router by router.",
            },
            Param {
                name: "lengths",
                kind: Kind::Choice(&[
                    ("equal", "links of a dimension take as long"),
                    (
                        "layout",
                        "a link takes as many times as long as its routers are apart in the layout, in nodes across and down",
                    ),
                ]),
                unit: "",
                fallback: Fallback::Text("equal"),
                doc: "How long links are.",
            },
        ],
    )
};

pub static FAMILY: Family = Family { entry: &ENTRY, build };

/// One dimension of the grid.
#[derive(Clone, Copy, Debug)]
struct Dimension {
    side: u32,
    stride: u32,
    trunk: u32,
    first_port: u32,
    wire: Wire,
}

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let sides = view.u32s("sides");
    let trunks = each_of(view, "trunks", sides.len(), 1)?;
    let cycles = each_of(view, "dimension_cycles", sides.len(), view.u32("link_cycles"))?;
    let nodes = nodes_per_router(view, 1);
    let routers = sides.iter().fold(1u64, |n, &side| n.saturating_mul(side.into()));
    let ports = sides.iter().zip(&trunks).map(|(side, trunk)| u64::from(side - 1) * u64::from(*trunk)).sum::<u64>();
    sized(routers, routers.saturating_mul(nodes.into()), routers.saturating_mul(ports))?;
    let mut dimensions: Vec<Dimension> = Vec::new();
    let (mut stride, mut first_port) = (1, 0);
    for (d, ((&side, &trunk), &cycles)) in sides.iter().zip(&trunks).zip(&cycles).enumerate() {
        let wire = Wire::new(cycles, LinkKind::Across(d as u8));
        dimensions.push(Dimension { side, stride, trunk, first_port, wire });
        stride *= side;
        first_port += (side - 1) * trunk;
    }
    let layout = layout(view, routers as u32, nodes)?;
    let seats = layout.map_or_else(|| Seats::even(routers as usize, nodes), |layout| layout.seats(routers as u32));
    let mut builder = Builder::new(&vec![ports as u32; routers as usize], seats).map_err(refused)?;
    let lengths = layout.filter(|_| view.text("lengths") == "layout");
    builder.fill(|router, port| {
        let (far, wire) = far(&dimensions, router, port as u32);
        let times = lengths.map_or(1, |layout| layout.apart(router, far.router));
        let cycles = wire.cycles.saturating_mul(times);
        Some((far, Wire { cycles, cycles_back: cycles, ..wire }))
    });
    check_cycles(&dimensions, lengths, routers as u32)?;
    let network = builder.finish().map_err(refused)?;
    Ok(Built::by(network, InOrder(dimensions)).with_classes(Classes::One))
}

/// The layout that a section asks for, if it asks for one.
fn layout(view: View, routers: u32, nodes: u32) -> Result<Option<Layout>, Box<SpecError>> {
    let row = view.u32("row");
    if row == 0 {
        return match view.text("lengths") {
            "layout" => Err(refusal(
                "topology.lengths",
                "lengths by layout need a layout: set `row` to the routers in a row of it",
            )),
            _ => Ok(None),
        };
    }
    if !routers.is_multiple_of(row) {
        let message = format!("`row` is {row}, and {routers} routers do not fill rows of as many");
        return Err(refusal("topology.row", message));
    }
    Ok(Some(Layout { row, tile: tile(nodes) }))
}

/// Refuses links longer than links may be; the first and the last router are the farthest apart.
fn check_cycles(dimensions: &[Dimension], lengths: Option<Layout>, routers: u32) -> Result<(), Box<SpecError>> {
    let longest = dimensions.iter().map(|dimension| dimension.wire.cycles).max().unwrap_or(1);
    let times = lengths.map_or(1, |layout| layout.farthest(routers));
    if longest.saturating_mul(times) <= limits::CYCLES {
        return Ok(());
    }
    let message = format!(
        "links of this layout may take {} cycles; {} are the most",
        u64::from(longest) * u64::from(times),
        limits::CYCLES
    );
    Err(refusal("topology.lengths", message))
}

/// Routers in rows in a plane, with their nodes around each.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Routers of a row.
    row: u32,
    /// Columns and rows of the tile that the nodes of a router form.
    tile: (u32, u32),
}

impl Layout {
    /// Nodes across and down between two routers.
    fn apart(self, a: u32, b: u32) -> u32 {
        let Layout { row, tile: (wide, high) } = self;
        wide * (a % row).abs_diff(b % row) + high * (a / row).abs_diff(b / row)
    }

    /// The same between the corners.
    fn farthest(self, routers: u32) -> u32 {
        let Layout { row, tile: (wide, high) } = self;
        wide * (row - 1) + high * (routers / row - 1)
    }

    /// Nodes numbered row by row over the plane of all tiles.
    fn seats(self, routers: u32) -> Seats {
        let Layout { row, tile: (wide, high) } = self;
        let of_row = |y: u32| (0..row * wide).map(move |x| y / high * row + x / wide);
        Seats::listed(routers as usize, (0..routers / row * high).flat_map(of_row).collect())
    }
}

/// One dimension after the other, each in one hop.
#[derive(Debug)]
struct InOrder(Vec<Dimension>);

impl Rule for InOrder {
    fn ports(&self, at: u32, to: u32, ports: &mut Vec<usize>) {
        for &Dimension { side, stride, trunk, first_port, .. } in &self.0 {
            let (here, there) = (at / stride % side, to / stride % side);
            if here != there {
                let first = first_port + (there - u32::from(there > here)) * trunk;
                return ports.extend((first..first + trunk).map(|port| port as usize));
            }
        }
    }
}

fn far(dimensions: &[Dimension], router: u32, port: u32) -> (Port, Wire) {
    let dimension = dimensions.iter().rfind(|d| d.first_port <= port).expect("the first dimension begins at port 0");
    let Dimension { side, stride, trunk, first_port, wire } = *dimension;
    let here = router / stride % side;
    let (row, copy) = ((port - first_port) / trunk, (port - first_port) % trunk);
    let there = row + u32::from(row >= here);
    let back = here - u32::from(here > there);
    (Port { router: router - here * stride + there * stride, port: first_port + back * trunk + copy }, wire)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, measured, refused};

    #[test]
    fn check_values() {
        let row = |sets, counts, mean, bound| check("hyperx", sets, counts, (mean, bound, bound));
        row("sides=[4,4] nodes_per_router=4", (16, 64, 96, 2), 1.523810, 0.984375);
        row("sides=[8,8] nodes_per_router=8", (64, 512, 896, 2), 1.753425, 0.998047);
        row("sides=[4,4,4] nodes_per_router=4", (64, 256, 576, 3), 2.258824, 0.996094);
    }

    /// The nodes of a router lie in two rows of the plane, and links are as long as the nodes between them.
    #[test]
    fn a_layout_numbers_nodes_and_gives_links_a_length() {
        let sets = "sides=[3,2] nodes_per_router=4 row=3";
        let plain = built("hyperx", sets).network;
        assert_eq!((0..8).map(|node| plain.router_of(node)).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2, 0, 0]);
        assert_eq!(plain.router_of(12), 3);
        let long = built("hyperx", &format!("{sets} lengths=\"layout\"")).network;
        let cycles: Vec<u32> = long.links_of(0).map(|(_, link)| link.cycles).collect();
        assert_eq!((cycles, plain.link(0, 1).unwrap().cycles), (vec![2, 4, 2], 1));
        assert!(refused("hyperx", "sides=[3,2] row=4").contains("do not fill rows"));
        assert!(refused("hyperx", "sides=[3,2] lengths=\"layout\"").contains("set `row`"));
        assert!(
            refused("hyperx", "sides=[3,2] row=3 lengths=\"layout\" link_cycles=2000").contains("4096 are the most")
        );
    }

    #[test]
    fn trunks_carry_as_many_times_more() {
        let (one, two) = (measured("hyperx", "sides=[4]"), measured("hyperx", "sides=[4] trunks=[2]"));
        assert_eq!((two.links, two.diameter), (2 * one.links, one.diameter));
        assert!((two.ecmp_bound.unwrap() - 2.0 * one.ecmp_bound.unwrap()).abs() < 1e-12);
    }

    #[test]
    fn ports_go_by_dimension_and_coordinate() {
        let network = built("hyperx", "sides=[3,2] trunks=[2,1] dimension_cycles=[1,5]").network;
        let peers: Vec<u32> = network.links_of(4).map(|(_, link)| link.to.router).collect();
        assert_eq!(peers, [3, 3, 5, 5, 1]);
        let delays: Vec<u32> = network.links_of(4).map(|(_, link)| link.cycles).collect();
        assert_eq!(delays, [1, 1, 1, 1, 5]);
        assert!(refused("hyperx", "sides=[3,2] trunks=[2]").contains("this network needs 2"));
    }
}
