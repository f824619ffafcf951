//! Reads GOAL text, line by line.

use super::draft::Draft;
use super::fault::{At, Fault};
use super::labels::Labels;
use super::scan::{Lines, Token, Words};
use super::stored::{Form, Kind, MOST_OPERATIONS, OfRank, Record, Stored};
use super::{ANY, Units};
use crate::contract::Upon;
use crate::generate::table::MOST_RANKS;
use std::io::BufRead;
use tailback_base::text::word;

/// What is read so far.
struct Reader<'u> {
    units: &'u Units,
    /// How many ranks there are, once it has been said.
    ranks: Option<u32>,
    done: Vec<Option<OfRank>>,
    /// The rank whose braces are open, and where they opened.
    open: Option<(u32, At)>,
    draft: Draft,
    labels: Labels,
}

/// Reads a text.
pub(super) fn read(reader: impl BufRead, units: &Units) -> Result<Stored, Fault> {
    units.check().map_err(|message| Fault::new(At::File, message))?;
    let labels = Labels::default();
    let mut state = Reader { units, ranks: None, done: Vec::new(), open: None, draft: Draft::default(), labels };
    let mut lines = Lines::new(reader);
    while lines.next()? {
        state.line(&mut Words::new(&lines.line, lines.number))?;
    }
    state.finish(lines.number)
}

impl Reader<'_> {
    /// The statements of a line: braces and the number of ranks may have others behind them.
    fn line(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        loop {
            match words.next()? {
                Token::End => return Ok(()),
                Token::Word(b"num_ranks") => self.ranks(words)?,
                Token::Word(b"rank") => self.begin(words)?,
                Token::Sign(b'}') => self.end(words)?,
                Token::Word(name) => {
                    self.statement(name, words)?;
                    return words.expect(Token::End);
                }
                other => {
                    return Err(words.fault(format!("no statement begins with {}", other.quoted())));
                }
            }
        }
    }

    fn ranks(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        if self.ranks.is_some() {
            return Err(words.fault("the number of ranks is said twice"));
        }
        let ranks = words.number("the number of ranks")?;
        if !(1..=MOST_RANKS).contains(&ranks) {
            return Err(words.fault(format!("there are {ranks} ranks, and a program has between 1 and {MOST_RANKS}")));
        }
        self.ranks = Some(ranks as u32);
        Ok(())
    }

    fn begin(&mut self, words: &mut Words<'_>) -> Result<(), Fault> {
        if let Some((rank, at)) = self.open {
            return Err(words.fault(format!("rank {rank} of {at} is still open; close it with a brace")));
        }
        let ranks = self.ranks.ok_or_else(|| words.fault("`num_ranks` stands before the first rank"))?;
        let rank = words.number("a rank")?;
        let at = words.at();
        if rank >= u64::from(ranks) {
            return Err(words.fault(format!("there is no rank {rank}; `num_ranks` is {ranks}")));
        }
        if self.done.get(rank as usize).is_some_and(Option::is_some) {
            return Err(words.fault(format!("rank {rank} is there twice")));
        }
        words.expect(Token::Sign(b'{'))?;
        self.open = Some((rank as u32, at));
        Ok(())
    }

    fn end(&mut self, words: &Words<'_>) -> Result<(), Fault> {
        let (rank, _) = self.open.take().ok_or_else(|| words.fault("this brace closes no rank"))?;
        if self.done.len() <= rank as usize {
            self.done.resize(rank as usize + 1, None);
        }
        self.done[rank as usize] = Some(std::mem::take(&mut self.draft).finish(0));
        self.labels.clear();
        Ok(())
    }

    /// An operation, with a label or without, or a dependency.
    fn statement(&mut self, name: &[u8], words: &mut Words<'_>) -> Result<(), Fault> {
        if self.open.is_none() {
            let found = word(&String::from_utf8_lossy(name));
            return Err(words.fault(format!("`{found}` stands outside of a rank; open one with `rank 0 {{`")));
        }
        let began = *words;
        if let Some(kind) = kind(name) {
            return self.operation(kind, words.at(), words);
        }
        match words.next()? {
            Token::Word(b"requires") => self.dependency(name, &began, words, Upon::Finish),
            Token::Word(b"irequires") => self.dependency(name, &began, words, Upon::Start),
            Token::Sign(b':') => {
                let number = self.draft.records.len() as u32;
                if let Some(other) = self.labels.find(name) {
                    let line = self.draft.records[other as usize].line;
                    let name = word(&String::from_utf8_lossy(name));
                    return Err(began.fault(format!("the label `{name}` is there twice, first in line {line}")));
                }
                match words.next()? {
                    Token::Word(word) if kind(word).is_some() => {
                        let kind = kind(word).expect("it was looked at");
                        self.operation(kind, began.at(), words)?;
                    }
                    other => {
                        let found = other.quoted();
                        return Err(words.fault(format!("{found} stands where `send`, `recv` or `calc` is due")));
                    }
                }
                match self.labels.add(name, number) {
                    true => Ok(()),
                    false => Err(began.fault("the labels of this rank are longer than 4 GiB together; shorten them")),
                }
            }
            other => Err(words.fault(format!("{} stands where `:`, `requires` or `irequires` is due", other.quoted()))),
        }
    }

    fn dependency(&mut self, name: &[u8], began: &Words<'_>, words: &mut Words<'_>, upon: Upon) -> Result<(), Fault> {
        let undefined = |name: &[u8]| {
            let name = word(&String::from_utf8_lossy(name));
            format!("the label `{name}` is not defined before this line in this rank")
        };
        let after = self.labels.find(name).ok_or_else(|| began.fault(undefined(name)))?;
        let other = match words.next()? {
            Token::Word(other) => other,
            token => return Err(words.fault(format!("{} stands where a label is due", token.quoted()))),
        };
        let before = self.labels.find(other).ok_or_else(|| words.fault(undefined(other)))?;
        match self.draft.wait(after, before, upon) {
            true => Ok(()),
            false => Err(words.fault(format!("a rank has {} dependencies at most", u32::MAX))),
        }
    }

    fn operation(&mut self, kind: Kind, at: At, words: &mut Words<'_>) -> Result<(), Fault> {
        if self.draft.records.len() as u64 >= MOST_OPERATIONS {
            return Err(words.fault(format!("a rank has {MOST_OPERATIONS} operations at most")));
        }
        let size = words.number(if kind == Kind::Compute { "a time in ns" } else { "a number of bytes" })?;
        let in_units = match kind {
            Kind::Compute => self.units.cycles(size),
            Kind::Send | Kind::Receive => self.units.flits(size).map(u64::from),
        };
        let length = in_units.map_err(|message| words.fault(message))?;
        let At::Line(line, column) = at else { unreachable!("places of a text are lines") };
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let column = u16::try_from(column).unwrap_or(u16::MAX);
        let mut record = Record { length, peer: 0, tag: 0, requirements: 0, first: 0, line, column, kind, on: 0 };
        if kind != Kind::Compute {
            self.peer(&mut record, words)?;
        }
        record.on = options(&mut record, words)?;
        self.draft.records.push(record);
        Ok(())
    }

    /// `b to 3`, or `b from 3`, or `b from -1`.
    fn peer(&self, record: &mut Record, words: &mut Words<'_>) -> Result<(), Fault> {
        words.expect(Token::Word(b"b"))?;
        let sends = record.kind == Kind::Send;
        words.expect(Token::Word(if sends { b"to" } else { b"from" }))?;
        let ranks = self.ranks.expect("a rank is open, so the number of ranks was said");
        record.peer = match words.next()? {
            Token::Any if !sends => ANY,
            Token::Number(peer) if peer < u64::from(ranks) => peer as u32,
            Token::Number(peer) => {
                return Err(words.fault(format!("there is no rank {peer}; `num_ranks` is {ranks}")));
            }
            other => return Err(words.fault(format!("{} stands where a rank is due", other.quoted()))),
        };
        Ok(())
    }

    fn finish(self, lines: u64) -> Result<Stored, Fault> {
        let end = At::Line(lines + 1, 1);
        if let Some((rank, at)) = self.open {
            return Err(Fault::new(at, format!("rank {rank} does not end; close it with a brace")));
        }
        let ranks = self.ranks.ok_or_else(|| Fault::new(end, "there is no `num_ranks`".to_owned()))?;
        let mut done = self.done;
        done.resize(ranks as usize, None);
        match done.iter().position(Option::is_none) {
            Some(rank) => Err(Fault::new(
                end,
                format!("rank {rank} of {ranks} is missing; write `rank {rank} {{ }}` if it does nothing"),
            )),
            None => Ok(Stored::new(done.into_iter().flatten().collect(), Form::Text)),
        }
    }
}

