//! Tests of the ramp method on synthetic curves.

use super::*;

/// The ramp of the paper: 27,500 windows of 100 cycles, load rising to 0.275.
fn ramp() -> Vec<f64> {
    (0..27_500).map(|window| (f64::from(window) + 0.5) * 1e-5).collect()
}

/// Throughput follows load to the kink, then goes on with `slope` of it.
fn kinked(load: f64, kink: f64, slope: f64) -> f64 {
    if load < kink { load } else { kink + slope * (load - kink) }
}

/// Sum of twelve uniform numbers minus six: near enough to a normal variable, without the platform's logarithm.
struct Normal(u64);

impl Normal {
    fn next(&mut self) -> f64 {
        let mut uniform = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..12).map(|_| uniform()).sum::<f64>() - 6.0
    }
}

/// Scatter of the load of one window: `load * 100 * 1024 / 8` packets of random sources.
fn scatter(load: f64) -> f64 {
    (load * 8.0 / (100.0 * 1024.0)).sqrt()
}

#[test]
fn a_clean_kink_is_found_where_the_fit_must_see_it() {
    let load = ramp();
    let throughput: Vec<f64> = load.iter().map(|&g| kinked(g, 0.111, 0.0)).collect();
    let critical = critical_load(&load, &throughput, &CriticalOptions::default()).unwrap();
    // Average and fit reach 200 windows (0.002) ahead, so the fall by a tenth shows somewhat before the kink.
    assert!((0.109..0.111).contains(&critical.load), "{critical:?}");
    assert!((critical.baseline_slope - 1.0).abs() < 1e-9);
    assert!(critical.baseline_spread < 1e-9);
    assert!((load[critical.window] - critical.load).abs() < 2e-5);
}

#[test]
fn the_answer_is_the_definition_done_by_hand() {
    let load: Vec<f64> = (0..400).map(|i| f64::from(i) * 1e-3).collect();
    let throughput: Vec<f64> = load.iter().map(|&g| kinked(g, 0.2, 0.3)).collect();
    let options = CriticalOptions {
        smoothing_windows: 5,
        slope_reach_windows: 3,
        baseline_loads: (0.02, 0.1),
        hold_windows: 4,
        ..CriticalOptions::default()
    };
    let average = |s: &[f64], i: usize| s[i - 2..=i + 2].iter().sum::<f64>() / 5.0;
    let slope = |i: usize| {
        let (mut above, mut below) = (0.0, 0.0);
        for j in i - 3..=i + 3 {
            above += (average(&load, j) - average(&load, i)) * average(&throughput, j);
            below += (average(&load, j) - average(&load, i)).powi(2);
        }
        above / below
    };
    let expected = (101..390).find(|&i| (i..i + 4).all(|j| slope(j) < 0.9)).unwrap();
    let critical = critical_load(&load, &throughput, &options).unwrap();
    assert_eq!(critical.window, expected);
    assert!((critical.slope - slope(expected)).abs() < 1e-9);
}

#[test]
fn a_kink_is_found_in_noise_when_the_generated_load_is_known() {
    for seed in 1..=5 {
        let mut normal = Normal(seed);
        let nominal = ramp();
        let load: Vec<f64> = nominal.iter().map(|&g| (g + scatter(g) * normal.next()).max(0.0)).collect();
        // Below the kink what is generated arrives, give or take what is on the way; beyond it the network rules,
        // which is too slow to follow the scatter of single windows.
        let mut arrives = |g: f64, generated: f64| {
            let level = if g < 0.111 { generated } else { kinked(g, 0.111, -0.5) };
            level + 0.1 * scatter(g) * normal.next()
        };
        let throughput: Vec<f64> = nominal.iter().zip(&load).map(|(&g, &generated)| arrives(g, generated)).collect();
        let critical = critical_load(&load, &throughput, &CriticalOptions::default()).unwrap();
        assert!((critical.load - 0.111).abs() < 0.0033, "seed {seed}: {critical:?}");
        assert!(critical.baseline_spread < 0.05);
    }
}

#[test]
fn against_the_nominal_load_one_noisy_ramp_is_reported_as_doubtful() {
    let mut normal = Normal(1);
    let load = ramp();
    let throughput: Vec<f64> = load.iter().map(|&g| kinked(g, 0.111, 0.0) + scatter(g) * normal.next()).collect();
    let critical = critical_load(&load, &throughput, &CriticalOptions::default()).unwrap();
    assert!(critical.load < 0.1, "noise alone makes the fall: {critical:?}");
    assert!(critical.baseline_spread > 0.05, "and the spread says so: {critical:?}");
}

