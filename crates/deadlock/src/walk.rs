//! Every place that a head can come to: for each destination all at once, whatever the source, since what lies behind a head
//! does not matter to where it may go.

use crate::effort;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_engine::contract::routing::{Candidates, Head, Routing, Sight, Variety, submasks};
use tailback_engine::packet::Packet;
use tailback_network::{Grid, Network as Wiring};

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
    pub wiring: Wiring,
    /// The routing of the run.
    pub routing: &'a R,
    /// Virtual channels of a link; where heads ask for any of several, at most 64 of all links out of a router.
    pub channels: u32,
    /// What the data path asks the routing.
    pub heads: Heads,
}

impl<'a, R> Network<'a, R> {
    /// The network of this wiring, with `channels` virtual channels at each link.
    pub fn new(wiring: impl Into<Wiring>, routing: &'a R, channels: u32, heads: Heads) -> Self {
        Network { wiring: wiring.into(), routing, channels, heads }
    }

    /// The bit from which on the channels of a port are counted in masks: 0 where a mask holds all channels of a router. Of a wider router a
    /// head asks for one port, and masks begin at that.
    fn first(&self, port: u8) -> u32 {
        if self.is_wide() { u32::from(port) * self.channels } else { 0 }
    }

    /// Whether a mask does not hold all channels of a router.
    fn is_wide(&self) -> bool {
        self.wiring.most_ports() as u32 * self.channels > u64::BITS
    }

    /// The coordinates of its routers, where there is nothing else to tell: for what needs a grid.
    pub(crate) fn grid(&self) -> &Grid {
        self.wiring
            .grid()
            .expect("bubbles, memories and routings whose words tell their way need a grid, and were built on one")
    }

    /// Whether packets start and end at a router.
    pub(crate) fn has_nodes(&self, router: u32) -> bool {
        self.wiring.nodes_at(router) > 0
    }

    /// Some node of a router, and node 0 for a router without nodes.
    fn node(&self, router: u32) -> u32 {
        if self.has_nodes(router) { self.wiring.seats().node(router, 0) } else { 0 }
    }

    /// A packet from a source router to a goal: a destination router and a draw.
    pub(crate) fn packet(&self, source: u32, (router, choice): (u32, u32)) -> Packet {
        let (source, destination) = (self.node(source), self.node(router));
        Packet { source, destination, router, choice, ..Packet::default() }
    }
}

impl<R: Routing> Network<'_, R> {
    /// Whether heads ask for one of several things, by what they see of queues.
    fn decides(&self) -> bool {
        self.heads == Heads::Request || self.routing.sight() != Sight::Nothing
    }

    /// How many different things heads may ask for by what they see of queues, all of which a check has to try.
    pub(crate) fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        if self.decides() { self.routing.options(head, packet, word) } else { 1 }
    }

    /// What a head may take that decides on an option, from some bit on, and the word that it has from then on.
    pub(crate) fn candidates(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Asked {
        let Network { routing, channels, heads, .. } = *self;
        let all = |candidates: Candidates| Asked { first: 0, candidates };
        let asked = |word: &mut u32| {
            let request = routing.option(head, packet, word, option);
            request.port.map_or(Asked::default(), |port| {
                let mask = if heads == Heads::Ports { 1 } else { u64::from(request.channels) };
                let first = self.first(port);
                let preferred = mask << (u32::from(port) * channels - first);
                Asked { first, candidates: Candidates { preferred, fallback: 0 } }
            })
        };
        match heads {
            Heads::Candidates if !self.decides() && !self.is_wide() => {
                all(routing.candidates(head, packet, channels, word))
            }
            Heads::Ports if routing.is_adaptive() => {
                let ports = routing.candidates(head, packet, channels, word);
                let preferred = if ports.preferred != 0 { ports.preferred } else { ports.fallback };
                all(Candidates { preferred, fallback: 0 })
            }
            _ => asked(word),
        }
    }

    /// The ways of a head at a router, one per port and class of inputs behind it.
    pub(crate) fn ways(&self, classes: &Classes, router: u32, asked: Asked) -> impl Iterator<Item = Way> {
        let mut rest = asked.candidates.all();
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| (asked.first + rest.trailing_zeros()) as usize)?;
            let bits = rest & classes.alike[bit];
            rest &= !bits;
            let output = port_and_channel(asked.first, bits, self.channels);
            let ahead = self.wiring.ahead(router, usize::from(output.0));
            let ahead = ahead.expect("routing does not lead over the edge of the network");
            let input = (ahead.port as u8, output.1);
            let first = self.first(input.0);
            let of_link = bits >> (u32::from(output.0) * self.channels - asked.first);
            let entries = of_link << (ahead.port * self.channels - first);
            let class = classes.class[(first + entries.trailing_zeros()) as usize];
            Some(Way { bits, entries, first, port: output.0, router: ahead.router, input, class })
        })
    }
}

