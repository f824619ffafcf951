//! What space-time charts say in numbers: how many buffers are full, from when on, and which way full areas move.

use crate::formula::{Value, list_of};
use crate::lab::Run;
use tailback_probes::space_time::Panel;

/// Name and number of arguments.
pub const FUNCTIONS: [(&str, usize); 6] =
    [("charts", 0), ("full_share", 0), ("first_full", 1), ("full_cells", 1), ("drift", 1), ("likeliest_shift", 1)];

/// Lags over which busy areas are followed: one, two and three packet times \[cycles\].
const LAGS: [usize; 3] = [8, 16, 24];

/// Farthest shift that is looked at \[routers\].
const REACH: usize = 3;

/// The value of a function of a run with space-time charts, whose panels are named by the packets' direction.
///
/// - `charts()`: the names of the panels.
/// - `full_share()`: part of the routers and cycles in which some virtual channel's buffer is full.
/// - `first_full(panels)`: the first cycle in which a buffer of one of these panels is full.
/// - `full_cells(panel)`: in how many routers and cycles of the panel a buffer is full.
/// - `drift(panel)`: how many pairs of such cells lie upstream, and how many downstream.
/// - `likeliest_shift(panel)`: routers by which full areas move in two packet times, positive with the packets.
///
/// # Errors
/// Arguments of the wrong kind, or a panel that there is not.
pub fn call(run: &Run, name: &str, values: &[Value]) -> Result<Value, String> {
    let number = |number: Option<f64>| Ok(Value::Number(number.unwrap_or(f64::NAN)));
    match (name, values) {
        ("charts", _) => Ok(Value::List(panels(run).iter().map(|panel| Value::Text(panel.name.to_owned())).collect())),
        ("full_share", _) => number(share(run)),
        ("first_full", [wanted]) => number(first_full(run, wanted.list()?).map(|cycle| cycle as f64)),
        (_, [Value::Text(direction)]) => {
            let panel = panels(run).iter().find(|panel| panel.name == direction);
            of_panel(panel.ok_or_else(|| format!("there is no chart `{direction}`"))?, name)
        }
        _ => Err(format!("`{name}` takes the name of a chart in quotation marks")),
    }
}

fn of_panel(panel: &Panel, name: &str) -> Result<Value, String> {
    let forward = ["N", "E"].contains(&panel.name);
    Ok(match name {
        "full_cells" => Value::Number(panel.cells.iter().filter(|cell| **cell != 0).count() as f64),
        "drift" => {
            let drift = drift(&panel.cells, panel.width(), forward);
            list_of([drift.upstream as f64, drift.downstream as f64])
        }
        _ => Value::Number(f64::from(likeliest_shift(&panel.cells, panel.width(), forward))),
    })
}

/// Rows of a panel that the run had not yet ended in.
pub fn rows(run: &Run, panel: &Panel) -> usize {
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
fn share(run: &Run) -> Option<f64> {
    let cells = panels(run).iter().flat_map(|panel| &panel.cells[..rows(run, panel) * panel.width()]);
    let (busy, all) = cells.fold((0_u64, 0_u64), |(busy, all), cell| (busy + u64::from(*cell != 0), all + 1));
    (all > 0).then(|| busy as f64 / all as f64)
}

/// First cycle in which a buffer of one of these panels is full.
fn first_full(run: &Run, wanted: &[Value]) -> Option<u64> {
    let wanted = |panel: &&Panel| wanted.iter().any(|name| *name == Value::Text(panel.name.to_owned()));
    let first = run.outcome.space_time.as_ref()?.first_cycle();
    let row = |panel: &Panel| panel.cells.iter().position(|cell| *cell != 0).map(|at| (at / panel.width()) as u64);
    let found = panels(run).iter().filter(wanted).filter_map(row).min()?;
    Some(first + found)
}

/// How often a busy cell is followed by one upstream and by one downstream of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Drift {
    /// Pairs whose later cell lies against the packets' direction.
    upstream: u64,
    /// Pairs whose later cell lies in the packets' direction.
    downstream: u64,
}

/// Pairs of busy cells of one line of routers, 1 to [`REACH`] routers and [`LAGS`] cycles apart. A ring of routers that
/// stay busy, or are busy by chance, makes as many upstream as downstream.
fn drift(cells: &[u16], width: usize, forward: bool) -> Drift {
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
fn likeliest_shift(cells: &[u16], width: usize, forward: bool) -> i32 {
    let reach = REACH as i32;
    let of = |shift: i32| {
        let up = if forward { shift } else { -shift };
        pairs(cells, width, LAGS[1], up.rem_euclid(width as i32) as usize)
    };
    // Of equal ones the smallest movement.
    (-reach..=reach).max_by_key(|shift| (of(*shift), -shift.abs())).unwrap_or(0)
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
