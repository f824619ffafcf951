//! Dimension order: all hops of the lowest dimension first, then the next, minimal, with datelines against ring cycles.
//!
//! Paper:    `spth-2015` section 5.1 (two datelines a ring, the channel goes up by one at each); Dally and Seitz 1987.
//! Acts:     once at the source, once a hop when a head comes to the front of its buffer.
//! Sees:     the head's destination; its own coordinates.
//! State:    none.
//! Differs from the paper: whether a turn resets the channel is open there; `channel_numbering` chooses.

use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Dimension order.
pub static ENTRY: Entry = Entry {
    name: "dimension_order",
    summary: "minimal, lowest dimension first; datelines keep rings free of deadlock",
    paper: "spth-2015 section 5.1",
    ideal: false,
    params: &[DATELINES, NUMBERING, TIE],
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

const TIE: Param = Param {
    name: "tie",
    kind: Kind::Choice(&[
        ("plus", "towards higher coordinates (spth-2015)"),
        ("minus", "towards lower coordinates"),
        ("sign", "up when the destination's coordinate is higher, down when lower (self-tuned-2001)"),
        ("alternate", "up for even, down for odd packets of a source"),
        ("random", "a coin per packet and dimension (injection-2005, bubble-1999)"),
    ]),
    unit: "",
    fallback: Fallback::Text("plus"),
    doc: "Direction on a ring when both ways are as long (distance k/2).",
};

/// Why a routing cannot work: the parameter to blame, what is wrong, what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Dotted path of the parameter to blame.
    pub path: &'static str,
    /// What is wrong, with the physical reason.
    pub message: String,
    /// What would be right.
    pub help: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    Plus,
    Minus,
    Sign,
    Alternate,
    Random,
}

/// The head's word: hops left in the current dimension, then the port, 5 bits.
const PORT_BITS: u32 = 5;

/// Dimension-order routing with datelines.
#[derive(Clone, Debug)]
pub struct DimensionOrder {
    grid: Grid,
    tie: Tie,
    carry: bool,
    /// Per router, the ports whose link crosses a dateline, as a mask.
    crosses: Vec<u16>,
    /// Channels that a head from channel `c` may take on a link that crosses no dateline (0) or one (1), as masks.
    next: [[u16; 2]; 16],
    /// The same for a head that starts in class 0: a new packet, or after a turn that resets the class.
    first: [u16; 2],
}

/// Dateline positions of a ring of `k`: the link between `q - 1` and `q`.
fn datelines(word: &str, k: u32) -> Vec<u32> {
    match word {
        "one" => vec![0],
        "two" => vec![0, k / 2],
        _ => vec![],
    }
}

