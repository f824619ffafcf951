//! The jobs of a program: when each was done, and how much longer it took than alone.

use crate::attempt::attempt;
use crate::outcome::Outcome;
use crate::prepare::Prepared;
use crate::remedy::with_value;
use crate::run::Control;
use serde::{Deserialize, Serialize};
use tailback_engine::outcome::Standing;
use tailback_probes::Finding;
use tailback_probes::tables::{column, rows};
use tailback_results::{Series, Status};

/// One of several jobs that have run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobDone {
    /// Its name.
    pub name: String,
    /// Its ranks.
    pub ranks: u32,
    /// The cycle in which its last operation finished.
    pub duration: u64,
    /// That cycle where it runs alone, at the same nodes; `None` where nobody asked.
    pub alone: Option<u64>,
}

impl JobDone {
    /// How many times longer it takes among the others; `None` where nobody asked, or where it takes no time alone.
    pub fn slowdown(&self) -> Option<f64> {
        let alone = self.alone.filter(|&alone| alone > 0)?;
        Some(self.duration as f64 / alone as f64)
    }
}

impl Prepared {
    /// The jobs of a run that has completed, in the order of the spec; empty where there is one program.
    pub(crate) fn jobs_done(&self, standing: &Standing) -> Vec<JobDone> {
        let Some(placed) = self.traffic.program().filter(|_| standing.completed.is_some()) else { return Vec::new() };
        let done = |(name, ranks): &(String, std::ops::Range<u32>)| {
            let finishes = standing.finishes.get(ranks.start as usize..ranks.end as usize).unwrap_or_default();
            let duration = finishes.iter().copied().max().unwrap_or(0);
            JobDone { name: name.clone(), ranks: ranks.len() as u32, duration, alone: None }
        };
        placed.jobs().iter().map(done).collect()
    }

    /// Runs every job alone, where the spec asks for it, and puts that beside what it took among the others.
    pub(crate) fn compare_jobs(&self, outcome: &mut Outcome, control: &Control) {
        if self.view("probes").bool("alone") && outcome.record.status == Status::Completed {
            let mut ranks = outcome.series.iter_mut().find(|table| table.name == "ranks");
            for (number, job) in outcome.jobs.iter_mut().enumerate() {
                let Some(alone) = self.alone(&job.name, control) else { continue };
                job.alone = alone.record.duration.map(|cycles| cycles as u64);
                if let Some(ranks) = &mut ranks {
                    fill(ranks, number as f64, &alone);
                }
            }
        }
        if outcome.jobs.is_empty() {
            return;
        }
        outcome.findings.extend(outcome.jobs.iter().flat_map(findings));
        let slowest = outcome.jobs.iter().filter_map(JobDone::slowdown).reduce(f64::max);
        outcome.record.slowdown = slowest;
        outcome.capsule.record.slowdown = slowest;
        outcome.series.push(table(&outcome.jobs));
    }

    /// A job that runs alone; `None` where somebody cancels.
    fn alone(&self, name: &str, control: &Control) -> Option<Outcome> {
        let only = toml::Value::String(name.to_owned());
        let point = with_value(&self.point, Some(("workload.only", &only)), self.point.seed).ok()?;
        attempt(&point, control).ok().map(|(_, outcome)| outcome)
    }
}

/// Fills in what the ranks of a job take alone. A job keeps its ranks, so both tables have the same rows.
fn fill(ranks: &mut Series, job: f64, alone: &Outcome) {
    let Some(own) = Series::named(&alone.series, "ranks").and_then(|table| table.column("completion")) else { return };
    let of = |name: &str| ranks.column(name).map(<[f64]>::to_vec).unwrap_or_default();
    let (jobs, completions) = (of("job"), of("completion"));
    let is_own = |rank: &usize| jobs.get(*rank) == Some(&job);
    for column in &mut ranks.columns {
        let value: &dyn Fn(usize) -> f64 = match column.name.as_str() {
            "alone" => &|rank| own[rank],
            // A rank that does nothing takes no time in either run.
            "slowdown" => &|rank| if own[rank] > 0.0 { completions[rank] / own[rank] } else { f64::NAN },
            _ => continue,
        };
        (0..own.len()).filter(is_own).for_each(|rank| column.values[rank] = value(rank));
    }
}

fn findings(job: &JobDone) -> Vec<Finding> {
    let of = |what: &str, unit: &'static str, value: f64| Finding {
        name: format!("{what}_of_{}", job.name).into(),
        unit: unit.into(),
        value,
    };
    let mut all = vec![of("duration", "cycles", job.duration as f64)];
    all.extend(job.alone.map(|alone| of("duration_alone", "cycles", alone as f64)));
    all.extend(job.slowdown().map(|times| of("slowdown", "", times)));
    all
}

/// One row for each job, in the order of the spec.
fn table(jobs: &[JobDone]) -> Series {
    let of =
        |name: &str, unit: &str, value: &dyn Fn(&JobDone) -> f64| column(name, unit, jobs.iter().map(value).collect());
    let columns = vec![
        of("ranks", "", &|job| f64::from(job.ranks)),
        of("duration", "cycles", &|job| job.duration as f64),
        of("alone", "cycles", &|job| job.alone.map_or(f64::NAN, |alone| alone as f64)),
        of("slowdown", "", &|job| job.slowdown().unwrap_or(f64::NAN)),
    ];
    rows("jobs", "", "job", columns)
}
