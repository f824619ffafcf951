//! Figure 9: throughput and latency relative to no throttling; claims c2 and c3.

use super::ramp::{Curve, Curves, form, shown};
use crate::lab::Lab;
use crate::reproduce::StudyError;
use crate::study::{Cell, Figure, Part};
use tailback_pictures::chart::{Axis, Chart, Mark, Series};
use tailback_results::statistics::mean;

const ITEM: &str = "fig9";

/// Beyond this multiple of the critical load without throttling a pattern is over-saturated.
const OVER: f64 = 1.1;

/// The gains of the text: "up to 2.0 times" throughput, "about four times" latency.
const PRINTED: [f64; 2] = [2.0, 4.0];

/// One method against none.
struct Gain<'a> {
    pattern: &'static str,
    curve: &'a Curve,
    /// Throughput over that without throttling, by window.
    throughput: Vec<f64>,
    /// Latency without throttling over latency, by window.
    latency: Vec<f64>,
    /// The same with the age counted from entering the network on.
    network_latency: Vec<f64>,
    /// First over-saturated window; `None` where no critical load was found.
    over: Option<usize>,
}

impl<'a> Gain<'a> {
    fn new(pattern: &'static str, none: &Curve, curve: &'a Curve) -> Self {
        let ratio = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a / b).collect();
        let from = none.critical.as_ref().ok().map(|critical| OVER * critical.load);
        Gain {
            pattern,
            curve,
            throughput: ratio(&curve.throughput, &none.throughput),
            latency: ratio(&none.latency, &curve.latency),
            network_latency: ratio(&none.network_latency, &curve.network_latency),
            over: from.map(|from| curve.load.partition_point(|load| *load < from)),
        }
    }

    fn over(&self, values: &[f64]) -> Option<Vec<f64>> {
        let part = values.get(self.over?..)?;
        Some(part.iter().copied().filter(|value| value.is_finite()).collect())
    }

    fn mean(&self, values: &[f64]) -> Option<f64> {
        mean(&self.over(values)?)
    }

    fn most(&self, values: &[f64]) -> Option<f64> {
        self.over(values)?.into_iter().reduce(f64::max)
    }
}

/// Measures the ratios.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let curves = Curves::run(lab)?;
    let gains: Vec<Gain> = curves
        .by_pattern()
        .flat_map(|(pattern, [none, th0, th8])| [th0, th8].map(|curve| Gain::new(pattern, none, curve)))
        .collect();
    let mut part = Part::default();
    for gain in &gains {
        part.cells.extend(cells(lab, gain));
    }
    part.cells.extend(best(lab, &gains));
    let throughput: Ratio = ("throughput", |gain| &gain.throughput);
    let latency: Ratio = ("1 / latency", |gain| &gain.latency);
    let network: Ratio = ("1 / network latency", |gain| &gain.network_latency);
    part.figures.push(figure(lab, &gains, ITEM, [throughput, latency])?);
    part.figures.push(figure(lab, &gains, "fig9-network", [throughput, network])?);
    part.verdicts = if lab.quick() { not_judged() } else { vec![c2(&gains), c3(&gains)] };
    Ok(part)
}

fn cells(lab: &Lab, gain: &Gain) -> [Cell; 6] {
    let cell = |what: &str, value| {
        let column = format!("{what}, {}{}", gain.curve.method, form(lab));
        Cell::new(ITEM, gain.pattern, column, "", (None, value))
    };
    [
        cell("mean throughput gain beyond 1.1 critical loads", gain.mean(&gain.throughput)),
        cell("largest throughput gain beyond 1.1 critical loads", gain.most(&gain.throughput)),
        cell("mean latency gain beyond 1.1 critical loads", gain.mean(&gain.latency)),
        cell("largest latency gain beyond 1.1 critical loads", gain.most(&gain.latency)),
        cell("mean network latency gain beyond 1.1 critical loads", gain.mean(&gain.network_latency)),
        cell("largest network latency gain beyond 1.1 critical loads", gain.most(&gain.network_latency)),
    ]
}

fn largest(gains: &[Gain]) -> [Option<f64>; 2] {
    let most = |values: fn(&Gain) -> Option<f64>| gains.iter().filter_map(values).reduce(f64::max);
    [most(|gain| gain.most(&gain.throughput)), most(|gain| gain.most(&gain.latency))]
}

fn best(lab: &Lab, gains: &[Gain]) -> [Cell; 2] {
    let [throughput, latency] = largest(gains);
    let paper = PRINTED.map(|value| (!lab.quick()).then_some(value));
    let cell = |what: &str, values| Cell::new(ITEM, "best of all patterns", format!("{what}{}", form(lab)), "", values);
    [cell("throughput gain", (paper[0], throughput)), cell("latency gain", (paper[1], latency))]
}

