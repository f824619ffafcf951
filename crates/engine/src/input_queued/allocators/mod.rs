//! Allocators: who of those that ask gets what. `docs/input_queued.md` has their papers.

pub(super) mod alone;
mod drawn;
pub(super) mod halves;
pub(super) mod islip;
mod lonely;
mod maximum;
pub(super) mod ports;
pub(super) mod requests;
mod select;
mod separable;
mod trees;
pub(super) mod turns;
mod wavefront;

use super::router::Matching;
use halves::Part;
use requests::Requests;
use tailback_base::rng::{self, Purpose};
use turns::Turns;

/// Random numbers of an allocator of a router in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws {
    /// The seed of the run.
    pub seed: u64,
    /// Twice the router, and one more for its switch.
    pub entity: u32,
    /// The number of the step since cycle 0.
    pub step: u64,
    /// Where routers are folded: whether somebody waits, in each half of this one.
    pub waits: [bool; 2],
}

impl Draws {
    /// A number below `bound`, for draw `number` of a round; of an input or an output.
    fn below(&self, bound: usize, round: u32, number: usize) -> usize {
        let index = (self.step * 64 + u64::from(round)) * (1 << 16) + number as u64;
        let [word, ..] = rng::draw(self.seed, Purpose::Arbiter, self.entity, index);
        ((u64::from(word) * bound as u64) >> 32) as usize
    }
}

/// Matches inputs and outputs of a router.
#[inline(always)]
pub(crate) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests, draws: Draws) {
    match &turns.halves {
        None => match_all(turns, router, requests, draws),
        Some(_) => match_by_halves(turns, router, requests, draws),
    }
}

/// Matches those that ask in both halves of a router.
#[cold]
fn match_by_halves(turns: &mut Turns, router: usize, requests: &mut Requests, draws: Draws) {
    let mut halves = turns.halves.take().expect("the network is folded");
    for half in [0, 1] {
        if draws.waits[half] {
            let Part { own, entity, .. } = halves.part(router, half);
            halves.copy(own, requests);
            match_all(turns, own, &mut halves.requests, Draws { entity: draws.entity + entity, ..draws });
            halves.pair(own, requests);
        }
    }
    turns.halves = Some(halves);
}

/// Matches all that ask.
#[inline(always)]
fn match_all(turns: &mut Turns, router: usize, requests: &mut Requests, draws: Draws) {
    if requests.are_none() && turns.allocator().matching != Matching::Maximum {
        return;
    }
    match turns.allocator().matching {
        Matching::Islip => islip::allocate(turns, router, requests),
        Matching::Select => select::allocate(turns, router, requests),
        Matching::InputFirst => separable::input_first(turns, router, requests),
        Matching::OutputFirst => separable::output_first(turns, router, requests),
        Matching::Wavefront | Matching::SkippingWavefront => wavefront::allocate(turns, router, requests),
        Matching::Maximum => maximum::allocate(turns, router, requests),
        Matching::Drawn => drawn::allocate(turns, router, requests, draws),
        Matching::Lonely => lonely::allocate(turns, router, requests),
    }
}