fn kind(name: &[u8]) -> Option<Kind> {
    match name {
        b"send" => Some(Kind::Send),
        b"recv" => Some(Kind::Receive),
        b"calc" => Some(Kind::Compute),
        _ => None,
    }
}

/// `tag 3 cpu 0 nic 0`, each of which may be missing. A computation has a processor at most; its number is the answer. The processor and the
/// network interface of a message change nothing here.
fn options(record: &mut Record, words: &mut Words<'_>) -> Result<u8, Fault> {
    let mut cpu = 0;
    let names: &[&[u8]] = if record.kind == Kind::Compute { &[b"cpu"] } else { &[b"tag", b"cpu", b"nic"] };
    let mut from = 0;
    loop {
        let before = *words;
        let Token::Word(name) = words.next()? else {
            *words = before;
            return Ok(cpu);
        };
        let Some(which) = names.iter().position(|&known| known == name).filter(|&which| which >= from) else {
            let due: Vec<String> = names[from..].iter().map(|&name| Token::Word(name).quoted()).collect();
            let due = if due.is_empty() { "the end of the line".to_owned() } else { due.join(", ") };
            return Err(words.fault(format!("{} stands where {due} is due", Token::Word(name).quoted())));
        };
        from = which + 1;
        match (name, words.next()?) {
            (b"tag", Token::Any) => record.tag = ANY,
            (b"tag", Token::Number(tag)) if tag <= u64::from(u32::MAX) => record.tag = tag as u32,
            (b"tag", Token::Number(tag)) => {
                return Err(words.fault(format!("the tag is {tag}, and {} is the most", u32::MAX)));
            }
            (b"cpu" | b"nic", Token::Number(number)) if number <= 255 => {
                if name == b"cpu" && record.kind == Kind::Compute {
                    cpu = number as u8;
                }
            }
            (_, other) => return Err(words.fault(format!("{} stands where a number up to 255 is due", other.quoted()))),
        }
    }
}
