//! Detours: ways by a group or a router that is drawn for each packet, and minimal from there; and the minimal ways beside them.
//!
//! Routings that take detours share this: where a packet is on which way, its ports and its channels. What they decide is their own.

use super::classes::{Assignment, Hop, Plan, Scheme, Shape, Turns};
use super::middles::{Draws, Middles, ties};
use crate::Refusal;
use std::sync::Arc;
use tailback_engine::contract::routing::{Head, Request, Variety};
use tailback_engine::packet::Packet;
use tailback_network::family::{Built, Classes};
use tailback_network::graph::{LinkKind, Network};
use tailback_network::groups::Groups;
use tailback_network::ways::{MOST_PAIRS, Ways, pairs};
use tailback_spec::{Fallback, Kind, Param, View};

/// The parameter `to`.
pub const TO: Param = Param {
    name: "to",
    kind: Kind::Choice(&[
        ("auto", "a group where the network has groups, else a router"),
        (
            "group",
            "a group that is neither the source's nor the destination's: the packet goes on as soon as it is there",
        ),
        (
            "router",
            "a router; where the network has groups, one in a group that is neither the source's nor the destination's",
        ),
        (
            "any_router",
            "a router that is drawn among all: one in the source's group or in the destination's leaves the packet its minimal way",
        ),
    ]),
    unit: "",
    fallback: Fallback::Text("auto"),
    doc: "Where detours lead by, in a network without a grid.",
};

/// The most draws that are weighed for a mean.
const MOST_EVEN_DRAWS: u32 = 1 << 14;

/// The word of a packet: where its detour leads, what it does, and what it has done.
mod word {
    pub const MIDDLE: u32 = (1 << 20) - 1;
    /// 0: nothing is decided.
    pub const STATE: u32 = 3 << 20;
    pub const DETOUR: u32 = 1 << 20;
    pub const ONWARD: u32 = 2 << 20;
    pub const GLOBALS: u32 = 22;
    pub const LOCALS: u32 = 24;
    pub const HOPS: u32 = 26;
    /// The hop that the head asks for is a global one.
    pub const GLOBAL: u32 = 1 << 31;
}

/// Global hops so far, at most 3.
fn globals(word: u32) -> u32 {
    word >> word::GLOBALS & 3
}

/// Local hops so far in this group, at most 3.
fn locals(word: u32) -> u32 {
    word >> word::LOCALS & 3
}

/// All hops so far, at most 31.
fn hops(word: u32) -> u32 {
    word >> word::HOPS & 31
}

/// What a packet could do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The word of a packet that does it.
    pub word: u32,
    /// Its next hop.
    pub port: u8,
    /// The channels of that hop, as a mask.
    pub channels: u16,
    /// The links that are left.
    pub hops: u32,
}

/// Minimal ways and detours of a network.
#[derive(Clone, Debug)]
pub struct Detours(Arc<Tables>);

#[derive(Debug)]
struct Tables {
    network: Network,
    ways: Ways,
    groups: Option<Groups>,
    assignment: Assignment,
    by_router: bool,
    /// Whether minimal ways are led from group to group, for shortest ways of the graph may cross a third group.
    by_groups: bool,
    middles: Middles,
    draws: Draws,
}

impl Detours {
    /// Detours of a network, for a routing of this name.
    ///
    /// # Errors
    /// Where the network has no such detours, or too few channels for them.
    pub fn new(view: View, built: &Built, channels: u32, turns: Turns) -> Result<Detours, Refusal> {
        let network = &built.network;
        if pairs(network) > MOST_PAIRS || network.most_ports() > 256 || network.routers() > word::MIDDLE as usize {
            return Err(Refusal {
                path: "topology",
                message: format!(
                    "{} routing keeps minimal ways in a table, and this network is too large for it",
                    view.kind()
                ),
                help: "take a smaller network".to_owned(),
            });
        }
        if network.links() == 0 {
            return Err(Refusal {
                path: "routing.kind",
                message: format!("{} routing takes detours, and this network has no links", view.kind()),
                help: "take routing = \"minimal\"".to_owned(),
            });
        }
        // Of a network from a file nobody knows what its groups are like.
        let groups = Groups::new(network).filter(|_| built.classes != Classes::ByHop);
        let by_router = by_router(view, groups.is_some())?;
        let ways = Ways::new(built);
        let shape = shape(built, groups.is_some(), &ways);
        if turns == Turns::BehindLocal && shape != Shape::Flat {
            return Err(Refusal {
                path: "routing.kind",
                message: format!(
                    "{} routing turns within a group whose routers are all linked, and this network has none",
                    view.kind()
                ),
                help: "take routing = \"ugal_l\"".to_owned(),
            });
        }
        let plan = Plan { shape, by_router, turns };
        let of_links = [LinkKind::Local, LinkKind::Global].map(|kind| built.channels.of(kind, channels));
        let assignment = Assignment::new(Scheme::of(view.text("classes")), plan, of_links.into());
        if let Some(needed) = assignment.lacks() {
            return Err(too_few(view.kind(), &assignment, needed, channels));
        }
        let middles = Middles::new(network, groups.as_ref());
        let middles = match view.text("to") {
            "any_router" => middles.of_all_groups(),
            _ if by_router => middles,
            _ => middles.of_groups(),
        };
        let draws = Draws::new(&middles, ties(network, &ways, groups.as_ref()));
        let (network, by_groups) = (network.clone(), shape == Shape::Levels);
        Ok(Detours(Arc::new(Tables { network, ways, groups, assignment, by_router, by_groups, middles, draws })))
    }

