//! Variants of a spec as the command line names them: what is set in each.

use crate::exit::{Failure, Result};
use tailback_base::text::shown;

/// A variant: its name and its settings, as for `--set`.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its settings, `PATH=VALUE` each; none for the spec as it is.
    pub sets: Vec<String>,
}

/// One `--variant NAME:PATH=VALUE`. `NAME:` alone is the spec as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    name: String,
    set: Option<String>,
}

/// Parses a `--variant`.
///
/// # Errors
/// What is wrong with it, and how it is written.
pub fn setting(text: &str) -> std::result::Result<Setting, String> {
    let wanted = "NAME:PATH=VALUE is wanted, such as off:admission=off, or NAME: for the spec as it is";
    let (name, set) = text.split_once(':').ok_or_else(|| wanted.to_owned())?;
    let (name, set) = (name.trim(), set.trim());
    if name.is_empty() || name.contains('=') || !(set.is_empty() || set.contains('=')) {
        return Err(wanted.to_owned());
    }
    Ok(Setting { name: name.to_owned(), set: Some(set.to_owned()).filter(|set| !set.is_empty()) })
}

impl Named {
    /// The settings in words.
    pub fn words(&self) -> String {
        if self.sets.is_empty() { "the spec as it is".to_owned() } else { self.sets.join(", ") }
    }
}

/// The variants of these arguments, in the order in which their names appear. A name that is repeated adds a setting.
///
/// # Errors
/// For fewer than two variants, and for one that sets the same path twice: then two variants have the same name.
pub fn variants(settings: &[Setting]) -> Result<Vec<Named>> {
    let mut variants: Vec<Named> = Vec::new();
    for Setting { name, set } in settings {
        let place = variants.iter().position(|variant| variant.name == *name).unwrap_or(variants.len());
        if place == variants.len() {
            variants.push(Named { name: name.clone(), sets: Vec::new() });
            variants[place].sets.extend(set.clone());
            continue;
        }
        let path = |set: &str| set.split('=').next().unwrap_or_default().trim().to_owned();
        let twice = set.as_ref().filter(|set| variants[place].sets.iter().any(|other| path(other) == path(set)));
        if set.is_none() || twice.is_some() {
            let what = twice.map_or("is the spec as it is and something else".to_owned(), |set| {
                format!("sets `{}` twice", shown(&path(set)))
            });
            return Err(Failure::usage(format!(
                "variant `{}` {what}; a repeated name adds a setting to its variant, so another variant needs another name",
                shown(name)
            )));
        }
        variants[place].sets.extend(set.clone());
    }
    if variants.len() < 2 {
        return Err(Failure::usage(
            "a comparison needs two variants or more: give --variant again with another name, as in --variant \
             off:admission=off --variant spth:admission=spth",
        ));
    }
    Ok(variants)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Vec<Named>> {
        variants(&arguments.iter().map(|text| setting(text).expect("it is well written")).collect::<Vec<_>>())
    }

    #[test]
    fn a_repeated_name_adds_a_setting() {
        let found =
            parsed(&["off:admission=off", "wide: router.virtual_channels=4", "wide:admission=spth", "base:"]).unwrap();
        let names: Vec<&str> = found.iter().map(|variant| variant.name.as_str()).collect();
        assert_eq!(names, ["off", "wide", "base"]);
        assert_eq!(found[1].sets, ["router.virtual_channels=4", "admission=spth"]);
        assert_eq!(found[2].words(), "the spec as it is");
    }

    #[test]
    fn a_value_may_hold_what_separates() {
        let found = parsed(&["a:topology.radix=[4, 4]", "b:name='x:y=z'"]).unwrap();
        assert_eq!((found[0].sets[0].as_str(), found[1].sets[0].as_str()), ("topology.radix=[4, 4]", "name='x:y=z'"));
    }

    #[test]
    fn what_is_no_variant_is_refused_with_what_to_write() {
        for wrong in ["admission=off", ":admission=off", "a=b:c=d", "off:admission", "off"] {
            assert!(setting(wrong).unwrap_err().contains("off:admission=off"), "{wrong}");
        }
    }

    #[test]
    fn one_name_for_two_variants_is_refused() {
        for wrong in [&["a:x=1", "a:x=2", "b:"][..], &["a:x=1", "a:", "b:"], &["a:", "a:", "b:"]] {
            let said = parsed(wrong).unwrap_err().to_string();
            assert!(said.contains("variant `a`") && said.contains("needs another name"), "{said}");
        }
        assert!(parsed(&["a:x=1", "a:y=2"]).unwrap_err().to_string().contains("two variants or more"));
    }
}
