//! `[sweep]`: which parameters vary, over which values, together or crossed.

use crate::catalogue::{Catalogue, Kind, Param, Section};
use crate::document::Document;
use crate::error::{Faults, SpecError};
use crate::node::{Item, Node, Pair, Place};
use crate::range::Range;
use crate::words::{instead, list, shorten};

/// One parameter or component that varies.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// Dotted path of what varies.
    pub path: String,
    pub place: Place,
    values: Values,
    /// Whether a value may change which parameters exist: it chooses a component or contains one.
    pub structural: bool,
}

#[derive(Clone, Debug)]
enum Values {
    List(Vec<Node>),
    Range(Range),
}

/// Axes that advance together. An axis of its own is a group of one.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub axes: Vec<Axis>,
}

impl Axis {
    /// How many values it has.
    pub fn len(&self) -> u64 {
        match &self.values {
            Values::List(list) => list.len() as u64,
            Values::Range(range) => range.len,
        }
    }

    /// The value at `index`, which is below [`Axis::len`].
    pub fn value(&self, index: u64) -> Node {
        match &self.values {
            Values::List(list) => list[index as usize].clone(),
            Values::Range(range) => range.value(index),
        }
    }

    /// Whether its values were written one by one.
    pub fn listed(&self) -> bool {
        matches!(self.values, Values::List(_))
    }
}

impl Group {
    /// How many values its axes have.
    pub fn len(&self) -> u64 {
        self.axes.first().map_or(1, Axis::len)
    }

    /// Whether a value may change which parameters exist.
    pub fn structural(&self) -> bool {
        self.axes.iter().any(|a| a.structural)
    }
}

/// Puts value `index` of an axis into a tree.
pub(crate) fn assign(root: &mut Node, axis: &Axis, index: u64, faults: &mut Faults) {
    let value = axis.value(index);
    let place = value.place.clone();
    let keys: Vec<(String, Place)> = axis.path.split('.').map(|key| (key.to_owned(), axis.place.clone())).collect();
    if let Err(found) = root.put(&keys, value) {
        let message = format!("cannot sweep `{}`: there is {found} in the way", axis.path);
        faults.push(SpecError::placed(&axis.path, place, message));
    }
}

/// The axes of a document's sweep in the order of the file, zipped ones together at the place of the first.
pub(crate) fn groups(document: &Document, catalogue: &Catalogue, faults: &mut Faults) -> Vec<Group> {
    let Some(sweep) = document.root.get("sweep") else { return Vec::new() };
    if !matches!(sweep.item, Item::Table(_)) {
        let message = format!("`sweep` must be a table of axes, found {}", sweep.found());
        let help = "as in [sweep] \"traffic.load\" = [0.1, 0.2]";
        faults.push(SpecError::placed("sweep", sweep.place.clone(), message).help(help));
        return Vec::new();
    }
    let mut axes = Vec::new();
    for pair in sweep.pairs().iter().filter(|p| p.key != "zip") {
        if !pinned(document, pair, faults) {
            axes.extend(axis(catalogue, pair, faults));
        }
    }
    overlaps(&axes, faults);
    let mut groups: Vec<Group> = axes.into_iter().map(|axis| Group { axes: vec![axis] }).collect();
    if let Some(zip) = sweep.get("zip") {
        zipped(document, zip, &mut groups, faults);
    }
    groups
}

/// Whether `--set` fixes what this axis would vary.
fn pinned(document: &Document, pair: &Pair, faults: &mut Faults) -> bool {
    let axis = pair.key.as_str();
    let below = |path: &str, parent: &str| path.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'));
    let mut pinned = false;
    for (path, place) in &document.sets {
        let hidden = below(path, axis);
        if hidden || (pair.place.text != 0 && (path == axis || below(axis, path))) {
            let message = format!("`{}` is both set and swept", shorten(path));
            let help = format!("to replace the sweep: --set 'sweep.\"{}\"=[...]'", shorten(axis));
            faults.push(SpecError::placed(path, place.clone(), message).help(help));
        }
        pinned |= path == axis || below(axis, path);
    }
    pinned
}

