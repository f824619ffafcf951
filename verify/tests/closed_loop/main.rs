//! Sources that wait for what becomes of packets, under every data path: the contract of sources against closed forms.

mod networks;
pub mod replies;

use networks::{Numbers, Path, on};
use replies::{Cause, Replies, Script};
use tailback_base::state::{Reader, State, Writer};
use tailback_engine::contract::sources::Sources;
use tailback_engine::{DataPath, Delivery, Network, Probe};
use tailback_verify::any_probe::AnyProbe;

/// A packet: source, number, and the cycles of its making, its entry and its delivery.
type Leg = (u32, u64, u64, u64, u64);

#[derive(Default)]
struct Legs(Vec<Leg>);

impl Probe for Legs {
    fn delivered(&mut self, Delivery { cycle, packet }: Delivery<'_>) {
        self.0.push((packet.source, packet.index, packet.birth, packet.entered, cycle));
    }
}

impl Legs {
    fn sorted(mut self) -> Vec<Leg> {
        self.0.sort_unstable();
        self.0
    }
}

/// Simulates up to cycle `end`, with an audit after every cycle.
fn run<D: DataPath>(network: &mut D, legs: &mut Legs, end: u64) {
    while network.cycle() < end {
        network.step(&mut AnyProbe(legs));
        network.audit().unwrap_or_else(|error| panic!("cycle {}: {error}", network.cycle()));
        assert!(network.totals().add_up(), "cycle {}: {:?}", network.cycle(), network.totals());
    }
}

/// Simulates up to cycle `end` in parts.
fn advance(network: &mut impl Network, legs: &mut [Legs], end: u64) {
    let mut watchers: Vec<_> = legs.iter_mut().map(|legs| AnyProbe(legs)).collect();
    network.advance(&mut watchers, end);
}

const RING: Numbers<'_> = Numbers { radix: &[8], wrap: true, link: 1, header: 1 };
const REPLY: Script = Script { cause: Cause::Delivery, think: 0, flits: 4, early: false };

#[test]
fn a_round_trip_takes_twice_the_latency_and_the_thinking() {
    for (link, header) in [(1, 1), (3, 0), (2, 4)] {
        let numbers = Numbers { link, header, ..RING };
        let grid = numbers.grid();
        for (path, hops) in Path::ALL.into_iter().flat_map(|path| [1, 3].map(|hops| (path, hops))) {
            for (think, early) in [(0, false), (1, false), (7, false), (7, true), (2_000, false)] {
                let latency = numbers.zero_load(path, hops, 4);
                let legs_of_trip: Vec<Leg> = (0..6)
                    .map(|leg| {
                        let birth = 5 + leg * (latency + think);
                        // The nodes take turns.
                        (2 + (leg % 2) as u32 * hops as u32, leg / 2, birth, birth + latency)
                    })
                    .map(|(node, number, birth, delivered)| (node, number, birth, 0, delivered))
                    .collect();
                let sources = Replies::silent(Script { think, early, ..REPLY }, 8);
                let sources = sources.talks(2, 2 + hops as usize, 3, Some(5)).talks(2 + hops as usize, 2, 3, None);
                let end = 5 + 6 * (latency + think) + 3;
                let mut legs = Legs::default();
                let ended = on!(path, (numbers, &grid, sources), network => {
                    run(&mut network, &mut legs, end);
                    network.sources_are_dry() && network.in_flight() == 0
                });
                let mut found = legs.0;
                found.iter_mut().for_each(|leg| leg.3 = 0);
                assert_eq!(found, legs_of_trip, "{path:?}, {hops} hops, think {think}, {numbers:?}");
                assert!(ended, "{path:?}: both have sent all");
            }
        }
    }
}

#[test]
fn a_message_is_answered_when_its_last_packet_has_come() {
    let grid = RING.grid();
    for path in [Path::Adaptive, Path::Queued] {
        for packets in [1, 2, 5] {
            let flits = 4 * packets;
            let sources = Replies::silent(Script { flits, ..REPLY }, 8).talks(0, 2, 2, Some(0)).talks(2, 0, 2, None);
            let mut legs = Legs::default();
            // The packets of a message follow each other without a gap.
            let latency = RING.zero_load(path, 2, u64::from(flits));
            on!(path, (RING, &grid, sources), network => run(&mut network, &mut legs, 4 * latency + 1));
            let last: Vec<_> = legs.0.chunks(packets as usize).map(|message| message[message.len() - 1]).collect();
            let times: Vec<_> =
                last.iter().map(|&(source, _, birth, _, delivered)| (source, birth, delivered)).collect();
            let due = (0..4).map(|n| ((n % 2) as u32 * 2, n * latency, (n + 1) * latency));
            assert_eq!(times, due.collect::<Vec<_>>(), "{path:?}, {packets} packets");
        }
    }
}

#[test]
fn a_source_hears_when_its_packet_enters_and_leaves() {
    let grid = RING.grid();
    for path in Path::ALL {
        for (cause, think) in [(Cause::Entry, 0), (Cause::Entry, 9), (Cause::Departure, 0), (Cause::Departure, 9)] {
            let sources = Replies::silent(Script { cause, think, ..REPLY }, 8).talks(1, 3, 6, Some(2));
            let mut legs = Legs::default();
            on!(path, (RING, &grid, sources), network => run(&mut network, &mut legs, 200));
            assert_eq!(legs.0.len(), 6, "{path:?}");
            for pair in legs.0.windows(2) {
                let after = if cause == Cause::Entry { 1 } else { 4 };
                assert_eq!(pair[1].2, pair[0].3 + after + think, "{path:?}, {cause:?}: {pair:?}");
            }
        }
    }
}

