//! Dimension order with the channels of BookSim 2's adaptive routings, whose packets ask for one port each.
//!
//! Paper:    Duato 1993; Chien and Kim 1992. BookSim 2's `min_adapt` and `planar_adapt`, whose set of outputs keeps one entry for each
//!           priority, the first: so packets go in dimension order there.
//! Acts:     once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination, and the channel that it waits in.
//! State:    none.
//! Differs from the papers: nothing is adaptive but the channel. Input-queued routers whose allocator looks at priorities give the escape
//! channel only where no other can be had; with the rest all that a head asks for are alike.

use super::ways::{PORT_BITS, PORT_MASK, TIE, Ways};
use super::{Conditions, Listed, idle};
use crate::Refusal;
use tailback_engine::contract::routing::{Head, Lesser, Request, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// Dimension order with escape channels.
pub static ENTRY: Entry = Entry {
    name: "escape_order",
    summary: "dimension order with escape channels, as the adaptive routings of BookSim 2 come to",
    paper: "Duato 1993",
    ideal: false,
    params: &[
        TIE,
        Param {
            name: "channels",
            kind: Kind::Choice(&[
                (
                    "escape",
                    "on a mesh all, and a packet that has taken channel 0 stays in it; on a torus channel 3, and of channels 0 and 1 that of the \
                     packet's class, in which a packet stays that has taken one",
                ),
                ("thirds", "the last third of three, and what is left over; meshes"),
            ]),
            unit: "",
            fallback: Fallback::Text("escape"),
            doc: "Which channels a head may take.",
        },
        Param {
            name: "escape_tie",
            kind: Kind::Choice(&[
                ("same", "the way of the other channels"),
                (
                    "random",
                    "by a coin per packet and dimension, as in BookSim 2: a head may ask for channels of two ports; input-queued routers",
                ),
            ]),
            unit: "",
            fallback: Fallback::Text("same"),
            doc: "Which way the escape channels lead on a ring when both ways are as long (distance k/2).",
        },
    ],
};

/// The adaptive channel of a torus.
const ADAPTIVE: u32 = 3;

/// The lowest of the bits of a packet's choice that are the coins of escape channels, one for each dimension.
const ESCAPE_COINS: u32 = 8;

/// The routing.
#[derive(Clone, Debug)]
pub struct EscapeOrder {
    ways: Ways,
    channels: u32,
    rule: Rule,
    /// The dimensions in which escape channels lead by a coin where both ways are as long.
    coins: u32,
}

/// Which channels a head may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// All but that what is in channel 0 stays there.
    Line,
    /// The adaptive one, and the escape channel of the class.
    Ring,
    /// Some, always.
    Of(u16),
}

impl EscapeOrder {
    fn mask(&self, head: Head, packet: &Packet, port: u32) -> u16 {
        match (self.rule, head.input) {
            (Rule::Of(mask), _) => mask,
            (Rule::Line, Some((_, 0))) => 1,
            (Rule::Line, _) => super::ways::all(self.channels),
            (Rule::Ring, Some((input, channel))) if channel < 2 => {
                let goes_on = u32::from(input) / 2 == port / 2;
                1 << if goes_on { u32::from(channel) } else { self.class(head.router, packet, port) }
            }
            (Rule::Ring, _) if self.escape_port(head, packet, port) != port => 1 << ADAPTIVE,
            (Rule::Ring, _) => 1 << ADAPTIVE | 1 << self.class(head.router, packet, port),
        }
    }

    /// Whether a head is in an escape channel.
    fn is_in_escape(&self, head: Head) -> bool {
        match self.rule {
            Rule::Line => matches!(head.input, Some((_, 0))),
            Rule::Ring => matches!(head.input, Some((_, 0..=1))),
            Rule::Of(_) => false,
        }
    }

    /// The port to which the escape channels lead a head whose other channels lead to `port`.
    fn escape_port(&self, head: Head, packet: &Packet, port: u32) -> u32 {
        let d = port / 2;
        if self.coins >> d & 1 == 0 || self.ways.tied(head.router, packet.router) >> d & 1 == 0 {
            return port;
        }
        2 * d + (packet.choice >> (ESCAPE_COINS + d) & 1)
    }

    /// What the escape channels are for a head that may take others, too.
    fn escape(&self, head: Head, packet: &Packet) -> Request {
        let leg = self.ways.leg(head.router, packet.router, packet);
        if leg >> PORT_BITS == 0 || matches!(self.rule, Rule::Of(_)) || self.is_in_escape(head) {
            return Request { port: None, channels: 0 };
        }
        let port = self.escape_port(head, packet, leg & PORT_MASK);
        let channel = if self.rule == Rule::Line { 0 } else { self.class(head.router, packet, port) };
        Request { port: Some(port as u8), channels: 1 << channel }
    }

