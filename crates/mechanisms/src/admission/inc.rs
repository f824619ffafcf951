//! INC: a router whose flow falls although its buffers are full holds its new packets for a time, longer if it recurs.
//!
//! Paper:    Baydal and Lopez, Euro-Par 2003 (injection and network congestion).
//! Acts:     `observe`, once an interval; `admit`, once per waiting packet per cycle.
//! Sees:     flits that pass its own router; its own input buffers.
//! State:    per router the flits of this and the last interval, the time until which it holds, and for how long.
//! Differs from the paper: known from its abstract, which says that flow is measured by interval and that throttling times
//! are extended. Ours are: what counts as flow (flits from network inputs to network outputs), the test of a full input
//! buffer, the doubling, and all defaults. The preventive measures that the paper takes first are left out.

use super::{Listed, Site, Switching};
use crate::Refusal;
use serde::{Deserialize, Serialize};
use tailback_base::state::{MOST, Unfit, ensure};
use tailback_engine::Occupancy;
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Injection and network congestion.
pub static ENTRY: Entry = Entry {
    name: "inc",
    summary: "holds a router's packets for a time when the flow through it falls while its buffers are full (after \
        INC)",
    paper: "Baydal and Lopez 2003",
    ideal: false,
    params: &[
        cycles(
            "interval_cycles",
            64,
            "Length of the intervals in which the flits that pass a router are counted. The default is not from the \
             paper.",
        ),
        Param {
            name: "fall_fraction",
            kind: Kind::Float { min: 0.0, max: 1.0 },
            unit: "",
            fallback: Fallback::Float(0.25),
            doc: "The flow falls when an interval has less than 1 - fall_fraction of the flits of the interval \
                before. The default is not from the paper.",
        },
        cycles("hold_cycles", 64, "How long packets are held the first time. The default is not from the paper."),
        cycles(
            "max_hold_cycles",
            1024,
            "Upper limit of the hold time, which doubles each time that the flow falls again. The default is not \
             from the paper.",
        ),
    ],
};

const fn cycles(name: &'static str, default: i64, doc: &'static str) -> Param {
    let kind = Kind::Integer { min: 1, max: 1 << 30 };
    Param { name, kind, unit: "cycles", fallback: Fallback::Integer(default), doc }
}

/// One router's measurement.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Flow {
    flits: u32,
    before: u32,
    /// The present or last time of holding: its end, the first cycle after it, and its length \[cycles\].
    until: u64,
    length: u64,
}

/// The flows of all routers.
#[derive(Clone, Debug)]
pub struct Inc {
    flows: Vec<Flow>,
    ports: usize,
    channels: usize,
    buffer_flits: u32,
    interval: u64,
    /// Share of the last interval's flits below which flow has fallen.
    fallen: f64,
    shortest: u64,
    longest: u64,
    /// The next cycle.
    cycle: u64,
}

tailback_base::plain!(Flow);
tailback_base::state!([] Inc {
    saved: flows, cycle;
    rebuilt: ports, channels, buffer_flits, interval, fallen, shortest, longest;
} [fits]);

impl Inc {
    /// That nobody holds for longer than allowed, or has sent more than can be.
    fn fits(&self) -> Result<(), Unfit> {
        let (longest, now) = (self.longest.max(self.shortest), self.cycle);
        let of_interval = self.interval.saturating_mul(64);
        let right = |flow: &Flow| {
            let counted = [flow.flits, flow.before].iter().all(|&flits| u64::from(flits) <= of_interval);
            counted && flow.length <= longest && flow.until <= now + flow.length
        };
        ensure(now <= MOST && self.flows.iter().all(right), "a router holds packets for longer than it may")
    }

    /// The end of the cycle before `cycle`; `is_full` says whether a router has a full network input.
    fn step(&mut self, cycle: u64, is_full: impl Fn(u32) -> bool) {
        self.cycle = cycle;
        if !cycle.is_multiple_of(self.interval) {
            return;
        }
        for (router, flow) in (0..).zip(&mut self.flows) {
            if f64::from(flow.flits) < self.fallen * f64::from(flow.before) && is_full(router) {
                // Again: it held in this interval or the one before.
                let again = flow.until + self.interval >= cycle;
                let length = if again { 2 * flow.length } else { 0 };
                flow.length = length.clamp(self.shortest, self.longest.max(self.shortest));
                flow.until = cycle + flow.length;
            }
            flow.before = std::mem::take(&mut flow.flits);
        }
    }
}

impl Listed for Inc {
    const SMALL: &'static str = "interval_cycles = 8, fall_fraction = 0.05, hold_cycles = 4, max_hold_cycles = 32";

    fn build(view: View, Site { grid, channels, buffer_flits }: Site) -> Self {
        Inc {
            flows: vec![Flow::default(); grid.routers()],
            ports: grid.ports(),
            channels: channels as usize,
            buffer_flits,
            interval: view.u64("interval_cycles"),
            fallen: 1.0 - view.float("fall_fraction"),
            shortest: view.u64("hold_cycles"),
            longest: view.u64("max_hold_cycles"),
            cycle: 0,
        }
    }

