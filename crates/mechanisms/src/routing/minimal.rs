//! Minimal routing where there is no grid: the ways of the network's own family, any of several as often.
//!
//! Paper:    none; Dally and Towles, section 9.1.1. For dragonflies Kim et al., ISCA 2008: local, global, local.
//! Acts:     once at the source, which draws; once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination router.
//! State:    none.
//!
//! The virtual channels of a link are divided into classes in the order in which packets go through them, as the family
//! says (`tailback_network::family::Classes`), so that no packets wait for each other in a circle.

use super::draws::Draws;
use super::{Conditions, Listed, ways};
use crate::Refusal;
use std::path::Path;
use std::sync::Arc;
use tailback_engine::contract::routing::{Head, Request, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::{self, Built, Classes};
use tailback_network::graph::LinkKind;
use tailback_network::measure::measure;
use tailback_network::topology;
use tailback_network::ways::{MOST_PAIRS, Ways, pairs};
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// Minimal routing without a grid.
pub const ENTRY: Entry = Entry {
    name: "minimal",
    summary: "the minimal ways of a network without a grid, as its family has them; of several any, as often",
    paper: "",
    ideal: false,
    params: &[Param {
        name: "classes",
        kind: Kind::Choice(&[
            ("family", "as the family says, dividing the channels of a link"),
            (
                "booksim",
                "as min_dragonflynew of BookSim 2: channel 0 before the global link, and channel 1 from it on, to the node too; no other channels",
            ),
        ]),
        unit: "",
        fallback: Fallback::Text("family"),
        doc: "How virtual channels are assigned to hops where there are groups.",
    }],
};

/// Minimal ways with their channels.
#[derive(Clone, Debug)]
pub struct Minimal(Arc<Tables>);

#[derive(Debug)]
struct Tables {
    ways: Ways,
    classes: Classes,
    /// How many classes a link has that is divided.
    count: u32,
    /// Channels of a local link, or of any without groups, and of a global link.
    channels: (u32, u32),
    /// Whether the link of a port is global, by `router * ports + port`; empty unless channels go by that.
    global: Vec<bool>,
    ports: usize,
    draws: Draws,
    /// Whether a class is one channel, and a global link begins the next one: BookSim's assignment.
    one_each: bool,
    /// By router, the port by which packets for nodes of their own router leave it, where they go round; empty where they do not.
    round: Vec<u8>,
}

impl Tables {
    /// The port of a packet that has this draw.
    #[inline]
    fn port(&self, at: u32, packet: &Packet) -> u8 {
        self.ways.port(at, packet.router, |left| self.draws.digit(packet.choice, left))
    }

    /// Whether a link is global, where that makes a difference.
    #[inline]
    fn is_global(&self, router: u32, port: u8) -> bool {
        !self.global.is_empty() && self.global[router as usize * self.ports + usize::from(port)]
    }

    /// Channels of a class.
    #[inline]
    fn of_class(&self, class: u32) -> u16 {
        ways::of_class(class, self.count, self.channels.0)
    }
}

/// The classes that a network's minimal ways need, the longest of which has so many links.
fn needed(classes: Classes, longest: impl FnOnce() -> Option<u32>) -> Option<u32> {
    match classes {
        Classes::One => Some(1),
        Classes::ByGlobal => Some(2),
        Classes::ByHop => Some(longest()?.max(1)),
    }
}

/// Links of the longest minimal way of a network whose ways a table holds.
fn longest(built: &Built) -> Option<u32> {
    (pairs(&built.network) <= MOST_PAIRS).then(|| measure(built).diameter)?
}

/// Whether the links of a network are the same whatever group they lead to.
fn has_no_groups(spec: &Resolved, _own: View) -> bool {
    spec.view("topology").kind() != "dragonfly"
}

/// The ports of packets that go round.
fn round(built: &Built) -> Vec<u8> {
    let family::Minimal::Rule(rule) = &built.minimal else { return Vec::new() };
    let port = |router: u32| rule.round(router).map(|port| port as u8);
    (0..built.network.routers() as u32).map_while(port).collect()
}

impl Listed for Minimal {
    const IDLE: &'static [Idle] = &[Idle {
        keys: &["classes"],
        when: &[When::Where("the network is no dragonfly", has_no_groups)],
        because: "its minimal ways have the classes of its family",
    }];

    fn build(_view: View, _grid: &Grid, _channels: u32) -> Result<Self, Refusal> {
        Err(Refusal {
            path: "routing.kind",
            message: "minimal routing is for networks without a grid, where it takes the ways of their family"
                .to_owned(),
            help: "take routing = \"dimension_order\", which is minimal on a grid".to_owned(),
        })
    }

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let network = &built.network;
        let (pairs, ports) = (pairs(network), network.most_ports());
        if pairs > MOST_PAIRS || ports > 256 {
            return Err(super::too_many_pairs("minimal ways", pairs));
        }
        let ways = Ways::new(built);
        let count = needed(built.classes, || Some(ways.diameter())).expect("the ways are there");
        let of_links = [LinkKind::Local, LinkKind::Global].map(|kind| built.channels.of(kind, channels));
        if channels >= count && of_links[0] < count {
            return Err(Refusal {
                path: "topology.local_channels",
                message: format!(
                    "minimal routing needs {count} virtual channels of a local link here, one before the global link and one behind it, and \
                     it has {}",
                    of_links[0]
                ),
                help: format!("set topology.local_channels to {count} or more"),
            });
        }
        if channels < count {
            let why = match built.classes {
                Classes::ByHop => "one for each link of the longest way",
                _ => "one before the global link and one behind it",
            };
            return Err(Refusal {
                path: "router.virtual_channels",
                message: format!(
                    "minimal routing needs {count} virtual channels here, {why}, and there are {channels}"
                ),
                help: format!("set router.virtual_channels to {count} or more"),
            });
        }
        let mut global = Vec::new();
        if built.classes == Classes::ByGlobal || of_links[0] != of_links[1] {
            global.resize(network.routers() * ports, false);
            for router in 0..network.routers() as u32 {
                for (port, link) in network.links_of(router) {
                    global[router as usize * ports + port] = link.kind == LinkKind::Global;
                }
            }
        }
        let draws = Draws::of(&[&ways], network.routers() as u32);
        Ok(Minimal(Arc::new(Tables {
            ways,
            classes: built.classes,
            count,
            channels: of_links.into(),
            global,
            ports,
            draws,
            round: round(built),
            one_each: view.text("classes") == "booksim" && built.classes == Classes::ByGlobal,
        })))
    }

    fn channels_needed(_view: View, topology: View) -> Option<u32> {
        // A file whose folder is not known yet may be another one.
        let nowhere = topology.has("path") && Path::new(topology.text("path")).is_relative();
        if topology::has_grid(topology) || nowhere {
            return None;
        }
        let built = family::build(topology).ok()?;
        needed(built.classes, || longest(&built))
    }

    fn freedom_of_any(_view: View, built: &Built) -> Result<String, String> {
        Ok(match built.classes {
            Classes::One => "packets take the links of their ways in one order",
            Classes::ByGlobal => "packets change the class of local channels with their global link",
            Classes::ByHop => "packets take a higher class of channels with every link",
        }
        .to_owned())
    }

    fn freedom_of_any_ports(view: View, built: &Built) -> Result<String, String> {
        match built.classes {
            Classes::One => Self::freedom_of_any(view, built),
            _ => Err("minimal ways need classes of virtual channels here, and this router has no virtual channels"
                .to_owned()),
        }
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("packets take any of the minimal ways")
    }

    fn deadlock_freedom(_view: View, _grid: &Grid, _when: Conditions) -> Result<String, String> {
        Err(super::WITHOUT_GRID_ONLY.to_owned())
    }
}

