//! The identity of a resolved spec: a digest of what is simulated.

use std::fmt::Write;
use std::io::{self, Read};

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

/// A digest of what a file holds, for [`crate::Point::identify`].
///
/// # Errors
/// An error of the reader is passed on.
pub fn contents_digest(mut from: impl Read) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut bytes = vec![0; 1 << 16];
    loop {
        match from.read(&mut bytes) {
            Ok(0) => return Ok(digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()),
            Ok(count) => digest.update(&bytes[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
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
        Value::Float(number) => _ = write!(out, "{number:?}"),
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
        Value::Integer(number) => _ = write!(out, "{number}"),
        Value::Boolean(_) | Value::Datetime(_) => out.push_str(&value.to_string()),
    }
}

fn string(text: &str, out: &mut String) {
    // PERF: sweeps of 100,000 points: nearly all words need no escapes.
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        out.push('"');
        out.push_str(text);
        out.push('"');
        return;
    }
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

    #[test]
    fn contents_have_digests() {
        let digest = |bytes: &[u8]| contents_digest(bytes).expect("memory can be read");
        assert_eq!(digest(b"abc"), "ba7816bf8f01cfea414140de5dae2223");
        assert_ne!(digest(&[0; 100_000]), digest(&[0; 100_001]));
    }

    /// Stored results are found by their identity, so it must never change by accident.
    #[test]
    fn the_identity_is_stable() {
        assert_eq!(id("a = 1"), "015abd7f5cc57a2d");
    }
}
