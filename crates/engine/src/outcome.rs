//! What a network says of itself to whoever runs it, in the same words under every data path: its totals, heads that wait, heads
//! that wait for ever, and books that do not balance.

use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts, ensure};

/// Totals since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Packets that have headed their source queue.
    pub started: u64,
    /// Packets whose head has left its source queue.
    pub entered: u64,
    /// Packets delivered.
    pub delivered: u64,
    /// Flits of the packets delivered.
    pub delivered_flits: u64,
    /// Grants of links between routers.
    pub packet_hops: u64,
    /// Flits those grants send.
    pub flit_hops: u64,
}

tailback_base::state!([] Counters {
    saved: started, entered, delivered, delivered_flits, packet_hops, flit_hops;
} [fits]);

impl Counters {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts([self.started, self.delivered, self.delivered_flits, self.packet_hops, self.flit_hops])?;
        ensure(self.entered <= self.started, "more packets have left their sources than have come")
    }

    /// That no more packets have come out than have gone in. Of a part of a network that need not be: packets cross it.
    ///
    /// # Errors
    /// Where it is not so.
    pub fn are_of_a_whole(&self) -> Result<(), Unfit> {
        ensure(self.delivered <= self.entered, "more packets have left than have come")
    }

    /// Packets whose head has left the source queue and whose tail has not arrived. Of a part of a network they are less than none,
    /// modulo 2^64, where more have come in than have entered.
    #[inline]
    pub(crate) fn in_flight(&self) -> u64 {
        self.entered.wrapping_sub(self.delivered)
    }

    /// Packets that have come to the head of their source queue and have not been delivered.
    pub(crate) fn known(&self) -> u64 {
        self.started.wrapping_sub(self.delivered)
    }

    /// Packets at the head of their source queue.
    pub(crate) fn at_sources(&self) -> u64 {
        self.started.wrapping_sub(self.entered)
    }

    /// Adds the totals of another part of the network.
    pub fn add(&mut self, other: &Counters) {
        self.started += other.started;
        self.entered += other.entered;
        self.delivered += other.delivered;
        self.delivered_flits += other.delivered_flits;
        self.packet_hops += other.packet_hops;
        self.flit_hops += other.flit_hops;
    }

    pub(crate) fn to_array(self) -> [u64; 6] {
        let Counters { started, entered, delivered, delivered_flits, packet_hops, flit_hops } = self;
        [started, entered, delivered, delivered_flits, packet_hops, flit_hops]
    }

    pub(crate) fn from_array(of: [u64; 6]) -> Self {
        let [started, entered, delivered, delivered_flits, packet_hops, flit_hops] = of;
        Counters { started, entered, delivered, delivered_flits, packet_hops, flit_hops }
    }
}

/// A head that waits for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// The router it is at.
    pub router: u32,
    /// The network input (port, virtual channel) it waits in.
    pub input: (u8, u8),
    /// The port it asks for.
    pub port: u8,
    /// The channels it asks for, as a mask.
    pub channels: u16,
    /// Source node of the packet.
    pub source: u32,
    /// Destination node of the packet.
    pub destination: u32,
    /// Number of the packet at its source.
    pub index: u64,
    /// Flits of room behind the one of these channels that has most, by its credits; `None` where packets are counted.
    pub room: Option<u32>,
}

impl Blocked {
    /// The port of an input that is the source queue of a node.
    pub const SOURCE: u8 = u8::MAX - 1;

    /// The port of an input that is none: no head waits here but the packets in the full ejection buffer of node `destination`: requests for
    /// their answers, which wait to leave node `source`, or packets that no receive asks for, where both are one node.
    pub const CONSUMER: u8 = u8::MAX;

    /// Whether these are packets in an ejection buffer.
    pub fn is_consumer(&self) -> bool {
        self.input.0 == Self::CONSUMER
    }
}

impl Deadlock {
    /// Whether the circle goes through nodes: messages wait in the network for answers that wait for messages in the network.
    pub fn is_of_protocol(&self) -> bool {
        self.cycle.iter().any(Blocked::is_consumer)
    }
}

