//! The mechanisms that a network of input-output-queued switches is made of.

use crate::contract::admission::Admission;
use crate::contract::arbiter::Arbiter;
use crate::contract::queueing::Discipline;
use crate::contract::routing::Routing;
use crate::contract::sources::Sources;

/// The mechanisms of a run.
pub trait Mechanisms {
    /// What nodes send.
    type Sources<'t>: Sources;
    /// Routing.
    type Routing: Routing;
    /// Queues on both sides of every port.
    type Discipline: Discipline;
    /// Arbiter of every egress side.
    type Arbiter: Arbiter;
    /// Admission of new packets.
    type Admission: Admission;
}

/// The mechanisms' values.
pub struct Parts<M: Mechanisms> {
    /// Routing.
    pub routing: M::Routing,
    /// Queues on both sides of every port.
    pub discipline: M::Discipline,
    /// Arbiter of every egress side, of which port `p` of switch `s` has number `s * MAX_PORTS + p`.
    pub arbiter: M::Arbiter,
    /// Admission of new packets.
    pub admission: M::Admission,
}
