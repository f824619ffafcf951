//! Routing: which output and which virtual channels a head asks for.

pub mod adaptive;
pub mod classed;
mod classes;
pub mod cross_line;
pub mod dal;
mod datelines;
mod detour;
pub mod dimension_order;
pub mod dimwar;
mod draws;
mod either_order;
pub mod escape_order;
mod idle;
mod in_rows;
pub mod layered;
pub mod least_delay;
mod middles;
pub mod minimal;
pub mod minimal_adaptive;
pub mod o1turn;
pub mod omniwar;
pub mod par;
pub mod piggyback;
pub mod ranged;
pub mod table;
#[cfg(test)]
mod tests;
mod threshold;
pub mod turn_model;
pub mod two_phase;
mod ugal;
pub mod ugal_g;
pub mod ugal_l;
pub mod up_down;
pub mod valiant;
mod ways;

pub(crate) use idle::{
    gives_all_channels, gives_one_channel, gives_one_port, is_adaptive_without_escape, needs_a_channel_of_one_port,
};
pub(crate) use ways::{PORT_MASK, Ways};

use crate::Refusal;
use tailback_engine::contract::admission::LocalView;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Candidates, Head, Lesser, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_network::ways::MOST_PAIRS;
use tailback_spec::{Entry, Resolved, View};

/// The routing of a network without a grid, unless its spec says another one.
pub const WITHOUT_GRID: &str = minimal::ENTRY.name;

/// Why a routing for some networks without a grid cannot say how it is free of deadlock on one.
const WITHOUT_GRID_ONLY: &str = "it is for networks without a grid";

/// A routing that is for some networks without a grid, on a grid.
fn only_without_grid(entry: &Entry) -> Refusal {
    Refusal {
        path: "routing.kind",
        message: format!("{} routing is for networks without a grid", entry.name),
        help: "take routing = \"dimension_order\", which is minimal on a grid".to_owned(),
    }
}

/// Ways for more pairs of routers than tables are made for.
fn too_many_pairs(ways: &str, pairs: u64) -> Refusal {
    Refusal {
        path: "topology",
        message: format!(
            "{ways} are kept in a table of {MOST_PAIRS} pairs of routers at most, and this network has {pairs}"
        ),
        help: "take a smaller network".to_owned(),
    }
}

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

