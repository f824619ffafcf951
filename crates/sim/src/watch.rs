//! What the probes of a run are told of it.

use crate::drive::Drive;
use crate::prepare::Prepared;
use crate::router::Router;
use tailback_cycle::Simulated;
use tailback_engine::{Buffers, DataPath};
use tailback_mechanisms::queueing;
use tailback_probes::{Beside, Grows, Path, Site, Size, Watch, grows, switches};
use tailback_spec::View;
use tailback_traffic::{Course, Traffic, course, periods};

/// First cycle of the measured window and the first one after it (a collective measures to its end).
fn measured(workload: View, traffic: &Traffic) -> (u64, u64) {
    match course(workload) {
        Course::Steady => {
            let from = workload.u64("warmup_cycles");
            (from, from + workload.u64("measure_cycles"))
        }
        Course::Ramp => (0, workload.u64("cycles")),
        Course::Phases => {
            let end = workload.finite("cycles").or(traffic.pass_cycles()).unwrap_or(1);
            (workload.u64("warmup_cycles").min(end - 1), end)
        }
        Course::Collective | Course::Program => (0, workload.u64("limit_cycles")),
        // Until the host asks.
        Course::Host => (workload.u64("warmup_cycles"), tailback_base::state::MOST),
        // A warm-up without a number of periods has one at least.
        Course::Periods => {
            let rule = periods(workload);
            (rule.warmup.max(1) * rule.cycles, rule.most.max(2) * rule.cycles)
        }
    }
}

/// Cycles of a window of the time series, and the parameter that says so.
fn window(workload: View, probes: View, traffic: &Traffic) -> (u64, &'static str) {
    match probes.finite("window_cycles") {
        Some(cycles) => (cycles, "probes.window_cycles"),
        None if workload.has("window_cycles") => (workload.u64("window_cycles"), "workload.window_cycles"),
        None => ((measured(workload, traffic).1 / 200).max(1), "probes.window_cycles"),
    }
}

/// Bytes of the time series of a run whose length is known, and the parameter that most of them hang on.
pub(crate) fn series_bytes(workload: View, probes: View, traffic: &Traffic, size: Size) -> (u64, String) {
    let (cycles, (window, path)) = (measured(workload, traffic).1, window(workload, probes, traffic));
    let mut parts = vec![(0, path.to_owned())];
    for (name, grows) in grows(probes, size).into_iter().filter(|_| !traffic.ends()) {
        match grows {
            Grows::Little => {}
            Grows::Window(bytes) => {
                parts[0].0 = u64::saturating_add(parts[0].0, (cycles / window).saturating_mul(bytes));
            }
            Grows::Sample(bytes) => {
                parts.push(((cycles / probes.u64(name)).saturating_mul(bytes), format!("probes.{name}")));
            }
        }
    }
    let all = parts.iter().fold(0, |all: u64, part| all.saturating_add(part.0));
    // The first one among equals.
    let most = parts.into_iter().rev().max_by_key(|part| part.0);
    (all, most.map_or_else(String::new, |part| part.1))
}

impl Prepared {
    /// First cycle of the measured window and the first one after it (a collective measures to its end).
    pub(crate) fn measured_window(&self) -> (u64, u64) {
        measured(self.view("workload"), &self.traffic)
    }

    /// Length of the run as far as it is known: a steady run may drain for longer, a collective ends when it ends.
    pub fn total_cycles(&self) -> Option<u64> {
        (!self.traffic.ends()).then(|| self.measured_window().1)
    }

    pub(crate) fn window_cycles(&self) -> u64 {
        window(self.view("workload"), self.view("probes"), &self.traffic).0
    }

    /// What probes are told of the network and the run.
    pub(crate) fn site(&self) -> Site<'_> {
        self.site_in(self.measured_window())
    }

    /// The same, with another measured window.
    pub(crate) fn site_in(&self, measured: (u64, u64)) -> Site<'_> {
        let queued = self.router.is_queued();
        Site {
            network: &self.network,
            traffic: &self.traffic,
            probes: self.view("probes"),
            channels: self.router.channels() as usize,
            capacity: self.router.buffer_flits() as u16,
            measured,
            periods: self.periods(),
            window: self.window_cycles(),
            expected: self.total_cycles().unwrap_or(10_000),
            path: Path {
                queues: self.router.injection_inputs() as usize,
                by_destination: queued,
                tells_queues: queued || matches!(self.router, Router::Adaptive(_)),
                cuts_messages: queued || self.traffic.packet_flits() > 0 && self.router.packet_flits().is_some(),
                tells_takes: self.router.chooses() && !queued,
                escapes: self.escapes(),
                recovers: self.lane,
                sets_aside: queued && queueing::sets_aside(self.view("queueing")),
                ends: self.router.ends(),
            },
        }
    }

    pub(crate) fn watch(&self) -> Watch {
        Watch::new(&self.site())
    }

    /// The same, for another measured window.
    pub(crate) fn watch_in(&self, measured: (u64, u64)) -> Watch {
        Watch::new(&self.site_in(measured))
    }

    /// Whether the probe that a parameter turns on has something to record under this data path.
    pub(crate) fn has_probe(&self, name: &str) -> bool {
        switches().iter().filter(|switch| switch.param.name == name).all(|switch| (switch.sees)(&self.site()))
    }
}

/// Simulates the first `cycles` cycles of a point under the eyes of a watcher that no spec can name; `told` is shown the watcher then.
pub fn watched<P: Beside, T>(prepared: &Prepared, watcher: P, cycles: u64, told: impl FnOnce(&P) -> T) -> T {
    let buffers = if watcher.needs_occupancy() { Buffers::Watched } else { Buffers::Unwatched };
    let mut watch = Watch::with(&prepared.site(), watcher);
    prepared.drive(buffers, Span { watch: &mut watch, cycles });
    told(watch.watcher())
}

struct Span<'a> {
    watch: &'a mut Watch,
    cycles: u64,
}

impl Drive<'_> for Span<'_> {
    type Out = ();

    fn drive<D: DataPath + Simulated>(self, mut engine: D) {
        engine.simulate(std::slice::from_mut(self.watch), self.cycles);
    }
}
