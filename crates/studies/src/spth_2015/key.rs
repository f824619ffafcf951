//! What distinguishes the runs of this paper.

use crate::lab::Run;
use crate::targets::Targets;
use std::collections::BTreeMap;
use tailback_results::statistics::{Summary, summarise};

/// The patterns in the order of the paper.
pub const PATTERNS: [&str; 8] = ["trns", "shfl", "bcmp", "brev", "brot", "torn", "rand", "rpar"];

/// The methods in the order of the paper.
pub const METHODS: [Method; 3] = [Method::None, Method::Th(0), Method::Th(8)];

/// How packets are admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Always.
    None,
    /// By SPTh with this margin in flits.
    Th(u32),
}

impl Method {
    /// The method of a run.
    pub fn of(run: &Run) -> Self {
        let admission = run.point.resolved.view("admission");
        if admission.kind() == "spth" { Method::Th(admission.u32("margin_flits")) } else { Method::None }
    }

    /// Index in [`METHODS`], the paper's column.
    pub fn column(self) -> usize {
        METHODS.iter().position(|method| *method == self).unwrap_or(0)
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Method::None => write!(f, "no-th"),
            Method::Th(margin) => write!(f, "th({margin})"),
        }
    }
}

/// Mean durations by routers a side, pattern and method.
pub struct Durations(BTreeMap<(u32, String, Method), Option<Summary>>);

impl Durations {
    /// The durations of all runs. Runs that differ only in the seed are averaged.
    pub fn of<'r>(runs: impl IntoIterator<Item = &'r Run>) -> Self {
        let mut values: BTreeMap<_, Vec<f64>> = BTreeMap::new();
        for run in runs {
            let key = (run.radix(), run.pattern().to_owned(), Method::of(run));
            values.entry(key).or_default().push(run.duration().unwrap_or(f64::NAN));
        }
        // One run that did not end leaves no mean.
        Durations(values.into_iter().map(|(key, values)| (key, summarise(&values))).collect())
    }

    /// Mean duration \[cycles\].
    pub fn mean(&self, side: u32, pattern: &str, method: Method) -> Option<f64> {
        self.summary(side, pattern, method).map(|summary| summary.mean)
    }

    /// Mean duration with its interval \[cycles\].
    pub fn summary(&self, side: u32, pattern: &str, method: Method) -> Option<Summary> {
        self.0.get(&(side, pattern.to_owned(), method)).copied().flatten()
    }

    /// Duration without throttling over duration with it.
    pub fn speed_up(&self, side: u32, pattern: &str, method: Method) -> Option<f64> {
        Some(self.mean(side, pattern, Method::None)? / self.mean(side, pattern, method)?)
    }

    /// Routers a side, ascending.
    pub fn sides(&self) -> Vec<u32> {
        let mut sides: Vec<u32> = self.0.keys().map(|key| key.0).collect();
        sides.dedup();
        sides
    }
}

/// Duration that table 2 prints \[cycles\].
pub fn printed_duration(targets: &Targets, pattern: &str, method: Method) -> Option<f64> {
    targets.element(&format!("table2.duration_cycles.{pattern}"), method.column())
}

/// "mean of ten seeds" where there are several.
pub fn seeds_note(summary: Option<Summary>) -> Option<String> {
    let summary = summary.filter(|summary| summary.count > 1)?;
    let half = summary.half_width.map_or(String::new(), |half| format!(", 95 % interval ± {half:.1}"));
    Some(format!("mean of {} seeds{half}", summary.count))
}
