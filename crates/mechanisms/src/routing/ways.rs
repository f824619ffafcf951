//! The shorter ways through a grid, and its rings: what every routing of this folder is made of.

use super::idle::{has_no_middle, has_no_ties, has_ring_classes, is_a_line};
use crate::Refusal;
use tailback_engine::contract::routing::{Request, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Fallback, Idle, Kind, Param, View, When};

/// Direction at distance k/2.
pub const TIE: Param = Param {
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

/// Whose the channel in the middle is, where two kinds of packets have a half each.
pub const MIDDLE: Param = Param {
    name: "middle_channel",
    kind: Kind::Choice(&[
        ("first", "it is of the first half"),
        ("shared", "packets of both halves may take it (BookSim 2)"),
    ]),
    unit: "",
    fallback: Fallback::Text("first"),
    doc: "Whose the channel in the middle is, where packets are kept apart in two halves of an odd number of channels.",
};

/// Where there are no ties, and no channels in the middle.
pub(super) const IDLE: &[Idle] = &[
    Idle {
        keys: &["tie"],
        when: &[When::Where("no ring has an even number of routers", has_no_ties)],
        because: "one of the two ways round is always shorter",
    },
    Idle {
        keys: &["kind"],
        when: &[
            When::Is(".kind", &["up_down", "layered", "least_delay"]),
            When::Where("the network is a mesh of one dimension", is_a_line),
        ],
        because: "there is one way between any two routers",
    },
    Idle {
        keys: &["middle_channel"],
        when: &[
            When::Is(".kind", &["o1turn", "valiant"]),
            When::Where("a ring has four or more routers", has_ring_classes),
        ],
        because: "each half is of two classes there, and all four keep apart",
    },
    Idle {
        keys: &["middle_channel"],
        when: &[When::Where("no packets have an odd number of channels", has_no_middle)],
        because: "no channel is in the middle",
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    Plus,
    Minus,
    Sign,
    Alternate,
    Random,
}

/// The low bits of a leg; the hops left are above them. Ports need 4 of them, the fifth is free for the routing.
pub const PORT_BITS: u32 = 5;

/// The port of a leg.
pub const PORT_MASK: u32 = 15;

/// Mark of an entry of [`Ways::legs`]: both ways round are as long, and the packet decides.
const TIED: u32 = 1 << 31;

/// Which way round a packet goes in each dimension.
#[derive(Clone, Debug)]
pub struct Ways {
    grid: Grid,
    tie: Tie,
    /// The leg for every difference of two coordinates of a dimension, the dimensions one after the other.
    legs: Vec<u32>,
    /// Where in `legs` the difference 0 of each dimension is.
    origin: Vec<u32>,
}

impl Ways {
    /// With the `tie` of a resolved `routing` section.
    pub fn new(view: View, grid: &Grid) -> Self {
        let tie = match view.text("tie") {
            "minus" => Tie::Minus,
            "sign" => Tie::Sign,
            "alternate" => Tie::Alternate,
            "random" => Tie::Random,
            _ => Tie::Plus,
        };
        Ways::with(grid, tie)
    }

    /// Ties go up.
    pub fn up(grid: &Grid) -> Self {
        Ways::with(grid, Tie::Plus)
    }

    fn with(grid: &Grid, tie: Tie) -> Self {
        let mut ways = Ways { grid: grid.clone(), tie, legs: Vec::new(), origin: Vec::new() };
        for (d, &k) in grid.radix().iter().enumerate() {
            ways.origin.push(ways.legs.len() as u32 + k - 1);
            for difference in 1 - i64::from(k)..i64::from(k) {
                let (from, to) = ((-difference).max(0) as u32, difference.max(0) as u32);
                let tied = grid.wrap()[d] && 2 * difference.unsigned_abs() == u64::from(k);
                let leg = leg(d, ways.offset(d, from, to, &Packet::default()));
                ways.legs.push(if tied { leg | TIED } else { leg });
            }
        }
        ways
    }

    /// The network.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether ties need `packet.choice`, of which bit `d` is dimension `d`'s coin.
    #[inline]
    pub fn draws(&self) -> bool {
        self.tie == Tie::Random
    }

    /// The coins that are tossed where ways are as long, and the packet numbers that count.
    pub fn variety(&self) -> Variety {
        let tied = self.tied_dimensions();
        let coins = if self.draws() { tied } else { 0 };
        let indices = if self.tie == Tie::Alternate && tied != 0 { 2 } else { 1 };
        Variety { coins, indices, ..Variety::default() }
    }

    /// The dimensions in which both ways round may be as long, as a mask.
    pub fn tied_dimensions(&self) -> u32 {
        let ties = |d: usize| self.grid.wrap()[d] && self.grid.radix()[d].is_multiple_of(2);
        (0..self.grid.dimensions()).filter(|&d| ties(d)).fold(0, |mask, d| mask | 1 << d)
    }

    /// The dimensions in which both ways round from router `from` to `to` are as long, as a mask.
    pub fn tied(&self, from: u32, to: u32) -> u32 {
        let tied = self.step_numbers(from, to).enumerate().filter(|&(_, number)| self.legs[number] & TIED != 0);
        tied.fold(0, |mask, (d, _)| mask | 1 << d)
    }

    /// The coins that make a difference between routers `from` and `to`, as bits.
    pub fn coins(&self, from: u32, to: u32) -> u32 {
        if self.draws() { self.tied(from, to) } else { 0 }
    }

    /// What of a packet's choice and number still decides which way it goes from router `from` to `to`.
    pub fn memory(&self, from: u32, to: u32, packet: &Packet) -> u32 {
        match self.tie {
            Tie::Random => self.tied(from, to) & packet.choice,
            Tie::Alternate if self.tied(from, to) != 0 => u32::from(!packet.index.is_multiple_of(2)),
            _ => 0,
        }
    }

    /// Signed hops from coordinate `a` to `b` of dimension `d`, the shorter way round.
    pub fn offset(&self, d: usize, a: u32, b: u32, packet: &Packet) -> i64 {
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

    /// Signed hops from router `from` to `to` in every dimension, the shorter way round; 0 beyond those of the network.
    pub fn offsets(&self, from: u32, to: u32, packet: &Packet) -> [i32; 6] {
        let (here, there) = (self.grid.coordinates(from), self.grid.coordinates(to));
        let mut offsets = [0; 6];
        for d in 0..self.grid.dimensions() {
            offsets[d] = self.offset(d, here[d], there[d], packet) as i32;
        }
        offsets
    }

    /// For every difference of two coordinates of a dimension, the dimensions one after the other: the difference, and the
    /// leg that it means; none where both ways round are as long.
    pub fn steps(&self) -> impl Iterator<Item = (i64, Option<u32>)> + '_ {
        let differences = self.grid.radix().iter().flat_map(|&k| 1 - i64::from(k)..i64::from(k));
        differences.zip(self.legs.iter().map(|&leg| (leg & TIED == 0).then_some(leg)))
    }

    /// The numbers among [`Ways::steps`] of what is left from router `from` to `to`, by dimension.
    #[inline(always)]
    pub fn step_numbers(&self, from: u32, to: u32) -> impl Iterator<Item = usize> + '_ {
        let ends = self.grid.coordinates(from).iter().zip(self.grid.coordinates(to));
        self.origin.iter().zip(ends).map(|(&origin, (&here, &there))| (origin + there - here) as usize)
    }

    /// The result of [`Ways::step_numbers`] for a network with two dimensions.
    #[inline(always)]
    pub fn two_step_numbers(&self, from: u32, to: u32) -> Option<[usize; 2]> {
        let [x, y] = self.origin[..] else { return None };
        let (&[x0, y0], &[x1, y1]) = (self.grid.coordinates(from), self.grid.coordinates(to)) else { return None };
        Some([(x + x1 - x0) as usize, (y + y1 - y0) as usize])
    }

    /// The leg in dimension `d` from coordinate `here` to `there`. 0: no hop.
    ///
    /// PERF: a look into a table of a few hundred bytes instead of the comparisons of `offset`
    /// (`tailback bench dor-16`).
    #[inline(always)]
    fn leg_between(&self, d: usize, here: u32, there: u32, packet: &Packet) -> u32 {
        let entry = self.legs[(self.origin[d] + there - here) as usize];
        if entry & TIED == 0 { entry } else { self.leg_tied(d, here, there, packet) }
    }

    #[cold]
    fn leg_tied(&self, d: usize, here: u32, there: u32, packet: &Packet) -> u32 {
        leg(d, self.offset(d, here, there, packet))
    }

    /// The leg in dimension `d` from router `from` towards `to`: hops above [`PORT_BITS`], and the port. 0: no hop.
    pub fn leg_in(&self, d: usize, from: u32, to: u32, packet: &Packet) -> u32 {
        let (here, there) = (self.grid.coordinates(from)[d], self.grid.coordinates(to)[d]);
        self.leg_between(d, here, there, packet)
    }

    /// The first leg in dimension order: the lowest dimension whose coordinate differs. 0 when there is none.
    pub fn leg(&self, from: u32, to: u32, packet: &Packet) -> u32 {
        if from == to {
            return 0;
        }
        let ends = self.grid.coordinates(from).iter().zip(self.grid.coordinates(to)).enumerate();
        let mut legs = ends.map(|(d, (&here, &there))| self.leg_between(d, here, there, packet));
        legs.find(|&leg| leg != 0).unwrap_or(0)
    }

    /// The first leg in dimension order, and the hops of all legs.
    pub fn leg_and_hops(&self, from: u32, to: u32, packet: &Packet) -> (u32, u32) {
        let (mut first, mut hops) = (0, 0);
        let ends = self.grid.coordinates(from).iter().zip(self.grid.coordinates(to)).enumerate();
        for (d, (&here, &there)) in ends {
            let leg = self.leg_between(d, here, there, packet);
            hops += leg >> PORT_BITS;
            first = if first == 0 { leg } else { first };
        }
        (first, hops)
    }

    /// The first port in dimension order that leaves wrap-around links aside, or `None` at `to`.
    pub fn mesh_port(&self, from: u32, to: u32) -> Option<u8> {
        let (here, there) = (self.grid.coordinates(from), self.grid.coordinates(to));
        let d = (0..self.grid.dimensions()).find(|&d| here[d] != there[d])?;
        Some(2 * d as u8 + u8::from(there[d] < here[d]))
    }

    /// The ports that bring a packet closer to `to`, one a dimension, as a mask.
    pub fn ports(&self, from: u32, to: u32, packet: &Packet) -> u16 {
        (0..self.grid.dimensions())
            .map(|d| self.leg_in(d, from, to, packet))
            .filter(|&leg| leg != 0)
            .fold(0, |mask, leg| mask | 1 << (leg & PORT_MASK))
    }

    /// The ports that bring a packet closer to `to`, as a mask, and the first leg in dimension order: [`Ways::ports`] and
    /// [`Ways::leg`] at once.
    #[inline]
    pub fn ports_and_leg(&self, from: u32, to: u32, packet: &Packet) -> (u16, u32) {
        let (here, there) = (self.grid.coordinates(from), self.grid.coordinates(to));
        let (mut ports, mut first) = (0, 0);
        for (d, (&a, &b)) in here.iter().zip(there).enumerate() {
            if a != b {
                let leg = self.leg_between(d, a, b, packet);
                ports |= 1 << (leg & PORT_MASK);
                first = if first == 0 { leg } else { first };
            }
        }
        (ports, first)
    }

    /// The class of channels of Dally and Seitz for the next hop of `leg` from `from`: 0 while the wrap-around link of
    /// the ring is still ahead, 1 else.
    pub fn class(&self, from: u32, leg: u32) -> u32 {
        let (port, hops) = (leg & PORT_MASK, leg >> PORT_BITS);
        let d = (port / 2) as usize;
        let at = self.grid.coordinates(from)[d];
        let crosses = if port & 1 == 0 { at + hops >= self.grid.radix()[d] } else { at < hops };
        u32::from(!crosses)
    }
}

/// 0 for an offset of 0.
fn leg(d: usize, offset: i64) -> u32 {
    if offset == 0 {
        return 0;
    }
    let port = 2 * d as u32 + u32::from(offset < 0);
    (offset.unsigned_abs() as u32) << PORT_BITS | port
}

/// Whether packets on minimal ways can wait for each other around a ring of the grid. With fewer than four routers in a
/// ring they make one hop at most in it, so nobody in a ring's channel waits for another channel of the same ring; that
/// holds however many routers a packet is spread over.
pub fn closes_rings(grid: &Grid) -> bool {
    grid.radix().iter().zip(grid.wrap()).any(|(&k, &wrap)| wrap && k >= 4)
}

/// Classes that keep the rings of the grid free of deadlock.
pub fn ring_classes(grid: &Grid) -> u32 {
    1 + u32::from(closes_rings(grid))
}

/// The channels of a class, as a mask: channel `c` of `channels` belongs to class floor(c * classes / channels).
pub fn members(class: u32, classes: u32, channels: u32) -> u16 {
    (0..channels).filter(|c| c * classes / channels == class).fold(0, |mask, c| mask | 1 << c)
}

/// Bit `port * channels + channel` of every channel in `mask` of every port in `ports`.
pub fn spread(ports: u16, mask: u16, channels: u32) -> u64 {
    let each = tailback_base::bits::ones(u64::from(ports));
    each.fold(0, |all, port| all | at_port(mask, port as u32, channels))
}

/// Bit `port * channels + channel` of every channel in `mask`. A router with more outputs than a mask has bits is refused,
/// but its routing is built before that, for what else there is to say against it.
pub fn at_port(mask: u16, port: u32, channels: u32) -> u64 {
    u64::from(mask).checked_shl(port * channels).unwrap_or(0)
}

/// All of `channels` channels, as a mask.
pub fn all(channels: u32) -> u16 {
    ((1u32 << channels) - 1) as u16
}

/// Channels of one of `classes` classes, between which all are divided.
#[inline]
pub fn of_class(class: u32, classes: u32, channels: u32) -> u16 {
    let end = |class: u32| class * channels / classes;
    all(end(class + 1)) & !all(end(class))
}

/// Whether the halves of so many channels share one, by a section with or without [`MIDDLE`].
pub fn shares_middle(view: View, channels: u32) -> bool {
    channels > 1 && channels % 2 == 1 && view.has("middle_channel") && view.text("middle_channel") == "shared"
}

/// Why a channel that both halves may take closes no circle, after why the halves close none (Duato 1993).
pub fn of_middle(view: View) -> &'static str {
    match view.text("middle_channel") {
        "shared" => "; where they share a channel, a head may always take one of its own half instead",
        _ => "",
    }
}

