//! A concentrated mesh with express links: those routers at an edge that a mesh leaves without a neighbour there are linked to each other,
//! half a side apart.
//!
//! Routers, their ports and their nodes are numbered as in a mesh with nodes by tile. The port towards lower x of router (0, y) leads to
//! (0, y + k/2) or (0, y - k/2), and so do the ports of the other three edges along these.

use super::mesh::tiles;
use super::params::{cycles, cycles_of, entry, nodes_per_router, number, refusal};
use super::torus::check_size;
use super::{Built, Classes, Family, Rule, refused};
use crate::Grid;
use crate::graph::{Builder, LinkKind, Port, Wire};
use tailback_spec::{Entry, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Balfour and Dally, ICS 2006",
    ..entry(
        "express_mesh",
        "a concentrated square mesh whose edges have express links over half a side",
        &[
            number(
                "side",
                "routers",
                (4, 1024),
                "Routers of a side, an even number. A router has four nodes unless `nodes_per_router` says more.",
            ),
            cycles("express_cycles", "Time of a flit on an express link; \"auto\" is `link_cycles`."),
        ],
    )
};

pub static FAMILY: Family = Family { entry: &ENTRY, build };

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let (side, nodes) = (view.u32("side"), nodes_per_router(view, 4));
    if !side.is_multiple_of(2) {
        let message = format!("`side` is {side}, but express links lead over half a side: give an even number");
        return Err(refusal("topology.side", message));
    }
    check_size(&[side; 2], nodes)?;
    let grid = Grid::new(&[side; 2], &[false; 2], nodes, view.u32("link_cycles"));
    let express = Wire::new(cycles_of(view, "express_cycles"), LinkKind::Any);
    let mut builder = Builder::new(&vec![4; grid.routers()], tiles(&grid)?).map_err(refused)?;
    builder.fill(|router, port| {
        Some(far(side, router, port, (Wire::new(view.u32("link_cycles"), LinkKind::of_grid(port)), express)))
    });
    let network = builder.finish().map_err(refused)?;
    Ok(Built::by(network, Express { side }).with_classes(Classes::One))
}

/// Where a port leads: ports 0 and 1 towards higher and lower x, and 2 and 3 towards higher and lower y.
fn far(side: u32, router: u32, port: usize, (wire, express): (Wire, Wire)) -> (Port, Wire) {
    let place = [router % side, router / side];
    let d = port / 2;
    let at_edge = place[d] == if port.is_multiple_of(2) { side - 1 } else { 0 };
    let mut to = place;
    if at_edge {
        to[1 - d] = (place[1 - d] + side / 2) % side;
    } else {
        to[d] = if port.is_multiple_of(2) { place[d] + 1 } else { place[d] - 1 };
    }
    let port = if at_edge { port } else { port ^ 1 };
    (Port { router: to[0] + to[1] * side, port: port as u32 }, if at_edge { express } else { wire })
}

/// X first, then y. At an edge along a dimension, half a side or more of that dimension begins with its express link.
#[derive(Clone, Copy, Debug)]
struct Express {
    side: u32,
}

impl Rule for Express {
    fn ports(&self, at: u32, to: u32, ports: &mut Vec<usize>) {
        let (here, there) = ([at % self.side, at / self.side], [to % self.side, to / self.side]);
        let d = usize::from(here[0] == there[0]);
        let (edge, other) = (here[1 - d], 2 * (1 - d));
        let port = match (here[d].abs_diff(there[d]) >= self.side / 2, edge) {
            (true, 0) => other + 1,
            (true, edge) if edge == self.side - 1 => other,
            _ => 2 * d + usize::from(there[d] < here[d]),
        };
        ports.push(port);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, measured, refused};

    #[test]
    fn express_links_join_routers_of_an_edge() {
        let network = built("express_mesh", "side=4 link_cycles=2 express_cycles=4").network;
        assert_eq!((network.routers(), network.nodes(), network.links()), (16, 64, 64));
        let to = |router: u32, port: usize| {
            let link = network.link(router, port).unwrap();
            (link.to.router, link.to.port, link.cycles)
        };
        // Router (0, 1): up and down the left edge, and to (1, 1).
        assert_eq!([to(4, 0), to(4, 1), to(4, 2), to(4, 3)], [(5, 1, 2), (12, 1, 4), (8, 3, 2), (0, 2, 2)]);
        // Router (3, 3), in two edges.
        assert_eq!((to(15, 0), to(15, 2)), ((7, 0, 4), (13, 2, 4)));
        assert_eq!((0..8).map(|node| network.router_of(node)).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2, 3, 3]);
        assert!(refused("express_mesh", "side=5").contains("even number"));
    }

    /// Every way leads to its end, and none is longer than in a mesh.
    #[test]
    fn ways_end() {
        let m = measured("express_mesh", "side=8");
        assert!(m.diameter.unwrap() < 14);
    }
}
