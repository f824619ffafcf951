//! What the rule of periods counts: latencies since sums began anew, rates of nodes, ages of flits in flight.

mod counts;
mod rule;
mod sums;

pub use counts::Block;
pub use rule::{Means, Next, Rule, Stage};
pub use sums::{Extent, Rate, Sum};

use crate::listed::{End, Listed, Site};
use crate::tables::column;
use counts::{Counts, Span};
use std::collections::{BTreeMap, VecDeque};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::packet::{Packet, Type};
use tailback_engine::{Delivery, Probe};
use tailback_results::Series;
use tailback_traffic::{LatencyFrom, Limits, Periods, Shared};

/// Counts what the rule of periods goes by, and follows it.
#[derive(Clone, Debug)]
pub struct PeriodStats {
    /// The rule.
    pub rule: Rule,
    /// The periods that have ended, over all classes that are measured.
    pub blocks: Vec<Block>,
    /// By class the same, where classes share the wires of nodes and it is measured.
    pub of_classes: Vec<Vec<Block>>,
    /// The cycle in which the sums began.
    began: u64,
    /// The first cycle that is not measured.
    until: u64,
    /// By class.
    counts: Vec<Counts>,
    /// By class, whether its packets are measured.
    measures: Vec<bool>,
    /// By packet, the cycles in which its flits left that have not arrived, and of one that is arriving the first arrival and the flits
    /// that are there. Empty unless flits are told of.
    on_way: Vec<OnWay>,
    /// Of each source the number from which on its packets are measured: that after all that came to the front during the warm-up. Where
    /// several queues of a node send, packets may come to the front in another order.
    first: Vec<u64>,
    /// Measured packets that have come to the front of their queue, and those that have arrived.
    measured: u64,
    delivered: u64,
    single: bool,
    /// Where latency counts from the front of the source queue on: by source and number of a packet on its way the cycle in which it came there.
    fronts: Option<BTreeMap<(u32, u64), u64>>,
    /// Whether receivers answer. The latency of an answer counts from the arrival of its request on, its birth.
    answers: bool,
    /// The cycle that is simulated; kept where latency counts from there on.
    now: u64,
}

/// By class, whether it is measured, and the limits that it has of its own.
type Classes<'a> = (Vec<bool>, &'a [Option<Limits>]);

/// The flits of a packet on their way.
#[derive(Clone, Debug, Default)]
struct OnWay {
    /// The cycles in which those left that have not arrived.
    left: VecDeque<u64>,
    /// The cycle in which the head arrived.
    first: u64,
    /// Flits that are there.
    arrived: u32,
}

tailback_base::unsaved!(PeriodStats, "a run of periods is in no checkpoint");

impl PeriodStats {
    /// Of a network of so many nodes, with packets of `longest` flits at most. A class is a port of a node.
    pub fn new(periods: Periods, nodes: usize, longest: u32, (measures, limits): Classes<'_>) -> Self {
        let pairs = if periods.pairs { nodes * nodes } else { 0 };
        PeriodStats {
            rule: Rule::new(periods, limits),
            blocks: Vec::new(),
            of_classes: vec![Vec::new(); measures.len()],
            began: 0,
            until: u64::MAX,
            counts: vec![Counts::new(nodes, pairs); measures.len()],
            on_way: Vec::new(),
            first: vec![0; nodes * measures.len()],
            measures,
            measured: 0,
            delivered: 0,
            single: longest == 1,
            fronts: (periods.from == LatencyFrom::Front).then(BTreeMap::new),
            answers: false,
            now: 0,
        }
    }

    /// Begins a period in cycle `now`.
    pub fn begin(&mut self, now: u64) {
        if self.rule.clears() {
            self.clear(now);
        }
    }

    fn clear(&mut self, now: u64) {
        self.began = now;
        self.counts.iter_mut().for_each(Counts::clear);
    }

