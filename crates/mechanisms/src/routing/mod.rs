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
use tailback_spec::{Section, View};

crate::catalogue! {
    /// Dimension order.
    DimensionOrder(dimension_order::DimensionOrder, dimension_order::ENTRY),
    /// Minimal fully adaptive.
    Adaptive(adaptive::Adaptive, adaptive::ENTRY),
    /// Turn models.
    TurnModel(turn_model::TurnModel, turn_model::ENTRY),
    /// Valiant.
    Valiant(valiant::Valiant, valiant::ENTRY),
    /// O1TURN.
    O1Turn(o1turn::O1Turn, o1turn::ENTRY),
    /// A table.
    Table(table::Table, table::ENTRY),
}

/// The `routing` section.
pub fn section() -> Section {
    Section {
        path: "routing",
        doc: "Which way packets go, and on which virtual channels.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(dimension_order::ENTRY.name),
        idle: dimension_order::IDLE.iter().chain(ways::IDLE).collect(),
    }
}

/// Builds the routing of a resolved `routing` section for `channels` virtual channels.
///
/// # Errors
/// Why it cannot work on this network or with so few channels.
pub fn build(view: View, grid: &Grid, channels: u32) -> Result<Any, Refusal> {
    Ok(match view.kind() {
        "adaptive" => Any::Adaptive(adaptive::Adaptive::new(view, grid, channels)?),
        "turn_model" => Any::TurnModel(turn_model::TurnModel::new(view, grid, channels)?),
        "valiant" => Any::Valiant(valiant::Valiant::new(view, grid, channels)?),
        "o1turn" => Any::O1Turn(o1turn::O1Turn::new(view, grid, channels)?),
        "table" => Any::Table(table::Table::new(view, grid, channels)?),
        _ => Any::DimensionOrder(dimension_order::DimensionOrder::new(view, grid, channels)),
    })
}

/// Builds the routing of a resolved `routing` section for routers without virtual channels, which ask it for ports only.
///
/// # Errors
/// Why it cannot work on this network, or not without virtual channels.
pub fn build_ports(view: View, grid: &Grid) -> Result<Any, Refusal> {
    match view.kind() {
        "adaptive" if view.text("escape") != "none" => Err(Refusal {
            path: "routing.escape",
            message: "escape channels are virtual channels, and this router has none: packets wait in the queues that \
                      `queueing` makes"
                .to_owned(),
            help: "take routing = \"turn_model\" on a mesh, or escape = \"none\" with run.allow_deadlock = true"
                .to_owned(),
        }),
        "adaptive" | "turn_model" => build(view, grid, 1),
        "table" => Ok(Any::Table(table::Table::new(view, grid, 1)?.no_longer_than_shortest(grid)?)),
        // Of these, channels do not change the ports.
        _ => build(view, grid, 16),
    }
}

/// As [`deadlock_freedom`], without virtual channels, of what [`build_ports`] takes.
///
/// # Errors
/// Why it can.
pub fn deadlock_freedom_of_ports(view: View, grid: &Grid) -> Result<String, String> {
    let none = "and there are no virtual channels to keep them apart";
    match view.kind() {
        "valiant" => Err(format!("hops of the second phase come before hops of the first in any direction, {none}")),
        "o1turn" => Err(format!("x first and y first together make every turn, {none}")),
        "dimension_order" if ways::closes_rings(grid) => {
            Err("rings, and no virtual channels for a dateline to change".to_owned())
        }
        "dimension_order" if grid.wrap().contains(&true) => Ok("no packet makes two hops in a ring".to_owned()),
        _ => deadlock_freedom(view, grid, 1, true, false),
    }
}

/// Why all packets with one source and one destination take one route.
///
/// # Errors
/// Why they may not.
pub fn one_route(view: View, grid: &Grid) -> Result<&'static str, &'static str> {
    let ties = || grid.radix().iter().zip(grid.wrap()).any(|(&k, &wrap)| wrap && k % 2 == 0);
    match view.kind() {
        "valiant" => Err("valiant routing draws a router for every packet to go by"),
        "o1turn" => Err("o1turn draws for every packet whether x or y comes first"),
        "turn_model" => Err("a turn model leaves packets a choice of shortest ways"),
        "adaptive" => Err("adaptive routing leaves packets a choice of shortest ways"),
        "table" => Ok("a table gives all packets from one router to another one route"),
        _ if matches!(view.text("tie"), "alternate" | "random") && ties() => {
            Err("where both ways round a ring are as long, packets take one or the other")
        }
        _ => Ok("dimension order gives all packets from one node to another one route"),
    }
}

