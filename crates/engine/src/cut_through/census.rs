//! Where every packet is and what keeps it there.

use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::contract::census::{Name, Scope, Stand, What};
use tailback_base::bits::ones;

/// Which input holds every output that is held, by `router * outputs + output`.
struct Holders(Vec<u16>);

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Calls `each` with every queue that a packet is in which has come to the front of its source queue.
    pub(super) fn census(&self, _: Scope, each: &mut dyn FnMut(Stand)) {
        let mut holders = Holders(vec![0; self.routers.len() * self.layout.outputs as usize]);
        for tail in self.tails.iter() {
            holders.0[self.output_id(tail.router, usize::from(tail.output)) as usize] = tail.input;
        }
        for node in self.at_head.iter() {
            let router = self.routers.id(self.network.router_of(node as u32));
            let what = self.doing_at_source(node, router, &holders);
            let packet = self.front(router, self.layout.injection_input(node as u32)).packet;
            let head = !matches!(what, What::Leaves(_));
            each(Stand { head, ..self.stand(packet, router, None, what) });
        }
        for router in self.routers.ids() {
            for input in 0..self.layout.network_inputs {
                self.stands_in(router, input, &holders, each);
            }
        }
        self.on_the_way(each);
    }

    /// The packets in the queue of a network input.
    fn stands_in(&self, router: Id, input: usize, holders: &Holders, each: &mut dyn FnMut(Stand)) {
        let state = self.routers.at(router);
        if !state.is_taken(input) {
            return;
        }
        let front = state.input(input);
        let what = match state.asks(input) {
            true => self.obstacle(router, input, holders),
            false => What::Leaves(self.port(router, input)),
        };
        let lane = Some(self.lane(input));
        each(Stand { head: state.asks(input), ..self.stand(front.slot.packet, router, lane, what) });
        let behind = What::Behind(self.name(front.slot.packet));
        for position in 0..front.behind {
            let slot = self.queues.at(router, input, (front.next + position) & self.layout.depth_mask);
            each(Stand { position: u32::from(position) + 1, ..self.stand(slot.packet, router, lane, behind) });
        }
    }

    /// Heads on links, then in the routers that they lead to until they may ask.
    fn on_the_way(&self, each: &mut dyn FnMut(Stand)) {
        for (time, arrival) in self.arrivals.iter_from(self.cycle) {
            let on_link = self.cycle + u64::from(self.config.header_cycles) <= time;
            let what = if on_link { What::Flying } else { What::Routing };
            let lane = self.lane(arrival.input as usize);
            each(self.stand(arrival.slot.packet, arrival.router, Some(lane), what));
        }
    }

    fn stand(&self, packet: u32, router: Id, input: Option<(u8, u16)>, what: What) -> Stand {
        Stand::of(&self.packets[packet], router.get(), input, what)
    }

    pub(super) fn name(&self, packet: u32) -> Name {
        Name::of(&self.packets[packet])
    }

    fn lane(&self, input: usize) -> (u8, u16) {
        let (port, channel) = self.layout.lane::<R>(input);
        (port, channel.into())
    }

    /// The network port that the front packet of an input asks for, or leaves by.
    pub(super) fn port(&self, router: Id, input: usize) -> Option<u8> {
        let output = self.routers.at(router).input(input).output;
        (usize::from(output) < self.layout.ports).then_some(output as u8)
    }

    fn doing_at_source(&self, node: usize, router: Id, holders: &Holders) -> What {
        let input = self.layout.injection_input(node as u32);
        match self.routers.at(router).asks(input) {
            true => self.obstacle(router, input, holders),
            false if self.throttled && self.waiting.contains(node) => What::Admission,
            false => What::Leaves(self.port(router, input)),
        }
    }

    /// What keeps a head that asks.
    fn obstacle(&self, router: Id, input: usize, holders: &Holders) -> What {
        let (state, port) = (self.routers.at(router), self.port(router, input));
        let asked = state.input(input);
        if !state.is_idle(asked.output.into()) {
            let holder = holders.0[self.output_id(router, usize::from(asked.output)) as usize];
            return What::Output(port, self.name(state.input(usize::from(holder)).slot.packet));
        }
        let Some(port) = port else { return What::Turn(None) };
        // As known in the cycle that has ended.
        let now = self.cycle.saturating_sub(1);
        let free = |c: usize| self.free(router, usize::from(port), c, now).max(0) as u32;
        let flits = ones(u64::from(asked.channels)).map(free).max().unwrap_or(0);
        match flits >= self.length(self.front(router, input).packet) {
            true => What::Turn(Some(port)),
            false => What::Room { port, channels: asked.channels, flits },
        }
    }
}
