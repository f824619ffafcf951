//! A spec file with the command line's changes: what the other steps start from.

use std::sync::Arc;

use crate::catalogue::Catalogue;
use crate::error::{Errors, Faults, Text};
use crate::node::{Item, Node, Place, is_within};
use crate::parse;
use crate::plan::{Plan, Point};
use crate::preset;
use crate::resolve::Resolver;
use crate::resolved::{Resolved, Sources};
use crate::set;
use crate::sweep;

/// A parsed spec.
#[derive(Clone, Debug)]
pub struct Document {
    pub(crate) texts: Arc<Vec<Text>>,
    pub(crate) root: Node,
    /// What `--set` changed: dotted path (keys with dots keep them) and the whole argument.
    pub(crate) sets: Vec<(String, Place)>,
    /// What is wrong with arguments that could not be applied: told with all else.
    pub(crate) faults: Faults,
}

impl Document {
    /// Parses a spec. `name` is the file's name in messages. Read no more than [`crate::MAX_BYTES`] + 1 bytes of a file:
    /// anything longer is refused.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Document, Errors> {
        Document::read(name, bytes, &[])
    }

    /// [`Document::parse`], then every [`Document::set`] argument that can be applied. What is wrong with the others is
    /// told by [`Document::resolve`] and [`Document::plan`], beside all that is wrong with the spec.
    ///
    /// # Errors
    /// For a file that is no TOML: what is wrong with its syntax, and with that of the arguments.
    pub fn read(name: &str, bytes: &[u8], arguments: &[String]) -> Result<Document, Errors> {
        let mut faults = Faults::default();
        let text = parse::text(bytes, &mut faults);
        let mut root = Node { item: Item::Table(Vec::new()), place: Place::new(0, 0..0) };
        if faults.len() == 0 {
            let parsed = parse::document(&text, &mut faults);
            // No argument is in conflict with what a faulty file says.
            root = if faults.len() == 0 { parsed } else { root };
        }
        let wrong = faults.len() > 0;
        let texts = Arc::new(vec![Text { name: name.to_owned(), text }]);
        let mut document = Document { texts, root, sets: Vec::new(), faults };
        arguments.iter().for_each(|argument| document.apply(argument));
        if wrong { Err(document.faults.into_errors(&document.texts)) } else { Ok(document) }
    }

    /// Applies one `--set` argument, `path=value`. The value is a TOML value; words need no quotes. Elements of lists are
    /// numbered from 0, as in `workload.phases.0.load=0.3`. Sweeps of the path, or of what lies below it, give way.
    ///
    /// # Errors
    /// What is wrong with the argument; the document is as before.
    pub fn set(&mut self, argument: &str) -> Result<(), Errors> {
        let mut changed = self.clone();
        let before = std::mem::take(&mut changed.faults);
        changed.apply(argument);
        std::mem::replace(&mut changed.faults, before).or(&changed.texts, ())?;
        *self = changed;
        Ok(())
    }

    /// Applies an argument, or keeps what is wrong with it.
    fn apply(&mut self, argument: &str) {
        let text = Text { name: "--set".to_owned(), text: argument.to_owned() };
        Arc::make_mut(&mut self.texts).push(text);
        let index = self.texts.len() - 1;
        let path = set::apply(&mut self.root, index, argument, &mut self.faults);
        self.sets.extend(path.map(|p| (p, Place::new(index, 0..argument.len()))));
    }

    /// The spec as TOML: the text that was parsed, or where [`Document::set`] changed it, what it says now, without its
    /// comments and the sweeps that gave way.
    pub fn to_toml(&self) -> String {
        if self.sets.is_empty() {
            return self.texts.first().map_or(String::new(), |text| text.text.clone());
        }
        let mut written = self.root.to_toml();
        if let Some(sweep) = written.get_mut("sweep").and_then(toml::Value::as_table_mut) {
            let set = |axis: &str| self.sets.iter().any(|(path, _)| is_within(axis, path));
            sweep.retain(|axis, _| !set(axis));
            if let Some(bundles) = sweep.get_mut("zip").and_then(toml::Value::as_array_mut) {
                for bundle in bundles.iter_mut().filter_map(toml::Value::as_array_mut) {
                    bundle.retain(|axis| !axis.as_str().is_some_and(set));
                }
                bundles.retain(|bundle| bundle.as_array().is_none_or(|axes| axes.len() > 1));
            }
        }
        toml::to_string(&written).expect("what was parsed can be written")
    }

    /// The base of the sweep, complete and checked: what the file says outside `[sweep]`. Parameters that only the sweep
    /// gives have its first value. Values of the sweep are checked by [`Document::plan`].
    pub fn resolve(&self, catalogue: &Catalogue) -> Result<Resolved, Errors> {
        let mut faults = self.faults.clone();
        let groups = sweep::groups(self, catalogue, &mut faults);
        let mut root = self.root.without("sweep");
        for axis in groups.iter().flat_map(|g| &g.axes) {
            if root.at(&axis.path).is_none() && axis.len() > 0 {
                sweep::assign(&mut root, axis, 0, &mut faults);
            }
        }
        let mut resolved = self.finish(catalogue, root, faults)?;
        resolved.sweep = self.root.get("sweep").map(Node::to_toml);
        Ok(resolved)
    }

    /// The runs that the spec asks for, all checked, none built yet.
    pub fn plan<'c>(&self, catalogue: &'c Catalogue) -> Result<Plan<'c>, Errors> {
        Plan::new(self, catalogue)
    }

    /// The runs that the spec asks for, in row-major order of the sweep's axes, replicas innermost.
    /// A [`Plan`] makes them one by one where there are many.
    pub fn expand(&self, catalogue: &Catalogue) -> Result<Vec<Point>, Errors> {
        let plan = self.plan(catalogue)?;
        (0..plan.len()).map(|i| plan.point(i)).collect()
    }

    /// Resolves `root`, a variant of this document's tree.
    pub(crate) fn finish(&self, catalogue: &Catalogue, root: Node, faults: Faults) -> Result<Resolved, Errors> {
        let mut resolved = self.unsettled(catalogue, root, faults)?;
        resolved.settle(catalogue);
        Ok(resolved)
    }

    /// The same before anything is settled.
    pub(crate) fn unsettled(&self, catalogue: &Catalogue, mut root: Node, faults: Faults) -> Result<Resolved, Errors> {
        let mut resolver = Resolver::new(catalogue);
        resolver.faults = faults;
        let mut texts = Arc::clone(&self.texts);
        let preset = preset::merge(&mut root, catalogue, texts.len()).map(|preset| {
            let (name, text) = (format!("preset {}", preset.name), preset.toml.to_owned());
            Arc::make_mut(&mut texts).push(Text { name, text });
            texts.len() - 1
        });
        let table = Arc::new(resolver.root(&root));
        self.pardon(&mut resolver.faults);
        let sources = Sources { texts: Arc::clone(&texts), preset, places: Arc::new(resolver.places) };
        resolver.faults.or(&texts, Resolved { table, sources, sweep: None })
    }

    /// Takes back that a value is missing which an argument failed to give.
    pub(crate) fn pardon(&self, faults: &mut Faults) {
        let given = |path: &str| self.faults.iter().any(|fault| !fault.path.is_empty() && is_within(path, &fault.path));
        faults.retain(|fault| !(fault.message.ends_with("is missing") && given(&fault.path)));
    }
}
