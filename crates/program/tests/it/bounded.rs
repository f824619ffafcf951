//! Bounds are what they should be, and the ideal network never beats them.

use crate::round_trips::{UNITS, random, seeds, some};
use crate::timed::completion;
use proptest::prelude::*;
use tailback_program::goal::read_text;
use tailback_program::{Bounds, Generate, Generated, bounds};

fn of(kind: &str, algorithm: &str, ranks: u64, flits: u64) -> Generated {
    let algorithm = (!algorithm.is_empty()).then(|| algorithm.to_owned());
    let asked = Generate { algorithm, ranks: Some(ranks), flits: Some(flits), ..Generate::new(kind) };
    Generated::new(&asked).expect("it is well asked")
}

#[test]
fn a_ring_is_bound_by_its_chain() {
    let found = bounds(&of("all_reduce", "ring", 8, 1024), 3);
    assert_eq!(found, Bounds { ports: 1792, latency: 42, compute: 0, chain: 1834 });
    assert_eq!(found.binding(), ("chain", 1834));
}

#[test]
fn incasts_are_bound_by_their_ports_and_barriers_by_their_ways() {
    let incast = bounds(&of("incast", "", 8, 1024), 3);
    assert_eq!(incast, Bounds { ports: 7168, latency: 3, compute: 0, chain: 1027 });
    assert_eq!(incast.binding(), ("ports", 7168));
    let asked = Generate { ranks: Some(8), ..Generate::new("barrier") };
    let barrier = bounds(&Generated::new(&asked).expect("it is well asked"), 3);
    assert_eq!(barrier, Bounds { ports: 3, latency: 9, compute: 0, chain: 12 });
}

#[test]
fn repeated_messages_of_a_tag_follow_each_other_where_it_is_certain() {
    let halo = Generate {
        dimensions: Some(vec![4, 4]),
        flits: Some(100),
        iterations: Some(5),
        compute_cycles: Some(50),
        ..Generate::new("halo")
    };
    let found = bounds(&Generated::new(&halo).expect("it is well asked"), 3);
    assert_eq!(found, Bounds { ports: 2000, latency: 15, compute: 250, chain: 5 * (50 + 100 + 3) });
    let pipeline = Generate {
        stages: Some(4),
        microbatches: Some(10),
        compute_cycles: Some(200),
        flits: Some(64),
        ..Generate::new("pipeline")
    };
    let found = bounds(&Generated::new(&pipeline).expect("it is well asked"), 3);
    assert_eq!(found, Bounds { ports: 640, latency: 9, compute: 2600, chain: 3 * (200 + 64 + 3) + 2000 });
}

#[test]
fn orders_that_are_uncertain_bind_nothing() {
    // Whether the first or the second receive of rank 1 is posted first depends on rank 0.
    let text = "num_ranks 2\nrank 0 {\na: calc 100\nb: send 16b to 1\nb requires a\nsend 16b to 1\n}\n\
                rank 1 {\na: calc 50\nb: recv 16b from 0\nb requires a\nrecv 16b from 0\n}\n";
    let program = read_text(text.as_bytes(), &UNITS).expect("it is text");
    // 100 ns are 40 cycles, and a message follows the computation; nothing is sure of the receives.
    assert_eq!(bounds(&program, 3), Bounds { ports: 2, latency: 3, compute: 40, chain: 44 });
    let joker = text.replace("recv 16b from 0\n}", "recv 16b from -1\n}");
    let program = read_text(joker.as_bytes(), &UNITS).expect("it is text");
    assert_eq!(bounds(&program, 3).chain, 44);
}

#[test]
fn the_ideal_network_beats_no_bound_of_a_generated_program() {
    for asked in some() {
        for across in [0, 1, 7] {
            let program = Generated::new(&asked).expect("it is well asked");
            let (name, bound) = bounds(&program, across).binding();
            let found = completion(&program, across).expect("it completes");
            assert!(found >= bound, "{asked:?} takes {found}, and {name} say {bound}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn the_ideal_network_beats_no_bound_of_a_random_program(seeds in seeds(), across in 0..20_u64) {
        let program = read_text(random(&seeds).as_bytes(), &UNITS).expect("it is text");
        let bounds = bounds(&program, across);
        if let Some(found) = completion(&program, across) {
            for (name, bound) in bounds.named() {
                prop_assert!(found >= bound, "{} cycles, and {} say {}", found, name, bound);
            }
        }
    }
}

#[test]
fn what_waits_for_the_start_of_a_receive_does_not_wait_for_its_message() {
    let text =
        "num_ranks 2\nrank 0 {\ns: send 96b to 1\n}\nrank 1 {\nr: recv 96b from 0\nc: calc 50\nc irequires r\n}\n";
    let program = read_text(text.as_bytes(), &UNITS).expect("it is text");
    assert_eq!(bounds(&program, 3), Bounds { ports: 6, latency: 3, compute: 20, chain: 20 });
}
