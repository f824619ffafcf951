//! Links: what an idle one sends.

use super::end::Thing;
use super::network::Network;
use super::side::{Neighbour, Sort};

/// All numbers below `n`, from the one after `last` on.
pub(super) fn round_robin(last: usize, n: usize) -> impl Iterator<Item = usize> {
    (1..=n).map(move |k| (last + k) % n)
}

impl Network<'_> {
    /// The link that leads away from an end sends something, if it is idle.
    pub(super) fn serve_link(&mut self, end: usize) {
        if self.ends[end].partner.is_none() || self.now < self.ends[end].idle_from {
            return;
        }
        if let Some(notice) = self.ends[end].notices.pop_front() {
            self.send_control(end, Thing::Notice(notice));
        } else if let Some(counter) = self.owed(end, self.due()) {
            self.send_credits(end, counter);
        } else if let Some(queue) = self.queue_to_send(end) {
            self.send_packet(end, queue);
        } else if let Some(counter) = self.owed(end, 1) {
            self.send_credits(end, counter);
        }
    }

    /// Credits of a counter that are due.
    fn due(&self) -> u32 {
        let (_, packets) = self.config.counters();
        self.config.credit_batch_packets.min(packets / 4).max(1)
    }

    /// The next counter of which at least so many credits are owed.
    fn owed(&self, end: usize, least: u32) -> Option<usize> {
        let end = &self.ends[end];
        round_robin(end.last_counter, end.owed.len()).find(|&counter| end.owed[counter] >= least)
    }

    fn send_credits(&mut self, end: usize, counter: usize) {
        let at = &mut self.ends[end];
        at.last_counter = counter;
        let number = std::mem::take(&mut at.owed[counter]);
        self.send_control(end, Thing::Credits { counter, number });
    }

    fn send_control(&mut self, end: usize, thing: Thing) {
        let (length, cycles) = (u64::from(self.config.control_flits), self.config.cycles(end));
        let at = &mut self.ends[end];
        at.idle_from = self.now + length;
        at.flying.push((self.now + cycles + length, thing));
    }

    /// The next queue of the sending side whose first packet may go and has a credit.
    fn queue_to_send(&self, end: usize) -> Option<usize> {
        let side = &self.ends[end].sending;
        round_robin(side.last_queue, side.queues.len()).find(|&queue| {
            let packet = side.first(queue, self.now);
            packet.is_some_and(|packet| self.counter(end, packet).is_none_or(|c| self.ends[end].credits[c] > 0))
        })
    }

    /// The credit counter that a packet which leaves an end draws on; none where it goes to a node.
    fn counter(&self, end: usize, packet: usize) -> Option<usize> {
        let partner = self.ends[end].partner.expect("routes end at the edge");
        self.ends[partner].receiving.as_ref()?;
        if self.config.shares_memory() {
            return Some(0);
        }
        // Seen from this side, the way on begins at the next switch, as it will from its ingress side.
        let next = self.ends[partner].receiving.as_ref()?;
        let way = self.way(packet, Sort::Egress);
        Some(next.queue_for(self.config, Neighbour::Link, way, self.packets[packet].made.destination))
    }

    fn send_packet(&mut self, end: usize, queue: usize) {
        let length = u64::from(self.config.packet_flits);
        let (packet, notices) = self.ends[end].sending.leave(queue, self.now + length, 0);
        let sort = self.ends[end].sending.place.sort;
        self.post(end, sort, notices);
        let counter = self.counter(end, packet);
        let lands = self.now + self.config.cycles(end);
        let at = &mut self.ends[end];
        at.idle_from = self.now + length;
        if let Some(counter) = counter {
            at.credits[counter] -= 1;
            at.flying.push((lands, Thing::Head(packet)));
        } else {
            at.flying.push((lands + length, Thing::Tail(packet)));
        }
    }
}
