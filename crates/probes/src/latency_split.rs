//! Where the time goes: every cycle of every measured packet's latency, charged to one of its parts.
//!
//! In each cycle the packet's head says which: what it does at the end of the cycle, as the engine tells of heads that stand behind no
//! other packet. `docs/latency.md` defines the parts.

mod under;

use crate::histogram;
use crate::listed::{End, Listed, Site, switch};
use crate::picture::{Bars, Draw, Picture, Stand};
use crate::tables::column;
use std::collections::BTreeMap;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};
use tailback_engine::contract::census::{Doing, Front, Name};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::packet::Packet;
use tailback_engine::{Delivery, Probe};
use tailback_results::{LatencyHistogram, Series};
use tailback_spec::Param;
use under::{Open, Under};

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

tailback_base::state!([] LatencySplit { saved: now, under, flits, by_flits, by_hops, roles; rebuilt: from, to, ends, started; } [fits]);
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

    fn merge(&mut self, other: &Group) {
        let Group { parts, whole } = other;
        let own = self.parts.iter_mut().chain([&mut self.whole]);
        own.zip(parts.iter().chain([whole])).for_each(|(own, other)| own.merge(other).expect("one limit"));
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
    under: Under,
    /// Source and destination node of measured packets that have started, until somebody asks.
    started: Vec<(u32, u32)>,
    /// The length of all packets so far \[flits\], while they have but one; 0 before the first.
    flits: u32,
    /// By length, once there are several.
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
    /// Whether it follows just these packets: all that are measured, from when they were made.
    pub fn follows(&self, packets: &[Packet]) -> bool {
        let measured = |packet: &&Packet| (self.from..self.to).contains(&packet.birth);
        let known = |packet: &Packet| {
            let name = Name { source: packet.source, index: packet.index };
            self.under.named(name).is_some_and(|open| open.measured && open.started >= packet.birth)
        };
        let count = packets.iter().filter(measured).count();
        count == self.under.measured as usize && packets.iter().filter(measured).all(known)
    }

    /// Whether a packet may be delivered in `cycle`: its head has had the time to come to its node.
    pub fn allows(&self, packet: &Packet, cycle: u64) -> bool {
        let name = Name { source: packet.source, index: packet.index };
        self.under.named(name).is_none_or(|open| !open.measured || open.seen + self.ends.to_node <= cycle)
    }

    fn fits(&self) -> Result<(), Unfit> {
        let whole = |open: Open| {
            let parts = open.parts.iter().try_fold(0u64, |all, &part| all.checked_add(part));
            let charged = usize::from(open.goes_on) <= COUNT;
            charged && open.seen <= self.now && open.started <= open.seen && parts == Some(open.seen - open.started)
        };
        ensure(self.under.all().all(whole), "a cycle of a packet has no part, or two")
    }
}

impl LatencySplit {
    /// Packets born in cycles `from..to`; those of `hot` sources apart from the others, where a pattern tells them apart.
    pub fn new(from: u64, to: u64, ends: Ends, hot: Option<Vec<bool>>) -> Self {
        let (by_flits, by_hops) = Default::default();
        let roles = hot.map(|hot| Roles { hot, victims: Group::new(), culprits: Group::new() });
        LatencySplit {
            from,
            to,
            ends,
            now: 0,
            under: Under::default(),
            started: Vec::new(),
            flits: 0,
            by_flits,
            by_hops,
            roles,
        }
    }

    /// What the histograms take for packets of so many lengths on ways of so many \[bytes\]. Saturating.
    pub fn bytes(lengths: u64, hops: u64) -> u64 {
        let group = (COUNT as u64 + 1) * LatencyHistogram::bytes(LIMIT);
        lengths.saturating_add(hops).saturating_add(1 + ROLES).saturating_mul(group)
    }

    /// Whether there is somebody whose cycles are to be charged.
    pub fn waits(&self) -> bool {
        self.under.measured > 0
    }

    /// Source and destination node of measured packets that have started since the last look at the heads: `started` is filled anew.
    pub fn started_since(&mut self, started: &mut Vec<(u32, u32)>) {
        started.clear();
        started.append(&mut self.started);
    }

    /// What the engine says at the end of a cycle of a head that stands behind no other packet. `name`: the packet's. It wants to be
    /// told of all of them in every cycle while it [`LatencySplit::waits`]: in cycles in which it hears nothing of a packet its head
    /// stood behind another one, or was on a wire for as long as [`Front::flight`] says.
    #[inline]
    pub fn front(&mut self, front: Front, name: impl FnOnce() -> Name) {
        self.under.hear(front, self.now, name);
    }

    /// The parts of a packet's latency, once it has been delivered in `cycle`.
    fn parts_of(&self, open: Open, packet: &Packet, cycle: u64) -> [u64; COUNT] {
        let mut parts = open.parts;
        let before = open.started - packet.birth;
        let routed = before.min(self.ends.at_source);
        parts[ROUTING] += routed;
        parts[SOURCE_QUEUE] += before - routed;
        parts[WIRES] += self.ends.to_node;
        // What a forged checkpoint says of a packet may be too late.
        parts[SERIALISATION] = cycle.saturating_sub(open.seen + self.ends.to_node);
        parts
    }

