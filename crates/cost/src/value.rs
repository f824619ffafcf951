//! Numbers that know where they come from.

/// Where a number comes from, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The paper gives it.
    Measured,
    /// It lies between numbers that the paper gives.
    Interpolated,
    /// It lies beyond them, or carries one over to another router.
    Extrapolated,
}

impl Source {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Source::Measured => "measured",
            Source::Interpolated => "interpolated",
            Source::Extrapolated => "extrapolated",
        }
    }
}

/// A number, where it comes from, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The number; its unit is that of the field.
    pub number: f64,
    /// Where it comes from.
    pub source: Source,
    /// The table of the paper, or the rule.
    pub rule: String,
}

impl Value {
    /// A number that the paper gives.
    pub(crate) fn measured(number: f64, table: &str) -> Value {
        Value { number, source: Source::Measured, rule: table.to_owned() }
    }

    /// The same number for a case that the paper does not give.
    pub(crate) fn carried(self, why: &str) -> Value {
        Value { source: Source::Extrapolated, rule: format!("{}, {why}", self.rule), ..self }
    }
}

/// Points that the paper gives, in ascending order, and what stands on their axes.
pub(crate) struct Line<'a> {
    pub points: &'a [(f64, f64)],
    /// The table of the paper.
    pub table: &'a str,
    /// What the line is over, as in "linear in crosspoints".
    pub over: &'a str,
}

impl Line<'_> {
    /// The value at `x`: of a point, or of the line through the two nearest. There are at least two points.
    pub fn at(&self, x: f64) -> Value {
        if let Some((_, y)) = self.points.iter().find(|(at, _)| *at == x) {
            return Value::measured(*y, self.table);
        }
        let last = self.points.len() - 1;
        let right = self.points.partition_point(|(at, _)| *at < x).clamp(1, last);
        let ((x0, y0), (x1, y1)) = (self.points[right - 1], self.points[right]);
        let inside = self.points[0].0 < x && x < self.points[last].0;
        let source = if inside { Source::Interpolated } else { Source::Extrapolated };
        let rule = format!("linear in {} through {}", self.over, self.table);
        Value { number: y0 + (x - x0) * (y1 - y0) / (x1 - x0), source, rule }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [(f64, f64); 3] = [(32.0, 0.41), (64.0, 0.59), (128.0, 0.94)];

    fn line() -> Line<'static> {
        Line { points: &POINTS, table: "table 1", over: "phits" }
    }

    #[test]
    fn points_are_measured_and_what_lies_between_and_beyond_says_so() {
        let at = |x| {
            let value = line().at(x);
            (value.number, value.source)
        };
        assert_eq!(at(64.0), (0.59, Source::Measured));
        let (between, source) = at(96.0);
        assert!((between - (0.59 + 0.94) / 2.0).abs() < 1e-12 && source == Source::Interpolated);
        let (beyond, source) = at(256.0);
        assert!((beyond - (0.94 + 2.0 * 0.35)).abs() < 1e-12 && source == Source::Extrapolated);
        let (below, source) = at(16.0);
        assert!((below - 0.32).abs() < 1e-12 && source == Source::Extrapolated);
    }

    #[test]
    fn a_rule_says_how() {
        assert_eq!(line().at(64.0).rule, "table 1");
        assert_eq!(line().at(100.0).rule, "linear in phits through table 1");
        assert_eq!(Value::measured(1.0, "table 2").carried("as in 2-D").rule, "table 2, as in 2-D");
        let words = [Source::Measured, Source::Interpolated, Source::Extrapolated].map(Source::word);
        assert_eq!(words, ["measured", "interpolated", "extrapolated"]);
        assert!(Source::Measured < Source::Interpolated && Source::Interpolated < Source::Extrapolated);
    }
}
