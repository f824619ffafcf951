//! UGAL-G: a packet takes its minimal way or a detour, by all queues on both ways: an ideal.
//!
//! Paper:    Singh 2005; Kim et al., ISCA 2008.
//! Acts:     once at the source, when the packet may ask for the first time.
//! Sees:     what every router on both ways owes to the hops of these, at the end of the cycle before. No router could know.
//! State:    none.
//! Differs from the papers: the sums of all queues of both ways are compared. A tie is for the minimal way.

use super::classes::{PARAM as CLASSES, Turns};
use super::detour::{Detours, TO, Way};
use super::threshold::{BIAS, DRAWS};
use super::ugal::{Ugal, as_ugal, without_grid};
use super::{Conditions, Listed, Routes};
use crate::Refusal;
use tailback_base::bits::ones;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_spec::{Entry, View};

/// An ideal.
pub static ENTRY: Entry = Entry {
    name: "ugal_g",
    summary: "an ideal: minimal or by a detour, whichever has fewer flits in all queues of its way (UGAL-G)",
    paper: "Kim et al., ISCA 2008",
    ideal: true,
    params: &[TO, CLASSES, BIAS, DRAWS],
};

/// The routing.
#[derive(Clone, Debug)]
pub struct UgalG {
    ugal: Ugal,
}

impl Listed for UgalG {
    without_grid!();

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let ugal = Ugal::new(view, built, channels, Turns::AtSource)?;
        Ok(UgalG { ugal })
    }
}

impl Routing for UgalG {
    as_ugal!();

    fn sight(&self) -> Sight {
        Sight::Everywhere
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        let at = head.router;
        self.ugal.decide(head, packet, word, |packet, word| {
            let flits = |way: Way| {
                let mut sum = 0;
                self.ugal.detours.each_hop(at, packet, way.word, |router, port, channels| {
                    sum += ones(channels.into()).map(|c| queues.owed_at(router, port, c as u8)).sum::<u32>();
                });
                sum
            };
            let minimal = self.ugal.detours.minimal(at, packet, word);
            let best = self.ugal.best(at, packet, word, flits);
            let better = best.filter(|&best| self.ugal.threshold.is_less(best.1, flits(minimal)));
            better.map_or(minimal, |better| better.0)
        })
    }
}