#[test]
fn a_dip_shorter_than_the_hold_does_not_count() {
    let load = ramp();
    let dip = |g: f64| if (0.08..0.0802).contains(&g) { 0.97 * g } else { kinked(g, 0.15, 0.0) };
    let throughput: Vec<f64> = load.iter().map(|&g| dip(g)).collect();
    let long_hold = CriticalOptions { hold_windows: 400, ..CriticalOptions::default() };
    assert!(critical_load(&load, &throughput, &long_hold).unwrap().load > 0.148);
    let short_hold = CriticalOptions { hold_windows: 1, ..CriticalOptions::default() };
    assert!(critical_load(&load, &throughput, &short_hold).unwrap().load < 0.082);
}

#[test]
fn units_do_not_matter() {
    let load = ramp();
    // A ripple makes slopes that differ by some percent.
    let ripple = |window: usize| if (window / 500).is_multiple_of(2) { 1e-4 } else { 0.0 };
    let found = |of_load: f64, of_throughput: f64| {
        let loads: Vec<f64> = load.iter().map(|&g| of_load * g).collect();
        let curve = |(window, &g): (usize, &f64)| of_throughput * (kinked(g, 0.111, 0.5) + ripple(window));
        let throughput: Vec<f64> = load.iter().enumerate().map(curve).collect();
        let baseline_loads = (0.01 * of_load, 0.04 * of_load);
        critical_load(&loads, &throughput, &CriticalOptions { baseline_loads, ..CriticalOptions::default() }).unwrap()
    };
    let one = found(1.0, 1.0);
    assert!(one.baseline_spread > 0.01 && (one.baseline_slope - 1.0).abs() < 0.01, "{one:?}");
    for (of_load, of_throughput) in [(1.0, 7.0), (1.0, 1e-9), (1e6, 1e-3), (1e-6, 1.0)] {
        let other = found(of_load, of_throughput);
        // For rounding, a window more or less lies in the baseline.
        let same = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-3;
        assert!(same(other.load / of_load, one.load) && other.window == one.window, "{other:?}");
        assert!(same(other.baseline_slope * of_load / of_throughput, one.baseline_slope), "{other:?}");
        assert!(same(other.baseline_spread, one.baseline_spread), "relative: {other:?}");
    }
}

#[test]
fn a_throughput_that_hardly_rises_is_flat() {
    let load = ramp();
    let rising = |slope: f64| {
        let throughput: Vec<f64> = load.iter().map(|&g| 1000.0 + slope * g).collect();
        critical_load(&load, &throughput, &CriticalOptions::default())
    };
    // A millionth of 1000 at a mean load of 0.025.
    assert!(matches!(rising(0.03), Err(Reason::FlatBaseline(slope)) if (slope - 0.03).abs() < 1e-6));
    assert!(matches!(rising(0.05), Err(Reason::NotReached(_))));
}

/// Windows with loads 0, 1, 2, ..., and short averages and fits: everything can be worked out exactly.
fn exact(throughput: &[f64], options: CriticalOptions) -> Result<Critical, Reason> {
    let load: Vec<f64> = (0..throughput.len()).map(|window| window as f64).collect();
    critical_load(&load, throughput, &options)
}

const SHORT: CriticalOptions = CriticalOptions {
    smoothing_windows: 1,
    slope_reach_windows: 1,
    baseline_loads: (1.0, 4.0),
    slope_fraction: 0.5,
    hold_windows: 1,
};

#[test]
fn only_windows_with_whole_averages_and_fits_count() {
    // Averages over six windows, three before, and fits over two to either side: from window 5, with a mean load of 4.5,
    // to window 15, with 14.5.
    let straight: Vec<f64> = (0..20).map(f64::from).collect();
    let with = |from: f64, to: f64| {
        let long = CriticalOptions { smoothing_windows: 6, slope_reach_windows: 2, ..SHORT };
        exact(&straight, CriticalOptions { baseline_loads: (from, to), ..long })
    };
    assert_eq!(with(4.4, 4.6), Err(Reason::NotReached(14.5)));
    assert_eq!(with(3.4, 4.4), Err(Reason::NoBaseline(3.4, 4.4)));
    assert_eq!(with(14.5, 99.0), Err(Reason::NotReached(14.5)));
    assert_eq!(with(14.6, 99.0), Err(Reason::NoBaseline(14.6, 99.0)));
}