fn axis(catalogue: &Catalogue, pair: &Pair, faults: &mut Faults) -> Option<Axis> {
    let path = pair.key.as_str();
    let place = pair.place.clone();
    let Some(structural) = target(catalogue, path) else {
        faults.push(unknown(catalogue, pair, faults.suggests()));
        return None;
    };
    if path == "run.replicas" {
        let help = "set it under [run]: every point of the sweep is run with so many seeds";
        faults.push(SpecError::placed(path, place, "`run.replicas` cannot be swept").help(help));
        return None;
    }
    let values = match &pair.value.item {
        Item::List(list) if list.is_empty() => {
            let message = format!("the sweep of `{path}` has no values");
            faults.push(SpecError::placed(path, pair.value.place.clone(), message));
            return None;
        }
        Item::List(list) => Values::List(list.clone()),
        Item::Table(_) => Values::Range(Range::read(path, &pair.value, faults)?),
        _ => {
            let message =
                format!("the sweep of `{path}` must be a list of values or a range, found {}", pair.value.found());
            let help = "as in [0.1, 0.2] or { from = 0.1, to = 0.3, step = 0.05 }";
            faults.push(SpecError::placed(path, pair.value.place.clone(), message).help(help));
            return None;
        }
    };
    Some(Axis { path: path.to_owned(), place, values, structural })
}

/// Whether `path` can be swept, and if so, whether that may change which parameters exist.
fn target(catalogue: &Catalogue, path: &str) -> Option<bool> {
    let chooses = |s: &Section| !s.entries.is_empty();
    if path == "preset" && !catalogue.presets.is_empty() {
        return Some(true);
    }
    if catalogue.section(path).is_some_and(chooses) {
        return Some(true);
    }
    let (parent, name) = path.rsplit_once('.')?;
    let section = catalogue.section(parent)?;
    if name == "kind" && chooses(section) {
        return Some(true);
    }
    let params: Vec<&Param> = section.every_param().filter(|p| p.name == name).collect();
    let nested = |p: &&Param| matches!(p.kind, Kind::Component(_) | Kind::Tables(_));
    (!params.is_empty()).then(|| params.iter().any(nested))
}

fn unknown(catalogue: &Catalogue, pair: &Pair, suggest: bool) -> SpecError {
    let shown = shorten(&pair.key);
    let message = format!("the sweep names `{shown}`, which is no parameter");
    let error = SpecError::placed(&pair.key, pair.place.clone(), message).label("unknown");
    let inner = pair.value.pairs().first();
    if let (Some(inner), Some(_)) = (inner, catalogue.children("").iter().find(|c| **c == pair.key)) {
        let help = format!("write the whole path in quotes: \"{}.{}\" = ...", shown, shorten(&inner.key));
        return error.help(help);
    }
    if !suggest {
        return error;
    }
    let paths = paths(catalogue);
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    match instead(&pair.key, "parameters", &names) {
        (Some(_), help) => error.help(help),
        (None, _) => error.help("an axis is the path of a parameter in quotes, as in \"traffic.load\" = [0.1, 0.2]"),
    }
}

