//! `preset = "..."`: a named set of defaults below what a spec says.

use crate::catalogue::{Catalogue, Preset};
use crate::error::{Faults, SpecError};
use crate::node::{Item, Node, Pair, join};
use crate::parse;
use crate::words;

/// The preset that `root` names, as a tree whose places are in text `index`; `None` where it names none, or none that there
/// is: [`check`] reports that.
fn named<'c>(root: &Node, catalogue: &'c Catalogue) -> Option<&'c Preset> {
    let Item::Text(name) = &root.get("preset")?.item else { return None };
    catalogue.preset(name)
}

/// Puts what the preset of `root` says wherever `root` says nothing. `index` is the number of the preset's text. Answers
/// with the preset.
pub(crate) fn merge<'c>(root: &mut Node, catalogue: &'c Catalogue, index: usize) -> Option<&'c Preset> {
    let preset = named(root, catalogue)?;
    // The catalogue's own test finds what is wrong with it.
    let mut defaults = parse::document(preset.toml, &mut Faults::default());
    move_to(&mut defaults, index);
    under(root, &defaults, catalogue, "");
    Some(preset)
}

/// Reports a name that no preset has.
pub(crate) fn check(root: &Node, catalogue: &Catalogue, faults: &mut Faults) {
    let Some(node) = root.get("preset") else { return };
    let place = node.place.clone();
    match &node.item {
        Item::Text(name) if catalogue.preset(name).is_some() => {}
        Item::Text(name) => {
            let names: Vec<&str> = catalogue.presets.iter().map(|p| p.name).collect();
            let message = format!("there is no preset \"{}\"", words::shorten(name));
            let help = faults.suggests().then(|| words::instead(name, "presets", &names).1);
            faults.push(SpecError::placed("preset", place, message).label("unknown preset").help_if(help));
        }
        _ => {
            let message = format!("`preset` must be the name of a preset in quotes, found {}", node.found());
            faults.push(SpecError::placed("preset", place, message));
        }
    }
}

fn move_to(node: &mut Node, text: usize) {
    node.place.text = text;
    match &mut node.item {
        Item::Table(pairs) => pairs.iter_mut().for_each(|pair| {
            pair.place.text = text;
            move_to(&mut pair.value, text);
        }),
        Item::List(list) => list.iter_mut().for_each(|element| move_to(element, text)),
        _ => {}
    }
}

/// Adds the pairs of `defaults` that `table` lacks. A section for which the spec chooses another kind takes nothing.
fn under(table: &mut Node, defaults: &Node, catalogue: &Catalogue, path: &str) {
    for pair in defaults.pairs() {
        let Item::Table(own) = &mut table.item else { return };
        match own.iter_mut().find(|p| p.key == pair.key) {
            None => own.push(pair.clone()),
            Some(written) => below(&mut written.value, pair, catalogue, &join(path, &pair.key)),
        }
    }
}

fn below(written: &mut Node, preset: &Pair, catalogue: &Catalogue, path: &str) {
    if !matches!(preset.value.item, Item::Table(_)) {
        return;
    }
    let chooses = catalogue.section(path).is_some_and(|section| !section.entries.is_empty());
    if let (true, Some(kind)) = (chooses, kind(written)) {
        // A preset without a kind gives what all kinds have.
        if self::kind(&preset.value).is_some_and(|asked| asked != kind) {
            return;
        }
        if let Item::Text(_) = written.item {
            let word = written.clone();
            let place = word.place.clone();
            written.item = Item::Table(vec![Pair { key: "kind".to_owned(), place, value: word }]);
        }
    }
    under(written, &preset.value, catalogue, path);
}

/// The kind that a section's node chooses.
fn kind(node: &Node) -> Option<&str> {
    let node = node.get("kind").unwrap_or(node);
    match &node.item {
        Item::Text(kind) => Some(kind),
        _ => None,
    }
}
