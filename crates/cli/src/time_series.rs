//! Charts over time, from the windows of runs.

use tailback_pictures::chart::{Axis, Chart, Mark, Series, Side, Style};
use tailback_results::Series as Table;
use tailback_results::statistics::{Window, moving_average};

/// The tables of one run that charts are made of.
#[derive(Clone, Debug)]
pub struct Traces {
    /// Name of the line.
    pub name: String,
    /// The table `windows`.
    pub windows: Table,
    /// The table `latency_histogram`, if any packet arrived.
    pub histogram: Option<Table>,
    /// Windows in the moving average.
    pub smoothing: usize,
}

impl Traces {
    /// A column of the windows, smoothed, as points.
    fn line(&self, column: &str) -> Vec<(f64, f64)> {
        let Some(values) = self.windows.columns.iter().find(|c| c.name == column) else { return Vec::new() };
        let smooth = moving_average(&values.values, self.smoothing, Window::Centred);
        self.windows.x.iter().copied().zip(smooth).collect()
    }
}

fn time() -> Axis {
    Axis::new("Time", "cycles")
}

fn load(label: &str) -> Axis {
    Axis::new(label, "flits/node/cycle")
}

/// Load and packets in flight of one run; `marks` are loads worth a line.
pub fn of_one(traces: &Traces) -> Chart {
    let in_flight = Series { axis: Side::Right, dashed: true, ..Series::new("in flight", traces.line("packets_in_flight")) };
    Chart {
        x: time(),
        y: load("Load"),
        y2: Some(Axis::new("Packets in flight", "packets")),
        series: vec![
            Series::new("generated", traces.line("generated_load")),
            Series::new("accepted", traces.line("accepted_load")),
            in_flight,
        ],
        ..Chart::default()
    }
}

/// The accepted load of several runs.
pub fn of_many(traces: &[Traces]) -> Chart {
    let series = traces.iter().map(|t| Series::new(&t.name, t.line("accepted_load")));
    Chart { x: time(), y: load("Accepted load"), series: series.collect(), ..Chart::default() }
}

/// One chart over time for any number of runs.
pub fn chart(traces: &[Traces]) -> Option<Chart> {
    match traces {
        [] => None,
        [one] => Some(of_one(one)),
        many => Some(of_many(many)),
    }
}

/// How many packets had which latency.
pub fn histogram(traces: &[Traces]) -> Option<Chart> {
    let mut chart =
        Chart { x: Axis::new("Latency", "cycles"), y: Axis::new("Packets", "% a cycle"), ..Chart::default() };
    for trace in traces {
        let Some(table) = &trace.histogram else { continue };
        let column = |name: &str| table.columns.iter().find(|c| c.name == name).map(|c| c.values.as_slice());
        let (Some(high), Some(packets)) = (column("latency_high"), column("packets")) else { continue };
        let points = density(&table.x, high, packets);
        if !points.is_empty() {
            chart.series.push(Series::new(&trace.name, points).style(Style::Step));
        }
    }
    if let [series] = chart.series.as_slice() {
        chart.marks.extend(mean(&series.points).map(|x| Mark::Vertical { x, label: "mean".to_owned() }));
    }
    (!chart.series.is_empty()).then_some(chart)
}

/// Steps of the density in percent a cycle. Buckets are merged to about a hundred, so that the curve is no comb.
fn density(low: &[f64], high: &[f64], packets: &[f64]) -> Vec<(f64, f64)> {
    let total: f64 = packets.iter().sum();
    let (Some(&first), Some(&last)) = (low.first(), high.last()) else { return Vec::new() };
    let enough = quantile(low, packets, total * 0.999).unwrap_or(last).max(first + 1.0);
    let step = ((enough - first) / 100.0).ceil().max(1.0);
    let mut points = Vec::new();
    let (mut from, mut index) = (first, 0);
    while index < low.len() && from <= enough {
        // A bucket wider than a step makes a step of its own width.
        let mut to = from + step;
        let mut sum = 0.0;
        while index < low.len() && low[index] < to {
            sum += packets[index];
            to = to.max(high[index] + 1.0);
            index += 1;
        }
        points.push((from, 100.0 * sum / total / (to - from)));
        from = to;
    }
    points.push((from, 0.0));
    points
}

/// Lower end of the bucket in which the running sum reaches `target`.
fn quantile(low: &[f64], packets: &[f64], target: f64) -> Option<f64> {
    let mut sum = 0.0;
    low.iter().zip(packets).find(|(_, count)| {
        sum += **count;
        sum >= target
    }).map(|(low, _)| *low)
}

/// Mean of a density given as steps.
fn mean(points: &[(f64, f64)]) -> Option<f64> {
    let (mut weight, mut sum) = (0.0, 0.0);
    for pair in points.windows(2) {
        let width = pair[1].0 - pair[0].0;
        weight += pair[0].1 * width;
        sum += pair[0].1 * width * (pair[0].0 + width / 2.0);
    }
    (weight > 0.0).then(|| sum / weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::series::SeriesColumn;

    fn table(columns: &[(&str, &[f64])], x: &[f64]) -> Table {
        let columns = columns.iter().map(|(name, values)| SeriesColumn {
            name: (*name).to_owned(),
            unit: String::new(),
            values: values.to_vec(),
        });
        let (name, unit, x_name, x_unit) = ("t".into(), String::new(), "x".into(), String::new());
        Table { name, unit, x_name, x_unit, x: x.to_vec(), columns: columns.collect() }
    }

    fn traces() -> Traces {
        let windows = table(&[("accepted_load", &[0.0, 0.2]), ("generated_load", &[0.2, 0.2])], &[0.0, 100.0]);
        let histogram =
            table(&[("latency_high", &[10.0, 11.0, 15.0]), ("packets", &[1.0, 2.0, 1.0])], &[10.0, 11.0, 12.0]);
        Traces { name: "a".into(), windows, histogram: Some(histogram), smoothing: 1 }
    }

    #[test]
    fn one_run_shows_more_than_many() {
        assert!(chart(&[]).is_none());
        let one = chart(&[traces()]).unwrap();
        assert_eq!(one.series[1].points, [(0.0, 0.0), (100.0, 0.2)]);
        assert!(one.y2.is_some());
        assert_eq!(chart(&[traces(), traces()]).unwrap().series.len(), 2);
    }

    #[test]
    fn histograms_are_densities() {
        let chart = histogram(&[traces()]).unwrap();
        assert_eq!(chart.series[0].points, [(10.0, 25.0), (11.0, 50.0), (12.0, 6.25), (16.0, 0.0)]);
        assert_eq!(chart.marks.len(), 1);
        let none = Traces { histogram: None, ..traces() };
        assert!(histogram(&[none]).is_none());
    }

    #[test]
    fn the_far_tail_is_cut_and_long_histograms_are_merged() {
        let x: Vec<f64> = (0..5000).map(f64::from).collect();
        let packets: Vec<f64> = x.iter().map(|x| if *x < 1000.0 { 10.0 } else { 0.001 }).collect();
        let points = density(&x, &x, &packets);
        assert!((90..=120).contains(&points.len()), "{}", points.len());
        assert!(points.last().unwrap().0 < 1100.0);
    }
}
