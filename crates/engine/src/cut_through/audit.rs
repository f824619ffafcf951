//! Conservation, derived from scratch: every credit is somewhere, every packet is somewhere, exactly once.

use super::{CutThrough, Mechanisms};
use std::collections::BTreeSet;

/// A broken invariant: our bug, with the place that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditError(pub String);

impl std::fmt::Display for AuditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AuditError {}

impl<M: Mechanisms> CutThrough<'_, M> {
    /// Re-derives the books between two cycles: credits of every channel, packets in every queue and on every link.
    pub fn audit(&self) -> Result<(), AuditError> {
        self.audit_packets()?;
        self.audit_credits()
    }

    /// Every packet known is found at least once. While its tail is still upstream a packet is in two queues, on a link and
    /// at its source at most, so places are counted by packet.
    fn audit_packets(&self) -> Result<(), AuditError> {
        let mut seen: BTreeSet<u32> = self.arrivals.iter().map(|a| a.slot.packet).collect();
        for router in 0..self.routers.len() as u32 {
            for input in 0..self.layout.network_inputs {
                let queued = self.queued(router, input);
                seen.extend(&queued);
                if queued.iter().collect::<BTreeSet<_>>().len() != queued.len() {
                    return Err(AuditError(format!("router {router}, input {input} holds a packet twice")));
                }
            }
        }
        seen.extend(self.at_head.iter().map(|node| self.source_slots[node].packet));
        let known = self.packets.len();
        let (found, counted) = (seen.len(), self.counters.started - self.counters.delivered);
        if found != known || counted != known as u64 {
            return Err(AuditError(format!(
                "{known} packets are known, {found} were found, the counters say {counted}"
            )));
        }
        Ok(())
    }

    fn queued(&self, router: u32, input: usize) -> Vec<u32> {
        let l = &self.layout;
        let state = self.inputs[router as usize * (l.network_inputs + l.nodes) + input];
        let base = (router as usize * l.network_inputs + input) * l.depth;
        (0..usize::from(state.count))
            .map(|n| self.queues[base + (usize::from(state.front) + n) % l.depth].packet)
            .collect()
    }

    fn audit_credits(&self) -> Result<(), AuditError> {
        let l = &self.layout;
        let mut held = vec![0i64; self.routers.len() * l.network_inputs];
        for router in 0..self.routers.len() as u32 {
            for input in 0..l.network_inputs {
                let upstream = self.grid.upstream(router, input / l.channels);
                if upstream == tailback_network::NONE {
                    continue;
                }
                let at = l.channel(upstream, input / l.channels, input % l.channels);
                held[at] += self.flits_owed(router, input);
            }
        }
        for arrival in self.arrivals.iter() {
            let (port, channel) = (arrival.input as usize / l.channels, arrival.input as usize % l.channels);
            let upstream = self.grid.upstream(arrival.router, port);
            held[l.channel(upstream, port, channel)] += i64::from(self.length(arrival.slot.packet));
        }
        for (channel, flits) in self.credits.outstanding() {
            held[channel] += i64::from(flits);
        }
        for (at, held) in held.iter().enumerate() {
            let free = self.credits.settled(at);
            if free + held != i64::from(self.config.buffer_flits) {
                let (router, port, channel) = (at / l.channels / l.ports, at / l.channels % l.ports, at % l.channels);
                return Err(AuditError(format!(
                    "router {router}, port {port}, channel {channel}: {free} flits free and {held} held are not the \
                     buffer's {}",
                    self.config.buffer_flits
                )));
            }
        }
        Ok(())
    }

    /// Flits in a buffer's queue whose credits have not been promised back yet.
    fn flits_owed(&self, router: u32, input: usize) -> i64 {
        let queued = self.queued(router, input);
        let leaving = !queued.is_empty() && !self.asks(router, input);
        let promised = usize::from(leaving && !self.credits.whole_at_tail());
        queued.iter().skip(promised).map(|&p| i64::from(self.length(p))).sum()
    }
}
