//! Differences under common random numbers: the same seeds in both, ratio by ratio.

use crate::points::{Point, number};
use crate::spread::{FEWEST, Interval};
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::collections::BTreeMap;
use tailback_results::statistics::summarise;

/// What can be said of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The two differ at the 5 % level, after Holm's correction over all that are compared with the same reference.
    Differs,
    /// No difference is shown. That is not the same as equal.
    NotShown,
    /// Fewer than three common seeds, or values that have no ratio: nothing can be said.
    Unknown,
}

/// How something compares with a reference, seed by seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Geometric mean of the ratios to the reference over the common seeds.
    pub ratio: f64,
    /// 95 % interval of the ratio, of this comparison alone; `None` below three common seeds.
    pub interval: Option<Interval>,
    /// Number of common seeds.
    pub seeds: usize,
    /// Two-sided p value of "the ratio is 1", of this comparison alone.
    pub p: Option<f64>,
    /// The p value after Holm's correction.
    pub adjusted: Option<f64>,
    /// What can be said.
    pub verdict: Verdict,
}

/// Values by seed.
pub type BySeed = BTreeMap<u64, f64>;

/// The values of a column by seed, over the finished runs of a point.
pub fn by_seed(point: &Point, column: &str) -> BySeed {
    point.finished().filter_map(|record| Some((record.seed, number(record, column)?))).collect()
}

/// Compares all but the first with the first. A `None` stands for the first itself, and for what has no common seed with it
/// or a value that is not positive.
pub fn against_first(samples: &[BySeed]) -> Vec<Option<Difference>> {
    let Some((reference, others)) = samples.split_first() else { return Vec::new() };
    let mut differences: Vec<Option<Difference>> = others.iter().map(|other| difference(other, reference)).collect();
    adjust(&mut differences);
    std::iter::once(None).chain(differences).collect()
}

/// One comparison, without a correction: that of two.
pub fn difference(of: &BySeed, reference: &BySeed) -> Option<Difference> {
    let pairs = of.iter().filter_map(|(seed, x)| Some((*x, *reference.get(seed)?)));
    let logarithms: Vec<f64> = pairs.map(|(x, y)| (x / y).ln()).collect();
    let summary = summarise(&logarithms)?;
    let seeds = summary.count;
    let half = summary.half_width.filter(|_| seeds >= FEWEST);
    let interval = half.map(|half| Interval { low: (summary.mean - half).exp(), high: (summary.mean + half).exp() });
    let p = interval.and_then(|_| p_value(&logarithms, summary.mean));
    let mut difference =
        Difference { ratio: summary.mean.exp(), interval, seeds, p, adjusted: None, verdict: Verdict::Unknown };
    difference.judge(p);
    Some(difference)
}

impl Difference {
    fn judge(&mut self, adjusted: Option<f64>) {
        self.adjusted = adjusted;
        self.verdict = match adjusted {
            Some(p) if p < 0.05 => Verdict::Differs,
            Some(_) => Verdict::NotShown,
            None => Verdict::Unknown,
        };
    }

    /// Whether a difference is shown.
    pub fn differs(&self) -> bool {
        self.verdict == Verdict::Differs
    }

    /// The difference: `+28 %`, with a star where it is shown.
    pub fn words(&self) -> String {
        let star = if self.differs() { " *" } else { "" };
        format!("{}{star}", percent(self.ratio))
    }

    /// Its interval: `+21 to +36`, in percent; empty where there is none.
    pub fn interval_words(&self) -> String {
        let bare = |ratio: f64| percent(ratio).trim_end_matches(" %").to_owned();
        self.interval.map_or(String::new(), |i| format!("{} to {}", bare(i.low), bare(i.high)))
    }
}

/// A ratio as a difference in whole percent: `+28 %`, `-3 %`, `0 %`. From twice on it stays a factor: `2.4 times`.
fn percent(ratio: f64) -> String {
    let change = (ratio - 1.0) * 100.0;
    match change.round() {
        0.0 => "0 %".to_owned(),
        whole if whole.abs() < 1e4 => format!("{whole:+} %"),
        _ => format!("{change:+.1e} %"),
    }
}

/// Holm's correction of p values, in their order.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        least = least.max((p_values[index] * (p_values.len() - rank) as f64).min(1.0));
        adjusted[index] = least;
    }
    adjusted
}

