//! Allocate: every output that is idle and wanted grants one packet. A grant is visible elsewhere in the next cycle at the
//! earliest, so routers may be visited in any order.

use super::{Arrival, CutThrough, Mechanisms, Tail};
use crate::contract::arbiter::{Arbiter, Contest};
use crate::contract::probe::{Grant, Probe};
use crate::contract::routing::Routing;
use crate::packet::Slot;
use tailback_base::bits::ones;

impl<M: Mechanisms> CutThrough<'_, M> {
    #[inline]
    pub(super) fn allocate<P: Probe>(&mut self, now: u64, probe: &mut P) {
        for word in 0..self.active.word_count() {
            let routers = self.active.take_word(word);
            for bit in ones(routers) {
                let router = (word * 64 + bit) as u32;
                let ready = std::mem::take(&mut self.routers[router as usize].ready);
                for output in ones(ready) {
                    self.arbitrate(now, router, output, probe);
                }
            }
        }
    }

    /// A ready output picks among the heads that ask for it.
    #[inline]
    fn arbitrate<P: Probe>(&mut self, now: u64, router: u32, output: usize, probe: &mut P) {
        let o = self.layout.output(router, output);
        let Some(inputs) = self.contenders(now, router, output) else { return };
        let mut pointer = self.outputs[o].pointer;
        let contest = Contest { cycle: now, output: o as u32, inputs };
        let winner = self.parts.arbiter.pick(contest, &mut pointer, |input| {
            let packet = &self.packets[self.front(router, input as usize).packet];
            (packet.birth, packet.source)
        });
        self.outputs[o].pointer = pointer;
        self.grant(now, router, winner as usize, output, probe);
    }

    /// The inputs that want `output` and whose packet has room, or `None` when none has.
    #[inline]
    fn contenders(&mut self, now: u64, router: u32, output: usize) -> Option<u64> {
        let o = self.layout.output(router, output);
        let out = self.outputs[o];
        let mut inputs = 0;
        for c in ones(u64::from(out.room & out.wanted)) {
            inputs |= self.want[o * self.layout.channels + c];
        }
        if self.flits == 0 && output < self.layout.ports {
            let long = ones(inputs).filter(|&i| self.channel_for(now, router, i, output).is_none());
            inputs &= !long.fold(0, |mask, i| mask | 1 << i);
            if inputs == 0 {
                // Room for the shortest packet only. While flits are leaving downstream, look again next cycle.
                let at = self.layout.channel(router, output, 0);
                if ones(u64::from(out.room & out.wanted)).any(|c| self.credits.rises(at + c, now)) {
                    self.routers[router as usize].ready |= 1 << output;
                    self.active.insert(router as usize);
                }
                return None;
            }
        }
        debug_assert!(inputs != 0, "a ready output has a contender");
        Some(inputs)
    }

    /// The lowest channel that `input` asks for and that has room for its whole packet.
    #[inline]
    fn channel_for(&self, now: u64, router: u32, input: usize, output: usize) -> Option<usize> {
        let asked = self.inputs[router as usize * (self.layout.network_inputs + self.layout.nodes) + input].channels;
        let mut usable = ones(u64::from(asked & self.outputs[self.layout.output(router, output)].room));
        if self.flits != 0 || output >= self.layout.ports {
            return usable.next();
        }
        let flits = self.length(self.front(router, input).packet);
        usable.find(|&c| self.credits.free(self.layout.channel(router, output, c), now) >= i64::from(flits))
    }

    /// The packet at the front of an input.
    #[inline]
    pub(super) fn front(&self, router: u32, input: usize) -> Slot {
        let l = &self.layout;
        if input >= l.network_inputs {
            return self.source_slots[router as usize * l.nodes + input - l.network_inputs];
        }
        let front = usize::from(self.inputs[router as usize * (l.network_inputs + l.nodes) + input].front);
        self.queues[(router as usize * l.network_inputs + input) * l.depth + front]
    }

    #[inline]
    fn grant<P: Probe>(&mut self, now: u64, router: u32, input: usize, output: usize, probe: &mut P) {
        let channel = self.channel_for(now, router, input, output).expect("contenders have a channel with room");
        self.withdraw(router, input);
        self.routers[router as usize].idle &= !(1 << output);
        let slot = self.front(router, input);
        let flits = self.length(slot.packet);
        self.tails.push(now + u64::from(flits), Tail { router, input: input as u8, output: output as u8 });
        let injected = input >= self.layout.network_inputs;
        if injected {
            self.enters(now, router, input, slot.packet);
        } else {
            self.credit_departure(now, router, input, flits);
        }
        let network = output < self.layout.ports;
        if network {
            self.send(now, router, output, channel, slot, flits);
        }
        let channel = network.then_some((output as u8, channel as u8));
        probe.granted(Grant { cycle: now, router, channel, flits, injected });
        if self.occupancy.is_some() {
            self.track(now, router, input, channel, flits);
        }
    }

    /// Takes the front packet's request out of the masks.
    #[inline]
    pub(super) fn withdraw(&mut self, router: u32, input: usize) {
        let state = self.inputs[router as usize * (self.layout.network_inputs + self.layout.nodes) + input];
        let o = self.layout.output(router, usize::from(state.output));
        for c in ones(u64::from(state.channels)) {
            let want = &mut self.want[o * self.layout.channels + c];
            *want &= !(1 << input);
            if *want == 0 {
                self.outputs[o].wanted &= !(1 << c);
            }
        }
    }

    /// The packet goes to `channel` of network port `port`.
    #[inline]
    fn send(&mut self, now: u64, router: u32, port: usize, channel: usize, slot: Slot, flits: u32) {
        self.take_credits(now, router, port, channel, flits);
        let word = self.parts.routing.advance(port as u8, slot.word);
        let at = now + u64::from(self.grid.link_cycles() + self.config.header_cycles);
        let arrival = Arrival {
            router: self.grid.peer(router, port),
            input: (port * self.layout.channels + channel) as u32,
            slot: Slot { packet: slot.packet, word },
        };
        self.arrivals.push(at, arrival);
        self.counters.packet_hops += 1;
        self.counters.flit_hops += u64::from(flits);
    }

    fn track(&mut self, now: u64, router: u32, input: usize, channel: Option<(u8, u8)>, flits: u32) {
        let Some(occupancy) = &mut self.occupancy else { return };
        let l = &self.layout;
        if input < l.network_inputs {
            let buffer = occupancy.index(router, input / l.channels, input % l.channels);
            occupancy.departs(buffer, now, flits);
        }
        if let Some((port, channel)) = channel {
            let peer = self.grid.peer(router, usize::from(port));
            let buffer = occupancy.index(peer, usize::from(port), usize::from(channel));
            occupancy.arrives(buffer, now + u64::from(self.grid.link_cycles()), flits);
        }
    }
}
