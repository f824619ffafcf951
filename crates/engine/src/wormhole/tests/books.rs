//! The books balance in every cycle, whatever the settings.

use super::mechanisms::{Gate, Timeout, Turns, Way};
use super::*;

const SIZES: &str = "{ kind = \"bimodal\", short_flits = 1, long_flits = 9, long_percent = 50.0 }";

/// All combinations of what a router can be.
fn settings() -> Vec<Router> {
    let mut all = Vec::new();
    for sharing in [Sharing::Owned, Sharing::Shared, Sharing::SharedWhole] {
        for channel_allocator in
            [ChannelAllocator::Central, ChannelAllocator::InputFirst, ChannelAllocator::OutputFirst]
        {
            for switch_allocator in [SwitchAllocator::InputFirst, SwitchAllocator::OutputFirst] {
                for crossbar_inputs in [CrossbarInputs::Port, CrossbarInputs::Channel] {
                    for speculative in [false, true] {
                        all.push(Router {
                            sharing,
                            channel_allocator,
                            switch_allocator,
                            crossbar_inputs,
                            speculative,
                            buffer_flits: 3,
                            injection_channels: 2,
                            ejection_channels: Some(2),
                            ..router()
                        });
                    }
                }
            }
        }
    }
    all
}

/// Runs a loaded network and lets it drain; nothing may be lost.
fn check(grid: &Grid, config: Router, parts: Parts<Plain>, load: f64) -> Log {
    let traffic = traffic(grid, load, SIZES);
    let mut network = Wormhole::new(grid, &traffic, config, parts, Buffers::Watched);
    let log = run(&mut network, 400);
    let counters = network.counters();
    assert_eq!(log.link_flits + log.ejected_flits > 0, counters.delivered > 0, "{config:?}");
    let mut waiting = 0;
    network.backlog(400, |_, lot| {
        assert!(lot.cycle < 400);
        waiting += lot.amount.packets;
    });
    assert!(counters.started >= counters.entered && counters.entered >= counters.delivered);
    assert_eq!(counters.delivered, log.delivered.len() as u64);
    assert!(log.delivered.len() > 100 || waiting > 0, "{config:?}: {counters:?}");
    log
}

#[test]
fn every_router_keeps_its_books() {
    let grid = Grid::new(&[3, 3], &[false, false], 1, 2);
    for config in settings() {
        for way in [Way::Order, Way::Escape] {
            let log = check(&grid, config, parts(&grid, way), 0.4);
            assert!(log.delivered.len() > 100, "{config:?}, {way:?}: {}", log.delivered.len());
        }
    }
}

#[test]
fn the_portable_loop_and_every_shape_do_the_same() {
    let grid = Grid::new(&[4, 4], &[false, false], 1, 1);
    let traffic = traffic(&grid, 0.4, SIZES);
    let logs = [false, true].map(|portable| {
        let network = Wormhole::new(&grid, &traffic, router(), parts(&grid, Way::Escape), Buffers::Unwatched);
        let mut network = if portable { network.portable() } else { network };
        run(&mut network, 500)
    });
    assert_eq!(logs[0], logs[1]);
    let config = Router { channels: 7, ejection_channels: None, injection_channels: 3, ..router() };
    assert!(matches!(
        Wormhole::new(&grid, &traffic, config, parts(&grid, Way::Order), Buffers::Unwatched).0,
        Shaped::Medium(_)
    ));
    check(&grid, config, parts(&grid, Way::Escape), 0.6);
    let config = Router { channels: 15, injection_channels: 4, ..router() };
    assert!(matches!(
        Wormhole::new(&grid, &traffic, config, parts(&grid, Way::Order), Buffers::Unwatched).0,
        Shaped::Wide(_)
    ));
    check(&grid, config, parts(&grid, Way::Escape), 0.6);
}

#[test]
fn routers_side_by_side_do_what_they_do_one_by_one() {
    // 72 routers: a block that is full and one that is not.
    let grid = Grid::new(&[9, 8], &[true, false], 1, 2);
    for config in settings() {
        let config = Router { channels: 3, ..config };
        let logs = [true, false].map(|says_so| {
            let traffic = traffic(&grid, 0.5, SIZES);
            let turns = || Turns(says_so);
            let (input_arbiter, output_arbiter) = (turns(), turns());
            let parts = Parts { input_arbiter, output_arbiter, ..parts(&grid, Way::Adaptive) };
            run(&mut Wormhole::new(&grid, &traffic, config, parts, Buffers::Unwatched), 300)
        });
        assert!(logs[0] == logs[1] && logs[0].link_flits > 100, "{config:?}");
    }
}

