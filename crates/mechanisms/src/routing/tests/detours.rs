//! What packets decide that choose between their minimal way and a detour, queue by queue.

use crate::routing::{Any, build_any, section};
use crate::testing::resolved_text;
use std::collections::BTreeMap;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::family::{self, Built};
use tailback_network::graph::LinkKind;
use tailback_spec::{Catalogue, Document};

/// Queues as a test sets them.
#[derive(Default)]
struct Set {
    at: u32,
    /// By router and port, on every channel alike \[flits\].
    owed: BTreeMap<(u32, u8), u32>,
    /// By router, with the cycles that the wire takes.
    signals: BTreeMap<(u32, u32), u64>,
}

impl Queues for Set {
    fn owed(&self, port: u8, channel: u8) -> u32 {
        self.owed_at(self.at, port, channel)
    }

    fn owed_by_port(&self, _port: u8) -> u32 {
        unreachable!("it asks for what is owed by channels")
    }

    fn waiting(&self, _port: u8) -> u32 {
        0
    }

    fn free(&self, _port: u8, _channel: u8) -> u32 {
        unreachable!("it asks for what is owed")
    }

    fn carried(&self, _router: u32, _port: u8) -> bool {
        unreachable!("it looks at no links")
    }

    fn owed_at(&self, router: u32, port: u8, _channel: u8) -> u32 {
        self.owed.get(&(router, port)).copied().unwrap_or(0)
    }

    fn signal(&self, router: u32, cycles: u32) -> u64 {
        self.signals.get(&(router, cycles)).copied().unwrap_or(0)
    }
}

/// Four routers a group, two global links and a node each, in nine groups.
fn dragonfly() -> Built {
    let sections = [family::section()].into_iter().chain(family::subsections()).collect();
    let catalogue = Catalogue { sections, ..Catalogue::default() };
    let text = "topology = { kind = 'dragonfly', routers_per_group = 4, global_links = 2, local_cycles = 10 }";
    let resolved = Document::parse("test", text.as_bytes()).expect("TOML").resolve(&catalogue).expect("it can be");
    family::build(resolved.view("topology")).expect("it can be")
}

fn routing(words: &str) -> (Built, Any) {
    let built = dragonfly();
    let spec = resolved_text(section(), &format!("routing = {{ {words} }}"));
    let routing = build_any(spec.view("routing"), &built, 5).unwrap_or_else(|refusal| panic!("{}", refusal.message));
    (built, routing)
}

/// A packet from a router to another, and its word.
fn packet(routing: &Any, from: u32, to: u32, draw: u32) -> (Packet, u32) {
    let mut packet = Packet { source: from, destination: to, router: to, flits: 8, ..Packet::default() };
    let word = routing.start(from, &mut packet, || draw);
    (packet, word)
}

/// What a packet at its source decides.
fn decided(routing: &Any, from: u32, to: u32, draw: u32, queues: &Set) -> (Request, u32, u32) {
    let (mut packet, mut word) = packet(routing, from, to, draw);
    let request = routing.decide(Head { router: from, input: None }, &mut packet, &mut word, queues);
    assert!(routing.fits(from, &packet, word), "{packet:?}, {word:x}");
    let mut again = word;
    assert_eq!(routing.request(Head { router: from, input: None }, &packet, &mut again), request);
    assert_eq!(again, word, "what is decided stands");
    (request, packet.hops, word)
}

/// The ports of a packet's way by what it decided.
fn way(built: &Built, routing: &Any, from: u32, to: u32, mut word: u32, draw: u32) -> Vec<(u32, u8, u16)> {
    let (packet, _) = packet(routing, from, to, draw);
    let (mut at, mut input, mut way) = (from, None, Vec::new());
    loop {
        let request = routing.request(Head { router: at, input }, &packet, &mut word);
        let Some(port) = request.port else { return way };
        way.push((at, port, request.channels));
        let ahead = built.network.ahead(at, port.into()).expect("a link");
        (at, input, word) = (ahead.router, Some((ahead.port as u8, 0)), routing.advance(port, word));
        assert!(way.len() < 10, "it arrives");
    }
}

/// The first ports of the minimal way and of the detour that a draw gives.
fn ports(routing: &Any, from: u32, to: u32, draw: u32) -> (u8, u8, u32, u32) {
    let (packet, word) = packet(routing, from, to, draw);
    let head = Head { router: from, input: None };
    let port = |option| routing.option(head, &packet, &mut word.clone(), option).port.expect("it travels");
    let (minimal, detour) = (port(0), port(1));
    let queues = Set { at: from, owed: [((from, minimal), 99_999_999)].into(), ..Set::default() };
    let least = decided(routing, from, to, draw, &Set { at: from, ..Set::default() }).1;
    let most = decided(routing, from, to, draw, &queues).1;
    (minimal, detour, least, most)
}

