//! Searches in networks that answer by a script.

use super::*;
use crate::testing::{Script, below, growing, options};
use crate::{Answer, Ask};

/// Searches, one after the other, the later ones around the bracket of the first.
fn found<F: FnMut(&Ask) -> Answer>(network: &mut Script<F>, options: &Options) -> Vec<Found> {
    let mut runs = Runs::new(network, options);
    let mut all: Vec<Found> = Vec::new();
    for number in 0..options.searches {
        let start = match all.first() {
            Some(Found::Between(low, high)) => Start::Around(*low, *high),
            _ => Start::Whole,
        };
        all.push(search(&mut runs, number, start).unwrap());
    }
    all
}

/// The loads asked for with replicas from `first` on, each once, in order.
fn loads(asked: &[Ask], first: u64) -> Vec<f64> {
    let mine = asked.iter().filter(|ask| (first..first + APART).contains(&ask.replica));
    let mut loads: Vec<f64> = mine.map(|ask| ask.load).collect();
    loads.dedup();
    loads
}

/// The loads that a search around a bracket asks for, and where it ends.
fn around(capacity: f64, bracket: (f64, f64), options: &Options) -> (Vec<f64>, Option<(f64, f64)>) {
    let mut network = Script::new(below(capacity));
    let ended = match search(&mut Runs::new(&mut network, options), 0, Start::Around(bracket.0, bracket.1)).unwrap() {
        Found::Between(low, high) => Some((low, high)),
        _ => None,
    };
    (loads(&network.asked, 0), ended)
}

fn near(found: &[f64], expected: &[f64]) -> bool {
    found.len() >= expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12)
}

#[test]
fn every_search_has_seeds_of_its_own_and_is_sure_of_both_ends() {
    let options = Options { tolerance: 0.02, ..options() };
    // The second search sees more, the third one less than the first.
    let capacity = |replica: u64| [0.4, 0.47, 0.31][(replica / APART) as usize];
    let mut network = Script::new(|ask: &Ask| below(capacity(ask.replica))(ask));
    let found = found(&mut network, &options);
    assert!(network.asked.iter().all(|ask| ask.replica % APART < 5));
    assert_eq!(found.len(), 3);
    for (search, found) in (0..).zip(found) {
        let Found::Between(low, high) = found else { panic!("search {search}: {found:?}") };
        let capacity = capacity(search * APART);
        assert!(low < capacity && capacity <= high && high - low <= 0.02 * high, "{search}: {low} {high}");
        let asked = loads(&network.asked, search * APART);
        assert!(asked.contains(&low) && asked.contains(&high), "search {search} believed another");
    }
}

#[test]
fn half_a_bracket_widens_the_interval_of_three_searches() {
    let brackets = vec![(0.30, 0.32), (0.31, 0.32), (0.33, 0.34)];
    let found = Saturation::of(brackets.clone()).expect("three searches");
    let centres = Spread::of(&[0.31, 0.315, 0.335], Scale::Logarithm).expect("three values");
    let (Interval { low, high }, narrow) = (found.load.interval.unwrap(), centres.interval.unwrap());
    assert!((found.load.mean - 0.32).abs() < 1e-12);
    assert!((high / narrow.high - (1.0 + 0.01 / 0.31)).abs() < 1e-12, "the widest bracket counts: {found:?}");
    assert!((narrow.low / low - (1.0 + 0.01 / 0.31)).abs() < 1e-12, "{found:?}");
    assert_eq!(Saturation::of(brackets[..2].to_vec()).expect("two").load.interval(), None, "fewer than three");
    assert_eq!(Saturation::of(Vec::new()), None);
}

#[test]
fn what_is_stable_everywhere_or_nowhere_has_no_saturation_point() {
    let options = Options { low: 0.01, searches: 1, ..options() };
    let ends = |capacity: f64| found(&mut Script::new(below(capacity)), &options)[0];
    assert_eq!(ends(2.0), Found::Beyond);
    assert_eq!(ends(0.01), Found::Below, "the lowest load is not below its capacity");
    assert!(matches!(ends(0.010_001), Found::Between(0.01, _)));
}

#[test]
fn a_search_that_is_stopped_says_what_it_knows() {
    let options = Options { searches: 1, ..options() };
    let stopped = |runs: usize| found(&mut Script::new(below(0.4)).up_to(runs), &options)[0];
    assert_eq!(stopped(4), Found::Open(None, None));
    assert_eq!(stopped(5), Found::Open(None, Some(1.0)));
    assert_eq!(stopped(17), Found::Open(Some(0.25), Some(0.5)));
    let options = Options { low: 0.4, tolerance: 0.7, ..options };
    let ended = found(&mut Script::new(growing_always).up_to(7), &options)[0];
    assert_eq!(ended, Found::Open(None, Some(1.0)), "the lower end was not looked at, so nothing is said of it");
}

fn growing_always(_: &Ask) -> Answer {
    growing(10.0)
}

