//! Damage to the words of a text: dropped, repeated, exchanged, replaced.

use super::{TEXTS, pick, value};
use crate::stock::Stock;
use fastrand::Rng;

/// Damages a text.
pub fn damaged(bytes: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut words = split(&text);
    if words.is_empty() {
        return value(stock, rng).into_bytes();
    }
    let (at, other) = (rng.usize(..words.len()), rng.usize(..words.len()));
    let replaced;
    match rng.u8(..12) {
        0 => drop(words.remove(at)),
        1 => words.insert(at, words[other]),
        2 => words.swap(at, other),
        3 => words.truncate(at),
        4 => return line(&text, rng).into_bytes(),
        5 => {
            replaced = (*pick(rng, &TEXTS)).to_owned();
            words[at] = &replaced;
        }
        6 => {
            replaced = pick(rng, &stock.words).clone();
            words[at] = &replaced;
        }
        _ => {
            // Numbers and names matter more than the dots between them.
            let mut telling = (0..words.len()).filter(|&at| words[at].starts_with(|c: char| c.is_alphanumeric()));
            let at = telling.nth(rng.usize(..words.len()) / 2).unwrap_or(at);
            replaced = value(stock, rng);
            words[at] = &replaced;
        }
    }
    words.concat().into_bytes()
}

/// A line dropped, repeated or moved.
fn line(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (at, other) = (rng.usize(..lines.len().max(1)), rng.usize(..lines.len().max(1)));
    if lines.is_empty() {
        return String::new();
    }
    match rng.u8(..3) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[other]),
        _ => lines.swap(at, other),
    }
    lines.concat()
}

/// Words, numbers, and every other character alone.
fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = if of_word(first) { rest.find(|c| !of_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        words.push(&rest[..end]);
        rest = &rest[end..];
    }
    words
}
