//! Virtual cut-through: a packet moves on when the next buffer has room for all of it.
//!
//! Paper:    `spth-2015` section 5.1 (its reference 25, Kermani and Kleinrock 1979).
//! Acts:     whenever room is judged.
//! Sees:     the credits of the channel.
//! State:    none.
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_engine::contract::flow_control::FlowControl;
use tailback_spec::{Entry, View};

/// Virtual cut-through.
pub static ENTRY: Entry = Entry {
    name: "virtual_cut_through",
    summary: "a packet moves on when the next buffer has room for all of it",
    paper: "spth-2015 section 5.1",
    ideal: false,
    params: &[],
};

/// Room for the whole packet, no bubble.
#[derive(Clone, Copy, Debug)]
pub struct VirtualCutThrough;

impl Listed for VirtualCutThrough {
    fn build(_view: View) -> Self {
        VirtualCutThrough
    }
}

impl FlowControl for VirtualCutThrough {}
