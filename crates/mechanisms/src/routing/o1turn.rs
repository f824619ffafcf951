//! O1TURN: x before y or y before x, with equal probability, drawn for every packet at its source.
//!
//! Paper:    Seo, Ali, Lim, Rafique, Thottethodi 2005, for meshes of 2 dimensions. Dally and Seitz 1987 within rings.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination; its own coordinates; by queues what the source router owes to its ports.
//! State:    none.
//! Differs from the paper: also on tori, where each order has channels of two classes; and in a HyperX of any number of dimensions, from the
//! first to the last or the other way round. Where the orders share a channel a router tells the order of a packet by the channel it came by,
//! and one that came by the shared channel goes on in the second order, as in BookSim 2.

use super::either_order::EitherOrder;
use super::ways::{self, Halves, MIDDLE, PORT_BITS, SECOND, TIE, Ways};
use super::{Conditions, Listed, idle};
use crate::Refusal;
use std::cmp::Ordering;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_network::rows::Rows;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// O1TURN.
pub static ENTRY: Entry = Entry {
    name: "o1turn",
    summary: "dimension order, x first or y first with equal probability; two dimensions, or a HyperX",
    paper: "Seo et al. 2005",
    ideal: false,
    params: &[BY, MIDDLE, TIE],
};

const BY: Param = Param {
    name: "by",
    kind: Kind::Choice(&[
        ("coin", "it is drawn"),
        (
            "queues",
            "the one whose first port is owed fewer flits, as the source router knows them; a coin where both are alike. Input-queued routers alone",
        ),
    ]),
    unit: "",
    fallback: Fallback::Text("coin"),
    doc: "Which order a packet takes.",
};

/// The bit of a packet's choice that is set if it goes y first. In its word that is [`SECOND`].
pub(super) const ORDER: u32 = 1 << 31;

/// O1TURN routing.
#[derive(Clone, Debug)]
pub struct O1Turn {
    on: On,
    /// Whether the queues of ports decide, and not a coin.
    by_queues: bool,
    /// The channel that both orders may take.
    shared: Option<u8>,
}

#[derive(Clone, Debug)]
enum On {
    Grid(Plane),
    Rows(EitherOrder),
}

/// On a grid.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    pub ways: Ways,
    /// The channels of the orders: x first, and y first.
    pub orders: Halves,
}

/// Whether there are no rings.
fn has_no_rings(spec: &Resolved, _own: View<'_>) -> bool {
    !tailback_network::topology::has_grid(spec.view("topology"))
}

impl Plane {
    /// Of a grid of two dimensions.
    ///
    /// # Errors
    /// Where it has more or fewer, or too few channels.
    pub fn new(name: &str, view: View, grid: &Grid, channels: u32) -> Result<Plane, Refusal> {
        if grid.dimensions() != 2 {
            return Err(Refusal {
                path: "routing.kind",
                message: format!(
                    "{name} chooses between x first and y first, and this network has {} dimensions",
                    grid.dimensions()
                ),
                help: "take a mesh or torus of 2 dimensions, or \"valiant\", which is for any number".into(),
            });
        }
        Ok(Plane { ways: Ways::new(view, grid), orders: Halves::new([name, "order"], view, grid, channels)? })
    }

    /// What a head asks for.
    pub fn request(&self, router: u32, packet: &Packet, word: &mut u32) -> Request {
        self.orders.request(&self.ways, router, word, |_| self.leg(router, packet))
    }

    /// The next leg from `router`, with the packet's order. 0 hops: arrived.
    pub fn leg(&self, router: u32, packet: &Packet) -> u32 {
        let y_first = packet.choice & ORDER != 0;
        let (dimensions, order) = if y_first { ([1, 0], SECOND) } else { ([0, 1], 0) };
        let legs = dimensions.map(|d| self.ways.leg_in(d, router, packet.router, packet));
        legs.into_iter().find(|&leg| leg != 0).map_or(0, |leg| leg | order)
    }
}

impl Listed for O1Turn {
    const DECIDES_AT_SOURCE: bool = true;

    const IDLE: &'static [Idle] = &[Idle {
        keys: &["tie"],
        when: &[When::Where("the network has no grid", has_no_rings)],
        because: "there are no rings",
    }];

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        let Some(rows) = Rows::of(&built.network) else {
            return Err(Refusal {
                path: "routing.kind",
                message: format!("{} routing goes by dimensions, and this network has none", view.kind()),
                help: "take topology.kind = \"hyperx\", or routing = \"minimal\"".to_owned(),
            });
        };
        if channels < 2 {
            return Err(Refusal {
                path: "router.virtual_channels",
                message: "O1TURN needs 2 virtual channels here, not 1: packets of one order keep off the channels of the other, or they \
                          would wait for each other in a circle"
                    .to_owned(),
                help: "set router.virtual_channels to 2 or more".to_owned(),
            });
        }
        let halves = ways::halves(view, channels);
        Ok(O1Turn { on: On::Rows(EitherOrder::new(rows, halves)), by_queues: by_queues(view), shared: in_both(halves) })
    }

    fn freedom_of_any(view: View, _built: &Built) -> Result<String, String> {
        Ok("first to last and last to first dimension on channels of their own".to_owned() + ways::of_middle(view))
    }

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        let plane = Plane::new("O1TURN", view, grid, channels)?;
        let shared = in_both([0, 1].map(|half| plane.orders.all(half)));
        Ok(O1Turn { on: On::Grid(plane), by_queues: by_queues(view), shared })
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("o1turn draws for every packet whether x or y comes first")
    }

    fn deadlock_freedom(view: View, grid: &Grid, _when: Conditions) -> Result<String, String> {
        let more = if ways::closes_rings(grid) { ", datelines within rings" } else { ways::of_middle(view) };
        Ok(format!("x first and y first on channels of their own{more}"))
    }

    fn safe_sharing(view: View) -> &'static [&'static str] {
        ways::safe_sharing(view)
    }

    fn deadlock_freedom_of_ports(_view: View, _grid: &Grid) -> Result<String, String> {
        Err("x first and y first together make every turn, and there are no virtual channels to keep them apart"
            .to_owned())
    }

    fn classes(_view: View, spec: &Resolved) -> Option<u32> {
        Some(2 * idle::ring_classes(spec))
    }
}