    /// Adds the parts of a packet to the sums of its length. With a single length these are the sums of all packets.
    fn add_by_flits(&mut self, flits: u32, parts: &[u64; COUNT]) {
        if self.by_flits.is_empty() && [0, flits].contains(&self.flits) {
            self.flits = flits;
            return;
        }
        if self.by_flits.is_empty() {
            self.by_flits.insert(self.flits, self.all());
        }
        self.by_flits.entry(flits).or_default().add(parts);
    }

    /// All packets together.
    fn all(&self) -> Group {
        let mut all = Group::new();
        self.by_hops.values().for_each(|group| all.merge(group));
        all
    }

    /// The tables `latency_split`, by length, of which 0 stands for all, `latency_split_by_hops`, and, where they are told apart,
    /// `latency_split_by_role`.
    pub fn series(&self) -> Vec<Series> {
        let lengths = self.by_flits.iter().map(|(&flits, group)| (flits, group));
        let all = self.all();
        let all = (all.whole.count() > 0).then_some((0, &all));
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
fn part_of(doing: Doing) -> usize {
    match doing {
        Doing::Admission => ADMISSION,
        Doing::Routing => ROUTING,
        Doing::Channel => VC_WAIT,
        Doing::Switch => SWITCH_WAIT,
        Doing::Room => CREDIT_WAIT,
        Doing::Wires => WIRES,
        Doing::Arriving => SERIALISATION,
    }
}

fn table(name: &str, (x_name, x_unit): (&str, &str), groups: Vec<(u32, &Group)>) -> Series {
    let of = |name: String, unit: &str, value: &dyn Fn(&Group) -> f64| {
        column(name, unit, groups.iter().map(|(_, group)| value(group)).collect())
    };
    let mut columns = vec![of("packets".to_owned(), "packets", &|group| group.whole.count() as f64)];
    for part in 0..=COUNT {
        let name = PARTS.get(part).copied().unwrap_or("latency");
        columns.push(of(format!("{name}_mean"), "cycles", &|group| group.part(part).mean().unwrap_or(f64::NAN)));
        for (percent, end) in PERCENTILES {
            let value = |group: &Group| group.part(part).percentile(percent).map_or(f64::NAN, |cycles| cycles as f64);
            columns.push(of(format!("{name}_{end}"), "cycles", &value));
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

/// The means of the parts, a group for each number of links crossed.
fn bars(table: &Series) -> Option<Bars> {
    let means = |part: &str| table.column(&format!("{part}_mean")).unwrap_or_default().to_vec();
    Some(Bars {
        groups: table.x.iter().map(|hops| hops.to_string()).collect(),
        bars: PARTS.iter().map(|part| (part.replace('_', " "), means(part))).collect(),
    })
}

impl Listed for LatencySplit {
    const MINDS_IDLE: bool = true;

    const PARAMS: &'static [Param] = &[switch(
        "latency_split",
        "Divide the latency of the packets made in the measured window into parts, from the source queue to the \
         wires (docs/latency.md). Runs become several times slower.",
    )];

    const PICTURES: &'static [Picture] = &[Picture {
        kind: "latency-split",
        caption: "Where the time goes: the mean of each part of the latency of the packets made in the measured window, by the links \
             that they crossed.",
        table: "latency_split_by_hops",
        draw: Draw::Bars {
            title: "Where the time goes, by links crossed",
            label: "Mean latency",
            unit: "cycles",
            stand: Stand::Stacked,
            bars,
        },
    }];

    fn close(&mut self, cycle: u64) {
        self.to = self.to.min(cycle);
    }

    fn new(site: &Site<'_>) -> Self {
        let (from, to) = site.measured;
        LatencySplit::new(from, to, site.path.ends, site.traffic.hot_sources())
    }

    fn is_of(&self, cycle: u64) -> bool {
        self.now == cycle
    }

    fn measure_anew(&mut self, new: Self) {
        *self = LatencySplit { now: self.now, ..new };
    }

    fn tables(&self, _end: &End<'_>) -> Vec<Series> {
        self.series()
    }
}

impl Probe for LatencySplit {
    fn started(&mut self, packet: &Packet) {
        if !(self.from..self.to).contains(&packet.birth) {
            return;
        }
        let name = Name { source: packet.source, index: packet.index };
        let open = Open { started: self.now, seen: self.now, measured: true, ..Open::default() };
        self.under.insert(name, open);
        self.started.push((packet.source, packet.destination));
    }

