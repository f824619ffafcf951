//! Nothing is said of ports, queues, links and destinations that are not there: what a checkpoint says of them would be indexed.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::shape::{Row, Shape};
use crate::mask::{Mask, are_below};
use tailback_base::state::{Unfit, ensure};

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Sets have members that are there, and queues that are not there are empty.
    pub(super) fn bounds_fit(&self) -> Result<(), Unfit> {
        let l = &self.layout;
        let switches = (0..self.crossbars.switches.len()).all(|switch| self.switch_is_bounded(switch));
        let ingress = (0..l.sides).all(|side| self.ingress_is_bounded(side));
        let outs = self.outs.iter().all(|out| {
            let filled = are_below(out.filled.all().iter().map(|set| set.get()), self.out_stride);
            filled && out.lists.all()[self.out_stride..].iter().all(|list| list.level == 0)
        });
        let links = self.notices.work.is_bounded(l.outs) && self.events.sent.is_bounded(l.outs);
        let nodes = (0..l.all_nodes).all(|node| self.admittance.is_bounded(node));
        ensure(switches && ingress && outs && links && nodes, "a set has a member that is not there")
    }

    fn switch_is_bounded(&self, switch: usize) -> bool {
        let (state, ports) = (&self.crossbars.switches[switch], self.layout.ports);
        let wanted = state.wanted.iter().all(|wanted| are_below([wanted.get()], ports));
        let askers = state.askers.all().iter().enumerate().all(|(port, askers)| {
            let bound = if port < ports { ports } else { 0 };
            askers.iter().all(|askers| are_below([askers.get()], bound))
        });
        wanted && askers && usize::from(state.pointer) <= ports
    }

    fn ingress_is_bounded(&self, side: usize) -> bool {
        let (state, words, ports) = (&self.ingress[side], self.in_words(), self.layout.ports);
        let asks = state.asks.all().chunks(words).enumerate().all(|(port, sets)| {
            let bound = if port < ports { self.in_stride } else { 0 };
            are_below(sets.iter().map(|set| set.get()), bound)
        });
        let counters = |of: &[u64]| are_below(of.iter().copied(), self.counters_of(side));
        let words = |of: &'_ [u64]| of.is_empty() || counters(&of[side * self.counter_words..][..self.counter_words]);
        let lists = &state.lists.all()[self.in_stride..];
        asks && words(&self.owing) && words(&self.due) && lists.iter().all(|list| list.level == 0)
    }
}