/// A head that waits now, if only for its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The router it is at.
    pub router: u32,
    /// The port whose buffer it waits in, by the direction in which packets come.
    pub input: u8,
    /// The ports that it could take, as a mask; bit [`Waiting::NODE`]: a node of this router.
    pub ports: u64,
}

impl Waiting {
    /// The bit of a router's own nodes.
    pub const NODE: u32 = 63;
}

/// Heads that wait for each other for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadlock {
    /// All heads that can never move.
    pub blocked: usize,
    /// One cycle among them: each waits for a buffer whose front is the next one's.
    pub cycle: Vec<Blocked>,
}

/// How far a program has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Cycle in which the last operation finished, once all have.
    pub completed: Option<u64>,
    /// Operations that have not finished.
    pub remaining: u64,
    /// By rank: the cycle in which the last operation so far finished.
    pub finishes: Vec<u64>,
    /// Receives that wait for a message.
    pub waiting: u64,
    /// Some of them. Where each of the first ones waits for the next one in a circle, that circle.
    pub waits: Vec<Waits>,
    /// Messages of which packets keep places of finite ejection buffers because no receive asks for them, as many as of `waits` at most.
    pub kept: Vec<Kept>,
    /// By rank and operation: what happened; empty where the run was not asked to write it down.
    pub told: Vec<Vec<Told>>,
}

/// No operation, no rank.
pub const NEVER: u32 = u32::MAX;

/// What happened to an operation of a program. Cycles are [`u64::MAX`] until it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Cycle in which all that it waits for had happened.
    pub ready: u64,
    /// Cycle in which it started.
    pub started: u64,
    /// Cycle in which it finished.
    pub finished: u64,
    /// Of a receive: the number at its source of the packet with which its message came.
    pub packet: u64,
    /// The operation of its rank that it waited for last; [`NEVER`] where it waited for none.
    pub after: u32,
    /// Of a computation: the one before it on its processor; else, and of the first one, [`NEVER`].
    pub before: u32,
    /// Of a receive: the message that it took, as rank and operation.
    pub message: (u32, u32),
    /// Of a receive that waited for a delivery: the message with whose last packet its own was complete, as rank and operation. It is another
    /// one where messages of a rank came out of their order.
    pub trigger: (u32, u32),
    /// Whether it waited for the start of `after`, not for its end.
    pub upon_start: bool,
}

impl Default for Told {
    fn default() -> Self {
        let (never, none) = (u64::MAX, (NEVER, NEVER));
        Told {
            ready: never,
            started: never,
            finished: never,
            packet: 0,
            after: NEVER,
            before: NEVER,
            message: none,
            trigger: none,
            upon_start: false,
        }
    }
}

/// A message that no receive asks for, and that has come in part or whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The rank that it came to.
    pub rank: u32,
    /// The rank that sent it, and the number of its send there.
    pub message: (u32, u32),
    /// Places that its packets keep.
    pub packets: u32,
}

/// A receive that waits for a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waits {
    /// Its rank.
    pub rank: u32,
    /// Its number there.
    pub number: u32,
    /// The rank that it waits for; `None`: any.
    pub from: Option<u32>,
    /// The tag that it waits for; `None`: any.
    pub tag: Option<u32>,
    /// Why no message has come.
    pub cause: Cause,
}

/// Why a receive has no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// No operation sends such a message that has not been sent already.
    NeverSent,
    /// A send of the source would, which waits for a receive of its own rank: the numbers of both.
    Behind {
        /// The send.
        send: u32,
        /// The receive that it waits for.
        receive: u32,
    },
    /// A send of the source has begun, and some of its message has not left: the number of the send.
    Leaving {
        /// The send.
        send: u32,
    },
    /// It may come from any rank.
    AnyRank,
}

/// A broken invariant: our bug, with the place that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditError(pub String);

/// An error of the audit unless it `holds`.
pub(crate) fn expect(holds: bool, message: impl FnOnce() -> String) -> Result<(), AuditError> {
    if holds { Ok(()) } else { Err(AuditError(message())) }
}

impl std::fmt::Display for AuditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AuditError {}

/// A checkpoint whose books do not balance was not written by this program.
impl From<AuditError> for Unfit {
    fn from(AuditError(why): AuditError) -> Self {
        Unfit::new(why)
    }
}
