//! Delays in time and rates in bits per second, as cycles and periods.

use super::Options;
use crate::graph::limits;

/// The delay of a link that takes `ns` nanoseconds. Where the length of a cycle is unknown, every link takes as long.
///
/// # Errors
/// For a delay beyond the limit, in words.
pub fn cycles(ns: f64, options: &Options) -> Result<u32, String> {
    if options.cycle_ns <= 0.0 {
        return Ok(options.link_cycles);
    }
    let cycles = (ns / options.cycle_ns).round().max(1.0);
    if cycles > f64::from(limits::CYCLES) {
        let most = limits::CYCLES;
        return Err(format!(
            "a delay of {ns} ns is {cycles} cycles of {} ns; {most} cycles are the most",
            options.cycle_ns
        ));
    }
    Ok(cycles as u32)
}

/// What is to be said where delays are in time and the length of a cycle is unknown.
pub fn note(options: &Options) -> Option<String> {
    let cycles = options.link_cycles;
    (options.cycle_ns <= 0.0).then(|| {
        format!("the file gives delays in time and `cycle_ns` is unknown, so all links have `link_cycles` = {cycles}")
    })
}

/// Cycles from one flit to the next on a link of `rate`, where the fastest one carries a flit each cycle; and whether that is
/// exact.
///
/// # Errors
/// For a rate beyond the limit, in words.
pub fn period(rate: f64, fastest: f64) -> Result<(u32, bool), String> {
    let ratio = fastest / rate;
    let period = ratio.round();
    if period > f64::from(limits::CYCLES) {
        let most = limits::CYCLES;
        return Err(format!("the link is {ratio:.0} times slower than the fastest one; {most} times are the most"));
    }
    Ok((period as u32, (ratio / period - 1.0).abs() < 1e-6))
}

/// A positive number with one of these units behind it, as the number times the factor of the unit.
pub fn quantity(word: &str, units: &[(&str, f64)]) -> Option<f64> {
    let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
    let (_, factor) = units.iter().find(|(unit, _)| *unit == &word[digits..])?;
    let number: f64 = word[..digits].parse().ok()?;
    (number.is_finite() && number > 0.0).then_some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_become_cycles_of_the_length_given() {
        let options = |cycle_ns| Options { link_cycles: 7, cycle_ns };
        assert_eq!(cycles(1000.0, &options(0.0)), Ok(7));
        assert_eq!(cycles(1000.0, &options(2.5)), Ok(400));
        assert_eq!(cycles(0.1, &options(2.5)), Ok(1));
        assert!(cycles(1e6, &options(2.5)).unwrap_err().contains("400000 cycles of 2.5 ns; 4096 cycles are the most"));
        assert!(note(&options(0.0)).is_some() && note(&options(1.0)).is_none());
    }

    #[test]
    fn rates_become_periods() {
        assert_eq!(period(100.0, 400.0), Ok((4, true)));
        assert_eq!(period(300.0, 400.0), Ok((1, false)));
        assert!(period(1.0, 1e6).is_err());
    }

    #[test]
    fn quantities_have_units() {
        let units = [("ns", 1.0), ("us", 1e3)];
        assert_eq!(quantity("1000ns", &units), Some(1000.0));
        assert_eq!(quantity("0.5us", &units), Some(500.0));
        for word in ["", "ns", "1", "1s", "-1ns", "0ns", "1e3ns", "1.2.3us", "."] {
            assert_eq!(quantity(word, &units), None, "{word}");
        }
    }
}
