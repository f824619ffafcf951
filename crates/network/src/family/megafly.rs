//! Megafly, also called Dragonfly+: groups of two levels. Leaves have the nodes, spines have the global links.
//!
//! Leaves of all groups are numbered first, then spines, both group by group. Leaf port j leads to spine j of the group, spine
//! port i to leaf i, and the global ports of a spine follow.

use super::arrangement::{self, Arrangement};
use super::channels::{self, LinkChannels};
use super::params::{cycles, cycles_of, entry, nodes_per_router, number};
use super::{Built, Classes, Family, refused, sized};
use crate::graph::{Builder, LinkKind, Port, Seats, Wire};
use tailback_spec::{Entry, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Shpiner et al., HiPINEB 2017",
    ..entry(
        "megafly",
        "groups of leaves and spines (Dragonfly+), every group linked to every other by its spines",
        &[
            number("leaves", "routers", (1, 1 << 14), "Leaves of a group: routers with nodes."),
            number("spines", "routers", (1, 1 << 14), "Spines of a group: routers with global links."),
            number("global_links", "links", (1, 1 << 14), "Links of each spine to other groups."),
            super::dragonfly::GROUPS,
            arrangement::PARAM,
            cycles("local_cycles", "Time of a flit on a link within a group; \"auto\" is `link_cycles`."),
            cycles("global_cycles", "Time of a flit on a link between groups; \"auto\" is `link_cycles`."),
            channels::LOCAL,
            channels::GLOBAL,
        ],
    )
};

pub static FAMILY: Family = Family { entry: &ENTRY, build };

/// The numbers that make a megafly.
#[derive(Clone, Copy, Debug)]
struct Megafly {
    leaves: u32,
    spines: u32,
    h: u32,
    arrangement: Arrangement,
    local: Wire,
    global: Wire,
}

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let (leaves, spines, h) = (view.u32("leaves"), view.u32("spines"), view.u32("global_links"));
    let links = u64::from(spines) * u64::from(h);
    let arrangement = Arrangement::new(view.text("arrangement"), links, view.finite("groups"))?;
    let groups = u64::from(arrangement.groups());
    let (all_leaves, all_spines) = (groups * u64::from(leaves), groups * u64::from(spines));
    let nodes = nodes_per_router(view, 1);
    let ports = 2 * all_leaves * u64::from(spines) + all_spines * u64::from(h);
    sized(all_leaves + all_spines, all_leaves * u64::from(nodes), ports)?;
    let local = Wire::new(cycles_of(view, "local_cycles"), LinkKind::Up);
    let global = Wire::new(cycles_of(view, "global_cycles"), LinkKind::Global);
    let shape = Megafly { leaves, spines, h, arrangement, local, global };
    let of_kind = |leaf: u32, spine: u32| {
        let mut values = vec![leaf; all_leaves as usize];
        values.resize((all_leaves + all_spines) as usize, spine);
        values
    };
    let seats = Seats::counted(of_kind(nodes, 0).into_iter());
    let mut builder = Builder::new(&of_kind(spines, leaves + h), seats).map_err(refused)?;
    builder.fill(|router, port| Some(shape.far(router, port as u32)));
    let built = Built::shortest(builder.finish().map_err(refused)?).with_classes(Classes::One);
    Ok(Built { channels: LinkChannels::of_groups(view), ..built })
}

impl Megafly {
    fn far(&self, router: u32, port: u32) -> (Port, Wire) {
        let first_spine = self.arrangement.groups() * self.leaves;
        let Some(spine) = router.checked_sub(first_spine) else {
            let (group, leaf) = (router / self.leaves, router % self.leaves);
            return (Port { router: first_spine + group * self.spines + port, port: leaf }, self.local);
        };
        let (group, i) = (spine / self.spines, spine % self.spines);
        match port.checked_sub(self.leaves) {
            None => (Port { router: group * self.leaves + port, port: i }, self.local.back()),
            Some(q) => {
                let (to, link) = self.arrangement.far(group, i * self.h + q);
                let router = first_spine + to * self.spines + link / self.h;
                (Port { router, port: self.leaves + link % self.h }, self.global)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, measured};
    use crate::graph::LinkKind;

    #[test]
    fn check_values() {
        let sets = "leaves=2 spines=2 global_links=2 nodes_per_router=2";
        check("megafly", sets, (20, 20, 60, 3), (2.736842, 1.055556, 1.055556));
        let sets = "leaves=4 spines=4 global_links=4 nodes_per_router=4";
        check("megafly", sets, (136, 272, 816, 3), (2.922509, 1.011194, 1.011194));
    }

    #[test]
    fn spines_have_no_nodes() {
        let network = built("megafly", "leaves=3 spines=2 global_links=1 global_cycles=9").network;
        assert_eq!((network.nodes(), network.routers()), (9, 15));
        for spine in 9..15 {
            assert_eq!(network.nodes_at(spine), 0);
            let links: Vec<_> = network.links_of(spine).map(|(_, link)| (link.kind, link.cycles)).collect();
            assert_eq!(links, [(LinkKind::Down, 1), (LinkKind::Down, 1), (LinkKind::Down, 1), (LinkKind::Global, 9)]);
        }
    }

    #[test]
    fn fewer_groups_have_trunks() {
        let m = measured("megafly", "leaves=2 spines=2 global_links=2 groups=3");
        assert_eq!((m.routers, m.links, m.diameter), (12, 36, Some(3)));
    }
}
