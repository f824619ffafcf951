//! What is played: a spec, and what was changed at which cycle.

use crate::catalogue;
use crate::changes::argument;
use crate::prepare::{Prepared, prepare};
use std::collections::BTreeMap;
use tailback_spec::{Document, Errors, Point, SpecError};
use tailback_traffic::{Course, course};
use toml::Value;

/// Cycles from one time at which settings may change to the next.
pub const PACE: u64 = 64;

/// A play has no end of its own.
const FOR_EVER: i64 = 1_000_000_000_000;

/// What is played: traffic that goes on until somebody stops it, or work that comes to an end.
const PLAYED: [Course; 3] = [Course::Steady, Course::Collective, Course::Program];

/// A spec and the changes so far.
#[derive(Clone, Debug)]
pub struct Script {
    point: Point,
    /// By the cycle from which on they hold: what was set, in the order of paths.
    changes: BTreeMap<u64, BTreeMap<String, Value>>,
}

impl Script {
    /// The play of a point. Changes that its spec has are part of it.
    ///
    /// # Errors
    /// A workload that is not played.
    pub fn new(point: &Point) -> Result<Script, Errors> {
        let workload = point.resolved.view("workload");
        if !PLAYED.contains(&course(workload)) {
            let message = format!(
                "workload.kind \"{}\" is not played: \"steady\" is, and \"collective\" and \"program\" are up to their end",
                workload.kind()
            );
            let error = SpecError::at("workload.kind", message).help("set workload.kind to \"steady\"");
            return Err(point.resolved.errors([error]).expect("there is one"));
        }
        let listed = if workload.has("changes") { workload.tables("changes") } else { Vec::new() };
        let listed = listed.into_iter().map(|change| {
            let set = change.sub("set").table().iter().map(|(path, value)| (path.clone(), value.clone())).collect();
            (change.u64("cycle").div_ceil(PACE) * PACE, set)
        });
        Ok(Script { point: point.clone(), changes: listed.collect() })
    }

    /// The point that it began with.
    pub fn point(&self) -> &Point {
        &self.point
    }

    /// Whether it comes to an end of its own, as programs do. Nothing changes in it while it runs.
    pub fn ends(&self) -> bool {
        course(self.point.resolved.view("workload")) != Course::Steady
    }

    /// The changes so far, in order of time.
    pub fn changes(&self) -> &BTreeMap<u64, BTreeMap<String, Value>> {
        &self.changes
    }

    /// The first cycle, not before `now`, from which on a setting can be another one.
    pub fn next_change(now: u64) -> u64 {
        now.div_ceil(PACE) * PACE
    }

