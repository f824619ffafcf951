//! What was measured, in the shares that the sentences speak of.

use tailback_network::Network;
use tailback_probes::anatomy::{Anatomy, Links, OfLink};
use tailback_probes::kinds::Kinds;
use tailback_probes::{Binding, Heads, LinkUse};

/// Parts of the packets that wait at the front of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Share of the packets at the front of source queues that admission holds.
    pub held: f64,
    /// Share of all packets at the front of a queue that wait for a virtual channel.
    pub channel: f64,
}

/// What was measured of a point.
pub struct Measures<'a> {
    /// The network.
    pub network: &'a Network,
    /// The kinds of its links, by which they are added up: directions in a grid.
    pub kinds: &'a Kinds,
    /// The anatomy, where somebody looked.
    pub anatomy: Option<&'a Anatomy>,
    /// The use of links, where it was counted.
    pub links: Option<&'a [LinkUse]>,
    /// Where fronts waited.
    pub heads: &'a Heads,
    /// The links that bind by that.
    pub binding: &'a [Binding],
}

impl Measures<'_> {
    /// Whether all packets were looked at.
    pub fn looked(&self) -> bool {
        self.anatomy.is_some()
    }

    /// Looks.
    fn looks(&self) -> f64 {
        self.anatomy.map_or(1.0, |anatomy| anatomy.found.len() as f64)
    }

    /// Links between routers that exist, with their place.
    fn between_routers(&self) -> impl Iterator<Item = (usize, &OfLink)> {
        let links = Links::new(self.network);
        let all = self.anatomy.into_iter().flat_map(|anatomy| anatomy.of_links.iter().enumerate());
        all.filter_map(move |(link, of)| {
            let (router, port) = links.place(link);
            let kind = links.ahead(router, port).and_then(|_| self.kinds.leaving(router, port));
            kind.map(|kind| (kind, of))
        })
    }

    /// The mean over the links of each direction.
    fn by_port(&self, value: impl Fn(&OfLink) -> f64) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); self.kinds.count()];
        for (port, of) in self.between_routers() {
            sums[port] = (sums[port].0 + value(of), sums[port].1 + 1.0);
        }
        sums.into_iter().map(|(sum, links)| if links > 0.0 { sum / links } else { 0.0 }).collect()
    }

    /// The part of the time for which a link of each direction stands still.
    pub fn still_by_port(&self) -> Vec<f64> {
        self.by_port(|of| of.still as f64 / self.looks())
    }

    /// The part of the time for which a packet waits for a link of each direction.
    pub fn demanded_by_port(&self) -> Vec<f64> {
        self.by_port(|of| of.demanded as f64 / self.looks())
    }

    /// The part of the time for which a link stands still, over all links.
    pub fn still_mean(&self) -> f64 {
        let (sum, links) =
            self.between_routers().fold((0u64, 0u64), |(sum, links), (_, of)| (sum + of.still, links + 1));
        sum as f64 / (links.max(1) as f64 * self.looks())
    }

    /// The time that packets are blocked in trees \[packets, over all looks\].
    fn in_trees(&self) -> f64 {
        self.anatomy.map_or(0.0, |anatomy| anatomy.of_links.iter().map(|of| of.packets).sum::<u64>() as f64)
    }

    /// Whether a packet was ever blocked in a tree.
    pub fn has_trees(&self) -> bool {
        self.in_trees() > 0.0
    }

    /// The part of the time that packets are blocked in trees which they spend in those with a root in one of these directions.
    pub fn root_of(&self, ports: &[usize]) -> f64 {
        let sum: u64 = self.between_routers().filter(|(port, _)| ports.contains(port)).map(|(_, of)| of.packets).sum();
        sum as f64 / self.in_trees().max(1.0)
    }

    /// The share of the trees with a root at a node.
    pub fn root_of_nodes(&self) -> f64 {
        self.root_by_node().iter().fold(0.0, |sum, &(_, packets)| sum + packets) / self.in_trees().max(1.0)
    }

    /// The share of the trees of one link.
    pub fn root_of_link(&self, link: usize) -> f64 {
        self.anatomy.map_or(0.0, |anatomy| anatomy.of_links[link].packets as f64 / self.in_trees().max(1.0))
    }

    /// The nodes whose ports were roots, and how many packets were blocked in their trees.
    fn root_by_node(&self) -> Vec<(u32, f64)> {
        let links = Links::new(self.network);
        let all = self.anatomy.into_iter().flat_map(|anatomy| anatomy.of_links.iter().enumerate());
        let of_node = all.filter_map(|(link, of)| {
            let (router, port) = links.place(link);
            let node = links.node(router, port)?;
            (of.packets > 0).then_some((node, of.packets as f64))
        });
        of_node.collect()
    }

    /// The nodes that have more than this part of what the ports to nodes have, the fewest; the worst first.
    pub fn worst_nodes(&self, part: f64) -> Vec<u32> {
        let mut nodes = if self.has_trees() { self.root_by_node() } else { self.demand_by_router() };
        nodes.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let all: f64 = nodes.iter().map(|node| node.1).sum();
        let mut sum = 0.0;
        let before = nodes.into_iter().take_while(|node| {
            let needed = sum <= part * all;
            sum += node.1;
            needed
        });
        before.map(|node| node.0).collect()
    }

    /// Fronts that wait for the nodes of a router, where nobody looked closer, by the first of the nodes.
    fn demand_by_router(&self) -> Vec<(u32, f64)> {
        let with_nodes = |&(router, _): &(u32, f64)| self.network.nodes_at(router) > 0;
        let routers = (0u32..).zip(self.heads.of_nodes()).filter(with_nodes);
        routers.map(|(router, heads)| (self.network.seats().node(router, 0), heads)).collect()
    }

    /// The part of the fronts that wait for a node; `None` where nobody looked or none waits.
    pub fn demand_of_nodes(&self) -> Option<f64> {
        let nodes: f64 = self.heads.of_nodes().sum();
        let all = nodes + self.heads.by_kind(self.kinds).iter().sum::<f64>();
        (all > 0.0).then(|| nodes / all)
    }

    /// By direction the part of the fronts that wait for a link of it.
    pub fn demand_by_port(&self) -> Vec<f64> {
        let (ports, nodes) = (self.heads.by_kind(self.kinds), self.heads.of_nodes().sum::<f64>());
        let all = (nodes + ports.iter().sum::<f64>()).max(f64::MIN_POSITIVE);
        ports.into_iter().map(|heads| heads / all).collect()
    }

    /// What the packets at the front of queues wait for.
    pub fn fronts(&self) -> Shares {
        let found = || self.anatomy.into_iter().flat_map(|anatomy| &anatomy.found);
        let sum = |of: fn(tailback_probes::anatomy::Fronts) -> u32| {
            found().map(|found| u64::from(of(found.fronts))).sum::<u64>() as f64
        };
        let (all, source) = (sum(|fronts| fronts.total()).max(1.0), sum(|fronts| fronts.source).max(1.0));
        Shares { held: sum(|fronts| fronts.held) / source, channel: sum(|fronts| fronts.channel) / all }
    }

    /// The part of all blocked time in the network that is head-of-line blocking, where that is known.
    pub fn head_of_line(&self) -> Option<f64> {
        let blocked = self.anatomy?.blocked;
        (blocked.total() > 0 && blocked.unknown == 0).then(|| blocked.head_of_line as f64 / blocked.total() as f64)
    }

    /// The mean use of the links of each direction, where it was counted.
    pub fn use_by_port(&self) -> Option<Vec<f64>> {
        let links = self.links?;
        let of = |port| {
            let is_of = |link: &&LinkUse| self.kinds.leaving(link.router, link.port) == Some(port);
            let used = || links.iter().filter(is_of).map(|link| link.utilisation);
            used().sum::<f64>() / used().count().max(1) as f64
        };
        Some((0..self.kinds.count()).map(of).collect())
    }

    /// The links in whose trees packets are blocked for most time.
    pub fn worst_roots(&self, many: usize) -> Vec<usize> {
        let of_links = self.anatomy.map_or(&[][..], |anatomy| anatomy.of_links.as_slice());
        let mut roots: Vec<usize> = (0..of_links.len()).filter(|&link| of_links[link].packets > 0).collect();
        roots.sort_by_key(|&link| std::cmp::Reverse(of_links[link].packets));
        roots.truncate(many);
        roots
    }

    /// The most used links, where that was counted; equal ones by router and port.
    pub fn busiest(&self, many: usize) -> Vec<&LinkUse> {
        let mut links: Vec<&LinkUse> = self.links.unwrap_or_default().iter().collect();
        links.sort_by(|a, b| b.utilisation.total_cmp(&a.utilisation));
        links.truncate(many);
        links
    }
}