/// What a head may take: channels of a router, as masks that count from bit `first` of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub first: u32,
    pub candidates: Candidates,
}

/// From a router over a link.
pub(crate) struct Way {
    /// The channels, as bits of the router, counted as those of the candidates.
    pub bits: u64,
    /// The inputs there, as bits of that router from bit `first` on.
    pub entries: u64,
    pub first: u32,
    /// Their output port.
    pub port: u8,
    /// The router behind it.
    pub router: u32,
    /// One of the inputs there.
    pub input: (u8, u8),
    /// Their class.
    pub class: u8,
}

/// How far a check may go.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// Places, and ways between them, that it may visit.
    pub places: u64,
    /// Set by whoever wants no answer any more.
    pub cancel: Option<&'a AtomicBool>,
}

impl Budget<'_> {
    pub(crate) fn is_cancelled(self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    /// Whether a [`walk`] of goals with so many places and ways each is not [`TooLarge`].
    pub(crate) fn allows(self, visited: &[u64]) -> bool {
        visited.chunks(in_part(visited.len())).all(|part| {
            let mut sums = part.iter().scan(0, |sum, &of_goal| {
                *sum += of_goal;
                Some(*sum)
            });
            let mut done = 0;
            part.chunks(GOALS).all(|goals| {
                done += goals.len();
                let visited = sums.nth(goals.len() - 1).expect("as many as there are goals");
                self.of_part().is_left(visited, done, part.len())
            })
        })
    }

    fn of_part(self) -> Self {
        Budget { places: self.places / PARTS as u64, ..self }
    }

    /// Whether a part may go on that has visited so many places and ways for `done` of `all` its goals.
    fn is_left(self, visited: u64, done: usize, all: usize) -> bool {
        let foreseen = visited / done as u64 * all as u64;
        visited.max(foreseen) <= self.places
    }
}

impl From<u64> for Budget<'_> {
    fn from(places: u64) -> Self {
        Budget { places, cancel: None }
    }
}

/// A check would visit more places, and ways between them, than it was allowed; or nobody wants its answer any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// A place of a head: a router, a class of inputs there, and what goes with the head.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The router.
    pub router: u32,
    /// Which of the walk's goals its packets have.
    pub goal: u32,
    word: u32,
    memory: u32,
    /// The next place at the same router with the same goal.
    other: u32,
    /// Where in the ways of all places its own begin.
    ways: u32,
    /// A router from which a packet comes here, and what else goes with that packet.
    pub source: u32,
    choice: u32,
    index: u8,
    /// What it decides by queues, of several options.
    option: u32,
    /// The class of inputs.
    pub class: u8,
    /// Whether packets start here.
    pub starts: bool,
    /// The inputs by which heads come here, as bits counted from bit `first`; none where packets only start here. Where masks begin at
    /// a port, those of one port stand for all.
    pub inputs: u64,
    first: u32,
    /// What it may take: bit `port * channels + channel`. Nothing: it has arrived.
    pub asked: Asked,
}

