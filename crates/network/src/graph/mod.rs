//! A network of any shape: a port-labelled graph of routers whose links are two-way.
//!
//! Network ports of a router are numbered from 0; ports of nodes come after them and are not listed here. The link that leaves
//! `port` of `router` ends at an *input port* of another router, and the output of that number leads back:
//! `peer(peer(router, port)) = (router, port)`. Each direction has its own delay. A port may lead nowhere.
//!
//! The wiring is computed by a [`Grid`] or listed in flat tables, 12 bytes per directed link. Whoever reads a network does not see
//! the difference. A network may have the coordinates of a grid; what needs coordinates asks for them.

mod builder;
mod fault;
mod inputs;
mod kind;
mod seats;

pub use builder::{Builder, Wire, limits};
pub use fault::Fault;
pub use kind::LinkKind;
pub use seats::Seats;

use crate::{Grid, NONE};
use std::sync::Arc;

/// A network port of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port {
    /// The router.
    pub router: u32,
    /// The number of the port at it.
    pub port: u32,
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The router at the far end, and its input port.
    pub to: Port,
    /// Time of a flit on the link \[cycles\].
    pub cycles: u32,
    /// Cycles from one flit to the next: 1 at full width, 2 at half of it.
    pub period: u32,
    /// What routing knows of the link.
    pub kind: LinkKind,
}

/// A network of routers and nodes. A clone shares the tables.
#[derive(Clone, Debug)]
pub struct Network {
    wiring: Wiring,
    seats: Seats,
}

#[derive(Clone, Debug)]
enum Wiring {
    /// The links of a grid, all alike.
    Grid(Arc<Grid>),
    /// Links in tables, and the coordinates of the routers where they have some.
    Flat(Arc<Flat>, Option<Arc<Grid>>),
}

/// Links in tables, by the position `first[router] + port`.
#[derive(Clone, Debug)]
struct Flat {
    first: Vec<u32>,
    half: Vec<Half>,
    /// The most ports of a router.
    most: usize,
    /// See [`Network::one_way`].
    one_way: Option<u32>,
}

/// One direction of a link, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Half {
    router: u32,
    port: u16,
    cycles: u16,
    period: u16,
    kind: LinkKind,
}

impl Half {
    /// A port that leads nowhere.
    const NOWHERE: Half = Half { router: NONE, port: 0, cycles: 1, period: 1, kind: LinkKind::Any };

    fn of(link: Link) -> Half {
        let Link { to, cycles, period, kind } = link;
        Half { router: to.router, port: to.port as u16, cycles: cycles as u16, period: period as u16, kind }
    }

    fn link(self) -> Option<Link> {
        let to = Port { router: self.router, port: self.port.into() };
        let link = Link { to, cycles: self.cycles.into(), period: self.period.into(), kind: self.kind };
        (self.router != NONE).then_some(link)
    }
}

impl From<Arc<Grid>> for Network {
    fn from(grid: Arc<Grid>) -> Network {
        Network { seats: grid.seats(), wiring: Wiring::Grid(grid) }
    }
}

impl From<Grid> for Network {
    fn from(grid: Grid) -> Network {
        Arc::new(grid).into()
    }
}

impl From<&Grid> for Network {
    fn from(grid: &Grid) -> Network {
        grid.clone().into()
    }
}

impl From<&Network> for Network {
    fn from(network: &Network) -> Network {
        network.clone()
    }
}

impl Network {
    /// The same links, with the nodes of `seats`, which are seats for as many routers.
    #[must_use]
    pub fn with_seats(self, seats: Seats) -> Network {
        assert_eq!(seats.routers(), self.routers(), "one list of seats per router");
        Network { seats, ..self }
    }

    /// The same links, with these coordinates of the routers.
    #[must_use]
    pub fn with_coordinates(self, grid: Grid) -> Network {
        assert_eq!(grid.routers(), self.routers(), "one place of the grid per router");
        let grid = Arc::new(grid);
        let wiring = match self.wiring {
            Wiring::Grid(_) => Wiring::Grid(grid),
            Wiring::Flat(flat, _) => Wiring::Flat(flat, Some(grid)),
        };
        Network { wiring, ..self }
    }

    /// The same links and nodes, in tables, without coordinates of the routers.
    #[must_use]
    pub fn without_coordinates(self) -> Network {
        let wiring = match &self.wiring {
            Wiring::Grid(_) => Wiring::Flat(Arc::new(self.listed()), None),
            Wiring::Flat(flat, _) => Wiring::Flat(Arc::clone(flat), None),
        };
        Network { wiring, ..self }
    }

