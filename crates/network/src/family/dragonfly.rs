//! Dragonfly: groups of fully connected routers, every group linked to every other.
//!
//! Router = group * routers_per_group + r. Local port i leads to router (r + 1 + i) of the group, and global ports follow.

use super::arrangement::{self, Arrangement};
use super::channels::{self, LinkChannels};
use super::params::{cycles, cycles_of, entry, nodes_per_router, number};
use super::{Built, Classes, Family, Rule, refused, sized};
use crate::graph::{Builder, LinkKind, Port, Seats, Wire};
use tailback_spec::{Entry, Fallback, Kind, Param, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Kim et al., ISCA 2008",
    ..entry(
        "dragonfly",
        "groups of fully connected routers, every group linked to every other",
        &[
            number(
                "routers_per_group",
                "routers",
                (1, 1 << 20),
                "Routers of a group, each linked to all others of it.",
            ),
            number("global_links", "links", (1, 1 << 14), "Links of each router to other groups."),
            GROUPS,
            arrangement::PARAM,
            cycles("local_cycles", "Time of a flit on a link within a group; \"auto\" is `link_cycles`."),
            cycles("global_cycles", "Time of a flit on a link between groups; \"auto\" is `link_cycles`."),
            channels::LOCAL,
            channels::GLOBAL,
        ],
    )
};

/// The number of groups.
pub const GROUPS: Param = Param {
    name: "groups",
    kind: Kind::IntegerOrAuto { min: 2, max: 1 << 24 },
    unit: "groups",
    fallback: Fallback::Text("auto"),
    doc: "Number of groups; \"auto\" is one more than a group has global links. With fewer groups there are several links \
        between two groups, and groups - 1 must divide the number of a group's links.",
};

pub static FAMILY: Family = Family { entry: &ENTRY, build };

/// The numbers that make a dragonfly.
#[derive(Clone, Copy, Debug)]
struct Dragonfly {
    /// Routers of a group.
    a: u32,
    /// Global links of a router.
    h: u32,
    arrangement: Arrangement,
}

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let (a, h) = (view.u32("routers_per_group"), view.u32("global_links"));
    let arrangement = Arrangement::new(view.text("arrangement"), u64::from(a) * u64::from(h), view.finite("groups"))?;
    let routers = u64::from(arrangement.groups()) * u64::from(a);
    let (nodes, ports) = (nodes_per_router(view, 1), a - 1 + h);
    sized(routers, routers.saturating_mul(nodes.into()), routers.saturating_mul(ports.into()))?;
    let shape = Dragonfly { a, h, arrangement };
    let local = Wire::new(cycles_of(view, "local_cycles"), LinkKind::Local);
    let global = Wire::new(cycles_of(view, "global_cycles"), LinkKind::Global);
    let seats = Seats::even(routers as usize, nodes);
    let mut builder = Builder::new(&vec![ports; routers as usize], seats).map_err(refused)?;
    builder.fill(|router, port| {
        Some(match (port as u32).checked_sub(a - 1) {
            None => (shape.local(router, port as u32), local),
            Some(q) => (shape.global(router, q), global),
        })
    });
    let built = Built::by(builder.finish().map_err(refused)?, shape).with_classes(Classes::ByGlobal);
    Ok(Built { channels: LinkChannels::of_groups(view), ..built })
}

impl Dragonfly {
    /// The far end of a local port.
    fn local(&self, router: u32, port: u32) -> Port {
        let (group, r) = (router / self.a, router % self.a);
        Port { router: group * self.a + (r + 1 + port) % self.a, port: self.a - 2 - port }
    }

    /// The far end of the router's global link `q`.
    fn global(&self, router: u32, q: u32) -> Port {
        let (group, r) = (router / self.a, router % self.a);
        let (to, link) = self.arrangement.far(group, r * self.h + q);
        Port { router: to * self.a + link / self.h, port: self.a - 1 + link % self.h }
    }

    /// The local port that leads from `at` to another router of its group.
    fn local_port(&self, at: u32, to: u32) -> usize {
        ((to % self.a + self.a - at % self.a - 1) % self.a) as usize
    }

