//! Any number of ranks for an algorithm that needs a power of two.
//!
//! Of the first ranks, every odd one folds into the even one before it: it hands over what it has first, sits out, and gets the result last.
//! The others are the core, as many as the largest power of two that is not above the number of ranks.

/// Who is in the core, and who folds into whom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fold {
    ranks: u32,
    core: u32,
}

/// What a rank does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It hands over to this rank.
    Folded(u32),
    /// It is in the core under this index, and this rank folds into it.
    Core(u32, Option<u32>),
}

impl Fold {
    /// The fold of so many ranks, at least 1.
    pub(crate) fn new(ranks: u32) -> Fold {
        Fold { ranks, core: 1 << ranks.ilog2() }
    }

    /// All ranks.
    pub(crate) fn ranks(self) -> u32 {
        self.ranks
    }

    /// Ranks of the core, a power of two.
    pub(crate) fn core(self) -> u32 {
        self.core
    }

    /// Rounds in which each of the core meets each other one by one bit.
    pub(crate) fn rounds(self) -> u32 {
        self.core.ilog2()
    }

    /// Ranks that fold.
    pub(crate) fn folded(self) -> u32 {
        self.ranks - self.core
    }

    /// What a rank does.
    pub(crate) fn role(self, rank: u32) -> Role {
        if rank >= 2 * self.folded() {
            return Role::Core(rank - self.folded(), None);
        }
        match rank % 2 {
            0 => Role::Core(rank / 2, Some(rank + 1)),
            _ => Role::Folded(rank - 1),
        }
    }

    /// The rank of the core with this index.
    pub(crate) fn rank(self, index: u32) -> u32 {
        index + index.min(self.folded())
    }

    /// What a user is told, where ranks fold.
    pub(crate) fn note(self) -> Option<String> {
        let sentence = |who: &str, them: &str| {
            format!(
                "{} ranks are no power of two: {who} into the rank before, \
                 the algorithm runs among {}, and {them} the result last",
                self.ranks, self.core
            )
        };
        match self.folded() {
            0 => None,
            1 => Some(sentence("rank 1 folds", "rank 1 gets")),
            folded => Some(sentence(&format!("the odd ranks from 1 to {} fold", 2 * folded - 1), "they get")),
        }
    }
}