    /// The same play with one more setting from `cycle` on. What was to be set later is forgotten.
    ///
    /// # Errors
    /// A setting that cannot change, or that is wrong.
    pub fn with(&self, cycle: u64, path: &str, value: Value) -> Result<(Script, Prepared), Errors> {
        if self.ends() && cycle > 0 {
            let message = "nothing changes while such a workload runs: go to cycle 0, and change it there";
            let error = SpecError::at("workload.kind", message);
            return Err(self.point.resolved.errors([error]).expect("there is one"));
        }
        let mut script = self.until(cycle);
        let set = script.changes.entry(cycle).or_default();
        // What was below it was part of what it was before.
        set.retain(|before, _| !before.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')));
        set.insert(path.to_owned(), value);
        let prepared = script.prepare(cycle)?;
        Ok((script, prepared))
    }

    /// The same play of another network, or of another router: with settings that hold from cycle 0 on.
    ///
    /// # Errors
    /// A setting that is wrong, or a change that the other network cannot make.
    pub fn beside(&self, set: &[(String, Value)]) -> Result<(Script, Prepared), Errors> {
        let set: Vec<String> = set.iter().map(|(path, value)| argument(path, value)).collect();
        let document = Document::read("the play", self.point.resolved.to_toml(catalogue()).as_bytes(), &set)?;
        let point = document.expand(catalogue())?.pop().expect("what is no sweep has one point");
        let script = Script { point, changes: self.changes.clone() };
        let last = script.changes.keys().next_back().copied().unwrap_or(0);
        let mut cycles: Vec<u64> = script.changes.keys().copied().filter(|&cycle| cycle < last).collect();
        cycles.push(0);
        cycles.into_iter().try_for_each(|cycle| script.prepare(cycle).map(drop))?;
        let prepared = script.prepare(last)?;
        Ok((script, prepared))
    }

    /// The same play without what changed after `cycle`.
    pub fn until(&self, cycle: u64) -> Script {
        let changes = self.changes.range(..=cycle).map(|(cycle, set)| (*cycle, set.clone())).collect();
        Script { point: self.point.clone(), changes }
    }

    /// The same play without what changed from `cycle` on.
    pub fn without(&self, cycle: u64) -> Script {
        let changes = self.changes.range(..cycle).map(|(cycle, set)| (*cycle, set.clone())).collect();
        Script { point: self.point.clone(), changes }
    }

    /// The next change after `cycle`.
    pub fn next_after(&self, cycle: u64) -> Option<u64> {
        self.changes.range(cycle + 1..).next().map(|(cycle, _)| *cycle)
    }

    /// Whether admission is another one from `cycle` on than it was in the cycle before.
    pub fn changes_admission(&self, cycle: u64) -> bool {
        let section =
            |until: u64| self.settings(until).ok().map(|point| point.resolved.view("admission").table().clone());
        self.changes.contains_key(&cycle) && cycle > 0 && section(cycle) != section(cycle - 1)
    }

    /// The network from `cycle` on, up to the next change.
    ///
    /// # Errors
    /// Whatever is wrong with the changes so far.
    pub fn prepare(&self, cycle: u64) -> Result<Prepared, Errors> {
        let script = self.until(cycle);
        let document = script.document(FOR_EVER, &["probes.link_load=true"])?;
        let point = document.expand(catalogue())?.pop().expect("what is no sweep has one point");
        let prepared = prepare(&point)?;
        let prepared = match prepared.guards.last() {
            Some(guard) => prepared.under(guard),
            None => prepared,
        };
        let pace = if self.ends() { 0 } else { PACE };
        Ok(Prepared { traffic: prepared.traffic.paced(pace), guards: Vec::new(), ..prepared })
    }

    /// The spec, as it is from `cycle` on, complete.
    ///
    /// # Errors
    /// Whatever is wrong with the changes so far.
    pub fn settings(&self, cycle: u64) -> Result<Point, Errors> {
        let none = Script { point: self.point.clone(), changes: BTreeMap::new() };
        let set: Vec<String> = self
            .changes
            .range(..=cycle)
            .flat_map(|(_, set)| set.iter().map(|(path, value)| argument(path, value)))
            .collect();
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        Ok(none.document(FOR_EVER, &set)?.expand(catalogue())?.pop().expect("what is no sweep has one point"))
    }

    /// A spec that simulates the first `cycles` cycles of the play and no more.
    ///
    /// # Errors
    /// Whatever is wrong with the changes so far.
    pub fn spec(&self, cycles: u64) -> Result<String, Errors> {
        let script = self.until(cycles.saturating_sub(1));
        let document = script.document(cycles.max(1) as i64, &[])?;
        Ok(document.expand(catalogue())?.pop().expect("what is no sweep has one point").resolved.to_toml(catalogue()))
    }

    fn document(&self, cycles: i64, more: &[&str]) -> Result<Document, Errors> {
        let mut resolved = self.point.resolved.clone();
        if let Some(Value::Table(workload)) = resolved.table_mut().get_mut("workload") {
            let change = |(cycle, set): (&u64, &BTreeMap<String, Value>)| {
                let set = Value::Table(set.iter().map(|(path, value)| (path.clone(), value.clone())).collect());
                Value::Table(
                    [("cycle".to_owned(), Value::Integer(*cycle as i64)), ("set".to_owned(), set)]
                        .into_iter()
                        .collect(),
                )
            };
            // In cycle 0 nothing changes: it begins so.
            let changes = self.changes.range(1..).map(change).collect();
            let lengths = [("warmup_cycles", 0), ("measure_cycles", cycles), ("drain_cycles", 0)];
            if self.ends() {
                workload.insert("limit_cycles".to_owned(), Value::Integer(cycles));
            } else {
                workload.insert("changes".to_owned(), Value::Array(changes));
                workload.extend(lengths.map(|(key, value)| (key.to_owned(), Value::Integer(value))));
            }
        }
        let first = self.changes.get(&0).into_iter().flatten().map(|(path, value)| argument(path, value));
        let set: Vec<String> = first.chain(more.iter().map(|more| (*more).to_owned())).collect();
        Document::read("the play", resolved.to_toml(catalogue()).as_bytes(), &set)
    }
}