/// The words of `router.sharing` that are safe: a head in a shared channel behind the tail of another packet could not ask for a channel of its
/// own half.
pub fn safe_sharing(view: View) -> &'static [&'static str] {
    if view.text("middle_channel") == "shared" { &["owned"] } else { &["owned", "shared", "shared_whole"] }
}

/// The channels of two halves, as masks.
pub fn halves(view: View, channels: u32) -> [u16; 2] {
    match shares_middle(view, channels) {
        true => [all(channels - channels / 2), all(channels) & !all(channels / 2)],
        false => [0, 1].map(|half| members(half, 2, channels)),
    }
}

/// Set in the word of a packet that takes the channels of the second half.
pub const SECOND: u32 = 1 << 4;

/// The channels of the two halves of a routing that keeps two kinds of packets apart.
#[derive(Clone, Debug)]
pub struct Halves {
    /// Classes of channels of a half: 1 or 2.
    classes: u32,
    /// Channels of class `half * classes + class`, as masks.
    members: [u16; 4],
}

impl Halves {
    /// Of a routing on a grid with so many channels, by its section.
    ///
    /// # Errors
    /// Where there are too few channels.
    pub fn new([routing, half]: [&str; 2], view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        let classes = ring_classes(grid);
        let needed = 2 * classes;
        if channels >= needed {
            let mut members = std::array::from_fn(|class| members(class as u32, needed, channels));
            if classes == 1 {
                members[..2].copy_from_slice(&halves(view, channels));
            }
            return Ok(Halves { classes, members });
        }
        let rings = if classes == 2 { ", and two classes each against the cycles of rings" } else { "" };
        Err(Refusal {
            path: "router.virtual_channels",
            message: format!(
                "{routing} needs {needed} virtual channels here, not {channels}: packets of one {half} keep off the channels \
                 of the other, or they would wait for each other in a circle{rings}"
            ),
            help: format!("set router.virtual_channels to {needed} or more"),
        })
    }

