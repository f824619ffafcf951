//! From a BookSim 2 configuration to a spec.

use crate::error::Error;
use std::path::Path;
use tailback_booksim::{Config, Inside, Unknown};
use toml::{Table, Value};

/// The spec of a configuration with arguments, as TOML: its network and routers, and a host for its workload.
pub(crate) fn spec(path: &Path, text: &[u8], arguments: &[String]) -> Result<String, Error> {
    let texts = texts(path, text, arguments)?;
    let config = Config::read(named(&texts), Unknown::Refused).map_err(|faults| refused(&faults))?;
    Ok(mapped(&config, path)?.to_string())
}

/// The same of a configuration with the keys of a simulator that has BookSim inside, and what these say.
pub(crate) fn inside(path: &Path, text: &[u8], arguments: &[String]) -> Result<(Table, Config, Inside), Error> {
    let texts = texts(path, text, arguments)?;
    let (config, inside) = Inside::read(named(&texts)).map_err(|faults| refused(&faults))?;
    let mut table = mapped(&config, path)?;
    let flits = inside.ejection_flits(&config);
    if let Some(Value::Table(router)) = table.get_mut("router") {
        router.insert("ejection_flits".to_owned(), i64::from(flits).into());
    }
    Ok((table, config, inside))
}

/// The file and the arguments, with what messages call them.
fn texts(path: &Path, text: &[u8], arguments: &[String]) -> Result<Vec<(String, String)>, Error> {
    let name = path.display().to_string();
    let text = std::str::from_utf8(text).map_err(|_| Error::Spec(format!("{name} is no text (UTF-8)")))?;
    let arguments = (1..).zip(arguments).map(|(n, argument)| (format!("argument {n}"), format!("{argument};")));
    Ok(std::iter::once((name, text.to_owned())).chain(arguments).collect())
}

fn named(texts: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    texts.iter().map(|(name, text)| (name.as_str(), text.as_str()))
}

fn mapped(config: &Config, path: &Path) -> Result<Table, Error> {
    let mut spec = tailback_booksim::spec(config).map_err(|faults| refused(&faults))?;
    network_file(&mut spec.table, path);
    // The host says what nodes send.
    if let Some(Value::Table(traffic)) = spec.table.get_mut("traffic") {
        traffic.remove("classes");
    }
    spec.table.insert("workload".to_owned(), Table::from_iter([("kind".to_owned(), Value::from("host"))]).into());
    // BookSim runs whatever its channels are.
    let run = spec.table.entry("run").or_insert_with(|| Table::new().into());
    if let Value::Table(run) = run {
        run.insert("allow_deadlock".to_owned(), true.into());
    }
    Ok(spec.table)
}

/// The file of a network is looked for beside the configuration.
fn network_file(table: &mut Table, path: &Path) {
    let topology = table.get_mut("topology").and_then(Value::as_table_mut);
    if let Some(Value::String(file)) = topology.and_then(|topology| topology.get_mut("file")) {
        let beside = path.parent().unwrap_or(Path::new("")).join(&*file);
        *file = std::path::absolute(&beside).unwrap_or(beside).display().to_string();
    }
}

pub(crate) fn refused(faults: &[impl ToString]) -> Error {
    Error::Spec(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}
