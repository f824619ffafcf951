//! What a checkpoint holds of a run, going on from one, and forking: one state, from which other settings are tried.

use crate::ranks::gathered;
use crate::run::{CHUNK, Keep, Runner};
use crate::{Prepared, VERSION, catalogue, prepare};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use tailback_base::state::{MOST, Reader, State, Unfit, Writer, ensure};
use tailback_base::text::brief;
use tailback_cycle::Simulated;
use tailback_engine::DataPath;
use tailback_probes::{Heads, Tree};
use tailback_results::Checkpoint;
use tailback_results::checkpoint::Head;
use tailback_spec::{Document, Errors, Point, contents_digest};
use tailback_traffic::{Course, is_program};
use toml::Value;

/// What a fork may change, as dotted paths or the beginnings of them. All else has a shape that the state has taken on.
const MAY_CHANGE: [&str; 4] = ["admission", "traffic.load", "workload", "probes.window_cycles"];

/// The section of what looks at the measured window; where that is a new one it begins anew, and so does all that was measured.
const LOOKS: &str = "looks";

/// A checkpoint and the point that it goes on with.
pub struct Resumed {
    /// The point.
    pub point: Point,
    forks: Vec<(String, u64)>,
    spec_id: String,
    cycle: u64,
    state: Vec<u8>,
    /// Sections of the state that begin anew.
    anew: Vec<&'static str>,
}

/// Why there is no going on from a checkpoint.
#[derive(Debug)]
pub enum Refused {
    /// In words.
    Words(String),
    /// The spec is wrong.
    Spec(Errors),
}

impl From<Errors> for Refused {
    fn from(errors: Errors) -> Refused {
        Refused::Spec(errors)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Words(words) => f.write_str(words),
            Refused::Spec(errors) => errors.fmt(f),
        }
    }
}

/// What a sweep chose, in a form that TOML has.
#[derive(Serialize, Deserialize)]
struct Swept {
    swept: Vec<(String, Value)>,
}

impl Resumed {
    /// Of a checkpoint; with arguments as of `--set`, a fork. `name` is what messages call its spec, `identify` makes the identity
    /// of a point depend on what its files hold.
    ///
    /// # Errors
    /// Settings that are wrong, or that a fork cannot change; files that hold something else by now.
    pub fn new(
        checkpoint: Checkpoint,
        set: &[String],
        name: &str,
        identify: &mut dyn FnMut(&mut Point),
    ) -> Result<Resumed, Refused> {
        let head = &checkpoint.head;
        let mut point = point_of(name, head, &[])?;
        identify(&mut point);
        if point.id != head.spec_id {
            return Err(words("the files that its spec names do not hold any more what they did"));
        }
        point.id.clone_from(&head.point_id);
        let swept: Swept = toml::from_str(&head.swept_toml)
            .map_err(|e| words(format!("a damaged checkpoint: {}", brief(e.message()))))?;
        point.swept = swept.swept;
        if set.is_empty() {
            let (forks, spec_id) = (head.forks.clone(), head.spec_id.clone());
            return Ok(Resumed { point, forks, spec_id, cycle: head.cycle, state: checkpoint.state, anew: Vec::new() });
        }
        let mut other = point_of(name, head, set)?;
        identify(&mut other);
        fork(checkpoint, &point, other)
    }

    /// A run that goes on in this process.
    pub(crate) fn under_way(
        point: Point,
        (forks, spec_id): (Vec<(String, u64)>, String),
        cycle: u64,
        state: Vec<u8>,
        anew: Vec<&'static str>,
    ) -> Resumed {
        Resumed { point, forks, spec_id, cycle, state, anew }
    }

    /// Builds the network that the state belongs to.
    ///
    /// # Errors
    /// The errors of [`prepare`].
    pub fn prepare(&self) -> Result<Prepared, Errors> {
        let prepared = prepare(&self.point)?;
        Ok(Prepared { forks: self.forks.clone(), spec_id: self.spec_id.clone(), ..prepared })
    }

