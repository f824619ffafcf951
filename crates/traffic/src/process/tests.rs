//! The times of packets: their means, their distributions, and exactness where it is promised.

use crate::testing::{refusal, shape, traffic};
use crate::{Shape, Traffic};

/// The cycles before `until` in which `node` makes packets.
fn cycles(traffic: &Traffic, node: u32, until: u64) -> Vec<u64> {
    let mut source = traffic.source(node);
    let packets = std::iter::from_fn(|| traffic.next(node, &mut source));
    packets.map(|packet| packet.cycle).take_while(|&cycle| cycle < until).collect()
}

fn ring() -> Shape {
    shape(&[8])
}

/// A steady spec with packets of `flits` flits.
fn steady(process: &str, load: f64, flits: u32, seed: u64) -> Traffic {
    traffic(&format!("[traffic]\nload = {load:?}\nprocess = {process}\nsize.flits = {flits}"), &ring(), seed)
}

#[test]
fn bernoulli_is_a_coin_in_every_cycle() {
    const CYCLES: u64 = 200_000;
    for (load, flits) in [(0.4, 2), (0.1, 8), (0.013, 1), (0.9, 1)] {
        let p = load / f64::from(flits);
        let made = cycles(&steady("'bernoulli'", load, flits, 3), 5, CYCLES);
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]), "at most one packet a cycle");
        let (n, expected) = (made.len() as f64, p * CYCLES as f64);
        assert!((n - expected).abs() < 4.0 * (expected * (1.0 - p)).sqrt(), "{n} packets, {expected} expected");
        // Chi-square of the gaps against the geometric law: 10 classes, 9 degrees of freedom, 0.1 % point 27.9.
        let mut classes = [0.0; 10];
        let width = (0.15 / p).ceil();
        for pair in made.windows(2) {
            classes[((((pair[1] - pair[0] - 1) as f64) / width) as usize).min(9)] += 1.0;
        }
        let survive = |class: usize| (1.0 - p).powf(width * class as f64);
        let expected = |c: usize| (n - 1.0) * (survive(c) - if c == 9 { 0.0 } else { survive(c + 1) });
        let usable = (0..10).filter(|&c| expected(c) > 5.0);
        let chi: f64 = usable.map(|c| (classes[c] - expected(c)).powi(2) / expected(c)).sum();
        assert!(chi < 27.9, "load {load}: chi-square {chi}");
    }
}

#[test]
fn the_first_cycle_is_like_any_other() {
    let at_zero = (0..4000).filter(|&seed| cycles(&steady("'bernoulli'", 0.25, 1, seed), 0, 1).len() == 1).count();
    assert!((900..1100).contains(&at_zero), "{at_zero}");
}

#[test]
fn beyond_a_packet_a_cycle_there_is_one_in_every_cycle() {
    for process in ["'bernoulli'", "'periodic'"] {
        for load in [2.0, 2.5, 64.0] {
            let made = cycles(&steady(process, load, 2, 1), 0, 100);
            assert!(made.iter().copied().eq(0..100), "{process} {load}: {made:?}");
        }
    }
}

#[test]
fn no_load_no_packets() {
    for process in ["'bernoulli'", "'periodic'", "'on_off'"] {
        let silent = steady(process, 0.0, 8, 1);
        assert_eq!(silent.next(0, &mut silent.source(0)), None);
        assert_eq!((silent.active_nodes(), silent.offered_load(0, 10)), (0, 0.0));
    }
}

#[test]
fn periodic_intervals_are_exact() {
    let process = "{ kind = 'periodic', phase = 'zero' }";
    for (load, flits, interval) in [(0.1, 16, 160), (0.1, 1, 10), (0.5, 8, 16), (1.0, 3, 3)] {
        let made = cycles(&steady(process, load, flits, 1), 2, 100 * interval);
        assert!(made.iter().copied().eq((0..100).map(|k| k * interval)), "{load} {flits}: {made:?}");
    }
    // 3 flits at 0.7 flits a cycle: packet k in the cycle in which 3k flits have been asked for, floor(30 k / 7).
    let made = cycles(&steady(process, 0.7, 3, 1), 2, 3_000_000);
    assert_eq!(made.len(), 700_000);
    assert!((0..).zip(&made).all(|(k, &cycle)| cycle == 30 * k / 7));
}

#[test]
fn periodic_phases_spread_over_the_interval() {
    let mut counts = [0u32; 10];
    for seed in 0..1000 {
        let made = cycles(&steady("'periodic'", 0.1, 1, seed), 3, 95);
        assert!(made.windows(2).all(|pair| pair[1] - pair[0] == 10));
        counts[made[0] as usize] += 1;
    }
    assert!(counts.iter().all(|n| (60..140).contains(n)), "{counts:?}");
}

