//! Minimal fully adaptive, with an escape network: every channel that leads closer to the destination, and where none of
//! them is free the escape channel.
//!
//! Paper:    `self-tuned-2001` section 5 ("deadlock avoidance": one escape channel in dimension order; "recovery": none);
//!           Duato 1993; Dally and Seitz 1987 for the pair of escape channels.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination; its own coordinates; whether the head came by an escape channel.
//! State:    none.
//! Differs from the paper: one escape channel in dimension order over the wrap-around links of a torus closes cycles
//! (`ring`), so the default has two (`dateline`).
//!
//! Why a packet on the escape channel of `mesh` stays there: the way of the mesh is not minimal. A packet that returned
//! to the adaptive channels would go back where it came from, and could then wait for an escape channel that comes
//! *before* one that it still holds, in the order that makes the escape network safe; such indirect dependencies close
//! cycles. With `dateline` escape and adaptive channels lead the same way round, a packet's later escape channels come
//! after its earlier ones whatever lies in between, and it may return.

use super::ways::{self, PORT_BITS, PORT_MASK, TIE, Ways, by_ways};
use super::{Conditions, Listed, Routes};
use crate::Refusal;
use tailback_engine::contract::routing::{Candidates, Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Minimal fully adaptive.
pub static ENTRY: Entry = Entry {
    name: "adaptive",
    summary: "minimal, fully adaptive; where no adaptive channel is free an escape channel in dimension order",
    paper: "self-tuned-2001 section 5",
    ideal: false,
    params: &[ESCAPE, TIE],
};

const ESCAPE: Param = Param {
    name: "escape",
    kind: Kind::Choice(&[
        (
            "dateline",
            "channels 0 and 1, a pair with one dateline per ring; channel 0 alone where no ring has four routers",
        ),
        ("mesh", "channel 0, never over a wrap-around link, so not minimal; a packet stays on it to its destination"),
        (
            "ring",
            "channel 0, over wrap-around links too (self-tuned-2001 read literally); rings of four can deadlock \
             without bubbles",
        ),
        ("none", "no escape: all channels are adaptive, and cycles of waiting packets can close"),
    ]),
    unit: "",
    fallback: Fallback::Text("dateline"),
    doc: "The channels that a packet takes, in dimension order, while no adaptive channel is free.",
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    /// In dimension order, minimal; with this number of classes, a channel each.
    Minimal(u32),
    /// In dimension order, leaving wrap-around links aside.
    Mesh,
    /// There is no escape channel.
    None,
}

/// Minimal fully adaptive routing.
#[derive(Clone, Debug)]
pub struct Adaptive {
    ways: Ways,
    escape: Escape,
    /// Channels that are no escape channels, as a mask.
    adaptive: u16,
    /// What a dimension adds to the candidates, by difference of coordinates; empty where they depend on more.
    steps: Vec<Step>,
}

/// What the distance left in a dimension adds to a head's candidates.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    preferred: u64,
    /// The escape channel, if this is the first dimension in which a hop is left.
    fallback: u64,
    /// Both ways round are as long, and the packet decides: not to be read from here.
    tied: bool,
}

fn escape(view: View, grid: &Grid) -> Escape {
    match view.text("escape") {
        "mesh" => Escape::Mesh,
        "ring" => Escape::Minimal(1),
        "none" => Escape::None,
        _ => Escape::Minimal(ways::ring_classes(grid)),
    }
}

impl Adaptive {
    /// An entry of the table, for a difference of coordinates.
    fn step(&self, (difference, leg): (i64, Option<u32>), channels: u32) -> Step {
        let Some(leg) = leg else { return Step { tied: true, ..Step::default() } };
        if leg == 0 {
            return Step::default();
        }
        let port = leg & PORT_MASK;
        // Going up to a lower coordinate takes the wrap-around link, and so does going down to a higher one.
        let wraps = (port & 1 == 0) == (difference < 0);
        let escape = match self.escape {
            Escape::Minimal(2) if !wraps => 2,
            Escape::Minimal(_) => 1,
            _ => 0,
        };
        Step {
            preferred: ways::spread(1 << port, self.adaptive, channels),
            fallback: ways::at_port(escape, port, channels),
            tied: false,
        }
    }

