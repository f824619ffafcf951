//! Disha: a head that has waited too long takes the one token of the network and leaves by the recovery lane.
//!
//! Paper:    `self-tuned-2001` section 5 ("deadlock recovery": time-out of 8 cycles, exclusive access to the deadlock-free
//!           path); Anjan and Pinkston 1995 (the token); FlexSim for its two ways of passing the token.
//! Acts:     at the end of `allocate`, for every head that has failed to get a channel; on arrival in the lane.
//! Sees:     the head's failed attempts; where the token is.
//! State:    the token.
//! Differs from the paper: it does not say how the token travels; `token` chooses. The lane is a channel with a buffer at
//! every link, not one central buffer a router.
//!
//! Disha Concurrent (Anjan, Pinkston and Duato 1996) is left out: without the token several packets share the lane, and a
//! lane in dimension order closes cycles around rings; it takes another way for the lane, and no paper reproduced here
//! needs it.

use super::Listed;
use crate::routing::{PORT_MASK, Ways};
use serde::{Deserialize, Serialize};
use tailback_engine::contract::recovery::Recovery;
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Disha.
pub static ENTRY: Entry = Entry {
    name: "disha",
    summary: "a head that has failed too often takes the network's token and uses the recovery lane, one packet at a \
        time",
    paper: "self-tuned-2001 section 5",
    ideal: false,
    params: &[
        Param {
            name: "timeout_cycles",
            kind: Kind::Integer { min: 1, max: 1 << 30 },
            unit: "cycles",
            fallback: Fallback::Integer(8),
            doc: "Number of failed attempts in a row, one per cycle, after which a head counts as deadlocked.",
        },
        Param {
            name: "token",
            kind: Kind::Choice(&[
                (
                    "walk",
                    "it visits the routers in the order of their ids, one per cycle, and is taken while it is there",
                ),
                ("instant", "it is taken at once, by the lowest router and input that wants it"),
            ]),
            unit: "",
            fallback: Fallback::Text("walk"),
            doc: "How the token gets to a router; \"instant\" is a bound, with wires that no network has.",
        },
        Param {
            name: "lane_flits",
            kind: Kind::Integer { min: 1, max: 32767 },
            unit: "flits",
            fallback: Fallback::Integer(8),
            doc: "Buffer of the recovery lane at every link.",
        },
    ],
};

/// Where the token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Token {
    /// With a packet.
    Held,
    /// Free; it was at this router in that cycle, and walks on, a router a cycle.
    Free { router: u32, since: u64 },
}

/// Disha with one token.
#[derive(Clone, Debug)]
pub struct Disha {
    ways: Ways,
    timeout: u32,
    walks: bool,
    lane_flits: u32,
    token: Token,
    cycle: u64,
}

tailback_base::plain!(Token);
tailback_base::state!([] Disha { saved: token, cycle; rebuilt: ways, timeout, walks, lane_flits; });

impl Disha {
    fn is_here(&self, router: u32) -> bool {
        match self.token {
            Token::Held => false,
            Token::Free { .. } if !self.walks => true,
            Token::Free { router: from, since } => {
                let routers = self.ways.grid().routers() as u64;
                (u64::from(from) + (self.cycle - since)) % routers == u64::from(router)
            }
        }
    }
}

impl Listed for Disha {
    const SMALL: &'static str = "timeout_cycles = 4";

    fn build(view: View, grid: &Grid) -> Self {
        Disha {
            ways: Ways::up(grid),
            timeout: view.u32("timeout_cycles"),
            walks: view.text("token") == "walk",
            lane_flits: view.u32("lane_flits"),
            token: Token::Free { router: 0, since: 0 },
            cycle: 0,
        }
    }
}

impl Recovery for Disha {
    fn lane_flits(&self) -> u32 {
        self.lane_flits
    }

    #[inline]
    fn step(&mut self, cycle: u64) {
        self.cycle = cycle;
    }

    #[inline]
    fn takes_over(&mut self, router: u32, attempts: u32) -> bool {
        let takes = attempts >= self.timeout && self.is_here(router);
        if takes {
            self.token = Token::Held;
        }
        takes
    }

    fn port(&self, router: u32, packet: &Packet) -> u8 {
        (self.ways.leg(router, packet.router, packet) & PORT_MASK) as u8
    }

    fn arrived(&mut self, router: u32) {
        self.token = Token::Free { router, since: self.cycle };
    }

    fn fits(&self, now: u64, taken_over: usize) -> bool {
        let routers = self.ways.grid().routers();
        let token = match self.token {
            Token::Held => taken_over == 1,
            Token::Free { router, since } => taken_over == 0 && (router as usize) < routers && since <= self.cycle,
        };
        token && self.cycle == now.saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::resolved;

    fn disha(token: &str, grid: &Grid) -> Disha {
        let spec = resolved(crate::recovery::section(), &[("kind", "disha"), ("token", token)]);
        Disha::build(spec.view("recovery"), grid)
    }

    fn torus() -> Grid {
        Grid::new(&[4, 4], &[true, true], 1, 1)
    }

    #[test]
    fn the_token_walks_from_where_it_was_released() {
        let mut disha = disha("walk", &torus());
        disha.step(35);
        assert!(!disha.takes_over(2, 99) && !disha.takes_over(3, 7) && disha.takes_over(3, 8));
        disha.step(51);
        assert!(!disha.takes_over(3, 99), "it is held");
        disha.arrived(10);
        assert!(disha.takes_over(10, 8), "it is free in the cycle of its release");
        disha.arrived(10);
        disha.step(60);
        assert!(!disha.takes_over(10, 99) && disha.takes_over(3, 8));
    }

    #[test]
    fn an_instant_token_is_taken_anywhere_but_only_once() {
        let mut disha = disha("instant", &torus());
        disha.step(1);
        assert!(!disha.takes_over(9, 7) && disha.takes_over(9, 8) && !disha.takes_over(9, 8));
        disha.arrived(0);
        assert!(disha.takes_over(9, 8));
    }

    #[test]
    fn the_lane_goes_minimal_ways_to_the_destination() {
        for grid in [torus(), Grid::new(&[5, 3], &[false, false], 1, 1), Grid::new(&[6], &[true], 1, 1)] {
            let disha = disha("walk", &grid);
            let routers = grid.routers() as u32;
            for (from, to) in (0..routers).flat_map(|a| (0..routers).map(move |b| (a, b))) {
                let packet = Packet { router: to, ..Packet::default() };
                let mut at = from;
                for left in (0..grid.distance(from, to)).rev() {
                    at = grid.peer(at, usize::from(disha.port(at, &packet)));
                    assert_eq!(grid.distance(at, to), left);
                }
                assert_eq!(at, to);
            }
        }
    }
}