    /// A packet starts: draws, and takes its hops for those of a minimal way.
    pub fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) {
        packet.choice = match self.0.draws.all {
            0 => draw(),
            all => draw() % all,
        };
        packet.hops = self.minimal(router, packet, 0).hops;
    }

    /// What a head does that goes on minimally, with the word that it has so far.
    pub fn minimal(&self, at: u32, packet: &Packet, word: u32) -> Way {
        self.0.way(at, packet, word & !(word::STATE | word::MIDDLE) | word::ONWARD)
    }

    /// What a head does that takes the detour of draw `number`, of which its packet has as many as are wanted. `None` where no detour is
    /// left, as between two groups that are all there are.
    pub fn detour(&self, at: u32, packet: &Packet, word: u32, number: u32) -> Option<Way> {
        let middle = self.0.middle(packet, number)?;
        Some(self.0.way(at, packet, word & !(word::STATE | word::MIDDLE) | word::DETOUR | middle))
    }

    /// Whether nothing is decided for a head with this word that has somewhere to go.
    pub fn is_open(&self, at: u32, packet: &Packet, word: u32) -> bool {
        word & word::STATE == 0 && at != packet.router
    }

    /// Whether a head has come to the second router of its source's group, on a minimal way to another group.
    pub fn may_turn(&self, at: u32, packet: &Packet, word: u32) -> bool {
        let Some(groups) = &self.0.groups else { return false };
        let minimal = word & word::STATE == word::ONWARD && (globals(word), locals(word)) == (0, 1);
        minimal && groups.of(at) != groups.of(packet.router)
    }

    /// Whether a packet at a router is for another group.
    pub fn goes_far(&self, at: u32, packet: &Packet) -> bool {
        self.0.groups.as_ref().is_some_and(|groups| groups.of(at) != groups.of(packet.router))
    }

    /// Calls `each` with every hop of a way: its router, port and channels.
    pub fn each_hop(&self, mut at: u32, packet: &Packet, mut word: u32, mut each: impl FnMut(u32, u8, u16)) {
        while let Next { port: Some(port), channels, word: asked } = self.0.next(at, packet, word) {
            each(at, port, channels);
            at = self.0.network.peer(at, port.into()).expect("ways follow links").router;
            word = Detours::advance(asked);
        }
    }

    /// Whether the network has groups.
    pub fn has_groups(&self) -> bool {
        self.0.groups.is_some()
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.0.network
    }

    /// What a head asks for, by its word.
    pub fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let next = self.0.next(head.router, packet, *word);
        *word = next.word;
        Request { port: next.port, channels: next.channels }
    }

    /// The word behind the hop that a head asked for.
    pub fn advance(word: u32) -> u32 {
        let made = word & !(word::GLOBAL | 31 << word::HOPS) | (hops(word) + 1).min(31) << word::HOPS;
        if word & word::GLOBAL != 0 {
            return made & !(3 << word::LOCALS | 3 << word::GLOBALS) | (globals(word) + 1).min(3) << word::GLOBALS;
        }
        made & !(3 << word::LOCALS) | (locals(word) + 1).min(3) << word::LOCALS
    }

    /// The hops that a packet with this word has made.
    pub fn made(word: u32) -> u32 {
        hops(word)
    }

    /// The hops that a packet with this word makes from its source on, if nothing more is decided.
    pub fn whole(&self, at: u32, packet: &Packet, word: u32) -> u32 {
        hops(word) + self.0.length(at, packet, word)
    }

    /// The router behind the first hop of a packet at its source, and its word there. `None` if it has nowhere to go, or has set out.
    pub fn behind_first(&self, at: u32, packet: &Packet, word: u32) -> Option<(u32, u32)> {
        let next = self.0.next(at, packet, word);
        let port = next.port.filter(|_| hops(word) == 0)?;
        let ahead = self.0.network.peer(at, port.into()).expect("ways follow links").router;
        Some((ahead, Detours::advance(next.word)))
    }

    /// All draws that matter, for checks, of a routing whose packets draw one detour each.
    pub fn variety(&self) -> Variety {
        Variety { draws: self.0.draws.cover(), ..Variety::default() }
    }

    /// Draws among which every way is as often as among all.
    pub fn even_draws(&self) -> Vec<u32> {
        if self.0.draws.all > MOST_EVEN_DRAWS { Vec::new() } else { (0..self.0.draws.all).collect() }
    }

    /// Whether a word may be that of a packet whose head is at `at`, that has drawn so many detours, and whose whole way has so many hops.
    pub fn fits(&self, at: u32, packet: &Packet, word: u32, draws: u32, whole: u32) -> bool {
        let middle = word & word::MIDDLE;
        let drawn = || (0..draws).any(|number| self.0.middle(packet, number) == Some(middle));
        let decided = match word & word::STATE {
            0 => return word == 0 && at == packet.router,
            word::DETOUR => drawn(),
            word::ONWARD => middle == 0 || drawn(),
            _ => false,
        };
        let next = || self.0.next(at, packet, word).word;
        let asked = || word & word::GLOBAL == 0 || word == next();
        decided && asked() && whole == self.whole(at, packet, word)
    }
}

