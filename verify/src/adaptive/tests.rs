//! The adaptive reference against cycles counted by hand.

use super::*;
use crate::bridge;
use crate::reference::Datelines;
use crate::wormhole;
use tailback_traffic::Traffic;

/// A ring or line, packets of two flits, two channels of two packets, no delay but a cycle a link and credit.
fn config(radix: &[u32], wrap: bool) -> Config {
    let mut shared = wormhole::Config::plain(radix, wrap);
    shared.base.datelines = Datelines::None;
    shared.base.buffer_flits = 4;
    Config {
        shared,
        packet_flits: 2,
        turn_cycles: 0,
        consumption_cycles: 0,
        crossbar_outputs: CrossbarOutputs::Link,
        requests: Requests::Parallel,
        escape_first: false,
        transit_first: false,
        flow_control: FlowControl::VirtualCutThrough,
        queues: 1,
        policy: Policy::Sh,
        interface_channels: InterfaceChannels::Physical,
        ejection_port: None,
        choose_again: false,
        pace: Pace::default(),
    }
}

/// So many messages of so many packets from every source to its neighbour, all at cycle 0.
fn collective(config: &Config, messages: u32, packets: u32) -> Traffic {
    let flits = config.packet_flits;
    let text = format!(
        "[traffic]\npacket_flits = {flits}\npattern = \"neighbour\"\nsize = {{ kind = \"fixed\", flits = {} }}\n\
         [workload]\nkind = \"collective\"\npackets_per_node = {messages}",
        flits * packets
    );
    bridge::traffic(&config.shared.base, &text).expect("possible")
}

fn run<'a>(config: &'a Config, traffic: &'a Traffic, cycles: u64) -> Network<'a> {
    let mut network = Network::new(config, traffic);
    (0..cycles).for_each(|_| network.step());
    network
}

/// Birth, entry and delivery of the packets of node 0.
fn times(network: &Network) -> Vec<(u64, u64, u64)> {
    let of_node = network.delivered().into_iter().filter(|packet| packet.source == 0);
    of_node.map(|packet| (packet.birth, packet.entered, packet.delivered)).collect()
}

#[test]
fn one_hop_takes_the_header_twice_and_consumption_once() {
    let mut config = Config { packet_flits: 4, consumption_cycles: 3, turn_cycles: 9, ..config(&[5], true) };
    (config.shared.base.header_cycles, config.shared.base.link_cycles) = (1, 2);
    // Born at 0, is sent at 1, arrives at 3, is sent on at 3 + 1 + 3 = 7, delivered at 11.
    assert_eq!(times(&run(&config, &collective(&config, 1, 1), 20)), [(0, 1, 11)]);
    assert_eq!(config.zero_load(1, 0), 11);
}

#[test]
fn a_packet_waits_for_the_credit_of_the_tail_before_it() {
    let mut config = config(&[5], true);
    config.shared.base.virtual_channels = 1;
    assert_eq!(times(&run(&config, &collective(&config, 2, 1), 20)), [(0, 0, 3), (0, 2, 5)]);
    // Sent at 0 and 1, and out of the next buffer at 1 and 2: the credit may be used from 3 on.
    config.shared.base.buffer_flits = 2;
    assert_eq!(times(&run(&config, &collective(&config, 2, 1), 20)), [(0, 0, 3), (0, 3, 6)]);
}

#[test]
fn a_channel_may_be_held_while_its_link_is_busy() {
    for (crossbar_outputs, held) in [(CrossbarOutputs::Link, 1), (CrossbarOutputs::Channel, 2)] {
        let config = Config { crossbar_outputs, queues: 2, policy: Policy::RoundRobin, ..config(&[5], true) };
        let traffic = collective(&config, 2, 1);
        let network = run(&config, &traffic, 2);
        assert_eq!(network.routers[0].held[..2].iter().filter(|held| **held).count(), held);
        let mut network = network;
        (0..20).for_each(|_| network.step());
        assert_eq!(times(&network), [(0, 0, 3), (0, 2, 5)]);
    }
}

