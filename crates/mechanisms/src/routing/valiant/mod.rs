//! Valiant: to a router or a group drawn at random, and from there to the destination.
//!
//! Paper:    Valiant 1982; Valiant and Brebner 1981. Nesson and Johnsson, SPAA 1995 (ROMM), for routers between the ends. Dally and Seitz 1987 for the channels within a ring. Kim et al., ISCA 2008, for
//! groups.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's two destinations; its own coordinates.
//! State:    none.
//! Differs from the papers: a packet for a node of its own router does not travel, unless `own_router` says so. On a grid, where `tie` is random a dimension's coin
//! falls the same way in both phases. Where there are groups, no detour leads by the group of the source or of the destination.

mod grid;

use super::classes::PARAM as CLASSES;
use super::detour::{Detours, TO, Way};
use super::ways::{self, MIDDLE, TIE};
use super::{Conditions, Listed, Routes, idle};
use crate::Refusal;
use grid::OnGrid;
use tailback_engine::contract::routing::{Head, Request, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// Valiant.
pub static ENTRY: Entry = Entry {
    name: "valiant",
    summary: "by way of a random router or group, and minimal before and after: any pattern looks like uniform traffic",
    paper: "Valiant 1982",
    ideal: false,
    params: &[TIE, TO, CLASSES, BY, OWN_ROUTER, PASSING, MIDDLE],
};

/// The parameter `by`.
const BY: Param = Param {
    name: "by",
    kind: Kind::Choice(&[
        ("any", "any router of the network"),
        ("between", "a router of the box that source and destination are corners of, on a mesh: ROMM of two phases"),
    ]),
    unit: "",
    fallback: Fallback::Text("any"),
    doc: "By which routers packets go on a grid.",
};

/// The parameter `own_router`.
const OWN_ROUTER: Param = Param {
    name: "own_router",
    kind: Kind::Choice(&[("stays", "it does not travel"), ("travels", "it goes by the router drawn, too (BookSim 2)")]),
    unit: "",
    fallback: Fallback::Text("stays"),
    doc: "What a packet does on a grid that is for a node of its own router.",
};

/// The parameter `passing`.
const PASSING: Param = Param {
    name: "passing",
    kind: Kind::Choice(&[
        ("phase", "those of the first phase"),
        ("all", "all of the link; then the phases can wait for each other in a circle (BookSim 2)"),
    ]),
    unit: "",
    fallback: Fallback::Text("phase"),
    doc: "The channels on a mesh of a packet that leaves the router of its destination for the router drawn.",
};

/// Valiant's routing.
#[derive(Clone, Debug)]
pub struct Valiant(On);

#[derive(Clone, Debug)]
enum On {
    Grid(OnGrid),
    Any(Detours),
}

impl Listed for Valiant {
    const ROUTES: Routes = Routes::Detours;
    const CROSSES_TWICE: bool = true;
    const IDLE: &'static [Idle] = &[
        Idle {
            keys: &["to", "classes"],
            when: &[When::Where("the network has a grid", idle::has_grid)],
            because: "there packets go by one router, in dimension order",
        },
        Idle {
            keys: &["to"],
            when: &[
                When::IsNot("topology.kind", &["dragonfly", "megafly"]),
                When::Where("the network has no grid", |spec, own| !idle::has_grid(spec, own)),
            ],
            because: "only a dragonfly and a megafly have groups, so packets go by any router",
        },
        Idle {
            keys: &["own_router"],
            when: &[When::Is(".by", &["between"])],
            because: "no other router lies between a router and itself",
        },
        Idle {
            keys: &["passing"],
            when: &[When::Is(".kind", &["valiant"]), When::IsNot("topology.kind", &["mesh"])],
            because: "only on a mesh do packets that pass the router of their destination have a choice",
        },
        Idle {
            keys: &["passing"],
            when: &[When::Is("router.kind", &["input_output_queued"])],
            because: "a switch without virtual channels asks the routing for ports alone",
        },
        Idle {
            keys: &["passing"],
            when: &[When::Is(".by", &["between"])],
            because: "no packet passes the router of its destination, which is at a corner of the box",
        },
        Idle {
            keys: &["by", "own_router"],
            when: &[
                When::Is(".kind", &["valiant"]),
                When::Where("the network has no grid", |spec, own| !idle::has_grid(spec, own)),
            ],
            because: "no router lies between others without coordinates",
        },
        Idle {
            keys: &["middle_channel"],
            when: &[
                When::Is(".kind", &["valiant"]),
                When::Where("the network has no grid", |spec, own| !idle::has_grid(spec, own)),
            ],
            because: "there hops have classes of channels, and no halves",
        },
    ];

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        OnGrid::new(view, grid, channels).map(|grid| Valiant(On::Grid(grid)))
    }

    fn build_any(view: View, built: &Built, channels: u32) -> Result<Self, Refusal> {
        Detours::new(view, built, channels, super::classes::Turns::AtSource).map(|any| Valiant(On::Any(any)))
    }

    fn freedom_of_any(view: View, _built: &Built) -> Result<String, String> {
        super::classes::freedom(view)
    }

    fn one_route(_view: View, _grid: &Grid) -> Result<&'static str, &'static str> {
        Err("valiant routing draws a router for every packet to go by")
    }

    fn deadlock_freedom(view: View, grid: &Grid, _when: Conditions) -> Result<String, String> {
        if grid::opens(view, grid) {
            return Err(
                "packets of the first phase that pass the router of their destination take channels of the second"
                    .to_owned(),
            );
        }
        let (datelines, middle) =
            if ways::closes_rings(grid) { (" and datelines", "") } else { ("", ways::of_middle(view)) };
        Ok(format!("dimension order{datelines} in each phase, each phase on channels of its own{middle}"))
    }

    fn safe_sharing(view: View) -> &'static [&'static str] {
        ways::safe_sharing(view)
    }

    fn deadlock_freedom_of_ports(_view: View, _grid: &Grid) -> Result<String, String> {
        Err("hops of the second phase come before hops of the first in any direction, and there are no virtual channels to keep \
             them apart"
            .to_owned())
    }

    fn classes(_view: View, spec: &Resolved) -> Option<u32> {
        Some(2 * idle::ring_classes(spec))
    }
}

