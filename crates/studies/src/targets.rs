//! The numbers a paper prints, read from its `targets.toml`.

use toml::{Table, Value};

/// The targets of a paper.
#[derive(Clone, Debug)]
pub(crate) struct Targets(Table);

impl Targets {
    /// Reads the targets that are part of this program; a test reads them all.
    pub fn new(text: &str) -> Self {
        Targets(text.parse().expect("the targets of every paper are read in a test"))
    }

    /// The number at a path such as `table6.vc_dor[2][0]`.
    pub fn at(&self, path: &str) -> Option<f64> {
        let mut words = path.split(['.', '[', ']']).filter(|word| !word.is_empty());
        let first = self.0.get(words.next()?)?;
        let found = words.try_fold(first, |value, word| match value {
            Value::Array(list) => list.get(word.parse::<usize>().ok()?),
            value => value.get(word),
        });
        found.and_then(number)
    }

    fn value(&self, path: &str) -> Option<&Value> {
        let mut keys = path.split('.');
        let first = self.0.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get(key))
    }

    /// The number at a dotted path.
    pub fn number(&self, path: &str) -> Option<f64> {
        self.value(path).and_then(number)
    }

    /// Element `index` of the list at a dotted path.
    pub fn element(&self, path: &str, index: usize) -> Option<f64> {
        self.value(path)?.as_array()?.get(index).and_then(number)
    }

    /// Element `column` of list `row` of the list of lists at a dotted path.
    pub fn element2(&self, path: &str, row: usize, column: usize) -> Option<f64> {
        self.value(path)?.as_array()?.get(row)?.as_array()?.get(column).and_then(number)
    }

    /// The text of a claim.
    pub fn claim(&self, id: &str) -> Option<&str> {
        self.value("claims")?.get(id)?.as_str()
    }
}

impl From<Table> for Targets {
    fn from(table: Table) -> Self {
        Targets(table)
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|integer| integer as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_targets_of_every_paper_are_read() {
        for paper in crate::papers() {
            let targets = Targets::new(paper.targets);
            assert!(targets.claim("c1").is_some(), "{}", paper.key);
        }
    }

    #[test]
    fn numbers_are_found_by_path() {
        let targets = Targets::new("[a]\nb = 2\nc = [1, 2.5]\nd = [[1, 2], [3, 4]]\n");
        assert_eq!(targets.number("a.b"), Some(2.0));
        assert_eq!(targets.element("a.c", 1), Some(2.5));
        assert_eq!(targets.element2("a.d", 1, 0), Some(3.0));
        assert_eq!((targets.number("a.x"), targets.element("a.c", 2), targets.claim("c1")), (None, None, None));
    }
}
