//! What a rank has ready to be sent, looked at in its order: nothing of it is taken, and nothing is copied.

use super::rank::{Giving, Outbox, Site};
use super::soonest::Sorted;
use crate::totals::{Amount, Lot};
use tailback_traffic::Generated;

/// What is left of it.
pub(super) struct Ready<'s> {
    giving: Option<Giving>,
    sends: Sorted<'s, (u64, u32)>,
    /// Number of the next packet at its node.
    index: u64,
}

impl<'s> Ready<'s> {
    /// All that is ready.
    pub fn new(outbox: &'s Outbox) -> Self {
        Ready { giving: outbox.giving, sends: outbox.sends.iter(), index: outbox.given.packets }
    }

    /// The number of the next packet at its node.
    pub fn given(&self) -> u64 {
        self.index
    }

    /// The message of the next packet.
    fn message(&mut self, site: Site) -> Option<Giving> {
        self.giving.take().or_else(|| Giving::of(site, *self.sends.next()?).map(|(_, giving)| giving))
    }

    /// The next packet.
    pub fn give(&mut self, site: Site) -> Option<Generated> {
        let mut message = self.message(site)?;
        let packet = message.packet(site, self.index);
        self.giving = Some(message).filter(|message| message.left > 0);
        self.index += 1;
        Some(packet)
    }

    /// The packets of the next message, `most` of them at most: all but its last one have the same length.
    pub fn lot(&mut self, site: Site, most: u64) -> Option<Lot> {
        let mut message = self.message(site)?;
        let (cycle, first, all) = (message.cycle, self.index, message.left);
        let length = site.placed.next_packet(all);
        let packets = u64::from(all.div_ceil(length.max(1)).max(1)).min(most);
        let flits = (packets * u64::from(length)).min(u64::from(all));
        message.left -= flits as u32;
        self.giving = Some(message).filter(|message| message.left > 0);
        self.index += packets;
        Some(Lot { cycle, first, amount: Amount { packets, flits } })
    }
}
