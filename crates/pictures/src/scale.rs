//! Axis spans and tick marks, shared by SVG and terminal plots.

/// Values beyond this are treated as infinite, those nearer to zero than its inverse as zero: spans never overflow.
pub(crate) const LARGEST: f64 = 1e300;

/// The values an axis shows, `lo < hi`; on a logarithmic axis `lo > 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) log: bool,
}

/// A labelled tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// Ticks of one axis; labels are to be multiplied by ten to the `exponent`, which belongs into the axis title.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Ticks {
    pub(crate) major: Vec<Tick>,
    pub(crate) minor: Vec<f64>,
    pub(crate) exponent: i32,
}

impl Span {
    /// Whether the axis can show `value` at all (finite, positive on a logarithmic axis), in or out of the span.
    pub(crate) fn shows(&self, value: f64) -> bool {
        value.abs() < LARGEST && (!self.log || value > 1.0 / LARGEST)
    }

    /// Where `value` lies, 0 at `lo`, 1 at `hi`; none for what the axis cannot show.
    pub(crate) fn fraction(&self, value: f64) -> Option<f64> {
        if !self.shows(value) {
            return None;
        }
        Some(if self.log {
            (value.log10() - self.lo.log10()) / (self.hi.log10() - self.lo.log10())
        } else {
            (value - self.lo) / (self.hi - self.lo)
        })
    }

    /// About `target` ticks at round numbers.
    pub(crate) fn ticks(&self, target: usize) -> Ticks {
        if self.log {
            let ticks = self.log_ticks(target.max(2));
            if ticks.major.len() >= 2 {
                return ticks;
            }
        }
        self.linear_ticks(target.max(2))
    }

    fn linear_ticks(&self, target: usize) -> Ticks {
        self.ticks_at(near_step((self.hi - self.lo) / target as f64))
    }

    /// Ticks at the multiples of `step`, on a linear axis; as few decimals as tell them apart.
    pub(crate) fn ticks_at(&self, step: f64) -> Ticks {
        let largest = self.lo.abs().max(self.hi.abs());
        let exponent = match largest {
            l if !(1e-3..1e5).contains(&l) => (l.log10() / 3.0).floor() as i32 * 3,
            _ => 0,
        };
        let unit = 10f64.powi(exponent);
        let decimals = (-(step / unit).log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize;
        let (first, last) = ((self.lo / step - 1e-6).ceil() as i64, (self.hi / step + 1e-6).floor() as i64);
        // The bound only matters where a span is too narrow for its numbers.
        let major = (first..=last).take(50).map(|i| {
            let at = i as f64 * step;
            Tick { at, label: signed(format!("{:.decimals$}", at / unit)) }
        });
        Ticks { major: major.collect(), minor: Vec::new(), exponent }
    }

    fn log_ticks(&self, target: usize) -> Ticks {
        let (low, high) = (self.lo.log10(), self.hi.log10());
        let (first, last) = ((low - 1e-9).ceil() as i32, (high + 1e-9).floor() as i32);
        let decades = (last - first + 1).max(0) as usize;
        let stride = decades.div_ceil(target).max(1);
        let multiples: &[i32] = if decades >= 3 { &[1] } else { &[1, 2, 5] };
        let plain = first >= -3 && last <= 4;
        let inside = |at: f64| at.log10() >= low - 1e-9 && at.log10() <= high + 1e-9;
        let mut ticks = Ticks::default();
        for decade in first - 1..=last {
            let unit = 10f64.powi(decade);
            for m in (1..10).filter(|m| inside(f64::from(*m) * unit)) {
                let at = f64::from(m) * unit;
                if multiples.contains(&m) && (decade - first).rem_euclid(stride as i32) == 0 {
                    ticks.major.push(Tick { at, label: power_label(m, decade, plain) });
                } else if stride == 1 || m == 1 {
                    ticks.minor.push(at);
                }
            }
        }
        ticks
    }
}

/// Smallest of 1, 2, 5 times a power of ten that is not below `raw`.
pub(crate) fn nice_step(raw: f64) -> f64 {
    let unit = 10f64.powi(raw.log10().floor() as i32);
    [1.0, 2.0, 5.0].into_iter().map(|m| m * unit).find(|s| *s >= raw * (1.0 - 1e-9)).unwrap_or(10.0 * unit)
}

/// Like [`nice_step`], but content with a step up to 15 percent below `raw`.
fn near_step(raw: f64) -> f64 {
    nice_step(raw / 1.15)
}

/// Typographic minus; no minus before zero.
fn signed(text: String) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().any(|c| c.is_ascii_digit() && c != '0') => format!("−{rest}"),
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

fn power_label(multiple: i32, decade: i32, plain: bool) -> String {
    if plain {
        return format!("{:.*}", (-decade).max(0) as usize, f64::from(multiple) * 10f64.powi(decade));
    }
    let power = format!("10{}", superscript(decade));
    if multiple == 1 { power } else { format!("{multiple}·{power}") }
}

fn superscript(value: i32) -> String {
    value.to_string().chars().map(raised).collect()
}

fn raised(c: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize])
}

