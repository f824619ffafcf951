//! The points of a spec, all checked before any runs.

use crate::contents::Contents;
use crate::exit::{Failure, INTERRUPTED, Result};
use crate::interrupt;
use crate::reasons;
use crate::show::progress::Progress;
use crate::spec_file::SpecArgs;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_sim::{Facts, Prepared, catalogue, prepare, prepare_unless, reason};
use tailback_spec::{Document, Errors, Point, SpecError};

/// With so many errors found, nobody wants more.
const ENOUGH: usize = 200;

/// A spec with all its points.
pub struct Points {
    /// All points, in the order of the sweep.
    pub points: Vec<Point>,
    /// What the sweep varies, by dotted path, those that advance together as one group, slowest first. Seeds are innermost.
    pub groups: Vec<Vec<String>>,
    /// Cycles of all points together, where known.
    pub cycles: Option<u64>,
    /// The spec as it was understood, with its sweep, as TOML.
    pub spec: String,
    /// Points that cannot be run, by place, and why; only with [`Wrong::Kept`].
    pub refused: Vec<(usize, String)>,
}

/// What is done where some points of a spec cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The whole spec is refused, before anything runs.
    Refused,
    /// The others run. A spec all of whose points are wrong is refused.
    Kept,
}

/// Reads a spec and checks every point of it.
///
/// # Errors
/// All errors of all points at once, each once.
pub fn points(args: &SpecArgs) -> Result<Points> {
    points_of(args, &args.document()?)
}

/// Reads a spec and checks every point of it; those that are wrong are no reason against the others.
///
/// # Errors
/// As for [`points`], where all points are wrong or the spec cannot be expanded into any.
pub fn points_that_can(args: &SpecArgs) -> Result<Points> {
    with_progress(args, &args.document()?, Wrong::Kept)
}

/// Checks every point of a document that came from `args`.
///
/// # Errors
/// As for [`points`].
pub fn points_of(args: &SpecArgs, document: &Document) -> Result<Points> {
    with_progress(args, document, Wrong::Refused)
}

fn with_progress(args: &SpecArgs, document: &Document, wrong: Wrong) -> Result<Points> {
    let mut progress = None;
    points_unless(args, document, wrong, interrupt::flag(), &mut |done, all| {
        let bar = progress.get_or_insert_with(|| Progress::new(all, all < 100));
        bar.at(done, "checking".to_owned());
    })
}

/// Checks every point of a document that came from `args`; `told` hears how many points are checked and how many there are.
///
/// # Errors
/// As for [`points`]; [`Failure::Interrupted`] soon after `cancel` was set.
pub fn points_unless(
    args: &SpecArgs,
    document: &Document,
    wrong: Wrong,
    cancel: &AtomicBool,
    told: &mut dyn FnMut(u64, u64),
) -> Result<Points> {
    let plan = document.plan(catalogue()).map_err(|errors| reasons::beside(args, document, errors))?;
    let groups = plan.groups().into_iter().map(|group| group.into_iter().map(str::to_owned).collect()).collect();
    let mut points = Vec::new();
    for point in plan.points() {
        if cancel.load(Ordering::Relaxed) {
            return Err(Failure::Interrupted);
        }
        let mut point = point?;
        args.locate_files(&mut point)?;
        points.push(point);
    }
    let (cycles, refused) = check(&points, wrong, cancel, told)?;
    let mut contents = Contents::default();
    points.iter_mut().for_each(|point| contents.identify(point));
    let mut base = document.resolve(catalogue())?;
    args.locate_in(&mut base)?;
    Ok(Points { points, groups, cycles, spec: base.to_toml(catalogue()), refused })
}

/// Cycles of all points that can be, where known, and those that cannot, with the reasons.
type Checked = (Option<u64>, Vec<(usize, String)>);

/// Prepares every point once to see that it can be: a network is built again when its turn comes, for a thousand need
/// not exist at once.
fn check(points: &[Point], wrong: Wrong, cancel: &AtomicBool, told: &mut dyn FnMut(u64, u64)) -> Result<Checked> {
    let mut errors = BTreeSet::new();
    let (mut cycles, mut refused) = (Some(0u64), Vec::new());
    for (index, point) in points.iter().enumerate() {
        told(index as u64, points.len() as u64);
        match prepare_unless(point, cancel).ok_or(Failure::Interrupted)? {
            Ok(prepared) => cycles = cycles.zip(prepared.total_cycles()).map(|(a, b)| a.saturating_add(b)),
            Err(found) => {
                refused.push((index, reason(&found)));
                // With so many nobody wants more.
                if errors.len() <= ENOUGH {
                    errors.extend(found.errors().iter().cloned());
                }
            }
        }
        if wrong == Wrong::Refused && errors.len() > ENOUGH {
            break;
        }
    }
    let none_is_left = wrong == Wrong::Refused || refused.len() == points.len();
    match merged(points, errors).filter(|_| none_is_left) {
        Some(errors) => Err(errors.into()),
        None => Ok((cycles, refused)),
    }
}

/// The errors of several points of one spec as one list: all points share the same texts.
fn merged(points: &[Point], errors: BTreeSet<SpecError>) -> Option<Errors> {
    points.first()?.resolved.errors(errors)
}

impl Points {
    /// What the sweep varies, for people.
    pub fn axes(&self) -> String {
        self.groups.concat().join(", ")
    }

    /// The first point that can be, prepared: it stands for the others where they hardly differ.
    pub fn first(&self) -> Result<Prepared> {
        let can = |index: &usize| self.refused.iter().all(|(refused, _)| refused != index);
        let first = (0..self.points.len()).find(can).unwrap_or(0);
        Ok(prepare(&self.points[first])?)
    }
}

/// The channel-load bound as a value of `traffic.load`, which is asked of the nodes that send alone: patterns that leave
/// nodes silent reach the bound, a mean over all nodes, at a higher one. Steady workloads only.
pub fn bound_of_load(point: &Point, facts: &Facts) -> Option<f64> {
    let asked = point.resolved.view("traffic").float("load");
    let offered = facts.offered_load.filter(|&offered| offered > 0.0)?;
    let steady = point.resolved.view("workload").kind() == "steady";
    facts.channel_load_bound.filter(|_| steady).map(|bound| bound * asked / offered)
}

/// The exit code of work that was stopped, or `code`.
pub fn code_unless_stopped(code: u8) -> u8 {
    if interrupt::requested() { INTERRUPTED } else { code }
}
