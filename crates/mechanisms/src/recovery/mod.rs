//! Recovery: what happens to a head that has waited too long.

mod disha;
mod off;

use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::recovery::Recovery;
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::View;

crate::registry::registry! {
    /// A recovery that a spec can name.
    Recovery: off::Off, disha::Disha;

    section {
        path: "recovery",
        doc: "What happens to a head that has waited too long, under wormhole.",
        default: off,
        params: &[],
        idle: &[]
    }

    /// Builds the recovery of a resolved `recovery` section.
    pub fn build(view: View, grid: &Grid) -> Any;

    impl State {
        fn save(&self, to: &mut Writer);
        fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit>;
    }

    impl Recovery {
        fn lane_flits(&self) -> u32;
        #[inline]
        fn step(&mut self, cycle: u64);
        #[inline]
        fn takes_over(&mut self, router: u32, attempts: u32) -> bool;
        fn port(&self, router: u32, packet: &Packet) -> u8;
        fn arrived(&mut self, router: u32);
        fn fits(&self, now: u64, taken_over: usize) -> bool;
    }
}

/// None: heads wait until they get what they ask for.
pub fn off() -> Any {
    Any::Off(off::Off)
}