/// `10³`: a power of ten; nothing for the one that is 1.
pub(crate) fn power(exponent: i32) -> String {
    if exponent == 0 { String::new() } else { format!("10{}", superscript(exponent)) }
}

/// Axis title: the label, then power of ten and unit in square brackets where there are any.
pub(crate) fn axis_title(label: &str, unit: &str, exponent: i32) -> String {
    let power = power(exponent);
    match (power.is_empty(), unit.is_empty()) {
        (true, true) => label.to_owned(),
        (true, false) => format!("{label} [{unit}]"),
        (false, true) => format!("{label} [{power}]"),
        (false, false) => format!("{label} [{power} {unit}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(lo: f64, hi: f64, log: bool) -> (Vec<String>, i32) {
        let ticks = Span { lo, hi, log }.ticks(6);
        (ticks.major.into_iter().map(|t| t.label).collect(), ticks.exponent)
    }

    #[test]
    fn linear_ticks_are_round_numbers() {
        assert_eq!(labels(0.0, 0.53, false).0, ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(labels(0.0, 40000.0, false).0, ["0", "10000", "20000", "30000", "40000"]);
        assert_eq!(labels(-0.1, 0.1, false).0, ["−0.10", "−0.05", "0.00", "0.05", "0.10"]);
    }

    #[test]
    fn large_and_small_ticks_share_a_power_of_ten() {
        assert_eq!(labels(0.0, 2e6, false), (["0.0", "0.5", "1.0", "1.5", "2.0"].map(String::from).to_vec(), 6));
        assert_eq!(labels(0.0, 4e-7, false), (["0", "100", "200", "300", "400"].map(String::from).to_vec(), -9));
        assert_eq!(axis_title("Cycle", "cycles", 3), "Cycle [10³ cycles]");
        assert_eq!(axis_title("Share", "", -6), "Share [10⁻⁶]");
    }

    #[test]
    fn log_ticks_are_decades_or_their_1_2_5() {
        assert_eq!(labels(1.0, 10000.0, true).0, ["1", "10", "100", "1000", "10000"]);
        assert_eq!(labels(0.05, 0.6, true).0, ["0.05", "0.1", "0.2", "0.5"]);
        assert_eq!(labels(1e-9, 1e9, true).0, ["10⁻⁹", "10⁻⁵", "10⁻¹", "10³", "10⁷"]);
        assert_eq!(labels(31.0, 39.0, true).0, ["32", "34", "36", "38"], "no decade inside: linear steps");
    }

    #[test]
    fn fractions_respect_the_scale() {
        let log = Span { lo: 1.0, hi: 100.0, log: true };
        assert_eq!(log.fraction(10.0), Some(0.5));
        assert_eq!((log.fraction(0.0), log.fraction(f64::NAN), log.fraction(f64::INFINITY)), (None, None, None));
    }

    #[test]
    fn extreme_spans_give_a_bounded_number_of_ticks() {
        for (lo, hi) in [(-1e300, 1e300), (0.0, 1e-300), (1e15, 1e15 + 1e6), (-1.0, 1e300)] {
            let ticks = Span { lo, hi, log: false }.ticks(6);
            assert!((2..=13).contains(&ticks.major.len()), "{lo} {hi}: {ticks:?}");
        }
        assert!(Span { lo: 1e-299, hi: 1e299, log: true }.ticks(6).major.len() <= 7);
    }
}
