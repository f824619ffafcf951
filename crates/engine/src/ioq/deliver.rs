//! Notices, control, arrive and free: what was known to happen in this cycle happens.

use super::fabric::{Arrival, Control, Crossed, Fabric, Ripe};
use super::notices::{By, Told};
use super::sides::Ingress;
use super::{MAX_PORTS, Mechanisms};
use crate::contract::probe::{Delivery, Message, Probe};
use crate::contract::queueing::{LINK, Queueing};
use crate::packet::Packet;
use crate::wheel::CHUNK;
use tailback_base::bits::ones;
use tailback_base::prefetch::prefetch;

/// Evaluates `$body` with every event of `$wheel` that happens in `$now`, and `$soon` with some events before.
///
/// PERF: what `$soon` asks for comes from memory while others are at work (`tailback bench recn-1`).
macro_rules! each_event {
    ($self:ident, $wheel:ident, $now:expr, $event:ident => $body:expr $(, soon $soon:expr)*) => {
        let mut cursor = $self.events.$wheel.open($now);
        let mut batch = [Default::default(); CHUNK];
        loop {
            let events = $self.events.$wheel.take_chunk(&mut cursor, &mut batch);
            if events.is_empty() {
                break;
            }
            $(for &$event in events {
                $soon;
            })*
            for &$event in events {
                $body;
            }
        }
    };
}

