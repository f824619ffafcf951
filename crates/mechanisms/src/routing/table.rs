//! Routing by a table from a file: for every router and destination the port, and the virtual channels, of the next hop.
//!
//! Paper:    none; source-independent table routing as in Dally and Towles, section 11.1.2.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination router.
//! State:    none.

use super::ways;
use super::{Conditions, Listed};
use crate::Refusal;
use tailback_base::lines::{self, Faults, and_more};
use tailback_base::text;
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::grid::NONE;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Routing by a table.
pub static ENTRY: Entry = Entry {
    name: "table",
    summary: "the next hop of every router and destination from a file",
    paper: "",
    ideal: false,
    params: &[Param {
        name: "file",
        kind: Kind::Path,
        unit: "",
        fallback: Fallback::Required,
        doc: "A text file with one hop per line: `router destination port [channels]`, as in `5 0 x- 0,1`: routers \
            by number, ports x+, x-, y+ and so on (d3+ from the fourth dimension on), channels joined by commas, all if left out; `#` begins a comment.",
    }],
};

/// Larger tables than those for so many routers are refused: they are as long as the square of it.
const MOST_ROUTERS: usize = 4096;

/// A hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hop {
    port: u8,
    channels: u16,
}

/// Routes from a file.
#[derive(Clone, Debug)]
pub struct Table {
    routers: u32,
    /// By destination, then router; none at the destination.
    next: Vec<Option<Hop>>,
    /// Hops from the router to the destination, likewise.
    hops: Vec<u16>,
}

impl Table {
    fn parse(text: &str, grid: &Grid, channels: u32) -> Result<Self, String> {
        let routers = grid.routers();
        let mut table = Table { routers: routers as u32, next: vec![None; routers * routers], hops: Vec::new() };
        let mut faults = Faults::default();
        for (number, words) in lines::words(text) {
            if let Err(message) = line(&words, grid, channels).and_then(|(at, hop)| table.take(at, hop)) {
                faults.add(number, &message);
            }
        }
        faults.result()?;
        table.check_whole()?;
        table.hops = table.follow(grid)?;
        Ok(table)
    }

    fn at(&self, router: u32, destination: u32) -> usize {
        (destination * self.routers + router) as usize
    }

    fn take(&mut self, (router, destination): (u32, u32), hop: Hop) -> Result<(), String> {
        let at = self.at(router, destination);
        match self.next[at].replace(hop) {
            None => Ok(()),
            Some(_) => Err(format!("router {router} has a way to {destination} already")),
        }
    }

    /// Whether every router has a way to every other one.
    fn check_whole(&self) -> Result<(), String> {
        let pairs = (0..self.routers).flat_map(|d| (0..self.routers).map(move |r| (r, d))).filter(|(r, d)| r != d);
        let mut missing = pairs.filter(|&(router, destination)| self.next[self.at(router, destination)].is_none());
        let Some((router, destination)) = missing.next() else { return Ok(()) };
        Err(format!("router {router} has no way to {destination}{}", and_more(missing.count())))
    }

    /// The hops of every route.
    fn follow(&self, grid: &Grid) -> Result<Vec<u16>, String> {
        // What runs allow for: no packet makes more hops than twice across the network.
        let most = 2 * grid.radix().iter().sum::<u32>() as usize;
        let (mut hops, mut way) = (vec![0; self.next.len()], Vec::new());
        for destination in 0..self.routers {
            for router in 0..self.routers {
                // As far as the first router whose hops are known.
                let mut here = router;
                while hops[self.at(here, destination)] == 0 && way.len() <= most {
                    let Some(hop) = self.next[self.at(here, destination)] else { break };
                    way.push(here);
                    here = grid.peer(here, usize::from(hop.port));
                }
                let known = usize::from(hops[self.at(here, destination)]);
                if known + way.len() > most {
                    return Err(format!(
                        "the route from router {router} to {destination} goes round in a circle, or is longer than \
                         {most} hops, twice across the network"
                    ));
                }
                for (more, back) in way.drain(..).rev().enumerate() {
                    hops[self.at(back, destination)] = (known + more + 1) as u16;
                }
            }
        }
        Ok(hops)
    }