/// Why a resolved `routing` section that [`build`] takes cannot deadlock on this grid, without a recovery: under a router
/// whose heads may take any of their `candidates` ([`Routing::candidates`]: wormhole, adaptive cut-through) or ask for one
/// output only ([`Routing::request`]: cut-through); with `bubbles` that keep a packet's room in every ring of escape
/// channels, or without.
///
/// Where a buffer may hold flits of several packets, this holds only for the `router.sharing` in [`safe_sharing`].
///
/// # Errors
/// Why it can.
pub fn deadlock_freedom(
    view: View,
    grid: &Grid,
    channels: u32,
    candidates: bool,
    bubbles: bool,
) -> Result<String, String> {
    let text = |why: &str| Ok(why.to_owned());
    let rings = ways::closes_rings(grid);
    match view.kind() {
        "adaptive" => adaptive::Adaptive::deadlock_freedom(view, grid, candidates, bubbles),
        "turn_model" => text("the allowed turns of a mesh close no cycle"),
        "valiant" if rings => text("dimension order and datelines in each phase, each phase on channels of its own"),
        "valiant" => text("dimension order in each phase, each phase on channels of its own"),
        "o1turn" if rings => text("x first and y first on channels of their own, datelines within rings"),
        "o1turn" => text("x first and y first on channels of their own"),
        "table" => Err("the routes of a table close one unless the check finds that they do not".to_owned()),
        _ => dimension_order::DimensionOrder::deadlock_freedom(view, grid, channels, bubbles),
    }
}

/// Whether `channels` are fewer than the classes that datelines ask for, so that these cut nothing.
pub fn has_too_few_channels(view: View, grid: &Grid, channels: u32) -> bool {
    view.kind() == dimension_order::ENTRY.name && channels < dimension_order::classes(view, grid)
}

/// The words of `router.sharing` under which [`deadlock_freedom`] holds, or a recovery finds every deadlock.
///
/// Where the dependencies between all channels close no cycle any sharing will do. An adaptive routing's do; what saves it
/// is that a blocked head can always ask for an escape channel. A head behind another packet's tail cannot ask. So a buffer
/// belongs to one packet, or, with an escape, a packet enters an adaptive buffer only where it fits behind the other.
pub fn safe_sharing(view: View) -> &'static [&'static str] {
    match view.kind() {
        "adaptive" if view.text("escape") == "none" => &["owned"],
        "adaptive" => &["owned", "shared_whole"],
        _ => &["owned", "shared", "shared_whole"],
    }
}

impl Any {
    /// All but dimension order, which alone is in the loop of a large network: its callers inline it.
    #[cold]
    fn request_other(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        match self {
            Any::DimensionOrder(r) => r.request(head, packet, word),
            Any::Adaptive(r) => r.request(head, packet, word),
            Any::TurnModel(r) => r.request(head, packet, word),
            Any::Valiant(r) => r.request(head, packet, word),
            Any::O1Turn(r) => r.request(head, packet, word),
            Any::Table(r) => r.request(head, packet, word),
        }
    }

    /// As [`Any::request_other`].
    #[cold]
    fn advance_other(&self, port: u8, word: u32) -> u32 {
        match self {
            Any::DimensionOrder(r) => r.advance(port, word),
            Any::Adaptive(r) => r.advance(port, word),
            Any::TurnModel(r) => r.advance(port, word),
            Any::Valiant(r) => r.advance(port, word),
            Any::O1Turn(r) => r.advance(port, word),
            Any::Table(r) => r.advance(port, word),
        }
    }
}

