//! The files and arguments of the command line, as BookSim takes them.

use crate::exit::{Failure, Result};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use tailback_base::text::shown;
use tailback_results::Inputs;

/// A file longer than this is no configuration \[bytes\].
const LIMIT: usize = 1 << 20;

/// Files, and `key=value` arguments behind them.
#[derive(Debug, Default)]
pub struct Sources {
    /// What messages call each, and its text.
    pub texts: Vec<(String, String)>,
    /// The files.
    pub files: Vec<PathBuf>,
}

impl Sources {
    /// Sorts and reads the arguments: with `=` one is an assignment, with `-` in front it is skipped, and any other one is a file.
    ///
    /// # Errors
    /// Where a file cannot be read, or none is given.
    pub fn read(arguments: &[String]) -> Result<Sources> {
        let mut sources = Sources::default();
        for argument in arguments {
            if argument.contains('=') {
                // As on BookSim's command line, without the `;` at the end.
                sources.texts.push((format!("argument `{}`", shown(argument)), format!("{argument};")));
            } else if !argument.starts_with('-') {
                let path = PathBuf::from(argument);
                sources.texts.push((shown(argument).into_owned(), text(&path)?));
                sources.files.push(path);
            }
        }
        if sources.files.is_empty() {
            let help = "give a configuration file; arguments with `=` change its keys";
            return Err(Failure::usage(format!("there is no file among the arguments: {help}")));
        }
        Ok(sources)
    }

    /// The files, which nothing that is written may replace.
    pub fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::none();
        self.files.iter().for_each(|file| inputs.add(file, "the configuration"));
        inputs
    }
}

/// A file as text. Bytes that are none stand in comments of old files.
fn text(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    // A device may have no end.
    File::open(path)
        .and_then(|file| file.take(LIMIT as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| Failure::file("open", path, &error))?;
    if bytes.len() > LIMIT {
        let name = path.to_string_lossy();
        return Err(Failure::usage(format!("`{}` is longer than a configuration may be (1 MiB)", shown(&name))));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
