//! Arbiters of the separable allocators: who wins a contest.

/// A kind of arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arbiter {
    /// The first from the one after the last winner on; at first from number 0 on.
    RoundRobin,
    /// The one that won longest ago; those that never won before all others, the highest number first.
    Matrix,
}

/// An arbiter with its memory.
#[derive(Clone, Debug)]
pub struct Contest {
    kind: Arbiter,
    /// Winners that counted, each once, the latest last.
    winners: Vec<usize>,
}

impl Contest {
    /// An arbiter without a past.
    pub fn new(kind: Arbiter) -> Self {
        Contest { kind, winners: Vec::new() }
    }

    /// Who wins among some, each with its priority: the best of those that have the highest.
    pub fn pick(&self, rivals: &[(usize, u32)]) -> Option<usize> {
        let highest = rivals.iter().map(|&(_, priority)| priority).max()?;
        let best = rivals.iter().filter(|&&(_, priority)| priority == highest).map(|&(rival, _)| rival);
        match self.kind {
            Arbiter::RoundRobin => {
                let next = self.winners.last().map_or(0, |&last| last + 1);
                best.min_by_key(|&rival| (rival < next, rival))
            }
            Arbiter::Matrix => best.min_by_key(|&rival| {
                let won = self.winners.iter().position(|&winner| winner == rival);
                (won.is_some(), won, std::cmp::Reverse(rival))
            }),
        }
    }

    /// The win counts.
    pub fn count(&mut self, winner: usize) {
        self.winners.retain(|&other| other != winner);
        self.winners.push(winner);
    }
}
