//! Times, widths and extrapolation, by numbers worked out by hand.

use super::super::tests::{occupancy, resolved};
use super::*;

const WIDE: Wires = Wires { hop_cycles: 2, bits: None, serial: false };

/// The network of self-tuned-2001.
pub fn paper_grid() -> Grid {
    Grid::new(&[16, 16], &[true, true], 1, 1)
}

impl SideBand {
    /// As [`SideBand::observe`], with the count given.
    pub fn observe_count(&mut self, cycle: u64, buffers: u64) -> bool {
        let due = self.is_due(cycle);
        if due {
            self.sample(buffers);
        }
        due
    }
}

fn band(wires: Wires) -> SideBand {
    SideBand::new(wires, &paper_grid(), 3, 8)
}

#[test]
fn gathers_take_as_long_as_the_paper_says() {
    let gather = |grid: &Grid, wires: Wires| wires.gather_cycles(grid, buffers(grid, 3));
    assert_eq!(gather(&paper_grid(), WIDE), 32);
    assert_eq!(gather(&paper_grid(), Wires { hop_cycles: 3, ..WIDE }), 48);
    assert_eq!(gather(&Grid::new(&[16, 16], &[false, false], 1, 1), WIDE), 60);
    assert_eq!(gather(&Grid::new(&[5, 4, 3], &[true, false, true], 1, 1), WIDE), 2 * (2 + 3 + 1));
    // 25 bits are three words of 9: four cycles a hop, so 14 bits for the flits of 64 cycles: still three words. Of 5 bits
    // five words; then 15 bits for 96 cycles: six. One word of 25 is no delay.
    for (width, cycles) in [(9, 64), (5, 112), (25, 32), (24, 48)] {
        assert_eq!(gather(&paper_grid(), Wires { bits: Some(width), serial: true, ..WIDE }), cycles, "{width} bits");
        assert_eq!(gather(&paper_grid(), Wires { bits: Some(width), ..WIDE }), 32);
    }
}

#[test]
fn numbers_need_as_many_bits_as_the_paper_says() {
    assert_eq!(buffers(&paper_grid(), 3), 3072);
    assert_eq!((bits(3072), bits(32 * 256)), (12, 13));
    assert_eq!((bits(2), bits(3), bits(4), bits(5)), (1, 2, 2, 3));
}

#[test]
fn full_buffers_are_counted() {
    let levels: [&[u16]; 3] = [&[8, 0, 7], &[8, 8, 1], &[0, 0, 0]];
    let counted = |level| count(levels.into_iter(), level);
    assert_eq!((counted(8), counted(7), counted(1), counted(0)), (3, 4, 5, 9));
}

#[test]
fn a_snapshot_is_known_a_gather_after_it_was_taken() {
    let mut band = band(WIDE);
    let mut arrived = Vec::new();
    for cycle in 0..128 {
        band.add(1);
        if band.observe_count(cycle, 1000 + cycle) {
            arrived.push((cycle, band.last()));
        }
    }
    let at = |buffers, flits| Snapshot { buffers, flits };
    // Nothing at cycle 0; the sample at the end of cycle 31 is known at the end of cycle 63.
    assert_eq!(arrived, [(31, at(0, 0)), (63, at(1031, 32)), (95, at(1063, 32)), (127, at(1095, 32))]);
}

#[test]
fn the_line_through_two_snapshots() {
    let mut band = band(WIDE);
    band.known = [Snapshot { buffers: 200, flits: 0 }, Snapshot { buffers: 136, flits: 0 }];
    // Two buffers more each cycle; in cycle 320 the last snapshot is 32 cycles old, in cycle 351 it is 63.
    let extrapolate = Estimate::Extrapolate;
    assert_eq!(extrapolate.buffers(&band, 320), 264.0);
    assert_eq!(extrapolate.buffers(&band, 351), 326.0);
    assert!(extrapolate.exceeds(&band, 320, 263) && !extrapolate.exceeds(&band, 320, 264));
    // Counted from its arrival it is new in cycle 320.
    assert_eq!([320, 351].map(|cycle| Estimate::Arrival.buffers(&band, cycle)), [200.0, 262.0]);
    assert_eq!(Estimate::Last.buffers(&band, 351), 200.0);
    assert!(Estimate::Last.exceeds(&band, 320, 199) && !Estimate::Last.exceeds(&band, 351, 200));
    // 67 more in 32 cycles, 32 cycles on: a fraction above 267 counts.
    band.known = [Snapshot { buffers: 200, flits: 0 }, Snapshot { buffers: 133, flits: 0 }];
    assert!(extrapolate.exceeds(&band, 321, 269) && !extrapolate.exceeds(&band, 321, 270));
}

