//! What every routing owes: packets arrive, and what is called free of deadlock has no cycle of waiting packets.

mod detours;
mod graph;
mod rows_ahead;

use super::{Conditions, ENTRIES, build, deadlock_freedom, goes_by_links, is_checked_otherwise, safe_sharing, section};
use crate::testing::resolved;
use graph::{CHANNELS, Sees, World, is_acyclic, middle};
use std::collections::{BTreeMap, BTreeSet};
use tailback_base::bits::ones;
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::Kind;

fn torus(radix: &[u32]) -> Grid {
    Grid::new(radix, &vec![true; radix.len()], 1, 1)
}

fn mesh(radix: &[u32]) -> Grid {
    Grid::new(radix, &vec![false; radix.len()], 1, 1)
}

fn grids() -> Vec<Grid> {
    let tori = [&[4, 4][..], &[5, 3], &[3, 3], &[8], &[3], &[4, 2, 2]].map(torus);
    let meshes = [&[4, 3][..], &[5, 3], &[6], &[3, 2, 3]].map(mesh);
    tori.into_iter().chain(meshes).collect()
}

/// Every routing that computes its ways, with every word of its parameters, ties at random where there is a choice. (What a file says is
/// followed route by route when it is read.)
fn sections() -> Vec<Vec<(&'static str, &'static str)>> {
    let computed = ENTRIES.iter().filter(|entry| entry.params.iter().all(|param| param.kind != Kind::Path));
    let all = computed.flat_map(|entry| {
        entry.params.iter().fold(vec![vec![("kind", entry.name)]], |sections, param| {
            // What is about detours has no effect on a grid.
            let Kind::Choice(words) = param.kind else { return sections };
            if ["to", "classes", "threshold"].contains(&param.name) {
                return sections;
            }
            let tried = words.iter().map(|word| word.0).filter(|word| param.name != "tie" || *word == "random");
            let tried: Vec<_> = tried.map(|word| (param.name, word)).collect();
            sections.iter().flat_map(|section| tried.iter().map(|&word| [&section[..], &[word]].concat())).collect()
        })
    });
    all.collect()
}

fn worlds(sees: Sees) -> Vec<World> {
    let sections = sections();
    let of = |words: &Vec<_>| grids().into_iter().filter_map(|grid| World::new(words, &grid, sees)).collect();
    let all: Vec<Vec<World>> = sections.iter().map(of).collect();
    let is_here = |(words, worlds): (&Vec<_>, &Vec<World>)| !worlds.is_empty() || is_for_no_grid(words);
    assert!(sections.iter().zip(&all).all(is_here), "every routing for grids is here");
    all.into_iter().flatten().collect()
}

/// Whether every grid is refused because the routing is for other networks.
fn is_for_no_grid(words: &[(&str, &str)]) -> bool {
    let spec = resolved(section(), words);
    let refusal = |grid: &Grid| build(spec.view("routing"), grid, CHANNELS).err();
    let no_grid = |message: &str| message.contains("without a grid") || message.contains("levels of a tree");
    grids().iter().all(|grid| refusal(grid).is_some_and(|refusal| no_grid(&refusal.message)))
}

fn when(candidates: bool, bubbles: bool) -> Conditions {
    Conditions { channels: CHANNELS, candidates, bubbles }
}

fn is_minimal(world: &World) -> bool {
    let view = world.view();
    let off_the_shortest = view.kind() == "adaptive" && view.text("escape") == "mesh";
    !off_the_shortest && !["valiant", "up_down"].contains(&view.kind())
}

/// Whether checks visit what runs, and not another routing that has all its ways.
fn is_checked_itself(world: &World) -> bool {
    !is_checked_otherwise(world.view())
}

