//! Completion times on an ideal network are those of the formulas, to the cycle.

use crate::timed::completion;
use tailback_program::generate::{Generate, KINDS};
use tailback_program::{Generated, Program};

fn asked(kind: &str, algorithm: &str, ranks: u64, flits: u64) -> Generate {
    let algorithm = (!algorithm.is_empty()).then(|| algorithm.to_owned());
    Generate { algorithm, ranks: Some(ranks), flits: Some(flits), ..Generate::new(kind) }
}

fn time(asked: &Generate, across: u64) -> u64 {
    let program = Generated::new(asked).expect("it is well asked");
    completion(&program, across).expect("it completes")
}

fn barrier(ranks: u64) -> Generate {
    Generate { ranks: Some(ranks), ..Generate::new("barrier") }
}

/// Neighbours one link apart: two headers and a link make three cycles.
const LINK: u64 = 3;
/// Nodes of one router: one header.
const ROUTER: u64 = 1;

#[test]
fn eight_ranks_one_link_apart() {
    assert_eq!(time(&asked("reduce_scatter", "ring", 8, 1024), LINK), 917);
    assert_eq!(time(&asked("all_gather", "ring", 8, 1024), LINK), 917);
    assert_eq!(time(&asked("all_to_all", "pairwise", 8, 1024), LINK), 917);
    assert_eq!(time(&asked("all_reduce", "ring", 8, 1024), LINK), 1834);
    assert_eq!(time(&asked("all_reduce", "halving_doubling", 8, 1024), LINK), 1810);
    assert_eq!(time(&asked("all_reduce", "recursive_doubling", 8, 1024), LINK), 3081);
    assert_eq!(time(&asked("broadcast", "binomial", 8, 1024), LINK), 3081);
    assert_eq!(time(&asked("reduce", "binomial", 8, 1024), LINK), 3081);
    assert_eq!(time(&barrier(8), LINK), 12);
    assert_eq!(time(&asked("incast", "", 8, 1024), LINK), 7171);
}

#[test]
fn sixteen_ranks_one_link_apart() {
    assert_eq!(time(&asked("reduce_scatter", "ring", 16, 4096), LINK), 3885);
    assert_eq!(time(&asked("all_gather", "halving_doubling", 16, 4096), LINK), 3840 + 4 * 3);
    assert_eq!(time(&asked("all_to_all", "pairwise", 16, 4096), LINK), 3885);
    assert_eq!(time(&asked("all_reduce", "ring", 16, 4096), LINK), 7770);
    assert_eq!(time(&asked("all_reduce", "halving_doubling", 16, 4096), LINK), 7704);
    assert_eq!(time(&asked("all_reduce", "recursive_doubling", 16, 4096), LINK), 16396);
    assert_eq!(time(&asked("broadcast", "binomial", 16, 4096), LINK), 16396);
    assert_eq!(time(&barrier(16), LINK), 16);
    assert_eq!(time(&asked("incast", "", 16, 4096), LINK), 61443);
}

#[test]
fn eight_ranks_of_one_router() {
    assert_eq!(time(&asked("all_reduce", "ring", 8, 1024), ROUTER), 1806);
    assert_eq!(time(&asked("all_reduce", "halving_doubling", 8, 1024), ROUTER), 1798);
    assert_eq!(time(&asked("all_reduce", "recursive_doubling", 8, 1024), ROUTER), 3075);
    assert_eq!(time(&barrier(8), ROUTER), 6);
}

#[test]
fn a_hierarchy_is_its_three_phases() {
    let hierarchy = Generate { groups: Some(4), ..asked("all_reduce", "hierarchical", 16, 4096) };
    let (inside, across) = (2 * 3 * (1024 + LINK), 2 * 3 * (256 + LINK));
    assert_eq!(time(&hierarchy, LINK), inside + across);
}

#[test]
fn trees_come_close_to_their_estimate() {
    let trees = Generate { chunks: Some(16), ..asked("all_reduce", "double_binary_tree", 16, 4096) };
    let found = time(&trees, LINK);
    let estimate = 2 * (4 + 16 - 1) * (4096 / 32 + LINK);
    let ports = 2 * 4096 * 15 / 16;
    // The estimate counts a port for each child; the ideal rank has one for both.
    assert!(found >= ports, "{found} beats the ports, {ports}");
    assert!(found <= 2 * estimate, "{found} against {estimate}");
}

#[test]
fn a_halo_exchange_is_computation_faces_and_a_way() {
    let halo = Generate {
        dimensions: Some(vec![4, 4]),
        flits: Some(100),
        iterations: Some(5),
        compute_cycles: Some(50),
        ..Generate::new("halo")
    };
    assert_eq!(time(&halo, LINK), 5 * (50 + 4 * 100 + LINK));
}

#[test]
fn one_request_at_a_time_is_two_ways_and_two_messages() {
    let talk = Generate {
        ranks: Some(2),
        count: Some(10),
        request_flits: Some(2),
        reply_flits: Some(16),
        think_cycles: Some(7),
        ..Generate::new("request_reply")
    };
    assert_eq!(time(&talk, LINK), 10 * (2 + 16 + 2 * LINK) + 9 * 7);
}

#[test]
fn a_pipeline_fills_and_then_computes_one_batch_after_the_other() {
    let (stages, batches, cycles, flits) = (4, 10, 200, 64);
    let pipeline = Generate {
        stages: Some(stages),
        microbatches: Some(batches),
        compute_cycles: Some(cycles),
        flits: Some(flits),
        ..Generate::new("pipeline")
    };
    assert_eq!(time(&pipeline, LINK), (stages - 1) * (cycles + flits + LINK) + batches * cycles);
}

#[test]
fn a_window_hides_the_way_and_nothing_beats_the_ports() {
    let spread = |window| Generate { window: Some(window), ..asked("all_to_all", "spread", 8, 1024) };
    assert_eq!(time(&spread(1), LINK), 7 * (128 + LINK));
    for window in 2..=8 {
        assert_eq!(time(&spread(window), LINK), 7 * 128 + LINK, "{window} open at once");
    }
}

#[test]
fn all_kinds_complete_for_every_number_of_ranks() {
    for kind in &KINDS {
        let all: Vec<&str> = kind.algorithms.iter().map(|algorithm| algorithm.name).collect();
        for algorithm in if all.is_empty() { vec![""] } else { all } {
            for ranks in 2..=20 {
                let mut asked = Generate { ranks: Some(ranks), ..Generate::new(kind.name) };
                asked.algorithm = (!algorithm.is_empty()).then(|| algorithm.to_owned());
                let wanted = |name: &str| kind.parameter(name).is_some_and(|it| it.default != default_number());
                asked.flits = wanted("flits").then_some(37);
                asked.groups = (algorithm == "hierarchical")
                    .then(|| (1..=ranks).rfind(|g| ranks % g == 0 && *g < ranks).unwrap_or(1));
                asked.dimensions = (kind.name == "halo").then(|| vec![ranks]);
                if kind.name == "request_reply" {
                    (asked.request_flits, asked.reply_flits, asked.count) = (Some(3), Some(4), Some(5));
                    (asked.servers, asked.window) = (Some(ranks / 2), Some(3));
                }
                asked.microbatches = (kind.name == "pipeline").then_some(4);
                let program = Generated::new(&asked).unwrap_or_else(|error| panic!("{asked:?}: {error}"));
                assert_eq!(program.ranks(), ranks as u32);
                assert!(completion(&program, 5).is_some(), "{asked:?} is stuck");
            }
        }
    }
}

fn default_number() -> tailback_program::generate::table::Default {
    tailback_program::generate::table::Default::Number(0)
}
