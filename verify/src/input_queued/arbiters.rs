//! Arbiters of the separable allocators: who wins a contest.

/// A kind of arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arbiter {
    /// The first from the one after the last winner on; at first from number 0 on.
    RoundRobin,
    /// The one that won longest ago; those that never won before all others, the highest number first.
    Matrix,
    /// So many groups of rivals, equal but for the last; the winners of groups, by a round robin each, meet in one more.
    TreeOfRoundRobins(usize),
    /// The same with matrices.
    TreeOfMatrices(usize),
}

/// An arbiter with its memory.
#[derive(Clone, Debug)]
pub struct Contest {
    kind: Arbiter,
    /// Winners that counted, each once, the latest last; of a tree groups are rivals here.
    winners: Vec<usize>,
    /// The arbiters of groups, and the rivals of each.
    groups: Vec<Contest>,
    each: usize,
}

impl Contest {
    /// An arbiter without a past, for so many rivals.
    pub fn new(kind: Arbiter, rivals: usize) -> Self {
        let (many, kind) = match kind {
            Arbiter::TreeOfRoundRobins(groups) => (groups, Arbiter::RoundRobin),
            Arbiter::TreeOfMatrices(groups) => (groups, Arbiter::Matrix),
            plain => (0, plain),
        };
        let each = rivals.div_ceil(many.max(1)).max(1);
        let groups = (0..many).map(|_| Contest::new(kind, each)).collect();
        Contest { kind, winners: Vec::new(), groups, each }
    }

    /// The winners of all groups, by group and with their priorities.
    fn winners_of_groups(&self, rivals: &[(usize, u64)]) -> Vec<(usize, usize, u64)> {
        let winner = |(number, group): (usize, &Contest)| {
            let of_group = rivals.iter().filter(|(rival, _)| rival / self.each == number);
            let own: Vec<(usize, u64)> = of_group.map(|&(rival, priority)| (rival % self.each, priority)).collect();
            let winner = group.pick(&own)?;
            let priority = own.iter().find(|(rival, _)| *rival == winner).expect("it is one of them").1;
            Some((number, number * self.each + winner, priority))
        };
        self.groups.iter().enumerate().filter_map(winner).collect()
    }

    /// Who wins among some, each with its priority: the best of those that have the highest.
    pub fn pick(&self, rivals: &[(usize, u64)]) -> Option<usize> {
        if !self.groups.is_empty() {
            let winners = self.winners_of_groups(rivals);
            let groups: Vec<(usize, u64)> = winners.iter().map(|&(group, _, priority)| (group, priority)).collect();
            let top = self.best(&groups)?;
            return winners.into_iter().find(|&(group, ..)| group == top).map(|(_, rival, _)| rival);
        }
        self.best(rivals)
    }

    /// The same without groups.
    fn best(&self, rivals: &[(usize, u64)]) -> Option<usize> {
        let highest = rivals.iter().map(|&(_, priority)| priority).max()?;
        let best = rivals.iter().filter(|&&(_, priority)| priority == highest).map(|&(rival, _)| rival);
        match self.kind {
            Arbiter::RoundRobin => {
                let next = self.winners.last().map_or(0, |&last| last + 1);
                best.min_by_key(|&rival| (rival < next, rival))
            }
            _ => best.min_by_key(|&rival| {
                let won = self.winners.iter().position(|&winner| winner == rival);
                (won.is_some(), won, std::cmp::Reverse(rival))
            }),
        }
    }

    /// The win counts.
    pub fn count(&mut self, winner: usize) {
        let winner = match self.groups.get_mut(winner / self.each) {
            Some(group) => {
                group.count(winner % self.each);
                winner / self.each
            }
            None => winner,
        };
        self.winners.retain(|&other| other != winner);
        self.winners.push(winner);
    }
}
