//! Queueing disciplines: in which queue of a side of a port a packet waits.

mod cam;
mod damq;
mod dbbm;
mod fixed;
mod limits;
mod lines;
mod numbers;
mod recn;
mod single;
#[cfg(test)]
mod tests;
mod voq_net;
mod voq_sw;

use crate::Refusal;
use fixed::Fixed;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::queueing::{Discipline, Notice, Place, Queueing, Route, Turns};
use tailback_network::Network;
use tailback_spec::View;

crate::registry::registry! {
    /// A discipline that a spec can name.
    Discipline: single::Single, voq_sw::VoqSw, voq_net::VoqNet, dbbm::Dbbm, damq::Damq, recn::Recn;

    section {
        path: "queueing",
        doc: "The queue of a port's side in which a packet waits, under input-output queueing.",
        default: single,
        params: &[],
        idle: &[]
    }

    /// Builds the discipline of a resolved `queueing` section for a network whose packets have so many bytes.
    ///
    /// # Errors
    /// Why it cannot work there.
    pub fn build(view: View, network: &Network, packet_bytes: u32) -> Result<Any, Refusal>;

    /// Whether it sets packets aside for congested points, which it names by the way there: all packets with one source and one
    /// destination must take one route.
    const SETS_ASIDE as sets_aside: bool = false;

    impl Discipline {
        type Queues = Queues;
        into fn queues(&self, place: Place) -> Queues;
        fn shares_memory(&self) -> bool;
        #[inline]
        fn credit_counter(&self, route: Route<'_>) -> usize;
    }
}

/// A discipline with queues and a part of every memory for each of `classes` message classes, where node `n` is a port of class `n % classes`; `None`
/// where all queues of a side share its memory, which one class could fill.
pub fn in_classes(discipline: Any, classes: u32) -> Option<Any> {
    match discipline {
        Any::Single(of) => Some(Any::Single(of.in_classes(classes))),
        Any::VoqSw(of) => Some(Any::VoqSw(of.in_classes(classes))),
        Any::Dbbm(of) => Some(Any::Dbbm(of.in_classes(classes))),
        // Every port has a queue of its own.
        Any::VoqNet(of) => Some(Any::VoqNet(of)),
        Any::Damq(_) | Any::Recn(_) => None,
    }
}

/// What sets packets aside.
pub const SETTING_ASIDE: &[&str] = &[recn::ENTRY.name];

/// Ports of a switch.
fn ports(network: &Network) -> u32 {
    network.most_ports() as u32 + network.most_nodes()
}

/// The queues of a side under any discipline.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "PERF: every packet looks at it, and a network has one kind")]
pub enum Queues {
    /// They are always there.
    Fixed(Fixed),
    /// Some appear and vanish.
    Recn(recn::Queues),
}

impl From<Fixed> for Queues {
    fn from(queues: Fixed) -> Self {
        Queues::Fixed(queues)
    }
}

impl From<recn::Queues> for Queues {
    fn from(queues: recn::Queues) -> Self {
        Queues::Recn(queues)
    }
}

impl State for Queues {
    crate::forward::forward! { Queues [Fixed Recn]
        fn save(&self, to: &mut Writer);
        fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit>;
    }
}

impl Queueing for Queues {
    crate::forward::forward! { Queues [Fixed Recn]
        #[inline]
        fn count(&self) -> usize;
        #[inline(always)]
        fn queue_for(&self, from: u8, route: Route<'_>) -> usize;
        #[inline(always)]
        fn accepts(&self, route: Route<'_>) -> bool;
        #[inline(always)]
        fn answers(&self) -> u32;
        #[inline(always)]
        fn joined(&mut self, queue: usize, from: u8, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool;
        #[inline(always)]
        fn left(&mut self, queue: usize, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool;
        #[inline]
        fn told(
            &mut self, from: u8, notice: &Notice, level: impl Fn(usize) -> u32, send: &mut impl FnMut(u8, Notice)
        ) -> bool;
        #[inline]
        fn held(&self) -> u64;
        #[inline]
        fn deferred(&self) -> u64;
        #[inline]
        fn set_aside(&self) -> u32;
        #[inline]
        fn is_aside(&self, queue: usize) -> bool;
        fn points(&self, each: &mut dyn FnMut(&Turns));
    }
}
