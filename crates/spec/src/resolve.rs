//! A document made complete: every section, every parameter, in the catalogue's order, checked.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::catalogue::{Catalogue, Entry, Fallback, Implied, Kind, Param, Section};
use crate::check;
use crate::error::{Faults, SpecError};
use crate::node::{Item, Node, Pair, Place, join};
use crate::preset;
use crate::view::View;
use crate::words;

/// Keys of the top level that no section owns.
pub(crate) const RESERVED: [&str; 4] = ["name", "description", "preset", "sweep"];

/// Resolves a document against a catalogue.
pub(crate) struct Resolver<'a> {
    pub catalogue: &'a Catalogue,
    pub faults: Faults,
    /// Where each written value stands, by dotted path.
    pub places: BTreeMap<String, Place>,
    /// The tables of the sections so far whose choice brings another section a default.
    chosen: BTreeMap<String, Table>,
}

/// One table to resolve.
#[derive(Clone, Copy)]
struct Block<'a> {
    path: &'a str,
    section: Option<&'a Section>,
    /// What was written, and where; nothing when the spec does not mention it.
    given: &'a [Pair],
    owner: Option<&'a Place>,
    /// Whether missing parameters go unreported, because a misspelt name probably meant this table.
    quiet: bool,
}

impl<'a> Resolver<'a> {
    pub fn new(catalogue: &'a Catalogue) -> Self {
        Resolver { catalogue, faults: Faults::default(), places: BTreeMap::new(), chosen: BTreeMap::new() }
    }

    /// The whole document as a complete table. Incomplete where faults were found.
    pub fn root(&mut self, root: &Node) -> Table {
        let mut table = Table::new();
        preset::check(root, self.catalogue, &mut self.faults);
        for key in ["name", "description", "preset"] {
            if let Some(pair) = root.pairs().iter().find(|p| p.key == key) {
                match &pair.value.item {
                    Item::Text(text) => drop(table.insert(key.to_owned(), Value::String(text.clone()))),
                    _ if key == "preset" => {}
                    _ => self.wrong(key, &pair.value, "text in quotes"),
                }
                self.places.insert(key.to_owned(), pair.value.place.clone());
            }
        }
        let block = Block { path: "", section: None, given: root.pairs(), owner: None, quiet: false };
        let children = self.catalogue.children("");
        let meant = self.unknown(&block, None, &[], &children);
        self.children(&block, &children, &meant, &mut table);
        table
    }

