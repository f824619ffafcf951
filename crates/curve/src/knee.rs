//! The knee: the load at which the mean latency is twice that of an empty network.

/// The knee is where the mean latency is so many times that at zero load.
pub const KNEE: f64 = 2.0;

/// The knee of one seed, between loads straight in the logarithm of the latency. `curve` has the latencies of this seed by
/// ascending load, of loads that are stable; `zero` is the latency without waiting, or that of the first load where it is
/// not known. `None` where latency stays below.
pub fn knee(curve: &[(f64, f64)], zero: Option<f64>) -> Option<f64> {
    let wanted = KNEE * zero.or(Some(curve.first()?.1))?;
    let start = zero.map(|zero| (0.0, zero));
    let all: Vec<(f64, f64)> = start.into_iter().chain(curve.iter().copied()).collect();
    let pair = all.windows(2).find(|pair| pair[1].1 >= wanted)?;
    let ((from, before), (to, after)) = (pair[0], pair[1]);
    Some(from + (to - from) * (wanted / before).ln() / (after / before).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_knee_lies_where_latency_has_doubled() {
        // Between 10 at 2 and 40 at 4, 20 lies in the middle of the logarithms.
        assert_eq!(knee(&[(0.5, 10.0), (2.0, 10.0), (4.0, 40.0), (5.0, 90.0)], None), Some(3.0));
        assert_eq!(knee(&[(1.0, 10.0), (2.0, 20.0), (3.0, 30.0)], None), Some(2.0), "at a point");
        assert_eq!(knee(&[(2.0, 15.0), (4.0, 40.0)], Some(10.0)).map(|load| (load * 1e4).round()), Some(25866.0));
    }

    #[test]
    fn a_first_load_beyond_the_knee_is_joined_to_zero_load() {
        assert_eq!(knee(&[(1.0, 40.0)], Some(10.0)), Some(0.5));
        assert_eq!(knee(&[(1.0, 40.0)], None), None, "without it nobody knows");
    }

    #[test]
    fn latency_that_stays_below_has_no_knee() {
        assert_eq!(
            (knee(&[(1.0, 10.0), (2.0, 19.9)], Some(10.0)), knee(&[], None), knee(&[], Some(1.0))),
            (None, None, None)
        );
    }
}
