//! Routings that take detours, before the static check: which assignments of channels are free of deadlock, and which close a circle.
//! Every comparison of queues is a coin to the check.

use crate::common::families;
use families::{built, verdict};
use tailback_deadlock::{Buffer, Verdict};
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_mechanisms::routing;
use tailback_network::family::Built;
use tailback_spec::{Catalogue, Document};

fn routed(built: &Built, words: &str, channels: u32) -> routing::Any {
    let catalogue = Catalogue { sections: vec![routing::section()], ..Catalogue::default() };
    let text = format!("routing = {{ {words} }}");
    let resolved = Document::parse("spec.toml", text.as_bytes()).expect("readable").resolve(&catalogue);
    let resolved = resolved.unwrap_or_else(|errors| panic!("{words}: {errors}"));
    let routing = routing::build_any(resolved.view("routing"), built, channels);
    routing.unwrap_or_else(|refusal| panic!("{words}: {}", refusal.message))
}

const SMALL: &str = "routers_per_group=4 global_links=2";

/// Dragonflies whose groups have two local hops in a row, of several arrangements; one with trunks.
fn dragonflies() -> Vec<Built> {
    let more = ["", " arrangement=\"absolute\"", " arrangement=\"relative\"", " groups=5"];
    more.into_iter().map(|more| built("dragonfly", &format!("{SMALL}{more}"))).collect()
}

const ROUTINGS: [&str; 4] = ["valiant", "ugal_l", "ugal_g", "piggyback"];

#[test]
fn classes_by_position_are_free_of_deadlock() {
    for built in dragonflies() {
        for kind in ROUTINGS {
            for (to, channels) in [("group", 3), ("router", 4), ("any_router", 4)] {
                let routing = routed(&built, &format!("kind = '{kind}', to = '{to}'"), channels);
                assert!(matches!(verdict(&built, &routing, channels), Verdict::Free { .. }), "{kind} to a {to}");
            }
        }
        for (to, channels) in [("group", 4), ("router", 5), ("any_router", 5)] {
            let routing = routed(&built, &format!("kind = 'par', to = '{to}'"), channels);
            assert!(matches!(verdict(&built, &routing, channels), Verdict::Free { .. }), "par to a {to}");
        }
    }
}

/// The channels that the packets of a circle hold.
fn circle(built: &Built, words: &str, channels: u32) -> Option<Vec<u32>> {
    let Verdict::Circle(circle) = verdict(built, &routed(built, words, channels), channels) else { return None };
    let channel = |buffer: &Buffer| match buffer {
        Buffer::Link { channel, .. } => *channel,
        _ => panic!("a network without a grid has links"),
    };
    Some(circle.steps.iter().flat_map(|step| &step.holds).map(channel).collect())
}

#[test]
fn counts_that_lag_behind_the_place_of_a_hop_close_circles() {
    let built = built("dragonfly", SMALL);
    for (words, channels, free) in [
        ("kind = 'valiant', to = 'group', classes = 'global'", 3, true),
        ("kind = 'valiant', to = 'group', classes = 'ladder'", 3, false),
        ("kind = 'valiant', to = 'router', classes = 'global'", 3, false),
        ("kind = 'ugal_l', to = 'router', classes = 'global'", 3, false),
        ("kind = 'par', to = 'group', classes = 'global'", 3, false),
        ("kind = 'par', to = 'group', classes = 'ladder'", 4, false),
        ("kind = 'ugal_l', to = 'group', classes = 'supersim'", 3, true),
        ("kind = 'ugal_l', to = 'router', classes = 'supersim'", 4, true),
        ("kind = 'par', to = 'group', classes = 'supersim'", 4, true),
        ("kind = 'par', to = 'router', classes = 'supersim'", 5, true),
    ] {
        assert_eq!(circle(&built, words, channels).is_none(), free, "{words}");
    }
}

/// Packets on their way to an intermediate router use channel 0 of the local links that others use towards their global link.
#[test]
fn the_assignment_of_booksim_closes_a_circle_of_its_first_channel() {
    for arrangement in ["absolute", "palmtree"] {
        let built = built("dragonfly", &format!("{SMALL} arrangement=\"{arrangement}\""));
        let words = "kind = 'ugal_l', to = 'router', classes = 'booksim', threshold = 'booksim'";
        let held = circle(&built, words, 3).expect("a circle");
        assert!(held.len() >= 3 && held.iter().all(|&channel| channel == 0), "{arrangement}: {held:?}");
    }
}

/// The channels to its node that a packet may take which has gone from one router to another by the first of its ways.
fn exit(built: &Built, words: &str, channels: u32, (from, to): (u32, u32)) -> u16 {
    let routing = routed(built, words, channels);
    let mut packet = Packet { router: to, ..Packet::default() };
    let mut word = routing.start(from, &mut packet, || 0);
    let mut head = Head { router: from, input: None };
    loop {
        let Request { port, channels } = routing.request(head, &packet, &mut word);
        let Some(port) = port else { return channels };
        word = routing.advance(port, word);
        let far = built.network.peer(head.router, port.into()).expect("ways follow links");
        head = Head { router: far.router, input: Some((far.port as u8, channels.trailing_zeros() as u8)) };
    }
}

#[test]
fn packets_of_booksim_leave_by_the_channel_of_their_phase() {
    let built = built("dragonfly", SMALL);
    // At home, to the next router of the group, and to another group.
    let ways = [(0, 0), (0, 1), (0, 30)];
    let exits = |words: &str, channels| ways.map(|way| exit(&built, words, channels, way));
    assert_eq!(exits("kind = 'minimal', classes = 'booksim'", 2), [1, 1, 2]);
    assert_eq!(exits("kind = 'ugal_l', to = 'router', classes = 'booksim'", 3), [4, 4, 4]);
    assert_eq!(exits("kind = 'minimal'", 2), [0, 0, 0], "any channel");
}

#[test]
fn groups_of_leaves_and_spines_need_two_classes() {
    let built = built("megafly", "leaves=2 spines=2 global_links=1");
    for kind in ROUTINGS {
        for to in ["group", "router", "any_router"] {
            let routing = routed(&built, &format!("kind = '{kind}', to = '{to}'"), 2);
            assert!(matches!(verdict(&built, &routing, 2), Verdict::Free { .. }), "{kind} to a {to}");
        }
    }
}

#[test]
fn detours_by_a_router_run_on_any_network() {
    for (kind, sets, channels) in
        [("hyperx", "sides=[3,3]", 2), ("slim_fly", "q=5", 4), ("fat_tree", "arity=2 levels=2", 2)]
    {
        let built = built(kind, sets);
        for routing in ["valiant", "ugal_l"] {
            let routing = routed(&built, &format!("kind = '{routing}'"), channels);
            assert!(matches!(verdict(&built, &routing, channels), Verdict::Free { .. }), "{kind}");
        }
    }
}
