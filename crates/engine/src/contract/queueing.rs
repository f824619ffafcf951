//! Queueing discipline: in which queue of a port a packet waits. Called by the input-output-queued data path, on both
//! sides of the crossbar; the cut-through data path has one queue a virtual channel and does not call it.

/// The longest route \[switches\].
pub const TURNS_MAX: usize = 64;

/// A place, as the output ports on the way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// Output port at each switch; those from `len` on mean nothing.
    pub ports: [u8; TURNS_MAX],
    /// How many there are.
    pub len: u8,
}

/// The remaining turns of a packet's route from the port it is at, nearest first.
#[derive(Clone, Copy, Debug)]
pub struct RemainingRoute<'a> {
    /// Output port at each switch from here on.
    pub turns: &'a [u8],
    /// Destination node.
    pub destination: u32,
}

/// A side of a port that packets come from or go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// Seen from an egress side an ingress port of the same switch, by number; from an ingress side, the link (0).
    Upstream(u8),
    /// Seen from an ingress side an egress port of the same switch, by number; from an egress side, the link (0).
    Downstream(u8),
}

/// A notice that a discipline sends to a neighbouring side: in band with the link's delay, or within the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The route from the receiver to the congested point.
    pub turns: Turns,
    /// What it says.
    pub kind: NoticeKind,
}

/// What a notice says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// A congested point: set its packets aside.
    Congested,
    /// The set-aside queue upstream is gone.
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
    /// The largest number of queues there may be at a time; they are numbered from 0.
    fn queues(&self) -> usize;

    /// The credit counter that a packet with this route (seen from here) takes from, or `None` where all queues share
    /// the memory of the port.
    fn credits(&self, route: RemainingRoute<'_>) -> Option<usize>;

    /// The queue that a packet joins which arrives from `from`.
    fn queue_for(&mut self, from: Neighbour, route: RemainingRoute<'_>) -> usize;

    /// How urgently the head of `queue` asks for the crossbar or the link, lower first; `None`: it may not.
    fn priority(&self, queue: usize) -> Option<u8>;

    /// A packet has joined `queue`, or left it, and its level is now `bytes`; notices go to `send`.
    fn on_level(&mut self, queue: usize, bytes: u32, send: &mut dyn FnMut(Neighbour, Notice));

    /// A notice came in.
    fn on_notice(&mut self, from: Neighbour, notice: Notice, send: &mut dyn FnMut(Neighbour, Notice));
}
