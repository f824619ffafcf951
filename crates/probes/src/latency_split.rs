//! Where the time goes: every cycle of every measured packet's latency, charged to one of its parts.
//!
//! In each cycle the packet's head says which: what it does at the end of the cycle, by the census. `docs/latency.md` defines the
//! parts.

use crate::histogram;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};
use tailback_engine::contract::census::{Name, Stand, What};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::packet::Packet;
use tailback_engine::{Delivery, Probe};
use tailback_results::LatencyHistogram;
use tailback_results::series::{Series, SeriesColumn};

/// How many parts there are.
pub const COUNT: usize = 9;

/// The names of the parts, in the order of a packet's way.
pub const PARTS: [&str; COUNT] = [
    "source_queue",
    "admission",
    "routing",
    "queue_wait",
    "vc_wait",
    "switch_wait",
    "credit_wait",
    "wires",
    "serialisation",
];

const SOURCE_QUEUE: usize = 0;
const ADMISSION: usize = 1;
const ROUTING: usize = 2;
const QUEUE_WAIT: usize = 3;
const VC_WAIT: usize = 4;
const SWITCH_WAIT: usize = 5;
const CREDIT_WAIT: usize = 6;
const WIRES: usize = 7;
const SERIALISATION: usize = 8;

/// Percentiles in the tables, and the ends of the names of their columns.
pub const PERCENTILES: [(f64, &str); 5] =
    [(50.0, "p50"), (90.0, "p90"), (99.0, "p99"), (99.9, "p999"), (99.99, "p9999")];

/// Victims and culprits.
const ROLES: u64 = 2;

/// Cycles above this many share the top bucket of a histogram; means stay exact.
const LIMIT: u64 = 1 << 20;

/// Times that the census does not show, because no queue has the packet's head then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Cycles in the pipeline that a packet has been through before it comes to the front of its source queue, from its making on.
    pub at_source: u64,
    /// Cycles from a head's leaving its last queue until its node begins to receive it.
    pub to_node: u64,
}

/// A measured packet on its way.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Open {
    started: u64,
    /// The cycle after the last one in which its head was seen.
    seen: u64,
    parts: [u64; COUNT],
}

/// Packets that have something in common.
#[derive(Clone, Debug)]
struct Group {
    parts: [LatencyHistogram; COUNT],
    whole: LatencyHistogram,
}