/// Corrects the p values of comparisons with one reference by Holm's method, and judges them.
pub fn adjust(differences: &mut [Option<Difference>]) {
    let known: Vec<f64> = differences.iter().flatten().filter_map(|difference| difference.p).collect();
    let mut adjusted = holm(&known).into_iter();
    for difference in differences.iter_mut().flatten() {
        let p = difference.p.and_then(|_| adjusted.next());
        difference.judge(p);
    }
}

/// Two-sided p value of the mean of these being 0.
fn p_value(values: &[f64], mean: f64) -> Option<f64> {
    let n = values.len() as f64;
    let variance = tailback_results::statistics::variance(values)?;
    if variance == 0.0 {
        return Some(if mean == 0.0 { 1.0 } else { 0.0 });
    }
    let t = mean / (variance / n).sqrt();
    Some(2.0 * StudentsT::new(0.0, 1.0, n - 1.0).ok()?.sf(t.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::points;
    use crate::test_support::run;
    use proptest::prelude::*;

    fn sample(values: &[f64]) -> BySeed {
        (1..).zip(values.iter().copied()).collect()
    }

    #[test]
    fn p_values_are_those_of_the_tables() {
        // t = 4.302653 at 2 degrees of freedom is the 5 % point: mean 4.302653 with a standard error of 1.
        let spread = 3.0_f64.sqrt();
        let values = [4.302_653 - spread, 4.302_653, 4.302_653 + spread];
        assert!((p_value(&values, 4.302_653).expect("three values") - 0.05).abs() < 1e-6);
    }

    #[test]
    fn pairing_sees_what_the_spread_of_the_seeds_hides() {
        let off = sample(&[100.0, 140.0, 90.0, 180.0]);
        let faster = sample(&[91.0, 126.0, 80.0, 163.0]);
        let told = against_first(&[off.clone(), faster, off.clone()]);
        assert_eq!(told[0], None);
        let difference = told[1].expect("common seeds");
        assert!(difference.differs() && difference.words() == "-10 % *", "{difference:?}");
        let interval = difference.interval.expect("four seeds");
        assert!(interval.high < 1.0 && interval.low < difference.ratio);
        let same = told[2].expect("common seeds");
        assert_eq!((same.verdict, same.words().as_str(), same.p), (Verdict::NotShown, "0 %", Some(1.0)));
    }

    #[test]
    fn only_common_seeds_count_and_two_are_too_few() {
        let off = sample(&[1.0, 2.0, 3.0]);
        let other = BySeed::from([(2, 4.0), (3, 6.0), (9, 1.0)]);
        let told = difference(&other, &off).expect("two common seeds");
        assert_eq!((told.seeds, told.interval, told.verdict), (2, None, Verdict::Unknown));
        assert_eq!((told.words().as_str(), told.interval_words().as_str()), ("+100 %", ""));
        assert_eq!(difference(&BySeed::from([(9, 1.0)]), &off), None, "no common seed");
        assert_eq!(difference(&sample(&[0.0, 1.0, 1.0]), &off), None, "no ratio that has a logarithm");
    }

    #[test]
    fn holm_multiplies_the_least_by_the_most_and_keeps_the_order() {
        assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
        assert_eq!(holm(&[0.9, 0.5]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
        let p =
            |p| Some(Difference { p: Some(p), ..difference(&sample(&[1.0; 3]), &sample(&[1.0; 3])).expect("seeds") });
        let mut three = [p(0.01), p(0.04), p(0.03)];
        adjust(&mut three);
        let verdicts: Vec<bool> = three.iter().flatten().map(Difference::differs).collect();
        assert_eq!(verdicts, [true, false, false], "0.04 alone would differ, corrected it does not");
    }

    #[test]
    fn values_come_from_the_finished_runs_of_a_point() {
        let records = [run("off", 0.25, 1, "a"), run("off", 0.25, 4, "b")];
        assert_eq!(by_seed(&points(&records)[0], "accepted_load"), BySeed::from([(1, 0.25), (4, 0.25)]));
    }

    proptest! {
        #[test]
        fn the_interval_leaves_out_one_exactly_where_p_is_below_five_percent(
            pairs in proptest::collection::vec((5.0..15.0, 5.0..15.0), 3..12),
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let told = difference(&sample(&x), &sample(&y)).expect("positive values");
            let interval = told.interval.expect("three seeds");
            let outside = interval.low > 1.0 || interval.high < 1.0;
            let p = told.p.expect("three seeds");
            prop_assert!((p - 0.05).abs() < 1e-6 || outside == (p < 0.05), "{told:?}");
        }
    }
}