    /// The next cycle to be simulated.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Whether the flits in every buffer were counted.
    pub(crate) fn has_levels(&self) -> bool {
        self.state.first() == Some(&1)
    }
}

fn words(words: impl Into<String>) -> Refused {
    Refused::Words(words.into())
}

fn point_of(name: &str, head: &Head, set: &[String]) -> Result<Point, Refused> {
    let document = Document::read(name, head.spec_toml.as_bytes(), set)?;
    let mut points = document.expand(catalogue())?;
    match (points.pop(), points.is_empty()) {
        (Some(point), true) => Ok(point),
        _ => Err(words("one run goes on from a checkpoint, and these settings make several")),
    }
}

/// `other` goes on from the state of `point`.
fn fork(checkpoint: Checkpoint, point: &Point, mut other: Point) -> Result<Resumed, Refused> {
    let mut changed = Vec::new();
    differences(
        "",
        &Value::Table(point.resolved.table().clone()),
        &Value::Table(other.resolved.table().clone()),
        &mut changed,
    );
    changed.retain(|(path, _): &(String, Value)| !path.starts_with("run.name") && !path.starts_with("run.description"));
    let may = |path: &str| MAY_CHANGE.iter().any(|may| path == *may || path.starts_with(&format!("{may}.")));
    if let Some((path, _)) = changed.iter().find(|(path, _)| !may(path) || path == "workload.kind") {
        return Err(words(format!(
            "{path} cannot change in a fork, for the state would not fit; admission, traffic.load and the lengths of the \
             workload can"
        )));
    }
    let is_program = is_program(point.resolved.view("workload"));
    let kept = |path: &str| path.starts_with("workload.") && path != "workload.only";
    if let Some((path, _)) = changed.iter().find(|(path, _)| is_program && kept(path)) {
        return Err(words(format!(
            "{path} cannot change in a fork of a program, whose operations are under way; admission and workload.only can"
        )));
    }
    let only = |of: &Point| of.resolved.value("workload.only").and_then(Value::as_str).unwrap_or_default().to_owned();
    if is_program && !only(point).is_empty() && changed.iter().any(|(path, _)| path == "workload.only") {
        return Err(words("workload.only cannot change in a fork of a job alone, for the others would not have begun"));
    }
    if changed.iter().any(|(path, _)| path == "workload.packets_per_node") {
        let why = "a node that has sent its last packet sends no more";
        return Err(words(format!("workload.packets_per_node cannot change in a fork: {why}")));
    }
    if changed.iter().any(|(path, _)| path == "workload.changes") {
        return Err(words(
            "workload.changes cannot change in a fork: some packets are known already that come after them",
        ));
    }
    let changes =
        point.resolved.value("workload.changes").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    if changes && changed.iter().any(|(path, _)| path.starts_with("traffic")) {
        return Err(words("traffic.load cannot change in a fork of a run with workload.changes, which say what it is"));
    }
    if changed.is_empty() {
        return Err(words("these settings are those of the checkpoint: a fork changes something"));
    }
    let (was, is) = (prepare(point)?, prepare(&other)?);
    let cycle = checkpoint.head.cycle;
    let mut anew = Vec::new();
    if changed.iter().any(|(path, _)| path.starts_with("admission")) {
        anew.push("admission");
    }
    if was.measured_window() != is.measured_window() {
        let from = is.measured_window().0;
        if cycle > from {
            return Err(words(format!(
                "the measured window would begin in cycle {from}, and the checkpoint is of cycle {cycle}: one that changes \
                 begins no earlier (set workload.warmup_cycles)"
            )));
        }
        anew.push(LOOKS);
    } else if cycle >= is.measured_window().1 {
        return Err(words(format!(
            "the checkpoint is of cycle {cycle}, when all was measured: let the measured window begin there (set \
             workload.warmup_cycles)"
        )));
    }
    if was.window_cycles() != is.window_cycles() {
        let length = was.window_cycles();
        return Err(words(format!(
            "the time series has windows of {length} cycles: set probes.window_cycles to {length}, too"
        )));
    }
    let digest = checkpoint.digest();
    let head = checkpoint.head;
    let mut forks = head.forks;
    forks.push((digest.clone(), cycle));
    let spec_id = std::mem::take(&mut other.id);
    let named: Vec<String> = forks.iter().map(|(digest, cycle)| format!("{digest}@{cycle}")).collect();
    let identity = format!("{spec_id} forked from {}", named.join(" "));
    let whole = contents_digest(identity.as_bytes()).expect("memory can be read");
    other.id = whole.chars().take(16).collect();
    let of_fork = [
        ("fork.cycle".to_owned(), Value::Integer(cycle as i64)),
        ("fork.checkpoint".to_owned(), Value::String(digest)),
    ];
    // A kind is a column of the name of its section, as in sweeps.
    changed.iter_mut().for_each(|(path, _)| *path = path.strip_suffix(".kind").unwrap_or(path).to_owned());
    let known = |path: &String| changed.iter().chain(&of_fork).any(|(changed, _)| changed == path);
    other.swept = point.swept.iter().filter(|(path, _)| !known(path)).cloned().collect();
    other.swept.extend(changed.into_iter().filter(|(_, value)| !value.is_table()));
    other.swept.extend(of_fork.iter().cloned());
    Ok(Resumed { point: other, forks, spec_id, cycle, state: checkpoint.state, anew })
}

