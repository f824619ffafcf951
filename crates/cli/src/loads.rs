//! A spec as a function of its load, for each of its variants: what `saturation` and `curve` search over.

use crate::contents::Contents;
use crate::exit::{Failure, Result};
use crate::points::{Points, Source, bound_of_load, points_of};
use crate::show::numbers::short;
use crate::spec_file::SpecArgs;
use std::sync::{Mutex, PoisonError};
use tailback_results::{Inputs, Scalar};
use tailback_sim::{catalogue, parameters, prepare};
use tailback_spec::{Document, Plan, Point, SpecError};
use tailback_summary::names;
use tailback_summary::variants::LOAD;
use toml::Value;

/// The seed of a run.
const SEED: &str = "run.seed";
/// The length of a run that is doubled where a question stays open.
const MEASURED: &str = "workload.measure_cycles";

/// A steady spec whose load may be anything, and what else it sweeps.
pub struct Loads {
    points: Points,
    /// The place of a point of each variant: its first load, with the first seed.
    firsts: Vec<usize>,
    contents: Mutex<Contents>,
    /// The variants, in the order of the sweep; one where nothing but the load is swept.
    pub variants: Vec<Variant>,
    /// The loads that the spec sweeps, ascending; none where it sweeps none.
    pub swept: Vec<f64>,
    /// Seeds of a point, as the spec has them.
    pub replicas: u64,
}

/// A setting of everything that is swept but the load.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What tells it from the others: `spth`, or `uniform, buffer_flits 8`. Empty where there is only one.
    pub name: String,
    /// The swept parameters but the load.
    pub parameters: Vec<(String, Scalar)>,
    /// A load that is surely too much: the channel-load bound, or else the bisection's \[flits/node/cycle\].
    pub high: f64,
    /// The channel-load bound as a value of `traffic.load` \[flits/node/cycle\].
    pub bound: Option<f64>,
    /// The link or node that is full at the bound.
    pub busiest: Option<String>,
    /// Mean latency without waiting \[cycles\], where it can be computed.
    pub zero_load_latency: Option<f64>,
    measure_cycles: i64,
}

/// One run that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Which variant.
    pub variant: usize,
    /// The value of `traffic.load`.
    pub load: f64,
    /// Which seed, counted from the first one.
    pub replica: u64,
    /// How often the measured window is doubled.
    pub doublings: u32,
}

/// Parses a load of the command line: a positive number.
pub fn load(text: &str) -> std::result::Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "a number is wanted".to_owned())?;
    let fits = value > 0.0 && value <= 64.0;
    if fits { Ok(value) } else { Err("a load in flits/node/cycle above 0 is wanted".to_owned()) }
}

impl Loads {
    /// Reads a spec and checks every variant of it, at `low` where it has no load.
    ///
    /// # Errors
    /// A bad spec; a workload that is not steady; a load that advances together with another parameter; swept seeds; a range
    /// that is empty.
    pub fn new(spec: &SpecArgs, low: f64, high: Option<f64>) -> Result<Self> {
        Loads::of(spec, spec.document()?, low, high)
    }

    /// [`Loads::new`] of a document that was read from `spec`.
    ///
    /// # Errors
    /// As there.
    pub fn of(spec: &SpecArgs, document: Document, low: f64, high: Option<f64>) -> Result<Self> {
        let document = with_load(document, low)?;
        let points = points_of(spec, &document)?;
        points.told.warn();
        let plan = document.plan(catalogue())?;
        let is_swept = moves_alone(&points.groups)?;
        let firsts: Vec<usize> = plan.kinds(&[LOAD]).map(|kin| kin.first as usize).collect();
        let swept = if is_swept { swept_loads(&plan)? } else { Vec::new() };
        let found: Vec<Point> = firsts.iter().map(|first| points.at(*first)).collect::<Result<_>>()?;
        let variants = variants(&found, high)?;
        if let Some(wrong) = variants.iter().find(|variant| variant.high <= low) {
            let of = if wrong.name.is_empty() { String::new() } else { format!(" of {}", wrong.name) };
            return Err(Failure::usage(format!("--low {low} is not below the upper end {}{of}", short(wrong.high))));
        }
        let replicas = plan.replicas();
        Ok(Loads { points, firsts, contents: Mutex::default(), variants, swept, replicas })
    }

