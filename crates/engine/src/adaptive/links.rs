//! Link: where packets hold virtual channels, every link that sends nothing takes the next of its held channels.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::router::MAX_LINKS;
use super::state::{Mask, RouterState, clear};
use crate::contract::probe::Probe;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// All links of a router that send nothing and have a packet to send.
    #[inline]
    pub(super) fn serve_links<P: Probe>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        now: u64,
        probe: &mut P,
    ) {
        loop {
            let ready = state.held.get() & state.idle.get();
            if !ready.any() {
                return;
            }
            self.serve(state, router, self.layout.port_of(ready.lowest()), now, probe);
        }
    }

    /// The link of `port` takes the next channel, round robin, and sends its packet.
    fn serve<P: Probe>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        port: usize,
        now: u64,
        probe: &mut P,
    ) {
        let (link, first) = (self.layout.link::<W::Set>(port), port * self.layout.channels);
        let held = state.held.get() & link;
        let turn = &mut state.turn[port & (MAX_LINKS - 1)];
        let later = held & !W::Set::range(first, usize::from(*turn));
        let number = if later.any() { later } else { held }.lowest();
        *turn = (number - first + 1) as u8;
        clear(&mut state.held, W::Set::one(number));
        clear(&mut state.idle, link);
        let input = usize::from(state.at(number).holder);
        self.send::<P, false>(state, router, input, Some(number), now, probe);
    }
}