/// Every path that can be swept.
pub(crate) fn paths(catalogue: &Catalogue) -> Vec<String> {
    let mut paths = Vec::new();
    if !catalogue.presets.is_empty() {
        paths.push("preset".to_owned());
    }
    for section in catalogue.every_section() {
        if !section.entries.is_empty() {
            paths.push(section.path.to_owned());
            paths.push(format!("{}.kind", section.path));
        }
        for param in section.every_param() {
            let path = format!("{}.{}", section.path, param.name);
            if path != "run.replicas" && !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    paths
}

/// Refuses axes of which one replaces what the other changes.
fn overlaps(axes: &[Axis], faults: &mut Faults) {
    for outer in axes {
        for inner in axes {
            if inner.path.strip_prefix(&outer.path).is_some_and(|rest| rest.starts_with('.')) {
                let message = format!("`{}` cannot be swept while `{}` is swept as a whole", inner.path, outer.path);
                let help = format!("give it inside the values of `{}`: {{ kind = \"...\", ... }}", outer.path);
                faults.push(SpecError::placed(&inner.path, inner.place.clone(), message).help(help));
            }
        }
    }
}

/// Joins the groups that `zip` names.
fn zipped(document: &Document, zip: &Node, groups: &mut Vec<Group>, faults: &mut Faults) {
    let Item::List(bundles) = &zip.item else {
        let message = format!("`zip` must be a list of lists of paths, found {}", zip.found());
        let help = "as in zip = [[\"router.virtual_channels\", \"router.buffer_flits\"]]";
        faults.push(SpecError::placed("sweep.zip", zip.place.clone(), message).help(help));
        return;
    };
    let mut seen: Vec<&str> = Vec::new();
    for bundle in bundles {
        let Some(paths) = words_of(bundle, faults) else { continue };
        let mut members = Vec::new();
        for (path, node) in paths {
            if seen.contains(&path) {
                let message = format!("`{}` is zipped twice", shorten(path));
                faults.push(SpecError::placed("sweep.zip", node.place.clone(), message));
                continue;
            }
            seen.push(path);
            match groups.iter().position(|g| g.axes.iter().any(|a| a.path == path)) {
                Some(at) => members.push(at),
                None if written(document, path) => {}
                None => not_swept(path, node, groups, faults),
            }
        }
        join(bundle, members, groups, faults);
    }
}

/// Whether the sweep has this axis: one that was refused or pinned is no longer among the groups.
fn written(document: &Document, path: &str) -> bool {
    path != "zip" && document.root.get("sweep").is_some_and(|s| s.get(path).is_some())
}

fn not_swept(path: &str, node: &Node, groups: &[Group], faults: &mut Faults) {
    let message = format!("`zip` names `{}`, which is not swept", shorten(path));
    let axes: Vec<&str> = groups.iter().flat_map(|g| &g.axes).map(|a| a.path.as_str()).collect();
    let help = faults.suggests().then(|| instead(path, "axes", &axes).1);
    faults.push(SpecError::placed("sweep.zip", node.place.clone(), message).help_if(help));
}

fn words_of<'n>(bundle: &'n Node, faults: &mut Faults) -> Option<Vec<(&'n str, &'n Node)>> {
    let words: Option<Vec<(&str, &Node)>> = match &bundle.item {
        Item::List(list) => list
            .iter()
            .map(|n| match &n.item {
                Item::Text(path) => Some((path.as_str(), n)),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    if words.as_ref().is_none_or(|w| w.len() < 2) {
        let message = format!("`zip` joins lists of at least two paths, found {}", bundle.found());
        let help = "as in zip = [[\"router.virtual_channels\", \"router.buffer_flits\"]]";
        faults.push(SpecError::placed("sweep.zip", bundle.place.clone(), message).help(help));
        return None;
    }
    words
}

fn join(bundle: &Node, mut members: Vec<usize>, groups: &mut Vec<Group>, faults: &mut Faults) {
    members.sort_unstable();
    members.dedup();
    let Some((&first, rest)) = members.split_first() else { return };
    let lengths: Vec<u64> = members.iter().map(|&m| groups[m].len()).collect();
    if lengths.iter().any(|l| *l != lengths[0]) {
        let paths: Vec<&str> = members.iter().map(|&m| groups[m].axes[0].path.as_str()).collect();
        let counts = lengths.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let message = format!("zipped axes need equally many values: {} have {counts}", list(&paths));
        faults.push(SpecError::placed("sweep.zip", bundle.place.clone(), message));
        return;
    }
    for &at in rest.iter().rev() {
        let group = groups.remove(at);
        groups[first].axes.splice(1..1, group.axes);
    }
}
