//! What is seen of a network at one time: how much links carry, how full the buffers behind them are, and for whose sake they stand.

use crate::anatomy::Dissector;
use crate::fits::shortest_packet;
use crate::prepare::Prepared;
use crate::router::Router;
use tailback_engine::Network;
use tailback_engine::contract::census::{Scope, Stand, What};
use tailback_engine::contract::queueing::Side;
use tailback_mechanisms::queueing;
use tailback_probes::anatomy::forest::{Forest, NO_LINK};
use tailback_probes::anatomy::{Links, blocked};
use tailback_probes::waits::Standing;

/// What is seen of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkLook {
    /// Share of the cycles since the last picture in which it carried a flit, of 255.
    pub used: u8,
    /// Level of the fullest buffer behind it, of 255 ([`Scale`]).
    pub fullest: u8,
    /// Mean level of these buffers, of 255.
    pub mean: u8,
    /// 0 free, 1 contended, 2 stands still, 3 root of a tree; bit 3: packets stand in set-aside queues; the upper four bits: heads that wait behind it, 15 for more.
    pub state: u8,
}

/// What a level of 255 stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Flits that fill a buffer.
    pub flits: u32,
    /// Whether levels are logarithms: of a memory of thousands of flits a queue that matters is a small share.
    pub logarithmic: bool,
    /// Buffers behind a link.
    pub channels: u32,
}

impl Scale {
    /// That of a network.
    pub fn new(prepared: &Prepared) -> Scale {
        let flits = prepared.router.buffer_flits().max(1);
        Scale { flits, logarithmic: flits > 512, channels: prepared.router.channels().max(1) }
    }

    /// The level of so many flits in so many buffers.
    fn level(self, flits: u32, buffers: usize) -> u8 {
        let room = u64::from(self.flits) * buffers as u64;
        if self.logarithmic {
            // For the eye alone.
            return ((1.0 + f64::from(flits)).ln() / (1.0 + room as f64).ln() * 255.0).min(255.0) as u8;
        }
        (u64::from(flits) * 255 / room).min(255) as u8
    }
}

/// A root of a congestion tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The router whose output it is.
    pub router: u32,
    /// The port; those to nodes come after those to routers.
    pub port: u16,
    /// Links that stand still one behind the other.
    pub depth: u16,
    /// Links that stand still.
    pub branches: u32,
}

/// What is seen of a network at one time.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The next cycle to be simulated.
    pub cycle: u64,
    /// Cycles that [`LinkLook::used`] covers.
    pub covers: u64,
    /// By link, in the order of routers, then ports.
    pub links: Vec<LinkLook>,
    /// By link, the rank of the tree that it is a branch or the root of, from 1 on; 0: none.
    pub trees: Vec<u16>,
    /// By link, the level of the set-aside queues behind it, of 255; empty where there are none.
    pub aside: Vec<u8>,
    /// By router, packets that stand in the source queues of its nodes, at the front or behind, that the network knows of.
    pub sources: Vec<u8>,
    /// By router: bit 0: admission holds a packet; the others: for how often [`LONG_WAIT`] cycles, 127 for more, a packet has stood at the front
    /// of a source queue.
    pub held: Vec<u8>,
    /// The roots, the largest tree first; 64 at most.
    pub roots: Vec<Root>,
    /// All trees.
    pub all_trees: u32,
    /// Links that stand still.
    pub still: u32,
    /// Packets in the network.
    pub in_flight: u64,
    /// Buffers behind links, a channel each, in which waiting packets leave no room for another one.
    pub full: u32,
    /// Packets that admission holds.
    pub held_back: u32,
    /// The part of the packets behind a blocked front that are blocked by nothing but it; `None` where there are none, or nobody knows.
    pub head_of_line: Option<f64>,
}

/// A packet, or a part of it, that is drawn for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dot {
    /// The link behind which it stands, or before which, by its number in a picture; `None`: it is in a source queue.
    pub link: Option<u32>,
    /// The router that it is at, or on its way to.
    pub router: u32,
    /// Source node.
    pub source: u32,
    /// Its number there.
    pub number: u64,
    /// Destination node.
    pub destination: u32,
    /// Virtual channel of the link.
    pub channel: u8,
    /// Packets before it in its queue.
    pub position: u16,
    /// Flits that it takes there.
    pub flits: u16,
    /// What there is to see of it.
    pub signs: u8,
}