#[test]
fn packets_arrive_whatever_channels_they_get() {
    for world in worlds(Sees::Candidates).iter().chain(&worlds(Sees::Request)) {
        let minimal = is_minimal(world);
        for (packet, word) in world.packets() {
            let places = world.places(&packet, word);
            for (&(router, _, _), candidates) in &places {
                let arrived = candidates.all() == 0;
                assert!(!arrived || router == packet.router, "{}: {packet:?} stops at {router}", world.name);
                for bit in ones(candidates.all()) {
                    let to = world.grid.peer(router, bit / CHANNELS as usize);
                    let closer = world.grid.distance(to, packet.router) < world.grid.distance(router, packet.router);
                    assert!(closer || !minimal, "{}: {packet:?} goes from {router} to {to}", world.name);
                }
            }
            // Closer by every hop, it arrives; else where no circle is in its places.
            if !minimal {
                let steps = places.keys().map(|&place| (place, world.leads_to(&packet, place))).collect();
                assert!(is_acyclic(&steps), "{}: {packet:?} goes round in circles", world.name);
            }
        }
    }
}

#[test]
fn words_of_a_checkpoint_are_those_of_the_way_or_are_refused() {
    for world in worlds(Sees::Candidates).iter().chain(&worlds(Sees::Request)) {
        for (packet, word) in world.packets() {
            for &(router, _, word) in world.places(&packet, word).keys() {
                assert!(world.routing.fits(router, &packet, word), "{}: {packet:?} at {router}, {word:x}", world.name);
                let bad = [word ^ 1 << 9, word | 1 << 31, u32::MAX];
                let refused = bad.iter().all(|&word| !world.routing.fits(router, &packet, word));
                assert!(refused, "{}: {packet:?} at {router} of {word:x}", world.name);
            }
        }
    }
}

#[test]
fn straight_on_is_where_the_next_requests_lead() {
    let mut spared = 0;
    for world in worlds(Sees::Request).iter().filter(|world| !world.routing.is_adaptive()) {
        for (packet, mut word) in world.packets() {
            let (mut router, mut input) = (packet.source, None);
            let request =
                |router, input, word: &mut u32| world.routing.request(Head { router, input }, &packet, word).port;
            while let Some(port) = request(router, input, &mut word) {
                let (hops, behind) = world.routing.straight(port, word);
                for hop in 0..hops {
                    assert!(hop == 0 || request(router, input, &mut word) == Some(port), "{}: {packet:?}", world.name);
                    word = world.routing.advance(port, word);
                    (router, input) = (world.grid.peer(router, usize::from(port)), Some((port, 0)));
                }
                assert_eq!(word, behind, "{}: {packet:?}", world.name);
                spared += hops - 1;
            }
            assert_eq!(router, packet.router);
        }
    }
    assert!(spared > 1_000, "{spared} hops are no test");
}

#[test]
fn what_a_word_tells_holds_for_every_packet() {
    let mut told = 0;
    for world in worlds(Sees::Candidates).iter().chain(&worlds(Sees::Request)) {
        let packets = world.packets();
        let mut tried = BTreeSet::new();
        for (packet, word) in &packets {
            for (place, candidates) in world.places(packet, *word) {
                if !world.routing.is_told(place.2) || !tried.insert(place) {
                    continue;
                }
                let next = world.next(packet, place);
                assert_eq!(next.0, candidates, "{}: {packet:?}", world.name);
                for (other, _) in packets.iter().step_by(1 + packets.len() / 50) {
                    assert_eq!(world.next(other, place), next, "{}: {packet:?} {other:?}", world.name);
                    let (head, mut word) = (Head { router: place.0, input: place.1 }, place.2);
                    world.routing.request(head, other, &mut word);
                    assert_eq!(word, place.2, "{}: {other:?}", world.name);
                    told += 1;
                }
            }
        }
    }
    assert!(told > 10_000, "{told} heads are no test");
}

