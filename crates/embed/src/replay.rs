//! Repeating the calls of a log.

use crate::error::Error;
use crate::log::{MAGIC, word};
use crate::messages::Message;
use crate::network::Network;
use crate::open::{point, threads_of, wrong};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_base::text;
use tailback_results::Checkpoint;
use tailback_sim::{Outcome, prepare, quietly};
use tailback_spec::MAX_BYTES;

/// The longest line behind the spec \[bytes\].
const LONGEST: u64 = 256;

/// What the calls of a log came to.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Calls repeated.
    pub calls: u64,
    /// The first call that ended otherwise than in the log, in words.
    pub differs: Option<String>,
    /// The clock and the digest at the end of the log; `None` where the host never ended it.
    pub end: Option<(u64, String)>,
    /// The outcome of the run.
    pub outcome: Outcome,
    /// What became of the message that was asked for; see [`Network::story`].
    pub story: Option<String>,
}

impl Replayed {
    /// Whether all came out as the log has it, to its end.
    pub fn is_same(&self) -> bool {
        let record = &self.outcome.record;
        let ended = |(clock, digest): &(u64, String)| *clock == record.cycles && *digest == record.digest;
        self.differs.is_none() && self.end.as_ref().is_none_or(ended)
    }
}

/// Repeats the calls of a log, until `cancel` is set, and follows the first message with the tag `follow`.
///
/// # Errors
/// Where the file cannot be read or is no log, with the line.
pub fn replay(path: &Path, follow: Option<u64>, cancel: &'static AtomicBool) -> Result<Replayed, Error> {
    let name = text::word(&path.display().to_string());
    let failed = |error: std::io::Error| Error::File(format!("cannot read {name}: {error}"));
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(Error::File(format!("{name} is a folder, not a call log")));
    }
    let mut lines = Lines { from: BufReader::new(file), number: 0, name };
    let mut network = quietly(|| opened(&mut lines, cancel)).unwrap_or_else(|bug| Err(Error::Bug(bug)))?;
    if let Some(tag) = follow {
        network.follow(tag);
    }
    let (mut calls, mut differs, mut end) = (0, None, None);
    while let Some(line) = lines.next()? {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        if end.is_some() {
            return Err(lines.wrong("something follows the end"));
        }
        match Call::parse(&line).ok_or_else(|| lines.wrong("no call of a log"))? {
            Call::End(clock, digest) => end = Some((clock, digest)),
            call => {
                calls += 1;
                let other = call.repeat(&mut network);
                let number = lines.number;
                differs = differs.or_else(|| other.map(|other| format!("line {number}: `{line}` ended with: {other}")));
            }
        }
    }
    let outcome = network.outcome().map_err(|refusal| Error::Bug(refusal.to_string()))?;
    Ok(Replayed { calls, differs, end, outcome, story: network.story() })
}

/// Opens the network whose spec the log begins with.
fn opened(lines: &mut Lines, cancel: &'static AtomicBool) -> Result<Network, Error> {
    if lines.next()?.as_deref() != Some(MAGIC) {
        return Err(lines.wrong("a call log begins with `tailback calls 1`"));
    }
    let version = lines.next()?;
    version.filter(|line| line.starts_with("version ")).ok_or_else(|| lines.wrong("here stands the version"))?;
    let length = lines.next()?.and_then(|line| line.strip_prefix("spec ")?.parse::<usize>().ok());
    let length = length
        .filter(|&length| length <= MAX_BYTES)
        .ok_or_else(|| lines.wrong("here stands the length of the spec"))?;
    let spec = lines.bytes(length, "the spec")?;
    if let Some(length) = lines.checkpoint()? {
        let bytes = lines.bytes(length, "the checkpoint")?;
        let checkpoint = Checkpoint::parse(&bytes).map_err(|why| lines.wrong(&format!("the checkpoint: {why}")))?;
        return Network::restored(checkpoint, cancel);
    }
    let point = point("the log's spec", &spec, Path::new(""), &[])?;
    let prepared = prepare(&point).map_err(wrong)?;
    let threads = threads_of(&prepared);
    Network::new(prepared, (threads, cancel), None)
}

