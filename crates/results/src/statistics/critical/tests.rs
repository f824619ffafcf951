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
    let throughput: Vec<f64> = load.iter().map(|&g| 7.0 * kinked(g, 0.111, 0.5)).collect();
    let critical = critical_load(&load, &throughput, &CriticalOptions::default()).unwrap();
    assert!((critical.baseline_slope - 7.0).abs() < 1e-6);
    assert!((0.109..0.1125).contains(&critical.load));
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
        (CriticalOptions { baseline_loads: (0.04, 0.01), ..good }, "baseline_loads"),
    ] {
        assert_eq!(critical_load(&[], &[], &options), Err(Reason::Option(name)));
    }
}
