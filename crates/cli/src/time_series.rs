//! Charts over time, from the windows of runs.

use crate::over_time::{tail, tails};
use tailback_pictures::chart::{Axis, Chart, Series, Side, grid};
use tailback_probes::picture;
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
        let Some(values) = self.windows.column(column) else { return Vec::new() };
        let smooth = moving_average(values, self.smoothing, Window::Centred);
        self.windows.x.iter().copied().zip(smooth).collect()
    }
}

fn time() -> Axis {
    Axis::new("Time", "cycles")
}

fn load(label: &str) -> Axis {
    Axis::new(label, "flits/node/cycle")
}

/// Load and packets in flight of one run.
pub fn of_one(traces: &Traces) -> Chart {
    let in_flight =
        Series { axis: Side::Right, dashed: true, ..Series::new("in flight", traces.line("packets_in_flight")) };
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

/// A table of one run as lines over time, each in its panel; three panels stand side by side. What the table has no values of is left out.
pub fn lines(table: &Table, line: fn(&str) -> Option<picture::Line>) -> String {
    let panels = panels(table, line);
    match &panels[..] {
        [chart] if chart.title.is_empty() => chart.svg(),
        charts => grid(charts, 3),
    }
}

fn panels(table: &Table, line: fn(&str) -> Option<picture::Line>) -> Vec<Chart> {
    let mut charts: Vec<Chart> = Vec::new();
    for column in &table.columns {
        let values = table.x.iter().copied().zip(column.values.iter().copied());
        let points: Vec<(f64, f64)> = values.filter(|(_, value)| value.is_finite()).collect();
        let Some(picture::Line { panel, label, name, axis }) = line(&column.name).filter(|_| !points.is_empty()) else {
            continue;
        };
        let at = charts.iter().position(|chart| chart.title == panel).unwrap_or_else(|| {
            charts.push(Chart { title: panel, x: time(), ..Chart::default() });
            charts.len() - 1
        });
        let (chart, shown) = (&mut charts[at], Axis::new(label, &column.unit));
        let series = Series::new(name, points);
        match axis {
            picture::Axis::Left => {
                chart.y = shown;
                chart.series.push(series);
            }
            picture::Axis::Right => {
                chart.y2 = Some(shown);
                chart.series.push(Series { axis: Side::Right, dashed: true, ..series });
            }
        }
    }
    charts
}

/// The tail of the latencies of one run: the share of packets with at least this latency, on logarithmic axes.
pub fn distribution(traces: &Traces) -> Option<Chart> {
    let table = traces.histogram.as_ref()?;
    let packets = table.column("packets")?;
    let tail = tail(table.x.iter().copied().zip(packets.iter().copied()));
    tails(vec![Series::new(&traces.name, tail)])
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
    fn one_run_shows_loads_and_packets() {
        let one = of_one(&traces());
        assert_eq!(one.series[1].points, [(0.0, 0.0), (100.0, 0.2)]);
        assert!(one.y2.is_some());
    }

    #[test]
    fn columns_are_lines_in_their_panels_and_what_has_no_values_is_left_out() {
        fn line(column: &str) -> Option<picture::Line> {
            let (name, panel) = column.split_once('_')?;
            let line = picture::Line::new("Flits", name).within(panel);
            Some(if panel == "b" { picture::Line { axis: picture::Axis::Right, ..line } } else { line })
        }
        let none = [f64::NAN; 2];
        let columns =
            [("x_a", &[1.0, 2.0][..]), ("x_b", &[3.0, 4.0]), ("y_a", &[5.0, f64::NAN]), ("z_a", &none), ("no", &none)];
        let charts = panels(&table(&columns, &[0.0, 100.0]), line);
        let lines = |chart: &Chart| chart.series.iter().map(|s| s.name.clone()).collect::<Vec<String>>();
        let found: Vec<_> = charts.iter().map(|chart| (chart.title.as_str(), lines(chart))).collect();
        assert_eq!(found, [("a", vec!["x".to_owned(), "y".to_owned()]), ("b", vec!["x".to_owned()])]);
        assert_eq!(
            (&charts[0].series[0].points, &charts[0].series[1].points),
            (&vec![(0.0, 1.0), (100.0, 2.0)], &vec![(0.0, 5.0)])
        );
        assert!(charts[0].y2.is_none() && charts[1].y2.as_ref().is_some_and(|axis| axis.label == "Flits"));
    }

    #[test]
    fn tails_fall_from_all_packets_to_the_last() {
        let chart = distribution(&traces()).unwrap();
        assert_eq!(chart.series[0].points, [(10.0, 100.0), (11.0, 75.0), (12.0, 25.0)]);
        let none = Traces { histogram: None, ..traces() };
        assert!(distribution(&none).is_none());
    }
}