#[test]
fn the_draws_of_a_variety_give_every_way() {
    for world in worlds(Sees::Candidates).into_iter().filter(is_checked_itself) {
        let variety = world.routing.variety();
        let ways = |packets: &[(Packet, u32)]| {
            let mut ways = BTreeSet::new();
            for (packet, word) in packets {
                for (&(router, input, _), candidates) in &world.places(packet, *word) {
                    ways.insert((packet.router, router, input, candidates.preferred, candidates.fallback));
                }
            }
            ways
        };
        let pairs = || world.packets().into_iter().map(|(packet, _)| (packet.source, packet.router));
        let mut tried = Vec::new();
        for ((source, router), draw) in pairs()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .flat_map(|pair| variety.all_draws().map(move |draw| (pair, draw)))
        {
            let mut packet = Packet { source, destination: router, router, ..Packet::default() };
            let word = world.routing.start(source, &mut packet, || draw);
            tried.push((packet, word));
        }
        let (tried, known) = (ways(&tried), ways(&world.packets()));
        assert!(tried.is_superset(&known), "{}: {:?}", world.name, known.difference(&tried).next());
    }
}

/// Packets of all sources, draws and numbers.
fn all_packets(world: &World) -> Vec<(Packet, u32)> {
    let numbered = |&(packet, _): &(Packet, u32)| {
        (0..world.routing.variety().indices).map(move |index| Packet { index, ..packet })
    };
    let start = |mut packet: Packet| {
        let draw = packet.choice;
        let word = world.routing.start(packet.source, &mut packet, || draw);
        (packet, word)
    };
    world.packets().iter().flat_map(numbered).map(start).collect()
}

#[test]
fn packets_that_agree_in_what_they_remember_may_take_the_same_ways() {
    let alternate = |kind| vec![("kind", kind), ("tie", "alternate")];
    let others = ["dimension_order", "adaptive"].map(alternate);
    let others = others.iter().flat_map(|words| {
        [torus(&[4, 4]), torus(&[5, 6])].into_iter().filter_map(|grid| World::new(words, &grid, Sees::Candidates))
    });
    let worlds = worlds(Sees::Candidates).into_iter().chain(worlds(Sees::Request)).chain(others);
    for world in worlds.filter(is_checked_itself) {
        let mut known = BTreeMap::new();
        for (packet, word) in all_packets(&world) {
            let key = |(router, input, word): (u32, Option<(u8, u8)>, u32)| {
                let memory = world.routing.memory(Head { router, input }, &packet);
                (packet.router, router, world.routing.input_class(input), word, memory)
            };
            for place in world.places(&packet, word).into_keys() {
                let (candidates, next) = world.next(&packet, place);
                let next: Vec<_> = next.into_iter().map(key).collect();
                let ways = (candidates.preferred, candidates.fallback, next);
                assert_eq!(known.entry(key(place)).or_insert_with(|| ways.clone()), &ways, "{}: {place:?}", world.name);
            }
        }
    }
}

#[test]
fn coins_that_decide_nothing_are_told() {
    let mut idle = 0;
    for world in worlds(Sees::Candidates) {
        let coins = world.routing.variety().coins;
        let ways = |packet: &Packet, choice: u32| {
            let mut packet = *packet;
            let word = world.routing.start(packet.source, &mut packet, || choice);
            world.places(&packet, word)
        };
        for (packet, _) in world.packets().iter().filter(|(packet, _)| packet.source != packet.router) {
            let idling = coins & !world.routing.coins(packet.source, packet);
            idle += u32::from(idling & packet.choice != 0);
            assert_eq!(ways(packet, packet.choice), ways(packet, packet.choice & !idling), "{}", world.name);
        }
    }
    assert!(idle > 1000, "{idle}");
}

#[test]
fn hops_are_those_of_the_way() {
    for world in worlds(Sees::Request) {
        for (packet, word) in world.packets() {
            let hops = world.way(&packet, word).len() as u32;
            let direct = world.grid.distance(packet.source, packet.router);
            assert!(!is_minimal(&world) || packet.hops == direct, "{}: {packet:?}", world.name);
            // Only the escape channel of a mesh leads further than it says.
            let longer = world.view().kind() == "adaptive" && hops > packet.hops && !is_minimal(&world);
            assert!(hops == packet.hops || longer, "{}: {packet:?} makes {hops}", world.name);
        }
    }
}

