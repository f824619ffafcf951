//! Conservation, derived from scratch: every credit is somewhere, every packet is somewhere, exactly once.

use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::books::packets_are_found;
use crate::contract::sources::Sources;
use crate::outcome::AuditError;
use std::collections::BTreeSet;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Re-derives the books between two cycles: credits of every channel, packets in every queue and on every link.
    pub(super) fn audit(&self) -> Result<(), AuditError> {
        self.audit_packets()?;
        self.audit_places()?;
        self.audit_sources()?;
        self.audit_ejection()?;
        self.audit_credits()
    }

    /// Every packet known is found at least once. While its tail is still upstream a packet is in two queues, on a link and
    /// at its source at most, so places are counted by packet.
    fn audit_packets(&self) -> Result<(), AuditError> {
        let mut seen: BTreeSet<u32> = self.arrivals.iter().map(|a| a.slot.packet).collect();
        for router in self.routers.ids() {
            for input in 0..self.layout.network_inputs {
                let queued = self.queued(router, input);
                seen.extend(&queued);
                if queued.iter().collect::<BTreeSet<_>>().len() != queued.len() {
                    return Err(AuditError(format!("router {}, input {input} holds a packet twice", router.get())));
                }
            }
        }
        seen.extend(self.at_head.iter().map(|node| {
            let router = self.routers.id(self.network.router_of(node as u32));
            self.front(router, self.layout.injection_input(node as u32)).packet
        }));
        packets_are_found(self.packets.len(), seen.len(), &self.counters)
    }

    /// Every place of an ejection buffer that is taken has a packet on its way there, or one that its node holds; and outputs know which
    /// buffers are full.
    pub(super) fn audit_ejection(&self) -> Result<(), AuditError> {
        if !self.ejection.is_finite() {
            return Ok(());
        }
        let mut coming = vec![0u32; self.network.nodes()];
        self.arriving(&mut |packet, _| coming[packet.destination as usize] += 1);
        for node in (0..self.network.nodes() as u32).filter(|&node| self.is_own(node)) {
            let (taken, held) = (self.ejection.taken(node), self.heads.sources.holds(node));
            let output = self.layout.ejection_output(node, 0);
            let open = self.routers.at(self.routers.id(self.network.router_of(node))).room(output) & 1 == 1;
            if taken != coming[node as usize] + held || open == self.ejection.is_full(node) {
                let message =
                    format!("node {node}: {taken} places taken, {} packets coming, {held} held", coming[node as usize]);
                return Err(AuditError(message));
            }
        }
        Ok(())
    }

    /// The packets in a queue, from the front on.
    pub(super) fn queued(&self, router: Id, input: usize) -> Vec<u32> {
        let (state, mask) = (self.routers.at(router), self.layout.depth_mask);
        let queue = state.input(input);
        let behind = (0..queue.behind).map(|n| self.queues.at(router, input, queue.next.wrapping_add(n) & mask).packet);
        state.is_taken(input).then_some(queue.slot.packet).into_iter().chain(behind).collect()
    }

    fn audit_credits(&self) -> Result<(), AuditError> {
        let l = &self.layout;
        let at =
            |router: u32, port: usize, channel: usize| router as usize * l.network_inputs + port * l.channels + channel;
        let mut held = vec![0i64; self.routers.len() * l.network_inputs];
        for router in self.routers.ids() {
            for input in 0..l.network_inputs {
                if let Some(from) = self.network.behind(router.get(), input / l.channels) {
                    held[at(from.router, from.port as usize, input % l.channels)] += self.flits_owed(router, input);
                }
            }
        }
        for arrival in self.arrivals.iter() {
            let (upstream, port, channel) = self.feeding::<false>(arrival.router, arrival.input as usize);
            held[at(upstream.get(), port, channel)] += i64::from(self.length(arrival.slot.packet));
        }
        for (router, port, channel, flits) in self.returns.outstanding() {
            held[at(router, port, channel)] += i64::from(flits);
        }
        for (n, held) in held.iter().enumerate() {
            let router = (n / l.network_inputs) as u32;
            let (port, channel) = (n % l.network_inputs / l.channels, n % l.channels);
            let free = self.settled(self.routers.id(router), port, channel);
            if free + held != i64::from(self.config.buffer_flits) {
                return Err(AuditError(format!(
                    "router {router}, port {port}, channel {channel}: {free} flits free and {held} held are not the \
                     buffer's {}",
                    self.config.buffer_flits
                )));
            }
        }
        Ok(())
    }

    /// Free flits of a channel once the packet that is leaving downstream has left.
    pub(super) fn settled(&self, router: Id, port: usize, channel: usize) -> i64 {
        let base = self.routers.at(router).credits(port, channel);
        i64::from(base) + self.returns.promised(router, port, channel)
    }

    /// Flits in a buffer's queue whose credits have not been promised back yet.
    fn flits_owed(&self, router: Id, input: usize) -> i64 {
        let queued = self.queued(router, input);
        let leaving = !queued.is_empty() && !self.routers.at(router).asks(input);
        let promised = usize::from(leaving && !self.returns.whole_at_tail());
        queued.iter().skip(promised).map(|&p| i64::from(self.length(p))).sum()
    }
}
