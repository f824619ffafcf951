//! What heads do that stand behind no other packet: the census, less all that is not asked of in every cycle.

use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::contract::census::{Doing, Front, Scratch};
use crate::mask::Set;
use tailback_base::bits::ones;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Calls `each` with every head that stands behind no other packet.
    pub(super) fn fronts(&self, _: &mut Scratch, mut each: impl FnMut(Front)) {
        let mut tell = |id, doing: Option<Doing>| {
            doing.into_iter().for_each(|doing| each(Front { id, doing, flight: 0, lasts: false }));
        };
        for node in self.at_head.iter() {
            let (router, input) =
                (self.routers.id(self.network.router_of(node as u32)), self.layout.injection_input(node as u32));
            // A head that was let through asks.
            let held = self.throttled && self.waiting.contains(node) && !self.routers.at(router).asks(input);
            let doing = if held { Some(Doing::Admission) } else { self.front_does(router, input) };
            tell(self.front(router, input).packet, doing);
        }
        for router in self.routers.ids() {
            for input in self.routers.at(router).taken().members() {
                tell(self.front(router, input).packet, self.front_does(router, input));
            }
        }
        for (time, arrival) in self.arrivals.iter_from(self.cycle) {
            let on_link = self.cycle + u64::from(self.config.header_cycles) <= time;
            tell(arrival.slot.packet, Some(if on_link { Doing::Wires } else { Doing::Routing }));
        }
    }

    /// What the packet at the front of an input does; `None` where its head has left by a link.
    fn front_does(&self, router: Id, input: usize) -> Option<Doing> {
        let (state, port) = (self.routers.at(router), self.port(router, input));
        if !state.asks(input) {
            return port.is_none().then_some(Doing::Arriving);
        }
        let asked = state.input(input);
        let (idle, Some(port)) = (state.is_idle(asked.output.into()), port) else { return Some(Doing::Switch) };
        if !idle {
            return Some(Doing::Switch);
        }
        // As known in the cycle that has ended.
        let (now, length) = (self.cycle.saturating_sub(1), self.length(asked.slot.packet));
        let fits = |c: usize| self.free(router, usize::from(port), c, now).max(0) as u32 >= length;
        Some(if ones(u64::from(asked.channels)).any(fits) { Doing::Switch } else { Doing::Room })
    }
}