    /// The classes that are measured.
    fn measured_classes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.counts.len()).filter(|&class| self.measures[class])
    }

    /// Ends a period before cycle `now`. Returns what comes next.
    pub fn close(&mut self, now: u64) -> Next {
        let blocks: Vec<(usize, Block)> =
            self.measured_classes().map(|class| (class, self.counts[class].block(self.span(now, now)))).collect();
        let means = |(class, block): &(usize, Block)| Means {
            class: *class,
            latency: block.latency.mean,
            accepted: block.flits[1].extent.mean,
            aged: self.counts[*class].aged(now),
        };
        let means: Vec<Means> = blocks.iter().map(means).collect();
        let next = self.rule.close(&means);
        for ((class, block), &changes) in blocks.into_iter().zip(&self.rule.changes) {
            self.of_classes[class].push(Block { changes, ..block });
        }
        self.blocks.push(self.block(now, now));
        match next {
            Next::FirstMeasured => self.clear(now),
            Next::Drain | Next::Unstable => self.until = now,
            Next::Period => {}
        }
        next
    }

    /// The first class whose packets are older than the limit allows, on average: while periods go on, of those that are measured, and of
    /// all in the drain.
    pub fn exceeds(&self, now: u64) -> Option<usize> {
        let all = self.rule.stage == Stage::Drain && now > self.until;
        let mut classes = (0..self.counts.len()).filter(|&class| all || self.measures[class]);
        classes.find(|&class| self.rule.exceeds(class, self.counts[class].aged(now)))
    }

    /// Measured packets that have come to the front of their queue, and those of them that have arrived.
    pub fn measured(&self) -> (u64, u64) {
        (self.measured, self.delivered)
    }

    /// What was measured, up to cycle `now`; the rates up to the end of the last period.
    pub fn overall(&self, now: u64) -> Block {
        self.block(now, now.min(self.until))
    }

    /// By class the same; `None` where it is not measured.
    pub fn overall_of_classes(&self, now: u64) -> Vec<Option<Block>> {
        let block = |class: usize| self.counts[class].block(self.span(now, now.min(self.until)));
        (0..self.counts.len()).map(|class| self.measures[class].then(|| block(class))).collect()
    }

    fn block(&self, now: u64, until: u64) -> Block {
        let mut classes = self.measured_classes();
        let mut all = self.counts[classes.next().expect("a class is measured")].clone();
        classes.for_each(|class| all.merge(&self.counts[class]));
        all.block(self.span(now, until))
    }

    fn span(&self, cycle: u64, until: u64) -> Span {
        let largest = |i: usize| self.rule.changes.iter().map(|changes| changes[i]).fold(f64::NAN, f64::max);
        Span { cycle, cycles: until - self.began, flits: self.knows_flits(), changes: [0, 1].map(largest) }
    }

    /// Whether the times of flits are known: a packet has one, or the data path told of them.
    fn knows_flits(&self) -> bool {
        self.single || !self.on_way.is_empty()
    }

    /// The class of a packet that goes to, or comes from, this port, and the node of it.
    #[inline]
    fn class_of(&self, port: u32) -> (usize, usize) {
        match self.counts.len() {
            1 => (0, port as usize),
            classes => (port as usize % classes, port as usize / classes),
        }
    }

    /// Whether packets of a port are measured.
    pub fn measures(&self, port: u32) -> bool {
        self.measures[self.class_of(port).0]
    }

    fn counts(&self) -> bool {
        self.rule.stage != Stage::Drain
    }

    fn is_measured(&self, packet: &Packet) -> bool {
        self.measures(packet.destination)
            && packet.index >= self.first[packet.source as usize]
            && self.birth(packet) < self.until
    }

    /// The cycle from which on the latency of a packet counts, which has come to the front of its queue.
    #[inline]
    fn birth(&self, packet: &Packet) -> u64 {
        match &self.fronts {
            None => packet.birth,
            Some(fronts) => fronts[&(packet.source, packet.index)],
        }
    }

    /// Whether packets that wait behind others when the last period ends are measured when their turn comes.
    pub fn measures_waiting(&self) -> bool {
        self.fronts.is_none()
    }
}

impl Listed for PeriodStats {
    fn is_on(site: &Site<'_>) -> bool {
        site.periods.is_some()
    }

    fn new(site: &Site<'_>) -> Self {
        let periods = site.periods.expect("it is on only where there are some");
        let answers = site.traffic.has_answers();
        let measures = site.traffic.shared().map_or(vec![true], |shared| shared.measured().to_vec());
        let limits = site.traffic.shared().map_or(&[None][..], Shared::limits);
        let nodes = site.network.nodes() / measures.len();
        PeriodStats { answers, ..PeriodStats::new(periods, nodes, site.traffic.max_flits(), (measures, limits)) }
    }

    /// It goes by its own rule.
    fn measure_anew(&mut self, _new: Self) {}

