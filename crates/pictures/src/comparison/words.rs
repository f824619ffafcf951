//! Numbers in words and captions.

/// `18 points`, `1 point`.
pub(super) fn count(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number as f64), if number == 1 { "" } else { "s" })
}

/// A number with at most three significant digits behind the point: `0.443`, `12.5`, `1.0`.
pub(super) fn number(value: f64) -> String {
    let decimals = (2.0 - value.abs().max(1e-12).log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.decimals$}")
}

/// A whole number in groups of three digits: `3,891`.
pub(super) fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.4429, 0.05, 12.51, 1.0, 0.0].map(number), ["0.443", "0.0500", "12.5", "1.00", "0.000000"]);
        assert_eq!([0.4, 999.0, 3891.2, 1_234_567.0].map(thousands), ["0", "999", "3,891", "1,234,567"]);
        assert_eq!((count(1, "point"), count(1800, "point")), ("1 point".into(), "1,800 points".into()));
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
