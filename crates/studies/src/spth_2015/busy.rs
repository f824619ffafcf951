//! What space-time charts say in numbers: how many buffers are full, from when on, and which way full areas move.

use crate::lab::Run;
use tailback_pictures::space_time::{Panel as DrawnPanel, SpaceTime as Drawn};
use tailback_probes::space_time::Panel;

/// Lags over which busy areas are followed: one, two and three packet times \[cycles\].
const LAGS: [usize; 3] = [8, 16, 24];

/// Farthest shift that is looked at \[routers\].
const REACH: usize = 3;

/// Rows of a panel that the run had not yet ended in.
fn rows(run: &Run, panel: &Panel) -> usize {
    let first = run.outcome.space_time.as_ref().map_or(0, |chart| chart.first_cycle());
    let rows = panel.cells.len() / panel.width().max(1);
    let end = run.duration().map_or(u64::MAX, |duration| duration as u64);
    rows.min(usize::try_from(end.saturating_sub(first)).unwrap_or(usize::MAX))
}

/// The panels of a run.
pub fn panels(run: &Run) -> &[Panel] {
    run.outcome.space_time.as_ref().map_or(&[], |chart| &chart.panels)
}

/// Part of the routers and cycles in which some virtual channel's buffer is full; `None` without a chart.
pub fn share(run: &Run) -> Option<f64> {
    let cells = panels(run).iter().flat_map(|panel| &panel.cells[..rows(run, panel) * panel.width()]);
    let (busy, all) = cells.fold((0_u64, 0_u64), |(busy, all), cell| (busy + u64::from(*cell != 0), all + 1));
    (all > 0).then(|| busy as f64 / all as f64)
}

/// First cycle in which a buffer of the E or W panel is full.
pub fn first_busy(run: &Run) -> Option<u64> {
    let first = run.outcome.space_time.as_ref()?.first_cycle();
    let row = |panel: &Panel| panel.cells.iter().position(|cell| *cell != 0).map(|at| (at / panel.width()) as u64);
    let found = panels(run).iter().filter(|panel| ["E", "W"].contains(&panel.name)).filter_map(row).min()?;
    Some(first + found)
}

/// How often a busy cell is followed by one upstream and by one downstream of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// Pairs whose later cell lies against the packets' direction.
    pub upstream: u64,
    /// Pairs whose later cell lies in the packets' direction.
    pub downstream: u64,
}

/// Pairs of busy cells of one line of routers, 1 to [`REACH`] routers and [`LAGS`] cycles apart. A ring of routers that
/// stay busy, or are busy by chance, makes as many upstream as downstream.
pub fn drift(cells: &[u16], width: usize, forward: bool) -> Drift {
    let mut drift = Drift::default();
    for lag in LAGS {
        for shift in 1..=REACH.min(width.saturating_sub(1)) {
            drift.upstream += pairs(cells, width, lag, if forward { width - shift } else { shift });
            drift.downstream += pairs(cells, width, lag, if forward { shift } else { width - shift });
        }
    }
    drift
}

/// Busy cells that are followed `lag` rows later by a busy one `shift` routers up the ring.
fn pairs(cells: &[u16], width: usize, lag: usize, shift: usize) -> u64 {
    let busy = |row: &[u16], later: &[u16]| -> u64 {
        (0..width).filter(|x| row[*x] != 0 && later[(x + shift) % width] != 0).count() as u64
    };
    let rows = cells.chunks_exact(width);
    let later = cells.chunks_exact(width).skip(lag);
    rows.zip(later).map(|(row, later)| busy(row, later)).sum()
}

/// The shift with the most pairs one packet time later, in routers, positive with the packets.
pub fn likeliest_shift(cells: &[u16], width: usize, forward: bool) -> i32 {
    let reach = REACH as i32;
    let of = |shift: i32| {
        let up = if forward { shift } else { -shift };
        pairs(cells, width, LAGS[1], up.rem_euclid(width as i32) as usize)
    };
    // Of equal ones the smallest movement.
    (-reach..=reach).max_by_key(|shift| (of(*shift), -shift.abs())).unwrap_or(0)
}

/// The chart as a picture.
pub fn drawn(run: &Run, title: &str) -> Drawn {
    let panels = panels(run);
    let cycles = panels.first().map_or(0, |panel| rows(run, panel));
    let row = |cycle: usize| {
        let part = |panel: &Panel| -> Vec<u32> {
            let from = cycle * panel.width();
            panel.cells[from..from + panel.width()].iter().map(|cell| u32::from(*cell)).collect()
        };
        panels.iter().flat_map(part).collect()
    };
    let drawn = |panel: &Panel| DrawnPanel { name: panel.name.to_owned(), width: panel.width() };
    Drawn {
        title: title.to_owned(),
        virtual_channels: run.point.resolved.view("router").u32("virtual_channels"),
        first_cycle: run.outcome.space_time.as_ref().map_or(0, |chart| chart.first_cycle()),
        panels: panels.iter().map(drawn).collect(),
        rows: (0..cycles).map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A busy area of two routers that moves a router in every eight cycles.
    fn moving(width: usize, up: bool) -> Vec<u16> {
        let place = |t: usize| if up { t / 8 % width } else { width - 1 - t / 8 % width };
        (0..200)
            .flat_map(|t| (0..width).map(move |x| u16::from(x == place(t) || x == (place(t) + 1) % width)))
            .collect()
    }

    #[test]
    fn movement_is_seen_relative_to_the_packets() {
        let (width, up, down) = (32, moving(32, true), moving(32, false));
        let against = drift(&up, width, false);
        assert!(against.upstream > 2 * against.downstream, "{against:?}");
        let with = drift(&up, width, true);
        assert_eq!((with.upstream, with.downstream), (against.downstream, against.upstream));
        assert_eq!((likeliest_shift(&up, width, true), likeliest_shift(&up, width, false)), (2, -2));
        assert_eq!(likeliest_shift(&down, width, true), -2);
    }

    #[test]
    fn what_stands_still_does_not_drift() {
        let still: Vec<u16> = (0..100).flat_map(|_| (0..32).map(|x| u16::from(x / 4 % 2 == 0))).collect();
        let drift = drift(&still, 32, true);
        assert!(drift.upstream > 0);
        assert_eq!(drift.upstream, drift.downstream);
        assert_eq!(likeliest_shift(&still, 32, true), 0);
    }
}
