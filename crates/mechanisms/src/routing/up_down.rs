//! Up*/down*: packets go up as far as they must, then down, on one class of channels.
//!
//! Paper:    Schroeder et al., 1991 (Autonet) for any network; Leiserson 1985 for trees. D-mod-k: Zahavi 2012. ECMP: RFC 2992.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination, whether it has gone down, and by `up` its flow, its number, a draw, or what the own router owes.
//! State:    none.
//! Differs from the papers: of the ways that go up, then down, only the shortest are taken.

use super::draws::Draws;
use super::{Conditions, Listed, ways};
use crate::Refusal;
use std::sync::Arc;
use tailback_base::rng::{self, Purpose};
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_network::graph::Network;
use tailback_network::up_down::{Directions, NO_WAY, Phase, UpDown as Ways};
use tailback_network::ways::{MOST_PAIRS, pairs};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Up*/down*.
pub static ENTRY: Entry = Entry {
    name: "up_down",
    summary: "up*/down*: the shortest ways that go up, then down, in a tree or below the root of any other network",
    paper: "Schroeder et al., 1991",
    ideal: false,
    params: &[
        Param {
            name: "up",
            kind: Kind::Choice(&[
                ("random", "any of them, drawn for each packet"),
                (
                    "d_mod_k",
                    "by the digits of the destination's number: all packets for a node come down one way; trees only",
                ),
                ("ecmp", "by a hash of source and destination: all packets of a flow take one way"),
                ("spray", "the packets of a source take them in turn"),
                ("adaptive", "at every router the one whose channels owe least, as the router sees it"),
            ]),
            unit: "",
            fallback: Fallback::Text("random"),
            doc: "Which way a packet takes of several that are equally long. In a tree these differ in their ports up.",
        },
        Param {
            name: "root",
            kind: Kind::IntegerOrAuto { min: 0, max: 1 << 24 },
            unit: "",
            fallback: Fallback::Text("auto"),
            doc: "The router at the top: levels are distances from it, and lower numbers are higher within a level. \"auto\": in a tree the \
                tree's own levels, elsewhere the router with the least mean distance to all others.",
        },
    ],
};

/// Which of several ways a packet takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Up {
    Random,
    DModK,
    Ecmp,
    Spray,
    Adaptive,
}

/// Up*/down* routing.
#[derive(Clone, Debug)]
pub struct UpDown(Arc<Tables>);

#[derive(Debug)]
struct Tables {
    ways: Ways,
    up: Up,
    draws: Draws,
    /// By router, what a destination's number is divided by; empty but for `d_mod_k`.
    divisor: Vec<u32>,
    /// Whether the link of a port leads down, by `router * ports + port`.
    down: Vec<bool>,
    ports: usize,
    channels: u32,
}

impl Tables {
    fn new(view: View, network: &Network, up: Up, channels: u32) -> Result<Tables, Refusal> {
        let ways = Ways::new(network, root(view, network)?);
        let (routers, ports) = (network.routers() as u32, network.most_ports());
        let mut down = vec![false; routers as usize * ports];
        for router in 0..routers {
            for (port, link) in network.links_of(router) {
                down[router as usize * ports + port] = !ways.directions.is_up(router, link.to.router);
            }
        }
        let divisor = if up == Up::DModK { divisors(network, &ways.directions)? } else { Vec::new() };
        let draws = Draws::of(&[&ways.free, &ways.down], routers);
        Ok(Tables { ways, up, draws, divisor, down, ports, channels })
    }

    /// The port of a packet in a phase.
    #[inline]
    fn port(&self, at: u32, packet: &Packet, phase: Phase) -> u8 {
        let ways = self.ways.ways(phase);
        ways.port(at, packet.router, |left| match self.up {
            Up::Random | Up::Ecmp | Up::Spray => self.draws.digit(packet.choice, left),
            Up::DModK => packet.destination / self.divisor[at as usize],
            Up::Adaptive => 0,
        })
    }
}

impl Tables {
    /// All ports that a head may take.
    fn options(&self, head: Head, packet: &Packet, word: u32) -> &[u8] {
        self.ways.ways(phase(word)).ports(head.router, packet.router)
    }

    /// A head takes a port.
    #[inline]
    fn ask(&self, port: u8, head: Head, word: &mut u32) -> Request {
        let goes_down = self.down[head.router as usize * self.ports + usize::from(port)];
        *word = *word & DOWN | u32::from(goes_down) << NEXT;
        Request { port: Some(port), channels: ways::all(self.channels) }
    }
}

fn root(view: View, network: &Network) -> Result<Option<u32>, Refusal> {
    let root = view.finite("root");
    match root.filter(|&root| root >= network.routers() as u64) {
        None => Ok(root.map(|root| root as u32)),
        Some(root) => Err(Refusal {
            path: "routing.root",
            message: format!("router {root} does not exist: the last one is {}", network.routers() - 1),
            help: "take the number of a router, or \"auto\"".to_owned(),
        }),
    }
}