impl Place {
    /// Heads come here by a way.
    fn comes_by(&mut self, way: &Way) {
        if self.inputs == 0 {
            self.first = way.first;
        }
        if self.first == way.first {
            self.inputs |= way.entries;
        }
    }
}

/// All places of the packets with some goals.
#[derive(Debug, Default)]
pub struct Walk {
    /// Destination routers, each with a draw.
    goals: Vec<(u32, u32)>,
    /// The places; the first ones are where packets start, by router, then goal.
    pub places: Vec<Place>,
    ways: Vec<(u64, u32)>,
}

impl Walk {
    /// Where heads go from place `at`: the bits that they may take, and the place where these lead.
    pub fn ways(&self, at: usize) -> &[(u64, u32)] {
        let end = self.places.get(at + 1).map_or(self.ways.len(), |next| next.ways as usize);
        &self.ways[self.places[at].ways as usize..end]
    }

    /// The destination router of a place's packets.
    pub fn destination(&self, place: &Place) -> u32 {
        self.goals[place.goal as usize].0
    }
}

/// Inputs that serve heads alike.
#[derive(Debug)]
pub struct Classes {
    /// By bit `port * channels + channel`.
    class: Vec<u8>,
    /// By bit: all bits of its port that are of its class, as masks count them.
    alike: Vec<u64>,
    count: usize,
}

