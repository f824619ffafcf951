//! Damage that looks at no meaning: bytes changed, cut, repeated. Checkpoints, whose sum is made right again.

use super::{WHOLE, json, pick, table};
use crate::stock::Stock;
use fastrand::Rng;
use tailback_results::Checkpoint;

/// Bytes that programs stumble over.
const ODD: [&[u8]; 12] = [
    b"\0",
    b"\r",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\x1b[2J",
    b"\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\t",
    b"\n\n",
    b"\x7f",
];

/// Damages anything.
pub fn damaged(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = rng.usize(..=bytes.len());
    match rng.u16(..200) {
        0 => return Vec::new(),
        // Long lines, seldom: they take long to write.
        1 => return [bytes, vec![*pick(rng, b"x[{\"#\n "); [70_000, 1 << 20, 10 << 20][rng.usize(..3)]]].concat(),
        2..40 => bytes.truncate(at),
        40..60 => bytes = String::from_utf8_lossy(&bytes).replace('\n', "\r\n").into_bytes(),
        60..70 => drop(bytes.splice(0..0, *b"\xef\xbb\xbf")),
        70..110 => drop(bytes.splice(at..at, pick(rng, &ODD).iter().copied())),
        110..130 => {
            let part = bytes[at..(at + rng.usize(..200)).min(bytes.len())].to_vec();
            let to = rng.usize(..=bytes.len());
            bytes.splice(to..to, part);
        }
        _ => flip(&mut bytes, rng),
    }
    bytes
}

fn flip(bytes: &mut [u8], rng: &mut Rng) {
    for _ in 0..1 + rng.usize(..4) {
        if !bytes.is_empty() {
            let at = rng.usize(..bytes.len());
            bytes[at] = if rng.bool() { bytes[at] ^ (1 << rng.u8(..8)) } else { rng.u8(..) };
        }
    }
}

/// Other numbers at some places: counts, lengths and places that a binary file claims.
pub fn claimed(file: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut file = file.to_vec();
    number(&mut file, rng);
    file
}

/// Damages a checkpoint: as any file, which its sum tells, or so that its sum is right.
pub fn damaged_checkpoint(file: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    if rng.u8(..4) == 0 {
        return damaged(file, rng);
    }
    let good = Checkpoint::parse(file).expect("the stock is good");
    forged(good, stock, rng).to_bytes()
}

/// Another state or another head, under a right sum.
fn forged(mut checkpoint: Checkpoint, stock: &Stock, rng: &mut Rng) -> Checkpoint {
    let state = &mut checkpoint.state;
    match rng.u8(..10) {
        0..3 => flip(state, rng),
        3..7 => number(state, rng),
        7 => *state = damaged(state, rng),
        8 => {
            let head = &mut checkpoint.head;
            head.cycle = (*pick(rng, &WHOLE)) as u64;
        }
        _ => {
            let head = &mut checkpoint.head;
            let damaged = table::damaged(head.spec_toml.as_bytes(), stock, rng);
            head.spec_toml = json::kept_small(&head.spec_toml, String::from_utf8_lossy(&damaged).into_owned());
        }
    }
    checkpoint
}

/// Writes a number over some bytes.
fn number(state: &mut [u8], rng: &mut Rng) {
    for _ in 0..1 + rng.usize(..3) {
        let width = [1, 2, 4, 8][rng.usize(..4)];
        if state.len() > width {
            let at = rng.usize(..state.len() - width);
            let value = (*pick(rng, &WHOLE)).to_le_bytes();
            state[at..at + width].copy_from_slice(&value[..width]);
        }
    }
}
