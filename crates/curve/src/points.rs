//! The points of a curve: below saturation where it bends, beyond it where throughput may fall.

use crate::growth::Growth;
use crate::runs::{Asked, Runs};
use crate::search::{Found, Saturation, saturation};
use crate::{Answer, Ask, Network, Options, Verdict};
use tailback_results::statistics::{Summary, summarise};

/// The knee is where the mean latency is so many times that at zero load.
pub const KNEE: f64 = 2.0;
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

/// A latency-load curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// All points by ascending load; the first is the zero-load one.
    pub points: Vec<Point>,
    /// The saturation point; `None` where all of the range is stable, nothing of it is, or the search was ended.
    pub saturation: Option<Saturation>,
    /// The highest load of the range is stable.
    pub never_saturates: bool,
    /// Load at which the mean latency is [`KNEE`] times that at zero load; `None` where it stays below up to the largest
    /// stable load.
    pub knee: Option<f64>,
    /// Runs that were made.
    pub runs: u64,
    /// Nothing was left out for want of runs.
    pub complete: bool,
}

impl Curve {
    /// The point of the greatest accepted load.
    pub fn peak(&self) -> Option<&Point> {
        self.points.iter().max_by(|a, b| a.accepted.mean.total_cmp(&b.accepted.mean))
    }

    /// The point at the highest load, where that is beyond saturation: what the network sustains there.
    pub fn sustained(&self) -> Option<&Point> {
        let saturation = self.saturation.as_ref()?.load.mean;
        self.points.last().filter(|point| point.load > saturation)
    }
}

/// Measures a curve. What was found when the network asks for an end, or when the budget is spent, is kept.
///
/// # Errors
/// The network's own.
pub fn curve<N: Network>(network: &mut N, options: &Options) -> Result<Curve, N::Error> {
    let mut runs = Runs::new(network, options);
    let mut points = Vec::new();
    let found = measure_all(&mut runs, options, &mut points)?;
    points.sort_by(|a: &Point, b| a.load.total_cmp(&b.load));
    let knee = found.as_ref().and_then(|found| knee(&points, largest_stable(found, options)));
    let never_saturates = matches!(found, Some(Found::Beyond));
    let saturation = match found {
        Some(Found::At(saturation)) => Some(saturation),
        _ => None,
    };
    Ok(Curve { knee, points, saturation, never_saturates, runs: runs.made, complete: !runs.over })
}

fn measure_all<N: Network>(
    runs: &mut Runs<'_, N>,
    options: &Options,
    points: &mut Vec<Point>,
) -> Asked<Found, N::Error> {
    let Some(zero) = measure(runs, options, options.low)? else { return Ok(None) };
    points.push(zero);
    let Some(found) = saturation(runs)? else { return Ok(None) };
    let largest_stable = largest_stable(&found, options);
    if largest_stable > options.low && below(runs, options, largest_stable, points)?.is_none() {
        return Ok(Some(found));
    }
    if let Found::At(saturation) = &found {
        beyond(runs, options, saturation.load.mean, points)?;
    }
    Ok(Some(found))
}

/// The largest load that every search found stable.
fn largest_stable(found: &Found, options: &Options) -> f64 {
    match found {
        Found::At(saturation) => saturation.brackets.iter().map(|bracket| bracket.0).fold(f64::INFINITY, f64::min),
        Found::Beyond => options.high,
        Found::Below => options.low,
    }
}

/// Points up to the largest stable load: the ends and the middle, then always the longest piece of the curve is halved.
fn below<N: Network>(
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

fn beyond<N: Network>(
    runs: &mut Runs<'_, N>,
    options: &Options,
    saturation: f64,
    points: &mut Vec<Point>,
) -> Asked<(), N::Error> {
    let highest = options.highest.max(options.high);
    let loads = BEYOND.iter().map(|times| times * saturation).filter(|load| *load < highest);
    for load in loads.chain([highest]) {
        let Some(point) = measure(runs, options, load)? else { return Ok(None) };
        points.push(point);
    }
    Ok(Some(()))
}

/// Measures one load: seeds are added until it is known whether the load is stable and the interval is narrow enough, of the
/// latency where it is and of the accepted load where it is not.
fn measure<N: Network>(runs: &mut Runs<'_, N>, options: &Options, load: f64) -> Asked<Point, N::Error> {
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

fn point(load: f64, answers: &[Answer]) -> Option<Point> {
    let accepted: Vec<f64> = answers.iter().map(|answer| answer.accepted).collect();
    let latency: Option<Vec<f64>> = answers.iter().map(|answer| answer.latency).collect();
    let verdict = Growth::of(answers).map_or(Verdict::Undecided, |growth| growth.verdict());
    Some(Point { load, accepted: summarise(&accepted)?, latency: latency.and_then(|all| summarise(&all)), verdict })
}

fn knee(points: &[Point], largest_stable: f64) -> Option<f64> {
    let stable = points.iter().filter(|point| point.load <= largest_stable);
    let stable: Vec<(f64, f64)> = stable.filter_map(|point| Some((point.load, point.latency?.mean))).collect();
    let wanted = KNEE * stable.first()?.1;
    let pair = stable.windows(2).find(|pair| pair[1].1 >= wanted)?;
    let ((from, before), (to, after)) = (pair[0], pair[1]);
    Some(from + (to - from) * (wanted - before) / (after - before))
}

#[cfg(test)]
mod tests;
