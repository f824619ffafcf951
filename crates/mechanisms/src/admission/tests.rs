//! What all throttles share, and what they go with.

use super::*;
use tailback_spec::{Catalogue, Document, Resolved};

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

fn torus() -> Grid {
    Grid::new(&[16, 16], &[true, true], 1, 1)
}

fn built(kind: &str) -> Any {
    build(resolved(kind, "").view("admission"), &torus(), 3, 8)
}

#[test]
fn every_entry_is_built_as_itself() {
    let names: Vec<_> = ENTRIES.iter().map(|entry| entry.name).collect();
    let expected =
        ["off", "spth", "self_tuned", "global_threshold", "alo", "u_channels", "busy_channels", "entropy", "inc"];
    assert_eq!(names, expected);
    let variants: Vec<_> = names.iter().map(|name| std::mem::discriminant(&built(name))).collect();
    for (i, variant) in variants.iter().enumerate() {
        assert!(!variants[..i].contains(variant), "{} is built as another", names[i]);
    }
}

#[test]
fn an_empty_network_is_open() {
    for entry in ENTRIES {
        let throttle = built(entry.name);
        assert!(throttle.admits(view_of(&[0b111; 4]), asks(0)), "{}", entry.name);
        assert!(throttle.admits_by_any(view_of(&[0b111; 4]), asks(0), 0b101), "{}", entry.name);
        assert_eq!(throttle.is_active(), entry.name != "off");
    }
}

#[test]
fn hooks_reach_the_mechanism() {
    let gauges = built("self_tuned").gauges();
    assert_eq!((gauges.threshold, gauges.estimate, gauges.full_buffers), (Some(30.0), Some(0.0), Some(0.0)));
    assert_eq!(built("alo").gauges(), Gauges::default());
    let needs = |any: Any| (any.needs_occupancy(), any.watches_flits());
    assert_eq!((needs(built("self_tuned")), needs(built("alo"))), ((true, false), (false, false)));
    assert_eq!((needs(built("entropy")), needs(built("inc"))), ((true, true), (true, true)));
    let mut throttle = built("self_tuned");
    throttle.delivered(0, 16);
    let Any::SelfTuned(inner) = &throttle else { panic!("built as another") };
    assert_eq!(format!("{inner:?}").matches("flits: 16").count(), 1);
}

#[test]
fn objections() {
    let asked = |kind: &str, parameters: &str, cut_through: bool, adaptive: bool| {
        let spec = resolved(kind, parameters);
        objection(spec.view("admission"), &torus(), 3, cut_through, adaptive).map(|(message, _)| message)
    };
    for entry in ENTRIES {
        let by_flits = matches!(entry.name, "entropy" | "inc");
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
