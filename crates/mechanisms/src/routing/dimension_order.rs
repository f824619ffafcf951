//! Dimension order: all hops of the lowest dimension first, then the next, minimal, with datelines against ring cycles.
//!
//! Paper:    `spth-2015` section 5.1 (two datelines a ring, the channel goes up by one at each); Dally and Seitz 1987.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination; its own coordinates.
//! State:    none.
//! Differs from the paper: whether a turn resets the channel is open there; `channel_numbering` chooses.

use super::datelines::{Datelines, PLACE, Place};
use super::ways::{self, MIDDLE, PORT_BITS, PORT_MASK, SECOND, TIE, Ways, by_ways};
use super::{Conditions, Listed, idle};
use crate::Refusal;
use tailback_base::prefetch::prefetch;
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_network::topology::is_of_one_dimension;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// Dimension order.
pub static ENTRY: Entry = Entry {
    name: "dimension_order",
    summary: "minimal, lowest dimension first; datelines keep rings free of deadlock",
    paper: "spth-2015 section 5.1",
    ideal: false,
    params: &[DATELINES, PLACE, NUMBERING, MIDDLE, STRAIGHT_ON, TIE],
};

const DATELINES: Param = Param {
    name: "datelines",
    kind: Kind::Choice(&[
        ("auto", "`one` on a torus, `none` on a mesh"),
        ("none", "no channel is ever changed; on rings of four or more routers this can deadlock"),
        ("one", "between the last and the first router of each ring"),
        ("two", "also in the middle of each ring, at floor(k/2) (spth-2015)"),
    ]),
    unit: "",
    fallback: Fallback::Text("auto"),
    doc: "Where a packet goes over to the next class of virtual channels.",
};

const NUMBERING: Param = Param {
    name: "channel_numbering",
    kind: Kind::Choice(&[
        ("reset", "each dimension starts in class 0 (the classical numbering): 2 classes"),
        ("carry", "the class is kept at a turn (spth-2015): dimensions + 1 classes"),
    ]),
    unit: "",
    fallback: Fallback::Text("reset"),
    doc: "The class of virtual channels a packet is in after a turn.",
};

const STRAIGHT_ON: Param = Param {
    name: "straight_on",
    kind: Kind::Choice(&[
        ("class", "any channel of its class"),
        ("same", "the channel by which it came, where that is of its class (FSIN, the simulator of injection-2005)"),
    ]),
    unit: "",
    fallback: Fallback::Text("class"),
    doc: "The channels that a head may take which goes on in its dimension. With `selection.kind = \"random\"` a channel is \
        drawn at a turn and kept up to the next one.",
};

/// Where channels have no classes.
const IDLE: &[Idle] = &[
    Idle {
        keys: &["datelines", "dateline_place", "channel_numbering", "middle_channel", "straight_on"],
        when: &[When::Is("router.kind", &["input_output_queued"])],
        because: "a switch without virtual channels asks the routing for ports alone",
    },
    Idle {
        keys: &["datelines", "dateline_place", "channel_numbering"],
        when: &[When::Is("topology.kind", &["mesh"])],
        because: "a mesh has no rings, and all channels of a link are of one class",
    },
    Idle {
        keys: &["dateline_place", "channel_numbering", "middle_channel"],
        when: &[When::Is(".datelines", &["none"])],
        because: "without datelines all channels of a link are of one class",
    },
    Idle {
        keys: &["middle_channel"],
        when: &[When::Is(".kind", &["dimension_order"]), When::Is("topology.kind", &["mesh"])],
        because: "all channels of a link are of one class",
    },
    Idle {
        keys: &["middle_channel"],
        when: &[When::IsNot(".dateline_place", &["entry"])],
        because: "only packets that have their class from entering a ring on may share a channel with those of the other",
    },
    Idle {
        keys: &["channel_numbering"],
        when: &[When::Where("the network has one dimension", is_of_one_dimension)],
        because: "no packet turns",
    },
    Idle {
        keys: &["straight_on"],
        when: &[When::Where("no class has a second channel", has_single_channels)],
        because: "packets that go straight on have no choice",
    },
];

/// Whether every class of virtual channels has one channel.
fn has_single_channels(spec: &Resolved, own: View<'_>) -> bool {
    let (router, topology) = (spec.view("router"), spec.view("topology"));
    let classes = match (topology.kind(), own.text("datelines"), own.text("channel_numbering")) {
        ("mesh", ..) | (_, "none", _) => 1,
        (_, _, "reset") => 2,
        _ => topology.u32s("radix").len() as u32 + 1,
    };
    router.has("virtual_channels") && router.u32("virtual_channels") <= classes
}

