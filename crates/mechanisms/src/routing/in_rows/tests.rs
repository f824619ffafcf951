//! Every way that a rule allows arrives, within its hops and classes.

use super::*;
use crate::routing::{Any, build_any, section};
use crate::testing::resolved_text;
use std::collections::BTreeSet;
use tailback_network::family;

fn built(topology: &str) -> Built {
    let spec = resolved_text(family::section(), &format!("topology = {{ {topology} }}"));
    family::build(spec.view("topology")).unwrap_or_else(|error| panic!("{topology}: {}", error.message))
}

fn routing(built: &Built, words: &str, channels: u32) -> Result<Any, Refusal> {
    let spec = resolved_text(section(), &format!("routing = {{ kind = {words} }}"));
    build_any(spec.view("routing"), built, channels)
}

/// Follows all options of a packet; returns the most hops, and the channels that were asked for.
fn follow(routing: &Any, built: &Built, packet: &Packet) -> (u32, u16) {
    let source = built.network.router_of(packet.source);
    let mut start = *packet;
    let word = routing.start(source, &mut start, || unreachable!("nothing is drawn"));
    assert!(routing.fits(source, &start, word) && !routing.fits(source, &start, word + 1));
    let (mut todo, mut most, mut asked) = (vec![(source, word, start, 0)], 0, 0);
    let mut seen = BTreeSet::new();
    while let Some((router, word, packet, hops)) = todo.pop() {
        let head = Head { router, input: None };
        for option in 0..routing.options(head, &packet, word) {
            let mut decided = word;
            let request = routing.option(head, &packet, &mut decided, option);
            let Some(port) = request.port else {
                assert_eq!((router, packet.hops), (packet.router, hops));
                most = hops.max(most);
                continue;
            };
            asked |= request.channels;
            let far = built.network.peer(router, usize::from(port)).expect("a link").router;
            let next = routing.advance(port, decided);
            // The hops that deciding on this option gives the packet: those made, this one, and the least behind it.
            let left = routing_left(routing, &packet, far);
            let packet = Packet { hops: hops + 1 + left, ..packet };
            assert!(routing.fits(router, &packet, decided), "{decided:#x} at {router}");
            assert!(routing.fits(far, &packet, next), "{next:#x} at {far}");
            assert!(!routing.fits(far, &Packet { hops: packet.hops - 1, ..packet }, next));
            if seen.insert((far, next)) {
                todo.push((far, next, packet, hops + 1));
            }
        }
    }
    (most, asked)
}

/// The least hops from a router.
fn routing_left(routing: &Any, packet: &Packet, router: u32) -> u32 {
    let mut packet = *packet;
    routing.start(router, &mut packet, || 0);
    packet.hops
}

#[test]
fn every_way_arrives_within_its_hops() {
    let cube = built("kind = 'hyperx', sides = [3, 3, 3], trunks = [1, 2, 1], nodes_per_router = 2");
    for (words, channels, longest) in [
        ("'minimal_adaptive'", 3, 3),
        ("'dal'", 6, 6),
        ("'dimwar'", 2, 6),
        ("'omniwar', deroutes = 1", 4, 4),
        ("'omniwar', deroutes = 2", 5, 5),
    ] {
        let refused = routing(&cube, words, channels - 1).map(|_| ()).unwrap_err();
        assert!(
            refused.message.contains(&format!("needs {channels} virtual channels")),
            "{words}: {}",
            refused.message
        );
        let routing = routing(&cube, words, channels).unwrap();
        let packet =
            |destination| Packet { destination, router: cube.network.router_of(destination), ..Packet::default() };
        let (most, asked) = follow(&routing, &cube, &packet(53));
        assert_eq!((most, asked), (longest, (1 << channels) - 1), "{words}");
        for destination in 0..54 {
            follow(&routing, &cube, &packet(destination));
        }
    }
}

#[test]
fn other_networks_have_no_rows() {
    let refused = routing(&built("kind = 'slim_fly', q = 5"), "'dimwar'", 4).map(|_| ()).unwrap_err();
    assert!(refused.message.contains("goes by the rows of a HyperX"), "{}", refused.message);
}

/// Queues of one router.
struct Owed(Vec<u32>);

impl Queues for Owed {
    fn owed(&self, port: u8, _channel: u8) -> u32 {
        self.0[usize::from(port)]
    }

    fn owed_by_port(&self, _port: u8) -> u32 {
        unreachable!("it asks for what is owed by channels")
    }

    fn waiting(&self, _port: u8) -> u32 {
        0
    }

    fn free(&self, _port: u8, _channel: u8) -> u32 {
        unreachable!("it asks for what is owed")
    }

    fn carried(&self, _router: u32, _port: u8) -> bool {
        unreachable!("it looks at no links")
    }

    fn owed_at(&self, _router: u32, _port: u8, _channel: u8) -> u32 {
        unreachable!("it looks at its own router")
    }

    fn signal(&self, _router: u32, _cycles: u32) -> u64 {
        unreachable!("it looks at its own router")
    }
}

#[test]
fn the_least_weight_wins_and_the_minimal_way_of_equal_ones() {
    let square = built("kind = 'hyperx', sides = [4, 4]");
    let routing = routing(&square, "'dimwar'", 2).unwrap();
    let decide = |owed: [u32; 6]| {
        let mut packet = Packet { router: 5, destination: 5, ..Packet::default() };
        let mut word = routing.start(0, &mut packet, || 0);
        let request = routing.decide(Head { router: 0, input: None }, &mut packet, &mut word, &Owed(owed.to_vec()));
        (request.port, packet.hops)
    };
    assert_eq!(decide([0; 6]), (Some(0), 2));
    // (5 + 1) * 2 is no more than (3 + 1) * 3, and more than (2 + 1) * 3.
    assert_eq!(decide([5, 3, 3, 0, 0, 0]), (Some(0), 2));
    assert_eq!(decide([5, 3, 2, 0, 0, 0]), (Some(2), 3));
}
