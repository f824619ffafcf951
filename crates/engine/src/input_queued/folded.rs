//! Folded networks, whose routers with nodes stand for two ([`tailback_network::Network::one_way`]): each half has allocators of its own, and
//! batches of its own in its crossbar and in routing. Half 0 of a router has the inputs of links, half 1 those of nodes.

use super::allocators::Draws;
use super::allocators::halves::Half;
use super::allocators::requests::Requests;
use super::allocators::turns::Turns;
use super::fabric::Fabric;
use super::layout::Layout;
use super::mechanisms::Mechanisms;
use super::router::Allocator;
use super::sets::Sets;
use crate::mask::ones_below;
use std::ops::Range;

impl Layout {
    /// The ports of both halves of a router, in a network of which so many links lead out.
    fn halves(&self, router: usize, out: usize) -> [Half; 2] {
        let (links, nodes) = (self.links(router).range(), self.ports_of_nodes(router));
        let (leads_out, leads_in) = (links.start..links.start + out, links.start + out..links.end);
        let outputs = if nodes.is_empty() { leads_out.clone() } else { nodes.clone() };
        [Half { inputs: leads_in, outputs }, Half { inputs: nodes, outputs: leads_out }]
    }

    /// The input ports of the half that one belongs to, in a network of which so many links lead out.
    #[inline(always)]
    pub(super) fn inputs_with(&self, router: usize, port: usize, out: usize) -> Range<usize> {
        let links = self.links(router).range();
        if links.contains(&port) { links.start + out..links.end } else { self.ports_of_nodes(router) }
    }

    /// The ports of the nodes of a router.
    #[inline(always)]
    fn ports_of_nodes(&self, router: usize) -> Range<usize> {
        let links = self.links(router).range();
        if links.start == 0 { links.end..self.ports(router) } else { 0..links.start }
    }

    /// The turns of an allocator that knows a port by so many inputs and outputs.
    pub(super) fn turns(&self, allocator: Allocator, times: (usize, usize), requests: &Requests) -> Turns {
        let routers = 0..self.routers();
        let Some(out) = self.one_way().filter(|_| allocator.minds_idle()) else {
            let size = |router| (self.ports(router) * times.0, self.ports(router) * times.1);
            return Turns::new(allocator, routers.map(size).map(|(ins, outs)| (ins as u16, outs as u16)).collect());
        };
        let of = |half: usize, router: usize| {
            let Half { inputs, outputs } = self.halves(router, out)[half].clone();
            Half {
                inputs: inputs.start * times.0..inputs.end * times.0,
                outputs: outputs.start * times.1..outputs.end * times.1,
            }
        };
        let all = (0..2).flat_map(|half| routers.clone().map(move |router| of(half, router))).collect();
        Turns::of_halves(allocator, all, requests.clone())
    }
}

impl<M: Mechanisms> Fabric<'_, M> {
    /// The crossbars of a router.
    #[inline(always)]
    pub(super) fn crossbars(&self, router: usize) -> impl Iterator<Item = usize> + use<M> {
        (router..self.crossing.len()).step_by(self.layout.routers())
    }

    /// The crossbar of an input channel of a router.
    #[inline(always)]
    pub(super) fn crossbar_of(&self, router: usize, n: usize) -> usize {
        let second = self.layout.one_way().is_some() && !self.layout.links(router).has(self.layout.places[n].0.into());
        router + usize::from(second) * self.layout.routers()
    }

    /// Heads that wait are routed together with those of their half, when those before them have been.
    #[cold]
    pub(super) fn begin_routing_of_halves(&mut self, router: usize, now: u64) {
        for half in 0..2 {
            let mask = self.channels_of_half(router, half);
            let none = |bits: &dyn Fn(usize) -> u64| (0..self.routed.words()).all(|word| bits(word) & mask(word) == 0);
            if none(&|word| self.routed.word(router, word)) && !none(&|word| self.unrouted.word(router, word)) {
                let batch = router + half * self.layout.routers();
                self.begin_routing_of((router, batch), now, mask);
            }
        }
    }

    /// Heads that have been routed ask from the next step on. Returns whether there are any.
    #[cold]
    pub(super) fn end_routing_of_halves(&mut self, router: usize, now: u64) -> bool {
        let mut any = false;
        for half in 0..2 {
            if now >= self.routes_until[router + half * self.layout.routers()] {
                any |= self.end_routing_of(router, self.channels_of_half(router, half));
            }
        }
        any
    }

    /// The numbers that an allocator of a router has in this step; `sets` have the input channels of those that wait.
    #[inline(always)]
    pub(super) fn draws(&self, router: usize, entity: u32, sets: [&Sets; 2]) -> Draws {
        // It makes a difference where turns move on though nobody can ask.
        let folded = self.counts_steps && self.layout.one_way().is_some();
        let waits = if folded { self.waits(router, sets) } else { [true; 2] };
        Draws { seed: self.config.seed, entity, step: self.step, waits }
    }

    /// Whether somebody waits, by half.
    #[cold]
    fn waits(&self, router: usize, sets: [&Sets; 2]) -> [bool; 2] {
        [0, 1].map(|half| {
            let mask = self.channels_of_half(router, half);
            sets.iter().any(|set| (0..set.words()).any(|word| set.word(router, word) & mask(word) != 0))
        })
    }

    /// The input channels of a half, as masks by word.
    fn channels_of_half(&self, router: usize, half: usize) -> impl Fn(usize) -> u64 + use<M> {
        let (links, channels) = (self.layout.links(router).range(), self.layout.channels);
        move |word| {
            let below = |port: usize| ones_below((port * channels).saturating_sub(word * 64));
            let of_links = below(links.end) & !below(links.start);
            if half == 0 { of_links } else { !of_links }
        }
    }
}
