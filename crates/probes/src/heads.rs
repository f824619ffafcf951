//! Where heads wait, looked at every now and then: which links bind a network that takes no more.
//!
//! A link on which many wait is at the root of congestion if those behind it go on: else it only hands on what waits further down.

use crate::kinds::Kinds;
use tailback_base::state::{MOST, Unfit, are_counts, ensure};
use tailback_engine::outcome::Waiting;
use tailback_network::Network;
use tailback_network::graph::Port;

/// At least so many heads wait on average for a link, or a router's nodes, that binds.
const LEAST: f64 = 0.3;

/// The buffers behind a link that binds go on: so many of their heads wait on average for each that waits for the link, at most.
const BEHIND: f64 = 0.5;

/// A link, or the nodes of a router, that heads wait for while those behind it go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binding {
    /// The router that sends.
    pub router: u32,
    /// Its output port; `None`: its own nodes.
    pub port: Option<u32>,
    /// Heads in buffers of links that wait for it, on average. One that could take several ports counts for each in part.
    pub heads: f64,
}

/// Sums of what waits, over looks at the network.
#[derive(Clone, Debug)]
pub struct Heads {
    ports: usize,
    looks: u64,
    /// Heads that wait for an output, by `router * (ports + 1) + port`, the router's nodes last.
    wanted: Vec<f64>,
    /// Heads that wait in the buffers behind a link, by `router * ports + port` of the router that they are at.
    behind: Vec<f64>,
}

tailback_base::state!([] Heads { saved: looks, wanted, behind; rebuilt: ports; } [fits]);

