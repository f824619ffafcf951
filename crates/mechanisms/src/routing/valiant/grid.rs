//! Valiant on a grid: in dimension order to a router drawn at random, and from there in dimension order to the destination.

use super::super::ways::{Halves, PORT_BITS, SECOND, Ways};
use crate::Refusal;
use tailback_base::rng;
use tailback_engine::contract::routing::{Head, Request, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::View;

/// Valiant's routing on a grid.
#[derive(Clone, Debug)]
pub struct OnGrid {
    ways: Ways,
    /// The channels of the phases: to the router drawn, and from there to the destination.
    phases: Halves,
    /// Whether the router drawn lies between source and destination.
    between: bool,
    /// Whether packets for nodes of their own router travel, too.
    all_travel: bool,
    /// The channels of a packet of the first phase at the router of its destination, where they are others than those of its phase.
    passing: Option<u16>,
}

/// Whether packets of the first phase may take all channels at the router of their destination.
pub(super) fn opens(view: View, grid: &Grid) -> bool {
    view.text("passing") == "all" && view.text("by") == "any" && !grid.wrap().contains(&true)
}

impl OnGrid {
    /// Of a resolved section, on a grid with so many channels.
    ///
    /// # Errors
    /// Where there are too few channels.
    pub fn new(view: View, grid: &Grid, channels: u32) -> Result<Self, Refusal> {
        let phases = Halves::new(["Valiant's routing", "phase"], view, grid, channels)?;
        let between = view.text("by") == "between";
        if between && grid.wrap().contains(&true) {
            return Err(Refusal {
                path: "routing.by",
                message: "routers lie between two others on a mesh; this network has rings".to_owned(),
                help: "take routing.by = \"any\"".to_owned(),
            });
        }
        let passing = opens(view, grid).then(|| phases.all(0) | phases.all(1));
        let all_travel = view.text("own_router") == "travels";
        Ok(OnGrid { ways: Ways::new(view, grid), phases, between, all_travel, passing })
    }

    /// The router by whose way the packet goes: the choice scaled to the number of routers. Coins for ties are its low
    /// bits, which the scaling hardly sees.
    fn middle(&self, packet: &Packet) -> u32 {
        if self.between {
            return self.middle_between(packet);
        }
        rng::below(u64::from(packet.choice) << 32, self.ways.grid().routers() as u64) as u32
    }

    /// The same out of the routers of the box that source and destination are corners of.
    fn middle_between(&self, packet: &Packet) -> u32 {
        let grid = self.ways.grid();
        let ends = [grid.router_of(packet.source), packet.router].map(|router| grid.coordinates(router));
        let sides = || ends[0].iter().zip(ends[1]).map(|(&a, &b)| (a.min(b), a.abs_diff(b) + 1));
        let all = sides().map(|(_, side)| u64::from(side)).product();
        let mut number = rng::below(u64::from(packet.choice) << 32, all) as u32;
        let (mut middle, mut stride) = (0, 1);
        for ((low, side), &k) in sides().zip(grid.radix()) {
            middle += (low + number % side) * stride;
            (number, stride) = (number / side, stride * k);
        }
        middle
    }

    /// Whether a packet stays at its router, where its journey begins.
    fn stays(&self, router: u32, packet: &Packet) -> bool {
        !self.all_travel && router == packet.router
    }

    /// The next leg from `router` in the phase of `word`, or in the second when the first is over. 0: arrived.
    fn leg(&self, router: u32, packet: &Packet, word: u32) -> u32 {
        if word & SECOND == 0 {
            let leg = self.ways.leg(router, self.middle(packet), packet);
            if leg != 0 {
                return leg;
            }
        }
        match self.ways.leg(router, packet.router, packet) {
            0 => SECOND,
            leg => leg | SECOND,
        }
    }
}

impl Routing for OnGrid {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        packet.choice = draw();
        packet.hops = 0;
        if self.stays(router, packet) {
            return SECOND;
        }
        let (grid, middle) = (self.ways.grid(), self.middle(packet));
        packet.hops = grid.distance(router, middle) + grid.distance(middle, packet.router);
        self.leg(router, packet, 0)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let request = self.phases.request(&self.ways, head.router, word, |word| self.leg(head.router, packet, word));
        match self.passing {
            Some(channels) if *word & SECOND == 0 && head.router == packet.router => Request { channels, ..request },
            _ => request,
        }
    }

    /// Of the first phase for a packet at its source, unless it is drawn to begin with the second.
    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        let middle = self.middle(packet);
        let to = if self.stays(router, packet) || router == middle { packet.router } else { middle };
        self.ways.offsets(router, to, packet)
    }

    /// Every middle, with every coin.
    fn variety(&self) -> Variety {
        let (routers, coins) = (self.ways.grid().routers() as u64, self.ways.variety());
        let of_middle = |m: u64| (m << 32).div_ceil(routers).next_multiple_of(64) as u32;
        Variety { draws: (0..routers).map(of_middle).collect(), ..coins }
    }

    /// All of them: there are two ways that may have ties.
    fn coins(&self, _router: u32, _packet: &Packet) -> u32 {
        self.ways.variety().coins
    }

    fn memory(&self, _head: Head, packet: &Packet) -> u32 {
        if self.between { self.middle(packet) } else { packet.choice | (packet.index as u32 & 1) }
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word - (1 << PORT_BITS)
    }

    /// It is what is left of the leg from here, or of none.
    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        word >> PORT_BITS == 0 || word == self.leg(router, packet, word)
    }
}
