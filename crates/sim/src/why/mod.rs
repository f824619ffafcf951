//! Why a point ended as it did, in words: what binds, who waits, who gets too little, what would help.
//!
//! Every sentence says something that was measured in the run, or that is known of the network before it. A line whose probe was off
//! is left out, and the last line says which option brings it.

mod binds;
mod bound;
mod cause;
mod ends;
mod lines;
mod measures;
pub(crate) mod numbers;
pub(crate) mod places;

pub use cause::Cause;

pub(crate) use binds::tied_ports;
pub(crate) use places::directions;

use crate::critical;
use crate::diagnosis::{Diagnosis, Saturation};
use crate::prepare::Prepared;
use crate::remedy::{self, Remedy};
use crate::run::Finished;
use crate::starvation::LongWaits;
use measures::Measures;
use numbers::{load, percent};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use tailback_probes::kinds::Kinds;
use tailback_probes::{LinkUse, Tree};
use tailback_results::{Record, Status};

/// Why a point ended as it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// How it ended.
    pub status: Status,
    /// What binds.
    pub cause: Cause,
    /// The first sentence, with its numbers.
    pub headline: String,
    /// The lines below it, in their order.
    pub lines: Vec<Line>,
    /// What would help, what was measured first.
    pub remedies: Vec<Remedy>,
    /// What the numbers must not be taken for, and other doubts.
    pub care: Vec<String>,
    /// The options that bring lines which are missing here; empty where none is.
    pub options: String,
    /// Two sentences for a table's row or a report: see [`Why::short`]. Rows of `why.jsonl` hold the whole of that instead.
    #[serde(default)]
    brief: String,
}

/// A line: a label and sentences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// `What binds`.
    pub label: String,
    /// The sentences; may be empty where there are items.
    pub text: String,
    /// Sentences that stand on lines of their own.
    pub items: Vec<String>,
}

impl Line {
    fn new(label: &str, text: String) -> Line {
        Line { label: label.to_owned(), text, items: Vec::new() }
    }
}

impl Why {
    /// All of it in one paragraph; the items of a line on lines of their own.
    pub fn paragraph(&self) -> String {
        let mut text = format!("{}: {}", self.status.name(), self.headline);
        for line in &self.lines {
            let space = if line.text.is_empty() { "" } else { " " };
            text += &format!("{space}{}", line.text);
            line.items.iter().for_each(|item| text += &format!("\n  {item}"));
        }
        self.care.iter().for_each(|care| text += &format!(" {care}"));
        text
    }

    /// Two or three sentences for the row of a table or a report: the loads, what binds, the best remedy that was measured.
    pub fn short(&self) -> String {
        match self.remedies.iter().find_map(Remedy::short) {
            Some(remedy) => format!("{} {remedy}", self.brief),
            None => self.brief.clone(),
        }
    }
}

/// Nothing is said to bind where more than this part of the offered load is accepted.
const NEARLY_ALL: f64 = 0.99;

/// What a run left behind, put into words.
pub(crate) fn why(
    prepared: &Prepared,
    record: &Record,
    finished: &Finished,
    (diagnosis, long_waits, ramp): (&Diagnosis, Option<&LongWaits>, Option<&str>),
    link_map: Option<&[LinkUse]>,
) -> Why {
    let anatomy = finished.anatomy.as_ref().map(|dissected| &dissected.anatomy);
    let binding = match diagnosis {
        Diagnosis::Saturated(saturation) => saturation.binding.clone(),
        _ => finished.heads.binding(prepared.network()),
    };
    let kinds = Kinds::new(prepared.network());
    let of = Measures {
        network: prepared.network(),
        kinds: &kinds,
        anatomy: anatomy.filter(|anatomy| !anatomy.found.is_empty()),
        links: link_map,
        heads: &finished.heads,
        binding: &binding,
    };
    let cause = cause_of(&of, record, diagnosis);
    let mut care: Vec<String> = Vec::new();
    if matches!(diagnosis, Diagnosis::Saturated(_)) && nearly_all(record) {
        care.push(
            "Nearly all that is offered arrives, but packets were left or their latency grew in the measured window. A longer \
             workload.measure_cycles decides whether the point is saturated."
                .to_owned(),
        );
    } else if matches!(diagnosis, Diagnosis::Saturated(_)) && record.latency_mean.is_some() {
        care.push(
            "The latency grows with the length of the run: it is a fact about the run, not about the network."
                .to_owned(),
        );
    }
    if anatomy.is_some() && !of.looked() && !matches!(diagnosis, Diagnosis::Deadlocked(_) | Diagnosis::Livelocked(_)) {
        care.push(
            "The measured window is shorter than probes.anatomy_every_cycles, so nobody looked at the packets."
                .to_owned(),
        );
    }
    care.extend(long_waits.and_then(|waits| ends::in_doubt(record.cycles, waits)));
    care.extend(ramp.map(|remark| format!("{}.", ends::capital(remark))));
    let headline = ends::headline(record, diagnosis);
    let brief = brief(prepared, record, &of, &cause, &headline);
    Why {
        status: record.status,
        lines: all_lines(prepared, record, finished, diagnosis, &of, &cause),
        remedies: remedy::untried(prepared, &cause),
        care,
        options: options(prepared, diagnosis, record),
        headline,
        cause,
        brief,
    }
}

