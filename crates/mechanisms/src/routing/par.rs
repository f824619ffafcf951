//! PAR, progressive adaptive routing: as UGAL-L, and once more behind a minimal local hop.
//!
//! Paper:    Jiang, Kim, Dally, ISCA 2009.
//! Acts:     at the source, and at the second router of its group if the packet came by a minimal hop and goes to another group.
//! Sees:     what its router owes to the first hops of both ways, at the end of the cycle before.
//! State:    none.
//! Differs from the paper: the comparison is that of UGAL-L with the hops of both whole ways from where the head is. A detour stands once it
//! is taken.

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
use tailback_spec::{Entry, View};

/// As ugal_l, and a packet may still turn to its detour behind a minimal local hop (progressive adaptive routing).
pub static ENTRY: Entry = Entry {
    name: "par",
    summary: "as ugal_l, and a packet may still turn to its detour behind a minimal local hop (progressive adaptive routing)",
    paper: "Jiang et al., ISCA 2009",
    ideal: false,
    params: &[TO, CLASSES, THRESHOLD, BIAS, DRAWS],
};

/// The routing.
#[derive(Clone, Debug)]
pub struct Par {
    ugal: Ugal,
}

impl Listed for Par {
    without_grid!();

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let ugal = Ugal::new(view, built, channels, Turns::BehindLocal)?;
        Ok(Par { ugal })
    }
}

impl Routing for Par {
    as_ugal!();

    fn sight(&self) -> Sight {
        Sight::Own
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        self.ugal.decide(head, packet, word, |packet, word| self.ugal.choose(head.router, packet, word, queues))
    }
}
