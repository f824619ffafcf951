//! RECN, one side at a time: packets join and leave, neighbours say things, and what comes of it is looked at.

use super::{built, place, route};
use std::collections::VecDeque;
use tailback_base::state::{Reader, State, Writer};
use tailback_engine::contract::queueing::NoticeKind::{Congested, Off, On, Refused, Released};
use tailback_engine::contract::queueing::{Discipline, LINK, Notice, NoticeKind, Queueing, Side, Turns};

/// Detection above 2 packets, notification above 3, Xoff above 4, Xon below 2; two lines a side; ports 4 and 5 are nodes'.
const SMALL: &str = "queueing = { kind = 'recn', set_aside_queues = 2, detection_bytes = 128, notification_bytes = 192, \
                     xoff_bytes = 256, xon_bytes = 128 }";

/// What was said to whom.
type Said = Vec<(u8, NoticeKind, Vec<u8>)>;

/// A side with its packets: their numbers, in the order of joining.
struct Bench {
    queues: super::super::Queues,
    packets: Vec<VecDeque<u32>>,
    joined: u32,
}

impl Bench {
    fn new(text: &str, side: Side, port: u8) -> Self {
        let queues = built(text).queues(place(side, port));
        let packets = vec![VecDeque::new(); queues.count()];
        Bench { queues, packets, joined: 0 }
    }

    /// A packet joins: the queue, and what is said.
    fn join(&mut self, from: u8, turns: &[u8]) -> (usize, Said) {
        let queue = self.queues.queue_for(from, route(turns, 0));
        self.packets[queue].push_back(self.joined);
        self.joined += 1;
        let (mut said, level) = (Vec::new(), self.packets[queue].len() as u32);
        self.queues.joined(queue, from, level, &mut |to, n| said.push((to, n.kind, n.turns.as_slice().to_vec())));
        (queue, said)
    }

    /// Several packets join; nothing is said but by the last.
    fn fill(&mut self, count: u32, from: u8, turns: &[u8]) -> (usize, Said) {
        for _ in 1..count {
            assert_eq!(self.join(from, turns).1, []);
        }
        self.join(from, turns)
    }

    /// The first packet of a queue leaves.
    fn leave(&mut self, queue: usize) -> Said {
        assert!(self.queues.held() >> queue & 1 == 0, "queue {queue} is held");
        self.packets[queue].pop_front().expect("a packet");
        let (mut said, level) = (Vec::new(), self.packets[queue].len() as u32);
        self.queues.left(queue, level, &mut |to, n| said.push((to, n.kind, n.turns.as_slice().to_vec())));
        said
    }

    fn told(&mut self, from: u8, kind: NoticeKind, turns: &[u8]) -> Said {
        let mut said = Vec::new();
        let notice = Notice { turns: Turns::new(turns), kind };
        let level = |queue: usize| self.packets[queue].len() as u32;
        self.queues.told(from, &notice, level, &mut |to, n| said.push((to, n.kind, n.turns.as_slice().to_vec())));
        said
    }

    fn is_held(&self, queue: usize) -> bool {
        self.queues.held() >> queue & 1 == 1
    }

    fn points(&self) -> Vec<Vec<u8>> {
        let mut points = Vec::new();
        self.queues.points(&mut |turns| points.push(turns.as_slice().to_vec()));
        points.retain(|turns| !turns.is_empty());
        assert_eq!(points.len() as u32, self.queues.set_aside());
        points
    }
}

fn ingress() -> Bench {
    Bench::new(SMALL, Side::Ingress, 1)
}

fn egress() -> Bench {
    Bench::new(SMALL, Side::Egress, 1)
}

#[test]
fn thresholds_are_in_bytes_and_exceeded_by_more() {
    let just = |bytes| format!("queueing = {{ kind = 'recn', detection_bytes = {bytes} }}");
    for (bytes, packets) in [(0, 1), (63, 1), (64, 2), (127, 2), (128, 3), (1310, 21)] {
        let mut side = Bench::new(&just(bytes), Side::Ingress, 1);
        for n in 1..packets {
            side.join(LINK, &[2, 5]);
            assert_eq!(side.queues.set_aside(), 0, "{n} packets do not exceed {bytes} bytes");
        }
        side.join(LINK, &[2, 5]);
        assert_eq!(side.queues.set_aside(), 1, "{packets} packets exceed {bytes} bytes");
    }
}

