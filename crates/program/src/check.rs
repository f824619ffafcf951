//! What is wrong with a program, whoever runs it: peers that do not exist, circles within a rank, messages without a receive and the other way round.

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

/// All that is wrong with a program: one problem of a rank at most, and of peers and circles before anything else. Empty where nothing is.
///
/// Receives of any source or any tag are counted as jokers: what is told is wrong whatever they match.
pub fn check(program: &dyn Program) -> Vec<Problem> {
    let ranks = || 0..program.ranks();
    let mut problems: Vec<Problem> = ranks().filter_map(|rank| peers(program, rank)).collect();
    problems.extend(ranks().filter_map(|rank| circle(program, rank)));
    if problems.is_empty() {
        problems = matching::unmatched(program);
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

/// Operations of a rank that wait for each other. Nothing is asked twice, and nothing calls itself: a rank may be long.
fn circle(program: &dyn Program, rank: u32) -> Option<Problem> {
    let count = program.operations(rank);
    let mut missing: Vec<u32> = (0..count).map(|number| program.operation(rank, number).requirements).collect();
    let mut free: Vec<u32> = (0..count).filter(|&number| missing[number as usize] == 0).collect();
    let mut left = count;
    while let Some(number) = free.pop() {
        left -= 1;
        program.dependants(rank, number, &mut |after, _| {
            missing[after as usize] -= 1;
            if missing[after as usize] == 0 {
                free.push(after);
            }
        });
    }
    if left == 0 {
        return None;
    }
    let circle = trace(program, rank, &missing);
    let number = *circle.first()?;
    let shown: Vec<String> = circle.iter().take(5).map(|&number| program.place(rank, number)).collect();
    let more = if circle.len() > 5 { format!(" and {} more", circle.len() - 5) } else { String::new() };
    let message = match circle.len() {
        1 => format!("this operation of rank {rank} waits for itself"),
        many => format!("{many} operations of rank {rank} wait for each other in a circle: {}{more}", shown.join(", ")),
    };
    Some(Problem::new(program, rank, number, message))
}

/// A circle among those that wait for ever, the lowest number first, each waiting for the one before it.
fn trace(program: &dyn Program, rank: u32, missing: &[u32]) -> Vec<u32> {
    let waits = |number: u32| missing[number as usize] > 0;
    let mut before: Vec<Option<u32>> = vec![None; missing.len()];
    let stuck = || (0..missing.len() as u32).filter(|&number| waits(number));
    for number in stuck() {
        program.dependants(rank, number, &mut |after, _| before[after as usize] = Some(number));
    }
    // Everyone who waits for ever waits for another one who does: after as many steps as there are, this one is in a circle.
    let Some(mut at) = stuck().next() else { return Vec::new() };
    for _ in stuck() {
        at = before[at as usize].unwrap_or(at);
    }
    let mut circle = vec![at];
    let mut next = before[at as usize];
    while let Some(number) = next.filter(|&number| number != at) {
        circle.push(number);
        next = before[number as usize];
    }
    circle.reverse();
    let lowest = circle.iter().zip(0..).min().map_or(0, |(_, place)| place);
    circle.rotate_left(lowest);
    circle
}