    fn tables(&self, _end: &End<'_>) -> Vec<Series> {
        let of = |value: fn(&Block) -> f64| self.blocks.iter().map(value).collect::<Vec<f64>>();
        let columns = vec![
            column("latency_mean", "cycles", of(|block| block.latency.mean)),
            column("network_latency_mean", "cycles", of(|block| block.network_latency.mean)),
            column("accepted_load", "flits/node/cycle", of(|block| block.flits[1].extent.mean)),
            column("in_flight", "flits", of(|block| block.in_flight[0] as f64)),
        ];
        let ends = Series {
            name: "periods".into(),
            unit: String::new(),
            x_name: "end_cycle".into(),
            x_unit: "cycles".into(),
            x: of(|block| block.cycle as f64),
            columns,
        };
        std::iter::once(ends).chain(self.pairs()).collect()
    }
}

impl PeriodStats {
    /// A row for each pair of nodes that a measured packet went between.
    fn pairs(&self) -> Option<Series> {
        let mut all = self.counts[0].clone();
        self.counts[1..].iter().for_each(|counts| all.merge(counts));
        let (nodes, pairs) = (all.packets[0].len(), all.pairs);
        let seen: Vec<usize> = (0..pairs.len()).filter(|&pair| pairs[pair].1 > 0).collect();
        let of = |value: &dyn Fn(usize) -> f64| seen.iter().map(|&pair| value(pair)).collect::<Vec<f64>>();
        (!pairs.is_empty()).then(|| Series {
            name: "pairs".into(),
            unit: String::new(),
            x_name: "pair".into(),
            x_unit: String::new(),
            x: of(&|pair| pair as f64),
            columns: vec![
                column("source", "", of(&|pair| (pair / nodes) as f64)),
                column("destination", "", of(&|pair| (pair % nodes) as f64)),
                column("packets", "packets", of(&|pair| pairs[pair].1 as f64)),
                column("latency_mean", "cycles", of(&|pair| pairs[pair].0 as f64 / pairs[pair].1 as f64)),
            ],
        })
    }
}

impl Probe for PeriodStats {
    #[inline]
    fn times_flits(&self) -> bool {
        !self.single
    }

    fn flit_left(&mut self, cycle: u64, id: u32) {
        let id = id as usize;
        if self.on_way.len() <= id {
            self.on_way.resize(id + 1, OnWay::default());
        }
        self.on_way[id].left.push_back(cycle);
    }

    fn flit_arrived(&mut self, cycle: u64, id: u32, packet: &Packet) {
        let counts = self.is_measured(packet) || self.rule.stage == Stage::WarmUp;
        let counts_of = &mut self.counts[match self.measures.len() {
            1 => 0,
            classes => packet.destination as usize % classes,
        }];
        let way = &mut self.on_way[id as usize];
        let left = way.left.pop_front().expect("a flit leaves before it arrives");
        counts_of.flit_latency.add(cycle - left);
        if way.arrived == 0 {
            way.first = cycle;
        }
        way.arrived += 1;
        if way.arrived == packet.flits {
            way.arrived = 0;
            if counts {
                counts_of.fragmentation.add(cycle - way.first - u64::from(packet.flits - 1));
            }
        }
    }

    #[inline]
    fn started(&mut self, packet: &Packet) {
        let flits = u64::from(packet.flits);
        if let Some(fronts) = &mut self.fronts {
            let is_answer = self.answers && Type::of_mark(packet.mark).is_some_and(|of| of.answer().is_none());
            fronts.insert((packet.source, packet.index), if is_answer { packet.birth } else { self.now });
        }
        let (class, birth) = (self.class_of(packet.destination).0, self.birth(packet));
        let counts = &mut self.counts[class];
        counts.in_flight += flits;
        counts.births = counts.births.wrapping_add(flits * birth);
        let source = packet.source as usize;
        if self.rule.stage == Stage::WarmUp {
            self.first[source] = self.first[source].max(packet.index + 1);
        }
        if self.is_measured(packet) {
            self.measured += 1;
            self.counts[class].measured_in_flight += flits;
        }
    }

