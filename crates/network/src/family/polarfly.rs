//! PolarFly: the polarity graphs of Erdos and Renyi, of diameter 2, for an odd prime q.
//!
//! A router is a point of the projective plane over the integers modulo q, three coordinates of which the first that is not 0 is 1. Two
//! routers are joined if the scalar product of their points is 0. The q + 1 points that are orthogonal to themselves have a link
//! less. Router (1, y, z) is number y q + z, router (0, 1, z) is q^2 + z, and router (0, 0, 1) is the last. Ports go by the number of the
//! router that they lead to.

use super::params::{entry, nodes_per_router, number, refusal};
use super::slim_fly::{is_prime, prime_below};
use super::{Built, Family, edges, refused, sized};
use crate::graph::{LinkKind, Seats, Wire};
use tailback_spec::{Entry, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Lakhotia et al., SC 2022",
    ..entry(
        "polarfly",
        "q^2 + q + 1 routers at a distance of at most two links",
        &[number(
            "q",
            "",
            (3, 1 << 16),
            "An odd prime number. A router has q + 1 links, and q + 1 of the routers have q.",
        )],
    )
};

pub static FAMILY: Family = Family { entry: &ENTRY, build };

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let q = view.u32("q");
    if !is_prime(q) {
        let message = format!("`q` must be an odd prime number, not {q}; the nearest below is {}", prime_below(q));
        return Err(refusal("topology.q", message));
    }
    let wide = u64::from(q);
    let (routers, nodes) = (wide * wide + wide + 1, nodes_per_router(view, 1));
    sized(routers, routers * u64::from(nodes), routers * (wide + 1))?;
    let seats = Seats::even(routers as usize, nodes);
    let wire = Wire::new(view.u32("link_cycles"), LinkKind::Any);
    Ok(Built::shortest(edges::network(&links(u64::from(q)), seats, wire).map_err(refused)?))
}

/// Links in the order of their routers' numbers.
fn links(q: u64) -> Vec<(u32, u32)> {
    // One over each number.
    let mut inverse = vec![0, 1];
    (2..q).for_each(|n| inverse.push((q - q / n) * inverse[(q % n) as usize] % q));
    let mut links = Vec::new();
    for router in 0..q * q + q + 1 {
        let others = orthogonal(point(router, q), q, &inverse);
        links.extend(others.into_iter().filter(|&other| other > router).map(|other| (router as u32, other as u32)));
    }
    links.sort_unstable();
    links
}

/// The coordinates of a router.
fn point(router: u64, q: u64) -> [u64; 3] {
    match router.checked_sub(q * q) {
        None => [1, router / q, router % q],
        Some(z) if z < q => [0, 1, z],
        Some(_) => [0, 0, 1],
    }
}

/// The routers of all points that are orthogonal to one.
fn orthogonal([a, b, c]: [u64; 3], q: u64, inverse: &[u64]) -> Vec<u64> {
    // The number n with n * of + rest = 0.
    let solve = |of: u64, rest: u64| (q - rest % q) % q * inverse[of as usize] % q;
    if c != 0 {
        let first = (0..q).map(|y| y * q + solve(c, a + b * y));
        return first.chain([q * q + solve(c, b)]).collect();
    }
    let last = q * q + q;
    match b {
        0 => (q * q..=last).collect(),
        _ => (0..q).map(|z| solve(b, a) * q + z).chain([last]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, measured, refused};

    /// The bounds were computed by another program, which compares all pairs of points.
    #[test]
    fn check_values() {
        let row = |sets, counts, mean, bound| check("polarfly", sets, counts, (mean, bound, bound));
        row("q=3 nodes_per_router=2", (13, 26, 48, 2), 1.624615, 1.041667);
        row("q=5 nodes_per_router=3", (31, 93, 180, 2), 1.767181, 1.022222);
        row("q=7 nodes_per_router=4", (57, 228, 448, 2), 1.835072, 1.013393);
        row("q=13 nodes_per_router=7", (183, 1281, 2548, 2), 1.914481, 1.004710);
    }

    /// The formulas of the paper: q^2 + q + 1 routers, q + 1 links each but for q + 1 routers with q, and diameter 2. Every router then
    /// reaches all others in two links, most of them in one way only.
    #[test]
    fn counts_are_those_of_the_paper() {
        for q in [3usize, 5, 7, 11, 17, 31] {
            let network = built("polarfly", &format!("q={q}")).network;
            let degrees: Vec<usize> = (0..network.routers() as u32).map(|router| network.ports(router)).collect();
            let of_degree = |d| degrees.iter().filter(|&&degree| degree == d).count();
            assert_eq!((network.routers(), of_degree(q + 1), of_degree(q)), (q * q + q + 1, q * q, q + 1), "{q}");
            assert_eq!(network.links(), q * (q + 1) * (q + 1), "{q}");
            assert_eq!(measured("polarfly", &format!("q={q}")).diameter, Some(2), "{q}");
        }
    }

    #[test]
    fn ports_go_by_number() {
        let network = built("polarfly", "q=5").network;
        for router in 0..31 {
            let peers: Vec<u32> = network.links_of(router).map(|(_, link)| link.to.router).collect();
            assert!(peers.is_sorted() && !peers.contains(&router), "{peers:?}");
        }
    }

    #[test]
    fn what_is_no_prime_is_refused() {
        for q in [4, 8, 9, 15] {
            assert!(refused("polarfly", &format!("q={q}")).contains("odd prime"), "{q}");
        }
        assert!(refused("polarfly", "q=65521").contains("are the most"));
    }
}
