//! Routing: the output channels that a head may take.
//!
//! Routings that leave no choice of port are a list of steps, made with the packet. The others look where the head is.

use super::config::Config;
use super::packet::Packet;
use crate::reference::graph::Graph;
use crate::reference::{self, Numbering, Tie};
use tailback_base::rng::{self, Purpose};
use tailback_traffic::Generated;

/// Which channels a head may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// Lowest dimension first.
    DimensionOrder,
    /// Every shorter way, with channels set aside as an escape.
    Adaptive(Escape),
    /// Every shorter way that a rule of turns allows; meshes only.
    TurnModel(Rule),
    /// By way of a router drawn at random.
    Valiant(OwnRouter, Passing),
    /// Dimension 0 or dimension 1 first, by a coin; two dimensions only.
    O1Turn,
    /// Lowest dimension first, with channels set aside as an escape.
    EscapeOrder(Asks),
}

/// What heads ask for that go in dimension order and know of escape channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// On lines all channels, of which channel 0 is the escape. Where there is a ring channel 3, and channel 0 or 1 by the class of the packet
    /// as the escape. A packet in an escape channel asks for no other.
    Escape(Tied),
    /// The last third of the channels, and what is left over.
    Thirds,
}

/// Which way the escape channels lead where both ways round a ring are as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tied {
    /// The way of the other channels.
    Same,
    /// By a coin of the packet for the dimension.
    Coin,
}

/// What a packet does under Valiant that is for a node of its own router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnRouter {
    /// It does not travel.
    Stays,
    /// It goes by the router drawn.
    Travels,
}

/// Which channels a packet may take under Valiant that is at the router of its destination and still goes to the router drawn. Meshes only:
/// elsewhere it is as with those of its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Those of its phase.
    OfPhase,
    /// All.
    All,
}

/// The escape channels of adaptive routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// Channels 0 and 1 by dateline class, or channel 0 alone where no ring has four routers.
    Dateline,
    /// Channel 0, never over a wrap-around link, not left before the destination.
    Mesh,
    /// Channel 0.
    Ring,
    /// None.
    None,
}

/// Which turns are allowed on a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Hops down in dimension 0 first.
    WestFirst,
    /// Hops up in dimension 1 last.
    NorthLast,
    /// Hops down first.
    NegativeFirst,
    /// No turn from east in even columns, none to west in odd ones.
    OddEven,
}

/// A virtual channel of a link: port and channel.
pub type Link = (usize, usize);

/// A hop of a packet whose way was fixed at its source: the port and the channels that it may take.
pub type Step = (usize, Vec<usize>);

/// The channels of links that a head may take at a router that is not its destination's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Taken if one of them is free.
    pub preferred: Vec<Link>,
    /// Taken while none of the preferred is.
    pub fallback: Vec<Link>,
}

/// Which of two dimensions comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first one.
    XFirst,
    /// The second one.
    YFirst,
}

impl Order {
    fn by(y_first: bool) -> Self {
        if y_first { Order::YFirst } else { Order::XFirst }
    }
}

impl Config {
    /// Whether packets have no way fixed at their source.
    pub fn is_adaptive(&self) -> bool {
        matches!(self.routing, Routing::Adaptive(_) | Routing::TurnModel(_) | Routing::EscapeOrder(_))
    }

    /// Virtual channels that the routing needs at least.
    pub fn channels_needed(&self) -> u32 {
        match self.routing {
            Routing::DimensionOrder => self.base.classes(),
            Routing::Adaptive(escape) => self.escape_channels(escape) + 1,
            Routing::TurnModel(_) => 1,
            Routing::Valiant(..) | Routing::O1Turn => 2 * self.ring_classes(),
            Routing::EscapeOrder(_) if self.base.wrap.contains(&true) => 4,
            Routing::EscapeOrder(_) => 2,
        }
    }

    /// All hops of a packet, where they are fixed at its source.
    pub fn plan(&self, source: u32, made: &Generated) -> Vec<Step> {
        let from = self.base.router_of(source);
        let route = |from, to| self.route(from, to, source, made.index);
        let to = self.base.router_of(made.destination);
        if let Some(graph) = &self.base.graph {
            return by_list(graph, from, to);
        }
        match self.routing {
            Routing::Adaptive(_) | Routing::TurnModel(_) | Routing::EscapeOrder(_) => Vec::new(),
            Routing::DimensionOrder => self.with_datelines(from, route(from, to)),
            Routing::Valiant(OwnRouter::Stays, _) if from == to => Vec::new(),
            Routing::Valiant(_, passing) => {
                let middle = self.middle(source, made.index);
                let mut plan = self.with_classes(from, route(from, middle), 0);
                if passing == Passing::All && !self.base.wrap.contains(&true) {
                    self.open_at(to, from, &mut plan);
                }
                plan.extend(self.with_classes(middle, route(middle, to), 1));
                plan
            }
            Routing::O1Turn => self.in_order(source, made, Order::by(self.coins(source, made.index) >> 31 == 1)),
        }
    }

