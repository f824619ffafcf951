//! Off: heads wait for as long as it takes.
//!
//! Paper:    none.
//! Acts:     never.
//! Sees:     nothing.
//! State:    none.
//! Differs from the paper: nothing known.

use tailback_engine::contract::recovery::Recovery;
use tailback_engine::packet::Packet;
use tailback_spec::Entry;

/// No recovery.
pub static ENTRY: Entry = Entry {
    name: "off",
    summary: "heads wait as long as necessary; there is no recovery lane",
    paper: "",
    ideal: false,
    params: &[],
};

/// No recovery.
#[derive(Clone, Copy, Debug)]
pub struct Off;

tailback_base::stateless!(Off);

impl Recovery for Off {
    fn lane_flits(&self) -> u32 {
        0
    }

    #[inline]
    fn step(&mut self, _cycle: u64) {}

    #[inline]
    fn takes_over(&mut self, _router: u32, _attempts: u32) -> bool {
        false
    }

    fn port(&self, _router: u32, _packet: &Packet) -> u8 {
        0
    }

    fn arrived(&mut self, _router: u32) {}

    fn fits(&self, _now: u64, taken_over: usize) -> bool {
        taken_over == 0
    }
}
