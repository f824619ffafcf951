//! What became of all packets since cycle 0.

use crate::outcome::Counters;
use crate::packet::Packet;
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::{AddAssign, Range};
use tailback_traffic::Generated;

/// Packets and all their flits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    /// Packets.
    pub packets: u64,
    /// Their flits.
    pub flits: u64,
}

impl Amount {
    /// One packet of so many flits.
    pub fn one(flits: u32) -> Self {
        Amount { packets: 1, flits: u64::from(flits) }
    }

    /// All of them but those of `part`, which are some of them.
    pub(crate) fn without(self, part: Amount) -> Self {
        Amount { packets: self.packets.wrapping_sub(part.packets), flits: self.flits.wrapping_sub(part.flits) }
    }
}

impl AddAssign for Amount {
    // What a forged checkpoint says may be too much for 64 bits.
    fn add_assign(&mut self, other: Amount) {
        self.packets = self.packets.wrapping_add(other.packets);
        self.flits = self.flits.wrapping_add(other.flits);
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(amounts: I) -> Self {
        let mut all = Amount::default();
        amounts.for_each(|amount| all += amount);
        all
    }
}

impl<'p> Sum<&'p Packet> for Amount {
    fn sum<I: Iterator<Item = &'p Packet>>(packets: I) -> Self {
        packets.map(|packet| Amount::one(packet.flits)).sum()
    }
}

/// Packets of one node that it made in one cycle, one after the other: nobody looks at them one by one, for they may be many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lot {
    /// The cycle.
    pub cycle: u64,
    /// The number of the first one.
    pub first: u64,
    /// How many, and their flits.
    pub amount: Amount,
}

impl Lot {
    /// The numbers of its packets.
    pub fn numbers(&self) -> Range<u64> {
        self.first..self.first + self.amount.packets
    }
}

impl From<Generated> for Lot {
    fn from(packet: Generated) -> Self {
        Lot { cycle: packet.cycle, first: packet.index, amount: Amount::one(packet.flits) }
    }
}

/// What became of all packets that were made from cycle 0 on. Each of the four is counted where it is, none from the others. A packet
/// is in its source, with all its flits, until its head leaves the source queue; from then on it is in the network, with all its
/// flits, until its tail is consumed; then it is delivered, with all its flits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// What the sources have made. A packet for which a finite queue has no room is not made.
    pub generated: Amount,
    /// What was delivered.
    pub delivered: Amount,
    /// What is in the sources.
    pub in_sources: Amount,
    /// What is in the network.
    pub in_network: Amount,
}

impl Totals {
    /// Those of a network with these counters, in which `known` packets are, in the network or at the front of a source;
    /// `in_fronts` are those of them that have not entered, `behind` all others that the sources have made.
    pub(crate) fn new(
        generated: Amount,
        counters: &Counters,
        known: Amount,
        in_fronts: Amount,
        behind: Amount,
    ) -> Self {
        Totals {
            generated,
            delivered: Amount { packets: counters.delivered, flits: counters.delivered_flits },
            in_sources: [in_fronts, behind].into_iter().sum(),
            in_network: known.without(in_fronts),
        }
    }

    pub(crate) fn to_array(self) -> [u64; 8] {
        let Totals { generated, delivered, in_sources, in_network } = self;
        let [a, b, c, d] = [generated, delivered, in_sources, in_network].map(|of| [of.packets, of.flits]);
        [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
    }

    pub(crate) fn from_array(of: [u64; 8]) -> Self {
        let at = |n: usize| Amount { packets: of[2 * n], flits: of[2 * n + 1] };
        Totals { generated: at(0), delivered: at(1), in_sources: at(2), in_network: at(3) }
    }

    /// Whether what was made is what was delivered and what is in the sources and in the network.
    pub fn add_up(&self) -> bool {
        self.generated == [self.delivered, self.in_sources, self.in_network].into_iter().sum()
    }
}

impl Sum for Totals {
    /// Of parts of a network.
    fn sum<I: Iterator<Item = Totals>>(parts: I) -> Self {
        let mut all = Totals::default();
        for part in parts {
            all.generated += part.generated;
            all.delivered += part.delivered;
            all.in_sources += part.in_sources;
            all.in_network += part.in_network;
        }
        all
    }
}
