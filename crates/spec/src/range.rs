//! Ranges of a sweep: `{ from, to, step }` and `{ from, to, points, spacing }`, both ends included.

use crate::error::{Faults, SpecError};
use crate::node::{Item, Node, Place};
use crate::words::{instead, number};

/// Doubles count exactly up to here.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Evenly or logarithmically spaced numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    place: Place,
    from: f64,
    to: f64,
    /// How many values.
    pub len: u64,
    logarithmic: bool,
    /// Distance of values that are spaced by `step`; otherwise the ends divide evenly.
    step: Option<f64>,
    /// Whether the values are written as integers.
    integers: bool,
}

const KEYS: [&str; 5] = ["from", "to", "step", "points", "spacing"];

impl Range {
    /// Reads a range table. `None` after reporting what is wrong with it.
    pub fn read(path: &str, node: &Node, faults: &mut Faults) -> Option<Range> {
        let before = faults.len();
        let mut reader = Reading { path, node, faults };
        reader.unknown();
        let from = reader.number("from", true);
        let to = reader.number("to", true);
        let step = reader.number("step", false);
        let points = reader.points();
        let logarithmic = reader.spacing();
        if faults.len() > before {
            return None;
        }
        let whole = |key: &str| node.get(key).is_none_or(|n| matches!(n.item, Item::Integer(_)));
        let ends = whole("from") && whole("to") && whole("step");
        let (from, to) = (from?, to?);
        let place = node.place.clone();
        let mut range = Range { place, from, to, len: 0, logarithmic, step, integers: false };
        match range.measure(points, node.get("spacing").is_some()) {
            Ok(()) => {
                range.integers = ends && range.whole();
                Some(range)
            }
            Err((message, help)) => {
                faults.push(SpecError::placed(path, range.place, message).help_if(help));
                None
            }
        }
    }

    /// Finds out how many values there are, or why the range makes no sense.
    fn measure(&mut self, points: Option<i64>, spaced: bool) -> Result<(), (String, Option<String>)> {
        let (from, to) = (self.from, self.to);
        match (self.step, points) {
            (Some(_), Some(_)) => Err(("a range has `step` or `points`, not both".to_owned(), None)),
            (None, None) => Err((
                "a range needs `step` or `points`".to_owned(),
                Some("as in { from = 0.1, to = 0.3, step = 0.05 }".to_owned()),
            )),
            (None, Some(points)) if points < 2 => Err((format!("a range needs at least 2 points, not {points}"), None)),
            (None, Some(_)) if self.logarithmic && (from <= 0.0 || to <= 0.0) => {
                Err(("logarithmic spacing needs both ends above 0".to_owned(), None))
            }
            (None, Some(points)) => {
                self.len = points.unsigned_abs();
                Ok(())
            }
            (Some(_), None) if spaced => Err(("`spacing` goes with `points`, not with `step`".to_owned(), None)),
            (Some(step), None) => self.count(step),
        }
    }

    fn count(&mut self, step: f64) -> Result<(), (String, Option<String>)> {
        let (from, to) = (self.from, self.to);
        let steps = (to - from) / step;
        if !steps.is_finite() || steps < 0.0 {
            let text = format!("steps of {} never lead from {} to {}", number(step), number(from), number(to));
            return Err((text, None));
        }
        let whole = steps.round();
        if (steps - whole).abs() > 1e-6 {
            let last = digits(from + steps.floor() * step);
            let text = format!("steps of {} from {} do not end at {}", number(step), number(from), number(to));
            return Err((text, Some(format!("both ends belong to a range: the last value would be {}", number(last)))));
        }
        self.len = (whole as u64).saturating_add(1);
        Ok(())
    }

    /// Whether every value is whole, where `from`, `to` and `step` are.
    fn whole(&self) -> bool {
        self.step.is_some() || (self.len < 1_000_000 && (0..self.len).all(|i| self.number(i).fract() == 0.0))
    }

    fn number(&self, index: u64) -> f64 {
        let i = index as f64;
        let share = i / (self.len.max(2) - 1) as f64;
        match self.step {
            _ if index == 0 => self.from,
            _ if index + 1 == self.len => self.to,
            Some(step) if self.integers => self.from + i * step,
            Some(step) => digits(self.from + i * step),
            // Not the platform's functions: the same spec must give the same values everywhere.
            None if self.logarithmic => {
                let (low, high) = (libm::log(self.from), libm::log(self.to));
                digits(libm::exp(low + (high - low) * share))
            }
            None => digits(self.from + (self.to - self.from) * share),
        }
    }

    /// The value at `index`, below `len`; it stands where the range stands.
    pub fn value(&self, index: u64) -> Node {
        let value = self.number(index);
        let item = if self.integers { Item::Integer(value as i64) } else { Item::Float(value) };
        Node { item, place: self.place.clone() }
    }
}

/// Rounded to 12 significant digits, so that ten steps of 0.1 end at 1.
fn digits(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

struct Reading<'a> {
    path: &'a str,
    node: &'a Node,
    faults: &'a mut Faults,
}

