//! The points of a spec, all checked before any runs, and each made when its turn comes.

use crate::contents::Contents;
use crate::exit::{Failure, INTERRUPTED, Result};
use crate::interrupt;
use crate::output::add_files;
use crate::reasons;
use crate::show::progress::Bar;
use crate::show::progress::Progress;
use crate::spec_file::SpecArgs;
use crate::told::Told;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use tailback_results::Inputs;
use tailback_sim::{
    ALIKE, Facts, Prepared, catalogue, minds_load, prepare_unless, reason, side_by_side, threads_in_room,
};
use tailback_spec::{Document, Errors, Kin, Plan, Point, SpecError};

/// With so many errors found, nobody wants more.
const ENOUGH: usize = 200;

/// Kinds of points that a thread looks at before it is given others, and that all threads together look at before what they found is put
/// together.
const SHARE: usize = 64;
const BATCH: usize = 64 * SHARE;

/// A spec with all its points, each made when it is asked for: there may be a million.
pub struct Points {
    made: Made,
    /// What the sweep varies, by dotted path, those that advance together as one group, slowest first. Seeds are innermost.
    pub groups: Vec<Vec<String>>,
    /// Cycles of all points together, where known.
    pub cycles: Option<u64>,
    /// The spec as it was understood, with its sweep, as TOML.
    pub spec: String,
    /// Points that cannot be run, by place in ascending order, and why; only with [`Wrong::Kept`].
    pub refused: Vec<(usize, String)>,
    /// What the spec says in vain.
    pub told: Told,
    /// The files that the points name.
    pub files: Inputs,
}

/// How points are made.
enum Made {
    /// By a plan, with the files that the spec names.
    Planned(Box<Planned>),
    /// It is there, the only one.
    Alone(Box<Point>),
}

struct Planned {
    plan: Plan<'static>,
    args: SpecArgs,
    /// What files held when they were first looked at, which was before anything ran.
    contents: Mutex<Contents>,
}

impl Planned {
    fn at(&self, index: u64) -> Result<Point> {
        self.found(self.plan.point(index)?)
    }

    /// The point at a place, to be looked at.
    fn nameless(&self, index: u64) -> Result<Point> {
        self.found(self.plan.nameless(index)?)
    }

    /// A point with its files.
    fn found(&self, mut point: Point) -> Result<Point> {
        self.args.locate_files(&mut point)?;
        // What another thread left is whole: a digest is there or not.
        self.contents.lock().unwrap_or_else(PoisonError::into_inner).identify(&mut point);
        Ok(point)
    }
}

/// Points that are made when they are asked for, by place.
pub trait Source: Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// The one at a place.
    ///
    /// # Errors
    /// Where a folder is gone that the spec names files in.
    fn at(&self, index: usize) -> Result<Point>;
}

impl Source for Points {
    fn count(&self) -> usize {
        match &self.made {
            Made::Planned(planned) => planned.plan.len() as usize,
            Made::Alone(_) => 1,
        }
    }

    fn at(&self, index: usize) -> Result<Point> {
        match &self.made {
            Made::Planned(planned) => planned.at(index as u64),
            Made::Alone(point) => Ok(Point::clone(point)),
        }
    }
}

impl Source for Vec<Point> {
    fn count(&self) -> usize {
        self.len()
    }