#[test]
fn what_is_called_free_of_deadlock_closes_no_cycle_and_only_that() {
    for sees in [Sees::Candidates, Sees::Request] {
        for world in worlds(sees) {
            let view = world.view();
            let escapes = sees == Sees::Candidates && view.kind() == "adaptive" && view.text("escape") != "none";
            let graph = if escapes { world.escape_dependencies() } else { world.dependencies() };
            let claim = deadlock_freedom(view, &world.grid, when(sees == Sees::Candidates, false));
            // Of ways of the least delay nothing is claimed: the check looks at them on each network.
            let unknown = view.kind() == "least_delay" && claim.is_err();
            assert!(unknown || is_acyclic(&graph) == claim.is_ok(), "{}: {claim:?}", world.name);
        }
    }
}

#[test]
fn bubbles_save_what_waits_in_circles_within_rings_only() {
    let mut saved = BTreeSet::new();
    for world in worlds(Sees::Candidates) {
        let view = world.view();
        let claim = |bubbles| deadlock_freedom(view, &world.grid, when(true, bubbles));
        let (without, with) = (claim(false), claim(true));
        assert!(with.is_ok() || without.is_err(), "{}", world.name);
        if with.is_ok() && without.is_err() {
            let escapes = view.kind() == "adaptive";
            let graph = if escapes { world.direct_escape_dependencies() } else { world.dependencies() };
            assert!(!is_acyclic(&graph) && is_acyclic(&world.between_rings(&graph)), "{}", world.name);
            saved.insert(view.table().get(if escapes { "escape" } else { "datelines" }).expect("a word").to_string());
        }
    }
    assert_eq!(saved.into_iter().collect::<Vec<_>>(), ["\"none\"", "\"ring\""]);
    // Without escape channels there is nothing for bubbles to keep free, and turns in any order close circles.
    let none =
        World::new(&[("kind", "adaptive"), ("escape", "none")], &torus(&[4, 4]), Sees::Candidates).expect("fits");
    assert!(deadlock_freedom(none.view(), &none.grid, when(true, true)).is_err());
    assert!(!is_acyclic(&none.between_rings(&none.dependencies())));
}

#[test]
fn offsets_lead_to_the_destination() {
    for world in worlds(Sees::Candidates).into_iter().filter(|world| !goes_by_links(world.view())) {
        for (packet, word) in world.packets() {
            let offsets = world.routing.offsets(packet.source, &packet);
            let hops = offsets.iter().map(|o| o.unsigned_abs()).sum::<u32>();
            let valiant = world.view().kind() == "valiant";
            assert!(hops == packet.hops || valiant && (1..=packet.hops).contains(&hops), "{}: {packet:?}", world.name);
            // The first port that a packet may take is in a dimension with hops left, and in their direction.
            let port = world.way(&packet, word).first().map(|&(_, port)| usize::from(port));
            if let Some(port) = port.filter(|_| is_minimal(&world) || valiant) {
                assert!(if port % 2 == 0 { offsets[port / 2] > 0 } else { offsets[port / 2] < 0 }, "{}", world.name);
            }
        }
    }
}

#[test]
fn sharing_is_free_where_no_channel_at_all_waits_in_a_circle() {
    for world in worlds(Sees::Candidates) {
        let view = world.view();
        if deadlock_freedom(view, &world.grid, when(true, false)).is_ok() && safe_sharing(view).contains(&"shared") {
            assert!(is_acyclic(&world.dependencies()), "{}", world.name);
        }
    }
    let adaptive = World::new(&[("kind", "adaptive")], &torus(&[4, 4]), Sees::Candidates).expect("four channels");
    assert!(!is_acyclic(&adaptive.dependencies()), "so an adaptive channel is not shared at will");
}

