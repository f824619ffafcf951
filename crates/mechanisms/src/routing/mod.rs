//! Routing: which output and which virtual channels a head asks for.

pub mod adaptive;
pub mod dimension_order;
mod idle;
pub mod o1turn;
pub mod table;
#[cfg(test)]
mod tests;
pub mod turn_model;
pub mod valiant;
mod ways;

pub(crate) use idle::{gives_all_channels, gives_one_channel, gives_one_port, is_adaptive_without_escape};
pub(crate) use ways::{PORT_MASK, Ways};

use crate::Refusal;
use tailback_engine::contract::admission::LocalView;
use tailback_engine::contract::routing::{Candidates, Head, Request, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Idle, Resolved, Section, View};

/// Which routes packets take between two routers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routes {
    /// A few, each of which some draw gives ([`Routing::variety`]).
    Few,
    /// Any of the shortest.
    Shortest,
    /// By way of other routers: a packet may pass its destination and go on.
    Detours,
}

/// In what network it is asked whether packets can wait for each other.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Virtual channels of a link.
    pub channels: u32,
    /// Whether heads may take any of their `candidates` ([`Routing::candidates`]: wormhole, adaptive cut-through), or else ask for one
    /// output only ([`Routing::request`]: cut-through).
    pub candidates: bool,
    /// Whether bubbles keep a packet's room in every ring of escape channels.
    pub bubbles: bool,
}

impl Conditions {
    /// Of routers without virtual channels.
    pub const PORTS: Conditions = Conditions { channels: 1, candidates: true, bubbles: false };
}

/// A routing that a spec can name.
pub trait Listed: Routing + Sized {
    /// Where parameters of it have no effect.
    const IDLE: &'static [Idle] = &[];

    /// Builds it from a resolved `routing` section for `channels` virtual channels.
    ///
    /// # Errors
    /// Why it cannot work on this network or with so few channels.
    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal>;

    /// Builds it for routers without virtual channels, which ask it for ports only. As a rule channels do not change the ports.
    ///
    /// # Errors
    /// Why it cannot work on this network, or not without virtual channels.
    fn build_ports(view: View, grid: &Grid) -> Result<Self, Refusal> {
        Self::build(view, grid, 16)
    }

    /// Why all packets with one source and one destination take one route.
    ///
    /// # Errors
    /// Why they may not.
    fn one_route(view: View, grid: &Grid) -> Result<&'static str, &'static str>;

    /// Why it cannot deadlock on this grid, without a recovery, where [`Listed::build`] takes it. Where a buffer may hold flits of
    /// several packets, this holds only for the `router.sharing` in [`Listed::safe_sharing`].
    ///
    /// # Errors
    /// Why it can.
    fn deadlock_freedom(view: View, grid: &Grid, when: Conditions) -> Result<String, String>;

    /// The same without virtual channels, of what [`Listed::build_ports`] takes.
    ///
    /// # Errors
    /// Why it can.
    fn deadlock_freedom_of_ports(view: View, grid: &Grid) -> Result<String, String> {
        Self::deadlock_freedom(view, grid, Conditions::PORTS)
    }

    /// Whether `channels` are fewer than the classes that datelines ask for, so that these cut nothing.
    fn lacks_channels(_view: View, _grid: &Grid, _channels: u32) -> bool {
        false
    }

    /// The words of `router.sharing` under which [`Listed::deadlock_freedom`] holds, or a recovery finds every deadlock.
    ///
    /// Where the dependencies between all channels close no cycle any sharing will do. An adaptive routing's do; what saves it
    /// is that a blocked head can always ask for an escape channel. A head behind another packet's tail cannot ask. So a buffer
    /// belongs to one packet, or, with an escape, a packet enters an adaptive buffer only where it fits behind the other.
    fn safe_sharing(_view: View) -> &'static [&'static str] {
        &["owned", "shared", "shared_whole"]
    }

    /// Which routes packets take between two routers.
    fn routes(_view: View) -> Routes {
        Routes::Few
    }

    /// Whether all packets make their hops in the lowest dimension first, then in the next.
    fn in_dimension_order(_view: View) -> bool {
        false
    }

    /// Whether a route may be up to twice as long as the network is wide.
    fn crosses_twice(_view: View) -> bool {
        false
    }

    /// Whether a packet's ways depend on where its destination is from it, and on nothing else of the two places.
    fn treats_routers_alike(view: View) -> bool {
        !view.has("tie") || view.text("tie") != "sign"
    }

    /// Whether its routes come from a file, which may have changed since it was built.
    fn reads_file(_view: View) -> bool {
        false
    }

    /// What its tables for so many routers take, beside those that all have \[bytes\]. Saturating.
    fn bytes(_view: View, _routers: u64) -> u64 {
        0
    }

    /// Classes into which it divides the channels of a port, at most so many as there are. `None` where packets have several ports, or
    /// where only the network can tell.
    fn classes(view: View, spec: &Resolved) -> Option<u32>;
}

