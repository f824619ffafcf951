//! What became of all packets of a reference model, one by one.

use tailback_engine::{Amount, Totals};

/// Where a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// No flit of it has left its source queue.
    Source,
    /// Some flit has, and its tail has not been received.
    Network,
    /// Its tail has been received.
    Node,
}

impl Whereabouts {
    /// Of a packet that has entered the network, or not, and has been delivered, or not.
    pub fn of(entered: bool, delivered: bool) -> Whereabouts {
        match (entered, delivered) {
            (_, true) => Whereabouts::Node,
            (true, false) => Whereabouts::Network,
            (false, false) => Whereabouts::Source,
        }
    }
}

/// The totals of all packets ever made, each with its flits and where it is.
pub fn totals(packets: impl Iterator<Item = (u32, Whereabouts)>) -> Totals {
    let mut totals = Totals::default();
    for (flits, place) in packets {
        let at = match place {
            Whereabouts::Source => &mut totals.in_sources,
            Whereabouts::Network => &mut totals.in_network,
            Whereabouts::Node => &mut totals.delivered,
        };
        for amount in [at, &mut totals.generated] {
            *amount = Amount { packets: amount.packets + 1, flits: amount.flits + u64::from(flits) };
        }
    }
    totals
}
