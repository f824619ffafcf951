//! The mechanisms that a cut-through network is made of.

use crate::contract::admission::Admission;
use crate::contract::arbiter::Arbiter;
use crate::contract::flow_control::FlowControl;
use crate::contract::routing::Routing;
use crate::contract::sources::Sources;

/// The mechanisms of a run.
pub trait Mechanisms {
    /// What nodes send.
    type Sources<'t>: Sources;
    /// Routing.
    type Routing: Routing;
    /// Arbiter of every output.
    type Arbiter: Arbiter;
    /// Flow control.
    type FlowControl: FlowControl;
    /// Admission of new packets.
    type Admission: Admission;
}

/// The mechanisms' values.
pub struct Parts<M: Mechanisms> {
    /// Routing.
    pub routing: M::Routing,
    /// Arbiter of every output.
    pub arbiter: M::Arbiter,
    /// Flow control.
    pub flow_control: M::FlowControl,
    /// Admission of new packets.
    pub admission: M::Admission,
}
