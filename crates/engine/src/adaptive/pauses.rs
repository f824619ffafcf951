//! What pauses, and until when, and since when heads have asked.

use super::events::RouterPort;
use super::members::Members;
use super::router::{Pace, Router};
use super::state::Layout;
use crate::wheel::Wheel;

/// What pauses, and until when.
#[derive(Clone, Debug)]
pub(super) struct Pauses {
    /// Outputs that pause: channels between routers, then ejection channels.
    pub outputs: Wheel<RouterPort>,
    /// Per input (`router * NI + input`), the cycle from which on it may send; empty where inputs do not pause.
    pub inputs: Vec<u64>,
    /// Per input, the cycle from which on the head at its front might ask; empty unless the first comes first.
    pub since: Vec<u64>,
}

tailback_base::state!([] Pauses { saved: outputs, inputs, since; });

/// Bytes of a router's pauses, for estimates.
pub(super) fn router_bytes(router: &Router, inputs: usize, outputs: usize) -> usize {
    let pace = &router.pace;
    let words = usize::from(pace.input_gap_cycles > 0) + usize::from(pace.first_come);
    let outputs = if pace.output_gap_cycles > 0 { outputs * size_of::<RouterPort>() } else { 0 };
    words * inputs * size_of::<u64>() + outputs
}

impl Pauses {
    /// Nothing pauses.
    pub fn new(pace: &Pace, layout: &Layout, routers: usize, inputs: usize) -> Self {
        let all = routers * inputs;
        let most =
            if pace.output_gap_cycles > 0 { routers * (layout.network + layout.nodes * layout.ejection) } else { 0 };
        Pauses {
            outputs: Wheel::new(pace.output_gap_cycles.into(), most),
            inputs: vec![0; if pace.input_gap_cycles > 0 { all } else { 0 }],
            since: vec![0; if pace.first_come { all } else { 0 }],
        }
    }

    /// The cycle from which on a head that comes to the front of an input may ask, if that is `asks` without a pause.
    #[inline]
    pub fn asks_from(&mut self, input: usize, asks: u64) -> u64 {
        let asks = self.inputs.get(input).map_or(asks, |&rests| asks.max(rests));
        if let Some(since) = self.since.get_mut(input) {
            *since = asks;
        }
        asks
    }

    /// Those of the inputs of a router whose heads might ask first; the router's inputs begin with `first`.
    #[inline]
    pub fn first_come<S: Members>(&self, first: usize, inputs: S) -> S {
        let since = |input: usize| self.since[first + input];
        let earliest = inputs.each().map(since).min();
        inputs.that(|input| Some(since(input)) == earliest)
    }
}
