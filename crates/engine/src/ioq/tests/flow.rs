//! Order, fairness, deadlock.

use super::*;

/// Every pair's packets arrive in the order of making.
fn in_order(log: &Log) -> bool {
    let mut last = std::collections::BTreeMap::new();
    log.delivered.iter().all(|d| last.insert((d.0, d.2), d.1).is_none_or(|before| before < d.1))
}

#[test]
fn the_order_of_a_pair_is_kept_under_overload() {
    let grid = mesh(&[4, 3], 1, 2);
    let traffic = uniform(&grid, 1.5, 8);
    let config = Router { transfer_cycles: 2, ..router() };
    let logs = [
        run(&mut ioq(&grid, &traffic, config, parts(&grid, Single), Buffers::Unwatched), 1_500),
        run(
            &mut ioq(
                &grid,
                &traffic,
                config,
                parts(&grid, ByDestination { queues: 4, shared: false }),
                Buffers::Unwatched,
            ),
            1_500,
        ),
        run(
            &mut ioq(
                &grid,
                &traffic,
                config,
                parts(&grid, ByDestination { queues: 12, shared: true }),
                Buffers::Unwatched,
            ),
            1_500,
        ),
        run(&mut ioq(&grid, &traffic, config, parts(&grid, Moody), Buffers::Unwatched), 1_500),
    ];
    for log in logs {
        assert!(in_order(&log) && log.delivered.len() > 800, "{}", log.delivered.len());
    }
}

#[test]
fn packets_on_different_ways_overtake_each_other() {
    let grid = mesh(&[4, 4], 1, 2);
    let traffic = uniform(&grid, 1.5, 4);
    let mut parts = parts(&grid, Single);
    parts.routing.adaptive = true;
    let log = run(&mut ioq(&grid, &traffic, router(), parts, Buffers::Unwatched), 1_000);
    assert!(!in_order(&log));
    assert!(log.delivered.iter().all(|d| d.6 == grid.distance(d.0, d.2)));
}

#[test]
fn inputs_take_turns() {
    // Node 1 in the middle is a hot spot of all others. The packets of both neighbours wait at its switch.
    let grid = mesh(&[3], 1, 1);
    let text = "load = 1.0\npacket_flits = 4\nprocess = { kind = \"bernoulli\" }\nsize = { kind = \"fixed\", flits = 4 }\n\
                pattern = { kind = \"hot_spot\", nodes = [1], share_percent = 100.0 }";
    let traffic = traffic(&grid, text, None);
    let mut network = ioq(&grid, &traffic, router(), parts(&grid, Single), Buffers::Unwatched);
    run(&mut network, 200);
    let log = run(&mut network, 1_000);
    let senders: Vec<u32> = log.delivered.iter().filter(|d| d.2 == 1).map(|d| d.0).collect();
    assert!(senders.len() > 200 && senders.windows(2).all(|pair| pair[0] != pair[1]), "{senders:?}");
}

#[test]
fn a_ring_with_one_queue_deadlocks_and_says_so() {
    let grid = Grid::new(&[8], &[true], 1, 1);
    let traffic = uniform(&grid, 2.0, 4);
    let config = Router { ingress_packets: 2, egress_packets: 2, source_queue_packets: Some(2), ..router() };
    let mut network = ioq(&grid, &traffic, config, parts(&grid, Single), Buffers::Unwatched);
    let found = (0..200).find_map(|_| {
        run(&mut network, 20);
        network.deadlock()
    });
    let deadlock = found.expect("packets go half way around a ring");
    assert!(deadlock.cycle.len() == 8 && deadlock.blocked >= 16, "{deadlock:?}");
    for (here, next) in deadlock.cycle.iter().zip(deadlock.cycle.iter().cycle().skip(1)) {
        assert_eq!((grid.peer(here.router, usize::from(here.port)), here.port), (next.router, next.input.0));
    }
    let mut waiting = Vec::new();
    network.waiting(&mut |head| waiting.push((head.router, head.input)));
    assert!(deadlock.cycle.iter().all(|head| waiting.contains(&(head.router, head.input.0))), "{waiting:?}");
    run(&mut network, 2_000);
    assert!(network.is_still() && network.deadlock().expect("it is for ever").blocked >= deadlock.blocked);
}

#[test]
fn overload_is_not_deadlock() {
    let grid = mesh(&[3, 3], 1, 1);
    let traffic = uniform(&grid, 1.5, 4);
    let mut network = ioq(&grid, &traffic, router(), parts(&grid, Moody), Buffers::Unwatched);
    for _ in 0..200 {
        run(&mut network, 5);
        assert_eq!((network.deadlock(), network.is_still()), (None, false));
    }
}