/// The word: the class of the head's next hop, and above it that of the hop after.
const CLASS: u32 = 0xff;
const NEXT: u32 = 8;

impl Routing for Minimal {
    #[inline]
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        let tables = &*self.0;
        packet.hops = match router == packet.router && !tables.round.is_empty() {
            true => tables.ways.diameter(),
            false => tables.ways.distance(router, packet.router),
        };
        packet.choice = self.0.draws.take(draw);
        0
    }

    // A call: the loop of a grid shall not be longer for it.
    #[inline(never)]
    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let tables = &*self.0;
        let port = match head.router == packet.router {
            true if tables.round.is_empty() || head.input.is_some() => {
                let channels = if tables.one_each { 1 << (*word & CLASS) } else { 0 };
                return Request { port: None, channels };
            }
            true => tables.round[head.router as usize],
            false => tables.port(head.router, packet),
        };
        let class = *word & CLASS;
        let (channels, next) = match tables.classes {
            _ if tables.one_each => {
                let class = class + u32::from(tables.is_global(head.router, port));
                (1 << class, class)
            }
            Classes::ByHop => (tables.of_class(class), class + 1),
            _ if tables.is_global(head.router, port) => {
                (ways::all(tables.channels.1), class + u32::from(tables.classes == Classes::ByGlobal))
            }
            Classes::ByGlobal => (tables.of_class(class), class),
            Classes::One => (ways::all(tables.channels.0), class),
        };
        *word = class | next << NEXT;
        Request { port: Some(port), channels }
    }

    fn variety(&self) -> Variety {
        Variety { draws: self.0.draws.all(), ..Variety::default() }
    }

    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        u32::from(!self.0.round.is_empty() && input.is_some())
    }

    #[inline]
    fn advance(&self, _port: u8, word: u32) -> u32 {
        word >> NEXT
    }

    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        let (class, next) = (word & CLASS, word >> NEXT);
        let left = self.0.ways.distance(router, packet.router);
        let low = match self.0.classes {
            Classes::One => class == 0,
            Classes::ByGlobal => class < 2,
            Classes::ByHop => class + left <= self.0.count,
        };
        low && (next == 0 || (class..=class + 1).contains(&next))
    }
}
