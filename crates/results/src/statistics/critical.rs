//! Critical load from one ramp: where the gradient of throughput against load has fallen by a tenth.
//!
//! Paper: `spth-2015` section 5.2. The load of the sources rises slowly through one long run; throughput is taken
//! in short windows. Load and throughput are smoothed alike (so that the average shifts no curve), the gradient
//! is the least-squares slope over a range of windows on both sides, and the critical load is the first after which
//! the gradient stays low.
//!
//! A gradient over so short a range is noisy: windows of 100 cycles of random sources on 32 x 32 nodes at a load of
//! 0.1 scatter it by about 15 percent, more than the fall sought. So give the *generated* load of each window where
//! it is known (the scatter of the sources then cancels) or the mean of several seeds, and look at
//! [`Critical::baseline_spread`].

use super::smooth::{Window, fit_line, moving_average};
use super::{mean, variance};

/// Slope, relative to throughput a load, that does not count as rising.
const FLAT: f64 = 1e-6;

/// Parameters of the method; the default is the paper's where it says, else the project's reading of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CriticalOptions {
    /// Windows in the moving average, at least 1.
    pub smoothing_windows: usize,
    /// Windows on either side of a point that its slope is fitted to, at least 1.
    pub slope_reach_windows: usize,
    /// Loads between which the slope counts as that of a network without congestion \[flits/node/cycle\].
    pub baseline_loads: (f64, f64),
    /// The part of the baseline slope below which the network is past critical, 0 to 1.
    pub slope_fraction: f64,
    /// Consecutive windows for which the slope must stay below, at least 1.
    pub hold_windows: usize,
}

impl Default for CriticalOptions {
    fn default() -> Self {
        Self {
            smoothing_windows: 200,
            slope_reach_windows: 100,
            baseline_loads: (0.01, 0.04),
            slope_fraction: 0.9,
            hold_windows: 50,
        }
    }
}

/// A critical load and the evidence for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Critical {
    /// The critical load, in the unit of the loads given.
    pub load: f64,
    /// Index of its window.
    pub window: usize,
    /// Slope there.
    pub slope: f64,
    /// Mean slope over the baseline loads; 1 where throughput and load have one unit and nothing is lost.
    pub baseline_slope: f64,
    /// Standard deviation of the slope over the baseline loads, relative to its mean. Half of
    /// `1 - slope_fraction` or more means that chance alone may have made the fall.
    pub baseline_spread: f64,
}

/// Why a ramp shows no critical load.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Reason {
    /// An option is out of its range.
    #[error("option `{0}` is out of range")]
    Option(&'static str),
    /// Loads and throughputs differ in number.
    #[error("{loads} loads but {throughputs} throughputs")]
    Lengths {
        /// Number of loads.
        loads: usize,
        /// Number of throughputs.
        throughputs: usize,
    },
    /// A load or throughput is NaN or infinite.
    #[error("window {0} has no finite load and throughput")]
    NotFinite(usize),
    /// Smoothing and slope leave no window.
    #[error("the ramp has {windows} windows, the method needs at least {needed}")]
    TooShort {
        /// Windows given.
        windows: usize,
        /// Windows needed.
        needed: usize,
    },
    /// No slope lies in the range of baseline loads.
    #[error("no slope between the baseline loads {0} and {1}: the ramp is too steep or starts too late")]
    NoBaseline(f64, f64),
    /// Throughput does not rise with load even at the baseline loads.
    #[error("throughput does not rise with load at the baseline loads (slope {0})")]
    FlatBaseline(f64),
    /// The slope is low from the end of the baseline loads on.
    #[error("the slope is low already at {0}, the end of the baseline loads: the critical load is below it")]
    WithinBaseline(f64),
    /// The slope never stays low.
    #[error("the gradient never stays low up to a load of {0}")]
    NotReached(f64),
}

