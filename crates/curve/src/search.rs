//! The largest stable load, by bisection, several times over with seeds of their own.

use crate::runs::{Asked, Runs, SEEDS};
use crate::{Network, Options, Verdict};
use tailback_results::statistics::{Summary, summarise};

/// The saturation point.
#[derive(Clone, Debug, PartialEq)]
pub struct Saturation {
    /// Mean and 95 % interval of the searches' results, in the unit of the load; half the bracket's width counts as an
    /// error of each.
    pub load: Summary,
    /// The searches' last brackets: the largest load that was found stable, the smallest that was not.
    pub brackets: Vec<(f64, f64)>,
}

/// How a search may end.
pub(crate) enum Found {
    /// Between two loads.
    At(Saturation),
    /// The highest load is stable.
    Beyond,
    /// Not even the lowest is.
    Below,
}

/// Searches for the saturation point.
pub(crate) fn saturation<N: Network>(runs: &mut Runs<'_, N>) -> Asked<Found, N::Error> {
    let mut brackets: Vec<(f64, f64)> = Vec::new();
    for search in 0..runs.options.searches {
        // Searches share no seed with each other.
        let mut one = Search { options: runs.options, runs, first_replica: search * 2 * SEEDS };
        let bracket = match brackets.first() {
            None => one.whole()?,
            Some(&first) => one.around(first)?,
        };
        match bracket {
            Some(Bracket::Between(low, high)) => brackets.push((low, high)),
            Some(Bracket::Beyond) if brackets.is_empty() => return Ok(Some(Found::Beyond)),
            Some(Bracket::Below) if brackets.is_empty() => return Ok(Some(Found::Below)),
            // What one search found is kept when the budget ends in the next.
            _ => break,
        }
    }
    let middles: Vec<f64> = brackets.iter().map(|(low, high)| low.midpoint(*high)).collect();
    let Some(mut load) = summarise(&middles) else { return Ok(None) };
    let widest = brackets.iter().map(|(low, high)| (high - low) / 2.0).fold(0.0, f64::max);
    load.half_width = load.half_width.map(|half| half.hypot(widest));
    Ok(Some(Found::At(Saturation { load, brackets })))
}

enum Bracket {
    Between(f64, f64),
    Beyond,
    Below,
}

struct Search<'r, 'a, N> {
    runs: &'r mut Runs<'a, N>,
    options: &'a Options,
    first_replica: u64,
}

impl<N: Network> Search<'_, '_, N> {
    fn stable(&mut self, load: f64) -> Asked<bool, N::Error> {
        Ok(self.runs.judge(load, self.first_replica)?.map(|verdict| verdict == Verdict::Stable))
    }

    /// From the whole range.
    fn whole(&mut self) -> Asked<Bracket, N::Error> {
        match self.stable(self.options.high)? {
            None => Ok(None),
            Some(true) => Ok(Some(Bracket::Beyond)),
            Some(false) => self.narrow(self.options.low, self.options.high, false),
        }
    }

    /// From where another search ended: outwards until both sides are sure, then inwards.
    fn around(&mut self, (low, high): (f64, f64)) -> Asked<Bracket, N::Error> {
        let (mut low, mut high, mut step) = (low, high, (high - low).max(self.options.tolerance * high));
        let (mut low_is_sure, mut high_is_sure) = (false, false);
        while !(low_is_sure && high_is_sure) {
            if !high_is_sure {
                high = (high + step).min(self.options.high);
                let Some(stable) = self.stable(high)? else { return Ok(None) };
                if stable && high >= self.options.high {
                    return Ok(Some(Bracket::Beyond));
                }
                (high_is_sure, low_is_sure) = (!stable, low_is_sure || stable);
                low = if stable { high } else { low };
            }
            if !low_is_sure {
                low = (low - step).max(self.options.low);
                let Some(stable) = self.stable(low)? else { return Ok(None) };
                if !stable && low <= self.options.low {
                    return Ok(Some(Bracket::Below));
                }
                (low_is_sure, high) = (stable, if stable { high } else { low });
            }
            step *= 2.0;
        }
        self.narrow(low, high, true)
    }

    fn narrow(&mut self, mut low: f64, mut high: f64, mut low_is_sure: bool) -> Asked<Bracket, N::Error> {
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
        if !low_is_sure && self.stable(low)? != Some(true) {
            return Ok(Some(Bracket::Below));
        }
        Ok(Some(Bracket::Between(low, high)))
    }
}

#[cfg(test)]
mod tests;
