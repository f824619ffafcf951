//! What many records say together.
//!
//! A **run** is one record: one setting of the swept parameters with one seed. A **point** is a setting with all its seeds. A
//! **variant** is a setting of all swept parameters but the load. Everything here is plain data; nothing is read or written.
//!
//! - [`scale`]: on which scale the interval of a column is made.
//! - [`spread`]: the mean over seeds with its interval, or the reason why there is none.
//! - [`points`], [`statuses`], [`mark`]: runs grouped into points, and how they ended.
//! - [`variants`]: points grouped into variants; variants that came out bit for bit alike share a label.
//! - [`paired`]: differences between variants under common seeds, with Holm's correction.
//! - [`filter`]: the points that `--where PATH=VALUE` chooses.
//! - [`names`], [`digits`]: values, variants and spreads as people read them.
//! - [`table`]: one row per point, as `records.csv` has it.

pub mod digits;
pub mod filter;
pub mod mark;
pub mod names;
pub mod paired;
pub mod points;
pub mod scale;
pub mod spread;
pub mod statuses;
pub mod table;
pub mod variants;

#[cfg(test)]
mod test_support;

pub use filter::Filter;
pub use mark::Mark;
pub use paired::{Difference, Verdict};
pub use points::{Point, points};
pub use scale::Scale;
pub use spread::{Interval, NoInterval, Spread};
pub use statuses::Statuses;
pub use variants::{LOAD, Variant, variants};