/// What a packet does at its source, which is another router than that of its destination.
fn first(detours: &Detours, source: u32, packet: &Packet) -> Way {
    detours.detour(source, packet, 0, 0).unwrap_or_else(|| detours.minimal(source, packet, 0))
}

impl Routing for Valiant {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        match &self.0 {
            On::Grid(grid) => grid.start(router, packet, draw),
            On::Any(detours) => {
                detours.start(router, packet, draw);
                if router == packet.router {
                    return 0;
                }
                let way = first(detours, router, packet);
                packet.hops = way.hops;
                way.word
            }
        }
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        match &self.0 {
            On::Grid(grid) => grid.request(head, packet, word),
            On::Any(detours) => detours.request(head, packet, word),
        }
    }

    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        match &self.0 {
            On::Grid(grid) => grid.offsets(router, packet),
            On::Any(_) => [0; 6],
        }
    }

    fn variety(&self) -> Variety {
        match &self.0 {
            On::Grid(grid) => grid.variety(),
            On::Any(detours) => detours.variety(),
        }
    }

    fn even_draws(&self) -> Vec<u32> {
        match &self.0 {
            On::Grid(grid) => grid.even_draws(),
            On::Any(detours) => detours.even_draws(),
        }
    }

    fn coins(&self, router: u32, packet: &Packet) -> u32 {
        match &self.0 {
            On::Grid(grid) => grid.coins(router, packet),
            On::Any(_) => 0,
        }
    }

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        match &self.0 {
            On::Grid(grid) => grid.memory(head, packet),
            On::Any(_) => packet.choice,
        }
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, port: u8, word: u32) -> u32 {
        match &self.0 {
            On::Grid(grid) => grid.advance(port, word),
            On::Any(_) => Detours::advance(word),
        }
    }

    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        match &self.0 {
            On::Grid(grid) => grid.fits(router, packet, word),
            // Most data paths count in the packet the hops that it has made: how many it makes is known from its start.
            On::Any(detours) => {
                let source = detours.network().router_of(packet.source);
                let whole = if source == packet.router { 0 } else { first(detours, source, packet).hops };
                detours.fits(router, packet, word, 1, whole)
            }
        }
    }
}
