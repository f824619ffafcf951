//! Settings that change while a run goes on: the spec as it is from each change on, and the admission that goes with it.

use crate::catalogue;
use crate::prepare::Prepared;
use tailback_spec::{Document, Errors, Point, SpecError, View};
use tailback_traffic::{MAX_CHANGES, Stage};
use toml::{Table, Value};

/// What a change may set, as dotted paths or the beginnings of them.
pub const CHANGEABLE: [&str; 4] = ["admission", "traffic.load", "traffic.pattern", "traffic.process"];

/// A spec from a cycle on.
pub(crate) struct Changed {
    pub from: u64,
    pub point: Point,
}

/// The admission of a run from a cycle on.
pub(crate) struct Guard {
    pub from: u64,
    /// The section of the spec.
    pub table: Table,
    /// The number of the change that brings it.
    number: usize,
}

/// Whether a change may set a path.
pub fn is_changeable(path: &str) -> bool {
    CHANGEABLE.iter().any(|may| path.strip_prefix(may).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// Where change number `number` says what it sets.
fn path(number: usize) -> String {
    format!("workload.changes[{number}].set")
}

/// The changes of a point, each as it stands in the spec.
fn listed(point: &Point) -> Vec<View<'_>> {
    let workload = point.resolved.view("workload");
    if workload.has("changes") { workload.tables("changes") } else { Vec::new() }
}

/// The specs that a point has from each of its changes on, in order of time; none where nothing changes.
///
/// # Errors
/// Changes out of order, or behind the measured window; settings that cannot change, or that are wrong, each at its change.
pub(crate) fn changed(point: &Point) -> Result<Vec<Changed>, Vec<SpecError>> {
    let changes = listed(point);
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let errors = out_of_order(point, &changes);
    if !errors.is_empty() {
        return Err(errors);
    }
    let base = base(point);
    let (mut set, mut specs) = (Vec::new(), Vec::new());
    for (number, change) in changes.iter().enumerate() {
        for (path, value) in change.sub("set").table() {
            set.push(argument(path, value));
        }
        let point = read(&base, &set).map_err(|errors| of_change(number, &errors))?;
        specs.push(Changed { from: change.u64("cycle"), point });
    }
    Ok(specs)
}

fn out_of_order(point: &Point, changes: &[View]) -> Vec<SpecError> {
    if changes.len() > MAX_CHANGES {
        let message = format!("{} changes; a workload has {MAX_CHANGES} at most", changes.len());
        return vec![SpecError::at("workload.changes", message)];
    }
    let workload = point.resolved.view("workload");
    let end = workload.u64("warmup_cycles") + workload.u64("measure_cycles");
    let (mut errors, mut before) = (Vec::new(), 0);
    for (number, change) in changes.iter().enumerate() {
        let cycle = change.u64("cycle");
        let at = format!("workload.changes[{number}].cycle");
        if cycle <= before {
            let message = format!("a change at cycle {cycle} follows one at cycle {before}");
            errors.push(SpecError::at(&at, message).help("changes stand in order of time, and no two in one cycle"));
        }
        if cycle >= end {
            let message = format!("nothing is measured from cycle {end} on, and this change would be at cycle {cycle}");
            errors.push(SpecError::at(&at, message).help("make workload.measure_cycles longer"));
        }
        before = cycle;
        for path in change.sub("set").table().keys().filter(|path| !is_changeable(path)) {
            let message = format!("`{}` cannot change while a run goes on", tailback_base::text::brief(path));
            let help = "what can is admission, traffic.load, traffic.pattern, traffic.process and what is below them, each as \
                        one path in quotes: \"traffic.load\" = 0.3";
            errors.push(SpecError::at(self::path(number), message).help(help));
        }
    }
    errors
}

/// The text of a spec without its changes.
fn base(point: &Point) -> String {
    let mut resolved = point.resolved.clone();
    if let Some(Value::Table(workload)) = resolved.table_mut().get_mut("workload") {
        workload.insert("changes".to_owned(), Value::Array(Vec::new()));
    }
    resolved.to_toml(catalogue())
}

/// A setting as an argument of `--set`.
pub(crate) fn argument(path: &str, value: &Value) -> String {
    format!("{path}={value}")
}

fn read(base: &str, set: &[String]) -> Result<Point, Errors> {
    let mut points = Document::read("the spec", base.as_bytes(), set)?.expand(catalogue())?;
    Ok(points.pop().expect("what is no sweep has one point"))
}

/// Errors of the settings so far, at the change that brought them.
fn of_change(number: usize, errors: &Errors) -> Vec<SpecError> {
    let placed = |error: &SpecError| {
        let placed = SpecError::at(path(number), error.message.clone());
        error.help.iter().fold(placed, |placed, help| placed.help(help.clone()))
    };
    errors.errors().iter().map(placed).collect()
}

/// The stages of traffic in these specs: those that send something else than the one before.
pub(crate) fn stages<'a>(traffic: View<'a>, changed: &'a [Changed]) -> Vec<Stage<'a>> {
    let (mut before, mut stages) = (traffic, Vec::new());
    for changed in changed {
        let traffic = changed.point.resolved.view("traffic");
        if traffic.table() != before.table() {
            stages.push(Stage { from: changed.from, traffic });
        }
        before = traffic;
    }
    stages
}

/// The admissions that follow that of the point itself: those that are another one than the one before.
pub(crate) fn guards(point: &Point) -> Result<Vec<Guard>, Vec<SpecError>> {
    let mut before = point.resolved.view("admission").table().clone();
    let mut guards = Vec::new();
    for (number, changed) in changed(point)?.into_iter().enumerate() {
        let table = changed.point.resolved.view("admission").table().clone();
        if table != before {
            guards.push(Guard { from: changed.from, table: table.clone(), number });
        }
        before = table;
    }
    Ok(guards)
}

/// The point as it would be if it had this admission from cycle 0 on, and all the changes of its traffic.
pub(crate) fn guarded_by(point: &Point, table: &Table) -> Point {
    let mut point = point.clone();
    point.resolved.table_mut().insert("admission".to_owned(), Value::Table(table.clone()));
    if let Some(Value::Table(workload)) = point.resolved.table_mut().get_mut("workload")
        && let Some(Value::Array(changes)) = workload.get_mut("changes")
    {
        for set in changes.iter_mut().filter_map(|change| change.get_mut("set")).filter_map(Value::as_table_mut) {
            set.retain(|path, _| path.starts_with("traffic"));
        }
        changes.retain(|change| change.get("set").and_then(Value::as_table).is_some_and(|set| !set.is_empty()));
    }
    point
}

impl Guard {
    /// Errors of the point that has it, at the change that brings it.
    pub fn refused(&self, errors: Vec<SpecError>) -> Vec<SpecError> {
        let placed = |error: SpecError| {
            let placed = SpecError::at(path(self.number), error.message);
            error.help.into_iter().fold(placed, |placed, help| placed.help(help))
        };
        errors.into_iter().map(placed).collect()
    }
}

impl Prepared {
    /// The same run as it goes on under one of its admissions.
    pub(crate) fn under(&self, guard: &Guard) -> Prepared {
        let prepared =
            crate::prepare(&guarded_by(&self.point, &guard.table)).expect("it was tried when the run was prepared");
        let (point, forks, spec_id) = (self.point.clone(), self.forks.clone(), self.spec_id.clone());
        Prepared { point, forks, spec_id, throttle: Some(guard.table.clone()), guards: Vec::new(), ..prepared }
    }
}
