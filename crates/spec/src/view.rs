//! Typed access to a resolved table. Every parameter is present and in range by then, so a miss is our bug.

use toml::Value;

/// A resolved table of the spec: the values of one section or component.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    table: &'a toml::Table,
}

impl<'a> View<'a> {
    /// Wraps a resolved table.
    pub fn new(table: &'a toml::Table) -> Self {
        View { table }
    }

    /// The underlying table.
    pub fn table(&self) -> &'a toml::Table {
        self.table
    }

    fn get(&self, name: &str) -> &'a Value {
        self.table.get(name).unwrap_or_else(|| panic!("resolved spec lacks `{name}`"))
    }

    /// Whether the table has `name` at all.
    pub fn has(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    /// A bool.
    pub fn bool(&self, name: &str) -> bool {
        self.get(name).as_bool().expect("resolved to a bool")
    }

    /// An integer.
    pub fn integer(&self, name: &str) -> i64 {
        self.get(name).as_integer().expect("resolved to an integer")
    }

    /// An integer that the catalogue bounds to `u32`.
    pub fn u32(&self, name: &str) -> u32 {
        u32::try_from(self.integer(name)).expect("the catalogue bounds it to u32")
    }

    /// An integer that the catalogue bounds to `u64`.
    pub fn u64(&self, name: &str) -> u64 {
        u64::try_from(self.integer(name)).expect("the catalogue bounds it to u64")
    }

    /// An integer, or `None` for the words `"infinite"` and `"auto"`.
    pub fn finite(&self, name: &str) -> Option<u64> {
        self.get(name).as_integer().map(|v| u64::try_from(v).expect("the catalogue bounds it to u64"))
    }

    /// A number.
    pub fn float(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Float(v) => *v,
            Value::Integer(v) => *v as f64,
            other => panic!("`{name}` resolved to {other}, not to a number"),
        }
    }

    /// A word.
    pub fn text(&self, name: &str) -> &'a str {
        self.get(name).as_str().expect("resolved to text")
    }

    /// A list of integers.
    pub fn integers(&self, name: &str) -> Vec<i64> {
        self.list(name).iter().map(|v| v.as_integer().expect("a list of integers")).collect()
    }

    /// A list of integers that the catalogue bounds to `u32`.
    pub fn u32s(&self, name: &str) -> Vec<u32> {
        self.integers(name).into_iter().map(|v| u32::try_from(v).expect("the catalogue bounds it to u32")).collect()
    }

    /// A list of rows of integers.
    pub fn rows(&self, name: &str) -> Vec<Vec<i64>> {
        let integer = |v: &Value| v.as_integer().expect("a row of integers");
        let row = |v: &Value| v.as_array().expect("a list of rows").iter().map(integer).collect();
        self.list(name).iter().map(row).collect()
    }

    /// A list of numbers.
    pub fn floats(&self, name: &str) -> Vec<f64> {
        let number = |v: &Value| v.as_float().or(v.as_integer().map(|i| i as f64)).expect("a list of numbers");
        self.list(name).iter().map(number).collect()
    }

    /// A list of tables.
    pub fn tables(&self, name: &str) -> Vec<View<'a>> {
        self.list(name).iter().map(|v| View::new(v.as_table().expect("a list of tables"))).collect()
    }

    /// A sub-table: a section below this one, or a component.
    pub fn sub(&self, name: &str) -> View<'a> {
        View::new(self.get(name).as_table().expect("resolved to a table"))
    }

    /// The chosen component's name.
    pub fn kind(&self) -> &'a str {
        self.text("kind")
    }

    fn list(&self, name: &str) -> &'a [Value] {
        self.get(name).as_array().expect("resolved to a list")
    }
}
