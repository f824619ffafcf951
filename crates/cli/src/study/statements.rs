//! What a single curve says, a line each.

use super::{Made, Row, Saturates};
use crate::show::numbers::count;
use tailback_summary::digits::{decimals, number, words};
use tailback_summary::spread::Spread;

const UNIT: &str = "flits/node/cycle";

/// The statements about the first variant.
pub fn statements(made: &Made) -> Vec<String> {
    let Some(row) = made.rows.first() else { return Vec::new() };
    let bound = made.bound().map_or(String::new(), |bound| format!("; the channel-load bound is {}", number(bound, 3)));
    let said = [
        row.zero_load.map(|zero| format!("zero-load latency: {} cycles", number(zero, 1))),
        row.knee.map(|knee| format!("knee (latency twice that at zero load): {} {UNIT}", with_interval(&knee))),
        Some(saturation(row) + &bound),
        sustained(row),
        Some(count(made.study.runs, "run")),
    ];
    said.into_iter().flatten().collect()
}

/// `0.412 ± 0.003 (95 %)`.
fn with_interval(spread: &Spread) -> String {
    let interval = if spread.interval().is_some() { " (95 %)" } else { "" };
    format!("{}{interval}", words(spread, decimals([spread]).max(3)))
}

fn saturation(row: &Row) -> String {
    match row.saturates {
        Saturates::At(load) => format!("saturation point (largest stable load): {} {UNIT}", with_interval(&load)),
        Saturates::Never(_) => "every load of the range is stable".to_owned(),
        Saturates::Below(_) => "not even the lowest load is stable; give a smaller --low".to_owned(),
        Saturates::Open(Some(low), Some(high)) => {
            format!("saturation point: not found yet, between {} and {} {UNIT}", number(low, 3), number(high, 3))
        }
        Saturates::Open(..) => "saturation point: not found yet".to_owned(),
    }
}

fn sustained(row: &Row) -> Option<String> {
    let ((spread, load), (peak, at)) = (row.sustained?, row.peak?);
    let share = 100.0 * row.share()?;
    let at_load = format!("{} {UNIT} at load {}", with_interval(&spread), number(load, 3));
    let most = format!("{} at load {}", number(peak, 3), number(at, 3));
    Some(format!("sustained beyond it: {at_load}, {share:.0} % of the peak ({most})"))
}
