//! From the command line to a document: reading SPEC and applying `--set`.

use crate::exit::{Failure, Result};
use clap::Args;
use std::io::Read;
use std::path::{Path, PathBuf};
use tailback_spec::{Document, Kind, MAX_BYTES, Origin, Point, Resolved};
use toml::Value;

/// Which spec, and what to change in it.
#[derive(Args, Clone, Debug)]
pub struct SpecArgs {
    /// The spec, a TOML file; `-` reads standard input
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    /// Change a parameter: `--set traffic.load=0.3`; may be given several times. A sweep of it gives way
    #[arg(long = "set", short = 's', value_name = "PATH=VALUE")]
    pub set: Vec<String>,
}

impl SpecArgs {
    /// Reads and parses the spec and applies `--set`.
    pub fn document(&self) -> Result<Document> {
        let mut document = Document::parse(&self.name(), &self.read()?)?;
        self.set.iter().try_for_each(|argument| document.set(argument))?;
        Ok(document)
    }

    /// The spec's name in messages.
    pub fn name(&self) -> String {
        if self.is_stdin() { "standard input".to_owned() } else { self.spec.display().to_string() }
    }

    /// Makes the paths of files that the spec names absolute: it gives them relative to itself, and a capsule must find
    /// them from anywhere. What `--set` gives is relative to the present folder.
    pub fn locate_files(&self, point: &mut Point) -> Result<()> {
        let folder = if self.is_stdin() { Path::new("") } else { self.spec.parent().unwrap_or(Path::new("")) };
        self.locate(folder, &mut point.resolved)
    }

    /// [`SpecArgs::locate_files`] for the base of a sweep.
    pub fn locate_in(&self, resolved: &mut Resolved) -> Result<()> {
        let folder = if self.is_stdin() { Path::new("") } else { self.spec.parent().unwrap_or(Path::new("")) };
        self.locate(folder, resolved)
    }

    fn locate(&self, folder: &Path, resolved: &mut Resolved) -> Result<()> {
        let mut paths = Vec::new();
        let keys = path_keys();
        for (key, value) in &resolved.table {
            find(key, value, &keys, &mut paths);
        }
        for path in paths {
            let given_here = matches!(resolved.sources.origin(&path), Origin::Set(..));
            let base = if given_here { Path::new("") } else { folder };
            let Some(Value::String(file)) = at(&mut resolved.table, &path) else { continue };
            let absolute = std::path::absolute(base.join(&*file)).map_err(|e| Failure::file("find", base, &e))?;
            *file = absolute.display().to_string();
        }
        Ok(())
    }

    fn is_stdin(&self) -> bool {
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
                let message = format!("`{}` is a folder, not a spec; give a TOML file", self.spec.display());
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
            let (asked, found) = (self.spec.display(), with_ending.display());
            return Failure::usage(format!("there is no file `{asked}`; did you mean `{found}`?"));
        }
        Failure::file("open", &self.spec, error)
    }
}

/// The keys whose values are paths of files.
fn path_keys() -> Vec<&'static str> {
    let params = tailback_sim::catalogue().sections.iter().flat_map(|section| section.every_param());
    params.filter(|param| param.kind == Kind::Path).map(|param| param.name).collect()
}

/// Collects the dotted paths of texts whose key is in `keys`; elements of lists are `phases[0]`.
fn find(path: &str, value: &Value, keys: &[&str], found: &mut Vec<String>) {
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| find(&format!("{path}.{key}"), value, keys, found)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| find(&format!("{path}[{index}]"), value, keys, found));
        }
        Value::String(_) if path.rsplit('.').next().is_some_and(|key| keys.contains(&key)) => {
            found.push(path.to_owned());
        }
        _ => {}
    }
}

/// The value at a path as [`find`] writes them.
fn at<'a>(table: &'a mut toml::Table, path: &str) -> Option<&'a mut Value> {
    let mut words = path.split(['.', '[', ']']).filter(|word| !word.is_empty());
    let first = table.get_mut(words.next()?)?;
    words.try_fold(first, |value, word| match value {
        Value::Table(table) => table.get_mut(word),
        Value::Array(list) => list.get_mut(word.parse::<usize>().ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_wherever_they_stand() {
        let text = "a = { file = 'x' }\n[[b.phases]]\npattern = { file = 'y', kind = 'z' }";
        let mut table: toml::Table = text.parse().unwrap();
        let mut found = Vec::new();
        table.iter().for_each(|(key, value)| find(key, value, &["file"], &mut found));
        assert_eq!(found, ["a.file", "b.phases[0].pattern.file"]);
        assert_eq!(at(&mut table, &found[1]).unwrap().as_str(), Some("y"));
    }
}
