//! Groups of routers: what stays in one piece without the global links, and the ways from group to group.

use crate::NONE;
use crate::graph::{LinkKind, Network};
use crate::ways::MOST_PAIRS;

/// Groups, each with links of its own to every other, and the ports that lead from a router into each group.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The group of each router.
    of: Box<[u32]>,
    count: u32,
    /// By `group * routers + router`: where its ports begin in `ports`, and one more.
    first: Vec<u32>,
    ports: Vec<u8>,
    /// By the same: links on the way to the first router of the group; 0 inside of it.
    distance: Vec<u16>,
}

impl Groups {
    /// The groups of a network. `None` where it has no two groups, two without a link between them, or more than a table holds.
    pub fn new(network: &Network) -> Option<Groups> {
        let (of, count) = numbered(network);
        let pairs = u64::from(count) * network.routers() as u64;
        if count < 2 || pairs > MOST_PAIRS || network.most_ports() > 256 {
            return None;
        }
        let mut groups = Groups { of: of.into(), count, first: vec![0], ports: Vec::new(), distance: Vec::new() };
        (0..count).try_for_each(|group| groups.lead_to(network, group))?;
        Some(groups)
    }

    /// Lists the ways into a group, each over one global link. `None` where some router has none.
    fn lead_to(&mut self, network: &Network, group: u32) -> Option<()> {
        let distance = self.distances(network, group);
        if distance.contains(&u16::MAX) {
            return None;
        }
        for (router, &here) in (0..).zip(&distance) {
            let leads = |port_kind: LinkKind, to: u32| match here {
                0 => false,
                1 => self.of(to) == group,
                _ => port_kind != LinkKind::Global && distance[to as usize] + 1 == here,
            };
            let ports = network.links_of(router).filter(|(_, link)| leads(link.kind, link.to.router));
            let ports: Vec<u8> = ports.map(|(port, _)| port as u8).collect();
            if here > 0 && ports.is_empty() {
                return None;
            }
            self.ports.extend(ports);
            self.first.push(self.ports.len() as u32);
        }
        self.distance.extend(distance);
        Some(())
    }

    /// Links from each router into a group: local ones, then a global one.
    fn distances(&self, network: &Network, group: u32) -> Vec<u16> {
        let routers = 0..network.routers() as u32;
        let mut distance = vec![u16::MAX; routers.len()];
        let is_edge = |router: u32| network.links_of(router).any(|(_, link)| self.of(link.to.router) == group);
        let mut queue: Vec<u32> = Vec::new();
        for router in routers {
            if self.of(router) == group {
                distance[router as usize] = 0;
            } else if is_edge(router) {
                distance[router as usize] = 1;
                queue.push(router);
            }
        }
        let mut next = 0;
        while let Some(&router) = queue.get(next) {
            next += 1;
            let beyond = distance[router as usize] + 1;
            for (_, link) in network.links_of(router).filter(|(_, link)| link.kind != LinkKind::Global) {
                let far = &mut distance[link.to.router as usize];
                if *far == u16::MAX {
                    *far = beyond;
                    queue.push(link.to.router);
                }
            }
        }
        distance
    }

    /// How many groups there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The group of a router.
    #[inline]
    pub fn of(&self, router: u32) -> u32 {
        self.of[router as usize]
    }

    #[inline]
    fn at(&self, router: u32, group: u32) -> usize {
        group as usize * self.of.len() + router as usize
    }

    /// The output ports of a router that lead on to a group, in ascending order; none inside of it.
    #[inline]
    pub fn ports(&self, router: u32, group: u32) -> &[u8] {
        let at = self.at(router, group);
        &self.ports[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// The links on the way from a router into a group.
    #[inline]
    pub fn distance(&self, router: u32, group: u32) -> u32 {
        self.distance[self.at(router, group)].into()
    }
}

/// The group of each router, numbered by their lowest routers, and how many there are.
fn numbered(network: &Network) -> (Vec<u32>, u32) {
    let mut of = vec![NONE; network.routers()];
    let mut count = 0;
    for first in 0..network.routers() as u32 {
        if of[first as usize] != NONE {
            continue;
        }
        of[first as usize] = count;
        let mut open = vec![first];
        while let Some(router) = open.pop() {
            for (_, link) in network.links_of(router).filter(|(_, link)| link.kind != LinkKind::Global) {
                let far = &mut of[link.to.router as usize];
                if *far == NONE {
                    *far = count;
                    open.push(link.to.router);
                }
            }
        }
        count += 1;
    }
    (of, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::testing::built;

    fn groups(kind: &str, sets: &str) -> Option<(Network, Groups)> {
        let network = built(kind, sets).network;
        let groups = Groups::new(&network)?;
        Some((network, groups))
    }

    #[test]
    fn ways_into_a_group_take_one_global_link() {
        for (kind, sets, count, longest) in [
            ("dragonfly", "routers_per_group=4 global_links=2", 9, 2),
            ("dragonfly", "routers_per_group=4 global_links=2 groups=5 arrangement=\"absolute\"", 5, 2),
            ("megafly", "leaves=2 spines=2 global_links=2", 5, 3),
        ] {
            let (network, groups) = groups(kind, sets).expect("it has groups");
            assert_eq!(groups.count(), count, "{kind} {sets}");
            let mut most = 0;
            for (router, group) in (0..network.routers() as u32).flat_map(|r| (0..count).map(move |g| (r, g))) {
                let left = groups.distance(router, group);
                most = most.max(left);
                assert_eq!(groups.ports(router, group).is_empty(), groups.of(router) == group);
                for &port in groups.ports(router, group) {
                    let link = network.link(router, port.into()).expect("a link");
                    assert_eq!(groups.distance(link.to.router, group) + 1, left);
                    assert_eq!(link.kind == LinkKind::Global, left == 1);
                }
            }
            assert_eq!(most, longest, "{kind} {sets}");
        }
    }

    #[test]
    fn networks_without_global_links_have_no_groups() {
        assert!(groups("hyperx", "sides=[3,3]").is_none());
        assert!(groups("crossbar", "nodes_per_router=3").is_none());
    }
}
