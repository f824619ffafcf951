//! Off: heads wait for as long as it takes.
//!
//! Paper:    none.
//! Acts:     never.
//! Sees:     nothing.
//! State:    none.
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_engine::contract::recovery::Recovery;
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
    fn fits(&self, _now: u64, taken_over: usize) -> bool {
        taken_over == 0
    }
}
