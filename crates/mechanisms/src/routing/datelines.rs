//! Datelines: where in a ring a packet goes over to the next class of virtual channels.

use super::ways::{PORT_BITS, PORT_MASK};
use tailback_network::Grid;
use tailback_spec::{Fallback, Kind, Param};

/// Where a dateline stands.
pub const PLACE: Param = Param {
    name: "dateline_place",
    kind: Kind::Choice(&[
        ("link", "on the link between routers q - 1 and q, in both directions (Dally and Seitz)"),
        ("router", "on the link into router q, from either side: entering the router changes the class"),
        (
            "entry",
            "nowhere: a packet has its class from entering the ring on, the second one if it will cross a dateline; \
             towards lower numbers the first one if it will (BookSim)",
        ),
    ]),
    unit: "",
    fallback: Fallback::Text("link"),
    doc: "Where a dateline at router q changes the class. It stands at 0, with `two` also at floor(k/2).",
};

/// Where packets change their class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the link between `q - 1` and `q`.
    Link,
    /// On the links into `q`.
    Router,
    /// On entering the ring.
    Entry,
}

impl Place {
    /// What [`PLACE`] says.
    pub fn of(word: &str) -> Self {
        match word {
            "router" => Place::Router,
            "entry" => Place::Entry,
            _ => Place::Link,
        }
    }
}

/// Dateline positions of a ring of `k`.
fn positions(word: &str, k: u32) -> Vec<u32> {
    match word {
        "one" => vec![0],
        "two" => vec![0, k / 2],
        _ => vec![],
    }
}

/// The datelines of a grid.
#[derive(Clone, Debug)]
pub struct Datelines {
    grid: Box<Grid>,
    /// Positions of each dimension; none where it is no ring.
    lines: Vec<Vec<u32>>,
    place: Place,
    /// Per router, the ports whose link changes the class, as a mask; all 0 where packets have their class on entering a ring.
    crosses: Vec<u16>,
}

impl Datelines {
    /// As `word` says, which is `none`, `one` or `two`.
    pub fn new(grid: &Grid, word: &str, place: Place) -> Self {
        let lines = |(&k, &wrap)| if wrap { positions(word, k) } else { Vec::new() };
        let lines = grid.radix().iter().zip(grid.wrap()).map(lines).collect();
        let mut datelines = Datelines { grid: Box::new(grid.clone()), lines, place, crosses: Vec::new() };
        datelines.crosses = (0..grid.routers() as u32).map(|router| datelines.crossings(router)).collect();
        datelines
    }

    fn crossings(&self, router: u32) -> u16 {
        let at = self.grid.coordinates(router);
        let crosses = |port: usize| {
            let (d, k) = (port / 2, self.grid.radix()[port / 2]);
            let (after, before) = ((at[d] + 1) % k, (at[d] + k - 1) % k);
            let line = match (port.is_multiple_of(2), self.place) {
                (_, Place::Entry) => return false,
                (true, _) => after,
                (false, Place::Link) => at[d],
                (false, Place::Router) => before,
            };
            self.lines[d].contains(&line)
        };
        (0..self.grid.ports()).fold(0, |mask, port| mask | u16::from(crosses(port)) << port)
    }

    /// By router, what a hop changes.
    pub fn by_router(&self) -> &[u16] {
        &self.crosses
    }

    /// Whether a head changes its class here, on its way through a ring; `word` is what is left of its leg.
    #[inline]
    pub fn changes(&self, router: u32, word: u32) -> bool {
        self.crosses[router as usize] >> (word & PORT_MASK) & 1 == 1
    }

    /// Whether packets have their class from entering a ring on, so that it is [`Datelines::second`] that counts there.
    #[inline]
    pub fn on_entry(&self) -> bool {
        self.place == Place::Entry
    }

    /// Whether a leg that begins at a router is of the second class where packets have their class from entering a ring on.
    #[cold]
    #[inline(never)]
    pub fn second(&self, router: u32, word: u32) -> bool {
        let (port, hops) = ((word & PORT_MASK) as usize, word >> PORT_BITS);
        let (d, k) = (port / 2, self.grid.radix()[port / 2]);
        if self.lines[d].is_empty() {
            return false;
        }
        let (at, up) = (self.grid.coordinates(router)[d], port % 2 == 0);
        // Between `q - 1` and `q`, as on a link.
        let line = |hop: u32| if up { (at + hop + 1) % k } else { (at + k - hop) % k };
        (0..hops).any(|hop| self.lines[d].contains(&line(hop))) == up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Routers of a ring of 8 with two datelines whose hop of this port changes the class.
    fn changing(place: Place, port: u32) -> Vec<u32> {
        let datelines = Datelines::new(&Grid::new(&[8], &[true], 1, 1), "two", place);
        (0..8).filter(|&router| datelines.changes(router, 1 << PORT_BITS | port)).collect()
    }

    #[test]
    fn a_dateline_at_a_router_is_on_both_links_into_it() {
        assert_eq!((changing(Place::Link, 0), changing(Place::Link, 1)), (vec![3, 7], vec![0, 4]));
        assert_eq!((changing(Place::Router, 0), changing(Place::Router, 1)), (vec![3, 7], vec![1, 5]));
        assert_eq!((changing(Place::Entry, 0), changing(Place::Entry, 1)), (vec![], vec![]));
    }

    #[test]
    fn a_class_of_entry_is_that_of_the_whole_way() {
        let datelines = Datelines::new(&Grid::new(&[8], &[true], 1, 1), "one", Place::Entry);
        let second = |router: u32, port: u32, hops: u32| datelines.second(router, hops << PORT_BITS | port);
        assert_eq!([second(5, 0, 2), second(5, 0, 3), second(0, 0, 4)], [false, true, false]);
        assert_eq!([second(2, 1, 2), second(2, 1, 3), second(0, 1, 1)], [true, false, false]);
        assert!(!datelines.changes(7, 1 << PORT_BITS), "on the way nothing changes");
    }
}
