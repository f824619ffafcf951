//! The points of a sweep: counted first, checked all, made one by one.

use std::collections::BTreeSet;

use toml::Value;

use crate::catalogue::{Catalogue, Fallback, Kind, Param};
use crate::check;
use crate::document::Document;
use crate::error::{Errors, Faults, SpecError};
use crate::identity;
use crate::mould::{self, Mould};
use crate::node::{Item, Node};
use crate::preset;
use crate::resolve::Resolver;
use crate::resolved::Resolved;
use crate::sweep::{Axis, Group, assign, groups};
use crate::words::thousands;

/// The most points of one sweep, replicas included.
pub const MAX_POINTS: u64 = 1_000_000;

/// One run: a complete spec with its seed.
#[derive(Clone, Debug)]
pub struct Point {
    /// The complete spec. It describes this run alone: `run.seed` is this point's seed and `run.replicas` is 1.
    pub resolved: Resolved,
    /// What the sweep chose here, by dotted path, in the order of the axes.
    pub swept: Vec<(String, Value)>,
    /// The seed of the run.
    pub seed: u64,
    /// 16 hexadecimal digits that identify what is simulated: the same for equal specs, whatever their names. Where the
    /// spec names files, [`Point::identify`] makes it depend on them.
    pub id: String,
}

impl Point {
    /// Makes the identity depend on what files hold, and no longer on where they are: `contents` has a digest of each
    /// (see [`crate::contents_digest`]) by its path in the spec, as of [`Resolved::files`].
    pub fn identify(&mut self, contents: &[(String, String)]) {
        let mut read = self.resolved.clone();
        for (path, digest) in contents {
            if let Some(file) = read.value_mut(path) {
                *file = Value::String(format!("contents {digest}"));
            }
        }
        self.id = identity::of(&read.table);
    }
}

/// The runs that a spec asks for, checked; each is made when asked for.
#[derive(Clone, Debug)]
pub struct Plan<'c> {
    catalogue: &'c Catalogue,
    document: Document,
    /// The document's tree without its sweep, whose lists may be long.
    base: Node,
    groups: Vec<Group>,
    replicas: u64,
    len: u64,
    /// What all points are made of, where they differ in plain values alone.
    mould: Option<Mould>,
}

/// Runs that differ from each other in little: see [`Plan::kinds`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kin {
    /// The first of them.
    pub first: u64,
    /// How far apart they are and how many there are, by what differs; seeds come first.
    steps: Vec<(u64, u64)>,
}

impl Kin {
    /// How many they are; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "the first one is always there")]
    pub fn len(&self) -> u64 {
        self.steps.iter().map(|step| step.1).product()
    }

    /// The numbers of the points that have the first seed of their spec.
    pub fn of_one_seed(&self) -> impl Iterator<Item = u64> + '_ {
        self.over(&self.steps[1..])
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.over(&self.steps)
    }

    fn over<'s>(&'s self, steps: &'s [(u64, u64)]) -> impl Iterator<Item = u64> + 's {
        let count: u64 = steps.iter().map(|step| step.1).product();
        (0..count).map(move |number| {
            let (mut rest, mut at) = (number, self.first);
            for &(stride, len) in steps {
                at += rest % len * stride;
                rest /= len;
            }
            at
        })
    }
}

impl<'c> Plan<'c> {
    pub(crate) fn new(document: &Document, catalogue: &'c Catalogue) -> Result<Plan<'c>, Errors> {
        let mut faults = document.faults.clone();
        let groups = groups(document, catalogue, &mut faults);
        let replicas = replicas(document, catalogue);
        let lengths = groups.iter().map(|g| u128::from(g.len()));
        let len = lengths.fold(u128::from(replicas), u128::saturating_mul);
        let base = document.root.without("sweep");
        let mut plan = Plan { catalogue, document: document.clone(), base, groups, replicas, len: 0, mould: None };
        if len > u128::from(MAX_POINTS) {
            faults.push(plan.too_many(len));
            return Err(faults.into_errors(&document.texts));
        }
        plan.len = len as u64;
        // What the file says is checked even where the sweep replaces it everywhere.
        if let Err(errors) = document.resolve(catalogue) {
            errors.errors.into_iter().for_each(|e| faults.push(e));
        }
        if let Some(node) = document.root.at("run.seed") {
            plan.seed_fits(node, &mut faults);
        }
        if !plan.groups.is_empty() {
            plan.check(&mut faults);
        }
        document.pardon(&mut faults);
        if faults.len() == 0 && plan.len > 1 {
            plan.mould = plan.mould();
        }
        faults.or(&document.texts, plan)
    }

    /// What all points are made of; `None` where they differ in more than plain values.
    fn mould(&self) -> Option<Mould> {
        let axes = || self.groups.iter().flat_map(|group| &group.axes);
        if !axes().all(|axis| mould::is_plain(axis, self.catalogue)) {
            return None;
        }
        let root = self.variant(&vec![0; self.groups.len()], &mut Faults::default());
        let mut whole = root.clone();
        preset::merge(&mut whole, self.catalogue, self.document.texts.len());
        let params = axes().map(|axis| declared(self.catalogue, &whole, &axis.path)).collect::<Option<_>>()?;
        let resolved = self.document.unsettled(self.catalogue, root, Faults::default()).ok()?;
        Some(Mould { resolved, params })
    }

    /// How many runs there are; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a plan always has a point")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The dotted paths that the sweep varies, in the order of the axes.
    pub fn axes(&self) -> Vec<&str> {
        self.groups.iter().flat_map(|g| &g.axes).map(|a| a.path.as_str()).collect()
    }

    /// The dotted paths that the sweep varies, those that advance together as one group, in the order of the axes.
    pub fn groups(&self) -> Vec<Vec<&str>> {
        self.groups.iter().map(|group| group.axes.iter().map(|axis| axis.path.as_str()).collect()).collect()
    }

    /// How many seeds each point of the sweep is run with.
    pub fn replicas(&self) -> u64 {
        self.replicas
    }

    /// All runs, in row-major order of the axes, replicas innermost.
    pub fn points(&self) -> impl Iterator<Item = Result<Point, Errors>> + '_ {
        (0..self.len).map(|i| self.point(i))
    }

