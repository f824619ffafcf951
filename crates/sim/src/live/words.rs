//! What is to be said of a network at one time, in words.

use super::flow::Flow;
use crate::anatomy::Dissector;
use crate::prepare::Prepared;
use crate::why::numbers::{count, percent, whole};
use crate::why::places::{any_output, at};
use tailback_engine::contract::census::{self, Stand, What};
use tailback_engine::outcome::Deadlock;
use tailback_network::Network;
use tailback_probes::anatomy::forest::{Forest, NO_LINK};
use tailback_probes::anatomy::{Anatomy, Links, Place, look as packets};
use tailback_probes::waits::Standing;

/// The numbers behind the sentences, and the sentences.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Now {
    /// Links that stand still.
    pub still: u32,
    /// Trees.
    pub trees: u32,
    /// Links that stand still one behind the other, at most.
    pub depth: u32,
    /// Packets that are blocked.
    pub blocked: u64,
    /// The part of those behind a blocked front that are blocked by nothing but it.
    pub head_of_line: Option<f64>,
    /// The sentences.
    pub text: String,
}

impl Now {
    pub(super) fn of<N: tailback_engine::Network>(
        prepared: &Prepared,
        engine: &N,
        dissector: &mut Dissector,
        standing: &[Standing],
    ) -> Now {
        let links = Links::new(&prepared.network);
        let (fronts, look, ways) = dissector.now(engine);
        let mut anatomy = Anatomy::new(
            1,
            (links.count(), prepared.network.nodes() as u32),
            Some(ways).filter(|ways| ways.are_known()),
        );
        anatomy.look((engine.cycle(), fronts), links, look, ways);
        let found = anatomy.found.last().expect("one look was taken");
        let (still, trees, depth) = (found.still, found.trees, found.depth);
        let (blocked, head_of_line) = (found.blocked.total(), found.blocked.head_of_line_share());
        let mut text = match (trees, still) {
            (0, 0) => "Nothing stands still: packets wait only for their turn.".to_owned(),
            (0, _) => format!("{} still, behind no root.", stands(still)),
            _ => format!(
                "{} still in {}, up to {depth} behind each other; {} blocked.",
                stands(still),
                count(trees.into(), "tree"),
                is(blocked, "packet"),
            ),
        };
        if let Some(share) = head_of_line.filter(|_| trees > 0) {
            text += &format!(" Head-of-line share {}.", percent(share));
        }
        text += &get_nothing_in(standing, engine.cycle());
        Now { still, trees, depth, blocked, head_of_line, text }
    }
}

/// Nodes at whose front a packet has stood for long.
fn get_nothing_in(standing: &[Standing], cycle: u64) -> String {
    let Some(longest) = standing.iter().min_by_key(|front| front.since) else { return String::new() };
    let (node, waited) = (longest.node, whole(cycle.saturating_sub(longest.since)));
    match standing.len() {
        1 => format!(" A packet of node {node} has waited {waited} cycles to get in."),
        many => format!(" Packets of {many} nodes have waited long to get in, that of node {node} {waited} cycles."),
    }
}

fn stands(links: u32) -> String {
    format!("{} {}", count(links.into(), "link"), if links == 1 { "stands" } else { "stand" })
}

fn is(number: u64, noun: &str) -> String {
    format!("{} {}", count(number, noun), if number == 1 { "is" } else { "are" })
}

/// Which packets are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those at a router.
    Router(u32),
    /// Those of a flow, wherever they are.
    Flow(Flow),
    /// This one of a source node.
    Packet(u32, u64),
}

impl Scope {
    fn has(self, stand: &Stand) -> bool {
        match self {
            Scope::Router(router) => stand.router == router,
            Scope::Flow(flow) => {
                stand.head && (stand.packet.source, stand.destination) == (flow.source, flow.destination)
            }
            Scope::Packet(source, number) => (stand.packet.source, stand.packet.index) == (source, number),
        }
    }
}

/// A packet in a queue of a router, and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// Source node.
    pub source: u32,
    /// Its number there.
    pub number: u64,
    /// Destination node.
    pub destination: u32,
    /// The port by whose link it came, by the direction in which packets come, and the channel; `None`: its source queue.
    pub input: Option<(u8, u16)>,
    /// The router.
    pub router: u32,
    /// Packets before it.
    pub position: u32,
    /// Flits that it takes there.
    pub flits: u32,
    /// What it does there.
    pub does: String,
    /// Whether it waits there.
    pub waits: bool,
}

