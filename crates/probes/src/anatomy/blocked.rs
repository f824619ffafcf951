//! Blocked time: what of it is head-of-line blocking, and who causes it to whom.

use super::forest::Forest;
use super::look::{Links, Look, Place, Ports, Standing, Ways};
use serde::{Deserialize, Serialize};
use tailback_base::bits::ones;
use tailback_network::Grid;

/// Packets blocked in queues of links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// At the front.
    pub front: u64,
    /// Behind a blocked front, for the same link.
    pub same: u64,
    /// Behind a blocked front, for another link that is busy or demanded.
    pub other: u64,
    /// Behind a blocked front, for another link that is free.
    pub head_of_line: u64,
    /// Behind a blocked front, for nobody knows which link.
    pub unknown: u64,
}

impl Blocked {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.front + self.behind()
    }

    /// Packets that stand behind a blocked front.
    pub fn behind(&self) -> u64 {
        self.same + self.other + self.head_of_line + self.unknown
    }

    /// The share of those behind a blocked front that are blocked by nothing but it; `None` where there are none, or nobody
    /// knows.
    pub fn head_of_line_share(&self) -> Option<f64> {
        (self.behind() > 0 && self.unknown == 0).then(|| self.head_of_line as f64 / self.behind() as f64)
    }

    /// Adds those of another look.
    pub fn add(&mut self, other: &Blocked) {
        self.front += other.front;
        self.same += other.same;
        self.other += other.other;
        self.head_of_line += other.head_of_line;
        self.unknown += other.unknown;
    }
}

/// A packet that is blocked in a queue of a link.
#[derive(Clone, Copy, Debug)]
pub struct Victim<'a> {
    /// The packet.
    pub packet: &'a Standing,
    /// The front of its queue, or itself.
    pub front: &'a Standing,
}

/// The queues of links in which packets are blocked, each with its front; `look` is in the order of queues, fronts first.
pub fn queues(look: &[Standing]) -> impl Iterator<Item = (&Standing, &[Standing])> {
    let queues = look.chunk_by(|a, b| a.queue == b.queue).map(|queue| (&queue[0], queue));
    queues.filter(|(front, _)| front.position == 0 && front.queue.place != Place::Source && front.state.blocked() != 0)
}

/// The parts of blocked time in a look, where it is known which `ways` packets go.
pub fn parts(look: &[Standing], forest: &Forest<'_>, links: Links<'_>, ways: &impl Ways) -> Blocked {
    let mut parts = Blocked::default();
    for (front, queue) in queues(look) {
        for packet in queue {
            *part(&mut parts, Victim { packet, front }, forest, links, ways.wants(packet)) +=
                Look::packets(std::slice::from_ref(packet));
        }
    }
    parts
}

/// The part of blocked time that a packet adds to, which `wants` to leave its queue by these ports.
pub fn part<'a>(
    parts: &'a mut Blocked,
    victim: Victim<'_>,
    forest: &Forest<'_>,
    links: Links<'_>,
    wants: Ports,
) -> &'a mut u64 {
    let Victim { packet, front } = victim;
    if !packet.state.is_behind() {
        return &mut parts.front;
    }
    let (router, asked) = (packet.queue.router, front.state.blocked());
    if links.of(router, wants & !asked).any(|link| forest.is_free(link)) {
        &mut parts.head_of_line
    } else if wants & asked == 0 {
        &mut parts.other
    } else {
        &mut parts.same
    }
}

/// Whether a packet has still to cross the link of a router's port: by the only way it has, or, where it may choose, by one
/// of its shortest.
pub fn crosses(links: Links<'_>, ways: &impl Ways, packet: &Standing, (at, port): (u32, usize)) -> bool {
    // PERF: most victims leave the link's router by another one, if they come there (`tailback bench --probes recn-1`).
    if ways.are_single() && ways.next(at, packet) >> port & 1 == 0 {
        return false;
    }
    let (mut router, mut next) = (packet.queue.router, ways.wants(packet));
    // No way is longer.
    for _ in 0..=links.network.routers() {
        if router == at && next >> port & 1 == 1 {
            return true;
        }
        let out = next.trailing_zeros() as usize;
        if next.count_ones() != 1 {
            return match links.network.grid() {
                Some(grid) => on_shortest(grid, links, router, packet.destination, (at, port)),
                None => is_ahead(links, ways, packet, (router, next), (at, port)),
            };
        }
        let Some(to) = links.ahead(router, out) else { return false };
        router = to.router;
        next = ways.next(router, packet);
    }
    false
}

/// Whether one of the ways of a packet that goes on by the ports `next` of `router` leads across a link.
fn is_ahead(
    links: Links<'_>,
    ways: &impl Ways,
    packet: &Standing,
    (router, next): (u32, Ports),
    (at, port): (u32, usize),
) -> bool {
    let (mut seen, mut open) = (vec![router], vec![(router, next)]);
    while let Some((router, next)) = open.pop() {
        if router == at && next >> port & 1 == 1 {
            return true;
        }
        for to in ones(next).filter_map(|out| links.ahead(router, out)) {
            if !seen.contains(&to.router) {
                seen.push(to.router);
                open.push((to.router, ways.next(to.router, packet)));
            }
        }
    }
    false
}