    /// All hops of a packet that turns once, in an order of its dimensions.
    pub fn in_order(&self, source: u32, made: &Generated, order: Order) -> Vec<Step> {
        self.in_order_from(self.base.router_of(source), source, made, order)
    }

    /// The same from a router on.
    fn in_order_from(&self, from: usize, source: u32, made: &Generated, order: Order) -> Vec<Step> {
        let mut ports = self.route(from, self.base.router_of(made.destination), source, made.index);
        ports.sort_by_key(|port| (port / 2 == 1) != (order == Order::YFirst));
        self.with_classes(from, ports, usize::from(order == Order::YFirst))
    }

    /// What the head of a packet may take at a router that it reached by `from`; `None`: it is consumed here.
    pub fn candidates(&self, router: usize, from: Option<Link>, packet: &Packet) -> Option<Candidates> {
        let to = self.base.router_of(packet.made.destination);
        if let Some((_, channel)) = from
            && self.routing == Routing::O1Turn
            && self.has_shared_middle()
        {
            // The channel says the order: a packet that came by the middle one goes on in the second.
            let order = Order::by(channel >= self.base.virtual_channels as usize / 2);
            let way = self.in_order_from(router, packet.source, &packet.made, order);
            let (port, channels) = way.first()?;
            let preferred = channels.iter().map(|&c| (*port, c)).collect();
            return Some(Candidates { preferred, fallback: Vec::new() });
        }
        if !self.is_adaptive() {
            let (port, channels) = packet.plan.get(packet.hops as usize)?;
            let came_by = from.filter(|_| self.routing == Routing::DimensionOrder);
            let channels = match came_by {
                Some((came_by, channel)) => self.base.kept(channels.clone(), came_by == *port, channel),
                None => channels.clone(),
            };
            return Some(Candidates {
                preferred: channels.iter().map(|&c| (*port, c)).collect(),
                fallback: Vec::new(),
            });
        }
        if router == to {
            return None;
        }
        if let Routing::EscapeOrder(asks) = self.routing {
            return Some(self.in_order_or_escape(asks, (router, to), from, packet));
        }
        let ports = self.closer_ports(router, packet);
        let Routing::Adaptive(escape) = self.routing else {
            return Some(Candidates { preferred: self.spread(&ports, 0), fallback: Vec::new() });
        };
        let stays = escape == Escape::Mesh && from.is_some_and(|(_, channel)| channel == 0);
        let preferred = if stays { Vec::new() } else { self.spread(&ports, self.escape_channels(escape)) };
        Some(Candidates { preferred, fallback: self.escape(escape, router, to, packet) })
    }

    /// The ports by which a packet could leave.
    pub fn useful_ports(&self, router: usize, from: Option<Link>, packet: &Packet) -> Vec<usize> {
        let candidates = self.candidates(router, from, packet).unwrap_or_default();
        let mut ports: Vec<usize> =
            candidates.preferred.iter().chain(&candidates.fallback).map(|&(port, _)| port).collect();
        ports.sort_unstable();
        ports.dedup();
        ports
    }

    /// The ports that bring a packet of an adaptive routing closer, as far as the rule of turns allows them.
    fn closer_ports(&self, router: usize, packet: &Packet) -> Vec<usize> {
        let to = self.base.router_of(packet.made.destination);
        let mut ports = self.route(router, to, packet.source, packet.made.index);
        ports.dedup();
        if let Routing::TurnModel(rule) = self.routing {
            self.forbid_turns(rule, router, packet, &mut ports);
        }
        ports
    }

    /// The next port of a packet in the recovery lane: dimension order, ties up; `None` at its destination's router.
    pub fn lane_port(&self, router: usize, packet: &Packet) -> Option<usize> {
        let up = reference::Config { tie: Tie::Plus, ..self.base.clone() };
        up.route_from(router, packet.source, packet.made.index, packet.made.destination).first().copied()
    }

    /// The ports of the way in dimension order between two routers, for packet `index` of `source`.
    fn route(&self, from: usize, to: usize, source: u32, index: u64) -> Vec<usize> {
        self.base.route_from(from, source, index, to as u32 * self.base.nodes_per_router)
    }