impl Classes {
    /// Those of a network. Injection queues are of class 0.
    pub fn new<R: Routing>(network: &Network<R>) -> Self {
        let mut names = vec![network.routing.input_class(None)];
        let bits = 0..network.wiring.most_ports() as u32 * network.channels;
        let mut class = Vec::new();
        for bit in bits.clone() {
            let input = ((bit / network.channels) as u8, (bit % network.channels) as u8);
            let name = network.routing.input_class(Some(input));
            let known = names.iter().position(|&other| other == name);
            class.push(known.unwrap_or(names.len()) as u8);
            if known.is_none() {
                names.push(name);
            }
        }
        let of_port = |a: u32, b: u32| a / network.channels == b / network.channels;
        let same = |a: u32, b: u32| of_port(a, b) && class[a as usize] == class[b as usize];
        let first = |bit: u32| network.first((bit / network.channels) as u8);
        let alike = |a: u32| bits.clone().filter(|&b| same(a, b)).fold(0, |mask, b| mask | 1 << (b - first(b)));
        Classes { alike: bits.clone().map(alike).collect(), count: names.len(), class }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Goals that are walked at once. PERF: what is kept by router is looked at for all of them one after the other, and their
/// places still fit a cache.
const GOALS: usize = 16;

/// The word of packets that a router without nodes would start. No routing gives it.
const NO_WORD: u32 = u32::MAX;

struct Walker<'a, 'n, R> {
    network: &'a Network<'n, R>,
    variety: Variety,
    classes: &'a Classes,
    walk: Walk,
}

/// Parts that the goals are walked in, by as many threads; always as many, so that what is found does not depend on the
/// machine.
const PARTS: usize = 4;

/// Walks the places of the packets with every goal, a few goals at a time, and shows each walk to a collector: there is one
/// for each of a few parts of the goals, returned in their order.
///
/// # Errors
/// [`TooLarge`] where there would be more than the budget's places and ways out of them, which is foreseen after a few goals;
/// and soon after the budget was cancelled.
pub fn walk<R: Routing + Sync, C: Send>(
    network: &Network<R>,
    budget: Budget,
    collector: impl Fn() -> C + Sync,
    each: impl Fn(&mut C, &Walk) -> Result<(), TooLarge> + Sync,
) -> Result<Vec<C>, TooLarge> {
    let ends: Vec<u32> = (0..network.wiring.routers() as u32).filter(|&router| network.has_nodes(router)).collect();
    let draws = network.routing.variety().draws;
    let goals = ends.len() as u64 * draws.len() as u64;
    // Draws that cannot be told apart are too many.
    if draws.is_empty() || goals * network.wiring.routers() as u64 > budget.places {
        return Err(TooLarge);
    }
    let all: Vec<(u32, u32)> = draws.iter().flat_map(|&draw| ends.iter().map(move |&to| (to, draw))).collect();
    let part = |goals: &[(u32, u32)]| {
        let mut collector = collector();
        walk_part(network, goals, budget.of_part(), |walk| each(&mut collector, walk)).map(|()| collector)
    };
    in_parts(&all, part).into_iter().collect()
}

/// Goals of a part, of so many.
fn in_part(goals: usize) -> usize {
    goals.div_ceil(PARTS).max(1)
}

/// Does something with each part of all goals, in threads of their own; what came of it, in their order.
pub(crate) fn in_parts<G: Sync, T: Send>(all: &[G], part: impl Fn(&[G]) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let parts: Vec<_> = all.chunks(in_part(all.len())).map(|goals| scope.spawn(|| part(goals))).collect();
        parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

fn walk_part<R: Routing>(
    network: &Network<R>,
    all: &[(u32, u32)],
    budget: Budget,
    mut each: impl FnMut(&Walk) -> Result<(), TooLarge>,
) -> Result<(), TooLarge> {
    let classes = &Classes::new(network);
    let mut walker = Walker { network, variety: network.routing.variety(), classes, walk: Walk::default() };
    let (mut visited, mut done) = (0, 0);
    for goals in all.chunks(GOALS) {
        walker.visit(goals);
        each(&walker.walk)?;
        let looked_at = walker.walk.places.len() + walker.walk.ways.len();
        effort::add(looked_at);
        visited += looked_at as u64;
        done += goals.len();
        if !budget.is_left(visited, done, all.len()) || budget.is_cancelled() {
            return Err(TooLarge);
        }
    }
    Ok(())
}

impl<R: Routing> Walker<'_, '_, R> {
    fn visit(&mut self, goals: &[(u32, u32)]) {
        let routers = self.network.wiring.routers() as u32;
        self.walk.goals.clear();
        self.walk.goals.extend_from_slice(goals);
        self.walk.places.clear();
        self.walk.ways.clear();
        for source in 0..routers {
            (0..goals.len() as u32).for_each(|goal| self.start_or_not(source, goal));
        }
        let choices =
            self.variety.coins != 0 || self.variety.indices > 1 || self.network.routing.sight() != Sight::Nothing;
        for source in (0..routers).filter(|&router| choices && self.network.has_nodes(router)) {
            (0..goals.len() as u32).for_each(|goal| self.start_otherwise(source, goal));
        }
        let mut next = 0;
        while next < self.walk.places.len() {
            self.look(next);
            next += 1;
        }
    }

    /// Packets start from a source, unless it has no nodes.
    fn start_or_not(&mut self, source: u32, goal: u32) {
        if self.network.has_nodes(source) {
            return self.start(source, goal, 0, 0, |_| 0..1);
        }
        let packet = self.packet(source, goal);
        self.place((Head { router: source, input: None }, 0), goal, (NO_WORD, 0), &packet);
    }

    /// Packets start from a source, with some coins and a number, and decide on some of all options.
    fn start(&mut self, source: u32, goal: u32, coins: u32, index: u64, some: impl Fn(u32) -> Range<u32>) {
        let mut packet = Packet { index, ..self.packet(source, goal) };
        let draw = packet.choice | coins;
        let word = self.network.routing.start(source, &mut packet, || draw);
        let head = Head { router: source, input: None };
        for option in some(self.network.options(head, &packet, word)) {
            let at = self.place((head, 0), goal, (word, option), &packet);
            self.walk.places[at as usize].starts |= source != packet.router;
        }
    }

    /// And with all others that make a difference.
    fn start_otherwise(&mut self, source: u32, goal: u32) {
        let packet = self.packet(source, goal);
        let coins = self.network.routing.coins(source, &packet);
        for coins in submasks(coins).filter(|_| packet.router != source) {
            (0..self.variety.indices).for_each(|index| self.start(source, goal, coins, index, |all| 0..all));
        }
    }

    fn packet(&self, source: u32, goal: u32) -> Packet {
        self.network.packet(source, self.walk.goals[goal as usize])
    }

    /// What the head may take at a place, and where that leads.
    fn look(&mut self, at: usize) {
        let network = self.network;
        let Place { router, goal, inputs, first, mut word, source, choice, index, option, .. } = self.walk.places[at];
        if word == NO_WORD {
            self.walk.places[at].ways = self.walk.ways.len() as u32;
            return;
        }
        let packet = Packet { choice, index: index.into(), ..self.packet(source, goal) };
        let input = (inputs != 0).then(|| port_and_channel(first, inputs, network.channels));
        let asked = network.candidates(Head { router, input }, &packet, &mut word, option);
        self.walk.places[at].asked = asked;
        self.walk.places[at].ways = self.walk.ways.len() as u32;
        let classes = self.classes;
        for way in network.ways(classes, router, asked) {
            let head = Head { router: way.router, input: Some(way.input) };
            let word = network.routing.advance(way.port, word);
            for option in 0..network.options(head, &packet, word) {
                let to = self.place((head, way.class), goal, (word, option), &packet);
                self.walk.places[to as usize].comes_by(&way);
                self.walk.ways.push((way.bits, to));
            }
        }
    }

    /// The number of a place, which is new or was seen before.
    fn place(&mut self, (head, class): (Head, u8), goal: u32, (word, option): (u32, u32), packet: &Packet) -> u32 {
        let (router, memory) = (head.router, self.network.routing.memory(head, packet));
        let new = self.walk.places.len() as u32;
        let mut at = router * self.walk.goals.len() as u32 + goal;
        let mut last = None;
        while at < new {
            let place = &self.walk.places[at as usize];
            if (place.word, place.memory, place.class, place.option) == (word, memory, class, option) {
                return at;
            }
            last = Some(at);
            at = place.other;
        }
        if let Some(last) = last {
            self.walk.places[last as usize].other = new;
        }
        let source = if word == NO_WORD { router } else { self.network.wiring.router_of(packet.source) };
        let (choice, index) = (packet.choice, packet.index as u8);
        let (other, ways, starts, inputs, first, asked) = (u32::MAX, 0, false, 0, 0, Asked::default());
        self.walk.places.push(Place {
            router,
            goal,
            word,
            memory,
            other,
            ways,
            source,
            choice,
            index,
            option,
            class,
            starts,
            inputs,
            first,
            asked,
        });
        new
    }
}

/// The lowest of some bits, counted from bit `first`.
pub fn port_and_channel(first: u32, bits: u64, channels: u32) -> (u8, u8) {
    let bit = first + bits.trailing_zeros();
    ((bit / channels) as u8, (bit % channels) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::contract::routing::Request;
    use tailback_network::graph::{Builder, LinkKind, Port, Seats, Wire};

    /// Heads are told apart by the port that they came in by.
    struct ByInput;

    impl Routing for ByInput {
        fn start(&self, _router: u32, _packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
            0
        }

        fn request(&self, _head: Head, _packet: &Packet, _word: &mut u32) -> Request {
            Request { port: None, channels: 0 }
        }

        fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
            input.map_or(0, |(port, _)| 1 + u32::from(port))
        }

        fn advance(&self, _port: u8, word: u32) -> u32 {
            word
        }

        fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
            true
        }
    }

    #[test]
    fn a_head_has_the_class_of_the_input_at_which_its_link_ends() {
        let mut builder = Builder::new(&[1, 3], Seats::even(2, 1)).expect("it is small");
        let (here, there) = (Port { router: 0, port: 0 }, Port { router: 1, port: 2 });
        builder.join(here, there, Wire::new(1, LinkKind::Any)).expect("free ports");
        let network = Network::new(builder.finish().expect("it is connected"), &ByInput, 2, Heads::Candidates);
        let classes = Classes::new(&network);
        let asked = Asked { first: 0, candidates: Candidates { preferred: 0b11, fallback: 0 } };
        let ways: Vec<Way> = network.ways(&classes, 0, asked).collect();
        let [way] = ways.as_slice() else { panic!("two channels of one link") };
        // Channels 0 and 1 of port 2 are bits 4 and 5.
        assert_eq!((way.port, way.router, way.input, way.entries), (0, 1, (2, 0), 0b11 << 4));
        assert_eq!(way.class, classes.class[4]);
        assert_ne!(way.class, classes.class[0]);
    }

    /// Along a line of routers, port 0 up and port 1 down, whatever is drawn. Heads are told apart by the port that they came in by.
    struct Along {
        draws: u32,
    }

    const ONE: Along = Along { draws: 1 };

    impl Routing for Along {
        fn start(&self, _router: u32, _packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
            0
        }

        fn request(&self, head: Head, packet: &Packet, _word: &mut u32) -> Request {
            let port = (head.router != packet.router).then(|| u8::from(packet.router < head.router));
            Request { port, channels: 1 }
        }

        fn variety(&self) -> Variety {
            Variety { draws: (0..self.draws).collect(), ..Variety::default() }
        }

        fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
            ByInput.input_class(input)
        }

        fn advance(&self, _port: u8, word: u32) -> u32 {
            word
        }

        fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
            true
        }
    }

