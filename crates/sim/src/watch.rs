//! The probes of a run, put together from its spec.

use crate::prepare::Prepared;
use tailback_probes::{Congestion, Levels, LinkLoad, Meter, SpaceTime, Takes, Windows};

/// The probes as the engine takes them: the two that are always there, then the optional ones.
pub(crate) type Watch = ((Meter, Windows), (OfPlaces, (Option<SpaceTime>, (Option<Takes>, Option<Congestion>))));

/// Links and buffers.
type OfPlaces = (Option<LinkLoad>, Option<Levels>);

impl Prepared {
    /// First cycle of the measured window and the first one after it (a collective measures to its end).
    pub(crate) fn measured_window(&self) -> (u64, u64) {
        let workload = self.view("workload");
        match workload.kind() {
            "steady" => {
                let from = workload.u64("warmup_cycles");
                (from, from + workload.u64("measure_cycles"))
            }
            "ramp" => (0, workload.u64("cycles")),
            "phases" => {
                let end = workload.finite("cycles").or(self.traffic.pass_cycles()).unwrap_or(1);
                (workload.u64("warmup_cycles").min(end - 1), end)
            }
            _ => (0, workload.u64("limit_cycles")),
        }
    }

    /// Length of the run as far as it is known: a steady run may drain for longer, a collective ends when it ends.
    pub fn total_cycles(&self) -> Option<u64> {
        (!self.traffic.ends()).then(|| self.measured_window().1)
    }

    fn window_cycles(&self) -> u64 {
        if let Some(cycles) = self.view("probes").finite("window_cycles") {
            return cycles;
        }
        let workload = self.view("workload");
        match workload.has("window_cycles") {
            true => workload.u64("window_cycles"),
            false => (self.measured_window().1 / 200).max(1),
        }
    }

    pub(crate) fn watch(&self) -> Watch {
        let probes = self.view("probes");
        let (from, to) = self.measured_window();
        let expected = self.total_cycles().unwrap_or(10_000);
        let channels = self.router.channels() as usize;
        let capacity = self.router.buffer_flits() as u16;
        let (window, every) = (self.window_cycles(), probes.u64("occupancy_every_cycles"));
        let links = probes.bool("link_load").then(|| LinkLoad::new(&self.grid, channels, from, to));
        let levels = (every > 0).then(|| Levels::new(&self.grid, channels, capacity, every, expected));
        let takes = self.router.is_wormhole().then(|| Takes::new(from, to));
        let congestion = || Congestion::new(&self.grid, channels, capacity, window, expected);
        let congestion = probes.bool("congestion").then(congestion);
        (
            (Meter::new(from, to), Windows::new(window, expected, self.grid.nodes())),
            ((links, levels), (self.space_time(channels, capacity), (takes, congestion))),
        )
    }

    fn space_time(&self, channels: usize, capacity: u16) -> Option<SpaceTime> {
        let probes = self.view("probes");
        let (from, cycles) = (probes.u64("space_time_from_cycle"), probes.u64("space_time_cycles"));
        let radix = self.grid.radix();
        let third = |k: Option<&u32>| k.map_or(0, |k| k / 3);
        let row = probes.finite("space_time_row").map_or(third(radix.get(1)), |v| v as u32);
        let column = probes.finite("space_time_column").map_or(third(radix.first()), |v| v as u32);
        (cycles > 0).then(|| SpaceTime::new(&self.grid, channels, capacity, (from, from + cycles), (row, column)))
    }
}
