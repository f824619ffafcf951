//! What can be said of a point before it runs: its size, its bounds, and what looks wrong.

mod queued;

use crate::alone::{Alone, head_cycles};
use crate::burden::Burden;
use crate::catalogue;
use crate::deadlock::Free;
use crate::prepare::Prepared;
use crate::router::Router;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_deadlock::Argument;
use tailback_engine::adaptive;
use tailback_engine::wormhole;
use tailback_mechanisms::routing::{self, Routes};
use tailback_network::bounds;
use tailback_network::family::{self, Built};
use tailback_network::graph::LinkKind;
use tailback_network::measure::{self, measure};
use tailback_spec::Point;

/// What a user ought to know of what a point asks for, a sentence each: that ranks fold, or that an allocator is unfair, for example.
pub fn notes(point: &Point) -> Vec<String> {
    let programs = tailback_traffic::notes(point.resolved.view("workload"));
    programs.into_iter().chain(crate::router::note(&point.resolved)).collect()
}

/// What `tailback check` prints. Bounds hold for any router: above them no network is steady. (Where nodes are not treated
/// alike, as beyond saturation, some can deliver more and others less.)
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Routers.
    pub routers: u64,
    /// Nodes.
    pub nodes: u64,
    /// Directed links between routers.
    pub links: u64,
    /// Memory the run may come to use \[bytes\]. Of packets that pile up in injection queues without end those are counted
    /// that are offered above the bound; what a network fails to carry below it nobody knows before the run.
    pub memory_bytes: u64,
    /// Mean links on the way, over the pattern; unknown where counting would take too long.
    pub hops_mean: Option<f64>,
    /// Mean zero-load latency \[cycles\].
    pub zero_load_latency: Option<f64>,
    /// Load at which uniform traffic fills the narrowest middle cut \[flits/node/cycle\]; known of grids.
    pub bisection_load: Option<f64>,
    /// Load at which some link or node of this pattern and routing is full, over all nodes \[flits/node/cycle\].
    pub channel_load_bound: Option<f64>,
    /// What is full then.
    pub busiest_link: Option<String>,
    /// Distances, and bounds of uniform traffic.
    pub shape: Shape,
    /// Load the sources are asked for in the measured window, over all nodes \[flits/node/cycle\].
    pub offered_load: Option<f64>,
    /// Why the configuration cannot deadlock, or that it can.
    pub deadlock_freedom: String,
    /// The argument that says so: "acyclic", "escape", "bubble", "way out" or "recovery". `None` where it can deadlock, or where
    /// the network could not be looked at and the mechanisms are believed.
    pub deadlock_argument: Option<&'static str>,
    /// What the static check found, in a sentence; or a circle of packets that wait for each other, a sentence each.
    pub deadlock_details: Vec<String>,
    /// What only some kinds of router have to say, and how many threads the network can use, by name.
    pub details: Vec<(&'static str, String)>,
    /// What the user may want to know before running.
    pub warnings: Vec<String>,
}

/// The most steps that counting a grid may take: a mesh of 30 x 30, a torus of 800,000 routers.
const MOST_STEPS_OF_GRID: u64 = 1 << 22;

/// Distances and bounds of a network under uniform traffic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shape {
    /// Links of the longest minimal way between two routers with nodes; `None` where the network is too large to count.
    pub diameter: Option<u32>,
    /// Load at which uniform traffic over the family's minimal ways fills a link, whatever nodes can send \[flits/node/cycle\]; `None`
    /// as above, and without links.
    pub minimal_bound: Option<f64>,
    /// Load at which uniform traffic over all shortest ways fills a link \[flits/node/cycle\]; `None` as above, and without links.
    pub ecmp_bound: Option<f64>,
}