    /// Refuses routes longer than the longest of the shortest ways, for packets that carry their route with them.
    fn no_longer_than_shortest(self, grid: &Grid) -> Result<Self, Refusal> {
        // Router 0 is in a corner of every line.
        let most = (0..grid.routers() as u32).map(|router| grid.distance(0, router)).max().unwrap_or(0);
        let longest = self.longest();
        if longest <= most {
            return Ok(self);
        }
        Err(Refusal {
            path: "routing.file",
            message: format!(
                "the table has a route of {longest} hops, and packets of this router carry their route, with room for \
                 {most}, the longest of the shortest ways"
            ),
            help: "shorten the routes, or take another router.kind".to_owned(),
        })
    }

    /// The longest route \[hops\].
    fn longest(&self) -> u32 {
        self.hops.iter().copied().max().unwrap_or(0).into()
    }
}

/// What a line says: a router and a destination, and the hop that leads from one towards the other.
fn line(words: &[&str], grid: &Grid, channels: u32) -> Result<((u32, u32), Hop), String> {
    let (from, to, by, mask) = match *words {
        [from, to, by] => (from, to, by, ways::all(channels)),
        [from, to, by, some] => (from, to, by, members(some, channels)?),
        _ => return Err("a line holds a router, a destination, a port and perhaps channels".to_owned()),
    };
    let (router, destination) = (router(from, grid)?, self::router(to, grid)?);
    if router == destination {
        return Err(format!("router {router} is the destination: its packets are consumed there"));
    }
    let port = port(by, grid)?;
    if grid.peer(router, usize::from(port)) == NONE {
        return Err(format!("router {router} has no link {by}: it is at the edge of the mesh"));
    }
    Ok(((router, destination), Hop { port, channels: mask }))
}

fn router(word: &str, grid: &Grid) -> Result<u32, String> {
    match word.parse::<u32>() {
        Ok(router) if (router as usize) < grid.routers() => Ok(router),
        Ok(router) => Err(format!("router {router} does not exist: the last one is {}", grid.routers() - 1)),
        Err(_) => Err(format!("`{}` is not a router's number", text::word(word))),
    }
}

/// The port of `x+`, `z-`, `d3+`.
fn port(word: &str, grid: &Grid) -> Result<u8, String> {
    let wrong = || format!("`{}` is not a port: they are x+, x-, y+, y- and so on", text::word(word));
    let (axis, down) = match (word.strip_suffix('+'), word.strip_suffix('-')) {
        (Some(axis), _) => (axis, 0),
        (_, Some(axis)) => (axis, 1),
        _ => return Err(wrong()),
    };
    let named = ["x", "y", "z"].iter().position(|&name| name == axis);
    let number = || axis.strip_prefix('d')?.parse::<usize>().ok().filter(|&d| d > 2);
    let dimension = named.or_else(number).ok_or_else(wrong)?;
    if dimension >= grid.dimensions() {
        return Err(format!("there is no port {}: the network has {} dimensions", text::word(word), grid.dimensions()));
    }
    Ok((2 * dimension + down) as u8)
}

/// The mask of `0,2`.
fn members(word: &str, channels: u32) -> Result<u16, String> {
    let one = |word: &str| match word.parse::<u32>() {
        Ok(channel) if channel < channels => Ok(1 << channel),
        Ok(channel) => Err(format!("there is no virtual channel {channel}: the last one is {}", channels - 1)),
        Err(_) => Err(format!("`{}` is not a virtual channel", text::word(word))),
    };
    word.split(',').map(one).try_fold(0, |mask, channel| Ok(mask | channel?))
}

