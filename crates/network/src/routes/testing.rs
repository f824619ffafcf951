//! Networks for tests.

use crate::Network;
use crate::graph::{Builder, LinkKind, Port, Seats, Wire};

/// The Petersen graph, with two nodes per router.
pub fn petersen() -> Network {
    let edges = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (5 + i, 5 + (i + 2) % 5)]);
    let mut builder = Builder::new(&[3; 10], Seats::even(10, 2)).unwrap();
    let mut next = [0; 10];
    let mut port = |router: u32| {
        next[router as usize] += 1;
        Port { router, port: next[router as usize] - 1 }
    };
    for (a, b) in edges {
        builder.join(port(a), port(b), Wire::new(1, LinkKind::Any)).unwrap();
    }
    builder.finish().unwrap()
}
