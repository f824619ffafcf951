//! Slim Fly: the graphs of McKay, Miller and Siran, of diameter 2, for a prime q = 4w + 1 or 4w - 1.
//!
//! Router (s, x, y) = (s q + x) q + y, with s of 0 and 1. Ports go by the number of the router that they lead to.

use super::params::{entry, nodes_per_router, number, refusal};
use super::{Built, Family, edges, refused, sized};
use crate::graph::{LinkKind, Seats, Wire};
use tailback_spec::{Entry, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Besta and Hoefler, SC 2014",
    ..entry(
        "slim_fly",
        "2 q^2 routers at a distance of at most two links",
        &[number(
            "q",
            "",
            (3, 1 << 16),
            "An odd prime number. A router has (3q - 1) / 2 links where q = 4w + 1, and (3q + 1) / 2 where q = 4w - 1.",
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
    let routers = 2 * u64::from(q) * u64::from(q);
    let degree = if q % 4 == 1 { 3 * q / 2 } else { (3 * q).div_ceil(2) };
    let nodes = nodes_per_router(view, 1);
    sized(routers, routers * u64::from(nodes), routers * u64::from(degree))?;
    let seats = Seats::even(routers as usize, nodes);
    let wire = Wire::new(view.u32("link_cycles"), LinkKind::Any);
    Ok(Built::shortest(edges::network(&links(q), seats, wire).map_err(refused)?))
}

/// Links in the order of their routers' numbers.
fn links(q: u32) -> Vec<(u32, u32)> {
    let router = |s: u32, x: u32, y: u32| (s * q + x) * q + y;
    let sets = generators(q);
    let mut links = Vec::new();
    for x in 0..q {
        for y in 0..q {
            for (s, set) in (0..).zip(&sets) {
                for step in set {
                    let (a, b) = (router(s, x, y), router(s, x, (y + step) % q));
                    links.push((a.min(b), a.max(b)));
                }
            }
            let product = |m: u32| (u64::from(m) * u64::from(x) % u64::from(q)) as u32;
            links.extend((0..q).map(|m| (router(0, x, y), router(1, m, (y + q - product(m)) % q))));
        }
    }
    links.sort_unstable();
    links.dedup();
    links
}

/// The differences that join the routers of one x, in both halves.
fn generators(q: u32) -> [Vec<u32>; 2] {
    let root = primitive_root(q);
    let powers = |exponents: &mut dyn Iterator<Item = u32>| exponents.map(|e| power(root, e, q)).collect::<Vec<u32>>();
    if q % 4 == 1 {
        return [powers(&mut (0..q - 1).step_by(2)), powers(&mut (1..q - 1).step_by(2))];
    }
    let w = q.div_ceil(4);
    let even = &mut (0..2 * w - 1).step_by(2).chain((2 * w - 1..4 * w - 2).step_by(2));
    let odd = &mut (1..2 * w).step_by(2).chain((2 * w..4 * w - 2).step_by(2));
    [powers(even), powers(odd)]
}

fn power(base: u32, exponent: u32, q: u32) -> u32 {
    (0..exponent).fold(1u64, |n, _| n * u64::from(base) % u64::from(q)) as u32
}

/// The least number whose powers are all residues but 0.
fn primitive_root(q: u32) -> u32 {
    let order = |z: u32| {
        let steps = std::iter::successors(Some(u64::from(z)), |n| Some(n * u64::from(z) % u64::from(q)));
        steps.take_while(|&n| n != 1).count() as u32 + 1
    };
    (2..q).find(|&z| order(z) == q - 1).expect("every prime has a primitive root")
}

/// Whether a number is an odd prime.
pub(super) fn is_prime(q: u32) -> bool {
    q > 2 && (2..q).take_while(|d| d * d <= q).all(|d| !q.is_multiple_of(d))
}

/// The nearest odd prime below a number, or 3.
pub(super) fn prime_below(q: u32) -> u32 {
    (3..q).rev().find(|&n| is_prime(n)).unwrap_or(3)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, refused};

    #[test]
    fn check_values() {
        let row = |sets, counts, mean, bound| check("slim_fly", sets, counts, (mean, bound, bound));
        row("q=5 nodes_per_router=4", (50, 200, 350, 2), 1.829146, 0.956731);
        row("q=7 nodes_per_router=6", (98, 588, 1078, 2), 1.870528, 0.858187);
        row("q=13 nodes_per_router=9", (338, 3042, 6422, 2), 1.938507, 1.014681);
    }

    #[test]
    fn ports_go_by_number() {
        let network = built("slim_fly", "q=5").network;
        for router in 0..50 {
            let peers: Vec<u32> = network.links_of(router).map(|(_, link)| link.to.router).collect();
            assert!(peers.is_sorted() && peers.len() == 7);
        }
    }

    #[test]
    fn what_is_no_prime_is_refused() {
        for q in [4, 9, 15, 27] {
            assert!(refused("slim_fly", &format!("q={q}")).contains("prime"), "{q}");
        }
        assert!(refused("slim_fly", "q=9").contains("nearest below is 7"));
        assert_eq!(built("slim_fly", "q=3").network.routers(), 18);
    }
}
