//! Points of curves that are known.

use super::*;
use crate::testing::{Script, growing, options, stable, undecided};

fn summary(mean: f64) -> Summary {
    Summary { mean, half_width: Some(0.0), count: 5 }
}

/// A stable point.
fn at(load: f64, latency: Option<f64>) -> Point {
    Point { load, accepted: summary(load), latency: latency.map(summary), verdict: Verdict::Stable }
}

fn loads(points: &[Point]) -> Vec<f64> {
    points.iter().map(|point| point.load).collect()
}

fn near(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12)
}

#[test]
fn the_longest_piece_is_the_longest_in_the_picture() {
    let middle = |points: [(f64, f64); 3], zero: f64| {
        let points = points.map(|(load, latency)| at(load, Some(latency)));
        longest_piece(&points, points[2].load, zero)
    };
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
    // Flat: the wider one.
    close(middle([(0.0, 1.0), (1.2, 1.0), (2.0, 1.0)], 1.0), 0.6);
    close(middle([(0.4, 1.0), (0.9, 1.0), (2.0, 1.0)], 1.0), 1.45);
    // A rise by half of the picture's height, which is six times the zero-load latency, against widths.
    close(middle([(0.0, 10.0), (4.0, 40.0), (10.0, 40.0)], 10.0), 2.0);
    close(middle([(0.0, 1.0), (9.0, 1.0), (10.0, 4.0)], 1.0), 4.5);
    close(middle([(0.0, 1.0), (5.0, 4.0), (10.0, 4.0)], 1.0), 2.5);
    // A rise counts by its height, not by its factor: 6 to 18, and 18 to 48, of 60.
    close(middle([(0.0, 6.0), (5.0, 18.0), (10.0, 48.0)], 10.0), 7.5);
    // Beyond the top of the picture all latencies are alike, and one that is not known is at the top.
    close(middle([(0.0, 1.0), (5.0, 6.0), (10.0, 600.0)], 1.0), 2.5);
    let unknown = [at(0.0, Some(1.0)), at(5.0, Some(1.0)), at(10.0, None)];
    close(longest_piece(&unknown, 10.0, 1.0), 7.5);
}

#[test]
fn a_straight_curve_has_points_at_even_distances() {
    let options = Options { points: 5, ..Options::between(0.2, 1.0) };
    let placed = |options: &Options| {
        let mut network = Script::new(|_| stable(10.0));
        let mut runs = Runs::new(&mut network, options);
        let mut points = vec![measure(&mut runs, options, 0.2).unwrap().expect("a point")];
        below(&mut runs, options, 1.0, &mut points).unwrap().expect("all of them");
        loads(&points)
    };
    assert!(near(&placed(&options), &[0.2, 0.4, 0.6, 0.8, 1.0]));
    assert!(near(&placed(&Options { points: 0, ..options }), &[0.2, 0.6, 1.0]), "both ends and the middle in any case");
}

#[test]
fn beyond_saturation_there_are_points_at_fixed_distances() {
    let beyond_of = |saturation: f64, options: &Options| {
        let mut network = Script::new(|_| growing(10.0));
        let mut points = Vec::new();
        beyond(&mut Runs::new(&mut network, options), options, saturation, &mut points).unwrap();
        loads(&points)
    };
    let options = Options::between(0.2, 1.0);
    let found = beyond_of(2.0, &Options { highest: 4.0, ..options });
    assert!(near(&found, &[4.0, 2.1, 2.5, 3.0]), "{found:?}");
    let found = beyond_of(2.0, &Options { highest: 3.0, ..options });
    assert!(near(&found, &[3.0, 2.1, 2.5]), "the highest is no second point: {found:?}");
    let found = beyond_of(0.9, &Options { highest: 0.5, ..options });
    assert!(near(&found, &[1.0, 0.945]), "never below the end of the range: {found:?}");
}

/// The verdict on a load, and how many seeds it took.
fn measured(script: impl Fn(&Ask) -> Answer, options: &Options) -> (Verdict, Vec<u64>) {
    let mut network = Script::new(script);
    let point = measure(&mut Runs::new(&mut network, options), options, 0.5).unwrap().expect("a point");
    assert_eq!(point.accepted.count, network.asked.len());
    (point.verdict, network.asked.iter().map(|ask| ask.replica).collect())
}

/// The same answer with its latency, and its accepted load, off by these shares up or down from seed to seed.
fn noisy(answer: Answer, latency: f64, accepted: f64) -> impl Fn(&Ask) -> Answer {
    move |ask| {
        let side = if ask.replica.is_multiple_of(2) { 1.0 } else { -1.0 };
        Answer {
            latency: answer.latency.map(|mean| mean * (1.0 + side * latency)),
            accepted: answer.accepted * (1.0 + side * accepted),
            ..answer.clone()
        }
    }
}

#[test]
fn seeds_are_added_until_the_interval_is_narrow() {
    let options = options();
    // One percent up and down: of five seeds, an interval of 1.4 %; two up and down: of ten seeds 1.5 %.
    assert_eq!(measured(noisy(stable(10.0), 0.01, 0.0), &options), (Verdict::Stable, Vec::from_iter(0..5)));
    assert_eq!(measured(noisy(stable(10.0), 0.02, 0.0), &options), (Verdict::Stable, Vec::from_iter(0..10)));
    assert_eq!(measured(noisy(stable(10.0), 0.5, 0.0), &options), (Verdict::Stable, Vec::from_iter(0..20)));
    let (_, seeds) = measured(noisy(stable(10.0), 0.5, 0.0), &Options { seeds_max: 12, ..options });
    assert_eq!(seeds, Vec::from_iter(0..12), "five, five more, and the rest");
    let (_, seeds) = measured(|_| stable(10.0), &Options { seeds_min: 0, ..options });
    assert_eq!(seeds, [0, 1], "an interval needs two");
}

#[test]
fn beyond_saturation_the_accepted_load_counts_and_not_the_latency() {
    let options = options();
    let jammed = |latency, accepted| noisy(growing(10.0), latency, accepted);
    assert_eq!(measured(jammed(0.5, 0.0), &options), (Verdict::Unstable, Vec::from_iter(0..5)));
    assert_eq!(measured(jammed(0.0, 0.5), &options), (Verdict::Unstable, Vec::from_iter(0..20)));
}

#[test]
fn a_point_that_is_undecided_gets_all_seeds() {
    assert_eq!(measured(undecided, &options()), (Verdict::Undecided, Vec::from_iter(0..20)));
}

#[test]
fn a_point_keeps_the_seeds_that_it_had_when_the_budget_ends() {
    let options = options();
    let mut network = Script::new(undecided).up_to(7);
    let mut runs = Runs::new(&mut network, &options);
    let point = measure(&mut runs, &options, 0.5).unwrap().expect("of five seeds");
    assert_eq!((point.load, point.accepted.count), (0.5, 5));
    assert_eq!(measure(&mut runs, &options, 0.6).unwrap(), None);
}
