//! Where every packet is and what keeps it there.

use super::events::Arrival;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::pool::Pool;
use super::queues::{NONE, Queue};
use super::shape::Shape;
use crate::contract::census::{Name, Scope, Stand, What};
use crate::contract::queueing::{LINK, Queueing, Side};
use crate::mask::Mask;
use std::ops::Range;
use tailback_base::bits::ones;

/// So many packets are asked for before they are read.
const AHEAD: usize = 8;

/// The packets of several queues, one queue after the other.
///
/// PERF: a packet names the one behind it, and no cache holds either of them. So the queues are walked side by side, and the processor
/// waits for a packet of each of them at the same time (`tailback bench --probes recn-1`).
#[derive(Default)]
struct Walked {
    ids: Vec<u32>,
    /// Queues that are not walked to their ends: their next packet, its place in `ids`, and the place behind their last one.
    open: Vec<(u32, u32, u32)>,
}

impl Walked {
    /// Walks queues from their first packets on.
    fn walk<'q>(&mut self, pool: &Pool, queues: impl Iterator<Item = &'q Queue>) {
        let Walked { ids, open } = self;
        let mut end = 0;
        for queue in queues.filter(|queue| queue.level > 0) {
            pool.prefetch_hop(queue.first);
            open.push((queue.first, end, end + queue.level));
            end += queue.level;
        }
        ids.clear();
        ids.resize(end as usize, NONE);
        while !open.is_empty() {
            open.retain_mut(|(id, at, end)| {
                ids[*at as usize] = *id;
                *at += 1;
                if at == end {
                    return false;
                }
                *id = pool.next(*id);
                pool.prefetch_hop(*id);
                true
            });
        }
    }
}

/// Packets that have been walked to, and how many of them have been told of.
struct Told<'w> {
    ids: &'w [u32],
    first: usize,
}

impl<'w> Told<'w> {
    /// The packets of the next queue, which has so many.
    fn next(&mut self, pool: &'w Pool, level: u32) -> impl Iterator<Item = u32> + use<'w> {
        let (ids, first) = (self.ids, self.first);
        self.first += level as usize;
        let of_queue = first..self.first;
        of_queue.map(move |at| {
            ids.get(at + AHEAD).into_iter().for_each(|&id| pool.prefetch_packet(id));
            ids[at]
        })
    }
}

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Calls `each` with every queue that a packet is in which has come to the front of its admittance queue.
    pub(super) fn census(&self, scope: Scope, each: &mut dyn FnMut(Stand)) {
        let (sides, ports) = (self.layout.sides, self.layout.ports);
        let mut walked = Walked::default();
        match scope {
            Scope::All => {
                self.stands_before_adapters(each);
                for first in (0..self.outs.len()).step_by(ports) {
                    self.stands_at(0..0, first..(first + ports).min(self.outs.len()), &mut walked, each);
                }
                (0..sides)
                    .step_by(ports)
                    .for_each(|first| self.stands_at(first..first + ports, 0..0, &mut walked, each));
            }
            // In the order of their names, router by router.
            Scope::Routers => (0..sides).step_by(ports).for_each(|first| {
                self.stands_at(first..first + ports, first..first + ports, &mut walked, each);
            }),
        }
        for &Arrival { side, packet } in self.events.arrivals.iter() {
            let side = side as usize;
            let queue = self.ingress[side].queues.queue_for(LINK, self.pool.route(packet));
            each(self.stand_at_ingress(packet, side, queue, What::Flying));
        }
    }

    /// The packets of ingress sides, by their places in the order of names, and of out sides.
    fn stands_at(&self, ingress: Range<usize>, outs: Range<usize>, walked: &mut Walked, each: &mut dyn FnMut(Stand)) {
        let of_ingress = ingress.clone().flat_map(|place| self.in_lists_of(self.side_at(place)));
        walked.walk(&self.pool, of_ingress.chain(outs.clone().flat_map(|out| self.out_lists_of(out))));
        let mut told = Told { ids: &walked.ids, first: 0 };
        ingress.for_each(|place| self.stands_at_ingress(self.side_at(place), &mut told, each));
        outs.for_each(|out| self.stands_at_out(out, &mut told, each));
    }

    /// The ingress side at a place in the order of names.
    fn side_at(&self, place: usize) -> usize {
        let ports = self.layout.ports;
        place / ports * ports + usize::from(self.layout.comes_by(place % ports))
    }

