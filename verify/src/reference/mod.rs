//! The cut-through router, flit by flit: the slow twin of the engine, written to be read.
//!
//! Every cycle it looks at every input of every router and moves every flit by itself. It shares nothing with the engine
//! but the traffic and the random numbers: wiring, routes, credits, arbitration and throttling are written again, from the
//! cycle model alone. Where both agree on every packet, either both are right or both misread the model in the same way.
//!
//! Read it in this order: [`network`] (what happens in a cycle), [`router`], [`buffer`] and [`packet`] (where a flit is),
//! [`route`], [`graph`] and [`sight`], [`lines`] (where it goes), [`source`] (where it comes from), [`throttle`] (what holds it back).

pub mod buffer;
pub mod config;
pub mod graph;
pub mod lines;
pub mod network;
pub mod packet;
pub mod route;
pub mod router;
pub mod script;
pub mod sight;
pub mod source;
#[cfg(test)]
mod tests;
pub mod throttle;

pub use config::{
    Admission, Arbiter, Config, CrossLine, Datelines, Level, Numbering, Place, Propagation, Registers, Tie, Wires,
};
pub use graph::Graph;
pub use network::Network;
pub use packet::Delivered;

use tailback_traffic::Traffic;

/// What a run of the reference model gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The packets delivered, by source and index.
    pub delivered: Vec<Delivered>,
    /// Flits in all buffers at the end of each cycle.
    pub occupancy: Vec<u64>,
    /// Packets whose head has left the source queue and whose tail has not arrived, at the end of each cycle.
    pub in_flight: Vec<u64>,
}

/// Simulates the cycles `0..cycles` of an empty network.
pub fn run(config: &Config, traffic: &Traffic, cycles: u64) -> Outcome {
    let mut network = Network::new(config, traffic);
    let (mut occupancy, mut in_flight) = (Vec::new(), Vec::new());
    for _ in 0..cycles {
        network.step();
        occupancy.push(network.buffered_flits());
        in_flight.push(network.in_flight());
    }
    Outcome { delivered: network.delivered(), occupancy, in_flight }
}
