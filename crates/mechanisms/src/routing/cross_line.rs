//! Cross-Line: x first or y first, whichever row has fewer busy buffers ahead, as registers tell that travel against the packets.
//!
//! Paper:    Yokota et al. 2005, as sections 2 and 4 of `spth-2015` describe it (its reference 5; the registers are those of figure 7).
//! Acts:     once at the source, when the packet may ask for the first time.
//! Sees:     the VCinfo registers of its router, one per direction: bit `m` is the buffer `m + 1` routers ahead.
//! State:    the registers, on wires of their own or on idle cycles of the links, a cycle per hop.
//! Differs from the paper: where the section is silent, choices were made. A packet chooses once, between the two orders that O1TURN keeps free
//! of deadlock by channels of their own. It counts the busy buffers of its first leg in either order. A register has one bit per router for all
//! channels of the order that begins in its direction, and 16 bits at most. A buffer's level is what the router before it knows by credits.

use super::o1turn::{ORDER, Plane};
use super::ways::{self, PORT_BITS, PORT_MASK, TIE};
use super::{Conditions, Listed, idle};
use crate::Refusal;
use std::cmp::Ordering;
use tailback_base::bits::ones;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::grid::NONE;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// Bits of a register: four of them are a signal.
const BITS: u32 = 16;

/// Cross-Line.
pub static ENTRY: Entry = Entry {
    name: "cross_line",
    summary: "x first or y first, whichever row has fewer busy buffers ahead (Cross-Line); two dimensions, router.kind = \"cut_through\"",
    paper: "spth-2015 sections 2 and 4, after Yokota et al. 2005",
    ideal: false,
    params: &[
        TIE,
        Param {
            name: "margin_flits",
            kind: Kind::Integer { min: 0, max: 65535 },
            unit: "flits",
            fallback: Fallback::Integer(0),
            doc: "A buffer is busy when its upstream router knows of at most this number of free flits.",
        },
        Param {
            name: "register_bits",
            kind: Kind::IntegerOrAuto { min: 0, max: BITS as i64 },
            unit: "routers",
            fallback: Fallback::Text("auto"),
            doc: "Length of a VCinfo register; \"auto\" is k/2 of its dimension, at most 16; with 0 a coin decides.",
        },
        Param {
            name: "propagation",
            kind: Kind::Choice(&[
                ("ideal", "wires of their own: every register moves a hop each cycle (spth-2015 section 4.1)"),
                (
                    "stealing",
                    "a register crosses the link that leads to its reader in cycles in which that carries no flit",
                ),
            ]),
            unit: "",
            fallback: Fallback::Text("ideal"),
            doc: "How registers travel against the packets.",
        },
    ],
};

/// The routing.
#[derive(Clone, Debug)]
pub struct CrossLine {
    plane: Plane,
    /// By dimension, the bits of a register that count, as a mask.
    masks: [u64; 2],
    /// A buffer is busy with so many free flits, or fewer.
    margin: u32,
    propagation: Propagation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Propagation {
    Ideal,
    Stealing,
}

impl Listed for CrossLine {
    const DECIDES_AT_SOURCE: bool = true;

    const IDLE: &'static [Idle] = &[Idle {
        keys: &["margin_flits", "propagation"],
        when: &[When::Is(".register_bits", &["0"])],
        because: "registers without bits tell nothing",
    }];

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        let plane = Plane::new("Cross-Line", view, grid, channels)?;
        let given = view.finite("register_bits");
        let mask = |d: usize| (1 << given.unwrap_or(u64::from(grid.radix()[d] / 2)).min(u64::from(BITS))) - 1;
        let propagation = match view.text("propagation") {
            "stealing" => Propagation::Stealing,
            _ => Propagation::Ideal,
        };
        Ok(CrossLine { plane, masks: [mask(0), mask(1)], margin: view.u32("margin_flits"), propagation })
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("cross_line chooses for every packet whether x or y comes first")
    }

    fn deadlock_freedom(_view: View, grid: &Grid, _when: Conditions) -> Result<String, String> {
        let datelines = if ways::closes_rings(grid) { ", datelines within rings" } else { "" };
        Ok(format!("x first and y first on channels of their own{datelines}"))
    }

    fn deadlock_freedom_of_ports(_view: View, _grid: &Grid) -> Result<String, String> {
        Err("x first and y first together make every turn, and there are no virtual channels to keep them apart"
            .to_owned())
    }

    fn classes(_view: View, spec: &Resolved) -> Option<u32> {
        Some(2 * idle::ring_classes(spec))
    }
}

