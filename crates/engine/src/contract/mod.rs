//! The contracts between the engine and the literature, named by when they are called.
//!
//! | contract | called | decides |
//! |---|---|---|
//! | [`sources::Sources`] | a node has room for its next packet, or is woken; a packet enters, leaves its node, is delivered | what every node sends next, and when |
//! | [`routing::Routing`] | a packet heads its source queue; a head heads its buffer; a grant | which output and channels a head asks for |
//! | [`queues::Queues`] | by a routing that looks at queues | nothing: it shows them |
//! | [`flow_control::FlowControl`] | at build and when a head may enter a channel | how much room a packet needs |
//! | [`arbiter::Arbiter`] | allocate, once per output that is idle and wanted | who gets the output |
//! | [`injection::Injection`] | a packet is made, under adaptive cut-through | which injection queue takes it |
//! | [`admission::Admission`] | observe and admit | whether a new packet may ask for the network |
//! | [`queueing::Queueing`] | a packet arrives | in which queue of the port it waits |
//! | [`selection::Selection`] | allocate, where a head may take several channels | which one it takes |
//! | [`recovery::Recovery`] | at the end of allocate | what happens to a head that waits too long |
//! | [`probe::Probe`] | everywhere | nothing: it watches |
//! | [`partition::Partition`] | at the edge of every cycle, where a network is cut | nothing: it posts what crosses the cut |
//! | [`census::Stand`] | between two cycles, for those who ask | nothing: it says where every packet is and why |
//!
//! `docs/decisions/0002-contracts.md` shows how the mechanisms of the five papers fit these.

pub mod admission;
pub mod arbiter;
pub mod census;
pub mod flow_control;
pub mod host;
pub mod injection;
pub mod partition;
pub mod probe;
pub mod queueing;
pub mod queues;
pub mod recovery;
pub mod routing;
pub mod selection;
pub mod sources;
