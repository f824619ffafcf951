//! What is said of a command line that is none.

use crate::show;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use tailback_base::text::cut;
use tailback_pictures::terminal::Paint;

/// Options that remove what was there: whoever mistypes another one must not be told to try these.
const DESTROY: &[&str] = &["--force"];

/// Prints what is wrong, or the help that was asked for. Nobody is there to be told when this fails, as with
/// `tailback --help | head -1`.
pub fn tell(mut error: clap::Error) {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let _ = error.print();
        return;
    }
    without_bad_advice(&mut error);
    without_control_characters(&mut error);
    let text = error.render();
    let text = if show::color_of_errors() == Paint::Ansi { text.ansi().to_string() } else { text.to_string() };
    show::styled_note(text.trim_end());
}

/// Takes out suggestions that name an option which destroys, and those of clap's tips that help nobody here: no value of ours
/// begins with two dashes.
fn without_bad_advice(error: &mut clap::Error) {
    let destroys = |value: &ContextValue| DESTROY.iter().any(|option| value.to_string().contains(option));
    if error.get(ContextKind::SuggestedArg).is_some_and(destroys) {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    error.remove(ContextKind::Suggested);
}

/// The most characters of an argument that a message quotes.
const QUOTED: usize = 200;

/// What was typed may come from a script, and what that read from a name of a file.
fn without_control_characters(error: &mut clap::Error) {
    let clean = |value: &ContextValue| match value {
        ContextValue::String(text) => Some(ContextValue::String(cut(text, QUOTED))),
        ContextValue::Strings(all) => Some(ContextValue::Strings(all.iter().map(|text| cut(text, QUOTED)).collect())),
        _ => None,
    };
    let cleaned: Vec<_> = error.context().filter_map(|(kind, value)| Some((kind, clean(value)?))).collect();
    for (kind, value) in cleaned {
        error.insert(kind, value);
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn options_that_destroy_are_known() {
        // `--force` of any verb removes what was there; a new option that does so belongs to the list.
        let told_to_replace = |help: String| {
            ["replace", "overwrite", "remove", "delete"].iter().any(|word| help.to_lowercase().contains(word))
        };
        for verb in crate::Cli::command().get_subcommands() {
            for argument in verb.get_arguments() {
                let (Some(option), Some(help)) = (argument.get_long(), argument.get_help()) else { continue };
                let known = super::DESTROY.contains(&format!("--{option}").as_str());
                assert!(known || !told_to_replace(help.to_string()), "{} --{option}: {help}", verb.get_name());
            }
        }
    }
}
