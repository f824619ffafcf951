//! Searches in networks that answer by a script.

use super::*;
use crate::testing::{Script, below, growing, options, stable};
use crate::{Answer, Ask};

/// The saturation point, if the search ended with one.
fn found<F: FnMut(&Ask) -> Answer>(network: &mut Script<F>, options: &Options) -> Option<Saturation> {
    match saturation(&mut Runs::new(network, options)).unwrap() {
        Some(Found::At(saturation)) => Some(saturation),
        _ => None,
    }
}

/// The loads asked for with replicas from `first` on, each once, in order.
fn loads(asked: &[Ask], first: u64) -> Vec<f64> {
    let mine = asked.iter().filter(|ask| (first..first + 2 * SEEDS).contains(&ask.replica));
    let mut loads: Vec<f64> = mine.map(|ask| ask.load).collect();
    loads.dedup();
    loads
}

/// The loads that a search around a bracket asks for, and where it ends.
fn around(capacity: f64, bracket: (f64, f64), options: &Options) -> (Vec<f64>, Option<(f64, f64)>) {
    let mut network = Script::new(below(capacity));
    let mut runs = Runs::new(&mut network, options);
    let ended = Search { options, runs: &mut runs, first_replica: 0 }.around(bracket).unwrap();
    let ended = match ended {
        Some(Bracket::Between(low, high)) => Some((low, high)),
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
    let capacity = |replica: u64| [0.4, 0.47, 0.31][(replica / 10) as usize];
    let mut network = Script::new(|ask: &Ask| below(capacity(ask.replica))(ask));
    let saturation = found(&mut network, &options).expect("it saturates");
    assert!(network.asked.iter().all(|ask| [0..5, 10..15, 20..25].iter().any(|seeds| seeds.contains(&ask.replica))));
    assert_eq!(saturation.brackets.len(), 3);
    for (search, &(low, high)) in (0..).zip(&saturation.brackets) {
        let capacity = capacity(search * 10);
        assert!(low < capacity && capacity <= high && high - low <= 0.02 * high, "{search}: {low} {high}");
        let asked = loads(&network.asked, search * 10);
        assert!(asked.contains(&low) && asked.contains(&high), "search {search} believed another");
    }
}

#[test]
fn half_a_bracket_counts_as_an_error_of_each_search() {
    let options = Options { searches: 2, tolerance: 0.1, ..options() };
    let saturation = found(&mut Script::new(below(0.3)), &options).expect("it saturates");
    let [(a, b), (c, d)] = saturation.brackets[..] else { panic!("{saturation:?}") };
    let (one, other) = ((a + b) / 2.0, (c + d) / 2.0);
    assert!((saturation.load.mean - (one + other) / 2.0).abs() < 1e-12);
    // Of two values the interval is t(1) times half their distance.
    let spread = 12.7062 * (one - other).abs() / 2.0;
    let expected = (spread * spread + (f64::max(b - a, d - c) / 2.0).powi(2)).sqrt();
    assert!((saturation.load.half_width.expect("two searches") - expected).abs() < 1e-4, "{saturation:?}");
    let alone = found(&mut Script::new(below(0.3)), &Options { searches: 1, ..options }).expect("it saturates");
    assert_eq!(alone.load.half_width, None);
}

#[test]
fn what_is_stable_everywhere_or_nowhere_has_no_saturation_point() {
    let options = Options { low: 0.01, ..options() };
    let ends = |capacity: f64| {
        let mut network = Script::new(below(capacity));
        saturation(&mut Runs::new(&mut network, &options)).unwrap()
    };
    assert!(matches!(ends(2.0), Some(Found::Beyond)));
    assert!(matches!(ends(0.01), Some(Found::Below)), "the lowest load is not below its capacity");
    assert!(matches!(ends(0.010_001), Some(Found::At(found)) if found.brackets[0].0 == 0.01));
}

#[test]
fn a_later_search_that_finds_no_end_takes_nothing_back() {
    let options = options();
    for later in [stable(10.0), growing(10.0)] {
        let script = |ask: &Ask| if ask.replica < 10 { below(0.4)(ask) } else { later.clone() };
        let saturation = found(&mut Script::new(script), &options).expect("the first search found it");
        assert_eq!(saturation.brackets.len(), 1);
    }
}

#[test]
fn a_search_that_is_stopped_keeps_those_before_it() {
    let options = options();
    let mut network = Script::new(below(0.4));
    found(&mut network, &Options { searches: 1, ..options }).expect("it saturates");
    let first = network.asked.len();
    let mut stopped = Script::new(below(0.4)).up_to(first + 7);
    assert_eq!(found(&mut stopped, &options).expect("of the first search").brackets.len(), 1);
    let mut at_once = Script::new(below(0.4)).up_to(7);
    assert_eq!(found(&mut at_once, &options), None);
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
    let ends = |capacity: f64, bracket: (f64, f64)| {
        let mut network = Script::new(below(capacity));
        let mut runs = Runs::new(&mut network, &options);
        let ended = Search { options: &options, runs: &mut runs, first_replica: 0 }.around(bracket).unwrap();
        (ended, loads(&network.asked, 0))
    };
    let (ended, asked) = ends(2.0, (0.875, 0.9375));
    assert!(matches!(ended, Some(Bracket::Beyond)) && asked == [1.0], "{asked:?}");
    let (ended, asked) = ends(0.0, (0.125, 0.1875));
    assert!(matches!(ended, Some(Bracket::Below)) && asked == [0.25, 0.0625], "{asked:?}");
    // Just within: the ends themselves are sure.
    let (ended, _) = ends(1.0, (0.875, 0.9375));
    assert!(matches!(ended, Some(Bracket::Between(low, 1.0)) if low >= 0.99));
    let (ended, _) = ends(0.0626, (0.125, 0.1875));
    assert!(matches!(ended, Some(Bracket::Between(0.0625, high)) if (0.0626..0.0633).contains(&high)));
}

#[test]
fn narrowing_ends_at_the_tolerance_or_where_numbers_end() {
    let narrow = |low: f64, high: f64, sure: bool, tolerance: f64| {
        let options = Options { tolerance, ..options() };
        let mut network = Script::new(below(0.75));
        let mut runs = Runs::new(&mut network, &options);
        let ended = Search { options: &options, runs: &mut runs, first_replica: 0 }.narrow(low, high, sure).unwrap();
        let ended = match ended {
            Some(Bracket::Between(low, high)) => (low, high),
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
