//! The reference model against cycles counted by hand.

use super::*;
use crate::bridge;

fn config(radix: &[u32], wrap: bool) -> Config {
    Config {
        graph: None,
        radix: radix.to_vec(),
        wrap: vec![wrap; radix.len()],
        nodes_per_router: 1,
        link_cycles: 1,
        virtual_channels: 2,
        buffer_flits: 8,
        header_cycles: 1,
        credit_cycles: 1,
        ejection_channels: None,
        message_classes: 1,
        cross_line: None,
        ejection_packets: None,
        source_queue_packets: None,
        arbiter: Arbiter::RoundRobin,
        datelines: Datelines::One,
        numbering: Numbering::Reset,
        keeps_channel: false,
        shares_middle: false,
        tie: Tie::Plus,
        admission: Admission::Off,
        seed: 1,
    }
}

/// `packets` packets of `flits` from the source of each of `flows`, all at cycle 0.
fn collective(config: &Config, packets: u32, flits: u32, pattern: &str) -> Traffic {
    let text = format!(
        "[traffic]\npattern = {pattern}\nsize = {{ kind = \"fixed\", flits = {flits} }}\n\
         [workload]\nkind = \"collective\"\npackets_per_node = {packets}"
    );
    bridge::traffic(config, &text).expect("possible")
}

const NEIGHBOUR: &str = "{ kind = \"neighbour\" }";

#[test]
fn one_hop_takes_two_headers_a_link_and_the_packet() {
    let config = Config { header_cycles: 3, link_cycles: 2, ..config(&[5], true) };
    let outcome = run(&config, &collective(&config, 1, 4, NEIGHBOUR), 40);
    assert_eq!(outcome.delivered.len(), 5);
    for packet in &outcome.delivered {
        // Asks at 3, head arrives at 5, asks to be consumed at 8, tail received at 12.
        assert_eq!((packet.birth, packet.entered, packet.delivered, packet.hops), (0, 3, 12, 1));
    }
    // Flits arrive in 5..=8 and leave in 8..=11.
    assert_eq!(outcome.occupancy[4..13], [0, 5, 10, 15, 15, 10, 5, 0, 0]);
    assert_eq!(outcome.in_flight[2..4], [0, 5]);
    assert_eq!(outcome.in_flight[11..13], [5, 0]);
}

#[test]
fn the_next_packet_leaves_when_the_tail_has_left() {
    let config = config(&[3], true);
    let outcome = run(&config, &collective(&config, 3, 4, NEIGHBOUR), 40);
    let entered: Vec<u64> = outcome.delivered[..3].iter().map(|packet| packet.entered).collect();
    // A buffer of 8 holds two packets; the third is granted when the first has left: it leaves in 3..=6, its last credit
    // is back at 7, and the source has sent the second in 5..=8.
    assert_eq!(entered, [1, 5, 9]);
}

#[test]
fn a_packet_waits_for_room_for_all_of_it() {
    let config = Config { buffer_flits: 5, header_cycles: 4, virtual_channels: 1, ..config(&[2], false) };
    let outcome = run(&config, &collective(&config, 2, 3, NEIGHBOUR), 40);
    // The first: granted at 4, arrives in 5..=7, leaves in 9..=11. The second needs 3 of 5 places: 2 are free until the
    // credit of the flit that leaves in 9 is known in 10.
    let entered: Vec<u64> = outcome.delivered[..2].iter().map(|packet| packet.entered).collect();
    assert_eq!(entered, [4, 10]);
}

#[test]
fn one_ejection_channel_serves_one_packet_at_a_time() {
    let hot = "{ kind = \"hot_spot\", nodes = [1], share_percent = 100 }";
    for (channels, expected) in [(None, [7, 7]), (Some(1), [7, 11])] {
        let config = Config { ejection_channels: channels, ..config(&[3], false) };
        let outcome = run(&config, &collective(&config, 1, 4, hot), 40);
        let to_middle: Vec<u64> =
            outcome.delivered.iter().filter(|packet| packet.destination == 1).map(|packet| packet.delivered).collect();
        assert_eq!(to_middle, expected, "{channels:?}");
    }
}

#[test]
fn a_full_source_queue_delays_generation() {
    let config = Config { source_queue_packets: Some(1), ..config(&[3], true) };
    let outcome = run(&config, &collective(&config, 2, 4, NEIGHBOUR), 40);
    let times: Vec<(u64, u64)> = outcome.delivered[..2].iter().map(|packet| (packet.birth, packet.entered)).collect();
    // The first leaves in 1..=4, so the second is made at 5 and asks a header later.
    assert_eq!(times, [(0, 1), (5, 6)]);
}

#[test]
fn routes_are_minimal_and_turn_once_a_dimension() {
    let base = config(&[4, 5], true);
    let route = |tie, to: [u32; 2]| {
        let config = Config { tie, ..base.clone() };
        config.route(0, 0, config.router_at(&to) as u32)
    };
    assert_eq!(route(Tie::Plus, [1, 4]), [0, 3]);
    assert_eq!(route(Tie::Plus, [2, 2]), [0, 0, 2, 2]);
    assert_eq!(route(Tie::Minus, [2, 3]), [1, 1, 3, 3]);
    let mesh = Config { wrap: vec![false; 2], ..base };
    assert_eq!(mesh.route(0, 0, 3), [0, 0, 0]);
    assert_eq!(mesh.neighbour(3, 0), None);
}

#[test]
fn datelines_are_crossed_in_both_directions() {
    let two = Config { datelines: Datelines::Two, ..config(&[5], true) };
    let up: Vec<bool> = (0..5).map(|router| two.crosses_dateline(router, 0)).collect();
    let down: Vec<bool> = (0..5).map(|router| two.crosses_dateline(router, 1)).collect();
    assert_eq!(up, [false, true, false, false, true]);
    assert_eq!(down, [true, false, true, false, false]);
    let carry = Config { numbering: Numbering::Carry, virtual_channels: 5, ..config(&[4, 4], true) };
    assert_eq!([0, 1, 2].map(|class| carry.channels_of(class)), [vec![0, 1], vec![2, 3], vec![4]]);
}

#[test]
fn a_busy_buffer_is_known_a_hop_a_cycle_earlier() {
    let spth = Admission::Spth {
        margin_flits: 0,
        inclusive: true,
        level: Level::Edge,
        register_bits: Some(3),
        registers: Registers::Any,
        propagation: Propagation::Ideal,
    };
    let config = Config { admission: spth, virtual_channels: 1, datelines: Datelines::None, ..config(&[6], false) };
    let mut throttle = throttle::Throttle::new(&config);
    // The buffer of router 4 that port 0 feeds is full in the first cycle only.
    throttle.observe(&config, |router, port, _| if (router, port) == (4, 0) { 8 } else { 0 });
    for blocked in [3, 2, 1] {
        let admitted: Vec<usize> = (0..6).filter(|&router| throttle.admits(&config, router, 0, &[0])).collect();
        let others: Vec<usize> = (0..6).filter(|&router| router != blocked).collect();
        assert_eq!(admitted, others);
        throttle.observe(&config, |_, _, _| 0);
    }
    assert!((0..6).all(|router| throttle.admits(&config, router, 0, &[0])));
}
