//! Routers: input channels with their buffers, the crossbar, output queues, and credits that wait to be sent.

use super::allocators::Matcher;
use super::config::{Config, HALVES, Half, Ports, Speculation};
use super::output::OutputChannel;
use crate::wormhole::packet::Flit;
use std::collections::{BTreeSet, VecDeque};

/// What the packet at the front of an input channel is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// There is none.
    Idle,
    /// Its head is to be routed; where that has begun, the cycle in which it is done.
    Routing(Option<u64>),
    /// Its head asks for one of these channels.
    Asking(Vec<Wish>),
    /// It has a channel of an output port.
    Active {
        /// The output port.
        port: usize,
        /// The channel.
        channel: usize,
    },
}

/// A channel that a head may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The output port.
    pub port: usize,
    /// The channel.
    pub channel: usize,
    /// Higher where the head would rather have it.
    pub priority: u32,
}

/// A channel of an input port.
#[derive(Clone, Debug)]
pub struct InputChannel {
    /// Its buffer.
    pub flits: VecDeque<Flit>,
    /// The packet at its front.
    pub state: State,
}

/// A flit that has left its buffer and not reached an output queue.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// The flit.
    pub flit: Flit,
    /// The half of the router that it is in.
    pub half: Half,
    /// The output port.
    pub port: usize,
    /// The channel at the far end.
    pub channel: usize,
    /// The cycle in which it is through, once it is under way.
    pub through: Option<u64>,
}

/// A crossbar input that is kept for a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The channel of the input port.
    pub channel: usize,
    /// The crossbar output.
    pub output: usize,
}

/// The allocators of a half of a router.
#[derive(Clone, Debug)]
pub struct Allocators {
    /// Gives channels to heads.
    pub vc: Matcher,
    /// Lets flits through the crossbar.
    pub switch: Matcher,
    /// Lets heads through that have no channel yet, where they have an allocator of their own.
    pub hopes: Option<Matcher>,
}

impl Allocators {
    /// Allocators without a past.
    fn new(config: &Config, ports: &Ports) -> Self {
        let (seed, (inputs, outputs)) = (config.shared.base.seed, (ports.inputs.len(), ports.outputs.len()));
        let of_channels = |kind| Matcher::new(kind, inputs * config.channels(), outputs * config.channels(), seed);
        let of_switch = |kind| Matcher::new(kind, inputs * config.input_speedup, outputs * config.output_speedup, seed);
        Allocators {
            vc: of_channels(config.vc_allocator),
            switch: of_switch(config.switch_allocator),
            hopes: match config.speculation {
                Speculation::Separate { allocator, .. } => Some(of_switch(allocator)),
                Speculation::Off | Speculation::Shared(_) => None,
            },
        }
    }
}

/// A router.
#[derive(Clone, Debug)]
pub struct Router {
    /// By input port and channel.
    pub inputs: Vec<Vec<InputChannel>>,
    /// By output port and channel.
    pub outputs: Vec<Vec<OutputChannel>>,
    /// By output port: whether the node there takes no other packet in the present step.
    pub shut: Vec<bool>,
    /// In the order in which they left their buffers.
    pub crossbar: Vec<Crossing>,
    /// By output port: flits that wait for the wire, and their channels at its far end.
    pub queues: Vec<VecDeque<(Flit, usize)>>,
    /// By input port: channels that flits left in the present step.
    pub freed: Vec<BTreeSet<usize>>,
    /// By input port: credit messages that wait for the wire back.
    pub credits: Vec<VecDeque<BTreeSet<usize>>>,
    /// By crossbar input.
    pub held: Vec<Option<Held>>,
    /// By crossbar input: from which channel on it looks for one that stands for those that want the same.
    pub offsets: Vec<usize>,
    /// By half, its allocators.
    pub allocators: [Allocators; 2],
}

impl Router {
    /// A router in an empty network.
    pub fn new(config: &Config, router: usize) -> Self {
        let (ports, channels) = (config.ports(router), config.channels());
        let input = InputChannel { flits: VecDeque::new(), state: State::Idle };
        let output = OutputChannel::new(config.buffer_flits(), config.sharing);
        let crossbar_inputs = ports * config.input_speedup;
        Router {
            inputs: vec![vec![input; channels]; ports],
            outputs: vec![vec![output; channels]; ports],
            shut: vec![false; ports],
            crossbar: Vec::new(),
            queues: vec![VecDeque::new(); ports],
            freed: vec![BTreeSet::new(); ports],
            credits: vec![VecDeque::new(); ports],
            held: vec![None; crossbar_inputs],
            offsets: (0..crossbar_inputs).map(|input| input % config.input_speedup).collect(),
            allocators: HALVES.map(|half| Allocators::new(config, &config.ports_of_half(router, half))),
        }
    }

    /// A flit comes from a wire. There is room: whoever sent it had a credit.
    pub fn receive(&mut self, config: &Config, port: usize, channel: usize, flit: Flit) {
        let input = &mut self.inputs[port][channel];
        assert!(input.flits.len() < config.buffer_flits(), "a flit was sent without a credit");
        if let Some(last) = input.flits.back() {
            let follows = last.packet == flit.packet && last.number + 1 == flit.number;
            assert!(follows || last.tail && flit.number == 0, "the flits of two packets are mixed");
        }
        input.flits.push_back(flit);
    }

    /// All input channels, by port and channel.
    pub fn places(&self) -> Vec<(usize, usize)> {
        (0..self.inputs.len()).flat_map(|port| (0..self.inputs[port].len()).map(move |c| (port, c))).collect()
    }

    /// The output channel that the packet at the front of an input channel has, if it has one and a flit of it is
    /// there.
    pub fn ready(&self, port: usize, channel: usize) -> Option<(usize, usize)> {
        let input = &self.inputs[port][channel];
        match input.state {
            State::Active { port, channel } if !input.flits.is_empty() => Some((port, channel)),
            _ => None,
        }
    }

    /// Whether so many flits wait for the wire behind an output port that none asks to go there.
    pub fn is_queue_full(&self, config: &Config, port: usize) -> bool {
        config.output_queue_flits.is_some_and(|most| self.queues[port].len() >= most)
    }

    /// Whether a crossbar output is kept for a packet.
    pub fn is_output_held(&self, output: usize) -> bool {
        self.held.iter().flatten().any(|held| held.output == output)
    }
}
