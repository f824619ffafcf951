//! Room for what heads without a channel ask of the switch.

use super::allocators::requests::Requests;
use super::router::{Priority, Router};

/// Room for the hopes of a router in a step.
#[derive(Clone, Debug)]
pub(super) struct Hopes {
    /// Requests for the allocator that heads have for themselves; empty where they have none.
    pub requests: Requests,
    /// By crossbar input and output: the channel for which the input asks.
    pub labels: Vec<u8>,
    /// Channels that did not find what they need at one of the ports that they may take.
    pub vain: Vec<u64>,
    /// Channels whose flits go.
    pub granted: Vec<u16>,
}

impl Hopes {
    /// Room for routers with so many channels, and so many inputs and outputs of the crossbar.
    pub fn new(config: &Router, words: usize, (ins, outs): (usize, usize)) -> Self {
        let (off, apart) = (config.speculation.needs().is_none(), config.speculation.allocator().is_some());
        let ranked = config.priority != Priority::None;
        Hopes {
            requests: match (apart, ranked) {
                (true, true) => Requests::with_ranks(ins, outs),
                (true, false) => Requests::new(ins, outs),
                (false, _) => Requests::new(0, 0),
            },
            labels: vec![0; if apart { ins * outs } else { 0 }],
            vain: vec![0; if off { 0 } else { words }],
            granted: Vec::with_capacity(if off { 0 } else { ins }),
        }
    }
}
