//! Allocate: every output that is idle and wanted grants one packet. A grant is visible elsewhere in the next cycle at the
//! earliest, so routers may be visited in any order.

use super::events::{Arrival, Tail};
use super::fabric::Fabric;
use super::hot::{Hot, known};
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::contract::arbiter::{Arbiter, Contest};
use crate::contract::probe::{Grant, Probe};
use crate::contract::routing::Routing;
use crate::mask::Set;
use crate::packet::Slot;
use crate::wheel::Time;
use tailback_base::bits::ones;

/// A packet that was granted an output.
#[derive(Clone, Copy, Debug)]
struct Granted {
    router: Id,
    input: usize,
    output: usize,
    channel: usize,
    slot: Slot,
    flits: u32,
}

/// When what is granted in a cycle happens.
#[derive(Clone, Copy, Debug)]
struct Due {
    /// The cycle.
    now: u64,
    /// When tails leave, where all packets have one length.
    tails: Time,
    /// When heads may ask at the next router.
    arrivals: Time,
}

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    #[inline(always)]
    pub(super) fn allocate<P: Probe, const PLAIN: bool>(&mut self, now: u64, block: usize, probe: &mut P) {
        let due = Due {
            now,
            tails: self.tails.at(now + u64::from(self.flits)),
            arrivals: self.arrivals.at(now + self.head_delay),
        };
        for word in self.blocks.words(block, self.active.len()) {
            let mut routers = self.active.take_word(word);
            while routers != 0 {
                let router = self.routers.id((word * 64) as u32 + routers.trailing_zeros());
                routers &= routers - 1;
                if self.spread {
                    let next = (word * 64) as u32 + (routers.trailing_zeros() & 63);
                    R::prefetch_grants(self.routers.all(), next);
                }
                let mut ready = self.routers.at_mut(router).ready();
                while let Some(output) = self.routers.at_mut(router).next_ready(&mut ready) {
                    self.arbitrate::<P, PLAIN>(&due, router, output, probe);
                }
            }
        }
    }

    /// A ready output picks among the heads that ask for it, and grants.
    #[inline(always)]
    fn arbitrate<P: Probe, const PLAIN: bool>(&mut self, due: &Due, router: Id, output: usize, probe: &mut P) {
        let now = due.now;
        let mixed = !PLAIN && self.flits == 0 && output < self.layout.ports;
        let inputs = match mixed {
            false => self.routers.at(router).contenders(output),
            true => self.fitting(now, router, output),
        };
        if mixed && inputs.is_empty() {
            return self.look_again(now, router, output);
        }
        debug_assert!(!inputs.is_empty(), "a ready output has a contender");
        let contest = Contest { cycle: now, output: self.output_id(router, output), inputs: R::askers(&inputs) };
        let mut turn = self.routers.at(router).turn(output);
        let input = self.parts.arbiter.pick(contest, &mut turn, |input| {
            let packet = &self.packets[self.front(router, input as usize).packet];
            (packet.birth, packet.source)
        }) as usize;
        self.parts.arbiter.served(contest.output, input as u32);
        let fits = if mixed { self.fitting_channels(now, router, input, output) } else { u16::MAX };
        let state = self.routers.at_mut(router);
        state.set_turn(output, turn);
        let asked = *state.input(input);
        let channel = (asked.channels & state.room(output) & fits).trailing_zeros() as usize;
        state.withdraw(input);
        state.hold(output);
        let slot = asked.slot;
        let flits = if PLAIN || self.flits != 0 { self.flits } else { self.packets[slot.packet].flits };
        if output < self.layout.ports {
            let left = state.add_credits(output, channel, -(flits as i16));
            // Under ramps this may clear the bit too early; `grant` looks again.
            state.remove_room_if(output, channel, u64::from(left < self.shortest));
        } else if !PLAIN && self.ejection.is_finite() {
            let full = self.ejection.take(self.packets[slot.packet].destination, 1);
            state.remove_room_if(output, 0, u64::from(full));
        }
        self.grant::<P, PLAIN>(due, Granted { router, input, output, channel, slot, flits }, probe);
    }

    /// The inputs that want `output` and whose whole packet has room.
    pub(super) fn fitting(&self, now: u64, router: Id, output: usize) -> R::Inputs {
        let inputs = self.routers.at(router).contenders(output);
        inputs.filter(|i| self.fitting_channels(now, router, i, output) != 0)
    }

    /// The channels that `input` asks for and that have room for its whole packet.
    fn fitting_channels(&self, now: u64, router: Id, input: usize, output: usize) -> u16 {
        let state = self.routers.at(router);
        let usable = state.input(input).channels & state.room(output);
        let flits = self.length(self.front(router, input).packet) as i32;
        ones(u64::from(usable)).filter(|&c| self.free(router, output, c, now) >= flits).fold(0, |m, c| m | 1 << c)
    }

    /// A number unique to the output, the same in every shape.
    #[inline(always)]
    pub(super) fn output_id(&self, router: Id, output: usize) -> u32 {
        let l = &self.layout;
        router.get() * l.outputs + output as u32
    }

    /// Nobody's packet fits, though the shortest would: while flits are leaving downstream, look again next cycle.
    fn look_again(&mut self, now: u64, router: Id, output: usize) {
        let state = self.routers.at(router);
        if ones(state.usable(output)).any(|c| self.returns.rises(router, output, c, now)) {
            self.routers.at_mut(router).make_ready(output);
            self.active.insert_if(router, 1);
        }
    }

    /// Carries a grant out: what it sets in motion for later cycles.
    #[inline(always)]
    fn grant<P: Probe, const PLAIN: bool>(&mut self, due: &Due, granted: Granted, probe: &mut P) {
        let Granted { router, input, output, channel, slot, flits } = granted;
        let (now, network, injected) = (due.now, output < self.layout.ports, input >= self.layout.network_inputs);
        let slow = if PLAIN { 0 } else { self.slow(router, output, flits) };
        let even = PLAIN || self.flits != 0 && slow == 0;
        let tails = if even { due.tails } else { self.tails.at(now + u64::from(flits) + slow) };
        let tail = Tail { router, input: input as u16, output: output as u16 };
        self.tails.push_at(tails, self.blocks.of(router.get()), tail);
        if injected {
            self.enters::<P, PLAIN>(now, router, input, (slot.packet, now + u64::from(flits) + slow), probe);
        } else if !PLAIN && !self.returns.whole_at_tail() {
            let period = if network { self.peers.period(router, output) } else { 1 };
            self.credit_departure(now, router, input, flits, period);
        } else if self.share.is_cut() {
            self.credit_ahead(now + slow, router, input, flits);
        }
        if network {
            if !PLAIN && !self.returns.whole() {
                self.look_for_room(now, router, output, channel);
            }
            self.send::<PLAIN>(due, router, output, channel, slot, (flits, slow));
            probe.sets_out(now, router.get(), output as u8);
        }
        let channel = network.then_some((output as u8, channel as u8));
        probe.granted(Grant { cycle: now, router: router.get(), channel, flits, injected });
        if !PLAIN && self.occupancy.is_some() {
            self.track(now, router, input, channel, flits);
        }
    }

    /// The packet goes to `channel` of network port `port`.
    #[inline(always)]
    fn send<const PLAIN: bool>(
        &mut self,
        due: &Due,
        router: Id,
        port: usize,
        channel: usize,
        slot: Slot,
        (flits, slow): (u32, u64),
    ) {
        let word = self.parts.routing.advance(port as u8, slot.word);
        let links = known::<R, PLAIN>();
        let (there, into) = self.peers.ahead(router, port, links);
        let input = (into * self.layout.channels + channel) as u32;
        let arrival = Arrival { router: there, input, slot: Slot { packet: slot.packet, word } };
        let later = self.peers.cycles(router, port, links);
        let then = later.map(|cycles| due.now + cycles + u64::from(self.config.header_cycles) + slow);
        if self.share.owns(there) {
            let at = then.map_or(due.arrivals, |then| self.arrivals.at(then));
            self.arrivals.push_at(at, self.blocks.of(there.get()), arrival);
        } else {
            self.post_head(then.unwrap_or(due.now + self.head_delay), arrival);
        }
        self.counters.packet_hops += 1;
        self.counters.flit_hops += u64::from(flits);
    }

    fn track(&mut self, now: u64, router: Id, input: usize, channel: Option<(u8, u8)>, flits: u32) {
        let period = channel.map_or(1, |(port, _)| self.peers.period(router, usize::from(port)));
        let hop = channel.map(|(port, channel)| {
            let (peer, into) = self.peers.ahead(router, usize::from(port), None);
            let cycles = self.head_delay_of(router, usize::from(port)) - u64::from(self.config.header_cycles);
            (peer.get(), into, usize::from(channel), now + cycles)
        });
        let Some(occupancy) = &mut self.occupancy else { return };
        let l = &self.layout;
        if input < l.network_inputs {
            let (port, channel) = l.lane::<R>(input);
            let buffer = occupancy.index(router.get(), port.into(), channel.into());
            occupancy.departs(buffer, now, flits, period);
        }
        if let Some((peer, into, channel, then)) = hop {
            let buffer = occupancy.index(peer, into, channel);
            occupancy.arrives(buffer, then, flits, period);
        }
    }
}
