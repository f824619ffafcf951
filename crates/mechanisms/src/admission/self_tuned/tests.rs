//! The tuning table and the way back from local maxima, period by period, by numbers worked out by hand.

use super::super::side_band::tests::paper_grid;
use super::super::tests::{asks, built, resolved, view_of};
use super::*;

fn throttle(parameters: &str) -> SelfTuned {
    built("self_tuned", parameters, &paper_grid(), 3)
}

fn tuner(parameters: &str) -> Tuner {
    throttle(parameters).tuner
}

/// The thresholds after periods of (flits, full buffers, throttling).
fn walk(tuner: &mut Tuner, periods: &[(u64, u64, bool)]) -> Vec<u64> {
    let mut after = Vec::new();
    for &(flits, full, throttling) in periods {
        tuner.tune(Period { flits, full, throttling });
        after.push(tuner.threshold);
    }
    after
}

#[test]
fn steps_are_those_of_the_paper() {
    let t = tuner("");
    assert_eq!((t.threshold, t.increment, t.decrement, t.bounds), (30, 30, 122, (30, 3072)));
    assert_eq!(throttle("").period_cycles, 96);
    // 8 buffers: a percent of them would be no step at all.
    let spec = resolved("self_tuned", "");
    let t = Tuner::new(spec.view("admission"), 8);
    assert_eq!((t.threshold, t.increment, t.decrement, t.bounds), (1, 1, 1, (1, 8)));
}

#[test]
fn the_tuning_table() {
    let mut t = tuner("avoid_local_maxima = false");
    let up = walk(&mut t, &[(1000, 0, true); 5]);
    assert_eq!(up, [60, 90, 120, 150, 180]);
    // 750 of 1000 is no drop, 562 of 750 is one, 600 after it is none, 449 of 600 is one again.
    assert_eq!(walk(&mut t, &[(750, 0, true), (562, 0, true)]), [210, 88]);
    assert_eq!(walk(&mut t, &[(600, 0, false), (449, 0, false)]), [88, 30]);
    t.threshold = 3060;
    assert_eq!(walk(&mut t, &[(449, 0, true)]), [3072]);
    let mut fixed = tuner("avoid_local_maxima = false, hill_climbing = false, initial_percent = 8");
    assert_eq!(walk(&mut fixed, &[(1000, 0, true), (10, 0, true)]), [245, 245]);
}

#[test]
fn creeping_saturation_is_undone() {
    let mut t = tuner("");
    // The best period has 1200 flits, 50 full buffers at a threshold of 60; 900 is not below three quarters of it.
    let climbing = [(1000, 40, true), (1200, 50, true), (1100, 200, true), (900, 300, true)];
    assert_eq!(walk(&mut t, &climbing), [60, 90, 120, 150]);
    assert_eq!(walk(&mut t, &[(899, 400, true)]), [50], "N_max, as it is less than T_max");
    assert_eq!(walk(&mut t, &[(950, 400, true)]), [80]);
    // A fresh count: five periods in a row, then the best is forgotten.
    assert_eq!(walk(&mut t, &[(800, 400, true); 4]), [50; 4]);
    assert_eq!((t.best.flits, t.best.returns), (1200, 4));
    assert_eq!(walk(&mut t, &[(800, 400, true)]), [50]);
    assert_eq!((t.best.flits, t.best.returns), (0, 0));
    // 500 after 800 is a drop; it is also the new best, at a threshold of 50 with 20 full buffers: fewer than the least
    // threshold.
    assert_eq!(walk(&mut t, &[(500, 20, true)]), [30]);
    assert_eq!((t.best.flits, t.best.full, t.best.threshold), (500, 20, 50));
    t.threshold = 400;
    assert_eq!(walk(&mut t, &[(374, 500, true)]), [30]);
}

#[test]
fn the_threshold_of_the_best_period_counts_when_it_throttled() {
    let mut t = tuner("hill_climbing = false, max_fraction = 0.5, refresh_periods = \"infinite\"");
    t.threshold = 200;
    assert_eq!(walk(&mut t, &[(1000, 260, true)]), [200]);
    t.threshold = 300;
    assert_eq!(walk(&mut t, &[(500, 600, true), (499, 600, true)]), [300, 200], "T_max, as it is less than N_max");
    walk(&mut t, &[(499, 600, true); 100]);
    assert_eq!((t.best.flits, t.best.returns), (1000, 101), "never forgotten");
}