#[test]
fn leaving_the_escape_channel_of_a_mesh_would_close_cycles() {
    let words = [("kind", "adaptive"), ("escape", "mesh")];
    let world = World::new(&words, &torus(&[5, 5]), Sees::CandidatesAtNode).expect("four channels");
    assert!(!is_acyclic(&world.escape_dependencies()));
    let world = World::new(&words, &torus(&[5, 5]), Sees::Candidates).expect("four channels");
    assert!(is_acyclic(&world.escape_dependencies()));
}

#[test]
fn adaptive_takes_every_closer_port_and_escapes_in_dimension_order() {
    let grid = torus(&[8, 8]);
    let ask = |escape, from, to, input| {
        let world =
            World::new(&[("kind", "adaptive"), ("escape", escape)], &grid, Sees::Candidates).expect("four channels");
        let packet = Packet { router: to, ..Packet::default() };
        let head = Head { router: from, input };
        let c = world.routing.candidates(head, &packet, CHANNELS, &mut 0);
        (c.preferred, c.fallback, world.routing.useful(head, &packet, 0))
    };
    let at = |x, y| grid.router_at(&[x, y]);
    // Down in x over the wrap-around link, up in y.
    assert_eq!(ask("dateline", at(1, 1), at(7, 3), None), (0b1100 << 4 | 0b1100 << 8, 0b01 << 4, 0b0110));
    assert_eq!(ask("dateline", at(7, 1), at(6, 3), None), (0b1100 << 4 | 0b1100 << 8, 0b10 << 4, 0b0110));
    assert_eq!(ask("ring", at(1, 1), at(7, 3), None), (0b1110 << 4 | 0b1110 << 8, 1 << 4, 0b0110));
    assert_eq!(ask("mesh", at(1, 1), at(7, 3), Some((1, 1))), (0b1110 << 4 | 0b1110 << 8, 1, 0b0110));
    assert_eq!(ask("mesh", at(1, 1), at(7, 3), Some((0, 0))), (0, 1, 0b0110));
    assert_eq!(ask("none", at(1, 1), at(1, 3), None), (0b1111 << 8, 0, 0b0100));
    assert_eq!(ask("dateline", at(1, 1), at(1, 1), None), (0, 0, 0));
}

/// The turns that a world takes: (column, port in, port out).
fn turns(world: &World) -> BTreeSet<(u32, u8, u8)> {
    let mut turns = BTreeSet::new();
    for (packet, word) in world.packets() {
        for (&(router, input, _), candidates) in &world.places(&packet, word) {
            let Some((from, _)) = input else { continue };
            let to = ones(candidates.all()).map(|bit| (bit as u32 / CHANNELS) as u8);
            turns.extend(to.map(|to| (world.grid.coordinates(router)[0], from, to)));
        }
    }
    turns
}

#[test]
fn turn_models_make_the_turns_of_their_rule_and_no_other() {
    const EAST: u8 = 0;
    const WEST: u8 = 1;
    const NORTH: u8 = 2;
    const SOUTH: u8 = 3;
    type Allowed = fn(u32, u8, u8) -> bool;
    let rules: [(&str, Allowed); 4] = [
        ("west_first", |_, _, to| to != WEST),
        ("north_last", |_, from, _| from != NORTH),
        ("negative_first", |_, from, to| !matches!((from, to), (EAST, SOUTH) | (NORTH, WEST))),
        ("odd_even", |column, from, to| if column % 2 == 0 { from != EAST } else { to != WEST }),
    ];
    for (rule, allowed) in rules {
        let words = [("kind", "turn_model"), ("rule", rule)];
        let world = World::new(&words, &mesh(&[5, 5]), Sees::Candidates).expect("a mesh");
        let turns = turns(&world);
        let corners = [EAST, WEST].into_iter().flat_map(|x| [NORTH, SOUTH].map(|y| [(x, y), (y, x)])).flatten();
        for (from, to) in corners {
            // In the columns at the edges half of the turns lead nowhere.
            for column in 1..4 {
                let made = turns.contains(&(column, from, to));
                assert_eq!(made, allowed(column, from, to), "{rule}: {from} to {to} in column {column}");
            }
        }
    }
}

