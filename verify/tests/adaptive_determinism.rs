//! The same spec gives the same packets under adaptive cut-through, whoever watches and whatever is asked on the way.

use crate::common::plain_adaptive;
use crate::common::tested::engines;
use tailback_engine::Buffers;
use tailback_engine::contract::probe::{EndOfCycle, Message, Taken};
use tailback_engine::{DataPath as _, Network as _};
use tailback_engine::{NoProbe, Probe};
use tailback_traffic::Traffic;
use tailback_verify::adaptive::{
    Config, CrossbarOutputs, FlowControl, InterfaceChannels, Pace, Policy, Requests, Scope,
};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::Delivered;
use tailback_verify::wormhole;
use tailback_verify::wormhole::{Admission, Arbiter, Selection};

const CYCLES: u64 = 2_000;

/// Everything that draws, waits or counts.
fn config(requests: Requests, seed: u64) -> Config {
    let mut config = Config {
        requests,
        turn_cycles: 1,
        consumption_cycles: 2,
        crossbar_outputs: CrossbarOutputs::Channel,
        flow_control: FlowControl::Bubble { escape_packets: 2, new_packets: 1, scope: Scope::Ring },
        queues: 4,
        policy: Policy::Sh,
        interface_channels: InterfaceChannels::Virtual { router_packets: 2 },
        ejection_port: None,
        choose_again: false,
        pace: Pace::default(),
        ..plain_adaptive::plain(&[5, 4], true)
    };
    config.shared = wormhole::Config {
        selection: Selection::Random,
        arbiter: Arbiter::Random,
        // At most 9 of 12 channels are busy.
        admission: Admission::own_outputs("busy_channels", 19),
        ..config.shared
    };
    let base = &mut config.shared.base;
    (base.nodes_per_router, base.virtual_channels, base.source_queue_packets) = (2, 3, Some(3));
    (base.header_cycles, base.credit_cycles, base.seed) = (1, 2, seed);
    config
}

/// Each way of asking, so that all of them draw.
fn configs() -> Vec<Config> {
    [Requests::Parallel, Requests::Smart, Requests::Random].map(|requests| config(requests, 7)).to_vec()
}

fn traffic(config: &Config) -> Traffic {
    let text = "[traffic]\nload = 0.9\npacket_flits = 4\n\
                size = { kind = \"bimodal\", short_flits = 4, long_flits = 20, long_percent = 20 }";
    bridge::traffic(&config.shared.base, text).expect("possible")
}

fn run<P: Probe + Send>(config: &Config, buffers: Buffers, other: P) -> Vec<Delivered> {
    let (grid, traffic) = (bridge::grid(&config.shared.base), traffic(config));
    let mut engine = engines::adaptive(config, &grid, &traffic, buffers).expect("possible");
    let mut probes = (Deliveries::default(), other);
    for _ in 0..CYCLES {
        engine.step(&mut AnyProbe(&mut probes));
    }
    probes.0.sorted()
}

/// A probe that uses the hooks of this data path.
#[derive(Default)]
struct Busybody {
    taken: u64,
    messages: u64,
    levels: u64,
}

impl Probe for Busybody {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn taken(&mut self, _taken: Taken) {
        self.taken += 1;
    }

    fn message_delivered(&mut self, message: Message) {
        self.messages += u64::from(message.flits);
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.levels += end.occupancy.map_or(0, |o| u64::from(o.level(0, 0, 0)));
        self.levels += end.injection.iter().map(|&packets| u64::from(packets)).sum::<u64>();
    }
}

#[test]
fn probes_change_nothing() {
    for config in configs() {
        let alone = run(&config, Buffers::Unwatched, NoProbe);
        assert!(alone.len() > 1_000, "{} packets are no test", alone.len());
        assert_eq!(run(&config, Buffers::Watched, Busybody::default()), alone);
        assert_eq!(run(&config, Buffers::Unwatched, None::<Busybody>), alone);
    }
}

#[test]
fn questions_change_nothing() {
    for config in configs() {
        let (grid, traffic) = (bridge::grid(&config.shared.base), traffic(&config));
        let mut engine = engines::adaptive(&config, &grid, &traffic, Buffers::Unwatched).expect("possible");
        let mut deliveries = Deliveries::default();
        while engine.cycle() < CYCLES {
            engine.step(&mut AnyProbe(&mut deliveries));
            engine.audit().expect("the books balance");
            assert!(!engine.is_still() && engine.deadlock().is_none());
            engine.backlog(engine.cycle(), |_, _| {});
        }
        assert_eq!(deliveries.sorted(), run(&config, Buffers::Unwatched, NoProbe));
    }
}

#[test]
fn another_seed_gives_other_packets() {
    let [one, other] = [7, 8].map(|seed| run(&config(Requests::Smart, seed), Buffers::Unwatched, NoProbe));
    assert_ne!(one, other);
}