    /// The class of a packet that enters a ring by a port.
    fn class(&self, router: u32, packet: &Packet, port: u32) -> u32 {
        let at = |router: u32| self.ways.grid().coordinates(router)[(port / 2) as usize];
        u32::from(at(router) > at(packet.router))
    }
}

impl Listed for EscapeOrder {
    const IN_DIMENSION_ORDER: bool = true;
    const IDLE: &'static [Idle] = &[Idle {
        keys: &["escape_tie"],
        when: &[When::Where("no ring has an even number of routers", idle::has_no_ties)],
        because: "one of the two ways round is always shorter",
    }];

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        let wraps = grid.wrap().contains(&true);
        let (kind, needed) = if wraps { ("torus", ADAPTIVE + 1) } else { ("mesh", 2) };
        if channels < needed {
            return Err(Refusal {
                path: "router.virtual_channels",
                message: format!("{} routing needs {needed} virtual channels on a {kind}, not {channels}", ENTRY.name),
                help: format!("set router.virtual_channels to {needed} or more, or take routing = \"dimension_order\""),
            });
        }
        let thirds = view.text("channels") == "thirds";
        if thirds && wraps {
            return Err(Refusal {
                path: "routing.channels",
                message: "the last third of the channels is for meshes: it has no classes for rings".to_owned(),
                help: "take routing.channels = \"escape\"".to_owned(),
            });
        }
        let rule = match (thirds, wraps) {
            (true, _) => Rule::Of(super::ways::all(channels) & !super::ways::all(channels / 3 * 2)),
            (false, true) => Rule::Ring,
            (false, false) => Rule::Line,
        };
        let ways = Ways::new(view, grid);
        let coins = if view.text("escape_tie") == "random" { ways.tied_dimensions() } else { 0 };
        Ok(EscapeOrder { ways, channels, rule, coins })
    }

    fn build_ports(_view: View, _grid: &Grid) -> Result<Self, Refusal> {
        Err(Refusal {
            path: "routing.kind",
            message: format!("{} routing is about virtual channels, and this router has none", ENTRY.name),
            help: "take routing = \"dimension_order\", which has the same ways".to_owned(),
        })
    }

    fn channels_used(_view: View, topology: View) -> Option<u32> {
        (topology.kind() == "torus").then_some(ADAPTIVE + 1)
    }

    fn one_route(view: View, grid: &Grid) -> Result<&'static str, &'static str> {
        if view.text("escape_tie") == "random" && Ways::up(grid).tied_dimensions() != 0 {
            return Err("where both ways round a ring are as long, packets take one or the other");
        }
        super::dimension_order::DimensionOrder::one_route(view, grid)
    }

    fn deadlock_freedom(_view: View, grid: &Grid, _when: Conditions) -> Result<String, String> {
        match super::ways::closes_rings(grid) {
            false => Ok("dimension order, and no packet turns back in a dimension".to_owned()),
            true => {
                Err("packets in the adaptive channel of a ring wait for each other, unless one takes an escape channel"
                    .to_owned())
            }
        }
    }

    fn classes(_view: View, spec: &Resolved) -> Option<u32> {
        (!idle::wraps(spec)).then_some(1)
    }
}

