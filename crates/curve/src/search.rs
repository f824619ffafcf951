//! The largest stable load, by bisection, several times over with seeds of their own.

use crate::runs::{Asked, Runs};
use crate::{Network, Options, Verdict};
use tailback_summary::scale::Scale;
use tailback_summary::spread::{Interval, Spread};

/// The saturation point.
#[derive(Clone, Debug, PartialEq)]
pub struct Saturation {
    /// Mean of the brackets' centres, in the unit of the load, with the 95 % interval over the searches: Student's t on
    /// the logarithm of the centres, widened by half the widest bracket.
    pub load: Spread,
    /// The searches' last brackets, in the order of the searches: the largest load that was found stable, the smallest
    /// that was not.
    pub brackets: Vec<(f64, f64)>,
}

impl Saturation {
    /// Makes the saturation from the brackets of all searches; `None` if there is no bracket.
    pub fn of(brackets: Vec<(f64, f64)>) -> Option<Saturation> {
        let centres: Vec<f64> = brackets.iter().map(|(low, high)| low.midpoint(*high)).collect();
        let mut load = Spread::of(&centres, Scale::Logarithm)?;
        let factor = 1.0 + half_bracket(&brackets);
        load.interval = load.interval.map(|Interval { low, high }| Interval { low: low / factor, high: high * factor });
        Some(Saturation { load, brackets })
    }
}

/// Half the width of the widest bracket, over its centre.
pub fn half_bracket(brackets: &[(f64, f64)]) -> f64 {
    brackets.iter().map(|(low, high)| (high - low) / (high + low)).fold(0.0, f64::max)
}

/// How a search ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Found {
    /// Between a stable load and one that is not.
    Between(f64, f64),
    /// The highest load is stable.
    Beyond,
    /// Not even the lowest is.
    Below,
    /// It did not end. The largest load that is stable and the smallest that is not, as far as they are known.
    Open(Option<f64>, Option<f64>),
}

/// Where a search begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Start {
    /// With the whole range.
    Whole,
    /// Where another search ended: a step beyond both ends of its bracket.
    Around(f64, f64),
    /// At loads that were measured, of which the lower is probably stable and the upper is probably not.
    At(f64, f64),
}

/// The searches' seeds are so far apart that no two of them share one, and that only the first shares those of the points.
pub(crate) const APART: u64 = 1000;

/// Searches once, with seeds of its own: the same ones for every variant.
pub(crate) fn search<N: Network>(runs: &mut Runs<'_, N>, number: u64, start: Start) -> Result<Found, N::Error> {
    let options = runs.options;
    let mut one = Search { options, runs, first_replica: number * APART, stable: None, not_stable: None };
    let ended = match start {
        Start::Whole => one.whole()?,
        Start::Around(low, high) => one.outwards((low, high), (high - low).max(options.tolerance * high))?,
        Start::At(low, high) => one.outwards((low, high), 0.0)?,
    };
    Ok(ended.unwrap_or(Found::Open(one.stable, one.not_stable)))
}

struct Search<'r, 'a, N> {
    runs: &'r mut Runs<'a, N>,
    options: &'a Options,
    first_replica: u64,
    /// The largest load that was found stable.
    stable: Option<f64>,
    /// The smallest load that was not.
    not_stable: Option<f64>,
}

impl<N: Network> Search<'_, '_, N> {
    fn stable(&mut self, load: f64) -> Asked<bool, N::Error> {
        let stable = self.runs.judge(load, self.first_replica)?.map(|verdict| verdict == Verdict::Stable);
        match stable {
            Some(true) => self.stable = Some(self.stable.map_or(load, |known| known.max(load))),
            Some(false) => self.not_stable = Some(self.not_stable.map_or(load, |known| known.min(load))),
            None => {}
        }
        Ok(stable)
    }

    /// From the whole range.
    fn whole(&mut self) -> Asked<Found, N::Error> {
        match self.stable(self.options.high)? {
            None => Ok(None),
            Some(true) => Ok(Some(Found::Beyond)),
            Some(false) => self.narrow(self.options.low, self.options.high, false),
        }
    }

    /// Outwards from a bracket until both sides are sure, then inwards. The first step is `step` wide, those after it are
    /// twice as wide each time.
    fn outwards(&mut self, (mut low, mut high): (f64, f64), mut step: f64) -> Asked<Found, N::Error> {
        let width = (high - low).max(self.options.tolerance * high);
        let (mut low_is_sure, mut high_is_sure) = (false, false);
        while !(low_is_sure && high_is_sure) {
            if !high_is_sure {
                high = (high + step).min(self.options.high);
                let Some(stable) = self.stable(high)? else { return Ok(None) };
                if stable && high >= self.options.high {
                    return Ok(Some(Found::Beyond));
                }
                (high_is_sure, low_is_sure) = (!stable, low_is_sure || stable);
                low = if stable { high } else { low };
            }
            if !low_is_sure {
                low = (low - step).max(self.options.low);
                let Some(stable) = self.stable(low)? else { return Ok(None) };
                if !stable && low <= self.options.low {
                    return Ok(Some(Found::Below));
                }
                (low_is_sure, high) = (stable, if stable { high } else { low });
            }
            step = (2.0 * step).max(width);
        }
        self.narrow(low, high, true)
    }

    fn narrow(&mut self, mut low: f64, mut high: f64, mut low_is_sure: bool) -> Asked<Found, N::Error> {
        while high - low > self.options.tolerance * high {
            let middle = low.midpoint(high);
            if middle <= low || middle >= high {
                break;
            }
            match self.stable(middle)? {
                None => return Ok(None),
                Some(true) => (low, low_is_sure) = (middle, true),
                Some(false) => high = middle,
            }
        }
        // The lower end of the range was only believed; it is looked at when nothing above it held.
        if low_is_sure {
            return Ok(Some(Found::Between(low, high)));
        }
        Ok(self.stable(low)?.map(|stable| if stable { Found::Between(low, high) } else { Found::Below }))
    }
}

#[cfg(test)]
mod tests;