impl Prepared {
    fn shape(&self) -> Shape {
        let of = |built: &Built| {
            let measures = measure(built);
            Shape {
                diameter: measures.diameter,
                minimal_bound: measures.channel_load_bound,
                ecmp_bound: measures.ecmp_bound,
            }
        };
        let Some(grid) = self.network.grid() else { return self.family.as_ref().map(of).unwrap_or_default() };
        let whole = (measure::steps(&self.network) <= MOST_STEPS_OF_GRID).then(|| family::build(self.view("topology")));
        match whole {
            Some(Ok(built)) => of(&built),
            _ => Shape { diameter: Some(grid.diameter()), ..Shape::default() },
        }
    }

    /// Computes the facts.
    pub fn facts(&self) -> Facts {
        self.facts_unless(&AtomicBool::new(false)).expect("nobody cancels it")
    }

    /// The facts, as [`Prepared::facts`] counts them. Returns `None` soon after `cancel` is set.
    pub fn facts_unless(&self, cancel: &AtomicBool) -> Option<Facts> {
        let loads = Burden::of(self, cancel);
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let bound = loads.as_ref().map(|l| self.bound(l));
        let shortest = routing::routes(self.view("routing")) != Routes::Detours;
        let shortest = loads.as_ref().filter(|_| shortest);
        let hops = shortest.map(|l| l.hops_mean);
        let mut facts = Facts {
            routers: self.network.routers() as u64,
            nodes: self.nodes() as u64,
            links: self.network.links() as u64,
            memory_bytes: self.memory_bytes,
            hops_mean: hops,
            zero_load_latency: shortest.and_then(|loads| self.zero_load(loads)),
            bisection_load: self.network.grid().map(bounds::uniform_bisection_load),
            channel_load_bound: bound.as_ref().map(|b| b.0),
            busiest_link: bound.map(|b| b.1),
            shape: self.shape(),
            offered_load: self.offered_load(),
            deadlock_freedom: self.deadlock_words(),
            deadlock_argument: self.deadlock_argument(),
            deadlock_details: self.deadlock_details(),
            details: self.details(),
            warnings: Vec::new(),
        };
        facts.memory_bytes = facts.memory_bytes.saturating_add(self.backlog_bytes(facts.channel_load_bound));
        facts.details.push(("threads", self.threads_words()));
        facts.warnings = self.warnings(&facts);
        Some(facts)
    }

    /// Bytes of what cannot but pile up in injection queues without end until the end of the run.
    fn backlog_bytes(&self, bound: Option<f64>) -> u64 {
        let (Router::Adaptive(router), Some(cycles)) = (&self.router, self.total_cycles()) else { return 0 };
        if router.source_queue_packets.is_some() {
            return 0;
        }
        let offered = self.traffic.offered_load(0, cycles);
        let above = (offered - bound.unwrap_or(offered)).max(0.0) / f64::from(router.packet_flits);
        let queues = self.network.nodes() as u64 * u64::from(router.injection_queues);
        let waiting = above * cycles as f64 / f64::from(router.injection_queues);
        if waiting < 1.0 {
            return 0;
        }
        // A queue that is full doubles.
        let places = (waiting as u64).checked_next_power_of_two().unwrap_or(u64::MAX);
        places.saturating_mul(adaptive::WAITING_BYTES as u64).saturating_mul(queues)
    }

    /// Mean latency of packets in an empty network; `None` where a mean does not tell.
    fn zero_load(&self, loads: &Burden) -> Option<f64> {
        let hops = loads.hops_mean;
        let flits = self.traffic.mean_flits();
        let on_graph = loads.wires_mean + loads.slow_mean * flits;
        let wires = self.network.grid().map_or(on_graph, |grid| hops * f64::from(grid.link_cycles()));
        let Alone { link, ends } = Alone::of(&self.router);
        let alone = wires + hops * f64::from(link) + f64::from(ends) + flits;
        match self.router {
            Router::CutThrough(_) => Some(alone),
            Router::Wormhole(router) => {
                Some(alone + speculation_gap(&router, self.traffic.min_flits(), self.traffic.max_flits())?)
            }
            Router::Adaptive(router) => {
                let turns = loads.turns_mean * f64::from(router.turn_cycles);
                // The packets of one message are in each other's way. An escape off the shortest way is taken if it is first.
                let whole = self.traffic.max_flits() == router.packet_flits;
                let detour = router.escape_first && self.escapes() && self.view("routing").text("escape") == "mesh";
                (whole && !detour).then_some(alone + turns)
            }
            // Through a crossbar that takes more than a cycle the flits of a packet go in several batches.
            Router::InputQueued(router) => {
                (router.crossbar_cycles == 1 || self.traffic.max_flits() == 1).then_some(alone)
            }
            Router::Queued(router) => (self.traffic.max_flits() == router.packet_flits).then_some(alone),
        }
    }

