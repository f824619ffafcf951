//! The mechanisms that a wormhole network is made of.

use crate::contract::admission::Admission;
use crate::contract::arbiter::Arbiter;
use crate::contract::recovery::Recovery;
use crate::contract::routing::Routing;
use crate::contract::selection::Selection;
use crate::contract::sources::Sources;

/// The mechanisms of a run.
pub trait Mechanisms {
    /// What nodes send.
    type Sources<'t>: Sources;
    /// Routing.
    type Routing: Routing;
    /// Choice among free channels.
    type Selection: Selection;
    /// All arbiters.
    type Arbiter: Arbiter;
    /// Admission of new packets.
    type Admission: Admission;
    /// Deadlock recovery.
    type Recovery: Recovery;
}

/// The mechanisms' values.
pub struct Parts<M: Mechanisms> {
    /// Routing.
    pub routing: M::Routing,
    /// Choice among free channels.
    pub selection: M::Selection,
    /// Arbiters of channel allocation.
    pub channel_arbiter: M::Arbiter,
    /// Arbiters of the crossbar's inputs.
    pub input_arbiter: M::Arbiter,
    /// Arbiters of the crossbar's outputs.
    pub output_arbiter: M::Arbiter,
    /// Admission of new packets.
    pub admission: M::Admission,
    /// Deadlock recovery.
    pub recovery: M::Recovery,
}