    #[inline]
    fn entered(&mut self, _cycle: u64, packet: &Packet) {
        if self.counts() {
            let (class, node) = self.class_of(packet.source);
            self.counts[class].packets[0][node] += 1;
            self.counts[class].flits[0][node] += u64::from(packet.flits);
        }
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery<'_>) {
        let Delivery { cycle, packet } = delivery;
        let (flits, (class, destination)) = (u64::from(packet.flits), self.class_of(packet.destination));
        let (birth, measured, goes_on) = (self.birth(packet), self.is_measured(packet), self.counts());
        let source = self.class_of(packet.source).1;
        let counts = &mut self.counts[class];
        counts.in_flight -= flits;
        counts.births = counts.births.wrapping_sub(flits * birth);
        if goes_on {
            counts.packets[1][destination] += 1;
            counts.flits[1][destination] += flits;
        }
        if self.single {
            counts.flit_latency.add(cycle - packet.entered);
            counts.fragmentation.add(0);
        }
        if measured {
            self.delivered += 1;
            counts.measured_in_flight -= flits;
        }
        if measured || self.rule.stage == Stage::WarmUp {
            counts.latency.add(cycle - birth);
            counts.network_latency.add(cycle - packet.entered);
            counts.hops += u64::from(packet.hops);
            let pair = source * counts.packets[0].len() + destination;
            if let Some((sum, count)) = counts.pairs.get_mut(pair) {
                *sum += cycle - birth;
                *count += 1;
            }
        }
        if let Some(fronts) = &mut self.fronts {
            fronts.remove(&(packet.source, packet.index));
        }
    }

    #[inline]
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.now = end.cycle + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats_from(from: LatencyFrom) -> PeriodStats {
        PeriodStats::new(periods(from), 4, 1, (vec![true], &[None]))
    }

    fn periods(from: LatencyFrom) -> Periods {
        Periods {
            cycles: 100,
            warmup: 1,
            most: 4,
            latency: true,
            limits: Limits { latency: Some(500.0), warmup_changes: [None; 2], changes: [None; 2] },
            empties: false,
            pairs: true,
            from,
        }
    }

    fn stats() -> PeriodStats {
        stats_from(LatencyFrom::Birth)
    }

    fn packet(source: u32, index: u64, birth: u64) -> Packet {
        Packet { source, destination: 3, index, birth, entered: birth + 2, flits: 1, hops: 2, ..Packet::default() }
    }

    fn arrives(stats: &mut PeriodStats, packet: &Packet, cycle: u64) {
        stats.delivered(Delivery { cycle, packet });
    }

    #[test]
    fn packets_count_that_came_to_the_front_while_it_was_measured() {
        let mut stats = stats();
        stats.begin(0);
        let (early, first, second) = (packet(0, 0, 90), packet(0, 1, 95), packet(1, 0, 150));
        stats.started(&early);
        assert_eq!(stats.close(100), Next::FirstMeasured);
        stats.begin(100);
        // Born in the warm-up, but it came to the front later.
        stats.started(&first);
        stats.started(&second);
        arrives(&mut stats, &early, 110);
        arrives(&mut stats, &first, 115);
        assert_eq!(
            (stats.measured(), stats.counts[0].latency.count, stats.counts[0].flit_latency.count),
            ((2, 1), 1, 2)
        );
        assert_eq!((stats.close(200), stats.blocks[1].in_flight), (Next::Period, [1, 1]));
        assert_eq!(stats.blocks[1].flits[1].extent.mean, 2.0 / 100.0 / 4.0);
        assert_eq!(stats.counts[0].aged(200), (20.0 + 50.0) / 2.0);
    }

    #[test]
    fn in_the_drain_rates_stand_still_and_late_packets_of_the_measured_time_count() {
        let mut stats = stats();
        for (cycle, next) in [(100, Next::FirstMeasured), (200, Next::Period), (300, Next::Period), (400, Next::Drain)]
        {
            stats.begin(cycle - 100);
            assert_eq!(stats.close(cycle), next);
        }
        let (late, later) = (packet(2, 7, 399), packet(2, 8, 400));
        stats.started(&late);
        stats.started(&later);
        arrives(&mut stats, &late, 420);
        arrives(&mut stats, &later, 421);
        assert_eq!(
            (stats.measured(), stats.counts[0].latency.sum, stats.counts[0].flit_latency.count),
            ((1, 1), 21, 2)
        );
        let overall = stats.overall(430);
        assert_eq!((overall.flits[1].count, overall.latency.mean, overall.routers), (0, 21.0, 3.0));
        let pairs = stats.pairs().expect("they are told apart");
        assert_eq!((pairs.column("source"), pairs.column("latency_mean")), (Some(&[2.0][..]), Some(&[21.0][..])));
    }