impl Dot {
    /// Its head is there.
    pub const HEAD: u8 = 1;
    /// It waits.
    pub const WAITS: u8 = 2;
    /// It is on a wire.
    pub const FLIES: u8 = 4;
    /// It stands before the link, beyond a crossbar.
    pub const BEFORE: u8 = 8;
    /// It stands in a set-aside queue.
    pub const ASIDE: u8 = 16;
    /// Admission holds it.
    pub const HELD: u8 = 32;

    fn signs(stand: &Stand) -> u8 {
        let moves = matches!(stand.what, What::Leaves(_) | What::Flying | What::Turn(_) | What::Routing);
        let signs = [
            (stand.head, Dot::HEAD),
            (!moves, Dot::WAITS),
            (stand.what == What::Flying, Dot::FLIES),
            (stand.side == Some(Side::Egress), Dot::BEFORE),
            (stand.aside, Dot::ASIDE),
            (stand.what == What::Admission, Dot::HELD),
        ];
        signs.into_iter().filter(|(has, _)| *has).map(|(_, sign)| sign).sum()
    }
}

/// Packets of a queue that are drawn for themselves; nobody can tell more of them apart.
const MOST_DOTS: u32 = 64;

/// A packet that has stood at the front of its source queue for so long is told of \[cycles\].
pub const LONG_WAIT: u64 = 1000;

/// The most roots that are told.
const MOST_ROOTS: usize = 64;

/// What is remembered from one picture to the next.
pub(super) struct Look {
    /// The links that exist: router and port.
    wired: Vec<(u32, u16)>,
    /// The number of each output among those, or none.
    number: Vec<u32>,
    ports: usize,
    channels: usize,
    scale: Scale,
    /// Waiting flits that fill a buffer: there is no room for the shortest packet, or for a flit where flits are sent one by one.
    fills: u32,
    /// Flits that each link had carried.
    carried: Vec<u64>,
    cycle: u64,
    /// What `used` was in the last picture, and the cycles that it covers.
    used: Vec<u8>,
    covers: u64,
    levels: Vec<u32>,
    /// By link, what stands in front of it behind a crossbar, and in set-aside queues.
    leaving: Vec<u32>,
    aside: Vec<u32>,
}

impl Look {
    pub fn new(prepared: &Prepared) -> Look {
        let network = &prepared.network;
        let ports = network.most_ports();
        let links = (0..network.routers() as u32)
            .flat_map(|router| network.links_of(router).map(move |(port, _)| (router, port as u16)));
        let wired: Vec<(u32, u16)> = links.collect();
        let mut number = vec![u32::MAX; network.routers() * ports];
        for (at, &(router, port)) in wired.iter().enumerate() {
            number[router as usize * ports + usize::from(port)] = at as u32;
        }
        let links = wired.len();
        let scale = Scale::new(prepared);
        let channels = scale.channels as usize;
        let sets_aside = queueing::sets_aside(prepared.view("queueing"));
        let shortest = if matches!(prepared.router, Router::Wormhole(_) | Router::InputQueued(_)) {
            1
        } else {
            shortest_packet(&prepared.point.resolved)
        };
        Look {
            carried: vec![0; links],
            used: vec![0; links],
            covers: 0,
            levels: vec![0; links * channels],
            leaving: vec![0; links],
            aside: vec![0; if sets_aside { links } else { 0 }],
            wired,
            number,
            ports,
            channels,
            scale,
            fills: (scale.flits + 1).saturating_sub(u32::try_from(shortest).unwrap_or(u32::MAX)).max(1),
            cycle: 0,
        }
    }