#[test]
fn a_detection_queue_that_fills_is_swapped_for_a_set_aside_one() {
    let mut side = ingress();
    assert_eq!(side.fill(3, LINK, &[2, 0, 5]), (2, vec![]));
    assert_eq!(side.points(), [[2]]);
    assert_eq!(side.queues.deferred(), 0b1000_0100, "queue 2 is set aside, queue 6 detects for port 2");
    assert!(!side.is_held(2), "what is in it came first");
    side.leave(2);
    assert_eq!(side.join(LINK, &[2, 3]).0, 2, "packets to port 2 follow");
    assert_eq!(side.join(LINK, &[0, 2]).0, 0, "and no others");
    (0..2).for_each(|_| assert_eq!(side.leave(2), []));
    assert_eq!(side.leave(2), [], "nobody downstream told of it: nobody hears of its end");
    assert_eq!(side.points(), Vec::<Vec<u8>>::new());
    assert_eq!(side.join(LINK, &[2, 3]).0, 6, "the new detection queue stays");
    assert_eq!(side.fill(2, LINK, &[2, 3]), (6, vec![]));
    assert_eq!((side.points(), side.queues.deferred()), (vec![vec![2]], 0b1100_0000), "swapped back");
}

#[test]
fn without_a_free_line_nothing_is_detected() {
    let mut side = ingress();
    side.fill(3, LINK, &[0, 5]);
    side.fill(3, LINK, &[2, 5]);
    side.fill(9, LINK, &[3, 5]);
    assert_eq!(side.points(), [[0], [2]]);
}

#[test]
fn an_ingress_side_tells_the_link_and_stops_it() {
    let mut side = ingress();
    assert_eq!(side.fill(4, LINK, &[2, 0, 5]).1, [(LINK, Congested, vec![2])]);
    assert_eq!(side.join(LINK, &[2, 0, 5]).1, [(LINK, Off, vec![2])]);
    assert_eq!(side.fill(3, LINK, &[2, 0, 5]).1, [], "each is said once");
    (0..6).for_each(|_| assert_eq!(side.leave(2), []));
    assert_eq!(side.leave(2), [(LINK, On, vec![2])], "below 2 packets");
    assert_eq!(side.leave(2), [], "a line with a branch stays");
    assert_eq!(side.points(), [[2]]);
    assert_eq!(side.told(LINK, Released, &[2]), [], "the last branch goes, and the line with it");
    assert_eq!(side.queues.set_aside(), 0);
}

#[test]
fn the_same_packet_can_detect_and_grow_and_stop() {
    let zero =
        "queueing = { kind = 'recn', detection_bytes = 0, notification_bytes = 0, xoff_bytes = 1, xon_bytes = 1 }";
    let mut side = Bench::new(zero, Side::Ingress, 1);
    assert_eq!(side.join(LINK, &[4]), (4, vec![(LINK, Congested, vec![4]), (LINK, Off, vec![4])]));
    assert_eq!(side.leave(4), [(LINK, On, vec![4])]);
    assert_eq!(side.told(LINK, Released, &[4]), []);
    assert_eq!(side.queues.set_aside(), 0);
}

#[test]
fn an_egress_side_that_fills_tells_each_port_that_feeds_it() {
    let mut side = egress();
    assert_eq!(side.fill(2, 3, &[2, 5]).1, []);
    assert_eq!(side.join(4, &[2, 5]).1, [(4, Congested, vec![1])]);
    assert_eq!(side.join(4, &[2, 5]).1, [], "a branch already");
    assert_eq!(side.join(3, &[0, 4]).1, [(3, Congested, vec![1])], "wherever it goes from there");
    assert_eq!(side.queues.set_aside(), 0, "the standard queue stays what it is");
    let mut roots = 0;
    side.queues.points(&mut |turns| roots += u32::from(turns.len == 0));
    assert_eq!(roots, 1);
    assert_eq!(side.told(4, Released, &[]), []);
    assert_eq!(side.join(4, &[2, 5]).1, [(4, Congested, vec![1])], "and is told again");
}