    /// Load over all nodes at which the tightest of injection, links and ejection is full, and which that is. Where packets
    /// have many routes no single link bounds it: they can go around one, but not around a whole cut.
    fn bound(&self, loads: &Burden) -> (f64, String) {
        let active_share = loads.active as f64 / self.network.nodes() as f64;
        let injection = f64::from(self.router.injection_channels());
        let mut tightest = (1.0 / injection, "the injection ports, one flit per cycle".to_owned());
        if let Some((load, what)) = loads.fullest.clone().filter(|&(load, _)| load > tightest.0) {
            tightest = (load, what);
        }
        let lanes = self.router.ejection_flits();
        if loads.ejection_max / lanes > tightest.0 {
            tightest = (loads.ejection_max / lanes, "an ejection port".to_owned());
        }
        (active_share / tightest.0, tightest.1)
    }

    /// The load at which some link or node is full \[flits/node/cycle\]; `None` where to add it up would take too long.
    pub fn channel_load_bound(&self) -> Option<f64> {
        Burden::of(self, &AtomicBool::new(false)).map(|loads| self.bound(&loads).0)
    }

    /// Load asked for in the measured window.
    pub(crate) fn offered_load(&self) -> Option<f64> {
        let (from, to) = self.measured_window();
        (!self.traffic.ends()).then(|| self.traffic.offered_load(from, to))
    }

    fn deadlock_words(&self) -> String {
        match &self.deadlock_freedom {
            Ok(Free { why, doubt: Some(_), .. }) => {
                format!("free of deadlock but for its program, of which that is not proved: {why}")
            }
            Ok(free) => format!("free of deadlock: {}", free.why),
            Err(locks) if self.recovers => format!("it can deadlock, and recovers: {}", locks.why),
            Err(locks) => format!("it can deadlock: {}", locks.why),
        }
    }

    /// Why it is not proved that the program cannot lock, where it is not, in a sentence.
    pub fn doubt(&self) -> Option<&str> {
        self.deadlock_freedom.as_ref().ok().and_then(|free| free.doubt.as_deref())
    }

