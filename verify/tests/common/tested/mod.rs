//! The mechanisms of all networks here: those of the catalogue, and the routings and sources that only tests have. One type, so that the loops
//! of a data path are compiled once, and not for each file of tests again.

pub mod engines;
mod routing;
mod sources;

pub use routing::AnyRouting;
pub use sources::AnySources;
use tailback_engine::{adaptive, cut_through, input_queued, ioq, wormhole};
use tailback_mechanisms::{admission, arbiter, flow_control, interface, queueing, recovery, selection};

/// The bundle that every test uses.
pub struct Tested;

impl cut_through::Mechanisms for Tested {
    type Sources<'t> = AnySources<'t>;
    type Routing = AnyRouting;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = admission::Any;
}

impl wormhole::Mechanisms for Tested {
    type Sources<'t> = AnySources<'t>;
    type Routing = AnyRouting;
    type Selection = selection::Any;
    type Arbiter = arbiter::Any;
    type Admission = admission::Any;
    type Recovery = recovery::Any;
}

impl adaptive::Mechanisms for Tested {
    type Sources<'t> = AnySources<'t>;
    type Routing = AnyRouting;
    type Selection = selection::Any;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = admission::Any;
    type Injection = interface::Any;
}

impl input_queued::Mechanisms for Tested {
    type Sources<'t> = AnySources<'t>;
    type Routing = AnyRouting;
}

impl ioq::Mechanisms for Tested {
    type Sources<'t> = AnySources<'t>;
    type Routing = AnyRouting;
    type Discipline = queueing::Any;
    type Arbiter = arbiter::Any;
    type Admission = admission::Any;
}
