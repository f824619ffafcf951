//! What a user asked for, with defaults filled in and every value within its range.

use super::table::{Default as Value, Form, KINDS, Kind, Parameter};
use std::collections::BTreeMap;
use std::fmt;
use tailback_base::text::word;

/// What a user asks to be generated. The words are those of [`KINDS`]; what is `None` gets its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generate {
    /// The kind, such as `all_reduce`.
    pub kind: String,
    /// The algorithm; the first of the kind where it is none.
    pub algorithm: Option<String>,
    /// How many ranks take part.
    pub ranks: Option<u64>,
    /// Flits, whose meaning depends on the kind.
    pub flits: Option<u64>,
    /// Chunks of a double binary tree.
    pub chunks: Option<u64>,
    /// Groups of a hierarchical all-reduce.
    pub groups: Option<u64>,
    /// The rank from which all comes, or to which all goes.
    pub root: Option<u64>,
    /// Messages or requests that are open at once.
    pub window: Option<u64>,
    /// Ranks of each dimension of a halo exchange.
    pub dimensions: Option<Vec<u64>>,
    /// Iterations of a halo exchange.
    pub iterations: Option<u64>,
    /// Cycles of a computation.
    pub compute_cycles: Option<u64>,
    /// Flits of a request.
    pub request_flits: Option<u64>,
    /// Flits of a reply.
    pub reply_flits: Option<u64>,
    /// Ranks that are servers.
    pub servers: Option<u64>,
    /// Cycles for which a client thinks.
    pub think_cycles: Option<u64>,
    /// Requests of a client.
    pub count: Option<u64>,
    /// Stages of a pipeline.
    pub stages: Option<u64>,
    /// Microbatches of a pipeline.
    pub microbatches: Option<u64>,
}

impl Generate {
    /// A kind with every parameter left to its default.
    pub fn new(kind: &str) -> Generate {
        Generate { kind: kind.to_owned(), ..Generate::default() }
    }

    /// Sets a parameter that is one number.
    ///
    /// # Errors
    /// Where no kind has a parameter of this name that is one number.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), Refused> {
        let here = self.place(name).ok_or_else(|| Refused(format!("no parameter `{}` takes a number", word(name))))?;
        *here = Some(value);
        Ok(())
    }

    fn place(&mut self, name: &str) -> Option<&mut Option<u64>> {
        Some(match name {
            "ranks" => &mut self.ranks,
            "flits" => &mut self.flits,
            "chunks" => &mut self.chunks,
            "groups" => &mut self.groups,
            "root" => &mut self.root,
            "window" => &mut self.window,
            "iterations" => &mut self.iterations,
            "compute_cycles" => &mut self.compute_cycles,
            "request_flits" => &mut self.request_flits,
            "reply_flits" => &mut self.reply_flits,
            "servers" => &mut self.servers,
            "think_cycles" => &mut self.think_cycles,
            "count" => &mut self.count,
            "stages" => &mut self.stages,
            "microbatches" => &mut self.microbatches,
            _ => return None,
        })
    }

    /// Every parameter that is given, by name.
    fn given(&self) -> BTreeMap<&'static str, Vec<u64>> {
        let mut copy = self.clone();
        let mut given = BTreeMap::new();
        for parameter in KINDS.iter().flat_map(|kind| kind.parameters) {
            if let Some(value) = copy.place(parameter.name).and_then(|value| *value) {
                given.insert(parameter.name, vec![value]);
            }
        }
        if let Some(list) = &self.dimensions {
            given.insert("dimensions", list.clone());
        }
        given
    }
}

/// Why a program cannot be generated, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub(crate) String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// What was asked, complete.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) kind: &'static Kind,
    /// The algorithm's word; empty where the kind has none.
    pub(super) algorithm: &'static str,
    values: BTreeMap<&'static str, Vec<u64>>,
}

