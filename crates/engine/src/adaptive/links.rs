//! Link: where packets hold virtual channels, every link that sends nothing takes the next of its held channels.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::state::{Mask, RouterState, clear};
use crate::contract::probe::Probe;
use crate::mask::ones_below;

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
            if ready == 0 {
                return;
            }
            self.serve(state, router, self.layout.port_of(ready.trailing_zeros() as usize), now, probe);
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
        let channels = self.layout.channels;
        let held = state.held.get() >> (port * channels) & ones_below(channels);
        let later = held & u64::MAX << state.turn[port & 15];
        let channel = if later != 0 { later } else { held }.trailing_zeros() as usize;
        state.turn[port & 15] = (channel + 1) as u8;
        let number = port * channels + channel;
        clear(&mut state.held, 1 << number);
        clear(&mut state.idle, self.layout.link[port & 15]);
        let input = usize::from(state.at(number).holder);
        self.send::<P, false>(state, router, input, Some(number), now, probe);
    }
}
