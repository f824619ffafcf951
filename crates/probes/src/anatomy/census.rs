//! From a census of the engine to a look: what packets do, in words that all data paths share.

use super::look::{Full, Links, Place, Ports, Queue, Standing, State, Ways};
use std::collections::BTreeMap;
use tailback_engine::contract::census::{Name, Stand, What};
use tailback_engine::contract::queueing::Side;

/// How packets go from queue to queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heads {
    /// Whole, by the output that they ask for.
    Fixed,
    /// Whole, by any output that their routing gives them.
    Choosing,
    /// Flit by flit, into buffers of so many.
    Flits(u32),
    /// Whole, through memories that are parted among their queues, or not.
    Switched {
        /// Whether every queue has its own part.
        parted: bool,
    },
}

/// Makes looks.
#[derive(Clone, Copy, Debug)]
pub struct Census<'a> {
    /// The network.
    pub links: Links<'a>,
    /// How packets go.
    pub heads: Heads,
}

impl Census<'_> {
    /// A look. What is on the way to a queue, or has to pass the router's pipeline first, is left out, and so are adapters.
    pub fn look(&self, stands: &[Stand], ways: &impl Ways) -> Vec<Standing> {
        let mut look: Vec<Standing> = stands.iter().filter_map(|stand| self.standing(stand, ways)).collect();
        if let Heads::Flits(buffer) = self.heads {
            self.stop_worms(&mut look, stands, buffer);
        }
        look
    }

    fn standing(&self, stand: &Stand, ways: &impl Ways) -> Option<Standing> {
        if stand.side == Some(Side::Adapter) {
            return None;
        }
        let standing = Standing {
            source: stand.packet.source,
            index: stand.packet.index,
            destination: stand.destination,
            queue: queue(stand),
            position: stand.position,
            state: State::Held,
        };
        let state = self.state(stand, &standing, ways)?;
        Some(Standing { state, ..standing })
    }

    fn state(&self, stand: &Stand, standing: &Standing, ways: &impl Ways) -> Option<State> {
        let node = self.links.to_node(stand.destination);
        let bit = |port: Option<u8>| 1 << port.map_or(node, usize::from);
        Some(match stand.what {
            What::Flying | What::Routing => return None,
            What::Leaves(port) => State::Goes(port.unwrap_or(node as u8)),
            What::Behind(_) => State::Behind,
            What::Admission => State::Held,
            What::Output(port, _) | What::Turn(port) => State::Contends(bit(port)),
            What::Channel { ports, free } => {
                let (to_node, links) = (ports >> What::NODE & 1 == 1, Ports::from(ports & !(1 << What::NODE)));
                let all = links | if to_node { bit(None) } else { 0 };
                if free || to_node { State::Contends(all) } else { State::NoChannel(all) }
            }
            // No room on the other side of the switch: it waits for the link there.
            What::Room { port, .. } if stand.side == Some(Side::Ingress) => State::Contends(bit(Some(port))),
            What::Held(port) if stand.side == Some(Side::Ingress) => State::Contends(bit(port)),
            What::Room { port, channels, .. } => self.no_room(standing, port, channels, ways),
            What::Held(port) => State::NoRoom(bit(port), self.next(standing, port, ways)),
        })
    }

    fn no_room(&self, standing: &Standing, port: u8, channels: u16, ways: &impl Ways) -> State {
        let asked = 1 << port;
        match self.heads {
            Heads::Switched { parted: true } => State::NoRoom(asked, self.next(standing, Some(port), ways)),
            Heads::Switched { parted: false } => State::NoRoom(asked, Full::All),
            Heads::Choosing => match asked | ways.wants(standing) {
                all if all == asked => State::NoRoom(asked, Full::Channels(channels.into())),
                all => State::NoRoom(all, Full::All),
            },
            Heads::Fixed | Heads::Flits(_) => State::NoRoom(asked, Full::Channels(channels.into())),
        }
    }

    /// The queues at the next router that a packet would join: those that go the same way.
    fn next(&self, standing: &Standing, port: Option<u8>, ways: &impl Ways) -> Full {
        match port {
            Some(port) if usize::from(port) < self.links.grid.ports() => {
                let peer = self.links.grid.peer(standing.queue.router, usize::from(port));
                Full::Towards(ways.next(peer, standing))
            }
            _ => Full::All,
        }
    }

    /// The rest of a worm stands still with its head: it finds no room where the next buffer that it is in is full.
    fn stop_worms(&self, look: &mut [Standing], stands: &[Stand], buffer: u32) {
        let (mut levels, mut buffers) = (BTreeMap::new(), BTreeMap::new());
        for stand in stands {
            let queue = queue(stand);
            *levels.entry(queue).or_insert(0) += stand.flits;
            if let Place::Input(port) = queue.place {
                buffers.insert((stand.packet, queue.router, port), queue);
            }
        }
        for rest in look {
            let State::Goes(port) = rest.state else { continue };
            if usize::from(port) >= self.links.grid.ports() {
                continue;
            }
            let packet = Name { source: rest.source, index: rest.index };
            let next = buffers.get(&(packet, self.links.grid.peer(rest.queue.router, usize::from(port)), port));
            if let Some(next) = next.filter(|next| levels[*next] >= buffer) {
                rest.state = State::NoRoom(1 << port, Full::Channels(1 << next.number));
            }
        }
    }
}