/// Dimension-order routing with datelines.
#[derive(Clone, Debug)]
pub struct DimensionOrder {
    ways: Ways,
    carry: bool,
    /// Whether a head keeps its channel straight on.
    keeps: bool,
    /// Whether the halves of the channels share one. Then [`SECOND`] of a word says the half of its leg, which no channel says.
    shares: bool,
    datelines: Datelines,
    /// Channels that a head from channel `c` may take on a link that crosses no dateline (0) or one (1), as masks.
    next: [[u16; 2]; 16],
    /// The same for a head that goes straight on: the channel itself where a head keeps it and it is of that class.
    straight: [[u16; 2]; 16],
    /// The same for a head that starts in class 0: a new packet, or after a turn that resets the class.
    first: [u16; 2],
}

/// The `datelines` of a section, where there is something to cut.
fn datelines_of<'a>(view: View<'a>, grid: &Grid) -> &'a str {
    match view.text("datelines") {
        _ if !grid.wrap().contains(&true) => "none",
        "auto" => "one",
        word => word,
    }
}

/// Classes of channels that the datelines of a section ask for.
fn classes(view: View, grid: &Grid) -> u32 {
    match (datelines_of(view, grid), view.text("channel_numbering")) {
        ("none", _) => 1,
        (_, "carry") => grid.dimensions() as u32 + 1,
        _ => 2,
    }
}

fn too_few(view: View, channels: u32, classes: u32, grid: &Grid) -> String {
    format!(
        "dimension-order routing on this torus needs {classes} virtual channels, not {channels}: the wrap-around links \
         close a cycle, and `channel_numbering = \"{}\"` uses {classes} classes in {} dimensions",
        view.text("channel_numbering"),
        grid.dimensions()
    )
}

/// That packets which have their class from entering a ring on share it with no circle of others.
fn entered(view: View, grid: &Grid) -> Result<(), Refusal> {
    if view.text("dateline_place") != "entry" || !ways::closes_rings(grid) {
        return Ok(());
    }
    let why = match (datelines_of(view, grid), view.text("channel_numbering")) {
        ("two", _) => {
            "with two datelines in a ring the packets that cross one or the other are all of one class, and they close the ring"
        }
        (_, "carry") if grid.dimensions() > 1 => {
            "a packet that carries its class into a ring shares it with the packets that cross the dateline there, and they close the ring"
        }
        _ => return Ok(()),
    };
    let help = "use datelines = \"one\" and channel_numbering = \"reset\", or dateline_place = \"router\" or \"link\""
        .to_owned();
    Err(Refusal { path: "routing.dateline_place", message: why.to_owned(), help })
}

impl Listed for DimensionOrder {
    const IN_DIMENSION_ORDER: bool = true;

    /// Channels have no classes.
    const IDLE: &'static [Idle] = IDLE;

    fn build(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        entered(view, grid)?;
        let carry = view.text("channel_numbering") == "carry";
        let classes = classes(view, grid).min(channels);
        // A minimal route crosses no more datelines than there are classes for.
        let members = |class: u32| ways::members(class.min(classes - 1), classes, channels);
        let place = Place::of(view.text("dateline_place"));
        let shares = classes == 2 && place == Place::Entry && ways::shares_middle(view, channels);
        let from_class = |class: u32| match shares {
            true => ways::halves(view, channels),
            false => [members(class), members(class + 1)],
        };
        let next: [[u16; 2]; 16] =
            std::array::from_fn(|c| from_class((c as u32 * classes / channels).min(classes - 1)));
        let keeps = view.text("straight_on") == "same";
        let kept = |c: usize, of_class: u16| if keeps && of_class >> c & 1 == 1 { 1 << c } else { of_class };
        Ok(DimensionOrder {
            ways: Ways::new(view, grid),
            carry,
            keeps,
            shares,
            datelines: Datelines::new(grid, datelines_of(view, grid), place),
            next,
            straight: std::array::from_fn(|c| next[c].map(|of_class| kept(c, of_class))),
            first: from_class(0),
        })
    }

    fn one_route(view: View, grid: &Grid) -> Result<&'static str, &'static str> {
        let ties = || grid.radix().iter().zip(grid.wrap()).any(|(&k, &wrap)| wrap && k % 2 == 0);
        if matches!(view.text("tie"), "alternate" | "random") && ties() {
            return Err("where both ways round a ring are as long, packets take one or the other");
        }
        Ok("dimension order gives all packets from one node to another one route")
    }

