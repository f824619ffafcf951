//! What the rule of periods counts: latencies since sums began anew, rates of nodes, ages of flits in flight.

mod rule;
mod sums;

pub use rule::{Next, Rule, Stage};
pub use sums::{Extent, Rate, Sum};

use crate::listed::{End, Listed, Site};
use crate::tables::column;
use std::collections::{BTreeMap, VecDeque};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::packet::{Packet, Type};
use tailback_engine::{Delivery, Probe};
use tailback_results::Series;
use tailback_traffic::{LatencyFrom, Periods};

/// What a period, or all that is measured, comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// First cycle after it.
    pub cycle: u64,
    /// Latency of packets from their birth on \[cycles\].
    pub latency: Extent,
    /// The same from the head's entering the network on.
    pub network_latency: Extent,
    /// Latency of flits; `None` where packets have several, which are not told apart.
    pub flit_latency: Option<Extent>,
    /// Cycles between the arrivals of head and tail beyond those of the flits between them, over measured packets; known likewise.
    pub fragmentation: Option<Extent>,
    /// Routers that packets pass.
    pub routers: f64,
    /// Rates of packets that nodes sent, and received.
    pub packets: [Rate; 2],
    /// Rates of flits that nodes sent, and received.
    pub flits: [Rate; 2],
    /// Flits in flight, and those of measured packets among them.
    pub in_flight: [u64; 2],
    /// Relative changes of latency and accepted load since the period before.
    pub changes: [f64; 2],
}