/// The next hop of a head.
struct Next {
    /// `None`: it has arrived.
    port: Option<u8>,
    channels: u16,
    word: u32,
}

impl Tables {
    /// What a packet does with a word that says where it goes.
    fn way(&self, at: u32, packet: &Packet, word: u32) -> Way {
        let Next { port, channels, word } = self.next(at, packet, word);
        Way { word, port: port.unwrap_or(0), channels, hops: self.length(at, packet, word) }
    }

    /// The links that are left.
    fn length(&self, mut at: u32, packet: &Packet, mut word: u32) -> u32 {
        let mut links = 0;
        while let Next { port: Some(port), word: asked, .. } = self.next(at, packet, word) {
            at = self.network.peer(at, port.into()).expect("ways follow links").router;
            word = Detours::advance(asked);
            links += 1;
        }
        links
    }

    fn next(&self, at: u32, packet: &Packet, mut word: u32) -> Next {
        if word & word::STATE == word::DETOUR && self.is_there(at, word & word::MIDDLE) {
            word = word & !word::STATE | word::ONWARD;
        }
        let detour = word & word::STATE == word::DETOUR;
        if !detour && at == packet.router {
            return Next { port: None, channels: self.assignment.exit(), word };
        }
        let ports = if detour { self.to_middle(at, word & word::MIDDLE) } else { self.towards(at, packet.router) };
        let port = ports[self.draws.digit(packet, hops(word), ports.len())];
        let kind = self.network.link(at, port.into()).expect("ways follow links").kind;
        let last_group = self.groups.as_ref().is_some_and(|groups| groups.of(at) == groups.of(packet.router));
        let hop = Hop { kind, globals: globals(word), locals: locals(word), all: hops(word), detour, last_group };
        let global = if kind == LinkKind::Global { word::GLOBAL } else { 0 };
        Next { port: Some(port), channels: self.assignment.channels(hop), word: word & !word::GLOBAL | global }
    }

    /// Whether a detour by this group or router is over.
    fn is_there(&self, at: u32, middle: u32) -> bool {
        match &self.groups {
            Some(groups) if !self.by_router => groups.of(at) == middle,
            _ => at == middle,
        }
    }

    fn to_middle(&self, at: u32, middle: u32) -> &[u8] {
        match &self.groups {
            Some(groups) if !self.by_router => groups.ports(at, middle),
            _ => self.towards(at, middle),
        }
    }

    /// The ports that lead minimally to a router.
    fn towards(&self, at: u32, to: u32) -> &[u8] {
        match &self.groups {
            Some(groups) if self.by_groups && groups.of(at) != groups.of(to) => groups.ports(at, groups.of(to)),
            _ => self.ways.ports(at, to),
        }
    }

    /// The group or router of a packet's draw of this number.
    fn middle(&self, packet: &Packet, number: u32) -> Option<u32> {
        let place = self.draws.place(packet, number);
        let Some(groups) = &self.groups else { return self.middles.router(0, place) };
        let (from, to) = (groups.of(self.network.router_of(packet.source)), groups.of(packet.router));
        let group = self.middles.group(place, from, to)?;
        if self.by_router { self.middles.router(group, place) } else { Some(group) }
    }
}

/// Whether detours lead by a router.
fn by_router(view: View, has_groups: bool) -> Result<bool, Refusal> {
    match view.text("to") {
        "router" | "any_router" => Ok(true),
        "group" if !has_groups => Err(Refusal {
            path: "routing.to",
            message: "this network has no groups that are all linked to each other".to_owned(),
            help: "set routing.to to \"router\"".to_owned(),
        }),
        "group" => Ok(false),
        _ => Ok(!has_groups),
    }
}

fn shape(built: &Built, has_groups: bool, ways: &Ways) -> Shape {
    match built.classes {
        Classes::ByGlobal if has_groups => Shape::Flat,
        _ if has_groups => Shape::Levels,
        classes => Shape::Any(classes, ways.diameter()),
    }
}

fn too_few(kind: &str, assignment: &Assignment, needed: u32, channels: u32) -> Refusal {
    let why = assignment.why();
    if needed <= channels {
        return Refusal {
            path: "topology",
            message: format!("{kind} routing needs {why}, and the links of one kind have fewer virtual channels"),
            help: "give topology.local_channels and topology.global_channels as many".to_owned(),
        };
    }
    Refusal {
        path: "router.virtual_channels",
        message: format!("{kind} routing needs {needed} virtual channels here, {why}, and there are {channels}"),
        help: format!("set router.virtual_channels to {needed} or more"),
    }
}
