//! A packet's story adds up: every cycle from its making to its delivery has its place and its reason.

mod common;

use common::prepared;
use std::sync::atomic::AtomicBool;
use tailback_sim::{Story, Which, trace};

const SPEC: &str = "
topology = { kind = 'torus', radix = [6, 6], link_cycles = 3 }
router = { virtual_channels = 2, buffer_flits = 12, header_cycles = 2, credit_cycles = 2 }
traffic = { load = 0.01, size = { kind = 'fixed', flits = 4 } }
workload = { kind = 'steady', warmup_cycles = 0, measure_cycles = 20000 }
";

const LINK: u64 = 3;
const HEADER: u64 = 2;
const FLITS: u64 = 4;

fn told(spec: &str, source: u32, which: Which) -> Result<Story, String> {
    let prepared = prepared(spec).unwrap_or_else(|e| panic!("{}", e.render(false)));
    trace(&prepared, source, which, 20_000, &AtomicBool::new(false))
}

/// Waits follow each other without gaps, and hops by the times of links and routers; returns the cycles waited.
fn adds_up(story: &Story) -> u64 {
    let delivered = story.delivered.expect("time enough");
    let mut asks = story.started;
    let mut waited = 0;
    for stop in &story.stops {
        assert_eq!(stop.from, asks, "{story:?}");
        let left = stop.left.expect("it was delivered");
        for wait in &stop.waits {
            assert!(wait.from == asks && wait.to > wait.from, "{story:?}");
            waited += wait.to - wait.from;
            asks = wait.to;
        }
        assert_eq!(left, asks, "{story:?}");
        asks = left + LINK + HEADER;
    }
    let last = story.stops.last().and_then(|stop| stop.left).expect("it left its source");
    assert_eq!(delivered, last + FLITS);
    assert_eq!(story.stops.len() as u32, story.packet.hops + 1);
    assert!(story.stops[0].input.is_none() && story.stops.last().is_some_and(|stop| stop.port.is_none()));
    waited
}

#[test]
fn an_empty_network_has_no_waits() {
    let story = told(SPEC, 7, Which::Number(0)).expect("it is made");
    if adds_up(&story) == 0 {
        let hops = u64::from(story.packet.hops);
        let alone = hops * LINK + (hops + 1) * HEADER + FLITS;
        assert_eq!(story.delivered, Some(story.packet.birth + alone), "{story:?}");
    }
    assert!(adds_up(&story) < 20, "{story:?}");
}

#[test]
fn every_cycle_of_a_crowded_network_has_a_reason() {
    let crowded = SPEC.replace("0.01", "0.9");
    let mut waited = 0;
    for source in [0, 7, 21, 35] {
        for number in [1, 20, 60] {
            let story = told(&crowded, source, Which::Number(number)).expect("it is made");
            assert_eq!((story.packet.source, story.packet.index), (source, number));
            waited += adds_up(&story);
        }
    }
    assert!(waited > 200, "{waited}");
}

#[test]
fn a_held_packet_is_told_to_be_held() {
    let throttled = format!("admission = {{ kind = 'spth', margin_flits = 6 }}\n{}", SPEC.replace("0.01", "0.9"));
    let held = (0..36).filter_map(|source| told(&throttled, source, Which::Number(30)).ok()).any(|story| {
        adds_up(&story);
        story.stops[0].waits.iter().any(|wait| wait.words() == "held by admission")
    });
    assert!(held);
}

#[test]
fn packets_are_found_by_time_and_destination() {
    let story = told(&SPEC.replace("0.01", "0.3"), 3, Which::From(500, Some(17))).expect("it is made");
    assert!(story.packet.birth >= 500 && (story.packet.source, story.packet.destination) == (3, 17));
}

#[test]
fn what_cannot_be_told_is_refused() {
    let refused = |spec: &str, source, which| told(spec, source, which).expect_err("a reason");
    assert!(refused(SPEC, 36, Which::Number(0)).contains("from 0 to 35"));
    assert!(refused(SPEC, 0, Which::Number(1 << 40)).contains("no such packet"));
    let wormhole = SPEC.replace("header_cycles = 2", "kind = 'wormhole'");
    assert!(refused(&wormhole, 0, Which::Number(0)).contains("this spec has \"wormhole\""));
}
