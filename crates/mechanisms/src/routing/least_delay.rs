//! One way of the least delay for each pair of routers, on all channels of its links.
//!
//! Paper:    none; `min` of BookSim 2 for networks from files (Jiang et al., ISPASS 2013).
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination router.
//! State:    none.

use super::table::Table;
use super::{Conditions, Listed};
use crate::Refusal;
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_network::routes::{Engine, Routes};
use tailback_spec::{Entry, View};

/// Routing by least delay.
pub static ENTRY: Entry = Entry {
    name: "least_delay",
    summary: "one way of the least delay per pair of routers of any network, on all channels; the static check says whether it may lock up",
    paper: "Jiang et al., ISPASS 2013",
    ideal: false,
    params: &[],
};

/// Computed routes, which are as good as those of a file.
#[derive(Clone, Debug)]
pub struct LeastDelay(Table);

/// What is known of such ways before the check has looked at them.
const UNKNOWN: &str = "ways of the least delay close one unless the check finds that they do not";

impl Listed for LeastDelay {
    const GOES_BY_LINKS: bool = true;

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        Self::build_any(view, &Built::on_grid(grid), channels)
    }

    fn build_any(_view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let engine = Engine::named(ENTRY.name).expect("it is an engine, too");
        let routes = engine.routes(built).map_err(|message| Refusal {
            path: "routing.kind",
            message,
            help: "take a smaller network".to_owned(),
        })?;
        Ok(LeastDelay(Table::new(routes, built.channels.everywhere(channels))))
    }

    fn freedom_of_any(_view: View, _built: &Built) -> Result<String, String> {
        Err(UNKNOWN.to_owned())
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Ok("all packets from one router to another one take one route")
    }

    fn deadlock_freedom(view: View, grid: &Grid, _when: Conditions) -> Result<String, String> {
        Self::freedom_of_any(view, &Built::on_grid(grid))
    }

    fn treats_routers_alike(_view: View) -> bool {
        false
    }

    fn bytes(_view: View, routers: u64) -> u64 {
        Routes::bytes(routers)
    }
}

impl Routing for LeastDelay {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        self.0.start(router, packet, draw)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.0.request(head, packet, word)
    }

    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        self.0.input_class(input)
    }

    fn advance(&self, port: u8, word: u32) -> u32 {
        self.0.advance(port, word)
    }

    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        self.0.fits(router, packet, word)
    }
}
