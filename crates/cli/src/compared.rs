//! From records to the comparison figure.

use tailback_pictures::comparison::{Bound, Comparison, Ended, Point as Drawn, Variant as Curve};
use tailback_pictures::estimate::Estimate;
use tailback_results::Record;
use tailback_summary::mark::Mark;
use tailback_summary::points::{Point, number, points};
use tailback_summary::scale::{Scale, scale};
use tailback_summary::spread::{NoInterval, Spread};
use tailback_summary::variants::{LOAD, Variant, heading, variants};

/// What records do not say of their network.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// `16 x 16 torus, uniform traffic`; may be empty.
    pub subject: String,
    /// The channel-load bound of the offered load \[flits/node/cycle\], where all points have the same one.
    pub bound: Option<f64>,
    /// Latency without waiting \[cycles\], where all points have the same one.
    pub zero_load: Option<f64>,
}

/// The comparison of the variants of these records; none where no load is swept, or nothing was accepted.
pub fn comparison(records: &[&Record], about: &About) -> Option<Comparison> {
    let points = points(records.iter().copied());
    let seeds = points.iter().map(Point::seeds).filter(|&seeds| seeds > 0).min()?;
    let measured = points.iter().any(|point| !point.values("accepted_load").is_empty());
    let all = variants(points);
    let swept = all.iter().any(|variant| load(variant.points.first()) != load(variant.points.last()));
    if !swept || !measured {
        return None;
    }
    let kind = kind(&heading(&all));
    let drawn = all.iter().enumerate().filter(|(_, variant)| variant.same_as.is_none());
    Some(Comparison {
        subject: about.subject.clone(),
        kind,
        seeds,
        variants: drawn.map(|(place, variant)| curve(place, variant, &all, about.zero_load)).collect(),
        bound: about.bound.map(|load| Bound { name: "channel-load bound".to_owned(), load }),
        saturation_is: "between the last load that is steady and the first that is not".to_owned(),
    })
}

/// The load that its sources offer, which is less than `traffic.load` where some are silent.
fn offered(point: &Point) -> Option<f64> {
    point.number("offered_load").or_else(|| point.number(LOAD))
}

fn load(point: Option<&Point>) -> Option<f64> {
    point.and_then(|point| point.number(LOAD))
}

/// What variants are called together.
pub fn kind(heading: &str) -> String {
    match heading {
        "admission" => "mechanisms",
        "routing" => "routings",
        "pattern" => "patterns",
        "" => "points",
        _ => "variants",
    }
    .to_owned()
}

fn curve(place: usize, variant: &Variant, all: &[Variant], zero_load: Option<f64>) -> Curve {
    let twins = all.iter().filter(|other| other.same_as == Some(place)).map(|other| other.name.clone());
    Curve {
        name: variant.name.clone(),
        place,
        twins: twins.collect(),
        points: variant.points.iter().filter_map(drawn).collect(),
        zero_load,
        knee: zero_load.and_then(|zero| knee(variant, zero)),
        saturation: bracket(variant),
    }
}

fn drawn(point: &Point) -> Option<Drawn> {
    Some(drawn_at(offered(point)?, estimate(point, "accepted_load")?, point))
}

/// A point as it is drawn over this load.
pub fn drawn_at(load: f64, accepted: Estimate, point: &Point) -> Drawn {
    let latency = estimate(point, "latency_mean");
    Drawn { load, accepted, latency, ended: ended(point), status: point.statuses().to_string() }
}

/// How a point is marked.
pub fn ended(point: &Point) -> Ended {
    match point.mark() {
        Mark::Filled => Ended::Steady,
        Mark::Hollow => Ended::Unsteady,
        Mark::Crossed => Ended::Broken,
        Mark::Half => Ended::Interrupted,
    }
}

/// A column over the seeds of a point.
pub fn estimate(point: &Point, column: &str) -> Option<Estimate> {
    match point.parameter(column) {
        Some(value) => value.as_f64().map(Estimate::of),
        None => of_values(point.values(column), scale(column)),
    }
}

fn of_values(values: Vec<f64>, scale: Scale) -> Option<Estimate> {
    let spread = Spread::of(&values, scale)?;
    Some(of_spread(&spread, values))
}

