//! What heads do that stand behind no other packet: the census, less all that is not asked of in every cycle.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::state::{KINDS, Mask, RouterState};
use crate::contract::census::{Doing, Front, Scratch};
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Calls `each` with every head that stands behind no other packet.
    pub(super) fn fronts(&self, scratch: &mut Scratch, mut each: impl FnMut(Front)) {
        // By router, the inputs whose packet is being sent.
        let sending = &mut scratch.words;
        sending.clear();
        sending.resize(self.routers.len(), 0);
        for tail in self.tails.iter() {
            sending[tail.router as usize] |= 1 << tail.number;
        }
        for ((router, state), &sends) in (0u32..).zip(&self.routers).zip(sending.iter()) {
            let mut tell =
                |input: usize, doing| each(Front { id: state.at(input).slot.packet, doing, flight: 0, lasts: false });
            let (fronted, waiting) = (state.fronted.get(), state.waiting.get());
            ones(fronted & sends & !waiting & state.ejecting.get()).for_each(|input| tell(input, Doing::Arriving));
            for input in ones(fronted & !sends & !waiting) {
                let holds = ones(state.held.get()).any(|c| usize::from(state.at(c).holder) == input);
                tell(input, if holds { Doing::Switch } else { Doing::Routing });
            }
            if fronted & waiting == 0 {
                continue;
            }
            let (fits, held_back) = (self.fits(state, router), self.held_back(state, router));
            ones(fronted & waiting & held_back).for_each(|input| tell(input, Doing::Admission));
            let (home, away) = (state.ejecting.get(), fronted & waiting & !held_back);
            ones(away & home).for_each(|input| tell(input, Doing::Switch));
            ones(away & !home).for_each(|input| tell(input, self.kept_by(state, &fits, input)));
        }
        self.home.landing.iter().for_each(|&id| each(Front { id, doing: Doing::Arriving, flight: 0, lasts: false }));
        self.arrivals
            .iter()
            .for_each(|arrival| each(Front { id: arrival.slot.packet, doing: Doing::Wires, flight: 0, lasts: false }));
    }

    /// What keeps a head that asks for channels between routers.
    fn kept_by(&self, state: &RouterState<W, NI, NO>, fits: &[W; KINDS], input: usize) -> Doing {
        let fit = self.fitting(state, fits, input);
        let (candidates, open, fits) = (state.candidates(input), state.open.get(), fit.preferred | fit.fallback);
        let closed = if candidates & open == 0 { candidates } else { fits };
        match (fits & open != 0, closed != 0) {
            (true, _) => Doing::Switch,
            (_, false) => Doing::Room,
            (_, true) if self.by_channel => Doing::Channel,
            (_, true) => Doing::Switch,
        }
    }
}
