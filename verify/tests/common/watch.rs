//! What the engine shows of a network, for comparison with the reference model.

use super::twins::buffers;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::{Delivery, Probe};
use tailback_verify::bridge::Deliveries;

/// What the engine shows.
#[derive(Default)]
pub struct Watch {
    /// All deliveries.
    pub deliveries: Deliveries,
    /// Packets that have been made and not delivered.
    pub in_flight: u64,
    /// Flits in the buffers, by router, port and virtual channel.
    pub levels: Vec<usize>,
    /// Routers, ports and virtual channels.
    pub size: (usize, usize, usize),
}

impl Probe for Watch {
    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.deliveries.delivered(delivery);
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.in_flight = end.in_flight;
        let occupancy = end.occupancy.expect("it was asked for");
        let level = |(router, port, channel)| usize::from(occupancy.level(router as u32, port, channel));
        self.levels = buffers(self.size).map(level).collect();
    }
}
