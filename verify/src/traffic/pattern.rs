//! To whom a node sends.

use super::{Config, Matter, Pattern, Placement, Region};
use tailback_base::rng::{Purpose, draw_u64};

/// Parts of all packets by which a hot share is counted.
const PARTS: u128 = 100_000_000;

/// A pattern with what is drawn for it once.
pub struct Rule {
    nodes: u32,
    seed: u64,
    choice: Choice,
}

enum Choice {
    /// One destination each; the node itself: it is silent.
    Fixed(Vec<u32>),
    /// One destination each, which may be the node itself.
    Whole(Vec<u32>),
    /// Any node.
    Any { include_self: bool },
    /// Some hot nodes get more.
    Hot { hot: Vec<u32>, parts: u128 },
    /// Some nodes send all to one.
    HotSources { hot: Vec<bool>, destination: u32 },
    /// Groups of so many send to each other.
    Groups { size: u32, offset: u32 },
    /// Rows of so many send to columns.
    Columns { side: u32 },
    /// Nodes, or steps to them, each as often as its weight says.
    Weighted { list: Vec<(u32, u32)>, steps: bool },
}

impl Rule {
    /// Of a pattern in a network.
    pub fn new(pattern: &Pattern, config: &Config) -> Rule {
        let nodes = config.nodes();
        let parts = |share_percent: f64| (share_percent / 100.0 * PARTS as f64).round() as u128;
        let choice = match pattern {
            Pattern::Rand => Choice::Any { include_self: false },
            Pattern::Uniform { include_self } => Choice::Any { include_self: *include_self },
            Pattern::Mapped(matter) => Choice::Fixed((0..nodes).map(|node| mapped(*matter, node, config)).collect()),
            Pattern::MappedWhole(matter) => {
                Choice::Whole((0..nodes).map(|node| mapped(*matter, node, config)).collect())
            }
            Pattern::Torn { offset } => {
                let distance = offset.unwrap_or(config.radix[0] * config.nodes_per_router / 2);
                Choice::Fixed((0..nodes).map(|node| around(node, distance, nodes)).collect())
            }
            Pattern::RandomPairs => Choice::Fixed(pairs(nodes, config.seed)),
            Pattern::RandomPermutation => {
                let in_place = |order: &Vec<u32>| nodes > 1 && (0..nodes).eq(order.iter().copied());
                let mut number = 0;
                while in_place(&shuffled(nodes, config.seed, number)) {
                    number += 1;
                }
                Choice::Fixed(shuffled(nodes, config.seed, number))
            }
            Pattern::Shift { offset, group } => {
                let group = group.unwrap_or(nodes);
                let offset = offset.unwrap_or(group.div_ceil(2) - 1);
                Choice::Fixed(
                    (0..nodes).map(|node| node / group * group + around(node % group, offset, group)).collect(),
                )
            }
            Pattern::Permutation(destinations) => Choice::Fixed(destinations.clone()),
            Pattern::Destinations(destinations) => Choice::Whole(destinations.clone()),
            Pattern::Weighted(list) => Choice::Weighted { list: list.clone(), steps: false },
            Pattern::Steps(list) => Choice::Weighted { list: list.clone(), steps: true },
            Pattern::RowToColumn => {
                let side = (1..=nodes).find(|side| side * side == nodes).expect("the nodes are a square");
                Choice::Columns { side }
            }
            Pattern::HotSpot { nodes, share_percent } => {
                let mut hot = nodes.clone();
                hot.sort_unstable();
                Choice::Hot { hot, parts: parts(*share_percent) }
            }
            Pattern::HotRegion { region, share_percent } => {
                Choice::Hot { hot: region_nodes(region, config), parts: parts(*share_percent) }
            }
            Pattern::Adversarial { group, offset } => Choice::Groups { size: *group, offset: *offset },
            Pattern::HotSources { destination, one_in, placement } => Choice::HotSources {
                hot: hot_sources(*destination, *one_in, *placement, config),
                destination: *destination,
            },
        };
        Rule { nodes, seed: config.seed, choice }
    }

