//! Kinds of links: the directions of a grid, by port; of any other network what it says of its links, such as `local` and `global`.

use crate::levels::direction_name;
use tailback_network::Network;
use tailback_network::graph::LinkKind;

/// The kinds of a network's links.
#[derive(Clone, Debug)]
pub struct Kinds {
    names: Vec<String>,
    /// Links of each kind.
    links: Vec<u64>,
    ports: usize,
    /// The kind by `router * ports + port`, of the link that leaves and of the one that arrives there; empty where it is the port.
    out: Vec<u8>,
    into: Vec<u8>,
}

/// No link.
const NONE: u8 = u8::MAX;

impl Kinds {
    /// Those of a network.
    pub fn new(network: &Network) -> Kinds {
        let (routers, ports) = (0..network.routers() as u32, network.most_ports());
        if network.grid().is_some() {
            let links =
                |port: usize| routers.clone().filter(|&router| network.behind(router, port).is_some()).count() as u64;
            let (names, links) = ((0..ports).map(direction_name).collect(), (0..ports).map(links).collect());
            return Kinds { names, links, ports, out: Vec::new(), into: Vec::new() };
        }
        let mut kinds: Vec<LinkKind> =
            routers.clone().flat_map(|router| network.links_of(router).map(|(_, link)| link.kind)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let number = |kind: LinkKind| kinds.binary_search(&kind).expect("it was collected") as u8;
        let mut links = vec![0; kinds.len()];
        let (mut out, mut into) = (vec![NONE; network.routers() * ports], vec![NONE; network.routers() * ports]);
        for router in routers {
            for (port, link) in network.links_of(router) {
                let kind = number(link.kind);
                links[usize::from(kind)] += 1;
                out[router as usize * ports + port] = kind;
                let end = network.ahead(router, port).expect("a link leads somewhere");
                into[end.router as usize * ports + end.port as usize] = kind;
            }
        }
        Kinds { names: kinds.into_iter().map(name).collect(), links, ports, out, into }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The name of a kind: `x+`, `global`.
    pub fn name(&self, kind: usize) -> &str {
        &self.names[kind]
    }

    /// Links of a kind.
    pub fn links(&self, kind: usize) -> u64 {
        self.links[kind]
    }

    /// Whether a kind is the number of a port.
    pub fn are_ports(&self) -> bool {
        self.out.is_empty()
    }

    /// The kind of the link that leaves by a port, if any does.
    pub fn leaving(&self, router: u32, port: usize) -> Option<usize> {
        self.at(&self.out, router, port)
    }

    /// The kind of the link that arrives at an input port, if any does.
    pub fn arriving(&self, router: u32, port: usize) -> Option<usize> {
        self.at(&self.into, router, port)
    }

    fn at(&self, kinds: &[u8], router: u32, port: usize) -> Option<usize> {
        if kinds.is_empty() {
            return Some(port);
        }
        Some(kinds[router as usize * self.ports + port]).filter(|&kind| kind != NONE).map(usize::from)
    }
}

fn name(kind: LinkKind) -> String {
    match kind {
        LinkKind::Any => "link".to_owned(),
        LinkKind::Across(dimension) => format!("dimension{dimension}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_network::Grid;
    use tailback_network::graph::{Builder, Port, Seats, Wire};

    #[test]
    fn directions_are_ports() {
        let kinds = Kinds::new(&Grid::new(&[3, 2], &[false; 2], 1, 1).into());
        let names: Vec<&str> = (0..kinds.count()).map(|kind| kinds.name(kind)).collect();
        assert_eq!(names, ["x+", "x-", "y+", "y-"]);
        assert_eq!((kinds.links(0), kinds.links(2), kinds.leaving(1, 3), kinds.are_ports()), (4, 3, Some(3), true));
    }

    #[test]
    fn other_links_have_the_kinds_of_their_network() {
        // A leaf, a spine above it, and a spine of another group.
        let mut builder = Builder::new(&[1, 2, 1], Seats::even(3, 1)).unwrap();
        let port = |router, port| Port { router, port };
        builder.join(port(0, 0), port(1, 0), Wire::new(1, LinkKind::Up)).unwrap();
        builder.join(port(1, 1), port(2, 0), Wire::new(9, LinkKind::Global)).unwrap();
        let kinds = Kinds::new(&builder.finish().unwrap());
        let names: Vec<&str> = (0..kinds.count()).map(|kind| kinds.name(kind)).collect();
        assert_eq!(names, ["global", "up", "down"]);
        assert_eq!(
            ((0..3).map(|kind| kinds.links(kind)).collect::<Vec<_>>(), kinds.are_ports()),
            (vec![2, 1, 1], false)
        );
        assert_eq!(
            (kinds.leaving(0, 0), kinds.arriving(0, 0)),
            (Some(1), Some(2)),
            "it sends up, and gets what comes down"
        );
        assert_eq!((kinds.leaving(1, 1), kinds.arriving(1, 0), kinds.leaving(2, 1)), (Some(0), Some(1), None));
    }
}
