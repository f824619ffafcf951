//! Notices, control, arrive and free: what was known to happen in this cycle happens.

use super::events::{Arrival, Control, Crossed, Ripe};
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::notices::{By, Told};
use super::shape::{Row, Shape};
use super::sides::{Ingress, Queues};
use crate::contract::probe::{Delivery, Message, Probe};
use crate::contract::queueing::{LINK, Notice, Queueing};
use crate::packet::Packet;
use crate::sources::messages::Done;
use tailback_base::bits::ones;
use tailback_base::prefetch::{prefetch, prefetch_parts};

/// Events between a look ahead and the event.
const AHEAD: usize = 6;

/// Evaluates `$body` with every event of `$kind` that happens now, and `$soon` and `$sooner` with those some places behind it.
///
/// PERF: what these ask for comes from memory while others are at work (`tailback bench recn-1`).
macro_rules! each_event {
    ($self:ident, $kind:ident, $event:ident => $body:expr $(, soon $soon:expr)? $(, sooner $sooner:expr)?) => {
        let events = $self.events.$kind.open();
        $(for &$event in events.iter().take(AHEAD) {
            $soon;
        })?
        for (_n, &$event) in events.iter().enumerate() {
            $(if let Some(&$event) = events.get(_n + AHEAD) {
                $soon;
            })?
            $(if let Some(&$event) = events.get(_n + AHEAD / 2) {
                $sooner;
            })?
            $body;
        }
        $self.events.$kind.close(events);
    };
}

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    #[inline(always)]
    pub(super) fn deliver<P: Probe>(&mut self, now: u64, probe: &mut P) {
        self.notices.turn();
        let mut n = 0;
        while let Some(told) = self.notices.told(n) {
            self.tell(told, now, probe);
            n += 1;
        }
        each_event!(self, control, control => self.control(control, now, probe));
        each_event!(self, arrivals, arrival => self.arrive(arrival, now, probe), soon self.will_arrive(arrival),
            sooner self.will_join(arrival));
        let mut cursor = self.events.ripe.open(now);
        while let Some(ripe) = self.events.ripe.take(&mut cursor) {
            self.ripen(ripe);
        }
        each_event!(self, deliveries, packet => self.consume(now, packet, probe), soon self.pool.prefetch_packet(packet));
        each_event!(self, crossed, crossed => self.leave_crossbar(crossed));
        self.leave_links(now);
        each_event!(self, taken, node => self.admittance.free(node as usize));
    }

    /// A notice within a switch counts.
    fn tell<P: Probe>(&mut self, told: Told, now: u64, probe: &mut P) {
        let Told { side, egress, from, notice } = told;
        if egress {
            self.tell_out(side, from, &notice, now, probe);
        } else {
            self.tell_ingress(side, from, &notice, now, probe);
        }
    }

    fn tell_out<P: Probe>(&mut self, out: usize, from: u8, notice: &Notice, now: u64, probe: &mut P) {
        let (notices, state) = (&mut self.notices, &mut self.outs[out]);
        let level = |queue: usize| state.lists.at(queue).level;
        if state.queues.told(from, notice, level, &mut |to, notice| notices.by_out(out, to, notice)) {
            self.refresh_out(out, now, probe);
        }
    }

    fn tell_ingress<P: Probe>(&mut self, side: usize, from: u8, notice: &Notice, now: u64, probe: &mut P) {
        let (notices, state) = (&mut self.notices, &mut self.ingress[side]);
        let level = |queue: usize| state.lists.at(queue).level;
        if state.queues.told(from, notice, level, &mut |to, notice| notices.by_ingress(side, to, notice)) {
            self.refresh_ingress(side, now, probe);
        }
    }

    /// A control packet counts.
    #[inline(always)]
    fn control<P: Probe>(&mut self, control: Control, now: u64, probe: &mut P) {
        let at = control.at as usize;
        if control.credits == 0 {
            return self.count_notice(at, now, probe);
        }
        let counter = control.counter as usize;
        *self.credits_mut(at, counter) += control.credits;
        if S::SHARED {
            self.notices.work.pay(at);
        } else if self.outs[at].unpaid > 0 {
            self.wake_sending(at, counter);
        }
    }

    /// The notice that came first over a link counts.
    #[inline(never)]
    fn count_notice<P: Probe>(&mut self, link: usize, now: u64, probe: &mut P) {
        let (by, notice) = self.notices.arrive(link);
        match by {
            By::Ingress => {
                let out = self.memory[link].upstream as usize;
                self.tell_out(out, LINK, &notice, now, probe);
                if let Some(node) = out.checked_sub(self.layout.sides) {
                    self.admittance.look.insert(node);
                }
            }
            By::Out => self.tell_ingress(self.outs[link].to as usize, LINK, &notice, now, probe),
        }
    }

    /// A head will join a queue of its ingress side soon.
    #[inline(always)]
    fn will_arrive(&self, Arrival { side, packet }: Arrival) {
        self.pool.prefetch_hop(packet);
        let (side, queues) = (side as usize, std::mem::offset_of!(Ingress<Queues<M>, S>, queues));
        prefetch_parts(&self.ingress, side, [(0, 2), (queues, 1)]);
    }

    /// The queue that a head will join soon, where the lists of a side are far from it.
    #[inline(always)]
    fn will_join(&self, Arrival { side, packet }: Arrival) {
        if !S::SHARED {
            let state = &self.ingress[side as usize];
            let queue = state.queues.queue_for(LINK, self.pool.route(packet));
            prefetch(state.lists.all(), queue, 0, 1);
        }
    }

    /// A head joins a queue of its ingress side.
    #[inline(always)]
    fn arrive<P: Probe>(&mut self, arrival: Arrival, now: u64, probe: &mut P) {
        let (side, id) = (arrival.side as usize, arrival.packet);
        self.observe_ingress(side, 1);
        let (asks, words) = (now + self.layout.delay, self.in_words());
        let (state, notices, pool) = (&mut self.ingress[side], &mut self.notices, &mut self.pool);
        let route = pool.route(id);
        let (queue, port) = (state.queues.queue_for(LINK, route), usize::from(route.next()));
        let level = state.lists.at_mut(queue).push(pool, id);
        if asks > now {
            pool.set_asks(id, asks);
        }
        if level == 1 && asks > now {
            self.events.ripe.push(asks, Ripe { side: side as u32, queue: queue as u32 });
        } else if level == 1 {
            self.crossbars.ask(state, queue, port, words);
        }
        if state.queues.joined(queue, LINK, level, &mut |to, notice| notices.by_ingress(side, to, notice)) {
            self.refresh_ingress(side, now, probe);
        }
    }

    #[inline(always)]
    fn ripen(&mut self, ripe: Ripe) {
        self.ask_first(ripe.side as usize, ripe.queue as usize);
    }

    /// The first packet of a queue asks from now on.
    #[inline(always)]
    pub(super) fn ask_first(&mut self, side: usize, queue: usize) {
        let (words, state) = (self.in_words(), &mut self.ingress[side]);
        let port = self.pool.port(state.lists.at(queue).first);
        self.crossbars.ask(state, queue, port, words);
    }

    /// A packet is through the crossbar: its place in the ingress side is free, and a credit is owed.
    #[inline(always)]
    fn leave_crossbar(&mut self, crossed: Crossed) {
        let Crossed { side, counter, switch, input, port } = crossed;
        let (side, counter, switch) = (side as usize, counter as usize, switch as usize);
        self.crossbars.free(switch, input, port);
        let memory = &mut self.memory[side];
        let owed = if S::SHARED { &mut memory.owed } else { &mut self.ingress[side].lists.at_mut(counter).credits };
        *owed += 1;
        let (owed, batch) = (*owed, memory.batch);
        if !S::SHARED {
            let (word, bit) = (side * self.counter_words + counter / 64, 1 << (counter % 64));
            self.owing[word] |= bit;
            self.due[word] |= if owed >= batch { bit } else { 0 };
        }
        self.notices.work.add_owed(side, owed, batch);
        self.observe_ingress(side, -1);
    }

    /// Links fall idle.
    #[inline(always)]
    fn leave_links(&mut self, now: u64) {
        for word in 0..self.notices.work.word_count() {
            let links = self.events.sent.take_word(now, word);
            for bit in ones(self.notices.work.end(word, links)) {
                self.leave_link(word * 64 + bit);
            }
        }
    }

    /// The place of a packet that a link has sent is free, and somebody waits for it.
    fn leave_link(&mut self, out: usize) {
        let state = &self.outs[out];
        let (queue, place, node) = (state.sends as usize, state.place as usize, out.checked_sub(self.layout.sides));
        match node {
            Some(node) if S::SHARED => self.admittance.look.insert(node),
            None if S::SHARED => self.crossbars.look.insert(place),
            Some(node) => self.wake_admittance(node, queue),
            None => self.wake_asking(out, queue),
        }
        if self.outs[out].wanted > 0 {
            self.notices.work.want(out);
        }
    }

    /// The tail of a packet has reached its node.
    #[inline(always)]
    fn consume<P: Probe>(&mut self, now: u64, id: u32, probe: &mut P) {
        let packet = self.pool.packet(id);
        probe.delivered(Delivery { cycle: now, packet });
        self.counters.delivered += 1;
        self.counters.delivered_flits += u64::from(packet.flits);
        if let Some(Done { birth, flits, .. }) = self.makers.delivered(now, id, packet) {
            let Packet { source, destination, .. } = *packet;
            probe.message_delivered(Message { cycle: now, birth, source, destination, flits });
        }
        self.pool.remove(id);
    }
}
