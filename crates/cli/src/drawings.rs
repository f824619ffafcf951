//! Which charts show a whole run, and what they say.

use crate::curves::{Curves, varying};
use crate::time_series::{self, Traces};
use tailback_pictures::chart::Chart;
use tailback_results::Record;

/// What the user wants to see over what.
#[derive(Clone, Debug, Default)]
pub struct Axes {
    /// Column of the x axis.
    pub x: Option<String>,
    /// Column of the y axis.
    pub y: Option<String>,
}

/// A chart with its name.
pub struct Drawn {
    /// File name without ending.
    pub name: String,
    /// What it shows.
    pub caption: &'static str,
    /// The chart.
    pub chart: Chart,
    /// Whether it is shown in the terminal.
    pub shown: bool,
}

/// The charts of a run, in the order of their interest. `bound` is the channel-load bound of its first network, as a value of `traffic.load`;
/// `transient` says that what changes over time is its subject.
pub fn drawn(records: &[Record], traces: &[Traces], bound: Option<f64>, axes: &Axes, transient: bool) -> Vec<Drawn> {
    let mut drawn = Vec::new();
    let one_network = varying(records).iter().all(|name| name == "traffic.load");
    let curves = Curves::new(records, axes.x.as_deref());
    if let Some(curves) = &curves {
        let charts = match &axes.y {
            Some(y) => vec![(y.as_str(), curves.chart(y))],
            None => curves.usual(bound.filter(|_| one_network)),
        };
        let x = curves.x.rsplit('.').next().unwrap_or_default().replace('_', "-");
        for (y, chart) in charts {
            let name = format!("{}-over-{x}", y.rsplit('.').next().unwrap_or_default().replace('_', "-"));
            drawn.push(Drawn { name, caption: caption(y), chart, shown: true });
        }
    }
    if let Some(chart) = time_series::chart(traces) {
        let shown = curves.is_none() && (transient || traces.len() == 1);
        drawn.push(Drawn { name: "time-series".to_owned(), caption: TIME, chart, shown });
    }
    if let Some(chart) = time_series::distribution(traces) {
        drawn.push(Drawn { name: "latency-distribution".to_owned(), caption: TAIL, chart, shown: false });
    }
    drawn
}

const TIME: &str =
    "Over time, in windows: what arrived and, for a single run, what sources made and the packets on their way.";
const TAIL: &str =
    "The tail of the latencies: which share of the packets took so long or longer (both axes logarithmic).";

fn caption(name: &str) -> &'static str {
    match name {
        "accepted" => "Accepted load: what arrives. It follows what is offered until the network saturates.",
        "latency" => {
            "Mean latency, from the generation of a packet to the delivery of its tail. Beyond saturation it grows with \
             the length of the run; an arrow marks where a curve leaves the picture."
        }
        "duration" => "Time until the last packet was delivered.",
        _ => "As asked for with --x and --y.",
    }
}
