//! Every place that a head can come to: for each destination all at once, whatever the source, since what lies behind a head
//! does not matter to where it may go.

use tailback_base::bits::ones;
use tailback_engine::contract::routing::{Candidates, Head, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_network::{Grid, NONE};

/// What heads are given by their routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heads {
    /// One port and a mask of its channels: [`Routing::request`].
    Request,
    /// Any of several channels: [`Routing::candidates`].
    Candidates,
    /// A port, one of the candidates', fixed when the packet is made; there is one channel a port.
    Ports,
}

/// A network whose packets may wait for each other.
#[derive(Debug)]
pub struct Network<'a, R> {
    /// The routers and links.
    pub grid: &'a Grid,
    /// The routing of the run.
    pub routing: &'a R,
    /// Virtual channels of a link; at most 64 of all links out of a router.
    pub channels: u32,
    /// What the data path asks the routing.
    pub heads: Heads,
}

/// A check would visit more places, and ways between them, than it was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// A place of a head: a router, an input where that matters, a word of the routing.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The router.
    pub router: u32,
    /// The input; `None` in an injection queue, and where the routing does not look at it.
    pub input: Option<(u8, u8)>,
    word: u32,
    /// What it may take: bit `port * channels + channel`. Nothing: it has arrived.
    pub candidates: Candidates,
    /// A router from which a packet comes here.
    pub source: u32,
    /// Where in the class's ways its own begin.
    ways: u32,
    /// Another place at the same router and input, with another word.
    other: u32,
}

/// All places of the packets to one destination that were drawn alike.
#[derive(Debug, Default)]
pub struct Class {
    /// Its number.
    pub number: u32,
    /// Destination router.
    pub destination: u32,
    /// The places.
    pub places: Vec<Place>,
    ways: Vec<u32>,
}

impl Class {
    /// The bits that a head may take at a place, and the places where they lead.
    pub fn ways(&self, place: &Place) -> impl Iterator<Item = (u32, usize)> + '_ {
        let first = place.ways as usize;
        let to = self.ways[first..].iter();
        ones(place.candidates.all()).zip(to).map(|(bit, &to)| (bit as u32, to as usize))
    }
}

const NO_PLACE: u32 = u32::MAX;

struct Walker<'a, 'n, R> {
    network: &'a Network<'n, R>,
    variety: Variety,
    /// By router and input: the class that was here last, its latest place, and the word of that.
    slots: Vec<(u32, u32, u32)>,
    /// Port and channel of every bit of a mask.
    bits: Vec<(u8, u8)>,
    class: Class,
}

