//! The literature, one file each.
//!
//! A folder is a contract of the engine. A file is a mechanism with its [`Entry`](tailback_spec::Entry), its constructor and what others may
//! ask of it before it is built. The list in the folder's `mod.rs` is the one registry line: construction, the spec's schema,
//! `tailback list`, checking, suites and the documentation derive from it.

pub mod admission;
pub mod arbiter;
pub mod flow_control;
mod forward;
pub mod interface;
pub mod queueing;
pub mod recovery;
mod registry;
pub mod routing;
pub mod selection;
#[cfg(test)]
mod testing;

use tailback_engine::{Supply, adaptive, cut_through, input_queued, ioq, wormhole};

/// The bundle that every run uses: one enum a contract.
#[derive(Clone, Copy, Debug)]
pub struct Bundle;

impl cut_through::Mechanisms for Bundle {
    type Sources<'t> = Supply<'t>;
    type Routing = routing::Any;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = admission::Any;
}

impl wormhole::Mechanisms for Bundle {
    type Sources<'t> = Supply<'t>;
    type Routing = routing::Any;
    type Selection = selection::Any;
    type Arbiter = arbiter::Any;
    type Admission = admission::Any;
    type Recovery = recovery::Any;
}

impl adaptive::Mechanisms for Bundle {
    type Sources<'t> = Supply<'t>;
    type Routing = routing::Any;
    type Selection = selection::Any;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = admission::Any;
    type Injection = interface::Any;
}

impl input_queued::Mechanisms for Bundle {
    type Sources<'t> = Supply<'t>;
    type Routing = routing::Any;
}

impl ioq::Mechanisms for Bundle {
    type Sources<'t> = Supply<'t>;
    type Routing = routing::Any;
    type Discipline = queueing::Any;
    type Arbiter = arbiter::Any;
    type Admission = admission::Any;
}

/// Why a mechanism cannot work: the parameter to blame, what is wrong, what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Dotted path of the parameter to blame.
    pub path: &'static str,
    /// What is wrong, with the physical reason.
    pub message: String,
    /// What would be right.
    pub help: String,
}
