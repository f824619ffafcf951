//! How numbers are told: over seeds, with their spread, and to three digits.

use tailback_results::statistics::Summary;

/// How many seeds, and how far they lie apart.
pub fn seeds(summary: Option<Summary>) -> String {
    let Some(summary) = summary else { return "no value".to_owned() };
    let half = summary.half_width.map_or(String::new(), |half| format!(", 95 % interval ± {}", short(half)));
    format!("{} seed{}{half}", summary.count, if summary.count == 1 { "" } else { "s" })
}

/// Three significant digits.
pub fn short(value: f64) -> String {
    let digits = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    let decimals = (2.0 - digits).clamp(0.0, 6.0) as usize;
    format!("{value:.decimals$}")
}

/// Three significant digits, or that there is nothing.
pub fn shown(value: Option<f64>) -> String {
    value.map_or("none".to_owned(), short)
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!([0.0, 0.123_45, 12.34, 2838.0, 0.000_01].map(short), ["0.00", "0.123", "12.3", "2838", "0.000010"]);
    }
}