impl Asked {
    /// Checks words and ranges and fills in defaults.
    pub(super) fn new(generate: &Generate) -> Result<Asked, Refused> {
        let kind = Kind::named(&generate.kind).ok_or_else(|| {
            let names = names(KINDS.iter().map(|kind| kind.name));
            Refused(format!("there is no kind of program `{}`; there are {names}", word(&generate.kind)))
        })?;
        let mut asked =
            Asked { kind, algorithm: algorithm(kind, generate.algorithm.as_deref())?, values: generate.given() };
        for (name, values) in &asked.values {
            asked.takes(name)?.range(values)?;
        }
        for parameter in kind.parameters {
            if asked.is_for(parameter) {
                asked.fill_in(parameter)?;
            }
        }
        Ok(asked)
    }

    /// A parameter that is one number, or nothing where it follows from others and was not given.
    pub(super) fn given(&self, name: &str) -> Option<u64> {
        self.values.get(name).map(|values| values[0])
    }

    /// A parameter that is one number and has a value.
    pub(super) fn number(&self, name: &str) -> u64 {
        self.given(name).expect("the table says that this kind has it")
    }

    /// As [`Asked::number`], of a parameter whose range fits.
    pub(super) fn small(&self, name: &str) -> u32 {
        u32::try_from(self.number(name)).expect("the range of the table fits")
    }

    /// A parameter that is a list.
    pub(super) fn list(&self, name: &str) -> &[u64] {
        &self.values[name]
    }

    /// Every value, by name.
    pub(super) fn values(&self) -> &BTreeMap<&'static str, Vec<u64>> {
        &self.values
    }

    fn is_for(&self, parameter: &Parameter) -> bool {
        parameter.algorithms.is_empty() || parameter.algorithms.contains(&self.algorithm)
    }

    fn takes(&self, name: &str) -> Result<&'static Parameter, Refused> {
        let Some(parameter) = self.kind.parameter(name) else {
            let taken = names(self.kind.parameters.iter().filter(|it| self.is_for(it)).map(|it| it.name));
            return Err(Refused(format!("a program of kind `{}` has no `{name}`; it takes {taken}", self.kind.name)));
        };
        if !self.is_for(parameter) {
            let (those, own) = (names(parameter.algorithms.iter().copied()), self.algorithm);
            return Err(Refused(format!(
                "`{name}` is a parameter of the algorithm {those}, and the algorithm is `{own}`"
            )));
        }
        Ok(parameter)
    }

    fn fill_in(&mut self, parameter: &Parameter) -> Result<(), Refused> {
        if self.values.contains_key(parameter.name) {
            return Ok(());
        }
        match parameter.default {
            Value::Number(value) => {
                self.values.insert(parameter.name, vec![value]);
            }
            Value::Derived(_) => {}
            Value::Required => {
                let unit = if parameter.unit.is_empty() { String::new() } else { format!(" [{}]", parameter.unit) };
                let (kind, name, doc) = (self.kind.name, parameter.name, parameter.doc);
                return Err(Refused(format!("a program of kind `{kind}` needs `{name}`{unit}: {doc}")));
            }
        }
        Ok(())
    }
}

impl Parameter {
    fn range(&self, values: &[u64]) -> Result<(), Refused> {
        if self.form == Form::List && (values.is_empty() || values.len() > 16) {
            return Err(Refused(format!(
                "`{}` is a list of 1 to 16 numbers, and this one has {}",
                self.name,
                values.len()
            )));
        }
        let Some(bad) = values.iter().find(|&&value| value < self.least || value > self.most) else { return Ok(()) };
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        Err(Refused(format!("`{}` is {bad}{unit}, and it lies between {} and {}", self.name, self.least, self.most)))
    }
}

fn algorithm(kind: &'static Kind, name: Option<&str>) -> Result<&'static str, Refused> {
    let Some(name) = name else {
        return Ok(kind.algorithms.first().map_or("", |first| first.name));
    };
    let known = kind.algorithms.iter().find(|algorithm| algorithm.name == name);
    known.map(|algorithm| algorithm.name).ok_or_else(|| {
        let (kind_name, asked) = (kind.name, word(name));
        match kind.algorithms {
            [] => Refused(format!(
                "a program of kind `{kind_name}` has no algorithms to choose from; leave out `{asked}`"
            )),
            some => {
                let names = names(some.iter().map(|algorithm| algorithm.name));
                Refused(format!("kind `{kind_name}` has no algorithm `{asked}`; it has {names}"))
            }
        }
    })
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