fn by_queues(view: View) -> bool {
    view.text("by") == "queues"
}

impl O1Turn {
    /// The order of the packet of a head, as its router knows it.
    fn order(&self, head: Head, packet: &Packet) -> u32 {
        match (head.input, self.shared) {
            (Some((_, channel)), Some(shared)) if channel < shared => 0,
            (Some(_), Some(_)) => ORDER,
            _ => packet.choice & ORDER,
        }
    }

    /// The first port of a packet at its source, in either order.
    fn first(&self, router: u32, packet: &Packet, order: u32) -> Option<u8> {
        let packet = Packet { choice: packet.choice & !ORDER | order, ..*packet };
        let head = Head { router, input: None };
        self.request(head, &packet, &mut 0).port
    }
}

/// The channel in both of two masks.
fn in_both([a, b]: [u16; 2]) -> Option<u8> {
    let both = a & b;
    (both != 0).then_some(both.trailing_zeros() as u8)
}

/// 1 for a packet that begins with the last dimension.
fn half(packet: &Packet) -> usize {
    usize::from(packet.choice & ORDER != 0)
}

impl Routing for O1Turn {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        packet.choice = draw();
        match &self.on {
            On::Grid(plane) => {
                packet.hops = plane.ways.grid().distance(router, packet.router);
                plane.leg(router, packet)
            }
            On::Rows(rows) => {
                packet.hops = rows.hops(router, packet.router);
                0
            }
        }
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let order = self.order(head, packet);
        let turned;
        let mut packet = packet;
        if order != packet.choice & ORDER {
            turned = Packet { choice: packet.choice & !ORDER | order, ..*packet };
            (packet, *word) = (&turned, 0);
        }
        match &self.on {
            On::Grid(plane) => plane.request(head.router, packet, word),
            On::Rows(rows) => rows.request(head.router, packet.router, half(packet)),
        }
    }

    fn sight(&self) -> Sight {
        if self.by_queues { Sight::Own } else { Sight::Nothing }
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        if head.input.is_some() || !self.by_queues {
            return self.request(head, packet, word);
        }
        let [first, last] = [0, ORDER].map(|order| self.first(head.router, packet, order));
        if let (Some(first), Some(last)) = (first, last) {
            let [first, last] = [first, last].map(|port| queues.owed_by_port(port));
            packet.choice = match first.cmp(&last) {
                Ordering::Less => packet.choice & !ORDER,
                Ordering::Equal => packet.choice,
                Ordering::Greater => packet.choice | ORDER,
            };
        }
        *word = 0;
        self.request(head, packet, word)
    }

    fn decided(&self) -> u32 {
        if self.by_queues { ORDER } else { 0 }
    }

    /// None where queues decide: how often packets take an order depends on the traffic.
    fn even_draws(&self) -> Vec<u32> {
        if self.by_queues { Vec::new() } else { self.variety().draws }
    }

    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        match &self.on {
            On::Grid(plane) => plane.ways.offsets(router, packet.router, packet),
            On::Rows(_) => [0; 6],
        }
    }

    /// Either order, with every coin.
    fn variety(&self) -> Variety {
        let ways = match &self.on {
            On::Grid(plane) => plane.ways.variety(),
            On::Rows(_) => Variety::default(),
        };
        Variety { coins: ways.coins | ORDER, ..ways }
    }

    fn coins(&self, router: u32, packet: &Packet) -> u32 {
        match &self.on {
            On::Grid(plane) => plane.ways.coins(router, packet.router) | ORDER,
            On::Rows(_) => ORDER,
        }
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        let ties = match &self.on {
            On::Grid(plane) => plane.ways.memory(head.router, packet.router, packet),
            On::Rows(_) => 0,
        };
        ties | packet.choice & ORDER
    }

    /// The order that the channel says, where it does.
    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        match (input, self.shared) {
            (Some((_, channel)), Some(shared)) => 1 + u32::from(channel >= shared),
            _ => 0,
        }
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        match self.on {
            On::Grid(_) => word - (1 << PORT_BITS),
            On::Rows(_) => word,
        }
    }

    /// It is what is left of the leg from here, or of none; in the second order also of a packet that began in the first, where it may
    /// have come by a channel of both.
    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        let second = || Packet { choice: packet.choice | ORDER, ..*packet };
        match &self.on {
            On::Grid(_) if word >> PORT_BITS == 0 => true,
            On::Grid(plane) => {
                word == plane.leg(router, packet) || self.shared.is_some() && word == plane.leg(router, &second())
            }
            On::Rows(_) => word == 0,
        }
    }
}
