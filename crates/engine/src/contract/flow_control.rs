//! Flow control: how much room a packet needs before it may enter a channel.

/// Where a packet comes from that wants to enter a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A node: it is new in the network.
    Node,
    /// Another dimension, or another class of channels.
    Elsewhere,
    /// The same direction and the same class of channels: the packet goes straight on.
    Behind,
}

/// A packet's step into a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its length.
    pub flits: u32,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether the channel belongs to the escape network of an adaptive routing; under other routings all do.
    pub escape: bool,
}

/// Where a bubble is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// In the router's own queue of that direction and channel.
    #[default]
    Local,
    /// In all buffers of that direction and channel around the ring together: an ideal.
    Ring,
}

/// Says when a channel has room. Evaluated against the credits known in the cycle of the request.
pub trait FlowControl {
    /// Flits that must be free downstream.
    #[inline]
    fn room_flits(&self, step: Step) -> u32 {
        step.flits
    }

    /// Flits that must be free where [`FlowControl::scope`] says: the bubble of those that enter a channel. 0 where there
    /// is none.
    #[inline]
    fn bubble_flits(&self, _step: Step) -> u32 {
        0
    }

    /// Flits that must be free in the router's *own* queue of that direction and channel, whatever the scope of the bubble.
    fn own_queue_flits(&self, _step: Step) -> u32 {
        0
    }

    /// Where [`FlowControl::bubble_flits`] are looked for.
    fn scope(&self) -> Scope {
        Scope::Local
    }
}
