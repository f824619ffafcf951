//! A packet's story adds up: every cycle from its making to its delivery has its place and its reason.

use crate::common::data_paths::{FLITS, LINK, PATHS, Path};
use crate::common::prepared;
use crate::common::same::controlled;
use std::sync::atomic::Ordering;
use tailback_engine::contract::census::What;
use tailback_engine::contract::queueing::Side;
use tailback_sim::{Stop, Story, Traced, Which, trace};

/// What a story must say under a data path.
trait Tells {
    fn gap(&self, stop: &Stop) -> u64;
    fn consumption(&self) -> u64;
    fn adds_up(&self, story: &Story) -> u64;
}

impl Tells for Path {
    /// Cycles from leaving a stop until the head is at the next one.
    fn gap(&self, stop: &Stop) -> u64 {
        match (stop.side, stop.input) {
            (Some(Side::Adapter), None) | (Some(Side::Ingress), _) => 1,
            _ => LINK + self.crossing,
        }
    }

    /// Cycles in which nothing else comes to a packet from its head's leaving the last stop to its tail's arrival.
    fn consumption(&self) -> u64 {
        self.crossing + FLITS + if self.queued() { LINK } else { 0 }
    }

    /// Waits follow each other without gaps, and hops by the times of links and routers; returns the cycles waited beside those in
    /// pipelines.
    fn adds_up(&self, story: &Story) -> u64 {
        let delivered = story.delivered.expect("time enough");
        let (mut at, mut waited) = (story.started, 0);
        for stop in &story.stops {
            // The cycle in which a packet crosses a switch is one of waiting where the link is busy in it.
            let crossing = matches!(stop.side, Some(Side::Egress | Side::Adapter)) && stop.input.is_some();
            at -= u64::from(crossing && stop.from < at);
            assert_eq!(stop.from, at, "{story:?}");
            for wait in &stop.waits {
                assert!(wait.from == at && wait.to > wait.from, "{story:?}");
                waited += if wait.what == What::Routing { 0 } else { wait.to - wait.from };
                at = wait.to;
            }
            assert_eq!(stop.left, Some(at), "{story:?}");
            at += self.gap(stop);
        }
        let last = story.stops.last().and_then(|stop| stop.left).expect("it left its source");
        let rest = delivered - last - self.consumption();
        assert!(rest == 0 || self.crossing > 0, "only flits of wormhole packets wait apart from their head: {story:?}");
        let hops = story.packet.hops as usize;
        assert_eq!(story.stops.len(), if self.queued() { 2 * hops + 4 } else { hops + 1 }, "{story:?}");
        assert!(story.stops[0].input.is_none() && story.stops.last().is_some_and(|stop| stop.port.is_none()));
        waited + rest
    }
}

fn told(spec: &str, which: Which) -> Result<Story, String> {
    let prepared = prepared(spec).unwrap_or_else(|e| panic!("{}", e.render()));
    match controlled(|control| trace(&prepared, which, 20_000, control))? {
        Traced::Found(story) => Ok(*story),
        Traced::Cancelled(cycle) => panic!("nobody cancelled it in cycle {cycle}"),
    }
}

#[test]
fn an_empty_network_has_no_waits() {
    for path in &PATHS {
        let alone = |source: &u32| {
            let story = told(&path.spec(), Which::Number(*source, 0)).expect("it is made");
            let waited = path.adds_up(&story);
            assert!(waited < 40, "{story:?}");
            waited == 0
        };
        assert!((0..36).filter(alone).count() > 20, "{}", path.router);
    }
}

#[test]
fn time_alone_is_that_of_the_model() {
    for path in &PATHS {
        let story = told(&path.spec(), Which::Started(0)).expect("it is made");
        assert_eq!(path.adds_up(&story), 0, "nobody is in the way of the first packet: {story:?}");
        let hops = u64::from(story.packet.hops);
        let links = if path.queued() { (hops + 2) * (LINK + 1) } else { hops * LINK };
        let alone = links + (hops + 1) * (path.routing + path.crossing) + FLITS;
        assert_eq!(story.delivered, Some(story.packet.birth + alone), "{story:?}");
    }
}

#[test]
fn every_cycle_of_a_crowded_network_has_a_reason() {
    for path in &PATHS {
        let crowded = path.spec().replace("0.01", "0.9");
        let mut waited = 0;
        for source in [0, 7, 21, 35] {
            for number in [1, 20] {
                let story = told(&crowded, Which::Number(source, number)).expect("it is made");
                assert_eq!((story.packet.source, story.packet.index), (source, number));
                waited += path.adds_up(&story);
            }
        }
        assert!(waited > 100, "{}: {waited}", path.router);
    }
}

#[test]
fn a_held_packet_is_told_to_be_held() {
    for path in &PATHS[..3] {
        let throttled =
            format!("admission = {{ kind = 'spth', margin_flits = 6 }}\n{}", path.spec().replace("0.01", "0.9"));
        let held = (0..36).filter_map(|source| told(&throttled, Which::Number(source, 30)).ok()).any(|story| {
            path.adds_up(&story);
            story.stops[0].waits.iter().any(|wait| wait.what == What::Admission)
        });
        assert!(held, "{}", path.router);
    }
}

#[test]
fn packets_are_found_by_time_and_destination() {
    for path in &PATHS {
        let spec = path.spec().replace("0.01", "0.3");
        let story = told(&spec, Which::From(3, 500, Some(17))).expect("it is made");
        assert!(story.packet.birth >= 500 && (story.packet.source, story.packet.destination) == (3, 17));
        let again = told(&spec, Which::Number(3, story.packet.index)).expect("it is made");
        assert_eq!(again, story);
    }
}

#[test]
fn packets_are_numbered_as_they_start() {
    for path in &PATHS {
        let spec = path.spec().replace("0.01", "0.5");
        let stories: Vec<Story> =
            (0..40).map(|number| told(&spec, Which::Started(number)).expect("it is made")).collect();
        let order = |story: &Story| (story.started, story.packet.source, story.packet.index);
        assert!(stories.windows(2).all(|pair| order(&pair[0]) < order(&pair[1])), "{}", path.router);
        // Nobody is left out.
        let first = |source: u32| stories.iter().find(|story| story.packet.source == source).map(|s| s.packet.index);
        assert!((0..36).filter_map(first).all(|index| index == 0));
    }
}

#[test]
fn what_cannot_be_told_is_refused() {
    let spec = PATHS[0].spec();
    let refused = |which| told(&spec, which).expect_err("a reason");
    assert!(refused(Which::Number(36, 0)).contains("from 0 to 35"));
    assert!(refused(Which::Number(0, 1 << 40)).contains("no such packet"));
    assert!(refused(Which::Started(1 << 40)).contains("fewer than 1099511627777 packets"));
}

#[test]
fn who_cancels_is_told_how_far_it_came_and_nothing_false() {
    let prepared = prepared(&PATHS[0].spec()).unwrap_or_else(|e| panic!("{}", e.render()));
    let cancelled = controlled(|control| {
        control.cancel.store(true, Ordering::Relaxed);
        trace(&prepared, Which::Started(1 << 40), 20_000, control)
    });
    assert_eq!(cancelled, Ok(Traced::Cancelled(0)));
}
