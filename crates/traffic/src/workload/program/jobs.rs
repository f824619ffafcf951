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
    if ask.workload.text("placement") != "packed" {
        let message = "there are jobs, and each has a placement of its own".to_owned();
        return problem("workload.placement", message, Some("set placement in the jobs"));
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
        let message =
            format!("the jobs have {ranks} ranks, and the network has {nodes} nodes: each rank has a node of its own");
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

/// Refuses nodes that another job has.
fn check(
    one: &Told<'_>,
    job: &Job,
    at: &[u32],
    free: &mut Free,
    owner: &mut BTreeMap<u32, String>,
) -> Result<(), Vec<Problem>> {
    for &node in at {
        if let Some(other) = owner.insert(node, job.name.clone()) {
            let message = format!("jobs {other} and {} both have a rank at node {node}", job.name);
            return one.problem("placement_file", message, Some("a node has one rank at most"));
        }
        free.taken[node as usize] = true;
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

#[cfg(test)]
mod tests {
    use crate::testing::{TextFile, refusal, shape, traffic};

    fn job(name: &str, ranks: u32, more: &str) -> String {
        format!("{{ name = \"{name}\", generate = {{ kind = \"barrier\", ranks = {ranks} }}{more} }}")
    }

    fn spec(jobs: &[String], more: &str) -> String {
        format!("workload = {{ kind = \"program\", jobs = [{}]{more} }}", jobs.join(", "))
    }

    #[test]
    fn jobs_have_nodes_of_their_own() {
        let file = TextFile::new("4\n0\n");
        let listed = format!(", placement = \"file\", placement_file = '{}'", file.path());
        let jobs = [job("a", 3, ""), job("b", 2, &listed), job("c", 2, ", placement = \"random\"")];
        let traffic = traffic(&spec(&jobs, ""), &shape(&[8]), 1);
        let placed = traffic.program().expect("it is a program");
        let at: Vec<u32> = (0..7).map(|rank| placed.node_of(rank)).collect();
        assert_eq!(at[..5], [1, 2, 3, 4, 0], "what a file says comes first");
        assert!(at[5..].iter().all(|&node| node > 4 && node < 8) && at[5] != at[6], "{at:?}");
        let names: Vec<_> = placed.jobs().iter().map(|(name, ranks)| (name.as_str(), ranks.clone())).collect();
        assert_eq!(names, [("a", 0..3), ("b", 3..5), ("c", 5..7)]);
    }

    #[test]
    fn a_job_alone_stays_where_it_is() {
        let jobs = [job("a", 3, ""), job("b", 2, "")];
        let traffic = traffic(&spec(&jobs, ", only = \"b\""), &shape(&[8]), 1);
        let placed = traffic.program().expect("it is a program");
        assert_eq!((placed.node_of(3), placed.program().operations(0), placed.program().operations(3)), (3, 0, 2));
        assert_eq!(placed.jobs(), [("b".to_owned(), 3..5)]);
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_place() {
        let eight = shape(&[8]);
        let file = TextFile::new("1\n1\n");
        let listed = format!(", placement = \"file\", placement_file = '{}'", file.path());
        let far = TextFile::new("1\n8\n");
        let away = format!(", placement = \"file\", placement_file = '{}'", far.path());
        let other = TextFile::new("5\n1\n");
        let taken = format!(", placement = \"file\", placement_file = '{}'", other.path());
        let good = TextFile::new("1\n2\n");
        let first = format!(", placement = \"file\", placement_file = '{}'", good.path());
        for (jobs, more, path, words) in [
            (vec![job("a", 2, ""), job("a", 2, "")], "", "workload.jobs[1].name", "two jobs have the name a"),
            (vec![job("a b", 2, "")], "", "workload.jobs[0].name", "letters, digits"),
            (vec![job("a", 6, ""), job("b", 6, "")], "", "workload.jobs", "12 ranks, and the network has 8 nodes"),
            (
                vec![job("a", 2, &listed)],
                "",
                "workload.jobs[0].placement_file",
                "line 2, column 1: line 1 names node 1 too",
            ),
            (vec![job("a", 2, &away)], "", "workload.jobs[0].placement_file", "at node 8, and the network has 8 nodes"),
            (vec![job("a", 3, &first)], "", "workload.jobs[0].placement_file", "3 ranks, and 2 nodes are named"),
            (
                vec![job("a", 2, &first), job("b", 2, &taken)],
                "",
                "workload.jobs[1].placement_file",
                "jobs a and b both have a rank at node 1",
            ),
            (vec![job("a", 2, "")], ", only = \"b\"", "workload.only", "there are a"),
            (vec![job("a", 2, "")], ", placement = \"random\"", "workload.placement", "a placement of its own"),
            (vec!["{ name = \"a\" }".to_owned()], "", "workload.jobs[0].generate", "there is no program"),
        ] {
            let message = refusal(&spec(&jobs, more), &eight);
            assert!(message.starts_with(&format!("{path}: ")) && message.contains(words), "{message}");
        }
    }
}