/// Packets that a link is sending are no longer in a queue before it.
const SENT: u32 = u32::MAX;

fn queue(stand: &Stand) -> Queue {
    let (place, number) = match (stand.input, stand.side) {
        (None, _) => (Place::Source, stand.packet.source),
        (Some((port, queue)), Some(Side::Egress)) => {
            let sent = matches!(stand.what, What::Leaves(_));
            (Place::Output(port), if sent { SENT } else { queue.into() })
        }
        (Some((port, queue)), _) => (Place::Input(port), queue.into()),
    };
    Queue { router: stand.router, place, number }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Shortest;
    use super::*;
    use tailback_network::Grid;

    const NAME: Name = Name { source: 0, index: 0 };

    fn stand(router: u32, input: Option<(u8, u16)>, side: Option<Side>, what: What) -> Stand {
        Stand { packet: NAME, destination: 8, router, input, side, position: 0, flits: 4, head: true, what }
    }

    /// What becomes of a stand in a mesh of 3 x 3 routers.
    fn seen(heads: Heads, stand: Stand) -> Option<(Queue, State)> {
        let grid = Grid::new(&[3, 3], &[false; 2], 1, 1);
        let census = Census { links: Links { grid: &grid }, heads };
        census.look(&[stand], &Shortest(&grid)).first().map(|seen| (seen.queue, seen.state))
    }

    #[test]
    fn what_is_on_the_way_is_in_no_queue() {
        for what in [What::Flying, What::Routing] {
            assert_eq!(seen(Heads::Fixed, stand(4, Some((0, 1)), None, what)), None);
        }
        let adapter = stand(4, None, Some(Side::Adapter), What::Turn(Some(4)));
        assert_eq!(seen(Heads::Switched { parted: true }, adapter), None);
    }

    #[test]
    fn heads_wait_for_ports_and_the_port_of_their_node() {
        let at = |what| seen(Heads::Flits(8), stand(4, Some((0, 1)), None, what)).map(|(_, state)| state);
        assert_eq!(at(What::Output(None, NAME)), Some(State::Contends(1 << 4)));
        assert_eq!(at(What::Turn(Some(2))), Some(State::Contends(1 << 2)));
        assert_eq!(at(What::Channel { ports: 0b101, free: false }), Some(State::NoChannel(0b101)));
        assert_eq!(at(What::Channel { ports: 1 << What::NODE, free: false }), Some(State::Contends(1 << 4)));
        let queue = Queue { router: 4, place: Place::Input(0), number: 1 };
        let leaves = stand(4, Some((0, 1)), None, What::Leaves(Some(0)));
        assert_eq!(seen(Heads::Fixed, leaves), Some((queue, State::Goes(0))));
    }

    #[test]
    fn no_room_is_for_all_the_ways_of_heads_that_choose() {
        let full = stand(4, Some((0, 1)), None, What::Room { port: 2, channels: 0b10, flits: 0 });
        let state = |heads| seen(heads, full).map(|(_, state)| state);
        assert_eq!(state(Heads::Fixed), Some(State::NoRoom(0b100, Full::Channels(0b10))));
        assert_eq!(state(Heads::Choosing), Some(State::NoRoom(0b101, Full::All)), "8 is up and to the right");
    }

    #[test]
    fn a_switch_has_queues_on_both_sides() {
        let room = What::Room { port: 2, channels: 1, flits: 0 };
        let on = |side, parted| seen(Heads::Switched { parted }, stand(4, Some((2, 3)), Some(side), room)).unwrap();
        assert_eq!(on(Side::Ingress, true).1, State::Contends(0b100));
        let (queue, state) = on(Side::Egress, true);
        assert_eq!((queue.place, queue.number), (Place::Output(2), 3));
        assert_eq!(state, State::NoRoom(0b100, Full::Towards(1)), "from 7 it goes to the right");
        assert_eq!(on(Side::Egress, false).1, State::NoRoom(0b100, Full::All));
        let sent = stand(4, Some((2, 3)), Some(Side::Egress), What::Leaves(Some(2)));
        assert_eq!(seen(Heads::Switched { parted: true }, sent).unwrap().0.number, SENT);
    }

    #[test]
    fn the_rest_of_a_worm_stands_still_where_the_next_buffer_is_full() {
        let grid = Grid::new(&[3, 3], &[false; 2], 1, 1);
        let census = Census { links: Links { grid: &grid }, heads: Heads::Flits(4) };
        let rest = Stand { head: false, ..stand(3, Some((0, 0)), None, What::Leaves(Some(0))) };
        let head = stand(4, Some((0, 1)), None, What::Room { port: 0, channels: 1, flits: 0 });
        let full = census.look(&[rest, head], &Shortest(&grid));
        assert_eq!(full[0].state, State::NoRoom(1, Full::Channels(0b10)));
        let room = census.look(&[rest, Stand { flits: 3, ..head }], &Shortest(&grid));
        assert_eq!(room[0].state, State::Goes(0));
    }
}
