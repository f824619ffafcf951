//! Registers that travel a hop a cycle, on wires that are followed one by one.

use super::super::tests::{asks, built, view_of};
use super::*;
use tailback_base::rng::{Purpose, below, draw_u64};
use tailback_network::NONE;
use tailback_spec::{Catalogue, Document, Section};

fn throttle(parameters: &str, grid: &Grid, channels: u32) -> Spth {
    built("spth", parameters, grid, channels)
}

/// Levels of all buffers, by `(port * channels + channel) * routers + router`.
struct Levels {
    routers: usize,
    channels: usize,
    flits: Vec<u16>,
}

impl Levels {
    fn empty(grid: &Grid, channels: usize) -> Self {
        let (routers, ports) = (grid.routers(), grid.ports());
        Levels { routers, channels, flits: vec![0; routers * ports * channels] }
    }

    fn at(&self, port: usize, channel: usize, router: usize) -> usize {
        (port * self.channels + channel) * self.routers + router
    }

    /// A cycle ends with these levels.
    fn end_cycle(&self, spth: &mut Spth) {
        spth.shift(|port, channel| &self.flits[self.at(port, channel, 0)..][..self.routers]);
    }
}

fn register(spth: &Spth, router: usize, port: usize, channel: usize) -> u64 {
    spth.registers[spth.at(port, channel) + router]
}

fn ring(k: u32) -> Grid {
    Grid::new(&[k], &[true], 1, 1)
}

#[test]
fn an_adaptive_packet_needs_one_clear_direction() {
    let mut spth = throttle("", &Grid::new(&[4, 4], &[true, true], 1, 1), 2);
    // Router 0: a busy buffer in direction 0, on channel 1; all of direction 2 is clear.
    let at = spth.at(0, 1);
    spth.registers[at] = 1;
    let view = view_of(&[0b11; 4]);
    assert!(!spth.admits(view, asks(0)) && spth.admits(view, asks(2)));
    assert!(spth.admits_by_any(view, asks(0), 0b101) && !spth.admits_by_any(view, asks(0), 0b001));
    let own = Request { port: None, channels: 1 };
    assert!(spth.admits(view, own) && spth.admits_by_any(view, own, 0));
}

/// `spth-2015` sections 4.3, 5.2 and 5.3, buffers of 8 flits: from which level on a buffer is busy.
#[test]
fn a_buffer_is_busy_when_at_most_the_margin_is_free() {
    let grid = ring(4);
    for (parameters, busy_from) in [
        ("", Some(8)),
        ("margin_flits = 3", Some(5)),
        ("margin_flits = 3, inclusive = false", Some(6)),
        ("margin_flits = 0, inclusive = false", None),
        ("margin_flits = 8", Some(0)),
        ("margin_flits = 100", Some(0)),
    ] {
        for level in 0..=8 {
            for propagation in ["ideal", "shared_link"] {
                let comma = if parameters.is_empty() { "" } else { ", " };
                let parameters = format!("{parameters}{comma}propagation = \"{propagation}\"");
                let mut spth = throttle(&parameters, &grid, 1);
                let mut levels = Levels::empty(&grid, 1);
                levels.flits.fill(level);
                levels.end_cycle(&mut spth);
                let busy = busy_from.is_some_and(|least| level >= least);
                assert_eq!(spth.admits(view_of(&[1; 2]), asks(0)), !busy, "{parameters}: {level} flits of 8");
            }
        }
    }
}

/// Whether the buffer `hops` routers from `router` in the direction was busy that many cycles ago, the nearest at the end of
/// the last cycle; `history` has the levels at the ends of the cycles.
fn seen(grid: &Grid, history: &[Levels], (router, port, channel): (usize, usize, usize), hops: usize) -> bool {
    let walk = (0..hops).try_fold(router as u32, |at, _| Some(grid.peer(at, port)).filter(|&peer| peer != NONE));
    let (Some(there), Some(when)) = (walk, history.len().checked_sub(hops)) else { return false };
    let levels = &history[when];
    levels.flits[levels.at(port, channel, there as usize)] >= 8
}

fn follow(grid: &Grid, parameters: &str, bits: impl Fn(usize) -> u32, channels: usize, cycles: u64) {
    let mut spth = throttle(parameters, grid, channels as u32);
    let mut history: Vec<Levels> = Vec::new();
    for cycle in 0..cycles {
        let mut levels = Levels::empty(grid, channels);
        for (n, level) in levels.flits.iter_mut().enumerate() {
            *level = 7 + below(draw_u64(cycle, Purpose::Request, n as u32, 0), 3) as u16 / 2;
        }
        levels.end_cycle(&mut spth);
        history.push(levels);
        for router in 0..grid.routers() {
            for port in 0..grid.ports() {
                for channel in 0..channels {
                    let place = (router, port, channel);
                    let bit = |m: u32| u64::from(seen(grid, &history, place, m as usize + 1)) << m;
                    let expected = (0..bits(port)).map(bit).sum::<u64>();
                    let found = register(&spth, router, port, channel);
                    assert_eq!(found, expected, "{parameters} {cycle}: {place:?} of {:?}", grid.radix());
                }
            }
        }
    }
}

