//! The mechanisms that a network of input-queued routers is made of.

use crate::contract::routing::Routing;
use crate::contract::sources::Sources;

/// The mechanisms of a run.
pub trait Mechanisms {
    /// What nodes send.
    type Sources<'t>: Sources;
    /// Routing.
    type Routing: Routing;
}

/// The mechanisms' values.
pub struct Parts<M: Mechanisms> {
    /// Routing.
    pub routing: M::Routing,
}