#[test]
fn an_estimate_is_a_number_of_buffers() {
    let mut band = band(WIDE);
    band.known = [Snapshot { buffers: 100, flits: 0 }, Snapshot { buffers: 300, flits: 0 }];
    assert_eq!(Estimate::Extrapolate.buffers(&band, 0), 0.0);
    band.known = [Snapshot { buffers: 3000, flits: 0 }, Snapshot { buffers: 2000, flits: 0 }];
    assert_eq!(Estimate::Extrapolate.buffers(&band, 0), 3072.0);
    assert!(!Estimate::Extrapolate.exceeds(&band, 0, 3072) && !Estimate::Last.exceeds(&band, 0, u64::MAX));
}

#[test]
fn a_narrow_band_drops_low_bits() {
    let sent = |bits, serial, buffers, flits| {
        let mut band = band(Wires { bits, serial, ..WIDE });
        band.add(flits);
        band.sample(buffers);
        (band.under_way.buffers, band.under_way.flits)
    };
    assert_eq!(sent(None, false, 3071, 9000), (3071, 9000));
    // 13 bits hold 8191.
    assert_eq!(sent(Some(25), false, 3071, 8192), (3071, 8191));
    // 9 bits: 4 of 12 for the buffers, in steps of 256; 5 of 13 for the flits, in steps of 256.
    assert_eq!(sent(Some(9), false, 255, 255), (0, 0));
    assert_eq!(sent(Some(9), false, 3071, 8191), (2816, 7936));
    // 24 bits: 11 and 13.
    assert_eq!(sent(Some(24), false, 3071, 8191), (3070, 8191));
    assert_eq!(sent(Some(2), false, 2047, 4096), (0, 4096));
    assert_eq!(sent(Some(9), true, 3071, 4001), (3071, 4001));
}

#[test]
fn every_buffer_of_the_network_is_looked_at() {
    let grid = Grid::new(&[4, 3], &[true, false], 1, 1);
    let wires = Wires { hop_cycles: 1, ..WIDE };
    for channels in [1, 3] {
        let buffers = grid.routers() * grid.ports() * channels;
        for full in 0..buffers {
            let mut band = SideBand::new(wires, &grid, channels as u32, 5);
            // Just not full but for one, and for those of router 0.
            let level = |n: usize| if n == full || n.is_multiple_of(grid.routers()) { 5 } else { 4 };
            let flits: Vec<u16> = (0..buffers).map(level).collect();
            let shown = occupancy(&grid, channels, &flits);
            // Two hops around the ring, two along the line.
            let due: Vec<bool> = (0..8).map(|cycle| band.observe(cycle, Some(&shown))).collect();
            assert_eq!(due, [false, false, false, true, false, false, false, true]);
            let of_router_0 = (grid.ports() * channels) as u64;
            assert_eq!(band.last().buffers, of_router_0 + u64::from(!full.is_multiple_of(grid.routers())), "{full}");
        }
    }
}

#[test]
fn parameters_reach_the_wires() {
    let of = |parameters: &str| {
        let spec = resolved("self_tuned", parameters);
        let wires = Wires::of(spec.view("admission"));
        ((wires.hop_cycles, wires.bits, wires.serial), Estimate::of(spec.view("admission")))
    };
    assert_eq!(of(""), ((2, None, false), Estimate::Extrapolate));
    let all = "hop_cycles = 5, side_band_bits = 9, narrow_side_band = \"serial\", estimate = \"last\"";
    assert_eq!(of(all), ((5, Some(9), true), Estimate::Last));
}