impl DimensionOrder {
    /// Checks that `channels` virtual channels suffice and builds the tables.
    pub fn new(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        let ring = grid.wrap().iter().any(|&w| w);
        let datelines = match view.text("datelines") {
            _ if !ring => "none",
            "auto" => "one",
            word => word,
        };
        let carry = view.text("channel_numbering") == "carry";
        let classes = match (datelines != "none", carry) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => grid.dimensions() as u32 + 1,
        };
        if channels < classes {
            return Err(too_few(channels, classes, carry, grid));
        }
        let class_of = |c: u32| c * classes / channels;
        // A minimal route crosses no more datelines than there are classes for; the table's last row is never used.
        let members = |class: u32| (0..channels).filter(|&c| class_of(c) == class).fold(0, |m, c| m | 1 << c);
        let from_class = |class: u32| [members(class), members(class + 1)];
        Ok(DimensionOrder {
            tie: tie(view.text("tie")),
            carry,
            crosses: crossings(grid, datelines),
            next: std::array::from_fn(|c| from_class(class_of(c as u32))),
            first: from_class(0),
            grid: grid.clone(),
        })
    }

    /// Whether rings of this grid can close a cycle of waiting packets under these parameters.
    pub fn may_deadlock(view: View, grid: &Grid) -> bool {
        // A packet makes at most floor(k/2) hops in a ring; with one hop it never waits for a link of its own ring.
        let cyclic = grid.radix().iter().zip(grid.wrap()).any(|(&k, &wrap)| wrap && k >= 4);
        cyclic && view.text("datelines") == "none"
    }

    /// Signed hops from `a` to `b` in dimension `d`.
    fn offset(&self, d: usize, a: u32, b: u32, packet: &Packet) -> i64 {
        let direct = i64::from(b) - i64::from(a);
        if !self.grid.wrap()[d] || direct == 0 {
            return direct;
        }
        let k = i64::from(self.grid.radix()[d]);
        let up = if direct < 0 { direct + k } else { direct };
        match (2 * up).cmp(&k) {
            std::cmp::Ordering::Less => up,
            std::cmp::Ordering::Greater => up - k,
            std::cmp::Ordering::Equal if self.goes_up(d, direct > 0, packet) => up,
            std::cmp::Ordering::Equal => -up,
        }
    }

    fn goes_up(&self, d: usize, higher: bool, packet: &Packet) -> bool {
        match self.tie {
            Tie::Plus => true,
            Tie::Minus => false,
            Tie::Sign => higher,
            Tie::Alternate => packet.index.is_multiple_of(2),
            Tie::Random => packet.choice >> d & 1 == 0,
        }
    }

    /// The first leg from `router` on: the lowest dimension whose coordinate differs. 0 when there is none.
    fn leg(&self, router: u32, packet: &Packet) -> u32 {
        let (here, there) = (self.grid.coordinates(router), self.grid.coordinates(packet.router));
        for d in (0..self.grid.dimensions()).filter(|&d| here[d] != there[d]) {
            let offset = self.offset(d, here[d], there[d], packet);
            if offset != 0 {
                let port = 2 * d as u32 + u32::from(offset < 0);
                return (offset.unsigned_abs() as u32) << PORT_BITS | port;
            }
        }
        0
    }
}

fn too_few(channels: u32, classes: u32, carry: bool, grid: &Grid) -> Refusal {
    let numbering = if carry { "carry" } else { "reset" };
    Refusal {
        path: "router.virtual_channels",
        message: format!(
            "dimension-order routing on this torus needs {classes} virtual channels, not {channels}: the wrap-around \
             links close a cycle, and `channel_numbering = \"{numbering}\"` uses {classes} classes in {} dimensions",
            grid.dimensions()
        ),
        help: format!("set router.virtual_channels to {classes} or more, or use a mesh"),
    }
}

fn tie(word: &str) -> Tie {
    match word {
        "minus" => Tie::Minus,
        "sign" => Tie::Sign,
        "alternate" => Tie::Alternate,
        "random" => Tie::Random,
        _ => Tie::Plus,
    }
}

fn crossings(grid: &Grid, word: &str) -> Vec<u16> {
    let ring_lines = |(&k, &wrap)| if wrap { datelines(word, k) } else { Vec::new() };
    let lines: Vec<Vec<u32>> = grid.radix().iter().zip(grid.wrap()).map(ring_lines).collect();
    (0..grid.routers() as u32)
        .map(|router| {
            let at = grid.coordinates(router);
            let mut mask = 0;
            for d in 0..grid.dimensions() {
                let next = if at[d] + 1 == grid.radix()[d] { 0 } else { at[d] + 1 };
                mask |= u16::from(lines[d].contains(&next)) << (2 * d);
                mask |= u16::from(lines[d].contains(&at[d])) << (2 * d + 1);
            }
            mask
        })
        .collect()
}

impl Routing for DimensionOrder {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        if self.tie == Tie::Random {
            packet.choice = draw();
        }
        packet.hops = self.grid.distance(router, packet.router);
        self.leg(router, packet)
    }

    #[inline]
    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let turned = *word >> PORT_BITS == 0;
        if turned {
            *word = self.leg(head.router, packet);
            if *word == 0 {
                return Request { port: None, channels: 1 };
            }
        }
        let port = *word & ((1 << PORT_BITS) - 1);
        let crosses = usize::from(self.crosses[head.router as usize] >> port & 1);
        let channels = match head.input {
            Some((_, channel)) if self.carry || !turned => self.next[usize::from(channel & 15)][crosses],
            _ => self.first[crosses],
        };
        Request { port: Some(port as u8), channels }
    }

    #[inline]
    fn advance(&self, _port: u8, word: u32) -> u32 {
        word - (1 << PORT_BITS)
    }
}
