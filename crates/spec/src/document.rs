//! A spec file with the command line's changes: what the other steps start from.

use std::sync::Arc;

use crate::catalogue::Catalogue;
use crate::error::{Errors, Faults, Text};
use crate::node::{Node, Place};
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
}

impl Document {
    /// Parses a spec. `name` is the file's name in messages. Read no more than [`crate::MAX_BYTES`] + 1 bytes of a file:
    /// anything longer is refused.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Document, Errors> {
        let mut faults = Faults::default();
        let text = parse::text(bytes, &mut faults);
        let unreadable = faults.len() > 0;
        let texts = Arc::new(vec![Text { name: name.to_owned(), text }]);
        if unreadable {
            return Err(faults.into_errors(&texts));
        }
        let root = parse::document(&texts[0].text, &mut faults);
        faults.or(&texts, ()).map(|()| Document { texts, root, sets: Vec::new() })
    }

    /// Applies one `--set` argument, `path=value`. The value is a TOML value; words need no quotes. Sweeps of the path,
    /// or of what lies below it, give way.
    pub fn set(&mut self, argument: &str) -> Result<(), Errors> {
        let mut faults = Faults::default();
        let mut texts = self.texts.to_vec();
        texts.push(Text { name: "--set".to_owned(), text: argument.to_owned() });
        let texts = Arc::new(texts);
        let index = texts.len() - 1;
        let mut root = self.root.clone();
        let path = set::apply(&mut root, index, argument, &mut faults);
        faults.or(&texts, ())?;
        self.texts = texts;
        self.root = root;
        self.sets.extend(path.map(|p| (p, Place::new(index, 0..argument.len()))));
        Ok(())
    }

    /// The base of the sweep, complete and checked: what the file says outside `[sweep]`. Parameters that only the sweep
    /// gives have its first value. Values of the sweep are checked by [`Document::plan`].
    pub fn resolve(&self, catalogue: &Catalogue) -> Result<Resolved, Errors> {
        let mut faults = Faults::default();
        let groups = sweep::groups(self, catalogue, &mut faults);
        let mut root = self.root.clone();
        for axis in groups.iter().flat_map(|g| &g.axes) {
            if root.at(&axis.path).is_none() && axis.len() > 0 {
                sweep::assign(&mut root, axis, 0, &mut faults);
            }
        }
        let mut resolved = self.finish(catalogue, &root, faults)?;
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
    pub(crate) fn finish(&self, catalogue: &Catalogue, root: &Node, faults: Faults) -> Result<Resolved, Errors> {
        let mut resolver = Resolver::new(catalogue);
        resolver.faults = faults;
        let mut root = root.clone();
        let mut texts = Arc::clone(&self.texts);
        let preset = preset::merge(&mut root, catalogue, texts.len()).map(|preset| {
            let (name, text) = (format!("preset {}", preset.name), preset.toml.to_owned());
            Arc::make_mut(&mut texts).push(Text { name, text });
            texts.len() - 1
        });
        let table = resolver.root(&root);
        let sources = Sources { texts: Arc::clone(&texts), preset, places: resolver.places };
        resolver.faults.or(&texts, Resolved { table, sources, sweep: None })
    }
}