    /// A packet that waited behind others is as old as its time at the front.
    #[test]
    fn latency_may_count_from_the_front_on() {
        let mut stats = stats_from(LatencyFrom::Front);
        let cycle = |stats: &mut PeriodStats, cycle| {
            let gauges = tailback_engine::contract::admission::Gauges::default();
            stats.end_of_cycle(EndOfCycle { cycle, in_flight: 0, occupancy: None, gauges, injection: &[] });
        };
        stats.begin(0);
        cycle(&mut stats, 39);
        stats.started(&packet(0, 0, 10));
        stats.started(&packet(1, 0, 20));
        arrives(&mut stats, &packet(0, 0, 10), 50);
        assert_eq!((stats.counts[0].latency.sum, stats.counts[0].aged(60)), (10, (10.0 + 20.0) / 2.0));
        stats.close(100);
        // Born before the end, but not at the front then.
        for ends in [200, 300, 400] {
            stats.close(ends);
        }
        cycle(&mut stats, 400);
        stats.started(&packet(2, 0, 390));
        assert_eq!((stats.measured(), stats.measures_waiting()), ((0, 0), false));
    }

    /// Two classes, of which the second one is not measured: ports 0, 2, ... are of the first one.
    #[test]
    fn classes_are_counted_apart() {
        let mut stats = PeriodStats::new(periods(LatencyFrom::Birth), 4, 1, (vec![true, false], &[None, None]));
        stats.begin(0);
        assert_eq!(stats.close(100), Next::FirstMeasured);
        let of = |source: u32, index| Packet { source, destination: 6 + source % 2, ..packet(source, index, 110) };
        for (port, cycle) in [(0, 120), (2, 140), (1, 190)] {
            stats.started(&of(port, 0));
            arrives(&mut stats, &of(port, 0), cycle);
        }
        assert_eq!(stats.measured(), (2, 2));
        assert_eq!((stats.measures(4), stats.measures(5)), (true, false));
        let (all, classes) = (stats.overall(200), stats.overall_of_classes(200));
        assert_eq!((all.latency.mean, all.flits[1].count), (20.0, 2));
        assert_eq!(classes[0].as_ref().map(|block| (block.latency.mean, block.flits[1].max_at)), Some((20.0, 3)));
        assert_eq!(classes[1], None);
        let both = PeriodStats { measures: vec![true, true], ..stats };
        assert_eq!((both.overall(200).latency.mean, both.overall(200).flits[1].count), (20.0, 3));
        assert_eq!(both.overall_of_classes(200)[1].as_ref().map(|block| block.flits[1].count), Some(1));
    }

    #[test]
    fn answers_count_from_the_arrival_of_their_request_on() {
        let mut stats = PeriodStats { answers: true, now: 40, ..stats_from(LatencyFrom::Front) };
        stats.begin(0);
        for (index, of, latency) in [(0, Type::ReadRequest, 10), (1, Type::ReadReply, 50), (2, Type::WriteReply, 90)] {
            let packet = Packet { mark: of.mark(), ..packet(0, index, 10) };
            stats.started(&packet);
            arrives(&mut stats, &packet, 50);
            assert_eq!(stats.counts[0].latency.sum, latency, "{of:?}");
        }
    }

    /// Flits are counted one by one, and those of a measured packet are apart by what lies between head and tail beyond the flits.
    #[test]
    fn flits_of_a_packet_have_times_of_their_own() {
        let mut stats = PeriodStats { single: false, ..stats() };
        assert_eq!((stats.times_flits(), stats.overall(100).flit_latency), (true, None));
        let packet = Packet { flits: 3, ..packet(0, 0, 2) };
        stats.started(&packet);
        [4, 5, 9].into_iter().for_each(|cycle| stats.flit_left(cycle, 7));
        [10, 14, 15].into_iter().for_each(|cycle| stats.flit_arrived(cycle, 7, &packet));
        let block = stats.overall(100);
        assert_eq!(block.flit_latency.map(|flits| (flits.mean, flits.min, flits.max)), Some((7.0, 6.0, 9.0)));
        assert_eq!(block.fragmentation.map(|apart| apart.mean), Some(3.0));
    }
}
