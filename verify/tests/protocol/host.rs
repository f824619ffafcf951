//! Hosts that send at random and receive at random, under message classes and finite ejection buffers: the engine beside the reference model,
//! whose nodes a naive guest moves.

use super::{Draws, Heard, config};
use crate::common::tested::engines;
use std::collections::BTreeMap;
use tailback_engine::{Buffers, DataPath, Hosted, Offer, Supply};
use tailback_network::Grid;
use tailback_traffic::{Cutting, Generated, Held, Hosted as Bounds};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::input_queued::{
    Allocator, Arbiter, Config, InputPorts, Needs, NodePorts, RequestOrder, Sharing, Speculation, Yields,
};
use tailback_verify::reference::script::{Name, Script};
use tailback_verify::reference::{self, Delivered};
use tailback_verify::{bridge, input_queued as queued, input_queued_bridge, wormhole};

/// A message that was sent.
struct Sent {
    destination: u32,
    /// Flits that no packet has been made of, and that have not come.
    unmade: u32,
    missing: u32,
    cycle: u64,
}

/// What a host knows, without a word of the engine.
struct Guest {
    packet: u32,
    messages: Vec<Sent>,
    /// By port: its messages in order, and packets made.
    sends: Vec<Vec<usize>>,
    made: Vec<u64>,
    /// The message of a packet, and its flits.
    packets: BTreeMap<Name, (usize, u32)>,
    /// By port: messages that have come and that were not received, with the places of the ejection buffer that each keeps.
    waiting: Vec<Vec<(usize, u32)>>,
    /// Places are flits, and not packets.
    held: Held,
}

impl Script for Guest {
    fn hears(&mut self, _now: u64, delivered: &[Name], _left: &[Name]) {
        for name in delivered {
            let (message, flits) = self.packets[name];
            let of = &mut self.messages[message];
            of.missing -= flits;
            if of.missing == 0 {
                let places = if self.held == Held::Flits { flits } else { 1 };
                self.waiting[of.destination as usize].push((message, places));
            }
        }
    }

    fn entered(&mut self, _now: u64, _packets: &[Name]) {}

    fn next(&mut self, port: u32, _now: u64) -> Option<Generated> {
        let messages = &mut self.messages;
        let &message = self.sends[port as usize].iter().find(|&&message| messages[message].unmade > 0)?;
        let of = &mut messages[message];
        let (flits, index) = (of.unmade.min(self.packet), self.made[port as usize]);
        of.unmade -= flits;
        self.made[port as usize] += 1;
        self.packets.insert((port, index), (message, flits));
        Some(Generated { cycle: of.cycle, destination: of.destination, flits, index })
    }

    fn holds(&mut self, port: u32, _now: u64) -> u32 {
        self.waiting[port as usize].iter().map(|&(_, places)| places).sum()
    }
}

/// A reference model whose nodes a script moves.
trait Model {
    fn step_by(&mut self, script: &mut dyn Script);
    fn delivered(&self) -> Vec<Delivered>;
    fn in_flight(&self) -> u64;
}

impl Model for reference::Network<'_> {
    fn step_by(&mut self, script: &mut dyn Script) {
        self.step_by(script);
    }
    fn delivered(&self) -> Vec<Delivered> {
        self.delivered()
    }
    fn in_flight(&self) -> u64 {
        self.in_flight()
    }
}

impl Model for queued::Network<'_> {
    fn step_by(&mut self, script: &mut dyn Script) {
        self.step_by(script);
    }
    fn delivered(&self) -> Vec<Delivered> {
        self.delivered()
    }
    fn in_flight(&self) -> u64 {
        self.in_flight()
    }
}

/// A host: its classes, the length of its packets, and what its ejection buffers hold.
struct Play {
    classes: u32,
    packet: u32,
    places: u32,
    held: Held,
}

impl Play {
    fn bounds(&self) -> Bounds {
        let cutting = Cutting::Packets(self.packet);
        Bounds::new(1, Some(3 * self.packet)).cut(cutting).in_classes(self.classes).held(self.held)
    }

