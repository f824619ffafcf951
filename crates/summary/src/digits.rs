//! How many digits a mean and its interval deserve.
//!
//! The half width is rounded to one significant digit, to two where it begins with 1, and the mean to the same place. A column
//! shares one number of decimals, that of its narrowest interval. No number has more than four significant digits.

use crate::spread::{Interval, NoInterval, Spread};

/// More significant digits than these are never shown.
const MOST_SIGNIFICANT: i32 = 4;

/// The decimals that a column of these shares.
pub fn decimals<'a>(spreads: impl IntoIterator<Item = &'a Spread>) -> usize {
    let spreads: Vec<&Spread> = spreads.into_iter().collect();
    let halves = spreads.iter().filter_map(|spread| spread.half()).filter(|half| *half > 0.0);
    match halves.map(place).max() {
        Some(decimals) => bounded(decimals),
        None => spreads.iter().map(|spread| plain(spread.mean)).max().unwrap_or(0),
    }
}

/// The decimals that a column of numbers without intervals shares.
pub fn plain_decimals(values: impl IntoIterator<Item = f64>) -> usize {
    values.into_iter().map(plain).max().unwrap_or(0)
}

fn plain(value: f64) -> usize {
    if value.fract() == 0.0 { 0 } else { significant(value) }
}

/// The decimals of a half width: one significant digit, two where it begins with 1.
fn place(half: f64) -> i32 {
    let exponent = half.log10().floor();
    let first = (half / 10f64.powf(exponent)).floor();
    if first <= 1.0 { 1 - exponent as i32 } else { -exponent as i32 }
}

/// The decimals of a number with four significant digits.
fn significant(value: f64) -> usize {
    if value == 0.0 || !value.is_finite() {
        return usize::MAX;
    }
    bounded(MOST_SIGNIFICANT - 1 - value.abs().log10().floor() as i32)
}

fn bounded(decimals: i32) -> usize {
    decimals.clamp(0, 9) as usize
}

/// A number with so many decimals, but no more than four significant digits; thousands apart.
pub fn number(value: f64, decimals: usize) -> String {
    with(value, decimals.min(significant(value)))
}

fn with(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), String::new()), |(w, r)| (w, format!(".{r}")));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut out = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + &rest
}

/// A spread in two parts, so that a table can set them apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The mean.
    pub mean: String,
    /// What stands behind it: `± 0.013`, `(199 to 2,078)`, `± ?` for too few seeds, or nothing.
    pub interval: String,
}

/// A spread with so many decimals: `mean ± half`, or `mean (low to high)` where the two halves differ by a fifth or more.
pub fn shown(spread: &Spread, decimals: usize) -> Shown {
    // Mean and interval are rounded at one place, which gives none of them too many digits.
    let uneven = spread.interval().filter(|interval| !is_even(spread.mean, *interval));
    let largest = uneven.map_or(spread.mean, |interval| interval.high.abs().max(interval.low.abs()));
    let decimals = decimals.min(significant(spread.mean)).min(significant(largest));
    let mean = with(spread.mean, decimals);
    let interval = match spread.interval {
        Ok(interval) if interval.high == interval.low => String::new(),
        Ok(interval) if is_even(spread.mean, interval) => format!("± {}", with(interval.half(), decimals)),
        Ok(interval) => format!("({} to {})", with(interval.low, decimals), with(interval.high, decimals)),
        Err(NoInterval::TooFew(_)) => "± ?".to_owned(),
        Err(_) => String::new(),
    };
    Shown { mean, interval }
}

/// `0.322 ± 0.013`.
pub fn words(spread: &Spread, decimals: usize) -> String {
    let Shown { mean, interval } = shown(spread, decimals);
    if interval.is_empty() { mean } else { format!("{mean} {interval}") }
}

/// Whether the two halves differ by less than a fifth.
fn is_even(mean: f64, interval: Interval) -> bool {
    let (down, up) = (mean - interval.low, interval.high - mean);
    (up - down).abs() < down.max(up) / 5.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(mean: f64, low: f64, high: f64) -> Spread {
        Spread { mean, n: 5, interval: Ok(Interval { low, high }) }
    }

    fn even(mean: f64, half: f64) -> Spread {
        spread(mean, mean - half, mean + half)
    }

    #[test]
    fn the_half_width_has_one_digit_or_two_that_begin_with_one() {
        let one = |half: f64| decimals([&even(0.3, half)]);
        assert_eq!([0.013, 0.02, 0.0049, 0.1, 0.2, 1.7, 3.0, 17.0].map(one), [3, 2, 3, 2, 1, 1, 0, 0]);
        assert_eq!(words(&even(0.322, 0.013), 3), "0.322 ± 0.013");
    }

    #[test]
    fn a_column_shares_the_decimals_of_its_narrowest_interval() {
        let column = [even(0.2269, 0.004), even(0.2911, 0.015), even(0.2988, 0.029)];
        let decimals = decimals(&column);
        assert_eq!(column.map(|spread| words(&spread, decimals)), ["0.227 ± 0.004", "0.291 ± 0.015", "0.299 ± 0.029"]);
    }

    #[test]
    fn no_more_than_four_significant_digits() {
        assert_eq!(words(&even(3891.4, 612.3), 2), "3,891 ± 612");
        assert_eq!(words(&even(16.0123, 0.0004), 4), "16.01 ± 0.00");
        assert_eq!([number(41.256, 9), number(0.0, 2), number(1234567.0, 0)], ["41.26", "0.00", "1,234,567"]);
    }

    #[test]
    fn uneven_intervals_name_both_ends() {
        assert_eq!(words(&spread(100.0, 92.0, 109.0), 0), "100 ± 8", "less than a fifth: (109 - 92) / 2 = 8.5");
        assert_eq!(words(&spread(100.0, 90.0, 115.0), 0), "100 (90 to 115)");
        assert_eq!(
            words(&spread(915.1, 683.2, 1225.7), 1),
            "915 (683 to 1,226)",
            "four significant digits at the ends, too"
        );
    }

    #[test]
    fn without_an_interval_the_mean_stands_alone_or_says_so() {
        let none = |reason| Spread { mean: 12.345, n: 2, interval: Err(reason) };
        assert_eq!(words(&none(NoInterval::Fewer), 2), "12.35");
        assert_eq!(words(&none(NoInterval::TooFew(Interval { low: 1.0, high: 40.0 })), 2), "12.35 ± ?");
        assert_eq!(words(&spread(16.0, 16.0, 16.0), 1), "16.0", "all seeds alike");
        assert_eq!(decimals([&none(NoInterval::Fewer)]), 2, "four significant digits");
        assert_eq!((plain_decimals([16.0, 8.0]), plain_decimals([16.0, 0.25])), (0, 4));
    }
}
