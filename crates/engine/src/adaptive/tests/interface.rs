//! Injection queues: finite ones stall their node, shared ones take turns, messages are cut and put together.

use super::*;

#[test]
fn a_finite_queue_stalls_its_node_and_the_gap_begins_when_there_is_room() {
    // All packets to one queue of one packet: the next is made in the cycle in which the tail before has left.
    let grid = Grid::new(&[2], &[false], 1, 1);
    let traffic = burst(&grid, 50, &fixed(4));
    let config = Router { source_queue_packets: Some(1), injection_queues: 2, ejection_channels: None, ..router() };
    let mut network = Adaptive::new(
        &grid,
        &traffic,
        config,
        Parts { injection: Policy::Always(1), ..parts(&grid, Way::Order, NO_BUBBLE) },
        Buffers::Unwatched,
    );
    let log = run(&mut network, 400);
    assert_eq!((log.delivered.len(), log.most_injection), (100, 1));
    for node in 0..2u32 {
        let entered = |index: u64| log.entered.iter().find(|e| (e.0, e.1) == (node, index)).expect("it entered").2;
        let births: Vec<u64> = log.delivered.iter().filter(|d| d.0 == node).map(|d| d.2).collect();
        assert_eq!(births[0], 0);
        for (index, &birth) in births.iter().enumerate().skip(1) {
            assert_eq!(birth, entered(index as u64 - 1) + 4);
        }
    }
}

#[test]
fn two_queues_of_a_node_send_at_once() {
    // Packets go both ways round: a node with two queues sends more than a flit a cycle.
    let grid = torus(&[5]);
    let traffic = burst(&grid, 100, &fixed(4));
    let config = Router { ejection_channels: None, ..router() };
    let entered = |injection_queues, interface_channels| {
        let config = Router { injection_queues, interface_channels, ..config };
        let mut network =
            Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Dateline, NO_BUBBLE), Buffers::Unwatched);
        run(&mut network, 120).entered.len()
    };
    let one = entered(1, InterfaceChannels::Physical);
    let two = entered(2, InterfaceChannels::Physical);
    // Shared, it sends a flit a cycle, whatever the number of its queues.
    let shared = entered(2, InterfaceChannels::Virtual { router_packets: 8 });
    assert!(one <= 150 && shared <= 150 && two > 150 && shared > 100, "{one} {two} {shared}");
}

#[test]
fn a_shared_channel_takes_turns_and_lets_a_packet_ask_when_its_transfer_begins() {
    let grid = Grid::new(&[2], &[false], 1, 1);
    let traffic = burst(&grid, 6, &fixed(4));
    let config = Router {
        injection_queues: 2,
        header_cycles: 1,
        ejection_channels: None,
        interface_channels: InterfaceChannels::Virtual { router_packets: 2 },
        ..router()
    };
    let mut network = Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Order, NO_BUBBLE), Buffers::Unwatched);
    let log = run(&mut network, 100);
    let mut first: Vec<u64> = log.entered.iter().filter(|e| e.0 == 0).map(|e| e.2).collect();
    first.sort_unstable();
    // Transfers begin in 0, 4, 8, ...; each packet asks a header later, and nothing is in its way.
    assert_eq!(first, [1, 5, 9, 13, 17, 21]);
}

#[test]
fn messages_are_cut_and_delivered_with_their_last_packet() {
    let grid = torus(&[4, 4]);
    let size = "{ kind = \"bimodal\", short_flits = 4, long_flits = 20, long_percent = 50.0 }";
    let traffic = traffic(&grid, 0.9, size);
    for limit in [None, Some(2)] {
        let config = Router { source_queue_packets: limit, injection_queues: 2, ..router() };
        let mut network = Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Escape, BUBBLE), Buffers::Unwatched);
        let log = run(&mut network, 1_000);
        assert!(log.messages.len() > 100);
        let (long, short): (Vec<&Message>, Vec<&Message>) = log.messages.iter().partition(|m| m.flits == 20);
        assert!(long.len() > 30 && short.len() > 30 && short.iter().all(|m| m.flits == 4));
        for message in &log.messages {
            let births = |d: &&Delivered| d.0 == message.source && d.2 == message.birth;
            assert!(log.delivered.iter().any(|d| births(&d)), "it was born with a packet");
            assert!(log.delivered.iter().any(|d| d.0 == message.source && d.3 == message.cycle));
        }
        let flits: u32 = log.messages.iter().map(|m| m.flits).sum();
        assert!(u64::from(flits) <= network.counters().delivered_flits);
        if limit == Some(2) {
            assert_eq!(log.most_injection, 2);
            // A message of five packets is not made in one cycle.
            let spread =
                log.delivered.iter().any(|d| log.delivered.iter().any(|e| e.0 == d.0 && e.1 == d.1 + 1 && e.2 > d.2));
            assert!(spread);
        } else {
            let born = |d: &Delivered| log.delivered.iter().filter(|e| e.0 == d.0 && e.2 == d.2).count();
            assert!(log.delivered.iter().any(|d| born(d) == 5));
        }
    }
}

#[test]
fn packets_go_to_the_queue_that_the_policy_chooses() {
    let grid = torus(&[5, 5]);
    let traffic = traffic(&grid, 0.3, &fixed(4));
    let config = Router { injection_queues: 4, ..router() };
    let parts = Parts { injection: Policy::Direction, ..parts(&grid, Way::Order, BUBBLE) };
    let mut network = Adaptive::new(&grid, &traffic, config, parts, Buffers::Unwatched);
    run(&mut network, 400);
    each!(&network.0, fabric => {
        let waiting = fabric.interface.queues.iter().enumerate();
        for (n, made) in waiting.flat_map(|(n, q)| q.waiting.iter().map(move |made| (n, made))) {
            let (here, there) = (grid.coordinates(n as u32 / 4), grid.coordinates(made.packet.router));
            let d = (0..2).find(|&d| here[d] != there[d]);
            assert!(d.is_none_or(|d| d == n % 4 / 2));
        }
    });
}
