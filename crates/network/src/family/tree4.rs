//! BookSim's tree4: a tree of 64 nodes with a choice of two routers above every leaf and of four roots.
//!
//! Routers 0 to 3 are the roots, 4 to 11 those in the middle, and 12 to 27 the leaves. Four leaves have the same two routers above them, and
//! every root is linked to all routers in the middle. Ports down come first, by the number of the child, then ports up, by that of the parent.

use super::params::{entry, nodes_per_router};
use super::{Built, Classes, Family, refused};
use crate::graph::{Builder, LinkKind, Port, Seats, Wire};
use tailback_spec::{Entry, SpecError, View};

static ENTRY: Entry = entry(
    "tree4",
    "BookSim's tree of 64 nodes: 16 leaves, 8 routers in the middle, two of them above every leaf, and 4 roots",
    &[],
);

pub static FAMILY: Family = Family { entry: &ENTRY, build };

const ROOTS: u32 = 4;
const MIDDLES: u32 = 8;
const LEAVES: u32 = 16;
const FIRST_LEAF: u32 = ROOTS + MIDDLES;

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let nodes = nodes_per_router(view, 4);
    let level = |count: u32, ports: u32| (0..count).map(move |_| ports);
    let shape: Vec<u32> = level(ROOTS, MIDDLES).chain(level(MIDDLES, 8)).chain(level(LEAVES, 2)).collect();
    let seats = Seats::counted((0..FIRST_LEAF + LEAVES).map(|router| if router < FIRST_LEAF { 0 } else { nodes }));
    let mut builder = Builder::new(&shape, seats).map_err(refused)?;
    let up = Wire::new(view.u32("link_cycles"), LinkKind::Up);
    for middle in 0..MIDDLES {
        let router = ROOTS + middle;
        for root in 0..ROOTS {
            let above = Port { router: root, port: middle };
            builder.join(Port { router, port: 4 + root }, above, up).map_err(refused)?;
        }
        for child in 0..4 {
            let below = Port { router: FIRST_LEAF + middle / 2 * 4 + child, port: middle % 2 };
            builder.join(below, Port { router, port: child }, up).map_err(refused)?;
        }
    }
    Ok(Built::shortest(builder.finish().map_err(refused)?).with_classes(Classes::One))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, measured};
    use crate::graph::LinkKind;

    #[test]
    fn leaves_have_two_parents_and_routers_in_the_middle_four() {
        let network = built("tree4", "link_cycles=3").network;
        assert_eq!((network.routers(), network.nodes(), network.links()), (28, 64, 128));
        let up = |router: u32| {
            let links = network.links_of(router).filter(|(_, link)| link.kind == LinkKind::Up);
            links.map(|(_, link)| (link.to.router, link.to.port, link.cycles)).collect::<Vec<_>>()
        };
        assert_eq!(up(12 + 5), [(6, 1, 3), (7, 1, 3)]);
        assert_eq!(up(4 + 3), [(0, 3, 3), (1, 3, 3), (2, 3, 3), (3, 3, 3)]);
        assert_eq!((network.router_of(0), network.router_of(63), measured("tree4", "").diameter), (12, 27, Some(4)));
        assert_eq!(built("tree4", "nodes_per_router=2").network.nodes(), 32);
    }
}
