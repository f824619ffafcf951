//! The probes of a run, put together from its spec.

use crate::prepare::Prepared;
use crate::router::Router;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::probe::{EndOfCycle, Grant, Message, SetAside, Taken};
use tailback_engine::packet::Packet;
use tailback_engine::{Delivery, Probe};
use tailback_mechanisms::queueing;
use tailback_probes::anatomy::Movement;
use tailback_probes::{
    ChannelOccupancy, Congestion, InjectionQueues, LatencySplit, Levels, LinkLoad, LoadMap, Messages, Meter, NodeLoad,
    SetAsideQueues, SpaceTime, Takes, Waits, Windows,
};
use tailback_spec::View;
use tailback_traffic::{Course, Traffic, course};

/// The probes as the engine takes them: those that a run cannot do without, then the others.
pub(crate) type Watch = ((Meter, Windows), Others);

/// Fairness and starvation, which are always watched, and what the spec or the data path asks for.
pub(crate) struct Others {
    pub nodes: NodeLoad,
    pub waits: Waits,
    pub messages: Option<Messages>,
    pub links: Option<LinkLoad>,
    pub load_map: Option<LoadMap>,
    pub levels: Option<Levels>,
    pub occupancy: Option<ChannelOccupancy>,
    pub injection: Option<InjectionQueues>,
    pub split: Option<LatencySplit>,
    pub space_time: Option<SpaceTime>,
    pub takes: Option<Takes>,
    pub congestion: Option<Congestion>,
    pub set_aside: Option<SetAsideQueues>,
    pub movement: Option<Movement>,
}

tailback_base::state!([] Others {
    saved: nodes, waits, messages, links, load_map, levels, occupancy, injection, split, space_time, takes, congestion, set_aside,
        movement;
});

/// Every hook goes to those that have a use for it.
impl Probe for Others {
    fn needs_occupancy(&self) -> bool {
        self.levels.needs_occupancy()
            || self.occupancy.needs_occupancy()
            || self.space_time.needs_occupancy()
            || self.congestion.needs_occupancy()
            || self.movement.needs_occupancy()
    }

    fn reads_levels(&self, cycle: u64) -> bool {
        self.levels.reads_levels(cycle)
            || self.occupancy.reads_levels(cycle)
            || self.space_time.reads_levels(cycle)
            || self.congestion.reads_levels(cycle)
            || self.movement.reads_levels(cycle)
    }

    #[inline]
    fn watches_flits(&self) -> bool {
        self.links.is_some() || self.load_map.is_some()
    }

    #[inline]
    fn started(&mut self, packet: &Packet) {
        self.waits.started(packet);
        self.split.started(packet);
    }

    #[inline]
    fn entered(&mut self, cycle: u64, packet: &Packet) {
        self.waits.entered(cycle, packet);
        self.split.entered(cycle, packet);
    }

    #[inline]
    fn granted(&mut self, grant: Grant) {
        self.links.granted(grant);
        self.load_map.granted(grant);
    }

    #[inline]
    fn taken(&mut self, taken: Taken) {
        self.takes.taken(taken);
        self.congestion.taken(taken);
    }

    fn recovers(&mut self, cycle: u64, router: u32) {
        self.takes.recovers(cycle, router);
        self.congestion.recovers(cycle, router);
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.nodes.delivered(delivery);
        self.split.delivered(delivery);
        self.congestion.delivered(delivery);
    }

    #[inline]
    fn message_delivered(&mut self, message: Message) {
        self.messages.message_delivered(message);
    }

    #[inline]
    fn set_aside(&mut self, change: SetAside) {
        self.set_aside.set_aside(change);
    }

    #[inline]
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.waits.end_of_cycle(end);
        self.levels.end_of_cycle(end);
        self.occupancy.end_of_cycle(end);
        self.injection.end_of_cycle(end);
        self.split.end_of_cycle(end);
        self.space_time.end_of_cycle(end);
        self.congestion.end_of_cycle(end);
        self.set_aside.end_of_cycle(end);
        self.movement.end_of_cycle(end);
    }
}

impl Others {
    /// Whether all have seen the cycles before `cycle`, and no other.
    pub fn is_of(&self, cycle: u64) -> bool {
        self.waits.is_of(cycle) && self.split.as_ref().is_none_or(|split| split.is_of(cycle))
    }

