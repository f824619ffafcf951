//! Routes in a table: for every router and destination router the port, and the virtual channels, of the next hop.
//!
//! A table is read from a file (`text.rs`) or computed by an engine ([`ENGINES`]). Either way it is followed from every source before
//! anyone believes it. What lies beyond the next hop may depend on the port that a packet came in by. The packets of each source and
//! destination may have a *layer*, which gives them the channels of their own wherever a hop does not list some.

mod engines;
mod layers;
mod least_delay;
#[cfg(test)]
pub(crate) mod testing;
mod text;

pub use engines::{ENGINES, Engine};

use crate::graph::Network;
use crate::up_down::distances;
use crate::ways::ends;

/// Larger tables than those for so many routers are refused: they are as long as the square of it.
pub const MOST_ROUTERS: usize = 4096;

/// The most layers.
pub const MOST_LAYERS: u32 = 16;

/// A hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The output port.
    pub port: u8,
    /// Whether packets of some inputs have a hop of their own instead.
    by_input: bool,
    /// Virtual channels as a mask; 0 where they are those of the packet's layer.
    pub channels: u16,
}

impl Hop {
    /// No hop is listed.
    const MISSING: Hop = Hop { port: u8::MAX, by_input: false, channels: 0 };

    fn new(port: u8, channels: u16) -> Hop {
        Hop { port, by_input: false, channels }
    }

    fn is_missing(self) -> bool {
        self.port == u8::MAX
    }
}

/// Hops of packets that came in by a port: destination, router, input port.
type Input = (u32, u32, u8);

/// Routes from every router with nodes to every other one.
#[derive(Clone, Debug)]
pub struct Routes {
    routers: u32,
    /// By destination, then router.
    next: Vec<Hop>,
    /// In ascending order.
    by_input: Vec<(Input, Hop)>,
    /// By destination, then source; empty where there is one layer.
    layer: Vec<u8>,
    layers: u32,
    /// Hops from the source to the destination, likewise.
    hops: Vec<u16>,
}

impl Routes {
    fn new(routers: usize) -> Routes {
        let next = vec![Hop::MISSING; routers * routers];
        Routes { routers: routers as u32, next, by_input: Vec::new(), layer: Vec::new(), layers: 1, hops: Vec::new() }
    }

    #[inline]
    fn at(&self, router: u32, destination: u32) -> usize {
        destination as usize * self.routers as usize + router as usize
    }

    /// The next hop at a router of a packet that came in by a port, or starts here; none at the destination.
    #[inline]
    pub fn hop(&self, router: u32, input: Option<u8>, destination: u32) -> Option<Hop> {
        let hop = self.next[self.at(router, destination)];
        if hop.by_input
            && let Some(input) = input
            && let Ok(found) = self.by_input.binary_search_by_key(&(destination, router, input), |entry| entry.0)
        {
            return Some(self.by_input[found].1);
        }
        (!hop.is_missing()).then_some(hop)
    }

    /// The links of a route.
    #[inline]
    pub fn hops(&self, source: u32, destination: u32) -> u32 {
        self.hops[self.at(source, destination)].into()
    }

    /// The layer of packets, from 0.
    #[inline]
    pub fn layer(&self, source: u32, destination: u32) -> u32 {
        self.layer.get(self.at(source, destination)).copied().unwrap_or(0).into()
    }

    /// Layers, at least 1.
    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// Whether a hop may depend on the input port.
    pub fn looks_at_inputs(&self) -> bool {
        !self.by_input.is_empty()
    }

    /// The longest route \[links\].
    pub fn longest(&self) -> u32 {
        self.hops.iter().copied().max().unwrap_or(0).into()
    }

    /// The mean route between different routers with nodes \[links\].
    pub fn mean(&self, network: &Network) -> f64 {
        let hops = pairs(network).map(|(source, destination)| u64::from(self.hops(source, destination)));
        let (sum, count) = hops.fold((0, 0u64), |(sum, count), hops| (sum + hops, count + 1));
        sum as f64 / count.max(1) as f64
    }

    /// Bytes of a table for so many routers, saturating.
    pub fn bytes(routers: u64) -> u64 {
        let pair = size_of::<Hop>() + size_of::<u16>() + size_of::<u8>();
        routers.saturating_mul(routers).saturating_mul(pair as u64)
    }