/// Calls `each` with all classes of packets.
///
/// # Errors
/// [`TooLarge`] where there would be more than `budget` places and ways out of them; after a few classes that is foreseen.
pub fn walk<R: Routing>(network: &Network<R>, budget: u64, mut each: impl FnMut(&Class)) -> Result<(), TooLarge> {
    let routers = network.grid.routers() as u32;
    let mut variety = network.routing.variety();
    // Queues may go by it.
    variety.input |= network.heads == Heads::Ports;
    let groups = groups(&variety, routers);
    let classes = u64::from(routers) * variety.draws.len() as u64 * variety.indices * groups.len() as u64;
    let inputs = if variety.input { 1 + network.grid.ports() * network.channels as usize } else { 1 };
    if classes > budget || u64::from(routers) * inputs as u64 > budget || classes > u64::from(u32::MAX) {
        return Err(TooLarge);
    }
    let slots = vec![(u32::MAX, NO_PLACE, 0); routers as usize * inputs];
    let bits = (0..network.grid.ports() as u32 * network.channels)
        .map(|bit| ((bit / network.channels) as u8, (bit % network.channels) as u8))
        .collect();
    let mut walker = Walker { network, variety, slots, bits, class: Class::default() };
    let (mut visited, mut number) = (0, 0);
    for destination in 0..routers {
        for draw in 0..walker.variety.draws.len() {
            for index in 0..walker.variety.indices {
                for sources in &groups {
                    walker.visit(number, destination, (walker.variety.draws[draw], index), sources);
                    each(&walker.class);
                    number += 1;
                    visited += (walker.class.places.len() + walker.class.ways.len()) as u64;
                    let foreseen = visited / u64::from(number) * classes;
                    if visited > budget || number >= 8 && foreseen > budget {
                        return Err(TooLarge);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Sources that are served alike.
fn groups(variety: &Variety, routers: u32) -> Vec<Vec<u32>> {
    let class = |router: u32| variety.source_classes.get(router as usize).copied().unwrap_or(0);
    let classes = (0..routers).map(class).max().unwrap_or(0) + 1;
    let mut groups = vec![Vec::new(); classes as usize];
    (0..routers).for_each(|router| groups[class(router) as usize].push(router));
    groups.retain(|group| !group.is_empty());
    groups
}

impl<R: Routing> Walker<'_, '_, R> {
    fn visit(&mut self, number: u32, destination: u32, (draw, index): (u32, u64), sources: &[u32]) {
        self.class.number = number;
        self.class.destination = destination;
        self.class.places.clear();
        self.class.ways.clear();
        let nodes = self.network.grid.nodes_per_router();
        let template = Packet { index, destination: destination * nodes, router: destination, ..Packet::default() };
        let mut packet = template;
        for &source in sources.iter().filter(|&&source| source != destination) {
            packet = Packet { source: source * nodes, ..template };
            let word = self.network.routing.start(source, &mut packet, || draw);
            self.place(source, None, word, source);
        }
        let mut next = 0;
        while next < self.class.places.len() {
            self.look(next, &packet);
            next += 1;
        }
    }

    /// What the head may take at a place, and where that leads.
    fn look(&mut self, at: usize, packet: &Packet) {
        let grid = self.network.grid;
        let Place { router, input, mut word, source, .. } = self.class.places[at];
        let candidates = self.candidates(Head { router, input }, packet, &mut word);
        let first = self.class.ways.len() as u32;
        for bit in ones(candidates.all()) {
            let (port, channel) = self.bits[bit];
            let peer = grid.peer(router, usize::from(port));
            assert_ne!(peer, NONE, "routing leads over the edge of the network");
            let word = self.network.routing.advance(port, word);
            let to = self.place(peer, Some((port, channel)), word, source);
            self.class.ways.push(to);
        }
        let place = &mut self.class.places[at];
        (place.candidates, place.ways) = (candidates, first);
    }

    fn candidates(&self, head: Head, packet: &Packet, word: &mut u32) -> Candidates {
        let Network { routing, channels, heads, .. } = *self.network;
        let asked = |word: &mut u32| {
            let request = routing.request(head, packet, word);
            request.port.map_or(0, |port| {
                let mask = if heads == Heads::Ports { 1 } else { u64::from(request.channels) };
                mask << (u32::from(port) * channels)
            })
        };
        match heads {
            Heads::Candidates => routing.candidates(head, packet, channels, word),
            Heads::Ports if routing.is_adaptive() => {
                let ports = routing.candidates(head, packet, channels, word);
                let preferred = if ports.preferred != 0 { ports.preferred } else { ports.fallback };
                Candidates { preferred, fallback: 0 }
            }
            Heads::Request | Heads::Ports => Candidates { preferred: asked(word), fallback: 0 },
        }
    }

    /// The number of a place, which is new or was seen before.
    fn place(&mut self, router: u32, input: Option<(u8, u8)>, word: u32, source: u32) -> u32 {
        let (slot, input) = if self.variety.input {
            let channels = self.network.channels;
            let number = input.map_or(0, |(port, channel)| 1 + u32::from(port) * channels + u32::from(channel));
            let inputs = 1 + self.network.grid.ports() as u32 * channels;
            ((router * inputs + number) as usize, input)
        } else {
            (router as usize, None)
        };
        let (class, latest, latest_word) = self.slots[slot];
        let first = if class == self.class.number { latest } else { NO_PLACE };
        if first != NO_PLACE && latest_word == word {
            return first;
        }
        let mut at = first;
        while at != NO_PLACE {
            let place = &self.class.places[at as usize];
            if place.word == word {
                return at;
            }
            at = place.other;
        }
        let new = self.class.places.len() as u32;
        let candidates = Candidates::default();
        self.class.places.push(Place { router, input, word, candidates, source, ways: 0, other: first });
        self.slots[slot] = (self.class.number, new, word);
        new
    }
}
