//! The wormhole reference against cycles counted by hand.

use super::*;
use crate::bridge;
use tailback_traffic::Traffic;

fn config(radix: &[u32], wrap: bool) -> Config {
    Config::plain(radix, wrap)
}

/// `packets` packets of `flits` from every source, all at cycle 0.
fn collective(config: &Config, packets: u32, flits: u32) -> Traffic {
    let text = format!(
        "[traffic]\npattern = \"neighbour\"\nsize = {{ kind = \"fixed\", flits = {flits} }}\n\
         [workload]\nkind = \"collective\"\npackets_per_node = {packets}"
    );
    bridge::traffic(&config.base, &text).expect("possible")
}

fn run(config: &Config, traffic: &Traffic, cycles: u64) -> Vec<Delivered> {
    let mut network = Network::new(config, traffic);
    (0..cycles).for_each(|_| network.step());
    network.delivered()
}

/// Entered and delivered, of the packets of node 0.
fn times(delivered: &[Delivered]) -> Vec<(u64, u64)> {
    delivered.iter().filter(|packet| packet.source == 0).map(|packet| (packet.entered, packet.delivered)).collect()
}

/// r = 1, a = 2, s = 1, x = 3, l = 2.
fn slow(config: Config) -> Config {
    let mut slow = Config {
        routing_cycles: 1,
        vc_allocation_cycles: 2,
        switch_allocation_cycles: 1,
        crossbar_cycles: 3,
        ..config
    };
    slow.base.link_cycles = 2;
    slow
}

#[test]
fn one_hop_takes_every_delay_twice_and_the_link_once() {
    let config = slow(config(&[5], true));
    // Born at 0, asks at 1, has its channel at 1, is sent at 3, arrives at 3 + 1 + 3 + 2 = 9, asks at 10, is sent at 12,
    // received at 12 + 1 + 3 + 1 = 17; three more flits.
    assert_eq!(times(&run(&config, &collective(&config, 1, 4), 60)), [(3, 20)]);
    assert_eq!(config.zero_load(1, 4), 20);
}

#[test]
fn zero_load_latency_is_the_formula_without_and_with_every_delay() {
    for base in [config(&[4, 3], true), config(&[4, 3], false)] {
        for config in [base.clone(), slow(base)] {
            let traffic =
                bridge::traffic(&config.base, "[traffic]\nload = 0.001\nsize = { kind = \"fixed\", flits = 3 }");
            let delivered = run(&config, &traffic.expect("possible"), 6_000);
            // Most packets are alone in the network; those that met another one are later.
            let late = |p: &&Delivered| p.delivered - p.birth > config.zero_load(p.hops, 3);
            assert!(delivered.iter().all(|p| p.delivered - p.birth >= config.zero_load(p.hops, 3)));
            assert!(delivered.len() > 15 && delivered.iter().filter(late).count() * 5 < delivered.len());
        }
    }
}

/// Two packets of two flits, one after the other over one channel between two routers, all delays 0, link and credit 1:
///
/// ```text
/// cycle                     0    1    2    3    4    5    6
/// owned    node sends       Ah   At        Bh   Bt
///          far switch sends      Ah   At        Bh   Bt
///          tail received                   A              B
///          channel          A    A    A    B    B    B
/// shared   node sends       Ah   At   Bh   Bt
///          far switch sends      Ah   At   Bh   Bt
///          tail received                   A         B
///          channel          A    A    B    B
/// ```
///
/// The injection channel is free in 2, after the tail At was sent in 1. Owned: At leaves the far buffer in 2, its credit is
/// back in 3, and then the channel is B's. Shared: the channel is free in 2.
#[test]
fn the_next_packet_gets_the_channel_after_the_tail_or_its_credit() {
    for (sharing, expected) in [
        (Sharing::Owned, [(0, 3), (3, 6)]),
        (Sharing::Shared, [(0, 3), (2, 5)]),
        (Sharing::SharedWhole, [(0, 3), (2, 5)]),
    ] {
        let mut config = Config { sharing, ..config(&[2], false) };
        config.base.virtual_channels = 1;
        assert_eq!(times(&run(&config, &collective(&config, 2, 2), 20)), expected, "{sharing:?}");
    }
}

