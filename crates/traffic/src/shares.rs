//! A choice among values that have weights.

/// Values and the random bits below which each is drawn, ascending; the last takes the rest.
pub(crate) struct Shares<T> {
    steps: Vec<(T, u64)>,
}

impl<T: Copy> Shares<T> {
    /// Of values and their weights, finite and not negative, at least one of them positive.
    pub fn new(weighted: &[(T, f64)]) -> Self {
        let total: f64 = weighted.iter().map(|&(_, weight)| weight).sum();
        let mut reached = 0.0;
        let mut steps = Vec::new();
        for &(value, weight) in weighted.iter().filter(|(_, weight)| *weight > 0.0) {
            reached += weight / total;
            // 2^64; the conversion saturates where the sum ends above 1.
            steps.push((value, (reached * 18_446_744_073_709_551_616.0) as u64));
        }
        Shares { steps }
    }

    /// The value chosen by the random bits `draw`.
    pub fn pick(&self, draw: u64) -> T {
        let last = self.steps.len() - 1;
        self.steps[self.steps[..last].partition_point(|&(_, below)| below <= draw)].0
    }

    /// The values that occur.
    pub fn values(&self) -> impl Iterator<Item = T> + '_ {
        self.steps.iter().map(|step| step.0)
    }
}