    /// Port and channel of the escape network, or of its dimension order where there is none.
    fn way_out(&self, router: u32, packet: &Packet) -> Request {
        if self.escape == Escape::Mesh {
            let port = self.ways.mesh_port(router, packet.router);
            return Request { port, channels: 1 };
        }
        self.way_along(router, self.ways.leg(router, packet.router, packet))
    }

    /// The escape channel at `router` of a packet whose first leg in dimension order is `leg`.
    #[inline]
    fn way_along(&self, router: u32, leg: u32) -> Request {
        let channels = match self.escape {
            _ if leg == 0 => 1,
            Escape::Minimal(2) => 1 << self.ways.class(router, leg),
            Escape::None => self.adaptive,
            _ => 1,
        };
        Request { port: (leg >> PORT_BITS != 0).then_some((leg & PORT_MASK) as u8), channels }
    }

    /// The candidates of a packet at `router`, where the table has them.
    #[inline(always)]
    fn candidates_from_steps(&self, router: u32, packet: &Packet) -> Option<Candidates> {
        let mut all = Step { tied: self.steps.is_empty(), ..Step::default() };
        if all.tied {
            return None;
        }
        let mut add = |number: usize| {
            let step = self.steps[number];
            all.preferred |= step.preferred;
            all.fallback = if all.fallback == 0 { step.fallback } else { all.fallback };
            all.tied |= step.tied;
        };
        match self.ways.two_step_numbers(router, packet.router) {
            Some([first, second]) => {
                add(first);
                add(second);
            }
            None => self.ways.step_numbers(router, packet.router).for_each(add),
        }
        (!all.tied).then_some(Candidates { preferred: all.preferred, fallback: all.fallback })
    }

    /// The candidates by way of ports and legs.
    #[cold]
    fn candidates_by_leg(&self, head: Head, packet: &Packet, channels: u32) -> Candidates {
        let (ports, leg) = self.ways.ports_and_leg(head.router, packet.router, packet);
        let escape = match self.escape {
            Escape::None => Request { port: None, channels: 0 },
            Escape::Mesh => self.way_out(head.router, packet),
            Escape::Minimal(_) => self.way_along(head.router, leg),
        };
        let fallback = escape.port.map_or(0, |port| u64::from(escape.channels) << (u32::from(port) * channels));
        let ports = if self.stays(head.input) { 0 } else { ports };
        Candidates { preferred: ways::spread(ports, self.adaptive, channels), fallback }
    }

    /// Whether the head came by the escape channel that is not left before the destination.
    fn stays(&self, input: Option<(u8, u8)>) -> bool {
        self.escape == Escape::Mesh && matches!(input, Some((_, 0)))
    }
}

