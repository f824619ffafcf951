//! Packets in queues, for tests.

use super::look::{Place, Ports, Queue, Standing, State, Ways};
use tailback_network::Network;

/// A packet of node 0 at the front of channel 0.
pub fn front(router: u32, input: Option<u8>, destination: u32, state: State) -> Standing {
    let place = input.map_or(Place::Source, Place::Input);
    Standing { source: 0, index: 0, destination, queue: Queue { router, place, number: 0 }, position: 0, state }
}

/// A packet behind the front of channel 0.
pub fn behind(router: u32, input: u8, destination: u32, position: u32) -> Standing {
    Standing { position, ..front(router, Some(input), destination, State::BEHIND) }
}

/// All the shortest ways of a mesh.
pub struct Shortest<'a>(pub &'a Network);

impl Ways for Shortest<'_> {
    fn next(&self, router: u32, packet: &Standing) -> Ports {
        let grid = self.0.grid().expect("a mesh");
        let (here, there) = (grid.coordinates(router), grid.coordinates(packet.destination));
        let port = |(d, (a, b)): (usize, (&u32, &u32))| match a.cmp(b) {
            std::cmp::Ordering::Less => 1 << (2 * d),
            std::cmp::Ordering::Greater => 2 << (2 * d),
            std::cmp::Ordering::Equal => 0,
        };
        let ports = here.iter().zip(there).enumerate().map(port).fold(0, |all, port| all | port);
        if ports == 0 { 1 << grid.ports() } else { ports }
    }

    fn channels(&self, _packet: &Standing, _port: u8) -> u64 {
        1
    }
}
