//! Who may wait for whom in virtual channels: a buffer is that behind an output channel, number `router * width + port *
//! channels + channel`, `width` channels a router.

use crate::places::{Hold, Places, Situation};
use crate::walk::{Class, Network, Place, TooLarge, walk};
use tailback_engine::contract::routing::{Candidates, Routing};
use tailback_network::Grid;

/// What is kept of all the ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What waits for what at its own end.
    Ends,
    /// And where a packet goes on to while it holds what lies behind.
    Ways,
    /// The same, packets of each class by themselves.
    Classes,
}

const NOBODY: u32 = u32::MAX;

struct Collector {
    detail: Detail,
    width: u32,
    places: Places,
    channels: u32,
    /// PERF: the situation that the last class had at an input, and the last hold of a channel. Neighbouring destinations
    /// look alike from afar.
    last_situation: Vec<(Candidates, u32)>,
    last_hold: Vec<(u32, u32)>,
    last_next: Vec<(u32, u32)>,
    /// The situations of the class's places.
    ids: Vec<u32>,
}

/// Collects all holds of a network.
///
/// # Errors
/// [`TooLarge`]
pub(crate) fn collect<R: Routing>(network: &Network<R>, detail: Detail, budget: u64) -> Result<Places, TooLarge> {
    let width = network.grid.ports() as u32 * network.channels;
    let (routers, channels) = (network.grid.routers(), network.grid.routers() * width as usize);
    let mut collector = Collector {
        detail,
        width,
        channels: network.channels,
        places: Places::default(),
        last_situation: vec![(Candidates::default(), NOBODY); routers * (1 + width as usize)],
        last_hold: vec![(NOBODY, NOBODY); channels],
        last_next: vec![(NOBODY, NOBODY); channels],
        ids: Vec::new(),
    };
    walk(network, budget, |class| collector.add(class))?;
    Ok(collector.places)
}

impl Collector {
    fn add(&mut self, class: &Class) {
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        ids.extend(class.places.iter().map(|place| self.situation(class, place)));
        for (place, &from) in class.places.iter().zip(&ids) {
            for (bit, to) in class.ways(place) {
                let channel = place.router * self.width + bit;
                let hold = self.hold(class, channel, ids[to], to);
                if self.detail != Detail::Ends && place.candidates.preferred >> bit & 1 == 1 {
                    self.next(channel, from, hold);
                }
            }
        }
        self.ids = ids;
    }

    fn situation(&mut self, class: &Class, place: &Place) -> u32 {
        let Place { router, candidates, .. } = *place;
        let number = place.input.map_or(0, |(port, channel)| 1 + u32::from(port) * self.channels + u32::from(channel));
        let last = &mut self.last_situation[(router * (1 + self.width) + number) as usize];
        if last.1 == NOBODY || last.0 != candidates || self.detail == Detail::Classes {
            let class = if self.detail == Detail::Classes { class.number } else { 0 };
            let Candidates { preferred, fallback } = candidates;
            *last = (candidates, self.places.situation(Situation { router, preferred, fallback, class }));
        }
        last.1
    }

    /// A packet of the class in a buffer comes to place `at`.
    fn hold(&mut self, class: &Class, buffer: u32, situation: u32, at: usize) -> u32 {
        let last = &mut self.last_hold[buffer as usize];
        if last.0 != situation {
            let (source, destination) = (class.places[at].source, class.destination);
            *last = (situation, self.places.hold(Hold { buffer, situation, source, destination }));
        }
        last.1
    }

    fn next(&mut self, channel: u32, from: u32, hold: u32) {
        let last = &mut self.last_next[channel as usize];
        if *last != (from, hold) {
            *last = (from, hold);
            self.places.goes_on(from, hold);
        }
    }
}

/// For every channel the first channel of its ring, or line: the buffers that a bubble is kept in.
pub(crate) fn rings(grid: &Grid, channels: u32, is_escape: impl Fn(u32) -> bool) -> Vec<u32> {
    let width = grid.ports() as u32 * channels;
    let ring = |buffer: u32| {
        let (router, bit) = (buffer / width, buffer % width);
        let dimension = (bit / channels / 2) as usize;
        let stride: u32 = grid.radix()[..dimension].iter().product();
        (router - grid.coordinates(router)[dimension] * stride) * width + bit
    };
    (0..grid.routers() as u32 * width).map(|buffer| if is_escape(buffer) { ring(buffer) } else { buffer }).collect()
}
