//! Wires are taken no longer than what is on them, or waits for them, says.

use super::fabric::Fabric;
use super::layout::End;
use super::mechanisms::Mechanisms;
use super::router::NODE_LINK;
use crate::outcome::{AuditError, expect};

impl<M: Mechanisms> Fabric<'_, M> {
    pub(super) fn audit_wires(&self) -> Result<(), AuditError> {
        let (departs, returns) = self.next_turns();
        let right = self.departs.iter().zip(departs).all(|(&taken, last)| taken <= last.max(self.cycle))
            && self.returns.iter().zip(returns).all(|(&(taken, _), last)| taken <= last.max(self.cycle))
            && self.returns.iter().chain(&self.taken_before).all(|&(_, step)| step < self.step || step == u64::MAX)
            && self.taken_before.iter().zip(&self.departs).all(|(&(before, _), &taken)| before <= taken);
        expect(right, || "a wire is taken for longer than flits and credits need it".to_owned())
    }

    /// By port, the cycle after the last one in which a flit leaves that is on a wire or waits for it; by port, the same of credits.
    fn next_turns(&self) -> (Vec<u64>, Vec<u64>) {
        let (channels, delay) = (self.layout.channels, u64::from(self.config.credit_cycles));
        let (mut departs, mut returns) = (vec![0; self.departs.len()], vec![0; self.departs.len()]);
        let later = |of: &mut Vec<u64>, port: usize, at: u64| of[port] = of[port].max(at);
        for (at, flit) in self.flits.iter_from(self.cycle) {
            let behind = self.layout.behind[flit.to as usize / channels];
            if let End::Port(from) = behind.end {
                later(&mut departs, from as usize, at.saturating_sub(behind.cycles));
            }
        }
        for (at, &to) in self.credits.iter_from(self.cycle) {
            let port = to as usize / channels;
            let ahead = self.layout.ahead[port];
            match ahead.end {
                End::Port(far) => later(&mut returns, far as usize, at.saturating_sub(ahead.cycles + delay)),
                // It left with the flit, and came back from the node.
                End::Node(_) => later(&mut departs, port, at.saturating_sub(2 * NODE_LINK + 1 + delay)),
                End::Nowhere => {}
            }
        }
        for (at, &to) in self.node_credits.iter_from(self.cycle) {
            let port = self.layout.of_node[to as usize / channels] as usize;
            later(&mut returns, port, at.saturating_sub(NODE_LINK));
        }
        (departs, returns)
    }
}
