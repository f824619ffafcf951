//! Flow control: how much room a packet needs before it may enter a channel.

/// Says when a channel has room. Evaluated against the credits known in the cycle of the request.
pub trait FlowControl {
    /// Flits that must be free downstream for a packet of `flits` that comes from elsewhere (`entering`: from a node,
    /// another dimension or another class of channels) or goes straight on.
    fn room_flits(&self, flits: u32, entering: bool) -> u32;

    /// Flits that must be free in the router's *own* queue of that ring before a packet of `flits` may enter it:
    /// the locally checked bubble. 0 where there is none.
    fn bubble_flits(&self, flits: u32, entering: bool) -> u32;
}
