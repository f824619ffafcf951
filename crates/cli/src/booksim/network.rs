//! The network file of a configuration.

use super::sources::Sources;
use crate::exit::{Failure, Result};
use std::path::{Path, PathBuf};
use tailback_base::text::shown;
use tailback_booksim::{Config, Spec, network_file};
use toml::Value;

/// A network file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its whole path.
    path: PathBuf,
    /// Nodes of the network.
    pub nodes: u32,
}

/// Finds the file of a configuration where the program was started, as BookSim does, or else beside the configuration. None where the
/// network is none of a file.
///
/// # Errors
/// Where there is no such file, and where BookSim reads another network from it.
pub fn read(config: &Config, sources: &Sources) -> Result<Option<File>> {
    let path = config.text("network_file");
    if config.text("topology") != "anynet" || path.is_empty() {
        return Ok(None);
    }
    let refused = |why: &str| Failure::usage(config.fault(&["network_file"], why).to_string());
    let beside = sources.files[0].parent().unwrap_or(Path::new("")).join(path);
    let found = [PathBuf::from(path), beside].into_iter().find(|path| path.is_file());
    let found = found.ok_or_else(|| refused("there is no such file here, and none beside the configuration"))?;
    let text =
        tailback_base::lines::read(&found.to_string_lossy(), 128 << 20, "network").map_err(|why| refused(&why))?;
    network_file::check(&text).map_err(|why| refused(&shown(&why)))?;
    let path = std::path::absolute(&found).map_err(|error| Failure::file("find", &found, &error))?;
    Ok(Some(File { path, nodes: network_file::nodes(&text) }))
}

/// Writes the whole path of its file into a spec that names one.
pub fn place(mapped: &mut Spec, file: Option<File>) {
    let topology = mapped.table.get_mut("topology").and_then(Value::as_table_mut);
    if let (Some(Value::String(path)), Some(file)) = (topology.and_then(|topology| topology.get_mut("path")), file) {
        *path = file.path.display().to_string();
    }
}
