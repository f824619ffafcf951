//! A faulty document with its faults taken out, so that what else is wrong can be told in the same breath.

use crate::document::Document;
use crate::error::{Errors, Faults, SpecError};
use crate::node::{Item, Node};

impl Document {
    /// The document as it was probably meant, and the paths about which nothing is known: misspelt names are put right,
    /// other values that `errors` (those of [`Document::plan`]) refuse are left out and give way to their defaults.
    /// `None` where nothing can be left out, or where a `--set` argument does not even say what it is about. The result may
    /// be faulty still.
    pub fn mended(&self, errors: &Errors) -> Option<(Document, Vec<String>)> {
        let mut mended = self.clone();
        mended.faults = Faults::default();
        if self.faults.iter().any(|fault| fault.path.is_empty()) {
            return None;
        }
        let mut unknown: Vec<String> = self.faults.iter().map(|fault| fault.path.clone()).collect();
        for error in errors.errors().iter().filter(|&error| self.faults.iter().all(|fault| fault != error)) {
            match take(&mut mended.root, error) {
                Outcome::Renamed => {}
                Outcome::LeftOut => unknown.push(error.path.clone()),
                // An earlier error may have taken the same value out.
                Outcome::NotHere if unknown.iter().any(|path| error.path.starts_with(path.as_str())) => {}
                Outcome::NotHere => return None,
            }
        }
        Some((mended, unknown))
    }
}

/// What became of a fault.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Renamed,
    LeftOut,
    NotHere,
}

/// Takes out what stands at the error's place: a key, its value, or a list with that value among its elements.
fn take(node: &mut Node, error: &SpecError) -> Outcome {
    let Some(place) = &error.place else { return Outcome::NotHere };
    let Item::Table(pairs) = &mut node.item else { return Outcome::NotHere };
    for index in 0..pairs.len() {
        let meant = error.meant.filter(|name| pairs.iter().all(|pair| pair.key != *name));
        let pair = &mut pairs[index];
        if pair.place == *place {
            return match meant {
                Some(name) => {
                    name.clone_into(&mut pair.key);
                    Outcome::Renamed
                }
                None => left_out(pairs, index),
            };
        }
        if pair.value.place == *place {
            return match (error.meant, &mut pair.value.item) {
                (Some(name), Item::Text(word)) => {
                    name.clone_into(word);
                    Outcome::Renamed
                }
                _ => left_out(pairs, index),
            };
        }
        let outcome = match &mut pair.value.item {
            Item::List(list) if list.iter().any(|element| element.place == *place) => return left_out(pairs, index),
            Item::List(list) => {
                list.iter_mut().map(|element| take(element, error)).find(|outcome| *outcome != Outcome::NotHere)
            }
            _ => Some(take(&mut pair.value, error)),
        };
        if let Some(outcome @ (Outcome::Renamed | Outcome::LeftOut)) = outcome {
            return outcome;
        }
    }
    Outcome::NotHere
}

fn left_out(pairs: &mut Vec<crate::node::Pair>, index: usize) -> Outcome {
    pairs.remove(index);
    Outcome::LeftOut
}
