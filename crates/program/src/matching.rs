//! Which sends and receives have no partner, counted by source, destination and tag.

use crate::check::Problem;
use crate::contract::{Program, Work};

/// A send as its destination sees it: source, tag, number at the source.
pub(crate) type Sent = (u32, u32, u32);

/// Sends of a program, by destination.
#[derive(Debug)]
pub(crate) struct Arrivals {
    sent: Vec<Sent>,
    /// Where those of a destination begin.
    begin: Vec<usize>,
}

impl Arrivals {
    /// All sends, in order of source, tag and number for each destination.
    pub(crate) fn of(program: &dyn Program) -> Arrivals {
        let ranks = program.ranks() as usize;
        let mut begin = vec![0; ranks + 1];
        each_send(program, |to, _| begin[to as usize + 1] += 1);
        for rank in 0..ranks {
            begin[rank + 1] += begin[rank];
        }
        let mut sent = vec![(0, 0, 0); begin[ranks]];
        let mut next = begin.clone();
        each_send(program, |to, send| {
            sent[next[to as usize]] = send;
            next[to as usize] += 1;
        });
        for rank in 0..ranks {
            sent[begin[rank]..begin[rank + 1]].sort_unstable();
        }
        Arrivals { sent, begin }
    }

    /// Those of a destination.
    pub(crate) fn at(&self, rank: u32) -> &[Sent] {
        &self.sent[self.begin[rank as usize]..self.begin[rank as usize + 1]]
    }
}

fn each_send(program: &dyn Program, mut each: impl FnMut(u32, Sent)) {
    for rank in 0..program.ranks() {
        for number in 0..program.operations(rank) {
            if let Work::Send { to, tag, .. } = program.work(rank, number) {
                each(to, (rank, tag, number));
            }
        }
    }
}

/// Receives of a rank, each list in order.
#[derive(Debug, Default)]
pub(crate) struct Receives {
    /// Source, tag, number.
    pub(crate) exact: Vec<Sent>,
    /// Of any tag: source, number.
    pub(crate) of_source: Vec<(u32, u32)>,
    /// Of any source: tag, number.
    pub(crate) of_tag: Vec<(u32, u32)>,
    /// Of any source and tag: number.
    pub(crate) of_any: Vec<u32>,
}

impl Receives {
    pub(crate) fn of(program: &dyn Program, rank: u32) -> Receives {
        let mut found = Receives::default();
        for number in 0..program.operations(rank) {
            match program.work(rank, number) {
                Work::Receive { from: Some(from), tag: Some(tag), .. } => found.exact.push((from, tag, number)),
                Work::Receive { from: Some(from), tag: None, .. } => found.of_source.push((from, number)),
                Work::Receive { from: None, tag: Some(tag), .. } => found.of_tag.push((tag, number)),
                Work::Receive { from: None, tag: None, .. } => found.of_any.push(number),
                Work::Send { .. } | Work::Compute { .. } => {}
            }
        }
        // PERF: mostly these are a few runs, which are merged.
        found.exact.sort();
        found.of_source.sort_unstable();
        found.of_tag.sort_unstable();
        found
    }

    /// Whether no receive takes what comes.
    pub(crate) fn are_exact(&self) -> bool {
        self.of_source.is_empty() && self.of_tag.is_empty() && self.of_any.is_empty()
    }
}

/// One problem of a rank at most: a receive without a send first, otherwise a send without a receive.
pub(crate) fn unmatched(program: &dyn Program) -> Vec<Problem> {
    let arrivals = Arrivals::of(program);
    (0..program.ranks()).filter_map(|rank| at(program, rank, arrivals.at(rank))).collect()
}

fn at(program: &dyn Program, rank: u32, sent: &[Sent]) -> Option<Problem> {
    let receives = Receives::of(program, rank);
    let rest = match subtract(sent, &receives.exact) {
        Ok(rest) => rest,
        Err((from, tag, number)) => {
            let what = format!("rank {from} sends too few messages with tag {tag}");
            return Some(never(program, rank, number, &what));
        }
    };
    let mut sources: Vec<u32> = rest.iter().map(|&(source, ..)| source).collect();
    sources.sort_unstable();
    if let Some((from, number)) = excess(&receives.of_source, &sources) {
        return Some(never(program, rank, number, &format!("rank {from} sends too few messages")));
    }
    let mut tags: Vec<u32> = rest.iter().map(|&(_, tag, _)| tag).collect();
    tags.sort_unstable();
    if let Some((tag, number)) = excess(&receives.of_tag, &tags) {
        return Some(never(program, rank, number, &format!("too few messages with tag {tag} are sent to it")));
    }
    let jokers = receives.of_source.len() + receives.of_tag.len() + receives.of_any.len();
    if jokers > rest.len() {
        let number = *receives.of_any.last().or(receives.of_tag.last().map(|(_, number)| number))?;
        return Some(never(program, rank, number, "too few messages are sent to it"));
    }
    let &(source, tag, number) = rest.last().filter(|_| jokers < rest.len())?;
    let message = format!(
        "rank {source} sends rank {rank} a message with tag {tag} that rank {rank} never receives; \
         add a receive, or take the send out"
    );
    Some(Problem::new(program, source, number, message))
}

fn never(program: &dyn Program, rank: u32, number: u32, why: &str) -> Problem {
    let message = format!("rank {rank} receives what is never sent: {why}; add a send, or take the receive out");
    Problem::new(program, rank, number, message)
}

/// Sends that no exact receive takes, or a receive that none of them meets. Both lists are in order.
fn subtract(sent: &[Sent], exact: &[Sent]) -> Result<Vec<Sent>, Sent> {
    let mut rest = Vec::new();
    let mut receives = exact.iter().peekable();
    for &send in sent {
        let kind = |it: Sent| (it.0, it.1);
        match receives.peek() {
            Some(&&receive) if kind(receive) < kind(send) => return Err(receive),
            Some(&&receive) if kind(receive) == kind(send) => {
                receives.next();
            }
            _ => rest.push(send),
        }
    }
    receives.next().map_or(Ok(rest), |&receive| Err(receive))
}

/// The first receive whose source or tag is not left often enough. Both lists are in order.
fn excess(receives: &[(u32, u32)], left: &[u32]) -> Option<(u32, u32)> {
    let mut at = 0;
    for &(key, number) in receives {
        while left.get(at).is_some_and(|&other| other < key) {
            at += 1;
        }
        if left.get(at) != Some(&key) {
            return Some((key, number));
        }
        at += 1;
    }
    None
}