    /// Adds a hop of a pair that has none yet.
    fn take(&mut self, router: u32, destination: u32, hop: Hop) -> Result<(), String> {
        let at = self.at(router, destination);
        let by_input = self.next[at].by_input;
        match std::mem::replace(&mut self.next[at], Hop { by_input, ..hop }) {
            old if old.is_missing() => Ok(()),
            _ => Err(format!("router {router} has a way to {destination} already")),
        }
    }

    /// Adds a hop of packets from an input; [`Routes::sort`] finds what is there twice.
    fn take_input(&mut self, (destination, router, input): Input, hop: Hop) {
        let at = self.at(router, destination);
        self.next[at].by_input = true;
        self.by_input.push(((destination, router, input), hop));
    }

    /// Puts the hops by input in order.
    fn sort(&mut self) -> Result<(), String> {
        self.by_input.sort_unstable_by_key(|entry| entry.0);
        match self.by_input.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(&[((destination, router, _), _), _]) => {
                Err(format!("router {router} has two ways to {destination} from one input port"))
            }
            _ => Ok(()),
        }
    }

    /// Follows every route, and keeps how long it is.
    fn follow(&mut self, network: &Network) -> Result<(), String> {
        let most = most_hops(network);
        self.hops = vec![0; self.next.len()];
        let ends = all_ends(network);
        let mut way = Vec::new();
        for &destination in &ends {
            for &source in ends.iter().filter(|&&source| source != destination) {
                let known = self.follow_one(network, (source, destination), most, &mut way)?;
                if known + way.len() > most {
                    return Err(circle(network, source, destination));
                }
                for (more, (back, alike)) in way.drain(..).rev().enumerate() {
                    if alike {
                        let at = self.at(back, destination);
                        self.hops[at] = (known + more + 1) as u16;
                    }
                }
            }
        }
        Ok(())
    }

    /// Follows a route as far as the first router from which on the hops are known, and returns these: `way` has the routers, and
    /// whether packets from all inputs go on alike there.
    fn follow_one(
        &self,
        network: &Network,
        (source, destination): (u32, u32),
        most: usize,
        way: &mut Vec<(u32, bool)>,
    ) -> Result<usize, String> {
        let (mut here, mut input) = (source, None);
        while way.len() <= most {
            let alike = !self.is_own(here, input, destination);
            let known = self.hops[self.at(here, destination)];
            if here == destination || (alike && known > 0) {
                return Ok(known.into());
            }
            let Some(hop) = self.hop(here, input, destination) else {
                return Err(format!(
                    "router {here} has no way to {destination}, and the route from router {source} leads there"
                ));
            };
            way.push((here, alike));
            let far = network.ahead(here, usize::from(hop.port)).expect("hops lead along links");
            (here, input) = (far.router, Some(far.port as u8));
        }
        Ok(0)
    }

    /// Whether packets from this input have a hop of their own.
    fn is_own(&self, router: u32, input: Option<u8>, destination: u32) -> bool {
        let Some(input) = input.filter(|_| self.next[self.at(router, destination)].by_input) else { return false };
        self.by_input.binary_search_by_key(&(destination, router, input), |entry| entry.0).is_ok()
    }
}

fn circle(network: &Network, source: u32, destination: u32) -> String {
    let most = most_hops(network);
    let what = if network.grid().is_some() { ", twice across the network" } else { "" };
    format!(
        "the route from router {source} to {destination} goes round in a circle, or is longer than {most} hops{what}"
    )
}

/// The most hops of a route. Runs on grids allow for packets that cross the network twice.
pub fn most_hops(network: &Network) -> usize {
    match network.grid() {
        Some(grid) => 2 * grid.radix().iter().sum::<u32>() as usize,
        // No way between two routers need be longer than one by way of router 0.
        None => 8 + 4 * distances(network, 0).into_iter().max().unwrap_or(0) as usize,
    }
}

/// Routers that packets may travel between: those with nodes, and all of a grid.
fn all_ends(network: &Network) -> Vec<u32> {
    match network.grid() {
        Some(_) => (0..network.routers() as u32).collect(),
        None => ends(network).collect(),
    }
}

/// Pairs of different routers with nodes: source and destination, by destination, then source.
fn pairs(network: &Network) -> impl Iterator<Item = (u32, u32)> + '_ {
    let sources = |to| ends(network).filter(move |&from| from != to).map(move |from| (from, to));
    ends(network).flat_map(sources)
}

#[cfg(test)]
mod tests;