#[test]
fn a_bubble_keeps_new_packets_out() {
    let in_ring = |buffer_flits: u32, scope| {
        let mut config = config(&[4], true);
        config.flow_control = FlowControl::Bubble { escape_packets: 2, new_packets: 0, scope };
        (config.shared.base.buffer_flits, config.shared.base.virtual_channels) = (buffer_flits, 1);
        let traffic = collective(&config, 1, 1);
        run(&config, &traffic, 1).in_flight()
    };
    assert_eq!(in_ring(2, Scope::Local), 0, "no queue ever has two packets free");
    assert_eq!(in_ring(4, Scope::Local), 4);
    assert_eq!(in_ring(2, Scope::Ring), 3, "the fourth finds one packet free in the ring");
}

#[test]
fn new_packets_need_room_in_any_channel() {
    let entered = |new_packets| {
        let mut config = config(&[4], true);
        config.shared.routing = wormhole::Routing::Adaptive(wormhole::Escape::None);
        config.flow_control = FlowControl::Bubble { escape_packets: 1, new_packets, scope: Scope::Local };
        let traffic = collective(&config, 1, 1);
        run(&config, &traffic, 1).in_flight()
    };
    assert_eq!((entered(2), entered(3)), (4, 0));
}

#[test]
fn a_full_queue_stalls_its_node_within_a_message_too() {
    let mut config = config(&[5], true);
    config.shared.base.source_queue_packets = Some(1);
    for (messages, packets) in [(3, 1), (1, 3)] {
        let traffic = collective(&config, messages, packets);
        let network = run(&config, &traffic, 20);
        assert_eq!(times(&network), [(0, 0, 3), (2, 2, 5), (4, 4, 7)]);
        let first: Vec<(u64, u64)> =
            network.messages().iter().filter(|m| m.source == 0).map(|m| (m.birth, m.delivered)).collect();
        assert_eq!(first, if packets == 1 { vec![(0, 3), (2, 5), (4, 7)] } else { vec![(0, 7)] });
    }
}

#[test]
fn a_shared_channel_transfers_packet_by_packet() {
    let mut config = Config { queues: 2, policy: Policy::RoundRobin, packet_flits: 3, ..config(&[5], true) };
    config.shared.base.buffer_flits = 9;
    config.shared.base.virtual_channels = 1;
    let entered = |config: &Config, packets| {
        let traffic = collective(config, packets, 1);
        times(&run(config, &traffic, 40)).into_iter().map(|(_, entered, _)| entered).collect::<Vec<_>>()
    };
    config.shared.base.header_cycles = 2;
    // Queue 0 is at the router in 0 and 6, queue 1 in 3 and 9; each head asks two cycles later.
    let virtually = Config { interface_channels: InterfaceChannels::Virtual { router_packets: 1 }, ..config.clone() };
    assert_eq!(entered(&virtually, 4), [2, 5, 8, 11]);
    // With one queue and one packet at the router the next transfer begins when the tail has left.
    let one = Config { queues: 1, ..virtually };
    assert_eq!(entered(&one, 3), [2, 7, 12]);
    assert_eq!(entered(&config, 3), [2, 5, 8]);
}

#[test]
fn zero_load_latency_is_the_formula_under_every_rule() {
    for requests in [Requests::Parallel, Requests::InTurn, Requests::Smart, Requests::Random, Requests::Shortest] {
        for crossbar_outputs in [CrossbarOutputs::Link, CrossbarOutputs::Channel] {
            let mut config = Config { requests, crossbar_outputs, consumption_cycles: 1, ..config(&[5, 4], true) };
            config.shared.routing = wormhole::Routing::Adaptive(wormhole::Escape::Ring);
            (config.shared.base.header_cycles, config.shared.base.link_cycles) = (2, 3);
            let text = "[traffic]\nload = 0.001\nsize = { kind = \"fixed\", flits = 2 }";
            let traffic = bridge::traffic(&config.shared.base, text).expect("possible");
            let delivered = run(&config, &traffic, 3_000).delivered();
            // Most packets are alone in the network; those that met another one are later.
            let late = |p: &&crate::reference::Delivered| p.delivered - p.birth > config.zero_load(p.hops, 0);
            assert!(delivered.iter().all(|p| p.delivered - p.birth >= config.zero_load(p.hops, 0)));
            assert!(delivered.len() > 15 && delivered.iter().filter(late).count() * 5 < delivered.len());
        }
    }
}
