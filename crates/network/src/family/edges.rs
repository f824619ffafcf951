//! Networks from lists of links without ports.

use crate::graph::{Builder, Fault, Network, Port, Seats, Wire};

/// A network whose routers have a port for each of their links, in the order of `edges`. The number of links has been checked.
///
/// # Errors
/// For links that make no network.
pub fn network(edges: &[(u32, u32)], seats: Seats, wire: Wire) -> Result<Network, Fault> {
    let mut ports = vec![0; seats.routers()];
    edges.iter().for_each(|&(a, b)| [a, b].into_iter().for_each(|router| ports[router as usize] += 1));
    let mut builder = Builder::new(&ports, seats)?;
    let mut used = vec![0; ports.len()];
    let mut next = |router: u32| {
        used[router as usize] += 1;
        Port { router, port: used[router as usize] - 1 }
    };
    for &(a, b) in edges {
        let (a, b) = (next(a), next(b));
        builder.join(a, b, wire)?;
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::Built;
    use crate::graph::LinkKind;
    use crate::measure::measure;

    #[test]
    fn check_values_of_the_petersen_graph() {
        let ring = (0..5).map(|i| (i, (i + 1) % 5));
        let spokes = (0..5).map(|i| (i, i + 5));
        let star = (0..5).map(|i| (5 + i, 5 + (i + 2) % 5));
        let edges: Vec<(u32, u32)> = ring.chain(spokes).chain(star).collect();
        let network = network(&edges, Seats::even(10, 2), Wire::new(1, LinkKind::Any)).unwrap();
        let m = measure(&Built::shortest(network));
        assert_eq!((m.routers, m.nodes, m.links, m.diameter), (10, 20, 30, Some(2)));
        assert!((m.hops_mean.unwrap() - 1.578947).abs() < 1e-6 && (m.ecmp_bound.unwrap() - 0.95).abs() < 1e-6);
    }
}