    fn deadlock_freedom(view: View, grid: &Grid, when: Conditions) -> Result<String, String> {
        let needed = classes(view, grid);
        let few = ways::closes_rings(grid) && when.channels < needed;
        let on_entry = ways::closes_rings(grid) && view.text("dateline_place") == "entry";
        let shares = on_entry && ways::shares_middle(view, when.channels);
        let stays = shares && view.text("straight_on") == "same";
        if few || stays || ways::closes_rings(grid) && view.text("datelines") == "none" {
            return match (when.bubbles, few) {
                (true, _) => Ok("dimension order between dimensions, a bubble in every ring".to_owned()),
                (false, true) => Err(too_few(view, when.channels, needed, grid)),
                (false, false) if stays => {
                    Err("packets keep the channel that both halves share all around a ring".to_owned())
                }
                (false, false) => Err("rings without datelines".to_owned()),
            };
        }
        Ok(match (grid.wrap().contains(&true), view.text("datelines")) {
            (false, _) => "dimension order on a mesh closes no cycle",
            (true, "none") => "no packet makes two hops in a ring",
            (true, _) if !ways::closes_rings(grid) => "no packet makes two hops in a ring",
            (true, _) => "dimension order between dimensions, datelines within rings",
        }
        .to_owned()
            + if shares { ways::of_middle(view) } else { "" })
    }

    fn deadlock_freedom_of_ports(view: View, grid: &Grid) -> Result<String, String> {
        if ways::closes_rings(grid) {
            return Err("rings, and no virtual channels for a dateline to change".to_owned());
        }
        if grid.wrap().contains(&true) {
            return Ok("no packet makes two hops in a ring".to_owned());
        }
        Self::deadlock_freedom(view, grid, Conditions::PORTS)
    }

    fn safe_sharing(view: View) -> &'static [&'static str] {
        ways::safe_sharing(view)
    }

    fn lacks_channels(view: View, grid: &Grid, channels: u32) -> bool {
        channels < classes(view, grid)
    }

    fn classes(view: View, spec: &Resolved) -> Option<u32> {
        let classes = match (idle::wraps(spec), view.text("datelines"), view.text("channel_numbering")) {
            (false, ..) | (_, "none", _) => 1,
            (_, _, "carry") => idle::radix(spec).len() as u32 + 1,
            _ => 2,
        };
        Some(classes.min(idle::channels(spec)?))
    }
}

impl Routing for DimensionOrder {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        if self.ways.draws() {
            packet.choice = draw();
        }
        let (leg, hops) = self.ways.leg_and_hops(router, packet.router, packet);
        packet.hops = hops;
        if self.shares && self.datelines.second(router, leg) { leg | SECOND } else { leg }
    }

    // PERF: as a call of its own it costs `tailback bench recn-1 wormhole-16` three percent.
    #[inline(always)]
    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let turned = *word >> PORT_BITS == 0;
        if turned {
            *word = self.ways.leg(head.router, packet.router, packet);
            if *word == 0 {
                return Request { port: None, channels: 0 };
            }
        }
        let port = *word & PORT_MASK;
        let mut crosses = usize::from(self.datelines.changes(head.router, *word) || *word & SECOND != 0);
        if (turned || head.input.is_none()) && self.datelines.on_entry() {
            crosses = usize::from(self.datelines.second(head.router, *word));
            *word |= if self.shares { SECOND * crosses as u32 } else { 0 };
        }
        let channels = match head.input {
            Some((_, channel)) if !turned => self.straight[usize::from(channel & 15)][crosses],
            Some((_, channel)) if self.carry => self.next[usize::from(channel & 15)][crosses],
            _ => self.first[crosses],
        };
        Request { port: Some(port as u8), channels }
    }

    #[inline(always)]
    fn expect(&self, router: u32) {
        prefetch(self.datelines.by_router(), router as usize, 0, 1);
    }

    #[inline]
    fn straight(&self, _port: u8, word: u32) -> (u32, u32) {
        (word >> PORT_BITS, word & ((1 << PORT_BITS) - 1))
    }

    by_ways!();

    fn memory(&self, head: Head, packet: &Packet) -> u32 {
        self.ways.memory(head.router, packet.router, packet)
    }

    /// The class of its channels, as which an injection queue has that before the first dateline, or one of its own where packets have their class
    /// from entering a ring on: they may then be of either. Or the channel.
    fn input_class(&self, input: Option<(u8, u8)>) -> u32 {
        match input {
            Some((_, channel)) if self.keeps => 1 << 31 | u32::from(channel),
            Some((_, channel)) => self.next[usize::from(channel & 15)][0].into(),
            None if self.datelines.on_entry() => 1 << 30,
            None => self.first[0].into(),
        }
    }

    /// On a leg it is, until its last hop.
    fn is_told(&self, word: u32) -> bool {
        word >> PORT_BITS != 0
    }

    #[inline]
    fn advance(&self, _port: u8, word: u32) -> u32 {
        word - (1 << PORT_BITS)
    }

    /// It is what is left of the leg from here, or of none.
    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        let half = if self.shares { SECOND } else { 0 };
        word >> PORT_BITS == 0 || word & !half == self.ways.leg(router, packet.router, packet)
    }
}
