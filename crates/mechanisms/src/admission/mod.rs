//! Admission: whether a new packet may ask for the network.

mod off;
pub mod spth;

use tailback_engine::Occupancy;
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_network::Grid;
use tailback_spec::{Section, View};

crate::catalogue! {
    /// No throttling.
    Off(off::Off, off::ENTRY),
    /// State-propagation throttling.
    Spth(spth::Spth, spth::ENTRY),
}

/// The `admission` section.
pub fn section() -> Section {
    Section {
        path: "admission",
        doc: "Throttling: when a new packet may ask for the network.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(off::ENTRY.name),
    }
}

/// Builds the admission of a resolved `admission` section.
pub fn build(view: View, grid: &Grid, channels: u32, buffer_flits: u32) -> Any {
    match view.kind() {
        "spth" => Any::Spth(spth::Spth::new(view, grid, channels, buffer_flits)),
        _ => Any::Off(off::Off),
    }
}

impl Admission for Any {
    #[inline]
    fn is_active(&self) -> bool {
        match self {
            Any::Off(a) => a.is_active(),
            Any::Spth(a) => a.is_active(),
        }
    }

    fn needs_occupancy(&self) -> bool {
        match self {
            Any::Off(a) => a.needs_occupancy(),
            Any::Spth(a) => a.needs_occupancy(),
        }
    }

    #[inline]
    fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>) {
        match self {
            Any::Off(a) => a.observe(cycle, occupancy),
            Any::Spth(a) => a.observe(cycle, occupancy),
        }
    }

    #[inline]
    fn admits(&self, view: LocalView<'_>, request: Request) -> bool {
        match self {
            Any::Off(a) => a.admits(view, request),
            Any::Spth(a) => a.admits(view, request),
        }
    }
}