#[test]
fn a_root_does_not_tell_those_that_refused_until_it_has_emptied() {
    let mut side = egress();
    assert_eq!(side.fill(3, 3, &[2, 5]).1, [(3, Congested, vec![1])]);
    assert_eq!(side.told(3, Refused, &[]), []);
    assert_eq!(side.join(3, &[2, 5]).1, []);
    side.leave(0);
    assert_eq!(side.join(3, &[2, 5]).1, [], "three packets are still too many");
    side.leave(0);
    side.leave(0);
    assert_eq!(side.join(3, &[2, 5]).1, [(3, Congested, vec![1])]);
}

#[test]
fn the_tree_grows_by_a_turn_across_the_crossbar() {
    let mut side = egress();
    assert_eq!(side.told(LINK, Congested, &[2, 5]), []);
    assert_eq!(side.fill(3, 3, &[2, 5]).0, 1, "its packets are set aside");
    assert_eq!(side.join(3, &[2, 5]).1, [(3, Congested, vec![1, 2, 5])]);
    assert_eq!(side.join(3, &[2, 5]).1, [(3, Off, vec![1, 2, 5])]);
    let late = [(4, Congested, vec![1, 2, 5]), (4, Off, vec![1, 2, 5])];
    assert_eq!(side.join(4, &[2, 5]).1, late, "who is told late is told to stop, too");
    (0..4).for_each(|_| assert_eq!(side.leave(1), []));
    assert_eq!(side.leave(1), [(3, On, vec![1, 2, 5]), (4, On, vec![1, 2, 5])]);
}

#[test]
fn packets_join_the_line_with_the_longest_turns() {
    let mut side = egress();
    side.told(LINK, Congested, &[2]);
    side.told(LINK, Congested, &[2, 0, 0]);
    assert_eq!(side.join(3, &[2, 0, 0, 5]).0, 2);
    assert_eq!(side.join(3, &[2, 0, 3, 5]).0, 1);
    assert_eq!(side.join(3, &[2, 0]).0, 1);
    assert_eq!(side.join(3, &[0, 2]).0, 0);
    side.told(LINK, Congested, &[2, 0, 0]);
    assert_eq!(side.points(), [vec![2], vec![2, 0, 0]], "told again, it is no second line");
}

#[test]
fn a_marker_holds_a_new_line_until_what_came_before_has_left() {
    let mut side = ingress();
    side.fill(2, LINK, &[2, 0, 5]);
    side.told(2, Congested, &[2, 0]);
    let (queue, _) = side.join(LINK, &[2, 0, 5]);
    assert!(queue == 6 && side.is_held(6));
    side.join(LINK, &[2, 3]);
    side.leave(2);
    assert!(side.is_held(6), "one more was there before");
    side.leave(2);
    assert!(!side.is_held(6), "the one behind the marker does not count");
}

#[test]
fn a_line_within_a_line_that_waits_inherits_its_marker() {
    let mut side = ingress();
    side.fill(2, LINK, &[2, 0, 5]);
    side.told(2, Congested, &[2]);
    side.told(2, Congested, &[2, 0]);
    assert!(side.is_held(6) && side.is_held(7), "line [2] is empty, and its packets are in queue 2");
    side.leave(2);
    assert!(side.is_held(6) && side.is_held(7));
    side.leave(2);
    assert!(!side.is_held(6) && !side.is_held(7));
    side.told(2, Released, &[]);
    assert_eq!(side.points().len(), 2);
}

#[test]
fn a_marker_stays_with_its_packets_when_queues_are_swapped() {
    let mut side = ingress();
    side.fill(2, LINK, &[2, 3]);
    side.told(2, Congested, &[2, 0]);
    side.join(LINK, &[2, 3]);
    assert_eq!(side.points(), [vec![2, 0], vec![2]], "queue 2 is line 1's now");
    side.leave(2);
    assert!(side.is_held(6));
    side.leave(2);
    assert!(!side.is_held(6));
}

