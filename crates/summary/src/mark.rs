//! How a point is marked in pictures and tables.

use tailback_results::Status;

/// The mark of a point, by how its runs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Filled: all runs steady, or completed.
    Filled,
    /// Hollow: some run saturated, or had not ended at its limit.
    Hollow,
    /// Half filled: some run was interrupted.
    Half,
    /// Crossed: some run deadlocked, starved, livelocked or got stuck.
    Crossed,
}

impl Mark {
    /// The mark of these statuses. What is worse wins: crossed, half filled, hollow, filled.
    pub fn of(statuses: impl IntoIterator<Item = Status>) -> Mark {
        statuses.into_iter().map(Mark::of_one).max_by_key(|mark| *mark as u8).unwrap_or(Mark::Half)
    }

    fn of_one(status: Status) -> Mark {
        match status {
            Status::Steady | Status::Completed => Mark::Filled,
            Status::Saturated | Status::Slow => Mark::Hollow,
            Status::Interrupted => Mark::Half,
            Status::Deadlocked | Status::Starved | Status::Livelocked | Status::Stuck => Mark::Crossed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Status::*;

    #[test]
    fn the_worst_status_decides() {
        assert_eq!(Mark::of([Steady, Completed]), Mark::Filled);
        assert_eq!(Mark::of([Steady, Saturated]), Mark::Hollow);
        assert_eq!(Mark::of([Slow]), Mark::Hollow);
        assert_eq!(Mark::of([Saturated, Interrupted]), Mark::Half);
        assert_eq!(Mark::of([Interrupted, Starved, Steady]), Mark::Crossed);
        assert_eq!(Mark::of([]), Mark::Half, "nothing has ended");
    }
}