#[test]
fn a_delivery_wakes_a_node_before_its_alarm() {
    let grid = RING.grid();
    for path in Path::ALL {
        for (think, alarm) in [(0, 900), (20, 900), (20, 30), (900, 100)] {
            // Node 3 answers the message of node 1, or sends by itself when the alarm comes first.
            let script = Script { think, ..REPLY };
            let sources = Replies::silent(script, 8).talks(1, 3, 1, Some(2)).talks(3, 1, 1, Some(alarm));
            let mut legs = Legs::default();
            let ended = on!(path, (RING, &grid, sources), network => {
                run(&mut network, &mut legs, 1_200);
                network.sources_are_dry() && network.in_flight() == 0
            });
            let births: Vec<_> = legs.0.iter().map(|&(source, number, birth, ..)| (source, number, birth)).collect();
            let answer = alarm.min(2 + RING.zero_load(path, 2, 4) + think);
            assert_eq!((births, ended), (vec![(1, 0, 2), (3, 0, answer)], true), "{path:?}, {think}, {alarm}");
        }
    }
}

#[test]
fn nodes_that_wait_for_each_other_wait_for_ever() {
    let grid = RING.grid();
    for path in Path::ALL {
        let silent = Replies::silent(REPLY, 8).talks(0, 1, 1, None).talks(1, 0, 1, None);
        for (sources, waits) in [(silent.clone(), true), (silent.talks(5, 6, 1, Some(60)), false)] {
            on!(path, (RING, &grid, sources), network => {
                run(&mut network, &mut Legs::default(), 50);
                assert_eq!(network.sources_wait(), waits, "{path:?}");
                assert!(!network.sources_are_dry() && network.in_flight() == 0, "{path:?}");
                run(&mut network, &mut Legs::default(), 120);
                assert!(network.sources_wait() && !network.sources_are_dry(), "{path:?}");
            });
        }
    }
}

/// Everybody talks with the node two columns on, and packets get into each other's way.
const CROWD: Numbers<'_> = Numbers { radix: &[4, 4], wrap: true, link: 2, header: 1 };

fn crowd(think: u64) -> Replies {
    let silent = Replies::silent(Script { think, flits: 12, ..REPLY }, 16);
    (0..16).fold(silent, |sources, node| {
        let first = (node % 4 < 2).then_some(node as u64 % 3);
        sources.talks(node, node / 4 * 4 + (node + 2) % 4, 20, first)
    })
}

#[test]
fn a_checkpoint_between_a_message_and_its_answer_goes_on_alike() {
    let grid = CROWD.grid();
    for path in Path::ALL {
        for (think, at) in [(0, 100), (30, 100), (30, 137), (300, 250)] {
            let mut whole = Legs::default();
            on!(path, (CROWD, &grid, crowd(think)), network => run(&mut network, &mut whole, 1_500));
            let (mut legs, mut to) = (Legs::default(), Writer::default());
            on!(path, (CROWD, &grid, crowd(think)), network => {
                run(&mut network, &mut legs, at);
                network.save(&mut to);
            });
            let bytes = to.into_bytes();
            on!(path, (CROWD, &grid, crowd(think)), network => {
                network.restore(&mut Reader::new(&bytes, &[])).unwrap_or_else(|why| panic!("{path:?}: {why}"));
                run(&mut network, &mut legs, 1_500);
            });
            assert!(legs.0.len() >= 32, "{path:?}: {} packets", legs.0.len());
            assert_eq!(legs.sorted(), whole.sorted(), "{path:?}, think {think}, checkpoint at {at}");
        }
    }
}

#[test]
fn answers_cross_a_cut() {
    let grid = CROWD.grid();
    for think in [0, 1, 30] {
        let (sources, mut whole) = (crowd(think), Legs::default());
        let mut network = CROWD.cut_through(&grid, sources.clone());
        run(&mut network, &mut whole, 2_000);
        let whole = whole.sorted();
        for parts in [2, 4] {
            let mut cut = CROWD.in_parts(&grid, &sources, parts);
            let mut legs: Vec<Legs> = (0..cut.watchers()).map(|_| Legs::default()).collect();
            for stop in [1, 100, 900] {
                advance(&mut cut, &mut legs, stop);
                cut.audit().unwrap_or_else(|error| panic!("{parts} parts, cycle {stop}: {error}"));
            }
            // The rest of it in one piece.
            let mut to = Writer::default();
            cut.checkpoint(&mut to);
            let mut joined = CROWD.cut_through(&grid, sources.clone());
            joined.restore(&mut Reader::new(&to.into_bytes(), &[])).expect("it was built alike");
            let mut rest = Legs::default();
            run(&mut joined, &mut rest, 2_000);
            advance(&mut cut, &mut legs, 2_000);
            assert_eq!(
                (cut.sources_are_dry(), cut.sources_wait()),
                (network.sources_are_dry(), network.sources_wait())
            );
            let all: Vec<Leg> = legs.into_iter().flat_map(|legs| legs.0).collect();
            let early = all.iter().copied().filter(|leg| leg.4 < 900);
            assert_eq!(Legs(early.chain(rest.0).collect()).sorted(), whole, "{parts} parts, joined");
            assert_eq!(Legs(all).sorted(), whole, "{parts} parts, think {think}");
        }
        let taken: u64 = (0..16).map(|node| network.sources().taken(node)).sum();
        assert_eq!(taken, whole.len() as u64 + network.counters().started - network.counters().delivered);
    }
}