/// The register of a direction, out of those of a router.
fn register(registers: u64, port: u32) -> u64 {
    registers >> (BITS * port) & ((1 << BITS) - 1)
}

impl CrossLine {
    /// Busy buffers on a leg, as a router's registers tell.
    fn busy(&self, registers: u64, leg: u32) -> u32 {
        let (port, hops) = (leg & PORT_MASK, leg >> PORT_BITS);
        (register(registers, port) & ((1 << hops.min(BITS)) - 1)).count_ones()
    }

    /// Whether the buffer next to a port is busy, on some channel of the order that begins with it.
    fn is_busy(&self, port: u32, queues: &impl Queues) -> bool {
        let channels = self.plane.orders.all(port as usize / 2);
        ones(channels.into()).any(|channel| queues.free(port as u8, channel as u8) <= self.margin)
    }

    /// What is in a register of `router` from the second bit on, before it is shifted there.
    fn received(&self, router: u32, port: u32, queues: &impl Queues) -> u64 {
        let next = self.plane.ways.grid().peer(router, port as usize);
        let is_taken = self.propagation == Propagation::Stealing && queues.carried(next, (port ^ 1) as u8);
        match is_taken {
            true => register(queues.signal(router, 1), port) >> 1,
            false => register(queues.signal(next, 1), port),
        }
    }
}

impl Routing for CrossLine {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        packet.choice = draw();
        packet.hops = self.plane.ways.grid().distance(router, packet.router);
        self.plane.leg(router, packet)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.plane.request(head.router, packet, word)
    }

    fn sight(&self) -> Sight {
        Sight::Signals(1)
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        if head.input.is_some() {
            return self.request(head, packet, word);
        }
        let registers = queues.signal(head.router, 0);
        let legs = [0, 1].map(|d| self.plane.ways.leg_in(d, head.router, packet.router, packet));
        let [x, y] = legs.map(|leg| self.busy(registers, leg));
        if legs[0] != 0 && legs[1] != 0 {
            packet.choice = match x.cmp(&y) {
                Ordering::Less => packet.choice & !ORDER,
                Ordering::Equal => packet.choice,
                Ordering::Greater => packet.choice | ORDER,
            };
        }
        *word = 0;
        self.request(head, packet, word)
    }

    fn decided(&self) -> u32 {
        ORDER
    }

    fn signal(&self, router: u32, queues: &impl Queues) -> u64 {
        let grid = self.plane.ways.grid();
        let ports = (0..4).filter(|&port| grid.peer(router, port as usize) != NONE);
        ports.fold(0, |all, port| {
            let mask = self.masks[port as usize / 2];
            let bits = self.received(router, port, queues) << 1 | u64::from(self.is_busy(port, queues));
            all | (bits & mask) << (BITS * port)
        })
    }

    /// None: how often packets take an order depends on the traffic.
    fn even_draws(&self) -> Vec<u32> {
        Vec::new()
    }

    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        self.plane.ways.offsets(router, packet.router, packet)
    }

    /// Either order, with every coin.
    fn variety(&self) -> Variety {
        let ways = self.plane.ways.variety();
        Variety { coins: ways.coins | ORDER, ..ways }
    }

    fn coins(&self, router: u32, packet: &Packet) -> u32 {
        self.plane.ways.coins(router, packet.router) | ORDER
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        self.plane.ways.memory(head.router, packet.router, packet) | packet.choice & ORDER
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word - (1 << PORT_BITS)
    }

    /// It is what is left of the leg from here, or of none.
    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        word >> PORT_BITS == 0 || word == self.plane.leg(router, packet)
    }
}