#[test]
fn a_throttle_holds_packets_back() {
    let grid = Grid::new(&[3, 3], &[false, false], 2, 1);
    let throttled = Parts { admission: Gate(true), ..parts(&grid, Way::Escape) };
    let gated = check(&grid, router(), throttled, 0.5);
    let open = check(&grid, router(), parts(&grid, Way::Escape), 0.5);
    assert!(gated.delivered.len() < open.delivered.len() && gated.delivered.len() > 100);
}

#[test]
fn a_finite_queue_holds_no_more_than_it_may() {
    let grid = Grid::new(&[3, 3], &[false, false], 1, 1);
    for (packets, injection_channels) in [(1, 1), (1, 3), (3, 2), (4, 1)] {
        let traffic = traffic(&grid, 1.0, SIZES);
        let config = Router { source_queue_packets: Some(packets), injection_channels, routing_cycles: 1, ..router() };
        let mut network = Wormhole::new(&grid, &traffic, config, parts(&grid, Way::Order), Buffers::Unwatched);
        run(&mut network, 500);
        let mut waiting = [0; 9];
        network.backlog(500, |node, lot| waiting[node as usize] += lot.amount.packets);
        assert!(waiting.iter().all(|&n| n <= u64::from(packets)), "{waiting:?}");
        assert!(network.counters().delivered > 200);
    }
}

/// A ring that all packets go round, on one channel: it deadlocks.
fn ring() -> (Grid, Router) {
    (Grid::new(&[4, 4], &[true, true], 1, 1), Router { channels: 1, buffer_flits: 2, ..router() })
}

#[test]
fn a_deadlock_is_found_and_is_one() {
    let (grid, config) = ring();
    for sharing in [Sharing::Owned, Sharing::Shared] {
        let config = Router { sharing, ..config };
        let traffic = traffic(&grid, 0.9, &fixed(9));
        let mut network = Wormhole::new(&grid, &traffic, config, parts(&grid, Way::Adaptive), Buffers::Unwatched);
        let found = (0..200).find_map(|_| {
            run(&mut network, 50);
            network.deadlock()
        });
        let deadlock = found.expect("a ring without datelines deadlocks");
        let cycle = &deadlock.cycle;
        assert!(cycle.len() >= 2 && deadlock.blocked >= cycle.len());
        for (here, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            assert_eq!(grid.peer(here.router, usize::from(here.port)), next.router);
            assert_eq!(here.port, next.input.0);
            assert!(here.channels >> next.input.1 & 1 == 1);
        }
        // It stays.
        run(&mut network, 500);
        assert!(network.deadlock().expect("it is for ever").blocked >= deadlock.blocked);
    }
}

#[test]
fn a_network_that_is_still_says_so() {
    let (grid, config) = ring();
    let traffic = traffic(&grid, 0.9, &fixed(9));
    let mut network = Wormhole::new(&grid, &traffic, config, parts(&grid, Way::Adaptive), Buffers::Unwatched);
    assert!(!network.is_still());
    run(&mut network, 20);
    assert!(!network.is_still());
    run(&mut network, 8_000);
    assert!(network.is_still() && network.deadlock().is_some());
}

#[test]
fn recovery_takes_packets_over_and_they_arrive() {
    let (grid, config) = ring();
    for settings in settings() {
        let config = Router { routing_cycles: 1, buffer_flits: config.buffer_flits, channels: 1, ..settings };
        let recovery = Timeout { patience: 20, grid: grid.clone() };
        let traffic = traffic(&grid, 0.6, SIZES);
        let parts = Parts { recovery, ..parts(&grid, Way::Adaptive) };
        let mut network = Wormhole::new(&grid, &traffic, config, parts, Buffers::Watched);
        let log = run(&mut network, 1_200);
        assert!(
            log.recovered > 0 && log.delivered.len() > 200,
            "{config:?}: {} {}",
            log.recovered,
            log.delivered.len()
        );
        let late = log.delivered.iter().filter(|d| d.3 > 1_000).count();
        assert!(late > 10 && network.deadlock().is_none() && !network.is_still());
    }
}
