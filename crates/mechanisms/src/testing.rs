//! Sections for tests.

use tailback_spec::{Catalogue, Document, Resolved, Section};

/// A spec that has only this section, with these words in it.
pub fn resolved(section: Section, words: &[(&str, &str)]) -> Resolved {
    let path = section.path;
    let lines: Vec<String> = words.iter().map(|(name, word)| format!("{path}.{name} = \"{word}\"\n")).collect();
    resolved_text(section, &lines.concat())
}

/// A spec that has only this section, from its text.
pub fn resolved_text(section: Section, text: &str) -> Resolved {
    let document = Document::parse("test", text.as_bytes()).expect("TOML");
    document
        .resolve(&Catalogue { sections: vec![section], ..Catalogue::default() })
        .unwrap_or_else(|errors| panic!("{text}: {errors}"))
}
