//! One packet's story: where it was in every cycle and what kept it there.

use crate::prepare::Prepared;
use crate::router::Router;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_engine::cut_through::{Name, Place, What};
use tailback_engine::packet::Packet;
use tailback_engine::{CutThrough, Delivery, Probe};
use tailback_network::Grid;
use tailback_probes::levels::direction_name;

/// Which packet of a source node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one of this number, from 0 on.
    Number(u64),
    /// The first that is made in this cycle or later, for this node if one is given.
    From(u64, Option<u32>),
}

/// A packet's story.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// The packet.
    pub packet: Packet,
    /// The cycle in which it came to the front of its source queue.
    pub started: u64,
    /// Where it stopped, from its source on.
    pub stops: Vec<Stop>,
    /// The cycle in which its tail arrived; `None` where the run ended first.
    pub delivered: Option<u64>,
    /// The first cycle that was not simulated.
    pub end: u64,
}

/// A queue on a packet's way.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The router.
    pub router: u32,
    /// Network port and virtual channel, by the direction in which packets come; `None`: the source queue.
    pub input: Option<(u8, u8)>,
    /// The first cycle in which the head could have left.
    pub from: u64,
    /// What kept it, one after the other.
    pub waits: Vec<Wait>,
    /// The cycle in which the head left.
    pub left: Option<u64>,
    /// The port that it left by; `None`: to its node.
    pub port: Option<u8>,
}

/// A wait with one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Its first cycle.
    pub from: u64,
    /// The first cycle after it.
    pub to: u64,
    /// The reason.
    pub what: What,
}

struct Watcher {
    source: u32,
    which: Which,
    found: Option<Packet>,
    delivered: Option<u64>,
}

impl Probe for Watcher {
    fn started(&mut self, packet: &Packet) {
        let is_it = match self.which {
            Which::Number(index) => packet.index == index,
            Which::From(cycle, to) => packet.birth >= cycle && to.is_none_or(|to| packet.destination == to),
        };
        if packet.source == self.source && is_it && self.found.is_none() {
            self.found = Some(*packet);
        }
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        let packet = delivery.packet;
        if self.found.is_some_and(|found| (found.source, found.index) == (packet.source, packet.index)) {
            self.found = Some(*packet);
            self.delivered = Some(delivery.cycle);
        }
    }
}

/// Runs a point until a packet of node `source` has arrived, `limit` cycles at most, and tells its story.
///
/// # Errors
/// Why there is none: the data path cannot tell, there is no such node, or no such packet in that time.
pub fn trace(prepared: &Prepared, source: u32, which: Which, limit: u64, cancel: &AtomicBool) -> Result<Story, String> {
    let Router::CutThrough(router) = prepared.router else {
        let kind = prepared.view("router").kind();
        return Err(format!(
            "packets can be followed under router.kind = \"cut_through\", and this spec has \"{kind}\""
        ));
    };
    let nodes = prepared.grid.nodes();
    if source as usize >= nodes {
        return Err(format!("there is no node {source}: they are numbered from 0 to {}", nodes - 1));
    }
    let parts = prepared.cut_through_parts(&router);
    let mut engine = CutThrough::new(&prepared.grid, &prepared.traffic, router, parts, false);
    let mut watcher = Watcher { source, which, found: None, delivered: None };
    let (mut started, mut stops) = (0, Vec::new());
    while watcher.delivered.is_none() && engine.cycle() < limit && !cancel.load(Ordering::Relaxed) {
        let (now, known) = (engine.cycle(), watcher.found.is_some());
        engine.step(&mut watcher);
        if let Some(packet) = watcher.found {
            started = if known { started } else { now };
            let places = engine.places(Name { source, index: packet.index });
            places.iter().for_each(|place| note(&mut stops, now, place));
        }
    }
    let packet = watcher.found.ok_or_else(|| {
        format!("no such packet of node {source} came to the front of its source queue in {} cycles", engine.cycle())
    })?;
    Ok(Story { packet, started, stops, delivered: watcher.delivered, end: engine.cycle() })
}

/// Adds what was seen in cycle `now`.
fn note(stops: &mut Vec<Stop>, now: u64, place: &Place) {
    let here = |stop: &Stop| (stop.router, stop.input) == (place.router, place.input);
    let at = stops.iter().position(here).unwrap_or_else(|| {
        let (router, input) = (place.router, place.input);
        stops.push(Stop { router, input, from: now, waits: Vec::new(), left: None, port: None });
        stops.len() - 1
    });
    let stop = &mut stops[at];
    match place.what {
        What::Leaves(port) => {
            if stop.left.is_none() {
                (stop.left, stop.port) = (Some(now), port);
            }
        }
        what => match stop.waits.last_mut() {
            Some(wait) if same(wait.what, what) => wait.to = now + 1,
            _ => stop.waits.push(Wait { from: now, to: now + 1, what }),
        },
    }
}

/// Whether two reasons are one: how much room is too little changes nothing.
fn same(a: What, b: What) -> bool {
    match (a, b) {
        (What::Room { port: a, channels: c, .. }, What::Room { port: b, channels: d, .. }) => (a, c) == (b, d),
        (a, b) => a == b,
    }
}

impl Stop {
    /// `router [1, 0], x+ channel 0`.
    pub fn name(&self, grid: &Grid) -> String {
        let queue = match self.input {
            Some((port, channel)) => format!("{} channel {channel}", direction_name(usize::from(port))),
            None => "source queue".to_owned(),
        };
        format!("router {:?}, {queue}", grid.coordinates(self.router))
    }

    /// Where it left to.
    pub fn leaves_to(&self) -> String {
        to(self.port)
    }
}

impl Wait {
    /// The reason in words.
    pub fn words(&self) -> String {
        let packet = |name: Name| format!("packet {} of node {}", name.index, name.source);
        match self.what {
            What::Leaves(_) => "it leaves".to_owned(),
            What::Behind(name) => format!("behind {}", packet(name)),
            What::Admission => "held by admission".to_owned(),
            What::Output(port, name) => format!("{} is taken by {}", to(port), packet(name)),
            What::Room { port, channels, flits } => {
                let channels: Vec<String> =
                    tailback_base::bits::ones(u64::from(channels)).map(|c| c.to_string()).collect();
                format!("{} channel {} has no room, {flits} flits", to(Some(port)), channels.join(" or "))
            }
            What::Turn(port) => format!("{} is free, but not its turn yet", to(port)),
        }
    }
}

fn to(port: Option<u8>) -> String {
    port.map_or("its node's port".to_owned(), |port| direction_name(usize::from(port)))
}
