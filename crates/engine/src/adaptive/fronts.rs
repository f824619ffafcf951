//! What heads do that stand behind no other packet: the census, less all that is not asked of in every cycle.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::state::{KINDS, Mask, RouterState};
use crate::contract::census::{Doing, Front, Scratch};

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Calls `each` with every head that stands behind no other packet.
    pub(super) fn fronts(&self, scratch: &mut Scratch, mut each: impl FnMut(Front)) {
        // By router, the inputs whose packet is being sent.
        let (sending, words) = (&mut scratch.words, W::Set::WORDS);
        sending.clear();
        sending.resize(self.routers.len() * words, 0);
        for tail in self.tails.iter() {
            let number = usize::from(tail.number);
            sending[tail.router as usize * words + number / 64] |= 1 << (number % 64);
        }
        for ((router, state), sends) in (0u32..).zip(&self.routers).zip(sending.chunks(words).map(W::Set::of_words)) {
            let mut tell =
                |input: usize, doing| each(Front { id: state.at(input).slot.packet, doing, flight: 0, lasts: false });
            let (fronted, waiting) = (state.fronted.get(), state.waiting.get());
            let leaving = fronted & sends & !waiting & state.ejecting.get();
            leaving.each().for_each(|input| tell(input, Doing::Arriving));
            for input in (fronted & !sends & !waiting).each() {
                let holds = state.held.get().each().any(|c| usize::from(state.at(c).holder) == input);
                tell(input, if holds { Doing::Switch } else { Doing::Routing });
            }
            if !(fronted & waiting).any() {
                continue;
            }
            let (fits, held_back) = (self.fits(state, router), self.held_back(state, router));
            (fronted & waiting & held_back).each().for_each(|input| tell(input, Doing::Admission));
            let (home, away) = (state.ejecting.get(), fronted & waiting & !held_back);
            (away & home).each().for_each(|input| tell(input, Doing::Switch));
            (away & !home).each().for_each(|input| tell(input, self.kept_by(state, &fits, input)));
        }
        self.home.landing.iter().for_each(|&id| each(Front { id, doing: Doing::Arriving, flight: 0, lasts: false }));
        self.arrivals
            .iter()
            .for_each(|arrival| each(Front { id: arrival.slot.packet, doing: Doing::Wires, flight: 0, lasts: false }));
    }

    /// What keeps a head that asks for channels between routers.
    fn kept_by(&self, state: &RouterState<W, NI, NO>, fits: &[W; KINDS], input: usize) -> Doing {
        let fit = self.fitting(state, fits, input);
        let (candidates, open) = (state.candidates(input), state.window(state.open, input));
        let fits = fit.preferred | fit.fallback;
        let closed = if candidates & open == 0 { candidates } else { fits };
        match (fits & open != 0, closed != 0) {
            (true, _) => Doing::Switch,
            (_, false) => Doing::Room,
            (_, true) if self.by_channel => Doing::Channel,
            (_, true) => Doing::Switch,
        }
    }
}
