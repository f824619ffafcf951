//! The log of a host's calls, from which somebody without the host repeats what happened (`docs/embedding.md` has its form).

use crate::error::{Error, Refusal};
use crate::files::output;
use crate::messages::{Delivery, Message};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use tailback_results::{Inputs, Kind};
use tailback_sim::{Prepared, VERSION, catalogue};

/// How a log begins.
pub(crate) const MAGIC: &str = "tailback calls 1";

/// A log that is being written.
pub(crate) struct Log {
    to: BufWriter<File>,
    /// Why some of it could not be written.
    failed: Option<String>,
    name: String,
}

/// The word for how a call ended.
pub(crate) fn word(ended: Result<(), Refusal>) -> &'static str {
    match ended {
        Ok(()) => "ok",
        Err(Refusal::NoNode) => "no-node",
        Err(Refusal::NoClass) => "no-class",
        Err(Refusal::Length) => "length",
        Err(Refusal::Full) => "full",
        Err(Refusal::Time) => "time",
        Err(Refusal::Deadlocked) => "deadlocked",
        Err(Refusal::Livelocked) => "livelocked",
        Err(Refusal::Broken) => "broken",
    }
}

impl Log {
    /// Begins a log with the spec of the network and, unless nothing has happened yet, a checkpoint of it. A log replaces another log
    /// at most.
    pub fn new(path: &Path, prepared: &Prepared, inputs: &Inputs, checkpoint: Option<&[u8]>) -> Result<Log, Error> {
        output(path, Kind::CallLog, inputs)?;
        let name = path.display().to_string();
        let to = File::create(path).map_err(|error| Error::File(format!("cannot write {name}: {error}")))?;
        let mut log = Log { to: BufWriter::new(to), failed: None, name };
        let spec = prepared.point().resolved.to_toml(catalogue());
        log.line(format_args!("{MAGIC}\nversion {VERSION}\nspec {}\n{spec}", spec.len()));
        if let Some(bytes) = checkpoint {
            log.line(format_args!("checkpoint {}", bytes.len()));
            log.failed = log.failed.or(log.to.write_all(bytes).err().map(|error| error.to_string()));
            log.line(format_args!(""));
        }
        Ok(log)
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        if self.failed.is_none() {
            self.failed = writeln!(self.to, "{line}").err().map(|error| error.to_string());
        }
    }

    pub fn sent(&mut self, message: &Message, ended: Result<(), Refusal>) {
        let Message { source, destination, class, flits, tag } = message;
        self.line(format_args!("send {source} {destination} {class} {flits} {tag} {}", word(ended)));
    }

    pub fn advanced(&mut self, to: u64, ended: Result<(), Refusal>) {
        self.line(format_args!("advance {to} {}", word(ended)));
    }

    pub fn received(&mut self, node: u32, class: u32, delivery: &Delivery) {
        let Delivery { message, cycle, .. } = delivery;
        self.line(format_args!("receive {node} {class} {} {cycle}", message.tag));
    }

    /// Ends it; tells what could not be written.
    pub fn end(mut self, clock: u64, digest: &str) -> Result<(), Error> {
        self.line(format_args!("end {clock} {digest}"));
        let flushed = self.to.flush().err().map(|error| error.to_string());
        match self.failed.or(flushed) {
            None => Ok(()),
            Some(error) => Err(Error::File(format!("cannot write {}: {error}", self.name))),
        }
    }
}