    /// The parameter of a probe that is on and looks at the whole network, so that what was seen in its parts cannot be put together.
    pub fn unmergeable(&self) -> Option<&'static str> {
        // The first add up; the next two belong to data paths that are not cut.
        let Others {
            nodes: _,
            waits: _,
            messages: _,
            links: _,
            load_map: _,
            takes: _,
            set_aside: _,
            levels,
            occupancy,
            injection,
            split,
            space_time,
            congestion,
            movement,
        } = self;
        let of_the_whole = [
            (levels.is_some(), "occupancy_every_cycles"),
            (occupancy.is_some(), "channel_occupancy"),
            (injection.is_some(), "injection_queues"),
            (split.is_some(), "latency_split"),
            (space_time.is_some(), "space_time_cycles"),
            (congestion.is_some(), "congestion"),
            (movement.is_some(), "anatomy_every_cycles"),
        ];
        of_the_whole.into_iter().find_map(|(on, name)| on.then_some(name))
    }

    fn merge(&mut self, other: &Others) {
        fn both<T>(one: &mut Option<T>, other: &Option<T>, merge: fn(&mut T, &T)) {
            if let (Some(one), Some(other)) = (one, other) {
                merge(one, other);
            }
        }
        self.nodes.merge(&other.nodes);
        self.waits.merge(&other.waits);
        both(&mut self.messages, &other.messages, Messages::merge);
        both(&mut self.links, &other.links, LinkLoad::merge);
        both(&mut self.load_map, &other.load_map, LoadMap::merge);
    }
}

/// Forgets what was measured, for a window that has not begun; `new` has seen nothing.
pub(crate) fn measure_anew(watch: &mut Watch, new: Watch) {
    let ((meter, _), others) = watch;
    meter.measure_anew(new.0.0);
    let Others { nodes, waits, messages, links, occupancy, injection, split, takes, set_aside, movement, .. } = others;
    (*nodes, *messages, *links, *takes) = (new.1.nodes, new.1.messages, new.1.links, new.1.takes);
    *movement = new.1.movement;
    waits.measure_anew();
    occupancy.iter_mut().for_each(ChannelOccupancy::measure_anew);
    injection.iter_mut().for_each(InjectionQueues::measure_anew);
    split.iter_mut().for_each(LatencySplit::measure_anew);
    set_aside.iter_mut().for_each(SetAsideQueues::measure_anew);
}

/// What was seen in all parts of a network, put together.
pub(crate) fn merged(watches: Vec<Watch>) -> Watch {
    let mut watches = watches.into_iter();
    let mut all = watches.next().expect("a network has a part");
    watches.for_each(|watch| merge(&mut all, &watch));
    all
}

/// Adds what was seen in one part.
pub(crate) fn merge(all: &mut Watch, ((meter, windows), others): &Watch) {
    all.0.0.merge(meter);
    all.0.1.merge(windows);
    all.1.merge(others);
}

/// Writes what was seen.
pub(crate) fn save_watch(((meter, windows), others): &Watch, to: &mut Writer) {
    meter.save(to);
    windows.save(to);
    others.save(to);
}

/// Takes over what [`save_watch`] wrote.
pub(crate) fn restore_watch(((meter, windows), others): &mut Watch, from: &mut Reader<'_>) -> Result<(), Unfit> {
    meter.restore(from)?;
    windows.restore(from)?;
    others.restore(from)
}

/// First cycle of the measured window and the first one after it (a collective measures to its end).
fn measured(workload: View, traffic: &Traffic) -> (u64, u64) {
    match course(workload) {
        Course::Steady => {
            let from = workload.u64("warmup_cycles");
            (from, from + workload.u64("measure_cycles"))
        }
        Course::Ramp => (0, workload.u64("cycles")),
        Course::Phases => {
            let end = workload.finite("cycles").or(traffic.pass_cycles()).unwrap_or(1);
            (workload.u64("warmup_cycles").min(end - 1), end)
        }
        Course::Collective => (0, workload.u64("limit_cycles")),
    }
}

/// Cycles of a window of the time series, and the parameter that says so.
fn window(workload: View, probes: View, traffic: &Traffic) -> (u64, &'static str) {
    match probes.finite("window_cycles") {
        Some(cycles) => (cycles, "probes.window_cycles"),
        None if workload.has("window_cycles") => (workload.u64("window_cycles"), "workload.window_cycles"),
        None => ((measured(workload, traffic).1 / 200).max(1), "probes.window_cycles"),
    }
}

/// Bytes of the time series of a run whose length is known, and the parameter that most of them hang on. `buffers` are
/// the virtual channels of all ports of a router.
pub(crate) fn series_bytes(
    workload: View,
    probes: View,
    traffic: &Traffic,
    routers: u64,
    buffers: u64,
) -> (u64, &'static str) {
    if traffic.ends() {
        return (0, "probes.window_cycles");
    }
    let (cycles, (window, path)) = (measured(workload, traffic).1, window(workload, probes, traffic));
    // Each is kept while the run goes on, and once more as the columns of a table.
    let of_channels = if probes.bool("channel_occupancy") { 16 * buffers } else { 0 };
    let of_window = of_channels + if probes.bool("congestion") { 256 } else { 128 };
    let windows = (cycles / window).saturating_mul(of_window);
    let samples = |name: &str, bytes: u64| match probes.u64(name) {
        0 => 0,
        every => (cycles / every).saturating_mul(bytes),
    };
    let parts = [
        (windows, path),
        (samples("occupancy_every_cycles", 16 + 32 * buffers), "probes.occupancy_every_cycles"),
        (samples("anatomy_every_cycles", 256), "probes.anatomy_every_cycles"),
        (samples("load_map_every_cycles", 28 * routers), "probes.load_map_every_cycles"),
    ];
    let all = parts.iter().fold(0, |all: u64, part| all.saturating_add(part.0));
    (all, parts.into_iter().rev().max_by_key(|part| part.0).map_or(path, |part| part.1))
}

