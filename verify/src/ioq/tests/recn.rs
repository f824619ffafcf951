//! RECN on one side.

use super::super::recn::{Kind, Notice, Recn};
use super::super::side::{Neighbour, Place, Side, Sort, Waiting};
use super::{Discipline, RECN, config};
use crate::ioq;

/// A side of a switch of a mesh of two dimensions, at port 1.
struct Bench {
    side: Side,
    packets: usize,
    said: Vec<(Neighbour, Notice)>,
}

use Kind::{Congested, Off, On, Refused, Released};
use Neighbour::{Link, Port};

impl Bench {
    fn new(sort: Sort, numbers: ioq::Recn) -> Self {
        let config = config(&[4, 4], Discipline::Recn(numbers));
        let place = Place { sort, of: 5, port: 1, to_node: false };
        Bench { side: Side::new(&config, place), packets: 0, said: Vec::new() }
    }

    fn recn(&self) -> &Recn {
        self.side.recn.as_ref().expect("it has lines")
    }

    /// A packet with this way comes; returns its queue.
    fn join(&mut self, from: Neighbour, way: &[usize]) -> usize {
        let queue = self.recn().queue_for(way);
        let notices = self.side.join(queue, Waiting { packet: self.packets, goes_from: 0 }, from);
        self.packets += 1;
        self.said.extend(notices);
        queue
    }

    /// The first packet of a queue leaves.
    fn leave(&mut self, queue: usize) -> usize {
        let (packet, notices) = self.side.leave(queue, 0, 0);
        self.said.extend(notices);
        packet
    }

    fn told(&mut self, from: Neighbour, kind: Kind, turns: &[usize]) {
        let notices = self.side.told(from, &Notice { turns: turns.to_vec(), kind });
        self.said.extend(notices);
    }

    /// What has been said since the last time.
    fn said(&mut self) -> Vec<(Neighbour, Kind, Vec<usize>)> {
        self.said.drain(..).map(|(to, notice)| (to, notice.kind, notice.turns)).collect()
    }

    fn turns(&self) -> Vec<Vec<usize>> {
        self.recn().lines().map(|(_, line)| line.turns.clone()).collect()
    }
}

#[test]
fn detection_swaps_the_queues() {
    let mut side = Bench::new(Sort::Ingress, ioq::Recn { xoff_bytes: 128, ..RECN });
    assert_eq!(side.join(Link, &[2, 0, 4]), 2);
    assert_eq!(side.said(), []);
    assert_eq!(side.join(Link, &[2, 2, 4]), 2);
    // Queue 2 belongs to the line now, and the port has that of the line, which is behind five detection queues.
    assert_eq!((side.turns(), side.recn().slots[0].queue, side.recn().plain[2]), (vec![vec![2]], 2, 5));
    assert_eq!(side.said(), [(Link, Congested, vec![2])], "it has just been made, and is too long already");
    assert!(!side.recn().is_held(2) && side.recn().is_deferred(2) && !side.recn().is_deferred(5));
    assert_eq!(side.join(Link, &[2, 4]), 2);
    assert_eq!(side.said(), [(Link, Off, vec![2])]);
    assert_eq!([side.leave(2), side.leave(2)], [0, 1]);
    assert_eq!(side.said(), [], "64 bytes are not less than 64");
    side.told(Link, Released, &[2]);
    assert_eq!(side.turns(), [[2]], "there is still a packet");
    side.leave(2);
    assert_eq!((side.turns().len(), side.said()), (0, vec![]), "no downstream told of it, and no branch is left");
    assert_eq!(side.join(Link, &[2, 4]), 5, "numbers stay exchanged");
}

#[test]
fn a_marker_holds_a_queue_until_those_before_have_left() {
    let mut side = Bench::new(Sort::Egress, ioq::Recn { detection_bytes: 640, ..RECN });
    for way in [&[0, 4][..], &[2, 4], &[0, 0, 4]] {
        assert_eq!(side.join(Port(3), way), 0);
    }
    side.told(Link, Congested, &[0]);
    assert_eq!(side.join(Port(3), &[0, 4]), 1);
    assert_eq!(side.join(Port(3), &[2, 4]), 0, "behind the marker");
    for (packet, held) in [(0, true), (1, true), (2, false)] {
        assert_eq!((side.leave(0), side.recn().is_held(1)), (packet, held));
    }
    assert_eq!(side.leave(1), 3);
    assert_eq!(side.said(), [(Link, Released, vec![0])]);
}

#[test]
fn nested_lines_take_over_the_marker() {
    let mut side = Bench::new(Sort::Egress, ioq::Recn { detection_bytes: 640, ..RECN });
    side.join(Port(3), &[0, 2, 4]);
    side.told(Link, Congested, &[0]);
    // No packet of it is in the queue of [0], but some of them are behind that line's marker.
    side.told(Link, Congested, &[0, 2]);
    assert_eq!(side.recn().lines().map(|(_, line)| line.marker).collect::<Vec<_>>(), [Some(0), Some(0)]);
    assert_eq!([side.join(Port(3), &[0, 2, 4]), side.join(Port(3), &[0, 4])], [2, 1], "the longest line");
    // Now the queue of [0] has a packet, which is the marker.
    side.told(Link, Congested, &[0, 4]);
    assert_eq!(side.recn().line_of(3).map(|slot| side.turns()[slot].clone()), Some(vec![0, 4]));
    side.leave(0);
    assert_eq!([1, 2, 3].map(|queue| side.recn().is_held(queue)), [false, false, true]);
    side.leave(1);
    assert!(!side.recn().is_held(3));
    // [0] has gone with its packet; what belonged to it joins the standard queue.
    assert_eq!((side.turns(), side.join(Port(3), &[0, 0])), (vec![vec![0, 2], vec![0, 4]], 0));
    assert_eq!(side.said(), [(Link, Released, vec![0])]);
}

