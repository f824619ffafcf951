//! Several programs as one, side by side: jobs that share a network and know nothing of each other.
//!
//! The ranks of the first job come first, then those of the second, and so on.

use crate::contract::{Operation, Program, Upon, Work};
use crate::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

/// One of several programs.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// What it does.
    pub program: Arc<dyn Program>,
}

/// Programs side by side.
#[derive(Clone, Debug)]
pub struct Jobs {
    jobs: Vec<Job>,
    /// The first rank of each job, and behind them the number of ranks.
    first: Vec<u32>,
    /// The only job that does anything; `None`: all do.
    only: Option<usize>,
}

impl Jobs {
    /// These jobs, whose ranks are together fewer than 2^32.
    pub fn new(jobs: Vec<Job>) -> Jobs {
        let mut first = vec![0];
        for job in &jobs {
            first.push(first[first.len() - 1] + job.program.ranks());
        }
        Jobs { jobs, first, only: None }
    }

    /// The same ranks, of which those of other jobs than number `job` have no operations.
    #[must_use]
    pub fn only(self, job: usize) -> Jobs {
        Jobs { only: Some(job), ..self }
    }

    /// The jobs that do something, with their names and ranks.
    pub fn running(&self) -> Vec<(String, Range<u32>)> {
        let all = self.jobs.iter().zip(self.first.windows(2)).enumerate();
        let runs = all.filter(|(number, _)| self.only.is_none_or(|only| only == *number));
        runs.map(|(_, (job, first))| (job.name.clone(), first[0]..first[1])).collect()
    }

    /// The job of a rank, and the rank in it.
    fn of(&self, rank: u32) -> (usize, u32) {
        let job = self.first.partition_point(|&first| first <= rank) - 1;
        (job, rank - self.first[job])
    }

    fn runs(&self, job: usize) -> bool {
        self.only.is_none_or(|only| only == job)
    }
}

/// What an operation of a job does whose first rank is `first`.
fn moved(work: Work, first: u32) -> Work {
    match work {
        Work::Send { to, flits, tag } => Work::Send { to: to + first, flits, tag },
        Work::Receive { from, tag, flits } => Work::Receive { from: from.map(|from| from + first), tag, flits },
        Work::Compute { .. } => work,
    }
}

impl Program for Jobs {
    fn ranks(&self) -> u32 {
        self.first[self.jobs.len()]
    }

    fn operations(&self, rank: u32) -> u32 {
        let (job, own) = self.of(rank);
        if self.runs(job) { self.jobs[job].program.operations(own) } else { 0 }
    }

    fn known(&self, rank: u32) -> u32 {
        let (job, own) = self.of(rank);
        self.jobs[job].program.operations(own)
    }

    fn operation(&self, rank: u32, number: u32) -> Operation {
        let (job, own) = self.of(rank);
        let Operation { work, requirements } = self.jobs[job].program.operation(own, number);
        Operation { work: moved(work, self.first[job]), requirements }
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        let (job, own) = self.of(rank);
        moved(self.jobs[job].program.work(own, number), self.first[job])
    }

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        let (job, own) = self.of(rank);
        if self.runs(job) {
            self.jobs[job].program.roots(own, each);
        }
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let (job, own) = self.of(rank);
        self.jobs[job].program.dependants(own, number, each);
    }

    fn has_starts(&self) -> bool {
        self.jobs.iter().any(|job| job.program.has_starts())
    }

    fn meets_once(&self) -> bool {
        self.jobs.iter().all(|job| job.program.meets_once())
    }

    fn place(&self, rank: u32, number: u32) -> String {
        let (job, own) = self.of(rank);
        let Job { name, program } = &self.jobs[job];
        format!("rank {own} of job {name}, {}", program.place(own, number))
    }

    fn sends(&self, rank: u32) -> (u64, u64) {
        let (job, own) = self.of(rank);
        if self.runs(job) { self.jobs[job].program.sends(own) } else { (0, 0) }
    }

    fn lengths(&self) -> (u32, u32) {
        let lengths = self.jobs.iter().map(|job| job.program.lengths()).filter(|lengths| lengths.0 > 0);
        let all = lengths.reduce(|one, other| (one.0.max(other.0), one.1.min(other.1)));
        all.unwrap_or((0, 0))
    }

    fn identity(&self) -> u64 {
        let mut hash = Hash::of("jobs");
        for (number, job) in self.jobs.iter().enumerate() {
            hash.number(job.program.identity());
            hash.number(u64::from(self.runs(number)));
        }
        hash.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Generate, Generated, check};

    fn job(name: &str, kind: &str, ranks: u64) -> Job {
        let mut asked = Generate::new(kind);
        asked.set("ranks", ranks).unwrap();
        if kind != "barrier" {
            asked.set("flits", 10 * ranks).unwrap();
        }
        Job { name: name.to_owned(), program: Arc::new(Generated::new(&asked).unwrap()) }
    }

    #[test]
    fn ranks_follow_each_other_and_stay_among_themselves() {
        let jobs = Jobs::new(vec![job("a", "incast", 3), job("b", "barrier", 4)]);
        assert_eq!((jobs.ranks(), jobs.running()), (7, vec![("a".to_owned(), 0..3), ("b".to_owned(), 3..7)]));
        for rank in 0..7 {
            let own = if rank < 3 { 0..3 } else { 3..7 };
            for number in 0..jobs.operations(rank) {
                let peer = match jobs.operation(rank, number).work {
                    Work::Send { to, .. } => to,
                    Work::Receive { from, .. } => from.unwrap(),
                    Work::Compute { .. } => continue,
                };
                assert!(own.contains(&peer), "rank {rank} names {peer}");
            }
        }
        assert_eq!(check(&jobs), []);
        assert_eq!(jobs.lengths(), (30, 1));
        assert!(jobs.place(3, 0).starts_with("rank 0 of job b, "), "{}", jobs.place(3, 0));
    }

    #[test]
    fn a_job_alone_has_the_same_ranks() {
        let jobs = Jobs::new(vec![job("a", "incast", 3), job("b", "barrier", 4)]);
        let identity = jobs.identity();
        let alone = jobs.only(1);
        assert_eq!((alone.ranks(), alone.operations(1), alone.operations(4)), (7, 0, 4));
        // Messages of others may be under way, where they ran before.
        assert_eq!((alone.lengths(), alone.known(1)), ((30, 1), 1));
        assert_eq!(alone.running(), [("b".to_owned(), 3..7)]);
        assert!(alone.identity() != identity && check(&alone).is_empty());
        let mut roots = 0;
        alone.roots(0, &mut |_| roots += 1);
        assert_eq!((roots, alone.sends(0)), (0, (0, 0)));
    }
}