    /// The links in tables.
    fn listed(&self) -> Flat {
        let (half, most) = (Vec::with_capacity(self.slots()), self.most_ports());
        let mut flat = Flat { first: vec![0], half, most, one_way: self.one_way() };
        for router in 0..self.routers() as u32 {
            let half = |port| self.link(router, port).map_or(Half::NOWHERE, Half::of);
            flat.half.extend((0..self.ports(router)).map(half));
            flat.first.push(flat.half.len() as u32);
        }
        flat
    }

    /// The number of routers.
    pub fn routers(&self) -> usize {
        match &self.wiring {
            Wiring::Grid(grid) => grid.routers(),
            Wiring::Flat(flat, _) => flat.first.len() - 1,
        }
    }

    /// Network ports of a router, also those that lead nowhere.
    #[inline]
    pub fn ports(&self, router: u32) -> usize {
        match &self.wiring {
            Wiring::Grid(grid) => grid.ports(),
            Wiring::Flat(flat, _) => (flat.first[router as usize + 1] - flat.first[router as usize]) as usize,
        }
    }

    /// The most network ports that a router has.
    pub fn most_ports(&self) -> usize {
        match &self.wiring {
            Wiring::Grid(grid) => grid.ports(),
            Wiring::Flat(flat, _) => flat.most,
        }
    }

    /// Where the link of an output port ends: the router and its input port; `None` where it leads nowhere.
    #[inline]
    pub fn peer(&self, router: u32, port: usize) -> Option<Port> {
        match &self.wiring {
            Wiring::Grid(grid) => {
                let far = grid.peer(router, port);
                (far != NONE).then_some(Port { router: far, port: port as u32 ^ 1 })
            }
            Wiring::Flat(flat, _) => {
                let half = flat.half(router, port);
                (half.router != NONE).then_some(Port { router: half.router, port: half.port.into() })
            }
        }
    }

    /// All that is known of the link of an output port; `None` where it leads nowhere.
    #[inline]
    pub fn link(&self, router: u32, port: usize) -> Option<Link> {
        match &self.wiring {
            Wiring::Grid(grid) => {
                let to = self.peer(router, port)?;
                Some(Link { to, cycles: grid.link_cycles(), period: 1, kind: LinkKind::of_grid(port) })
            }
            Wiring::Flat(flat, _) => flat.half(router, port).link(),
        }
    }

