//! Entropy throttling: no node starts a packet while too small a share of the network's occupied buffers moves.
//!
//! Paper:    Yokota, Ootsu, Furukawa and Baba, ACSAC 2006; as told by `spth-2015` section 2.3.
//! Acts:     `observe`: a comparison once a gather.
//! Sees:     occupied buffers and flits moved in the whole network, by a side-band.
//! State:    the side-band.
//! Differs from the paper: known from its abstract and from others. There a reduction network shares the links and sums
//! occupied and blocked buffers; here a side-band of its own sums occupied buffers and, since the last sample, flits that
//! left them for a link or were received, and the flits of a cycle over occupied buffers are the share that moves. The
//! default of the share is ours.

use super::side_band::{self, SideBand, Wires};
use super::{Listed, Site, Switching};
use crate::Refusal;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::Occupancy;
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Entropy throttling.
pub static ENTRY: Entry = Entry {
    name: "entropy",
    summary: "holds every packet while too small a share of the network's occupied buffers moves (after entropy \
        throttling)",
    paper: "Yokota, Ootsu, Furukawa and Baba 2006",
    ideal: false,
    params: &[
        Param {
            name: "min_mobility",
            kind: Kind::Float { min: 0.0, max: 1.0 },
            unit: "",
            fallback: Fallback::Float(0.5),
            doc: "Packets may start while at least this number of flits moves per cycle and occupied buffer. The \
                default is not from the paper.",
        },
        side_band::HOP_CYCLES,
    ],
};

/// A side-band and a share.
#[derive(Clone, Debug)]
pub struct Entropy {
    band: SideBand,
    min_mobility: f64,
    /// Whether new packets are held in the next cycle.
    holds: bool,
}

tailback_base::state!([] Entropy { saved: band, holds; rebuilt: min_mobility; } [fits]);

impl Entropy {
    fn fits(&self) -> Result<(), Unfit> {
        ensure(self.holds == self.is_slow(), "packets are held for no reason")
    }

    fn decide(&mut self) {
        self.holds = self.is_slow();
    }

    /// Whether too few of the occupied buffers move.
    fn is_slow(&self) -> bool {
        let last = self.band.last();
        let occupied_cycles = (last.buffers * self.band.gather_cycles()) as f64;
        (last.flits as f64) < self.min_mobility * occupied_cycles
    }
}

impl Listed for Entropy {
    fn build(view: View, Site { grid, channels, .. }: Site) -> Self {
        let wires = Wires { hop_cycles: view.u64("hop_cycles"), bits: None, serial: false };
        let band = SideBand::new(wires, grid, channels, 1);
        Entropy { band, min_mobility: view.float("min_mobility"), holds: false }
    }

    fn objection(_view: View, _site: Site, switching: Switching) -> Option<Refusal> {
        super::counts_flits(&ENTRY, switching)
    }
}

impl Admission for Entropy {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>) {
        if self.band.observe(cycle, occupancy) {
            self.decide();
        }
    }

    #[inline]
    fn delivered(&mut self, _router: u32, flits: u32) {
        self.band.add(flits);
    }

    fn watches_flits(&self) -> bool {
        true
    }

    #[inline]
    fn sent(&mut self, _router: u32, _port: u8, input: Option<(u8, u8)>) {
        self.band.add(u32::from(input.is_some()));
    }

    #[inline]
    fn admits_by_any(&self, _view: LocalView<'_>, _request: Request, useful: u16) -> bool {
        !self.holds || useful == 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::side_band::tests::paper_grid;
    use super::super::tests::{asks, built, occupancy, view_of};
    use super::*;
    use tailback_network::Grid;

    /// Whether packets are held after `occupied` buffers have been sampled and `sent` flits a cycle have left buffers.
    fn holds(min_mobility: f64, occupied: u64, sent: u32, received: u32) -> bool {
        let share = format!("min_mobility = {min_mobility}");
        let mut throttle = built::<Entropy>("entropy", &share, &paper_grid(), 3);
        for cycle in 0..96 {
            (0..sent).for_each(|_| throttle.sent(0, 1, Some((1, 0))));
            throttle.sent(0, 1, None);
            throttle.delivered(0, received);
            if throttle.band.observe_count(cycle, occupied) {
                throttle.decide();
            }
            assert!(cycle >= 63 || !throttle.holds, "the first sample is known after 64 cycles");
        }
        throttle.holds
    }

    #[test]
    fn a_share_of_the_occupied_buffers_moves() {
        assert!(!holds(0.25, 100, 24, 1));
        assert!(holds(0.25, 100, 24, 0), "what nodes send does not count");
        assert!(!holds(1.0, 100, 100, 0) && holds(1.0, 101, 100, 0));
        assert!(!holds(1.0, 0, 0, 0), "an empty network is not stuck");
        assert!(!holds(0.0, 3072, 0, 0));
    }

    #[test]
    fn a_buffer_with_one_flit_is_occupied() {
        let grid = Grid::new(&[4], &[true], 1, 1);
        // A ring of four: g is 2. Two buffers of one flit for two cycles: two flits have to move.
        for (sent, held) in [(1, true), (2, false)] {
            let mut throttle = built::<Entropy>("entropy", "min_mobility = 0.5, hop_cycles = 1", &grid, 1);
            let shown = occupancy(&grid, 1, &[1, 0, 0, 0, 0, 1, 0, 0]);
            for cycle in 0..4 {
                if cycle == 0 {
                    (0..sent).for_each(|_| throttle.sent(0, 0, Some((1, 0))));
                }
                throttle.observe(cycle, Some(&shown));
            }
            let view = view_of(&[1; 2]);
            assert_eq!((!throttle.admits(view, asks(0)), !throttle.admits_by_any(view, asks(0), 1)), (held, held));
            assert!(
                throttle.admits(view, Request { port: None, channels: 1 }) && throttle.admits_by_any(view, asks(0), 0)
            );
        }
    }
}