#[test]
fn the_baseline_ends_with_its_last_load() {
    // The slope at 4 is whole, at 5 it is half.
    let options = CriticalOptions { slope_fraction: 0.6, ..SHORT };
    let kink = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.0, 5.0, 5.0];
    assert_eq!(exact(&kink, options), Err(Reason::WithinBaseline(4.0)));
    let options = CriticalOptions { baseline_loads: (1.0, 3.9), ..options };
    assert!(matches!(exact(&kink, options), Ok(Critical { load: 5.0, window: 5, slope: 0.5, .. })));
}

#[test]
fn a_slope_at_the_threshold_is_not_below_it() {
    // From load 6 on the slope is exactly a half.
    let bent: Vec<f64> = (0..12).map(|window| f64::from(window).min(6.0 + (f64::from(window) - 6.0) / 2.0)).collect();
    assert_eq!(exact(&bent, SHORT), Err(Reason::NotReached(10.0)));
    let above = CriticalOptions { slope_fraction: 0.51, ..SHORT };
    assert!(matches!(exact(&bent, above), Ok(Critical { load: 7.0, window: 7, .. })));
}

#[test]
fn a_ramp_may_be_as_short_as_one_window_needs() {
    let options = CriticalOptions { smoothing_windows: 2, slope_reach_windows: 3, hold_windows: 4, ..SHORT };
    let straight: Vec<f64> = (0..12).map(f64::from).collect();
    assert_eq!(exact(&straight[..11], options), Err(Reason::TooShort { windows: 11, needed: 12 }));
    assert!(matches!(exact(&straight, options), Err(Reason::NotReached(_))));
}

#[test]
fn ramps_that_show_nothing_say_why() {
    let options = CriticalOptions::default();
    let load = ramp();
    let find = |f: &dyn Fn(f64) -> f64| {
        let throughput: Vec<f64> = load.iter().map(|&g| f(g)).collect();
        critical_load(&load, &throughput, &options)
    };
    assert!(matches!(find(&|g| g), Err(Reason::NotReached(l)) if l > 0.27));
    assert!(matches!(find(&|g| kinked(g, 0.03, 0.0)), Err(Reason::WithinBaseline(_))));
    assert!(matches!(find(&|_| 0.1), Err(Reason::FlatBaseline(_))));
    assert_eq!(find(&|g| if g > 0.2 { f64::NAN } else { g }), Err(Reason::NotFinite(20_000)));
    assert_eq!(critical_load(&load, &[], &options), Err(Reason::Lengths { loads: 27_500, throughputs: 0 }));
    assert_eq!(
        critical_load(&load[..449], &load[..449], &options),
        Err(Reason::TooShort { windows: 449, needed: 450 })
    );
    assert_eq!(critical_load(&load[9_000..], &load[9_000..], &options), Err(Reason::NoBaseline(0.01, 0.04)));
    assert!(matches!(critical_load(&load[..3_000], &load[..3_000], &options), Err(Reason::NotReached(_))));
    assert!(matches!(critical_load(&[0.02; 500], &[0.02; 500], &options), Err(Reason::NoBaseline(..))));
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let good = CriticalOptions::default();
    for (options, name) in [
        (CriticalOptions { smoothing_windows: 0, ..good }, "smoothing_windows"),
        (CriticalOptions { slope_reach_windows: usize::MAX, ..good }, "slope_reach_windows"),
        (CriticalOptions { hold_windows: 0, ..good }, "hold_windows"),
        (CriticalOptions { slope_fraction: f64::NAN, ..good }, "slope_fraction"),
        (CriticalOptions { slope_fraction: 0.0, ..good }, "slope_fraction"),
        (CriticalOptions { slope_fraction: 1.0, ..good }, "slope_fraction"),
        (CriticalOptions { baseline_loads: (0.04, 0.01), ..good }, "baseline_loads"),
        (CriticalOptions { baseline_loads: (0.04, 0.04), ..good }, "baseline_loads"),
        (CriticalOptions { baseline_loads: (-0.01, 0.04), ..good }, "baseline_loads"),
        (CriticalOptions { hold_windows: (1 << 30) + 1, ..good }, "hold_windows"),
    ] {
        assert_eq!(critical_load(&[], &[], &options), Err(Reason::Option(name)));
    }
    let most = CriticalOptions { hold_windows: 1 << 30, baseline_loads: (0.0, 0.04), ..good };
    assert!(matches!(critical_load(&[], &[], &most), Err(Reason::TooShort { windows: 0, .. })), "both are in range");
}
