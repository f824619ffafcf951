//! Sums over packets, and counts of nodes.

/// Count, sum and extremes of a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many there were.
    pub count: u64,
    /// Their sum.
    pub sum: u64,
    /// The smallest; 0 where there was none.
    pub min: u64,
    /// The largest; 0 where there was none.
    pub max: u64,
}

impl Sum {
    /// Adds one.
    #[inline]
    pub fn add(&mut self, value: u64) {
        self.min = if self.count == 0 { value } else { self.min.min(value) };
        self.max = self.max.max(value);
        self.count += 1;
        self.sum += value;
    }

    /// Adds all of another one.
    pub fn merge(&mut self, other: Sum) {
        if other.count > 0 {
            self.min = if self.count == 0 { other.min } else { self.min.min(other.min) };
            self.max = self.max.max(other.max);
            self.count += other.count;
            self.sum += other.sum;
        }
    }

    /// Mean, smallest and largest; NaN where there was none.
    pub fn extent(&self) -> Extent {
        match self.count {
            0 => Extent { mean: f64::NAN, min: f64::NAN, max: f64::NAN },
            count => Extent { mean: self.sum as f64 / count as f64, min: self.min as f64, max: self.max as f64 },
        }
    }
}

/// Mean, smallest and largest of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The mean.
    pub mean: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

/// A rate of all nodes: the mean, and the nodes with the lowest and the highest, the first of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// What all nodes counted.
    pub count: u64,
    /// Mean, lowest and highest rate, per node and cycle.
    pub extent: Extent,
    /// The node with the lowest.
    pub min_at: usize,
    /// The node with the highest.
    pub max_at: usize,
}

impl Rate {
    /// Of what each node counted in so many cycles.
    pub fn of(counts: &[u64], cycles: u64) -> Rate {
        let place = |better: fn(u64, u64) -> bool| {
            (1..counts.len()).fold(0, |best, node| if better(counts[node], counts[best]) { node } else { best })
        };
        let (min_at, max_at) = (place(|a, b| a < b), place(|a, b| a > b));
        let count: u64 = counts.iter().sum();
        let rate = |count: u64| count as f64 / cycles as f64;
        let extent =
            Extent { mean: rate(count) / counts.len() as f64, min: rate(counts[min_at]), max: rate(counts[max_at]) };
        Rate { count, extent, min_at, max_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_found() {
        let mut sum = Sum::default();
        assert!(sum.extent().mean.is_nan());
        [5, 3, 10].into_iter().for_each(|value| sum.add(value));
        assert_eq!(sum.extent(), Extent { mean: 6.0, min: 3.0, max: 10.0 });
        let rate = Rate::of(&[2, 0, 4, 0, 4], 10);
        assert_eq!((rate.count, rate.min_at, rate.max_at), (10, 1, 2));
        assert_eq!(rate.extent, Extent { mean: 0.2, min: 0.0, max: 0.4 });
    }
}
