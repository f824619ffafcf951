//! What heads ask for.

use super::*;

/// The first link that each packet of node 0 takes in a 4 by 4 torus, in the order of their entering, and when.
fn grants(config: Router, way: Way, flow_control: Bubble, cycles: u64) -> Vec<(u64, Option<(u8, u8)>)> {
    let grid = torus(&[4, 4]);
    let traffic = burst(&grid, 12, &fixed(4));
    let mut network = Adaptive::new(&grid, &traffic, config, parts(&grid, way, flow_control), Buffers::Unwatched);
    let log = run(&mut network, cycles);
    log.grants.iter().filter(|g| g.router == 0 && g.injected).map(|g| (g.cycle, g.channel)).collect()
}

#[test]
fn escapes_come_last_or_first() {
    let grid = torus(&[4, 4]);
    let traffic = traffic(&grid, 0.02, &fixed(4));
    for escape_first in [false, true] {
        let config = Router { escape_first, ..router() };
        let mut network = Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Escape, BUBBLE), Buffers::Unwatched);
        let log = run(&mut network, 2_000);
        assert!(log.delivered.len() > 100);
        let (few, many) = if escape_first { (log.preferred, log.escaped) } else { (log.escaped, log.preferred) };
        assert!(few * 10 < many, "{few} {many}");
    }
}

#[test]
fn transit_goes_before_new_packets() {
    let grid = torus(&[4, 4]);
    let traffic = traffic(&grid, 1.5, &fixed(4));
    let entered = |transit_first| {
        let config = Router { transit_first, ..router() };
        let mut network = Adaptive::new(&grid, &traffic, config, parts(&grid, Way::Escape, BUBBLE), Buffers::Unwatched);
        run(&mut network, 1_000).entered.len()
    };
    assert!(entered(true) < entered(false), "{} {}", entered(true), entered(false));
}

#[test]
fn every_rule_of_requests_goes_its_own_way() {
    let config = Router { channels: 3, credit_cycles: 4, ..router() };
    let all: Vec<_> = REQUESTS.map(|requests| grants(Router { requests, ..config }, Way::Escape, BUBBLE, 200)).into();
    for (n, one) in all.iter().enumerate() {
        assert!(one.len() >= 8, "{one:?}");
        assert!(all[..n].iter().all(|other| other != one), "{n}: {one:?}");
    }
}

#[test]
fn one_step_a_cycle() {
    // Without traffic in the way the first step is granted; when the links of the first step are busy, later ones are tried
    // in later cycles only.
    let config = Router { requests: Requests::InTurn, injection_queues: 3, ejection_channels: None, ..router() };
    let parallel = grants(Router { requests: Requests::Parallel, ..config }, Way::Escape, BUBBLE, 100);
    let in_turn = grants(config, Way::Escape, BUBBLE, 100);
    let at_once = |grants: &[(u64, Option<(u8, u8)>)]| grants.iter().filter(|g| g.0 == 0 && g.1.is_some()).count();
    assert!(at_once(&parallel) >= 1 && at_once(&in_turn) >= 1);
    let first = |grants: &[(u64, Option<(u8, u8)>)]| grants.iter().take(6).map(|g| g.0).sum::<u64>();
    assert!(first(&in_turn) >= first(&parallel), "{in_turn:?} {parallel:?}");
}
