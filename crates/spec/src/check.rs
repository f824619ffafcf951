//! Checks one written value against its declaration.

use toml::Value;

use crate::catalogue::{Fallback, Kind, Param};
use crate::error::{Faults, SpecError};
use crate::node::{Item, Node, Pair};
use crate::words;

/// The value of a plain parameter (neither a component nor tables), or `None` after reporting what is wrong with it.
pub(crate) fn plain(param: &Param, path: &str, node: &Node, faults: &mut Faults) -> Option<Value> {
    let mut check = Check { param, path, faults };
    match (&param.kind, &node.item) {
        (Kind::Bool, Item::Bool(v)) => Some(Value::Boolean(*v)),
        (Kind::Integer { min, max }, _) => check.integer(node, *min, *max),
        (Kind::Float { min, max }, _) => check.float(node, *min, *max),
        (Kind::IntegerOrInfinite { min, max }, _) => check.integer_or(node, "infinite", *min, *max),
        (Kind::IntegerOrAuto { min, max }, _) => check.integer_or(node, "auto", *min, *max),
        (Kind::Choice(words), Item::Text(word)) => check.choice(node, word, words),
        (Kind::Text, Item::Text(text)) => Some(Value::String(text.clone())),
        (Kind::Path, Item::Text(text)) => check.file(node, text),
        (Kind::Integers { min, max, min_len, max_len }, Item::List(list)) => {
            check.list(node, list, *min_len, *max_len, |check, node| check.integer(node, *min, *max))
        }
        (Kind::Floats { min, max, min_len, max_len }, Item::List(list)) => {
            check.list(node, list, *min_len, *max_len, |check, node| check.float(node, *min, *max))
        }
        (Kind::Rows { min, max, min_len, max_len, max_rows }, Item::List(rows)) => {
            check.list(node, rows, 0, *max_rows, |check, row| match &row.item {
                Item::List(list) => {
                    check.list(row, list, *min_len, *max_len, |check, node| check.integer(node, *min, *max))
                }
                _ => check.wrong_type(row),
            })
        }
        (Kind::Settings, Item::Table(settings)) => check.settings(node, settings),
        _ => check.wrong_type(node),
    }
}

struct Check<'a> {
    param: &'a Param,
    path: &'a str,
    faults: &'a mut Faults,
}

