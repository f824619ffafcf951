//! The table of keys as Markdown.

use super::{Fate, Key, keys};
use crate::gaps::{GAPS, Gap, Then};

/// Every key with what becomes of it, and what the engine lacks.
pub fn markdown() -> String {
    let mut out = "| key | value | default | meaning | what becomes of it |\n|---|---|---|---|---|\n".to_owned();
    keys().for_each(|key| out += &row(key));
    for (then, heading) in [(Then::Near, "Runs, near and not exact"), (Then::Refused, "Refused so far")] {
        out += &format!("\n| key | {heading} |\n|---|---|\n");
        GAPS.iter().filter(|gap| gap.then == then).for_each(|gap| out += &gap_row(gap));
    }
    out
}

fn row(key: &Key) -> String {
    let fate = match key.fate {
        Fate::Becomes(what) if what.contains(['.', '_']) && !what.contains(' ') => format!("`{what}`"),
        Fate::Becomes(what) => what.to_owned(),
        Fate::NoEffect(because) => format!("no effect: {because}"),
        Fate::Refused(because) => format!("refused, unless it is the default: {because}"),
    };
    let default = if key.default.is_empty() { String::new() } else { format!("`{}`", key.default) };
    format!("| `{}` | {} | {default} | {} | {fate} |\n", key.name, key.kind.words(), key.meaning)
}

fn gap_row(gap: &Gap) -> String {
    let keys: Vec<String> = gap.keys.iter().map(|key| format!("`{key}`")).collect();
    format!("| {} | {} |\n", keys.join(", "), gap.what)
}
