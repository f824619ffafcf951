//! Routers: inputs, outputs and who gets what.

use super::buffer::Buffer;
use super::config::{Arbiter, Config};
use super::source::SourceQueue;
use tailback_base::rng::{self, Purpose};
use tailback_traffic::Traffic;

/// A packet on its way through a router, flit by flit.
#[derive(Clone, Copy, Debug)]
pub struct Sending {
    /// The packet.
    pub packet: usize,
    /// The cycle in which it was granted the output.
    pub since: u64,
    /// Flits sent.
    pub sent: u32,
    /// The output it holds.
    pub output: usize,
    /// The virtual channel it goes to.
    pub channel: usize,
}

/// Where an input's packets come from.
#[derive(Clone, Debug)]
pub enum Feed {
    /// A link.
    Link(Buffer),
    /// A node.
    Node(SourceQueue),
}

/// An input: it sends one packet at a time.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its packets.
    pub feed: Feed,
    /// The packet being sent.
    pub sending: Option<Sending>,
}

/// An output: it sends one packet at a time.
#[derive(Clone, Debug)]
pub struct Output {
    /// Whether a packet holds it.
    pub held: bool,
    /// The input at which round robin begins.
    pub pointer: usize,
    /// Known free flits of each virtual channel's buffer downstream; none at an ejection output.
    pub credits: Vec<u32>,
}

/// A head that asks for an output.
#[derive(Clone, Debug)]
pub struct Request {
    /// The input.
    pub input: usize,
    /// The packet.
    pub packet: usize,
    /// The output it asks for.
    pub output: usize,
    /// The virtual channel it would get: the lowest one allowed that has room for all of it (0 at an ejection output).
    pub channel: usize,
    /// The class of virtual channels it would be in.
    pub class: u32,
    /// Birth and source of the packet.
    pub age: (u64, u32),
}

/// A router.
#[derive(Clone, Debug)]
pub struct Router {
    /// Network inputs by port and virtual channel, then injection inputs by node.
    pub inputs: Vec<Input>,
    /// Network ports, then ejection outputs by node.
    pub outputs: Vec<Output>,
}

impl Router {
    /// Router `id` in an empty network.
    pub fn new(id: usize, config: &Config, traffic: &Traffic) -> Self {
        let channels = config.virtual_channels as usize;
        let network_inputs = (0..config.ports() * channels).map(|_| Feed::Link(Buffer::new(config.buffer_flits)));
        let injection_inputs = config
            .nodes_at(id)
            .into_iter()
            .map(|node| Feed::Node(SourceQueue::new(node, config.source_queue_packets, traffic)));
        let inputs = network_inputs.chain(injection_inputs).map(|feed| Input { feed, sending: None }).collect();
        let outputs = (0..config.outputs())
            .map(|output| {
                let channels = if output < config.ports() { channels } else { 0 };
                Output { held: false, pointer: 0, credits: vec![config.buffer_flits; channels] }
            })
            .collect();
        Router { inputs, outputs }
    }

    /// Chooses among the requests for `output` of router `id`, at least one, in order of their inputs.
    pub fn pick(&mut self, requests: &[Request], id: usize, output: usize, now: u64, config: &Config) -> Request {
        let winner = match config.arbiter {
            Arbiter::RoundRobin => {
                let pointer = self.outputs[output].pointer;
                requests.iter().find(|r| r.input >= pointer).unwrap_or(&requests[0])
            }
            Arbiter::TwoLevel => {
                let port = |r: &Request| port_of(r.input, config);
                let pointer = self.outputs[output].pointer;
                let next = requests.iter().find(|r| port(r) >= pointer).unwrap_or(&requests[0]);
                let next = port(next);
                self.outputs[output].pointer = next + 1;
                return requests.iter().rfind(|r| port(r) == next).expect("it is among them").clone();
            }
            Arbiter::TwoLevelNext => {
                let port = |r: &Request| port_of(r.input, config);
                let channel = |r: &Request| channel_of(r.input, config);
                let (from, first) = match self.outputs[output].pointer.checked_sub(1) {
                    Some(last) => (port_of(last, config) + 1, channel_of(last, config) + 1),
                    None => (0, 0),
                };
                let next = port(requests.iter().find(|r| port(r) >= from).unwrap_or(&requests[0]));
                let mut of_port = requests.iter().filter(|r| port(r) == next);
                let fallback = of_port.clone().next().expect("it is among them");
                of_port.find(|r| channel(r) >= first).unwrap_or(fallback)
            }
            Arbiter::OldestFirst => requests.iter().min_by_key(|r| r.age).expect("there is a request"),
            Arbiter::Random if requests.len() == 1 => &requests[0],
            Arbiter::Random => {
                let place = (id * config.outputs() + output) as u32;
                let bits = rng::draw_u64(config.seed, Purpose::Arbiter, place, now);
                &requests[rng::below(bits, requests.len() as u64) as usize]
            }
        };
        self.outputs[output].pointer = winner.input + 1;
        winner.clone()
    }
}

/// The virtual channel of an input; a node has the last one alone, after which the first comes.
fn channel_of(input: usize, config: &Config) -> usize {
    let channels = config.virtual_channels as usize;
    if input < config.ports() * channels { input % channels } else { channels - 1 }
}

/// The port of an input; each node is one of its own.
fn port_of(input: usize, config: &Config) -> usize {
    let channels = config.virtual_channels as usize;
    let network = config.ports() * channels;
    if input < network { input / channels } else { config.ports() + input - network }
}
