//! Which queue a packet joins under every discipline, and what is refused.

mod recn;

use super::{Any, ENTRIES, build, in_classes, section};
use crate::Refusal;
use crate::testing::resolved_text;
use tailback_engine::contract::queueing::{Discipline, LINK, Packing, Place, Queueing, Route, Side};
use tailback_network::Grid;

/// A discipline in a 4x4 mesh with two nodes a router, packets of 64 bytes.
fn built(text: &str) -> Any {
    discipline(text, &Grid::new(&[4, 4], &[false; 2], 2, 1)).expect("it can work there")
}

fn discipline(text: &str, grid: &Grid) -> Result<Any, Refusal> {
    build(resolved_text(section(), text).view("queueing"), &grid.into(), 64)
}

fn place(side: Side, port: u8) -> Place {
    Place { side, port, node: port >= 4 || side == Side::Adapter }
}

/// A route in that mesh.
fn route(turns: &[u8], destination: u32) -> Route<'_> {
    Route::new(Packing::new(6), turns, destination)
}

/// The queue of a side of port 1 (or of a node's) that a packet joins, and how many there are.
fn queue(discipline: &Any, side: Side, from: u8, turns: &[u8], destination: u32) -> (usize, usize) {
    let queues = discipline.queues(place(side, if side == Side::Adapter { 4 } else { 1 }));
    (queues.queue_for(from, route(turns, destination)), queues.count())
}

#[test]
fn one_queue_takes_all() {
    let single = built("");
    assert_eq!(queue(&single, Side::Ingress, LINK, &[2, 0, 5], 9), (0, 1));
    assert_eq!(queue(&single, Side::Egress, 3, &[0, 5], 9), (0, 1));
    assert!(single.shares_memory());
}

#[test]
fn voq_sw_sorts_by_ports_of_the_switch() {
    let voq = built("queueing = 'voq_sw'");
    assert_eq!(queue(&voq, Side::Ingress, LINK, &[2, 0, 5], 9), (2, 6));
    assert_eq!(queue(&voq, Side::Egress, 3, &[0, 5], 9), (0, 6), "the next turn");
    assert_eq!(queue(&voq, Side::Adapter, 0, &[5], 9), (5, 6));
    assert_eq!(voq.credit_counter(route(&[2, 5], 9)), 2);
    assert!(!voq.shares_memory());
    let to_node = voq.queues(place(Side::Egress, 5));
    assert_eq!((to_node.queue_for(3, route(&[], 9)), to_node.count()), (0, 1));
}

#[test]
fn message_classes_have_queues_of_their_own() {
    let classed = |text: &str| in_classes(built(text), 2);
    let single = classed("").expect("it has classes");
    assert_eq!(queue(&single, Side::Ingress, LINK, &[2, 0, 5], 9), (1, 2));
    assert_eq!(queue(&single, Side::Egress, 3, &[0, 5], 8), (0, 2));
    assert_eq!((single.credit_counter(route(&[2, 5], 9)), single.shares_memory()), (1, false));
    let voq = classed("queueing = 'voq_sw'").expect("it has classes");
    assert_eq!(queue(&voq, Side::Ingress, LINK, &[2, 0, 5], 9), (6 + 2, 12));
    assert_eq!(queue(&voq, Side::Ingress, LINK, &[2, 0, 5], 8), (2, 12));
    assert_eq!(voq.credit_counter(route(&[2, 5], 9)), 6 + 2);
    let to_node = voq.queues(place(Side::Egress, 5));
    assert_eq!((to_node.queue_for(3, route(&[], 9)), to_node.count()), (1, 2));
    let dbbm = classed("queueing = { kind = 'dbbm', queues = 3 }").expect("it has classes");
    assert_eq!(queue(&dbbm, Side::Ingress, LINK, &[2, 0, 5], 9), (3 + 1, 6), "node 4, class 1");
    assert_eq!(dbbm.credit_counter(route(&[2, 5], 9)), 3 + 1);
    let net = classed("queueing = 'voq_net'").expect("every port has a queue");
    assert_eq!(queue(&net, Side::Ingress, LINK, &[2, 0, 5], 9), (9, 32));
    assert!(classed("queueing = 'damq'").is_none() && classed("queueing = 'recn'").is_none());
}

#[test]
fn voq_sw_may_sort_otherwise_behind_the_crossbar() {
    let by_port = built("queueing = { kind = 'voq_sw', egress_index = 'input_port' }");
    assert_eq!(queue(&by_port, Side::Egress, 3, &[0, 5], 9), (3, 6));
    assert_eq!(queue(&by_port, Side::Adapter, 0, &[0, 5], 9), (0, 1));
    assert_eq!(queue(&by_port, Side::Ingress, LINK, &[2, 5], 9), (2, 6));
    let one = built("queueing = { kind = 'voq_sw', egress_index = 'single' }");
    assert_eq!(queue(&one, Side::Egress, 3, &[0, 5], 9), (0, 1));
    assert_eq!(queue(&one, Side::Adapter, 0, &[0, 5], 9), (0, 1));
}