#[test]
fn a_root_tells_each_port_that_adds_to_it_once() {
    let mut side = Bench::new(Sort::Egress, RECN);
    for from in [0, 0, 3, 3, 0] {
        side.join(Port(from), &[1, 4]);
    }
    assert_eq!(side.said(), [(Port(0), Congested, vec![1]), (Port(3), Congested, vec![1])]);
    side.told(Port(0), Released, &[]);
    side.told(Port(3), Refused, &[]);
    side.join(Port(0), &[1, 4]);
    side.join(Port(3), &[1, 4]);
    assert_eq!(side.said(), [(Port(0), Congested, vec![1])], "3 has refused");
    (0..6).for_each(|_| _ = side.leave(0));
    side.join(Port(3), &[1, 4]);
    assert_eq!(side.said(), [(Port(3), Congested, vec![1])], "the queue was short in between");
}

#[test]
fn a_long_line_grows_stops_and_starts_its_branches() {
    let mut side =
        Bench::new(Sort::Egress, ioq::Recn { notification_bytes: 64, xoff_bytes: 128, xon_bytes: 65, ..RECN });
    side.told(Link, Congested, &[0]);
    for from in [2, 2, 3, 3] {
        side.join(Port(from), &[0, 4]);
    }
    let told = [(2, Congested), (3, Congested), (2, Off), (3, Off)].map(|(to, kind)| (Port(to), kind, vec![1, 0]));
    assert_eq!(side.said(), told);
    side.join(Port(0), &[0, 4]);
    assert_eq!(side.said(), [Congested, Off].map(|kind| (Port(0), kind, vec![1, 0])), "told while it is off");
    (0..3).for_each(|_| _ = side.leave(1));
    assert_eq!(side.said(), []);
    side.leave(1);
    assert_eq!(side.said(), [0, 2, 3].map(|port| (Port(port), On, vec![1, 0])));
    side.leave(1);
    for port in [3, 0] {
        side.told(Port(port), Released, &[0]);
    }
    assert_eq!((side.said(), side.turns()), (vec![], vec![vec![0]]), "one branch is left");
    side.told(Port(2), Released, &[0]);
    assert_eq!((side.said(), side.turns().len()), (vec![(Link, Released, vec![0])], 0));
}

#[test]
fn what_is_stopped_goes_on_only_when_it_is_told() {
    let mut side = Bench::new(Sort::Ingress, RECN);
    (0..2).for_each(|_| _ = side.join(Link, &[2, 4]));
    side.told(Port(2), Off, &[2]);
    assert!(!side.recn().is_held(2), "a line without downstream was not meant");
    side.told(Port(2), Congested, &[2]);
    side.told(Port(2), Off, &[2]);
    assert!(side.recn().is_held(2));
    side.told(Port(2), On, &[2]);
    assert!(!side.recn().is_held(2));
    side.said();
    (0..2).for_each(|_| _ = side.leave(2));
    side.told(Link, Released, &[2]);
    assert_eq!(side.said(), [(Link, On, vec![2]), (Port(2), Released, vec![])]);
}

#[test]
fn when_no_line_is_free_an_idle_one_is_given_up_or_the_new_one_refused() {
    let mut side = Bench::new(Sort::Ingress, ioq::Recn { set_aside_queues: 2, ..RECN });
    side.told(Port(2), Congested, &[2, 0]);
    side.told(Port(3), Congested, &[3]);
    side.join(Link, &[2, 0, 4]);
    // Line 1 is empty, line 0 is not.
    side.told(Port(2), Congested, &[2]);
    assert_eq!(side.said(), [(Port(3), Released, vec![])]);
    assert_eq!(side.turns(), [vec![2, 0], vec![2]]);
    side.join(Link, &[2, 4]);
    side.told(Port(3), Congested, &[3, 1]);
    assert_eq!(side.said(), [(Port(3), Refused, vec![1])]);
    // Detection takes a free line only.
    (0..3).for_each(|_| assert_eq!(side.join(Link, &[3, 4]), 3));
    assert_eq!((side.said(), side.turns().len()), (vec![], 2));
}

#[test]
fn an_adapter_takes_nothing_for_a_line_that_is_off() {
    let mut side = Bench::new(Sort::Adapter, RECN);
    side.told(Link, Congested, &[2]);
    (0..2).for_each(|_| _ = side.join(Port(0), &[2, 4]));
    assert!(!side.recn().accepts(&[2, 0, 4]) && side.recn().accepts(&[0, 4]));
    (0..3).for_each(|_| assert_eq!(side.join(Port(0), &[0, 4]), 0, "its standard queue is no root"));
    side.leave(1);
    assert!(!side.recn().accepts(&[2, 0, 4]), "64 bytes are not less than 64");
    side.leave(1);
    assert!(side.recn().accepts(&[2, 0, 4]));
    assert_eq!(side.said(), [(Link, Released, vec![2])]);
}
