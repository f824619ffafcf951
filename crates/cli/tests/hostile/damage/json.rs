//! Damage to JSON: capsules, whose texts hold a spec, and lines of records.

use super::{NUMBERS, TEXTS, WHOLE, bytes, pick, table, text};
use crate::stock::Stock;
use fastrand::Rng;
use serde_json::{Value, json};

/// The line of a spec that keeps networks small.
pub const SMALL: &str = "memory_limit_mib = 64";

/// `damaged`, unless it may ask for more memory than `good`.
pub fn kept_small(good: &str, damaged: String) -> String {
    if damaged.contains(SMALL) { damaged } else { good.to_owned() }
}

/// Damages a capsule.
pub fn damaged(file: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    match rng.u8(..10) {
        0 => bytes::damaged(file, rng),
        1 => text::damaged(file, stock, rng),
        2..6 => within(file, stock, rng),
        _ => {
            let mut root: Value = serde_json::from_slice(file).expect("the stock is good");
            change(&mut root, stock, rng);
            root.to_string().into_bytes()
        }
    }
}

/// Another spec in a capsule that is whole.
fn within(file: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let mut root: Value = serde_json::from_slice(file).expect("the stock is good");
    if let Some(Value::String(spec)) = root.get_mut("spec_toml") {
        let damaged = match rng.bool() {
            true => table::damaged(spec.as_bytes(), stock, rng),
            false => text::damaged(spec.as_bytes(), stock, rng),
        };
        *spec = kept_small(spec, String::from_utf8_lossy(&damaged).into_owned());
    }
    root.to_string().into_bytes()
}

/// Damages lines of JSON, one of them, or their order.
pub fn damaged_lines(file: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(file).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() || rng.u8(..5) == 0 {
        return bytes::damaged(file, rng);
    }
    let at = rng.usize(..lines.len());
    match (serde_json::from_str::<Value>(&lines[at]), rng.u8(..8)) {
        (_, 0) => lines.insert(at, lines[at].clone()),
        (_, 1) => drop(lines.remove(at)),
        (Ok(mut row), _) => {
            change(&mut row, stock, rng);
            // Every row alike, or this one alone.
            if rng.u8(..4) == 0 {
                lines.iter_mut().for_each(|line| *line = row.to_string())
            } else {
                lines[at] = row.to_string()
            }
        }
        (Err(_), _) => {
            lines[at] = String::from_utf8_lossy(&text::damaged(lines[at].as_bytes(), stock, rng)).into_owned()
        }
    }
    lines.join("\n").into_bytes()
}

fn change(root: &mut Value, stock: &Stock, rng: &mut Rng) {
    for _ in 0..1 + rng.usize(..3) {
        match (rng.u8(..6), &mut *root) {
            (0, Value::Object(fields)) => {
                fields.insert(pick(rng, &stock.words).clone(), any(stock, rng));
            }
            (1, Value::Object(fields)) if !fields.is_empty() => {
                let key = fields.keys().nth(rng.usize(..fields.len())).expect("it is there").clone();
                fields.shift_remove(&key);
            }
            (_, root) => *some(root, rng) = any(stock, rng),
        }
    }
}

fn any(stock: &Stock, rng: &mut Rng) -> Value {
    match rng.u8(..10) {
        0..3 => json!(pick(rng, &WHOLE)),
        3 | 4 => json!(pick(rng, &NUMBERS)),
        5 => json!(pick(rng, &TEXTS)),
        6 => json!(pick(rng, &stock.words)),
        7 => Value::Null,
        8 => json!({ pick(rng, &stock.words): [pick(rng, &WHOLE)] }),
        _ => (0..[1, 100, 200][rng.usize(..3)]).fold(Value::Bool(true), |inner, _| json!([inner])),
    }
}

/// A value at the end of some way through lists and tables.
fn some<'a>(value: &'a mut Value, rng: &mut Rng) -> &'a mut Value {
    let below = value.as_object().map(|fields| fields.len()).or(value.as_array().map(Vec::len)).unwrap_or(0);
    if below == 0 {
        return value;
    }
    let at = rng.usize(..below);
    match value {
        Value::Object(fields) => some(fields.values_mut().nth(at).expect("it is there"), rng),
        Value::Array(items) => some(&mut items[at], rng),
        plain => plain,
    }
}