impl State for Group {
    fn save(&self, to: &mut Writer) {
        let Self { parts, whole } = self;
        parts.iter().chain([whole]).for_each(|part| histogram::save(part, to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.parts.iter_mut().chain([&mut self.whole]).try_for_each(|part| histogram::restore(part, from))
    }
}

impl Default for Group {
    fn default() -> Self {
        Group::new()
    }
}

tailback_base::plain!(Open);
tailback_base::state!([] LatencySplit { saved: now, open, all, by_flits, by_hops, roles; rebuilt: from, to, ends; } [fits]);
tailback_base::state!([] Roles { saved: victims, culprits; rebuilt: hot; });

impl Group {
    fn new() -> Self {
        let histogram = || LatencyHistogram::new(LIMIT);
        Group { parts: std::array::from_fn(|_| histogram()), whole: histogram() }
    }

    /// A part, or behind the last one the whole.
    fn part(&self, part: usize) -> &LatencyHistogram {
        self.parts.get(part).unwrap_or(&self.whole)
    }

    fn add(&mut self, parts: &[u64; COUNT]) {
        self.parts.iter_mut().zip(parts).for_each(|(part, &cycles)| part.record(cycles));
        self.whole.record(parts.iter().sum());
    }
}

/// The parts of the latency of the packets made in a span of cycles.
#[derive(Clone, Debug)]
pub struct LatencySplit {
    from: u64,
    to: u64,
    ends: Ends,
    /// The cycle that is being simulated, or between two the next one.
    now: u64,
    /// Only looked up, never walked: its order means nothing.
    open: HashMap<Name, Open>,
    all: Group,
    by_flits: BTreeMap<u32, Group>,
    by_hops: BTreeMap<u32, Group>,
    roles: Option<Roles>,
}

/// Packets of hot sources, the culprits, apart from those of the others, the victims.
#[derive(Clone, Debug)]
struct Roles {
    /// By source node.
    hot: Vec<bool>,
    victims: Group,
    culprits: Group,
}

impl Roles {
    fn of(&mut self, source: u32) -> &mut Group {
        if self.hot[source as usize] { &mut self.culprits } else { &mut self.victims }
    }
}

impl LatencySplit {
    /// Whether it has seen all cycles before `cycle`, and no other.
    pub fn is_of(&self, cycle: u64) -> bool {
        self.now == cycle
    }

    /// Whether it follows just these packets: all that are measured, from when they were made.
    pub fn follows(&self, packets: &[Packet]) -> bool {
        let measured = |packet: &&Packet| (self.from..self.to).contains(&packet.birth);
        let known = |packet: &Packet| {
            let name = Name { source: packet.source, index: packet.index };
            self.open.get(&name).is_some_and(|open| open.started >= packet.birth)
        };
        packets.iter().filter(measured).count() == self.open.len() && packets.iter().filter(measured).all(known)
    }

    /// Whether it has seen a head where it stands now, if it follows it.
    pub fn sees(&self, head: &Name) -> bool {
        self.open.get(head).is_none_or(|open| open.seen == self.now)
    }

    fn fits(&self) -> Result<(), Unfit> {
        let whole = |open: &Open| {
            let parts = open.parts.iter().try_fold(0u64, |all, &part| all.checked_add(part));
            open.seen <= self.now && open.started <= open.seen && parts == Some(open.seen - open.started)
        };
        ensure(self.open.values().all(whole), "a cycle of a packet has no part, or two")
    }
}

impl LatencySplit {
    /// Packets born in cycles `from..to`; those of `hot` sources apart from the others, where a pattern tells them apart.
    pub fn new(from: u64, to: u64, ends: Ends, hot: Option<Vec<bool>>) -> Self {
        let (by_flits, by_hops) = Default::default();
        let roles = hot.map(|hot| Roles { hot, victims: Group::new(), culprits: Group::new() });
        LatencySplit { from, to, ends, now: 0, open: HashMap::new(), all: Group::new(), by_flits, by_hops, roles }
    }

    /// Forgets what was measured; what goes on, goes on.
    pub fn measure_anew(&mut self) {
        let hot = self.roles.take().map(|roles| roles.hot);
        *self = LatencySplit { now: self.now, ..LatencySplit::new(self.from, self.to, self.ends, hot) };
    }

    /// What the histograms take for packets of so many lengths on ways of so many \[bytes\]. Saturating.
    pub fn bytes(lengths: u64, hops: u64) -> u64 {
        let group = (COUNT as u64 + 1) * LatencyHistogram::bytes(LIMIT);
        lengths.saturating_add(hops).saturating_add(1 + ROLES).saturating_mul(group)
    }

    /// What the census says at the end of every cycle.
    pub fn stand(&mut self, stand: &Stand) {
        if !stand.head {
            return;
        }
        let Some(open) = self.open.get_mut(&stand.packet) else { return };
        open.parts[part_of(stand.what)] += 1;
        open.seen = self.now;
    }

    /// The parts of a packet's latency, once it has been delivered in `cycle`.
    fn parts_of(&self, open: Open, packet: &Packet, cycle: u64) -> [u64; COUNT] {
        let mut parts = open.parts;
        let before = open.started - packet.birth;
        let routed = before.min(self.ends.at_source);
        parts[ROUTING] += routed;
        parts[SOURCE_QUEUE] += before - routed;
        parts[WIRES] += self.ends.to_node;
        parts[SERIALISATION] = cycle - open.seen - self.ends.to_node;
        parts
    }

    /// The tables `latency_split`, by length, of which 0 stands for all, `latency_split_by_hops`, and, where they are told apart,
    /// `latency_split_by_role`.
    pub fn series(&self) -> Vec<Series> {
        let lengths = self.by_flits.iter().filter(|_| self.by_flits.len() > 1).map(|(&flits, group)| (flits, group));
        let all = (self.all.whole.count() > 0).then_some((0, &self.all));
        let mut tables = vec![
            table("latency_split", ("flits", "flits"), all.into_iter().chain(lengths).collect()),
            table("latency_split_by_hops", ("hops", "links"), self.by_hops.iter().map(|(&h, g)| (h, g)).collect()),
        ];
        if let Some(Roles { victims, culprits, .. }) = &self.roles {
            tables.push(table("latency_split_by_role", ("culprit", ""), vec![(0, victims), (1, culprits)]));
        }
        tables
    }
}

/// The part that a cycle belongs to in which a head does this.
fn part_of(what: What) -> usize {
    match what {
        What::Admission => ADMISSION,
        What::Routing => ROUTING,
        What::Behind(_) => QUEUE_WAIT,
        What::Channel { .. } => VC_WAIT,
        What::Output(..) | What::Turn(_) => SWITCH_WAIT,
        What::Room { .. } | What::Held(_) => CREDIT_WAIT,
        What::Flying | What::Leaves(_) => WIRES,
    }
}

fn table(name: &str, (x_name, x_unit): (&str, &str), groups: Vec<(u32, &Group)>) -> Series {
    let column = |name: String, unit: &str, value: &dyn Fn(&Group) -> f64| SeriesColumn {
        name,
        unit: unit.to_owned(),
        values: groups.iter().map(|(_, group)| value(group)).collect(),
    };
    let mut columns = vec![column("packets".to_owned(), "packets", &|group| group.whole.count() as f64)];
    for part in 0..=COUNT {
        let name = PARTS.get(part).copied().unwrap_or("latency");
        columns.push(column(format!("{name}_mean"), "cycles", &|group| group.part(part).mean().unwrap_or(f64::NAN)));
        for (percent, end) in PERCENTILES {
            let value = |group: &Group| group.part(part).percentile(percent).map_or(f64::NAN, |cycles| cycles as f64);
            columns.push(column(format!("{name}_{end}"), "cycles", &value));
        }
    }
    Series {
        name: name.to_owned(),
        unit: "cycles".to_owned(),
        x_name: x_name.to_owned(),
        x_unit: x_unit.to_owned(),
        x: groups.iter().map(|&(x, _)| f64::from(x)).collect(),
        columns,
    }
}

impl Probe for LatencySplit {
    fn watches_flits(&self) -> bool {
        false
    }

    fn started(&mut self, packet: &Packet) {
        if !(self.from..self.to).contains(&packet.birth) {
            return;
        }
        let name = Name { source: packet.source, index: packet.index };
        self.open.insert(name, Open { started: self.now, seen: self.now, parts: [0; COUNT] });
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        let packet = delivery.packet;
        let Some(open) = self.open.remove(&Name { source: packet.source, index: packet.index }) else { return };
        let parts = self.parts_of(open, packet, delivery.cycle);
        let latency = delivery.cycle - packet.birth;
        assert_eq!(parts.iter().sum::<u64>(), latency, "every cycle of a packet has one part: {packet:?}, {parts:?}");
        self.all.add(&parts);
        self.by_flits.entry(packet.flits).or_default().add(&parts);
        self.by_hops.entry(packet.hops).or_default().add(&parts);
        if let Some(roles) = &mut self.roles {
            roles.of(packet.source).add(&parts);
        }
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.now = end.cycle + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::contract::admission::Gauges;

    fn ends(split: &mut LatencySplit, cycle: u64) {
        let gauges = Gauges::default();
        split.end_of_cycle(EndOfCycle { cycle, in_flight: 0, occupancy: None, injection: &[], gauges });
    }

    fn sees(split: &mut LatencySplit, head: bool, what: What) {
        let packet = Name { source: 1, index: 0 };
        let stand =
            Stand { packet, destination: 2, router: 0, input: None, side: None, position: 0, flits: 4, head, what };
        split.stand(&stand);
    }

    #[test]
    fn every_cycle_has_a_part() {
        let mut split = LatencySplit::new(0, 100, Ends { at_source: 2, to_node: 3 }, None);
        (0..10).for_each(|cycle| ends(&mut split, cycle));
        let packet = Packet { source: 1, birth: 5, flits: 4, hops: 1, ..Packet::default() };
        split.started(&packet);
        let behind = What::Behind(Name { source: 7, index: 7 });
        let seen = [What::Turn(Some(0)), What::Room { port: 0, channels: 1, flits: 0 }, What::Flying, behind];
        for (cycle, what) in (10..).zip(seen) {
            ends(&mut split, cycle);
            sees(&mut split, true, what);
            sees(&mut split, false, What::Leaves(None));
        }
        (14..21).for_each(|cycle| ends(&mut split, cycle));
        split.delivered(Delivery { cycle: 21, packet: &packet });
        let [table, by_hops] = &split.series()[..] else { panic!("two tables") };
        let means: Vec<f64> = PARTS.iter().map(|part| table.column(&format!("{part}_mean")).unwrap()[0]).collect();
        assert_eq!(means, [3.0, 0.0, 2.0, 1.0, 0.0, 1.0, 1.0, 1.0 + 3.0, 21.0 - 14.0 - 3.0]);
        assert_eq!(table.column("latency_mean"), Some(&[16.0][..]));
        assert_eq!((table.x.as_slice(), by_hops.x.as_slice()), (&[0.0][..], &[1.0][..]));
    }

    #[test]
    fn lengths_are_told_apart_and_packets_of_the_warm_up_left_out() {
        let mut split = LatencySplit::new(10, 20, Ends::default(), None);
        for (index, birth, flits) in [(0, 9, 4), (1, 10, 4), (2, 19, 8), (3, 20, 4)] {
            (split.now..=birth).for_each(|cycle| ends(&mut split, cycle));
            let packet = Packet { source: 1, index, birth, flits, ..Packet::default() };
            split.started(&packet);
            split.delivered(Delivery { cycle: birth + 9, packet: &packet });
        }
        let table = &split.series()[0];
        assert_eq!((table.x.as_slice(), table.column("packets")), (&[0.0, 4.0, 8.0][..], Some(&[2.0, 1.0, 1.0][..])));
        assert_eq!(table.column("latency_p9999"), Some(&[9.0; 3][..]));
    }

    #[test]
    fn culprits_are_told_from_victims() {
        let mut split = LatencySplit::new(0, 100, Ends::default(), Some(vec![false, true, false]));
        for (source, latency) in [(0, 10), (1, 50), (2, 20)] {
            let packet = Packet { source, ..Packet::default() };
            split.started(&packet);
            split.delivered(Delivery { cycle: latency, packet: &packet });
        }
        let series = split.series();
        let table = Series::named(&series, "latency_split_by_role").expect("roles are told apart");
        assert_eq!((table.x.as_slice(), table.column("packets")), (&[0.0, 1.0][..], Some(&[2.0, 1.0][..])));
        assert_eq!(table.column("latency_mean"), Some(&[15.0, 50.0][..]));
    }
}
