//! Paired comparison: the same seeds with and without a mechanism.
//!
//! Pairing by seed removes what the traffic does to both, so that few seeds show small effects.

use super::{Summary, summarise};

/// How sample `a` compares with sample `b`, pair by pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Mean of `a - b`, in the samples' unit.
    pub difference: Summary,
}

impl Comparison {
    /// The interval of the difference leaves out 0.
    pub fn significant(&self) -> bool {
        self.difference.half_width.is_some_and(|half_width| self.difference.mean.abs() > half_width)
    }
}

/// Compares paired samples, the values at one index coming from one seed.
///
/// `None` for unequal lengths, empty samples, or a value that is not finite.
pub fn compare_paired(a: &[f64], b: &[f64]) -> Option<Comparison> {
    if a.len() != b.len() {
        return None;
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    Some(Comparison { difference: summarise(&differences)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairing_shows_what_the_spread_of_the_seeds_hides() {
        let b = [100.0, 140.0, 90.0, 180.0];
        let a = [91.0, 130.0, 79.0, 170.0];
        let comparison = compare_paired(&a, &b).unwrap();
        assert_eq!(comparison.difference.mean, -10.0);
        assert!(comparison.significant());
        let (a_alone, b_alone) = (summarise(&a).unwrap(), summarise(&b).unwrap());
        assert!(a_alone.mean + a_alone.half_width.unwrap() > b_alone.mean, "unpaired, the two overlap");
    }

    #[test]
    fn samples_that_are_the_same_do_not_differ() {
        let same = compare_paired(&[3.0, 4.0, 5.0], &[3.0, 4.0, 5.0]).unwrap();
        assert_eq!((same.difference.mean, same.difference.half_width), (0.0, Some(0.0)));
        assert!(!same.significant());
    }

    #[test]
    fn samples_that_cannot_be_compared() {
        assert_eq!(compare_paired(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(compare_paired(&[], &[]), None);
        assert_eq!(compare_paired(&[f64::NAN], &[1.0]), None);
        assert!(!compare_paired(&[1.0], &[2.0]).unwrap().significant(), "a single pair shows nothing");
    }
}
