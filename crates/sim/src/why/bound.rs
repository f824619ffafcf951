//! The bound of a network without a grid beside what the network accepted: which link is full at it, and who shares that.

use super::ends::capital;
use super::numbers::{load, percent};
use crate::burden::Burden;
use crate::prepare::Prepared;
use std::sync::atomic::AtomicBool;
use tailback_results::Record;

/// A network that accepts so much of its bound is bound by it.
const NEAR: f64 = 0.95;

/// What is known of the bound, where links set it; `None` in a grid, which has a bisection, and where it is not known.
pub fn sentence(prepared: &Prepared, record: &Record) -> Option<String> {
    if prepared.network().grid().is_some() {
        return None;
    }
    let (_, what) = Burden::of(prepared, &AtomicBool::new(false))?.fullest?;
    let bound = prepared.channel_load_bound()?;
    let accepted = record.accepted_load?;
    let of_bound = match accepted / bound {
        share if share >= NEAR => "The network accepts what this bound allows".to_owned(),
        share => format!("The network accepts {} of this bound", percent(share)),
    };
    let help = match accepted / bound {
        share if share >= NEAR => {
            "More buffers or channels do not raise it: a routing that takes other ways does, or a pattern that \
             spreads its packets over more links."
        }
        _ => "Something else binds before this link is full.",
    };
    // Who shares the link stands between commas.
    let comma = if what.contains(", ") { "," } else { "" };
    Some(format!(
        "{}{comma} is full at a load of {} flits/node/cycle under this pattern and routing. {of_bound}. {help}",
        capital(&what),
        load(bound),
    ))
}