/// The most packets that are told of a router.
const MOST_WAITERS: usize = 200;

pub(super) fn waiters<N: tailback_engine::Network>(prepared: &Prepared, engine: &N, scope: Scope) -> Vec<Waiter> {
    let network = &prepared.network;
    let mut found = Vec::new();
    engine.census(census::Scope::All, &mut |stand| {
        if !scope.has(&stand) || found.len() >= MOST_WAITERS {
            return;
        }
        let router = stand.router;
        let output = |port: Option<u8>| match port {
            Some(port) => any_output(network, router, usize::from(port)),
            None => format!("node {}", stand.destination),
        };
        let does = match stand.what {
            What::Leaves(port) => format!("leaves by {}", output(port)),
            What::Behind(name) => format!("stands behind packet {} of node {}", name.index, name.source),
            What::Admission => "is held by admission".to_owned(),
            What::Routing => "is in the pipeline".to_owned(),
            What::Channel { free: true, .. } => "waits for its turn at a channel".to_owned(),
            What::Channel { .. } => "waits for a channel that others hold".to_owned(),
            What::Output(port, name) => {
                format!("waits for {}, which packet {} of node {} has", output(port), name.index, name.source)
            }
            What::Room { port, flits, .. } => {
                format!("waits for room behind {}: {} there", output(Some(port)), count(flits.into(), "flit"))
            }
            What::Held(port) => format!("is held back at {}", output(port)),
            What::Turn(port) => format!("goes by {} when its turn comes", output(port)),
            What::Flying => "is on its way there".to_owned(),
        };
        found.push(Waiter {
            source: stand.packet.source,
            number: stand.packet.index,
            destination: stand.destination,
            input: stand.input,
            router,
            position: stand.position,
            flits: stand.flits,
            does,
            waits: !matches!(stand.what, What::Leaves(_) | What::Flying | What::Turn(_) | What::Routing),
        });
    });
    found.sort_by_key(|waiter| (waiter.router, waiter.input, waiter.position));
    found
}

/// Links of a chain that are told at most.
const LONGEST_CHAIN: usize = 64;

/// The outputs that a link waits for, one behind the other: each time one by which a queue behind it drains, and which is nearer to the root.
pub(super) fn chain(network: &Network, look: &[packets::Standing], (router, port): (u32, u16)) -> Vec<(u32, u16)> {
    let links = Links::new(network);
    let forest = Forest::new(links, look);
    let (mut at, mut found) = (links.at(router, usize::from(port)), Vec::new());
    while found.len() < LONGEST_CHAIN {
        let (here, (router, port)) = (forest.at(at), links.place(at));
        if here.root == NO_LINK || here.root as usize == at || port >= network.ports(router) {
            break;
        }
        let Some(to) = network.ahead(router, port) else { break };
        let behind = |packet: &&packets::Standing| {
            let queue = packet.queue;
            packet.position == 0 && queue.router == to.router && queue.place == Place::Input(to.port as u8)
        };
        let drains = look.iter().filter(behind).flat_map(|front| links.of(to.router, front.state.drains()));
        let nearer = drains.filter(|&link| {
            let next = forest.at(link);
            link == here.root as usize || next.root == here.root && next.depth < here.depth
        });
        let Some(next) = nearer.min_by_key(|&link| (forest.at(link).depth, link)) else { break };
        let (router, port) = links.place(next);
        found.push((router, port as u16));
        at = next;
    }
    found
}

/// The circle of a deadlock, packet by packet.
pub(super) fn circle(prepared: &Prepared, deadlock: &Deadlock) -> Vec<String> {
    let network = &prepared.network;
    let step = |blocked: &tailback_engine::outcome::Blocked| {
        format!(
            "packet {} of node {} at {} waits for {}",
            blocked.index,
            blocked.source,
            at(network, blocked.router),
            any_output(network, blocked.router, usize::from(blocked.port))
        )
    };
    deadlock.cycle.iter().map(step).collect()
}