    fn children(&mut self, block: &Block, children: &[&'static str], meant: &[&str], table: &mut Table) {
        for &child in children {
            let path = join(block.path, child);
            let pair = block.given.iter().find(|p| p.key == child);
            let quiet = block.quiet || meant.contains(&child);
            let value = self.section(&path, pair, block.owner, quiet);
            table.insert(child.to_owned(), Value::Table(value));
        }
    }

    fn section(&mut self, path: &str, pair: Option<&Pair>, parent: Option<&Place>, quiet: bool) -> Table {
        let section = self.catalogue.section(path);
        let children = self.catalogue.children(path);
        let Some(pair) = pair else {
            let block = Block { path, section, given: &[], owner: parent, quiet };
            return self.block(&block, None, &children);
        };
        self.places.insert(path.to_owned(), pair.place.clone());
        self.written(path, section, &pair.value, Some(&pair.place), &children)
    }

    /// A section or component that the spec mentions: a table, or a bare word where there are kinds.
    fn written(
        &mut self,
        path: &str,
        section: Option<&Section>,
        node: &Node,
        owner: Option<&Place>,
        children: &[&'static str],
    ) -> Table {
        let chooses = section.is_some_and(|s| !s.entries.is_empty());
        let mut block = Block { path, section, given: node.pairs(), owner, quiet: false };
        match &node.item {
            Item::Table(_) => {}
            Item::Text(_) if chooses => {
                return self.block(&block, Some(node), children);
            }
            _ => {
                let wanted = if chooses { "the name of a kind or a table" } else { "a table" };
                self.wrong(path, node, wanted);
                block.quiet = true;
            }
        }
        self.block(&block, None, children)
    }

    fn block(&mut self, block: &Block, word: Option<&Node>, children: &[&'static str]) -> Table {
        let mut table = Table::new();
        let mut params: Vec<&'static Param> = Vec::new();
        let mut entry = None;
        let mut quiet = block.quiet;
        if let Some(section) = block.section {
            params.extend(section.params);
            if !section.entries.is_empty() {
                entry = self.entry(block, section, word);
                quiet |= entry.is_none();
            }
        }
        if let Some(entry) = entry {
            table.insert("kind".to_owned(), Value::String(entry.name.to_owned()));
            params.extend(entry.params);
        }
        let block = Block { quiet, ..*block };
        let meant = self.unknown(&block, entry, &params, children);
        self.params(&block, &params, &meant, &mut table);
        self.children(&block, children, &meant, &mut table);
        if entry.is_some() && self.catalogue.implied.iter().any(|implied| implied.of == block.path) {
            self.chosen.insert(block.path.to_owned(), table.clone());
        }
        table
    }

    /// The component that a block chooses.
    fn entry(&mut self, block: &Block, section: &Section, word: Option<&Node>) -> Option<&'static Entry> {
        let path = join(block.path, "kind");
        let Some(node) = word.or_else(|| block.given.iter().find(|p| p.key == "kind").map(|p| &p.value)) else {
            let default = self.implied(section).or(section.default_entry).and_then(|name| section.entry(name));
            if default.is_none() && !block.quiet {
                self.missing(block, "kind", &format!("one of {}", words::list(&section.names())));
            }
            return default;
        };
        self.places.insert(path.clone(), node.place.clone());
        let Item::Text(name) = &node.item else {
            self.wrong(&path, node, "the name of a kind in quotes");
            return None;
        };
        let entry = section.entry(name);
        if entry.is_none() {
            let message = format!("`{}` has no kind \"{}\"", block.path, words::shorten(name));
            let instead = self.faults.suggests().then(|| words::instead(name, "kinds", &section.names()));
            let (near, help) = instead.unzip();
            let error = SpecError::placed(&path, node.place.clone(), message).label("unknown kind");
            self.faults.push(error.help_if(help).meant(near.flatten()));
        }
        entry
    }

    /// The default that another section's choice brings.
    fn implied(&self, section: &Section) -> Option<&'static str> {
        let holds =
            |implied: &Implied| self.chosen.get(implied.of).is_some_and(|table| (implied.when)(View::new(table)));
        let mut all = self.catalogue.implied.iter().filter(|implied| implied.section == section.path);
        all.find(|implied| holds(implied)).map(|implied| implied.kind)
    }

    fn params(&mut self, block: &Block, params: &[&'static Param], meant: &[&str], table: &mut Table) {
        for param in params {
            let value = match block.given.iter().find(|p| p.key == param.name) {
                Some(pair) => {
                    let path = join(block.path, param.name);
                    self.places.insert(path.clone(), pair.value.place.clone());
                    self.value(&path, param, pair)
                }
                None if param.fallback == Fallback::Required => {
                    if !block.quiet && !meant.contains(&param.name) {
                        self.missing(block, param.name, &words::expected(param));
                    }
                    None
                }
                None => Some(self.default(block.path, param)),
            };
            if let Some(value) = value {
                table.insert(param.name.to_owned(), value);
            }
        }
    }

    fn value(&mut self, path: &str, param: &Param, pair: &Pair) -> Option<Value> {
        let node = &pair.value;
        match (param.kind, &node.item) {
            (Kind::Component(section), Item::Text(_) | Item::Table(_)) => {
                let section = self.catalogue.section(section);
                Some(Value::Table(self.written(path, section, node, Some(&pair.place), &[])))
            }
            (Kind::Tables(params), Item::List(list)) => {
                Some(Value::Array(list.iter().enumerate().map(|(i, e)| self.element(path, i, params, e)).collect()))
            }
            _ => check::plain(param, path, node, &mut self.faults),
        }
    }

    fn element(&mut self, path: &str, index: usize, params: &'static [Param], node: &Node) -> Value {
        let path = format!("{path}[{index}]");
        let mut table = Table::new();
        self.places.insert(path.clone(), node.place.clone());
        let Item::Table(pairs) = &node.item else {
            self.wrong(&path, node, "a table");
            return Value::Table(table);
        };
        let block = Block { path: &path, section: None, given: pairs, owner: Some(&node.place), quiet: false };
        let params: Vec<&'static Param> = params.iter().collect();
        let meant = self.unknown(&block, None, &params, &[]);
        self.params(&block, &params, &meant, &mut table);
        Value::Table(table)
    }

    fn default(&mut self, parent: &str, param: &Param) -> Value {
        if let Kind::Component(name) = param.kind {
            let (section, path) = (self.catalogue.section(name), &join(parent, param.name));
            let block = Block { path, section, given: &[], owner: None, quiet: false };
            let word = match param.fallback {
                Fallback::Text(word) => Some(Node { item: Item::Text(word.to_owned()), place: Place::new(0, 0..0) }),
                _ => None,
            };
            let table = self.block(&block, word.as_ref(), &[]);
            self.places.remove(&join(path, "kind"));
            return Value::Table(table);
        }
        param.fallback.value(&param.kind)
    }

    fn wrong(&mut self, path: &str, node: &Node, wanted: &str) {
        let message = format!("`{}` must be {wanted}, found {}", words::shorten(path), node.found());
        self.faults.push(SpecError::placed(path, node.place.clone(), message));
    }

    fn missing(&mut self, block: &Block, name: &str, wanted: &str) {
        let path = join(block.path, name);
        let mut error = SpecError::at(&path, format!("`{path}` is missing"));
        error.place = block.owner.cloned();
        if error.place.is_some() {
            error = error.label(format!("needs `{name}`"));
        }
        let table = if path.contains('[') { "this table".to_owned() } else { format!("[{}]", block.path) };
        self.faults.push(error.help(format!("add `{name}` to {table}: {wanted}")));
    }

    /// Reports every key that is not declared. Answers with the declared names that misspelt keys probably meant.
    fn unknown(
        &mut self,
        block: &Block,
        entry: Option<&'static Entry>,
        params: &[&'static Param],
        children: &[&'static str],
    ) -> Vec<&'static str> {
        let chooses = block.section.is_some_and(|s| !s.entries.is_empty());
        let mut names: Vec<&'static str> = params.iter().map(|p| p.name).chain(children.iter().copied()).collect();
        if chooses {
            names.insert(0, "kind");
        }
        if block.path.is_empty() {
            names.extend(RESERVED);
        }
        let mut meant = Vec::new();
        for pair in block.given.iter().filter(|p| !names.contains(&p.key.as_str())) {
            meant.extend(self.stranger(block, entry, pair, &names));
        }
        meant
    }

    fn stranger(
        &mut self,
        block: &Block,
        entry: Option<&'static Entry>,
        pair: &Pair,
        names: &[&'static str],
    ) -> Option<&'static str> {
        let key = pair.key.as_str();
        let path = join(block.path, &words::shorten(key));
        let owners = block.section.map(|s| s.owners(key)).unwrap_or_default();
        let shown = words::shorten(key);
        if !owners.is_empty() {
            // With an unknown kind nobody can say whether the parameter fits it.
            let entry = entry?;
            let kinds = if owners.len() == 1 { "kind" } else { "kinds" };
            let message = format!(
                "`{shown}` belongs to {} {kinds} {}; the kind here is `{}`",
                block.path,
                words::list(&owners),
                entry.name
            );
            let default = if block.given.iter().any(|p| p.key == "kind") { "" } else { ", the default" };
            let help = format!("choose `kind = \"{}\"` or remove `{shown}`", owners[0]);
            let label = format!("not a parameter of `{}`{default}", entry.name);
            self.faults.push(SpecError::placed(&path, pair.place.clone(), message).label(label).help(help));
            return None;
        }
        let (noun, message) = match block.path {
            "" => ("sections and keys", format!("unknown section or key `{shown}`")),
            path => ("keys", format!("unknown key `{shown}` in `{}`", words::shorten(path))),
        };
        let mut error = SpecError::placed(&path, pair.place.clone(), message).label("unknown");
        let mut meant = None;
        if self.faults.suggests() {
            let (near, mut help) = words::instead(key, noun, names);
            meant = near;
            if let (None, Some(home)) = (near, self.catalogue.home(key)) {
                help = format!("`{shown}` belongs to [{home}]");
            }
            error = error.help(help).meant(near);
        }
        self.faults.push(error);
        meant
    }
}