#[test]
fn credits_come_back_after_the_switch_and_the_wire() {
    // One flit of buffer: a flit sent in t arrives in t + s + l = t + 2 and is sent on at once; its credit is back in
    // t + 2 + s + c = t + 6. So the flits of a packet leave in 0, 6, 12; the tail is received in 14 + s + 1.
    let mut config = Config { switch_allocation_cycles: 1, ..config(&[2], false) };
    (config.base.buffer_flits, config.base.credit_cycles, config.base.virtual_channels) = (1, 3, 1);
    assert_eq!(times(&run(&config, &collective(&config, 1, 3), 40)), [(0, 16)]);
}

#[test]
fn two_injection_channels_share_the_link_flit_by_flit() {
    // Four flits over one link; with two channels the packets' flits take turns from cycle 0 on.
    for (channels, expected) in [(1, [(0, 3), (2, 5)]), (2, [(0, 4), (1, 5)])] {
        let mut config = Config { injection_channels: channels, ..config(&[2], false) };
        config.base.ejection_channels = None;
        assert_eq!(times(&run(&config, &collective(&config, 2, 2), 20)), expected);
    }
}

#[test]
fn a_full_source_queue_delays_generation_until_a_tail_is_sent() {
    let mut config = Config { sharing: Sharing::Shared, ..config(&[2], false) };
    config.base.source_queue_packets = Some(1);
    let delivered = run(&config, &collective(&config, 2, 3), 20);
    let births: Vec<u64> = delivered.iter().filter(|packet| packet.source == 0).map(|packet| packet.birth).collect();
    assert_eq!(births, [0, 3]);
}

#[test]
fn speculation_saves_the_cycles_of_channel_allocation() {
    let plain = Config { vc_allocation_cycles: 1, ..config(&[5], true) };
    let bold = Config { speculative: true, ..plain.clone() };
    let traffic = collective(&plain, 1, 3);
    let [slow, fast] = [&plain, &bold].map(|config| times(&run(config, &traffic, 40))[0].1);
    assert_eq!(slow, plain.zero_load(1, 3));
    // At both routers.
    assert_eq!(slow - fast, 2);
}

/// The most heads of a router that were given a channel in one cycle, and the most flits that left one port's buffers.
fn most_at_once(config: &Config) -> (usize, usize) {
    let text = "[traffic]\nload = 1.5\nsize = { kind = \"fixed\", flits = 2 }";
    let traffic = bridge::traffic(&config.base, text).expect("possible");
    let mut network = Network::new(config, &traffic);
    let (mut heads, mut flits) = (0, 0);
    for now in 0..300 {
        network.step();
        for router in &network.routers {
            let given =
                |input: &&router::Input| input.front.and_then(|front| front.holds).is_some_and(|(_, at)| at == now);
            heads = heads.max(router.inputs.iter().filter(given).count());
        }
        let back = |router: usize, port: usize| network.credits_sent(router, port, now);
        let ports =
            (0..config.base.routers()).flat_map(|router| (0..config.base.ports()).map(move |port| (router, port)));
        flits = flits.max(ports.map(|(router, port)| back(router, port)).max().unwrap_or(0));
    }
    (heads, flits)
}

#[test]
fn a_central_allocator_serves_one_head_a_cycle() {
    // With delays the heads that were given a channel still hold it at the end of the cycle.
    let base = Config { vc_allocation_cycles: 1, ..config(&[3, 3], true) };
    for (channel_allocator, several) in [
        (ChannelAllocator::Central, false),
        (ChannelAllocator::InputFirst, true),
        (ChannelAllocator::OutputFirst, true),
    ] {
        let (heads, _) = most_at_once(&Config { channel_allocator, ..base.clone() });
        assert_eq!(heads > 1, several, "{channel_allocator:?}");
        assert!(heads > 0);
    }
}

#[test]
fn a_ports_channels_share_a_crossbar_input_or_not() {
    let base = config(&[3, 3], false);
    for (crossbar_inputs, most) in [(CrossbarInputs::Port, 1), (CrossbarInputs::Channel, 2)] {
        for switch_allocator in [SwitchAllocator::InputFirst, SwitchAllocator::OutputFirst] {
            let (_, flits) = most_at_once(&Config { crossbar_inputs, switch_allocator, ..base.clone() });
            assert_eq!(flits, most, "{crossbar_inputs:?} {switch_allocator:?}");
        }
    }
}
