//! Curves of several variants, which share a budget of runs and the seeds.
//!
//! First come the loads that were given, or the ends of the range; what they show tells which variants are equal, and those
//! are not measured twice. Then the search for saturation may use one half of what is left, so that a small budget still
//! gives a curve; then come the points of the curves, and at last the other searches.

use crate::desk::{Desk, Job, Seat};
use crate::knee::knee;
use crate::points::{Point, below, beyond, measure, point};
use crate::runs::{Runs, SEEDS};
use crate::search::{Found, Saturation, Start, search};
use crate::{Answer, Ask, Networks, Options, Verdict};
use tailback_summary::scale::Scale;
use tailback_summary::spread::Spread;

/// What is to be measured of one variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// How closely to look.
    pub options: Options,
    /// The loads of the curve, ascending; each is run with [`Options::seeds_min`] seeds. Where there are none, the loads are
    /// chosen where the curve bends, and the seeds by the precision wanted.
    pub loads: Vec<f64>,
    /// Mean latency without waiting, where it is known.
    pub zero_load_latency: Option<f64>,
}

/// The latency-load curve of one variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// All points by ascending load.
    pub points: Vec<Point>,
    /// The earlier variant that this one equals: all runs that both made have equal digests. Its saturation point was not
    /// searched for again.
    pub equals: Option<usize>,
    /// Runs that were compared with those of the variant that it equals.
    pub compared: u64,
    /// The saturation point; `None` where all of the range is stable, nothing of it is, or no search ended.
    pub saturation: Option<Saturation>,
    /// The highest load of the range is stable.
    pub never_saturates: bool,
    /// Not even the lowest load of the range is stable.
    pub never_stable: bool,
    /// The first search did not end: the largest load that is known to be stable and the smallest that is known not to be.
    pub open: Option<(Option<f64>, Option<f64>)>,
    /// Mean latency at zero load: without waiting where that is known, else as measured at the lowest load.
    pub zero_load_latency: Option<f64>,
    /// The knee of each seed; none for seeds whose latency stays below twice that at zero load as long as it is stable.
    pub knees: Vec<f64>,
}

impl Curve {
    /// The knee over the seeds.
    pub fn knee(&self) -> Option<Spread> {
        Spread::of(&self.knees, Scale::Logarithm)
    }

    /// The point of the greatest accepted load.
    pub fn peak(&self) -> Option<&Point> {
        self.points.iter().max_by(|a, b| a.accepted.mean.total_cmp(&b.accepted.mean))
    }

    /// The point at the highest load, where that is beyond saturation: what the network sustains there.
    pub fn sustained(&self) -> Option<&Point> {
        let found = self.saturation.as_ref().map(|found| found.load.mean);
        let saturation = found.or(self.open.and_then(|open| open.1))?;
        self.points.last().filter(|point| point.load > saturation)
    }
}

/// The curves of all variants.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// One curve for each variant.
    pub curves: Vec<Curve>,
    /// Runs that were made.
    pub runs: u64,
    /// Something was left out because the budget was spent.
    pub budget_spent: bool,
    /// Something was left out because the network wanted no more.
    pub stopped: bool,
}

/// What is known of a variant while it is measured.
#[derive(Clone, Debug, Default)]
struct State {
    equals: Option<usize>,
    compared: u64,
    points: Vec<Point>,
    /// How each search ended.
    found: Vec<Found>,
}

impl State {
    /// The largest load that the first search found stable, and the smallest that it did not.
    fn bracket(&self, options: &Options) -> (Option<f64>, Option<f64>) {
        match self.found.first() {
            Some(Found::Between(low, high)) => (Some(*low), Some(*high)),
            Some(Found::Beyond) => (Some(options.high), None),
            Some(Found::Open(low, high)) => (*low, *high),
            Some(Found::Below) | None => (None, None),
        }
    }
}

/// Measures the curves of all variants with at most `runs_max` runs. What was found when the networks ask for an end, or
/// when the budget is spent, is kept.
///
/// # Errors
/// The networks' own.
pub fn study<N: Networks>(networks: &mut N, variants: &[Variant], runs_max: u64) -> Result<Study, N::Error> {
    let mut work =
        Work { desk: Desk::new(networks, runs_max), variants, states: vec![State::default(); variants.len()] };
    let given = variants.iter().any(|variant| !variant.loads.is_empty());
    if given {
        work.given()?
    } else {
        work.chosen(runs_max)?
    }
    Ok(work.end())
}

/// A study that is being made.
struct Work<'a, 'n, N: Networks> {
    desk: Desk<'n, N>,
    variants: &'a [Variant],
    states: Vec<State>,
}

