//! Bubbles keep rings from filling up, and without them they deadlock.

use super::*;
use members::Members;
use state::Mask;

/// Packets in the buffers of the ring that channel 0 of port `port` makes or on their way into one, without those that are on
/// their way out of it.
fn taken(network: &Adaptive<'_, Plain>, port: usize) -> u32 {
    each!(&network.0, fabric => {
        let channel = port * fabric.layout.channels;
        let coming = fabric.coming();
        let leaves = |r: usize| (fabric.routers[r].fronted.get() & !fabric.routers[r].waiting.get()).has(channel);
        (0..fabric.routers.len())
            .map(|r| u32::from(fabric.routers[r].inputs[channel].count) - u32::from(leaves(r)) + coming[r * fabric.layout.network + channel])
            .sum()
    })
}

#[test]
fn no_ring_fills_up_where_packets_leave_a_bubble() {
    for ring in [3, 4, 5] {
        let grid = torus(&[ring]);
        let traffic = traffic(&grid, 1.5, &fixed(4));
        for (scope, requests) in [(Scope::Local, Requests::Parallel), (Scope::Ring, Requests::Random)] {
            for crossbar_outputs in OUTPUTS {
                for buffer_packets in [1, 2, 3] {
                    if buffer_packets == 1 && scope == Scope::Local {
                        continue;
                    }
                    let config = Router {
                        channels: 1,
                        buffer_packets,
                        requests,
                        crossbar_outputs,
                        injection_queues: 2,
                        ..router()
                    };
                    let bubble = Bubble { scope, ..BUBBLE };
                    let mut network =
                        Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Order, bubble), Buffers::Unwatched);
                    let mut delivered = 0;
                    for _ in 0..1_000 {
                        delivered += run(&mut network, 1).delivered.len();
                        for port in 0..2 {
                            let (there, places) = (taken(&network, port), ring * buffer_packets);
                            assert!(there < places, "{there} of {places}: {scope:?} {config:?}");
                        }
                        assert_eq!(network.deadlock(), None);
                    }
                    assert!(delivered > 200, "{scope:?} {config:?}: {delivered}");
                }
            }
        }
    }
}

#[test]
fn a_bubble_for_new_packets_is_asked_for_on_every_channel() {
    let grid = torus(&[4, 4]);
    let traffic = traffic(&grid, 0.9, &fixed(4));
    let entered = |new| {
        let bubble = Bubble { new, ..BUBBLE };
        let mut network =
            Adaptive::new(&grid, &traffic, router(), parts(&grid, Way::Escape, bubble), Buffers::Unwatched);
        run(&mut network, 500).entered.len()
    };
    // Three packets free in an own queue of three: new packets enter where it is empty.
    assert!(entered(3) < entered(0) && entered(3) > 100, "{} {}", entered(3), entered(0));
    // Nobody enters where more is asked for than a buffer holds, except for packets that stay at their router.
    let bubble = Bubble { new: 4, ..BUBBLE };
    let mut network = Adaptive::new(&grid, &traffic, router(), parts(&grid, Way::Escape, bubble), Buffers::Unwatched);
    let log = run(&mut network, 500);
    assert!(log.preferred + log.escaped == 0 && log.delivered.iter().all(|d| d.4 == 0));
}

/// A ring of four without bubbles, on one channel.
fn ring() -> (Grid, Router) {
    (torus(&[4]), Router { channels: 1, buffer_packets: 1, injection_queues: 3, ..router() })
}

#[test]
fn a_ring_without_bubbles_deadlocks_and_says_so() {
    for crossbar_outputs in OUTPUTS {
        for requests in REQUESTS {
            let (grid, config) = ring();
            let config = Router { requests, crossbar_outputs, credit_cycles: 2, ..config };
            let traffic = traffic(&grid, 1.5, &fixed(4));
            let mut network =
                Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Order, NO_BUBBLE), Buffers::Unwatched);
            assert!(!network.is_still());
            let found = (0..100).find_map(|_| {
                run(&mut network, 50);
                network.deadlock()
            });
            let deadlock = found.unwrap_or_else(|| panic!("{requests:?} {crossbar_outputs:?}"));
            assert!(deadlock.cycle.len() == 4 && deadlock.blocked >= 4);
            for (here, next) in deadlock.cycle.iter().zip(deadlock.cycle.iter().cycle().skip(1)) {
                assert_eq!(grid.peer(here.router, usize::from(here.port)), next.router);
                assert_eq!((here.port, here.channels >> next.input.1 & 1), (next.input.0, 1));
            }
            // It stays, and in the end everything stands still.
            run(&mut network, 500);
            assert!(network.deadlock().expect("it is for ever").blocked >= deadlock.blocked);
            let moving = matches!(requests, Requests::Smart);
            assert!(network.is_still() || moving, "{requests:?}");
        }
    }
}

#[test]
fn who_asks_for_more_than_a_buffer_holds_waits_for_itself() {
    // Turning into an escape channel takes three packets free in a buffer of two.
    let grid = torus(&[4, 4]);
    let traffic = traffic(&grid, 0.3, &fixed(4));
    let config = Router { channels: 1, buffer_packets: 2, ..router() };
    let bubble = Bubble { escape: 3, ..BUBBLE };
    let mut network = Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Order, bubble), Buffers::Unwatched);
    let log = run(&mut network, 300);
    assert!(log.delivered.iter().all(|d| d.4 == 0) && network.deadlock().is_none());
}

#[test]
fn overload_is_not_deadlock() {
    let grid = torus(&[4, 4]);
    let traffic = traffic(&grid, 1.5, &fixed(4));
    for requests in REQUESTS {
        let config = Router { requests, injection_queues: 4, source_queue_packets: Some(4), ..router() };
        let mut network = Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Escape, BUBBLE), Buffers::Unwatched);
        for _ in 0..300 {
            run(&mut network, 5);
            assert_eq!((network.deadlock(), network.is_still()), (None, false), "{requests:?}");
        }
        let late = run(&mut network, 100).delivered.len();
        assert!(late > 50, "{requests:?}: {late}");
    }
}
