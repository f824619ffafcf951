//! How the runs of a point ended, in words: "2 steady, 1 saturated".

use std::fmt;
use tailback_results::Status;

/// Statuses with how many runs had each, in a fixed order; none that no run had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statuses(pub Vec<(Status, usize)>);

const ORDER: [Status; 9] = [
    Status::Steady,
    Status::Completed,
    Status::Saturated,
    Status::Slow,
    Status::Deadlocked,
    Status::Starved,
    Status::Livelocked,
    Status::Stuck,
    Status::Interrupted,
];

impl Statuses {
    /// Counts these.
    pub fn of(statuses: impl IntoIterator<Item = Status>) -> Statuses {
        let all: Vec<Status> = statuses.into_iter().collect();
        let count = |status: Status| (status, all.iter().filter(|other| **other == status).count());
        Statuses(ORDER.into_iter().map(count).filter(|(_, count)| *count > 0).collect())
    }

    /// The status that all runs share.
    pub fn common(&self) -> Option<Status> {
        match self.0[..] {
            [(status, _)] => Some(status),
            _ => None,
        }
    }

    /// `steady` where all runs share it, else `2 steady, 1 saturated`.
    pub fn brief(&self) -> String {
        self.common().map_or_else(|| self.to_string(), |status| status.name().to_owned())
    }
}

/// `2 steady, 1 saturated`, always with counts.
impl fmt::Display for Statuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(|(status, count)| format!("{count} {}", status.name())).collect();
        f.write_str(&words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_counted_in_one_order() {
        let mixed = Statuses::of([Status::Saturated, Status::Steady, Status::Steady]);
        assert_eq!(
            (mixed.to_string(), mixed.brief()),
            ("2 steady, 1 saturated".into(), "2 steady, 1 saturated".into())
        );
        let alike = Statuses::of([Status::Steady; 3]);
        assert_eq!(
            (alike.to_string(), alike.brief(), alike.common()),
            ("3 steady".into(), "steady".into(), Some(Status::Steady))
        );
        assert_eq!((Statuses::of([]).to_string(), Statuses::of([]).common()), (String::new(), None));
    }
}