impl Reading<'_> {
    fn fault(&mut self, place: &Place, message: String, help: Option<String>) {
        self.faults.push(SpecError::placed(self.path, place.clone(), message).help_if(help));
    }

    fn unknown(&mut self) {
        for pair in self.node.pairs().iter().filter(|p| !KEYS.contains(&p.key.as_str())) {
            let message = format!("unknown key `{}` in a range", crate::words::shorten(&pair.key));
            let help = self.faults.suggests().then(|| instead(&pair.key, "keys", &KEYS).1);
            self.fault(&pair.place, message, help);
        }
    }

    fn number(&mut self, key: &str, required: bool) -> Option<f64> {
        match self.node.get(key) {
            Some(node) if node.as_number().is_some_and(|v| v.abs() <= EXACT) => node.as_number(),
            Some(node) if node.as_number().is_some() => {
                self.fault(
                    &node.place,
                    format!("`{key}` of a range must be within ±2^53, found {}", node.found()),
                    None,
                );
                None
            }
            Some(node) => {
                self.fault(
                    &node.place,
                    format!("`{key}` of a range must be a finite number, found {}", node.found()),
                    None,
                );
                None
            }
            None => {
                if required {
                    let help = "as in { from = 0.1, to = 0.3, step = 0.05 }".to_owned();
                    self.fault(&self.node.place.clone(), format!("a range needs `{key}`"), Some(help));
                }
                None
            }
        }
    }

    fn points(&mut self) -> Option<i64> {
        let node = self.node.get("points")?;
        if let Item::Integer(points) = node.item {
            return Some(points);
        }
        self.fault(&node.place, format!("`points` of a range must be an integer, found {}", node.found()), None);
        None
    }

    fn spacing(&mut self) -> bool {
        let Some(node) = self.node.get("spacing") else { return false };
        match &node.item {
            Item::Text(word) if word == "log" => return true,
            Item::Text(word) if word == "linear" => {}
            _ => {
                let message = format!("`spacing` is \"linear\" or \"log\", found {}", node.found());
                self.fault(&node.place, message, None);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn range(text: &str) -> Result<Vec<toml::Value>, String> {
        let mut faults = Faults::default();
        let node = parse::value(text, 0, 0, &mut faults).expect("valid TOML");
        let range = Range::read("p", &node, &mut faults);
        match range {
            Some(range) => Ok((0..range.len).map(|i| range.value(i).to_toml()).collect()),
            None => Err(faults.into_iter().next().expect("an error").message),
        }
    }

    fn floats(text: &str) -> Vec<f64> {
        range(text).unwrap().iter().map(|v| v.as_float().expect("a float")).collect()
    }

    #[test]
    fn decimal_steps_have_decimal_values() {
        assert_eq!(floats("{ from = 0.1, to = 0.3, step = 0.05 }"), [0.1, 0.15, 0.2, 0.25, 0.3]);
        let tenths: Vec<f64> = (0..=10).map(|i| f64::from(i) / 10.0).collect();
        assert_eq!(floats("{ from = 0.0, to = 1, step = 0.1 }"), tenths);
        assert_eq!(floats("{ from = 0.3, to = 0.1, step = -0.1 }"), [0.3, 0.2, 0.1]);
        assert_eq!(floats("{ from = 0.1, to = 0.2, points = 3 }"), [0.1, 0.15, 0.2]);
        assert_eq!(floats("{ from = 0.001, to = 1.0, points = 4, spacing = \"log\" }"), [0.001, 0.01, 0.1, 1.0]);
    }

    #[test]
    fn integers_stay_integers() {
        let integers = |v: &[i64]| Ok(v.iter().map(|i| toml::Value::Integer(*i)).collect::<Vec<_>>());
        assert_eq!(range("{ from = 2, to = 8, step = 3 }"), integers(&[2, 5, 8]));
        assert_eq!(range("{ from = 8, to = 64, points = 4, spacing = \"log\" }"), integers(&[8, 16, 32, 64]));
        assert_eq!(floats("{ from = 1, to = 2, points = 3 }"), [1.0, 1.5, 2.0]);
    }

    #[test]
    fn senseless_ranges_are_refused() {
        for (text, wanted) in [
            ("{ from = 0.1, to = 1.0, step = 0.4 }", "do not end at 1"),
            ("{ from = 0, to = 1, step = 0 }", "never lead"),
            ("{ from = 0, to = 1, step = -1 }", "never lead"),
            ("{ from = 0, to = 1 }", "`step` or `points`"),
            ("{ from = 0, to = 1, step = 1, points = 2 }", "not both"),
            ("{ from = 0, to = 1, points = 1 }", "at least 2 points"),
            ("{ from = 0, to = 1, points = 3, spacing = \"log\" }", "above 0"),
            ("{ from = 0, to = nan, points = 3 }", "finite"),
            ("{ from = 0, til = 3, points = 3 }", "a range needs `to`"),
            ("{ from = 0, to = 1, points = 3, spacing = \"cubic\" }", "\"linear\" or \"log\""),
        ] {
            let message = range(text).unwrap_err();
            assert!(message.contains(wanted), "{text}: {message}");
        }
        assert!(range("{ from = 0, to = 1, points = -9223372036854775808 }").unwrap_err().contains("at least 2"));
    }
}
