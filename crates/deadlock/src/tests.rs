//! Small networks whose answer is known by hand.

mod choices;
mod memories;
mod shared;
mod wide;

use crate::{Argument, Budget, Buffer, Circle, Heads, Network, Rules, Sharing, TooLarge, Verdict, check, stand_in};
use std::sync::atomic::AtomicBool;
use tailback_engine::contract::routing::{Candidates, Head, Request, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;

/// A routing that is a function of here, where to, and the channel that a head came by.
struct Rule<F> {
    grid: Grid,
    adaptive: bool,
    rule: F,
}

impl<F: Fn(&Grid, u32, u32, Option<(u8, u8)>) -> Candidates> Routing for Rule<F> {
    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        assert_eq!(self.grid.router_of(packet.source), router, "{packet:?}");
        0
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let all = self.candidates(head, packet, 1, word).all();
        Request { port: (all != 0).then(|| all.trailing_zeros() as u8), channels: 1 }
    }

    fn is_adaptive(&self) -> bool {
        self.adaptive
    }

    fn candidates(&self, head: Head, packet: &Packet, _channels: u32, _word: &mut u32) -> Candidates {
        assert_eq!(self.grid.router_of(packet.destination), packet.router, "{packet:?}");
        (self.rule)(&self.grid, head.router, packet.router, head.input)
    }

    fn variety(&self) -> Variety {
        Variety::default()
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

fn rule<F: Fn(&Grid, u32, u32, Option<(u8, u8)>) -> Candidates>(grid: &Grid, rule: F) -> Rule<F> {
    Rule { grid: grid.clone(), adaptive: true, rule }
}

const NO_BUBBLES: bool = false;

fn verdict<R: Routing + Sync>(grid: &Grid, routing: &R, channels: u32, sharing: Sharing, bubbles: bool) -> Verdict {
    let network = Network::new(grid, routing, channels, Heads::Candidates);
    check(&network, Rules { sharing, bubbles }, 1 << 20).expect("small")
}

fn argument(verdict: Verdict) -> Option<Argument> {
    match verdict {
        Verdict::Free { argument, .. } => Some(argument),
        Verdict::Circle(_) => None,
    }
}

/// Whether packets can stand so: each holds buffers one behind the other, and waits at the end of them for what the next one
/// holds.
fn assert_closes(grid: &Grid, circle: &Circle) {
    let ends = |buffer: &Buffer| {
        let Buffer::Channel { router, port, .. } = buffer else { panic!("{buffer:?}") };
        let router = grid.router_at(router);
        (router, grid.peer(router, *port as usize))
    };
    for (step, next) in circle.steps.iter().zip(circle.steps.iter().cycle().skip(1)) {
        let held: Vec<(u32, u32)> = step.holds.iter().map(ends).collect();
        assert!(held.windows(2).all(|pair| pair[0].1 == pair[1].0), "{step:?}");
        let head = held[held.len() - 1].1;
        assert!(step.waits.iter().all(|buffer| ends(buffer).0 == head), "{step:?}");
        assert!(step.waits.iter().any(|buffer| next.holds.contains(buffer)), "{step:?} {next:?}");
        assert!(grid.router_at(&step.destination) != head && step.source != step.destination, "{step:?}");
    }
}

/// How many channels packets use, by following all of them; `next` gives port and channel of a hop.
fn used(grid: &Grid, next: impl Fn(u32, u32) -> (usize, u32)) -> usize {
    let (routers, mut used) = (grid.routers() as u32, Vec::new());
    for (source, to) in (0..routers).flat_map(|source| (0..routers).map(move |to| (source, to))) {
        let mut here = source;
        while here != to {
            let (port, channel) = next(here, to);
            used.push((here, port, channel));
            here = grid.peer(here, port);
        }
    }
    used.sort_unstable();
    used.dedup();
    used.len()
}

fn ring(k: u32) -> Grid {
    Grid::new(&[k], &[true], 1, 1)
}

fn mesh(k: u32) -> Grid {
    Grid::new(&[k, k], &[false; 2], 1, 1)
}

fn preferred(mask: u64) -> Candidates {
    Candidates { preferred: mask, fallback: 0 }
}

/// Up the ring on channel 0, on channel 1 behind the dateline if there is one; two channels a port.
fn up(grid: &Grid, here: u32, to: u32, dateline: bool) -> u64 {
    match (to + grid.radix()[0] - here) % grid.radix()[0] {
        0 => 0,
        hops if dateline && here + hops < grid.radix()[0] => 0b10,
        _ => 0b01,
    }
}

/// The ports that lead closer on a mesh, as bits of one channel each.
fn closer(grid: &Grid, here: u32, to: u32) -> u64 {
    let (a, b) = (grid.coordinates(here), grid.coordinates(to));
    let towards = |d: usize| u64::from(b[d] > a[d]) << (2 * d) | u64::from(b[d] < a[d]) << (2 * d + 1);
    (0..grid.dimensions()).fold(0, |mask, d| mask | towards(d))
}

fn lowest(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}

/// Channel `channel` of two a port, of every port in a mask of one bit a port.
fn on_channel(ports: u64, channel: u32) -> u64 {
    (0..4).filter(|port| ports >> port & 1 == 1).fold(0, |mask, port| mask | 1 << (2 * port + channel))
}

const ALL: [Sharing; 4] = [Sharing::Whole, Sharing::Owned, Sharing::Shared, Sharing::SharedWhole];

#[test]
fn a_ring_needs_a_dateline() {
    let grid = ring(4);
    for sharing in ALL {
        let open = rule(&grid, |g, here, to, _| preferred(up(g, here, to, false)));
        let Verdict::Circle(circle) = verdict(&grid, &open, 2, sharing, NO_BUBBLES) else { panic!("{sharing:?}") };
        assert_eq!(circle.steps.len(), 4, "{circle:?}");
        assert!(circle.stuck == 4 || circle.stuck == 0, "{circle:?}");
        assert_closes(&grid, &circle);
        let cut = rule(&grid, |g, here, to, _| preferred(up(g, here, to, true)));
        let buffers = used(&grid, |here, to| (0, up(&grid, here, to, true).trailing_zeros()));
        let free = Verdict::Free { argument: Argument::Acyclic, buffers };
        assert_eq!(verdict(&grid, &cut, 2, sharing, NO_BUBBLES), free);
    }
}

#[test]
fn the_circle_is_one_that_packets_can_close() {
    let grid = ring(4);
    let open = rule(&grid, |g, here, to, _| preferred(up(g, here, to, false)));
    let Verdict::Circle(circle) = verdict(&grid, &open, 2, Sharing::Whole, NO_BUBBLES) else { panic!("free") };
    for (step, next) in circle.steps.iter().zip(circle.steps.iter().cycle().skip(1)) {
        let [held] = &step.holds[..] else { panic!("{step:?}") };
        let Buffer::Channel { router, port: 0, channel: 0 } = held else { panic!("{held:?}") };
        assert_eq!(step.waits, next.holds);
        // It is on its way by the channel that it holds, and beyond its end.
        let (from, to) = (step.source[0], step.destination[0]);
        let (before, hops) = ((router[0] + 4 - from) % 4, (to + 4 - from) % 4);
        assert!(before + 1 < hops, "{step:?}");
    }
    let words = circle.words();
    assert!(
        words.len() == 4 && words.concat().contains("holds x+ channel 0 of (0) and waits for x+ channel 0 of (1)"),
        "{words:?}"
    );
}

#[test]
fn on_a_small_ring_nobody_makes_two_hops() {
    let grid = ring(3);
    let shorter = rule(&grid, |g, here, to, _| match (to + g.radix()[0] - here) % 3 {
        0 => preferred(0),
        1 => preferred(1),
        _ => preferred(2),
    });
    assert_eq!(argument(verdict(&grid, &shorter, 1, Sharing::Owned, NO_BUBBLES)), Some(Argument::Acyclic));
}

#[test]
fn a_bubble_keeps_a_ring_free_where_packets_move_as_wholes() {
    let grid = ring(5);
    let mut open = rule(&grid, |g, here, to, _| preferred(up(g, here, to, false)));
    open.adaptive = false;
    assert_eq!(argument(verdict(&grid, &open, 2, Sharing::Whole, true)), Some(Argument::Bubble));
    assert_eq!(argument(verdict(&grid, &open, 2, Sharing::Whole, NO_BUBBLES)), None);
}

/// Up in every dimension, one after the other, or in any order.
fn upwards(grid: &Grid, here: u32, to: u32) -> u64 {
    let (a, b) = (grid.coordinates(here), grid.coordinates(to));
    (0..grid.dimensions()).filter(|&d| a[d] != b[d]).fold(0, |mask, d| mask | 1 << (2 * d))
}

#[test]
fn bubbles_are_kept_ring_by_ring() {
    let grid = Grid::new(&[5, 4], &[true; 2], 1, 1);
    let mut ordered = rule(&grid, |g, here, to, _| preferred(lowest(upwards(g, here, to))));
    ordered.adaptive = false;
    assert_eq!(argument(verdict(&grid, &ordered, 1, Sharing::Whole, NO_BUBBLES)), None);
    let buffers = used(&grid, |here, to| (upwards(&grid, here, to).trailing_zeros() as usize, 0));
    let free = Verdict::Free { argument: Argument::Bubble, buffers };
    assert_eq!(verdict(&grid, &ordered, 1, Sharing::Whole, true), free);
    // As an escape beside channels that are taken in any order. Those that may be preferred, too, are no escape.
    let beside = |preferred_on: u64| {
        let escape = rule(&grid, move |g, here, to, _| {
            let ports = upwards(g, here, to);
            let any = |channel| if preferred_on >> channel & 1 == 1 { on_channel(ports, channel) } else { 0 };
            let fallback = on_channel(lowest(ports), 0);
            Candidates { preferred: (any(0) | any(1)) & !fallback, fallback }
        });
        argument(verdict(&grid, &escape, 2, Sharing::Whole, true))
    };
    assert_eq!((beside(0b10), beside(0b11)), (Some(Argument::Bubble), None));
}

#[test]
fn dimension_order_on_a_mesh_is_free_and_any_order_is_not() {
    let grid = mesh(4);
    for sharing in ALL {
        let ordered = rule(&grid, |g, here, to, _| preferred(lowest(closer(g, here, to))));
        assert_eq!(argument(verdict(&grid, &ordered, 1, sharing, NO_BUBBLES)), Some(Argument::Acyclic));
        let any = rule(&grid, |g, here, to, _| preferred(closer(g, here, to)));
        let Verdict::Circle(circle) = verdict(&grid, &any, 1, sharing, NO_BUBBLES) else { panic!("{sharing:?}") };
        assert_eq!(circle.steps.len(), 4, "a circle of four turns: {circle:?}");
        assert_closes(&grid, &circle);
        if sharing == Sharing::Shared {
            assert!(circle.steps.iter().all(|step| step.waits.len() == 1), "each was given one: {circle:?}");
        }
    }
    let any = rule(&grid, |g, here, to, _| preferred(closer(g, here, to)));
    let Verdict::Circle(circle) = verdict(&grid, &any, 1, Sharing::Whole, true) else {
        panic!("bubbles are for rings, not for turns")
    };
    assert!(circle.steps.len() > 1, "nobody waits for the ring that it is in: {circle:?}");
}

#[test]
fn an_escape_in_dimension_order_saves_adaptive_channels_unless_they_are_shared_at_will() {
    let grid = mesh(4);
    let escape = rule(&grid, |g, here, to, _| {
        let ports = closer(g, here, to);
        Candidates { preferred: on_channel(ports, 1), fallback: on_channel(lowest(ports), 0) }
    });
    for sharing in [Sharing::Whole, Sharing::Owned, Sharing::SharedWhole] {
        assert_eq!(argument(verdict(&grid, &escape, 2, sharing, NO_BUBBLES)), Some(Argument::Escape), "{sharing:?}");
    }
    assert_eq!(argument(verdict(&grid, &escape, 2, Sharing::Shared, NO_BUBBLES)), None);
}

#[test]
fn an_escape_that_some_heads_do_not_have_is_none() {
    let grid = mesh(4);
    // None in column 1.
    let partial = rule(&grid, |g, here, to, _| {
        let ports = closer(g, here, to);
        let has = g.coordinates(here)[0] != 1;
        Candidates { preferred: on_channel(ports, 1), fallback: if has { on_channel(lowest(ports), 0) } else { 0 } }
    });
    let found = argument(verdict(&grid, &partial, 2, Sharing::Whole, NO_BUBBLES));
    assert_eq!(found, Some(Argument::WayOut), "every circle of turns has a corner outside column 1");
    // None within a square.
    let hole = rule(&grid, |g, here, to, _| {
        let ports = closer(g, here, to);
        let inside = g.coordinates(here).iter().all(|x| (1..3).contains(x));
        Candidates { preferred: on_channel(ports, 1), fallback: if inside { 0 } else { on_channel(lowest(ports), 0) } }
    });
    let Verdict::Circle(circle) = verdict(&grid, &hole, 2, Sharing::Whole, NO_BUBBLES) else { panic!("free") };
    assert_eq!(circle.steps.len(), 4, "{circle:?}");
    assert_closes(&grid, &circle);
}

#[test]
fn a_head_waits_for_all_that_it_may_take_or_for_the_one_that_it_was_given() {
    let grid = ring(4);
    let channel = |buffer: &Buffer| match buffer {
        Buffer::Channel { channel, .. } => *channel,
        _ => panic!("{buffer:?}"),
    };
    for (sharing, waits) in [(Sharing::Whole, 2), (Sharing::Owned, 2), (Sharing::Shared, 1)] {
        let either = rule(&grid, |g, here, to, _| preferred(if up(g, here, to, false) == 0 { 0 } else { 0b11 }));
        let Verdict::Circle(circle) = verdict(&grid, &either, 2, sharing, NO_BUBBLES) else { panic!("{sharing:?}") };
        assert_closes(&grid, &circle);
        for step in &circle.steps {
            let channels: Vec<u32> = step.waits.iter().map(channel).collect();
            assert!(channels.len() == waits && (waits == 1 || channels == [0, 1]), "{sharing:?}: {step:?}");
        }
    }
}

#[test]
fn a_turn_model_is_free_until_a_forbidden_turn_is_allowed() {
    const WEST: u64 = 0b10;
    let grid = mesh(4);
    let west_first = rule(&grid, |g, here, to, _| {
        let ports = closer(g, here, to);
        preferred(if ports & WEST != 0 { WEST } else { ports })
    });
    // With the turn from the north to the west one of the two circles of turns can close.
    const NORTH: u64 = 0b100;
    let broken = rule(&grid, |g, here, to, _| {
        let ports = closer(g, here, to);
        preferred(if ports & WEST != 0 { WEST | ports & NORTH } else { ports })
    });
    for sharing in ALL {
        assert_eq!(argument(verdict(&grid, &west_first, 1, sharing, NO_BUBBLES)), Some(Argument::Acyclic));
        let Verdict::Circle(circle) = verdict(&grid, &broken, 1, sharing, NO_BUBBLES) else { panic!("{sharing:?}") };
        let port = |buffer: &Buffer| match buffer {
            Buffer::Channel { port, .. } => *port,
            _ => panic!("{buffer:?}"),
        };
        let mut ports: Vec<u32> = circle.steps.iter().map(|step| port(&step.holds[0])).collect();
        let west = ports.iter().position(|&port| port == 1).expect("west is on the circle");
        ports.rotate_left(west);
        assert_eq!(ports, [1, 3, 0, 2], "west, south, east, north: {circle:?}");
        assert_closes(&grid, &circle);
    }
}

/// On a torus the escape channels of a mesh may lead back: left and taken again they close circles.
#[test]
fn indirect_dependencies_count_where_packets_are_spread_over_buffers() {
    let grid = Grid::new(&[5, 5], &[true; 2], 1, 1);
    let torus = |g: &Grid, here: u32, to: u32| {
        let (a, b) = (g.coordinates(here), g.coordinates(to));
        (0..2).fold(0u64, |mask, d| match (b[d] + 5 - a[d]) % 5 {
            0 => mask,
            1 | 2 => mask | 1 << (2 * d),
            _ => mask | 2 << (2 * d),
        })
    };
    let leaves = rule(&grid, |g, here, to, _| Candidates {
        preferred: on_channel(torus(g, here, to), 1),
        fallback: on_channel(lowest(closer(g, here, to)), 0),
    });
    let stays = rule(&grid, |g, here, to, input| Candidates {
        preferred: if matches!(input, Some((_, 0))) { 0 } else { on_channel(torus(g, here, to), 1) },
        fallback: on_channel(lowest(closer(g, here, to)), 0),
    });
    assert_eq!(argument(verdict(&grid, &stays, 2, Sharing::Owned, NO_BUBBLES)), Some(Argument::Escape));
    let Verdict::Circle(circle) = verdict(&grid, &leaves, 2, Sharing::Owned, NO_BUBBLES) else { panic!("free") };
    assert!(circle.steps.iter().any(|step| step.holds.len() > 1), "{circle:?}");
    assert_closes(&grid, &circle);
    assert_eq!(argument(verdict(&grid, &leaves, 2, Sharing::Whole, NO_BUBBLES)), Some(Argument::Escape));
}

#[test]
fn what_is_too_large_is_said_soon() {
    let grid = mesh(16);
    let ordered = rule(&grid, |g, here, to, _| preferred(lowest(closer(g, here, to))));
    let network = Network::new(&grid, &ordered, 1, Heads::Candidates);
    let rules = Rules { sharing: Sharing::Whole, bubbles: false };
    assert!(check(&network, rules, 60_000).is_err() && check(&network, rules, 1 << 20).is_ok());
}

#[test]
fn whoever_wants_no_answer_any_more_gets_none() {
    let grid = mesh(4);
    let ordered = rule(&grid, |g, here, to, _| preferred(lowest(closer(g, here, to))));
    let network = Network::new(&grid, &ordered, 1, Heads::Candidates);
    let rules = Rules { sharing: Sharing::Whole, bubbles: false };
    for stop in [false, true] {
        let cancel = AtomicBool::new(stop);
        let found = check(&network, rules, Budget { places: 1 << 20, cancel: Some(&cancel) });
        assert_eq!(found.err(), stop.then_some(TooLarge));
    }
}

#[test]
fn a_stand_in_keeps_what_is_odd_odd() {
    assert_eq!(stand_in(&[64, 65, 3, 8, 2], 8), [8, 7, 3, 8, 2]);
    assert_eq!(stand_in(&[64, 65, 4], 5), [4, 5, 4]);
    assert_eq!(stand_in(&[9], 1), [5]);
}
