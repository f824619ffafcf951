//! The books balance in every cycle, whatever the settings.

use super::*;

/// Combinations of what a router can be.
fn settings() -> Vec<Router> {
    let mut all = Vec::new();
    for requests in REQUESTS {
        for crossbar_outputs in OUTPUTS {
            for (number, interface_channels) in
                [InterfaceChannels::Physical, InterfaceChannels::Virtual { router_packets: 2 }].into_iter().enumerate()
            {
                all.push(Router {
                    requests,
                    crossbar_outputs,
                    interface_channels,
                    header_cycles: number as u32,
                    turn_cycles: 1,
                    credit_cycles: 1 + 2 * number as u32,
                    injection_queues: 1 + number as u32,
                    source_queue_packets: Some(3),
                    transit_first: number == 1,
                    escape_first: number == 1,
                    ..router()
                });
            }
        }
    }
    all
}

fn check(grid: &Grid, config: Router, parts: Parts<Plain>, load: f64) -> Log {
    let traffic = traffic(grid, load, &fixed(4));
    let mut network = Adaptive::new(grid, &traffic, config, parts, Buffers::Watched);
    let log = run(&mut network, 500);
    let counters = network.counters();
    let mut waiting = 0;
    network.backlog(500, |_, lot| {
        let crate::Amount { packets, flits } = lot.amount;
        assert!(lot.cycle < 500 && flits == 4 * packets);
        waiting += packets;
    });
    assert_eq!(counters.delivered, log.delivered.len() as u64);
    assert_eq!((counters.started, counters.entered), (log.started, log.entered.len() as u64));
    assert_eq!(log.messages.len(), log.delivered.len());
    let sent = log.grants.iter().filter(|grant| grant.channel.is_some()).count() as u64;
    assert_eq!(counters.packet_hops, sent);
    assert!(log.delivered.len() > 100, "{config:?}: {counters:?}, {waiting} waiting");
    assert!(log.most_injection <= config.source_queue_packets.unwrap_or(u32::MAX));
    log
}

#[test]
fn every_router_keeps_its_books() {
    let grid = torus(&[3, 4]);
    for config in settings() {
        for (way, flow_control) in [
            (Way::Escape, BUBBLE),
            (Way::Order, BUBBLE),
            (Way::Escape, Bubble { scope: Scope::Ring, ..BUBBLE }),
            (Way::Escape, Bubble { escape: 1, new: 2, scope: Scope::Ring }),
            (Way::Dateline, NO_BUBBLE),
        ] {
            let log = check(&grid, config, parts(&grid, way, flow_control), 0.9);
            assert!(way != Way::Escape || log.escaped > 0 && log.preferred > 0, "{config:?}: {}", log.escaped);
        }
    }
}

#[test]
fn large_routers_and_several_nodes_a_router() {
    let grid = Grid::new(&[3, 2, 3], &[true, false, true], 2, 2);
    let config = Router { channels: 3, injection_queues: 6, ejection_channels: None, ..router() };
    for crossbar_outputs in OUTPUTS {
        let config = Router { crossbar_outputs, ..config };
        assert!(port_counts((grid.ports(), grid.nodes_per_router()), &config).0 > 16);
        let parts = Parts { injection: Policy::Direction, ..parts(&grid, Way::Escape, BUBBLE) };
        let log = check(&grid, Router { ejection_channels: Some(2), ..config }, parts, 0.8);
        let grants = |inject: bool| log.grants.iter().filter(|grant| grant.injected == inject).count();
        assert!(grants(true) > 100 && grants(false) > 100);
    }
}

#[test]
fn a_throttle_holds_packets_back() {
    let grid = torus(&[4, 4]);
    for crossbar_outputs in OUTPUTS {
        let config = Router { crossbar_outputs, ..router() };
        let throttled = Parts { admission: mechanisms::Gate(true), ..parts(&grid, Way::Escape, BUBBLE) };
        let gated = check(&grid, config, throttled, 0.9);
        let open = check(&grid, config, parts(&grid, Way::Escape, BUBBLE), 0.9);
        assert!(gated.delivered != open.delivered && gated.entered.len() < open.entered.len());
    }
}

#[test]
fn the_state_of_a_run_is_a_function_of_its_seed_alone() {
    let grid = torus(&[4, 4]);
    let traffic = traffic(&grid, 0.9, &fixed(4));
    for requests in REQUESTS {
        let logs = [1, 1, 2].map(|seed| {
            let config = Router { requests, seed, channels: 3, ..router() };
            run(&mut Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Escape, BUBBLE), Buffers::Unwatched), 300)
        });
        assert_eq!(logs[0], logs[1]);
        let draws = matches!(requests, Requests::Random | Requests::Smart | Requests::Stay);
        assert_eq!(logs[0] != logs[2], draws, "{requests:?}");
    }
}

#[test]
fn a_burst_drains() {
    let grid = torus(&[4, 4]);
    let traffic = burst(&grid, 20, &fixed(4));
    for config in settings() {
        let mut network = Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Escape, BUBBLE), Buffers::Unwatched);
        let log = run(&mut network, 1_500);
        assert_eq!((log.delivered.len(), network.in_flight(), network.deadlock()), (320, 0, None), "{config:?}");
        assert!(!network.is_still());
    }
}

#[test]
fn the_portable_loop_does_the_same() {
    let grid = torus(&[4, 4]);
    let traffic = traffic(&grid, 0.9, &fixed(4));
    for config in settings() {
        let logs = [false, true].map(|portable| {
            let network = Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Escape, BUBBLE), Buffers::Unwatched);
            let mut network = if portable { network.portable() } else { network };
            run(&mut network, 200)
        });
        assert_eq!(logs[0], logs[1]);
    }
}