    /// The links of a group to another one: the router and the router at the far end.
    fn between(&self, from: u32, to: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.arrangement.trunks()).map(move |trunk| {
            let link = self.arrangement.link(from, to, trunk);
            let router = from * self.a + link / self.h;
            (router, self.global(router, link % self.h).router)
        })
    }

    /// The links of a router to another group: its port and the router at the far end.
    fn own(&self, router: u32, to: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let far = move |q| (self.a - 1 + q, self.global(router, q).router);
        (0..self.h).map(far).filter(move |(_, far)| far / self.a == to)
    }
}

/// Local, global, local: at most one hop of each, and never by a third group, although some of such ways are shorter. Among several
/// global links, those that end at the destination come first.
impl Rule for Dragonfly {
    fn ports(&self, at: u32, to: u32, ports: &mut Vec<usize>) {
        let (here, there) = (at / self.a, to / self.a);
        if here == there {
            return ports.push(self.local_port(at, to));
        }
        let straight = self.own(at, there).any(|(_, far)| far == to);
        let begin = ports.len();
        ports.extend(self.own(at, there).filter(|(_, far)| *far == to || !straight).map(|(port, _)| port as usize));
        if ports.len() > begin {
            return;
        }
        let straight = self.between(here, there).any(|(_, far)| far == to);
        for (router, _) in self.between(here, there).filter(|(_, far)| *far == to || !straight) {
            let port = self.local_port(at, router);
            if !ports[begin..].contains(&port) {
                ports.push(port);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, measured, refused};
    use crate::graph::LinkKind;

    const SMALL: &str = "routers_per_group=4 nodes_per_router=2 global_links=2";

    #[test]
    fn check_values() {
        let row = |arrangement: &str, shortest: f64| {
            let sets = format!("{SMALL} arrangement=\"{arrangement}\"");
            check("dragonfly", &sets, (36, 72, 180, 3), (2.338028, 1.044118, shortest));
            let bounds = measured("dragonfly", &sets).bounds;
            let found = |kind| bounds.iter().find(|(k, _)| *k == kind).unwrap().1;
            assert!((found(LinkKind::Local) - 1.04412).abs() < 1e-5, "{bounds:?}");
            assert!((found(LinkKind::Global) - 1.10937).abs() < 1e-5, "{bounds:?}");
        };
        row("palmtree", 0.755319);
        row("absolute", 0.841897);
        row("relative", 0.755319);
        row("circulant", 0.800752);
    }

    #[test]
    fn check_values_of_larger_ones() {
        let sets = "routers_per_group=6 nodes_per_router=3 global_links=3";
        check("dragonfly", sets, (114, 342, 912, 3), (2.577713, 1.024024, 0.705566));
        let sets = "routers_per_group=8 nodes_per_router=4 global_links=4";
        check("dragonfly", sets, (264, 1056, 2904, 3), (2.695735, 1.014423, 0.693390));
    }

    #[test]
    fn local_and_global_links_have_delays_of_their_own() {
        let network = built("dragonfly", &format!("{SMALL} link_cycles=7 global_cycles=100")).network;
        for router in 0..36 {
            let delays: Vec<u32> = network.links_of(router).map(|(_, link)| link.cycles).collect();
            assert_eq!(delays, [7, 7, 7, 100, 100]);
        }
    }

    /// With fewer groups, every pair of groups has several links, and no way of the rule is longer than three hops.
    #[test]
    fn fewer_groups_have_trunks() {
        let m = measured("dragonfly", &format!("{SMALL} groups=5"));
        assert_eq!((m.routers, m.links, m.diameter), (20, 100, Some(3)));
        let full = measured("dragonfly", &format!("{SMALL} groups=2"));
        assert_eq!((full.routers, full.diameter), (8, Some(2)));
        assert!(refused("dragonfly", &format!("{SMALL} groups=4")).contains("must divide"));
        assert!(refused("dragonfly", "routers_per_group=3 global_links=1 arrangement=\"circulant\"").contains("odd"));
    }
}
