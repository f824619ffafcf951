//! What is counted of one class of packets, and what that comes to.

use super::sums::{Extent, Rate, Sum};

/// What a period, or all that is measured, comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// First cycle after it.
    pub cycle: u64,
    /// Latency of packets from their birth on \[cycles\].
    pub latency: Extent,
    /// The same from the head's entering the network on.
    pub network_latency: Extent,
    /// Latency of flits; `None` where packets have several, which are not told apart.
    pub flit_latency: Option<Extent>,
    /// Cycles between the arrivals of head and tail beyond those of the flits between them, over measured packets; known likewise.
    pub fragmentation: Option<Extent>,
    /// Routers that packets pass.
    pub routers: f64,
    /// Rates of packets that nodes sent, and received.
    pub packets: [Rate; 2],
    /// Rates of flits that nodes sent, and received.
    pub flits: [Rate; 2],
    /// Flits in flight, and those of measured packets among them.
    pub in_flight: [u64; 2],
    /// Relative changes of latency and accepted load since the period before; of several classes, the largest.
    pub changes: [f64; 2],
}

/// The counts of a class.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    pub latency: Sum,
    pub network_latency: Sum,
    /// Of all packets, those that are not measured among them.
    pub flit_latency: Sum,
    pub fragmentation: Sum,
    pub hops: u64,
    /// Packets and flits that nodes sent, and received.
    pub packets: [Vec<u64>; 2],
    pub flits: [Vec<u64>; 2],
    /// Flits in flight, and the births of all of them, summed.
    pub in_flight: u64,
    pub births: u64,
    /// Flits of measured packets that have not arrived.
    pub measured_in_flight: u64,
    /// Sum and number of latencies of each pair of nodes; nothing where these are not told apart.
    pub pairs: Vec<(u64, u64)>,
}

/// When a block ends, and what it covers.
pub(super) struct Span {
    /// First cycle after it.
    pub cycle: u64,
    /// Cycles over which nodes counted.
    pub cycles: u64,
    /// Whether the times of flits are known.
    pub flits: bool,
    pub changes: [f64; 2],
}

impl Counts {
    /// Nothing, of so many nodes and pairs of nodes.
    pub fn new(nodes: usize, pairs: usize) -> Self {
        let none = || [vec![0; nodes], vec![0; nodes]];
        let zero = Sum::default();
        Counts {
            latency: zero,
            network_latency: zero,
            flit_latency: zero,
            fragmentation: zero,
            hops: 0,
            packets: none(),
            flits: none(),
            in_flight: 0,
            births: 0,
            measured_in_flight: 0,
            pairs: vec![(0, 0); pairs],
        }
    }

    /// Sums begin anew; what is in flight is.
    pub fn clear(&mut self) {
        for sum in [&mut self.latency, &mut self.network_latency, &mut self.flit_latency, &mut self.fragmentation] {
            *sum = Sum::default();
        }
        self.hops = 0;
        self.packets.iter_mut().chain(&mut self.flits).for_each(|counts| counts.fill(0));
        self.pairs.fill((0, 0));
    }

    /// Mean over the latencies of delivered packets and the ages of flits in flight \[cycles\].
    pub fn aged(&self, now: u64) -> f64 {
        let ages = (now * self.in_flight).wrapping_sub(self.births);
        (self.latency.sum + ages) as f64 / (self.latency.count + self.in_flight) as f64
    }

    /// Adds those of another class.
    pub fn merge(&mut self, other: &Counts) {
        self.latency.merge(other.latency);
        self.network_latency.merge(other.network_latency);
        self.flit_latency.merge(other.flit_latency);
        self.fragmentation.merge(other.fragmentation);
        self.hops += other.hops;
        let add = |(sum, count): (&mut u64, &u64)| *sum += count;
        for (own, others) in [(&mut self.packets, &other.packets), (&mut self.flits, &other.flits)] {
            own.iter_mut().flatten().zip(others.iter().flatten()).for_each(add);
        }
        self.in_flight += other.in_flight;
        self.births = self.births.wrapping_add(other.births);
        self.measured_in_flight += other.measured_in_flight;
        for (own, others) in self.pairs.iter_mut().zip(&other.pairs) {
            *own = (own.0 + others.0, own.1 + others.1);
        }
    }

    /// What they come to.
    pub fn block(&self, span: Span) -> Block {
        let rates = |counts: &[Vec<u64>; 2]| [0, 1].map(|side| Rate::of(&counts[side], span.cycles));
        Block {
            cycle: span.cycle,
            latency: self.latency.extent(),
            network_latency: self.network_latency.extent(),
            flit_latency: span.flits.then(|| self.flit_latency.extent()),
            fragmentation: span.flits.then(|| self.fragmentation.extent()),
            routers: self.hops as f64 / self.latency.count as f64 + 1.0,
            packets: rates(&self.packets),
            flits: rates(&self.flits),
            in_flight: [self.in_flight, self.measured_in_flight],
            changes: span.changes,
        }
    }
}