impl Prepared {
    /// First cycle of the measured window and the first one after it (a collective measures to its end).
    pub(crate) fn measured_window(&self) -> (u64, u64) {
        measured(self.view("workload"), &self.traffic)
    }

    /// Length of the run as far as it is known: a steady run may drain for longer, a collective ends when it ends.
    pub fn total_cycles(&self) -> Option<u64> {
        (!self.traffic.ends()).then(|| self.measured_window().1)
    }

    pub(crate) fn window_cycles(&self) -> u64 {
        window(self.view("workload"), self.view("probes"), &self.traffic).0
    }

    pub(crate) fn watch(&self) -> Watch {
        let (from, to) = self.measured_window();
        let expected = self.total_cycles().unwrap_or(10_000);
        let windows = Windows::new(self.window_cycles(), expected, self.network.nodes());
        ((Meter::new(from, to), windows), self.others((from, to), expected))
    }

    fn others(&self, (from, to): (u64, u64), expected: u64) -> Others {
        let (network, nodes, probes) = (&self.network, self.network.nodes(), self.view("probes"));
        let channels = self.router.channels() as usize;
        let capacity = self.router.buffer_flits() as u16;
        let queues = self.router.injection_inputs() as usize;
        let (window, every) = (self.window_cycles(), probes.u64("occupancy_every_cycles"));
        let map_every = probes.u64("load_map_every_cycles");
        let on = |name: &str| probes.bool(name).then_some(());
        let set_aside = self.sets_aside().then(|| SetAsideQueues::new(self.grid(), (from, to), window));
        let occupancy = || ChannelOccupancy::new(self.grid(), channels, (from, to), window, expected);
        Others {
            nodes: NodeLoad::new(from, to, nodes, probes.bool("node_load")),
            waits: match self.router.is_queued() {
                true => Waits::by_destination(from, nodes),
                false => Waits::new(from, nodes, queues),
            },
            messages: (self.traffic.packet_flits() > 0 || self.router.is_queued()).then(|| Messages::new(from, to)),
            links: on("link_load").map(|()| LinkLoad::new(network, channels, from, to)),
            load_map: (map_every > 0).then(|| LoadMap::new(network, map_every)),
            levels: (every > 0).then(|| Levels::new(self.grid(), channels, capacity, every, expected)),
            occupancy: on("channel_occupancy").map(|()| occupancy()),
            injection: on("injection_queues").map(|()| InjectionQueues::new(nodes, queues, (from, to), window)),
            split: on("latency_split").map(|()| {
                LatencySplit::new(from, to, self.router.ends(network.delays().0), self.traffic.hot_sources())
            }),
            space_time: self.space_time(channels, capacity),
            takes: (self.router.chooses() && !self.router.is_queued()).then(|| Takes::new(from, to)),
            congestion: on("congestion").map(|()| Congestion::new(self.grid(), channels, capacity, window, expected)),
            set_aside,
            movement: self.movement(),
        }
    }

    /// Whether a probe, by its parameter, has something to record under this data path.
    pub(crate) fn has_probe(&self, name: &str) -> bool {
        match name {
            "injection_queues" => self.router.is_queued() || matches!(self.router, Router::Adaptive(_)),
            "set_aside_queues" => self.sets_aside(),
            _ => true,
        }
    }

    /// Whether the queueing discipline has set-aside queues.
    fn sets_aside(&self) -> bool {
        self.router.is_queued() && queueing::sets_aside(self.view("queueing"))
    }

    fn space_time(&self, channels: usize, capacity: u16) -> Option<SpaceTime> {
        let probes = self.view("probes");
        let (from, cycles) = (probes.u64("space_time_from_cycle"), probes.u64("space_time_cycles"));
        if cycles == 0 {
            return None;
        }
        let radix = self.grid().radix();
        let third = |k: Option<&u32>| k.map_or(0, |k| k / 3);
        let row = probes.finite("space_time_row").map_or(third(radix.get(1)), |v| v as u32);
        let column = probes.finite("space_time_column").map_or(third(radix.first()), |v| v as u32);
        Some(SpaceTime::new(self.grid(), channels, capacity, (from, from + cycles), (row, column)))
    }
}
