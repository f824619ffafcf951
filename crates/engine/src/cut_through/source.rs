//! Generate and admit: source queues and the network interface.
//!
//! A node has one injection port, so of its source queue only the packet at the head is kept. That packet asks, or is being sent, or
//! wakes its node when it may ask; the sources know what stands behind it.

use super::deliver::outcome;
use super::events::Tail;
use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::contract::admission::{Admission, LocalView};
use crate::contract::probe::Probe;
use crate::contract::routing::{Head, Request, Routing};
use crate::contract::sources::Sources;
use crate::mask::{Set, ones_below};
use crate::packet::{Packet, Slot};
use crate::totals::{Amount, Lot, Totals};
use tailback_base::bits::ones;
use tailback_base::prefetch::prefetch;
use tailback_base::rng::{self, Purpose};

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    pub(super) fn open_sources(&mut self) {
        for node in 0..self.network.nodes() as u32 {
            if self.is_own(node) && self.heads.pull(node, 0) {
                self.heads.calendar.schedule(node, self.ready_at(self.heads.upcoming[node as usize].cycle));
            }
        }
    }

    /// Whether a node is none of another part of the network.
    pub(super) fn is_own(&self, node: u32) -> bool {
        self.share.owns(self.routers.id(self.network.router_of(node)))
    }

    /// The cycle in which a packet generated in `cycle` may first ask.
    pub(super) fn ready_at(&self, cycle: u64) -> u64 {
        cycle + u64::from(self.config.header_cycles)
    }

    /// Wakes the sources whose next packet is due, or that are to be asked again.
    #[inline]
    pub(super) fn generate<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut cursor = self.heads.calendar.open(now);
        while let Some(node) = self.heads.calendar.take(&mut cursor, now) {
            if self.blocks.many() {
                self.expect_start(cursor);
            }
            if self.heads.known.contains(node as usize) {
                self.start(node, now, probe);
            } else {
                self.heads.asleep.remove(node as usize);
                self.ask_or_note(node, now, probe);
            }
        }
    }

    /// Asks for the memory that [`Fabric::start`] will touch. The node may be none.
    #[inline]
    fn expect_start(&self, node: u32) {
        prefetch(&self.heads.upcoming, node as usize, 0, 1);
        let router = self.network.router_of(node);
        R::prefetch(self.routers.all(), router);
        R::prefetch_input(self.routers.all(), router, self.layout.network_inputs);
        self.parts.routing.expect(router);
    }

    /// Asks for the memory that [`Fabric::source_is_free`] will touch.
    pub(super) fn expect_free(&self, router: Id, input: usize) {
        self.heads.expect(self.layout.node_at(router, input));
    }

    /// The injection port of `node` is free in cycle `now`: the tail of its last packet has left.
    #[inline]
    pub(super) fn source_is_free<P: Probe>(&mut self, node: u32, now: u64, probe: &mut P) {
        self.at_head.remove(node as usize);
        self.heads.leaves(node, now);
        self.ask_or_note(node, now, probe);
    }

    /// Asks the source of a node, now or, where what it says may depend on all that is delivered in the cycle, as soon as that is.
    #[inline]
    fn ask_or_note<P: Probe>(&mut self, node: u32, now: u64, probe: &mut P) {
        if self.follows_packets {
            self.asked.push(node);
        } else {
            self.ask_source(node, now, probe);
        }
    }

    /// Asks the sources of nodes that were noted, those of a block to which all has been delivered.
    #[cold]
    pub(super) fn ask_noted<P: Probe>(&mut self, now: u64, block: usize, probe: &mut P) {
        let mut next = 0;
        while let Some(&node) = self.asked.get(next) {
            if self.blocks.of(self.network.router_of(node)) != block {
                next += 1;
                continue;
            }
            self.asked.swap_remove(next);
            if !self.at_head.contains(node as usize) && !self.heads.known.contains(node as usize) {
                self.heads.rouse(node);
                self.ask_source(node, now, probe);
            }
        }
    }

    /// Asks the source of a node with a free injection port for its next packet, which comes to the head of the queue when it may ask.
    #[inline]
    fn ask_source<P: Probe>(&mut self, node: u32, now: u64, probe: &mut P) {
        if !self.heads.pull(node, now) {
            return;
        }
        let ready = self.ready_at(self.heads.upcoming[node as usize].cycle);
        if ready <= now {
            self.start(node, now, probe);
        } else {
            self.heads.calendar.schedule(node, ready);
        }
    }

    /// The sources of a node and its kin have something new in cycle `at`.
    #[cold]
    pub(super) fn wake_kin<P: Probe>(&mut self, node: u32, at: u64, now: u64, probe: &mut P) {
        self.heads.sources.kin(node).for_each(|node| self.wake_source(node, at, now, probe));
    }

    /// Places of the ejection buffers of a node and its kin are free from this cycle on.
    #[cold]
    pub(super) fn give_back(&mut self, node: u32, now: u64) {
        while let Some(of) = self.heads.sources.frees(node, now) {
            if self.ejection.give_back(of) {
                let router = self.routers.id(self.network.router_of(of));
                let output = self.layout.ejection_output(of, 0);
                let state = self.routers.at_mut(router);
                state.add_room(output, 0);
                let ready = state.wake(output);
                self.active.insert_if(router, ready);
            }
        }
    }

    /// All that is delivered to a block in this cycle is known: its nodes give back the places of packets that are asked for by now.
    #[cold]
    pub(super) fn give_back_late(&mut self, now: u64, block: usize) {
        let Some(mut consumers) = self.consumers.take() else { return };
        for word in 0..consumers.word_count() {
            for node in ones(consumers.word(word)).map(|bit| word * 64 + bit) {
                if self.blocks.of(self.network.router_of(node as u32)) != block {
                    continue;
                }
                self.give_back(node as u32, now);
                if self.heads.sources.kin(node as u32).all(|node| self.heads.sources.holds(node) == 0) {
                    consumers.remove(node);
                }
            }
        }
        self.consumers = Some(consumers);
    }

    /// Notes the nodes at which packets hold places, as those of a network that has been restored.
    pub(super) fn note_consumers(&mut self) {
        let sources = &self.heads.sources;
        let Some(consumers) = &mut self.consumers else { return };
        for node in 0..self.network.nodes() as u32 {
            let first = sources.kin(node).start as usize;
            if sources.holds(node) > 0 {
                consumers.insert(first);
            }
        }
    }

    /// The source of a node has something new in cycle `at`. One with a packet is asked when that has left.
    #[cold]
    pub(super) fn wake_source<P: Probe>(&mut self, node: u32, at: u64, now: u64, probe: &mut P) {
        if self.at_head.contains(node as usize) || self.heads.known.contains(node as usize) {
            return;
        }
        if at <= now && self.follows_packets {
            self.asked.push(node);
        } else if at <= now {
            self.heads.rouse(node);
            self.ask_source(node, now, probe);
        } else {
            self.heads.wake(node, at);
        }
    }

    /// The upcoming packet of `node` comes to the head of its queue and asks.
    fn start<P: Probe>(&mut self, node: u32, now: u64, probe: &mut P) {
        self.at_head.insert(node as usize);
        self.heads.known.remove(node as usize);
        let made = self.heads.upcoming[node as usize];
        let router = self.network.router_of(node);
        let mut packet = Packet::made(node, &made, self.network.router_of(made.destination));
        packet.mark = self.heads.sources.mark(node, made.index);
        let draw = || rng::draw(self.config.seed, Purpose::Tie, node, made.index)[0];
        let mut word = self.parts.routing.start(router, &mut packet, draw);
        let (at, input) = (self.routers.id(router), self.layout.injection_input(node));
        let (output, channels) = if self.kept.is_on() {
            let id = self.packets.insert(packet);
            self.routers.at_mut(at).input_mut(input).slot = Slot { packet: id, word };
            let decided = self.decide(now, at, input);
            probe.started(&self.packets[id]);
            decided
        } else {
            let request = self.parts.routing.request(Head { router, input: None }, &packet, &mut word);
            probe.started(&packet);
            let id = self.packets.insert(packet);
            self.routers.at_mut(at).input_mut(input).slot = Slot { packet: id, word };
            outcome(&self.layout, made.destination, input, request)
        };
        self.counters.started += 1;
        if self.throttled {
            let state = self.routers.at_mut(at).input_mut(input);
            (state.output, state.channels) = (output as u16, channels);
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
        let port = (usize::from(asked.output) < self.layout.ports).then_some(asked.output as u8);
        let all = ones_below(self.layout.channels) as u16;
        let room = state.rooms();
        let room = &room.as_ref()[..self.layout.ports];
        let view = LocalView { router: router.get(), idle: state.idle_ports(), room, all };
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
        if state.contenders(output).is_empty() {
            state.unready(output);
        }
    }

    /// The head of an injection queue was granted an output, and its tail leaves in such a cycle.
    #[inline]
    pub(super) fn enters<P: Probe, const PLAIN: bool>(
        &mut self,
        now: u64,
        router: Id,
        input: usize,
        (packet, leaves): (u32, u64),
        probe: &mut P,
    ) {
        self.packets[packet].entered = now;
        probe.entered(now, &self.packets[packet]);
        self.counters.entered += 1;
        if !PLAIN && self.throttled {
            self.waiting.remove(self.layout.node_at(router, input) as usize);
        }
        if self.follows_packets {
            self.tell_source(now, packet, leaves, probe);
        }
    }

    /// Tells sources that the head of a packet has left its queue, and when its tail will have.
    #[cold]
    fn tell_source<P: Probe>(&mut self, now: u64, packet: u32, leaves: u64, probe: &mut P) {
        let packet = &self.packets[packet];
        let node = packet.source;
        let sources = &mut self.heads.sources;
        for at in [sources.entered(now, packet), sources.left(leaves, packet)].into_iter().flatten() {
            self.wake_kin(node, at.max(now + 1), now, probe);
        }
    }

    /// Lets everything happen at the sources that is due before the next cycle.
    pub(super) fn catch_up(&mut self) {
        self.heads.sources.catch_up(self.cycle);
    }

    /// Packets that the sources made before cycle `end` and that have not come to the head of their queue.
    pub fn backlog(&self, end: u64, mut made: impl FnMut(u32, Lot)) {
        for node in (0..self.network.nodes() as u32).filter(|&node| self.is_own(node)) {
            self.heads.backlog(node, end, |lot| made(node, lot));
        }
    }

    /// What became of all packets since cycle 0. Those of a part are what adds up, over all parts, to those of the whole.
    pub(super) fn totals(&self) -> Totals {
        let (mut generated, mut behind, mut in_fronts) = (Amount::default(), Amount::default(), Amount::default());
        for node in (0..self.network.nodes() as u32).filter(|&node| self.is_own(node)) {
            generated += self.heads.generated(node, self.cycle, &mut behind);
            if self.waits_to_enter(node) {
                in_fronts += Amount::one(self.heads.upcoming[node as usize].flits);
            }
        }
        let here: Amount = self.packets.present().sum();
        Totals::new(generated, &self.counters, here.without(self.going_abroad()), in_fronts, behind)
    }

    /// The packets whose head has been posted to another part and whose tail has not left this one: both know them, and they count there.
    fn going_abroad(&self) -> Amount {
        if !self.share.is_cut() {
            return Amount::default();
        }
        let leaves = |tail: &&Tail| {
            let output = usize::from(tail.output);
            output < self.layout.ports && !self.share.owns(self.peers.at(tail.router, output, None))
        };
        let packet = |tail: &Tail| &self.packets[self.front(tail.router, tail.input.into()).packet];
        self.tails.iter().filter(leaves).map(packet).sum()
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
        let is_dry = |node: u32| !self.at_head.contains(node as usize) && self.heads.is_dry(node);
        (0..self.network.nodes() as u32).all(|node| !self.is_own(node) || is_dry(node))
    }

    /// Whether no source has a packet, nor will have one before something is delivered.
    pub(super) fn sources_wait(&self) -> bool {
        self.at_head.is_empty() && self.heads.known.is_empty() && self.heads.asleep.is_empty()
    }
}
