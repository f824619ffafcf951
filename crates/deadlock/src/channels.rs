//! Who may wait for whom in virtual channels: a buffer is that behind an output channel, number `router * width + port *
//! channels + channel`, `width` channels a router.

use crate::places::{Hold, Next, Places, Situation};
use crate::walk::{Asked, Budget, Classes, Network, Place, TooLarge, Walk, walk};
use tailback_engine::contract::routing::{Candidates, Routing};
use tailback_network::Grid;

/// What is kept of all the ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What waits for what at its own end.
    Ends,
    /// And where a packet goes on to while it holds what lies behind.
    Ways,
    /// The same, with the packets for each destination considered alone.
    Goals,
}

const NOBODY: u32 = u32::MAX;

/// Takes in what was found in a part.
pub(crate) struct Collector {
    detail: Detail,
    ports: usize,
    channels: u32,
    classes: usize,
    places: Places,
    /// PERF: the latest situation at a router and class of inputs, and the latest hold and step behind a link. Neighbouring
    /// destinations look alike from afar.
    last_situation: Vec<(Asked, u32)>,
    last_hold: Vec<(u32, u64)>,
    last_next: Vec<(u32, u32)>,
    /// The situations of the places of a walk.
    ids: Vec<u32>,
}

/// Collects all holds of a network.
///
/// # Errors
/// [`TooLarge`]
pub(crate) fn collect<R: Routing + Sync>(
    network: &Network<R>,
    detail: Detail,
    budget: Budget,
) -> Result<Places, TooLarge> {
    let classes = Classes::new(network).count();
    let each = |collector: &mut Collector, walk: &Walk| {
        collector.add(walk);
        Ok(())
    };
    let parts = walk(network, budget, || Collector::new(network, classes, detail), each)?;
    Ok(Collector::merged(network, parts))
}

impl Collector {
    /// Nothing yet, of a network with so many classes of inputs.
    pub fn new<R>(network: &Network<R>, classes: usize, detail: Detail) -> Self {
        let (routers, ports) = (network.wiring.routers(), network.wiring.most_ports());
        let links = routers * ports;
        Collector {
            detail,
            ports,
            channels: network.channels,
            classes,
            places: Places::new(routers, links),
            last_situation: vec![(Asked::default(), NOBODY); routers * classes],
            last_hold: vec![(NOBODY, 0); links],
            last_next: vec![(NOBODY, NOBODY); links],
            ids: Vec::new(),
        }
    }

    /// What was found in all parts.
    pub fn merged<R>(network: &Network<R>, parts: Vec<Self>) -> Places {
        let link = |router, bit| link(network.wiring.most_ports(), network.channels, router, bit);
        let all = parts.into_iter().map(|part| part.places).reduce(|mut all, part| {
            all.take(part, link);
            all
        });
        all.expect("there is a part")
    }

    fn link(&self, router: u32, bit: u32) -> usize {
        link(self.ports, self.channels, router, bit)
    }

    fn add(&mut self, walk: &Walk) {
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        ids.extend(walk.places.iter().map(|place| {
            let goal = if self.detail == Detail::Goals { walk.destination(place) } else { 0 };
            let Place { router, class, asked, .. } = *place;
            self.situation((router, class), asked, goal)
        }));
        for (at, (place, &from)) in walk.places.iter().zip(&ids).enumerate() {
            let Asked { first, candidates } = place.asked;
            for &(bits, to) in walk.ways(at) {
                let situation = ids[to as usize];
                let (source, destination) = (place.source, walk.destination(place));
                self.hold(Hold { router: place.router, first, channels: bits, situation, source, destination });
                if self.detail != Detail::Ends && candidates.preferred & bits != 0 {
                    let channel = first + (candidates.preferred & bits).trailing_zeros();
                    self.next(self.link(place.router, channel), Next { from, to: situation, channel });
                }
            }
        }
        self.ids = ids;
    }

    /// The number of the situation of heads at a router that came by inputs of a class, for a goal where goals are kept apart.
    pub fn situation(&mut self, (router, class): (u32, u8), asked: Asked, goal: u32) -> u32 {
        let last = &mut self.last_situation[router as usize * self.classes + usize::from(class)];
        if last.1 == NOBODY || last.0 != asked || self.detail == Detail::Goals {
            let Asked { first, candidates: Candidates { preferred, fallback } } = asked;
            *last = (asked, self.places.situation(Situation { router, first, preferred, fallback, goal }));
        }
        last.1
    }

    /// Packets hold what is behind a link.
    pub fn hold(&mut self, hold: Hold) {
        let link = self.link(hold.router, hold.first + hold.channels.trailing_zeros());
        let last = &mut self.last_hold[link];
        if last.0 != hold.situation || hold.channels & !last.1 != 0 {
            *last = (hold.situation, self.places.hold(link, hold));
        }
    }

    fn next(&mut self, link: usize, next: Next) {
        let last = &mut self.last_next[link];
        if *last != (next.from, next.to) {
            *last = (next.from, next.to);
            self.places.goes_on(link, next);
        }
    }
}

/// The link of a router that has this bit, of `channels` a port.
fn link(ports: usize, channels: u32, router: u32, bit: u32) -> usize {
    router as usize * ports + (bit / channels) as usize
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
