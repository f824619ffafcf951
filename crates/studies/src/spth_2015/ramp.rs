//! Curves of a ramp: throughput and latency over load, smoothed as in section 5.2.

use super::key::{METHODS, Method, PATTERNS};
use super::specs::FIG8;
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use tailback_results::statistics::{Critical, CriticalOptions, Reason, Window, critical_load, mean, moving_average};

/// Part of a ramp at its end in which every pattern is beyond saturation.
const TAIL: f64 = 0.1;

/// One ramp.
pub struct Curve {
    /// Traffic pattern.
    pub pattern: String,
    /// Throttling.
    pub method: Method,
    /// Load that the ramp asks for, by window \[flits/node/cycle\].
    pub load: Vec<f64>,
    /// Smoothed throughput, by window \[flits/node/cycle\].
    pub throughput: Vec<f64>,
    /// Smoothed age of received packets, by window \[cycles\].
    pub latency: Vec<f64>,
    /// The same from entering the network on.
    pub network_latency: Vec<f64>,
    /// Where the gradient has fallen by a tenth.
    pub critical: Result<Critical, Reason>,
}

/// How a ramp is smoothed: the paper's 200 windows are 0.73 percent of its ramp, and shorter ramps have fewer windows.
pub fn options(run: &Run) -> CriticalOptions {
    let windows = run.windows().map_or(0, |series| series.x.len());
    let workload = run.point.resolved.view("workload");
    let slope = workload.float("end_load_flits_per_node_cycle") / workload.u64("cycles").max(1) as f64;
    let full = CriticalOptions::default();
    if slope < 1.5e-7 {
        return full;
    }
    // Short forms: averages over a fortieth of the ramp, for it is noisier; loads scale with the bisection of the torus.
    let scale = 32.0 / f64::from(run.radix().max(1));
    let part = (windows / 40).max(4);
    let (from, to) = full.baseline_loads;
    CriticalOptions {
        smoothing_windows: part,
        slope_reach_windows: part / 2,
        hold_windows: (part / 4).max(1),
        baseline_loads: (from * scale, to * scale),
        ..full
    }
}

/// Critical load of a ramp; load is what the sources made, so that their scatter cancels.
pub fn critical(run: &Run) -> Result<Critical, Reason> {
    let (load, throughput) = (run.window_column("generated_load"), run.window_column("accepted_load"));
    critical_load(load, throughput, &options(run))
}

impl Curve {
    fn of(run: &Run) -> Self {
        let workload = run.point.resolved.view("workload");
        let (end, cycles) = (workload.float("end_load_flits_per_node_cycle"), workload.u64("cycles") as f64);
        let half = workload.u64("window_cycles") as f64 / 2.0;
        let starts = run.windows().map_or(&[][..], |series| &series.x);
        let smooth = |name| moving_average(run.window_column(name), options(run).smoothing_windows, Window::Centred);
        Curve {
            pattern: run.pattern().to_owned(),
            method: Method::of(run),
            load: starts.iter().map(|start| (start + half) * end / cycles).collect(),
            throughput: smooth("accepted_load"),
            latency: smooth("latency_mean"),
            network_latency: smooth("network_latency_mean"),
            critical: critical(run),
        }
    }

    /// Highest smoothed throughput \[flits/node/cycle\].
    pub fn peak(&self) -> Option<f64> {
        self.throughput.iter().copied().filter(|value| value.is_finite()).reduce(f64::max)
    }

    /// Mean smoothed throughput over the last tenth of the ramp \[flits/node/cycle\].
    pub fn tail(&self) -> Option<f64> {
        let from = self.load.last()? * (1.0 - TAIL);
        let first = self.load.partition_point(|load| *load < from);
        mean(&self.throughput[first..])
    }

    /// Part of the peak that is lost at the end of the ramp.
    pub fn drop(&self) -> Option<f64> {
        Some(1.0 - self.tail()? / self.peak()?)
    }

    /// At most about a thousand points of a column, for a picture.
    pub fn points(&self, values: &[f64]) -> Vec<(f64, f64)> {
        let step = (self.load.len() / 1000).max(1);
        self.load.iter().copied().zip(values.iter().copied()).step_by(step).collect()
    }
}

/// All curves of figures 8 and 9.
pub struct Curves(Vec<Curve>);

impl Curves {
    /// Runs the ramps.
    pub fn run(lab: &Lab) -> Result<Self, StudyError> {
        Ok(Curves(lab.runs(&FIG8)?.iter().map(Curve::of).collect()))
    }

    /// One curve.
    pub fn get(&self, pattern: &str, method: Method) -> Option<&Curve> {
        self.0.iter().find(|curve| curve.pattern == pattern && curve.method == method)
    }

    /// The three curves of every pattern: without throttling, th(0), th(8).
    pub fn by_pattern(&self) -> impl Iterator<Item = (&'static str, [&Curve; 3])> {
        PATTERNS.into_iter().filter_map(|pattern| {
            let [a, b, c] = METHODS.map(|method| self.get(pattern, method));
            Some((pattern, [a?, b?, c?]))
        })
    }
}

/// What a ramp's form is called in a column.
pub fn form(lab: &Lab) -> &'static str {
    if lab.quick() { ", 16x16, ramp of 80,000 cycles" } else { "" }
}

/// Shows a number or that there is none.
pub fn shown(value: Option<f64>, decimals: usize) -> String {
    value.map_or("none".to_owned(), |value| format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_is_measured_at_the_end() {
        let load: Vec<f64> = (0..100).map(|i| f64::from(i) / 100.0).collect();
        let throughput = load.iter().map(|l| if *l < 0.5 { *l } else { 0.25 }).collect();
        let curve = Curve {
            pattern: "bcmp".into(),
            method: Method::None,
            latency: vec![1.0; 100],
            network_latency: vec![1.0; 100],
            critical: Err(Reason::NotReached(1.0)),
            load,
            throughput,
        };
        assert!((curve.peak().unwrap() - 0.49).abs() < 1e-12);
        assert!((curve.drop().unwrap() - (1.0 - 0.25 / 0.49)).abs() < 1e-9);
        assert_eq!(curve.points(&curve.throughput).len(), 100);
    }
}
