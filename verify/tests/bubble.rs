//! Bubbles keep rings free: random small networks that are claimed to be free of deadlock because of them go on delivering
//! under overload, and drain when the sources stop.
//!
//! `TAILBACK_BUBBLE_CASES` sets the number of networks (`make bubble-soak`).

use crate::adaptive::case;
use crate::common::tested::{Tested, engines};
use crate::common::{plain_adaptive, twins};
use proptest::prelude::*;
use tailback_engine::Buffers;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::{Adaptive, Probe};
use tailback_engine::{DataPath as _, Network as _};
use tailback_traffic::Traffic;
use tailback_verify::adaptive::{Config, FlowControl, Scope};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::reference::Datelines;
use tailback_verify::wormhole::{Admission, Arbiter, Escape, Routing};
use tailback_verify::{adaptive_bridge, bridge};
use twins::Trial;

/// Cycles of overload.
const OVERLOAD: u64 = 3_000;
/// Cycles in which something must be delivered.
const PATIENCE: u64 = 500;
/// Cycles by which all must be delivered: nodes take their turns at a ring, and some wait long.
const LIMIT: u64 = 60_000;

/// A network under overload.
#[derive(Clone, Debug)]
struct Overload {
    config: Config,
    traffic: String,
}

fn any_overload(routing: Routing) -> impl Strategy<Value = Overload> {
    let patterns = prop_oneof![3 => Just("uniform"), 1 => Just("tornado"), 1 => Just("rand"), 1 => Just("neighbour")];
    let sizes = (1u32..=3, any::<bool>());
    (case::any_config(), patterns, sizes, 0u32..3, 1u32..=3, 0u32..10).prop_map(
        move |(mut config, pattern, (packets, mixed), spare, queue, mesh)| {
            config.shared.routing = routing;
            config.shared.admission = Admission::Off;
            let base = &mut config.shared.base;
            base.datelines = Datelines::None;
            base.source_queue_packets = Some(queue);
            if mesh > 0 {
                base.wrap.fill(true);
            }
            case::fit(&mut config);
            make_safe(&mut config, spare);
            let flits = config.packet_flits;
            let size = if mixed { format!("[{flits}, {}]", packets * flits) } else { format!("[{}]", packets * flits) };
            let weights = if mixed { "[3, 1]" } else { "[1]" };
            let traffic = format!(
                "[traffic]\npacket_flits = {flits}\nsize = {{ kind = \"distribution\", flits = {size}, weights = {weights} }}\n\
                 [workload]\nkind = \"phases\"\nrepeat = false\n\
                 phases = [{{ cycles = {OVERLOAD}, load = 4.0, pattern = \"{pattern}\" }}]"
            );
            Overload { config, traffic }
        },
    )
}

/// A bubble as small as it may be, or `spare` packets more, and buffers in which packets find it.
fn make_safe(config: &mut Config, spare: u32) {
    let link = config.shared.base.link_cycles;
    let (scope, new_packets) = match config.flow_control {
        FlowControl::Bubble { scope, new_packets, .. } => (scope, new_packets),
        FlowControl::VirtualCutThrough => (Scope::Local, 0),
    };
    // Packets may be on their way to the own queue that it does not know of.
    let unseen = if scope == Scope::Ring { 1 } else { link.div_ceil(config.packet_flits) };
    let escape_packets = unseen + 1 + spare;
    let buffer_packets = config.buffer_packets();
    // There are as many buffers around a ring as routers, and along a line one less.
    let around = config.shared.base.radix.iter().zip(&config.shared.base.wrap).map(|(&k, &wrap)| k - u32::from(!wrap));
    let buffers = if scope == Scope::Ring { around.min().unwrap_or(1) } else { 1 };
    let least = escape_packets.div_ceil(buffers);
    let buffer_packets = buffer_packets.max(least).max(new_packets);
    config.flow_control = FlowControl::Bubble { escape_packets, new_packets, scope };
    config.shared.base.buffer_flits = buffer_packets * config.packet_flits;
}

/// What is left at the end of a cycle.
#[derive(Default)]
struct Left {
    in_flight: u64,
    waiting: u32,
}

impl Probe for Left {
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.in_flight = end.in_flight;
        self.waiting = end.injection.iter().sum();
    }
}

