//! Studies of variants that are known.

use super::*;
use crate::testing::{Scripts, growing, stable};

/// Stable below the capacity of each variant, with a latency that doubles halfway to it.
fn capacities(capacities: &'static [f64]) -> impl Fn(usize, &Ask) -> Answer {
    move |variant, ask| {
        let capacity = capacities[variant];
        let latency = 10.0 / (1.0 - ask.load / capacity).max(0.05);
        let answer = if ask.load < capacity { stable(latency) } else { growing(200.0) };
        Answer { digest: format!("{capacity} {} {} {}", ask.load, ask.replica, ask.doublings), ..answer }
    }
}

fn variant(loads: &[f64]) -> Variant {
    Variant {
        options: Options { points: 6, highest: 1.5, ..Options::between(0.1, 1.0) },
        loads: loads.to_vec(),
        zero_load_latency: Some(10.0),
    }
}

fn loads(curve: &Curve) -> Vec<f64> {
    curve.points.iter().map(|point| point.load).collect()
}

#[test]
fn every_variant_has_a_curve_and_equal_ones_are_searched_once() {
    let mut networks = Scripts::new(capacities(&[0.5, 0.5, 0.7]));
    let variants = vec![variant(&[]); 3];
    let study = study(&mut networks, &variants, 3000).unwrap();
    assert!(!study.budget_spent && !study.stopped && study.runs == networks.asked.len() as u64);
    assert_eq!(study.curves.iter().map(|curve| curve.equals).collect::<Vec<_>>(), [None, Some(0), None]);
    assert_eq!(study.curves[1].compared, 10, "five runs at each end of the range");
    assert_eq!(networks.asked.iter().filter(|(variant, _)| *variant == 1).count(), 10, "nothing else of the second");
    for (curve, capacity) in study.curves.iter().zip([0.5, 0.5, 0.7]) {
        let saturation = curve.saturation.as_ref().expect("it saturates");
        assert!((saturation.load.mean / capacity - 1.0).abs() < 0.01 && saturation.brackets.len() == 3);
        let knee = curve.knee().expect("it bends");
        assert!((knee.mean / (0.5 * capacity) - 1.0).abs() < 0.05 && knee.n == 5, "{knee:?}");
        let below = curve.points.iter().filter(|point| point.verdict == Verdict::Stable).count();
        assert!(below == 6 && curve.points.len() == 10, "{:?}", loads(curve));
        assert_eq!(curve.sustained().map(|point| point.load), Some(1.5));
        assert!(curve.points.windows(2).all(|pair| pair[0].load < pair[1].load));
    }
    assert!(networks.batches.iter().any(|runs| *runs >= 20), "searches of both side by side: {:?}", networks.batches);
}

#[test]
fn given_loads_all_run_first_and_bracket_the_search() {
    let mut networks = Scripts::new(capacities(&[0.5, 0.5, 0.7]));
    let given = [0.2, 0.4, 0.6, 0.8];
    let study = study(&mut networks, &vec![variant(&given); 3], 3000).unwrap();
    assert_eq!(networks.batches[0], 60, "three variants, four loads, five seeds");
    assert!(study.curves.iter().all(|curve| loads(curve) == given));
    assert_eq!((study.curves[1].equals, study.curves[1].compared), (Some(0), 20));
    let searched: Vec<f64> =
        networks.asked[60..].iter().filter(|(variant, _)| *variant == 0).map(|(_, ask)| ask.load).collect();
    assert!(searched.iter().all(|load| (0.4..=0.6).contains(load)), "{searched:?}");
    let own = networks.asked[60..].iter().filter(|(variant, ask)| *variant == 0 && ask.load == 0.4).count();
    assert_eq!(own, 10, "the first search knows the runs of the curve, the two others have seeds of their own");
    assert_eq!(networks.asked[60..].iter().filter(|(variant, _)| *variant == 1).count(), 0);
    assert!((study.curves[2].saturation.as_ref().expect("it saturates").load.mean - 0.7).abs() < 0.01);
}

#[test]
fn a_budget_that_does_not_suffice_for_all_seeds_gives_each_load_equally_many() {
    let mut networks = Scripts::new(capacities(&[0.5]));
    let study = study(&mut networks, &[variant(&[0.2, 0.4, 0.6])], 8).unwrap();
    assert!(study.budget_spent && study.runs <= 8);
    assert!(study.curves[0].points.iter().all(|point| point.accepted.count == 2), "{:?}", study.curves[0].points);
}

#[test]
fn a_small_budget_is_shared_between_search_and_curve() {
    let mut networks = Scripts::new(capacities(&[0.5, 0.7]));
    let study = study(&mut networks, &vec![variant(&[]); 2], 80).unwrap();
    assert!(study.budget_spent && study.runs <= 80);
    for curve in &study.curves {
        assert!(
            curve.points.len() >= 4 && curve.points.last().is_some_and(|last| last.load > 0.7),
            "{:?}",
            loads(curve)
        );
        assert!(matches!(curve.open, Some((Some(_), Some(_)))) && curve.saturation.is_none(), "{curve:?}");
    }
}

#[test]
fn who_is_stopped_keeps_what_ran() {
    let mut networks = Scripts::new(capacities(&[0.5])).up_to(7);
    let study = study(&mut networks, &[variant(&[0.2, 0.4, 0.6])], 3000).unwrap();
    assert!(study.stopped && !study.budget_spent);
    assert_eq!(study.curves[0].points.iter().map(|point| point.accepted.count).collect::<Vec<_>>(), [3, 2, 2]);
    assert_eq!(study.curves[0].open, Some((None, None)));
}

#[test]
fn what_never_or_always_saturates_has_a_curve_without_a_point() {
    let always = study(&mut Scripts::new(capacities(&[2.0])), &[variant(&[])], 3000).unwrap().curves.remove(0);
    assert!(always.never_saturates && always.saturation.is_none() && always.open.is_none());
    assert_eq!((always.points.len(), always.sustained()), (6, None));
    let never = study(&mut Scripts::new(capacities(&[0.05])), &[variant(&[])], 3000).unwrap().curves.remove(0);
    assert!(never.never_stable && loads(&never) == [0.1] && never.points[0].verdict == Verdict::Unstable);
}

#[test]
fn what_is_not_stable_has_no_knee() {
    // Flat until it saturates: only runs beyond that have twice the latency.
    let flat = |_: usize, ask: &Ask| if ask.load < 0.5 { stable(10.0) } else { growing(200.0) };
    let curve = study(&mut Scripts::new(flat), &[variant(&[0.2, 0.4, 0.6, 0.8])], 3000).unwrap().curves.remove(0);
    assert!(curve.saturation.is_some() && curve.points[2].verdict == Verdict::Unstable);
    assert_eq!((curve.knees.as_slice(), curve.knee()), ([].as_slice(), None));
}

#[test]
fn nothing_is_sustained_at_the_load_of_saturation_itself() {
    let given = [0.2, 0.4, 0.6, 0.8];
    let mut networks = Scripts::new(capacities(&[0.5]));
    let mut curve = study(&mut networks, &[variant(&given)], 3000).unwrap().curves.remove(0);
    curve.saturation = None;
    for (known, sustained) in [(0.6, Some(0.8)), (0.8, None)] {
        curve.open = Some((Some(0.4), Some(known)));
        assert_eq!(curve.sustained().map(|point| point.load), sustained);
    }
}