/// The paths at which two specs differ, with what the second one has there; tables go by their kind.
fn differences(path: &str, one: &Value, other: &Value, found: &mut Vec<(String, Value)>) {
    let (Value::Table(one), Value::Table(other)) = (one, other) else {
        if one != other {
            found.push((path.to_owned(), other.clone()));
        }
        return;
    };
    let inside = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    for (key, value) in other {
        match one.get(key) {
            Some(before) => differences(&inside(key), before, value, found),
            None => found.push((inside(key), value.clone())),
        }
    }
    let gone = one.iter().filter(|(key, _)| !other.contains_key(*key));
    found.extend(gone.map(|(key, _)| (inside(key), Value::Table(Default::default()))));
}

impl<N: Simulated> Runner<'_, N> {
    /// Hands a checkpoint over, if anybody keeps them.
    pub fn keep_now(&mut self) {
        let Some(Keep { every, keeper }) = self.keep else { return };
        self.next_kept = self.engine.cycle().saturating_add(every);
        self.checkpoint().into_iter().for_each(keeper);
    }

    /// A checkpoint of the run as it is; of several processes at the first one.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        let cycle = self.engine.cycle();
        let point = self.prepared.point();
        let swept = Swept { swept: point.swept.clone() };
        let head = Head {
            version: VERSION.to_owned(),
            spec_toml: point.resolved.to_toml(catalogue()),
            point_id: point.id.clone(),
            spec_id: self.prepared.spec_id.clone(),
            swept_toml: toml::to_string(&swept).expect("it came from TOML"),
            forks: self.prepared.forks.clone(),
            cycle,
        };
        self.state().map(|state| Checkpoint { head, state })
    }

    /// The whole state of the run, of several processes at the first one. What was seen in the parts of a network is put
    /// together, as the network is.
    pub(crate) fn state(&self) -> Option<Vec<u8>> {
        let (mut to, ranks) = (Writer::default(), self.engine.ranks());
        let whole = self.watches.len() == 1 && ranks.is_none();
        to.put(&whole);
        to.put(&self.engine.cycle());
        to.section("network", |to| self.engine.checkpoint(to));
        let mut heads = Cow::Borrowed(&self.heads);
        if whole {
            self.watches[0].save(&mut to);
        } else {
            let mut all = self.prepared.watch();
            self.watches.iter().for_each(|part| all.merge(part));
            if let Some(ranks) = ranks {
                let (of_all, of_heads) = gathered(self.prepared, ranks, all, self.heads.clone())?;
                (all, heads) = (of_all, Cow::Owned(of_heads));
            }
            all.save(&mut to);
        }
        to.section(LOOKS, |to| {
            self.dissector.save(to);
            to.put(&self.looked);
        });
        self.progress.save(&mut to);
        heads.save(&mut to);
        // A host looks where the clock says, and begins nothing.
        let since = (self.engine.cycle() - self.begun).min(CHUNK - 1);
        to.put(&(since, self.searched, &self.trees, self.made));
        Some(to.into_bytes())
    }
}

