//! Routers: inputs with their buffers, and output channels.

use super::arbiter::Arbiters;
use super::config::{Config, Sharing, Way};
use super::packet::Flit;
use std::collections::VecDeque;

/// The packet at the front of an input.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    /// The packet, as its place in the network's list.
    pub packet: usize,
    /// The first cycle in which its head may ask for an output channel.
    pub asks_from: u64,
    /// The output channel that it holds, and the cycle in which that was given.
    pub holds: Option<(usize, u64)>,
    /// Cycles in which its head asked in vain for channels of links.
    pub failures: u32,
    /// Whether it is in the recovery lane.
    pub in_lane: bool,
    /// Whether it may ask in this cycle as far as admission has a say.
    pub admitted: bool,
}

/// An input: a virtual channel of a link, or an injection channel.
#[derive(Clone, Debug)]
pub struct Input {
    /// Flits in it. Those of an injection channel wait in the source queue and only seem to be here.
    pub flits: VecDeque<Flit>,
    /// The packet that is being served, until its tail has been sent.
    pub front: Option<Front>,
    /// Flits that the buffer holds; an injection channel has none.
    pub capacity: usize,
}

impl Input {
    /// Takes a flit from a link. There is room: whoever sent it had a credit.
    pub fn receive(&mut self, flit: Flit) {
        assert!(self.flits.len() < self.capacity, "a flit was sent without a credit");
        if let Some(last) = self.flits.back() {
            let follows = last.packet == flit.packet && last.number + 1 == flit.number;
            assert!(follows || last.tail && flit.number == 0, "the flits of two packets are mixed");
        }
        self.flits.push_back(flit);
    }
}

/// An output channel: a virtual channel of a link, or an ejection channel.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Whether it was given to a packet and is not free again.
    pub held: bool,
    /// The cycle in which it is free again, once that is known.
    pub free_at: Option<u64>,
    /// Known free flits of the buffer downstream; ejection channels need none.
    pub credits: u32,
}

/// A router.
#[derive(Clone, Debug)]
pub struct Router {
    /// Those from links by port and channel, then injection channels node by node.
    pub inputs: Vec<Input>,
    /// Those of links by port and channel, then ejection channels node by node.
    pub outputs: Vec<Output>,
    /// Arbiters of channel allocation.
    pub channel_arbiters: Arbiters,
    /// Arbiters of the crossbar's inputs.
    pub input_arbiters: Arbiters,
    /// Arbiters of the crossbar's outputs.
    pub output_arbiters: Arbiters,
}

impl Router {
    /// A router in an empty network.
    pub fn new(config: &Config) -> Self {
        let input = |input: usize| {
            let capacity = config.from_link(input).map_or(0, |(_, channel)| config.buffer_of(channel) as usize);
            Input { flits: VecDeque::new(), front: None, capacity }
        };
        let output = |output: usize| {
            let credits = match config.way(output) {
                Way::Network { channel, .. } => config.buffer_of(channel),
                Way::Ejection(_) => 0,
            };
            Output { held: false, free_at: None, credits }
        };
        let [channels, inputs, outputs] = config.arbiter_seeds().map(|seed| Arbiters::new(config.arbiter, seed));
        Router {
            inputs: (0..config.inputs()).map(input).collect(),
            outputs: (0..config.outputs()).map(output).collect(),
            channel_arbiters: channels,
            input_arbiters: inputs,
            output_arbiters: outputs,
        }
    }

    /// Whether a flit could be sent into an output channel.
    pub fn has_credit(&self, config: &Config, output: usize) -> bool {
        matches!(config.way(output), Way::Ejection(_)) || self.outputs[output].credits > 0
    }

    /// A tail was sent into an output channel in cycle `now`. An owned channel waits for its credit.
    pub fn tail_sent(&mut self, config: &Config, output: usize, now: u64) {
        if !waits_for_tail(config, output) {
            self.outputs[output].free_at = Some(now + 1);
        }
    }

    /// The credit of a flit that was sent into an output channel is back.
    pub fn credit(&mut self, config: &Config, output: usize, tail: bool) {
        self.outputs[output].credits += 1;
        if tail && waits_for_tail(config, output) {
            self.outputs[output].held = false;
        }
    }

    /// Cycle `now` begins: output channels whose time has come are free.
    pub fn free_outputs(&mut self, now: u64) {
        for output in &mut self.outputs {
            if output.free_at == Some(now) {
                (output.held, output.free_at) = (false, None);
            }
        }
    }

    /// The injection channels of the node at a place, as inputs.
    pub fn injection_inputs(config: &Config, local: usize) -> std::ops::Range<usize> {
        let channels = config.injection_channels as usize;
        let first = config.network_channels() + local * channels;
        first..first + channels
    }
}

/// Whether an output channel is free only when the credit of the tail is back.
fn waits_for_tail(config: &Config, output: usize) -> bool {
    match config.way(output) {
        Way::Ejection(_) => false,
        Way::Network { channel, .. } => config.sharing == Sharing::Owned || Some(channel) == config.lane(),
    }
}