    /// Plays a host on both. Returns the ports and cycles in which messages that wait fill a buffer.
    fn compare(&self, draws: &mut Draws, ports: u32, engine: &mut impl DataPath, model: &mut dyn Model) -> u64 {
        let (packet, classes) = (self.packet, self.classes);
        let none = || vec![Vec::new(); ports as usize];
        let waiting = vec![Vec::new(); ports as usize];
        let (messages, packets, made) = (Vec::new(), BTreeMap::new(), vec![0; ports as usize]);
        let mut guest = Guest { packet, messages, sends: none(), made, packets, waiting, held: self.held };
        let (mut heard, mut full, mut arrived) = (Heard::default(), 0, 0);
        for now in 0.. {
            let sending = now < 300;
            for port in 0..ports {
                // A host that receives now and then.
                full += u64::from(guest.holds(port, now) >= self.places);
                if !guest.waiting[port as usize].is_empty() && draws.below(if sending { 30 } else { 2 }) == 0 {
                    let (_, places) = guest.waiting[port as usize].remove(0);
                    engine.consumed(port, places);
                }
                let destination = draws.below(u64::from(ports / classes)) as u32 * classes + port % classes;
                if sending && destination != port && draws.below(6) == 0 {
                    let flits = 1 + draws.below(u64::from(3 * packet)) as u32;
                    let name = guest.messages.len();
                    guest.messages.push(Sent { destination, unmade: flits, missing: flits, cycle: now });
                    guest.sends[port as usize].push(name);
                    engine.offer(Offer { source: port, destination, flits, name: name as u64 });
                }
            }
            engine.step(&mut AnyProbe(&mut heard));
            model.step_by(&mut guest);
            engine.arrivals(&mut |of| arrived += u64::from(of.flits));
            engine.audit().unwrap_or_else(|error| panic!("cycle {now}: {error}"));
            heard.0.sort_unstable();
            assert_eq!(heard.0, model.delivered(), "cycle {now}");
            assert_eq!(engine.in_flight(), model.in_flight(), "cycle {now}");
            if engine.is_still() {
                assert!(engine.deadlock().is_none(), "cycle {now}: a host that does not receive is no deadlock");
            }
            if !sending && engine.in_flight() == 0 && engine.sources_wait() && guest.waiting.iter().all(Vec::is_empty) {
                break;
            }
            assert!(now < 60_000);
        }
        let missing = guest.messages.iter().map(|of| of.unmade + of.missing).sum::<u32>();
        assert!(missing == 0 && arrived > 0, "{missing} flits never came");
        full
    }
}

const IDLE: &str = "[traffic]\nload = 0.01\nsize = { kind = 'fixed', flits = 1 }\n";

/// Cut-through, whose ejection buffers count packets.
fn cut_through(seed: u64) -> u64 {
    let mut draws = Draws(seed);
    let (classes, places) = (1 + draws.below(2) as u32, 1 + draws.below(3) as u32);
    let config = config(&mut draws, classes, Some(places));
    let grid: Grid = bridge::grid(&config);
    let packet = 1 + draws.below(u64::from(config.buffer_flits)) as u32;
    let play = Play { classes, packet, places, held: Held::Packet };
    let (bounds, ports) = (play.bounds(), grid.nodes() as u32);
    let supply = Supply::Hosted(Hosted::new(&bounds, ports));
    let mut engine = engines::cut_through(&config, &grid, supply, Buffers::Watched);
    let idle = bridge::traffic(&config, IDLE).expect("it can be made");
    play.compare(&mut draws, ports, &mut engine, &mut reference::Network::new(&config, &idle))
}

/// Any allocator.
fn allocator(draws: &mut Draws) -> Allocator {
    let arbiter = [Arbiter::RoundRobin, Arbiter::Matrix][draws.below(2) as usize];
    let iterations = 1 + draws.below(3) as u32;
    match draws.below(9) {
        0 => Allocator::Islip { iterations },
        1 => Allocator::SeparableInputFirst(arbiter),
        2 => Allocator::SeparableOutputFirst(arbiter),
        3 => Allocator::Wavefront,
        4 => Allocator::RoundRobinWavefront,
        5 => Allocator::MaxSize,
        6 => Allocator::Pim { iterations },
        7 => Allocator::Loa,
        _ => Allocator::Select { iterations },
    }
}