/// Whether one of the shortest ways from `router` to a node leads across a link.
fn on_shortest(grid: &Grid, links: Links<'_>, router: u32, destination: u32, (at, port): (u32, usize)) -> bool {
    let end = grid.router_of(destination);
    if port >= grid.ports() {
        return at == end && port == links.to_node(destination);
    }
    let peer = grid.peer(at, port);
    grid.distance(router, at) + 1 + grid.distance(peer, end) == grid.distance(router, end)
}

#[cfg(test)]
mod tests {
    use super::super::look::{Full, State};
    use super::super::testing::*;
    use super::*;
    use tailback_network::{Grid, Network};

    fn parts(grid: &Network, look: &[Standing]) -> Blocked {
        let links = Links::new(grid);
        let (forest, mut parts) = (Forest::new(links, look), Blocked::default());
        for (front, queue) in queues(look) {
            for packet in queue {
                let wants = Shortest(grid).wants(packet);
                *part(&mut parts, Victim { packet, front }, &forest, links, wants) += 1;
            }
        }
        parts
    }

    #[test]
    fn who_stands_behind_a_blocked_front_for_a_free_link_is_blocked_by_nothing_else() {
        // At router 4, the middle of a mesh, the front wants up and finds no room; behind it one wants right.
        let grid = Network::from(Grid::new(&[3, 3], &[false; 2], 1, 1));
        let hot = front(4, Some(0), 7, State::NoRoom(0b100, Full::All));
        let of_line = parts(&grid, &[hot, behind(4, 0, 5, 1)]);
        assert_eq!(of_line, Blocked { front: 1, head_of_line: 1, ..Blocked::default() });
        assert_eq!(of_line.head_of_line_share(), Some(1.0));
        // Likewise one that wants up; then one that wants right, while another leaves that way.
        let same = parts(&grid, &[hot, behind(4, 0, 7, 1)]);
        assert_eq!((same.same, same.head_of_line_share()), (1, Some(0.0)));
        let mut goes = front(4, Some(2), 5, State::Goes(0));
        goes.queue.number = 1;
        let busy = parts(&grid, &[hot, behind(4, 0, 5, 1), goes]);
        assert_eq!((busy.other, busy.head_of_line), (1, 0));
        assert_eq!((busy.total(), busy.behind()), (2, 1));
    }

    #[test]
    fn a_queue_for_each_output_has_no_head_of_line_blocking() {
        let grid = Network::from(Grid::new(&[3, 3], &[false; 2], 1, 1));
        let mut right = front(4, Some(0), 5, State::Goes(0));
        right.queue.number = 1;
        let look = [front(4, Some(0), 7, State::NoRoom(0b100, Full::All)), behind(4, 0, 7, 1), right];
        assert_eq!(parts(&grid, &look).head_of_line_share(), Some(0.0));
        assert_eq!(parts(&grid, &look[2..]), Blocked::default(), "what goes is not blocked");
        assert_eq!(parts(&grid, &look[2..]).head_of_line_share(), None);
    }

    #[test]
    fn sources_and_what_waits_behind_a_front_that_goes_are_left_out() {
        let grid = Network::from(Grid::new(&[3, 3], &[false; 2], 1, 1));
        let look = [
            front(4, None, 7, State::NoRoom(0b100, Full::All)),
            front(4, Some(0), 5, State::Goes(0)),
            behind(4, 0, 7, 1),
        ];
        assert_eq!(parts(&grid, &look), Blocked::default());
    }

    #[test]
    fn ways_cross_the_links_that_they_lead_over() {
        let grid = Network::from(Grid::new(&[4, 4], &[false; 2], 1, 1));
        let links = Links::new(&grid);
        let crosses = |from, to, (router, port)| {
            crosses(links, &Shortest(&grid), &front(from, None, to, State::BEHIND), (router, port))
        };
        assert!(crosses(0, 3, (1, 0)), "a row has one way");
        assert!(!crosses(0, 3, (3, 0)) && !crosses(0, 3, (1, 1)) && !crosses(0, 3, (1, 2)));
        assert!(crosses(0, 3, (3, 4)) && !crosses(0, 3, (2, 4)), "to its node and no other");
        assert!(crosses(0, 5, (1, 2)) && crosses(0, 5, (4, 0)) && !crosses(0, 5, (5, 0)), "a choice of two");
    }

    /// The lowest of the shortest ways of a mesh, of which one may know that there is no other.
    struct Lowest<'a>(&'a Network, bool);

    impl Ways for Lowest<'_> {
        fn next(&self, router: u32, packet: &Standing) -> Ports {
            let all = Shortest(self.0).next(router, packet);
            all & all.wrapping_neg()
        }

        fn channels(&self, _packet: &Standing, _port: u8) -> u64 {
            1
        }

        fn are_single(&self) -> bool {
            self.1
        }
    }

    #[test]
    fn who_has_one_way_crosses_what_that_crosses() {
        let grid = Network::from(Grid::new(&[3, 3], &[false; 2], 1, 1));
        let links = Links::new(&grid);
        let mut crossed = 0;
        for (from, to, link) in (0..9).flat_map(|from| (0..9).flat_map(move |to| (0..45).map(move |l| (from, to, l)))) {
            let packet = front(from, None, to, State::BEHIND);
            let [known, walked] =
                [true, false].map(|knows| crosses(links, &Lowest(&grid, knows), &packet, links.place(link)));
            assert_eq!(known, walked, "from {from} to {to}, link {link}");
            crossed += u32::from(known);
        }
        assert_eq!(crossed, 81 + 144, "a link to a node each, and the distances of all pairs");
    }
}
