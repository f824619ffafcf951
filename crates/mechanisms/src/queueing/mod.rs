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
use tailback_network::Grid;
use tailback_spec::{Section, View};

crate::catalogue! {
    /// One queue.
    Single(single::Single, single::ENTRY),
    /// A queue a port of the switch.
    VoqSw(voq_sw::VoqSw, voq_sw::ENTRY),
    /// A queue a node of the network.
    VoqNet(voq_net::VoqNet, voq_net::ENTRY),
    /// A few queues by destination.
    Dbbm(dbbm::Dbbm, dbbm::ENTRY),
    /// A queue a port of the switch, in one memory.
    Damq(damq::Damq, damq::ENTRY),
    /// Set-aside queues for congested points.
    Recn(recn::Recn, recn::ENTRY),
}

/// The `queueing` section.
pub fn section() -> Section {
    Section {
        path: "queueing",
        doc: "The queue of a port's side in which a packet waits, under input-output queueing.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(single::ENTRY.name),
        idle: Vec::new(),
    }
}

/// Builds the discipline of a resolved `queueing` section for a network whose packets have so many bytes.
///
/// # Errors
/// Why it cannot work there.
pub fn build(view: View, grid: &Grid, packet_bytes: u32) -> Result<Any, Refusal> {
    let ports = grid.ports() as u32 + grid.nodes_per_router();
    Ok(match view.kind() {
        "voq_sw" => Any::VoqSw(voq_sw::VoqSw::new(view, ports)),
        "voq_net" => Any::VoqNet(voq_net::VoqNet::new(grid.nodes() as u32)),
        "dbbm" => Any::Dbbm(dbbm::Dbbm::new(view)),
        "damq" => Any::Damq(damq::Damq::new(ports)),
        "recn" => Any::Recn(recn::Recn::new(view, grid, packet_bytes)?),
        _ => Any::Single(single::Single),
    })
}

impl Any {
    /// Whether packets with one source and one destination must all take one route: it names places by the way to them.
    pub fn needs_one_route(&self) -> bool {
        matches!(self, Any::Recn(_))
    }
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

impl Discipline for Any {
    type Queues = Queues;

    fn queues(&self, place: Place) -> Queues {
        match self {
            Any::Single(d) => Queues::Fixed(d.queues(place)),
            Any::VoqSw(d) => Queues::Fixed(d.queues(place)),
            Any::VoqNet(d) => Queues::Fixed(d.queues(place)),
            Any::Dbbm(d) => Queues::Fixed(d.queues(place)),
            Any::Damq(d) => Queues::Fixed(d.queues(place)),
            Any::Recn(d) => Queues::Recn(d.queues(place)),
        }
    }

    fn shares_memory(&self) -> bool {
        match self {
            Any::Single(d) => d.shares_memory(),
            Any::VoqSw(d) => d.shares_memory(),
            Any::VoqNet(d) => d.shares_memory(),
            Any::Dbbm(d) => d.shares_memory(),
            Any::Damq(d) => d.shares_memory(),
            Any::Recn(d) => d.shares_memory(),
        }
    }

    #[inline]
    fn credit_counter(&self, route: Route<'_>) -> usize {
        match self {
            Any::Single(d) => d.credit_counter(route),
            Any::VoqSw(d) => d.credit_counter(route),
            Any::VoqNet(d) => d.credit_counter(route),
            Any::Dbbm(d) => d.credit_counter(route),
            Any::Damq(d) => d.credit_counter(route),
            Any::Recn(d) => d.credit_counter(route),
        }
    }
}

impl State for Queues {
    fn save(&self, to: &mut Writer) {
        match self {
            Queues::Fixed(m) => m.save(to),
            Queues::Recn(m) => m.save(to),
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        match self {
            Queues::Fixed(m) => m.restore(from),
            Queues::Recn(m) => m.restore(from),
        }
    }
}

impl Queueing for Queues {
    #[inline]
    fn count(&self) -> usize {
        match self {
            Queues::Fixed(q) => q.count(),
            Queues::Recn(q) => q.count(),
        }
    }

    #[inline(always)]
    fn queue_for(&self, from: u8, route: Route<'_>) -> usize {
        match self {
            Queues::Fixed(q) => q.queue_for(from, route),
            Queues::Recn(q) => q.queue_for(from, route),
        }
    }

    #[inline(always)]
    fn accepts(&self, route: Route<'_>) -> bool {
        match self {
            Queues::Fixed(_) => true,
            Queues::Recn(q) => q.accepts(route),
        }
    }

    #[inline(always)]
    fn answers(&self) -> u32 {
        match self {
            Queues::Fixed(_) => 0,
            Queues::Recn(q) => q.answers(),
        }
    }

    #[inline(always)]
    fn joined(&mut self, queue: usize, from: u8, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        match self {
            Queues::Fixed(_) => false,
            Queues::Recn(q) => q.joined(queue, from, level, send),
        }
    }

    #[inline(always)]
    fn left(&mut self, queue: usize, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        match self {
            Queues::Fixed(_) => false,
            Queues::Recn(q) => q.left(queue, level, send),
        }
    }

    #[inline]
    fn told(
        &mut self,
        from: u8,
        notice: &Notice,
        level: impl Fn(usize) -> u32,
        send: &mut impl FnMut(u8, Notice),
    ) -> bool {
        match self {
            Queues::Fixed(_) => false,
            Queues::Recn(q) => q.told(from, notice, level, send),
        }
    }

    #[inline]
    fn held(&self) -> u64 {
        match self {
            Queues::Fixed(_) => 0,
            Queues::Recn(q) => q.held(),
        }
    }

    #[inline]
    fn deferred(&self) -> u64 {
        match self {
            Queues::Fixed(_) => 0,
            Queues::Recn(q) => q.deferred(),
        }
    }

    #[inline]
    fn set_aside(&self) -> u32 {
        match self {
            Queues::Fixed(_) => 0,
            Queues::Recn(q) => q.set_aside(),
        }
    }

    fn points(&self, each: &mut dyn FnMut(&Turns)) {
        if let Queues::Recn(q) = self {
            q.points(each);
        }
    }
}