impl Check<'_> {
    fn error(&self, node: &Node, message: String) -> SpecError {
        SpecError::placed(self.path, node.place.clone(), message)
    }

    fn wrong_type(&mut self, node: &Node) -> Option<Value> {
        let expected = words::expected(self.param);
        let message = format!("expected {expected}, found {}", node.found());
        let label = if matches!(node.item, Item::Huge(_)) { "too large" } else { "wrong type" };
        let error = self.error(node, message).label(label);
        self.faults.push(error.help_if(self.retyped(node).or_else(|| self.allowed())));
        None
    }

    /// The range of a parameter that has one.
    fn allowed(&self) -> Option<String> {
        let range = words::range(&self.param.kind, self.param.unit)?;
        let list = matches!(self.param.kind, Kind::Integers { .. } | Kind::Floats { .. } | Kind::Rows { .. });
        Some(format!("{}`{}` is {range}", if list { "each value of " } else { "" }, self.param.name))
    }

    /// What the value would be in the right type, where that is plain.
    fn retyped(&self, node: &Node) -> Option<String> {
        let numeric = matches!(
            self.param.kind,
            Kind::Integer { .. } | Kind::Float { .. } | Kind::IntegerOrInfinite { .. } | Kind::IntegerOrAuto { .. }
        );
        let listed = matches!(self.param.kind, Kind::Integers { .. } | Kind::Floats { .. });
        match &node.item {
            Item::Text(text) if numeric && text.len() < 20 && text.parse::<f64>().is_ok_and(f64::is_finite) => {
                Some(format!("write it without quotes: {text}"))
            }
            Item::Text(text) if self.param.kind == Kind::Bool && (text == "true" || text == "false") => {
                Some(format!("write it without quotes: {text}"))
            }
            Item::Integer(value) if listed => Some(format!("a list of one value is written [{value}]")),
            Item::Float(value) if value.fract() == 0.0 && value.abs() < 1e15 => {
                Some(format!("write it without a decimal point: {value:.0}"))
            }
            _ => None,
        }
    }

    /// Paths and values. A path is a key of its own, in quotes: without them `traffic.load` is a table in a table.
    fn settings(&mut self, node: &Node, settings: &[Pair]) -> Option<Value> {
        if settings.is_empty() {
            let error = self.error(node, format!("`{}` sets nothing", self.param.name)).label("empty");
            self.faults.push(error);
            return None;
        }
        Some(node.to_toml())
    }

    fn integer(&mut self, node: &Node, min: i64, max: i64) -> Option<Value> {
        let Item::Integer(value) = node.item else { return self.wrong_type(node) };
        if value < min || value > max {
            return self.out_of_range(node, &value.to_string(), value < min);
        }
        Some(Value::Integer(value))
    }

    fn float(&mut self, node: &Node, min: f64, max: f64) -> Option<Value> {
        let value = match node.item {
            Item::Integer(value) => value as f64,
            Item::Float(value) => value,
            _ => return self.wrong_type(node),
        };
        if !value.is_finite() {
            let message = format!("expected a finite number, found {value:?}").replace("NaN", "nan");
            let error = self.error(node, message).label("not a finite number").help_if(self.allowed());
            self.faults.push(error);
            return None;
        }
        if value < min || value > max {
            return self.out_of_range(node, &words::number(value), value < min);
        }
        // Adding zero turns -0.0 into 0.0, so that equal specs have equal identities.
        Some(Value::Float(value + 0.0))
    }

    fn out_of_range(&mut self, node: &Node, found: &str, small: bool) -> Option<Value> {
        let list = matches!(self.param.kind, Kind::Integers { .. } | Kind::Floats { .. } | Kind::Rows { .. });
        let subject = if list { "each value of " } else { "" };
        let range = words::range(&self.param.kind, self.param.unit).unwrap_or_default();
        let message = format!("{subject}`{}` must be {range}, not {found}", self.param.name);
        let error = self.error(node, message).label(if small { "too small" } else { "too large" });
        self.faults.push(error);
        None
    }

    fn integer_or(&mut self, node: &Node, word: &str, min: i64, max: i64) -> Option<Value> {
        match &node.item {
            Item::Text(text) if text == word => Some(Value::String(text.clone())),
            Item::Float(v) if word == "infinite" && *v == f64::INFINITY => {
                self.wrong_type(node);
                None
            }
            _ => self.integer(node, min, max),
        }
    }

    fn choice(&mut self, node: &Node, word: &str, words: &[(&'static str, &str)]) -> Option<Value> {
        if words.iter().any(|(w, _)| *w == word) {
            return Some(Value::String(word.to_owned()));
        }
        let names: Vec<&'static str> = words.iter().map(|(w, _)| *w).collect();
        let (near, help) = self.faults.suggests().then(|| words::instead(word, "choices", &names)).unzip();
        let message = format!("`{}` has no choice \"{}\"", self.param.name, words::shorten(word));
        let error = self.error(node, message).label("unknown choice").help_if(help).meant(near.flatten());
        self.faults.push(error);
        None
    }

    fn file(&mut self, node: &Node, text: &str) -> Option<Value> {
        // Where "no file" is the default, it may be written too: `explain` does.
        let none = text.is_empty() && self.param.fallback == Fallback::Text("");
        if (text.is_empty() && !none) || text.contains('\0') {
            let error = self.error(node, format!("`{}` must be the path of a file", self.param.name));
            self.faults.push(error);
            return None;
        }
        Some(Value::String(text.to_owned()))
    }

    fn list(
        &mut self,
        node: &Node,
        list: &[Node],
        min_len: usize,
        max_len: usize,
        element: impl Fn(&mut Self, &Node) -> Option<Value>,
    ) -> Option<Value> {
        if list.len() < min_len || list.len() > max_len {
            let wanted = words::length(min_len, max_len);
            let message = format!("`{}` takes {wanted}, found {}", self.param.name, list.len());
            let few = list.len() < min_len;
            let error = self.error(node, message).label(if few { "too few values" } else { "too many values" });
            self.faults.push(error);
            return None;
        }
        let values: Vec<Option<Value>> = list.iter().map(|node| element(self, node)).collect();
        values.into_iter().collect::<Option<Vec<_>>>().map(Value::Array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Place;

    fn check(kind: Kind, item: Item) -> Result<Value, String> {
        let param = Param { name: "p", kind, unit: "flits", fallback: Fallback::Required, doc: "" };
        let mut faults = Faults::default();
        let node = Node { item, place: Place { text: 0, start: 0, end: 0 } };
        let value = plain(&param, "s.p", &node, &mut faults);
        let errors = faults.into_errors(&Default::default()).errors;
        assert_eq!(value.is_none(), !errors.is_empty(), "a value or an error, never both, never neither");
        value.ok_or_else(|| errors[0].message.clone())
    }

    #[test]
    fn numbers_are_checked_against_type_and_range() {
        let integer = Kind::Integer { min: 1, max: 16 };
        assert_eq!(check(integer, Item::Integer(16)), Ok(Value::Integer(16)));
        assert_eq!(check(integer, Item::Integer(0)).unwrap_err(), "`p` must be between 1 and 16 flits, not 0");
        let wrong = "expected an integer number of flits, found the string \"8\"";
        assert_eq!(check(integer, Item::Text("8".into())).unwrap_err(), wrong);
        assert!(check(integer, Item::Float(8.0)).unwrap_err().contains("found the float 8.0"));
        let float = Kind::Float { min: 0.0, max: f64::MAX };
        assert_eq!(check(float, Item::Integer(3)), Ok(Value::Float(3.0)));
        assert!(check(float, Item::Float(-0.5)).unwrap_err().contains("at least 0 flits"));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(check(float, Item::Float(bad)).unwrap_err().contains("finite"));
        }
        let zero = check(float, Item::Float(-0.0)).unwrap();
        assert!(zero.as_float().unwrap().is_sign_positive());
    }

    #[test]
    fn words_beside_integers() {
        let kind = Kind::IntegerOrInfinite { min: 1, max: i64::MAX };
        assert_eq!(check(kind, Item::Text("infinite".into())), Ok(Value::String("infinite".into())));
        assert!(check(kind, Item::Text("auto".into())).unwrap_err().contains("or \"infinite\""));
        assert!(check(kind, Item::Float(f64::INFINITY)).unwrap_err().contains("or \"infinite\""));
        assert!(check(kind, Item::Integer(0)).unwrap_err().contains("at least 1 flits"));
    }

    #[test]
    fn lists_have_a_length_and_every_element_is_checked() {
        let kind = Kind::Integers { min: 2, max: 9, min_len: 1, max_len: 2 };
        let place = Place { text: 0, start: 0, end: 0 };
        let list = |values: &[i64]| {
            Item::List(values.iter().map(|v| Node { item: Item::Integer(*v), place: place.clone() }).collect())
        };
        assert!(check(kind, list(&[2, 9])).is_ok());
        assert!(check(kind, list(&[])).unwrap_err().contains("1 to 2 values, found 0"));
        assert!(check(kind, list(&[2, 1])).unwrap_err().contains("each value of `p`"));
        assert!(check(kind, Item::Integer(4)).unwrap_err().contains("a list of integers"));
    }

    #[test]
    fn rows_are_lists_of_lists() {
        let kind = Kind::Rows { min: 1, max: 9, min_len: 2, max_len: 3, max_rows: 2 };
        let place = Place { text: 0, start: 0, end: 0 };
        let node = |item| Node { item, place: place.clone() };
        let row = |values: &[i64]| Item::List(values.iter().map(|v| node(Item::Integer(*v))).collect());
        let rows = |rows: &[&[i64]]| Item::List(rows.iter().map(|r| node(row(r))).collect());
        assert!(check(kind, rows(&[&[1, 2], &[3, 4, 5]])).is_ok());
        assert!(check(kind, rows(&[])).is_ok());
        assert!(check(kind, rows(&[&[1]])).unwrap_err().contains("2 to 3 values, found 1"));
        assert!(check(kind, rows(&[&[1, 10]])).unwrap_err().contains("each value of `p`"));
        assert!(check(kind, rows(&[&[1, 1], &[1, 1], &[1, 1]])).unwrap_err().contains("at most 2 values, found 3"));
        assert!(check(kind, row(&[1, 2])).unwrap_err().contains("a list of rows, each a list of integers"));
    }
}