    /// Hops that a new packet has to go in each dimension, those down negative; under Valiant, to the router drawn at random,
    /// or to its destination where it is there. None without a grid.
    pub fn offsets(&self, source: u32, made: &Generated) -> Vec<i32> {
        if self.base.graph.is_some() {
            return Vec::new();
        }
        let from = self.base.router_of(source);
        let to = self.base.router_of(made.destination);
        let goal = match self.routing {
            Routing::Valiant(own, _) if from != to || own == OwnRouter::Travels => {
                Some(self.middle(source, made.index)).filter(|&middle| middle != from)
            }
            _ => None,
        };
        let mut offsets = vec![0; self.base.dimensions()];
        for port in self.route(from, goal.unwrap_or(to), source, made.index) {
            offsets[port / 2] += if port.is_multiple_of(2) { 1 } else { -1 };
        }
        offsets
    }

    /// The router that a packet goes by under Valiant.
    fn middle(&self, source: u32, index: u64) -> usize {
        let coins = u64::from(self.coins(source, index)) << 32;
        rng::below(coins, self.base.routers() as u64) as usize
    }

    /// The random bits of a packet.
    fn coins(&self, source: u32, index: u64) -> u32 {
        rng::draw(self.base.seed, Purpose::Tie, source, index)[0]
    }

    /// A way in dimension order, with the channels of the class that datelines lead to.
    fn with_datelines(&self, from: usize, ports: Vec<usize>) -> Vec<Step> {
        let (mut router, mut class, mut before) = (from, 0, None);
        let mut step = |at: usize| {
            let port = ports[at];
            let turns = before != Some(port / 2);
            if self.base.numbering == Numbering::Reset && turns {
                class = 0;
            }
            before = Some(port / 2);
            class += u32::from(self.base.changes_class(router, &ports[at..], turns));
            router = self.base.neighbour(router, port).expect("ways end at the edge");
            (port, self.base.channels_of(class))
        };
        (0..ports.len()).map(&mut step).collect()
    }

    /// A way with the channels of one of two halves, within it by the class of Dally and Seitz.
    fn with_classes(&self, from: usize, ports: Vec<usize>, half: usize) -> Vec<Step> {
        let mut router = from;
        let classes = self.ring_classes() as usize;
        let channels = self.base.virtual_channels as usize;
        let mut plan = Vec::new();
        for (n, &port) in ports.iter().enumerate() {
            let class = half * classes + if classes == 1 { 0 } else { self.ring_class(router, &ports[n..]) };
            let members = match self.has_shared_middle() {
                true => self.base.half(half),
                false => (0..channels).filter(|c| c * 2 * classes / channels == class).collect(),
            };
            plan.push((port, members));
            router = self.base.neighbour(router, port).expect("ways end at the edge");
        }
        plan
    }

    /// The hop of a way from one router that leaves another may take any channel.
    fn open_at(&self, opened: usize, from: usize, way: &mut [Step]) {
        let mut router = from;
        for (port, channels) in way {
            if router == opened {
                *channels = (0..self.base.virtual_channels as usize).collect();
            }
            router = self.base.neighbour(router, *port).expect("ways end at the edge");
        }
    }

    /// Whether the halves of the channels share one, where no ring divides them further.
    pub(crate) fn has_shared_middle(&self) -> bool {
        self.base.shares_middle && self.ring_classes() == 1
    }

    /// The class of Dally and Seitz for the next hop of a way: 0 while the wrap-around link of its ring is ahead.
    fn ring_class(&self, router: usize, way: &[usize]) -> usize {
        let mut at = router;
        for &port in way.iter().take_while(|&&port| port == way[0]) {
            let x = self.base.coordinates(at)[port / 2];
            let wraps = if port % 2 == 0 { x + 1 == self.base.radix[port / 2] } else { x == 0 };
            if wraps {
                return 0;
            }
            at = self.base.neighbour(at, port).expect("ways end at the edge");
        }
        1
    }

    /// Classes that rings need: packets make one hop at most in a ring of fewer than four routers.
    fn ring_classes(&self) -> u32 {
        let long_ring = self.base.radix.iter().zip(&self.base.wrap).any(|(&k, &wrap)| wrap && k >= 4);
        1 + u32::from(long_ring)
    }

    fn escape_channels(&self, escape: Escape) -> u32 {
        match escape {
            Escape::Dateline => self.ring_classes(),
            Escape::Mesh | Escape::Ring => 1,
            Escape::None => 0,
        }
    }

    /// The channels from `first` on of each of the ports.
    fn spread(&self, ports: &[usize], first: u32) -> Vec<Link> {
        let channels = first as usize..self.base.virtual_channels as usize;
        ports.iter().flat_map(|&port| channels.clone().map(move |channel| (port, channel))).collect()
    }