#[test]
fn nested_lines_take_their_own_packets_and_answer_one_by_one() {
    let mut side = ingress();
    side.told(2, Congested, &[2]);
    let (outer, _) = side.join(LINK, &[2, 0, 5]);
    side.told(2, Congested, &[2, 0]);
    let (inner, _) = side.join(LINK, &[2, 0, 5]);
    assert!((outer, inner) == (6, 7) && side.is_held(7) && !side.is_held(6));
    assert_eq!(side.leave(6), [(2, Released, vec![])], "the point is the egress side of port 2");
    assert!(!side.is_held(7));
    assert_eq!(side.leave(7), [(2, Released, vec![0])]);
    assert_eq!(side.points(), Vec::<Vec<u8>>::new());
}

#[test]
fn off_and_on_hold_a_line_that_was_told_of() {
    let mut side = egress();
    side.told(LINK, Congested, &[2]);
    side.told(LINK, Off, &[2]);
    assert!(side.is_held(1));
    side.told(LINK, Off, &[3]);
    assert_eq!(side.queues.held(), 0b10, "no such line");
    side.told(LINK, On, &[2]);
    assert_eq!(side.queues.held(), 0);
    let mut side = ingress();
    side.fill(3, LINK, &[2, 5]);
    side.told(2, Off, &[2]);
    assert_eq!(side.queues.held(), 0, "a line that was detected here has nobody to stop it");
    side.told(2, Congested, &[2]);
    side.told(2, Off, &[2]);
    assert!(side.is_held(2));
}

#[test]
fn on_does_not_lift_a_marker_nor_the_marker_off() {
    let mut side = egress();
    side.join(3, &[2, 5]);
    side.told(LINK, Congested, &[2]);
    side.told(LINK, Off, &[2]);
    side.leave(0);
    assert!(side.is_held(1));
    side.told(LINK, On, &[2]);
    assert!(!side.is_held(1));
    side.join(3, &[0, 5]);
    side.told(LINK, Congested, &[0]);
    side.told(LINK, Off, &[0]);
    side.told(LINK, On, &[0]);
    assert!(side.is_held(2));
}

#[test]
fn a_line_ends_when_it_is_empty_and_the_last_branch_is_gone() {
    let mut side = egress();
    side.told(LINK, Congested, &[2, 5]);
    side.fill(4, 3, &[2, 5]);
    side.join(4, &[2, 5]);
    (0..5).for_each(|_| assert!(side.leave(1).iter().all(|said| said.1 == On)));
    assert_eq!(side.told(3, Released, &[2, 5]), []);
    assert_eq!(side.told(4, Refused, &[2, 5]), [(LINK, Released, vec![2, 5])]);
    assert_eq!(side.queues.set_aside(), 0);
}

#[test]
fn a_line_asks_those_that_refused_again_once_it_is_less_full() {
    let mut side = egress();
    side.told(LINK, Congested, &[2, 5]);
    assert_eq!(side.fill(4, 3, &[2, 5]).1, [(3, Congested, vec![1, 2, 5])]);
    side.told(3, Refused, &[2, 5]);
    assert_eq!(side.join(3, &[2, 5]).1, [], "it has refused, and there is no branch to stop");
    side.leave(1);
    assert_eq!(side.join(3, &[2, 5]).1, []);
    side.leave(1);
    side.leave(1);
    let again = [(3, Congested, vec![1, 2, 5]), (3, Off, vec![1, 2, 5])];
    assert_eq!(side.join(3, &[2, 5]).1, again);
}

