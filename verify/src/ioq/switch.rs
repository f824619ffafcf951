//! Switches: what the crossbar grants.

use super::network::Network;
use super::side::{Neighbour, Side, Sort};
use crate::wormhole::arbiter::Rival;

/// The first packet of a queue that may ask for the crossbar.
#[derive(Clone, Copy, Debug)]
struct Asking {
    packet: usize,
    ingress: usize,
    queue: usize,
    /// The egress port that it goes to.
    egress: usize,
    /// Whether its queue is one of those that come after all others.
    deferred: bool,
}

/// How far `x` is from the one after `last`, going round below `n`.
fn turns_to(x: usize, last: usize, n: usize) -> usize {
    (x + n - last - 1) % n
}

/// The number of an egress side's arbiter.
fn arbiter(switch: usize, egress: usize) -> usize {
    64 * switch + egress
}

impl Network<'_> {
    /// The crossbar of a switch grants what it can.
    pub(super) fn serve_crossbar(&mut self, switch: usize) {
        let (ports, first) = (self.config.ports(), self.pointers[switch]);
        let asking: Vec<Asking> = (0..ports).flat_map(|ingress| self.asking(switch, ingress)).collect();
        let mut granted = false;
        for deferred in [false, true] {
            for egress in (0..ports).map(|k| (first + k) % ports) {
                if let Some(winner) = self.winner(switch, egress, deferred, &asking) {
                    self.grant(switch, winner);
                    granted = true;
                }
            }
        }
        if granted {
            self.pointers[switch] = (first + 1) % ports;
        }
    }

    /// Those of an ingress port's queues whose first packet may ask.
    fn asking(&self, switch: usize, ingress: usize) -> Vec<Asking> {
        let end = self.config.port_end(switch, ingress);
        let side = self.ingress(end);
        let ask = |queue: usize| {
            let packet = side.first(queue, self.now)?;
            let egress = self.way(packet, Sort::Ingress)[0];
            let deferred = side.recn.as_ref().is_some_and(|recn| recn.is_deferred(queue));
            Some(Asking { packet, ingress, queue, egress, deferred })
        };
        if self.now < self.free_from[end].0 { Vec::new() } else { (0..side.queues.len()).filter_map(ask).collect() }
    }

    /// The one of this class that an egress port takes: of every ingress port that whose queue's turn it is of those that can go,
    /// and of these what the arbiter picks.
    fn winner(&self, switch: usize, egress: usize, deferred: bool, asking: &[Asking]) -> Option<Asking> {
        let (at, ports) = (self.config.port_end(switch, egress), self.config.ports());
        let may_go = |asking: &&Asking| {
            let is_idle = self.now >= self.free_from[self.config.port_end(switch, asking.ingress)].0;
            let joins = || self.queue_for(at, Sort::Egress, asking.packet, Neighbour::Port(asking.ingress));
            let is_meant = (asking.egress, asking.deferred) == (egress, deferred);
            is_meant && is_idle && self.ends[at].sending.has_room(joins())
        };
        if self.now < self.free_from[at].1 {
            return None;
        }
        let can_go: Vec<Asking> = asking.iter().filter(may_go).copied().collect();
        let offers: Vec<Asking> = (0..ports).filter_map(|ingress| self.offer(switch, ingress, &can_go)).collect();
        let rival = |offer: &Asking| {
            let packet = &self.packets[offer.packet];
            Rival { input: offer.ingress, age: (packet.made.cycle, packet.source) }
        };
        let rivals: Vec<Rival> = offers.iter().map(rival).collect();
        let winner = (!rivals.is_empty()).then(|| self.arbiters.pick(arbiter(switch, egress), self.now, &rivals))?;
        offers.into_iter().find(|offer| offer.ingress == winner)
    }

    /// The one of an ingress port's packets that can go whose queue comes first after the one that it sent from last.
    fn offer(&self, switch: usize, ingress: usize, can_go: &[Asking]) -> Option<Asking> {
        let side = self.ingress(self.config.port_end(switch, ingress));
        let turn = |asking: &&Asking| turns_to(asking.queue, side.last_queue, side.queues.len());
        can_go.iter().filter(|asking| asking.ingress == ingress).min_by_key(turn).copied()
    }

    fn grant(&mut self, switch: usize, Asking { packet, ingress, queue, egress, .. }: Asking) {
        let (from, to) = (self.config.port_end(switch, ingress), self.config.port_end(switch, egress));
        let busy_until = self.now + u64::from(self.config.transfer_cycles);
        (self.free_from[from].0, self.free_from[to].1) = (busy_until, busy_until);
        self.arbiters.serve(arbiter(switch, egress), ingress);
        let counter = if self.config.shares_memory() { 0 } else { queue };
        let side = self.ends[from].receiving.as_mut().expect("it is a port");
        let (left, notices) = side.leave(queue, busy_until, counter);
        assert_eq!(left, packet, "it was the first of its queue");
        self.post(from, Sort::Ingress, notices);
        self.join(to, Sort::Egress, packet, Neighbour::Port(ingress), self.now + 1);
    }

    /// The ingress side of a port.
    pub(super) fn ingress(&self, end: usize) -> &Side {
        self.ends[end].receiving.as_ref().expect("it is a port")
    }
}
