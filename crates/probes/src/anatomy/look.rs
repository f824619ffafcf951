//! One look at a network: every packet that stands in it and what it waits for, as plain data.

use tailback_network::Network;
use tailback_network::graph::Port;

/// Bit of an output port in a mask; the ports to a router's nodes come after those to its neighbours.
pub type Ports = u64;

/// A packet, or the part of it that is in one queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Source node.
    pub source: u32,
    /// Number among the packets of its source.
    pub index: u64,
    /// Destination node.
    pub destination: u32,
    /// The queue.
    pub queue: Queue,
    /// Packets before it in the queue.
    pub position: u32,
    /// What it does there.
    pub state: State,
}

/// A queue in a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Queue {
    /// The router.
    pub router: u32,
    /// Where it is there.
    pub place: Place,
    /// Its number among those of its place: the virtual channel; of a source the node.
    pub number: u32,
}

/// Where a queue is in its router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// It is a node's.
    Source,
    /// Behind the link of this port, by the direction in which packets come.
    Input(u8),
    /// Before the link of this port, beyond a crossbar.
    Output(u8),
}

/// What a packet does in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It leaves by this port.
    Goes(u8),
    /// Admission holds it back.
    Held,
    /// It is at the front, and others have the outputs that it asks for, or their turn.
    Contends(Ports),
    /// It is at the front, and queues behind the outputs that it asks for have no room for it, or they are backed up.
    NoRoom(Ports, Full),
    /// It stands behind the front.
    Behind(Alike),
}

/// Packets right behind one, in its queue, that go the same way: a range of [`Look::alike`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alike {
    first: u32,
    count: u32,
}

/// What stands in a network.
///
/// PERF: of packets that stand behind a front and go the same way, only the first is written down whole. The others are
/// most of a congested network, and a few bytes each (`tailback bench --probes recn-1`).
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Packets, one for each queue that some of it is in.
    pub standing: Vec<Standing>,
    /// The sources of packets that go where one of `standing` goes.
    alike: Vec<u32>,
}

impl Look {
    /// Forgets all packets.
    pub fn clear(&mut self) {
        self.standing.clear();
        self.alike.clear();
    }

    /// Adds a packet that stands right behind the one added last, which is behind a front, too, and goes where that one goes.
    #[inline]
    pub fn join(&mut self, source: u32) {
        let end = self.alike.len() as u32;
        let Some(Standing { state: State::Behind(alike), .. }) = self.standing.last_mut() else {
            unreachable!("it follows one that stands behind a front")
        };
        *alike =
            if alike.count == 0 { Alike { first: end, count: 1 } } else { Alike { count: alike.count + 1, ..*alike } };
        self.alike.push(source);
    }

    /// The sources of a packet and of those that go where it goes.
    #[inline]
    pub fn sources<'a>(&'a self, packet: &'a Standing) -> impl Iterator<Item = u32> + use<'a> {
        let alike = match packet.state {
            State::Behind(Alike { first, count }) => &self.alike[first as usize..][..count as usize],
            _ => &[],
        };
        std::iter::once(&packet.source).chain(alike).copied()
    }

    /// How many packets these are, with those that go alike.
    pub fn packets(packets: &[Standing]) -> u64 {
        packets.iter().map(|packet| packet.state.packets()).sum()
    }
}

/// Which of the queues behind a link are full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// All queues together, because they share a memory.
    All,
    /// The queues with these numbers, as a mask.
    Channels(u64),
    /// The queues with fronts that go on by these ports.
    Towards(Ports),
}

impl Full {
    /// Whether a queue is among them, given its front.
    pub fn holds(self, front: &Standing) -> bool {
        match self {
            Full::All => true,
            Full::Channels(mask) => mask.checked_shr(front.queue.number).is_some_and(|bits| bits & 1 == 1),
            Full::Towards(ports) => front.state.drains() & ports != 0,
        }
    }
}

impl State {
    /// It stands behind the front, and nobody is known to go where it goes.
    pub const BEHIND: State = State::Behind(Alike { first: 0, count: 0 });

    /// Whether it stands behind the front.
    pub fn is_behind(self) -> bool {
        matches!(self, State::Behind(_))
    }

    /// The packet, and those that go where it goes.
    fn packets(self) -> u64 {
        if let State::Behind(alike) = self { 1 + u64::from(alike.count) } else { 1 }
    }

