//! The points of a curve: below saturation where it bends, beyond it where throughput may fall.

use crate::growth::Growth;
use crate::runs::{Asked, Runs};
use crate::{Answer, Ask, Network, Options, Verdict};
use tailback_results::statistics::{Summary, summarise};

/// For the placing of points, latencies above so many times that at zero load are all alike.
const STEEP: f64 = 6.0;
/// Loads beyond saturation, over it; the highest of the options follows.
const BEYOND: [f64; 3] = [1.05, 1.25, 1.5];

/// What was measured at one load.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Offered load.
    pub load: f64,
    /// Accepted load over the seeds.
    pub accepted: Summary,
    /// Mean latency over the seeds. Where the load is not stable it is a fact about the length of the runs.
    pub latency: Option<Summary>,
    /// Whether the load is stable.
    pub verdict: Verdict,
}

/// Points up to the largest stable load: the ends and the middle, then always the longest piece of the curve is halved.
pub(crate) fn below<N: Network>(
    runs: &mut Runs<'_, N>,
    options: &Options,
    largest: f64,
    points: &mut Vec<Point>,
) -> Asked<(), N::Error> {
    let zero_latency = points[0].latency.map_or(1.0, |latency| latency.mean);
    let middle = options.low.midpoint(largest);
    let mut next = vec![largest, middle];
    while points.len() < options.points.max(3) {
        let load = next.pop().unwrap_or_else(|| longest_piece(points, largest, zero_latency));
        let Some(point) = measure(runs, options, load)? else { return Ok(None) };
        points.push(point);
        points.sort_by(|a, b| a.load.total_cmp(&b.load));
    }
    Ok(Some(()))
}

/// The middle of the piece whose ends lie farthest apart in the picture.
fn longest_piece(points: &[Point], largest: f64, zero_latency: f64) -> f64 {
    let steepest = STEEP * zero_latency;
    let height = |point: &Point| point.latency.map_or(1.0, |latency| latency.mean.min(steepest) / steepest);
    let length = |pair: &[Point]| ((pair[1].load - pair[0].load) / largest).hypot(height(&pair[1]) - height(&pair[0]));
    let longest = points.windows(2).max_by(|a, b| length(a).total_cmp(&length(b)));
    longest.map_or(largest, |pair| pair[0].load.midpoint(pair[1].load))
}

/// Points beyond saturation, the highest load first: where the budget ends early, that one tells most.
pub(crate) fn beyond<N: Network>(
    runs: &mut Runs<'_, N>,
    options: &Options,
    saturation: f64,
    points: &mut Vec<Point>,
) -> Asked<(), N::Error> {
    let highest = options.highest.max(options.high);
    let loads = BEYOND.iter().map(|times| times * saturation).filter(|load| *load < highest);
    for load in [highest].into_iter().chain(loads) {
        let Some(point) = measure(runs, options, load)? else { return Ok(None) };
        points.push(point);
    }
    Ok(Some(()))
}

/// Measures one load: seeds are added until it is known whether the load is stable and the interval is narrow enough, of the
/// latency where it is and of the accepted load where it is not.
pub(crate) fn measure<N: Network>(runs: &mut Runs<'_, N>, options: &Options, load: f64) -> Asked<Point, N::Error> {
    let mut answers: Vec<Answer> = Vec::new();
    loop {
        let have = answers.len() as u64;
        let more = if have == 0 { options.seeds_min.max(2) } else { have.min(options.seeds_max.saturating_sub(have)) };
        let asks: Vec<Ask> = (have..have + more).map(|replica| Ask { load, replica, doublings: 0 }).collect();
        let Some(new) = runs.ask(&asks)? else { return Ok(point(load, &answers)) };
        answers.extend(new);
        let Some(point) = point(load, &answers) else { return Ok(None) };
        let judged_by = if point.verdict == Verdict::Stable { point.latency } else { Some(point.accepted) };
        let precise =
            |summary: Summary| summary.half_width.is_some_and(|half| half <= options.precision * summary.mean);
        let settled = point.verdict != Verdict::Undecided && judged_by.is_some_and(precise);
        if settled || answers.len() as u64 >= options.seeds_max {
            return Ok(Some(point));
        }
    }
}

/// What the runs at a load say together; `None` for no run.
pub(crate) fn point(load: f64, answers: &[Answer]) -> Option<Point> {
    let accepted: Vec<f64> = answers.iter().map(|answer| answer.accepted).collect();
    let latency: Option<Vec<f64>> = answers.iter().map(|answer| answer.latency).collect();
    let verdict = Growth::of(answers).map_or(Verdict::Undecided, |growth| growth.verdict());
    Some(Point { load, accepted: summarise(&accepted)?, latency: latency.and_then(|all| summarise(&all)), verdict })
}

#[cfg(test)]
mod tests;
