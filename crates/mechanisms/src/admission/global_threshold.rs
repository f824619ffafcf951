//! Global threshold: no node starts a packet while the network is estimated to have more full buffers than a constant.
//!
//! Paper:    `self-tuned-2001` sections 3 and 5.2.2 (figure 5, static thresholds).
//! Acts:     `observe`: a comparison a cycle.
//! Sees:     full buffers of the whole network, by the side-band.
//! State:    the side-band.
//! Differs from the paper: packets for a node at their own router use no network buffer and are never held.

use super::side_band::{self, Estimate, SideBand, Wires};
use super::{Listed, Site, Switching};
use crate::Refusal;
use tailback_base::state::{MOST, Unfit, ensure};
use tailback_engine::Occupancy;
use tailback_engine::contract::admission::{Admission, Gauges, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Global threshold.
pub static ENTRY: Entry = Entry {
    name: "global_threshold",
    summary: "holds every packet while the estimate of the network's full buffers is above a constant",
    paper: "self-tuned-2001 section 5.2.2",
    ideal: false,
    params: &[
        Param {
            name: "threshold_buffers",
            kind: Kind::IntegerOrAuto { min: 0, max: 1 << 40 },
            unit: "buffers",
            fallback: Fallback::Text("auto"),
            doc: "Packets may start while at most this number of buffers is full; \"auto\": 8 % of all, rounded down \
                (self-tuned-2001: 250 \
                  of 3072 for random traffic, 50 for butterfly).",
        },
        side_band::ESTIMATE,
        side_band::HOP_CYCLES,
        side_band::BITS,
        side_band::NARROW,
    ],
};

/// A side-band and a constant.
#[derive(Clone, Debug)]
pub struct GlobalThreshold {
    band: SideBand,
    estimate: Estimate,
    threshold: u64,
    /// The next cycle.
    cycle: u64,
    /// Whether new packets are held in it.
    holds: bool,
}

tailback_base::state!([] GlobalThreshold { saved: band, cycle, holds; rebuilt: estimate, threshold; } [fits]);

impl GlobalThreshold {
    fn fits(&self) -> Result<(), Unfit> {
        let holds = self.estimate.exceeds(&self.band, self.cycle, self.threshold);
        ensure(self.cycle <= MOST && self.holds == holds, "packets are held for no reason")
    }

    fn decide(&mut self, cycle: u64) {
        self.cycle = cycle;
        self.holds = self.estimate.exceeds(&self.band, cycle, self.threshold);
    }
}

impl Listed for GlobalThreshold {
    fn build(view: View, Site { grid, channels, buffer_flits }: Site) -> Self {
        let band = SideBand::new(Wires::of(view), grid, channels, buffer_flits);
        let threshold = view.finite("threshold_buffers").unwrap_or(band.total() * 8 / 100);
        GlobalThreshold { band, estimate: Estimate::of(view), threshold, cycle: 0, holds: false }
    }

    fn objection(_view: View, _site: Site, switching: Switching) -> Option<Refusal> {
        super::asks_for_full_buffers(&ENTRY, switching)
    }
}

impl Admission for GlobalThreshold {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>) {
        self.band.observe(cycle, occupancy);
        self.decide(cycle + 1);
    }

    #[inline]
    fn admits_by_any(&self, _view: LocalView<'_>, _request: Request, useful: u16) -> bool {
        !self.holds || useful == 0
    }

    fn gauges(&self) -> Gauges {
        Gauges {
            threshold: Some(self.threshold as f64),
            estimate: Some(self.estimate.buffers(&self.band, self.cycle)),
            full_buffers: Some(self.band.last().buffers as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::side_band::tests::paper_grid;
    use super::super::tests::{asks, built, resolved, view_of};
    use super::*;

    fn throttle(parameters: &str) -> GlobalThreshold {
        built::<GlobalThreshold>("global_threshold", parameters, &paper_grid(), 3)
    }

    #[test]
    fn eight_percent_by_default() {
        assert_eq!(
            throttle("").gauges(),
            Gauges { threshold: Some(245.0), estimate: Some(0.0), full_buffers: Some(0.0) }
        );
    }

    #[test]
    fn holds_above_the_threshold_and_only_then() {
        let mut throttle = throttle("threshold_buffers = 250, estimate = \"last\"");
        let mut held = Vec::new();
        for cycle in 0..256 {
            // 250 full buffers at the end of cycle 31, 251 at the end of cycles 63 and 95, then fewer.
            let full = [250, 251, 251, 17, 0, 0, 0, 0][cycle as usize / 32];
            throttle.band.observe_count(cycle, full);
            throttle.decide(cycle + 1);
            if throttle.holds {
                held.push(cycle + 1);
            }
        }
        assert_eq!((held[0], held[held.len() - 1], held.len()), (96, 159, 64));
    }

    #[test]
    fn who_does_not_enter_the_network_is_not_held() {
        let mut throttle = throttle("threshold_buffers = 0");
        throttle.holds = true;
        let view = view_of(&[0b111; 4]);
        assert!(!throttle.admits(view, asks(1)) && !throttle.admits_by_any(view, asks(1), 0b10));
        let own = Request { port: None, channels: 1 };
        assert!(throttle.admits(view, own) && throttle.admits_by_any(view, own, 0));
    }

    #[test]
    fn a_state_holds_packets_for_a_reason() {
        let wrong: [fn(&mut GlobalThreshold); 2] = [|state| state.holds = true, |state| state.cycle = MOST + 1];
        assert!(throttle("").fits().is_ok());
        for change in wrong {
            let mut state = throttle("");
            change(&mut state);
            assert!(state.fits().is_err());
        }
    }

    #[test]
    fn a_memory_that_is_divided_is_never_full() {
        let (spec, grid) = (resolved("global_threshold", ""), paper_grid());
        let site = Site { grid: &grid, channels: 3, buffer_flits: 8 };
        let objects = |shared_buffers| {
            let switching = Switching { by_flits: false, adaptive: false, by_channels: false, shared_buffers };
            GlobalThreshold::objection(spec.view("admission"), site, switching).is_some()
        };
        assert!(objects(false) && !objects(true));
    }
}