    /// A run.
    ///
    /// # Errors
    /// A window too long for a number, a file that is gone.
    pub fn one(&self, wanted: Wanted) -> Result<Point> {
        let mut point = self.points.at(self.firsts[wanted.variant])?;
        let cycles = self.variants[wanted.variant].measure_cycles.checked_shl(wanted.doublings);
        let cycles = cycles.filter(|cycles| *cycles > 0).ok_or_else(|| {
            Failure::usage(format!("a measured window, doubled {} times, is too long for a number", wanted.doublings))
        })?;
        let seed = point.seed.checked_add(wanted.replica).filter(|seed| i64::try_from(*seed).is_ok());
        point.seed =
            seed.ok_or_else(|| Failure::usage("run.seed is so large that no seeds follow it; choose a smaller one"))?;
        let values = [
            (LOAD, Value::Float(wanted.load)),
            (MEASURED, Value::Integer(cycles)),
            (SEED, Value::Integer(point.seed.cast_signed())),
        ];
        for (path, value) in values {
            *point.resolved.value_mut(path).expect("a steady spec that was resolved has it") = value;
        }
        let load = Value::Float(wanted.load);
        match point.swept.iter_mut().find(|(path, _)| path == LOAD) {
            Some((_, value)) => *value = load,
            None => point.swept.push((LOAD.to_owned(), load)),
        }
        point.identify(&[]);
        self.contents.lock().unwrap_or_else(PoisonError::into_inner).identify(&mut point);
        Ok(point)
    }

    /// The files that the spec names.
    pub fn files(&self) -> Inputs {
        self.points.files.clone()
    }

    /// The spec as it was understood, as TOML.
    pub fn spec(&self) -> &str {
        &self.points.spec
    }

    /// The first variant's point, for what all of them share.
    ///
    /// # Errors
    /// A file that is gone.
    pub fn first(&self) -> Result<Point> {
        self.points.at(self.firsts[0])
    }

    /// What is swept.
    pub fn axes(&self) -> Vec<String> {
        self.points.groups.concat()
    }
}

/// A document, at this load where it has none.
fn with_load(mut document: Document, load: f64) -> Result<Document> {
    let is_missing = |error: &SpecError| error.path == LOAD && error.message.ends_with("is missing");
    if document.plan(catalogue()).is_err_and(|errors| errors.errors().iter().any(is_missing)) {
        document.set(&format!("{LOAD}={load:?}"))?;
    }
    Ok(document)
}

/// Whether the load is swept, and by itself.
///
/// # Errors
/// For a load that advances together with another parameter, and for swept seeds.
fn moves_alone(groups: &[Vec<String>]) -> Result<bool> {
    if groups.iter().flatten().any(|path| path == SEED) {
        let message = "`run.seed` is swept, and a search chooses its seeds itself; fix the first one with --set \
                       run.seed=1 and give the number of seeds as run.replicas";
        return Err(Failure::usage(message));
    }
    let Some(group) = groups.iter().find(|group| group.iter().any(|path| path == LOAD)) else { return Ok(false) };
    let others: Vec<&str> = group.iter().map(String::as_str).filter(|path| *path != LOAD).collect();
    if others.is_empty() {
        return Ok(true);
    }
    Err(Failure::usage(format!(
        "`{LOAD}` advances together with {} in this sweep, and a search moves the load alone; fix it with --set",
        others.join(", ")
    )))
}

/// The loads that a spec sweeps, ascending.
fn swept_loads(plan: &Plan) -> Result<Vec<f64>> {
    let first = plan.kinds(&[LOAD]).next().expect("a plan has a point");
    let load = |index: u64| Ok(plan.point(index)?.resolved.value(LOAD).and_then(number));
    let loads: Vec<Option<f64>> = first.of_one_seed().map(load).collect::<Result<_>>()?;
    let mut loads: Vec<f64> = loads.into_iter().flatten().collect();
    loads.sort_by(f64::total_cmp);
    loads.dedup();
    Ok(loads)
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|integer| integer as f64))
}

/// What is known of each variant before anything runs.
fn variants(points: &[Point], high: Option<f64>) -> Result<Vec<Variant>> {
    let others = |point: &Point| {
        let swept = point.swept.iter().filter(|(path, _)| path != LOAD).cloned();
        parameters(&swept.collect::<Vec<_>>())
    };
    let all: Vec<Vec<(String, Scalar)>> = points.iter().map(others).collect();
    let names = all.iter().flatten().map(|(name, _)| name.clone());
    let mut varying: Vec<String> = Vec::new();
    for name in names {
        let of = |parameters: &Vec<(String, Scalar)>| parameters.iter().find(|(other, _)| *other == name).cloned();
        if !varying.contains(&name) && all.windows(2).any(|pair| of(&pair[0]) != of(&pair[1])) {
            varying.push(name);
        }
    }
    let one = |(point, parameters): (&Point, Vec<(String, Scalar)>)| {
        let kind = point.resolved.view("workload").kind().to_owned();
        if kind != "steady" {
            let message =
                format!("a search needs the workload `steady`, this spec has `{kind}`; add --set workload=steady");
            return Err(Failure::usage(message));
        }
        let facts = prepare(point)?.facts();
        let bound = bound_of_load(point, &facts);
        Ok(Variant {
            name: names::of_parameters(&parameters, &varying),
            parameters,
            high: high.or(bound).or(facts.bisection_load).unwrap_or(1.0),
            bound,
            busiest: facts.busiest_link,
            zero_load_latency: facts.zero_load_latency,
            measure_cycles: point.resolved.view("workload").u64("measure_cycles").cast_signed(),
        })
    };
    points.iter().zip(all).map(one).collect()
}
