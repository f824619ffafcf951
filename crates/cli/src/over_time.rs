//! A sweep over time: which points are shown, a panel for each variant, and the tails of their latencies.

use crate::compared::kind;
use crate::show::numbers::count;
use crate::split::varying;
use std::collections::HashMap;
use tailback_pictures::chart::{Axis, Chart, Series};
use tailback_pictures::time_panels::{Column, Quantity, TimePanels, Trace};
use tailback_results::{Record, Series as Table};
use tailback_summary::mark::Mark;
use tailback_summary::points::{Point, points};
use tailback_summary::variants::{LOAD, Variant, heading, variants};

/// Windows of a trace; more are joined.
const WINDOWS: usize = 60;

/// More variants than these are not all shown.
const MOST: usize = 6;

/// The load shown is at least this multiple of every saturation load.
const BEYOND: f64 = 1.2;

/// What pictures over time need of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joined {
    accepted: Trace,
    in_flight: Trace,
    /// Latency \[cycles\] at the lower end of each bucket, and packets in it.
    latencies: Vec<(f64, f64)>,
}

impl Joined {
    /// Joins the tables `windows` and `latency_histogram` of a run.
    pub fn of(windows: &Table, histogram: Option<&Table>) -> Joined {
        let column = |table: &Table, name: &str| -> Vec<(f64, f64)> {
            let values = table.column(name).unwrap_or_default();
            table.x.iter().copied().zip(values.iter().copied()).collect()
        };
        Joined {
            accepted: joined(&column(windows, "accepted_load")),
            in_flight: joined(&column(windows, "packets_in_flight")),
            latencies: histogram.map_or(Vec::new(), |table| {
                column(table, "packets").into_iter().filter(|(_, packets)| *packets > 0.0).collect()
            }),
        }
    }
}

/// Windows joined until there are no more than [`WINDOWS`]: the mean of each group at its middle. A window is given by its
/// first cycle.
fn joined(windows: &[(f64, f64)]) -> Trace {
    let length = match windows {
        [(first, _), (second, _), ..] => second - first,
        _ => 0.0,
    };
    let group = windows.len().div_ceil(WINDOWS).max(1);
    let mean = |group: &[(f64, f64)]| {
        let sum = group.iter().fold((0.0, 0.0), |sum, window| (sum.0 + window.0, sum.1 + window.1));
        (sum.0 / group.len() as f64 + length / 2.0, sum.1 / group.len() as f64)
    };
    windows.chunks(group).map(mean).collect()
}

/// The points of a sweep that are shown over time.
pub struct Choice<'r> {
    /// One point of each variant, with the variant's label and its place among all.
    points: Vec<(String, usize, Point<'r>)>,
    /// The load of all of them, where the load is swept.
    load: Option<f64>,
    /// `4 of 48 points (load 0.4)`.
    words: String,
}

/// Chooses a point of each variant: at the first swept load that is a fifth above the saturation of every variant, else at the
/// largest. Of more than six variants the first, the best, the worst and the median, by accepted load.
pub fn choose<'r>(records: &[&'r Record]) -> Option<Choice<'r>> {
    let points = points(records.iter().copied());
    let all = points.len();
    let variants = variants(points);
    let load = if varying(records, "").iter().any(|name| name == LOAD) { Some(load_shown(&variants)?) } else { None };
    let at = |variant: &Variant<'r>| match load {
        Some(load) => variant.at(load).cloned(),
        None => variant.points.first().cloned(),
    };
    let drawn: Vec<(String, usize, Point<'r>)> = variants
        .iter()
        .enumerate()
        .filter(|(_, variant)| variant.same_as.is_none())
        .filter_map(|(place, variant)| Some((variant.label.clone(), place, at(variant)?)))
        .collect();
    let (total, kind) = (drawn.len(), kind(&heading(&variants)));
    let kept = few(drawn);
    let shown = kept.iter().map(|(_, place, _)| 1 + twins(&variants, *place)).sum::<usize>();
    let mut notes = load.map(|load| format!("load {load}")).into_iter().collect::<Vec<String>>();
    if kept.len() < total {
        notes.push(format!("the first, best, worst and median of {total} {kind} by accepted load"));
    }
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    let words = format!("{shown} of {}{notes}", count(all as u64, "point"));
    (!kept.is_empty()).then_some(Choice { points: kept, load, words })
}

fn twins(variants: &[Variant], place: usize) -> usize {
    variants.iter().filter(|other| other.same_as == Some(place)).count()
}