#[test]
fn voq_net_and_dbbm_sort_by_destination() {
    let net = built("queueing = 'voq_net'");
    let dbbm = built("queueing = { kind = 'dbbm', queues = 5 }");
    for (side, turns) in [(Side::Ingress, &[2u8, 5][..]), (Side::Egress, &[]), (Side::Adapter, &[5])] {
        assert_eq!(queue(&net, side, 0, turns, 19), (19, 32));
        assert_eq!(queue(&dbbm, side, 0, turns, 19), (4, 5));
    }
    let route = route(&[2, 5], 19);
    assert_eq!((net.credit_counter(route), dbbm.credit_counter(route)), (19, 4));
    assert!(!net.shares_memory() && !dbbm.shares_memory());
}

#[test]
fn damq_shares_what_voq_sw_divides() {
    let damq = built("queueing = 'damq'");
    assert_eq!(queue(&damq, Side::Ingress, LINK, &[2, 5], 9), (2, 6));
    assert_eq!(queue(&damq, Side::Egress, 3, &[0, 5], 9), (0, 6));
    assert_eq!(queue(&damq, Side::Adapter, 0, &[5], 9), (5, 6));
    assert_eq!(damq.queues(place(Side::Egress, 4)).count(), 1);
    assert_eq!(damq.credit_counter(route(&[2, 5], 9)), 0);
    assert!(damq.shares_memory());
}

#[test]
fn nothing_is_held_without_set_aside_queues() {
    let grid = Grid::new(&[4, 4], &[false; 2], 2, 1);
    for entry in ENTRIES.iter().filter(|e| e.name != "recn") {
        let any = discipline(&format!("queueing = '{}'", entry.name), &grid).expect("any network will do");
        let mut queues = any.queues(place(Side::Ingress, 0));
        let route = route(&[1, 5], 3);
        let mut silent = |_, _| panic!("{} has nothing to say", entry.name);
        let queue = queues.queue_for(LINK, route);
        (1..2000).for_each(|level| assert!(!queues.joined(queue, LINK, level, &mut silent)));
        assert!(!queues.left(queue, 1998, &mut silent));
        assert_eq!((queues.held(), queues.deferred(), queues.set_aside(), queues.accepts(route)), (0, 0, 0, true));
    }
}

#[test]
fn recn_is_refused_where_places_cannot_be_named_or_queues_numbered() {
    let refused = |text: &str, grid: &Grid| discipline(text, grid).err().map(|r| (r.path, r.message, r.help));
    let mesh = |radix: &[u32], nodes| Grid::new(radix, &vec![false; radix.len()], nodes, 1);
    assert_eq!(refused("queueing = 'recn'", &mesh(&[32, 32], 1)), None, "63 switches on the longest route");
    let (path, message, _) = refused("queueing = 'recn'", &mesh(&[33, 32], 1)).expect("64 switches");
    assert!(path == "queueing.kind" && message.contains("64 switches"), "{message}");
    assert_eq!(refused("queueing = 'recn'", &Grid::new(&[33, 62], &[true; 2], 1, 1)), None, "half of a ring");
    let torus = |radix: &[u32]| Grid::new(radix, &[true; 2], 1, 1);
    assert_eq!(refused("queueing = 'recn'", &torus(&[63, 63])), None, "1 + 31 + 31 switches");
    let (path, message, _) = refused("queueing = 'recn'", &torus(&[64, 63])).expect("1 + 32 + 31 switches");
    assert!(path == "queueing.kind" && message.contains("64 switches"), "{message}");
    let with = |lines| format!("queueing = {{ kind = 'recn', set_aside_queues = {lines} }}");
    assert_eq!(refused(&with(32), &mesh(&[4, 4], 28)), None);
    let (path, message, help) = refused(&with(32), &mesh(&[4, 4], 29)).expect("65 queues");
    assert!(path == "queueing.set_aside_queues" && message.contains("33 ports and 32"), "{message}");
    assert!(help.contains("31 or less"), "{help}");
    assert!(refused(&with(1), &mesh(&[4, 4], 60)).expect("64 ports").2.contains("fewer nodes"));
}

#[test]
fn recn_is_refused_with_thresholds_upside_down() {
    let grid = Grid::new(&[4, 4], &[false; 2], 2, 1);
    let with = |xoff, xon| format!("queueing = {{ kind = 'recn', xoff_bytes = {xoff}, xon_bytes = {xon} }}");
    assert!(discipline(&with(640, 640), &grid).is_ok());
    let refusal = discipline(&with(640, 641), &grid).expect_err("both at once");
    assert!(refusal.path == "queueing.xon_bytes" && refusal.message.contains("between 640 and 641"), "{refusal:?}");
}