crate::registry::registry! {
    dimension_order::DimensionOrder, adaptive::Adaptive, turn_model::TurnModel, valiant::Valiant, o1turn::O1Turn, table::Table;

    /// Builds the routing of a resolved `routing` section for `channels` virtual channels.
    ///
    /// # Errors
    /// Why it cannot work on this network or with so few channels.
    pub fn build(view: View, grid: &Grid, channels: u32) -> Result<Any, Refusal>;

    /// Builds the routing of a resolved `routing` section for routers without virtual channels, which ask it for ports only.
    ///
    /// # Errors
    /// Why it cannot work on this network, or not without virtual channels.
    pub fn build_ports(view: View, grid: &Grid) -> Result<Any, Refusal>;

    /// As [`Listed::one_route`].
    ///
    /// # Errors
    /// Why they may not.
    pub fn one_route(view: View, grid: &Grid) -> Result<&'static str, &'static str>;

    /// As [`Listed::deadlock_freedom`].
    ///
    /// # Errors
    /// Why it can.
    pub fn deadlock_freedom(view: View, grid: &Grid, when: Conditions) -> Result<String, String>;

    /// As [`Listed::deadlock_freedom_of_ports`].
    ///
    /// # Errors
    /// Why it can.
    pub fn deadlock_freedom_of_ports(view: View, grid: &Grid) -> Result<String, String>;

    /// As [`Listed::lacks_channels`].
    pub fn lacks_channels(view: View, grid: &Grid, channels: u32) -> bool;

    /// As [`Listed::safe_sharing`].
    pub fn safe_sharing(view: View) -> &'static [&'static str];

    /// As [`Listed::routes`].
    pub fn routes(view: View) -> Routes;

    /// As [`Listed::in_dimension_order`].
    pub fn in_dimension_order(view: View) -> bool;

    /// As [`Listed::crosses_twice`].
    pub fn crosses_twice(view: View) -> bool;

    /// As [`Listed::treats_routers_alike`].
    pub fn treats_routers_alike(view: View) -> bool;

    /// As [`Listed::reads_file`].
    pub fn reads_file(view: View) -> bool;

    /// As [`Listed::bytes`].
    pub fn bytes(view: View, routers: u64) -> u64;

    fn classes(view: View, spec: &Resolved) -> Option<u32>;

    impl Routing {
        #[inline]
        fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32;
        // PERF: dimension order alone is in the loop of a large network, whose callers inline it.
        usually DimensionOrder
        #[inline]
        fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request;
        #[inline(always)]
        fn expect(&self, router: u32);
        #[inline]
        fn straight(&self, port: u8, word: u32) -> (u32, u32);
        fn is_adaptive(&self) -> bool;
        fn choose(&self, head: Head, packet: &Packet, view: LocalView<'_>, word: &mut u32) -> Request;
        #[inline(always)]
        fn candidates(&self, head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates;
        #[inline]
        fn useful(&self, head: Head, packet: &Packet, word: u32) -> u16;
        fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6];
        fn variety(&self) -> Variety;
        fn coins(&self, router: u32, packet: &Packet) -> u32;
        fn memory(&self, head: Head, packet: &Packet) -> u32;
        fn input_class(&self, input: Option<(u8, u8)>) -> u32;
        usually DimensionOrder
        #[inline]
        fn advance(&self, port: u8, word: u32) -> u32;
        fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool;
    }
}

/// The `routing` section.
pub fn section() -> Section {
    Section {
        path: "routing",
        doc: "Which way packets go, and on which virtual channels.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(dimension_order::ENTRY.name),
        idle: idle().chain(ways::IDLE).collect(),
    }
}