fn load_shown(variants: &[Variant]) -> Option<f64> {
    let mut loads: Vec<f64> =
        variants.iter().flat_map(|v| v.points.iter().filter_map(|point| point.number(LOAD))).collect();
    loads.sort_by(f64::total_cmp);
    let saturation = variants.iter().filter_map(saturation).fold(f64::NEG_INFINITY, f64::max);
    let beyond = loads.iter().find(|load| saturation.is_finite() && **load >= BEYOND * saturation * (1.0 - 1e-9));
    beyond.or(loads.last()).copied()
}

/// The middle between the last load that is steady and the first that is not.
fn saturation(variant: &Variant) -> Option<f64> {
    let first = variant.points.iter().position(|point| point.mark() != Mark::Filled)?;
    let high = variant.points[first].number(LOAD)?;
    let low = variant.points[..first].last().and_then(|point| point.number(LOAD));
    Some(low.map_or(high, |low| (low + high) / 2.0))
}

/// All of a few; of many the first, the best, the worst and the median.
fn few(mut drawn: Vec<(String, usize, Point<'_>)>) -> Vec<(String, usize, Point<'_>)> {
    if drawn.len() <= MOST {
        return drawn;
    }
    let accepted = |at: &usize| drawn[*at].2.number("accepted_load").unwrap_or(0.0);
    let mut order: Vec<usize> = (0..drawn.len()).collect();
    order.sort_by(|a, b| accepted(a).total_cmp(&accepted(b)));
    let kept = [0, order[0], order[order.len() / 2], order[order.len() - 1]];
    let mut at = 0;
    drawn.retain(|_| {
        at += 1;
        kept.contains(&(at - 1))
    });
    drawn
}

/// The end of the warm-up and of the measured window \[cycles\].
pub type Phases = Option<(f64, f64)>;

impl Choice<'_> {
    /// The panels, from what was kept of each run by its identity; none where nothing was kept.
    pub fn panels(&self, kept: &HashMap<String, Joined>, measured: Phases) -> Option<TimePanels> {
        let column = |(label, place, point): &(String, usize, Point<'_>)| {
            let runs: Vec<&Joined> = point.runs.iter().filter_map(|run| kept.get(&run.point_id)).collect();
            let accepted = point.number("accepted_load");
            let name = match (label.as_str(), self.load) {
                ("", Some(load)) => format!("load {load}"),
                _ => label.clone(),
            };
            (!runs.is_empty()).then(|| Column {
                name,
                place: *place,
                measured: accepted.map_or(String::new(), |load| format!("accepted {load:.3}")),
                traces: vec![
                    runs.iter().map(|run| run.accepted.clone()).collect(),
                    runs.iter().map(|run| run.in_flight.clone()).collect(),
                ],
            })
        };
        let columns: Vec<Column> = self.points.iter().filter_map(column).collect();
        let quantity = |label: &str, unit: &str, column: &str| Quantity {
            label: label.to_owned(),
            unit: unit.to_owned(),
            column: column.to_owned(),
            level: None,
        };
        let mut accepted = quantity("Accepted load", "flits/node/cycle", "accepted_load");
        let offered = self.points.first().and_then(|(_, _, point)| point.number("offered_load")).or(self.load);
        accepted.level = offered.filter(|_| self.load.is_some()).map(|load| (load, format!("offered {load}")));
        let quantities = vec![accepted, quantity("Packets in flight", "", "packets_in_flight")];
        (!columns.is_empty()).then(|| TimePanels { columns, quantities, measured, chosen: self.words.clone() })
    }

    /// The tails of the latencies of the same points, all seeds together, on logarithmic axes.
    pub fn tails(&self, kept: &HashMap<String, Joined>) -> Option<(Chart, String)> {
        let series = self.points.iter().filter_map(|(label, _, point)| {
            let runs = point.runs.iter().filter_map(|run| kept.get(&run.point_id));
            let tail = tail(runs.flat_map(|run| run.latencies.iter().copied()));
            (!tail.is_empty()).then(|| Series::new(label, tail))
        });
        let chart = tails(series.collect())?;
        let words =
            format!("The share of packets with at least this latency: {}. All seeds of a point together.", self.words);
        Some((chart, words))
    }
}

/// The share of packets with at least a latency, a line each; none without lines.
pub fn tails(series: Vec<Series>) -> Option<Chart> {
    let x = Axis::new("Latency", "cycles").log();
    let y = Axis::new("Packets with at least this latency", "%").log();
    (!series.is_empty()).then(|| Chart { x, y, series, ..Chart::default() })
}

/// Percent of packets at or above each latency, of packets by latency.
pub fn tail(packets: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut buckets: Vec<(f64, f64)> = packets.filter(|(_, count)| *count > 0.0).collect();
    buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = buckets.iter().map(|bucket| bucket.1).sum();
    let mut left = total;
    let mut tail: Vec<(f64, f64)> = Vec::new();
    for (low, count) in buckets {
        if tail.last().is_none_or(|last| last.0 < low.max(1.0)) {
            tail.push((low.max(1.0), 100.0 * left / total));
        }
        left -= count;
    }
    tail
}

