//! Every policy, and what is refused.

use super::{ENTRIES, build, is_plain, section};
use crate::Refusal;
use crate::testing::resolved_text;
use tailback_base::rng::{Purpose, draw_u64};
use tailback_engine::contract::injection::{Injection, InjectionQueue};

fn interface(kind: &str, queues: usize, dimensions: usize) -> Result<super::Any, Refusal> {
    let spec = resolved_text(section(), &format!("interface = {{ kind = '{kind}', queues = {queues} }}"));
    build(spec.view("interface"), dimensions, 64)
}

/// The queues that packets with these offsets choose one after the other, of queues with these flits waiting.
fn chosen(kind: &str, node: u32, waiting: &[u32], offsets: &[i32], packets: u64) -> Vec<usize> {
    let mut policy = interface(kind, waiting.len(), waiting.len().div_ceil(2)).expect("queues that it can have");
    let queues: Vec<InjectionQueue> =
        waiting.iter().map(|&waiting_flits| InjectionQueue { waiting_flits, has_room: waiting_flits < 64 }).collect();
    let draw = |packet| move || draw_u64(7, Purpose::Interface, node, packet);
    (0..packets).map(|packet| policy.choose(node, offsets, &queues, draw(packet))).collect()
}

#[test]
fn sh_takes_the_shortest_and_ties_fall_anywhere() {
    assert_eq!(chosen("sh", 3, &[32, 16, 48, 32], &[2, -1], 9), [1; 9]);
    assert_eq!(chosen("sh", 3, &[64], &[2, -1], 2), [0; 2]);
    let mut taken = [0; 4];
    chosen("sh", 3, &[16, 0, 0, 0], &[2, -1], 4000).into_iter().for_each(|queue| taken[queue] += 1);
    // From queue 0 on the first of the equals is queue 1.
    assert!(taken[0] == 0 && (1900..2100).contains(&taken[1]) && (900..1100).contains(&taken[2]), "{taken:?}");
}

#[test]
fn shp_takes_the_shortest_of_those_that_lead_closer() {
    assert_eq!(chosen("shp", 0, &[0, 32, 0, 16], &[-3, -1], 1), [3]);
    assert_eq!(chosen("shp", 0, &[0, 16, 16, 0], &[-3, 1], 1), [1], "the lowest dimension among equals");
    assert_eq!(chosen("shp", 0, &[0, 64, 0, 0], &[-3, 0], 1), [1], "one direction only, however long its queue");
    assert_eq!(chosen("shp", 0, &[0, 64, 0, 0, 9, 0], &[-3, 0, 4], 1), [4]);
}

#[test]
fn lpath_takes_the_longest_way() {
    assert_eq!(chosen("lpath", 0, &[0; 4], &[-3, 4], 1), [2]);
    assert_eq!(chosen("lpath", 0, &[0; 4], &[-4, 4], 1), [1], "the lowest dimension among equals");
    assert_eq!(chosen("lpath", 0, &[0; 6], &[1, 2, -3], 1), [5]);
}

#[test]
fn dor_takes_the_first_dimension_with_hops_left() {
    assert_eq!(chosen("dor", 0, &[0; 6], &[0, -1, 3], 1), [3]);
    assert_eq!(chosen("dor", 0, &[0; 4], &[1, -3], 1), [0]);
}

#[test]
fn packets_for_the_own_router_wait_in_queue_0() {
    for kind in ["shp", "lpath", "dor"] {
        assert_eq!(chosen(kind, 0, &[16, 0, 0, 0], &[0, 0], 1), [0], "{kind}");
    }
}

#[test]
fn round_robin_takes_one_after_the_other_node_by_node() {
    assert_eq!(chosen("round_robin", 5, &[64, 0, 0], &[1, 1], 7), [0, 1, 2, 0, 1, 2, 0]);
    let mut policy = interface("round_robin", 2, 1).expect("two queues");
    let queues = [InjectionQueue { waiting_flits: 0, has_room: true }; 2];
    let mut of = |node| policy.choose(node, &[1], &queues, || 0);
    assert_eq!([of(9), of(2), of(9), of(9), of(2)], [0, 0, 1, 0, 1]);
}

#[test]
fn random_takes_all_alike() {
    let mut taken = [0; 3];
    chosen("random", 1, &[64, 0, 0], &[1, 1], 3000).into_iter().for_each(|queue| taken[queue] += 1);
    assert!(taken.iter().all(|t| (900..1100).contains(t)), "{taken:?}");
}

#[test]
fn more_queues_than_directions_and_too_few_are_refused() {
    let refused = |kind, queues, dimensions| interface(kind, queues, dimensions).err().map(|r| (r.path, r.message));
    for entry in ENTRIES {
        assert!(refused(entry.name, 4, 2).is_none() && refused(entry.name, 2, 1).is_none());
        let (path, message) = refused(entry.name, 5, 2).expect("five directions");
        assert!(path == "interface.queues" && message.contains("4 here, and not 5"), "{message}");
        let needs_all = matches!(entry.name, "shp" | "lpath" | "dor");
        assert_eq!(refused(entry.name, 2, 2).is_some(), needs_all, "{}", entry.name);
    }
    assert!(refused("lpath", 1, 2).expect("one queue").1.contains("each of the 4 directions"));
}

#[test]
fn one_queue_is_plain() {
    let plain = |text: &str| is_plain(resolved_text(section(), text).view("interface"));
    assert!(plain("") && plain("interface = { router_packets = 3 }"));
    assert!(!plain("interface = { queues = 2 }") && !plain("interface = 'random'"));
    assert!(!plain("interface = { channels = 'virtual' }"));
}
