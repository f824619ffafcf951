//! A step of a router as most are: with at most 64 channels, without speed-ups, and with stages that take one cycle at most.
//!
//! PERF: its sets are words, its crossbar is its ports, and where no two flits want the same port nobody has to allocate it
//! (`tailback bench booksim-mesh8`).

use super::allocators::islip::next;
use super::allocators::{Draws, allocate};
use super::fabric::Fabric;
use super::layout::Layout;
use super::mechanisms::Mechanisms;
use super::router::{Matching, RequestOrder, Router, STEP, Speculation};
use super::state::Doing;
use crate::contract::probe::Probe;
use crate::contract::routing::Sight;
use tailback_base::bits::ones;

/// Whether all routers are of this kind, with a routing that sees so much.
pub(super) fn are_plain(config: &Router, layout: &Layout, sight: Sight) -> bool {
    let one_cycle = config.routing_cycles <= 1 && config.crossbar_cycles == 1 && config.steps == STEP;
    let no_queues = config.output_queue_flits.is_none() && config.ejection_flits.is_none();
    let turns = [config.channel_allocator, config.switch_allocator].map(|allocator| allocator.matching);
    layout.words == 1
        && layout.speedup == (1, 1)
        && one_cycle
        && no_queues
        && sight == Sight::Nothing
        && !config.holds_switch
        && config.speculation == Speculation::Off
        && config.request_order == RequestOrder::ByPort
        && !turns.contains(&Matching::Maximum)
}

impl<M: Mechanisms> Fabric<'_, M> {
    /// As [`Fabric::visit`].
    #[inline(always)]
    pub(super) fn visit_plain<P: Probe>(&mut self, router: usize, now: u64, probe: &mut P) {
        let ready = self.ready.word(router, 0);
        let go = if ready == 0 { 0 } else { self.find_flits(router, ready) };
        let asks = !self.asking.is_empty(router);
        if asks {
            self.match_channels(router);
        }
        let routes = self.config.routing_cycles > 0 && self.route_at_once(router);
        let gives = asks && self.give_channels(router, now, probe);
        let offsets = router * self.layout.most;
        for n in ones(go) {
            let (port, channel) = self.layout.places[n];
            self.offsets[offsets + usize::from(port)] = next(channel.into(), self.layout.channels) as u8;
            self.send(router, n, now, now + 1, probe);
        }
        if go == 0 && !gives && !routes {
            self.awake.remove(router);
        }
    }

    /// Heads that came ask from the next step on. Returns whether there are any.
    #[inline(always)]
    fn route_at_once(&mut self, router: usize) -> bool {
        let bits = self.unrouted.take(router, 0);
        if bits == 0 {
            return false;
        }
        self.asking.add(router, 0, bits);
        let first = self.first(router) * self.layout.channels;
        ones(bits).for_each(|bit| self.inputs[first + bit].doing = Doing::Asking);
        true
    }

    /// The input channels whose flits go, of those that are ready.
    #[inline(always)]
    fn find_flits(&mut self, router: usize, ready: u64) -> u64 {
        let first = self.first(router) * self.layout.channels;
        let (mut ins, mut outs, mut rivals) = (0u64, 0u64, 0);
        for n in ones(ready) {
            let (input, output) = (1 << self.layout.places[n].0, 1 << self.inputs[first + n].port);
            rivals |= ins & input | outs & output;
            ins |= input;
            outs |= output;
        }
        if rivals != 0 || !self.turns_follow {
            return self.contest(router);
        }
        let (inputs, outputs) = self.switch_turns.size(router);
        for n in ones(ready) {
            let (input, output) = (self.layout.places[n].0.into(), self.inputs[first + n].port.into());
            *self.switch_turns.of_output(router, output) = next(input, inputs);
            *self.switch_turns.of_input(router, input) = next(output, outputs);
        }
        ready
    }

    /// Flits compete for the switch. Returns the channels of those that go.
    fn contest(&mut self, router: usize) -> u64 {
        self.ask_for_switch(router);
        let draws = Draws { seed: self.config.seed, entity: router as u32 * 2 + 1, step: self.step };
        allocate(&mut self.switch_turns, router, &mut self.switch_requests, draws);
        let mut go = 0;
        for input in ones(self.switch_requests.taken()[0]) {
            let output = self.switch_requests.output_of(input).expect("it is matched");
            let channel = usize::from(self.labels[input * self.layout.most + output]);
            go |= 1 << (input * self.layout.channels + channel);
        }
        go
    }
}
