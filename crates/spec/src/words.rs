//! The words of messages: near names, lists, expectations, ranges.

use crate::catalogue::{Kind, Param};
use tailback_base::text::shown;

/// Text of the user as messages show it: one line, at most 60 characters, nothing that moves a cursor.
pub(crate) fn shorten(text: &str) -> String {
    let cut = text.char_indices().nth(60).map_or(text, |(at, _)| &text[..at]);
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("{}{more}", shown(cut))
}

/// The name that `word` probably means, if one is near.
pub(crate) fn near<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest(word, names, 1).pop()
}

/// The names that `word` may have been meant to be, the nearest first, at most `most` of them.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    if word.len() > 64 || word.is_empty() {
        return Vec::new();
    }
    let word = word.to_lowercase();
    let distance = |name: &'a str| {
        let distance = strsim::damerau_levenshtein(&word, &name.to_lowercase());
        let allowed = (word.chars().count().max(name.len()) / 3).max(1);
        let typo = distance <= allowed && distance < word.chars().count().min(name.len());
        let start = word.len() >= 4 && strsim::jaro_winkler(&word, name) > 0.88;
        (typo || start).then_some((distance, name))
    };
    let mut found: Vec<(usize, &str)> = names.into_iter().filter_map(distance).collect();
    // Equally near ones stay in the order of their declaration.
    found.sort_by_key(|(distance, _)| *distance);
    found.truncate(most);
    found.into_iter().map(|(_, name)| name).collect()
}

/// "did you mean `x`?" where a name is near, otherwise what is allowed.
pub(crate) fn instead<'a>(word: &str, noun: &str, names: &[&'a str]) -> (Option<&'a str>, String) {
    match near(word, names.iter().copied()) {
        Some(name) => (Some(name), format!("did you mean `{name}`?")),
        None if names.is_empty() => (None, format!("there are no {noun} here")),
        None => (None, format!("the {noun} here: {}", list(names))),
    }
}

/// "`a`, `b`, `c`", at most 40 of them.
pub(crate) fn list<S: AsRef<str>>(names: &[S]) -> String {
    let mut text = names.iter().take(40).map(|n| format!("`{}`", n.as_ref())).collect::<Vec<_>>().join(", ");
    if names.len() > 40 {
        text.push_str(&format!(" and {} more", names.len() - 40));
    }
    text
}

/// A number as messages and tables show it: `8`, `0.25`, `1e300`.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// An integer with its thousands apart.
pub(crate) fn thousands(value: u128) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "an integer number of flits", "a number in flits/node/cycle", "an integer".
fn quantity(noun: &str, unit: &str) -> String {
    match unit {
        "" => noun.to_owned(),
        "-" => noun.to_owned(),
        u if u.contains('/') || u.contains('%') => format!("{noun} in {u}"),
        u if noun == "a number" => format!("a number of {u}"),
        u => format!("{noun} number of {u}"),
    }
}

/// What a parameter wants, for "expected ...".
pub(crate) fn expected(param: &Param) -> String {
    let unit = param.unit;
    match param.kind {
        Kind::Bool => "`true` or `false`".to_owned(),
        Kind::Integer { .. } => quantity("an integer", unit),
        Kind::Float { .. } => quantity("a number", unit),
        Kind::IntegerOrInfinite { .. } => format!("{} or \"infinite\"", quantity("an integer", unit)),
        Kind::IntegerOrAuto { .. } => format!("{} or \"auto\"", quantity("an integer", unit)),
        Kind::Choice(words) => {
            format!("one of {}", words.iter().map(|(w, _)| format!("\"{w}\"")).collect::<Vec<_>>().join(", "))
        }
        Kind::Text => "text in quotes".to_owned(),
        Kind::Path => "the path of a file, in quotes".to_owned(),
        Kind::Integers { .. } => in_unit("a list of integers", unit),
        Kind::Floats { .. } => in_unit("a list of numbers", unit),
        Kind::Rows { .. } => in_unit("a list of rows, each a list of integers", unit),
        Kind::Component(path) => format!("a kind of `{path}`: its name, or a table with `kind` and its parameters"),
        Kind::Tables(_) => "a list of tables".to_owned(),
        Kind::Settings => "a table of paths and values, such as { \"traffic.load\" = 0.3 }".to_owned(),
    }
}

fn in_unit(noun: &str, unit: &str) -> String {
    if unit.is_empty() || unit == "-" { noun.to_owned() } else { format!("{noun} (in {unit})") }
}

/// "between 1 and 16 flits", "at least 1 flit", or `None` when everything is allowed.
pub(crate) fn range(kind: &Kind, unit: &str) -> Option<String> {
    let (low, high) = match *kind {
        Kind::Integer { min, max }
        | Kind::IntegerOrInfinite { min, max }
        | Kind::IntegerOrAuto { min, max }
        | Kind::Integers { min, max, .. }
        | Kind::Rows { min, max, .. } => {
            ((min != i64::MIN).then(|| min.to_string()), (max != i64::MAX).then(|| max.to_string()))
        }
        Kind::Float { min, max } | Kind::Floats { min, max, .. } => {
            ((min > f64::MIN).then(|| number(min)), (max < f64::MAX).then(|| number(max)))
        }
        _ => return None,
    };
    let text = match (low, high) {
        (Some(low), Some(high)) => format!("between {low} and {high}"),
        (Some(low), None) => format!("at least {low}"),
        (None, Some(high)) => format!("at most {high}"),
        (None, None) => return None,
    };
    Some(if unit.is_empty() || unit == "-" { text } else { format!("{text} {unit}") })
}

/// "2 to 6 values", "exactly 3 values".
pub(crate) fn length(min: usize, max: usize) -> String {
    let values = |n: usize| if n == 1 { "1 value".to_owned() } else { format!("{n} values") };
    match (min, max) {
        (a, b) if a == b => format!("exactly {}", values(a)),
        (a, usize::MAX) => format!("at least {}", values(a)),
        (0, b) => format!("at most {}", values(b)),
        (a, b) => format!("{a} to {}", values(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_names_are_suggested() {
        let names = ["load", "pattern", "buffer_flits", "vcs"];
        assert_eq!(near("laod", names), Some("load"));
        assert_eq!(near("Load", names), Some("load"));
        assert_eq!(near("buffer", names), Some("buffer_flits"));
        assert_eq!(near("vc", names), Some("vcs"));
        assert_eq!(near("x", names), None);
        assert_eq!(near("colour", names), None);
        assert_eq!(near(&"load".repeat(1000), names), None);
        assert_eq!(
            nearest("latency_p9", ["latency_p50", "latency_p99", "latency_p95", "hops"], 2),
            ["latency_p99", "latency_p95"]
        );
        assert_eq!(nearest("q", names, 3), [""; 0]);
    }

    #[test]
    fn texts_are_short_and_safe() {
        assert_eq!(shorten("a\u{1b}[31m"), "a\\u001b[31m");
        assert_eq!(shorten(&"x".repeat(1_000_000)).chars().count(), 61);
        assert_eq!(thousands(12_345_678), "12,345,678");
        assert_eq!(thousands(999), "999");
    }
}
