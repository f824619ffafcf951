//! The butterfly, a k-ary n-fly: n stages of k^(n-1) routers with k inputs and k outputs each, and links that lead one way, stage by stage.
//!
//! A node sends to the first stage and receives from the last one. The routers of both stages with one number are one router here, whose
//! halves share nothing: ports 0 to k - 1 of a router lead to the next stage, and ports k to 2k - 1 come from the stage before. The other
//! direction of a link is never used. With two stages some of these links lead from a router to itself.
//!
//! Output `p` of router `a` leads to the router whose number is `a` with a digit replaced by `p`: the highest digit behind the first
//! stage, the next lower one behind the second, and so on. It comes in at the input of the digit that was replaced.

use super::params::{entry, nodes_per_router, number, refusal};
use super::{Built, Classes, Family, Rule, refused, sized};
use crate::graph::{Builder, LinkKind, Port, Seats, Wire};
use tailback_spec::{Entry, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Dally and Towles, 2004",
    ..entry(
        "butterfly",
        "a k-ary n-fly: stages of routers, with links that lead one way from the first stage to the last",
        &[
            number(
                "radix",
                "links",
                (2, 1024),
                "Inputs and outputs of a router; also the nodes of a router of the first and of the last stage.",
            ),
            number("stages", "stages", (2, 16), "Stages of routers."),
        ],
    )
};

pub static FAMILY: Family = Family { entry: &ENTRY, build };

/// The numbers that make a butterfly.
#[derive(Clone, Copy, Debug)]
struct Fly {
    k: u32,
    n: u32,
    /// Routers of a stage.
    width: u32,
    cycles: u32,
}

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let (k, n) = (view.u32("radix"), view.u32("stages"));
    let nodes = nodes_per_router(view, k);
    if nodes != k {
        let message =
            format!("`nodes_per_router` is {nodes}, but a router of a butterfly of radix {k} has {k}; leave it out");
        return Err(refusal("topology.nodes_per_router", message));
    }
    let width = u64::from(k).saturating_pow(n - 1);
    let routers = width.saturating_mul((n - 1).into());
    sized(routers, width.saturating_mul(k.into()), routers.saturating_mul(2 * u64::from(k)))?;
    let fly = Fly { k, n, width: width as u32, cycles: view.u32("link_cycles") };
    let seats = Seats::counted((0..routers as u32).map(|router| if router < fly.width { k } else { 0 }));
    let builder = Builder::new(&vec![2 * k; routers as usize], seats).map_err(refused)?;
    let mut builder = builder.with_loops().folded(k);
    builder.fill(|router, port| Some(fly.far(router, port as u32)));
    let network = builder.finish().map_err(refused)?;
    Ok(Built { one_way: true, ..Built::by(network, fly) }.with_classes(Classes::One))
}

impl Fly {
    /// The place of the digit that the links behind a stage replace.
    fn stride(self, stage: u32) -> u32 {
        self.k.pow(self.n - 2 - stage)
    }

    /// A router of a stage; the last stage is the first one again.
    fn router(self, stage: u32, number: u32) -> u32 {
        stage % (self.n - 1) * self.width + number
    }

    fn far(self, router: u32, port: u32) -> (Port, Wire) {
        let (stage, number) = (router / self.width, router % self.width);
        let wire = Wire::new(self.cycles, LinkKind::Any);
        let replace = |stride: u32, value: u32| number - number / stride % self.k * stride + value * stride;
        match port.checked_sub(self.k) {
            None => {
                let stride = self.stride(stage);
                let to = self.router(stage + 1, replace(stride, port));
                (Port { router: to, port: self.k + number / stride % self.k }, wire)
            }
            Some(input) => {
                let before = (stage + self.n - 2) % (self.n - 1);
                let stride = self.stride(before);
                let from = self.router(before, replace(stride, input));
                (Port { router: from, port: number / stride % self.k }, wire)
            }
        }
    }
}

/// The digit of the destination, stage by stage.
impl Rule for Fly {
    fn ports(&self, at: u32, to: u32, ports: &mut Vec<usize>) {
        let digit = to % self.width / self.stride(at / self.width) % self.k;
        ports.push(digit as usize);
    }

    fn round(&self, at: u32) -> Option<usize> {
        let mut ports = Vec::new();
        self.ports(at, at, &mut ports);
        ports.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, refused};
    use crate::family::{Built, Minimal};

    /// The nodes that a node reaches over `hops` links, by the rule.
    fn arrives(built: &Built, from: u32, to: u32) -> (u32, u32) {
        let Minimal::Rule(rule) = &built.minimal else { panic!("a rule") };
        let port = |at: u32| {
            let mut ports = Vec::new();
            if at == to {
                rule.round(at)
            } else {
                rule.ports(at, to, &mut ports);
                ports.pop()
            }
            .expect("a port")
        };
        let (mut at, mut hops) = (from, 0);
        while hops == 0 || at != to {
            at = built.network.peer(at, port(at)).expect("a link").router;
            hops += 1;
        }
        (at, hops)
    }

    #[test]
    fn every_way_has_a_link_less_than_stages() {
        for (sets, stages) in [("radix=3 stages=2", 2), ("radix=2 stages=4", 4), ("radix=4 stages=3", 3)] {
            let built = built("butterfly", sets);
            let ends = crate::ways::ends(&built.network).count() as u32;
            for (from, to) in (0..ends).flat_map(|from| (0..ends).map(move |to| (from, to))) {
                assert_eq!(arrives(&built, from, to), (to, stages - 1), "{sets}: {from} to {to}");
            }
        }
    }

    #[test]
    fn nodes_are_at_routers_of_the_first_stage() {
        let network = built("butterfly", "radix=4 stages=3 link_cycles=2").network;
        assert_eq!((network.routers(), network.nodes(), network.nodes_at(15), network.nodes_at(16)), (32, 64, 4, 0));
        // Output 2 of router 1 of the first stage leads to router 9 of the second one.
        let link = network.link(1, 2).unwrap();
        assert_eq!((link.to.router, link.to.port, link.cycles), (16 + 9, 4, 2));
        assert!(refused("butterfly", "radix=4 stages=3 nodes_per_router=2").contains("leave it out"));
    }
}