#[test]
fn bursts_have_their_means() {
    const CYCLES: u64 = 400_000;
    let process = "{ kind = 'on_off', mean_on_cycles = 20, mean_off_cycles = 60 }";
    // In a burst every cycle has a packet: bursts are runs of packets, silences the gaps between.
    let full = steady(process, 0.25, 1, 1);
    let (mut packets, mut bursts, mut at_zero) = (0, 0, 0);
    for node in 0..8 {
        let made = cycles(&full, node, CYCLES);
        packets += made.len();
        bursts += 1 + made.windows(2).filter(|pair| pair[1] > pair[0] + 1).count();
    }
    let mean_on = packets as f64 / bursts as f64;
    assert!((mean_on - 20.0).abs() < 0.5, "{mean_on}");
    let share = packets as f64 / (8 * CYCLES) as f64;
    assert!((share - 0.25).abs() < 0.005, "{share}");
    for seed in 0..500 {
        let traffic = steady(process, 0.25, 1, seed);
        at_zero += (0..8).filter(|&node| cycles(&traffic, node, 1).len() == 1).count();
    }
    assert!((900..1100).contains(&at_zero), "{at_zero} of 4000 nodes begin in a burst");
    let partly = steady(process, 0.1, 4, 2);
    let made: usize = (0..8).map(|node| cycles(&partly, node, CYCLES).len()).sum();
    assert!((made as f64 / (8 * CYCLES) as f64 - 0.025).abs() < 0.001, "{made}");
}

#[test]
fn impossible_bursts_are_refused() {
    let spec = |load: f64, on: f64| {
        format!(
            "[traffic]\nload = {load}\nprocess = {{ kind = 'on_off', mean_on_cycles = {on}, mean_off_cycles = 9 }}\nsize.flits = 1"
        )
    };
    assert!(
        refusal(&spec(0.2, 1.0), &ring())
            .starts_with("traffic.process: a load of 0.2 flits/node/cycle sent in 10.000 %")
    );
    assert!(refusal(&spec(1e-6, 1.0), &ring()).contains("packets in a mean burst"));
    traffic(&spec(0.05, 1.0), &ring(), 1);
}

#[test]
fn a_ramp_rises_as_asked() {
    const CYCLES: u64 = 20_000;
    for process in ["'bernoulli'", "'periodic'", "{ kind = 'on_off', mean_on_cycles = 30, mean_off_cycles = 10 }"] {
        for (end, flits) in [(0.4, 2), (1.5, 2)] {
            let spec = format!(
                "[traffic]\nprocess = {process}\nsize.flits = {flits}\n[workload]\nkind = 'ramp'\ncycles = {CYCLES}\nend_load_flits_per_node_cycle = {end}"
            );
            let ramp = traffic(&spec, &shape(&[64]), 1);
            let mut made = [0u64; 6];
            for node in 0..64 {
                cycles(&ramp, node, CYCLES * 3 / 2).into_iter().for_each(|c| made[(c * 4 / CYCLES) as usize] += 1);
            }
            for (quarter, &packets) in (0..).zip(&made) {
                let (from, to) = (quarter * CYCLES / 4, (quarter + 1) * CYCLES / 4);
                let measured = (packets * flits) as f64 / (64 * CYCLES / 4) as f64;
                let (middle, offered) = (end * (from + to) as f64 / 2.0 / CYCLES as f64, ramp.offered_load(from, to));
                assert!((offered - middle.min(end)).abs() < 2e-4 * end, "{offered} {middle}");
                assert!((measured - offered).abs() < 0.03 * end, "{process} {end} {quarter}: {measured} {offered}");
            }
            assert!(made.iter().sum::<u64>() > 1000);
        }
    }
}

#[test]
fn periodic_follows_a_ramp_exactly() {
    let spec = "[traffic]\nprocess = { kind = 'periodic', phase = 'zero' }\nsize.flits = 2\n[workload]\nkind = 'ramp'\ncycles = 1000\nend_load_flits_per_node_cycle = 0.5";
    let made = cycles(&traffic(spec, &ring(), 1), 0, 1500);
    // In thousandths of a flit: cycle t asks for t / 2, then for 500; a packet each time that passes another 2000.
    let (mut twice, mut expected) = (0, Vec::new());
    for t in 0..1500u64 {
        twice += t.min(1000);
        if twice > 4000 * expected.len() as u64 {
            expected.push(t);
        }
    }
    assert_eq!(made, expected);
}
