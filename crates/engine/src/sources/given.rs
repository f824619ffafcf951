//! What a source has given so far, where its messages come from a program or a host.

use crate::totals::Amount;
use serde::{Deserialize, Serialize};
use tailback_traffic::Generated;

/// The packets that a source has given.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Given {
    /// How many, and their flits.
    pub packets: u64,
    pub flits: u64,
    /// The last one.
    pub last: Option<Generated>,
}

impl Given {
    /// One more.
    pub fn add(&mut self, packet: Generated) {
        (self.packets, self.flits, self.last) = (self.packets + 1, self.flits + u64::from(packet.flits), Some(packet));
    }

    /// The first `packets` packets of the source. `ahead` counts the flits of so many that follow the ones that it has given, if there
    /// are so many; flits that nobody knows are `u64::MAX`.
    pub fn made(&self, packets: u64, ahead: impl FnOnce(u64) -> Option<u64>) -> Amount {
        let flits = match packets.checked_sub(self.packets) {
            Some(0) => Some(self.flits),
            Some(more) => ahead(more).map(|flits| self.flits + flits),
            None if packets + 1 == self.packets => {
                self.flits.checked_sub(self.last.map_or(0, |last| u64::from(last.flits)))
            }
            None => None,
        };
        Amount { packets, flits: flits.unwrap_or(u64::MAX) }
    }

    /// Whether it may have given this packet, if its packets have `shortest` to `longest` flits.
    pub fn may_be(&self, packet: &Generated, (shortest, longest): (u32, u32)) -> bool {
        let last = self.last.filter(|last| last.index == packet.index);
        let same = last.is_none_or(|last| (last.destination, last.flits) == (packet.destination, packet.flits));
        same && (shortest..=longest).contains(&packet.flits) && packet.index < self.packets
    }

    /// Whether this packet is the last one, or a later instant of it.
    pub fn stands_behind(&self, packet: &Generated) -> bool {
        self.last.is_some_and(|last| last.index == packet.index && last.cycle <= packet.cycle)
    }
}
