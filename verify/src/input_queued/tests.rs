//! The input-queued reference against cycles counted by hand.

use super::*;
use crate::bridge;
use crate::wormhole::Delivered;
use tailback_traffic::Traffic;

/// `packets` packets of `flits` from every source, all at cycle 0.
fn collective(config: &Config, packets: u32, flits: u32) -> Traffic {
    let text = format!(
        "[traffic]\npattern = \"neighbour\"\nsize = {{ kind = \"fixed\", flits = {flits} }}\n\
         [workload]\nkind = \"collective\"\npackets_per_node = {packets}"
    );
    bridge::traffic(&config.shared.base, &text).expect("possible")
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

/// r = 3, x = 2, L = 2.
fn slow(config: Config) -> Config {
    let mut slow = Config { routing_cycles: 3, crossbar_cycles: 2, ..config };
    slow.shared.base.link_cycles = 2;
    slow
}

#[test]
fn one_hop_takes_every_stage_twice() {
    let config = slow(Config::plain(&[5], true));
    // Leaves its node at 0, arrives at 2, is routed from 2 to 4, gets a channel at 5, leaves its buffer at 6, is
    // through the crossbar at 8 and at the next router at 11: routed to 13, a channel at 14, leaves at 15, is through
    // at 17, at its node at 19.
    assert_eq!(times(&run(&config, &collective(&config, 1, 1), 60)), [(0, 19)]);
    assert_eq!(config.zero_load(2, 2, 1), 19);
}

/// A crossbar of two cycles that carries one batch at a time:
///
/// ```text
/// flit                     1    2    3    4
/// leaves the first buffer  6    7    8    9
/// crosses in               7,8  9,10 9,10 11,12
/// leaves the router        8    10   11   12
/// at the next              11   13   14   15
/// leaves its buffer        15   16   17   18
/// crosses in              16,17 18,19 18,19 20,21
/// leaves the router        17   19   20   21
/// ```
#[test]
fn flits_that_come_while_a_batch_crosses_wait_for_the_next() {
    let config = slow(Config::plain(&[5], true));
    assert_eq!(times(&run(&config, &collective(&config, 1, 4), 60)), [(0, 23)]);
}

/// Two heads that come to a router one after the other: while the first is routed, the second waits.
#[test]
fn heads_that_come_while_a_batch_is_routed_wait_for_the_next() {
    // They come at 2 and 3 by channels 0 and 1. The first is routed from 2 to 4, has a channel at 5, leaves its buffer
    // at 6, is at the next router at 9, leaves its buffer there at 13 and is at its node at 16. The second is routed
    // from 5 to 7 instead of 3 to 5, gets the same channel, which is free again, and comes to the next router at 12.
    // There it waits in the channel behind the first. It is routed from 14 to 16, leaves at 18 and is at its node at
    // 21.
    let config = Config { routing_cycles: 3, ..Config::plain(&[2], false) };
    assert_eq!(times(&run(&config, &collective(&config, 2, 1), 60)), [(0, 16), (1, 21)]);
}

#[test]
fn lookahead_saves_a_cycle_at_every_router() {
    let config = Config { routing_cycles: 0, ..Config::plain(&[5], true) };
    // At the router at 2, a channel at 2, leaves at 3, is through at 4, at the next at 6: through at 8, at its node at
    // 10.
    assert_eq!(times(&run(&config, &collective(&config, 1, 1), 60)), [(0, 10)]);
    assert_eq!(config.zero_load(2, 1, 1), 10);
}

#[test]
fn zero_load_latency_is_the_formula() {
    for base in [Config::plain(&[4, 3], true), Config::plain(&[4, 3], false)] {
        for config in [base.clone(), Config { routing_cycles: 0, ..base.clone() }, slow(base)] {
            // A longer packet would be under way in several batches of the crossbar.
            let flits = if config.crossbar_cycles == 1 { 3 } else { 1 };
            let text = format!("[traffic]\nload = 0.001\nsize = {{ kind = \"fixed\", flits = {flits} }}");
            let traffic = bridge::traffic(&config.shared.base, &text).expect("possible");
            let delivered = run(&config, &traffic, 6_000);
            let expected =
                |p: &Delivered| config.zero_load(p.hops + 1, p.hops * config.shared.base.link_cycles, flits) + p.birth;
            // Most packets are alone in the network; those that met another one are later.
            let late = delivered.iter().filter(|p| p.delivered > expected(p)).count();
            assert!(delivered.iter().all(|p| p.delivered >= expected(p)));
            assert!(delivered.len() > 15 && late * 5 < delivered.len(), "{late} of {}", delivered.len());
        }
    }
}

/// Two packets of one flit over one channel between two routers; r = 0, d = 1.
///
/// The second packet is at the first router at 3. Shared: the first left its buffer at 3, so its tail freed both
/// channels for requests from 4 on. The second packet asks at 4, leaves at 5 and is two cycles behind. Owned: the node
/// waits for the credit of the first flit, which left the buffer at 3 and counts at 5, so the second flit leaves the
/// node at 5 and arrives at 7. The channel to the second router is free when the credit of the first flit counts: sent
/// at 7, there at 9, counted at 10. The second packet asks at 10, leaves at 11 and is at the next router at 14. The
/// node's channel is free at 14 too: left the buffer at 7, router at 8, node at 10, counted at 13.
#[test]
fn the_next_packet_gets_the_channel_after_the_tail_or_its_credit() {
    for (sharing, expected) in [(Sharing::Shared, [(0, 10), (1, 12)]), (Sharing::Owned, [(0, 10), (5, 18)])] {
        let mut config = Config { sharing, routing_cycles: 0, ..Config::plain(&[2], false) };
        config.shared.base.virtual_channels = 1;
        assert_eq!(times(&run(&config, &collective(&config, 2, 1), 40)), expected, "{sharing:?}");
    }
}

/// One flit of buffer and long packets: a flit leaves a router's buffer when the credit of the one before counts.
#[test]
fn credits_come_back_after_crossbar_wires_and_delay() {
    for (crossbar_cycles, credit_cycles) in [(1, 0), (1, 1), (1, 4), (2, 1)] {
        let mut config = Config { crossbar_cycles, credit_cycles, ..Config::plain(&[2], false) };
        config.shared.base.buffer_flits = 1;
        let short = times(&run(&config, &collective(&config, 1, 1), 200));
        let long = times(&run(&config, &collective(&config, 1, 5), 200));
        // Through the crossbar, over the wire, in the next cycle out of the buffer, and back over a wire: x + L + 1 + L
        // + 1 + d.
        let round_trip = u64::from(crossbar_cycles + 1 + 1 + 1 + 1 + credit_cycles);
        assert!(long[0].1 - short[0].1 >= 4 * round_trip, "{long:?} {short:?} {round_trip}");
    }
}

/// Flits received in so many cycles of a network in which all send as much as they can.
fn received(config: &Config) -> u64 {
    let text = "[traffic]\nload = 1.0\npattern = \"uniform\"\nsize = { kind = \"fixed\", flits = 4 }";
    let traffic = bridge::traffic(&config.shared.base, text).expect("possible");
    let mut network = Network::new(config, &traffic);
    (0..600).for_each(|_| network.step());
    network.totals().delivered.flits
}

#[test]
fn every_speed_up_lets_more_through() {
    let mut base = Config::plain(&[3, 3], false);
    (base.shared.base.virtual_channels, base.shared.base.nodes_per_router) = (4, 2);
    let plain = received(&base);
    assert!(received(&Config { input_speedup: 2, output_speedup: 2, ..base.clone() }) > plain);
    assert!(received(&Config { internal_speedup: 2.0, ..base.clone() }) > plain);
    let somewhat = received(&Config { internal_speedup: 1.5, ..base.clone() });
    assert!(somewhat > plain);
}

#[test]
fn two_steps_a_cycle_halve_the_time_in_a_router() {
    // Four stages in two cycles: at the router at 2, through at 3, at the next at 5, through at 6, at its node at 8.
    let config = Config { internal_speedup: 2.0, ..Config::plain(&[5], true) };
    assert_eq!(times(&run(&config, &collective(&config, 1, 1), 60)), [(0, 8)]);
}

/// While others wait, a packet whose way is held sends its flits without a gap.
#[test]
fn a_held_switch_sends_packets_in_one_piece() {
    let mut base = Config::plain(&[3], false);
    base.shared.base.nodes_per_router = 3;
    base.shared.base.virtual_channels = 4;
    let text = "[traffic]\npattern = { kind = \"hot_spot\", nodes = [0], share_percent = 100 }\n\
                size = { kind = \"fixed\", flits = 6 }\n[workload]\nkind = \"collective\"\npackets_per_node = 3";
    let traffic = bridge::traffic(&base.shared.base, text).expect("possible");
    let spread = |hold_switch: bool| {
        let config = Config { hold_switch, ..base.clone() };
        let delivered = run(&config, &traffic, 2000);
        delivered.iter().map(|packet| packet.delivered - packet.entered).sum::<u64>()
    };
    assert!(spread(true) < spread(false));
}

#[test]
fn every_allocator_delivers_everything() {
    let arbiters = [Arbiter::RoundRobin, Arbiter::Matrix];
    let mut kinds: Vec<Allocator> = vec![
        Allocator::Islip { iterations: 2 },
        Allocator::Wavefront,
        Allocator::RoundRobinWavefront,
        Allocator::MaxSize,
        Allocator::Pim { iterations: 1 },
        Allocator::Loa,
        Allocator::Select { iterations: 2 },
    ];
    kinds.extend(arbiters.map(Allocator::SeparableInputFirst));
    kinds.extend(arbiters.map(Allocator::SeparableOutputFirst));
    for kind in kinds {
        let config = Config { vc_allocator: kind, switch_allocator: kind, ..Config::plain(&[3, 3], false) };
        let text = "[traffic]\nsize = { kind = \"fixed\", flits = 3 }\n\
                    [workload]\nkind = \"collective\"\npackets_per_node = 5";
        let traffic = bridge::traffic(&config.shared.base, text).expect("possible");
        let mut network = Network::new(&config, &traffic);
        (0..400).for_each(|_| network.step());
        assert!(network.has_ended(), "{kind:?}");
        assert_eq!(network.totals().delivered.packets, 45);
    }
}