/// Counts what the rule of periods goes by, and follows it.
#[derive(Clone, Debug)]
pub struct PeriodStats {
    /// The rule.
    pub rule: Rule,
    /// The periods that have ended.
    pub blocks: Vec<Block>,
    /// The cycle in which the sums began.
    began: u64,
    /// The first cycle that is not measured.
    until: u64,
    latency: Sum,
    network_latency: Sum,
    /// Of all packets, those that are not measured among them.
    flit_latency: Sum,
    fragmentation: Sum,
    /// By packet, the cycles in which its flits left that have not arrived, and of one that is arriving the first arrival and the flits
    /// that are there. Empty unless flits are told of.
    on_way: Vec<OnWay>,
    hops: u64,
    /// Packets and flits that nodes sent, and received.
    packets: [Vec<u64>; 2],
    flits: [Vec<u64>; 2],
    /// Flits in flight, and the births of all of them, summed.
    in_flight: u64,
    births: u64,
    /// Of each source the number from which on its packets are measured: that after all that came to the front during the warm-up. Where
    /// several queues of a node send, packets may come to the front in another order.
    first: Vec<u64>,
    /// Measured packets that have come to the front of their queue, and flits of those that have not arrived.
    measured: u64,
    measured_in_flight: u64,
    delivered: u64,
    /// Sum and number of latencies of each pair of nodes.
    pairs: Vec<(u64, u64)>,
    single: bool,
    /// Where latency counts from the front of the source queue on: by source and number of a packet on its way the cycle in which it came there.
    fronts: Option<BTreeMap<(u32, u64), u64>>,
    /// Whether receivers answer. The latency of an answer counts from the arrival of its request on, its birth.
    answers: bool,
    /// The cycle that is simulated; kept where latency counts from there on.
    now: u64,
}

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
    /// Of a network of so many nodes, with packets of `longest` flits at most.
    pub fn new(periods: Periods, nodes: usize, longest: u32) -> Self {
        let none = || [vec![0; nodes], vec![0; nodes]];
        PeriodStats {
            rule: Rule::new(periods),
            blocks: Vec::new(),
            began: 0,
            until: u64::MAX,
            latency: Sum::default(),
            network_latency: Sum::default(),
            flit_latency: Sum::default(),
            fragmentation: Sum::default(),
            on_way: Vec::new(),
            hops: 0,
            packets: none(),
            flits: none(),
            in_flight: 0,
            births: 0,
            first: vec![0; nodes],
            measured: 0,
            measured_in_flight: 0,
            delivered: 0,
            pairs: vec![(0, 0); if periods.pairs { nodes * nodes } else { 0 }],
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
        for sum in [&mut self.latency, &mut self.network_latency, &mut self.flit_latency, &mut self.fragmentation] {
            *sum = Sum::default();
        }
        self.hops = 0;
        self.packets.iter_mut().chain(&mut self.flits).for_each(|counts| counts.fill(0));
        self.pairs.fill((0, 0));
    }

    /// Ends a period before cycle `now`. Returns what comes next.
    pub fn close(&mut self, now: u64) -> Next {
        let mut block = self.block(now, now);
        let (latency, accepted) = (block.latency.mean, block.flits[1].extent.mean);
        let next = self.rule.close(latency, accepted, self.aged(now));
        block.changes = self.rule.changes;
        self.blocks.push(block);
        match next {
            Next::FirstMeasured => self.clear(now),
            Next::Drain | Next::Unstable => self.until = now,
            Next::Period => {}
        }
        next
    }

    /// Mean over the latencies of delivered packets and the ages of flits in flight \[cycles\].
    pub fn aged(&self, now: u64) -> f64 {
        let ages = (now * self.in_flight).wrapping_sub(self.births);
        (self.latency.sum + ages) as f64 / (self.latency.count + self.in_flight) as f64
    }

    /// Measured packets that have come to the front of their queue, and those of them that have arrived.
    pub fn measured(&self) -> (u64, u64) {
        (self.measured, self.delivered)
    }

    /// What was measured, up to cycle `now`; the rates up to the end of the last period.
    pub fn overall(&self, now: u64) -> Block {
        self.block(now, now.min(self.until))
    }

    fn block(&self, now: u64, until: u64) -> Block {
        let cycles = until - self.began;
        let rates = |counts: &[Vec<u64>; 2]| [0, 1].map(|side| Rate::of(&counts[side], cycles));
        Block {
            cycle: now,
            latency: self.latency.extent(),
            network_latency: self.network_latency.extent(),
            flit_latency: self.knows_flits().then(|| self.flit_latency.extent()),
            fragmentation: self.knows_flits().then(|| self.fragmentation.extent()),
            routers: self.hops as f64 / self.latency.count as f64 + 1.0,
            packets: rates(&self.packets),
            flits: rates(&self.flits),
            in_flight: [self.in_flight, self.measured_in_flight],
            changes: self.rule.changes,
        }
    }

    /// Whether the times of flits are known: a packet has one, or the data path told of them.
    fn knows_flits(&self) -> bool {
        self.single || !self.on_way.is_empty()
    }

    fn counts(&self) -> bool {
        self.rule.stage != Stage::Drain
    }

    fn is_measured(&self, packet: &Packet) -> bool {
        packet.index >= self.first[packet.source as usize] && self.birth(packet) < self.until
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
        let answers = site.traffic.exchange().is_some();
        PeriodStats { answers, ..PeriodStats::new(periods, site.network.nodes(), site.traffic.max_flits()) }
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
        let nodes = self.first.len();
        let seen: Vec<usize> = (0..self.pairs.len()).filter(|&pair| self.pairs[pair].1 > 0).collect();
        let of = |value: &dyn Fn(usize) -> f64| seen.iter().map(|&pair| value(pair)).collect::<Vec<f64>>();
        (!self.pairs.is_empty()).then(|| Series {
            name: "pairs".into(),
            unit: String::new(),
            x_name: "pair".into(),
            x_unit: String::new(),
            x: of(&|pair| pair as f64),
            columns: vec![
                column("source", "", of(&|pair| (pair / nodes) as f64)),
                column("destination", "", of(&|pair| (pair % nodes) as f64)),
                column("packets", "packets", of(&|pair| self.pairs[pair].1 as f64)),
                column("latency_mean", "cycles", of(&|pair| self.pairs[pair].0 as f64 / self.pairs[pair].1 as f64)),
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
        let way = &mut self.on_way[id as usize];
        let left = way.left.pop_front().expect("a flit leaves before it arrives");
        self.flit_latency.add(cycle - left);
        if way.arrived == 0 {
            way.first = cycle;
        }
        way.arrived += 1;
        if way.arrived == packet.flits {
            way.arrived = 0;
            if counts {
                self.fragmentation.add(cycle - way.first - u64::from(packet.flits - 1));
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
        self.in_flight += flits;
        self.births = self.births.wrapping_add(flits * self.birth(packet));
        let source = packet.source as usize;
        if self.rule.stage == Stage::WarmUp {
            self.first[source] = self.first[source].max(packet.index + 1);
        }
        if self.is_measured(packet) {
            self.measured += 1;
            self.measured_in_flight += flits;
        }
    }

    #[inline]
    fn entered(&mut self, _cycle: u64, packet: &Packet) {
        if self.counts() {
            self.packets[0][packet.source as usize] += 1;
            self.flits[0][packet.source as usize] += u64::from(packet.flits);
        }
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery<'_>) {
        let Delivery { cycle, packet } = delivery;
        let (flits, destination) = (u64::from(packet.flits), packet.destination as usize);
        self.in_flight -= flits;
        let birth = self.birth(packet);
        self.births = self.births.wrapping_sub(flits * birth);
        if self.counts() {
            self.packets[1][destination] += 1;
            self.flits[1][destination] += flits;
        }
        if self.single {
            self.flit_latency.add(cycle - packet.entered);
            self.fragmentation.add(0);
        }
        let measured = self.is_measured(packet);
        if measured {
            self.delivered += 1;
            self.measured_in_flight -= flits;
        }
        if measured || self.rule.stage == Stage::WarmUp {
            self.latency.add(cycle - birth);
            self.network_latency.add(cycle - packet.entered);
            self.hops += u64::from(packet.hops);
            let pair = packet.source as usize * self.first.len() + destination;
            if let Some((sum, count)) = self.pairs.get_mut(pair) {
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
        let periods = Periods {
            cycles: 100,
            warmup: 1,
            most: 4,
            latency: true,
            limit: Some(500.0),
            warmup_changes: [None; 2],
            changes: [None; 2],
            pairs: true,
            from,
        };
        PeriodStats::new(periods, 4, 1)
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
        assert_eq!((stats.measured(), stats.latency.count, stats.flit_latency.count), ((2, 1), 1, 2));
        assert_eq!((stats.close(200), stats.blocks[1].in_flight), (Next::Period, [1, 1]));
        assert_eq!(stats.blocks[1].flits[1].extent.mean, 2.0 / 100.0 / 4.0);
        assert_eq!(stats.aged(200), (20.0 + 50.0) / 2.0);
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
        assert_eq!((stats.measured(), stats.latency.sum, stats.flit_latency.count), ((1, 1), 21, 2));
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
        assert_eq!((stats.latency.sum, stats.aged(60)), (10, (10.0 + 20.0) / 2.0));
        stats.close(100);
        // Born before the end, but not at the front then.
        for ends in [200, 300, 400] {
            stats.close(ends);
        }
        cycle(&mut stats, 400);
        stats.started(&packet(2, 0, 390));
        assert_eq!((stats.measured(), stats.measures_waiting()), ((0, 0), false));
    }

    #[test]
    fn answers_count_from_the_arrival_of_their_request_on() {
        let mut stats = PeriodStats { answers: true, now: 40, ..stats_from(LatencyFrom::Front) };
        stats.begin(0);
        for (index, of, latency) in [(0, Type::ReadRequest, 10), (1, Type::ReadReply, 50), (2, Type::WriteReply, 90)] {
            let packet = Packet { mark: of.mark(), ..packet(0, index, 10) };
            stats.started(&packet);
            arrives(&mut stats, &packet, 50);
            assert_eq!(stats.latency.sum, latency, "{of:?}");
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