impl Listed for Table {
    const CROSSES_TWICE: bool = true;
    const READS_FILE: bool = true;

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        if grid.routers() > MOST_ROUTERS {
            return Err(Refusal {
                path: "routing.kind",
                message: format!("a table is for {MOST_ROUTERS} routers at most, this network has {}", grid.routers()),
                help: "take a routing that computes its ways".to_owned(),
            });
        }
        let path = view.text("file");
        let limit = 64 * (grid.routers() * grid.routers()) as u64 + (1 << 20);
        let wrong = |message: String| Refusal {
            path: "routing.file",
            message,
            help: "every router needs a line for every other one as destination: `router destination port [channels]`"
                .to_owned(),
        };
        let text = lines::read(path, limit, &format!("table for {} routers", grid.routers())).map_err(wrong)?;
        Table::parse(&text, grid, channels).map_err(|message| wrong(format!("{}: {message}", text::shown(path))))
    }

    fn build_ports(view: View, grid: &Grid) -> Result<Self, Refusal> {
        Self::build(view, grid, 1)?.no_longer_than_shortest(grid)
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Ok("a table gives all packets from one router to another one route")
    }

    fn deadlock_freedom(_view: View, _grid: &Grid, _when: Conditions) -> Result<String, String> {
        Err("the routes of a table close one unless the check finds that they do not".to_owned())
    }

    fn treats_routers_alike(_view: View) -> bool {
        false
    }

    fn bytes(_view: View, routers: u64) -> u64 {
        let pair = size_of::<Option<Hop>>() + size_of::<u16>();
        routers.saturating_mul(routers).saturating_mul(pair as u64)
    }
}

impl Routing for Table {
    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        packet.hops = self.hops[self.at(router, packet.router)].into();
        0
    }

    fn request(&self, head: Head, packet: &Packet, _word: &mut u32) -> Request {
        match self.next[self.at(head.router, packet.router)] {
            Some(hop) => Request { port: Some(hop.port), channels: hop.channels },
            None => Request { port: None, channels: 0 },
        }
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word
    }

    /// No word is read, and none is ever written.
    fn fits(&self, _router: u32, _packet: &Packet, word: u32) -> bool {
        word == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of three routers.
    const LINE: &str = "0 1 x+\n0 2 x+ 1 # upwards\n\n1 0 x-\n1 2 x+\n2 0 x-\n2 1 x- 0,1\n";

    fn parse(text: &str) -> Result<Table, String> {
        Table::parse(text, &Grid::new(&[3], &[false], 1, 1), 2)
    }

    #[test]
    fn hops_are_followed_and_channels_kept() {
        let table = parse(LINE).unwrap();
        let mut packet = Packet { router: 2, ..Packet::default() };
        table.start(0, &mut packet, || unreachable!("nothing is drawn"));
        assert_eq!((packet.hops, table.longest()), (2, 2));
        let at = |router| table.request(Head { router, input: None }, &packet, &mut 0);
        assert_eq!(at(0), Request { port: Some(0), channels: 0b10 });
        assert_eq!(at(1), Request { port: Some(0), channels: 0b11 });
        assert_eq!(at(2).port, None);
    }

    #[test]
    fn wrong_tables_are_told() {
        let refusals = [
            ("", "router 1 has no way to 0, and 5 more"),
            ("0 1 x+\n0 1 x+\n", "line 2: router 0 has a way to 1 already"),
            ("0 3 x+\n", "line 1: router 3 does not exist: the last one is 2"),
            ("0 x x+\n", "line 1: `x` is not a router's number"),
            ("0 1 y+\n", "line 1: there is no port y+: the network has 1 dimensions"),
            ("0 1 up\n", "line 1: `up` is not a port"),
            ("0 1 d1+\n", "line 1: `d1+` is not a port"),
            ("0 1 x-\n", "line 1: router 0 has no link x-"),
            ("0 1 x+ 2\n", "line 1: there is no virtual channel 2: the last one is 1"),
            ("0 1 x+ \u{1b}\n", "line 1: `\\u001b` is not a virtual channel"),
            ("1 1 x+\n", "line 1: router 1 is the destination"),
            ("0 1\n", "line 1: a line holds a router"),
            ("0 1 x+ 0 1\n", "line 1: a line holds a router"),
        ];
        for (text, expected) in refusals {
            let message = parse(text).expect_err(text);
            assert!(message.contains(expected), "{text:?}: {message}");
        }
        let secret = parse(&"root:$6$salt$secretsecretsecretsecret:1:: x x\n".repeat(25)).expect_err("all are wrong");
        assert!(
            secret.starts_with("line 1: `root:$6$salt$secrets…` is not a router's number; lines 2, 3, "),
            "{secret}"
        );
        assert_eq!(secret.matches("root").count(), 1, "one word of the file");
        let circle = parse(&LINE.replace("1 0 x-", "1 0 x+")).expect_err("2 sends it back");
        assert!(circle.contains("from router 1 to 0 goes round in a circle"), "{circle}");
    }
}
