//! Ways of packets in trees and below roots.

use super::*;
use crate::routing::{Any, build_any, section};
use crate::testing::resolved_text;
use std::collections::BTreeMap;
use tailback_network::family;

fn built(topology: &str) -> Built {
    let spec = resolved_text(family::section(), &format!("topology = {{ {topology} }}"));
    family::build(spec.view("topology")).unwrap_or_else(|error| panic!("{topology}: {}", error.message))
}

fn routing(built: &Built, more: &str) -> Result<Any, Refusal> {
    let spec = resolved_text(section(), &format!("routing = {{ kind = 'up_down'{more} }}"));
    build_any(spec.view("routing"), built, 1)
}

/// The links, as router and port, of a packet between two nodes.
fn way(routing: &Any, network: &Network, packet: Packet, draw: u32) -> Vec<(u32, u8)> {
    let mut packet = Packet { router: network.router_of(packet.destination), ..packet };
    let mut router = network.router_of(packet.source);
    let mut word = routing.start(router, &mut packet, || draw);
    let mut way = Vec::new();
    while let Some(port) = routing.request(Head { router, input: None }, &packet, &mut word).port {
        way.push((router, port));
        word = routing.advance(port, word);
        router = network.peer(router, usize::from(port)).expect("ways follow links").router;
        assert!(routing.fits(router, &packet, word));
    }
    assert_eq!((router, way.len()), (packet.router, packet.hops as usize));
    way
}

/// The most flows of a link where each node sends to another one.
fn busiest(routing: &Any, network: &Network, to: impl Fn(u32) -> u32) -> u32 {
    let mut flows: BTreeMap<(u32, u8), u32> = BTreeMap::new();
    for source in (0..network.nodes() as u32).filter(|&source| to(source) != source) {
        let packet = Packet { source, destination: to(source), ..Packet::default() };
        way(routing, network, packet, 0).into_iter().for_each(|link| *flows.entry(link).or_default() += 1);
    }
    flows.into_values().max().unwrap_or(0)
}

#[test]
fn d_mod_k_gives_every_flow_of_a_shift_links_of_its_own() {
    for (arity, levels) in [(4u32, 2u32), (4, 3), (8, 3)] {
        let tree = built(&format!("kind = 'fat_tree', arity = {arity}, levels = {levels}"));
        let routing = routing(&tree, ", up = 'd_mod_k'").unwrap();
        let (network, nodes) = (&tree.network, arity.pow(levels));
        for shift in 1..nodes {
            assert_eq!(busiest(&routing, network, |node| (node + shift) % nodes), 1, "{arity}-ary: shift by {shift}");
        }
        assert_eq!(busiest(&routing, network, |node| nodes - 1 - node), 1, "complement");
    }
}

#[test]
fn d_mod_k_has_patterns_that_share_links() {
    let reversed = |bits: u32| move |node: u32| node.reverse_bits() >> (32 - bits);
    let transposed = |bits: u32| move |node: u32| (node << (bits / 2) | node >> (bits / 2)) & ((1 << bits) - 1);
    let four = built("kind = 'fat_tree', arity = 4, levels = 3");
    let by = routing(&four, ", up = 'd_mod_k'").unwrap();
    assert_eq!(busiest(&by, &four.network, reversed(6)), 4);
    assert_eq!(busiest(&by, &four.network, transposed(6)), 4);
    let eight = built("kind = 'fat_tree', arity = 8, levels = 3");
    assert_eq!(busiest(&routing(&eight, ", up = 'd_mod_k'").unwrap(), &eight.network, reversed(9)), 8);
}

#[test]
fn a_flow_has_one_way_and_sprayed_packets_all_of_them() {
    let tree = built("kind = 'fat_tree', arity = 4, levels = 3");
    let ways = |up: &str, draw: u32| {
        let routing = routing(&tree, &format!(", up = '{up}'")).unwrap();
        let of = |index| {
            way(&routing, &tree.network, Packet { index, source: 3, destination: 60, ..Packet::default() }, draw)
        };
        (0..16).map(of).collect::<Vec<_>>()
    };
    let ecmp = ways("ecmp", 7);
    assert!(ecmp.iter().all(|way| way == &ecmp[0]) && ecmp == ways("ecmp", 8));
    let mut sprayed = ways("spray", 7);
    for four in sprayed.chunks(4) {
        let mut first: Vec<(u32, u8)> = four.iter().map(|way| way[0]).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 4, "every link of the leaf in turn");
    }
    sprayed.sort();
    sprayed.dedup();
    assert_eq!(sprayed.len(), 16, "every root once");
    assert_ne!(ways("random", 0), ways("random", 63));
    assert_eq!(ways("d_mod_k", 1), ways("d_mod_k", 2));
}

#[test]
fn an_adaptive_packet_has_every_port_up_as_an_option() {
    let tree = built("kind = 'fat_tree', arity = 4, levels = 3");
    let routing = routing(&tree, ", up = 'adaptive'").unwrap();
    let packet = Packet { destination: 63, router: tree.network.router_of(63), ..Packet::default() };
    let head = Head { router: 32, input: None };
    let ports = |option| routing.option(head, &packet, &mut 0, option).port;
    assert_eq!(routing.options(head, &packet, 0), 4);
    assert_eq!([0, 1, 2, 3].map(ports), [0, 1, 2, 3].map(Some));
    assert_eq!(routing.options(Head { router: packet.router, input: None }, &packet, 0), 1, "it is consumed");
}

#[test]
fn all_pairs_have_ways_that_go_up_then_down() {
    for topology in [
        "kind = 'jellyfish', routers = 20, degree = 4",
        "kind = 'folded_clos', levels = [[2, 3, 1], [4, 0, 1]]",
        "kind = 'megafly', leaves = 2, spines = 2, global_links = 2",
        "kind = 'slim_fly', q = 5",
        "kind = 'hyperx', sides = [3, 3], trunks = [2, 1]",
    ] {
        let built = built(topology);
        let network = &built.network;
        let directions = Ways::new(network, None).directions;
        for up in ["random", "ecmp", "spray", "adaptive"] {
            let routing = routing(&built, &format!(", up = '{up}'")).unwrap();
            let nodes = network.nodes() as u32;
            for (source, destination) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))) {
                let packet = Packet { index: u64::from(source), source, destination, ..Packet::default() };
                let way = way(&routing, network, packet, source * nodes + destination);
                let ups = way.iter().map(|&(at, port)| {
                    directions.is_up(at, network.peer(at, usize::from(port)).expect("a link").router)
                });
                assert!(ups.is_sorted_by(|before, after| before >= after), "{topology}, {up}: {way:?}");
            }
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let slim = built("kind = 'slim_fly', q = 5");
    let refused = |built: &Built, more: &str| routing(built, more).map(|_| ()).unwrap_err();
    assert_eq!(refused(&slim, ", up = 'd_mod_k'").path, "routing.up");
    assert_eq!(refused(&slim, ", root = 50").message, "router 50 does not exist: the last one is 49");
    let tree = built("kind = 'fat_tree', arity = 2, levels = 3");
    assert!(
        refused(&tree, ", up = 'd_mod_k', root = 0").message.contains("has none"),
        "below a root there are no levels of a tree"
    );
}
