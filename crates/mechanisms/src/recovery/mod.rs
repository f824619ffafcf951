//! Recovery: what happens to a head that has waited too long.

mod disha;
mod off;

use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::recovery::Recovery;
use tailback_engine::packet::Packet;
use tailback_network::Grid;
use tailback_spec::{Section, View};

crate::catalogue! {
    /// No recovery.
    Off(off::Off, off::ENTRY),
    /// Disha.
    Disha(disha::Disha, disha::ENTRY),
}

/// The `recovery` section.
pub fn section() -> Section {
    Section {
        path: "recovery",
        doc: "What happens to a head that has waited too long, under wormhole.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(off::ENTRY.name),
        idle: Vec::new(),
    }
}

/// Builds the recovery of a resolved `recovery` section.
pub fn build(view: View, grid: &Grid) -> Any {
    match view.kind() {
        "disha" => Any::Disha(disha::Disha::new(view, grid)),
        _ => Any::Off(off::Off),
    }
}

impl State for Any {
    fn save(&self, to: &mut Writer) {
        match self {
            Any::Off(m) => m.save(to),
            Any::Disha(m) => m.save(to),
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        match self {
            Any::Off(m) => m.restore(from),
            Any::Disha(m) => m.restore(from),
        }
    }
}

impl Recovery for Any {
    fn lane_flits(&self) -> u32 {
        match self {
            Any::Off(r) => r.lane_flits(),
            Any::Disha(r) => r.lane_flits(),
        }
    }

    #[inline]
    fn step(&mut self, cycle: u64) {
        match self {
            Any::Off(r) => r.step(cycle),
            Any::Disha(r) => r.step(cycle),
        }
    }

    #[inline]
    fn takes_over(&mut self, router: u32, attempts: u32) -> bool {
        match self {
            Any::Off(r) => r.takes_over(router, attempts),
            Any::Disha(r) => r.takes_over(router, attempts),
        }
    }

    fn port(&self, router: u32, packet: &Packet) -> u8 {
        match self {
            Any::Off(r) => r.port(router, packet),
            Any::Disha(r) => r.port(router, packet),
        }
    }

    fn arrived(&mut self, router: u32) {
        match self {
            Any::Off(r) => r.arrived(router),
            Any::Disha(r) => r.arrived(router),
        }
    }

    fn fits(&self, now: u64, taken_over: usize) -> bool {
        match self {
            Any::Off(r) => r.fits(now, taken_over),
            Any::Disha(r) => r.fits(now, taken_over),
        }
    }
}