    pub fn picture<N: Network>(
        &mut self,
        engine: &N,
        prepared: &Prepared,
        load: &tailback_probes::LinkLoad,
        dissector: &mut Dissector,
        picture: &mut Picture,
    ) {
        let network = &prepared.network;
        let links = Links::new(network);
        picture.cycle = engine.cycle();
        let cycles = engine.cycle().saturating_sub(self.cycle);
        picture.in_flight = engine.in_flight();
        self.cycle = engine.cycle();
        picture.links.clear();
        picture.links.resize(self.wired.len(), LinkLook::default());
        for routers in [&mut picture.sources, &mut picture.held] {
            routers.clear();
            routers.resize(network.routers(), 0);
        }
        for (at, &(router, port)) in self.wired.iter().enumerate() {
            let carried: u64 = (0..self.channels).map(|channel| load.flits(router, usize::from(port), channel)).sum();
            let flits = carried.saturating_sub(self.carried[at]);
            self.carried[at] = carried;
            // Where no time has passed, what was seen before is still true.
            if let Some(used) = (flits * 255).checked_div(cycles) {
                (self.used[at], self.covers) = (used.min(255) as u8, cycles);
            }
            picture.links[at].used = self.used[at];
        }
        picture.covers = self.covers;
        // One walk through all queues serves both.
        (picture.full, picture.held_back) = (0, 0);
        self.clear();
        let (_, look, ways) = dissector.now_beside(engine, |stand| self.see(network, stand, Some(&mut *picture)));
        self.levels(picture);
        let forest = Forest::new(links, &look.standing);
        let parts = ways.are_known().then(|| blocked::parts(&look.standing, &forest, links, ways));
        picture.head_of_line = parts.and_then(|parts| parts.head_of_line_share());
        self.trees(&forest, links, picture);
    }

    /// Marks the routers of nodes that get nothing in.
    pub fn long_waits(standing: &[Standing], network: &tailback_network::Network, picture: &mut Picture) {
        for front in standing {
            let waited = (picture.cycle.saturating_sub(front.since) / LONG_WAIT).min(127) as u8;
            let held = &mut picture.held[network.router_of(front.node) as usize];
            *held = *held & 1 | (*held >> 1).max(waited) << 1;
        }
    }

    /// The levels of the fullest buffers behind some links.
    pub fn line<N: Network>(&mut self, engine: &N, prepared: &Prepared, links: &[u32], levels: &mut Vec<u8>) {
        self.clear();
        engine.census(Scope::Routers, &mut |stand| self.see(&prepared.network, &stand, None));
        levels.extend(links.iter().map(|&link| self.fullest(link as usize)));
    }

    fn fullest(&self, link: usize) -> u8 {
        let behind = self.levels.chunks(self.channels).nth(link).and_then(|levels| levels.iter().max());
        let leaving = self.leaving.get(link).copied().unwrap_or(0);
        self.scale.level(behind.copied().unwrap_or(0).max(leaving), 1)
    }

    /// How full buffers are.
    fn levels(&self, picture: &mut Picture) {
        picture.full = self.levels.iter().filter(|&&flits| flits >= self.fills).count() as u32;
        for (at, levels) in self.levels.chunks(self.channels).enumerate() {
            let all = levels.iter().sum::<u32>().max(self.leaving[at]);
            picture.links[at].fullest = self.fullest(at);
            picture.links[at].mean = self.scale.level(all, self.channels);
        }
        picture.aside.clear();
        // The first packet is seen, however much room there is.
        let scale = self.scale;
        picture.aside.extend(self.aside.iter().map(|&flits| scale.level(flits, 1).max(u8::from(flits > 0))));
    }

    /// Forgets what stands where.
    fn clear(&mut self) {
        [&mut self.levels, &mut self.leaving, &mut self.aside].into_iter().for_each(|counts| counts.fill(0));
    }

    /// Counts the flits of a stand; for a picture also whether its head waits, and what stands in source queues.
    fn see(&mut self, network: &tailback_network::Network, stand: &Stand, mut picture: Option<&mut Picture>) {
        let Look { number, ports, channels, levels, leaving, aside, .. } = self;
        let Some((port, channel)) = stand.input else {
            if let Some(picture) = &mut picture {
                picture.sources[stand.router as usize] = picture.sources[stand.router as usize].saturating_add(1);
                let held = stand.what == What::Admission;
                picture.held[stand.router as usize] |= u8::from(held);
                picture.held_back += u32::from(held);
            }
            return;
        };
        // What leaves does not stand in the way: a queue is what waits.
        if usize::from(port) >= *ports || matches!(stand.what, What::Flying | What::Leaves(_)) {
            return;
        }
        let leaves = stand.side == Some(Side::Egress);
        let Some(link) = link_of(network, number, *ports, stand) else { return };
        let link = link as usize;
        if let Some(aside) = aside.get_mut(link).filter(|_| stand.aside) {
            *aside += stand.flits;
        }
        if leaves {
            leaving[link] += stand.flits;
        } else {
            levels[link * *channels + usize::from(channel).min(*channels - 1)] += stand.flits;
        }
        let waits = stand.head
            && matches!(stand.what, What::Channel { .. } | What::Output(..) | What::Room { .. } | What::Held(_));
        if let Some(picture) = picture.filter(|_| waits && stand.position == 0) {
            let state = &mut picture.links[link].state;
            *state = (*state & 15) | (((*state >> 4) + 1).min(15) << 4);
        }
    }