    /// The destination of message `number` of `source`, or `None` where that node is silent.
    pub fn destination(&self, source: u32, number: u64) -> Option<u32> {
        let bits = u128::from(draw_u64(self.seed, Purpose::Destination, source, number));
        let others: Vec<u32> = (0..self.nodes).filter(|&node| node != source).collect();
        match &self.choice {
            Choice::Fixed(destinations) => Some(destinations[source as usize]).filter(|&to| to != source),
            Choice::Whole(destinations) => Some(destinations[source as usize]),
            Choice::Any { include_self: true } => one_of(&(0..self.nodes).collect::<Vec<u32>>(), bits),
            Choice::Any { include_self: false } => one_of(&others, bits),
            Choice::Hot { hot, parts } => {
                let hot: Vec<u32> = hot.iter().copied().filter(|&node| node != source).collect();
                // Which of the parts the bits fall into, and where in it.
                let (part, rest) = ((bits * PARTS) >> 64, (bits * PARTS) & u128::from(u64::MAX));
                if part < *parts && !hot.is_empty() { one_of(&hot, rest) } else { one_of(&others, rest) }
            }
            Choice::Weighted { list, steps } => {
                let total: u32 = list.iter().map(|(_, weight)| weight).sum();
                // The share of the whole at which each one ends.
                let mut reached = 0.0;
                let ends = |&(member, weight): &(u32, u32)| {
                    reached += f64::from(weight) / f64::from(total);
                    (member, weight, (reached * 2f64.powi(64)) as u64)
                };
                let ends: Vec<(u32, u32, u64)> = list.iter().map(ends).filter(|end| end.1 > 0).collect();
                let drawn = ends.iter().find(|end| bits < u128::from(end.2)).or(ends.last()).map(|end| end.0)?;
                Some(if *steps { around(source, drawn, self.nodes) } else { drawn })
            }
            Choice::HotSources { hot, destination } if hot[source as usize] => Some(*destination),
            Choice::HotSources { .. } => one_of(&others, bits),
            Choice::Groups { size, offset } => {
                let all: Vec<u32> = (0..self.nodes).filter(|&to| self.sends_to(source, to, *size, *offset)).collect();
                one_of(&all, bits)
            }
            Choice::Columns { side } => {
                let column: Vec<u32> = (0..self.nodes).filter(|to| to % side == source / side).collect();
                one_of(&column, bits)
            }
        }
    }

    /// Whether a node is in the group so many after that of the source, round and round.
    fn sends_to(&self, source: u32, to: u32, size: u32, offset: u32) -> bool {
        let groups = self.nodes / size;
        to / size == (source / size + offset % groups) % groups
    }
}

impl Rule {
    /// The share of the messages of `source` that go to `destination`.
    pub fn share(&self, source: u32, destination: u32) -> f64 {
        let others = if source == destination { 0.0 } else { 1.0 / f64::from(self.nodes - 1) };
        match &self.choice {
            Choice::Fixed(destinations) => {
                f64::from(u8::from(destinations[source as usize] == destination && source != destination))
            }
            Choice::Whole(destinations) => f64::from(u8::from(destinations[source as usize] == destination)),
            Choice::Weighted { list, steps } => {
                let total: u32 = list.iter().map(|(_, weight)| weight).sum();
                let to = |member: u32| if *steps { around(source, member, self.nodes) } else { member };
                let weights = list.iter().filter(|(member, _)| to(*member) == destination).map(|(_, weight)| weight);
                f64::from(weights.sum::<u32>()) / f64::from(total)
            }
            Choice::Any { include_self: true } => 1.0 / f64::from(self.nodes),
            Choice::Any { include_self: false } => others,
            Choice::Hot { hot, parts } => {
                let hot: Vec<u32> = hot.iter().copied().filter(|&node| node != source).collect();
                let share = if hot.is_empty() { 0.0 } else { *parts as f64 / PARTS as f64 };
                let of_hot = if hot.contains(&destination) { share / hot.len() as f64 } else { 0.0 };
                of_hot + (1.0 - share) * others
            }
            Choice::HotSources { hot, destination: to } if hot[source as usize] => {
                f64::from(u8::from(*to == destination))
            }
            Choice::HotSources { .. } => others,
            Choice::Groups { size, offset } if self.sends_to(source, destination, *size, *offset) => {
                1.0 / f64::from(*size)
            }
            Choice::Groups { .. } => 0.0,
            Choice::Columns { side } if destination % side == source / side => 1.0 / f64::from(*side),
            Choice::Columns { .. } => 0.0,
        }
    }
}

/// The list is cut into equal parts of the range of 64 bits.
fn one_of(list: &[u32], bits: u128) -> Option<u32> {
    list.get(((bits * list.len() as u128) >> 64) as usize).copied()
}

fn around(node: u32, distance: u32, nodes: u32) -> u32 {
    ((u64::from(node) + u64::from(distance)) % u64::from(nodes)) as u32
}

