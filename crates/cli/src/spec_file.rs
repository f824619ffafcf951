//! From the command line to a document: reading SPEC and applying `--set`.

use crate::complete;
use crate::exit::{Failure, Result};
use crate::front;
use crate::show;
use clap::Args;
use clap_complete::engine::ArgValueCompleter;
use std::io::Read;
use std::path::{Path, PathBuf};
use tailback_sim::catalogue;
use tailback_spec::{Catalogue, Document, MAX_BYTES, Origin, Point, Resolved};
use toml::Value;

/// Which spec, and what to change in it.
#[derive(Args, Clone, Debug)]
pub struct SpecArgs {
    /// The spec, a TOML file; `-` reads standard input
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Change a parameter: `--set traffic.load=0.3`. The value takes the place of a sweep of that parameter. May be given
    /// several times
    #[arg(long = "set", short = 's', value_name = "PATH=VALUE", add = ArgValueCompleter::new(complete::setting))]
    pub set: Vec<String>,
}

impl SpecArgs {
    /// Reads and parses the spec and applies `--set`. Arguments that cannot be applied are told with all else that is
    /// wrong, when the document is resolved.
    pub fn document(&self) -> Result<Document> {
        if let Some(mut document) = front::document() {
            self.set.iter().try_for_each(|set| document.set(set))?;
            return Ok(document);
        }
        Ok(Document::read(&self.name(), &self.read()?, &self.set)?)
    }

    /// The spec's name in messages.
    pub fn name(&self) -> String {
        if self.is_stdin() { "standard input".to_owned() } else { self.spec.display().to_string() }
    }

    /// Makes the paths of files that the spec names absolute: it gives them relative to itself, and a capsule must find
    /// them from anywhere. What `--set` gives is relative to the present folder.
    pub fn locate_files(&self, point: &mut Point) -> Result<()> {
        let folder = if self.is_stdin() { Path::new("") } else { self.spec.parent().unwrap_or(Path::new("")) };
        self.locate(catalogue(), folder, &mut point.resolved)
    }

    /// [`SpecArgs::locate_files`] for the base of a sweep.
    pub fn locate_in(&self, resolved: &mut Resolved) -> Result<()> {
        self.locate_by(catalogue(), resolved)
    }

    /// [`SpecArgs::locate_in`] for a spec of another catalogue.
    pub fn locate_by(&self, catalogue: &Catalogue, resolved: &mut Resolved) -> Result<()> {
        let folder = if self.is_stdin() { Path::new("") } else { self.spec.parent().unwrap_or(Path::new("")) };
        self.locate(catalogue, folder, resolved)
    }

    fn locate(&self, catalogue: &Catalogue, folder: &Path, resolved: &mut Resolved) -> Result<()> {
        let files = resolved.files(catalogue);
        for path in &files {
            let given_here = matches!(resolved.sources.origin(path), Origin::Set(..));
            let base = if given_here { Path::new("") } else { folder };
            let Some(Value::String(file)) = resolved.value_mut(path) else { continue };
            let absolute = std::path::absolute(base.join(&*file)).map_err(|e| Failure::file("find", base, &e))?;
            *file = absolute.display().to_string();
        }
        if !files.is_empty() {
            resolved.settle(catalogue);
        }
        Ok(())
    }

    /// Whether the spec comes by standard input.
    pub fn is_stdin(&self) -> bool {
        self.spec.as_os_str() == "-"
    }

    /// The bytes of the spec, no more than tell that there are too many.
    fn read(&self) -> Result<Vec<u8>> {
        let limit = MAX_BYTES as u64 + 1;
        let mut bytes = Vec::new();
        if self.is_stdin() {
            let read = std::io::stdin().lock().take(limit).read_to_end(&mut bytes);
            read.map_err(|error| Failure::usage(format!("cannot read standard input: {error}")))?;
        } else {
            let file = std::fs::File::open(&self.spec).map_err(|error| self.not_opened(&error))?;
            if file.metadata().is_ok_and(|m| m.is_dir()) {
                let message = format!("`{}` is a folder, not a spec; give a TOML file", show::path(&self.spec));
                return Err(Failure::usage(message));
            }
            let read = file.take(limit).read_to_end(&mut bytes);
            read.map_err(|error| Failure::file("read", &self.spec, &error))?;
        }
        if bytes.len() as u64 == limit {
            let help = "give large data, such as permutations, in files of their own";
            return Err(Failure::usage(format!("{} is longer than a spec may be (1 MiB); {help}", self.name())));
        }
        Ok(bytes)
    }

    fn not_opened(&self, error: &std::io::Error) -> Failure {
        let with_ending = self.spec.with_extension("toml");
        if self.spec.extension().is_none() && with_ending.is_file() {
            let (asked, found) = (show::path(&self.spec), show::path(&with_ending));
            return Failure::usage(format!("there is no file `{asked}`; did you mean `{found}`?"));
        }
        Failure::file("open", &self.spec, error)
    }
}
