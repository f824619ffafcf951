//! The cycle of every run: the data paths with the mechanisms of the catalogue, under the eyes of the probes of a run.
//!
//! What a crate makes of a generic function is compiled as that crate is. The cycle has to be fast, and is compiled here. Building a
//! network, its checkpoints, audits and looks are many times as much code, which `tailback-sim` compiles for size.

use tailback_engine::{Adaptive, CutThrough, InputQueued, Ioq, Network, Partitioned, Wormhole};
use tailback_mechanisms::Bundle;
use tailback_probes::Watch;

/// A network whose cycle is compiled here.
pub trait Simulated: Network {
    /// Simulates up to cycle `stop`, as [`Network::advance`] does.
    fn simulate(&mut self, watches: &mut [Watch], stop: u64);
}

macro_rules! simulated {
    ($($network:ty),+) => {
        $(impl Simulated for $network {
            // Inlined elsewhere, it would be compiled there.
            #[inline(never)]
            fn simulate(&mut self, watches: &mut [Watch], stop: u64) {
                self.advance(watches, stop);
            }
        })+
    };
}

simulated!(
    CutThrough<'_, Bundle>,
    Partitioned<'_, CutThrough<'_, Bundle>>,
    Wormhole<'_, Bundle>,
    Adaptive<'_, Bundle>,
    Ioq<'_, Bundle>,
    InputQueued<'_, Bundle>
);
