//! A network in parts, one a thread.

use crate::memory;
use crate::prepare::Prepared;
use crate::router::Router;
use tailback_engine::Buffers;
use tailback_engine::contract::admission::Admission;
use tailback_engine::contract::routing::{Routing, Sight};
use tailback_engine::partition::Cut;
use tailback_engine::partition::ranks::Ranks;
use tailback_engine::{CutThrough, Partitioned};
use tailback_mechanisms::Bundle;
use tailback_probes::Watch;

/// Routers of a part for which an exchange every few cycles is worth its while.
const WORTHWHILE: usize = 1024;

impl Prepared {
    /// Why the network cannot be cut into parts; `None` where it can.
    pub fn indivisible(&self) -> Option<String> {
        self.indivisible_under(&self.watch())
    }

    fn indivisible_under(&self, watch: &Watch) -> Option<String> {
        let Router::CutThrough(router) = &self.router else {
            return Some(format!("router.kind \"{}\" is simulated in one piece", self.view("router").kind()));
        };
        let admission = self.admission(router.channels, router.buffer_flits);
        if admission.is_active() && !admission.is_local() {
            let kind = self.view("admission").kind();
            return Some(format!("admission \"{kind}\" decides by more than one router's own outputs"));
        }
        if matches!(self.routing.sight(), Sight::Signals(_) | Sight::Everywhere) {
            let kind = self.view("routing").kind();
            return Some(format!("routing \"{kind}\" decides by more than one router's own queues"));
        }
        if self.periods().is_some() {
            return Some("workload.kind \"periods\" goes by the means of the whole network".to_owned());
        }
        let probe = watch.unmergeable()?;
        Some(format!("probes.{probe} looks at the whole network"))
    }

    /// Parts to cut the network into for so many threads, so that each is worth its exchanges and all fit into memory: each has
    /// the tables of the whole network, and so has what looks for a deadlock.
    pub(crate) fn worthwhile_parts(&self, threads: usize) -> usize {
        let worthwhile = threads.min(self.network.routers() / WORTHWHILE);
        if worthwhile < 2 {
            return 1;
        }
        let room = memory::of_machine().map_or(usize::MAX, |all| (all / 2 / self.memory_bytes.max(1)) as usize);
        worthwhile.min(room.saturating_sub(1)).max(1)
    }

    /// How many threads the network can use, in words.
    pub(crate) fn threads_words(&self) -> String {
        match self.indivisible() {
            None => format!("one for every {WORTHWHILE} routers of a network"),
            Some(why) => format!("one for a network: {why}"),
        }
    }

    /// The network in `parts` parts, where it can be and is to be cut.
    /// `parts` are those of all `ranks`.
    pub(crate) fn cut<'a>(
        &'a self,
        parts: usize,
        watch: &Watch,
        ranks: Option<&'a dyn Ranks>,
    ) -> Option<Partitioned<'a, CutThrough<'a, Bundle>>> {
        let Router::CutThrough(router) = self.router else { return None };
        if parts < 2 || self.indivisible_under(watch).is_some() {
            return None;
        }
        let (network, traffic) = (&self.network, &self.traffic);
        let cut = Cut::new(network, parts);
        let bounds = cut.clone();
        let part = move |n| CutThrough::part(network, traffic, router, self.cut_through_parts(&router), &bounds, n);
        let whole =
            move || CutThrough::new(network, traffic, router, self.cut_through_parts(&router), Buffers::Unwatched);
        Some(Partitioned::new(network, &cut, ranks, part, whole))
    }
}