/// A source, a destination in another group and a draw, whose two ways begin with different ports.
fn pair(routing: &Any) -> (u32, u32, u32) {
    let apart = |&(from, to, draw): &(u32, u32, u32)| {
        let (minimal, detour, ..) = ports(routing, from, to, draw);
        minimal != detour
    };
    (8..36).map(|to| (0, to, to)).find(apart).expect("there is one")
}

#[test]
fn a_detour_is_taken_where_its_queue_is_shorter_for_its_hops() {
    let (_, routing) = routing("kind = 'ugal_l', threshold = 'exact'");
    let (from, to, draw) = pair(&routing);
    let (minimal, detour, least, most) = ports(&routing, from, to, draw);
    assert!(least < most, "{least} and {most}");
    let decide = |short: u32, long: u32| {
        let owed = [((from, minimal), short), ((from, detour), long)].into();
        decided(&routing, from, to, draw, &Set { at: from, owed, ..Set::default() }).1
    };
    assert_eq!(decide(0, 0), least, "a tie");
    assert_eq!(decide(most, least), least, "a tie of the products");
    assert_eq!(decide(most + 1, least), most);
    assert_eq!(decide(1, 0), most);
    assert_eq!(decide(1, 1), least);
}

#[test]
fn presets_are_those_of_simulators() {
    let decides = |words: &str, short: u32, long: u32| {
        let (_, routing) = routing(&format!("kind = 'ugal_l', {words}"));
        let (from, to, draw) = pair(&routing);
        let (minimal, detour, least, most) = ports(&routing, from, to, draw);
        let owed = [((from, minimal), short), ((from, detour), long)].into();
        let hops = decided(&routing, from, to, draw, &Set { at: from, owed, ..Set::default() }).1;
        assert!(hops == least || hops == most);
        hops == most
    };
    let booksim = |short, long| decides("threshold = 'booksim'", short, long);
    assert_eq!([booksim(30, 0), booksim(31, 0), booksim(50, 10), booksim(51, 10)], [false, true, false, true]);
    let sst = |short, long| decides("threshold = 'sst', bias_flits = 7", short, long);
    assert_eq!([sst(7, 0), sst(8, 0), sst(27, 10), sst(28, 10)], [false, true, false, true]);
    // Five packets of eight flits, over a minimal way of so many hops.
    let fogsim = |flits| decides("threshold = 'fogsim'", flits, 0);
    let (_, exact) = routing("kind = 'ugal_l'");
    let (from, to, draw) = pair(&exact);
    let hops = ports(&exact, from, to, draw).2;
    assert_eq!([fogsim(40 / hops), fogsim(40 / hops + 1)], [false, true]);
    assert!(!decides("bias_flits = 100000", 900, 0));
}

#[test]
fn ways_lead_by_the_group_that_was_drawn_on_channels_in_order() {
    for to_router in [false, true] {
        let to = if to_router { "router" } else { "group" };
        let (built, routing) = routing(&format!("kind = 'valiant', to = '{to}'"));
        let mut seen = [false; 9];
        for (from, goal) in (0..36).flat_map(|from| (0..36).map(move |goal| (from, goal))).filter(|(a, b)| a != b) {
            for draw in routing.variety().draws {
                let (packet, word) = packet(&routing, from, goal, draw);
                let hops = way(&built, &routing, from, goal, word, draw);
                assert_eq!(hops.len(), packet.hops as usize, "{from} to {goal}");
                let groups: Vec<u32> = hops.iter().map(|&(router, ..)| router / 4).collect();
                let middle: Vec<u32> = groups.into_iter().filter(|&g| g != from / 4 && g != goal / 4).collect();
                assert!(!middle.is_empty() && middle.iter().all(|&group| group == middle[0]));
                seen[middle[0] as usize] |= from / 4 == 0;
                let classes = |global: bool| {
                    let of_kind = |&&(router, port, _): &&(u32, u8, u16)| {
                        let link = built.network.link(router, port.into()).expect("a link");
                        (link.kind == LinkKind::Global) == global
                    };
                    hops.iter().filter(of_kind).map(|hop| hop.2).collect::<Vec<u16>>()
                };
                for classes in [classes(false), classes(true)] {
                    assert!(classes.is_sorted_by(|a, b| a & b == 0 && a < b), "{classes:?}");
                }
            }
        }
        assert_eq!(seen.into_iter().filter(|&seen| seen).count(), 8, "all groups but the source's");
    }
}

