//! Allocate: every output that is idle and wanted grants one packet. A grant is visible elsewhere in the next cycle at the
//! earliest, so routers may be visited in any order.

use super::Mechanisms;
use super::fabric::{Arrival, Fabric, Tail};
use super::state::{Mask, RouterState};
use crate::contract::arbiter::{Arbiter, Contest};
use crate::contract::probe::{Grant, Probe};
use crate::contract::routing::Routing;
use crate::packet::Slot;
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize, const NV: usize> Fabric<'_, M, W, NI, NO, NV> {
    #[inline]
    pub(super) fn allocate<P: Probe>(&mut self, now: u64, probe: &mut P) {
        for word in 0..self.active.word_count() {
            let mut routers = self.active.take_word(word);
            while routers != 0 {
                let router = (word * 64) as u32 + routers.trailing_zeros();
                routers &= routers - 1;
                let mut ready = std::mem::take(&mut self.routers[router as usize].ready);
                while ready != 0 {
                    self.arbitrate(now, router, ready.trailing_zeros() as usize, probe);
                    ready &= ready - 1;
                }
            }
        }
    }

    /// A ready output picks among the heads that ask for it.
    #[inline]
    fn arbitrate<P: Probe>(&mut self, now: u64, router: u32, output: usize, probe: &mut P) {
        let state = &self.routers[router as usize];
        let mut inputs = state.contenders(output);
        if self.flits == 0 && output < self.layout.ports {
            inputs =
                RouterState::<W, NI, NO, NV>::filter(inputs, |i| self.channel_for(now, router, i, output).is_some());
            if inputs == 0 {
                self.look_again(now, router, output);
                return;
            }
        }
        debug_assert!(inputs != 0, "a ready output has a contender");
        let mut pointer = state.pointer[output & (NO - 1)];
        let contest = Contest { cycle: now, output: self.output_id(router, output), inputs };
        let winner = self.parts.arbiter.pick(contest, &mut pointer, |input| {
            let packet = &self.packets[self.front(router, input as usize).packet];
            (packet.birth, packet.source)
        });
        self.routers[router as usize].pointer[output & (NO - 1)] = pointer;
        self.grant(now, router, winner as usize, output, probe);
    }

    /// A number unique to the output, the same in every shape.
    #[inline]
    fn output_id(&self, router: u32, output: usize) -> u32 {
        let l = &self.layout;
        router * (l.ports + l.nodes * l.ejection) as u32 + output as u32
    }

    /// Nobody's packet fits, though the shortest would: while flits are leaving downstream, look again next cycle.
    fn look_again(&mut self, now: u64, router: u32, output: usize) {
        let state = &self.routers[router as usize];
        let usable = u64::from(state.room[output] & state.wanted[output]);
        if ones(usable).any(|c| self.returns.rises(router, output, c, now)) {
            self.routers[router as usize].ready |= 1 << output;
            self.active.insert(router as usize);
        }
    }

    /// The lowest channel that `input` asks for and that has room for its whole packet.
    #[inline]
    fn channel_for(&self, now: u64, router: u32, input: usize, output: usize) -> Option<usize> {
        let state = &self.routers[router as usize];
        let usable = state.inputs[input & (NI - 1)].channels & state.room[output & (NO - 1)];
        if self.flits != 0 || output >= self.layout.ports {
            return (usable != 0).then(|| usable.trailing_zeros() as usize);
        }
        let flits = self.length(self.front(router, input).packet);
        ones(u64::from(usable)).find(|&c| self.free(router, output, c, now) >= flits as i32)
    }

    #[inline]
    fn grant<P: Probe>(&mut self, now: u64, router: u32, input: usize, output: usize, probe: &mut P) {
        let channel = self.channel_for(now, router, input, output).expect("contenders have a channel with room");
        let state = &mut self.routers[router as usize];
        state.withdraw(input);
        state.idle &= !(1 << output);
        let slot = self.front(router, input);
        let flits = self.length(slot.packet);
        self.tails.push(now + u64::from(flits), Tail { router, input: input as u8, output: output as u8 });
        let injected = input >= self.layout.network_inputs;
        if injected {
            self.enters(now, router, input, slot.packet);
        } else if !self.returns.whole_at_tail() {
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

    /// The packet goes to `channel` of network port `port`.
    #[inline]
    fn send(&mut self, now: u64, router: u32, port: usize, channel: usize, slot: Slot, flits: u32) {
        self.take_credits(now, router, port, channel, flits);
        let word = self.parts.routing.advance(port as u8, slot.word);
        let arrival = Arrival {
            router: self.grid.peer(router, port),
            input: (port * self.layout.channels + channel) as u32,
            slot: Slot { packet: slot.packet, word },
        };
        self.arrivals.push(now + self.head_delay, arrival);
        self.counters.packet_hops += 1;
        self.counters.flit_hops += u64::from(flits);
    }

    fn track(&mut self, now: u64, router: u32, input: usize, channel: Option<(u8, u8)>, flits: u32) {
        let Some(occupancy) = &mut self.occupancy else { return };
        let l = &self.layout;
        if input < l.network_inputs {
            let buffer = occupancy.index(router, usize::from(l.port_of[input]), usize::from(l.channel_of[input]));
            occupancy.departs(buffer, now, flits);
        }
        if let Some((port, channel)) = channel {
            let peer = self.grid.peer(router, usize::from(port));
            let buffer = occupancy.index(peer, usize::from(port), usize::from(channel));
            occupancy.arrives(buffer, now + u64::from(self.grid.link_cycles()), flits);
        }
    }
}