impl Routing for EscapeOrder {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        if self.ways.draws() || self.coins != 0 {
            packet.choice = draw();
        }
        packet.hops = self.ways.leg_and_hops(router, packet.router, packet).1;
        0
    }

    fn request(&self, head: Head, packet: &Packet, _word: &mut u32) -> Request {
        let leg = self.ways.leg(head.router, packet.router, packet);
        if leg >> PORT_BITS == 0 {
            return Request { port: None, channels: 0 };
        }
        // Straight on a packet keeps its direction, for the way behind it is longer.
        let mut port = leg & PORT_MASK;
        if self.is_in_escape(head) {
            port = self.escape_port(head, packet, port);
        }
        Request { port: Some(port as u8), channels: self.mask(head, packet, port) }
    }

    fn has_lesser(&self) -> Lesser {
        match self.rule {
            Rule::Of(_) => Lesser::None,
            _ if self.coins != 0 => Lesser::Elsewhere,
            _ => Lesser::Requested,
        }
    }

    fn lesser(&self, head: Head, packet: &Packet) -> Request {
        self.escape(head, packet)
    }

    /// The escape channels of another port, for checks.
    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        let elsewhere = self.coins != 0 && {
            let (escape, own) = (self.escape(head, packet), self.request(head, packet, &mut { word }));
            escape.port.is_some() && escape.port != own.port
        };
        1 + u32::from(elsewhere)
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        if option == 0 { self.request(head, packet, word) } else { self.escape(head, packet) }
    }

    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        self.ways.offsets(router, packet.router, packet)
    }

    fn variety(&self) -> Variety {
        let ways = self.ways.variety();
        Variety { coins: ways.coins | self.coins << ESCAPE_COINS, ..ways }
    }

    fn coins(&self, router: u32, packet: &Packet) -> u32 {
        let tied = self.ways.tied(router, packet.router) & self.coins;
        self.ways.coins(router, packet.router) | tied << ESCAPE_COINS
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        let tied = self.ways.tied(head.router, packet.router) & self.coins;
        // The low bits tell the way of the other channels.
        self.ways.memory(head.router, packet.router, packet) | packet.choice & tied << ESCAPE_COINS
    }

    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        match (self.rule, input) {
            (Rule::Of(_), _) | (_, None) => 0,
            (Rule::Line, Some((_, channel))) => u32::from(channel == 0),
            (Rule::Ring, Some((port, channel))) if channel < 2 => 1 + (u32::from(port) / 2 * 2 + u32::from(channel)),
            (Rule::Ring, Some(_)) => 0,
        }
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word
    }

    fn fits(&self, _router: u32, _packet: &Packet, word: u32) -> bool {
        word == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::section;
    use crate::testing::resolved;

    fn asked(grid: &Grid, rule: &str, input: Option<(u8, u8)>, at: u32, to: u32) -> (Option<u8>, u16) {
        let spec = resolved(section(), &[("kind", "escape_order"), ("channels", rule), ("tie", "minus")]);
        let routing = EscapeOrder::build(spec.view("routing"), grid, 5).unwrap_or_else(|no| panic!("{}", no.message));
        let mut packet = Packet { router: to, ..Packet::default() };
        let mut word = routing.start(at, &mut packet, || unreachable!("nothing is drawn"));
        let Request { port, channels } = routing.request(Head { router: at, input }, &packet, &mut word);
        (port, channels)
    }

    #[test]
    fn what_has_taken_an_escape_channel_stays_in_it() {
        let mesh = Grid::new(&[4, 4], &[false; 2], 1, 1);
        assert_eq!(asked(&mesh, "escape", None, 0, 6), (Some(0), 0b1_1111));
        assert_eq!(asked(&mesh, "escape", Some((1, 2)), 1, 6), (Some(0), 0b1_1111));
        assert_eq!(asked(&mesh, "escape", Some((1, 0)), 2, 6), (Some(2), 1));
        assert_eq!(asked(&mesh, "thirds", None, 0, 6), (Some(0), 0b1_1100));
    }

    #[test]
    fn rings_have_an_adaptive_channel_and_two_classes() {
        let torus = Grid::new(&[5, 5], &[true; 2], 1, 1);
        assert_eq!(asked(&torus, "escape", None, 0, 2), (Some(0), 0b1001));
        // Over the wrap-around link, up and down.
        assert_eq!(asked(&torus, "escape", None, 4, 1), (Some(0), 0b1010));
        assert_eq!(asked(&torus, "escape", None, 3, 1), (Some(1), 0b1010));
        // Behind it, straight on: the class of the channel.
        assert_eq!(asked(&torus, "escape", Some((1, 1)), 0, 1), (Some(0), 0b0010));
        assert_eq!(asked(&torus, "escape", Some((1, 3)), 0, 1), (Some(0), 0b1001));
        assert_eq!(asked(&torus, "escape", Some((1, 1)), 0, 5), (Some(2), 0b0001));
    }

    #[test]
    fn on_even_rings_a_coin_turns_the_escape_alone() {
        let torus = Grid::new(&[4, 5], &[true; 2], 1, 1);
        let spec = resolved(section(), &[("kind", "escape_order"), ("tie", "minus"), ("escape_tie", "random")]);
        let routing = EscapeOrder::build(spec.view("routing"), &torus, 4).unwrap_or_else(|no| panic!("{}", no.message));
        let mut packet = Packet { router: 3, ..Packet::default() };
        let mut word = routing.start(1, &mut packet, || 0);
        let mut asked = |input| {
            let head = Head { router: 1, input };
            let Request { port, channels } = routing.request(head, &packet, &mut word);
            let lesser = routing.lesser(head, &packet);
            (port, channels, lesser.port, lesser.channels, routing.options(head, &packet, 0))
        };
        // The coin says up, the other channels lead down.
        assert_eq!(asked(None), (Some(1), 0b1000, Some(0), 0b0001, 2));
        assert_eq!(asked(Some((2, 1))), (Some(0), 0b0001, None, 0, 1), "it turns within the escape channels");
        assert_eq!(routing.coins(1, &packet), 1 << ESCAPE_COINS);
        let up = routing.request(Head { router: 2, input: Some((0, 0)) }, &packet, &mut 0);
        assert_eq!((up.port, up.channels), (Some(0), 0b0001), "straight on it is the shorter way");
    }
}
