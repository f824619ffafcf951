//! Charts over time, from the windows of runs.

use crate::over_time::{tail, tails};
use tailback_pictures::chart::{Axis, Chart, Series, Side};
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

/// Congestion of one run: full buffers and what its throttle makes of them, beside the throughput. What a table has no
/// values of is left out.
pub fn congestion(table: &Table) -> Chart {
    let line = |column: &str| -> Vec<(f64, f64)> {
        let values = table.column(column).unwrap_or_default();
        table.x.iter().copied().zip(values.iter().copied()).filter(|(_, value)| value.is_finite()).collect()
    };
    let buffers = [("full", "full_buffers"), ("threshold", "threshold"), ("estimate", "estimate")];
    let buffers = buffers.map(|(name, column)| Series::new(name, line(column)));
    let throughput = Series { axis: Side::Right, dashed: true, ..Series::new("throughput", line("throughput")) };
    Chart {
        x: time(),
        y: Axis::new("Buffers", "buffers"),
        y2: Some(load("Throughput")),
        series: buffers.into_iter().chain([throughput]).filter(|series| !series.points.is_empty()).collect(),
        ..Chart::default()
    }
}

/// Occupancy of the buffers of one run: a chart for each virtual channel, a line for each direction.
pub fn occupancy(table: &Table) -> Vec<Chart> {
    let mut charts: Vec<Chart> = Vec::new();
    // Columns are called `x+_vc0`.
    for column in &table.columns {
        let Some((direction, channel)) = column.name.split_once("_vc") else { continue };
        let title = format!("channel {channel}");
        let points = table.x.iter().copied().zip(column.values.iter().copied()).collect();
        let series = Series::new(direction, points);
        match charts.iter_mut().find(|chart| chart.title == title) {
            Some(chart) => chart.series.push(series),
            None => {
                let y = Axis::new("Flits in a buffer", "flits");
                charts.push(Chart { title, x: time(), y, series: vec![series], ..Chart::default() });
            }
        }
    }
    charts
}

/// Packets in the injection queues of one run.
pub fn injection(table: &Table) -> Chart {
    let named = |name: &str| name.strip_prefix('q').map_or(name.to_owned(), |queue| format!("queue {queue}"));
    let columns = table.columns.iter().filter(|column| column.name != "largest");
    let points = |values: &[f64]| table.x.iter().copied().zip(values.iter().copied()).collect();
    let series = columns.map(|column| Series::new(named(&column.name), points(&column.values)));
    Chart { x: time(), y: Axis::new("Packets in a queue", "packets"), series: series.collect(), ..Chart::default() }
}

/// Set-aside queues of one run: how many are in use by kind of side, and most at one side.
pub fn set_aside(table: &Table) -> Vec<Chart> {
    let chart = |title: &str, label: &str, suffix: &str| {
        let of = |column: &tailback_results::series::SeriesColumn| {
            let name = column.name.strip_suffix(suffix)?;
            Some(Series::new(name, table.x.iter().copied().zip(column.values.iter().copied()).collect()))
        };
        let series = table.columns.iter().filter_map(of).collect();
        Chart { title: title.to_owned(), x: time(), y: Axis::new(label, "queues"), series, ..Chart::default() }
    };
    vec![
        chart("in the network", "Set-aside queues in use", "_in_use"),
        chart("where there are most", "Set-aside queues at a side", "_largest"),
    ]
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
    fn congestion_leaves_out_what_has_no_values() {
        let none = [f64::NAN; 2];
        let columns = [("full_buffers", &[1.0, 2.0][..]), ("threshold", &none), ("throughput", &[0.1, 0.2])];
        let chart = congestion(&table(&columns, &[0.0, 100.0]));
        let names: Vec<&str> = chart.series.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["full", "throughput"]);
        assert_eq!(chart.series[0].points, [(0.0, 1.0), (100.0, 2.0)]);
    }

    #[test]
    fn occupancy_is_a_panel_a_channel_and_a_line_a_direction() {
        let columns = ["x+_vc0", "x+_vc1", "x-_vc0", "x-_vc1"].map(|name| (name, &[1.0, 2.0][..]));
        let charts = occupancy(&table(&columns, &[0.0, 100.0]));
        let lines = |chart: &Chart| chart.series.iter().map(|s| s.name.clone()).collect::<Vec<String>>();
        assert_eq!(charts.iter().map(|c| c.title.as_str()).collect::<Vec<&str>>(), ["channel 0", "channel 1"]);
        assert!(charts.iter().all(|chart| lines(chart) == ["x+", "x-"]));
        assert_eq!(charts[1].series[0].points, [(0.0, 1.0), (100.0, 2.0)]);
    }

    #[test]
    fn injection_queues_have_a_mean_and_a_line_each() {
        let columns = [("mean", &[1.0, 2.0][..]), ("largest", &[9.0, 9.0]), ("q0", &[0.0, 1.0]), ("q1", &[2.0, 3.0])];
        let chart = injection(&table(&columns, &[0.0, 100.0]));
        let names: Vec<&str> = chart.series.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["mean", "queue 0", "queue 1"]);
    }

    #[test]
    fn set_aside_queues_are_shown_by_kind_of_side() {
        let names = ["ingress_in_use", "egress_in_use", "ingress_largest", "egress_largest"];
        let charts = set_aside(&table(&names.map(|name| (name, &[1.0, 2.0][..])), &[0.0, 100.0]));
        for chart in &charts {
            let lines: Vec<&str> = chart.series.iter().map(|s| s.name.as_str()).collect();
            assert_eq!(lines, ["ingress", "egress"]);
        }
        assert_eq!(charts.len(), 2);
    }

    #[test]
    fn tails_fall_from_all_packets_to_the_last() {
        let chart = distribution(&traces()).unwrap();
        assert_eq!(chart.series[0].points, [(10.0, 100.0), (11.0, 75.0), (12.0, 25.0)]);
        let none = Traces { histogram: None, ..traces() };
        assert!(distribution(&none).is_none());
    }
}