    fn escape(&self, escape: Escape, router: usize, to: usize, packet: &Packet) -> Vec<Link> {
        let way = self.route(router, to, packet.source, packet.made.index);
        match escape {
            Escape::None => Vec::new(),
            Escape::Dateline if self.ring_classes() == 2 => vec![(way[0], self.ring_class(router, &way))],
            Escape::Dateline | Escape::Ring => vec![(way[0], 0)],
            Escape::Mesh => {
                let (here, there) = (self.base.coordinates(router), self.base.coordinates(to));
                let d = (0..here.len()).find(|&d| here[d] != there[d]).expect("it is not there yet");
                vec![(2 * d + usize::from(there[d] < here[d]), 0)]
            }
        }
    }

    /// What a head asks for that goes in dimension order, and would rather have than its escape.
    fn in_order_or_escape(
        &self,
        asks: Asks,
        (router, to): (usize, usize),
        from: Option<Link>,
        packet: &Packet,
    ) -> Candidates {
        let port = self.route(router, to, packet.source, packet.made.index)[0];
        let of_port = |channels: std::ops::Range<usize>| channels.map(|channel| (port, channel)).collect();
        let all = self.base.virtual_channels as usize;
        let tied = match asks {
            Asks::Thirds => return Candidates { preferred: of_port(all / 3 * 2..all), fallback: Vec::new() },
            Asks::Escape(tied) => tied,
        };
        let escape = |link: Link| Candidates { preferred: Vec::new(), fallback: vec![link] };
        if !self.base.wrap.contains(&true) {
            return match from {
                Some((_, 0)) => escape((port, 0)),
                _ => Candidates { preferred: of_port(1..all), ..escape((port, 0)) },
            };
        }
        let (here, there) = (self.base.coordinates(router), self.base.coordinates(to));
        let d = port / 2;
        let way = if tied == Tied::Coin && self.is_tied(d, here[d], there[d]) {
            2 * d + (self.coins(packet.source, packet.made.index) >> (8 + d) & 1) as usize
        } else {
            port
        };
        match from {
            Some((by, channel)) if channel < 2 && by / 2 == d => escape((port, channel)),
            Some((_, channel)) if channel < 2 => escape((way, usize::from(here[d] > there[d]))),
            _ => Candidates { preferred: of_port(3..4), ..escape((way, usize::from(here[d] > there[d]))) },
        }
    }

    /// Whether both ways round a ring between two of its places are as long.
    fn is_tied(&self, dimension: usize, from: u32, to: u32) -> bool {
        self.base.wrap[dimension] && 2 * from.abs_diff(to) == self.base.radix[dimension]
    }

    /// Takes away the ports that a rule of turns forbids.
    fn forbid_turns(&self, rule: Rule, router: usize, packet: &Packet, ports: &mut Vec<usize>) {
        const WEST: usize = 1;
        const NORTH: usize = 2;
        let first = |ports: &mut Vec<usize>, these: &dyn Fn(usize) -> bool| {
            if ports.iter().any(|&port| these(port)) {
                ports.retain(|&port| these(port));
            }
        };
        match rule {
            Rule::WestFirst => first(ports, &|port| port == WEST),
            Rule::NorthLast => first(ports, &|port| port != NORTH),
            Rule::NegativeFirst => first(ports, &|port| port % 2 == 1),
            Rule::OddEven => {
                let column = |router| self.base.coordinates(router)[0];
                let source = column(self.base.router_of(packet.source));
                let to = column(self.base.router_of(packet.made.destination));
                *ports = odd_even(source, column(router), to, ports);
            }
        }
    }
}

/// All hops of the usual way that a network of any shape lists.
fn by_list(graph: &Graph, from: usize, to: usize) -> Vec<Step> {
    graph.usual(from, to).into_iter().map(|hop| (hop.port, hop.channels.clone())).collect()
}

/// The function ROUTE of Chiu 2000: by the columns of source, present router and destination, of the shorter ways.
fn odd_even(source: u32, here: u32, to: u32, shorter: &[usize]) -> Vec<usize> {
    const EAST: usize = 0;
    const WEST: usize = 1;
    let vertical = shorter.iter().copied().find(|&port| port > WEST);
    let mut ports = Vec::new();
    if to == here {
        ports.extend(vertical);
    } else if to > here {
        if vertical.is_none() {
            return vec![EAST];
        }
        if here % 2 == 1 || here == source {
            ports.extend(vertical);
        }
        if to % 2 == 1 || to - here != 1 {
            ports.push(EAST);
        }
    } else {
        ports.push(WEST);
        if here.is_multiple_of(2) {
            ports.extend(vertical);
        }
    }
    ports
}