impl<M: Mechanisms, const SHARED: bool> Fabric<'_, M, SHARED> {
    #[inline]
    pub(super) fn deliver<P: Probe>(&mut self, now: u64, probe: &mut P) {
        self.notices.turn();
        let mut n = 0;
        while let Some(told) = self.notices.told(n) {
            self.tell(told, now, probe);
            n += 1;
        }
        each_event!(self, control, now, control => self.control(control, now, probe),
            soon self.will_count(control));
        each_event!(self, arrivals, now, arrival => self.arrive(arrival, now, probe),
            soon self.will_arrive(arrival), soon self.will_join(arrival));
        each_event!(self, ripe, now, ripe => self.ripen(ripe));
        each_event!(self, deliveries, now, packet => self.consume(now, packet, probe), soon self.pool.prefetch_packet(packet));
        each_event!(self, crossed, now, crossed => self.leave_crossbar(crossed),
            soon self.will_leave(crossed));
        self.leave_links(now);
        each_event!(self, taken, now, node => self.admittance.free(node as usize));
    }

    /// A notice within a switch counts.
    fn tell<P: Probe>(&mut self, told: Told, now: u64, probe: &mut P) {
        let Told { side, egress, from, notice } = told;
        let notices = &mut self.notices;
        if egress {
            let lists = &self.out_lists[side * self.out_stride..];
            let level = |queue: usize| lists[queue].level;
            self.out_queues[side].told(from, &notice, level, &mut |to, notice| notices.by_out(side, to, notice));
            self.refresh_out(side, now, probe);
        } else {
            let lists = &self.in_lists[side * self.in_stride..];
            let level = |queue: usize| lists[queue].level;
            self.in_queues[side].told(from, &notice, level, &mut |to, notice| notices.by_ingress(side, to, notice));
            self.refresh_ingress(side, now, probe);
        }
    }

    /// A control packet counts.
    #[inline]
    fn control<P: Probe>(&mut self, control: Control, now: u64, probe: &mut P) {
        let at = control.at as usize;
        if control.credits > 0 {
            let counter = at * self.out_stride + control.counter as usize;
            self.out_lists[counter].credits += control.credits;
            self.notices.work.again(at);
            if !SHARED && self.outs[at].unpaid > 0 {
                self.wake_sending(at, counter);
            }
            return;
        }
        let (by, notice) = self.notices.arrive(at);
        let notices = &mut self.notices;
        match by {
            By::Ingress => {
                let out = self.ingress[at].upstream as usize;
                let lists = &self.out_lists[out * self.out_stride..];
                let level = |queue: usize| lists[queue].level;
                self.out_queues[out].told(LINK, &notice, level, &mut |to, notice| notices.by_out(out, to, notice));
                self.refresh_out(out, now, probe);
                if let Some(node) = out.checked_sub(self.layout.sides) {
                    self.admittance.look.insert(node);
                }
            }
            By::Out => {
                let side = self.outs[at].to as usize;
                let lists = &self.in_lists[side * self.in_stride..];
                let level = |queue: usize| lists[queue].level;
                self.in_queues[side].told(LINK, &notice, level, &mut |to, notice| notices.by_ingress(side, to, notice));
                self.refresh_ingress(side, now, probe);
            }
        }
    }

    /// A head will join a queue of its ingress side soon.
    #[inline(always)]
    fn will_arrive(&self, Arrival { side, packet }: Arrival) {
        self.pool.prefetch_hop(packet);
        prefetch(&self.ingress, side as usize, 0, 1);
        prefetch(&self.in_queues, side as usize, 0, if SHARED { 2 } else { 1 });
    }

    /// The queue that a head will join soon. Which one, takes long to say where memory is shared.
    #[inline(always)]
    fn will_join(&self, Arrival { side, packet }: Arrival) {
        let lists = side as usize * self.in_stride;
        if SHARED {
            prefetch(&self.in_lists, lists, 0, 3);
        } else {
            let queue = self.in_queues[side as usize].queue_for(LINK, self.pool.route(packet));
            prefetch(&self.in_lists, lists + queue, 0, 1);
        }
    }

    /// A head joins a queue of its ingress side.
    #[inline]
    fn arrive<P: Probe>(&mut self, arrival: Arrival, now: u64, probe: &mut P) {
        let (side, id) = (arrival.side as usize, arrival.packet);
        if self.layout.delay > 0 {
            self.pool.set_asks(id, now + self.layout.delay);
        }
        let queue = self.in_queues[side].queue_for(LINK, self.pool.route(id));
        let list = &mut self.in_lists[side * self.in_stride + queue];
        list.push(&mut self.pool, id);
        let level = list.level;
        self.ingress[side].used += 1;
        self.observe_ingress(side);
        if level == 1 {
            self.come_to_front(side, queue, id, now);
        }
        let notices = &mut self.notices;
        self.in_queues[side].joined(queue, LINK, level, &mut |to, notice| notices.by_ingress(side, to, notice));
        self.refresh_ingress(side, now, probe);
    }

    /// A packet is the first of its queue in an ingress side: it may ask, now or later.
    #[inline]
    pub(super) fn come_to_front(&mut self, side: usize, queue: usize, id: u32, now: u64) {
        if self.layout.delay > 0 && self.pool.asks(id) > now {
            let ripe = Ripe { side: side as u32, queue: queue as u32 };
            self.events.ripe.push(self.pool.asks(id), ripe);
        } else {
            self.ask(side, queue, id);
        }
    }

    #[inline]
    fn ripen(&mut self, ripe: Ripe) {
        let (side, queue) = (ripe.side as usize, ripe.queue as usize);
        self.ask(side, queue, self.in_list(side, queue).first);
    }

    /// The first packet of a queue asks from now on.
    #[inline(always)]
    pub(super) fn ask(&mut self, side: usize, queue: usize, id: u32) {
        let (ports, port) = (self.layout.ports, self.pool.port(id));
        let Ingress { switch, port: input, held, deferred, .. } = self.ingress[side];
        self.asks[(side * ports + port) * self.in_words + queue / 64] |= 1 << (queue % 64);
        // PERF: as `rate` would do it; one that is held is not there.
        let (may, class) = if queue < 64 { (!held >> queue & 1, deferred >> queue & 1) } else { (1, 0) };
        let state = &mut self.switches[switch as usize];
        state.askers[port % MAX_PORTS][class as usize & 1] |= may << input;
        state.wanted[class as usize & 1] |= may << port;
        self.look.insert_if(switch as usize, may & state.idle_inputs >> input & state.idle_outputs >> port);
    }

    /// A packet will be through the crossbar soon.
    #[inline(always)]
    fn will_leave(&self, crossed: Crossed) {
        prefetch(&self.ingress, crossed.side as usize, 0, 1);
        prefetch(&self.in_lists, crossed.side as usize * self.in_stride + crossed.counter as usize, 0, 1);
    }

    /// A control packet will count soon.
    #[inline(always)]
    fn will_count(&self, control: Control) {
        prefetch(&self.outs, control.at as usize, 0, 1);
        prefetch(&self.out_lists, control.at as usize * self.out_stride + control.counter as usize, 0, 1);
    }

    /// A packet is through the crossbar: its place in the ingress side is free, and a credit is owed.
    #[inline]
    fn leave_crossbar(&mut self, crossed: Crossed) {
        let (side, counter) = (crossed.side as usize, crossed.counter as usize);
        let ingress = &mut self.ingress[side];
        ingress.used -= 1;
        let (switch, batch) = (ingress.switch as usize, ingress.batch);
        let state = &mut self.switches[switch];
        state.idle_inputs |= 1 << ingress.port;
        state.idle_outputs |= 1 << crossed.port;
        self.look.insert_if(switch, u64::from((state.wanted[0] | state.wanted[1]) & state.idle_outputs != 0));
        let owed = &mut self.in_lists[side * self.in_stride + counter].credits;
        *owed += 1;
        let due = *owed >= batch;
        let (word, bit) = (side * self.counter_words + counter / 64, 1 << (counter % 64));
        self.owing[word] |= bit;
        if due {
            self.due[word] |= bit;
        }
        self.notices.work.add_owed(side, due);
        self.observe_ingress(side);
    }

    /// Links fall idle.
    #[inline]
    fn leave_links(&mut self, now: u64) {
        for word in 0..self.idle.word_count() {
            let links = self.events.sent.take_word(now, word);
            self.idle.insert_all(word, links);
            self.notices.work.again_all(word, links);
            let packets = links & self.sending.word(word);
            self.sending.remove_all(word, links);
            ones(packets).for_each(|bit| self.leave_link(word * 64 + bit));
        }
    }

    /// A packet that a link has sent is out of the memory.
    #[inline]
    fn leave_link(&mut self, out: usize) {
        let state = &mut self.outs[out];
        let full = state.used == state.part;
        state.used -= 1;
        let (queue, wanted, node) = (state.sends as usize, state.wanted, out.checked_sub(self.layout.sides));
        match node {
            Some(node) if SHARED && full => self.admittance.look.insert(node),
            None if SHARED && full => self.look.insert(state.place as usize),
            Some(node) if wanted > 0 => self.wake_admittance(node, queue),
            None if wanted > 0 => self.wake_asking(out, queue),
            _ => {}
        }
    }

    /// The tail of a packet has reached its node.
    #[inline]
    fn consume<P: Probe>(&mut self, now: u64, id: u32, probe: &mut P) {
        let packet = self.pool.packet(id);
        probe.delivered(Delivery { cycle: now, packet });
        self.counters.delivered += 1;
        self.counters.delivered_flits += u64::from(packet.flits);
        if let Some((birth, flits)) = self.sources.messages.delivered(id, packet) {
            let Packet { source, destination, .. } = *packet;
            probe.message_delivered(Message { cycle: now, birth, source, destination, flits });
        }
        self.pool.remove(id);
    }
}
