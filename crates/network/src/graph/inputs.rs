//! The numbers of input ports: which input a link ends at, and which output feeds an input.
//!
//! In a plain grid an input carries the number of the output that feeds it, that is, of the direction of travel. In any other
//! network it carries the number of the output that leads back.

use super::{Network, Port, Wiring};
use crate::NONE;

impl Network {
    /// The router behind an output port, and the input port at which its link ends there; `None` where it leads nowhere.
    #[inline]
    pub fn ahead(&self, router: u32, port: usize) -> Option<Port> {
        match &self.wiring {
            Wiring::Grid(grid) => there(grid.peer(router, port), port),
            Wiring::Flat(..) => self.peer_if_any(router, port),
        }
    }

    /// The router, and its output port, whose link ends at an input port; `None` where none does.
    #[inline]
    pub fn behind(&self, router: u32, input: usize) -> Option<Port> {
        match &self.wiring {
            Wiring::Grid(grid) => there(grid.upstream(router, input), input),
            Wiring::Flat(..) => self.peer_if_any(router, input),
        }
    }

    /// The router `hops` links from `router` through ports of one number, all of which lead somewhere.
    #[inline]
    pub fn along(&self, router: u32, port: usize, hops: u32) -> u32 {
        match &self.wiring {
            Wiring::Grid(grid) => grid.along(router, port, hops),
            Wiring::Flat(..) => (0..hops).fold(router, |at, _| self.peer(at, port).map_or(NONE, |peer| peer.router)),
        }
    }

    /// A router may have fewer ports than another.
    fn peer_if_any(&self, router: u32, port: usize) -> Option<Port> {
        if port < self.ports(router) { self.peer(router, port) } else { None }
    }
}

fn there(router: u32, port: usize) -> Option<Port> {
    (router != NONE).then_some(Port { router, port: port as u32 })
}

#[cfg(test)]
mod tests {
    use crate::Grid;
    use crate::graph::{Builder, LinkKind, Network, Port, Seats, Wire};

    #[test]
    fn every_input_is_fed_by_the_output_that_leads_to_it() {
        let mut triangle = Builder::new(&[3, 2, 2], Seats::even(3, 1)).unwrap();
        for (a, b) in [((0, 2), (1, 0)), ((1, 1), (2, 1)), ((2, 0), (0, 0))] {
            let port = |(router, port)| Port { router, port };
            triangle.join(port(a), port(b), Wire::new(1, LinkKind::Any)).unwrap();
        }
        for network in [Network::from(Grid::new(&[4, 3], &[true, false], 1, 1)), triangle.finish().unwrap()] {
            for (router, port) in (0..network.routers() as u32).flat_map(|r| (0..network.ports(r)).map(move |p| (r, p)))
            {
                let Some(ahead) = network.ahead(router, port) else { continue };
                let back = network.behind(ahead.router, ahead.port as usize);
                assert_eq!(back, Some(Port { router, port: port as u32 }));
            }
        }
    }
}
