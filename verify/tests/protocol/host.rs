//! Hosts that send at random and receive at random, under message classes and finite ejection buffers: the engine beside the reference model,
//! whose nodes a naive guest moves.

use super::{Draws, Heard, config};
use std::collections::BTreeMap;
use tailback_engine::{Buffers, CutThrough, DataPath, Hosted, Network as _, Offer, Supply};
use tailback_mechanisms::Bundle;
use tailback_network::Grid;
use tailback_traffic::{Cutting, Generated, Hosted as Bounds};
use tailback_verify::bridge;
use tailback_verify::reference::Network;
use tailback_verify::reference::script::{Name, Script};

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
    /// By port: messages that have come and that were not received.
    waiting: Vec<Vec<usize>>,
}

impl Script for Guest {
    fn hears(&mut self, _now: u64, delivered: &[Name], _left: &[Name]) {
        for name in delivered {
            let (message, flits) = self.packets[name];
            let of = &mut self.messages[message];
            of.missing -= flits;
            if of.missing == 0 {
                self.waiting[of.destination as usize].push(message);
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
        self.waiting[port as usize].len() as u32
    }
}

/// Plays a host on both. Returns the cycles in which some buffer was full.
fn play(seed: u64) -> u64 {
    let mut draws = Draws(seed);
    let classes = 1 + draws.below(2) as u32;
    let places = 1 + draws.below(3) as u32;
    let config = config(&mut draws, classes, Some(places));
    let grid: Grid = bridge::grid(&config);
    let ports = grid.nodes() as u32;
    let packet = 1 + draws.below(u64::from(config.buffer_flits)) as u32;
    let bounds = Bounds::new(1, Some(3 * packet)).cut(Cutting::Packets(packet)).in_classes(classes).held();
    let supply = Supply::Hosted(Hosted::new(&bounds, ports));
    let parts = bridge::parts(&config, &grid);
    let mut engine: CutThrough<'_, Bundle> =
        CutThrough::new(&grid, supply, bridge::router(&config), parts, Buffers::Watched);
    let idle = bridge::traffic(&config, "[traffic]\nload = 0.01\nsize = { kind = 'fixed', flits = 1 }\n");
    let idle = idle.expect("it can be made");
    let mut reference = Network::new(&config, &idle);
    let none = || vec![Vec::new(); ports as usize];
    let mut guest = Guest {
        packet,
        messages: Vec::new(),
        sends: none(),
        made: vec![0; ports as usize],
        packets: BTreeMap::new(),
        waiting: none(),
    };
    let (mut heard, mut full, mut arrived) = (Heard::default(), 0, 0);
    for now in 0.. {
        let sending = now < 300;
        for port in 0..ports {
            // A host that receives now and then.
            let waiting = &mut guest.waiting[port as usize];
            if !waiting.is_empty() && draws.below(if sending { 30 } else { 2 }) == 0 {
                waiting.remove(0);
                engine.consumed(port);
            }
            full += u64::from(waiting.len() as u32 == places);
            let destination = draws.below(u64::from(ports / classes)) as u32 * classes + port % classes;
            if sending && destination != port && draws.below(6) == 0 {
                let flits = 1 + draws.below(u64::from(3 * packet)) as u32;
                let name = guest.messages.len();
                guest.messages.push(Sent { destination, unmade: flits, missing: flits, cycle: now });
                guest.sends[port as usize].push(name);
                engine.offer(Offer { source: port, destination, flits, name: name as u64 });
            }
        }
        engine.step(&mut heard);
        reference.step_by(&mut guest);
        engine.arrivals(&mut |of| arrived += u64::from(of.flits));
        engine.audit().unwrap_or_else(|error| panic!("seed {seed}, cycle {now}: {error}"));
        heard.0.sort_unstable();
        assert_eq!(heard.0, reference.delivered(), "seed {seed}, cycle {now}, {config:?}");
        assert_eq!(engine.in_flight(), reference.in_flight(), "seed {seed}, cycle {now}");
        if engine.is_still() {
            assert!(
                engine.deadlock().is_none(),
                "seed {seed}, cycle {now}: a host that does not receive is no deadlock"
            );
        }
        if !sending && engine.in_flight() == 0 && engine.sources_wait() && guest.waiting.iter().all(Vec::is_empty) {
            break;
        }
        assert!(now < 40_000, "seed {seed}");
    }
    let missing = guest.messages.iter().map(|of| of.unmade + of.missing).sum::<u32>();
    assert!(missing == 0 && arrived > 0, "seed {seed}: {missing} flits never came");
    full
}

#[test]
fn hosts_that_do_not_receive_go_as_the_reference_model_says() {
    let full: u64 = (0..60).map(play).sum();
    assert!(full > 10_000, "{full} ports and cycles with a full buffer");
}
