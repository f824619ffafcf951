//! Folded networks, whose routers with nodes stand for two ([`tailback_network::Network::is_folded`]): each half has batches of its own, in its
//! crossbar and in routing. Half 0 of a router has the inputs of links, half 1 those of nodes.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use crate::mask::ones_below;

impl<M: Mechanisms> Fabric<'_, M> {
    /// The crossbars of a router.
    #[inline(always)]
    pub(super) fn crossbars(&self, router: usize) -> impl Iterator<Item = usize> + use<M> {
        (router..self.crossing.len()).step_by(self.layout.routers())
    }

    /// The crossbar of an input channel of a router.
    #[inline(always)]
    pub(super) fn crossbar_of(&self, router: usize, n: usize) -> usize {
        let folded = self.crossing.len() > self.layout.routers();
        let second = folded && !self.layout.links(router).has(self.layout.places[n].0.into());
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
