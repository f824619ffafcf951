//! The twin by itself: messages that can be worked out by hand.

use super::*;

fn config(radix: &[u32]) -> Config {
    Config {
        radix: radix.to_vec(),
        nodes_per_router: 1,
        seed: 1,
        pattern: Pattern::Rand,
        process: Process::Periodic { random: false },
        sizes: Sizes::Fixed(4),
        workload: Workload::Steady { load: 0.5 },
    }
}

fn destinations(pattern: Pattern, radix: &[u32]) -> Vec<Option<u32>> {
    let config = Config { pattern, ..config(radix) };
    let rule = pattern::Rule::new(&config.pattern, &config);
    (0..config.nodes()).map(|node| rule.destination(node, 0)).collect()
}

fn cycles(config: &Config, node: u32, until: u64, stalls: &[Option<u64>]) -> Vec<u64> {
    messages(config, node, until, stalls).iter().map(|message| message.cycle).collect()
}

#[test]
fn addresses_and_coordinates_as_the_papers_have_them() {
    let to = |matter, radix: &[u32]| -> Vec<u32> {
        let found = destinations(Pattern::Mapped(matter), radix);
        (0..).zip(found).map(|(node, to)| to.unwrap_or(node)).collect()
    };
    assert_eq!(to(Matter::Transpose, &[3, 3]), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
    // (1, 0, 0) to (0, 1, 0), (0, 0, 1) to (1, 0, 0).
    assert_eq!(to(Matter::Transpose, &[2, 2, 2]), [0, 2, 4, 6, 1, 3, 5, 7]);
    assert_eq!(to(Matter::Shuffle, &[8]), [0, 2, 4, 6, 1, 3, 5, 7]);
    assert_eq!(to(Matter::Rotate, &[8]), [0, 4, 1, 5, 2, 6, 3, 7]);
    assert_eq!(to(Matter::Complement, &[8]), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(to(Matter::Reverse, &[8]), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(to(Matter::Butterfly, &[8]), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(to(Matter::Butterfly, &[4, 4])[9], 9, "both are 1");
    assert_eq!(to(Matter::Tornado, &[5, 2]), [2, 3, 4, 0, 1, 7, 8, 9, 5, 6]);
    assert_eq!(to(Matter::Neighbour, &[3, 2]), [4, 5, 3, 1, 2, 0]);
    assert_eq!(to(Matter::RingNeighbour, &[3, 2]), [1, 2, 0, 4, 5, 3]);
}

#[test]
fn periodic_messages_come_when_they_are_due() {
    let steady = config(&[4]);
    assert_eq!(cycles(&steady, 2, 33, &[]), [0, 8, 16, 24, 32], "4 flits, half a flit a cycle");
    // 4 / 1.5 is 2 cycles and two thirds.
    let uneven = Config { workload: Workload::Steady { load: 1.5 }, ..steady.clone() };
    assert_eq!(cycles(&uneven, 2, 17, &[]), [0, 2, 5, 8, 10, 13, 16]);
    let too_much = Config { workload: Workload::Steady { load: 9.0 }, ..steady.clone() };
    assert_eq!(cycles(&too_much, 2, 4, &[]), [0, 1, 2, 3]);
    assert_eq!(cycles(&steady, 2, 40, &[Some(20)]), [0, 27, 35], "as if one had been made in cycle 19");
    let ramp = Config { workload: Workload::Ramp { end_load: 1.0, cycles: 8 }, ..steady };
    // 0, 1, 2, ... eighths: more than nothing is asked for in cycle 1, more than 4 flits in all, 34 eighths, by cycle 8.
    assert_eq!(cycles(&ramp, 2, 14, &[]), [1, 8, 12]);
}

#[test]
fn a_collective_is_there_at_once() {
    let config = Config { workload: Workload::Collective { messages: 3 }, ..config(&[4]) };
    assert_eq!(cycles(&config, 0, 99, &[]), [0, 0, 0]);
    assert_eq!(cycles(&config, 0, 99, &[Some(7)]), [0, 7, 7]);
}

#[test]
fn coins_fall_as_often_as_the_load_says() {
    let workload = Workload::Phases {
        phases: vec![
            Phase { cycles: 300, load: 0.8, pattern: Pattern::Rand },
            Phase { cycles: 100, load: 0.0, pattern: Pattern::Rand },
        ],
        repeat: true,
    };
    for process in [Process::Bernoulli, Process::OnOff { on: 20.0, off: 20.0 }] {
        let config = Config { process, workload: workload.clone(), ..config(&[8, 8]) };
        let made: usize = (0..64).map(|node| messages(&config, node, 4000, &[]).len()).sum();
        // 3000 cycles with load, a fifth of a message a cycle.
        let expected = 64.0 * 3000.0 * 0.2;
        assert!((made as f64 / expected - 1.0).abs() < 0.05, "{process:?}: {made} for {expected}");
        assert!((offered_load(&config, 0, 4000) - 0.6).abs() < 1e-9);
    }
}