#[test]
fn beyond_the_limit_notices_are_refused_in_the_terms_of_who_told() {
    let mut side = ingress();
    side.fill(3, LINK, &[0, 5]);
    side.fill(3, LINK, &[3, 5]);
    assert_eq!(side.told(2, Congested, &[2]), [(2, Refused, vec![])]);
    assert_eq!(side.told(2, Congested, &[2, 0, 5]), [(2, Refused, vec![0, 5])]);
    assert_eq!(side.points(), [[0], [3]]);
    let mut side = egress();
    side.told(LINK, Congested, &[2]);
    side.told(LINK, Congested, &[0]);
    side.join(3, &[2, 5]);
    side.join(3, &[0, 5]);
    assert_eq!(side.told(LINK, Congested, &[3, 5]), [(LINK, Refused, vec![3, 5])]);
}

#[test]
fn idle_lines_make_room_the_lowest_first() {
    let mut side = egress();
    side.told(LINK, Congested, &[3]);
    side.told(LINK, Congested, &[0]);
    assert_eq!(side.told(LINK, Congested, &[2]), [(LINK, Released, vec![3])]);
    side.join(3, &[3, 5]);
    assert_eq!(side.told(LINK, Congested, &[3]), [(LINK, Released, vec![2])]);
    assert_eq!(side.points(), [[3], [0]]);
    assert_eq!(side.told(LINK, Congested, &[2]), [(LINK, Released, vec![0])], "line 0 has a marker");
    assert_eq!(side.told(LINK, Congested, &[1]), [(LINK, Refused, vec![1])], "now line 1 has one, too");
    side.leave(0);
    side.fill(4, 3, &[3, 5]);
    (0..4).for_each(|_| drop(side.leave(1)));
    assert_eq!(side.told(LINK, Congested, &[1]), [(LINK, Released, vec![2])], "line 0 has a branch");
    assert_eq!(side.points(), [[3], [1]]);
}

#[test]
fn an_adapter_takes_nothing_in_for_a_line_that_is_off() {
    let mut side = Bench::new(SMALL, Side::Adapter, 4);
    let accepts = |side: &Bench, turns| side.queues.accepts(route(turns, 0));
    assert_eq!(side.fill(9, 0, &[0, 5]).1, [], "its standard queue tells nobody");
    side.told(LINK, Congested, &[2]);
    assert_eq!(side.fill(5, 0, &[2, 5]), (1, vec![]), "nor does its set-aside queue");
    assert!(!accepts(&side, &[2, 5]) && accepts(&side, &[0, 5]));
    (0..9).for_each(|_| drop(side.leave(0)));
    (0..3).for_each(|_| drop(side.leave(1)));
    assert!(!accepts(&side, &[2, 5]), "two packets are not less than 128 bytes");
    side.leave(1);
    assert!(accepts(&side, &[2, 5]));
    assert_eq!(side.leave(1), [(LINK, Released, vec![2])]);
}

#[test]
fn what_belongs_to_no_line_says_nothing_and_changes_nothing() {
    let mut side = ingress();
    side.fill(4, LINK, &[2, 5]);
    for kind in [Off, On, Released, Refused] {
        assert_eq!(side.told(LINK, kind, &[3, 5]), []);
    }
    assert_eq!((side.points(), side.queues.held()), (vec![vec![2]], 0));
}

/// A sender asks again whether a packet is accepted only when [`Queueing::answers`] has changed.
#[test]
fn answers_change_with_every_line_that_comes_goes_or_stops() {
    let mut side = egress();
    let mut before = side.queues.answers();
    let mut changes = |side: &Bench| side.queues.answers() - std::mem::replace(&mut before, side.queues.answers());
    side.told(LINK, Congested, &[2, 5]);
    assert_eq!(changes(&side), 1, "it came");
    side.fill(4, 3, &[2, 5]);
    assert_eq!(changes(&side), 0);
    side.join(3, &[2, 5]);
    assert_eq!(changes(&side), 1, "it is off");
    (0..5).for_each(|_| drop(side.leave(1)));
    assert_eq!(changes(&side), 1, "it is on");
    side.told(3, Released, &[2, 5]);
    assert_eq!((changes(&side), side.queues.set_aside()), (1, 0), "it went");
}