/// By router, the product of the numbers of ports up on the levels below it.
fn divisors(network: &Network, directions: &Directions) -> Result<Vec<u32>, Refusal> {
    if directions.root().is_some() {
        return Err(Refusal {
            path: "routing.up",
            message: "d_mod_k goes by the levels of a tree, and this network has none".to_owned(),
            help: "take routing.up = \"random\", \"ecmp\" or \"spray\"".to_owned(),
        });
    }
    let routers = 0..network.routers() as u32;
    let levels = 1 + routers.clone().map(|router| directions.level(router)).max().unwrap_or(0);
    let mut most = vec![1u32; levels as usize];
    for router in routers.clone() {
        let up = network.links_of(router).filter(|(_, link)| directions.is_up(router, link.to.router)).count() as u32;
        let most = &mut most[directions.level(router) as usize];
        *most = (*most).max(up);
    }
    let below =
        |router| most[directions.level(router) as usize + 1..].iter().fold(1u32, |all, &up| all.saturating_mul(up));
    Ok(routers.map(below).collect())
}

impl UpDown {
    fn made(view: View, built: &Built, up: Up, channels: u32) -> Result<Self, Refusal> {
        let (pairs, ports) = (pairs(&built.network), built.network.most_ports());
        if pairs > MOST_PAIRS || ports > 256 {
            return Err(super::too_many_pairs("up*/down* ways", pairs));
        }
        Ok(UpDown(Arc::new(Tables::new(view, &built.network, up, built.channels.everywhere(channels))?)))
    }
}

fn up(view: View) -> Up {
    match view.text("up") {
        "d_mod_k" => Up::DModK,
        "ecmp" => Up::Ecmp,
        "spray" => Up::Spray,
        "adaptive" => Up::Adaptive,
        _ => Up::Random,
    }
}

impl Listed for UpDown {
    const GOES_BY_LINKS: bool = true;
    const CROSSES_TWICE: bool = true;

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        Self::build_any(view, &Built::on_grid(grid), channels)
    }

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        UpDown::made(view, built, up(view), channels)
    }

    fn is_checked_otherwise(view: View) -> bool {
        up(view) != Up::Adaptive
    }

    /// Draws and the numbers of nodes and packets give ways that queues give, too.
    fn build_for_check(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        UpDown::made(view, built, Up::Adaptive, channels)
    }

    fn goes_by_nodes(view: View) -> bool {
        matches!(up(view), Up::DModK | Up::Ecmp)
    }

    fn freedom_of_any(_view: View, _built: &Built) -> Result<String, String> {
        Ok("packets go up, then down".to_owned())
    }

    fn freedom_of_any_ports(view: View, built: &Built) -> Result<String, String> {
        Self::freedom_of_any(view, built)
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("packets take any of several ways up")
    }

    fn deadlock_freedom(view: View, grid: &Grid, _when: Conditions) -> Result<String, String> {
        Self::freedom_of_any(view, &Built::on_grid(grid))
    }

    fn treats_routers_alike(_view: View) -> bool {
        false
    }

    /// As many again as those of minimal ways, which every network without a grid has.
    fn bytes(_view: View, routers: u64) -> u64 {
        routers.saturating_mul(routers).saturating_mul(16)
    }
}

/// The word: whether the head has gone down, and above it whether it has behind its next hop.
const DOWN: u32 = 1;
const NEXT: u32 = 1;

/// The phase of a head with this word.
fn phase(word: u32) -> Phase {
    if word & DOWN == 0 { Phase::Up } else { Phase::Down }
}

impl Routing for UpDown {
    #[inline]
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        let tables = &*self.0;
        packet.hops = tables.ways.free.distance(router, packet.router);
        let hash = |entity, number| rng::draw_u64(0, Purpose::Routing, entity, number) as u32;
        packet.choice = match tables.up {
            Up::Random => tables.draws.take(draw),
            Up::Ecmp => tables.draws.take(|| hash(packet.source, packet.destination.into())),
            Up::Spray => {
                let number = hash(packet.source, u64::MAX).wrapping_add(packet.index as u32);
                tables.draws.turn(tables.draws.take(|| number), packet.hops)
            }
            Up::DModK | Up::Adaptive => 0,
        };
        0
    }

    #[inline]
    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let tables = &*self.0;
        if head.router == packet.router {
            return Request { port: None, channels: 0 };
        }
        tables.ask(tables.port(head.router, packet, phase(*word)), head, word)
    }

    fn sight(&self) -> Sight {
        if self.0.up == Up::Adaptive { Sight::Own } else { Sight::Nothing }
    }

    /// The port that owes least, the lowest of several.
    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        let tables = &*self.0;
        let channels = ways::all(tables.channels);
        let owed = |port: &&u8| queues.owed_of(**port, channels) + queues.waiting(**port);
        match tables.options(head, packet, *word).iter().min_by_key(owed) {
            Some(&port) => tables.ask(port, head, word),
            None => Request { port: None, channels: 0 },
        }
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        match self.0.up {
            Up::Adaptive => self.0.options(head, packet, word).len().max(1) as u32,
            _ => 1,
        }
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        match self.0.options(head, packet, *word).get(option as usize) {
            Some(&port) if self.0.up == Up::Adaptive => self.0.ask(port, head, word),
            _ => self.request(head, packet, word),
        }
    }

    fn variety(&self) -> Variety {
        match self.0.up {
            Up::Random => Variety { draws: self.0.draws.all(), ..Variety::default() },
            Up::Spray => Variety { indices: self.0.draws.count().unwrap_or(1).into(), ..Variety::default() },
            Up::DModK | Up::Ecmp | Up::Adaptive => Variety::default(),
        }
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    #[inline]
    fn advance(&self, _port: u8, word: u32) -> u32 {
        word >> NEXT
    }

    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        word < 4 && self.0.ways.ways(phase(word)).distance(router, packet.router) < NO_WAY
    }
}

#[cfg(test)]
mod tests;