#[test]
fn valiant_goes_by_every_router_alike_and_changes_channels_there() {
    let grid = torus(&[4, 4]);
    let world = World::new(&[("kind", "valiant")], &grid, Sees::Candidates).expect("four channels");
    for m in 0..16 {
        let mut packet = Packet { router: 9, destination: 9, source: 2, ..Packet::default() };
        let mut word = world.routing.start(2, &mut packet, || middle(m, 16));
        assert_eq!(packet.hops, grid.distance(2, m) + grid.distance(m, 9));
        let (mut at, mut input) = (2, None);
        for hop in 0..packet.hops {
            let request = world.routing.request(Head { router: at, input }, &packet, &mut word);
            let port = request.port.expect("not there yet");
            let half = if hop < grid.distance(2, m) { 0b0011 } else { 0b1100 };
            assert!(request.channels & half != 0 && request.channels & !half == 0, "{m}: {request:?}");
            word = world.routing.advance(port, word);
            (at, input) = (grid.peer(at, usize::from(port)), Some((port, 0)));
            assert!(hop + 1 != grid.distance(2, m) || at == m);
        }
        assert_eq!(world.routing.request(Head { router: at, input }, &packet, &mut word).port, None);
        assert_eq!(at, 9);
    }
    let mut neighbour = Packet { router: 5, destination: 5, source: 5, ..Packet::default() };
    let mut word = world.routing.start(5, &mut neighbour, || u32::MAX);
    assert_eq!(neighbour.hops, 0);
    assert_eq!(world.routing.request(Head { router: 5, input: None }, &neighbour, &mut word).port, None);
}

#[test]
fn o1turn_tosses_for_the_order_and_keeps_the_orders_apart() {
    let world = World::new(&[("kind", "o1turn")], &mesh(&[4, 4]), Sees::Candidates).expect("four channels");
    for (draw, expected) in [(0, 0b0011), (1 << 31, 0b1100 << 8)] {
        let mut packet = Packet { router: 15, ..Packet::default() };
        let mut word = world.routing.start(0, &mut packet, || draw);
        let head = Head { router: 0, input: None };
        assert_eq!(world.routing.candidates(head, &packet, CHANNELS, &mut word).all(), expected);
    }
}

#[test]
fn halves_share_the_middle_channel() {
    let built = |words: &[(&str, &str)], grid: &Grid, channels| {
        let words = [words, &[("middle_channel", "shared")]].concat();
        build(resolved(section(), &words).view("routing"), grid, channels).expect("it has halves")
    };
    let asks = |routing: &super::Any, packet: &Packet, (router, input): (u32, Option<(u8, u8)>), word: &mut u32| {
        let Request { port, channels } = routing.request(Head { router, input }, packet, word);
        assert!(routing.fits(router, packet, *word));
        *word = port.map_or(*word, |port| routing.advance(port, *word));
        (port, channels)
    };
    let packet = |source, to| Packet { source, router: to, destination: to, ..Packet::default() };

    // By the word, whatever the channel.
    let ring = built(&[("kind", "dimension_order"), ("dateline_place", "entry")], &torus(&[5]), 3);
    for (source, to, mask) in [(0, 2, 0b011), (3, 0, 0b110)] {
        let mut packet = packet(source, to);
        let mut word = ring.start(source, &mut packet, || 0);
        assert_eq!(asks(&ring, &packet, (source, None), &mut word), (Some(0), mask));
        assert_eq!(asks(&ring, &packet, (source + 1, Some((0, 1))), &mut word), (Some(0), mask));
    }
    let five = built(&[("kind", "dimension_order"), ("dateline_place", "entry")], &torus(&[5]), 5);
    assert_eq!(asks(&five, &packet(0, 2), (0, None), &mut 0), (Some(0), 0b00111));

    // By the channel: what came by the middle one goes on in the second order.
    let o1turn = built(&[("kind", "o1turn")], &mesh(&[4, 4]), 3);
    let mut packet = packet(0, 10);
    for (channel, next) in [(0, (Some(0), 0b011)), (1, (Some(2), 0b110))] {
        let mut word = o1turn.start(0, &mut packet, || 0);
        assert_eq!(asks(&o1turn, &packet, (0, None), &mut word), (Some(0), 0b011));
        assert_eq!(asks(&o1turn, &packet, (1, Some((0, channel))), &mut word), next);
    }

    let valiant = built(&[("kind", "valiant")], &mesh(&[4, 4]), 3);
    let mut word = valiant.start(0, &mut packet, || middle(3, 16));
    assert_eq!(asks(&valiant, &packet, (0, None), &mut word), (Some(0), 0b011));
}

