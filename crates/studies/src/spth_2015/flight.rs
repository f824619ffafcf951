//! Figure 10: packets in flight during the collective; claim c7.

use super::key::{METHODS, Method, PATTERNS};
use super::specs::{TABLE2, TABLE2_RANDOM};
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use tailback_pictures::chart::{Axis, Chart, Series};
use tailback_results::statistics::mean;

const ITEM: &str = "fig10";

/// The start: as long as buffers need to fill and the news of it to spread a little \[cycles\].
const START: f64 = 30.0;

/// Afterwards throttling has had time to work \[cycles\].
const LATER: f64 = 100.0;

/// Packets in flight of one run, until its end.
struct Flight {
    /// End of each window \[cycles\].
    time: Vec<f64>,
    packets: Vec<f64>,
    duration: f64,
}

impl Flight {
    fn of(run: &Run) -> Option<Self> {
        let duration = run.duration()?;
        let window = run.point.resolved.view("workload").u64("window_cycles") as f64;
        let pairs = run.windows()?.x.iter().zip(run.window_column("packets_in_flight"));
        let (time, packets) =
            pairs.map(|(start, packets)| (start + window, *packets)).take_while(|(end, _)| *end <= duration).unzip();
        Some(Flight { time, packets, duration })
    }

    fn peak(&self) -> f64 {
        self.packets.iter().copied().fold(0.0, f64::max)
    }

    /// Most packets in flight by the end of the start.
    fn start_peak(&self) -> f64 {
        let start = self.time.iter().zip(&self.packets).take_while(|(time, _)| **time <= START);
        start.map(|(_, packets)| *packets).fold(0.0, f64::max)
    }

    /// When half of the peak is reached \[cycles\].
    fn half_peak_at(&self) -> f64 {
        let half = self.peak() / 2.0;
        self.time.iter().zip(&self.packets).find(|(_, packets)| **packets >= half).map_or(f64::NAN, |(time, _)| *time)
    }

    /// Mean from [`LATER`] to `end`.
    fn later(&self, end: f64) -> Option<f64> {
        let part = self.time.iter().zip(&self.packets).filter(|(time, _)| (LATER..=end).contains(*time));
        mean(&part.map(|(_, packets)| *packets).collect::<Vec<_>>())
    }
}

/// Measures the time series, from the runs of table 2; of patterns that are drawn, the first seed.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (fixed, drawn) = (lab.runs(&TABLE2)?, lab.runs(&TABLE2_RANDOM)?);
    let find = |pattern: &str, method: Method| {
        let mut runs = fixed.iter().chain(drawn.iter());
        runs.find(|run| run.pattern() == pattern && Method::of(run) == method).and_then(Flight::of)
    };
    let mut part = Part::default();
    let (mut charts, mut patterns) = (Vec::new(), Vec::new());
    for pattern in PATTERNS {
        let [Some(none), Some(th0), Some(th8)] = METHODS.map(|method| find(pattern, method)) else { continue };
        let flights = [none, th0, th8];
        for (flight, method) in flights.iter().zip(METHODS) {
            let cell = |what: &str, value| {
                Cell::new(ITEM, pattern, format!("{what}, {method}"), "packets", (None, Some(value)))
            };
            part.cells.push(cell("peak in flight", flight.peak()));
            part.cells.push(cell("peak of the first 30 cycles", flight.start_peak()));
        }
        charts.push(chart(pattern, &flights));
        patterns.push((pattern, flights));
    }
    let caption = "Packets in flight during the collective, ten packets a node, 32x32 (figure 10)".to_owned();
    part.figures.push(crate::picture::panels(ITEM, caption, &charts, 4)?);
    part.verdicts.push(c7(&patterns));
    Ok(part)
}

fn chart(pattern: &str, flights: &[Flight; 3]) -> Chart {
    let series = |(flight, method): (&Flight, Method)| {
        let mut points = vec![(0.0, 0.0)];
        points.extend(flight.time.iter().copied().zip(flight.packets.iter().copied()));
        points.push((flight.duration, 0.0));
        Series::new(method.to_string(), points)
    };
    Chart {
        title: pattern.to_owned(),
        x: Axis::new("Time", "cycles"),
        y: Axis::new("In flight", "packets"),
        series: flights.iter().zip(METHODS).map(series).collect(),
        ..Chart::default()
    }
}

/// Rule of c7, for at least six of the eight patterns each: (a) explosive: without throttling half of the peak is reached
/// in the first tenth of the duration; (b) after a delay: in the first 30 cycles th(0) and th(8) peak at 80 percent of
/// no-th or more; (c) held lower: from cycle 100 to the end of the shortest run th(0) and th(8) have at least 5 percent
/// fewer packets in flight on average.
fn c7(patterns: &[(&'static str, [Flight; 3])]) -> (&'static str, Option<bool>, String) {
    let mut met = [0; 3];
    let mut evidence = Vec::new();
    for (pattern, flights) in patterns {
        let [none, th0, th8] = flights;
        let end = flights.iter().map(|flight| flight.duration).fold(f64::INFINITY, f64::min);
        let starts = [th0, th8].map(|flight| flight.start_peak() / none.start_peak());
        let mean = |flight: &Flight| flight.later(end).unwrap_or(f64::NAN);
        let later = [th0, th8].map(|flight| mean(flight) / mean(none));
        met[0] += u32::from(none.half_peak_at() <= 0.1 * none.duration);
        met[1] += u32::from(starts.iter().all(|ratio| *ratio >= 0.8));
        met[2] += u32::from(later.iter().all(|ratio| *ratio <= 0.95));
        evidence.push(format!(
            "{pattern} half peak after {} of {} cycles, start {:.2} / {:.2}, later {:.2} / {:.2}",
            none.half_peak_at(),
            none.duration,
            starts[0],
            starts[1],
            later[0],
            later[1]
        ));
    }
    let evidence = format!(
        "of {} patterns {} rise explosively, {} start alike, {} are held lower; th(0) / th(8) over no-th: {}",
        patterns.len(),
        met[0],
        met[1],
        met[2],
        evidence.join("; ")
    );
    ("c7", Some(met.iter().all(|count| *count >= 6)), evidence)
}

#[cfg(test)]
mod tests {
    use super::Flight;

    #[test]
    fn a_flight_in_numbers() {
        let time: Vec<f64> = (1..=30).map(|i| f64::from(i) * 10.0).collect();
        let packets = time.iter().map(|t| if *t <= 50.0 { 2.0 * t } else { 40.0 }).collect();
        let flight = Flight { time, packets, duration: 305.0 };
        assert_eq!((flight.peak(), flight.start_peak(), flight.half_peak_at()), (100.0, 60.0, 30.0));
        assert_eq!(flight.later(200.0), Some(40.0));
        assert_eq!(flight.later(50.0), None);
    }
}
