//! Under its simplest settings the data path is that of cut-through, packet for packet, and a wide router does what a narrow one does.

use super::*;
use crate::cut_through::{self, CutThrough};

/// The packets and the grants, in an order that does not depend on that of the routers.
fn sorted(log: Log) -> (Vec<Delivered>, Vec<Grant>) {
    let Log { mut delivered, mut grants, .. } = log;
    delivered.sort_unstable();
    grants.sort_unstable_by_key(|g| (g.cycle, g.router, g.channel));
    (delivered, grants)
}

#[test]
fn one_queue_and_one_output_a_link_is_cut_through() {
    let mut seen = 0;
    for (header, credit, link, limit, buffer) in
        [(0, 1, 1, None, 3), (1, 2, 1, Some(2), 2), (2, 1, 3, Some(1), 1), (1, 7, 2, None, 4)]
    {
        for wrap in [true, false] {
            for (load, throttle) in [(0.3, false), (1.2, false), (0.8, true)] {
                let grid = Grid::new(&[5, 4], &[wrap; 2], 1 + u32::from(!wrap), link);
                let traffic = traffic(&grid, load, &fixed(4));
                let config = Router {
                    header_cycles: header,
                    credit_cycles: credit,
                    source_queue_packets: limit,
                    buffer_packets: buffer,
                    ejection_channels: Some(2),
                    ..router()
                };
                let same = cut_through::Router {
                    channels: 2,
                    buffer_flits: 4 * buffer,
                    header_cycles: header,
                    credit_cycles: credit,
                    ejection_channels: Some(2),
                    ejection_packets: None,
                    source_queue_packets: limit,
                    seed: 1,
                };
                let mine = Parts { admission: mechanisms::Gate(throttle), ..parts(&grid, Way::Dateline, NO_BUBBLE) };
                let Parts { routing, arbiter, flow_control, admission, .. } =
                    Parts { admission: mechanisms::Gate(throttle), ..parts(&grid, Way::Dateline, NO_BUBBLE) };
                let theirs: cut_through::Parts<Plain> =
                    cut_through::Parts { routing, arbiter, flow_control, admission };
                let mut adaptive = Adaptive::new(&grid, &traffic, config, mine, Buffers::Unwatched);
                let mut cut_through = CutThrough::new(&grid, &traffic, same, theirs, Buffers::Unwatched);
                let (mut a, mut b) = (Log::default(), Log::default());
                for _ in 0..1_500 {
                    adaptive.step(&mut a);
                    cut_through.step(&mut b);
                }
                let (a, b) = (sorted(a), sorted(b));
                assert_eq!(a.0, b.0, "{config:?}");
                assert_eq!(a.1, b.1, "{config:?}");
                seen += a.0.len();
            }
        }
    }
    assert!(seen > 20_000, "{seen}");
}

/// A network of routers that are kept as wide ones are.
fn wide<'a>(grid: &Grid, traffic: &'a Traffic, config: Router, parts: Parts<Plain>) -> Adaptive<'a, Plain> {
    let sources = crate::Lazy::from(traffic);
    Adaptive(Shaped::Many(Box::new(Fabric::new(grid.into(), sources, config, parts, Buffers::Watched))))
}

#[test]
fn a_wide_router_does_what_a_narrow_one_does() {
    let mut seen = 0;
    for requests in REQUESTS {
        for crossbar_outputs in OUTPUTS {
            for (first_come, refusal_cycles, queues) in [(false, 1, 1), (true, 3, 3)] {
                let grid = torus(&[4, 4]);
                let traffic = traffic(&grid, 0.9, &fixed(4));
                let pace =
                    Pace { first_come, refusal_cycles, output_gap_cycles: refusal_cycles - 1, ..Pace::default() };
                let ejection_port = first_come.then_some(Port { buffer_packets: 2, link_cycles: 3 });
                let config = Router {
                    requests,
                    crossbar_outputs,
                    pace,
                    ejection_port,
                    injection_queues: queues,
                    ejection_channels: Some(2),
                    turn_cycles: 2,
                    header_cycles: 1,
                    credit_cycles: 3,
                    ..router()
                };
                let parts = || parts(&grid, Way::Dateline, NO_BUBBLE);
                let narrow = run(&mut Adaptive::new(&grid, &traffic, config, parts(), Buffers::Watched), 300);
                assert_eq!(run(&mut wide(&grid, &traffic, config, parts()), 300), narrow, "{config:?}");
                seen += narrow.delivered.len();
            }
        }
    }
    assert!(seen > 2_000, "{seen}");
}
