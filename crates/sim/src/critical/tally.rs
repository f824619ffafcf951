//! One message of the chain while its run is repeated: what each of its cycles is spent on.

use super::chain::{Kind, Segment};
use super::{ADMISSION, CHANNEL_WAIT, Crossed, Held, SERIALISATION, SOURCE_QUEUE, Shares, WIRE};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tailback_base::bits::ones;
use tailback_engine::contract::census::{Name, Stand, What};
use tailback_engine::packet::Packet;
use tailback_network::Network;

/// A packet of the message that has come to the front of its source queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub name: Name,
    pub flits: u32,
    /// The router of its destination.
    to: u32,
    pub has_entered: bool,
    /// Cycles that its flits have left behind its head.
    leaving: u64,
}

impl Own {
    pub fn new(packet: &Packet) -> Own {
        let name = Name { source: packet.source, index: packet.index };
        Own { name, flits: packet.flits, to: packet.router, has_entered: false, leaving: 0 }
    }
}

/// A wait: the router, the port, and the packet in the way.
type WaitedAt = (u32, Option<u8>, Option<Name>);

/// The places of all waits so far, and the links that were crossed.
#[derive(Debug, Default)]
pub(super) struct Waits {
    held: BTreeMap<(u32, Option<u8>), BTreeMap<Option<u32>, u64>>,
    /// By the routers at its ends: how many messages crossed a link.
    crossed: BTreeMap<(u32, u32), u32>,
}

impl Waits {
    fn add(&mut self, (router, port, holder): (u32, Option<u8>, Option<u32>), cycles: u64) {
        *self.held.entry((router, port)).or_default().entry(holder).or_default() += cycles;
    }

    /// The links that were crossed or waited for. Of several between two routers the first one stands for all.
    pub fn links(&self, network: &Network) -> Vec<Crossed> {
        let mut links: BTreeMap<(u32, u8), Crossed> = BTreeMap::new();
        let mut add = |router: u32, port: u8, messages: u32, wait: u64| {
            let link = links.entry((router, port)).or_insert(Crossed { router, port, messages: 0, wait: 0 });
            link.messages += messages;
            link.wait += wait;
        };
        for (&(from, to), &messages) in &self.crossed {
            let leads = |port: &u8| network.ahead(from, usize::from(*port)).is_some_and(|end| end.router == to);
            if let Some(port) = (0..network.ports(from)).map(|port| port as u8).find(leads) {
                add(from, port, messages, 0);
            }
        }
        for (&(router, port), by) in &self.held {
            let Some(port) = port.filter(|&port| usize::from(port) < network.ports(router)) else { continue };
            if network.ahead(router, usize::from(port)).is_some() {
                add(router, port, 0, by.values().sum());
            }
        }
        links.into_values().collect()
    }

    /// The longest first.
    pub fn sorted(self) -> Vec<Held> {
        let held = |((router, port), by): ((u32, Option<u8>), BTreeMap<Option<u32>, u64>)| {
            let named = by.iter().filter(|(holder, _)| holder.is_some());
            let most = named.max_by_key(|&(&holder, &cycles)| (cycles, Reverse(holder)));
            Held { router, port, cycles: by.values().sum(), holder: most.and_then(|(&holder, _)| holder) }
        };
        let mut all: Vec<Held> = self.held.into_iter().map(held).collect();
        all.sort_by_key(|held| (Reverse(held.cycles), held.router, held.port));
        all
    }
}

/// What is known of the network while cycles are charged.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub network: &'a Network,
    /// Cycles in a pipeline before a packet comes to the front of its source queue, and from its last queue to its node.
    pub at_source: u64,
    pub to_node: u64,
    /// The rank at a node.
    pub rank_at: &'a dyn Fn(u32) -> Option<u32>,
}

/// The cycles of one segment.
#[derive(Debug, Default)]
pub(super) struct Tally {
    shares: Shares,
    current: Option<Own>,
    /// Whether `current` is the packet with which the message is complete.
    is_last: bool,
    /// Cycles in which nothing was seen of the head of that packet.
    unseen: u64,
    /// The router at which its head was seen last.
    at: Option<u32>,
}

impl Tally {
    /// A packet of the message has come to the front.
    pub fn starts(&mut self, segment: &Segment, own: Own, site: Site<'_>) {
        if self.is_last {
            return;
        }
        if self.current.is_none() {
            let routed = self.shares[SOURCE_QUEUE].min(site.at_source);
            self.shares[SOURCE_QUEUE] -= routed;
            self.shares[WIRE] += routed;
        }
        self.is_last = segment.kind == Kind::Message && own.name.index == segment.packet;
        self.at = Some(site.network.router_of(own.name.source));
        self.current = Some(own);
    }

    /// The head of a packet has left its source queue.
    pub fn enters(&mut self, name: Name) {
        if let Some(own) = self.current.as_mut().filter(|own| own.name == name) {
            own.has_entered = true;
        }
    }

