//! Queueing discipline: in which queue of a port a packet waits. Called by the input-output-queued data path, on both
//! sides of the crossbar; the cut-through data path has one queue a virtual channel and does not call it.

/// The remaining turns of a packet's route from the port it is at, nearest first.
#[derive(Clone, Copy, Debug)]
pub struct RemainingRoute<'a> {
    /// Output port at each switch from here on.
    pub turns: &'a [u8],
    /// Destination node.
    pub destination: u32,
}

/// A notice that a discipline sends to the neighbouring port, in band and with the link's delay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The route from the receiver to the congested point.
    pub turns: Vec<u8>,
    /// What it says.
    pub kind: NoticeKind,
}

/// What a notice says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// A congested point: set its packets aside.
    Congested,
    /// The set-aside queue downstream is gone.
    Released,
    /// No queue was free: the sender is on its own.
    Refused,
    /// Stop sending from the queue of this point.
    Off,
    /// Send again.
    On,
}

/// One side of one port. Its queues appear and vanish; the port's memory is the engine's.
pub trait Queueing {
    /// The queue an arriving packet joins.
    fn queue_for(&mut self, route: RemainingRoute<'_>) -> usize;

    /// Whether the head of `queue` may ask for the crossbar or the link.
    fn eligible(&self, queue: usize) -> bool;

    /// The level of `queue` changed to `bytes`; notices to send go to `send`, upstream or downstream.
    fn on_level(&mut self, queue: usize, bytes: u32, send: &mut dyn FnMut(bool, Notice));

    /// A notice came in, from upstream or downstream.
    fn on_notice(&mut self, from_upstream: bool, notice: Notice, send: &mut dyn FnMut(bool, Notice));
}