    fn line(routers: u32) -> Grid {
        Grid::new(&[routers], &[false], 1, 1)
    }

    #[test]
    fn a_packet_that_comes_from_elsewhere_has_its_source_there() {
        let network = Network::new(line(4), &ONE, 1, Heads::Request);
        let sources = |found: &mut Vec<(u32, u32)>, walk: &Walk| {
            found
                .extend(walk.places.iter().filter(|place| place.inputs != 0).map(|place| (place.router, place.source)));
            Ok(())
        };
        let found = walk(&network, Budget::from(1 << 10), Vec::new, sources).expect("small").concat();
        assert!(!found.is_empty() && found.iter().all(|(router, source)| router != source), "{found:?}");
    }

    /// Nothing is prepared for a walk that would take too long, and its parts may visit as much as the whole and no more.
    #[test]
    fn a_budget_is_that_of_all_parts_together() {
        const ROUTERS: u32 = 8;
        let started = std::sync::atomic::AtomicU64::new(0);
        let visited = |routing: &Along, places: u64| {
            let start = || {
                started.fetch_add(1, Ordering::Relaxed);
                0
            };
            let count = |sum: &mut u64, walk: &Walk| {
                *sum += (walk.places.len() + walk.ways.len()) as u64;
                Ok(())
            };
            let network = Network::new(line(ROUTERS), routing, 1, Heads::Request);
            let found = walk(&network, Budget::from(places), start, count).map(|parts| parts.iter().sum::<u64>());
            (found, started.swap(0, Ordering::Relaxed))
        };
        for draws in [1, 2] {
            let (routing, least) = (Along { draws }, u64::from(draws * ROUTERS * ROUTERS));
            assert_eq!(visited(&routing, least - 1), (Err(TooLarge), 0));
            assert_eq!(visited(&routing, least), (Err(TooLarge), PARTS as u64));
        }
        let all = visited(&ONE, 1 << 10).0.expect("small");
        assert!(visited(&ONE, all - PARTS as u64).0.is_err(), "{all} places and ways");
    }
}
