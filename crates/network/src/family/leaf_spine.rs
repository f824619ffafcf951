//! Leaf-spine: every leaf linked to every spine. It is the folded Clos network of two levels.

use super::clos::{self, Level};
use super::params::{entry, nodes_per_router, number};
use super::{Built, Classes, Family};
use tailback_spec::{Entry, Fallback, Kind, Param, SpecError, View};

static ENTRY: Entry = entry(
    "leaf_spine",
    "two levels, every leaf linked to every spine",
    &[
        number("leaves", "routers", (1, 1 << 20), "Routers with nodes."),
        number("spines", "routers", (1, 1 << 20), "Routers without nodes, each linked to all leaves."),
        Param {
            name: "trunk",
            kind: Kind::Integer { min: 1, max: 1024 },
            unit: "links",
            fallback: Fallback::Integer(1),
            doc: "Parallel links between a leaf and a spine.",
        },
    ],
);

pub static FAMILY: Family = Family { entry: &ENTRY, build };

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let cycles = view.u32("link_cycles");
    let leaf =
        Level { down: nodes_per_router(view, 1), up: view.u32("spines"), trunk: view.u32("trunk"), cycles, period: 1 };
    let spine = Level { down: view.u32("leaves"), up: 0, trunk: 1, cycles, period: 1 };
    Ok(Built::shortest(clos::build(&[leaf, spine])?).with_classes(Classes::One))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check};

    #[test]
    fn check_values() {
        let row = |sets, counts, bound| check("leaf_spine", sets, counts, (1.777778, bound, bound));
        row("leaves=8 spines=4 nodes_per_router=8", (12, 64, 64, 2), 0.5625);
        row("leaves=8 spines=2 nodes_per_router=8", (10, 64, 32, 2), 0.28125);
        row("leaves=8 spines=2 nodes_per_router=8 trunk=2", (10, 64, 64, 2), 0.5625);
    }

    #[test]
    fn leaves_come_first_and_port_j_leads_to_spine_j() {
        let network = built("leaf_spine", "leaves=3 spines=2 nodes_per_router=5").network;
        for leaf in 0..3 {
            let spines: Vec<u32> = network.links_of(leaf).map(|(_, link)| link.to.router).collect();
            assert_eq!((spines, network.nodes_at(leaf)), (vec![3, 4], 5));
        }
        let leaves: Vec<u32> = network.links_of(4).map(|(_, link)| link.to.router).collect();
        assert_eq!((leaves, network.nodes_at(4)), (vec![0, 1, 2], 0));
    }
}
