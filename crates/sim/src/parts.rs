//! A network in parts, one a thread.

use crate::memory;
use crate::prepare::Prepared;
use crate::router::Router;
use tailback_engine::Buffers;
use tailback_engine::contract::admission::Admission;
use tailback_engine::contract::routing::{Routing, Sight};
use tailback_engine::partition::Cut;
use tailback_engine::partition::ranks::Ranks;
use tailback_engine::{CutThrough, Partitioned, cut_through};
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
        let whole =
            move || CutThrough::new(network, traffic, router, self.cut_through_parts(&router), Buffers::Unwatched);
        Some(self.pieces(router, parts, ranks, whole))
    }

    /// The network in `parts` parts, which `whole` makes in one piece for whoever has to have it so.
    fn pieces<'a>(
        &'a self,
        router: cut_through::Router,
        parts: usize,
        ranks: Option<&'a dyn Ranks>,
        whole: impl Fn() -> CutThrough<'a, Bundle> + Send + 'a,
    ) -> Partitioned<'a, CutThrough<'a, Bundle>> {
        let (network, traffic) = (&self.network, &self.traffic);
        let cut = Cut::new(network, parts);
        let bounds = cut.clone();
        let part = move |n| CutThrough::part(network, traffic, router, self.cut_through_parts(&router), &bounds, n);
        Partitioned::new(network, &cut, ranks, part, whole)
    }
}

#[cfg(test)]
#[path = "../tests/common/timeless.rs"]
mod timeless;

#[cfg(test)]
mod tests {
    use super::timeless::timeless;
    use super::*;
    use crate::outcome::Outcome;
    use crate::prepare::prepare;
    use crate::run::{Control, Runner, run_in_parts, run_network};
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::time::Duration;
    use tailback_results::Status;
    use tailback_spec::Document;

    const STEADY: &str = "topology = { kind = 'torus', radix = [8, 8] }
router = { virtual_channels = 2, buffer_flits = 16, credit_cycles = 2 }
traffic = { load = 0.3, size = { kind = 'distribution', flits = [3, 7], weights = [2, 1] } }
workload = { kind = 'steady', warmup_cycles = 100, measure_cycles = 400 }
";

    const LOCKS: &str = "topology = { kind = 'torus', radix = [8, 8] }
router = { virtual_channels = 2, buffer_flits = 16 }
traffic = { load = 1.0, size = { kind = 'fixed', flits = 8 } }
workload = { kind = 'steady', warmup_cycles = 100, measure_cycles = 2000 }
routing = { datelines = 'none' }
run = { allow_deadlock = true }
";

    /// Requests wait in ejection buffers, and with one place each for answers.
    fn requests(places: u32) -> String {
        format!(
            "topology = {{ kind = 'torus', radix = [4, 4] }}
router = {{ virtual_channels = 2, buffer_flits = 8, ejection_packets = {places} }}
traffic.packet_flits = 4
run.allow_deadlock = true
workload = {{ kind = 'program', limit_cycles = 50_000, generate = {{ kind = 'request_reply', ranks = 16, servers = 5, window = 6, count = 30, request_flits = 2, reply_flits = 7, think_cycles = 30 }} }}
"
        )
    }

    fn prepared(spec: &str) -> Prepared {
        let points = Document::parse("test.toml", spec.as_bytes()).and_then(|d| d.expand(crate::catalogue()));
        points.and_then(|points| prepare(&points[0])).unwrap_or_else(|errors| panic!("{}", errors.render()))
    }

    /// A run in parts that nobody can put together.
    fn apart(prepared: &Prepared, parts: usize, control: &Control) -> Outcome {
        let Router::CutThrough(router) = prepared.router else { unreachable!("it is cut-through") };
        let network = prepared.pieces(router, parts, None, || panic!("a run that ends makes no whole network"));
        let runner = Runner::new(prepared, control, prepared.watch(), None, network);
        run_network(runner).expect("there is one process").sum_up(prepared)
    }

    fn controlled<T>(run: impl FnOnce(&Control) -> T) -> T {
        run(&Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 })
    }

    /// However it ends, and wherever packets cross a cut at its end.
    #[test]
    fn a_run_in_parts_ends_as_in_one_piece_and_no_whole_network_is_made() {
        let mut ends = Vec::new();
        let cut_off = |cycles: u32| {
            STEADY.replace("measure_cycles = 400", &format!("measure_cycles = {cycles}, drain_cycles = 0"))
        };
        let program = "topology = { kind = 'torus', radix = [4, 4] }
workload = { kind = 'program', generate = { kind = 'all_reduce', algorithm = 'ring', ranks = 16, flits = 80 } }
";
        let collective = STEADY.replace(
            "kind = 'steady', warmup_cycles = 100, measure_cycles = 400",
            "kind = 'collective', packets_per_node = 5",
        );
        let mut specs = vec![
            STEADY.to_owned(),
            LOCKS.to_owned(),
            program.to_owned(),
            collective,
            requests(1),
            requests(4),
            requests(400),
        ];
        specs.extend((70..75).map(cut_off));
        for (n, spec) in specs.into_iter().enumerate() {
            let (prepared, parts) = (prepared(&spec), 2 + n % 3);
            let whole = controlled(|control| run_in_parts(&prepared, control, 1));
            let cut = controlled(|control| apart(&prepared, parts, control));
            assert_eq!(timeless(&cut.record), timeless(&whole.record), "{parts} parts of\n{spec}");
            assert_eq!(cut.explanation, whole.explanation, "{parts} parts of\n{spec}");
            assert_eq!(cut.diagnosis, whole.diagnosis, "{parts} parts of\n{spec}");
            ends.push(whole.record.status);
        }
        for status in [Status::Steady, Status::Completed, Status::Deadlocked] {
            assert!(ends.contains(&status), "{ends:?}");
        }
    }

    /// What was simulated until then is summed up, and adds up.
    #[test]
    fn nor_is_one_made_where_the_run_is_interrupted() {
        for spec in [
            STEADY.replace("measure_cycles = 400", "measure_cycles = 900_000_000_000"),
            requests(400).replace("count = 30", "count = 20_000").replace("50_000", "900_000_000_000"),
        ] {
            let (prepared, cancel, done) = (prepared(&spec), AtomicBool::new(false), AtomicU64::new(0));
            let control = Control { cancel: &cancel, cycles_done: &done, threads: 1 };
            let outcome = std::thread::scope(|scope| {
                scope.spawn(|| {
                    while done.load(Ordering::Relaxed) < 1000 {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    cancel.store(true, Ordering::Relaxed);
                });
                apart(&prepared, 3, &control)
            });
            let record = outcome.record;
            assert_eq!(record.status, Status::Interrupted, "{spec}");
            assert!(record.cycles >= 1000 && record.packets_delivered > 100, "{record:?}\n{spec}");
            let packets =
                record.total_packets_delivered + record.packets_in_sources_end + record.packets_in_network_end;
            let flits = record.total_flits_delivered + record.flits_in_sources_end + record.flits_in_network_end;
            assert_eq!((record.total_packets_generated, record.total_flits_generated), (packets, flits), "{spec}");
        }
    }
}