    /// The packets of an out side.
    fn stands_at_out<'w>(&'w self, out: usize, told: &mut Told<'w>, each: &mut dyn FnMut(Stand)) {
        let state = &self.outs[out];
        let sends = self.notices.work.is_sending(out).then_some(state.packet);
        for (queue, list) in self.out_lists_of(out).iter().enumerate().filter(|(_, list)| list.level > 0) {
            let first = self.doing_at_out(out, queue, list.first, sends);
            let ids = told.next(&self.pool, list.level);
            self.stands_in(ids, first, |id, what| self.stand_at_out(id, out, queue, what), each);
        }
        if let Some(id) = sends {
            let what = What::Leaves(self.leads_by(out));
            each(Stand { head: false, ..self.stand_at_out(id, out, state.sends as usize, what) });
        }
    }

    /// The packets of an ingress side.
    fn stands_at_ingress<'w>(&'w self, side: usize, told: &mut Told<'w>, each: &mut dyn FnMut(Stand)) {
        for (queue, list) in self.in_lists_of(side).iter().enumerate().filter(|(_, list)| list.level > 0) {
            let first = self.doing_at_ingress(side, queue, list.first);
            let ids = told.next(&self.pool, list.level);
            self.stands_in(ids, first, |id, what| self.stand_at_ingress(id, side, queue, what), each);
        }
    }

    /// The packets of a queue, of which the first does `first`.
    fn stands_in(
        &self,
        mut ids: impl Iterator<Item = u32>,
        first: What,
        stand: impl Fn(u32, What) -> Stand,
        each: &mut dyn FnMut(Stand),
    ) {
        let Some(id) = ids.next() else { return };
        let first = stand(id, first);
        let what = What::Behind(first.packet);
        each(first);
        for (position, id) in (1..).zip(ids) {
            let (packet, destination) = (self.name(id), self.pool.packet(id).destination);
            each(Stand { packet, destination, position, what, ..first });
        }
    }

    /// Packets at the front of admittance queues.
    fn stands_before_adapters(&self, each: &mut dyn FnMut(Stand)) {
        for node in 0..self.layout.all_nodes {
            let filled = self.admittance.filled(node).iter().enumerate();
            for destination in filled.flat_map(|(word, &filled)| ones(filled).map(move |bit| word * 64 + bit)) {
                let id = self.admittance.line(node, destination).front;
                let what = self.doing_before_adapter(node, id);
                each(Stand { input: None, ..self.stand_at_out(id, self.layout.sides + node, 0, what) });
            }
        }
    }

    fn doing_before_adapter(&self, node: usize, id: u32) -> What {
        let out = self.layout.sides + node;
        let (queues, route) = (&self.outs[out].queues, self.pool.route(id));
        if !queues.accepts(route) || !self.may_start(node, id) {
            return What::Admission;
        }
        let port = self.layout.out(out).port;
        match self.free_at_out(out, queues.queue_for(0, route)) {
            0 => What::Room { port, channels: 1, flits: 0 },
            _ => What::Turn(Some(port)),
        }
    }

    /// Packets that a queue of an out side has room for.
    pub(super) fn free_at_out(&self, out: usize, queue: usize) -> u32 {
        self.outs[out].part - self.taken(out, queue)
    }

    /// What the first packet of a queue of an out side does; `sends`: the packet that the link is sending.
    fn doing_at_out(&self, out: usize, queue: usize, id: u32, sends: Option<u32>) -> What {
        let (state, port) = (&self.outs[out], self.leads_by(out));
        if queue < 64 && state.held.get() >> queue & 1 == 1 {
            return What::Held(port);
        }
        if self.counter(out, id).is_some_and(|counter| self.credits(out, counter) == 0) {
            return What::Room { port: self.layout.out(out).port, channels: 1, flits: 0 };
        }
        match sends {
            Some(other) => What::Output(port, self.name(other)),
            // The link sends a control packet.
            None if !self.notices.work.is_idle(out) => What::Turn(port),
            // It joined in the last cycle: it is on its way through the crossbar, or to the adapter.
            None => What::Flying,
        }
    }

    fn doing_at_ingress(&self, side: usize, queue: usize, id: u32) -> What {
        let (switch, input, port) = (side / self.layout.ports, side % self.layout.ports, self.pool.port(id));
        let asked = (port < self.layout.network).then_some(port as u8);
        if self.layout.delay > 0 && self.pool.asks(id) >= self.cycle {
            return What::Routing;
        }
        if queue < 64 && self.ingress[side].held.get() >> queue & 1 == 1 {
            return What::Held(asked);
        }
        let egress = switch * self.layout.ports + port;
        let joins = self.outs[egress].queues.queue_for(input as u8, self.pool.route_behind(id));
        match self.free_at_out(egress, joins) {
            0 => What::Room { port: port as u8, channels: 1, flits: 0 },
            _ => What::Turn(asked),
        }
    }

    /// The port that the link of an out side leads out by; `None`: to a node.
    fn leads_by(&self, out: usize) -> Option<u8> {
        (!self.outs[out].to_node()).then(|| self.layout.out(out).port)
    }

    fn stand_at_out(&self, id: u32, out: usize, queue: usize, what: What) -> Stand {
        let place = self.layout.out(out);
        let router = match out.checked_sub(self.layout.sides) {
            Some(node) => self.layout.home(node as u32).0,
            None => out / self.layout.ports,
        };
        let (input, aside) = (Some((place.port, queue as u16)), self.outs[out].queues.is_aside(queue));
        Stand { input, aside, side: Some(place.side), ..self.stand(id, router, what) }
    }

    fn stand_at_ingress(&self, id: u32, side: usize, queue: usize, what: What) -> Stand {
        let input = Some((self.layout.comes_by(side % self.layout.ports), queue as u16));
        let aside = self.ingress[side].queues.is_aside(queue);
        Stand { input, aside, side: Some(Side::Ingress), ..self.stand(id, side / self.layout.ports, what) }
    }

    fn stand(&self, id: u32, router: usize, what: What) -> Stand {
        Stand::of(self.pool.packet(id), router as u32, None, what)
    }

    pub(super) fn name(&self, id: u32) -> Name {
        Name::of(self.pool.packet(id))
    }
}