    /// One run of each kind: of those that differ from each other in nothing but the seed and the values of these axes, the
    /// first, with all of them. Axes that advance together with others make a difference of their own. Nothing is made.
    pub fn kinds<'p>(&'p self, alike: &'p [&str]) -> impl Iterator<Item = Kin> + 'p {
        let varies = |group: &Group| group.axes.iter().all(|axis| alike.contains(&axis.path.as_str()));
        // Replicas are innermost; behind them come the groups, the last one fastest.
        let mut wheels = vec![(self.replicas, true)];
        wheels.extend(self.groups.iter().rev().map(|group| (group.len(), varies(group))));
        let others: u64 = wheels.iter().filter(|wheel| !wheel.1).map(|wheel| wheel.0).product();
        (0..others).map(move |number| {
            let (mut rest, mut stride, mut first, mut steps) = (number, 1, 0, Vec::new());
            for &(len, varies) in &wheels {
                if varies {
                    steps.push((stride, len));
                } else {
                    first += rest % len * stride;
                    rest /= len;
                }
                stride *= len;
            }
            Kin { first, steps }
        })
    }

    /// Run `index`, below [`Plan::len`].
    pub fn point(&self, index: u64) -> Result<Point, Errors> {
        let point = self.nameless(index)?;
        let id = identity::of(&point.resolved.table);
        Ok(Point { id, ..point })
    }

    /// Run `index` without its identity, for whoever only looks at it.
    pub fn nameless(&self, index: u64) -> Result<Point, Errors> {
        let (mut rest, replica) = (index / self.replicas, index % self.replicas);
        let mut chosen = vec![0; self.groups.len()];
        for (at, group) in self.groups.iter().enumerate().rev() {
            chosen[at] = rest % group.len();
            rest /= group.len();
        }
        let axes = || {
            self.groups.iter().zip(&chosen).flat_map(|(group, &value)| group.axes.iter().map(move |axis| (axis, value)))
        };
        let cast = self.mould.as_ref().and_then(|mould| mould.filled(self.catalogue, axes()));
        let mut resolved = match cast {
            Some(resolved) => resolved,
            None => {
                let mut faults = Faults::default();
                let root = self.variant(&chosen, &mut faults);
                self.document.finish(self.catalogue, root, faults)?
            }
        };
        let seed = single(&mut resolved, replica);
        let swept = |(axis, value): (&Axis, u64)| {
            let known = resolved.get(&axis.path).filter(|v| !v.is_table()).cloned();
            (axis.path.clone(), known.unwrap_or_else(|| axis.value(value).to_toml()))
        };
        let swept = axes().map(swept).collect();
        Ok(Point { resolved, swept, seed, id: String::new() })
    }

    /// The document's tree with one value of each group put in, without its sweep.
    fn variant(&self, chosen: &[u64], faults: &mut Faults) -> Node {
        let mut root = self.base.clone();
        for (group, &index) in self.groups.iter().zip(chosen) {
            group.axes.iter().for_each(|axis| assign(&mut root, axis, index, faults));
        }
        root
    }

    fn too_many(&self, len: u128) -> SpecError {
        let mut factors: Vec<String> = self.groups.iter().map(|g| thousands(u128::from(g.len()))).collect();
        if self.replicas > 1 {
            factors.push(format!("{} replicas", thousands(u128::from(self.replicas))));
        }
        let count = if len == u128::MAX { "more than 10^38".to_owned() } else { thousands(len) };
        let product = if factors.len() > 1 { format!(" ({})", factors.join(" × ")) } else { String::new() };
        let limit = thousands(u128::from(MAX_POINTS));
        let mut error =
            SpecError::at("sweep", format!("this spec asks for {count} runs{product}; at most {limit} fit"));
        let root = &self.document.root;
        let sweep = root.pairs().iter().find(|p| p.key == "sweep").map(|p| p.place.clone());
        error.place = sweep.or_else(|| root.at("run.replicas").map(|n| n.place.clone()));
        error.help("shorten an axis, or `zip` axes that belong together")
    }

