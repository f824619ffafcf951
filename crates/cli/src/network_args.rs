//! The network that a command line describes: by a spec, by a file, or by a kind and its parameters.

use crate::exit::{Failure, Result};
use crate::networks::every_family;
use crate::output::{add_files, behind};
use crate::show;
use crate::spec_file::SpecArgs;
use crate::told::Warning;
use std::path::{Path, PathBuf};
use tailback_network::family::{self, Built};
use tailback_results::Inputs;
use tailback_spec::{Document, Resolved};
use toml::Value;

/// Arguments that say which network.
#[derive(clap::Args, Debug)]
pub struct NetworkArgs {
    /// A spec (a TOML file, or `-` for standard input) or a file of a network
    #[arg(value_name = "SPEC|FILE", conflicts_with = "kind")]
    pub network: Option<PathBuf>,
    /// A kind of network, instead of a spec or a file; its parameters are given with `--set`
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// A parameter of the network: `--set sides='[4, 4]'`. May be given several times
    #[arg(long = "set", short = 's', value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl NetworkArgs {
    /// The network that is asked for, and its kind; `None` where none is.
    pub fn asked(&self) -> Result<Option<(Resolved, String)>> {
        let resolved = match (&self.kind, &self.network) {
            (Some(kind), _) => self.by_kind(&format!("[topology]\nkind = {}\n", Value::from(kind.as_str())))?,
            (None, Some(path)) if !is_spec(path) => {
                let path = Value::from(path.to_string_lossy().as_ref());
                self.by_kind(&format!("[topology]\nkind = \"file\"\npath = {path}\n"))?
            }
            (None, Some(spec)) => {
                let spec = SpecArgs { spec: spec.clone(), set: self.set.clone() };
                let mut resolved = spec.document()?.resolve(every_family())?;
                spec.locate_by(every_family(), &mut resolved)?;
                resolved
            }
            (None, None) if self.set.is_empty() => return Ok(None),
            (None, None) => {
                return Err(Failure::usage("--set needs a network to set something of: give a spec, or --kind"));
            }
        };
        let kind = resolved.view("topology").kind().to_owned();
        Ok(Some((resolved, kind)))
    }

    /// The spec of a network that the command line describes.
    fn by_kind(&self, text: &str) -> Result<Resolved> {
        let full = |set: &String| if set.starts_with("topology.") { set.clone() } else { format!("topology.{set}") };
        let sets: Vec<String> = self.set.iter().map(full).collect();
        Ok(Document::read("--kind", text.as_bytes(), &sets)?.resolve(every_family())?)
    }

    /// The files that are read: the one named, and those that its spec names.
    pub fn inputs(&self, resolved: &Resolved) -> Inputs {
        let mut inputs = Inputs::none();
        if let Some(path) = &self.network {
            inputs.add(behind(path), "the network");
        }
        add_files(&mut inputs, resolved);
        inputs
    }
}

/// Specs are TOML files, or come by standard input.
fn is_spec(path: &Path) -> bool {
    path.as_os_str() == "-" || path.extension().is_some_and(|ending| ending == "toml")
}

/// Builds the network of a resolved spec, and prints what whoever asked for it should know.
pub fn build(resolved: &Resolved) -> Result<Built> {
    match family::build(resolved.view("topology")) {
        Ok(built) => {
            built.notes.iter().for_each(|text| show::warn(&Warning::Other(text.clone())));
            Ok(built)
        }
        Err(error) => Err(resolved.errors([*error]).expect("there is one").into()),
    }
}
