//! The core numbers of a run: loads, latency and its parts, hops, and the hash of all deliveries.

use crate::histogram;
use crate::listed::{End, Listed, Site};
use crate::messages;
use crate::ruler::Ruler;
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_engine::packet::Packet;
use tailback_engine::{Delivery, Lot, Probe};
use tailback_results::{LatencyHistogram, Record, Series};

/// Batches of the measured window for confidence intervals.
pub const BATCHES: usize = 30;

/// Latencies above this many cycles share the top bucket of the histogram; mean and maximum stay exact.
const LATENCY_LIMIT: u64 = 1 << 32;

/// Sums over one batch of the measured window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// Flits delivered in it.
    pub delivered_flits: u64,
    /// Packets born in it and delivered.
    pub packets: u64,
    /// Latency of those, summed \[cycles\].
    pub latency: u64,
}

/// Loads count what is made and delivered within the measured window; latency counts the packets made in it.
#[derive(Clone, Debug)]
pub struct Meter {
    from: u64,
    to: u64,
    /// Batches of births, and of deliveries, each from the window's beginning.
    rulers: [Ruler; 2],
    /// Packets and flits made in the window that have headed their source queue.
    pub made_packets: u64,
    /// See [`Meter::made_packets`].
    pub made_flits: u64,
    /// Packets delivered in the window.
    pub delivered_packets: u64,
    /// Flits delivered in the window.
    pub delivered_flits: u64,
    /// Latency of packets delivered in the window, whenever they were made, summed \[cycles\].
    pub arrived_latency_sum: u128,
    /// Latency of packets made in the window: generation to delivery of the tail \[cycles\].
    pub latency: LatencyHistogram,
    /// Sum of their time from the head's entering the network on \[cycles\].
    pub network_latency_sum: u128,
    /// Sum of their hops \[links\].
    pub hops_sum: u128,
    /// The last delivery of any packet \[cycle\].
    pub last_delivery: u64,
    /// A hash of every delivery since cycle 0 that does not depend on their order.
    pub deliveries_hash: u64,
    /// The same of every link that a packet set out on, with the cycle.
    pub ways_hash: u64,
    batches: Vec<Batch>,
}

tailback_base::plain!(Batch);
tailback_base::state!([] Meter {
    saved: made_packets, made_flits, delivered_packets, delivered_flits, arrived_latency_sum, network_latency_sum, hops_sum,
        last_delivery, deliveries_hash, ways_hash, batches;
    by histogram: latency;
    rebuilt: from, to, rulers;
} [fits]);

impl Meter {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts([self.made_packets, self.made_flits, self.delivered_packets, self.delivered_flits])?;
        are_counts(self.batches.iter().flat_map(|batch| [batch.delivered_flits, batch.packets, batch.latency]))?;
        let sums = [self.arrived_latency_sum, self.network_latency_sum, self.hops_sum];
        ensure(sums.into_iter().all(|sum| sum <= u128::from(u64::MAX)), "a sum is larger than anybody has counted")
    }
}

impl Meter {
    /// Measures cycles `from..to`.
    pub fn new(from: u64, to: u64) -> Self {
        Meter {
            from,
            to,
            rulers: [(); 2].map(|()| Ruler::new(((to - from) / BATCHES as u64).max(1))),
            made_packets: 0,
            made_flits: 0,
            delivered_packets: 0,
            delivered_flits: 0,
            arrived_latency_sum: 0,
            latency: LatencyHistogram::new(LATENCY_LIMIT),
            network_latency_sum: 0,
            hops_sum: 0,
            last_delivery: 0,
            deliveries_hash: 0,
            ways_hash: 0,
            batches: vec![Batch::default(); BATCHES],
        }
    }

    /// Counts packets that were made but never headed their queue.
    pub fn backlogged(&mut self, made: Lot) {
        if self.measures(made.cycle) {
            self.made_packets += made.amount.packets;
            self.made_flits += made.amount.flits;
        }
    }

