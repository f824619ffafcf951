//! Which pictures show a whole run, and what they say.

use crate::compared::About;
use crate::over_time::{self, Joined, Phases, choose};
use crate::plotted::{Asked, plotted};
use crate::show;
use crate::split::varying;
use crate::time_series::{self, Traces};
use std::collections::HashMap;
use tailback_pictures::chart::Chart;
use tailback_pictures::figure::Figure;
use tailback_results::Record;
use tailback_sim::Facts;
use tailback_spec::Resolved;
use toml::Value;

/// What the user wants to see over what.
#[derive(Clone, Debug, Default)]
pub struct Axes {
    /// Column of the x axis.
    pub x: Option<String>,
    /// Column of the y axis.
    pub y: Option<String>,
}

/// A picture of a run.
pub struct Drawn {
    /// The picture, with its caption and its numbers.
    pub figure: Figure,
    /// What the terminal shows of it.
    pub shown: Vec<String>,
}

/// What is known of a run besides its records.
pub struct Seen<'s> {
    /// The tables of a single run.
    pub traces: Option<&'s Traces>,
    /// What was kept of each run of many, by its identity.
    pub joined: &'s HashMap<String, Joined>,
    /// What records do not say.
    pub about: About,
    /// The end of the warm-up and of the measured window.
    pub phases: Phases,
    /// Whether what changes over time is the subject.
    pub transient: bool,
}

/// The pictures of a run, in the order of their interest.
pub fn drawn(records: &[&Record], seen: &Seen<'_>, axes: &Axes) -> Vec<Drawn> {
    let mut drawn = Vec::new();
    let asked = Asked { x: axes.x.clone(), y: axes.y.iter().cloned().collect(), ..Asked::default() };
    match plotted(records, &asked, &seen.about) {
        Ok(Some(plotted)) => drawn.push(Drawn { shown: plotted.texts(), figure: plotted.figure }),
        Ok(None) => {}
        Err(why) => show::note(&format!("no curve: {why}")),
    }
    let curves = !drawn.is_empty();
    match seen.traces {
        Some(traces) => of_one(traces, &mut drawn),
        None => of_many(records, seen, curves, &mut drawn),
    }
    drawn
}

fn of_one(traces: &Traces, drawn: &mut Vec<Drawn>) {
    let chart = time_series::of_one(traces);
    let caption = "Over time, in windows: what arrived, what sources made, and the packets on their way.";
    drawn.push(Drawn { figure: simple("time-series", caption, &chart), shown: vec![show::chart::chart(&chart)] });
    if let Some(chart) = time_series::distribution(traces) {
        let caption =
            "The tail of the latencies: which share of the packets took so long or longer (both axes logarithmic).";
        drawn.push(Drawn { figure: simple("latency-distribution", caption, &chart), shown: Vec::new() });
    }
}

fn of_many(records: &[&Record], seen: &Seen<'_>, curves: bool, drawn: &mut Vec<Drawn>) {
    let Some(choice) = choose(records) else { return };
    if let Some(panels) = choice.panels(seen.joined, seen.phases) {
        let shown =
            if !curves && seen.transient { vec![show::chart::chart(&over_time::chart(&panels))] } else { Vec::new() };
        drawn.push(Drawn { figure: panels.figure("time-series"), shown });
    }
    if let Some((chart, caption)) = choice.tails(seen.joined) {
        drawn.push(Drawn { figure: simple("latency-distribution", &caption, &chart), shown: Vec::new() });
    }
}

fn simple(name: &str, caption: &str, chart: &Chart) -> Figure {
    Figure { name: name.to_owned(), svg: chart.svg(), caption: caption.to_owned(), csv: String::new() }
}

/// What records do not say: of the first point, as far as all points share it. `bound` is the channel-load bound as a value
/// of `traffic.load`.
pub fn about(first: &Resolved, facts: &Facts, bound: Option<f64>, records: &[&Record]) -> About {
    let varying = varying(records, "");
    // Admission changes neither the network nor its traffic.
    let one = varying.iter().all(|name| name == "traffic.load" || name.starts_with("admission"));
    About {
        subject: subject(first, &varying),
        bound: bound.filter(|_| one),
        zero_load: facts.zero_load_latency.filter(|_| one),
    }
}

/// The end of the warm-up and of the measured window, where all points have the same ones.
pub fn phases(first: &Resolved, records: &[&Record]) -> Phases {
    let workload = first.view("workload");
    let same = !varying(records, "").iter().any(|name| name.starts_with("workload"));
    (same && workload.kind() == "steady").then(|| {
        let warmup = workload.u64("warmup_cycles") as f64;
        (warmup, warmup + workload.u64("measure_cycles") as f64)
    })
}

/// `16 x 16 torus, uniform traffic`, without what varies.
fn subject(first: &Resolved, varying: &[String]) -> String {
    let varies = |section: &str| varying.iter().any(|name| name.starts_with(section));
    let mut words = Vec::new();
    if !varies("topology") {
        let radix = match first.get("topology.radix") {
            Some(Value::Array(radix)) => radix.iter().map(|k| format!("{k} ")).collect::<Vec<_>>().join("x "),
            _ => String::new(),
        };
        words.push(format!("{radix}{}", first.view("topology").kind().replace('_', " ")));
    }
    let pattern = ["traffic.pattern.kind", "traffic.pattern"].iter().find_map(|path| first.get(path)?.as_str());
    if let Some(pattern) = pattern.filter(|_| !varies("traffic.pattern")) {
        words.push(format!("{} traffic", pattern.replace('_', " ")));
    }
    words.join(", ")
}
