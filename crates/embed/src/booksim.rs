//! From a BookSim 2 configuration to a spec.

use crate::error::Error;
use std::path::Path;
use tailback_booksim::{Config, Unknown, spec as mapped};
use toml::{Table, Value};

/// The spec of a configuration with arguments, as TOML: its network and routers, and a host for its workload.
pub(crate) fn spec(path: &Path, text: &[u8], arguments: &[String]) -> Result<String, Error> {
    let name = path.display().to_string();
    let text = std::str::from_utf8(text).map_err(|_| Error::Spec(format!("{name} is no text (UTF-8)")))?;
    let arguments: Vec<(String, String)> =
        (1..).zip(arguments).map(|(n, argument)| (format!("argument {n}"), format!("{argument};"))).collect();
    let texts = std::iter::once((name.as_str(), text));
    let texts = texts.chain(arguments.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let config = Config::read(texts, Unknown::Refused).map_err(|faults| refused(&faults))?;
    let mut spec = mapped(&config).map_err(|faults| refused(&faults))?;
    network_file(&mut spec.table, path);
    spec.table.insert("workload".to_owned(), Table::from_iter([("kind".to_owned(), Value::from("host"))]).into());
    // BookSim runs whatever its channels are.
    let run = spec.table.entry("run").or_insert_with(|| Table::new().into());
    if let Value::Table(run) = run {
        run.insert("allow_deadlock".to_owned(), true.into());
    }
    Ok(spec.table.to_string())
}

/// The file of a network is looked for beside the configuration.
fn network_file(table: &mut Table, path: &Path) {
    let topology = table.get_mut("topology").and_then(Value::as_table_mut);
    if let Some(Value::String(file)) = topology.and_then(|topology| topology.get_mut("file")) {
        let beside = path.parent().unwrap_or(Path::new("")).join(&*file);
        *file = std::path::absolute(&beside).unwrap_or(beside).display().to_string();
    }
}

fn refused(faults: &[impl ToString]) -> Error {
    Error::Spec(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}