    /// The links that leave a router, with their ports.
    pub fn links_of(&self, router: u32) -> impl Iterator<Item = (usize, Link)> + '_ {
        (0..self.ports(router)).filter_map(move |port| Some((port, self.link(router, port)?)))
    }

    /// Directed links between routers.
    pub fn links(&self) -> usize {
        match &self.wiring {
            Wiring::Grid(grid) => grid.links(),
            Wiring::Flat(flat, _) => flat.half.iter().filter(|half| half.router != NONE).count(),
        }
    }

    /// A number for an output port, below [`Network::slots`], for tables of what links carry.
    #[inline]
    pub fn slot(&self, router: u32, port: usize) -> usize {
        match &self.wiring {
            Wiring::Grid(grid) => router as usize * grid.ports() + port,
            Wiring::Flat(flat, _) => flat.first[router as usize] as usize + port,
        }
    }

    /// All network ports of all routers, also those that lead nowhere.
    pub fn slots(&self) -> usize {
        match &self.wiring {
            Wiring::Grid(grid) => grid.routers() * grid.ports(),
            Wiring::Flat(flat, _) => flat.half.len(),
        }
    }

    /// Where the nodes are.
    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    /// The most nodes that a router has.
    pub fn most_nodes(&self) -> u32 {
        self.seats.most()
    }

    /// The shortest and the longest delay of a link \[cycles\]; 1 where there are no links.
    pub fn delays(&self) -> (u32, u32) {
        match &self.wiring {
            Wiring::Grid(grid) => (grid.link_cycles(), grid.link_cycles()),
            Wiring::Flat(flat, _) => {
                let all = || flat.half.iter().filter_map(|half| half.link()).map(|link| link.cycles);
                (all().min().unwrap_or(1), all().max().unwrap_or(1))
            }
        }
    }

    /// The most cycles from one flit to the next on a link; 1 where all links have full width.
    pub fn slowest_period(&self) -> u32 {
        match &self.wiring {
            Wiring::Grid(_) => 1,
            Wiring::Flat(flat, _) => flat.half.iter().map(|half| half.period.into()).max().unwrap_or(1),
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.seats.nodes()
    }

    /// Nodes of a router, possibly none.
    #[inline]
    pub fn nodes_at(&self, router: u32) -> u32 {
        self.seats.at(router)
    }

    /// The router of a node.
    #[inline]
    pub fn router_of(&self, node: u32) -> u32 {
        self.seats.router_of(node)
    }

    /// The coordinates of the routers, where they have some.
    pub fn grid(&self) -> Option<&Grid> {
        match &self.wiring {
            Wiring::Grid(grid) => Some(grid),
            Wiring::Flat(_, grid) => grid.as_deref(),
        }
    }

    /// Where the network is folded: how many of the ports of each router lead out. Those are the first ones; by the others flits come in, and the
    /// other direction of each link is never used. Each router with nodes stands for two that share nothing: by the one, packets of its nodes go
    /// on to other routers, and by the other packets come to its nodes.
    pub fn one_way(&self) -> Option<u32> {
        match &self.wiring {
            Wiring::Grid(_) => None,
            Wiring::Flat(flat, _) => flat.one_way,
        }
    }

    /// Whether the links are those of its grid and all alike.
    pub fn has_computed_links(&self) -> bool {
        matches!(self.wiring, Wiring::Grid(_))
    }

    /// Whether the links are those of its grid and all alike, so that nothing but the grid need be asked.
    pub fn is_plain_grid(&self) -> bool {
        self.has_computed_links() && self.seats.is_even()
    }

    /// Whether all links and nodes are the same. Coordinates and [`Network::one_way`], which no file keeps, are not compared.
    pub fn is_same(&self, other: &Network) -> bool {
        let same_router = |r: u32| {
            self.ports(r) == other.ports(r) && (0..self.ports(r)).all(|port| self.link(r, port) == other.link(r, port))
        };
        self.routers() == other.routers()
            && self.nodes() == other.nodes()
            && (0..self.routers() as u32).all(same_router)
            && (0..self.nodes() as u32).all(|node| self.router_of(node) == other.router_of(node))
    }
}

impl Flat {
    #[inline]
    fn half(&self, router: u32, port: usize) -> Half {
        self.half[self.first[router as usize] as usize + port]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_a_network_whose_links_are_computed() {
        let network = Network::from(Grid::new(&[4, 3], &[true, false], 2, 7));
        assert_eq!((network.routers(), network.nodes(), network.links()), (12, 24, 12 * 2 + 8 * 2));
        for router in 0..12 {
            for (port, link) in network.links_of(router) {
                assert_eq!(
                    network.peer(link.to.router, link.to.port as usize),
                    Some(Port { router, port: port as u32 })
                );
                assert_eq!((link.cycles, link.period, link.kind), (7, 1, LinkKind::of_grid(port)));
            }
        }
        assert_eq!(network.peer(8, 2), None);
        assert!(network.is_plain_grid());
    }

    #[test]
    fn tables_hold_what_a_grid_computes() {
        let grid = Network::from(Grid::new(&[4, 3], &[true, false], 2, 7));
        let mut builder = Builder::new(&[4; 12], Seats::even(12, 2)).unwrap();
        builder.fill(|router, port| {
            let link = grid.link(router, port)?;
            Some((link.to, Wire::new(link.cycles, link.kind)))
        });
        let flat = builder.finish().unwrap();
        assert!(flat.is_same(&grid) && grid.is_same(&flat) && flat.grid().is_none());
        assert!(!flat.is_same(&Network::from(Grid::new(&[4, 3], &[true, false], 2, 6))));
        assert!(!flat.is_same(&Network::from(Grid::new(&[4, 3], &[true, false], 1, 7))));
        let bare = grid.clone().without_coordinates();
        assert!(bare.is_same(&grid) && bare.grid().is_none() && bare.clone().without_coordinates().is_same(&flat));
    }

    /// A grid of any size has the tables of the grid and nothing else; a link in tables takes 12 bytes.
    #[test]
    fn a_large_torus_needs_no_table_beside_its_grid() {
        let network = Network::from(Grid::new(&[512, 512], &[true, true], 1, 1));
        assert!(matches!(network.wiring, Wiring::Grid(_)) && matches!(network.seats, Seats::Even { .. }));
        assert!(size_of::<Network>() < 256);
        assert_eq!(size_of::<Half>(), 12);
    }
}