/// A mean over seeds with its interval, and the values of the seeds, where the picture may have to show them instead.
pub fn of_spread(spread: &Spread, seeds: Vec<f64>) -> Estimate {
    let interval = match spread.interval {
        // Too wide to say something, which the picture judges alike: it draws the seeds instead.
        Ok(interval) | Err(NoInterval::TooFew(interval)) => Some((interval.low, interval.high)),
        Err(NoInterval::Fewer | NoInterval::AllZero) => None,
    };
    Estimate { mean: spread.mean, interval, seeds }
}

/// The knee: one for each seed.
fn knee(variant: &Variant, zero_load: f64) -> Option<Estimate> {
    let seeds: std::collections::BTreeSet<u64> = variant.runs().map(|run| run.seed).collect();
    let offered = |run: &Record| number(run, "offered_load").or_else(|| number(run, LOAD));
    let of_seed = |seed: u64| {
        let runs = variant.points.iter().flat_map(Point::finished).filter(move |run| run.seed == seed);
        let curve: Vec<(f64, f64)> =
            runs.filter_map(|run| Some((offered(run)?, number(run, "latency_mean")?))).collect();
        tailback_curve::knee(&curve, Some(zero_load))
    };
    let found: Option<Vec<f64>> = seeds.into_iter().map(of_seed).collect();
    of_values(found.filter(|found| !found.is_empty())?, Scale::Logarithm)
}

/// Where saturation lies between the loads of a sweep: between the last one that is steady and the first that is not.
fn bracket(variant: &Variant) -> Option<Estimate> {
    let first = variant.points.iter().position(|point| point.mark() == Mark::Hollow)?;
    let (low, high) = (offered(variant.points[..first].last()?)?, offered(&variant.points[first])?);
    Some(Estimate::with((low + high) / 2.0, low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::{Scalar, Status};

    fn record(admission: &str, load: f64, seed: u64, latency: f64) -> Record {
        let parameters =
            vec![("admission".to_owned(), Scalar::Text(admission.to_owned())), (LOAD.to_owned(), Scalar::Float(load))];
        let status = if latency > 100.0 { Status::Saturated } else { Status::Steady };
        Record {
            parameters,
            accepted_load: Some(load.min(0.25)),
            latency_mean: Some(latency),
            ..Record::empty(format!("{admission}{load}{seed}"), seed, format!("{admission}{load}{seed}"), status)
        }
    }

    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for admission in ["off", "spth"] {
            for (load, latency) in [(0.1, 20.0), (0.2, 40.0), (0.3, 400.0)] {
                records.extend((1..=3).map(|seed| record(admission, load, seed, latency + seed as f64 * 0.1)));
            }
        }
        records
    }

    #[test]
    fn a_sweep_gives_curves_with_knee_and_bracket() {
        let records = records();
        let about = About { zero_load: Some(16.0), bound: Some(0.4), ..About::default() };
        let made = comparison(&records.iter().collect::<Vec<_>>(), &about).expect("a load is swept");
        assert_eq!((made.kind.as_str(), made.seeds, made.variants.len()), ("mechanisms", 3, 2));
        let curve = &made.variants[1];
        assert_eq!((curve.name.as_str(), curve.place, curve.points.len()), ("spth", 1, 3));
        assert_eq!(curve.points.iter().map(|p| p.ended).collect::<Vec<_>>()[1..], [Ended::Steady, Ended::Unsteady]);
        let knee = curve.knee.as_ref().expect("crossed").mean;
        assert!((0.1..0.2).contains(&knee), "{knee}");
        assert_eq!(curve.saturation.as_ref().and_then(|s| s.interval), Some((0.2, 0.3)));
        assert!(curve.points[0].latency.as_ref().is_some_and(|l| l.interval.is_some() && l.seeds.len() == 3));
    }

    #[test]
    fn one_load_is_no_comparison() {
        let records: Vec<Record> = records().into_iter().filter(|r| r.number(LOAD) == Some(0.1)).collect();
        assert!(comparison(&records.iter().collect::<Vec<_>>(), &About::default()).is_none());
        assert!(comparison(&[], &About::default()).is_none());
    }
}