    /// The channels of a half, as a mask.
    pub fn all(&self, half: usize) -> u16 {
        let first = half * self.classes as usize;
        self.members[first..first + self.classes as usize].iter().fold(0, |all, members| all | members)
    }

    /// What a head asks for at `router`; `leg` returns the word of its next leg, in which no hops are left where it has arrived.
    #[inline]
    pub fn request(&self, ways: &Ways, router: u32, word: &mut u32, leg: impl FnOnce(u32) -> u32) -> Request {
        if *word >> PORT_BITS == 0 {
            *word = leg(*word);
            if *word >> PORT_BITS == 0 {
                return Request { port: None, channels: 0 };
            }
        }
        let first = if *word & SECOND != 0 { self.classes } else { 0 };
        let class = if self.classes == 1 { 0 } else { ways.class(router, *word) };
        Request { port: Some((*word & PORT_MASK) as u8), channels: self.members[(first + class) as usize] }
    }
}

/// In an `impl` of `Routing` for what holds `ways`: what all of its packets have of them.
macro_rules! by_ways {
    () => {
        fn offsets(&self, router: u32, packet: &tailback_engine::packet::Packet) -> [i32; 6] {
            self.ways.offsets(router, packet.router, packet)
        }

        fn variety(&self) -> tailback_engine::contract::routing::Variety {
            self.ways.variety()
        }

        fn coins(&self, router: u32, packet: &tailback_engine::packet::Packet) -> u32 {
            self.ways.coins(router, packet.router)
        }
    };
}
pub(super) use by_ways;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_legs_says_what_the_offsets_say() {
        let ties = [Tie::Plus, Tie::Minus, Tie::Sign, Tie::Alternate, Tie::Random];
        for (radix, wrap) in [([4, 5, 2], [true; 3]), ([4, 5, 2], [false; 3]), ([6, 3, 8], [true, false, true])] {
            let grid = Grid::new(&radix, &wrap, 1, 1);
            for (tie, choice) in ties.into_iter().flat_map(|tie| (0..8).map(move |choice| (tie, choice))) {
                let ways = Ways::with(&grid, tie);
                let packet = Packet { index: u64::from(choice), choice, ..Packet::default() };
                for pair in 0..(grid.routers() * grid.routers()) as u32 {
                    let (from, to) = (pair / grid.routers() as u32, pair % grid.routers() as u32);
                    let (here, there) = (grid.coordinates(from), grid.coordinates(to));
                    let legs = [0, 1, 2].map(|d| leg(d, ways.offset(d, here[d], there[d], &packet)));
                    let first = legs.into_iter().find(|&leg| leg != 0).unwrap_or(0);
                    assert_eq!([0, 1, 2].map(|d| ways.leg_in(d, from, to, &packet)), legs);
                    assert_eq!(ways.leg(from, to, &packet), first);
                    assert_eq!(ways.leg_and_hops(from, to, &packet), (first, grid.distance(from, to)));
                }
            }
        }
    }
}
