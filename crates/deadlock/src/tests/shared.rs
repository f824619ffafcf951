//! Heads that are visited together against the same heads one by one.

use super::{Sharing, Verdict, argument, check};
use crate::channels::{Detail, collect};
use crate::{Argument, Budget, Heads, Network, Rules, TooLarge, shared};
use tailback_base::rng::{Purpose, below, draw_u64};
use tailback_engine::contract::routing::{Head, Request, Routing, Sight};
use tailback_engine::packet::Packet;
use tailback_network::Grid;

/// Dimension order, leg by leg: the word is the port, above it the hops that are left. A head goes up by a channel at a dateline.
#[derive(Clone, Debug)]
struct Legs {
    grid: Grid,
    channels: u32,
    /// By dimension, the routers that links from below or above come to over a dateline; beyond the ring: none.
    lines: Vec<u32>,
    /// Whether a turn keeps the channel.
    carry: bool,
    /// Whether the word says so of itself.
    tells: bool,
    sight: Sight,
}

impl Legs {
    fn leg(&self, here: u32, to: u32) -> u32 {
        let (a, b) = (self.grid.coordinates(here), self.grid.coordinates(to));
        let Some(d) = (0..self.grid.dimensions()).find(|&d| a[d] != b[d]) else { return 0 };
        let (up, down) = match self.grid.wrap()[d] {
            true => {
                let k = self.grid.radix()[d];
                ((b[d] + k - a[d]) % k, (a[d] + k - b[d]) % k)
            }
            false => (b[d].wrapping_sub(a[d]), a[d].wrapping_sub(b[d])),
        };
        if up <= down { (up << 5) | (2 * d as u32) } else { (down << 5) | (2 * d as u32 + 1) }
    }

    fn crosses(&self, router: u32, port: u32) -> bool {
        let d = port as usize / 2;
        let to =
            self.grid.coordinates(if port.is_multiple_of(2) { self.grid.peer(router, port as usize) } else { router });
        to[d] == self.lines[d]
    }
}

impl Routing for Legs {
    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }

    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        self.leg(router, packet.router)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let turned = *word >> 5 == 0;
        if turned {
            *word = self.leg(head.router, packet.router);
        }
        if *word == 0 {
            return Request { port: None, channels: 1 };
        }
        let port = *word & 31;
        let before = head.input.filter(|_| self.carry || !turned).map_or(0, |(_, channel)| u32::from(channel));
        let channel = (before + u32::from(self.crosses(head.router, port))).min(self.channels - 1);
        Request { port: Some(port as u8), channels: 1 << channel }
    }

    fn sight(&self) -> Sight {
        self.sight
    }

    fn is_told(&self, word: u32) -> bool {
        self.tells && word >> 5 != 0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word - (1 << 5)
    }
}

/// A small network, mesh and torus mixed, with datelines or without, and how packets share buffers.
fn drawn(seed: u64) -> (Legs, Rules) {
    let draw = |n: u32, of: u64| below(draw_u64(seed, Purpose::Request, n, 0), of) as u32;
    let dimensions = 1 + draw(0, 3);
    let radix: Vec<u32> = (0..dimensions).map(|d| 2 + draw(1 + d, if dimensions == 3 { 3 } else { 8 })).collect();
    let wrap: Vec<bool> = (0..dimensions).map(|d| draw(4 + d, 2) == 0).collect();
    let line = |d: u32| if draw(7, 3) == 0 { u32::MAX } else { draw(8 + d, radix[d as usize].into()) };
    let lines = (0..dimensions).map(line).collect();
    let grid = Grid::new(&radix, &wrap, 1 + draw(11, 2), 1);
    let legs =
        Legs { grid, channels: 1 + draw(12, 3), lines, carry: draw(13, 2) == 0, tells: true, sight: Sight::Nothing };
    let sharing = [Sharing::Whole, Sharing::Owned, Sharing::Shared, Sharing::SharedWhole][draw(14, 4) as usize];
    (legs, Rules { sharing, bubbles: draw(15, 4) == 0 })
}

fn network<'a>(legs: &'a Legs, heads: Heads) -> Network<'a, Legs> {
    Network::new(&legs.grid, legs, legs.channels, heads)
}

/// What each buffer may hold, by what the head may take, in order.
fn holds(network: &Network<Legs>, places: &crate::places::Places) -> Vec<(u32, u32, u64)> {
    let width = network.grid().ports() as u32 * network.channels;
    let of = |hold: &crate::places::Hold| {
        let situation = places.situations[hold.situation as usize];
        hold.buffers(width).map(move |buffer| (buffer, situation.router, situation.preferred)).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = places.holds.iter().flat_map(of).collect();
    all.sort_unstable();
    all
}

#[test]
fn heads_that_are_visited_together_are_found_in_the_same_places() {
    let mut found = [0; 3];
    for seed in 0..250 {
        let (legs, rules) = drawn(seed);
        let alone = Legs { tells: false, ..legs.clone() };
        for heads in [Heads::Request, Heads::Candidates] {
            let (together, alone) = (network(&legs, heads), network(&alone, heads));
            let budget = Budget::from(1 << 24);
            let places = shared::collect(&together, budget).expect("small").expect("words tell");
            let one_by_one = collect(&alone, Detail::Ends, budget).expect("small");
            assert_eq!(holds(&together, &places), holds(&alone, &one_by_one), "{legs:?}");
            assert!(shared::collect(&alone, budget).expect("small").is_none(), "words tell nothing");
            let [verdict, other] = [&together, &alone].map(|network| check(network, rules, 1 << 24).expect("small"));
            assert_eq!(verdict, other, "{rules:?} {legs:?}");
            let kind = match &verdict {
                Verdict::Circle(_) => 0,
                free => 1 + usize::from(argument(free.clone()) == Some(Argument::Bubble)),
            };
            found[kind] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 10), "circles, free, free by bubbles: {found:?}");
}

/// Its heads may ask for something else at the same place, whatever their word says.
#[test]
fn heads_that_look_at_queues_are_visited_one_by_one() {
    let (legs, _) = drawn(0);
    let looking = Legs { sight: Sight::Own, ..legs.clone() };
    let is_together =
        |legs: &Legs| shared::collect(&network(legs, Heads::Request), Budget::from(1 << 24)).expect("small").is_some();
    assert_eq!([&legs, &looking].map(is_together), [true, false]);
}

#[test]
fn what_is_too_large_one_by_one_is_too_large_together() {
    for seed in 0..30 {
        let (legs, rules) = drawn(seed);
        let alone = Legs { tells: false, ..legs.clone() };
        let ends = |legs: &Legs, budget| match check(&network(legs, Heads::Request), rules, budget) {
            Err(TooLarge) => false,
            Ok(_) => true,
        };
        let (mut small, mut large) = (0, 1 << 24);
        while small + 1 < large {
            let budget = (small + large) / 2;
            *(if ends(&alone, budget) { &mut large } else { &mut small }) = budget;
        }
        assert!(ends(&legs, large) && !ends(&legs, small), "{small} is too little for {legs:?}");
    }
}