#[test]
fn of_two_periods_as_good_the_first_stays_the_best() {
    let mut t = tuner("hill_climbing = false");
    t.threshold = 200;
    walk(&mut t, &[(1000, 260, true)]);
    t.threshold = 300;
    walk(&mut t, &[(1000, 400, true)]);
    assert_eq!((t.best.full, t.best.threshold), (260, 200), "a tie is no better period");
    walk(&mut t, &[(1001, 400, true)]);
    assert_eq!((t.best.full, t.best.threshold), (400, 300));
}

#[test]
fn as_many_full_buffers_as_the_threshold_are_not_too_many() {
    // The threshold begins at 30; two snapshots alike, so that nothing is extrapolated.
    for (full, holds) in [(30, false), (31, true)] {
        let mut t = throttle("hill_climbing = false");
        run(&mut t, &[full; 5], 5);
        let view = view_of(&[0b111; 4]);
        assert_eq!((t.holds, !t.admits(view, asks(1)), !t.admits_by_any(view, asks(1), 0b10)), (holds, holds, holds));
        assert!(t.admits(view, Request { port: None, channels: 1 }) && t.admits_by_any(view, asks(1), 0));
    }
}

/// The thresholds at the begin of each tuning period, for samples of full buffers a gather apart.
fn run(throttle: &mut SelfTuned, samples: &[u64], flits: u32) -> Vec<f64> {
    let mut thresholds = Vec::new();
    for cycle in 0..32 * samples.len() as u64 {
        throttle.delivered(7, flits);
        let arrived = throttle.band.observe_count(cycle, samples[cycle as usize / 32]);
        throttle.decide(cycle + 1, arrived);
        if (cycle + 1).is_multiple_of(96) {
            thresholds.push(throttle.gauges().threshold.expect("it has one"));
        }
    }
    thresholds
}

#[test]
fn decisions_come_once_a_period() {
    let mut t = throttle("");
    assert_eq!(run(&mut t, &[100; 9], 5), [60.0, 90.0, 120.0]);
    assert_eq!(t.gauges(), Gauges { threshold: Some(120.0), estimate: Some(100.0), full_buffers: Some(100.0) });
    assert_eq!(t.tuner.previous, 96 * 5);
    assert!(!t.holds, "100 full buffers are no longer too many");
    let mut slow = throttle("tuning_period_cycles = 192");
    assert_eq!(run(&mut slow, &[100; 12], 5), [30.0, 60.0, 60.0, 90.0]);
}

#[test]
fn throttling_is_sampled_as_asked() {
    // Held from cycle 96 to 127 alone: 100 full buffers at cycle 64, none before and after.
    let samples = [0, 100, 0, 0, 0, 0];
    assert_eq!(run(&mut throttle(""), &samples, 5), [30.0, 30.0]);
    assert_eq!(run(&mut throttle("throttling_sampled = \"any\""), &samples, 5), [30.0, 60.0]);
}

#[test]
fn periods_fit_the_gather() {
    let asked = |period: &str| {
        let spec = resolved("self_tuned", &format!("tuning_period_cycles = {period}"));
        let site = Site { grid: &paper_grid(), channels: 3, buffer_flits: 8 };
        let switching = Switching { by_flits: true, adaptive: true, by_channels: true, shared_buffers: true };
        SelfTuned::objection(spec.view("admission"), site, switching).map(|refusal| (refusal.message, refusal.help))
    };
    assert_eq!((asked("\"auto\""), asked("32"), asked("192")), (None, None, None));
    let (message, help) = asked("100").expect("an objection");
    assert!(message.contains("100 cycles is not a multiple of the 32"), "{message}");
    assert!(help.contains("128"), "{help}");
}

#[test]
fn a_state_has_thresholds_that_may_be() {
    let wrong: [fn(&mut Tuner); 4] = [
        |t| t.threshold = t.bounds.0 - 1,
        |t| t.threshold = t.bounds.1 + 1,
        |t| t.best.threshold = t.bounds.1 + 1,
        |t| t.best.full = t.bounds.1 + 1,
    ];
    assert!(tuner("").fits().is_ok());
    for (number, change) in wrong.iter().enumerate() {
        let mut tuner = tuner("");
        change(&mut tuner);
        assert!(tuner.fits().is_err(), "change {number}");
    }
}