crate::registry::registry! {
    /// A routing that a spec can name.
    Routing: dimension_order::DimensionOrder, adaptive::Adaptive, turn_model::TurnModel, valiant::Valiant, o1turn::O1Turn, cross_line::CrossLine, table::Table, minimal::Minimal,
        ugal_l::UgalL, ugal_g::UgalG, par::Par, piggyback::PiggyBack,
        up_down::UpDown, layered::Layered, least_delay::LeastDelay, minimal_adaptive::MinimalAdaptive, dal::Dal, dimwar::DimWar, omniwar::OmniWar, two_phase::TwoPhase, escape_order::EscapeOrder;
        beside classed::Classed, ranged::Ranged;

    section {
        path: "routing",
        doc: "Which way packets go, and on which virtual channels.",
        default: dimension_order,
        params: &[],
        idle: ways::IDLE
    }

    /// Builds it from a resolved `routing` section for `channels` virtual channels.
    ///
    /// # Errors
    /// Why it cannot work on this network or with so few channels.
    pub fn build(view: View, grid: &Grid, channels: u32) -> Result<Any, Refusal>;

    /// Builds it for routers without virtual channels, which ask it for ports only. As a rule channels do not change the ports.
    ///
    /// # Errors
    /// Why it cannot work on this network, or not without virtual channels.
    pub fn build_ports(view: View, grid: &Grid) -> Result<Any, Refusal> { Self::build(view, grid, 16) }

    /// Builds it on a network that has no grid.
    ///
    /// # Errors
    /// Why it cannot work there, or with so few channels.
    pub fn build_any(view: View, built: &Built, channels: u32) -> Result<Any, Refusal> {
        Err(Refusal {
            path: "routing.kind",
            message: format!("{} routing goes by coordinates, and only plain tori and meshes have a grid of them", view.kind()),
            help: "take routing = \"minimal\"".to_owned(),
        })
    }

    /// The virtual channels that it needs on the network of a `topology` section without a grid; `None` where nobody can tell, or on
    /// a grid.
    pub fn channels_needed(view: View, topology: View) -> Option<u32> { None }

    /// The first virtual channels of a link, of each class of messages, beyond which its packets take none on the network of a `topology`
    /// section; `None` where they may take all.
    pub fn channels_used(view: View, topology: View) -> Option<u32> { None }

    /// Whether checks visit [`build_for_check`] instead of what runs.
    pub fn is_checked_otherwise(view: View) -> bool { false }

    /// Builds what checks visit instead on a network without a grid: a routing that gives by its draws every way that packets may take,
    /// also where these go by more than draws and routers.
    ///
    /// # Errors
    /// As [`build_any`].
    pub fn build_for_check(view: View, built: &Built, channels: u32) -> Result<Any, Refusal> { Self::build_any(view, built, channels) }

    /// Whether the ways of packets between two routers depend on which of their nodes they are from and for.
    pub fn goes_by_nodes(view: View) -> bool { false }

    /// Why it cannot deadlock on a network without a grid, where [`build_any`] takes it.
    ///
    /// # Errors
    /// Why it can.
    pub fn freedom_of_any(view: View, built: &Built) -> Result<String, String> {
        Err("it needs a grid".to_owned())
    }

    /// The same without virtual channels.
    ///
    /// # Errors
    /// Why it can.
    pub fn freedom_of_any_ports(view: View, built: &Built) -> Result<String, String> {
        Err("it has classes of virtual channels to keep packets apart, and this router has no virtual channels".to_owned())
    }

    /// Why all packets with one source and one destination take one route.
    ///
    /// # Errors
    /// Why they may not.
    pub fn one_route(view: View, grid: &Grid) -> Result<&'static str, &'static str>;

    /// Why it cannot deadlock on this grid, without a recovery, where [`build`] takes it. Where a buffer may hold flits of
    /// several packets, this holds only for the `router.sharing` in [`safe_sharing`].
    ///
    /// # Errors
    /// Why it can.
    pub fn deadlock_freedom(view: View, grid: &Grid, when: Conditions) -> Result<String, String>;

    /// The same without virtual channels, of what [`build_ports`] takes.
    ///
    /// # Errors
    /// Why it can.
    pub fn deadlock_freedom_of_ports(view: View, grid: &Grid) -> Result<String, String> { Self::deadlock_freedom(view, grid, Conditions::PORTS) }

    /// Whether `channels` are fewer than the classes that datelines ask for, so that these cut nothing.
    pub fn lacks_channels(view: View, grid: &Grid, channels: u32) -> bool { false }

    /// The words of `router.sharing` under which [`deadlock_freedom`] holds, or a recovery finds every deadlock.
    ///
    /// Where the dependencies between all channels close no cycle any sharing will do. An adaptive routing's do; what saves it
    /// is that a blocked head can always ask for an escape channel. A head behind another packet's tail cannot ask. So a buffer
    /// belongs to one packet, or, with an escape, a packet enters an adaptive buffer only where it fits behind the other.
    pub fn safe_sharing(view: View) -> &'static [&'static str] { &["owned", "shared", "shared_whole"] }

    /// Which routes packets take between two routers.
    const ROUTES as routes: Routes = Routes::Few;

    /// Whether all packets make their hops in the lowest dimension first, then in the next.
    const IN_DIMENSION_ORDER as in_dimension_order: bool = false;

    /// Whether a route may be up to twice as long as the network is wide.
    const CROSSES_TWICE as crosses_twice: bool = false;

    /// Whether it goes by the links of a network alone: on a grid as on any other network, and by no coordinates there.
    const GOES_BY_LINKS as goes_by_links: bool = false;

    /// Whether a packet's ways depend on where its destination is from it, and on nothing else of the two places.
    pub fn treats_routers_alike(view: View) -> bool { !view.has("tie") || view.text("tie") != "sign" }

    /// Whether packets look at queues at their source only.
    const DECIDES_AT_SOURCE as decides_at_source: bool = false;

    /// Whether its routes come from a file, which may have changed since it was built.
    const READS_FILE as reads_file: bool = false;

    /// What its tables for so many routers take, beside those that all have \[bytes\]. Saturating.
    pub fn bytes(view: View, routers: u64) -> u64 { 0 }

    /// Classes into which it divides the channels of a port, at most so many as there are. `None` where packets have several ports, or
    /// where only the network can tell.
    fn classes(view: View, spec: &Resolved) -> Option<u32> { None }

    impl Routing {
        #[inline]
        fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32;
        // PERF: dimension order alone is in the loop of a large network, whose callers inline it. Without a grid most packets take minimal ways
        // (`tailback bench dragonfly-1056`).
        usually DimensionOrder or Minimal
        #[inline]
        fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request;
        #[inline]
        fn sight(&self) -> Sight;
        #[inline]
        fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request;
        fn decided(&self) -> u32;
        fn options(&self, head: Head, packet: &Packet, word: u32) -> u32;
        fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request;
        fn signal(&self, router: u32, queues: &impl Queues) -> u64;
        #[inline(always)]
        fn expect(&self, router: u32);
        #[inline]
        fn straight(&self, port: u8, word: u32) -> (u32, u32);
        fn is_adaptive(&self) -> bool;
        fn choose(&self, head: Head, packet: &Packet, view: LocalView<'_>, word: &mut u32) -> Request;
        #[inline(always)]
        fn candidates(&self, head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates;
        #[inline]
        fn has_lesser(&self) -> Lesser;
        fn lesser(&self, head: Head, packet: &Packet) -> Request;
        #[inline]
        fn useful(&self, head: Head, packet: &Packet, word: u32) -> u16;
        fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6];
        fn variety(&self) -> Variety;
        fn even_draws(&self) -> Vec<u32>;
        fn coins(&self, router: u32, packet: &Packet) -> u32;
        fn memory(&self, head: Head, packet: &Packet) -> u32;
        fn input_class(&self, input: Option<(u8, u8)>) -> u32;
        fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool;
        fn is_told(&self, word: u32) -> bool;
        usually DimensionOrder or Minimal
        #[inline]
        fn advance(&self, port: u8, word: u32) -> u32;
    }
}
