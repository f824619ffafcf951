//! Routing by a table from a file: for every router and destination the port, and the virtual channels, of the next hop.
//!
//! Paper:    none; source-independent table routing as in Dally and Towles, section 11.1.2. Layers as in LASH, Lysne et al., 2006.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination router, the port that it came in by, and its layer.
//! State:    none.

use super::{Conditions, Listed, ways};
use crate::Refusal;
use std::sync::Arc;
use tailback_base::lines;
use tailback_base::text;
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::family::Built;
use tailback_network::routes::{MOST_ROUTERS, Routes};
use tailback_network::{Grid, Network};
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
            by number, ports x+, x-, y+ and so on (d3+ from the fourth dimension on) and by number where there is no grid, \
            channels joined by commas. `router destination in PORT port [channels]` is the hop of packets that came in by a port. \
            `layer source destination number` gives packets a layer. A hop without channels has those of the layer: the \
            channels are divided among the layers, and all are of the one layer where there are no others. `#` begins a comment.",
    }],
};

/// Routes, and the channels of their layers.
#[derive(Clone, Debug)]
pub struct Table(Arc<Tables>);

#[derive(Debug)]
struct Tables {
    routes: Routes,
    channels: u32,
}

impl Table {
    /// Routing by these routes, which have no more layers than there are channels.
    pub(super) fn new(routes: Routes, channels: u32) -> Table {
        assert!(routes.layers() <= channels, "each layer has a channel");
        Table(Arc::new(Tables { routes, channels }))
    }

    /// The routes of the file that a section names.
    fn read(view: View, network: &Network, channels: u32) -> Result<Table, Refusal> {
        let routers = network.routers();
        if routers > MOST_ROUTERS {
            return Err(Refusal {
                path: "routing.kind",
                message: format!("a table is for {MOST_ROUTERS} routers at most, this network has {routers}"),
                help: "take a routing that computes its ways".to_owned(),
            });
        }
        let path = view.text("file");
        let limit = 64 * (routers * routers) as u64 + (1 << 20);
        let wrong = |message: String| Refusal {
            path: "routing.file",
            message,
            help: "every router needs a line for every other one as destination: `router destination port [channels]`"
                .to_owned(),
        };
        let text = lines::read(path, limit, &format!("table for {routers} routers")).map_err(wrong)?;
        let routes = Routes::parse(&text, network, channels);
        routes
            .map(|routes| Table::new(routes, channels))
            .map_err(|message| wrong(format!("{}: {message}", text::shown(path))))
    }

    /// Refuses routes longer than the longest of the shortest ways, for packets that carry their route with them.
    fn no_longer_than_shortest(self, grid: &Grid) -> Result<Self, Refusal> {
        // Router 0 is in a corner of every line.
        let most = (0..grid.routers() as u32).map(|router| grid.distance(0, router)).max().unwrap_or(0);
        let longest = self.0.routes.longest();
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
}

impl Listed for Table {
    const CROSSES_TWICE: bool = true;
    const READS_FILE: bool = true;

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        Table::read(view, &grid.into(), channels)
    }

    fn build_ports(view: View, grid: &Grid) -> Result<Self, Refusal> {
        Self::build(view, grid, 1)?.no_longer_than_shortest(grid)
    }

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        Table::read(view, &built.network, built.channels.everywhere(channels))
    }

    fn freedom_of_any(_view: View, _built: &Built) -> Result<String, String> {
        Err(UNKNOWN.to_owned())
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Ok("a table gives all packets from one router to another one route")
    }

    fn deadlock_freedom(_view: View, _grid: &Grid, _when: Conditions) -> Result<String, String> {
        Err(UNKNOWN.to_owned())
    }

    fn treats_routers_alike(_view: View) -> bool {
        false
    }

    fn bytes(_view: View, routers: u64) -> u64 {
        Routes::bytes(routers)
    }
}

/// What is known of the routes of a file.
const UNKNOWN: &str = "the routes of a table close one unless the check finds that they do not";

impl Routing for Table {
    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        let routes = &self.0.routes;
        packet.hops = routes.hops(router, packet.router);
        packet.choice = routes.layer(router, packet.router);
        packet.choice
    }

    /// The word is the layer.
    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let Tables { routes, channels } = &*self.0;
        match routes.hop(head.router, head.input.map(|(port, _)| port), packet.router) {
            Some(hop) if hop.channels != 0 => Request { port: Some(hop.port), channels: hop.channels },
            Some(hop) => Request { port: Some(hop.port), channels: ways::of_class(*word, routes.layers(), *channels) },
            None => Request { port: None, channels: 0 },
        }
    }

    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        input.filter(|_| self.0.routes.looks_at_inputs()).map_or(0, |(port, _)| 1 + u32::from(port))
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word
    }

    fn fits(&self, _router: u32, packet: &Packet, word: u32) -> bool {
        word == packet.choice && word < self.0.routes.layers()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_those_of_the_hop_or_else_of_the_layer() {
        let text = "0 1 x+\n0 2 x+ 1\n1 0 x-\n1 2 x+\n2 0 x-\n2 1 x-\nlayer 0 1 1\nlayer 0 2 1\n";
        let routes = Routes::parse(text, &Grid::new(&[3], &[false], 1, 1).into(), 3).expect("a table");
        let table = Table::new(routes, 3);
        let asked = |source: u32, router: u32, at: u32| {
            let mut packet = Packet { router, ..Packet::default() };
            let mut word = table.start(source, &mut packet, || unreachable!("nothing is drawn"));
            assert!(table.fits(at, &packet, word) && !table.fits(at, &packet, word + 1));
            table.request(Head { router: at, input: None }, &packet, &mut word)
        };
        assert_eq!(asked(0, 1, 0), Request { port: Some(0), channels: 0b110 });
        assert_eq!(asked(1, 0, 1), Request { port: Some(1), channels: 0b001 });
        assert_eq!(asked(0, 2, 0), Request { port: Some(0), channels: 0b010 });
        assert_eq!(asked(0, 2, 1), Request { port: Some(0), channels: 0b110 });
        assert_eq!(asked(0, 2, 2).port, None);
    }
}
