//! Several programs side by side, each at nodes of its own.

use super::{Free, Told, fits, placed, problem};
use crate::Problem;
use crate::workload::{Ask, Plan, Workload};
use std::collections::BTreeMap;
use std::sync::Arc;
use tailback_program::{Job, Jobs};

/// The most jobs.
const MOST: usize = 256;

/// The longest name.
const LONGEST: usize = 64;

/// Builds the jobs that a spec lists, in their order; refused where two have one name or one node.
pub(super) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    let tables = ask.workload.tables("jobs");
    if !ask.workload.text("file").is_empty() || ask.workload.sub("generate").kind() != super::NONE {
        let message = "there are jobs, and a program beside them".to_owned();
        return problem("workload.jobs", message, Some("make that program a job of its own"));
    }
    if tables.len() > MOST {
        return problem("workload.jobs", format!("{} jobs; {MOST} are the most", tables.len()), None);
    }
    let paths: Vec<String> = (0..tables.len()).map(|at| format!("workload.jobs[{at}]")).collect();
    let told = || paths.iter().zip(&tables).map(|(path, &view)| Told { ask, view, path });
    let mut jobs: Vec<Job> = Vec::new();
    for one in told() {
        let name = named(&one, &jobs)?;
        jobs.push(Job { name, program: one.program()? });
    }
    let ranks: u64 = jobs.iter().map(|job| u64::from(job.program.ranks())).sum();
    if ranks > u64::from(ask.shape.nodes()) {
        let nodes = ask.shape.nodes();
        let message = format!("the jobs have {ranks} ranks, and the network has {nodes} nodes: each rank has a node of its own");
        return problem("workload.jobs", message, Some("take a larger network, or fewer ranks"));
    }
    let at = places(told(), &jobs, ask)?;
    let jobs = only(Jobs::new(jobs), ask.workload.text("only"))?;
    let running = jobs.running();
    fits(&jobs, ask.shape.nodes())?;
    let mut workload = placed(Arc::new(jobs), at, ask)?;
    if let Plan::Program(placed) = workload.plan {
        workload.plan = Plan::Program(Box::new(placed.with_jobs(running)));
    }
    Ok(workload)
}

/// The name of a job, which none of the others before it has.
fn named(one: &Told<'_>, before: &[Job]) -> Result<String, Vec<Problem>> {
    let name = one.view.text("name");
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(plain) {
        let message = format!("a job's name has 1 to {LONGEST} letters, digits, dashes and underscores");
        return one.problem("name", message, None);
    }
    if before.iter().any(|job| job.name == name) {
        return one.problem("name", format!("two jobs have the name {name}"), Some("take another name"));
    }
    Ok(name.to_owned())
}

/// The nodes of all ranks. What files say comes first, so that the other jobs find the nodes that are left.
fn places<'a>(told: impl Iterator<Item = Told<'a>> + Clone, jobs: &[Job], ask: &Ask) -> Result<Vec<u32>, Vec<Problem>> {
    let mut free = Free::new(ask);
    let mut owner: BTreeMap<u32, String> = BTreeMap::new();
    let mut at: Vec<Vec<u32>> = vec![Vec::new(); jobs.len()];
    let is_listed = |one: &Told<'_>| one.view.text("placement") == "file";
    for listed in [true, false] {
        let these = told.clone().zip(jobs).zip(&mut at).filter(|((one, _), _)| is_listed(one) == listed);
        for ((one, job), at) in these {
            *at = one.places(job.program.ranks(), &mut free)?;
            check(&one, job, at, &mut free, &mut owner)?;
        }
    }
    Ok(at.concat())
}

/// Refuses nodes that are not there, or that another job has.
fn check(
    one: &Told<'_>,
    job: &Job,
    at: &[u32],
    free: &mut Free,
    owner: &mut BTreeMap<u32, String>,
) -> Result<(), Vec<Problem>> {
    let (ranks, nodes) = (job.program.ranks() as usize, free.taken.len());
    if at.len() != ranks {
        let message = format!("job {} has {ranks} ranks, and {} nodes are named", job.name, at.len());
        return one.problem("placement_file", message, None);
    }
    for (rank, &node) in at.iter().enumerate() {
        let Some(taken) = free.taken.get_mut(node as usize) else {
            let message = format!("rank {rank} of job {} is at node {node}, and the network has {nodes} nodes", job.name);
            return one.problem("placement_file", message, None);
        };
        if let Some(other) = owner.insert(node, job.name.clone()) {
            let message = match other == job.name {
                true => format!("two ranks of job {other} are at node {node}"),
                false => format!("jobs {other} and {} both have a rank at node {node}", job.name),
            };
            return one.problem("placement_file", message, Some("a node has one rank at most"));
        }
        *taken = true;
    }
    Ok(())
}

/// The jobs, or one of them alone.
fn only(jobs: Jobs, name: &str) -> Result<Jobs, Vec<Problem>> {
    if name.is_empty() {
        return Ok(jobs);
    }
    let names: Vec<String> = jobs.running().into_iter().map(|(name, _)| name).collect();
    match names.iter().position(|other| other == name) {
        Some(job) => Ok(jobs.only(job)),
        None => problem("workload.only", format!("there is no such job; there are {}", names.join(", ")), None),
    }
}