    /// The packets at some routers and on their way there, queue by queue.
    pub fn dots<N: Network>(&self, engine: &N, prepared: &Prepared, routers: &[u32]) -> Vec<Dot> {
        let network = &prepared.network;
        let mut wanted = vec![false; network.routers()];
        for &router in routers.iter().filter(|&&router| (router as usize) < network.routers()) {
            wanted[router as usize] = true;
        }
        let mut dots = Vec::new();
        engine.census(Scope::Routers, &mut |stand| {
            let router = stand.router;
            let link = link_of(network, &self.number, self.ports, &stand);
            if !wanted[router as usize] || stand.position >= MOST_DOTS || link.is_none() && stand.input.is_some() {
                return;
            }
            dots.push(Dot {
                link,
                router,
                source: stand.packet.source,
                number: stand.packet.index,
                destination: stand.destination,
                channel: stand.input.map_or(0, |(_, channel)| usize::from(channel).min(self.channels - 1) as u8),
                position: stand.position as u16,
                flits: u16::try_from(stand.flits).unwrap_or(u16::MAX),
                signs: Dot::signs(&stand),
            });
        });
        dots.sort_by_key(|dot| (dot.router, dot.link, dot.channel, dot.position));
        dots
    }

    fn trees(&self, forest: &Forest, links: Links, picture: &mut Picture) {
        let mut trees = forest.trees();
        trees.sort_by_key(|tree| (std::cmp::Reverse((tree.branches, tree.depth)), tree.root));
        let mut rank = vec![0u16; links.count()];
        for (number, tree) in trees.iter().enumerate().take(usize::from(u16::MAX - 1)) {
            rank[tree.root as usize] = number as u16 + 1;
        }
        picture.all_trees = trees.len() as u32;
        picture.roots.clear();
        picture.roots.extend(trees.iter().take(MOST_ROOTS).map(|tree| {
            let (router, port) = links.place(tree.root as usize);
            Root { router, port: port as u16, depth: tree.depth.min(65_535) as u16, branches: tree.branches }
        }));
        picture.trees.clear();
        picture.trees.resize(self.wired.len(), 0);
        picture.still = 0;
        for (at, &(router, port)) in self.wired.iter().enumerate() {
            let link = links.at(router, usize::from(port));
            let stand = forest.at(link);
            let is_root = stand.root == link as u32 && rank[link] > 0;
            picture.still += u32::from(stand.still);
            let state = match (is_root, stand.still, stand.demand > 0.0) {
                (true, ..) => 3,
                (_, true, _) => 2,
                (.., true) => 1,
                _ => 0,
            };
            let aside = u8::from(picture.aside.get(at).is_some_and(|&level| level > 0)) << 3;
            picture.links[at].state = (picture.links[at].state & 0xf0) | aside | state;
            if stand.root != NO_LINK && (stand.depth > 0 || is_root) {
                picture.trees[at] = rank[stand.root as usize];
            }
        }
    }
}

/// The number of the link to which a queue belongs; none for one of a node. An egress side stands before its link. All other buffers stand
/// behind the link that feeds them, whose number is that of the output at the other end.
fn link_of(network: &tailback_network::Network, number: &[u32], ports: usize, stand: &Stand) -> Option<u32> {
    let port = stand.input.map(|(port, _)| usize::from(port)).filter(|&port| port < ports)?;
    let (router, port) = if stand.side == Some(Side::Egress) {
        (stand.router, port)
    } else {
        network.behind(stand.router, port).map(|from| (from.router, from.port as usize))?
    };
    Some(number[router as usize * ports + port]).filter(|&link| link != u32::MAX)
}
