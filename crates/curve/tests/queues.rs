//! The curve of queues whose answer is known: one server that serves one unit a cycle with probability MU.

use std::convert::Infallible;
use tailback_base::rng::{Purpose, draw_u64, unit};
use tailback_curve::{Answer, Ask, Curve, Growth, Networks, Options, Study, Variant, Verdict, study};

const MU: f64 = 0.4;
const CYCLES: u64 = 40_000;
const WINDOWS: u64 = 200;

/// Arrivals and departures by a coin each cycle (Geo/Geo/1): stable for loads below MU and for no other.
struct Queue {
    base: u64,
    asked: u64,
    enough: Option<u64>,
    /// Arrivals are refused while so many wait.
    room: u64,
}

impl Queue {
    fn new(base: u64) -> Self {
        Queue { base, asked: 0, enough: None, room: u64::MAX }
    }

    fn run(&self, ask: &Ask) -> Answer {
        let cycles = CYCLES << ask.doublings;
        let coin = |entity: u32, cycle: u64| unit(draw_u64(self.base + ask.replica, Purpose::Burst, entity, cycle));
        let (mut waiting, mut waited, mut backlog) = (0u64, 0u64, Vec::new());
        let (window, mut before) = (cycles / WINDOWS, 0);
        let (mut made, mut done) = (0u64, 0u64);
        for cycle in 0..cycles {
            if coin(0, cycle) < ask.load && waiting < self.room {
                (waiting, made) = (waiting + 1, made + 1);
            }
            if waiting > 0 && coin(1, cycle) < MU {
                (waiting, done) = (waiting - 1, done + 1);
            }
            waited += waiting;
            if (cycle + 1).is_multiple_of(window) {
                backlog.push((waited - before) as f64 / window as f64);
                before = waited;
            }
        }
        let rate = |count: u64| count as f64 / cycles as f64;
        // Little's law: at zero load a unit waits for its own service only.
        let latency = (done > 0).then(|| 1.0 / MU + waited as f64 / done as f64);
        let offered = if self.room == u64::MAX { rate(made) } else { ask.load };
        let digest = format!("{made} {done}");
        Answer { offered, generated: rate(made), accepted: rate(done), latency, backlog, deadlocked: false, digest }
    }
}

impl Networks for Queue {
    type Error = Infallible;

    fn measure(&mut self, asks: &[(usize, Ask)]) -> Result<Vec<Option<Answer>>, Infallible> {
        let one = |(_, ask): &(usize, Ask)| {
            self.asked += 1;
            self.enough.is_none_or(|enough| self.asked <= enough).then(|| self.run(ask))
        };
        Ok(asks.iter().map(one).collect())
    }
}

/// The study of one queue, of which nothing is known.
fn measured(mut queue: Queue, options: &Options, runs_max: u64) -> Study {
    let variant = Variant { options: *options, loads: Vec::new(), zero_load_latency: None };
    study(&mut queue, &[variant], runs_max).unwrap()
}

/// Its curve, for which the runs suffice.
fn curve(queue: Queue, options: &Options) -> Curve {
    let mut study = measured(queue, options, 3000);
    assert!(!study.budget_spent && !study.stopped, "{} runs", study.runs);
    study.curves.remove(0)
}

fn verdict(base: u64, load: f64) -> Verdict {
    let queue = Queue::new(base);
    let answers: Vec<Answer> = (0..10).map(|replica| queue.run(&Ask { load, replica, doublings: 0 })).collect();
    Growth::of(&answers).expect("ten runs").verdict()
}

#[test]
fn no_load_at_or_beyond_capacity_is_ever_called_stable() {
    for share in [1.0, 1.005, 1.02, 1.1, 1.5] {
        for base in 0..30 {
            assert_ne!(verdict(base * 1000, share * MU), Verdict::Stable, "{share} of capacity, seeds {base}");
        }
    }
}

#[test]
fn loads_well_below_capacity_are_called_stable() {
    for share in [0.2, 0.5, 0.8] {
        let stable = (0..20).filter(|base| verdict(base * 1000, share * MU) == Verdict::Stable).count();
        assert!(stable >= 19, "{share} of capacity: {stable} of 20");
    }
}

