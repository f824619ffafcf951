//! The books balance in every cycle, whatever the settings.

use super::*;
use crate::contract::queueing::{Point, Side};

/// Combinations of what a switch can be.
fn settings() -> Vec<Router> {
    let mut all = Vec::new();
    for (ingress_packets, egress_packets) in [(4, 4), (8, 5), (16, 32)] {
        for (transfer_cycles, header_cycles, control_flits) in [(4, 0, 1), (2, 1, 2), (1, 7, 5), (3, 3, 1)] {
            for (credit_batch_packets, source_queue_packets) in [(1, None), (4, Some(1)), (2, Some(3))] {
                all.push(Router {
                    ingress_packets,
                    egress_packets,
                    transfer_cycles,
                    header_cycles,
                    control_flits,
                    credit_batch_packets,
                    source_queue_packets,
                    ..router()
                });
            }
        }
    }
    all
}

fn check(grid: &Grid, config: Router, discipline: impl Into<Any>, load: f64, flits: u32) -> Log {
    let traffic = uniform(grid, load, flits);
    let mut network = ioq(grid, &traffic, config, parts(grid, discipline), Buffers::Watched);
    let log = run(&mut network, 300);
    let (counters, mut waiting) = (network.counters(), 0);
    network.backlog(300, |_, lot| {
        let crate::Amount { packets, flits } = lot.amount;
        assert!(lot.cycle < 300 && flits == 4 * packets);
        waiting += packets;
    });
    assert_eq!(counters.delivered, log.delivered.len() as u64);
    assert_eq!((counters.started, counters.entered), (log.started, log.entered));
    assert_eq!(network.in_flight(), log.entered - counters.delivered);
    let sent = log.grants.iter().filter(|grant| grant.channel.is_some()).count() as u64;
    assert_eq!(counters.packet_hops, sent);
    let made = log.delivered.iter().map(|d| d.1 + 1).max().unwrap_or(0);
    assert!(log.delivered.len() > 40, "{config:?}: {counters:?}, {waiting} waiting, {made} made");
    let nodes = grid.nodes() as u32;
    assert!(config.source_queue_packets.is_none_or(|limit| log.most_injection <= limit * nodes));
    log
}

/// A link that is taken for one without credits would send no packet for ever.
#[test]
fn a_link_that_forgets_its_credits_is_found_out() {
    let grid = mesh(&[3, 2], 1, 2);
    let traffic = uniform(&grid, 0.9, 4);
    let discipline = ByDestination { queues: 4, shared: false };
    let mut network = ioq(&grid, &traffic, router(), parts(&grid, discipline), Buffers::Watched);
    run(&mut network, 50);
    each!(&mut network.0, fabric => fabric.notices.work.spend(0));
    assert!(network.audit().is_err());
}

#[test]
fn every_switch_keeps_its_books() {
    let grid = mesh(&[3, 2], 1, 2);
    for config in settings() {
        check(&grid, config, Single, 0.9, 4);
        check(&grid, config, ByDestination { queues: 4, shared: false }, 0.9, 4);
        check(&grid, config, ByDestination { queues: 6, shared: true }, 0.9, 8);
        let log = check(&grid, config, Moody, 0.9, 8);
        assert!(config.ingress_packets > 4 || log.set_aside.len() > 10, "{config:?}: {}", log.set_aside.len());
        assert!(log.messages.len() < log.delivered.len());
    }
}

#[test]
fn the_portable_loop_does_the_same() {
    let grid = mesh(&[3, 2], 1, 2);
    let traffic = uniform(&grid, 0.9, 8);
    for config in settings() {
        let logs = [false, true].map(|portable| {
            let network = ioq(&grid, &traffic, config, parts(&grid, Moody), Buffers::Watched);
            let mut network = if portable { network.portable() } else { network };
            run(&mut network, 200)
        });
        assert!(logs[0].delivered.len() > 20, "{config:?}: {} packets are no test", logs[0].delivered.len());
        assert_eq!(logs[0], logs[1]);
    }
}

