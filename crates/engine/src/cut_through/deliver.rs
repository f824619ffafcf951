//! Deliver: what was scheduled for this cycle happens. Nothing here depends on the order of events within the cycle.

use super::{Arrival, CutThrough, Mechanisms, Tail};
use crate::contract::probe::{Delivery, Probe};
use crate::contract::routing::{Head, Routing};
use tailback_base::bits::ones;

impl<M: Mechanisms> CutThrough<'_, M> {
    #[inline]
    pub(super) fn deliver<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut cursor = self.tails.open(now);
        while let Some(tail) = self.tails.take(&mut cursor) {
            self.tail_leaves(now, tail, probe);
        }
        self.return_credits(now);
        let mut cursor = self.arrivals.open(now);
        while let Some(arrival) = self.arrivals.take(&mut cursor) {
            self.head_arrives(arrival);
        }
    }

    #[inline]
    fn tail_leaves<P: Probe>(&mut self, now: u64, tail: Tail, probe: &mut P) {
        let (router, output) = (tail.router, usize::from(tail.output));
        let state = &mut self.routers[router as usize];
        state.idle |= 1 << output;
        let o = self.outputs[self.layout.output(router, output)];
        if o.room & o.wanted != 0 {
            state.ready |= 1 << output;
            self.active.insert(router as usize);
        }
        let input = usize::from(tail.input);
        let packet = if input < self.layout.network_inputs {
            self.pop(router, input)
        } else {
            let node = router as usize * self.layout.nodes + input - self.layout.network_inputs;
            let packet = self.source_slots[node].packet;
            self.source_is_free(node as u32, now, probe);
            packet
        };
        if output >= self.layout.ports {
            self.consume(now, packet, probe);
        }
    }

    /// The front packet's tail has left network input `input`: the next one comes to the front.
    #[inline]
    fn pop(&mut self, router: u32, input: usize) -> u32 {
        let i = router as usize * (self.layout.network_inputs + self.layout.nodes) + input;
        let state = &mut self.inputs[i];
        let front = usize::from(state.front);
        let depth = self.layout.depth;
        state.front = if front + 1 == depth { 0 } else { state.front + 1 };
        state.count -= 1;
        let more = state.count > 0;
        let packet = self.queues[(router as usize * self.layout.network_inputs + input) * depth + front].packet;
        if self.credits.whole_at_tail() {
            let flits = self.length(packet);
            self.credit_whole(router, input, flits);
        }
        if more {
            self.ask(router, input);
        }
        packet
    }

    #[inline]
    fn head_arrives(&mut self, arrival: Arrival) {
        let (router, input) = (arrival.router, arrival.input as usize);
        let i = router as usize * (self.layout.network_inputs + self.layout.nodes) + input;
        let depth = self.layout.depth;
        let state = &mut self.inputs[i];
        debug_assert!(usize::from(state.count) < depth, "a buffer never holds more packets than it has room for");
        let mut at = usize::from(state.front) + usize::from(state.count);
        if at >= depth {
            at -= depth;
        }
        state.count += 1;
        let first = state.count == 1;
        self.queues[(router as usize * self.layout.network_inputs + input) * depth + at] = arrival.slot;
        if first {
            self.ask(router, input);
        }
    }

    /// The front packet of a network input asks for an output.
    #[inline]
    fn ask(&mut self, router: u32, input: usize) {
        let i = router as usize * (self.layout.network_inputs + self.layout.nodes) + input;
        let front = usize::from(self.inputs[i].front);
        let at = (router as usize * self.layout.network_inputs + input) * self.layout.depth + front;
        let mut slot = self.queues[at];
        let head = Head { router, input: Some(self.lanes.of(input)) };
        let packet = &self.packets[slot.packet];
        let request = self.parts.routing.request(head, packet, &mut slot.word);
        self.queues[at].word = slot.word;
        let (output, mask) = match request.port {
            Some(port) => (usize::from(port), request.channels),
            None => (self.ejection_output(packet.destination, input), 1),
        };
        self.file_request(router, input, output, mask);
    }

    /// The ejection output that serves `input` for `node`.
    #[inline]
    pub(super) fn ejection_output(&self, node: u32, input: usize) -> usize {
        let l = &self.layout;
        let local = if l.nodes == 1 { 0 } else { node as usize % l.nodes };
        let lane = if l.ejection == 1 { 0 } else { input % l.ejection };
        l.ports + local * l.ejection + lane
    }

    /// Enters a request into the masks.
    #[inline]
    pub(super) fn file_request(&mut self, router: u32, input: usize, output: usize, channels: u16) {
        let state = &mut self.inputs[router as usize * (self.layout.network_inputs + self.layout.nodes) + input];
        state.output = output as u8;
        state.channels = channels;
        let o = self.layout.output(router, output);
        for c in ones(u64::from(channels)) {
            self.want[o * self.layout.channels + c] |= 1 << input;
        }
        let out = &mut self.outputs[o];
        out.wanted |= channels;
        let r = &mut self.routers[router as usize];
        if out.room & channels != 0 && r.idle >> output & 1 == 1 {
            r.ready |= 1 << output;
            self.active.insert(router as usize);
        }
    }

    #[inline]
    fn consume<P: Probe>(&mut self, now: u64, id: u32, probe: &mut P) {
        let packet = &self.packets[id];
        probe.delivered(Delivery { cycle: now, packet });
        self.counters.delivered += 1;
        self.counters.delivered_flits += u64::from(packet.flits);
        self.packets.remove(id);
    }

    /// Length of a packet \[flits\].
    #[inline]
    pub(super) fn length(&self, packet: u32) -> u32 {
        if self.flits != 0 { self.flits } else { self.packets[packet].flits }
    }
}