    fn deadlock_argument(&self) -> Option<&'static str> {
        match &self.deadlock_freedom {
            Ok(free) => free.argument.map(Argument::word),
            Err(_) => self.recovers.then_some("recovery"),
        }
    }

    fn deadlock_details(&self) -> Vec<String> {
        match &self.deadlock_freedom {
            Ok(free) => free.proof.iter().cloned().collect(),
            Err(locks) => locks.words(),
        }
    }

    fn warnings(&self, facts: &Facts) -> Vec<String> {
        let mut warnings = self.family.as_ref().map_or_else(Vec::new, |built| built.notes.clone());
        if let (Some(offered), Some(bound)) = (facts.offered_load, facts.channel_load_bound)
            && offered > bound
        {
            let what = facts.busiest_link.as_deref().unwrap_or_default();
            warnings.push(format!(
                "the offered load of {offered:.4} flits/node/cycle is above the bound of {bound:.4} set by {what}: the \
                 network will saturate"
            ));
        }
        if facts.channel_load_bound.is_none() {
            let known = match self.network.grid() {
                Some(_) => "only the bisection is known",
                None => "the bound of its routing is not known",
            };
            warnings.push(format!("the load of every link is unknown, {}; {known}", self.unadded()));
        }
        warnings.extend(self.doubt().map(str::to_owned));
        warnings.extend(notes(&self.point));
        warnings.extend(self.point.without_effect(catalogue()).into_iter().map(|idle| idle.message));
        warnings.extend(self.small_buffers());
        if facts.memory_bytes > 1 << 32 {
            warnings.push(format!("the run may use {} of memory", crate::memory::readable(facts.memory_bytes)));
        }
        warnings
    }

    /// Why the loads of links are not added up.
    fn unadded(&self) -> &'static str {
        if self.traffic.shared().is_some() {
            return "because each class of packets has a load of its own";
        }
        if self.traffic.has_answers() {
            return "because replies have ways of their own";
        }
        "because the network is too large to add it up, or because packets choose their ways as they go"
    }

    /// Buffers that do not cover the time until a credit is back, in a network without a grid, whose links may be long: a sentence for
    /// each kind and delay of links.
    fn short_credits(&self) -> Vec<String> {
        let (Router::CutThrough(router), None) = (&self.router, self.network.grid()) else { return Vec::new() };
        let mut found: Vec<(LinkKind, u32, u32)> = Vec::new();
        let routers = 0..self.network.routers() as u32;
        for (_, link) in routers.flat_map(|router| self.network.links_of(router)) {
            // Links up and down, or both ways through a dimension, are alike.
            let of = (link.kind.min(link.kind.back()), link.cycles, link.period);
            if !found.contains(&of) {
                found.push(of);
            }
        }
        found.sort_unstable();
        let (rest, longest) = (router.header_cycles + router.credit_cycles, self.traffic.max_flits());
        let (one, all) = (router.buffer_flits, router.buffer_flits.saturating_mul(router.channels));
        // A narrow link needs as many flits fewer as it is slower.
        let round_trip = |cycles: u32, period: u32| cycles + rest + longest.saturating_mul(period);
        let covers = |flits: u32, cycles, period| flits.saturating_mul(period) >= round_trip(cycles, period);
        let short = found.into_iter().filter(|&(_, cycles, period)| !covers(one, cycles, period));
        let words = short.map(|(kind, cycles, period)| {
            let name = match kind {
                LinkKind::Any => "links".to_owned(),
                LinkKind::Up | LinkKind::Down => "links between levels".to_owned(),
                kind => format!("{kind} links"),
            };
            let fills = covers(all, cycles, period);
            let round_trip = round_trip(cycles, period);
            let slow = match fills {
                true => "one channel alone cannot fill such a link".to_owned(),
                false => format!("such a link carries at most {:.2} flits/cycle", f64::from(all) / f64::from(round_trip)),
            };
            format!(
                "buffers behind {name} of {cycles} cycles hold {one} flits per channel, and it takes {round_trip} cycles until the \
                 credits of a packet are back: {slow}"
            )
        });
        words.collect()
    }

    /// Buffers that are too small for full speed.
    fn small_buffers(&self) -> Vec<String> {
        let Router::Wormhole(router) = &self.router else { return self.short_credits() };
        let round_trip = credit_cycles(router) + self.network.delays().1;
        let needed = round_trip.min(self.traffic.max_flits());
        let short = (router.buffer_flits < needed).then(|| {
            format!(
                "buffers of {} flits do not cover the {round_trip} cycles until a credit is back: packets longer than a \
                 buffer take longer than the zero-load latency says, even in an empty network",
                router.buffer_flits
            )
        });
        short.into_iter().collect()
    }
}

/// Cycles by which the second flit of a packet falls behind a head that went ahead on speculation: it has to wait for the
/// channel all the same. `None` where some packets have a second flit and some do not.
fn speculation_gap(router: &wormhole::Router, shortest: u32, longest: u32) -> Option<f64> {
    if !router.speculative || router.vc_allocation_cycles <= 1 || longest == 1 {
        return Some(0.0);
    }
    (shortest > 1).then(|| f64::from(router.vc_allocation_cycles - 1))
}

/// Cycles, beside those of the link, from the sending of a head until its room downstream can be used again, when nobody
/// is in its way.
fn credit_cycles(router: &wormhole::Router) -> u32 {
    head_cycles(router) + router.switch_allocation_cycles + router.credit_cycles
}
