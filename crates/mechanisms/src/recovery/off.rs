//! Off: heads wait for as long as it takes.
//!
//! Paper:    none.
//! Acts:     never.
//! Sees:     nothing.
//! State:    none.
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_engine::contract::recovery::Recovery;
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Entry, View};

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

impl Listed for Off {
    fn build(_view: View, _grid: &Grid) -> Self {
        Off
    }
}

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
}
