//! UGAL-L: a packet takes its minimal way or a detour, by the queues of its own router.
//!
//! Paper:    Singh 2005; Kim et al., ISCA 2008.
//! Acts:     once at the source, when the packet may ask for the first time.
//! Sees:     what its router owes to the first hops of both ways, at the end of the cycle before.
//! State:    none.
//! Differs from the papers: hops are those of both whole ways. A tie is for the minimal way. No detour leads by the group of the source or of
//! the destination.

use super::classes::{PARAM as CLASSES, Turns};
use super::detour::{Detours, TO};
use super::threshold::{BIAS, DRAWS, THRESHOLD};
use super::ugal::{Ugal, as_ugal, without_grid};
use super::{Conditions, Listed, Routes};
use crate::Refusal;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_spec::{Entry, Fallback, Param, View};

/// Five packets more towards another group keep packets of uniform traffic on their minimal ways, on whose long links flits are owed
/// although nobody waits.
const OWN_THRESHOLD: Param = Param { fallback: Fallback::Text("fogsim"), ..THRESHOLD };

/// Minimal or by a detour, whichever has the shorter queue for its hops at the source router (UGAL-L).
pub static ENTRY: Entry = Entry {
    name: "ugal_l",
    summary: "minimal or by a detour, whichever has the shorter queue for its hops at the source router (UGAL-L)",
    paper: "Kim et al., ISCA 2008",
    ideal: false,
    params: &[TO, CLASSES, OWN_THRESHOLD, BIAS, DRAWS],
};

/// The routing.
#[derive(Clone, Debug)]
pub struct UgalL {
    ugal: Ugal,
}

impl Listed for UgalL {
    const DECIDES_AT_SOURCE: bool = true;

    without_grid!();

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let ugal = Ugal::new(view, built, channels, Turns::AtSource)?;
        Ok(UgalL { ugal })
    }
}

impl Routing for UgalL {
    as_ugal!();

    fn sight(&self) -> Sight {
        Sight::Own
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        self.ugal.decide(head, packet, word, |packet, word| self.ugal.choose(head.router, packet, word, queues))
    }
}