#[test]
fn many_queues_and_several_nodes_a_switch() {
    let grid = mesh(&[3, 3], 9, 1);
    let config = Router { ingress_packets: 243, egress_packets: 162, ..router() };
    // Those that share a memory are at most 64.
    for (queues, shared) in [(81, false), (64, true)] {
        let log = check(&grid, config, ByDestination { queues, shared }, 0.5, 4);
        assert!(log.delivered.len() > 1_000, "{}", log.delivered.len());
    }
}

#[test]
fn large_switches() {
    let grid = Grid::new(&[2], &[true], 62, 1);
    assert_eq!(port_count(&(&grid).into()), MAX_PORTS);
    let log = check(&grid, router(), Single, 0.3, 4);
    assert!(log.delivered.len() > 300, "{}", log.delivered.len());
    check(&grid, router(), Moody, 0.3, 4);
}

#[test]
fn a_burst_drains() {
    let grid = mesh(&[3, 3], 1, 1);
    let traffic = traffic(&grid, &uniform_text(1.0, 8), Some(20));
    for config in settings() {
        let mut network = ioq(&grid, &traffic, config, parts(&grid, Moody), Buffers::Watched);
        let log = run(&mut network, 2_500);
        assert_eq!((log.delivered.len(), log.messages.len(), network.in_flight()), (360, 180, 0), "{config:?}");
        assert_eq!((log.flits, network.deadlock(), network.is_still()), (0, None, false));
        // All notices have been taken back.
        let mut in_use = 0;
        network.points(&mut |_| in_use += 1);
        assert_eq!(in_use, 0);
        let last = |side: Side| log.set_aside.iter().rev().find(|change| change.side == side).map(|c| c.in_use);
        assert!(last(Side::Ingress).is_none_or(|n| n == 0) && last(Side::Egress).is_none_or(|n| n == 0));
    }
}

#[test]
fn points_are_those_of_the_disciplines() {
    let grid = mesh(&[3, 3], 1, 1);
    let traffic = uniform(&grid, 0.9, 4);
    let mut network = ioq(&grid, &traffic, router(), parts(&grid, Moody), Buffers::Unwatched);
    let mut seen = [0, 0];
    for _ in 0..300 {
        run(&mut network, 1);
        network.points(&mut |point: Point| {
            assert!(point.router < 9 && point.port < 5 && point.turns.len == 1 && point.side != Side::Adapter);
            seen[usize::from(point.side == Side::Egress)] += 1;
        });
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

#[test]
fn the_state_of_a_run_is_a_function_of_its_seed_alone() {
    let grid = Grid::new(&[4, 4], &[true; 2], 1, 1);
    let traffic = uniform(&grid, 0.3, 4);
    for adaptive in [true, false] {
        let logs = [1, 1, 2].map(|seed| {
            let mut parts = parts(&grid, ByDestination { queues: 2, shared: true });
            parts.routing.adaptive = adaptive;
            run(&mut ioq(&grid, &traffic, Router { seed, ..router() }, parts, Buffers::Unwatched), 300)
        });
        assert_eq!(logs[0], logs[1]);
        assert_eq!(logs[0] != logs[2], adaptive);
    }
}

#[test]
fn a_full_queue_stalls_its_node() {
    let grid = mesh(&[3, 3], 1, 1);
    let traffic = uniform(&grid, 2.0, 4);
    let run_of = |source_queue_packets| {
        let config = Router { source_queue_packets, ..router() };
        let mut network = ioq(&grid, &traffic, config, parts(&grid, Single), Buffers::Unwatched);
        let log = run(&mut network, 600);
        (log.most_injection, log.delivered)
    };
    let (few, finite) = run_of(Some(1));
    let (many, infinite) = run_of(None);
    assert!(few <= 9 && many > 100, "{few} {many}");
    // What is made is made in order, and numbered without a gap.
    for node in 0..9 {
        let mut births: Vec<_> = finite.iter().filter(|d| d.0 == node).map(|d| (d.1, d.3)).collect();
        births.sort_unstable();
        assert!(births.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
    }
    assert!(finite.len() * 10 > infinite.len() * 7);
}
