//! What routers and nodes remember.

use serde::{Deserialize, Serialize};

/// What the packet at the front of an input channel does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Doing {
    /// There is none.
    #[default]
    Nothing,
    /// It is being routed, or waits for that.
    Routing,
    /// It asks for a channel.
    Asking,
    /// It has a channel.
    Going,
}

/// An input channel: a buffer, and what the packet at its front does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Input {
    /// Flits in the buffer.
    pub level: u16,
    /// Place of the front packet in the ring.
    pub front: u16,
    /// Packets in the ring.
    pub packets: u16,
    /// Output port that the front packet asks for, or has.
    pub port: u16,
    /// Channels of that port it may have.
    pub channels: u16,
    /// Channel that it has.
    pub channel: u8,
    pub doing: Doing,
    /// Whether its head is in the buffer.
    pub whole: bool,
    /// Whether it keeps its way through the switch.
    pub holds: bool,
    /// Flits of it that have not left.
    pub left: u32,
}

/// What a sender knows of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Output {
    /// Flits that may be sent into it.
    pub credits: u16,
    /// Number of the input channel, at its router, whose packet has it; [`NOBODY`].
    pub user: u16,
    /// Whether the tail of the last packet has been sent and the channel waits for its credit.
    pub ends: bool,
}

/// No input channel.
pub(super) const NOBODY: u16 = u16::MAX;

/// Of a node that has sent nothing, the channel of the last packet.
pub(super) const NO_CHANNEL: u8 = u8::MAX;

/// A node: the packet it sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Node {
    /// The packet; [`super::layout::NONE`].
    pub packet: u32,
    /// What routing lets its head carry.
    pub word: u32,
    /// Flits of it that have not left.
    pub left: u32,
    /// Whether its head has left, into [`Node::channel`].
    pub sends: bool,
    /// The channel that it has, or that the last packet had.
    pub channel: u8,
    /// The plane of the packet.
    pub plane: u8,
}

/// A flit that is going to arrive at an input channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Flit {
    /// The input channel, of all.
    pub to: u32,
    /// The packet, where it is the head; else [`super::layout::NONE`].
    pub packet: u32,
    /// What the head carries.
    pub word: u32,
}

/// A flit on its way through a crossbar that takes more than a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Crossing {
    /// The output channel, of all.
    pub channel: u32,
    /// As of a [`Flit`].
    pub packet: u32,
    pub word: u32,
    /// The packet, where it is its tail; else [`super::layout::NONE`].
    pub tail: u32,
    /// The packet that it is of.
    pub of: u32,
}

tailback_base::plain!(Input, Output, Node, Flit, Crossing);
