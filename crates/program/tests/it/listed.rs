//! A program as lists: what any program says, taken down, and the naive builder of programs.

use std::collections::BTreeSet;
use tailback_program::{Operation, Program, Upon, Work};

/// An operation with all that it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub work: Work,
    pub waits_for: BTreeSet<(u32, Upon)>,
}

/// Operations of every rank.
pub type Lists = Vec<Vec<Listed>>;

/// Takes down a program, and holds it to what the contract says of its parts.
pub fn listed(program: &dyn Program) -> Lists {
    let lists: Lists = (0..program.ranks()).map(|rank| of_rank(program, rank)).collect();
    let mut lengths: Vec<u32> = Vec::new();
    for (rank, list) in (0..).zip(&lists) {
        let sent: Vec<u32> = list.iter().filter_map(|op| sent(op.work)).collect();
        let flits = sent.iter().map(|&flits| u64::from(flits)).sum::<u64>();
        assert_eq!(program.sends(rank), (sent.len() as u64, flits), "rank {rank}");
        lengths.extend(sent);
    }
    let extremes = (lengths.iter().max().copied().unwrap_or(0), lengths.iter().min().copied().unwrap_or(0));
    assert_eq!(program.lengths(), extremes);
    assert!(!program.meets_once() || meet_once(&lists), "a rank sends to another one twice");
    lists
}

/// Whether no rank sends more than one message to another one.
pub fn meet_once(lists: &Lists) -> bool {
    (0..).zip(lists).all(|(rank, list)| {
        let mut met = BTreeSet::new();
        let mut sends = list.iter().filter_map(|op| match op.work {
            Work::Send { to, .. } => Some(to),
            _ => None,
        });
        sends.all(|to| to == rank || met.insert(to))
    })
}

fn sent(work: Work) -> Option<u32> {
    match work {
        Work::Send { flits, .. } => Some(flits),
        _ => None,
    }
}

fn of_rank(program: &dyn Program, rank: u32) -> Vec<Listed> {
    let count = program.operations(rank);
    let operations: Vec<Operation> = (0..count).map(|number| program.operation(rank, number)).collect();
    let mut list: Vec<Listed> =
        operations.iter().map(|op| Listed { work: op.work, waits_for: BTreeSet::new() }).collect();
    let mut requirements = vec![0; count as usize];
    for number in 0..count {
        let mut last = None;
        program.dependants(rank, number, &mut |dependant, upon| {
            assert!(last.is_none_or(|last| last <= (dependant, upon)), "rank {rank}: {number} names {dependant} late");
            last = Some((dependant, upon));
            assert!(
                upon == Upon::Finish || program.has_starts(),
                "rank {rank}: {number} is waited for from its start on"
            );
            list[dependant as usize].waits_for.insert((number, upon));
            requirements[dependant as usize] += 1;
        });
        assert!(!program.place(rank, number).is_empty());
    }
    let counted: Vec<u32> = operations.iter().map(|op| op.requirements).collect();
    assert_eq!(requirements, counted, "requirements of rank {rank}");
    let mut roots = Vec::new();
    program.roots(rank, &mut |number| roots.push(number));
    let free: Vec<u32> = (0..count).filter(|&number| counted[number as usize] == 0).collect();
    assert_eq!(roots, free, "roots of rank {rank}");
    list
}

/// Lists in the making.
#[derive(Debug, Default)]
pub struct Draft {
    pub lists: Lists,
}

impl Draft {
    pub fn new(ranks: u32) -> Draft {
        Draft { lists: vec![Vec::new(); ranks as usize] }
    }

    /// Adds an operation that waits for others to finish, and gives its number.
    pub fn add(&mut self, rank: u32, work: Work, after: &[Option<u32>]) -> u32 {
        let waits_for = after.iter().flatten().map(|&number| (number, Upon::Finish)).collect();
        self.lists[rank as usize].push(Listed { work, waits_for });
        self.lists[rank as usize].len() as u32 - 1
    }

    pub fn also(&mut self, rank: u32, number: u32, upon: (u32, Upon)) {
        self.lists[rank as usize][number as usize].waits_for.insert(upon);
    }
}

pub fn send(to: u32, flits: u32, tag: u32) -> Work {
    Work::Send { to, flits, tag }
}

pub fn receive(from: u32, flits: u32, tag: u32) -> Work {
    Work::Receive { from: Some(from), tag: Some(tag), flits }
}
