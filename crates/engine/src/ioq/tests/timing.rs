//! Times of the page, to the cycle.

use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// A few packets from everywhere to everywhere, so far apart that none meets another.
fn alone(grid: &Grid) -> Traffic {
    uniform(grid, 0.0004, 4)
}

#[test]
fn zero_load_latency_at_every_distance() {
    for (radix, nodes, link) in [(vec![3, 3], 1, 1), (vec![5], 3, 3), (vec![2, 3, 2], 2, 2)] {
        let grid = mesh(&radix, nodes, link);
        let traffic = alone(&grid);
        for (transfer_cycles, header_cycles) in [(4, 0), (2, 0), (3, 1), (1, 5), (4, 2)] {
            let config = Router { transfer_cycles, header_cycles, ..router() };
            let mut network = ioq(&grid, &traffic, config, parts(&grid, Single), Buffers::Unwatched);
            let mut log = Log::default();
            (0..60_000).for_each(|_| network.step(&mut log));
            let delay = u64::from(header_cycles.max(4 - transfer_cycles));
            let link = u64::from(link);
            let (mut seen, mut exact) = ([0; 8], 0);
            for &(source, _, destination, birth, _, delivered, hops) in &log.delivered {
                assert_eq!(hops, grid.distance(grid.router_of(source), grid.router_of(destination)));
                let latency = (u64::from(hops) + 2) * (link + 1) + (u64::from(hops) + 1) * delay + 4;
                assert!(delivered - birth >= latency, "{hops} hops");
                // Two may meet by chance.
                exact += usize::from(delivered - birth == latency);
                seen[hops as usize] += 1;
            }
            let farthest: u32 = radix.iter().map(|k| k - 1).sum();
            assert!(seen[..=farthest as usize].iter().all(|&n| n > 0), "{seen:?}");
            assert!(exact * 100 > log.delivered.len() * 97, "{exact} of {}", log.delivered.len());
        }
    }
}

/// Fixed messages of one packet, at this load, under this pattern.
fn pattern(load: f64, pattern: &str) -> String {
    format!(
        "load = {load:?}\npacket_flits = 4\nprocess = {{ kind = \"bernoulli\" }}\n\
         size = {{ kind = \"fixed\", flits = 4 }}\npattern = {{ kind = {pattern} }}"
    )
}

#[test]
fn a_packet_goes_step_by_step() {
    let grid = mesh(&[2], 1, 2);
    let traffic = traffic(&grid, &pattern(1.0, "\"bcmp\""), Some(1));
    let config = Router { transfer_cycles: 3, header_cycles: 2, ..router() };
    let mut network = ioq(&grid, &traffic, config, parts(&grid, Single), Buffers::Unwatched);
    let log = run(&mut network, 30);
    let of_first: Vec<_> = log.grants.iter().map(|g| (g.cycle, g.router, g.channel)).collect();
    // Sent in 1, arrives in 3, crosses from 5 on, sent in 6, arrives in 8, crosses from 10 on, sent in 11, delivered in 17.
    assert_eq!(of_first, [(6, 0, Some((0, 0))), (6, 1, Some((1, 0))), (11, 0, None), (11, 1, None)]);
    assert_eq!(log.delivered.iter().map(|d| (d.3, d.4, d.5)).collect::<Vec<_>>(), [(0, 0, 17); 2]);
    assert_eq!(log.grants.iter().map(|g| g.flits).collect::<Vec<_>>(), [4; 4]);
    assert_eq!((network.counters().packet_hops, network.counters().flit_hops), (2, 8));
}

#[test]
fn credits_take_their_part_of_a_link() {
    let grid = mesh(&[2], 1, 2);
    let traffic = traffic(&grid, &pattern(2.0, "\"bcmp\""), None);
    for (control_flits, credit_batch_packets) in [(1, 1), (1, 2), (3, 2), (2, 9)] {
        let config =
            Router { control_flits, credit_batch_packets, transfer_cycles: 2, ingress_packets: 32, ..router() };
        let mut network = ioq(&grid, &traffic, config, parts(&grid, Single), Buffers::Unwatched);
        run(&mut network, 400);
        let before = network.counters().delivered_flits;
        run(&mut network, 2_000);
        let flits = (network.counters().delivered_flits - before) as f64 / 4_000.0;
        let batch = f64::from(credit_batch_packets.min(32 / 4)) * 4.0;
        let expected = batch / (batch + f64::from(control_flits));
        assert!((flits - expected).abs() < 0.01, "{flits} not {expected}");
    }
}

/// Flits that a node receives from another in a window, where nobody else sends.
fn one_way(config: Router, link: u32, from: u64, cycles: u64) -> u64 {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("tailback-one-way-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, "1\n-\n").expect("a writable directory");
    let grid = mesh(&[2], 1, link);
    let traffic = traffic(&grid, &pattern(2.0, &format!("\"permutation\", file = {file:?}")), None);
    // Nothing depends on it.
    let _ = std::fs::remove_file(file);
    let mut network = ioq(&grid, &traffic, config, parts(&grid, Single), Buffers::Unwatched);
    run(&mut network, from);
    run(&mut network, cycles).delivered.len() as u64 * 4
}

#[test]
fn a_link_without_traffic_the_other_way_is_full() {
    for (transfer_cycles, control_flits) in [(4, 1), (2, 3), (1, 2)] {
        assert_eq!(one_way(Router { transfer_cycles, control_flits, ..router() }, 3, 200, 400), 400);
    }
}

#[test]
fn a_memory_that_covers_no_round_trip_slows_a_link_down() {
    // A place: on the link 8, through the crossbar 4, back 9: two packets every 21 cycles.
    let flits = one_way(Router { ingress_packets: 2, ..router() }, 8, 200, 2_100);
    assert_eq!(flits, 800);
    assert_eq!(one_way(Router { ingress_packets: 2, control_flits: 4, ..router() }, 8, 200, 2_400), 800);
}