/// The accepted load over time as one chart, a line for each variant: what a terminal shows.
pub fn chart(panels: &TimePanels) -> Chart {
    let mean = |traces: &[Trace]| -> Trace {
        let shortest = traces.iter().map(Vec::len).min().unwrap_or(0);
        let same = |at: &usize| traces.iter().all(|trace| trace[*at].0 == traces[0][*at].0);
        let windows = (0..shortest).take_while(same).count();
        let sum = |at: usize| traces.iter().map(|trace| trace[at].1).sum::<f64>();
        (0..windows).map(|at| (traces[0][at].0, sum(at) / traces.len() as f64)).collect()
    };
    let series = panels.columns.iter().map(|column| Series::new(&column.name, mean(&column.traces[0])));
    Chart {
        x: Axis::new("Time", "cycles"),
        y: Axis::new("Accepted load", "flits/node/cycle"),
        series: series.collect(),
        ..Chart::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::{Scalar, Status};

    fn record(admission: &str, load: f64, accepted: f64) -> Record {
        let parameters =
            vec![("admission".to_owned(), Scalar::Text(admission.to_owned())), (LOAD.to_owned(), Scalar::Float(load))];
        let status = if load > 0.3 { Status::Saturated } else { Status::Steady };
        let id = format!("{admission}{load}");
        Record { parameters, accepted_load: Some(accepted), ..Record::empty(&id, 1, &id, status) }
    }

    fn sweep(admissions: &[&str]) -> Vec<Record> {
        let of = |(at, name): (usize, &&str)| -> Vec<Record> {
            [0.1, 0.3, 0.35, 0.4, 0.5].map(|load| record(name, load, load - 0.001 * at as f64)).to_vec()
        };
        admissions.iter().enumerate().flat_map(of).collect()
    }

    #[test]
    fn the_load_is_a_fifth_above_saturation_and_said() {
        let records = sweep(&["off", "spth"]);
        let choice = choose(&records.iter().collect::<Vec<_>>()).expect("a sweep");
        assert_eq!((choice.load, choice.words.as_str()), (Some(0.4), "2 of 10 points (load 0.4)"));
        let steady: Vec<&Record> = records.iter().filter(|r| r.status == Status::Steady).collect();
        assert_eq!(choose(&steady).expect("a sweep").load, Some(0.3), "the largest where nothing saturates");
    }

    #[test]
    fn of_many_variants_first_best_worst_and_median() {
        let records = sweep(&["a", "b", "c", "d", "e", "f", "g", "h"]);
        let choice = choose(&records.iter().collect::<Vec<_>>()).expect("a sweep");
        let names: Vec<&str> = choice.points.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["a", "d", "h"], "the first is the best here");
        assert!(choice.words.contains("median of 8 mechanisms"), "{}", choice.words);
    }

    #[test]
    fn windows_are_joined_to_sixty() {
        let windows: Vec<(f64, f64)> = (0..600).map(|at| (f64::from(at) * 20.0, f64::from(at % 10))).collect();
        let joined = joined(&windows);
        assert_eq!((joined.len(), joined[0]), (60, (100.0, 4.5)));
        assert!(super::joined(&[]).is_empty());
    }

    #[test]
    fn panels_hold_what_was_kept() {
        let records = sweep(&["off", "spth"]);
        let choice = choose(&records.iter().collect::<Vec<_>>()).expect("a sweep");
        let run = Joined { accepted: vec![(0.0, 0.1)], in_flight: vec![(0.0, 5.0)], latencies: vec![(3.0, 1.0)] };
        let kept = HashMap::from([("off0.4".to_owned(), run)]);
        let panels = choice.panels(&kept, Some((1.0, 2.0))).expect("one was kept");
        assert_eq!((panels.columns.len(), panels.columns[0].measured.as_str()), (1, "accepted 0.400"));
        assert_eq!(chart(&panels).series[0].points, [(0.0, 0.1)]);
        assert_eq!(choice.tails(&kept).expect("packets").0.series[0].points, [(3.0, 100.0)]);
        assert!(choice.panels(&HashMap::new(), None).is_none());
    }

    #[test]
    fn tails_fall_from_all_packets_to_the_last() {
        let packets = [(10.0, 1.0), (12.0, 1.0), (11.0, 2.0), (13.0, 0.0)];
        assert_eq!(tail(packets.into_iter()), [(10.0, 100.0), (11.0, 75.0), (12.0, 25.0)]);
        assert_eq!(tail([(10.0, 1.0), (10.0, 1.0)].into_iter()), [(10.0, 100.0)]);
    }
}
