//! Watchers that no spec can name: who looks for one packet, or measures what only a study asks for.
//!
//! They stand beside the probes of a spec in [`crate::Watch`], so that the loops of the engine are compiled for one watcher.

use std::any::Any;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::packet::Packet;
use tailback_engine::{Delivery, Probe};

/// A watcher beside the probes of a spec. It is told of packets that start, enter and arrive, and of the end of every cycle.
pub trait Beside: Probe + Send + Any {}

impl<P: Probe + Send + Any> Beside for P {}

impl Probe for Box<dyn Beside> {
    fn needs_occupancy(&self) -> bool {
        (**self).needs_occupancy()
    }

    fn reads_levels(&self, cycle: u64) -> bool {
        (**self).reads_levels(cycle)
    }

    fn started(&mut self, packet: &Packet) {
        (**self).started(packet);
    }

    fn entered(&mut self, cycle: u64, packet: &Packet) {
        (**self).entered(cycle, packet);
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        (**self).delivered(delivery);
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        (**self).end_of_cycle(end);
    }
}
