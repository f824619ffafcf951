//! Layered shortest paths: one shortest way for each pair of routers, and channels by layers that close no circle.
//!
//! Paper:    Lysne, Skeie, Reinemo and Theiss, 2006 (LASH).
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination router and its layer.
//! State:    none.
//! Differs from the paper: pairs are taken in order of destination, then source, and layers are not balanced afterwards.

use super::table::Table;
use super::{Conditions, Listed};
use crate::Refusal;
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_network::routes::{Engine, Routes};
use tailback_spec::{Entry, View};

/// Layered routing.
pub static ENTRY: Entry = Entry {
    name: "layered",
    summary: "one shortest way per pair of routers of any network, in layers of channels that close no circle",
    paper: "Lysne et al., 2006",
    ideal: false,
    params: &[],
};

/// Computed routes, which are as good as those of a file.
#[derive(Clone, Debug)]
pub struct Layered(Table);

impl Listed for Layered {
    const GOES_BY_LINKS: bool = true;

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        Self::build_any(view, &Built::on_grid(grid), channels)
    }

    fn build_any(_view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let engine = Engine::named(ENTRY.name).expect("it is an engine, too");
        let routes = engine.routes(built).map_err(|message| Refusal {
            path: "routing.kind",
            message,
            help: "take routing = \"up_down\", which needs one virtual channel".to_owned(),
        })?;
        let (layers, channels) = (routes.layers(), built.channels.everywhere(channels));
        if channels < layers {
            return Err(Refusal {
                path: "router.virtual_channels",
                message: format!(
                    "layered routing needs {layers} virtual channels here, one for each layer, and there are {channels}"
                ),
                help: format!("set router.virtual_channels to {layers} or more"),
            });
        }
        Ok(Layered(Table::new(routes, channels)))
    }

    fn freedom_of_any(_view: View, _built: &Built) -> Result<String, String> {
        Ok("in no layer do links wait for each other in a circle".to_owned())
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Ok("all packets from one router to another one take one route")
    }

    fn deadlock_freedom(view: View, grid: &Grid, _when: Conditions) -> Result<String, String> {
        Self::freedom_of_any(view, &Built::on_grid(grid))
    }

    fn deadlock_freedom_of_ports(view: View, grid: &Grid) -> Result<String, String> {
        Self::freedom_of_any_ports(view, &Built::on_grid(grid))
    }

    fn treats_routers_alike(_view: View) -> bool {
        false
    }

    fn bytes(_view: View, routers: u64) -> u64 {
        Routes::bytes(routers)
    }
}

impl Routing for Layered {
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
