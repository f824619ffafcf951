//! Who waits for whom, and whether anything can still happen.

use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use crate::snapshot::{Need, Side, Snapshot};
use tailback_base::bits::ones;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Who waits for whom. A head finds room in a channel that has some or will get some, and behind a queue that moves.
    pub(super) fn snapshot(&self) -> Snapshot {
        let l = &self.layout;
        let mut snapshot = Snapshot::new(l.ports);
        let mut returning = vec![false; self.routers.len() * l.network_inputs];
        for (router, port, channel, flits) in self.returns.outstanding() {
            returning[router as usize * l.network_inputs + port * l.channels + channel] |= flits > 0;
        }
        for router in self.routers.ids() {
            let state = self.routers.at(router);
            for input in 0..l.network_inputs {
                if !(state.is_taken(input) && state.asks(input)) {
                    snapshot.nobody();
                    continue;
                }
                let (asked, packet) = (state.input(input), self.front(router, input).packet);
                match self.port(router, input).map(usize::from) {
                    None => snapshot.way_home(),
                    Some(port) => {
                        let (peer, into) = self.peers.ahead::<false>(router, port);
                        let first = peer.get() as usize * l.network_inputs + into * l.channels;
                        let number = router.get() as usize * l.network_inputs + port * l.channels;
                        for channel in ones(u64::from(asked.channels)) {
                            let room = self.settled(router, port, channel);
                            let comes = returning[number + channel] || room >= i64::from(self.length(packet));
                            let need = (!comes).then_some(Need::of(first + channel));
                            snapshot.way(port, channel, Some(room.max(0) as u32), need);
                        }
                    }
                }
                let place = ((input / l.channels) as u8, (input % l.channels) as u8);
                snapshot.head(Side::Link, router.get(), place, self.packets[packet]);
            }
        }
        snapshot
    }

    /// Whether nothing in the network can ever happen again although packets are in it: no flit moves, no credit is on its
    /// way, no output is ready. Costs a few loads, so it may be asked every cycle.
    #[inline]
    pub(super) fn is_still(&self) -> bool {
        self.counters.in_flight() > 0
            && self.tails.pending() == 0
            && self.arrivals.pending() == 0
            && !self.returns.any_outstanding()
            && self.active.is_empty()
    }
}