#[test]
fn every_register_shows_the_buffers_downstream_a_cycle_later_a_hop() {
    for (radix, wrap) in [
        (&[8][..], &[true][..]),
        (&[7], &[false]),
        (&[5, 6], &[true, false]),
        (&[4, 3], &[false, true]),
        (&[4, 5, 3], &[true, false, true]),
    ] {
        let grid = Grid::new(radix, wrap, 1, 1);
        follow(&grid, "", |port| radix[port / 2] / 2, 2, 12);
        follow(&grid, "register_bits = 2", |_| 2, 2, 6);
        // One channel has the link for itself.
        follow(&grid, "propagation = \"shared_link\"", |port| radix[port / 2] / 2, 1, 12);
    }
}

#[test]
fn registers_are_as_long_as_asked_for_or_32_bits() {
    follow(&ring(70), "", |_| 32, 1, 40);
    follow(&ring(70), "register_bits = 64", |_| 64, 1, 70);
    follow(&ring(70), "register_bits = 0", |_| 0, 1, 3);
}

#[test]
fn a_shared_link_carries_one_changed_register_a_cycle_in_turn() {
    // Up and down the line: port, who looks, whose buffers.
    for (port, router, there) in [(0, 0, 2), (1, 3, 1)] {
        in_turn(port, router, there);
    }
}

fn in_turn(port: usize, router: usize, there: usize) {
    let grid = Grid::new(&[4], &[false], 1, 1);
    let mut spth = throttle("propagation = \"shared_link\", register_bits = 3", &grid, 3);
    let mut levels = Levels::empty(&grid, 3);
    // What the router knows of the buffers two hops away, by channel.
    let mut known = |busy: [bool; 3]| -> [bool; 3] {
        for (channel, &busy) in busy.iter().enumerate() {
            let buffer = levels.at(port, channel, there);
            levels.flits[buffer] = if busy { 8 } else { 0 };
        }
        levels.end_cycle(&mut spth);
        [0, 1, 2].map(|channel| register(&spth, router, port, channel) >> 1 & 1 == 1)
    };
    let (all, none) = ([true; 3], [false; 3]);
    assert_eq!(known(all), none, "the one between knows it at once, and this one a cycle later");
    assert_eq!(known(all), [true, false, false]);
    assert_eq!(known(all), [true, true, false]);
    assert_eq!(known(all), all);
    assert_eq!(known([false, true, false]), all);
    assert_eq!(known([false, true, false]), [false, true, true], "channel 0 is next, then 1, which has not changed");
    // Channel 0 changes again before channel 2 was carried: it waits for its turn.
    assert_eq!(known([true, true, false]), [false, true, false]);
    assert_eq!(known([true, true, false]), [true, true, false]);
    assert_eq!(known([false, true, true]), [true, true, false]);
    assert_eq!(
        known([false, true, true]),
        [true, true, true],
        "the turn is channel 1's, which has nothing new, then 2's"
    );
    assert_eq!(known([false, true, true]), [false, true, true]);
}

#[test]
fn the_registers_that_hold_a_packet_are_those_asked_for() {
    let grid = Grid::new(&[4, 4], &[true, true], 1, 1);
    for (parameters, held) in [("", [true; 3]), ("registers = \"used\"", [false, true, true])] {
        let mut spth = throttle(parameters, &grid, 2);
        // Router 5, direction 2, channel 1.
        let at = spth.at(2, 1) + 5;
        spth.registers[at] = 1;
        let view = LocalView { router: 5, ..view_of(&[0b11; 4]) };
        let asks = |channels: u16| Request { port: Some(2), channels };
        assert_eq!([0b01, 0b10, 0b11].map(|channels| !spth.admits(view, asks(channels))), held, "{parameters}");
        assert_eq!([0b01, 0b10, 0b11].map(|channels| !spth.admits_by_any(view, asks(channels), 0b100)), held);
        let other = LocalView { router: 4, ..view };
        assert!(spth.admits(other, asks(0b11)) && spth.admits(view, Request { port: Some(3), channels: 0b11 }));
    }
}

#[test]
fn one_channel_is_all_that_a_link_carries() {
    static CHANNELS: Param = Param {
        name: "virtual_channels",
        kind: Kind::Integer { min: 1, max: 16 },
        unit: "channels",
        fallback: Fallback::Integer(2),
        doc: "Channels.",
    };
    static WITH: [Param; 1] = [CHANNELS];
    let section = |params: &'static [Param]| Section {
        path: "router",
        doc: "Routers, some without channels.",
        params,
        entries: Vec::new(),
        default_entry: None,
        idle: Vec::new(),
    };
    let asked = |params: &'static [Param], text: &str| {
        let catalogue = Catalogue { sections: vec![section(params)], ..Catalogue::default() };
        let document = Document::parse("test", text.as_bytes()).expect("TOML");
        let spec = document.resolve(&catalogue).unwrap_or_else(|errors| panic!("{text}: {errors}"));
        has_one_channel(&spec, spec.view("router"))
    };
    assert!(asked(&WITH, "router.virtual_channels = 1"));
    assert!(!asked(&WITH, "router.virtual_channels = 3") && !asked(&WITH, ""));
    assert!(asked(&[], ""), "a port of a switch of memories is one");
}

#[test]
fn a_state_has_turns_and_registers_that_there_are() {
    let built = || throttle("propagation = \"shared_link\"", &ring(6), 3);
    assert!(built().fits().is_ok());
    let (mut late, mut long) = (built(), built());
    late.turn[0] = 3;
    long.registers[0] = u64::MAX;
    assert!(late.fits().is_err() && long.fits().is_err());
}