    fn at(&self, index: usize) -> Result<Point> {
        Ok(self[index].clone())
    }
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
/// The errors of [`points`].
pub fn points_of(args: &SpecArgs, document: &Document) -> Result<Points> {
    with_progress(args, document, Wrong::Refused)
}

fn with_progress(args: &SpecArgs, document: &Document, wrong: Wrong) -> Result<Points> {
    let mut progress = None;
    points_unless(args, document, wrong, interrupt::flag(), &mut |done, all| {
        let bar = progress.get_or_insert_with(|| Progress::new(all, if all < 100 { Bar::Hidden } else { Bar::Shown }));
        bar.at(done, "checking".to_owned());
    })
}

/// Checks every point of a document that came from `args`; `hear` is told how many points are checked and how many there are.
///
/// # Errors
/// The errors of [`points`], and [`Failure::Interrupted`] soon after `cancel` is set.
pub fn points_unless(
    args: &SpecArgs,
    document: &Document,
    wrong: Wrong,
    cancel: &AtomicBool,
    hear: &mut dyn FnMut(u64, u64),
) -> Result<Points> {
    let plan = document.plan(catalogue()).map_err(|errors| reasons::beside(args, document, errors))?;
    let groups = plan.groups().into_iter().map(|group| group.into_iter().map(str::to_owned).collect()).collect();
    let planned = Planned { plan, args: args.clone(), contents: Mutex::default() };
    let Checked { cycles, refused, told, files } = check(&planned, wrong, cancel, hear)?;
    let mut base = document.resolve(catalogue())?;
    args.locate_in(&mut base)?;
    Ok(Points {
        made: Made::Planned(Box::new(planned)),
        groups,
        cycles,
        spec: base.to_toml(catalogue()),
        refused,
        told,
        files,
    })
}

/// Cycles of all points that can be, where known, those that cannot, with the reasons, what has no effect in them, and the files that
/// they name.
struct Checked {
    cycles: Option<u64>,
    refused: Vec<(usize, String)>,
    told: Told,
    files: Inputs,
}

/// What points turn out to be that were looked at so far.
struct Findings {
    errors: BTreeSet<SpecError>,
    checked: Checked,
    /// The most memory that one of them may come to use.
    memory_bytes: u64,
}

impl Findings {
    fn none() -> Findings {
        let checked = Checked { cycles: Some(0), refused: Vec::new(), told: Told::default(), files: Inputs::none() };
        Findings { errors: BTreeSet::new(), checked, memory_bytes: 0 }
    }

    /// One point says whether `points` of them, all alike, can be.
    fn add(
        &mut self,
        point: &Point,
        points: u64,
        mut indices: impl Iterator<Item = u64>,
        cancel: &AtomicBool,
    ) -> Result<()> {
        self.checked.told.add(point, points as usize);
        add_files(&mut self.checked.files, &point.resolved);
        match prepare_unless(point, cancel).ok_or(Failure::Interrupted)? {
            Ok(prepared) => {
                self.memory_bytes = self.memory_bytes.max(prepared.memory_bytes());
                prepared.doubt().into_iter().for_each(|doubt| self.checked.told.doubt(doubt, points as usize));
                let all = |cycles: u64| cycles.saturating_mul(points);
                self.count(prepared.total_cycles().map(all));
            }
            Err(found) => {
                let reason = reason(&found);
                self.checked.refused.extend(indices.by_ref().map(|index| (index as usize, reason.clone())));
                // With so many nobody wants more.
                if self.errors.len() <= ENOUGH {
                    self.errors.extend(found.errors().iter().cloned());
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, cycles: Option<u64>) {
        self.checked.cycles = self.checked.cycles.zip(cycles).map(|(a, b)| a.saturating_add(b));
    }

    /// Takes over what the points behind these turn out to be.
    fn join(&mut self, other: Findings) {
        let Checked { cycles, refused, told, files } = other.checked;
        self.count(cycles);
        self.errors.extend(other.errors);
        self.checked.refused.extend(refused);
        self.checked.told.join(told);
        self.checked.files.join(files);
        self.memory_bytes = self.memory_bytes.max(other.memory_bytes);
    }
}

/// Points that are looked at, by several threads where there are many.
struct Look<'a> {
    planned: &'a Planned,
    cancel: &'a AtomicBool,
    /// How many have been looked at.
    done: AtomicU64,
}

impl Look<'_> {
    /// Prepares one point of all that differ only in what makes none impossible, to see that they can be: a network is built again
    /// when its turn comes, for a thousand need not exist at once.
    fn at(&self, kin: &Kin, found: &mut Findings) -> Result<()> {
        let replicas = self.planned.plan.replicas();
        let first = self.planned.nameless(kin.first)?;
        if !minds_load(&first) {
            return self.one(&first, kin.len(), kin.iter(), found);
        }
        for index in kin.of_one_seed() {
            self.one(&self.planned.nameless(index)?, replicas, index..index + replicas, found)?;
        }
        Ok(())
    }

    fn one(&self, point: &Point, points: u64, all: impl Iterator<Item = u64>, found: &mut Findings) -> Result<()> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Failure::Interrupted);
        }
        found.add(point, points, all, self.cancel)?;
        self.done.fetch_add(points, Ordering::Relaxed);
        Ok(())
    }

    fn all(&self, kinds: &[Kin]) -> Result<Findings> {
        let mut found = Findings::none();
        kinds.iter().try_for_each(|kin| self.at(kin, &mut found))?;
        Ok(found)
    }

    /// Looks at many, and says in their order what they turn out to be. `hear` is told how far it has come.
    fn side_by_side(&self, kinds: &[Kin], threads: usize, hear: &mut dyn FnMut(u64)) -> Vec<Result<Findings>> {
        let shares: Vec<&[Kin]> = kinds.chunks(SHARE).collect();
        let mut found: Vec<Option<Result<Findings>>> = shares.iter().map(|_| None).collect();
        let look = |share: usize| self.all(shares[share]);
        let heard = side_by_side(shares.len(), threads, self.cancel, look, |one| {
            one.into_iter().for_each(|(share, one)| found[share] = Some(one));
            hear(self.done.load(Ordering::Relaxed));
            Ok::<(), Failure>(())
        });
        debug_assert!(heard.is_ok(), "nobody refuses to hear");
        // What nobody began, because of an interruption, is none of these.
        found.into_iter().map(|one| one.unwrap_or(Err(Failure::Interrupted))).collect()
    }
}

