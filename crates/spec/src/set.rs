//! `--set path=value`.

use toml::de::{DeTable, DeValue};

use crate::error::{Faults, SpecError};
use crate::node::{Item, Node, Place};
use crate::parse::{self, MAX_BYTES};
use crate::words::shorten;

const ELEMENT: &str = "an element of a list is named by its number from 0, as in workload.phases.0.load";

/// Applies the argument, which is text `index`, to the tree. Answers with the dotted path that it is about, also where its
/// value is wrong.
pub(crate) fn apply(root: &mut Node, index: usize, argument: &str, faults: &mut Faults) -> Option<String> {
    let whole = Place::new(index, 0..argument.len());
    let mut refuse = |place: Place, message: String| {
        let help = "write --set path=value, as in --set traffic.load=0.3";
        faults.push(SpecError::placed("", place, message).help(help));
    };
    if argument.len() > MAX_BYTES {
        refuse(Place::new(index, 0..0), "an argument of --set is at most 1 MiB".to_owned());
        return None;
    }
    let Some(split) = equals(argument) else {
        refuse(whole, "--set needs a path, `=` and a value".to_owned());
        return None;
    };
    let Some(keys) = keys(&argument[..split], index) else {
        let place = Place::new(index, 0..split);
        refuse(
            place,
            format!("`{}` is not a path: names, or numbers in lists, joined by dots", shorten(&argument[..split])),
        );
        return None;
    };
    let path = keys.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(".");
    let mut problems = Faults::default();
    if let Some(node) = value(argument, split + 1, index, &mut problems)
        && let Err(found) = root.put(&keys, node)
    {
        let message = format!("cannot set `{}`: there is {found} in the way", shorten(&path));
        let list = found.starts_with("a list").then(|| ELEMENT.to_owned());
        faults.push(SpecError::placed(&path, Place::new(index, 0..split), message).help_if(list));
    }
    for problem in problems {
        faults.push(SpecError { path: path.clone(), ..problem });
    }
    Some(path)
}

/// The first `=` outside quotes.
fn equals(argument: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in argument.char_indices() {
        match (c, quote) {
            ('=', None) => return Some(at),
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            _ => {}
        }
    }
    None
}

/// The keys of a dotted path, at most [`parse::MAX_DEPTH`].
fn keys(path: &str, index: usize) -> Option<Vec<(String, Place)>> {
    let trimmed = path.trim();
    if trimmed.is_empty() || trimmed.contains(['\n', '\r', '#', '[']) || trimmed.matches('.').count() > parse::MAX_DEPTH
    {
        return None;
    }
    let line = format!("{path}=0");
    let document = DeTable::parse(&line).ok()?;
    let mut keys = Vec::new();
    let mut table = document.get_ref();
    loop {
        let (key, value) = table.iter().next()?;
        keys.push((key.get_ref().to_string(), Place::new(index, key.span())));
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(keys),
        }
    }
}

fn value(argument: &str, from: usize, index: usize, faults: &mut Faults) -> Option<Node> {
    let rest = &argument[from..];
    let text = rest.trim();
    let start = from + rest.len() - rest.trim_start().len();
    if text.is_empty() {
        let place = Place::new(index, argument.len()..argument.len());
        faults.push(SpecError::placed("", place, "--set gives no value after `=`").label("value missing"));
        return None;
    }
    let mut problems = Faults::default();
    if let Some(node) = parse::value(text, index, start, &mut problems) {
        problems.into_iter().for_each(|e| faults.push(e));
        return Some(node);
    }
    if !text.contains(|c: char| c.is_whitespace() || c.is_control() || "\"'[]{}=,#".contains(c)) {
        let place = Place::new(index, start..start + text.len());
        return Some(Node { item: Item::Text(text.to_owned()), place });
    }
    for problem in problems {
        faults.push(problem.help("the value is TOML; text of several words needs quotes: --set 'name=\"a b\"'"));
    }
    None
}