#[test]
fn a_packet_may_turn_behind_its_first_local_hop_and_never_back() {
    let (built, routing) = routing("kind = 'par'");
    let groups = (8..36).map(|to| (0u32, to));
    let far = |&(from, to): &(u32, u32)| {
        let (packet, word) = packet(&routing, from, to, 5);
        let first = routing.request(Head { router: from, input: None }, &packet, &mut word.clone()).port;
        first.is_some_and(|port| port < 3)
    };
    let (from, to) = groups.into_iter().find(far).expect("some way begins with a local hop");
    let (mut packet, mut word) = packet(&routing, from, to, 5);
    let head = Head { router: from, input: None };
    let first = routing.decide(head, &mut packet, &mut word, &Set::default()).port.expect("it travels");
    let least = packet.hops;
    let next = built.network.ahead(from, first.into()).expect("a link");
    let word = routing.advance(first, word);
    let head = Head { router: next.router, input: Some((next.port as u8, 0)) };
    assert_eq!(routing.options(head, &packet, word), 2);
    let at_second = |short: u32| {
        let (mut packet, mut word) = (packet, word);
        let (minimal, _) = (routing.option(head, &packet, &mut word.clone(), 0).port.expect("it travels"), 0);
        let owed = [((next.router, minimal), short)].into();
        let asked = routing.decide(head, &mut packet, &mut word, &Set { at: next.router, owed, ..Set::default() });
        assert!(routing.fits(next.router, &packet, word));
        (asked.port, packet.hops, routing.options(head, &packet, word))
    };
    assert_eq!(at_second(0).1, least);
    let (port, hops, options) = at_second(999);
    assert!(hops > least && port != Some(first) && options == 1, "{port:?} {hops} {options}");
}

#[test]
fn a_flagged_global_link_is_left_after_the_delay_of_the_wire() {
    let (built, routing) = routing("kind = 'piggyback'");
    let far = |&to: &u32| {
        let (packet, word) = packet(&routing, 0, to, 5);
        routing.request(Head { router: 0, input: None }, &packet, &mut word.clone()).port.is_some_and(|port| port < 3)
    };
    let to = (8..36).find(far).expect("some way begins with a local hop");
    let none = Set::default();
    let (minimal, least, word) = decided(&routing, 0, to, 5, &none);
    let gateway = built.network.ahead(0, minimal.port.expect("it travels").into()).expect("a link").router;
    let global = way(&built, &routing, 0, to, word, 5)[1].1 - 3;
    let flagged = |cycles| Set { signals: [((gateway, cycles), 1u64 << global)].into(), ..Set::default() };
    assert!(decided(&routing, 0, to, 5, &flagged(10)).1 > least);
    assert_eq!(decided(&routing, 0, to, 5, &flagged(9)).1, least);
    let other = Set { signals: [((gateway, 10), 1u64 << (1 - global))].into(), ..Set::default() };
    assert_eq!(decided(&routing, 0, to, 5, &other).1, least);
}

#[test]
fn a_global_link_is_flagged_beyond_twice_the_mean_and_forty_flits() {
    let flags = |words: &str, first: u32, second: u32| {
        let (_, routing) = routing(&format!("kind = 'piggyback', {words}"));
        let owed = [((0, 3), first), ((0, 4), second)].into();
        routing.signal(0, &Set { owed, ..Set::default() })
    };
    // Five channels each: 5 q > 2 * 5 q' + 40.
    let usual = |first, second| flags("draws = 1", first, second);
    assert_eq!([usual(8, 0), usual(9, 0), usual(0, 9), usual(28, 10), usual(29, 10)], [0, 1, 2, 0, 1]);
    // 5 q > 1.5 (5 q + 0) / 2 + 40.
    let all = |first, second| flags("flag_mean = 'all', flag_percent = 150", first, second);
    assert_eq!([all(32, 0), all(33, 0), all(0, 33), all(33, 33), all(0, 0)], [0, 1, 2, 0, 0]);
    assert_eq!(flags("flag_mean = 'all'", 9999, 0), 0, "none of two is above twice the mean of both");
}

#[test]
fn an_ideal_compares_all_queues_on_both_ways() {
    let (built, routing) = routing("kind = 'ugal_g'");
    let none = Set::default();
    let (_, least, word) = decided(&routing, 0, 20, 3, &none);
    let last = *way(&built, &routing, 0, 20, word, 3).last().expect("it travels");
    let far = Set { owed: [((last.0, last.1), 1)].into(), ..Set::default() };
    assert!(decided(&routing, 0, 20, 3, &far).1 > least);
}

#[test]
fn too_few_channels_are_refused_with_their_number() {
    let built = dragonfly();
    let refused = |words: &str, channels: u32| {
        let spec = resolved_text(section(), &format!("routing = {{ {words} }}"));
        build_any(spec.view("routing"), &built, channels).err().map(|refusal| refusal.message)
    };
    for (words, needed) in [
        ("kind = 'valiant'", 3),
        ("kind = 'valiant', to = 'router'", 4),
        ("kind = 'ugal_l'", 3),
        ("kind = 'ugal_l', to = 'router'", 4),
        ("kind = 'ugal_l', to = 'router', classes = 'booksim'", 3),
        ("kind = 'piggyback'", 3),
        ("kind = 'ugal_g'", 3),
        ("kind = 'par'", 4),
        ("kind = 'par', to = 'router'", 5),
    ] {
        assert_eq!(refused(words, needed), None, "{words}");
        let why = refused(words, needed - 1).expect("one channel is missing");
        assert!(why.contains(&format!("needs {needed} virtual channels here")), "{why}");
    }
}