/// A file, line by line.
struct Lines {
    from: BufReader<File>,
    number: u64,
    name: String,
}

impl Lines {
    fn wrong(&self, what: &str) -> Error {
        Error::Damaged(format!("{}, line {}: {what}", self.name, self.number))
    }

    fn next(&mut self) -> Result<Option<String>, Error> {
        let mut line = Vec::new();
        self.number += 1;
        let read = (&mut self.from).take(LONGEST).read_until(b'\n', &mut line);
        read.map_err(|error| Error::File(format!("cannot read {}: {error}", self.name)))?;
        match line.pop() {
            None => Ok(None),
            Some(b'\n') => String::from_utf8(line).map(Some).map_err(|_| self.wrong("no text")),
            // The host ended in the middle of a line, or it is too long.
            Some(_) if line.len() as u64 + 1 < LONGEST => Ok(None),
            Some(_) => Err(self.wrong("a line longer than any call")),
        }
    }

    /// The length of a checkpoint, where one follows.
    fn checkpoint(&mut self) -> Result<Option<usize>, Error> {
        let failed = |error| Error::File(format!("cannot read {}: {error}", self.name));
        if self.from.fill_buf().map_err(failed)?.first() != Some(&b'c') {
            return Ok(None);
        }
        let length = self.next()?.and_then(|line| line.strip_prefix("checkpoint ")?.parse().ok());
        length.map(Some).ok_or_else(|| self.wrong("no call of a log"))
    }

    /// So many bytes, and the end of their last line.
    fn bytes(&mut self, length: usize, what: &str) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = (&mut self.from).take((length as u64).saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| Error::File(format!("cannot read {}: {error}", self.name)))?;
        self.number += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        match bytes.pop() {
            Some(b'\n') if bytes.len() == length => Ok(bytes),
            _ => Err(self.wrong(&format!("{what} is not as long as it should be"))),
        }
    }
}

/// A line behind the spec.
enum Call {
    Send(Message, String),
    Advance(u64, String),
    Receive(u32, u32, (u64, u64)),
    End(u64, String),
}

impl Call {
    fn parse(line: &str) -> Option<Call> {
        let words: Vec<&str> = line.split(' ').collect();
        let small = |n: usize| words.get(n)?.parse::<u32>().ok();
        let number = |n: usize| words.get(n)?.parse::<u64>().ok();
        let last = || words.last().map(|&word| word.to_owned());
        match (*words.first()?, words.len()) {
            ("send", 7) => {
                let message = Message {
                    source: small(1)?,
                    destination: small(2)?,
                    class: small(3)?,
                    flits: small(4)?,
                    tag: number(5)?,
                };
                Some(Call::Send(message, last()?))
            }
            ("advance", 3) => Some(Call::Advance(number(1)?, last()?)),
            ("receive", 5) => Some(Call::Receive(small(1)?, small(2)?, (number(3)?, number(4)?))),
            ("end", 3) => Some(Call::End(number(1)?, last()?)),
            _ => None,
        }
    }

    /// Makes the call again; tells where it ended otherwise.
    fn repeat(&self, network: &mut Network) -> Option<String> {
        let other = |ended, before: &str| (word(ended) != before).then(|| word(ended).to_owned());
        match self {
            Call::Send(message, before) => other(network.send(*message), before),
            Call::Advance(to, before) => other(network.advance(*to), before),
            Call::Receive(node, class, before) => {
                let got = network.receive(*node, *class).map(|delivery| (delivery.message.tag, delivery.cycle));
                let told = || got.map_or("nothing".to_owned(), |(tag, cycle)| format!("tag {tag} of cycle {cycle}"));
                (got != Some(*before)).then(told)
            }
            Call::End(..) => None,
        }
    }
}