#[test]
fn the_saturation_point_is_the_capacity_and_seeds_agree() {
    let mut points = Vec::new();
    for base in [0, 500_000] {
        let curve = curve(Queue::new(base), &Options::between(0.004, 0.9));
        let saturation = curve.saturation.as_ref().expect("it saturates");
        assert!(saturation.brackets.iter().all(|bracket| bracket.0 < MU), "{saturation:?}");
        assert!(saturation.load.mean > 0.93 * MU && saturation.load.mean < 1.01 * MU, "{saturation:?}");
        points.push(saturation.load.mean);
        for point in &curve.points {
            assert!(point.verdict != Verdict::Stable || point.load < MU, "{point:?}");
        }
        // Latency 1/MU + (1 - a)/(MU - a) in cycles, after the counts above, doubles at a known load.
        let knee = curve.knee().expect("it bends");
        assert!(knee.interval().is_some() && knee.n == 5, "{knee:?}");
        let latency = |load: f64| 1.0 / MU + (1.0 - MU) / (MU - load);
        let ratio = latency(knee.mean) / latency(0.004);
        assert!((1.8..2.2).contains(&ratio), "the knee is at {knee:?}, {ratio} times the zero-load latency");
        let sustained = curve.sustained().expect("measured beyond saturation");
        assert!((sustained.accepted.mean - MU).abs() < 0.01 * MU, "{sustained:?}");
    }
    assert!((points[0] / points[1] - 1.0).abs() < 0.03, "{points:?}");
}

#[test]
fn points_crowd_where_the_curve_bends() {
    let curve = curve(Queue::new(7), &Options { points: 14, ..Options::between(0.004, 0.9) });
    let saturation = curve.saturation.as_ref().expect("it saturates").load.mean;
    let stable: Vec<f64> = curve.points.iter().filter(|p| p.load < saturation).map(|p| p.load).collect();
    assert_eq!(stable.len(), 14);
    let upper = stable.iter().filter(|load| **load > 0.75 * MU).count();
    assert!(upper >= 6, "{stable:?}");
}

#[test]
fn a_queue_that_refuses_arrivals_saturates_too() {
    let queue = Queue { room: 30, ..Queue::new(3) };
    let curve = curve(queue, &Options::between(0.004, 0.9));
    let saturation = curve.saturation.expect("arrivals are refused beyond capacity").load.mean;
    assert!((0.85 * MU..1.03 * MU).contains(&saturation), "{saturation}");
}

#[test]
fn what_never_saturates_says_so() {
    let curve = curve(Queue::new(11), &Options::between(0.004, 0.3));
    assert!(curve.never_saturates && curve.saturation.is_none());
    assert!(curve.points.iter().all(|point| point.load <= 0.3));
}

#[test]
fn a_small_budget_still_gives_a_curve() {
    let options = Options::between(0.004, 0.9);
    let little = measured(Queue::new(13), &options, 60);
    let curve = &little.curves[0];
    assert!(little.budget_spent && little.runs <= 60 && !little.stopped);
    assert!(curve.points.len() >= 4 && curve.saturation.is_none(), "{curve:?}");
    let Some((Some(stable), Some(unstable))) = curve.open else { panic!("the search is open: {curve:?}") };
    assert!(stable < MU && MU <= unstable);
    assert!(curve.points.iter().any(|point| point.load > MU), "a point beyond saturation is among them");
    assert!(measured(Queue::new(13), &options, 3).curves[0].points.is_empty(), "too little for anything");
}

#[test]
fn what_was_found_when_the_user_stops_is_kept() {
    let stopped = Queue { enough: Some(100), ..Queue::new(13) };
    let stopped = measured(stopped, &Options::between(0.004, 0.9), 3000);
    assert!(stopped.stopped && !stopped.curves[0].points.is_empty());
}

#[test]
fn given_loads_bracket_the_search() {
    let given = |loads: &[f64]| {
        let options = Options { seeds_min: 5, ..Options::between(0.004, 0.9) };
        let zero = Some(1.0 / MU + (1.0 - MU) / MU);
        let variant = Variant { options, loads: loads.to_vec(), zero_load_latency: zero };
        study(&mut Queue::new(17), &[variant], 3000).unwrap()
    };
    let study = given(&[0.1, 0.2, 0.3, 0.5, 0.6]);
    let curve = &study.curves[0];
    assert_eq!(curve.points.iter().map(|point| point.load).collect::<Vec<_>>(), [0.1, 0.2, 0.3, 0.5, 0.6]);
    assert!(curve.points.iter().all(|point| point.accepted.count == 5));
    let saturation = curve.saturation.as_ref().expect("it saturates");
    assert!(saturation.brackets.len() == 3 && saturation.load.interval().is_some(), "{saturation:?}");
    assert!((0.93 * MU..1.01 * MU).contains(&saturation.load.mean), "{saturation:?}");
    let outside = given(&[0.5, 0.6]).curves.remove(0).saturation.expect("below all loads");
    assert!((0.93 * MU..1.01 * MU).contains(&outside.load.mean), "{outside:?}");
    let all_below = given(&[0.1, 0.2]).curves.remove(0).saturation.expect("above all loads");
    assert!((0.93 * MU..1.01 * MU).contains(&all_below.load.mean), "{all_below:?}");
}