    /// The outputs that it is blocked for.
    pub fn blocked(self) -> Ports {
        match self {
            State::Contends(ports) | State::NoRoom(ports, _) => ports,
            State::Goes(_) | State::Held | State::Behind(_) => 0,
        }
    }

    /// The outputs that drain its queue, now or once it may go.
    pub fn drains(self) -> Ports {
        match self {
            State::Goes(port) => 1 << port,
            other => other.blocked(),
        }
    }
}

/// Where packets may go: what a routing says of those that have not been asked yet.
pub trait Ways {
    /// The ports by which a packet would leave `router`.
    fn next(&self, router: u32, packet: &Standing) -> Ports;

    /// The channels of a port that a packet may take from the queue that it is in, as a mask.
    fn channels(&self, packet: &Standing, port: u8) -> u64;

    /// Whether nothing but its destination decides which ways a packet may go from a router.
    fn are_by_destination(&self) -> bool {
        false
    }

    /// Whether there is one such way for every destination.
    fn are_single(&self) -> bool {
        false
    }

    /// The ports by which a packet would leave the queue that it is in.
    fn wants(&self, packet: &Standing) -> Ports {
        match packet.queue.place {
            Place::Output(port) => 1 << port,
            Place::Source | Place::Input(_) => self.next(packet.queue.router, packet),
        }
    }
}

/// A network's links with those to its nodes, numbered by router, then port. Every router has as many numbers as the widest.
#[derive(Clone, Copy, Debug)]
pub struct Links<'a> {
    /// The network.
    pub network: &'a Network,
    /// Ports of the widest router to others, and to others and nodes.
    network_ports: usize,
    ports: usize,
}

/// The most output ports of a router that looks can tell apart.
pub const MOST_PORTS: usize = Ports::BITS as usize;

impl<'a> Links<'a> {
    /// Those of a network.
    pub fn new(network: &'a Network) -> Links<'a> {
        let network_ports = network.most_ports();
        Links { network, network_ports, ports: network_ports + network.most_nodes() as usize }
    }

    /// Output ports of a router to others.
    pub fn network_ports(self) -> usize {
        self.network_ports
    }

    /// Output ports of a router.
    pub fn ports(self) -> usize {
        self.ports
    }

    /// Links in all, those that a router lacks included.
    pub fn count(self) -> usize {
        self.network.routers() * self.ports()
    }

    /// The link of a port.
    pub fn at(self, router: u32, port: usize) -> usize {
        router as usize * self.ports() + port
    }

    /// Router and port of a link.
    pub fn place(self, link: usize) -> (u32, usize) {
        ((link / self.ports()) as u32, link % self.ports())
    }

    /// The links of a mask of ports.
    pub fn of(self, router: u32, ports: Ports) -> impl Iterator<Item = usize> {
        let first = self.at(router, 0);
        tailback_base::bits::ones(ports).map(move |port| first + port)
    }

    /// The port of a node at its router.
    pub fn to_node(self, node: u32) -> usize {
        self.network_ports + self.network.seats().seat(node) as usize
    }

    /// The router and the input port that the link of a port ends at; `None` where it leads to a node or nowhere.
    #[inline]
    pub fn ahead(self, router: u32, port: usize) -> Option<Port> {
        if port < self.network_ports { self.network.ahead(router, port) } else { None }
    }

    /// The node that a port leads to.
    pub fn node(self, router: u32, port: usize) -> Option<u32> {
        let seat = port.checked_sub(self.network_ports)? as u32;
        (seat < self.network.nodes_at(router)).then(|| self.network.seats().node(router, seat))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn packets_that_go_alike_are_known_by_their_sources() {
        let mut look = Look::default();
        let hot = Standing { source: 5, ..behind(1, 0, 3, 1) };
        look.standing.extend([front(1, Some(0), 3, State::Contends(1)), hot]);
        look.join(6);
        look.join(7);
        look.standing.push(Standing { source: 8, ..behind(1, 0, 2, 4) });
        look.join(5);
        let sources: Vec<Vec<u32>> = look.standing.iter().map(|packet| look.sources(packet).collect()).collect();
        assert_eq!(sources, [vec![0], vec![5, 6, 7], vec![8, 5]]);
        assert_eq!(Look::packets(&look.standing), 6);
        look.clear();
        assert_eq!(Look::packets(&look.standing), 0);
    }
}
