//! What all throttles share, and what they go with.

use super::*;
use crate::testing::resolved_text;
use tailback_base::rng::{Purpose, below, draw_u64};
use tailback_spec::{Catalogue, Document, Resolved, Section};

/// The resolved spec with this throttle and these parameters, as in a table between braces.
pub fn resolved(kind: &str, parameters: &str) -> Resolved {
    let comma = if parameters.is_empty() { "" } else { ", " };
    let text = format!("admission = {{ kind = \"{kind}\"{comma}{parameters} }}");
    let catalogue = Catalogue { sections: vec![section()], ..Catalogue::default() };
    let document = Document::parse("test", text.as_bytes()).expect("TOML");
    document.resolve(&catalogue).unwrap_or_else(|errors| panic!("{text}: {errors}"))
}

/// Router 0, with as many channels a port as the largest mask has bits.
pub fn view_of(room: &[u16]) -> LocalView<'_> {
    LocalView { router: 0, idle: u64::MAX, room, all: 0b111 }
}

/// A packet that asks for `port`.
pub fn asks(port: u8) -> Request {
    Request { port: Some(port), channels: 0b111 }
}

/// What a throttle is shown at the end of a cycle, with these flits in the buffers, by `(port * channels + channel) * routers
/// + router`. They are what comes first in a saved state.
pub fn occupancy(grid: &Grid, channels: usize, flits: &[u16]) -> Occupancy {
    let saved = |state: &dyn Fn(&mut Writer)| {
        let mut writer = Writer::default();
        state(&mut writer);
        writer.into_bytes()
    };
    let mut occupancy = Occupancy::new(grid.routers(), grid.ports(), channels, 32, 4, 1);
    let none = saved(&|to| vec![0u16; flits.len()].save(to));
    let rest = saved(&|to| occupancy.save(to)).split_off(none.len());
    let bytes = [saved(&|to| flits.to_vec().save(to)), rest].concat();
    occupancy.restore(&mut Reader::new(&bytes, &[])).expect("levels of as many buffers");
    let mut first = occupancy.levels(0, 0).iter().zip(flits);
    assert!(first.all(|(kept, given)| kept == given), "the levels do not come first any more");
    occupancy
}

fn torus() -> Grid {
    Grid::new(&[16, 16], &[true, true], 1, 1)
}

/// A throttle on a grid of buffers of 8 flits.
pub fn built<T: Listed>(kind: &str, parameters: &str, grid: &Grid, channels: u32) -> T {
    T::build(resolved(kind, parameters).view("admission"), Site { grid, channels, buffer_flits: 8 })
}

fn any(kind: &str, grid: &Grid) -> Any {
    build(resolved(kind, "").view("admission"), Site { grid, channels: 3, buffer_flits: 8 })
}

#[test]
fn every_entry_is_built_as_itself() {
    let variants: Vec<_> = ENTRIES.iter().map(|entry| std::mem::discriminant(&any(entry.name, &torus()))).collect();
    for (i, variant) in variants.iter().enumerate() {
        assert!(!variants[..i].contains(variant), "{} is built as another", ENTRIES[i].name);
    }
}

#[test]
#[should_panic(expected = "no mechanism of this section is called `of`")]
fn an_unknown_kind_is_no_throttle() {
    static OF: Entry = Entry { name: "of", ..off::ENTRY };
    let spec = resolved_text(Section { entries: vec![&OF], ..section() }, "admission = \"of\"");
    build(spec.view("admission"), Site { grid: &torus(), channels: 3, buffer_flits: 8 });
}

#[test]
fn an_empty_network_is_open() {
    for entry in ENTRIES {
        let throttle = any(entry.name, &torus());
        assert!(throttle.admits(view_of(&[0b111; 4]), asks(0)), "{}", entry.name);
        assert!(throttle.admits_by_any(view_of(&[0b111; 4]), asks(0), 0b101), "{}", entry.name);
        assert_eq!(throttle.is_active(), entry.name != "off");
    }
}

#[test]
fn hooks_reach_the_mechanism() {
    let gauges = any("self_tuned", &torus()).gauges();
    assert_eq!((gauges.threshold, gauges.estimate, gauges.full_buffers), (Some(30.0), Some(0.0), Some(0.0)));
    assert_eq!(any("alo", &torus()).gauges(), Gauges::default());
    let needs = |kind: &str| {
        let throttle = any(kind, &torus());
        (throttle.needs_occupancy(), throttle.watches_flits())
    };
    assert_eq!((needs("self_tuned"), needs("alo")), ((true, false), (false, false)));
    assert_eq!((needs("entropy"), needs("inc")), ((true, true), (true, true)));
    let mut throttle = any("self_tuned", &torus());
    throttle.delivered(0, 16);
    let Any::SelfTuned(inner) = &throttle else { panic!("built as another") };
    assert_eq!(format!("{inner:?}").matches("flits: 16").count(), 1);
}

