//! Adaptive routing in a HyperX: at every router the head takes the hop with the least queue times hops left, of those that its rule
//! allows. Each rule is a file.
//!
//! A hop *aligns* a dimension if it leads to the destination's coordinate; else it is a *deroute*. What a rule allows, and which class
//! of channels it gives, closes no circle.

use super::{Conditions, Listed, Routes, ways};
use crate::Refusal;
use std::sync::Arc;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_network::rows::Rows;
use tailback_spec::{Entry, View};

/// What a head may do.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The output port.
    pub port: u8,
    /// The class of channels.
    pub class: u32,
    /// Hops to the destination by this port, this one included.
    pub left: u32,
    /// What the rule remembers behind the hop, below [`STATES`].
    pub state: u32,
}

/// How much a rule may remember of a packet, beside the hops that it has made.
pub const STATES: u32 = 1 << 11;

/// A rule for hops.
pub trait Rule: Copy + std::fmt::Debug {
    /// Its entry in the catalogue.
    const ENTRY: &'static Entry;

    /// Why it closes no circle.
    const FREE: &'static str;

    /// From a resolved section.
    fn new(view: View) -> Self;

    /// Classes of channels in so many dimensions.
    fn classes(self, dimensions: u32) -> u32;

    /// The most hops of a packet.
    fn most_hops(self, dimensions: u32) -> u32;

    /// All that a head may do that has made some hops, the minimal ones first. It is not at its destination.
    fn moves(self, place: Leg<'_>, hops: u32, state: u32, each: impl FnMut(Move));

    /// Whether a packet can have this state, where it has hops left.
    fn can_be(self, place: Leg<'_>, state: u32) -> bool;
}

/// Where a head is, and where it has to go.
#[derive(Clone, Copy, Debug)]
pub struct Leg<'a> {
    rows: &'a Rows,
    here: u32,
    there: u32,
}

impl Leg<'_> {
    /// Dimensions of the network.
    pub fn dimensions(self) -> u32 {
        self.rows.dimensions() as u32
    }

    /// Dimensions that are not aligned yet.
    pub fn open(self) -> impl Iterator<Item = usize> {
        let differs = move |&d: &usize| self.rows.coordinate(self.here, d) != self.rows.coordinate(self.there, d);
        (0..self.rows.dimensions()).filter(differs)
    }

    /// How many these are: the hops of the shortest way.
    pub fn left(self) -> u32 {
        self.open().count() as u32
    }

    /// Ports that align a dimension.
    pub fn aligning(self, dimension: usize) -> impl Iterator<Item = u8> {
        let ports = self.rows.ports(self.here, dimension, self.rows.coordinate(self.there, dimension));
        ports.map(|port| port as u8)
    }

    /// Ports to other coordinates of a dimension that is not aligned.
    pub fn deroutes(self, dimension: usize) -> impl Iterator<Item = u8> {
        let ends = [self.here, self.there].map(|router| self.rows.coordinate(router, dimension));
        let others = (0..self.rows.side(dimension)).filter(move |coordinate| !ends.contains(coordinate));
        others.flat_map(move |there| self.rows.ports(self.here, dimension, there)).map(|port| port as u8)
    }
}

/// Adaptive routing by a rule.
#[derive(Clone, Debug)]
pub struct InRows<R>(Arc<Tables<R>>);

#[derive(Debug)]
struct Tables<R> {
    rows: Rows,
    rule: R,
    channels: u32,
}

impl<R: Rule> InRows<R> {
    fn place(&self, here: u32, packet: &Packet) -> Leg<'_> {
        Leg { rows: &self.0.rows, here, there: packet.router }
    }

    /// Everything that a head with this word may ask for, with the hops left and the word that it then has.
    fn requests(&self, head: Head, packet: &Packet, word: u32, mut each: impl FnMut(Request, u32, u32)) {
        let place = self.place(head.router, packet);
        if head.router == packet.router {
            return each(Request { port: None, channels: 0 }, 0, word);
        }
        let Tables { rule, channels, .. } = &*self.0;
        let classes = rule.classes(place.dimensions());
        let (hops, state) = (word & HOPS, word >> HOP_BITS & (STATES - 1));
        rule.moves(place, hops, state, |Move { port, class, left, state }| {
            let next = (hops + 1) | state << HOP_BITS;
            let channels = ways::of_class(class, classes, *channels);
            each(Request { port: Some(port), channels }, left, word & NOW | next << NEXT);
        });
    }
}