impl<N: Networks> Work<'_, '_, N> {
    /// The loads are given: all of them run, as many seeds as the budget permits, and the searches start between them.
    fn given(&mut self) -> Result<(), N::Error> {
        let runs: u64 = self.variants.iter().map(|variant| variant.all_loads().count() as u64).sum();
        let seeds = self.variants.iter().map(|variant| variant.options.seeds_min).max().unwrap_or(0);
        let rounds = seeds.min(self.desk.limit / runs.max(1)).max(1);
        let round = |seed: u64| {
            let asks = move |variant: &Variant| variant.all_loads().map(|load| ask(load, seed)).collect();
            self.variants.iter().map(asks).enumerate()
        };
        let requests: Vec<(usize, Vec<Ask>)> = (0..rounds).flat_map(round).collect();
        self.desk.serve(&requests)?;
        self.desk.short |= rounds < seeds;
        for (number, variant) in self.variants.iter().enumerate() {
            let known = |load: f64| point(load, &self.answers(number, load));
            self.states[number].points = variant.loads.iter().filter_map(|load| known(*load)).collect();
        }
        self.find_equals();
        let start = |number: usize| between(&self.states[number].points, &self.variants[number].options);
        let jobs: Vec<(usize, u64, Start)> =
            self.distinct().flat_map(|number| self.searches(number, 0, start(number))).collect();
        self.search(jobs)
    }

    /// The loads are chosen.
    fn chosen(&mut self, runs_max: u64) -> Result<(), N::Error> {
        let variants = self.variants;
        let zero = |(number, variant): (usize, &'_ Variant)| -> Job<'_, Option<Point>> {
            let options = variant.options;
            (
                number,
                Box::new(move |seat: &mut Seat| never(measure(&mut Runs::new(seat, &options), &options, options.low))),
            )
        };
        let zeros = self.desk.work(variants.iter().enumerate().map(zero).collect())?;
        for (state, zero) in self.states.iter_mut().zip(zeros) {
            state.points.extend(zero);
        }
        // Where packets are in each other's way, variants that differ show it.
        let highest = |variant: &Variant| (0..SEEDS).map(|seed| ask(variant.options.high, seed)).collect();
        self.desk.serve(&variants.iter().map(highest).enumerate().collect::<Vec<_>>())?;
        self.find_equals();
        self.desk.limit = self.desk.made + (runs_max - self.desk.made.min(runs_max)) / 2;
        let firsts: Vec<(usize, u64, Start)> = self.distinct().map(|number| (number, 0, Start::Whole)).collect();
        self.search(firsts)?;
        (self.desk.limit, self.desk.short) = (runs_max, false);
        self.place_points()?;
        // What the first half of the budget did not suffice for goes on; runs that were made are known.
        let is_open = |number: &usize| matches!(self.states[*number].found.first(), Some(Found::Open(..)));
        let open: Vec<(usize, u64, Start)> =
            self.distinct().filter(is_open).map(|number| (number, 0, Start::Whole)).collect();
        open.iter().for_each(|(number, ..)| self.states[*number].found.clear());
        self.search(open)?;
        let others = self.distinct().filter_map(|number| match self.states[number].found.first() {
            Some(Found::Between(low, high)) => Some(self.searches(number, 1, Start::Around(*low, *high))),
            _ => None,
        });
        let others = others.flatten().collect();
        self.search(others)
    }

    /// Points below and beyond saturation, as far as the first search found it.
    fn place_points(&mut self) -> Result<(), N::Error> {
        let mut jobs: Vec<Job<'_, Vec<Point>>> = Vec::new();
        for number in self.distinct() {
            let (state, options) = (&self.states[number], self.variants[number].options);
            let (low, high) = state.bracket(&options);
            let start = state.points.clone();
            if let Some(largest) = low.filter(|low| *low > options.low && !start.is_empty()) {
                let work = move |seat: &mut Seat| {
                    let mut points = start;
                    never(below(&mut Runs::new(seat, &options), &options, largest, &mut points));
                    points
                };
                jobs.push((number, Box::new(work)));
            }
            if let Some(high) = high {
                let saturation = low.unwrap_or(high).midpoint(high);
                let work = move |seat: &mut Seat| {
                    let mut points = Vec::new();
                    never(beyond(&mut Runs::new(seat, &options), &options, saturation, &mut points));
                    points
                };
                jobs.push((number, Box::new(work)));
            }
        }
        let numbers: Vec<usize> = jobs.iter().map(|job| job.0).collect();
        for (number, new) in numbers.into_iter().zip(self.desk.work(jobs)?) {
            let points = &mut self.states[number].points;
            points.extend(new);
            points.sort_by(|a, b| a.load.total_cmp(&b.load));
            points.dedup_by(|a, b| a.load == b.load);
        }
        Ok(())
    }

    /// Variants that equal no earlier one.
    fn distinct(&self) -> impl Iterator<Item = usize> + use<'_, N> {
        (0..self.variants.len()).filter(|number| self.states[*number].equals.is_none())
    }

    /// The searches for a variant from number `first` on.
    fn searches(&self, number: usize, first: u64, start: Start) -> Vec<(usize, u64, Start)> {
        (first..self.variants[number].options.searches).map(|search| (number, search, start)).collect()
    }