/// Critical load of a ramp given as load and throughput of each window, in one unit, in order of time.
///
/// # Errors
/// A [`Reason`] where the options or the ramp do not permit an answer, or the load was not reached.
pub fn critical_load(load: &[f64], throughput: &[f64], options: &CriticalOptions) -> Result<Critical, Reason> {
    check(load, throughput, options)?;
    let slopes = slopes(load, throughput, options);
    let (baseline_slope, baseline_spread) = baseline(&slopes, options)?;
    let threshold = options.slope_fraction * baseline_slope;
    let end = options.baseline_loads.1;
    let Some(first) = slopes.iter().position(|point| point.load > end) else {
        return Err(Reason::NotReached(slopes.last().map_or(end, |point| point.load)));
    };
    let after = &slopes[first..];
    let stays_low = |points: &[Slope]| points.iter().all(|point| point.slope < threshold);
    match after.windows(options.hold_windows).position(stays_low) {
        Some(0) => Err(Reason::WithinBaseline(end)),
        Some(index) => {
            let Slope { load, slope, window, .. } = after[index];
            Ok(Critical { load, window, slope, baseline_slope, baseline_spread })
        }
        None => Err(Reason::NotReached(after[after.len() - 1].load)),
    }
}

/// Slope of the smoothed curve at one window.
#[derive(Clone, Copy)]
struct Slope {
    window: usize,
    load: f64,
    throughput: f64,
    slope: f64,
}

fn check(load: &[f64], throughput: &[f64], options: &CriticalOptions) -> Result<(), Reason> {
    for (name, value) in [
        ("smoothing_windows", options.smoothing_windows),
        ("slope_reach_windows", options.slope_reach_windows),
        ("hold_windows", options.hold_windows),
    ] {
        // The upper bound keeps the sums below from overflowing; no ramp has so many windows.
        if value == 0 || value > 1 << 30 {
            return Err(Reason::Option(name));
        }
    }
    if !(options.slope_fraction > 0.0 && options.slope_fraction < 1.0) {
        return Err(Reason::Option("slope_fraction"));
    }
    if !(options.baseline_loads.0 >= 0.0 && options.baseline_loads.0 < options.baseline_loads.1) {
        return Err(Reason::Option("baseline_loads"));
    }
    if load.len() != throughput.len() {
        return Err(Reason::Lengths { loads: load.len(), throughputs: throughput.len() });
    }
    if let Some(window) = (0..load.len()).find(|&i| !load[i].is_finite() || !throughput[i].is_finite()) {
        return Err(Reason::NotFinite(window));
    }
    let needed = options.smoothing_windows + 2 * options.slope_reach_windows + options.hold_windows;
    if load.len() < needed {
        return Err(Reason::TooShort { windows: load.len(), needed });
    }
    Ok(())
}

/// Slopes at all windows whose averages and fits are complete.
fn slopes(load: &[f64], throughput: &[f64], options: &CriticalOptions) -> Vec<Slope> {
    let smooth = |series: &[f64]| moving_average(series, options.smoothing_windows, Window::Centred);
    let (x, y) = (smooth(load), smooth(throughput));
    let before = options.smoothing_windows / 2;
    let after = options.smoothing_windows - before - 1;
    let reach = options.slope_reach_windows;
    (before + reach..load.len() - after - reach)
        .filter_map(|window| {
            let range = window - reach..=window + reach;
            // No line where all loads are equal: the ramp stands still there and says nothing.
            let line = fit_line(&x[range.clone()], &y[range])?;
            Some(Slope { window, load: x[window], throughput: y[window], slope: line.slope })
        })
        .collect()
}

/// Mean slope over the baseline loads and its relative standard deviation.
fn baseline(slopes: &[Slope], options: &CriticalOptions) -> Result<(f64, f64), Reason> {
    let (from, to) = options.baseline_loads;
    let inside: Vec<&Slope> = slopes.iter().filter(|point| point.load >= from && point.load <= to).collect();
    let of = |value: fn(&Slope) -> f64| -> Vec<f64> { inside.iter().map(|point| value(point)).collect() };
    let no_baseline = Reason::NoBaseline(from, to);
    let load = mean(&of(|point| point.load)).ok_or(no_baseline)?;
    let throughput = mean(&of(|point| point.throughput)).ok_or(no_baseline)?;
    let baseline_slopes = of(|point| point.slope);
    let slope = mean(&baseline_slopes).ok_or(no_baseline)?;
    // A throughput that stands still has a slope of rounding errors, of either sign.
    if slope <= FLAT * throughput.abs() / load {
        return Err(Reason::FlatBaseline(slope));
    }
    Ok((slope, variance(&baseline_slopes).unwrap_or(0.0).sqrt() / slope))
}

#[cfg(test)]
mod tests;