impl Heads {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts([self.looks])?;
        let sums = self.wanted.iter().chain(&self.behind).all(|sum| (0.0..=MOST as f64).contains(sum));
        ensure(sums, "fewer heads wait than none, or more than anybody has counted")
    }

    /// No looks at a network.
    pub fn new(network: &Network) -> Self {
        let (routers, ports) = (network.routers(), network.most_ports());
        Heads { ports, looks: 0, wanted: vec![0.0; routers * (ports + 1)], behind: vec![0.0; routers * ports] }
    }

    /// Adds what was seen in another part of the network, in the same looks.
    pub fn merge(&mut self, other: &Heads) {
        let sums = self.wanted.iter_mut().zip(&other.wanted).chain(self.behind.iter_mut().zip(&other.behind));
        sums.for_each(|(sum, more)| *sum += more);
    }

    /// Begins another look.
    pub fn look(&mut self) {
        self.looks += 1;
    }

    /// Adds a head that waits.
    pub fn add(&mut self, head: Waiting) {
        let router = head.router as usize;
        self.behind[router * self.ports + usize::from(head.input)] += 1.0;
        let share = 1.0 / f64::from(head.ports.count_ones());
        let (nodes, links) = (head.ports >> Waiting::NODE & 1, head.ports & !(1 << Waiting::NODE));
        let of_router = &mut self.wanted[router * (self.ports + 1)..][..=self.ports];
        of_router[self.ports] += nodes as f64 * share;
        tailback_base::bits::ones(links).for_each(|port| of_router[port] += share);
    }

    /// Looks so far.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// Heads that wait in the network, on average.
    pub fn mean(&self) -> f64 {
        self.behind.iter().sum::<f64>() / self.looks.max(1) as f64
    }

    /// Heads that wait for the links of each kind, on average.
    pub fn by_kind(&self, kinds: &Kinds) -> Vec<f64> {
        let looks = self.looks.max(1) as f64;
        if kinds.are_ports() {
            let sum = |port| self.wanted.iter().skip(port).step_by(self.ports + 1).sum::<f64>();
            return (0..self.ports).map(|port| sum(port) / looks).collect();
        }
        let mut sums = vec![0.0; kinds.count()];
        for (router, wanted) in (0u32..).zip(self.wanted.chunks(self.ports + 1)) {
            for (port, heads) in wanted[..self.ports].iter().enumerate() {
                kinds.leaving(router, port).into_iter().for_each(|kind| sums[kind] += heads / looks);
            }
        }
        sums
    }

    /// Heads that wait for the nodes of each router, on average.
    pub fn of_nodes(&self) -> impl Iterator<Item = f64> + '_ {
        let looks = self.looks.max(1) as f64;
        self.wanted.iter().skip(self.ports).step_by(self.ports + 1).map(move |wanted| wanted / looks)
    }

    /// What binds, that for which most heads wait first; equal ones by router and port.
    pub fn binding(&self, network: &Network) -> Vec<Binding> {
        let looks = self.looks.max(1) as f64;
        let mut found = Vec::new();
        for (at, wanted) in self.wanted.iter().enumerate() {
            let (router, port) = (at / (self.ports + 1), at % (self.ports + 1));
            let heads = wanted / looks;
            if heads >= LEAST && (port == self.ports || self.goes_on(network, router, port, *wanted)) {
                let port = (port < self.ports).then_some(port as u32);
                found.push(Binding { router: router as u32, port, heads });
            }
        }
        found.sort_by(|a, b| b.heads.total_cmp(&a.heads));
        found
    }

    /// Whether few heads wait in the buffers behind a link, for so many that wait for it.
    fn goes_on(&self, network: &Network, router: usize, port: usize, wanted: f64) -> bool {
        let behind = |to: Port| self.behind[to.router as usize * self.ports + to.port as usize];
        network.ahead(router as u32, port).is_some_and(|to| behind(to) <= BEHIND * wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_network::Grid;

    fn line() -> Network {
        Grid::new(&[4], &[false], 1, 1).into()
    }

    fn waiting(router: u32, input: u8, ports: u64) -> Waiting {
        Waiting { router, input, ports }
    }

    #[test]
    fn the_root_is_the_last_link_of_a_row_of_waiting_heads() {
        // All go up: they wait at 0 (from nowhere), at 1 and at 2; beyond 2 -> 3 nobody waits.
        let mut heads = Heads::new(&line());
        for _ in 0..4 {
            heads.look();
            heads.add(waiting(1, 0, 1));
            heads.add(waiting(2, 0, 1));
            heads.add(waiting(2, 0, 1));
        }
        assert_eq!(heads.binding(&line()), [Binding { router: 2, port: Some(0), heads: 2.0 }]);
        assert_eq!((heads.mean(), heads.looks()), (3.0, 4));
        assert_eq!((heads.by_kind(&Kinds::new(&line())), heads.of_nodes().sum::<f64>()), (vec![3.0, 0.0], 0.0));
    }

    #[test]
    fn nodes_bind_as_links_do() {
        let mut heads = Heads::new(&line());
        heads.look();
        heads.add(waiting(2, 0, 1));
        heads.add(waiting(3, 0, 1 << Waiting::NODE));
        heads.add(waiting(3, 0, 1 << Waiting::NODE));
        let binding = heads.binding(&line());
        assert_eq!(
            binding,
            [Binding { router: 3, port: None, heads: 2.0 }],
            "2 -> 3 only hands on what waits behind it"
        );
        assert_eq!(heads.of_nodes().collect::<Vec<f64>>(), [0.0, 0.0, 0.0, 2.0]);
    }

    #[test]
    fn rare_heads_and_choices_do_not_bind() {
        let network = Network::from(Grid::new(&[4, 4], &[true; 2], 1, 1));
        let mut heads = Heads::new(&network);
        for look in 0..4 {
            heads.look();
            if look == 0 {
                heads.add(waiting(5, 0, 1));
            }
            heads.add(waiting(6, 0, 0b101));
        }
        let ports: Vec<Option<u32>> = heads.binding(&network).iter().map(|b| b.port).collect();
        assert_eq!(ports, [Some(0), Some(2)], "half a head each; that of router 5 was there once in four looks");
    }
}