impl Routing for Any {
    #[inline]
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        match self {
            Any::DimensionOrder(r) => r.start(router, packet, draw),
            Any::Adaptive(r) => r.start(router, packet, draw),
            Any::TurnModel(r) => r.start(router, packet, draw),
            Any::Valiant(r) => r.start(router, packet, draw),
            Any::O1Turn(r) => r.start(router, packet, draw),
            Any::Table(r) => r.start(router, packet, draw),
        }
    }

    #[inline]
    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        match self {
            Any::DimensionOrder(r) => r.request(head, packet, word),
            other => other.request_other(head, packet, word),
        }
    }

    #[inline(always)]
    fn expect(&self, router: u32) {
        if let Any::DimensionOrder(r) = self {
            r.expect(router);
        }
    }

    #[inline]
    fn straight(&self, port: u8, word: u32) -> (u32, u32) {
        match self {
            Any::DimensionOrder(r) => r.straight(port, word),
            Any::Adaptive(r) => r.straight(port, word),
            Any::TurnModel(r) => r.straight(port, word),
            Any::Valiant(r) => r.straight(port, word),
            Any::O1Turn(r) => r.straight(port, word),
            Any::Table(r) => r.straight(port, word),
        }
    }

    fn is_adaptive(&self) -> bool {
        match self {
            Any::DimensionOrder(r) => r.is_adaptive(),
            Any::Adaptive(r) => r.is_adaptive(),
            Any::TurnModel(r) => r.is_adaptive(),
            Any::Valiant(r) => r.is_adaptive(),
            Any::O1Turn(r) => r.is_adaptive(),
            Any::Table(r) => r.is_adaptive(),
        }
    }

    fn choose(&self, head: Head, packet: &Packet, view: LocalView<'_>, word: &mut u32) -> Request {
        match self {
            Any::DimensionOrder(r) => r.choose(head, packet, view, word),
            Any::Adaptive(r) => r.choose(head, packet, view, word),
            Any::TurnModel(r) => r.choose(head, packet, view, word),
            Any::Valiant(r) => r.choose(head, packet, view, word),
            Any::O1Turn(r) => r.choose(head, packet, view, word),
            Any::Table(r) => r.choose(head, packet, view, word),
        }
    }

    #[inline(always)]
    fn candidates(&self, head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates {
        match self {
            Any::DimensionOrder(r) => r.candidates(head, packet, channels, word),
            Any::Adaptive(r) => r.candidates(head, packet, channels, word),
            Any::TurnModel(r) => r.candidates(head, packet, channels, word),
            Any::Valiant(r) => r.candidates(head, packet, channels, word),
            Any::O1Turn(r) => r.candidates(head, packet, channels, word),
            Any::Table(r) => r.candidates(head, packet, channels, word),
        }
    }

    #[inline]
    fn useful(&self, head: Head, packet: &Packet, word: u32) -> u16 {
        match self {
            Any::DimensionOrder(r) => r.useful(head, packet, word),
            Any::Adaptive(r) => r.useful(head, packet, word),
            Any::TurnModel(r) => r.useful(head, packet, word),
            Any::Valiant(r) => r.useful(head, packet, word),
            Any::O1Turn(r) => r.useful(head, packet, word),
            Any::Table(r) => r.useful(head, packet, word),
        }
    }

    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        match self {
            Any::DimensionOrder(r) => r.offsets(router, packet),
            Any::Adaptive(r) => r.offsets(router, packet),
            Any::TurnModel(r) => r.offsets(router, packet),
            Any::Valiant(r) => r.offsets(router, packet),
            Any::O1Turn(r) => r.offsets(router, packet),
            Any::Table(r) => r.offsets(router, packet),
        }
    }

    fn variety(&self) -> Variety {
        match self {
            Any::DimensionOrder(r) => r.variety(),
            Any::Adaptive(r) => r.variety(),
            Any::TurnModel(r) => r.variety(),
            Any::Valiant(r) => r.variety(),
            Any::O1Turn(r) => r.variety(),
            Any::Table(r) => r.variety(),
        }
    }

    fn coins(&self, router: u32, packet: &Packet) -> u32 {
        match self {
            Any::DimensionOrder(r) => r.coins(router, packet),
            Any::Adaptive(r) => r.coins(router, packet),
            Any::TurnModel(r) => r.coins(router, packet),
            Any::Valiant(r) => r.coins(router, packet),
            Any::O1Turn(r) => r.coins(router, packet),
            Any::Table(r) => r.coins(router, packet),
        }
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        match self {
            Any::DimensionOrder(r) => r.memory(head, packet),
            Any::Adaptive(r) => r.memory(head, packet),
            Any::TurnModel(r) => r.memory(head, packet),
            Any::Valiant(r) => r.memory(head, packet),
            Any::O1Turn(r) => r.memory(head, packet),
            Any::Table(r) => r.memory(head, packet),
        }
    }

    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        match self {
            Any::DimensionOrder(r) => r.input_class(input),
            Any::Adaptive(r) => r.input_class(input),
            Any::TurnModel(r) => r.input_class(input),
            Any::Valiant(r) => r.input_class(input),
            Any::O1Turn(r) => r.input_class(input),
            Any::Table(r) => r.input_class(input),
        }
    }

    fn is_told(&self, word: u32) -> bool {
        match self {
            Any::DimensionOrder(r) => r.is_told(word),
            Any::Adaptive(r) => r.is_told(word),
            Any::TurnModel(r) => r.is_told(word),
            Any::Valiant(r) => r.is_told(word),
            Any::O1Turn(r) => r.is_told(word),
            Any::Table(r) => r.is_told(word),
        }
    }

    #[inline]
    fn advance(&self, port: u8, word: u32) -> u32 {
        match self {
            Any::DimensionOrder(r) => r.advance(port, word),
            other => other.advance_other(port, word),
        }
    }
}