/// Looks at one point of each kind.
fn check(planned: &Planned, wrong: Wrong, cancel: &AtomicBool, hear: &mut dyn FnMut(u64, u64)) -> Result<Checked> {
    let plan = &planned.plan;
    let look = Look { planned, cancel, done: AtomicU64::new(0) };
    let mut hear = |done: u64| hear(done, plan.len());
    let (mut found, mut kinds) = (Findings::none(), plan.kinds(&ALIKE));
    let sizes_differ = plan.axes().iter().any(|axis| changes_size(axis));
    // The first one says how much room each takes.
    let mut threads = 1;
    loop {
        let next: Vec<Kin> = kinds.by_ref().take(if threads == 1 { 1 } else { BATCH }).collect();
        if next.is_empty() || wrong == Wrong::Refused && found.errors.len() > ENOUGH {
            break;
        }
        hear(look.done.load(Ordering::Relaxed));
        if threads == 1 {
            found.join(look.all(&next)?);
        } else {
            for one in look.side_by_side(&next, threads, &mut hear) {
                found.join(one?);
            }
        }
        threads = if sizes_differ { 1 } else { threads_in_room(found.memory_bytes) };
    }
    let Findings { errors, mut checked, .. } = found;
    checked.refused.sort_by_key(|refused| refused.0);
    let none_is_left = wrong == Wrong::Refused || checked.refused.len() as u64 == plan.len();
    match merged(plan, errors)?.filter(|_| none_is_left) {
        Some(errors) => Err(errors.into()),
        None => Ok(checked),
    }
}

/// Whether the values of an axis may make networks of different sizes. The times of links do not.
fn changes_size(axis: &str) -> bool {
    axis == "preset" || axis.starts_with("topology") && !axis.ends_with("_cycles")
}

/// The errors of several points of one spec as one list: all points share the same texts.
fn merged(plan: &Plan, errors: BTreeSet<SpecError>) -> Result<Option<Errors>> {
    Ok(if errors.is_empty() { None } else { plan.point(0)?.resolved.errors(errors) })
}

impl Points {
    /// The seeds of every point.
    pub fn seeds(&self) -> u64 {
        match &self.made {
            Made::Planned(planned) => planned.plan.replicas(),
            Made::Alone(_) => 1,
        }
    }

    /// What one simulation is called: a run, where a point has several.
    pub fn noun(&self) -> &'static str {
        if self.seeds() > 1 { "run" } else { "point" }
    }

    /// A point by itself.
    pub fn alone(point: Point, cycles: Option<u64>) -> Points {
        let spec = point.resolved.to_toml(catalogue());
        let (told, mut files) = (Told::of_fork(&point), Inputs::none());
        add_files(&mut files, &point.resolved);
        Points {
            made: Made::Alone(Box::new(point)),
            groups: Vec::new(),
            cycles,
            spec,
            refused: Vec::new(),
            told,
            files,
        }
    }

    /// All points, one after the other, in the order of the sweep.
    pub fn iter(&self) -> impl Iterator<Item = Result<Point>> + '_ {
        (0..self.count()).map(|index| self.at(index))
    }

    /// What the sweep varies, for people.
    pub fn axes(&self) -> String {
        self.groups.concat().join(", ")
    }

    /// The first point that can be, prepared: it stands for the others where they hardly differ.
    pub fn first(&self) -> Result<Prepared> {
        let refused = |index: &usize| self.refused.binary_search_by_key(index, |refused| refused.0).is_ok();
        let first = (0..self.count()).find(|index| !refused(index)).unwrap_or(0);
        Ok(prepare_unless(&self.at(first)?, interrupt::flag()).ok_or(Failure::Interrupted)??)
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