/// The word: hops made and the state of the rule, and above them the same behind the next hop.
const HOP_BITS: u32 = 5;
const HOPS: u32 = (1 << HOP_BITS) - 1;
const NEXT: u32 = 16;
const NOW: u32 = (1 << NEXT) - 1;

impl<R: Rule> Listed for InRows<R> {
    const ROUTES: Routes = Routes::Detours;

    fn build(_view: View, _grid: &Grid, _channels: u32) -> Result<Self, Refusal> {
        Err(super::only_without_grid(R::ENTRY))
    }

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let name = R::ENTRY.name;
        let Some(rows) = Rows::of(&built.network).filter(|rows| rows.dimensions() > 0) else {
            return Err(Refusal {
                path: "routing.kind",
                message: format!("{name} routing goes by the rows of a HyperX, and this network has none"),
                help: "take routing = \"minimal\" or \"up_down\", or topology.kind = \"hyperx\"".to_owned(),
            });
        };
        let rule = R::new(view);
        let dimensions = rows.dimensions() as u32;
        let (classes, hops) = (rule.classes(dimensions), rule.most_hops(dimensions));
        if channels < classes {
            return Err(Refusal {
                path: "router.virtual_channels",
                message: format!("{name} routing needs {classes} virtual channels here, and there are {channels}"),
                help: format!("set router.virtual_channels to {classes} or more"),
            });
        }
        assert!(hops <= HOPS, "the hops of at most eight dimensions are counted");
        Ok(InRows(Arc::new(Tables { rows, rule, channels })))
    }

    fn freedom_of_any(_view: View, _built: &Built) -> Result<String, String> {
        Ok(R::FREE.to_owned())
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("packets go where queues are short")
    }

    fn deadlock_freedom(_view: View, _grid: &Grid, _when: Conditions) -> Result<String, String> {
        Err(super::WITHOUT_GRID_ONLY.to_owned())
    }
}

impl<R: Rule> Routing for InRows<R> {
    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        packet.hops = self.place(router, packet).left();
        0
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.option(head, packet, word, 0)
    }

    fn sight(&self) -> Sight {
        Sight::Own
    }

    /// The least of (queue + 1) times hops left; the first of several, which is minimal if one of them is.
    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        let mut best: Option<(u32, Request, u32, u32)> = None;
        self.requests(head, packet, *word & NOW, |request, left, word| {
            let queue = request.port.map_or(0, |port| queues.owed_of(port, request.channels) + queues.waiting(port));
            let weight = (queue + 1) * left;
            if best.is_none_or(|(least, ..)| weight < least) {
                best = Some((weight, request, left, word));
            }
        });
        let (_, request, left, decided) = best.expect("there is always the minimal way");
        if request.port.is_some() {
            packet.hops = (*word & HOPS) + left;
        }
        *word = decided;
        request
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        let mut count = 0;
        self.requests(head, packet, word & NOW, |_, _, _| count += 1);
        count
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        let (mut number, mut found) = (0, None);
        self.requests(head, packet, *word & NOW, |request, _, word| {
            if number == option {
                found = Some((request, word));
            }
            number += 1;
        });
        let (request, decided) = found.expect("options are counted");
        *word = decided;
        request
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word >> NEXT
    }

    /// The packet of a word has the hops that the word foresees, or more: its head may have made deroutes further on.
    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        let place = self.place(router, packet);
        let (hops, state) = (word & HOPS, word >> HOP_BITS & (STATES - 1));
        if packet.hops > self.0.rule.most_hops(place.dimensions()) || hops + place.left() > packet.hops {
            return false;
        }
        if word >> NEXT == 0 || place.left() == 0 {
            let known = place.left() == 0 || self.0.rule.can_be(place, state);
            return word >> NEXT == 0 && known;
        }
        let mut found = false;
        if self.0.rule.can_be(place, state) {
            self.requests(Head { router, input: None }, packet, word & NOW, |_, left, decided| {
                found |= decided == word && hops + left <= packet.hops;
            });
        }
        found
    }
}

#[cfg(test)]
mod tests;
