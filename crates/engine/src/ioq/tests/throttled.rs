//! Arbiters and throttles.

use super::mechanisms::{Gate, Pick};
use super::*;
use crate::Buffers;
use tailback_traffic::pattern::Table;

/// Runs with an arbiter and, perhaps, a throttle.
fn run_with(discipline: impl Into<Any>, arbiter: Pick, throttle: Gate) -> Log {
    let grid = mesh(&[3, 3], 2, 2);
    let traffic = uniform(&grid, 0.9, 8);
    let parts = Parts { arbiter, admission: throttle, ..parts(&grid, discipline) };
    run(&mut ioq(&grid, &traffic, router(), parts, Buffers::Unwatched), 600)
}

#[test]
fn an_arbiter_that_takes_turns_does_what_is_done_without_asking() {
    let shared = |pick| run_with(Moody, pick, Gate(false));
    let parted = |pick| run_with(ByDestination { queues: 4, shared: false }, pick, Gate(false));
    assert_eq!(shared(Pick::Turns), shared(Pick::AskedTurns));
    assert_eq!(parted(Pick::Turns), parted(Pick::AskedTurns));
    assert_ne!(shared(Pick::Turns).delivered, shared(Pick::Eldest).delivered);
    assert_ne!(parted(Pick::Turns).delivered, parted(Pick::Eldest).delivered);
}

#[test]
fn a_throttle_holds_packets_back_under_every_memory() {
    let gated = run_with(Single, Pick::Turns, Gate(true));
    assert!(gated.entered < run_with(Single, Pick::Turns, Gate(false)).entered && gated.delivered.len() > 100);
    let parted = || ByDestination { queues: 4, shared: false };
    let gated = run_with(parted(), Pick::Eldest, Gate(true));
    assert!(gated.entered < run_with(parted(), Pick::Eldest, Gate(false)).entered && gated.delivered.len() > 100);
    assert!(run_with(Moody, Pick::Turns, Gate(true)).delivered.len() > 100);
}

/// Two switches in a row with two nodes each, and links of three cycles: nodes 0 and 1 send three packets each to node 2, and nobody else
/// sends anything over the link.
///
/// They enter in cycle 0, are sent in cycle 1, and are heads in the switch in cycle 4. One crosses then, the other in cycle 8; the two that
/// enter in cycle 4 cross in cycles 12 and 16. The link out sends from cycle 5 to cycle 20, so the egress side is not free at the ends of
/// cycles 4 to 20. Adapters hear of that from cycle 8 on, when the third packets could enter, and that it is free in cycle 25.
#[test]
fn words_of_a_throttle_take_as_long_as_a_link() {
    let grid = mesh(&[2], 2, 3);
    let table = Table::of_destinations(&[2, 2, 2, 3]).expect("nodes");
    let traffic = traffic(&grid, &uniform_text(0.5, 4), Some(3)).with_table(&table).expect("a table of this network");
    let parts = Parts { admission: Gate(true), ..parts(&grid, Single) };
    let log = run(&mut ioq(&grid, &traffic, router(), parts, Buffers::Unwatched), 400);
    let entered = |source: u32| {
        let of = log.delivered.iter().filter(|packet| packet.0 == source && packet.2 == 2);
        of.map(|packet| packet.4).collect::<Vec<_>>()
    };
    assert_eq!((entered(0), entered(1)), (vec![0, 4, 25], vec![0, 4, 25]));
}
