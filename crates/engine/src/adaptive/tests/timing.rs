//! When things happen.

use super::*;

/// Delays to try: header, turn, consumption, link, credit.
const DELAYS: [[u32; 5]; 5] = [[0, 0, 0, 1, 1], [2, 0, 0, 1, 1], [0, 3, 1, 2, 2], [1, 1, 1, 5, 3], [3, 2, 4, 3, 9]];

fn with_delays([header, turn, consumption, _, credit]: [u32; 5]) -> Router {
    Router {
        header_cycles: header,
        turn_cycles: turn,
        consumption_cycles: consumption,
        credit_cycles: credit,
        ..router()
    }
}

#[test]
fn zero_load_latency_is_the_formula() {
    for delays @ [header, turn, consumption, link, _] in DELAYS {
        for crossbar_outputs in OUTPUTS {
            for requests in REQUESTS {
                let grid = Grid::new(&[4, 3], &[false, false], 1, link);
                let traffic = traffic(&grid, 0.01, &fixed(4));
                let config = Router { crossbar_outputs, requests, ..with_delays(delays) };
                let mut network =
                    Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Order, NO_BUBBLE), Buffers::Unwatched);
                let mut log = Log::default();
                for _ in 0..3_000 {
                    network.step(&mut log);
                }
                let formula = |&(source, .., hops, destination): &Delivered| {
                    let (a, b) = (grid.coordinates(source), grid.coordinates(destination));
                    let turns = u32::from(a[0] != b[0] && a[1] != b[1]);
                    u64::from(hops * link + (hops + 1) * header + turns * turn + consumption + 4)
                };
                let packets = log.delivered;
                assert!(packets.len() > 50);
                let latency = |&(_, _, birth, delivery, ..): &Delivered| delivery - birth;
                assert!(packets.iter().all(|of| latency(of) >= formula(of)), "{delays:?} {requests:?}");
                let late = packets.iter().filter(|of| latency(of) > formula(of)).count();
                assert!(late * 5 < packets.len(), "{delays:?} {requests:?}: {late} of {}", packets.len());
            }
        }
    }
}

/// Flits a link moves in a cycle, of two routers whose nodes send all they can.
fn busy(config: Router) -> f64 {
    let grid = Grid::new(&[2], &[false], 1, 1);
    let traffic = burst(&grid, 1_000, &fixed(4));
    let mut network = Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Order, NO_BUBBLE), Buffers::Unwatched);
    let log = run(&mut network, 2_000);
    let flits: u32 = log.grants.iter().filter(|grant| grant.channel.is_some()).map(|grant| grant.flits).sum();
    f64::from(flits) / 2.0 / 2_000.0
}

#[test]
fn links_never_idle_where_buffers_cover_the_round_trip() {
    for crossbar_outputs in OUTPUTS {
        let config = Router { ejection_channels: None, crossbar_outputs, injection_queues: 2, ..router() };
        let two = busy(config);
        assert!(two > 0.98, "{two}");
        // A buffer of one packet: a packet sent in s has left the next buffer in s + 1 + 4, and the next one is sent then.
        let one = busy(Router { channels: 1, buffer_packets: 1, ..config });
        assert!((one - 0.8).abs() < 0.02, "{one}");
        // With credits of three cycles two more are lost.
        let one = busy(Router { channels: 1, buffer_packets: 1, credit_cycles: 3, ..config });
        assert!((one - 4.0 / 7.0).abs() < 0.02, "{one}");
    }
}