    fn objection(_view: View, _site: Site, switching: Switching) -> Option<Refusal> {
        super::counts_flits(&ENTRY, switching)
    }
}

impl Admission for Inc {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>) {
        let occupancy = occupancy.expect("the engine keeps occupancy for who needs it");
        let (ports, channels, full) = (self.ports, self.channels, self.buffer_flits);
        self.step(cycle + 1, |router| {
            (0..ports * channels).any(|i| u32::from(occupancy.level(router, i / channels, i % channels)) >= full)
        });
    }

    fn watches_flits(&self) -> bool {
        true
    }

    #[inline]
    fn sent(&mut self, router: u32, _port: u8, input: Option<(u8, u8)>) {
        self.flows[router as usize].flits += u32::from(input.is_some());
    }

    #[inline]
    fn admits_by_any(&self, view: LocalView<'_>, _request: Request, useful: u16) -> bool {
        useful == 0 || self.cycle >= self.flows[view.router as usize].until
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{asks, built, occupancy, view_of};
    use super::*;
    use tailback_network::Grid;

    /// The cycles in which router 0 holds packets; a list has a value for each interval of 64 cycles.
    fn held(parameters: &str, flits: &[u32], full: &[bool]) -> Vec<u64> {
        let mut throttle = built::<Inc>("inc", parameters, &Grid::new(&[4, 4], &[true, true], 1, 1), 3);
        let mut held = Vec::new();
        for cycle in 0..64 * flits.len() as u64 {
            if !throttle.admits(view_of(&[0b111; 4]), asks(0)) {
                held.push(cycle);
            }
            let interval = cycle as usize / 64;
            if cycle % 64 == 5 {
                (0..flits[interval]).for_each(|_| throttle.sent(0, 0, Some((2, 1))));
            }
            throttle.sent(0, 0, None);
            throttle.sent(3, 0, Some((2, 1)));
            throttle.step(cycle + 1, |router| router == 0 && full[interval]);
        }
        held
    }

    #[test]
    fn falling_flow_holds_packets() {
        let held_in = |flits: &[u32], full: &[bool]| held("", flits, full);
        assert_eq!(held_in(&[100, 75, 57], &[true; 3]), [0u64; 0]);
        assert_eq!(held_in(&[100, 74, 74], &[true; 3]), Vec::from_iter(128..192));
        assert_eq!(held_in(&[100, 10, 10], &[false; 3]), [0u64; 0], "no buffer is full: the load has gone");
    }

    #[test]
    fn holding_grows_when_it_recurs() {
        // Falls at the ends of intervals 1, 2 (again: 128 cycles) and 4 (in the last cycle of holding: 256, at most 200).
        let flits = [100, 50, 20, 20, 5, 5, 5, 5, 5];
        assert_eq!(held("max_hold_cycles = 200", &flits, &[true; 9]), Vec::from_iter(128..520));
        // A fall long after the last one is a first fall.
        let flits = [100, 50, 50, 50, 50, 20, 20, 20];
        assert_eq!(held("", &flits, &[true; 8]), Vec::from_iter((128..192).chain(384..448)));
    }

    #[test]
    fn any_full_buffer_of_the_router_will_do() {
        let grid = Grid::new(&[3, 2], &[true, false], 1, 1);
        for full in 0..6 * 4 * 3 {
            let mut throttle = built::<Inc>("inc", "interval_cycles = 4, hold_cycles = 4", &grid, 3);
            let level = |n: usize| if n == full { 8 } else { 7 };
            let shown = occupancy(&grid, 3, &(0..6 * 4 * 3).map(level).collect::<Vec<u16>>());
            // Every router sends four flits in the first interval and none in the second.
            (0..6).for_each(|router| (0..4).for_each(|_| throttle.sent(router, 0, Some((1, 0)))));
            (0..8).for_each(|cycle| throttle.observe(cycle, Some(&shown)));
            let held = |router: &u32| {
                let view = LocalView { router: *router, ..view_of(&[0b111; 4]) };
                !throttle.admits(view, asks(0)) && !throttle.admits_by_any(view, asks(0), 0b100)
            };
            assert_eq!((0..6).filter(held).collect::<Vec<u32>>(), [full as u32 % 6], "buffer {full}");
        }
    }

    #[test]
    fn a_state_holds_packets_for_as_long_as_it_may() {
        let mut state = built::<Inc>("inc", "", &Grid::new(&[4, 4], &[true, true], 1, 1), 3);
        assert!(state.fits().is_ok());
        state.flows[0].length = state.longest;
        state.flows[0].until = state.cycle + state.longest;
        assert!(state.fits().is_ok());
        state.flows[0].until += 1;
        assert!(state.fits().is_err());
    }
}