    fn entered(&mut self, cycle: u64, packet: &Packet) {
        self.under.enters(Name { source: packet.source, index: packet.index }, cycle);
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        let packet = delivery.packet;
        let name = Name { source: packet.source, index: packet.index };
        let Some(open) = self.under.remove(name).filter(|open| open.measured) else { return };
        let parts = self.parts_of(open, packet, delivery.cycle);
        let latency = delivery.cycle - packet.birth;
        assert_eq!(parts.iter().sum::<u64>(), latency, "every cycle of a packet has one part: {packet:?}, {parts:?}");
        self.add_by_flits(packet.flits, &parts);
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

    fn hears(split: &mut LatencySplit, doing: Doing, flight: u32) {
        split.front(Front { id: 3, doing, flight, lasts: false }, || Name { source: 1, index: 0 });
    }

    #[test]
    fn every_cycle_has_a_part() {
        let mut split = LatencySplit::new(0, 100, Ends { at_source: 2, to_node: 3 }, None);
        (0..10).for_each(|cycle| ends(&mut split, cycle));
        let packet = Packet { source: 1, birth: 5, flits: 4, hops: 1, ..Packet::default() };
        split.started(&packet);
        for (cycle, doing) in (10..).zip([Doing::Switch, Doing::Room, Doing::Wires]) {
            ends(&mut split, cycle);
            hears(&mut split, doing, 0);
        }
        // Behind others; then its head goes, and nobody hears of it before it is delivered.
        (13..17).for_each(|cycle| ends(&mut split, cycle));
        hears(&mut split, Doing::Arriving, 0);
        ends(&mut split, 17);
        hears(&mut split, Doing::Arriving, 0);
        (18..23).for_each(|cycle| ends(&mut split, cycle));
        split.delivered(Delivery { cycle: 23, packet: &packet });
        let [table, by_hops] = &split.series()[..] else { panic!("two tables") };
        let means: Vec<f64> = PARTS.iter().map(|part| table.column(&format!("{part}_mean")).unwrap()[0]).collect();
        assert_eq!(means, [3.0, 0.0, 2.0, 3.0, 0.0, 1.0, 1.0, 1.0 + 3.0, 23.0 - 16.0 - 3.0]);
        assert_eq!(table.column("latency_mean"), Some(&[18.0][..]));
        assert_eq!((table.x.as_slice(), by_hops.x.as_slice()), (&[0.0][..], &[1.0][..]));
        let bars = bars(by_hops).expect("it has some");
        assert_eq!((bars.groups, &bars.bars[7]), (vec!["1".to_owned()], &("wires".to_owned(), vec![4.0])));
        assert!(!split.waits());
    }

    #[test]
    fn a_flight_that_nothing_was_told_of_comes_before_the_wait_behind_others() {
        let mut split = LatencySplit::new(0, 100, Ends::default(), None);
        let packet = Packet { source: 1, ..Packet::default() };
        split.started(&packet);
        (0..7).for_each(|cycle| ends(&mut split, cycle));
        hears(&mut split, Doing::Channel, 4);
        split.delivered(Delivery { cycle: 9, packet: &packet });
        let parts = |part: usize| split.series()[0].column(&format!("{}_mean", PARTS[part])).unwrap()[0];
        assert_eq!([WIRES, QUEUE_WAIT, VC_WAIT, SERIALISATION].map(parts), [4.0, 2.0, 1.0, 2.0]);
    }

    #[test]
    fn what_lasts_is_charged_until_the_packet_enters() {
        let mut split = LatencySplit::new(0, 100, Ends::default(), None);
        let packet = Packet { source: 1, destination: 5, ..Packet::default() };
        split.started(&packet);
        let mut started = vec![(9, 9)];
        split.started_since(&mut started);
        assert_eq!(started, [(1, 5)]);
        for (cycle, doing) in [(0, Some(Doing::Admission)), (1, None), (2, None), (3, Some(Doing::Room)), (4, None)] {
            ends(&mut split, cycle);
            let tell =
                |doing| split.front(Front { id: 3, doing, flight: 0, lasts: true }, || Name { source: 1, index: 0 });
            doing.into_iter().for_each(tell);
        }
        split.entered(5, &packet);
        (5..8).for_each(|cycle| ends(&mut split, cycle));
        hears(&mut split, Doing::Switch, 0);
        split.delivered(Delivery { cycle: 10, packet: &packet });
        let parts = |part: usize| split.series()[0].column(&format!("{}_mean", PARTS[part])).unwrap()[0];
        assert_eq!(
            [ADMISSION, CREDIT_WAIT, QUEUE_WAIT, SWITCH_WAIT, SERIALISATION].map(parts),
            [3.0, 2.0, 2.0, 1.0, 2.0]
        );
    }

    #[test]
    fn numbers_that_are_used_again_are_of_other_packets() {
        let mut split = LatencySplit::new(10, 100, Ends::default(), None);
        (0..20).for_each(|cycle| ends(&mut split, cycle));
        // A packet of the warm-up has the number first.
        for (index, birth, cycles) in [(0, 5, 1), (1, 20, 3)] {
            let packet = Packet { source: 1, index, birth, ..Packet::default() };
            split.started(&packet);
            for _ in 0..cycles {
                let now = split.now;
                ends(&mut split, now);
                split.front(Front { id: 7, doing: Doing::Room, flight: 0, lasts: false }, || Name { source: 1, index });
            }
            let cycle = split.now;
            split.delivered(Delivery { cycle, packet: &packet });
        }
        let table = &split.series()[0];
        assert_eq!((table.column("packets"), table.column("credit_wait_mean")), (Some(&[1.0][..]), Some(&[3.0][..])));
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
