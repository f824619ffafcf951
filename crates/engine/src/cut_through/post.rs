//! Post: what the routers of one part tell those of another.

use super::events::Arrival;
use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::returns::Event;
use super::share::{Mail, What};
use crate::packet::Slot;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Cycles after which what is decided in one part counts in another, at least.
    pub(super) fn lookahead(&self) -> u64 {
        let credits =
            if self.returns.whole_at_tail() { self.shortest as u64 } else { self.config.credit_cycles.into() };
        self.head_delay.min(credits)
    }

    /// A head leaves for a router of another part, where it may ask in cycle `then`.
    pub(super) fn post_head(&mut self, then: u64, arrival: Arrival) {
        let Arrival { router, input, slot: Slot { packet, word } } = arrival;
        self.share.post(router, then, What::Head { input, word, packet: self.packets[packet] });
    }

    /// Takes in what other parts have posted.
    pub(super) fn receive(&mut self, mail: &[Mail]) {
        for &Mail { router, then, what } in mail {
            let router = self.routers.id(router);
            match what {
                What::Head { input, word, packet } => {
                    let slot = Slot { packet: self.packets.insert(packet), word };
                    self.arrivals.push_to(then, self.blocks.of(router.get()), Arrival { router, input, slot });
                }
                What::Credit { port, channel, period, flits } => {
                    self.credit_from_afar(then, Event { router, port, channel, period, flits });
                }
            }
        }
    }
}