#[test]
fn a_search_between_points_looks_at_both_first() {
    let options = Options { tolerance: 0.1, ..options() };
    let from = |capacity: f64| {
        let mut network = Script::new(below(capacity));
        let found = search(&mut Runs::new(&mut network, &options), 0, Start::At(0.4, 0.5)).unwrap();
        (found, loads(&network.asked, 0))
    };
    let (found, asked) = from(0.43);
    assert!(
        matches!(found, Found::Between(low, high) if low < 0.43 && 0.43 <= high) && near(&asked, &[0.5, 0.4, 0.45])
    );
    let (found, asked) = from(0.6);
    assert!(matches!(found, Found::Between(low, high) if low < 0.6 && 0.6 <= high), "{found:?}");
    assert!(near(&asked, &[0.5, 0.6]), "upwards where both are stable: {asked:?}");
    let (found, asked) = from(0.33);
    assert!(matches!(found, Found::Between(low, high) if low < 0.33 && 0.33 <= high), "{found:?}");
    assert!(near(&asked, &[0.5, 0.4, 0.3]), "downwards where neither is: {asked:?}");
}

#[test]
fn a_search_widens_its_bracket_twice_as_far_each_time() {
    let options = Options { tolerance: 0.001, ..options() };
    // The bracket holds: one step to each side, and its middle.
    let (asked, ended) = around(0.51, (0.5, 0.52), &options);
    assert!(near(&asked, &[0.54, 0.48, 0.51]), "{asked:?}");
    assert!(ended.is_some_and(|(low, high)| low < 0.51 && 0.51 <= high));
    // Too low: what was the upper end is stable, and so the lower end is sure.
    let (asked, ended) = around(0.75, (0.5, 0.52), &options);
    assert!(near(&asked, &[0.54, 0.58, 0.66, 0.82, 0.74, 0.78]), "{asked:?}");
    assert!(ended.is_some_and(|(low, high)| low < 0.75 && 0.75 <= high));
    // Too high.
    let (asked, ended) = around(0.25, (0.5, 0.52), &options);
    assert!(near(&asked, &[0.54, 0.48, 0.44, 0.36, 0.2, 0.28]), "{asked:?}");
    assert!(ended.is_some_and(|(low, high)| low < 0.25 && 0.25 <= high));
    // A narrow bracket is widened by the tolerance.
    let (asked, _) = around(0.5, (0.5, 0.5001), &Options { tolerance: 0.1, ..options });
    assert!(near(&asked, &[0.55011, 0.44999]), "{asked:?}");
}

#[test]
fn a_search_ends_at_the_ends_of_the_range() {
    let options = Options { low: 0.0625, ..options() };
    let ends = |capacity: f64, (low, high): (f64, f64)| {
        let mut network = Script::new(below(capacity));
        let ended = search(&mut Runs::new(&mut network, &options), 0, Start::Around(low, high)).unwrap();
        (ended, loads(&network.asked, 0))
    };
    let (ended, asked) = ends(2.0, (0.875, 0.9375));
    assert!(matches!(ended, Found::Beyond) && asked == [1.0], "{asked:?}");
    let (ended, asked) = ends(0.0, (0.125, 0.1875));
    assert!(matches!(ended, Found::Below) && asked == [0.25, 0.0625], "{asked:?}");
    // Just within: the ends themselves are sure.
    let (ended, _) = ends(1.0, (0.875, 0.9375));
    assert!(matches!(ended, Found::Between(low, 1.0) if low >= 0.99));
    let (ended, _) = ends(0.0626, (0.125, 0.1875));
    assert!(matches!(ended, Found::Between(0.0625, high) if (0.0626..0.0633).contains(&high)));
}

#[test]
fn narrowing_ends_at_the_tolerance_or_where_numbers_end() {
    let narrow = |low: f64, high: f64, sure: bool, tolerance: f64| {
        let options = Options { tolerance, ..options() };
        let mut network = Script::new(below(0.75));
        let mut runs = Runs::new(&mut network, &options);
        let (stable, not_stable) = (None, None);
        let mut one = Search { options: &options, runs: &mut runs, first_replica: 0, stable, not_stable };
        let ended = match one.narrow(low, high, sure).unwrap() {
            Some(Found::Between(low, high)) => (low, high),
            _ => panic!("between"),
        };
        (ended, loads(&network.asked, 0))
    };
    assert_eq!(narrow(0.5, 1.0, true, 0.5), ((0.5, 1.0), vec![]), "as wide as permitted");
    assert_eq!(narrow(0.5, 1.0, true, 0.49), ((0.5, 0.75), vec![0.75]));
    assert_eq!(narrow(0.5, 1.0, false, 0.5), ((0.5, 1.0), vec![0.5]), "a lower end that was only believed");
    assert_eq!(narrow(0.5, 1.0, false, 0.4), ((0.5, 0.75), vec![0.75, 0.5]));
    for low in [0.5, 0.5f64.next_up()] {
        let high = low.next_up();
        assert_eq!(narrow(low, high, true, 0.0), ((low, high), vec![]), "no number lies between");
    }
}