/// Heads that ask for the switch without a look at channels, beside flits that have one, ask by an allocator that is fair to the outputs of an
/// input. `max_size` and `loa` may choose a head that gets no channel in every step, and the flit that asks by the same input
/// never goes. Whatever the size of ejection buffers, such a network comes to a halt.
fn fair(speculation: Speculation, switch: Allocator) -> Speculation {
    match (speculation, switch) {
        (Speculation::Shared(Needs::Nothing), Allocator::MaxSize | Allocator::Loa) => {
            Speculation::Shared(Needs::Channel)
        }
        (other, _) => other,
    }
}

/// Input-queued routers of any kind.
fn routers(draws: &mut Draws, places: u32) -> Config {
    let base = reference::Config { ejection_packets: None, ..config(draws, 1, None) };
    let needs = [Needs::Nothing, Needs::Channel, Needs::Credit][draws.below(3) as usize];
    let yields = [Yields::Grants, Yields::Requests][draws.below(2) as usize];
    let config = Config {
        shared: wormhole::Config { base, ..wormhole::Config::plain(&[2], false) },
        routing_cycles: draws.below(4) as u32,
        crossbar_cycles: 1 + draws.below(2) as u32,
        credit_cycles: draws.below(3) as u32,
        sharing: [Sharing::Owned, Sharing::Shared][draws.below(2) as usize],
        channel_needs_credit: draws.below(2) == 0,
        input_speedup: 1 + draws.below(2) as usize,
        output_speedup: 1 + draws.below(2) as usize,
        internal_speedup: [1.0, 1.5, 2.0][draws.below(3) as usize],
        request_order: [RequestOrder::ByPort, RequestOrder::ByChannel][draws.below(2) as usize],
        node_ports: [NodePorts::Last, NodePorts::First][draws.below(2) as usize],
        input_ports: [InputPorts::AsOutputs, InputPorts::ByRouter][draws.below(2) as usize],
        vc_allocator: allocator(draws),
        switch_allocator: allocator(draws),
        hold_switch: draws.below(2) == 0,
        speculation: match draws.below(4) {
            0 => Speculation::Shared(needs),
            1 => Speculation::Separate { needs, yields, allocator: allocator(draws) },
            _ => Speculation::Off,
        },
        output_queue_flits: Some(draws.below(4) as usize).filter(|&flits| flits > 0),
        ejection_flits: Some(places),
        ..Config::plain(&[2], false)
    };
    Config { speculation: fair(config.speculation, config.switch_allocator), ..config }
}

/// Input-queued routers, whose ejection buffers count flits.
fn input_queued(seed: u64) -> u64 {
    let mut draws = Draws(seed);
    let places = 1 + draws.below(12) as u32;
    let config = routers(&mut draws, places);
    let base = &config.shared.base;
    let grid: Grid = bridge::grid(base);
    let play = Play { classes: 1, packet: 1 + draws.below(8) as u32, places, held: Held::Flits };
    let (bounds, ports) = (play.bounds(), grid.nodes() as u32);
    let supply = Supply::Hosted(Hosted::new(&bounds, ports));
    let routing = input_queued_bridge::routing(&config, &grid).expect("it routes");
    let mut engine = engines::input_queued(&config, &grid, supply, routing, Buffers::Watched);
    let idle = bridge::traffic(base, IDLE).expect("it can be made");
    play.compare(&mut draws, ports, &mut engine, &mut queued::Network::new(&config, &idle))
}

#[test]
fn hosts_that_do_not_receive_go_as_the_reference_model_says() {
    let full: u64 = (0..60).map(cut_through).sum();
    assert!(full > 10_000, "{full} ports and cycles with a full buffer");
}

#[test]
fn input_queued_routers_wait_for_hosts_as_the_reference_model_says() {
    let full: u64 = (0..60).map(input_queued).sum();
    assert!(full > 10_000, "{full} ports and cycles with a full buffer");
}