/// Whoever moves packets looks at a side again where its queues say that something may have changed.
#[test]
fn sides_say_when_something_may_have_changed() {
    let mut queues = built(SMALL).queues(place(Side::Egress, 1));
    let mut silent = |_, _| ();
    assert!(!queues.joined(0, 3, 2, &mut silent), "two packets are not too many");
    assert!(queues.joined(0, 3, 3, &mut silent));
    for level in [1, 0] {
        assert!(!queues.left(0, level, &mut silent), "the standard queue stays, and nobody has refused");
    }
    let turns = Turns::new(&[2]);
    assert!(queues.told(LINK, &Notice { turns, kind: Congested }, |_| 1, &mut silent), "a line came");
    assert!(queues.left(0, 0, &mut silent), "what it waited for has left");
    assert!(!queues.left(1, 1, &mut silent), "a line that is not empty stays");
    assert!(queues.left(1, 0, &mut silent), "a line that empties may go");
}

#[test]
fn a_line_that_is_on_again_or_gone_concerns_nobody() {
    let mut side = egress();
    let concerns = |side: &mut Bench| side.queues.left(0, 1, &mut |_, _| ());
    side.told(LINK, Congested, &[0]);
    side.join(3, &[0, 5]);
    // Line 1 stops its branch and lets it go on, or refuses and goes.
    for kind in [Released, Refused] {
        side.told(LINK, Congested, &[2]);
        side.fill(4, 3, &[2, 5]);
        side.join(3, &[2, 5]);
        assert!(concerns(&mut side), "it is off");
        (0..4).for_each(|_| drop(side.leave(2)));
        assert!(!concerns(&mut side), "it is on");
        side.told(3, kind, &[2]);
        assert_eq!(concerns(&mut side), kind == Refused);
        side.leave(2);
        assert!(!concerns(&mut side) && side.points() == [[0]], "it is gone");
    }
    // Or it is empty, and goes because its last branch refuses.
    side.told(LINK, Congested, &[2]);
    side.fill(4, 3, &[2, 5]);
    (0..4).for_each(|_| drop(side.leave(2)));
    assert_eq!(side.told(3, Refused, &[2]), [(LINK, Released, vec![2])]);
    assert!(!concerns(&mut side) && side.points() == [[0]], "it is gone, and with it who refused it");
}

#[test]
fn lines_become_off_and_on_by_themselves() {
    let mut side = egress();
    for (line, turns) in [(1, &[2, 5][..]), (2, &[0, 5])] {
        side.told(LINK, Congested, turns);
        assert_eq!(side.fill(4, 3, turns).0, line);
        assert_eq!(side.join(3, turns).1, [(3, Off, [&[1], turns].concat())]);
    }
    for (line, turns) in [(1, &[2, 5][..]), (2, &[0, 5])] {
        (0..3).for_each(|_| assert_eq!(side.leave(line), []));
        assert_eq!(side.leave(line), [(3, On, [&[1], turns].concat())], "line {line}");
    }
}

#[test]
fn whichever_line_waits_hands_its_marker_on() {
    let three = SMALL.replace("set_aside_queues = 2", "set_aside_queues = 3");
    let mut side = Bench::new(&three, Side::Ingress, 1);
    side.fill(2, LINK, &[2, 0, 5]);
    for turns in [&[3][..], &[2], &[2, 0]] {
        side.told(turns[0], Congested, turns);
    }
    let held = |side: &Bench| [6, 7, 8].map(|queue| side.is_held(queue));
    assert_eq!(held(&side), [false, true, true], "the packets of line [2] and of line [2, 0] are in queue 2");
    side.leave(2);
    side.leave(2);
    assert_eq!(held(&side), [false; 3]);
}

#[test]
fn a_line_that_went_leaves_nothing_behind() {
    let mut side = egress();
    side.told(LINK, Congested, &[2]);
    side.fill(4, 3, &[2, 5]);
    side.told(3, Refused, &[2]);
    side.told(LINK, Off, &[2]);
    side.told(LINK, On, &[2]);
    (0..4).for_each(|_| drop(side.leave(1)));
    assert_eq!(side.queues.set_aside(), 0);
    side.told(LINK, Congested, &[0]);
    assert!(!side.is_held(1), "the next line in its place is not stopped");
    assert_eq!(side.fill(4, 3, &[0, 5]).1, [(3, Congested, vec![1, 0])], "and was refused by nobody");
}

