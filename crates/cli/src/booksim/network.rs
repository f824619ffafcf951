//! The network file of a configuration.

use super::sources::Sources;
use crate::exit::{Failure, Result};
use std::path::{Path, PathBuf};
use tailback_base::text::shown;
use tailback_booksim::{Config, Spec, network_file};
use toml::Value;

/// Finds the file where the program was started, as BookSim does, or else beside the configuration, and writes its whole path into the
/// spec.
///
/// # Errors
/// Where there is no such file, and where BookSim reads another network from it.
pub fn locate(mapped: &mut Spec, config: &Config, sources: &Sources) -> Result<()> {
    let topology = mapped.table.get_mut("topology").and_then(Value::as_table_mut);
    let Some(Value::String(path)) = topology.and_then(|topology| topology.get_mut("path")) else { return Ok(()) };
    let refused = |why: &str| Failure::usage(config.fault(&["network_file"], why).to_string());
    let beside = sources.files[0].parent().unwrap_or(Path::new("")).join(&*path);
    let found = [PathBuf::from(&*path), beside].into_iter().find(|path| path.is_file());
    let found = found.ok_or_else(|| refused("there is no such file here, and none beside the configuration"))?;
    let text =
        tailback_base::lines::read(&found.to_string_lossy(), 128 << 20, "network").map_err(|why| refused(&why))?;
    network_file::check(&text).map_err(|why| refused(&shown(&why)))?;
    let whole = std::path::absolute(&found).map_err(|error| Failure::file("find", &found, &error))?;
    *path = whole.display().to_string();
    Ok(())
}
