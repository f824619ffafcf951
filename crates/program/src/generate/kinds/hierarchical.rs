//! Hierarchical all-reduce: a ring inside every group scatters, rings across the groups reduce, a ring inside every group gathers.
//!
//! Groups are runs of ranks. A rank meets in the second phase the ranks of the same position in all groups, with the chunk that the first phase left
//! it, cut once more.

use super::ring::{before, chunk, next};
use crate::generate::chunks::Chunks;
use crate::generate::shape::extremes;
use crate::generate::steps::{Message, Steps};

/// An all-reduce over groups.
#[derive(Debug)]
pub(crate) struct Hierarchical {
    /// All flits of a rank.
    pub(crate) flits: u32,
    /// How many groups there are.
    pub(crate) groups: u32,
    /// Ranks of a group.
    pub(crate) members: u32,
}

/// Where a step is.
#[derive(Clone, Copy)]
enum Phase {
    /// Inside, scattering: the step of it.
    Scatter(u32),
    /// Across, scattering.
    ScatterAcross(u32),
    /// Across, gathering.
    GatherAcross(u32),
    /// Inside, gathering.
    Gather(u32),
}

impl Hierarchical {
    fn phase(&self, step: u32) -> Phase {
        let (inside, across) = (self.members - 1, self.groups - 1);
        if step < inside {
            return Phase::Scatter(step);
        }
        match step - inside {
            step if step < across => Phase::ScatterAcross(step),
            step if step < 2 * across => Phase::GatherAcross(step - across),
            step => Phase::Gather(step - 2 * across),
        }
    }

    /// The chunks inside a group.
    fn inside(&self) -> Chunks {
        Chunks { flits: self.flits, parts: self.members }
    }

    /// What the ranks of a position cut across the groups.
    fn across(&self, position: u32) -> Chunks {
        Chunks { flits: self.inside().one(next(position, self.members)), parts: self.groups }
    }

    /// Length of what a rank sends in a step.
    fn flits(&self, rank: u32, step: u32) -> u32 {
        let (group, position) = (rank / self.members, rank % self.members);
        let inside = |ahead, step| self.inside().one(chunk(position, ahead, step, self.members));
        let across = |ahead, step| self.across(position).one(chunk(group, ahead, step, self.groups));
        match self.phase(step) {
            Phase::Scatter(step) => inside(0, step),
            Phase::ScatterAcross(step) => across(0, step),
            Phase::GatherAcross(step) => across(1, step),
            Phase::Gather(step) => inside(1, step),
        }
    }

    /// Another rank: another position of the own group, or another group at the own position.
    fn other(&self, rank: u32, step: u32, move_on: impl Fn(u32, u32) -> u32) -> u32 {
        let (group, position) = (rank / self.members, rank % self.members);
        match self.phase(step) {
            Phase::Scatter(_) | Phase::Gather(_) => group * self.members + move_on(position, self.members),
            Phase::ScatterAcross(_) | Phase::GatherAcross(_) => move_on(group, self.groups) * self.members + position,
        }
    }
}

impl Steps for Hierarchical {
    fn ranks(&self) -> u32 {
        self.groups * self.members
    }

    fn steps(&self) -> u64 {
        2 * u64::from(self.members - 1) + 2 * u64::from(self.groups - 1)
    }

    fn sends(&self, rank: u32, step: u32) -> Message {
        (self.other(rank, step, next), self.flits(rank, step))
    }

    fn receives(&self, rank: u32, step: u32) -> Message {
        let from = self.other(rank, step, before);
        (from, self.flits(from, step))
    }

    fn name(&self, step: u32) -> String {
        match self.phase(step) {
            Phase::Scatter(step) => format!("step {step} of the reduce-scatter inside the group"),
            Phase::ScatterAcross(step) => format!("step {step} of the reduce-scatter across the groups"),
            Phase::GatherAcross(step) => format!("step {step} of the all-gather across the groups"),
            Phase::Gather(step) => format!("step {step} of the all-gather inside the group"),
        }
    }

    fn lengths(&self) -> (u32, u32) {
        let inside = [self.inside().lengths()].into_iter().filter(|_| self.members > 1);
        // Chunks of two sizes are cut across the groups: those of the first and of the last position.
        let positions = [self.members - 1, self.members.saturating_sub(2)];
        let across = positions.map(|position| self.across(position).lengths()).into_iter().filter(|_| self.groups > 1);
        extremes(inside.chain(across).flat_map(|(most, least)| [most, least]))
    }
}