/// The coordinates of a node's router, lowest dimension first, and the node's place there.
fn coordinates(node: u32, config: &Config) -> (Vec<u32>, u32) {
    let mut router = node / config.nodes_per_router;
    let mut list = Vec::new();
    for &k in &config.radix {
        list.push(router % k);
        router /= k;
    }
    (list, node % config.nodes_per_router)
}

/// The node at a place of the router with these coordinates.
fn node_at(coordinates: &[u32], place: u32, config: &Config) -> u32 {
    let router = coordinates.iter().zip(&config.radix).rev().fold(0, |router, (&x, &k)| router * k + x);
    router * config.nodes_per_router + place
}

/// The bits of an address, lowest first, where the nodes are a power of two.
fn bits_of(node: u32, nodes: u32) -> Vec<bool> {
    let mut bits = Vec::new();
    while 1 << bits.len() < nodes {
        bits.push(node >> bits.len() & 1 == 1);
    }
    bits
}

fn mapped(matter: Matter, node: u32, config: &Config) -> u32 {
    let (mut list, place) = coordinates(node, config);
    let mut bits = bits_of(node, config.nodes());
    match matter {
        Matter::Complement => bits.iter_mut().for_each(|bit| *bit = !*bit),
        Matter::Reverse => bits.reverse(),
        // To the left is towards the highest bit, which comes last here.
        Matter::Shuffle if !bits.is_empty() => bits.rotate_right(1),
        Matter::Rotate if !bits.is_empty() => bits.rotate_left(1),
        Matter::Butterfly if !bits.is_empty() => {
            let highest = bits.len() - 1;
            bits.swap(0, highest);
        }
        Matter::Shuffle | Matter::Rotate | Matter::Butterfly => {}
        Matter::Transpose => list.rotate_right(1),
        Matter::Tornado => list.iter_mut().zip(&config.radix).for_each(|(x, &k)| *x = (*x + k.div_ceil(2) - 1) % k),
        Matter::Neighbour => list.iter_mut().zip(&config.radix).for_each(|(x, &k)| *x = (*x + 1) % k),
        Matter::RingNeighbour => list[0] = (list[0] + 1) % config.radix[0],
    }
    match matter {
        Matter::Transpose | Matter::Tornado | Matter::Neighbour | Matter::RingNeighbour => {
            node_at(&list, place, config)
        }
        _ => bits.iter().rev().fold(0, |address, &bit| address << 1 | u32::from(bit)),
    }
}

/// The nodes in the order of a draw.
fn shuffled(nodes: u32, seed: u64, number: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..nodes).collect();
    for last in (1..order.len()).rev() {
        let bits = u128::from(draw_u64(seed, Purpose::Pattern, number, last as u64));
        order.swap(last, ((bits * (last as u128 + 1)) >> 64) as usize);
    }
    order
}

/// Every node's partner: the nodes are shuffled, and pairs are those that stand together.
fn pairs(nodes: u32, seed: u64) -> Vec<u32> {
    let order = shuffled(nodes, seed, 0);
    let partner = |node: u32| {
        let at = order.iter().position(|&other| other == node).expect("every node is in the order");
        order[if at.is_multiple_of(2) { at + 1 } else { at - 1 }]
    };
    (0..nodes).map(partner).collect()
}

fn region_nodes(region: &Region, config: &Config) -> Vec<u32> {
    let inside = |&node: &u32| match region {
        Region::Band(percent) => f64::from(node + 1) <= f64::from(config.nodes()) * percent / 100.0,
        Region::Block(sizes) => coordinates(node, config).0.iter().zip(sizes).all(|(x, size)| x < size),
    };
    (0..config.nodes()).filter(inside).collect()
}

fn hot_sources(destination: u32, one_in: u32, placement: Placement, config: &Config) -> Vec<bool> {
    let nodes = config.nodes();
    let mut left: Vec<u32> = (0..nodes).filter(|&node| node != destination).collect();
    let mut hot = vec![false; nodes as usize];
    if placement == Placement::Even {
        left.iter().filter(|&&node| (node + 1).is_multiple_of(one_in)).for_each(|&node| hot[node as usize] = true);
        return hot;
    }
    // One after the other is drawn of those that are left; the first of these takes its place.
    for number in 0..u64::from(nodes / one_in).min(left.len() as u64) {
        let bits = u128::from(draw_u64(config.seed, Purpose::Pattern, 0, number));
        let at = ((bits * left.len() as u128) >> 64) as usize;
        left.swap(0, at);
        hot[left.remove(0) as usize] = true;
    }
    hot
}
