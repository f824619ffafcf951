//! Who called a verb: a person at a terminal, or a program that brings the spec and takes what is printed.
//!
//! Verbs do not see the difference. What they print, warn of and tell of their progress goes through [`crate::show`], what they are
//! asked goes through [`crate::interrupt`] and [`crate::spec_file`], and these look here first. A call belongs to the thread that
//! makes it, so several programs' threads call verbs at the same time.

use crate::exit::{Failure, Result};
use crate::interrupt::Lent;
use crate::told::Warning;
use crate::{Cli, Outside, verbs};
use clap::{CommandFactory, Parser};
use std::cell::RefCell;
use std::ffi::OsString;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use tailback_spec::Document;

thread_local! {
    static CALLER: RefCell<Option<Caller>> = const { RefCell::new(None) };
}

/// Is told how many steps of how many are done.
pub type Told = Rc<dyn Fn(u64, u64)>;

struct Caller {
    document: Option<Document>,
    cancel: &'static AtomicBool,
    told: Told,
    printed: Vec<u8>,
    warnings: Vec<Warning>,
}

/// What came of a call.
#[derive(Debug)]
pub struct Called {
    /// The exit code that the verb would have had.
    pub code: u8,
    /// What it printed.
    pub printed: Vec<u8>,
    /// What it warned of.
    pub warnings: Vec<Warning>,
}

/// Calls the verb of the command line `args`, the program's name first, as a program does. `document` stands for the spec that
/// `args` name; `cancel` stops it as Ctrl-C does.
///
/// # Errors
/// What the command would report.
pub fn call(args: &[OsString], document: Option<Document>, cancel: &Lent, told: Told) -> Result<Called> {
    let cli = Cli::try_parse_from(args).map_err(|error| Failure::usage(sentence(&error)))?;
    let caller = Caller { document, cancel: cancel.flag(), told, printed: Vec::new(), warnings: Vec::new() };
    CALLER.set(Some(caller));
    let outside = Outside { elsewhere: &|remote| Err(remote.on.clone().into()), ranks: None };
    let code = verbs::run(&cli.verb, Cli::command, "tailback", outside.elsewhere, None);
    let caller = CALLER.take().expect("nobody else takes it");
    Ok(Called { code: code?, printed: caller.printed, warnings: caller.warnings })
}

/// What is wrong with arguments, without the hints for terminals below it.
fn sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or(&text);
    first.strip_prefix("error: ").unwrap_or(first).trim_end().to_owned()
}

fn with<T>(look: impl FnOnce(&mut Caller) -> T) -> Option<T> {
    CALLER.with_borrow_mut(|caller| caller.as_mut().map(look))
}

/// Whether a program called.
pub fn is_program() -> bool {
    with(|_| ()).is_some()
}

/// The caller's spec, where it brought one.
pub fn document() -> Option<Document> {
    with(|caller| caller.document.clone()).flatten()
}

/// The caller's flag, by which it stops the verb.
pub fn cancel() -> Option<&'static AtomicBool> {
    with(|caller| caller.cancel)
}

/// The function that is told of progress.
pub fn told() -> Option<Told> {
    with(|caller| Rc::clone(&caller.told))
}

/// Gives the caller what is printed; false where there is none.
pub fn takes(bytes: &[u8]) -> bool {
    with(|caller| caller.printed.extend_from_slice(bytes)).is_some()
}

/// Gives the caller a warning; false where there is none.
pub fn hears(warning: &Warning) -> bool {
    with(|caller| caller.warnings.push(warning.clone())).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(args: &[&str], document: Option<&str>) -> Result<Called> {
        let args: Vec<OsString> = ["tailback"].iter().chain(args).map(OsString::from).collect();
        let document = document.map(|text| Document::parse("spec", text.as_bytes()).unwrap());
        call(&args, document, &Lent::new(), Rc::new(|_, _| ()))
    }

    #[test]
    fn a_program_takes_what_is_printed_and_brings_the_spec() {
        let priced = called(&["cost", "--json", "vc_dor_2d"], None).unwrap();
        assert!(priced.printed.starts_with(b"{\"router\"") || priced.printed.starts_with(b"{"), "{priced:?}");
        let explained =
            called(&["explain", "no such file"], Some(include_str!("../../../examples/first.toml"))).unwrap();
        assert!(String::from_utf8(explained.printed).unwrap().contains("radix"));
        assert!(!is_program());
    }

    #[test]
    fn a_program_takes_warnings_by_what_they_are_about() {
        let spec = "topology = { kind = \"mesh\", radix = [2, 2] }\nselection.kind = \"turn\"\n";
        let traced = called(&["trace", "no such file", "--packet", "1"], Some(spec)).unwrap();
        let [Warning::NoEffect(text)] = &traced.warnings[..] else { panic!("{:?}", traced.warnings) };
        assert!(text.starts_with("selection.kind = turn has no effect"), "{text}");
    }

    #[test]
    fn what_is_wrong_is_an_error_and_not_printed() {
        let wrong = called(&["cost", "no_such"], None).unwrap_err().to_string();
        assert!(wrong.starts_with("there is no router `no_such`"), "{wrong}");
        let wrong = called(&["curve", "x", "--points", "1"], None).unwrap_err().to_string();
        assert!(wrong.contains("--points") && !wrong.contains("--help"), "{wrong}");
        assert!(!is_program());
    }
}
