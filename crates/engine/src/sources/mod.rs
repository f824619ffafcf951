//! What stands between the sources and the data paths: packets that are known and not due, source queues, messages that are cut.

mod answering;
pub(crate) mod calendar;
pub(crate) mod cut;
pub(crate) mod driven;
pub(crate) mod ejection;
mod given;
pub(crate) mod heads;
pub(crate) mod hosted;
mod kept;
pub(crate) mod lazy;
pub(crate) mod makers;
pub(crate) mod messages;
mod paced;
pub(crate) mod queues;
pub(crate) mod supply;
