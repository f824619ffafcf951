//! Numbers as BookSim prints them: six significant digits.

/// As `std::cout << value` prints it.
pub fn plain(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let written = format!("{value:.5e}");
    let (digits, exponent) = written.split_once('e').expect("it is written with an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent is a number");
    if (-4..6).contains(&exponent) {
        return trimmed(&format!("{value:.*}", (5 - exponent) as usize)).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

/// Without zeros at the end of the fraction.
fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn numbers_have_six_digits() {
        let shown = [0.0, 35.12374, 0.0004, 0.00001, 1_000_000.0, 123_456.7, 0.2, -2.5, 999_999.6, f64::NAN].map(plain);
        let expected = ["0", "35.1237", "0.0004", "1e-05", "1e+06", "123457", "0.2", "-2.5", "1e+06", "nan"];
        assert_eq!(shown, expected);
    }
}
