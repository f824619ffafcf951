//! Generated programs are those of their naive twins, operation for operation.

use crate::listed::listed;
use crate::naive::naive;
use proptest::prelude::*;
use tailback_program::generate::{Generate, KINDS};
use tailback_program::{Generated, Program};

fn compare(asked: &Generate) {
    let program = Generated::new(asked).unwrap_or_else(|error| panic!("{asked:?}: {error}"));
    let (found, due) = (listed(&program), naive(asked));
    assert_eq!(found.len(), due.len(), "ranks of {asked:?}");
    for (rank, (found, due)) in found.iter().zip(&due).enumerate() {
        assert_eq!(found, due, "rank {rank} of {asked:?}");
    }
}

fn of(kind: &str, algorithm: Option<&str>, ranks: u64, flits: u64) -> Generate {
    let algorithm = algorithm.map(str::to_owned);
    Generate { algorithm, ranks: Some(ranks), flits: Some(flits), ..Generate::new(kind) }
}

/// Every kind with every algorithm but those that take other parameters.
fn collectives() -> Vec<(&'static str, Option<&'static str>)> {
    let mut all = Vec::new();
    for kind in KINDS.iter().filter(|kind| !["halo", "request_reply", "pipeline", "barrier"].contains(&kind.name)) {
        all.push((kind.name, None));
        all.extend(kind.algorithms.iter().map(|algorithm| (kind.name, Some(algorithm.name))));
    }
    all
}

#[test]
fn every_small_collective_is_its_naive_twin() {
    for (kind, algorithm) in collectives() {
        for ranks in 2..=17 {
            for flits in [1, 3, 16, 17, 100] {
                let mut asked = of(kind, algorithm, ranks, flits);
                match algorithm {
                    Some("double_binary_tree") => asked.chunks = Some(1 + flits % 4),
                    Some("hierarchical") => {
                        asked.groups = (1..=ranks).filter(|g| ranks % g == 0).nth(flits as usize % 2)
                    }
                    Some("spread") => asked.window = Some(1 + flits % 5),
                    _ => {}
                }
                if matches!(kind, "broadcast" | "reduce" | "incast") {
                    asked.root = Some(flits % ranks);
                }
                compare(&asked);
            }
        }
    }
}

#[test]
fn ranks_of_an_all_to_all_meet_once() {
    for asked in [Some("pairwise"), Some("spread")].map(|algorithm| of("all_to_all", algorithm, 6, 12)) {
        let asked = Generate { window: (asked.algorithm.as_deref() == Some("spread")).then_some(3), ..asked };
        assert!(Generated::new(&asked).expect("it can be").meets_once(), "{asked:?}");
    }
}

#[test]
fn every_small_barrier_is_its_naive_twin() {
    (2..=33).for_each(|ranks| compare(&Generate { ranks: Some(ranks), ..Generate::new("barrier") }));
}

proptest! {
    #[test]
    fn halo_exchanges_are_their_naive_twins(
        dimensions in prop::collection::vec(1..5_u64, 1..4),
        flits in 1..50_u64,
        iterations in 1..4_u64,
        compute in 0..9_u64,
    ) {
        prop_assume!(dimensions.iter().product::<u64>() > 1);
        compare(&Generate {
            dimensions: Some(dimensions),
            flits: Some(flits),
            iterations: Some(iterations),
            compute_cycles: Some(compute),
            ..Generate::new("halo")
        });
    }

    #[test]
    fn requests_and_replies_are_their_naive_twins(
        (ranks, servers) in (2..12_u64).prop_flat_map(|ranks| (Just(ranks), 1..ranks)),
        window in 1..6_u64,
        count in 1..20_u64,
        think in 0..3_u64,
    ) {
        compare(&Generate {
            ranks: Some(ranks),
            servers: Some(servers),
            window: Some(window),
            count: Some(count),
            think_cycles: Some(think),
            request_flits: Some(2),
            reply_flits: Some(9),
            ..Generate::new("request_reply")
        });
    }

    #[test]
    fn pipelines_are_their_naive_twins(stages in 2..6_u64, width in 1..4_u64, microbatches in 1..7_u64) {
        compare(&Generate {
            ranks: Some(stages * width),
            stages: Some(stages),
            microbatches: Some(microbatches),
            flits: Some(7),
            compute_cycles: Some(5),
            ..Generate::new("pipeline")
        });
    }

    #[test]
    fn hierarchies_and_trees_of_any_size_are_their_naive_twins(
        (groups, members) in (1..7_u64, 1..7_u64),
        flits in 1..200_u64,
        chunks in 1..6_u64,
    ) {
        prop_assume!(groups * members > 1);
        let asked = of("all_reduce", Some("hierarchical"), groups * members, flits);
        compare(&Generate { groups: Some(groups), ..asked });
        let asked = of("all_reduce", Some("double_binary_tree"), groups * members, flits);
        compare(&Generate { chunks: Some(chunks), ..asked });
    }
}
