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

    /// The text of a claim.
    pub fn claim(&self, id: &str) -> Option<&str> {
        self.0.get("claims")?.get(id)?.as_str()
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
        assert_eq!(["a.b", "a.c[1]", "a.d[1][0]"].map(|path| targets.at(path)), [2.0, 2.5, 3.0].map(Some));
        assert_eq!((targets.at("a.x"), targets.at("a.c[2]"), targets.claim("c1")), (None, None, None));
    }
}
