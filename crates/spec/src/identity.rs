//! The identity of a resolved spec: a digest of what is simulated.

use sha2::{Digest, Sha256};
use toml::{Table, Value};

/// The first 16 hexadecimal digits of the SHA-256 of the canonical form, without `name`, `description` and
/// `preset`: the values of a preset stand in the table themselves.
pub(crate) fn of(table: &Table) -> String {
    let mut text = String::new();
    let named = |key: &&String| !["name", "description", "preset"].contains(&key.as_str());
    canonical_table(table.keys().filter(named).collect(), table, &mut text);
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Keys sorted, no spaces, floats with a decimal point or exponent, strings with JSON's escapes.
fn canonical_table(mut keys: Vec<&String>, table: &Table, out: &mut String) {
    keys.sort_unstable();
    out.push('{');
    for (i, key) in keys.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        string(key, out);
        out.push(':');
        canonical(&table[key.as_str()], out);
    }
    out.push('}');
}

fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => string(text, out),
        Value::Float(number) => out.push_str(&format!("{number:?}")),
        Value::Table(table) => canonical_table(table.keys().collect(), table, out),
        Value::Array(list) => {
            out.push('[');
            for (i, value) in list.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                canonical(value, out);
            }
            out.push(']');
        }
        Value::Integer(_) | Value::Boolean(_) | Value::Datetime(_) => out.push_str(&value.to_string()),
    }
}

fn string(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> String {
        of(&text.parse::<Table>().expect("valid TOML"))
    }

    #[test]
    fn order_and_names_do_not_matter_but_values_and_types_do() {
        let base = id("a = 1\n[b]\nx = 0.5\ny = \"w\"");
        assert_eq!(base, id("name = \"n\"\nb = { y = \"w\", x = 0.5 }\na = 1"));
        assert_ne!(base, id("a = 1\n[b]\nx = 0.25\ny = \"w\""));
        assert_ne!(id("a = 1"), id("a = 1.0"));
        assert_ne!(id("a = \"1\""), id("a = 1"));
        assert_ne!(id("[s]\nname = \"n\""), id("[s]\nname = \"m\""));
    }

    /// Stored results are found by their identity, so it must never change by accident.
    #[test]
    fn the_identity_is_stable() {
        assert_eq!(id("a = 1"), "015abd7f5cc57a2d");
    }
}