    /// Cycles of one batch.
    pub fn batch_cycles(&self) -> u64 {
        self.rulers[0].length()
    }

    /// The batches of the window, in order.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    #[inline]
    fn measures(&self, cycle: u64) -> bool {
        (self.from..self.to).contains(&cycle)
    }

    #[inline]
    fn batch(&mut self, ruler: usize, cycle: u64) -> Option<&mut Batch> {
        let index = self.rulers[ruler].index(cycle - self.from);
        self.batches.get_mut(index)
    }

    fn measure(&mut self, cycle: u64, packet: &Packet) {
        let latency = cycle - packet.birth;
        self.latency.record(latency);
        self.network_latency_sum += u128::from(cycle - packet.entered);
        self.hops_sum += u128::from(packet.hops);
        if let Some(batch) = self.batch(0, packet.birth) {
            batch.packets += 1;
            batch.latency += latency;
        }
    }
}

impl Listed for Meter {
    const MERGE: Option<fn(&mut Self, &Self)> = Some(|one, other| {
        one.made_packets += other.made_packets;
        one.made_flits += other.made_flits;
        one.delivered_packets += other.delivered_packets;
        one.delivered_flits += other.delivered_flits;
        one.arrived_latency_sum += other.arrived_latency_sum;
        one.latency.merge(&other.latency).expect("both have the same limit");
        one.network_latency_sum += other.network_latency_sum;
        one.hops_sum += other.hops_sum;
        one.last_delivery = one.last_delivery.max(other.last_delivery);
        one.deliveries_hash = one.deliveries_hash.wrapping_add(other.deliveries_hash);
        one.ways_hash = one.ways_hash.wrapping_add(other.ways_hash);
        for (batch, other) in one.batches.iter_mut().zip(&other.batches) {
            batch.delivered_flits += other.delivered_flits;
            batch.packets += other.packets;
            batch.latency += other.latency;
        }
    });

    /// Of the batches the whole ones stay. A run may end before anything is measured.
    fn close(&mut self, cycle: u64) {
        self.to = self.to.min(cycle).max(self.from);
        self.batches.truncate(((self.to - self.from) / self.batch_cycles()) as usize);
    }

    fn new(site: &Site<'_>) -> Self {
        let (from, to) = site.measured;
        Meter::new(from, to)
    }

    /// What is known of all deliveries and ways stays.
    fn measure_anew(&mut self, new: Self) {
        let Meter { last_delivery, deliveries_hash, ways_hash, .. } = *self;
        *self = Meter { last_delivery, deliveries_hash, ways_hash, ..new };
    }

    /// Every packet is a message, where messages are not cut.
    fn columns(&self, _end: &End<'_>, record: &mut Record) {
        messages::columns(&self.latency, record);
    }

    fn tables(&self, _end: &End<'_>) -> Vec<Series> {
        vec![self.latency.series("latency_histogram")]
    }
}

impl Probe for Meter {
    #[inline]
    fn started(&mut self, packet: &Packet) {
        if self.measures(packet.birth) {
            self.made_packets += 1;
            self.made_flits += u64::from(packet.flits);
        }
    }

    #[inline]
    fn sets_out(&mut self, cycle: u64, router: u32, port: u8) {
        self.ways_hash = self.ways_hash.wrapping_add(mix_link(cycle, router, port));
    }

    #[inline]
    fn delivered(&mut self, delivery: Delivery<'_>) {
        let Delivery { cycle, packet } = delivery;
        self.last_delivery = cycle;
        self.deliveries_hash = self.deliveries_hash.wrapping_add(mix(cycle, packet));
        if self.measures(cycle) {
            self.delivered_packets += 1;
            self.delivered_flits += u64::from(packet.flits);
            self.arrived_latency_sum += u128::from(cycle - packet.birth);
            let flits = u64::from(packet.flits);
            if let Some(batch) = self.batch(1, cycle) {
                batch.delivered_flits += flits;
            }
        }
        if self.measures(packet.birth) {
            self.measure(cycle, packet);
        }
    }
}