    /// Whether the census of this cycle is needed.
    pub fn looks(&self) -> bool {
        self.current.is_some_and(|own| !own.has_entered || self.is_last)
    }

    /// Charges a cycle that ends; `stands` is its census if [`Tally::looks`].
    pub fn cycle(&mut self, stands: &[Stand], site: Site<'_>, waits: &mut Waits) {
        let Some(own) = &mut self.current else {
            self.shares[SOURCE_QUEUE] += 1;
            return;
        };
        if own.has_entered && !self.is_last {
            own.leaving += 1;
            let follows = own.leaving <= u64::from(own.flits);
            if !follows {
                let router = site.network.router_of(own.name.source);
                waits.add((router, None, None), 1);
            }
            self.shares[if follows { SERIALISATION } else { CHANNEL_WAIT }] += 1;
            return;
        }
        let head = stands.iter().find(|stand| stand.head && stand.packet == own.name);
        let Some(head) = head else {
            match own.has_entered {
                true => self.unseen += 1,
                false => self.shares[SOURCE_QUEUE] += 1,
            }
            return;
        };
        self.shares[WIRE] += std::mem::take(&mut self.unseen);
        if self.is_last {
            moves(&mut self.at, head.router, waits);
        }
        let part = part_of(head);
        self.shares[part] += 1;
        if part == CHANNEL_WAIT {
            let (router, port, holder) = place(head, stands, site.network);
            waits.add((router, port, holder.and_then(|name| (site.rank_at)(name.source))), 1);
        }
    }

    /// The shares at the end of the segment.
    pub fn close(mut self, site: Site<'_>, waits: &mut Waits) -> Shares {
        let Some(own) = self.current else { return self.shares };
        if self.is_last {
            moves(&mut self.at, own.to, waits);
        }
        let wire = self.unseen.min(site.to_node);
        let flits = u64::from(own.flits) * u64::from(site.network.slowest_period().max(1));
        let behind = (self.unseen - wire).min(flits);
        let held = self.unseen - wire - behind;
        if held > 0 {
            waits.add((site.network.router_of(own.name.source), None, None), held);
        }
        self.shares[WIRE] += wire;
        self.shares[SERIALISATION] += behind;
        self.shares[CHANNEL_WAIT] += held;
        self.shares
    }
}

/// The head of a packet is at this router.
fn moves(at: &mut Option<u32>, router: u32, waits: &mut Waits) {
    if let Some(before) = at.replace(router).filter(|&before| before != router) {
        *waits.crossed.entry((before, router)).or_default() += 1;
    }
}

/// What a cycle is spent on in which the head does this.
fn part_of(head: &Stand) -> usize {
    match head.what {
        What::Behind(_) if head.input.is_none() => SOURCE_QUEUE,
        What::Admission => ADMISSION,
        What::Routing | What::Flying | What::Leaves(_) => WIRE,
        What::Behind(_)
        | What::Channel { .. }
        | What::Output(..)
        | What::Room { .. }
        | What::Held(_)
        | What::Turn(_) => CHANNEL_WAIT,
    }
}

/// What a head waits for, and which packet is in its way.
fn place(head: &Stand, stands: &[Stand], network: &Network) -> WaitedAt {
    let at = head.router;
    match head.what {
        What::Output(port, name) => (at, port, Some(name)),
        What::Held(port) | What::Turn(port) | What::Leaves(port) => (at, port, None),
        What::Room { port, channels, .. } => (at, Some(port), in_front(at, port, channels, stands, network)),
        What::Channel { ports, .. } => {
            let port = ones(ports).next().filter(|&port| port != What::NODE as usize);
            (at, port.map(|port| port as u8), None)
        }
        What::Behind(name) => {
            let queue = |stand: &&Stand| (stand.router, stand.input, stand.side) == (at, head.input, head.side);
            let front = stands.iter().filter(queue).find(|stand| stand.packet == name);
            let ahead = front.filter(|front| !matches!(front.what, What::Behind(_)));
            let port = ahead.and_then(|front| place(front, stands, network).1);
            (at, port, Some(name))
        }
        What::Admission | What::Routing | What::Flying => (at, None, None),
    }
}

/// The packet at the front of a channel behind a port.
fn in_front(at: u32, port: u8, channels: u16, stands: &[Stand], network: &Network) -> Option<Name> {
    let to = network.ahead(at, usize::from(port))?;
    let there = |stand: &&Stand| {
        let channel = stand.input.filter(|&(input, _)| u32::from(input) == to.port).map(|(_, channel)| channel);
        let asked = channel.is_some_and(|channel| channel < 16 && channels >> channel & 1 == 1);
        stand.router == to.router && asked && stand.position == 0 && stand.what != What::Flying
    };
    stands.iter().find(there).map(|stand| stand.packet)
}
