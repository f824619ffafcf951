//! Probes watch. They are type parameters with empty defaults, so a run without them contains no trace of them.

use crate::occupancy::Occupancy;
use crate::packet::Packet;

/// A packet whose tail has arrived.
#[derive(Clone, Copy, Debug)]
pub struct Delivery<'a> {
    /// Cycle in which its tail has been received.
    pub cycle: u64,
    /// The packet.
    pub packet: &'a Packet,
}

/// A head that was granted an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The current cycle.
    pub cycle: u64,
    /// The router.
    pub router: u32,
    /// Network port and virtual channel, or `None` when the packet is consumed.
    pub channel: Option<(u8, u8)>,
    /// Packet length.
    pub flits: u32,
    /// Whether the packet comes from an injection queue.
    pub injected: bool,
}

/// The state a probe may read at the end of a cycle.
#[derive(Clone, Copy, Debug)]
pub struct EndOfCycle<'a> {
    /// The cycle that ends.
    pub cycle: u64,
    /// Packets whose head has left the source queue and whose tail has not arrived.
    pub in_flight: u64,
    /// Flits in the buffers, when some probe or throttle needs them.
    pub occupancy: Option<&'a Occupancy>,
}

/// A watcher. Every hook is optional.
pub trait Probe {
    /// Whether [`EndOfCycle::occupancy`] is needed.
    fn needs_occupancy(&self) -> bool {
        false
    }

    /// A packet came to the head of its source queue; later ones of the same source have not been made yet.
    #[inline]
    fn started(&mut self, _packet: &Packet) {}

    /// An output was granted.
    #[inline]
    fn granted(&mut self, _grant: Grant) {}

    /// A tail has arrived.
    #[inline]
    fn delivered(&mut self, _delivery: Delivery<'_>) {}

    /// A cycle ends.
    #[inline]
    fn end_of_cycle(&mut self, _end: EndOfCycle<'_>) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {}

impl<A: Probe, B: Probe> Probe for (A, B) {
    fn needs_occupancy(&self) -> bool {
        self.0.needs_occupancy() || self.1.needs_occupancy()
    }

    #[inline]
    fn started(&mut self, packet: &Packet) {
        self.0.started(packet);
        self.1.started(packet);
    }

    #[inline]
    fn granted(&mut self, grant: Grant) {
        self.0.granted(grant);
        self.1.granted(grant);
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.0.delivered(delivery);
        self.1.delivered(delivery);
    }

    #[inline]
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.0.end_of_cycle(end);
        self.1.end_of_cycle(end);
    }
}

impl<A: Probe> Probe for Option<A> {
    fn needs_occupancy(&self) -> bool {
        self.as_ref().is_some_and(Probe::needs_occupancy)
    }

    #[inline]
    fn started(&mut self, packet: &Packet) {
        if let Some(probe) = self {
            probe.started(packet);
        }
    }

    #[inline]
    fn granted(&mut self, grant: Grant) {
        if let Some(probe) = self {
            probe.granted(grant);
        }
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery<'_>) {
        if let Some(probe) = self {
            probe.delivered(delivery);
        }
    }

    #[inline]
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        if let Some(probe) = self {
            probe.end_of_cycle(end);
        }
    }
}
