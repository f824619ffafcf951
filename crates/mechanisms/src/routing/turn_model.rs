//! Turn models: minimal adaptive routing on meshes that forbids just enough turns to close no cycle.
//!
//! Paper:    Glass and Ni 1992 (west-first, north-last, negative-first); Chiu 2000 (odd-even, its function ROUTE).
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's source and destination; its own coordinates.
//! State:    none.
//! Differs from the papers: minimal ways only. Dimension 0 is x with east towards higher coordinates, dimension 1 is y
//! with north towards higher ones.

use super::ways::{self, Ways};
use super::{Conditions, Listed, Routes};
use crate::Refusal;
use tailback_engine::contract::routing::{Candidates, Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Turn models.
pub static ENTRY: Entry = Entry {
    name: "turn_model",
    summary: "minimal adaptive on a mesh, with some turns forbidden instead of channels set aside",
    paper: "Glass and Ni 1992; Chiu 2000",
    ideal: false,
    params: &[RULE],
};

const RULE: Param = Param {
    name: "rule",
    kind: Kind::Choice(&[
        ("west_first", "hops to the west (x down) come first, the others in any order"),
        ("north_last", "hops to the north (y up) come last, the others in any order"),
        ("negative_first", "hops towards lower coordinates come first; any number of dimensions"),
        ("odd_even", "no turn from east in even columns, no turn to west in odd ones (Chiu 2000)"),
    ]),
    unit: "",
    fallback: Fallback::Text("odd_even"),
    doc: "Which turns are allowed.",
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    WestFirst,
    NorthLast,
    NegativeFirst,
    OddEven,
}

const EAST: u16 = 1;
const WEST: u16 = 1 << 1;
const NORTH: u16 = 1 << 2;

/// The ports towards lower coordinates.
const NEGATIVE: u16 = 0xaaaa;

/// Minimal adaptive routing by a turn model.
#[derive(Clone, Debug)]
pub struct TurnModel {
    ways: Ways,
    rule: Rule,
    channels: u16,
}

impl TurnModel {
    /// The ports that the rule allows, as a mask: not 0 before the destination.
    fn ports(&self, router: u32, packet: &Packet) -> u16 {
        let minimal = self.ways.ports(router, packet.router, packet);
        let only = |some: u16| if minimal & some != 0 { minimal & some } else { minimal };
        match self.rule {
            Rule::WestFirst => only(WEST),
            Rule::NorthLast => only(!NORTH),
            Rule::NegativeFirst => only(NEGATIVE),
            Rule::OddEven => self.odd_even(router, packet, minimal),
        }
    }

    fn column(&self, router: u32) -> u32 {
        self.ways.grid().coordinates(router)[0]
    }

    fn source_column(&self, packet: &Packet) -> u32 {
        self.column(self.ways.grid().router_of(packet.source))
    }

    /// The function ROUTE of Chiu 2000, figure 7, from the minimal ports.
    fn odd_even(&self, router: u32, packet: &Packet, minimal: u16) -> u16 {
        let (here, there) = (self.column(router), self.column(packet.router));
        let odd = |column: u32| column % 2 == 1;
        let vertical = minimal & !(EAST | WEST);
        if minimal & WEST != 0 {
            // It turns to the west only in even columns, so it goes up and down only there.
            return if odd(here) { WEST } else { minimal };
        }
        if minimal & EAST == 0 || vertical == 0 {
            return minimal;
        }
        let leaves_row = odd(here) || here == self.source_column(packet);
        let goes_on = odd(there) || there - here != 1;
        (if leaves_row { vertical } else { 0 }) | (if goes_on { EAST } else { 0 })
    }
}

impl Listed for TurnModel {
    const ROUTES: Routes = Routes::Shortest;

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        let rule = match view.text("rule") {
            "west_first" => Rule::WestFirst,
            "north_last" => Rule::NorthLast,
            "negative_first" => Rule::NegativeFirst,
            _ => Rule::OddEven,
        };
        if grid.wrap().contains(&true) {
            return Err(Refusal {
                path: "routing.kind",
                message: "a turn model forbids turns, and the rings of a torus close cycles without any turn".into(),
                help: "take a mesh, or another routing: \"adaptive\" has escape channels for rings".into(),
            });
        }
        if grid.dimensions() != 2 && rule != Rule::NegativeFirst {
            return Err(Refusal {
                path: "routing.rule",
                message: format!(
                    "`{}` is a rule for meshes of 2 dimensions, and this one has {}",
                    view.text("rule"),
                    grid.dimensions()
                ),
                help: "take \"negative_first\", which is for any number, or a mesh of 2 dimensions".into(),
            });
        }
        Ok(TurnModel { ways: Ways::up(grid), rule, channels: ways::all(channels) })
    }

    fn build_ports(view: View, grid: &Grid) -> Result<Self, Refusal> {
        Self::build(view, grid, 1)
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("a turn model leaves packets a choice of shortest ways")
    }

    fn deadlock_freedom(_view: View, _grid: &Grid, _when: Conditions) -> Result<String, String> {
        Ok("the allowed turns of a mesh close no cycle".to_owned())
    }
}

impl Routing for TurnModel {
    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        packet.hops = self.ways.grid().distance(router, packet.router);
        0
    }

    /// The lowest of the ports that the rule allows.
    fn request(&self, head: Head, packet: &Packet, _word: &mut u32) -> Request {
        let ports = self.ports(head.router, packet);
        Request { port: (ports != 0).then(|| ports.trailing_zeros() as u8), channels: self.channels }
    }

    fn is_adaptive(&self) -> bool {
        true
    }

    fn candidates(&self, head: Head, packet: &Packet, channels: u32, _word: &mut u32) -> Candidates {
        let preferred = ways::spread(self.ports(head.router, packet), self.channels, channels);
        Candidates { preferred, fallback: 0 }
    }

    fn useful(&self, head: Head, packet: &Packet, _word: u32) -> u16 {
        self.ports(head.router, packet)
    }

    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        self.ways.offsets(router, packet.router, packet)
    }

    /// Odd-even looks at whether the packet is still in the column of its source, to which none comes back.
    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        (self.rule == Rule::OddEven && self.column(head.router) == self.source_column(packet)).into()
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
