//! The split of latency beside a naive one, which asks every queue of the network in every cycle where each packet is.

#[path = "../tests/common/random.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod random;

use crate::drive::Drive;
use crate::prepare::{Prepared, prepare};
use proptest::prelude::*;
use std::collections::BTreeMap;
use tailback_cycle::Simulated;
use tailback_engine::Buffers;
use tailback_engine::contract::census::{Doing, Name, Scope, Scratch, Stand, What};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::packet::Packet;
use tailback_engine::{DataPath, Delivery, Probe};
use tailback_probes::LatencySplit;
use tailback_probes::latency_split::{COUNT, Ends, PARTS};
use tailback_results::series::Series;
use tailback_spec::Document;

/// Cycles that are simulated.
const CYCLES: u64 = 150;

/// Charges every cycle by what the census says of the packet's head.
#[derive(Default)]
struct Naive {
    ends: Ends,
    now: u64,
    /// The cycle in which it started, the one after it was seen last, and its parts.
    open: BTreeMap<Name, (u64, u64, [u64; COUNT])>,
    /// Sums over all packets that were delivered, and how many they are.
    sums: [u64; COUNT],
    packets: u64,
}

fn part(name: &str) -> usize {
    PARTS.iter().position(|&part| part == name).expect("a part")
}

fn name(packet: &Packet) -> Name {
    Name { source: packet.source, index: packet.index }
}

impl Naive {
    fn stand(&mut self, stand: &Stand) {
        if !stand.head {
            return;
        }
        let part = match (stand.what, stand.what.doing()) {
            (What::Behind(_), _) => part("queue_wait"),
            (_, Some(Doing::Admission)) => part("admission"),
            (_, Some(Doing::Routing)) => part("routing"),
            (_, Some(Doing::Channel)) => part("vc_wait"),
            (_, Some(Doing::Switch)) => part("switch_wait"),
            (_, Some(Doing::Room)) => part("credit_wait"),
            _ => part("wires"),
        };
        let open = self.open.get_mut(&stand.packet).expect("it has started");
        open.2[part] += 1;
        open.1 = self.now;
    }
}

impl Probe for Naive {
    fn started(&mut self, packet: &Packet) {
        self.open.insert(name(packet), (self.now, self.now, [0; COUNT]));
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        let packet = delivery.packet;
        let (started, seen, mut parts) = self.open.remove(&name(packet)).expect("it has started");
        let before = started - packet.birth;
        parts[part("routing")] += before.min(self.ends.at_source);
        parts[part("source_queue")] += before - before.min(self.ends.at_source);
        parts[part("wires")] += self.ends.to_node;
        parts[part("serialisation")] += delivery.cycle - seen - self.ends.to_node;
        self.sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        self.packets += 1;
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.now = end.cycle + 1;
    }
}

/// Runs both; the sums of each part by both, and packets.
struct Twins(Ends);

impl Drive<'_> for Twins {
    type Out = ([u64; COUNT], Vec<Series>, u64);

    fn drive<D: DataPath + Simulated>(self, mut engine: D) -> Self::Out {
        let naive = Naive { ends: self.0, ..Naive::default() };
        let mut both = (naive, LatencySplit::new(0, u64::MAX, self.0, None));
        let mut scratch = Scratch::default();
        while engine.cycle() < CYCLES {
            engine.step(&mut both);
            let (naive, split) = &mut both;
            engine.census(Scope::All, &mut |stand| naive.stand(&stand));
            split.started_since(&mut scratch.started);
            engine.fronts(&mut scratch, |front| split.front(front, || engine.name_of(front.id)));
        }
        (both.0.sums, both.1.series(), both.0.packets)
    }
}

fn agree(spec: &str) -> Result<(), TestCaseError> {
    let document = Document::parse("random.toml", spec.as_bytes()).and_then(|d| d.expand(crate::catalogue()));
    let Ok(prepared) = document.and_then(|points| prepare(&points[0])) else { return Ok(()) };
    let (sums, series, packets) = twins(&prepared);
    let Some(table) = series.first().filter(|_| packets > 0) else { return Ok(()) };
    for (&sum, part) in sums.iter().zip(PARTS) {
        let mean = table.column(&format!("{part}_mean")).and_then(|means| means.first()).copied().unwrap_or(f64::NAN);
        prop_assert_eq!((mean * packets as f64).round(), sum as f64, "{} of {} packets of\n{}", part, packets, spec);
    }
    Ok(())
}

fn twins(prepared: &Prepared) -> ([u64; COUNT], Vec<Series>, u64) {
    prepared.drive(Buffers::Watched, Twins(prepared.router.ends()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_through_network(p in (random::topology(), random::router(), random::mechanisms(), random::traffic())) {
        agree(&format!("{}{}{}{}", p.0, p.1, p.2, p.3))?;
    }

    #[test]
    fn a_wormhole_network(p in (random::topology(), random::wormhole(), random::wormhole_mechanisms(), random::traffic())) {
        agree(&format!("{}{}{}{}", p.0, p.1, p.2, p.3))?;
    }

    #[test]
    fn an_adaptive_cut_through_network(p in (random::topology(), random::adaptive(), random::adaptive_mechanisms())) {
        agree(&format!("{}{}{}", p.0, p.1, p.2))?;
    }

    #[test]
    fn a_network_of_input_queued_routers(p in (random::topology(), random::input_queued(), random::traffic())) {
        agree(&format!("{}{}{}", p.0, p.1, p.2))?;
    }

    #[test]
    fn a_network_of_input_output_queued_switches(p in (random::topology(), random::queued())) {
        agree(&format!("{}{}", p.0, p.1))?;
    }
}