/// A ratio and its name.
type Ratio = (&'static str, for<'g> fn(&'g Gain<'_>) -> &'g [f64]);

fn figure(lab: &Lab, gains: &[Gain], name: &str, ratios: [Ratio; 2]) -> Result<Figure, StudyError> {
    let chart = |pair: &[Gain]| {
        let series = |(what, values): Ratio, gain: &Gain| {
            let points = gain.curve.points(values(gain));
            Series { dashed: what != "throughput", ..Series::new(format!("{what}, {}", gain.curve.method), points) }
        };
        Chart {
            title: pair[0].pattern.to_owned(),
            x: Axis::new("Load", "flits/node/cycle"),
            y: Axis::new("Relative to no-th", ""),
            series: ratios.iter().flat_map(|ratio| pair.iter().map(|gain| series(*ratio, gain))).collect(),
            marks: vec![Mark::Horizontal { y: 1.0, label: String::new() }],
            ..Chart::default()
        }
    };
    let charts: Vec<Chart> = gains.chunks(2).map(chart).collect();
    let caption = format!("{} and {} relative to no throttling{} (figure 9)", ratios[0].0, ratios[1].0, form(lab));
    crate::picture::panels(name, caption, &charts, 4)
}

fn not_judged() -> Vec<(&'static str, Option<bool>, String)> {
    let why =
        "not judged: gains are claimed for 32x32 and for long over-saturated ramps, this form has short ones on 16x16";
    vec![("c2", None, why.to_owned()), ("c3", None, why.to_owned())]
}

/// Rule of c2: the largest gain of any pattern and method beyond 1.1 critical loads, between windows smoothed as in the
/// paper, lies within 25 percent of 2.0 for throughput and of 4 for latency. A packet's age counts from its generation,
/// the literal reading; the gain with the age counted from its entry is shown beside it.
fn c2(gains: &[Gain]) -> (&'static str, Option<bool>, String) {
    let found = largest(gains);
    let close = |(found, printed): (&Option<f64>, &f64)| found.is_some_and(|f| (f / printed - 1.0).abs() <= 0.25);
    let holds = found.iter().zip(&PRINTED).all(close);
    let who = |values: fn(&Gain) -> Option<f64>| {
        let most = gains.iter().filter_map(|gain| Some((values(gain)?, gain))).max_by(|a, b| a.0.total_cmp(&b.0));
        most.map_or(String::new(), |(_, gain)| format!(" ({}, {})", gain.pattern, gain.curve.method))
    };
    let evidence = format!(
        "largest throughput gain {}{}, largest latency gain {}{}, counted from the entry into the network {}{}; the verdict asks for 2.0 and 4 within 25 %",
        shown(found[0], 2),
        who(|gain| gain.most(&gain.throughput)),
        shown(found[1], 2),
        who(|gain| gain.most(&gain.latency)),
        shown(gains.iter().filter_map(|gain| gain.most(&gain.network_latency)).reduce(f64::max), 2),
        who(|gain| gain.most(&gain.network_latency)),
    );
    ("c2", Some(holds), evidence)
}

/// Rule of c3: over all loads beyond 1.1 critical loads, neither method gains more than 5 percent mean throughput for trns
/// and torn, and for brev and rand the worse method loses more than 2 percent.
fn c3(gains: &[Gain]) -> (&'static str, Option<bool>, String) {
    let means = |pattern: &str| -> Vec<Option<f64>> {
        gains.iter().filter(|gain| gain.pattern == pattern).map(|gain| gain.mean(&gain.throughput)).collect()
    };
    let no_gain = |pattern| means(pattern).iter().all(|mean| mean.is_some_and(|mean| mean <= 1.05));
    let loss = |pattern| means(pattern).iter().flatten().any(|mean| *mean < 0.98);
    let holds = no_gain("trns") && no_gain("torn") && loss("brev") && loss("rand");
    let evidence: Vec<String> = ["trns", "torn", "brev", "rand"]
        .iter()
        .map(|pattern| {
            let shown: Vec<String> = means(pattern).into_iter().map(|mean| shown(mean, 3)).collect();
            format!("{pattern} {}", shown.join(" / "))
        })
        .collect();
    let evidence = format!("mean throughput gain beyond 1.1 critical loads, th(0) / th(8): {}", evidence.join(", "));
    ("c3", Some(holds), evidence)
}