#[test]
fn a_checkpoint_holds_what_a_side_knows() {
    let state = |queues: &super::super::Queues| {
        let mut writer = Writer::default();
        queues.save(&mut writer);
        writer.into_bytes()
    };
    let mut side = ingress();
    side.fill(4, LINK, &[2, 0, 5]);
    side.join(LINK, &[2, 0, 5]);
    side.told(0, Congested, &[0]);
    side.told(0, Off, &[0]);
    let mut restored = ingress().queues;
    let bytes = state(&side.queues);
    let mut reader = Reader::new(&bytes, &[]);
    restored.restore(&mut reader).expect("a side of the same kind");
    reader.end().expect("all was read");
    assert_eq!(format!("{restored:?}"), format!("{:?}", side.queues));
    assert_ne!(format!("{restored:?}"), format!("{:?}", ingress().queues));
    // What is set aside goes on: queue 2 is line 0's.
    let way = route(&[2, 3], 0);
    assert_eq!((restored.queue_for(LINK, way), restored.accepts(way), restored.set_aside()), (2, false, 2));
}

/// Whatever neighbours say and packets do, those of one destination leave in the order in which they joined.
#[test]
fn order_is_kept_under_random_notices() {
    use tailback_base::rng::{Purpose, below, draw_u64};
    let routes: [&[u8]; 6] = [&[2, 0, 5], &[2, 0, 4], &[2, 3, 5], &[2, 5], &[0, 5], &[3, 0, 0, 4]];
    let points: [&[u8]; 7] = [&[2], &[2, 0], &[2, 0, 5], &[2, 3], &[0], &[3, 0, 0], &[2, 5]];
    let kinds = [Congested, Congested, Congested, Off, On, On, Released, Refused];
    let mut left = 0;
    for (seed, side_of) in (0..200).zip([Side::Ingress, Side::Egress].into_iter().cycle()) {
        let mut side = Bench::new(SMALL, side_of, 1);
        let (mut last, mut route_of, mut number) = ([0; 6], Vec::new(), 0);
        let mut draw = |n| {
            number += 1;
            below(draw_u64(seed, Purpose::Request, 0, number), n) as usize
        };
        for _ in 0..3000 {
            match draw(5) {
                0 | 1 => {
                    let route = draw(6);
                    route_of.push(route);
                    side.join(if side_of == Side::Ingress { LINK } else { 3 }, routes[route]);
                }
                2 | 3 => {
                    let queue = draw(side.packets.len() as u64);
                    let Some(&packet) = side.packets[queue].front().filter(|_| !side.is_held(queue)) else { continue };
                    let route = route_of[packet as usize];
                    assert!(packet >= last[route], "seed {seed}: {packet} after {}", last[route]);
                    last[route] = packet;
                    left += 1;
                    side.leave(queue);
                }
                _ => {
                    let (kind, point) = (kinds[draw(8)], points[draw(7)]);
                    let from = match (kind, side_of) {
                        (Released | Refused, Side::Ingress) => LINK,
                        (Released | Refused, _) => 3,
                        (_, Side::Ingress) => point[0],
                        _ => LINK,
                    };
                    side.told(from, kind, point);
                }
            }
            assert!(side.queues.set_aside() <= 2);
        }
    }
    assert!(left > 100_000, "{left} left");
}

#[test]
fn between_notification_and_detection_nothing_is_set_aside() {
    let late = "queueing = { kind = 'recn', detection_bytes = 256, notification_bytes = 128, xoff_bytes = 512, xon_bytes = 64 }";
    let mut side = Bench::new(late, Side::Ingress, 1);
    side.fill(4, LINK, &[2, 5]);
    assert_eq!(side.queues.set_aside(), 0, "four packets do not exceed 256 bytes");
    assert_eq!(side.join(LINK, &[2, 5]).1, [(LINK, Congested, vec![2])], "five do, and are told of at once");
}