/// 64 well-mixed bits of one delivery (the finaliser of SplitMix64 over its fields).
fn mix(cycle: u64, packet: &Packet) -> u64 {
    // Spread, lest a packet to another destination with another number be the same.
    let ends = (u64::from(packet.source) << 32 | u64::from(packet.destination)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let lengths = u64::from(packet.flits) << 32 | u64::from(packet.hops);
    [packet.index, packet.birth, packet.entered, cycle, lengths].iter().fold(ends, |h, &field| {
        let mut z = (h ^ field).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}

/// 64 mixed bits of a link and a cycle. PERF: once a hop, so one multiplication has to do.
#[inline]
fn mix_link(cycle: u64, router: u32, port: u8) -> u64 {
    let link = u64::from(router) << 8 | u64::from(port);
    let z = (cycle.rotate_left(32) ^ link).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z ^ z >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_counts_packets_made_in_the_window_and_load_what_arrives_in_it() {
        let mut meter = Meter::new(100, 160);
        let packet = |birth| Packet { birth, entered: birth + 5, flits: 8, hops: 3, ..Packet::default() };
        let early = packet(90);
        let inside = packet(150);
        meter.started(&early);
        meter.started(&inside);
        meter.delivered(Delivery { cycle: 120, packet: &early });
        meter.delivered(Delivery { cycle: 170, packet: &inside });
        assert_eq!((meter.made_packets, meter.delivered_packets, meter.delivered_flits), (1, 1, 8));
        assert_eq!((meter.latency.count(), meter.latency.max(), meter.network_latency_sum), (1, Some(20), 15));
        assert_eq!(meter.arrived_latency_sum, 30, "of the packet that was made before");
        assert_eq!(meter.batches()[10].delivered_flits, 8);
        assert_eq!(meter.batches()[25].latency, 20);
    }

    #[test]
    fn the_hash_ignores_order_and_sees_every_field() {
        let packets = [Packet { source: 1, ..Packet::default() }, Packet { source: 2, ..Packet::default() }];
        let hash = |order: [usize; 2], cycle| {
            let mut meter = Meter::new(0, 10);
            for i in order {
                meter.delivered(Delivery { cycle, packet: &packets[i] });
            }
            meter.deliveries_hash
        };
        assert_eq!(hash([0, 1], 5), hash([1, 0], 5));
        assert_ne!(hash([0, 1], 5), hash([0, 1], 6));
        let ways = |ways: &[(u64, u32, u8)]| {
            let mut meter = Meter::new(0, 10);
            ways.iter().for_each(|&(cycle, router, port)| meter.sets_out(cycle, router, port));
            meter.ways_hash
        };
        assert_eq!(ways(&[(1, 2, 3), (4, 5, 6)]), ways(&[(4, 5, 6), (1, 2, 3)]));
        let others = [[(1, 2, 3), (1, 2, 0)], [(1, 2, 1), (1, 2, 2)], [(0, 2, 3), (2, 2, 0)], [(1, 3, 3), (1, 1, 0)]];
        assert_eq!(others.iter().map(|two| ways(two)).collect::<std::collections::BTreeSet<_>>().len(), others.len());
        let of = |packet: Packet| mix(5, &packet);
        let none = Packet::default();
        let fields = [
            Packet { birth: 1, ..none },
            Packet { entered: 1, ..none },
            Packet { index: 1, ..none },
            Packet { source: 1, ..none },
            Packet { destination: 1, ..none },
            Packet { flits: 1, ..none },
            Packet { hops: 1, ..none },
        ];
        let all: std::collections::BTreeSet<u64> = fields.iter().map(|&packet| of(packet)).chain([of(none)]).collect();
        assert_eq!(all.len(), 8);
    }
}