#[test]
fn objections() {
    let asked = |kind: &str, parameters: &str, cut_through: bool, adaptive: bool| {
        let spec = resolved(kind, parameters);
        let site = Site { grid: &torus(), channels: 3, buffer_flits: 8 };
        let switching = Switching { by_flits: !cut_through, adaptive, by_channels: true, shared_buffers: true };
        objection(spec.view("admission"), site, switching).map(|refusal| refusal.message)
    };
    for entry in ENTRIES {
        let by_flits = any(entry.name, &torus()).watches_flits();
        assert_eq!(asked(entry.name, "", true, false).is_some(), by_flits, "{}", entry.name);
        assert_eq!(asked(entry.name, "", false, true), None, "{}", entry.name);
    }
    assert!(asked("spth", "registers = \"used\"", false, true).is_some());
    assert_eq!(asked("spth", "registers = \"used\"", false, false), None);
    assert_eq!(asked("self_tuned", "tuning_period_cycles = 64", false, true), None);
    // 9 bits one after the other make a gather of 64 cycles.
    let serial = "tuning_period_cycles = 96, side_band_bits = 9, narrow_side_band = \"serial\"";
    assert!(asked("self_tuned", serial, false, true).expect("an objection").contains("the 64 cycles"));
}

/// What every mechanism asks of the engine, after what its file says that it sees.
#[test]
fn every_throttle_asks_for_what_it_sees() {
    let (mut by_own_channels, mut by_flits) = (Vec::new(), Vec::new());
    for entry in ENTRIES {
        let throttle = any(entry.name, &torus());
        assert_eq!(throttle.needs_occupancy(), !throttle.is_local(), "{}", entry.name);
        assert!(!(throttle.watches_flits() && throttle.is_local()), "{}", entry.name);
        let note = |asks: bool, list: &mut Vec<&str>| list.extend(asks.then_some(entry.name));
        note(throttle.is_local(), &mut by_own_channels);
        note(throttle.watches_flits(), &mut by_flits);
    }
    let all_of = |list: &[&str], kinds: &[&str]| kinds.iter().all(|kind| list.contains(kind));
    assert!(all_of(&by_own_channels, &["off", "alo", "u_channels", "busy_channels"]), "{by_own_channels:?}");
    assert!(all_of(&by_flits, &["entropy", "inc"]), "{by_flits:?}");
}

/// A few hundred cycles of a network whose buffers are full here and there.
fn driven(throttle: &mut Any, grid: &Grid) {
    let buffers = grid.routers() * grid.ports() * 3;
    for cycle in 0..200 {
        let flits: Vec<u16> =
            (0..buffers).map(|n| below(draw_u64(cycle, Purpose::Request, n as u32, 0), 9) as u16).collect();
        throttle.delivered(3, 5);
        throttle.sent(2, 1, Some((0, 1)));
        throttle.sent(2, 1, None);
        throttle.observe(cycle, Some(&occupancy(grid, 3, &flits)));
    }
}

#[test]
fn a_checkpoint_holds_what_a_throttle_knows() {
    let grid = Grid::new(&[3, 4], &[true, false], 1, 1);
    for entry in ENTRIES {
        let anew = || any(entry.name, &grid);
        let (mut throttle, mut restored) = (anew(), anew());
        driven(&mut throttle, &grid);
        // Who decides by the router of the moment has nothing to keep.
        assert_eq!(format!("{throttle:?}") == format!("{restored:?}"), throttle.is_local(), "{}", entry.name);
        let mut writer = Writer::default();
        throttle.save(&mut writer);
        let bytes = writer.into_bytes();
        let mut reader = Reader::new(&bytes, &[]);
        restored.restore(&mut reader).expect("it was built alike");
        reader.end().expect("all was read");
        // What was only lent for a cycle need not come back.
        let (mut going_on, mut gone_on) = (throttle.clone(), restored);
        driven(&mut going_on, &grid);
        driven(&mut gone_on, &grid);
        assert_eq!(format!("{going_on:?}"), format!("{gone_on:?}"), "{}", entry.name);
    }
}

#[test]
fn packets_that_stay_at_their_router_are_held_by_nobody() {
    let own = Request { port: None, channels: 1 };
    let grid = Grid::new(&[3, 4], &[true, false], 1, 1);
    for entry in ENTRIES {
        let mut throttle = any(entry.name, &grid);
        driven(&mut throttle, &grid);
        for router in 0..12 {
            let view = LocalView { router, ..view_of(&[0; 4]) };
            assert!(throttle.admits(view, own) && throttle.admits_by_any(view, own, 0), "{}", entry.name);
        }
    }
}

#[test]
fn useful_ports_are_looked_at_and_no_others() {
    let room = [0b001, 0b110, 0b1000, 0b111];
    let free: Vec<u16> = free_channels(view_of(&room), 0b1101).collect();
    assert_eq!(free, [0b001, 0, 0b111], "a channel that there is not does not count");
    assert_eq!(free_channels(view_of(&room), 0).count(), 0);
}