/// Goes on until everything is delivered.
fn drain(engine: &mut Adaptive<Tested>) -> Result<(), String> {
    let mut left = Left::default();
    let (mut delivered, mut deadline) = (0, PATIENCE);
    loop {
        engine.step(&mut AnyProbe(&mut left));
        if engine.cycle() >= OVERLOAD && left.in_flight == 0 && left.waiting == 0 {
            return Ok(());
        }
        if engine.cycle() < deadline {
            continue;
        }
        let now = engine.counters().delivered;
        if now == delivered || engine.is_still() || engine.cycle() > LIMIT {
            let Left { in_flight, waiting } = left;
            return Err(format!(
                "cycle {}: {now} packets delivered, {delivered} before, {in_flight} in flight, {waiting} waiting; {:?}",
                engine.cycle(),
                engine.deadlock()
            ));
        }
        (delivered, deadline) = (now, deadline + PATIENCE);
    }
}

fn check(config: &Config, traffic: &Traffic) -> Result<(), String> {
    let grid = bridge::grid(&config.shared.base);
    assert!(adaptive_bridge::is_deadlock_free(config, &grid), "{config:?} is said to lock");
    let mut engine = engines::adaptive(config, &grid, traffic, Buffers::Unwatched)?;
    drain(&mut engine)?;
    match engine.counters().delivered {
        0 => Err("so few packets are no test".to_owned()),
        _ => engine.audit().map_err(|error| format!("at the end: {error}")),
    }
}

/// Tries random networks, `share` in a hundred of those asked for.
fn try_networks(share: u32, routing: Routing) {
    let (variable, regressions) = ("TAILBACK_BUBBLE_CASES", "regressions/bubble.txt");
    // On some networks every node would send to itself: such traffic is refused.
    Trial { variable, usual: 60, share, regressions }.run(
        any_overload(routing),
        |Overload { config, traffic }| bridge::traffic(&config.shared.base, traffic),
        |Overload { config, .. }, traffic| check(config, traffic),
    );
}

#[test]
fn adaptive_bubble_never_deadlocks() {
    try_networks(75, Routing::Adaptive(Escape::Ring));
}

#[test]
fn deterministic_bubble_drains() {
    try_networks(25, Routing::DimensionOrder);
}

#[test]
fn without_a_bubble_the_same_rings_lock() {
    // Otherwise the tests above would say nothing.
    let bubble = |escape_packets, scope| FlowControl::Bubble { escape_packets, new_packets: 0, scope };
    let locks = |flow_control, seed| {
        let config = Config { flow_control, ..ring(seed) };
        let traffic = bridge::traffic(&config.shared.base, &ring_traffic()).expect("possible");
        let grid = bridge::grid(&config.shared.base);
        let mut engine = engines::adaptive(&config, &grid, &traffic, Buffers::Unwatched).expect("possible");
        let drained = drain(&mut engine);
        assert_eq!(drained.is_err(), engine.deadlock().is_some(), "{flow_control:?} {drained:?}");
        assert!(drained.is_ok() || !adaptive_bridge::is_deadlock_free(&config, &grid), "{flow_control:?} {drained:?}");
        drained.is_err()
    };
    for scope in [Scope::Local, Scope::Ring] {
        assert!((0..10).all(|seed| !locks(bubble(2, scope), seed)));
    }
    for flow_control in [FlowControl::VirtualCutThrough, bubble(1, Scope::Ring)] {
        assert!((0..10).filter(|&seed| locks(flow_control, seed)).count() > 5, "{flow_control:?}");
    }
}

fn ring_traffic() -> String {
    format!(
        "[traffic]\nsize = {{ kind = \"fixed\", flits = 4 }}\n[workload]\nkind = \"phases\"\nrepeat = false\n\
         phases = [{{ cycles = {OVERLOAD}, load = 4.0, pattern = \"uniform\" }}]"
    )
}

/// A ring of six, dimension order, one channel of two packets.
fn ring(seed: u64) -> Config {
    let mut config = plain_adaptive::plain(&[6], true);
    config.shared.routing = Routing::DimensionOrder;
    config.shared.arbiter = Arbiter::Random;
    let base = &mut config.shared.base;
    (base.virtual_channels, base.source_queue_packets, base.seed) = (1, Some(2), seed);
    config
}
