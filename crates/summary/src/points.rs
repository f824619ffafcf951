//! Runs grouped into points: what was swept is the same, the seed is not.

use crate::mark::Mark;
use crate::scale::scale;
use crate::spread::{Spread, plain_mean};
use crate::statuses::Statuses;
use std::collections::{BTreeSet, HashMap};
use tailback_results::{Record, Scalar, Status};

/// The parameter that tells the runs of a point apart, where a spec sweeps it.
const SEED: &str = "run.seed";

/// A point: a setting of the swept parameters, with the runs of all its seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Point<'a> {
    /// The swept parameters, without the seed.
    pub parameters: Vec<(String, Scalar)>,
    /// All runs, in the order of the records, those that were interrupted among them.
    pub runs: Vec<&'a Record>,
}

/// The points of these records, in the order of their first appearance.
pub fn points<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<Point<'a>> {
    let mut points: Vec<Point> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for record in records {
        let parameters = record.parameters.iter().filter(|(name, _)| name != SEED);
        // The text of a value says its kind, too: 1 is not "1".
        let key: String = parameters.clone().map(|(name, value)| format!("{name}={value:?}\n")).collect();
        let place = *places.entry(key).or_insert(points.len());
        if place == points.len() {
            points.push(Point { parameters: parameters.cloned().collect(), runs: Vec::new() });
        }
        points[place].runs.push(record);
    }
    points
}

impl<'a> Point<'a> {
    /// The runs that were not interrupted: means are over these.
    pub fn finished(&self) -> impl Iterator<Item = &'a Record> + '_ {
        self.runs.iter().copied().filter(|record| record.status != Status::Interrupted)
    }

    /// How many different seeds the finished runs have.
    pub fn seeds(&self) -> usize {
        self.finished().map(|record| record.seed).collect::<BTreeSet<_>>().len()
    }

    /// How many runs were interrupted. They count in no mean.
    pub fn interrupted(&self) -> usize {
        self.runs.len() - self.finished().count()
    }

