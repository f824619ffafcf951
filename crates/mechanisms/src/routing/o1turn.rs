//! O1TURN: x before y or y before x, with equal probability, drawn for every packet at its source.
//!
//! Paper:    Seo, Ali, Lim, Rafique, Thottethodi 2005, for meshes of 2 dimensions. Dally and Seitz 1987 within rings.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination; its own coordinates.
//! State:    none.
//! Differs from the paper: also on tori, where each order has channels of two classes.

use super::ways::{self, Halves, PORT_BITS, SECOND, TIE, Ways};
use super::{Conditions, Listed, idle};
use crate::Refusal;
use tailback_engine::contract::routing::{Head, Request, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Entry, Resolved, View};

/// O1TURN.
pub static ENTRY: Entry = Entry {
    name: "o1turn",
    summary: "dimension order, x first or y first with equal probability; two dimensions",
    paper: "Seo et al. 2005",
    ideal: false,
    params: &[TIE],
};

/// The bit of a packet's choice that is set if it goes y first. In its word that is [`SECOND`].
const ORDER: u32 = 1 << 31;

/// O1TURN routing.
#[derive(Clone, Debug)]
pub struct O1Turn {
    ways: Ways,
    /// The channels of the orders: x first, and y first.
    orders: Halves,
}

impl O1Turn {
    /// The next leg from `router`, with the packet's order. 0 hops: arrived.
    fn leg(&self, router: u32, packet: &Packet) -> u32 {
        let y_first = packet.choice & ORDER != 0;
        let (dimensions, order) = if y_first { ([1, 0], SECOND) } else { ([0, 1], 0) };
        let legs = dimensions.map(|d| self.ways.leg_in(d, router, packet.router, packet));
        legs.into_iter().find(|&leg| leg != 0).map_or(0, |leg| leg | order)
    }
}

impl Listed for O1Turn {
    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        if grid.dimensions() != 2 {
            return Err(Refusal {
                path: "routing.kind",
                message: format!(
                    "O1TURN chooses between x first and y first, and this network has {} dimensions",
                    grid.dimensions()
                ),
                help: "take a mesh or torus of 2 dimensions, or \"valiant\", which is for any number".into(),
            });
        }
        let orders = Halves::new("O1TURN", "order", grid, channels)?;
        Ok(O1Turn { ways: Ways::new(view, grid), orders })
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("o1turn draws for every packet whether x or y comes first")
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

impl Routing for O1Turn {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        packet.choice = draw();
        packet.hops = self.ways.grid().distance(router, packet.router);
        self.leg(router, packet)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.orders.request(&self.ways, head.router, word, |_| self.leg(head.router, packet))
    }

    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        self.ways.offsets(router, packet.router, packet)
    }

    /// Either order, with every coin.
    fn variety(&self) -> Variety {
        let ways = self.ways.variety();
        Variety { coins: ways.coins | ORDER, ..ways }
    }

    fn coins(&self, router: u32, packet: &Packet) -> u32 {
        self.ways.coins(router, packet.router) | ORDER
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        self.ways.memory(head.router, packet.router, packet) | packet.choice & ORDER
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word - (1 << PORT_BITS)
    }

    /// It is what is left of the leg from here, or of none.
    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        word >> PORT_BITS == 0 || word == self.leg(router, packet)
    }
}
