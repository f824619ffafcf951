//! A flow that somebody follows: the packets from one node to another, with the cycles in which they were made, entered and arrived.

use std::collections::BTreeMap;
use tailback_engine::packet::Packet;
use tailback_engine::{Delivery, Probe};

/// From which node to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
}

/// A packet of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passenger {
    /// The cycle in which it was made.
    pub made: u64,
    /// The cycle in which its head left the source queue.
    pub entered: Option<u64>,
    /// The cycle in which its tail arrived.
    pub arrived: Option<u64>,
}

/// The most packets that are remembered: the newest.
pub const MOST_PASSENGERS: usize = 512;

/// Writes down what becomes of the packets of a flow.
#[derive(Clone, Debug)]
pub(super) struct Log {
    pub flow: Flow,
    pub packets: BTreeMap<u64, Passenger>,
}

impl Log {
    pub fn new(flow: Flow) -> Log {
        Log { flow, packets: BTreeMap::new() }
    }

    fn see(&mut self, packet: &Packet, what: impl FnOnce(&mut Passenger)) {
        if packet.source != self.flow.source || packet.destination != self.flow.destination {
            return;
        }
        let made = packet.birth;
        what(self.packets.entry(packet.index).or_insert(Passenger { made, ..Passenger::default() }));
        if self.packets.len() > MOST_PASSENGERS {
            self.packets.pop_first();
        }
    }
}

impl Probe for Log {
    fn watches_flits(&self) -> bool {
        false
    }

    fn started(&mut self, packet: &Packet) {
        self.see(packet, |_| {});
    }

    fn entered(&mut self, cycle: u64, packet: &Packet) {
        self.see(packet, |passenger| passenger.entered = Some(cycle));
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        let entered = delivery.packet.entered;
        self.see(delivery.packet, |passenger| {
            passenger.entered.get_or_insert(entered);
            passenger.arrived = Some(delivery.cycle);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_packets_of_the_flow_are_written_down_and_not_all_of_them() {
        let mut log = Log::new(Flow { source: 1, destination: 2 });
        for index in 0..MOST_PASSENGERS as u64 + 5 {
            let packet = Packet { source: 1, destination: 2, index, birth: 7 * index, ..Packet::default() };
            log.started(&packet);
            log.entered(7 * index + 3, &packet);
            log.started(&Packet { destination: 3, ..packet });
            log.started(&Packet { source: 3, ..packet });
        }
        assert_eq!(log.packets.len(), MOST_PASSENGERS);
        let (index, first) = log.packets.first_key_value().unwrap();
        assert_eq!((*index, first.made, first.entered, first.arrived), (5, 35, Some(38), None));
    }
}
