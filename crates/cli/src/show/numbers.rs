//! Numbers as people read them.

pub use tailback_summary::names::value as scalar;

/// `value` with three decimals more than its size needs: loads with four, latencies with one or two.
pub fn short(value: f64) -> String {
    match value.abs() {
        _ if !value.is_finite() => "-".to_owned(),
        0.0 => "0".to_owned(),
        size if size < 0.0001 => format!("{value:.1e}"),
        size if size < 1.0 => format!("{value:.4}"),
        size if size < 10.0 => format!("{value:.3}"),
        size if size < 100.0 => format!("{value:.2}"),
        size if size < 100_000.0 => format!("{value:.1}"),
        _ => thousands(value),
    }
}

/// The number, or a dash.
pub fn maybe(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), short)
}

/// A whole number with its thousands apart.
pub fn thousands(value: f64) -> String {
    tailback_summary::digits::number(value, 0)
}

/// `value` in millions, thousands or as it is: `12.3 million`.
pub fn large(value: f64) -> String {
    match value.abs() {
        size if size >= 1e9 => format!("{:.2} billion", value / 1e9),
        size if size >= 1e6 => format!("{:.1} million", value / 1e6),
        _ => thousands(value),
    }
}

/// Bytes in a unit that people read.
pub fn bytes(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", units[unit]) }
}

/// `count` things: `1 point`, `3 points`.
pub fn count(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count as f64), if count == 1 { "" } else { "s" })
}

/// A duration: `0.42 s`, `12.3 s`, `4 min 05 s`.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.2} s"),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{} min {:02} s", (s / 60.0) as u64, (s % 60.0) as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_digits_or_so() {
        let shown = [0.0, 0.123456, 0.00001, 3.21159, 41.25, 812.37, 1_234_567.8, f64::NAN].map(short);
        assert_eq!(shown, ["0", "0.1235", "1.0e-5", "3.212", "41.25", "812.4", "1,234,568", "-"]);
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!([0.0, 999.0, 1000.0, -1234.0, 1e9].map(thousands), ["0", "999", "1,000", "-1,234", "1,000,000,000"]);
    }

    #[test]
    fn sizes_and_times() {
        assert_eq!((bytes(900), bytes(3 << 20)), ("900 bytes".into(), "3.0 MiB".into()));
        assert_eq!((seconds(0.5), seconds(125.0)), ("0.50 s".into(), "2 min 05 s".into()));
        assert_eq!((count(1, "point"), count(2000, "point")), ("1 point".into(), "2,000 points".into()));
    }
}