    /// Searches side by side.
    fn search(&mut self, searches: Vec<(usize, u64, Start)>) -> Result<(), N::Error> {
        let variants = self.variants;
        let job = |&(number, which, start): &(usize, u64, Start)| -> Job<'_, Found> {
            let options = variants[number].options;
            (number, Box::new(move |seat: &mut Seat| never(search(&mut Runs::new(seat, &options), which, start))))
        };
        let found = self.desk.work(searches.iter().map(job).collect())?;
        for ((number, ..), found) in searches.iter().zip(found) {
            self.states[*number].found.push(found);
        }
        Ok(())
    }

    fn find_equals(&mut self) {
        for number in 1..self.variants.len() {
            let earlier: Vec<usize> = self.distinct().filter(|other| *other < number).collect();
            let compared = |other: usize| (other, self.desk.compared(other, number));
            if let Some((other, (runs, _))) =
                earlier.into_iter().map(compared).find(|(_, found)| found.0 > 0 && found.1)
            {
                (self.states[number].equals, self.states[number].compared) = (Some(other), runs);
            }
        }
    }

    /// The answers of the seeds at a load of the curve, in their order.
    fn answers(&self, number: usize, load: f64) -> Vec<Answer> {
        (0..).map_while(|seed| self.desk.known(number, &ask(load, seed)).cloned()).collect()
    }

    fn end(self) -> Study {
        let mut curves: Vec<Curve> = Vec::new();
        for (number, state) in self.states.iter().enumerate() {
            let curve = match state.equals {
                Some(other) => Curve { equals: Some(other), compared: state.compared, ..curves[other].clone() },
                None => self.curve(number, state),
            };
            curves.push(curve);
        }
        Study { curves, runs: self.desk.made, budget_spent: self.desk.short, stopped: self.desk.stopped }
    }

    fn curve(&self, number: usize, state: &State) -> Curve {
        let variant = &self.variants[number];
        let brackets = state.found.iter().filter_map(|found| match found {
            Found::Between(low, high) => Some((*low, *high)),
            _ => None,
        });
        let measured = || mean_latency(&self.answers(number, variant.options.low));
        let open = match state.found.first() {
            Some(Found::Open(low, high)) => Some((*low, *high)),
            None => Some((None, None)),
            _ => None,
        };
        Curve {
            equals: None,
            compared: 0,
            saturation: Saturation::of(brackets.collect()),
            never_saturates: state.found.first() == Some(&Found::Beyond),
            never_stable: state.found.first() == Some(&Found::Below),
            open,
            zero_load_latency: variant.zero_load_latency.or_else(measured),
            knees: self.knees(number, state),
            points: state.points.clone(),
        }
    }

    /// The knee of each seed that ran at every load of the curve that may be stable.
    fn knees(&self, number: usize, state: &State) -> Vec<f64> {
        let variant = &self.variants[number];
        let ends = state.found.iter().filter_map(|found| match found {
            Found::Between(low, _) | Found::Open(Some(low), _) => Some(*low),
            Found::Beyond => Some(f64::INFINITY),
            _ => None,
        });
        let largest = ends.fold(f64::INFINITY, f64::min);
        // A point near saturation whose verdict is open has a latency, too; one that is not stable has none that means anything.
        let below = |load: f64| largest.is_finite() && load <= largest;
        let stable = state.points.iter().take_while(|point| below(point.load) || point.verdict != Verdict::Unstable);
        let loads: Vec<f64> = stable.map(|point| point.load).collect();
        let latency = |load: f64, seed: u64| self.desk.known(number, &ask(load, seed))?.latency;
        let curve =
            |seed: u64| loads.iter().map(|load| Some((*load, latency(*load, seed)?))).collect::<Option<Vec<_>>>();
        (0..variant.options.seeds_min).filter_map(|seed| knee(&curve(seed)?, variant.zero_load_latency)).collect()
    }
}

impl Variant {
    /// The loads of the curve, and the lowest of the range where nothing else tells the latency without waiting.
    fn all_loads(&self) -> impl Iterator<Item = f64> + '_ {
        let zero = Some(self.options.low).filter(|_| self.zero_load_latency.is_none());
        zero.into_iter().chain(self.loads.iter().copied())
    }
}

/// A run of the curve.
fn ask(load: f64, replica: u64) -> Ask {
    Ask { load, replica, doublings: 0 }
}

fn mean_latency(answers: &[Answer]) -> Option<f64> {
    tailback_results::statistics::mean(&answers.iter().map(|answer| answer.latency).collect::<Option<Vec<f64>>>()?)
}

/// Where a search starts that knows points: at the first load that is not stable, and the one before it.
fn between(points: &[Point], options: &Options) -> Start {
    let end = points.iter().position(|point| point.verdict != Verdict::Stable);
    let before = |end: usize| end.checked_sub(1).map_or(options.low, |last| points[last].load);
    let (low, high) = match end {
        Some(end) => (before(end), points[end].load.min(options.high)),
        None => (before(points.len()), options.high),
    };
    // Beyond the end of the range there is nothing to look for but whether that end is stable.
    if low < high { Start::At(low, high) } else { Start::Whole }
}

/// What a seat gives, which never fails.
fn never<T>(result: Result<T, std::convert::Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests;