/// Whether so much of what is offered arrives that nothing can be said to bind.
fn nearly_all(record: &Record) -> bool {
    let loads = record.accepted_load.zip(record.offered_load);
    loads.is_some_and(|(accepted, offered)| accepted > NEARLY_ALL * offered)
}

fn cause_of(of: &Measures<'_>, record: &Record, diagnosis: &Diagnosis) -> Cause {
    match diagnosis {
        Diagnosis::Deadlocked(_) => Cause::Deadlock,
        Diagnosis::Livelocked(_) => Cause::Livelock,
        Diagnosis::Starved(_) => Cause::Starvation,
        Diagnosis::Stuck(_) => Cause::Program,
        Diagnosis::Saturated(_) if nearly_all(record) => Cause::Unknown,
        Diagnosis::Saturated(_) | Diagnosis::Slow(_) => cause::cause(of),
        Diagnosis::Steady | Diagnosis::Completed | Diagnosis::Interrupted => Cause::Nothing,
    }
}

fn all_lines(
    prepared: &Prepared,
    record: &Record,
    finished: &Finished,
    diagnosis: &Diagnosis,
    of: &Measures<'_>,
    cause: &Cause,
) -> Vec<Line> {
    let starving = match diagnosis {
        Diagnosis::Saturated(Saturation { starving, .. }) => starving.as_slice(),
        _ => &[],
    };
    // What was measured before a deadlock or a livelock says nothing of it.
    let ended_early = matches!(diagnosis, Diagnosis::Deadlocked(_) | Diagnosis::Livelocked(_) | Diagnosis::Stuck(_));
    let binds = matches!(diagnosis, Diagnosis::Saturated(_) | Diagnosis::Slow(_));
    let line = |label: &str, text: Option<String>| text.map(|text| Line::new(label, text));
    let lines = [
        ends::behind(prepared, record, diagnosis),
        finished.critical.as_ref().map(|critical| critical::line(critical, prepared.network())),
        line("What binds", binds.then(|| binds::sentences(prepared, of, cause)).flatten()),
        line("Before any run", binds.then(|| bound::sentence(prepared, record)).flatten()),
        line("Busiest links", (!ended_early).then(|| lines::busiest(of, cause)).flatten()),
        line("Who waits", (!ended_early).then(|| lines::waits(of, record)).flatten()),
        line("Congestion", lines::congestion(of)),
        line("Set aside", set_aside(prepared, &finished.trees)),
        line("Fairness", lines::fairness(record, starving)),
    ];
    lines.into_iter().flatten().collect()
}

/// What queues for congestion trees found, where there are any.
fn set_aside(prepared: &Prepared, trees: &[Tree]) -> Option<String> {
    let largest = trees.iter().max_by_key(|tree| (tree.total(), Reverse((tree.router, tree.port))))?;
    let place = places::any_output(prepared.network(), largest.router, usize::from(largest.port));
    Some(format!(
        "{}. The largest tree is that of {place}: {} up to {} away.",
        numbers::count(trees.len() as u64, "congested point"),
        numbers::count(largest.total() as u64, "set-aside queue"),
        numbers::count(u64::from(largest.distance), "switch").replace("switchs", "switches"),
    ))
}

/// Two sentences: the loads, and what binds.
fn brief(prepared: &Prepared, record: &Record, of: &Measures<'_>, cause: &Cause, headline: &str) -> String {
    let (true, Some(accepted), Some(offered)) =
        (record.status == Status::Saturated, record.accepted_load, record.offered_load)
    else {
        return headline.to_owned();
    };
    let mut text = format!("Saturated: {} of {} accepted.", load(accepted), load(offered));
    if let Some(binds) = binds::short(prepared, of, cause) {
        let busiest = of.busiest(1).first().map_or(String::new(), |link| {
            let name = places::any_output(of.network, link.router, link.port);
            format!(" (busiest: {name}, used {})", percent(link.utilisation))
        });
        text += &format!(" {binds}{busiest}.");
    }
    if let Some(share) = of.head_of_line() {
        text += &format!(" {} of the blocked time is head-of-line blocking.", percent(share));
    }
    text
}

/// The options that bring what is missing.
fn options(prepared: &Prepared, diagnosis: &Diagnosis, record: &Record) -> String {
    if !matches!(diagnosis, Diagnosis::Saturated(_) | Diagnosis::Slow(_) | Diagnosis::Starved(_)) {
        return String::new();
    }
    let probes = prepared.view("probes");
    let every = if record.measured_cycles < 2000 { (record.measured_cycles / 20).max(1) } else { 100 };
    let mut missing = Vec::new();
    if probes.u64("anatomy_every_cycles") == 0 {
        missing.push(format!("For the cause and the shares of waiting add --set probes.anatomy_every_cycles={every}"));
    }
    if !probes.bool("link_load") {
        let text = "for the use of links add --set probes.link_load=true";
        missing.push(if missing.is_empty() { ends::capital(text) } else { text.to_owned() });
    }
    if missing.is_empty() { String::new() } else { format!("{}.", missing.join("; ")) }
}
