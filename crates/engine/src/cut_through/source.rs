//! Generate and admit: source queues and the network interface.
//!
//! Packets are a pure function of (node, index), so a source queue is a cursor: the packet at its head and the generator
//! behind it. A packet that never gets to the head is never made.

use super::compact::Inputs;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::state::RouterState;
use super::tables::Id;
use crate::contract::admission::{Admission, LocalView};
use crate::contract::probe::Probe;
use crate::contract::routing::{Head, Request, Routing};
use crate::mask::ones_below;
use crate::packet::{Packet, Slot};
use crate::totals::{Amount, Totals, first};
use tailback_base::bits::ones;
use tailback_base::prefetch::prefetch;
use tailback_base::rng::{self, Purpose};
use tailback_traffic::{Generated, Source};

impl<M: Mechanisms, W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize>
    Fabric<'_, M, W, NI, NO, NP, NV>
{
    pub(super) fn open_sources(&mut self) {
        for node in 0..self.network.nodes() as u32 {
            self.sources.push(self.traffic.source(node));
            let next = self.traffic.next(node, &mut self.sources[node as usize]);
            self.upcoming.push(next.unwrap_or(Generated { cycle: 0, destination: node, flits: 0, index: 0 }));
            match next {
                Some(next) if self.share.owns(self.routers.id(self.network.router_of(node))) => {
                    self.calendar.schedule(node, self.ready_at(next.cycle))
                }
                // Nor do those of other parts of the network send here.
                _ => self.dry.insert(node as usize),
            }
        }
    }

    /// The cycle in which a packet generated in `cycle` may first ask.
    pub(super) fn ready_at(&self, cycle: u64) -> u64 {
        cycle + u64::from(self.config.header_cycles)
    }

    /// The next packet of `node` after `source`, when its first `gone` packets have left. In a finite queue of `n` packets
    /// it is made when the packet `n` before it has left; while that one has not, it is not made at all.
    pub(super) fn next_made(&self, node: u32, source: &mut Source, gone: u64) -> Option<Generated> {
        let mut next = self.traffic.next(node, source)?;
        let Some(length) = self.config.source_queue_packets.map(u64::from) else { return Some(next) };
        if next.index < length {
            return Some(next);
        }
        if next.index - length >= gone {
            return None;
        }
        let left = self.left[(u64::from(node) * length + next.index % length) as usize];
        if left > next.cycle {
            next.cycle = left;
            // It is made in cycle `left`: the next gap begins after it.
            self.traffic.stall(source, left + 1);
        }
        Some(next)
    }

    /// Wakes the sources whose next packet is due.
    #[inline]
    pub(super) fn generate<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut cursor = self.calendar.open(now);
        while let Some(node) = self.calendar.take(&mut cursor, now) {
            if self.blocks.many() {
                self.expect_start(cursor);
            }
            self.start(node, probe);
        }
    }

    /// Asks for the memory that [`Fabric::start`] will touch. The node may be none.
    #[inline]
    fn expect_start(&self, node: u32) {
        prefetch(&self.upcoming, node as usize, 0, 1);
        let router = self.network.router_of(node);
        RouterState::prefetch(self.routers.all(), router);
        RouterState::prefetch_input(self.routers.all(), router, self.layout.network_inputs);
        self.parts.routing.expect(router);
    }

    /// Asks for the memory that [`Fabric::source_is_free`] will touch.
    pub(super) fn expect_free(&self, router: Id, input: usize) {
        let node = self.layout.node_at(router, input);
        prefetch(&self.upcoming, node as usize, 0, 1);
        prefetch(&self.sources, node as usize, 0, 1);
        self.calendar.prefetch(node);
    }

    /// The injection port of `node` is free in cycle `now`: the tail of its last packet has left.
    #[inline]
    pub(super) fn source_is_free<P: Probe>(&mut self, node: u32, now: u64, probe: &mut P) {
        self.at_head.remove(node as usize);
        let index = self.upcoming[node as usize].index;
        if let Some(length) = self.config.source_queue_packets.map(u64::from) {
            self.left[(u64::from(node) * length + index % length) as usize] = now;
        }
        let mut source = self.sources[node as usize];
        let Some(next) = self.next_made(node, &mut source, index + 1) else {
            self.dry.insert(node as usize);
            return;
        };
        self.sources[node as usize] = source;
        self.upcoming[node as usize] = next;
        let ready = self.ready_at(next.cycle);
        if ready <= now {
            self.start(node, probe);
        } else {
            self.calendar.schedule(node, ready);
        }
    }

    /// The upcoming packet of `node` comes to the head of its queue and asks.
    fn start<P: Probe>(&mut self, node: u32, probe: &mut P) {
        self.at_head.insert(node as usize);
        let made = self.upcoming[node as usize];
        let router = self.network.router_of(node);
        let mut packet = Packet {
            birth: made.cycle,
            index: made.index,
            source: node,
            destination: made.destination,
            router: self.network.router_of(made.destination),
            flits: made.flits,
            ..Packet::default()
        };
        let draw = || rng::draw(self.config.seed, Purpose::Tie, node, made.index)[0];
        let mut word = self.parts.routing.start(router, &mut packet, draw);
        let head = Head { router, input: None };
        let request = self.parts.routing.request(head, &packet, &mut word);
        probe.started(&packet);
        let id = self.packets.insert(packet);
        let (at, input) = (self.routers.id(router), self.layout.injection_input(node));
        self.routers.at_mut(at).input_mut(input).slot = Slot { packet: id, word };
        self.counters.started += 1;
        let (output, channels) = match request.port {
            Some(port) => (usize::from(port), request.channels),
            None => (self.layout.ejection_output(made.destination, input), 1),
        };
        if self.throttled {
            let state = self.routers.at_mut(at).input_mut(input);
            (state.output, state.channels) = (output as u8, channels);
            self.waiting.insert(node as usize);
        } else {
            self.file(at, input, output, channels);
        }
    }

    #[inline]
    fn file(&mut self, router: Id, input: usize, output: usize, channels: u16) {
        let ready = self.routers.at_mut(router).file(input, output, channels);
        self.active.insert_if(router, ready);
    }

    /// Admit: every head at a source asks, or holds, as the admission mechanism says.
    #[inline]
    pub(super) fn admit(&mut self) {
        if !self.throttled {
            return;
        }
        for word in 0..self.waiting.word_count() {
            for bit in ones(self.waiting.word(word)) {
                self.admit_node((word * 64 + bit) as u32);
            }
        }
    }

    fn admit_node(&mut self, node: u32) {
        let router = self.routers.id(self.network.router_of(node));
        let input = self.layout.injection_input(node);
        let state = self.routers.at(router);
        let asked = *state.input(input);
        let port = (usize::from(asked.output) < self.layout.ports).then_some(asked.output);
        let all = ones_below(self.layout.channels) as u16;
        let room: [u16; NP] = std::array::from_fn(|port| state.room(port));
        let view = LocalView { router: router.get(), idle: state.idle(), room: &room[..self.layout.ports], all };
        let admitted = self.parts.admission.admits(view, Request { port, channels: asked.channels });
        let asks = state.asks(input);
        if admitted && !asks {
            self.file(router, input, usize::from(asked.output), asked.channels);
        } else if !admitted && asks {
            self.hold(router, input, usize::from(asked.output));
        }
    }

    fn hold(&mut self, router: Id, input: usize, output: usize) {
        let state = self.routers.at_mut(router);
        state.withdraw(input);
        if state.contenders(output) == 0 {
            state.set_ready(output, false);
        }
    }

    /// The head of an injection queue was granted an output.
    #[inline]
    pub(super) fn enters<P: Probe, const PLAIN: bool>(
        &mut self,
        now: u64,
        router: Id,
        input: usize,
        packet: u32,
        probe: &mut P,
    ) {
        self.packets[packet].entered = now;
        probe.entered(now, &self.packets[packet]);
        self.counters.entered += 1;
        if !PLAIN && self.throttled {
            self.waiting.remove(self.layout.node_at(router, input) as usize);
        }
    }

    /// Packets that the sources made before cycle `end` and that have not come to the head of their queue.
    pub fn backlog(&self, end: u64, mut made: impl FnMut(u32, Generated)) {
        for node in 0..self.network.nodes() as u32 {
            self.backlog_of(node, end, |packet| made(node, packet));
        }
    }

    /// The same of one node; returns the number of packets that it made before cycle `end` in all.
    fn backlog_of(&self, node: u32, end: u64, mut made: impl FnMut(Generated)) -> u64 {
        let n = node as usize;
        let mut source = self.sources[n];
        if self.dry.contains(n) {
            return source.taken();
        }
        let gone = self.upcoming[n].index;
        let (mut next, mut all) = match self.at_head.contains(n) {
            true => (None, gone + 1),
            false => (Some(self.upcoming[n]), gone),
        };
        while let Some(packet) = next.take().or_else(|| self.next_made(node, &mut source, gone)) {
            if packet.cycle >= end {
                break;
            }
            made(packet);
            all = packet.index + 1;
        }
        all
    }

    /// What became of all packets since cycle 0; of a network in one piece.
    pub(super) fn totals(&self) -> Totals {
        let (mut generated, mut behind, mut in_fronts) = (Amount::default(), Amount::default(), Amount::default());
        for node in 0..self.network.nodes() as u32 {
            let packets = self.backlog_of(node, self.cycle, |packet| behind += Amount::one(packet.flits));
            generated += first(self.traffic, node, packets, self.cycle);
            if self.waits_to_enter(node) {
                in_fronts += Amount::one(self.upcoming[node as usize].flits);
            }
        }
        Totals::new(generated, &self.counters, self.packets.present().sum(), in_fronts, behind)
    }

    /// Whether the packet at the head of a source queue is there as a whole: it asks, or is held back.
    pub(super) fn waits_to_enter(&self, node: u32) -> bool {
        let asks = || {
            let router = self.routers.id(self.network.router_of(node));
            self.routers.at(router).asks(self.layout.injection_input(node))
        };
        self.at_head.contains(node as usize) && (self.waiting.contains(node as usize) || asks())
    }

    /// Whether all sources have sent their last packet and will make none any more.
    pub(super) fn sources_are_dry(&self) -> bool {
        (0..self.network.nodes()).all(|node| self.dry.contains(node))
    }
}
