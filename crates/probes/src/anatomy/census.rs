//! From a census of the engine to a look: what packets do, in words that all data paths share.

use super::look::{Full, Links, Place, Queue, Standing, State, Ways};
use tailback_base::bits::ones;
use tailback_engine::contract::census::{Name, Stand, What};
use tailback_engine::contract::queueing::Side;

/// How packets go from queue to queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heads {
    /// Whole, by the output that they ask for.
    Fixed,
    /// Whole, by any output that their routing gives them.
    Choosing,
    /// Flit by flit.
    Flits,
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
    /// What the buffer of a virtual channel holds \[flits\].
    pub buffer: u32,
}

/// The queues of a look, by numbers: those of a port one after the other, port by port, router by router.
#[derive(Clone, Debug, Default)]
pub struct Queues {
    ports: usize,
    /// Queues of a port.
    numbers: usize,
    /// Flits in each, with what is on the way there.
    levels: Vec<u32>,
    /// Whether the front of each queue is blocked.
    blocked: Vec<bool>,
    /// Where the stands of each queue begin in `stands`, and where those of the last queue end.
    first: Vec<u32>,
    /// Numbers of stands, queue by queue.
    stands: Vec<u32>,
}

impl Census<'_> {
    /// Whether [`Census::standing`] says all that there is to say of a packet: switches of the input-output-queued data path say no room
    /// before they say that a link is busy.
    pub fn is_told_one_by_one(&self) -> bool {
        matches!(self.heads, Heads::Switched { .. })
    }

    /// A look. What is on the way to a queue, or has to pass the router's pipeline first, is left out, and so are adapters.
    /// `look` and `queues` are filled anew.
    pub fn look(&self, stands: &[Stand], ways: &impl Ways, queues: &mut Queues, look: &mut Vec<Standing>) {
        look.clear();
        look.extend(stands.iter().filter_map(|stand| self.standing(stand, ways)));
        if self.is_told_one_by_one() {
            return;
        }
        queues.fill(stands, self.links);
        if self.heads == Heads::Flits {
            queues.list(stands);
            look.iter_mut().for_each(|rest| self.stop_worm(rest, stands, queues));
        }
        for packet in look.iter().filter(|packet| packet.state.blocked() != 0) {
            if let Some(at) = queues.at(packet.queue) {
                queues.blocked[at] = true;
            }
        }
        look.iter_mut().for_each(|packet| self.back_up(packet, queues, ways));
    }

    /// A packet in its queue; `None` where it is in none.
    pub fn standing(&self, stand: &Stand, ways: &impl Ways) -> Option<Standing> {
        if stand.side == Some(Side::Adapter) {
            return None;
        }
        let standing = held(stand);
        let state = self.state(stand, &standing, ways)?;
        Some(Standing { state, ..standing })
    }

    /// A packet that stands behind the front of a queue.
    #[inline]
    pub fn behind(self, stand: &Stand) -> Standing {
        Standing { state: State::BEHIND, ..held(stand) }
    }

    fn state(&self, stand: &Stand, standing: &Standing, ways: &impl Ways) -> Option<State> {
        let node = self.links.to_node(stand.destination);
        let bit = |port: Option<u8>| 1 << port.map_or(node, usize::from);
        Some(match stand.what {
            What::Flying | What::Routing => return None,
            What::Leaves(port) => State::Goes(port.unwrap_or(node as u8)),
            What::Behind(_) => State::BEHIND,
            What::Admission => State::Held,
            What::Output(port, _) | What::Turn(port) => State::Contends(bit(port)),
            What::Channel { ports, .. } => {
                let (to_node, links) = (ports >> What::NODE & 1 == 1, ports & !(1 << What::NODE));
                State::Contends(links | if to_node { bit(None) } else { 0 })
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
            Heads::Fixed | Heads::Flits => State::NoRoom(asked, Full::Channels(channels.into())),
        }
    }

    /// The queues at the next router that a packet would join: those that go the same way.
    fn next(&self, standing: &Standing, port: Option<u8>, ways: &impl Ways) -> Full {
        match port {
            Some(port) => match self.links.ahead(standing.queue.router, usize::from(port)) {
                Some(to) => Full::Towards(ways.next(to.router, standing)),
                None => Full::All,
            },
            None => Full::All,
        }
    }

    /// The rest of a worm stands still with its head: it finds no room where the next buffer that it is in is full.
    fn stop_worm(&self, rest: &mut Standing, stands: &[Stand], queues: &Queues) {
        let State::Goes(port) = rest.state else { return };
        let Some(to) = self.links.ahead(rest.queue.router, usize::from(port)) else { return };
        let name = Name { source: rest.source, index: rest.index };
        if let Some((number, _)) =
            queues.behind(stands, (to.router, to.port as u8), name).filter(|&(_, level)| level >= self.buffer)
        {
            rest.state = State::NoRoom(1 << port, Full::Channels(1 << number));
        }
    }

    /// Who contends for links behind all of which queues are backed up waits for these: others have the links only as fast as
    /// those drain.
    fn back_up(&self, packet: &mut Standing, queues: &Queues, ways: &impl Ways) {
        let State::Contends(ports) = packet.state else { return };
        // Who asks for no port waits for a channel of its node's wire.
        if ports == 0 || ports >> self.links.network_ports() != 0 {
            return;
        }
        let mut all = 0;
        for port in ones(ports) {
            let Some(to) = self.links.ahead(packet.queue.router, port) else { return };
            let channels = ways.channels(packet, port as u8);
            let place = Place::Input(to.port as u8);
            let queue = |number: usize| Queue { router: to.router, place, number: number as u32 };
            if channels == 0 || ones(channels).any(|number| !queues.is_backed_up(queue(number), self.buffer)) {
                return;
            }
            all |= channels;
        }
        packet.state = State::NoRoom(ports, Full::Channels(all));
    }
}

impl Queues {
    /// The queues that packets of these stand in.
    fn fill(&mut self, stands: &[Stand], links: Links<'_>) {
        let numbers = stands.iter().filter_map(|stand| stand.input).map(|(_, number)| usize::from(number) + 1);
        (self.ports, self.numbers) = (links.network_ports(), numbers.max().unwrap_or(0));
        let all = links.network.routers() * self.ports * self.numbers;
        set_all(&mut self.levels, all, 0);
        set_all(&mut self.blocked, all, false);
        for stand in stands {
            if let Some(at) = self.at(queue(stand)) {
                self.levels[at] += stand.flits;
            }
        }
    }

    /// Notes which stands are in which queue.
    fn list(&mut self, stands: &[Stand]) {
        set_all(&mut self.first, self.levels.len() + 1, 0);
        set_all(&mut self.stands, stands.len(), 0);
        for stand in stands {
            if let Some(at) = self.at(queue(stand)) {
                self.first[at] += 1;
            }
        }
        let mut end = 0;
        for first in &mut self.first {
            end += *first;
            *first = end;
        }
        // The last one first, so that those of a queue are in order.
        for (n, stand) in stands.iter().enumerate().rev() {
            if let Some(at) = self.at(queue(stand)) {
                self.first[at] -= 1;
                self.stands[self.first[at] as usize] = n as u32;
            }
        }
    }

    /// The number of a queue behind a link.
    fn at(&self, queue: Queue) -> Option<usize> {
        let (Place::Input(port), number) = (queue.place, queue.number as usize) else { return None };
        let of_port = queue.router as usize * self.ports + usize::from(port);
        (number < self.numbers).then_some(of_port * self.numbers + number)
    }

    /// The queue behind a link that a packet is in, by its number and its level. Of several the one told of last.
    fn behind(&self, stands: &[Stand], (router, port): (u32, u8), packet: Name) -> Option<(u32, u32)> {
        let queues = (0..self.numbers as u32).filter_map(|number| {
            let at = self.at(Queue { router, place: Place::Input(port), number })?;
            let of_queue = &self.stands[self.first[at] as usize..self.first[at + 1] as usize];
            let last = of_queue.iter().rev().find(|&&n| stands[n as usize].packet == packet)?;
            Some((*last, number, self.levels[at]))
        });
        queues.max().map(|(_, number, level)| (number, level))
    }

    /// Whether a queue drains more slowly than it could be filled: its front is blocked, and it is more than half full.
    fn is_backed_up(&self, queue: Queue, buffer: u32) -> bool {
        self.at(queue).is_some_and(|at| self.blocked[at] && 2 * self.levels[at] > buffer)
    }
}

fn set_all<T: Copy>(values: &mut Vec<T>, count: usize, value: T) {
    values.clear();
    values.resize(count, value);
}

/// Packets that a link is sending are no longer in a queue before it.
const SENT: u32 = u32::MAX;

/// A packet of which all is known but what it does.
#[inline]
fn held(stand: &Stand) -> Standing {
    Standing {
        source: stand.packet.source,
        index: stand.packet.index,
        destination: stand.destination,
        queue: queue(stand),
        position: stand.position,
        state: State::Held,
    }
}

#[inline]
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
    use tailback_network::{Grid, Network};

    const NAME: Name = Name { source: 0, index: 0 };

    fn stand(router: u32, input: Option<(u8, u16)>, side: Option<Side>, what: What) -> Stand {
        Stand {
            packet: NAME,
            destination: 8,
            router,
            input,
            side,
            position: 0,
            flits: 4,
            head: true,
            aside: false,
            what,
        }
    }

    fn look(census: Census<'_>, stands: &[Stand], grid: &Network) -> Vec<Standing> {
        let (mut queues, mut look) = Default::default();
        census.look(stands, &Shortest(grid), &mut queues, &mut look);
        look
    }

    /// What becomes of a stand in a mesh of 3 x 3 routers.
    fn seen(heads: Heads, stand: Stand) -> Option<(Queue, State)> {
        let grid = Network::from(Grid::new(&[3, 3], &[false; 2], 1, 1));
        let census = Census { links: Links::new(&grid), heads, buffer: 8 };
        look(census, &[stand], &grid).first().map(|seen| (seen.queue, seen.state))
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
        let at = |what| seen(Heads::Flits, stand(4, Some((0, 1)), None, what)).map(|(_, state)| state);
        assert_eq!(at(What::Output(None, NAME)), Some(State::Contends(1 << 4)));
        assert_eq!(at(What::Turn(Some(2))), Some(State::Contends(1 << 2)));
        assert_eq!(at(What::Channel { ports: 0b101, free: false }), Some(State::Contends(0b101)));
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
        let grid = Network::from(Grid::new(&[3, 3], &[false; 2], 1, 1));
        let census = Census { links: Links::new(&grid), heads: Heads::Flits, buffer: 4 };
        let rest = Stand { head: false, ..stand(3, Some((0, 0)), None, What::Leaves(Some(0))) };
        let head = stand(4, Some((0, 1)), None, What::Room { port: 0, channels: 1, flits: 0 });
        let full = look(census, &[rest, head], &grid);
        assert_eq!(full[0].state, State::NoRoom(1, Full::Channels(0b10)));
        let room = look(census, &[rest, Stand { flits: 3, ..head }], &grid);
        assert_eq!(room[0].state, State::Goes(0));
    }

    #[test]
    fn who_waits_for_a_busy_link_waits_for_the_full_queue_behind_it() {
        let grid = Network::from(Grid::new(&[3, 3], &[false; 2], 1, 1));
        let census = Census { links: Links::new(&grid), heads: Heads::Fixed, buffer: 8 };
        let waits = stand(3, None, None, What::Output(Some(0), NAME));
        let with = |what, flits| {
            let front = Stand { flits, ..stand(4, Some((0, 0)), None, what) };
            look(census, &[waits, front], &grid)[0].state
        };
        assert_eq!(with(What::Turn(Some(2)), 8), State::NoRoom(1, Full::Channels(1)));
        assert_eq!(with(What::Turn(Some(2)), 4), State::Contends(1), "half full");
        assert_eq!(with(What::Leaves(Some(2)), 8), State::Contends(1), "it drains as fast as it goes");
    }
}
