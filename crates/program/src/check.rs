//! What is wrong with a program, whoever runs it: peers that do not exist, circles within a rank, messages without a receive and the other way round.

use crate::circles;
use crate::contract::{Program, Work};
use crate::matching;

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The rank of the operation.
    pub rank: u32,
    /// The operation.
    pub number: u32,
    /// Where the operation stands.
    pub place: String,
    /// What is wrong, in a sentence that names the rank.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(program: &dyn Program, rank: u32, number: u32, message: String) -> Problem {
        Problem { rank, number, place: program.place(rank, number), message }
    }
}

/// All that is wrong with a program: one problem of a rank at most. Peers and circles of dependencies come before anything else, circles through
/// messages of a rank to itself after it. Empty where nothing is.
///
/// Receives of any source or any tag are counted as jokers: what is told is wrong whatever they match.
pub fn check(program: &dyn Program) -> Vec<Problem> {
    let ranks = || 0..program.ranks();
    let mut problems: Vec<Problem> = ranks().filter_map(|rank| peers(program, rank)).collect();
    problems.extend(ranks().filter_map(|rank| circles::of_dependencies(program, rank)));
    if problems.is_empty() {
        problems = matching::unmatched(program);
    }
    if problems.is_empty() {
        problems = ranks().filter_map(|rank| circles::of_own_messages(program, rank)).collect();
    }
    problems
}

fn peers(program: &dyn Program, rank: u32) -> Option<Problem> {
    let ranks = program.ranks();
    (0..program.operations(rank)).find_map(|number| {
        let peer = match program.operation(rank, number).work {
            Work::Send { to, .. } => to,
            Work::Receive { from, .. } => from?,
            Work::Compute { .. } => return None,
        };
        let wrong = || {
            Problem::new(program, rank, number, format!("rank {rank} names rank {peer}, and there are {ranks} ranks"))
        };
        (peer >= ranks).then(wrong)
    })
}
