//! Bisection between a load that is carried and one that is not.

/// A search for the largest load that is carried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bisection {
    low: f64,
    high: f64,
    tolerance: f64,
    /// Largest load that was carried, if any was.
    pub carried: Option<f64>,
    /// Smallest load that was not, if any was not.
    pub refused: Option<f64>,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Run this load.
    Try(f64),
    /// The search has ended: the bracket is narrow enough.
    Found,
    /// The search has ended: the highest load is carried.
    AllCarried,
    /// The search has ended: the lowest load is not carried.
    NoneCarried,
}

impl Bisection {
    /// Between two loads, until the bracket is no wider than `tolerance`.
    pub fn new(low: f64, high: f64, tolerance: f64) -> Self {
        Bisection { low, high, tolerance, carried: None, refused: None }
    }

    /// What is to be done next: the lowest load comes first, then the highest.
    pub fn next(&self) -> Next {
        match (self.carried, self.refused) {
            (None, None) => Next::Try(self.low),
            (None, Some(_)) => Next::NoneCarried,
            (Some(carried), None) if carried == self.high => Next::AllCarried,
            (Some(_), None) => Next::Try(self.high),
            (Some(low), Some(high)) => {
                // Beyond the resolution of a float there is nothing between the two.
                let middle = low + (high - low) / 2.0;
                let ends = high - low <= self.tolerance || middle <= low || middle >= high;
                if ends { Next::Found } else { Next::Try(middle) }
            }
        }
    }

    /// Notes a load that was carried.
    pub fn carries(&mut self, load: f64) {
        self.carried = Some(load);
    }

    /// Notes a load that was refused.
    pub fn refuses(&mut self, load: f64) {
        self.refused = Some(load);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(capacity: f64, tolerance: f64) -> (Vec<f64>, Bisection) {
        let (mut bisection, mut tried) = (Bisection::new(0.25, 1.0, tolerance), Vec::new());
        while let Next::Try(load) = bisection.next() {
            tried.push(load);
            if load < capacity { bisection.carries(load) } else { bisection.refuses(load) }
        }
        (tried, bisection)
    }

    #[test]
    fn it_closes_in_on_the_capacity() {
        let (tried, found) = search(0.5, 0.1);
        assert_eq!(tried, [0.25, 1.0, 0.625, 0.4375, 0.53125]);
        assert_eq!((found.carried, found.refused, found.next()), (Some(0.4375), Some(0.53125), Next::Found));
    }

    #[test]
    fn it_ends_at_the_ends_of_the_range() {
        let (tried, found) = search(2.0, 0.1);
        assert_eq!((tried.as_slice(), found.next()), ([0.25, 1.0].as_slice(), Next::AllCarried));
        let (tried, found) = search(0.1, 0.1);
        assert_eq!((tried.as_slice(), found.next()), ([0.25].as_slice(), Next::NoneCarried));
    }

    #[test]
    fn it_ends_where_no_number_lies_between() {
        let (_, found) = search(0.5, 0.0);
        let (low, high) = (found.carried.expect("it carries some"), found.refused.expect("and refuses some"));
        assert!(found.next() == Next::Found && low.next_up() == high, "{low} {high}");
    }
}
