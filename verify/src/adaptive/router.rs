//! Routers: inputs with what is at their fronts, and outputs.

use super::config::{Config, Way};
use crate::reference::buffer::Buffer;
use crate::wormhole::routing::Candidates;

/// The packet at the front of an input.
#[derive(Clone, Debug)]
pub struct Front {
    /// The packet, as its place in the network's list.
    pub packet: usize,
    /// The first cycle in which its head may ask.
    pub asks_from: u64,
    /// The first cycle in which it may ask again after a refusal.
    pub asks_again: u64,
    /// Cycles that it could not ask because of refusals.
    pub lost: u64,
    /// Whether admission lets it ask in this cycle.
    pub admitted: bool,
    /// The channels that it may take; `None` at its destination's router.
    pub candidates: Option<Candidates>,
    /// Under `smart`, the step that is tried first: 0 the dimension by which it came, and so on; then the fallback.
    pub pointer: usize,
    /// The output that it holds, and what it takes there.
    pub holds: Option<(usize, Way)>,
    /// Flits sent, once it is being sent.
    pub sent: Option<u32>,
}

/// An input: the buffer of a virtual channel of a link, or an injection queue, whose packets the interface has.
#[derive(Clone, Debug)]
pub struct Input {
    /// Flits in it; none in an injection queue.
    pub buffer: Buffer,
    /// Packets that have been granted this buffer and whose tails have not left it, those on their way included.
    pub granted: Vec<usize>,
    /// Packets of which flits are in it.
    pub packets: Vec<usize>,
    /// The packet at the front, until its tail has left.
    pub front: Option<Front>,
    /// The first cycle in which it may send again after a packet.
    pub rests_until: u64,
}

/// A router.
#[derive(Clone, Debug)]
pub struct Router {
    /// Those from links by port and channel, then injection queues node by node.
    pub inputs: Vec<Input>,
    /// Whether a packet holds the output: those to the network, then ejection channels node by node.
    pub held: Vec<bool>,
    /// By output, the first cycle in which it may send again after a packet.
    pub rests_until: Vec<u64>,
    /// By port, the same of the link.
    pub link_rests_until: Vec<u64>,
    /// By virtual channel of links: free packets of the buffer behind it, as known here.
    pub room: Vec<u32>,
    /// By virtual channel of links: flits sent there whose credits have not come.
    pub behind: Vec<u32>,
    /// By ejection channel: packets for which the node has room, where its link has buffers.
    pub ejection_room: Vec<u32>,
    /// By port: the channel that its link looks at first.
    pub turn: Vec<usize>,
}

impl Router {
    /// A router in an empty network.
    pub fn new(config: &Config) -> Self {
        let base = &config.shared.base;
        let input = |input: usize| Input {
            buffer: Buffer::new(if input < config.network_inputs() { base.buffer_flits } else { 0 }),
            granted: Vec::new(),
            packets: Vec::new(),
            front: None,
            rests_until: 0,
        };
        Router {
            inputs: (0..config.inputs()).map(input).collect(),
            held: vec![false; config.outputs()],
            rests_until: vec![0; config.outputs()],
            link_rests_until: vec![0; base.ports()],
            room: vec![config.buffer_packets(); config.network_inputs()],
            behind: vec![0; config.network_inputs()],
            ejection_room: vec![
                config.ejection_port.map_or(u32::MAX, |port| port.buffer_packets);
                base.nodes_per_router as usize * base.ejection_outputs()
            ],
            turn: vec![0; base.ports()],
        }
    }
}