impl Listed for Adaptive {
    const ROUTES: Routes = Routes::Shortest;

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        let escape = escape(view, grid);
        let reserved = match escape {
            Escape::Minimal(classes) => classes,
            Escape::Mesh => 1,
            Escape::None => 0,
        };
        if channels <= reserved {
            return Err(Refusal {
                path: "router.virtual_channels",
                message: format!(
                    "adaptive routing with `escape = \"{}\"` keeps {reserved} of the {channels} virtual channels as \
                     escape channels on this network, and none is left to be adaptive",
                    view.text("escape")
                ),
                help: format!("set router.virtual_channels to {} or more", reserved + 1),
            });
        }
        let adaptive = ways::all(channels) & !ways::all(reserved);
        let mut routing = Adaptive { ways: Ways::new(view, grid), escape, adaptive, steps: Vec::new() };
        if escape != Escape::Mesh {
            routing.steps = routing.ways.steps().map(|step| routing.step(step, channels)).collect();
        }
        Ok(routing)
    }

    fn build_ports(view: View, grid: &Grid) -> Result<Self, Refusal> {
        if view.text("escape") == "none" {
            return Self::build(view, grid, 1);
        }
        Err(Refusal {
            path: "routing.escape",
            message: "escape channels are virtual channels, and this router has none: packets wait in the queues that \
                      `queueing` makes"
                .to_owned(),
            help: "take routing = \"turn_model\" on a mesh, or escape = \"none\" with run.allow_deadlock = true"
                .to_owned(),
        })
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("adaptive routing leaves packets a choice of shortest ways")
    }

    fn deadlock_freedom(view: View, grid: &Grid, when: Conditions) -> Result<String, String> {
        let closes = ways::closes_rings(grid);
        let why = match (escape(view, grid), when.candidates) {
            (Escape::Minimal(1), true) if closes && when.bubbles => {
                "an escape channel in dimension order, a bubble in every ring of it"
            }
            (Escape::Minimal(1), _) if closes => {
                return Err("one escape channel over rings without datelines".to_owned());
            }
            (Escape::None, _) if closes => return Err("rings without datelines, and no escape channels".to_owned()),
            (Escape::None, true) if grid.dimensions() > 1 => {
                return Err("turns in any order, and no escape channels".to_owned());
            }
            (Escape::None, _) => "dimension order closes no cycle, and no packet makes two hops in a ring",
            (Escape::Minimal(2), _) => "escape channels in dimension order with a dateline a ring",
            (Escape::Minimal(_), _) => "an escape channel in dimension order, and no packet makes two hops in a ring",
            (Escape::Mesh, _) => {
                "an escape channel in dimension order without wrap-around links, left at the destination"
            }
        };
        Ok(why.to_owned())
    }

    fn safe_sharing(view: View) -> &'static [&'static str] {
        if view.text("escape") == "none" { &["owned"] } else { &["owned", "shared_whole"] }
    }
}

impl Routing for Adaptive {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        if self.ways.draws() {
            packet.choice = draw();
        }
        packet.hops = self.ways.grid().distance(router, packet.router);
        0
    }

    /// The escape channel: the way that a packet goes which never finds an adaptive channel free.
    fn request(&self, head: Head, packet: &Packet, _word: &mut u32) -> Request {
        self.way_out(head.router, packet)
    }

    fn is_adaptive(&self) -> bool {
        true
    }

    /// PERF: every hop asks; a look into a table a dimension (`tailback bench bubble-16`).
    #[inline]
    fn candidates(&self, head: Head, packet: &Packet, channels: u32, _word: &mut u32) -> Candidates {
        self.candidates_from_steps(head.router, packet)
            .unwrap_or_else(|| self.candidates_by_leg(head, packet, channels))
    }

    fn useful(&self, head: Head, packet: &Packet, _word: u32) -> u16 {
        self.ways.ports(head.router, packet.router, packet)
    }

    by_ways!();

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        if self.stays(head.input) { 0 } else { self.ways.memory(head.router, packet.router, packet) }
    }

    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        u32::from(self.stays(input))
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

    #[test]
    fn the_table_of_steps_says_what_the_legs_say() {
        let cases: [(&[u32], &[bool]); 4] = [
            (&[5, 4, 2], &[true; 3]),
            (&[5, 4, 2], &[false; 3]),
            (&[6, 3, 7], &[true, false, true]),
            (&[7, 8], &[true; 2]),
        ];
        for (radix, wrap) in cases {
            let grid = Grid::new(radix, wrap, 1, 1);
            for escape in [Escape::Minimal(ways::ring_classes(&grid)), Escape::Minimal(1), Escape::None] {
                let mut routing = Adaptive { ways: Ways::up(&grid), escape, adaptive: 0b1100, steps: Vec::new() };
                routing.steps = routing.ways.steps().map(|step| routing.step(step, 4)).collect();
                let mut found = 0;
                for pair in 0..(grid.routers() * grid.routers()) as u32 {
                    let (router, to) = (pair / grid.routers() as u32, pair % grid.routers() as u32);
                    let packet = Packet { router: to, ..Packet::default() };
                    let expected = routing.candidates_by_leg(Head { router, input: None }, &packet, 4);
                    let candidates = routing.candidates_from_steps(router, &packet);
                    assert!(candidates.is_none_or(|candidates| candidates == expected), "{router} to {to}");
                    found += usize::from(candidates.is_some());
                }
                assert!(found * 4 > grid.routers() * grid.routers(), "only ties are left out");
            }
        }
    }
}
