//! Damage to the structure of TOML: values of another type, keys elsewhere, sweeps of anything.

use super::{NUMBERS, TEXTS, WHOLE, fitting, pick, text, value};
use crate::stock::Stock;
use fastrand::Rng;
use toml::{Table, Value};

/// Damages a spec; one that is no TOML any more, as text.
pub fn damaged(bytes: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let parsed = std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<Table>().ok());
    let Some(table) = parsed.filter(|table| !table.is_empty()) else { return text::damaged(bytes, stock, rng) };
    let mut root = Value::Table(table);
    change(&mut root, stock, rng);
    let written = root.as_table().and_then(|table| toml::to_string(table).ok());
    written.map_or_else(|| text::damaged(bytes, stock, rng), String::into_bytes)
}

fn change(root: &mut Value, stock: &Stock, rng: &mut Rng) {
    let path = pick(rng, &stock.paths).clone();
    match rng.u8(..16) {
        // A parameter that the spec does not have yet.
        0 | 1 => put(root, &path, any(stock, rng)),
        10.. => fitting(stock, rng).into_iter().for_each(|(path, value)| {
            if let Some(value) = parsed(&value) {
                put(root, &path, value);
            }
        }),
        2 => {
            let values = (0..rng.usize(..4)).map(|_| any(stock, rng)).collect();
            sweep(root, &path, Value::Array(values));
        }
        3 => sweep(root, &path, any(stock, rng)),
        4 => {
            // What is right somewhere else.
            let found = some(root, rng).clone();
            put(root, &path, found);
        }
        5 => remove(some(root, rng), rng),
        6 => {
            let place = some(root, rng);
            let deep = [1, 2, 40][rng.usize(..3)];
            *place = (0..deep).fold(place.clone(), |inner, _| Value::Array(vec![inner]));
        }
        _ => *some(root, rng) = any(stock, rng),
    }
}

/// Any value.
fn any(stock: &Stock, rng: &mut Rng) -> Value {
    match rng.u8(..10) {
        0..3 => Value::Integer(*pick(rng, &WHOLE)),
        3 => Value::Float(*pick(rng, &NUMBERS)),
        4 | 5 => Value::String(pick(rng, &stock.words).clone()),
        6 => Value::String((*pick(rng, &TEXTS)).to_owned()),
        7 => {
            let kind = pick(rng, &stock.kinds);
            Value::Table(Table::from_iter([("kind".to_owned(), Value::String(kind.clone()))]))
        }
        _ => {
            let text = value(stock, rng);
            parsed(&text).unwrap_or(Value::Boolean(rng.bool()))
        }
    }
}

/// What a text of TOML says, if it is one value.
fn parsed(text: &str) -> Option<Value> {
    format!("value = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("value"))
}

/// A value at the end of some way through tables and lists, or on it.
fn some<'a>(value: &'a mut Value, rng: &mut Rng) -> &'a mut Value {
    let below = value.as_table().map(Table::len).or(value.as_array().map(Vec::len)).unwrap_or(0);
    if below == 0 || rng.u8(..8) == 0 {
        return value;
    }
    let at = rng.usize(..below);
    match value {
        Value::Table(table) => some(table.iter_mut().nth(at).expect("it is there").1, rng),
        Value::Array(items) => some(&mut items[at], rng),
        plain => plain,
    }
}

fn remove(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::Table(table) if !table.is_empty() => {
            let at = rng.usize(..table.len());
            let key = table.keys().nth(at).expect("it is there").clone();
            table.remove(&key);
        }
        Value::Array(items) if !items.is_empty() => drop(items.remove(rng.usize(..items.len()))),
        other => *other = Value::Table(Table::new()),
    }
}

fn sweep(root: &mut Value, path: &str, value: Value) {
    let Some(root) = root.as_table_mut() else { return };
    let sweep = root.entry("sweep").or_insert_with(|| Value::Table(Table::new()));
    if let Some(sweep) = sweep.as_table_mut() {
        sweep.insert(path.to_owned(), value);
    }
}

/// Puts a value at a dotted path; a kind alone becomes a table, and anything else in the way goes.
fn put(root: &mut Value, path: &str, value: Value) {
    let mut place = root;
    for key in path.split('.') {
        if !place.is_table() {
            let kind = place.as_str().map(|kind| ("kind".to_owned(), Value::String(kind.to_owned())));
            *place = Value::Table(kind.into_iter().collect());
        }
        let table = place.as_table_mut().expect("it is one by now");
        place = table.entry(key).or_insert_with(|| Value::Table(Table::new()));
    }
    *place = value;
}