    /// The value of a swept parameter.
    pub fn parameter(&self, name: &str) -> Option<&Scalar> {
        self.parameters.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// The numbers that the finished runs have in a column.
    pub fn values(&self, column: &str) -> Vec<f64> {
        self.finished().filter_map(|record| number(record, column)).collect()
    }

    /// Mean and interval of a core column over the seeds; `None` where no run has a number there.
    pub fn spread(&self, column: &str) -> Option<Spread> {
        Spread::of(&self.values(column), scale(column))
    }

    /// A swept parameter, or the mean of a core column, as a number: what an axis needs.
    pub fn number(&self, column: &str) -> Option<f64> {
        match self.parameter(column) {
            Some(value) => value.as_f64(),
            None => plain_mean(&self.values(column)),
        }
    }

    /// How all its runs ended.
    pub fn statuses(&self) -> Statuses {
        Statuses::of(self.runs.iter().map(|record| record.status))
    }

    /// Its mark in pictures and tables.
    pub fn mark(&self) -> Mark {
        Mark::of(self.runs.iter().map(|record| record.status))
    }
}

/// Whether a record's sources were asked for the load that the sweep chose: then one of the two columns says it all. Steps of a
/// sweep differ in their last bits.
pub fn offers_swept_load(record: &Record) -> bool {
    let swept = record.parameters.iter().find(|(name, _)| name == "traffic.load").and_then(|(_, value)| value.as_f64());
    swept.zip(record.offered_load).is_some_and(|(swept, offered)| (swept - offered).abs() <= 1e-9 * swept.abs())
}

/// What a record has in one column.
type Value = fn(&Record) -> Option<f64>;

/// Columns that tables of many points ask for, without a detour over the whole row.
const DIRECT: &[(&str, Value)] = &[
    ("offered_load", |record| record.offered_load),
    ("accepted_load", |record| record.accepted_load),
    ("latency_mean", |record| record.latency_mean),
    ("latency_p99", |record| record.latency_p99),
    ("message_latency_mean", |record| record.message_latency_mean),
    ("latency_mean_ns", |record| record.latency_mean_ns),
    ("accepted_flits_per_ns", |record| record.accepted_flits_per_ns),
    ("hops_mean", |record| record.hops_mean),
    ("duration", |record| record.duration),
    ("bound", |record| record.bound),
    ("efficiency", |record| record.efficiency),
];

/// The number that a record has in a column, swept parameters included.
pub fn number(record: &Record, column: &str) -> Option<f64> {
    match DIRECT.iter().find(|(name, _)| *name == column) {
        Some((_, value)) => value(record).filter(|value| value.is_finite()),
        None => record.number(column).filter(|value| value.is_finite()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{record, text};

    #[test]
    fn runs_that_differ_in_the_seed_are_one_point_in_the_order_of_appearance() {
        let run = |load: f64, seed: u64| Record { seed, ..record(&[("traffic.load", Scalar::Float(load))]) };
        let mut swept_seed = run(0.1, 9);
        swept_seed.parameters.push((SEED.to_owned(), Scalar::Integer(9)));
        let records = [run(0.3, 1), run(0.1, 1), run(0.3, 2), swept_seed];
        let points = points(&records);
        let shown: Vec<(Option<f64>, usize)> = points.iter().map(|p| (p.number("traffic.load"), p.seeds())).collect();
        assert_eq!(shown, [(Some(0.3), 2), (Some(0.1), 2)]);
        assert!(points[1].parameter(SEED).is_none());
    }

    #[test]
    fn a_number_and_its_text_are_two_points() {
        let records = [record(&[("p", Scalar::Integer(1))]), record(&[("p", text("1"))])];
        assert_eq!(points(&records).len(), 2);
    }

    #[test]
    fn a_load_that_differs_in_its_last_bits_is_the_swept_one() {
        let run = |offered: Option<f64>| Record {
            offered_load: offered,
            ..record(&[("traffic.load", Scalar::Float(0.1 + 0.2))])
        };
        assert!(offers_swept_load(&run(Some(0.3))));
        assert!(
            !offers_swept_load(&run(Some(0.31))) && !offers_swept_load(&run(None)) && !offers_swept_load(&record(&[]))
        );
    }

    #[test]
    fn interrupted_runs_count_in_no_mean() {
        let run = |seed, status, latency| Record { seed, status, latency_mean: Some(latency), ..record(&[]) };
        let records =
            [run(1, Status::Steady, 10.0), run(2, Status::Saturated, 20.0), run(3, Status::Interrupted, 900.0)];
        let point = &points(&records)[0];
        assert_eq!((point.seeds(), point.interrupted()), (2, 1));
        assert_eq!(point.spread("latency_mean").map(|spread| (spread.mean, spread.n)), Some((15.0, 2)));
        assert_eq!(point.statuses().to_string(), "1 steady, 1 saturated, 1 interrupted");
        assert_eq!(point.mark(), Mark::Half);
        assert_eq!(point.spread("hops_mean"), None, "no run has it");
        assert_eq!(points(&records[2..])[0].spread("latency_mean"), None, "no run finished");
    }

    #[test]
    fn short_cuts_lead_to_the_same_numbers() {
        let mut record = record(&[]);
        for (name, value) in DIRECT {
            assert_eq!(value(&record), record.number(name), "{name}: null");
        }
        let some = Some(1.5);
        record = Record { offered_load: some, accepted_load: Some(2.0), latency_mean: Some(3.0), ..record };
        record =
            Record { latency_p99: Some(4.0), message_latency_mean: Some(5.0), latency_mean_ns: Some(6.0), ..record };
        record = Record { accepted_flits_per_ns: Some(7.0), hops_mean: Some(8.0), duration: Some(9.0), ..record };
        record = Record { bound: Some(8.0), efficiency: Some(0.5), ..record };
        for (name, value) in DIRECT {
            assert!(value(&record).is_some() && value(&record) == record.number(name), "{name}");
        }
    }
}