impl<D: DataPath + Simulated> Runner<'_, D> {
    /// Takes over the state of a run of the same point, or of one that it was forked from.
    pub fn restore(&mut self, resumed: &Resumed) -> Result<(), Unfit> {
        let mut from = Reader::new(&resumed.state, &resumed.anew);
        let (_, cycle): (bool, u64) = from.take()?;
        ensure(cycle == resumed.cycle && cycle <= self.last_cycle(), "the run never comes to its cycle")?;
        from.section("network", |from| self.engine.restore(from))?;
        ensure(self.engine.cycle() == cycle, "its network is of another cycle")?;
        self.engine.counters().are_of_a_whole()?;
        ensure(self.engine.totals().add_up(), "packets were made that are nowhere")?;
        self.watches[0].restore(&mut from)?;
        ensure(self.watches[0].is_of(cycle), "its probes are of another cycle")?;
        let taken = from.section(LOOKS, |from| {
            self.dissector.restore(from)?;
            ensure(self.dissector.is_of(cycle), "its next look at the anatomy is over, or nobody wants one")?;
            self.looked = from.take()?;
            ensure(self.looked <= cycle.max(self.window.0), "its last look is to come")
        })?;
        self.progress.restore(&mut from)?;
        ensure(self.progress.is_of(self.engine.counters()), "more was seen than has happened")?;
        let mut heads = Heads::new(self.prepared.network());
        heads.restore(&mut from)?;
        let (since, searched, trees, made): (u64, u64, Option<Vec<Tree>>, Option<u64>) = from.take()?;
        from.end()?;
        ensure(trees.iter().flatten().all(|tree| self.has_place_of(tree)), "a tree has a root that is not there")?;
        ensure(made.is_none_or(|made| made <= MOST), "more was made than anybody counts")?;
        ensure(since < CHUNK && since <= cycle, "its last look at the outside world was never")?;
        self.begun = cycle - since;
        self.searched = searched;
        if taken {
            ensure(self.watches_each_packet(), "packets were watched that are others")?;
            (self.heads, self.trees, self.made) = (heads, trees, made);
        } else {
            self.watches[0].measure_anew(self.prepared.watch());
        }
        ensure(self.searched <= cycle, "its last search is to come")?;
        self.next_kept = self.keep.map_or(u64::MAX, |keep| cycle.saturating_add(keep.every));
        self.counts(cycle);
        Ok(())
    }

    /// Whether every packet has a name of its own, by which it is watched, and was watched wherever it has been.
    fn watches_each_packet(&self) -> bool {
        let (mut packets, mut names) = (Vec::new(), BTreeSet::new());
        self.engine.packets(&mut |packet| packets.push(*packet));
        let alone = packets.iter().all(|packet| names.insert((packet.source, packet.index)));
        let split = self.watches[0].latency_split.as_ref();
        let mut in_time = true;
        self.engine.arriving(&mut |packet, cycle| {
            in_time &= split.is_none_or(|split| split.allows(packet, cycle));
        });
        alone && in_time && split.is_none_or(|split| split.follows(&packets))
    }

    /// Whether there is the root of a tree, and not more of it than of the network.
    fn has_place_of(&self, tree: &Tree) -> bool {
        let network = self.prepared.network();
        let ports = network.most_ports() + network.most_nodes() as usize;
        let there = (tree.router as usize) < network.routers() && usize::from(tree.port) < ports;
        there && tree.queues.iter().all(|&queues| queues <= 1 << 28)
    }

    /// No run goes on for longer.
    fn last_cycle(&self) -> u64 {
        if self.prepared.course() == Course::Host {
            return MOST;
        }
        let drains = self.prepared.course() == Course::Steady;
        let drain = if drains { self.prepared.view("workload").u64("drain_cycles") } else { 0 };
        self.window.1.saturating_add(drain)
    }
}