    /// Checks every value of every axis. Values of plain parameters do not influence each other, so each is checked once
    /// against its declaration; components bring their own parameters, so all their combinations are resolved.
    fn check(&self, faults: &mut Faults) {
        let combined: Vec<usize> = (0..self.groups.len()).filter(|&g| self.groups[g].structural()).collect();
        let mut chosen = vec![0; self.groups.len()];
        let mut seen = BTreeSet::new();
        loop {
            let mut root = self.variant(&chosen, faults);
            preset::merge(&mut root, self.catalogue, self.document.texts.len());
            let mut resolver = Resolver::new(self.catalogue);
            resolver.root(&root);
            resolver.faults.into_iter().for_each(|e| faults.push(e));
            for axis in self.groups.iter().flat_map(|g| &g.axes).filter(|a| !a.structural) {
                self.check_values(axis, &root, &mut seen, faults);
            }
            if !faults.suggests() || !self.advance(&combined, &mut chosen) {
                return;
            }
        }
    }

    /// The next combination, last group fastest; false after the last one.
    fn advance(&self, combined: &[usize], chosen: &mut [u64]) -> bool {
        for &at in combined.iter().rev() {
            chosen[at] += 1;
            if chosen[at] < self.groups[at].len() {
                return true;
            }
            chosen[at] = 0;
        }
        false
    }

    /// Checks the values of one axis against the declaration that holds in `root`, unless that was done before.
    fn check_values(&self, axis: &Axis, root: &Node, seen: &mut BTreeSet<(String, usize)>, faults: &mut Faults) {
        let Some(param) = declared(self.catalogue, root, &axis.path) else { return };
        if !seen.insert((axis.path.clone(), std::ptr::from_ref(param).addr())) {
            return;
        }
        for index in 0..axis.len() {
            let node = axis.value(index);
            let fits = check::plain(param, &axis.path, &node, faults).is_some();
            let fits = fits && (axis.path != "run.seed" || self.seed_fits(&node, faults));
            if !fits && !axis.listed() {
                return;
            }
        }
    }

    /// Whether the replicas' seeds, counted from this one, are seeds too. What is no integer is reported elsewhere.
    fn seed_fits(&self, node: &Node, faults: &mut Faults) -> bool {
        let Item::Integer(first) = node.item else { return false };
        let param = self.catalogue.section("run").and_then(|s| s.params.iter().find(|p| p.name == "seed"));
        let Some(Param { kind: Kind::Integer { max, .. }, .. }) = param else { return true };
        let last = first.checked_add_unsigned(self.replicas - 1);
        if first <= *max && last.is_none_or(|last| last > *max) {
            let message = format!("{} replicas count their seeds upwards from {first}, beyond {max}", self.replicas);
            faults.push(SpecError::placed("run.seed", node.place.clone(), message).help("choose a smaller first seed"));
            return false;
        }
        true
    }
}

/// How many seeds the spec asks for; 1 where it asks wrongly, which is reported elsewhere.
fn replicas(document: &Document, catalogue: &Catalogue) -> u64 {
    let written = document.root.at("run.replicas").map(|n| &n.item);
    let run = catalogue.section("run").map_or(&[][..], |s| s.params);
    let Some(param) = run.iter().find(|p| p.name == "replicas") else { return 1 };
    let asked = match (written, param.fallback) {
        (Some(Item::Integer(n)), _) => *n,
        (None, Fallback::Integer(n)) => n,
        _ => 1,
    };
    asked.max(1).unsigned_abs()
}

/// The declaration of the plain parameter at `path`, given the kinds that `root` chooses.
fn declared(catalogue: &Catalogue, root: &Node, path: &str) -> Option<&'static Param> {
    let (parent, name) = path.rsplit_once('.')?;
    let section = catalogue.section(parent)?;
    let written = root.at(parent).and_then(|node| match &node.item {
        Item::Table(_) => node.get("kind").map(|n| &n.item),
        item => Some(item),
    });
    let kind = match written {
        Some(Item::Text(kind)) => Some(kind.as_str()),
        Some(_) => None,
        None => section.default_entry,
    };
    section.params_of(kind).into_iter().find(|p| p.name == name)
}

/// Makes a resolved spec that of one replica and answers with its seed.
fn single(resolved: &mut Resolved, replica: u64) -> u64 {
    let Some(run) = resolved.table_mut().get_mut("run").and_then(Value::as_table_mut) else { return replica };
    if run.contains_key("replicas") {
        run.insert("replicas".to_owned(), Value::Integer(1));
    }
    let Some(Value::Integer(first)) = run.get("seed") else { return replica };
    let seed = first.saturating_add_unsigned(replica);
    run.insert("seed".to_owned(), Value::Integer(seed));
    seed as u64
}