#[test]
fn a_packet_that_passes_its_destination_may_have_all_channels_there() {
    let grid = mesh(&[4, 4]);
    for (words, at_destination) in [(&[][..], 0b0011), (&[("passing", "all")], 0b1111)] {
        let words = [&[("kind", "valiant")], words].concat();
        let routing = build(resolved(section(), &words).view("routing"), &grid, 4).expect("four channels");
        // From router 0 by router 3 to router 1, and back to it.
        let mut packet = Packet { router: 1, destination: 1, ..Packet::default() };
        let mut word = routing.start(0, &mut packet, || middle(3, 16));
        let mut channels = Vec::new();
        for (router, port) in [(0, 0), (1, 0), (2, 0), (3, 1), (2, 1)] {
            let request = routing.request(Head { router, input: None }, &packet, &mut word);
            assert_eq!(request.port, Some(port));
            channels.push(request.channels);
            word = routing.advance(port, word);
        }
        assert_eq!(channels, [0b0011, at_destination, 0b0011, 0b1100, 0b1100]);
    }
}

#[test]
fn what_cannot_work_is_refused_with_what_would() {
    let refusal = |words: &[(&str, &str)], grid: &Grid, channels| {
        build(resolved(section(), words).view("routing"), grid, channels).map(|_| ()).map_err(|r| (r.path, r.help))
    };
    let channels = |n| Err(("router.virtual_channels", format!("set router.virtual_channels to {n} or more")));
    let (ring, line) = (torus(&[4, 4]), mesh(&[4, 4]));
    assert_eq!(refusal(&[("kind", "adaptive")], &ring, 2), channels(3));
    assert_eq!(refusal(&[("kind", "adaptive")], &ring, 3), Ok(()));
    assert_eq!(refusal(&[("kind", "adaptive")], &line, 1), channels(2));
    assert_eq!(refusal(&[("kind", "adaptive")], &torus(&[3, 3]), 2), Ok(()));
    assert_eq!(refusal(&[("kind", "adaptive"), ("escape", "none")], &ring, 1), Ok(()));
    assert_eq!(refusal(&[("kind", "valiant")], &ring, 3), channels(4));
    assert_eq!(refusal(&[("kind", "valiant")], &line, 2), Ok(()));
    assert_eq!(refusal(&[("kind", "o1turn")], &line, 1), channels(2));
    assert_eq!(refusal(&[("kind", "cross_line")], &line, 1), channels(2));
    assert_eq!(refusal(&[("kind", "cross_line")], &ring, 3), channels(4));
    let path = |words: &[(&str, &str)], grid: &Grid| refusal(words, grid, 16).map_err(|(path, _)| path);
    assert_eq!(path(&[("kind", "o1turn")], &mesh(&[4, 4, 4])), Err("routing.kind"));
    assert_eq!(path(&[("kind", "cross_line")], &mesh(&[4, 4, 4])), Err("routing.kind"));
    assert_eq!(path(&[("kind", "turn_model")], &ring), Err("routing.kind"));
    assert_eq!(path(&[("kind", "turn_model")], &mesh(&[4, 4, 4])), Err("routing.rule"));
    assert_eq!(path(&[("kind", "turn_model"), ("rule", "negative_first")], &mesh(&[4, 4, 4])), Ok(()));
}
