//! A spec as a function of its load, for each of its variants: what `saturation` and `curve` search over.

use crate::contents::Contents;
use crate::exit::{Failure, Result};
use crate::points::{Points, Source, bound_of_load, points_of};
use crate::show::numbers::short;
use crate::spec_file::SpecArgs;
use std::sync::{Mutex, PoisonError};
use tailback_results::{Inputs, Scalar};
use tailback_sim::{catalogue, parameters, prepare};
use tailback_spec::{Document, Point};
use tailback_summary::names;
use tailback_summary::variants::LOAD;
use toml::Value;

/// The seed of a run.
const SEED: &str = "run.seed";
/// The length of a run that is doubled where a question stays open.
const MEASURED: &str = "workload.measure_cycles";

/// A steady spec whose load may be anything, and what else it sweeps.
pub struct Loads {
    /// One point for each variant, at some load and with the first seed.
    points: Points,
    contents: Mutex<Contents>,
    /// The variants, in the order of the sweep; one where nothing but the load is swept.
    pub variants: Vec<Variant>,
    /// The loads that the spec sweeps, ascending; none where it sweeps none.
    pub swept: Vec<f64>,
    /// Where the load stands among what is swept.
    place: usize,
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
    /// Reads a spec and checks every variant of it at `low`.
    ///
    /// # Errors
    /// A bad spec; a workload that is not steady; a load that advances together with another parameter; swept seeds; a range
    /// that is empty.
    pub fn new(spec: &SpecArgs, low: f64, high: Option<f64>) -> Result<Self> {
        let document = spec.document()?;
        let at = at_load(&document, low)?;
        let replicas = at.resolve(catalogue())?.view("run").u64("replicas");
        let mut one_seed = at;
        one_seed.set("run.replicas=1")?;
        let points = points_of(spec, &one_seed)?;
        points.told.warn();
        if points.groups.iter().flatten().any(|path| path == SEED) {
            let message = "`run.seed` is swept, and a search chooses its seeds itself; fix the first one with --set \
                           run.seed=1 and give the number of seeds as run.replicas";
            return Err(Failure::usage(message));
        }
        let (swept, place) = swept_loads(&document, &points)?;
        let found: Vec<Point> = points.iter().collect::<Result<_>>()?;
        let variants = variants(&found, high)?;
        if let Some(wrong) = variants.iter().find(|variant| variant.high <= low) {
            let of = if wrong.name.is_empty() { String::new() } else { format!(" of {}", wrong.name) };
            return Err(Failure::usage(format!("--low {low} is not below the upper end {}{of}", short(wrong.high))));
        }
        Ok(Loads { points, contents: Mutex::default(), variants, swept, place, replicas })
    }

    /// A run.
    ///
    /// # Errors
    /// A window too long for a number, a file that is gone.
    pub fn one(&self, wanted: Wanted) -> Result<Point> {
        let mut point = self.points.at(wanted.variant)?;
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
        point.swept.insert(self.place, (LOAD.to_owned(), Value::Float(wanted.load)));
        point.identify(&[]);
        self.contents.lock().unwrap_or_else(PoisonError::into_inner).identify(&mut point);
        Ok(point)
    }

    /// The files that the spec names.
    pub fn files(&self) -> Inputs {
        self.points.files.clone()
    }

    /// The spec as it was understood, as TOML. Its load stands for any.
    pub fn spec(&self) -> &str {
        &self.points.spec
    }

    /// The first variant's point, for what all of them share.
    ///
    /// # Errors
    /// A file that is gone.
    pub fn first(&self) -> Result<Point> {
        self.points.at(0)
    }

    /// What is swept beside the load.
    pub fn axes(&self) -> Vec<String> {
        self.points.groups.concat()
    }
}

/// A document at one load, which it may sweep or leave out.
fn at_load(document: &Document, load: f64) -> Result<Document> {
    let mut at = document.clone();
    at.set(&format!("{LOAD}={load:?}"))?;
    Ok(at)
}

/// The loads that a spec sweeps, and their place among what is swept.
fn swept_loads(document: &Document, others: &Points) -> Result<(Vec<f64>, usize)> {
    let end = others.groups.concat().len();
    let plan = match document.plan(catalogue()) {
        Ok(plan) => plan,
        // The load may be left out. Whatever else is wrong was told before.
        Err(errors)
            if errors.errors().iter().all(|error| error.path == LOAD && error.message.ends_with("is missing")) =>
        {
            return Ok((Vec::new(), end));
        }
        Err(errors) => return Err(errors.into()),
    };
    let groups = plan.groups();
    let Some(group) = groups.iter().position(|group| group.contains(&LOAD)) else { return Ok((Vec::new(), end)) };
    if groups[group].len() > 1 {
        let others: Vec<&str> = groups[group].iter().copied().filter(|path| *path != LOAD).collect();
        return Err(Failure::usage(format!(
            "`{LOAD}` advances together with {} in this sweep, and a search moves the load alone; fix it with --set",
            others.join(", ")
        )));
    }
    let place = groups[..group].concat().len();
    let first = plan.kinds(&[LOAD]).next().expect("a plan has a point");
    let load = |index: u64| Ok(plan.point(index)?.resolved.value(LOAD).and_then(number));
    let loads: Vec<Option<f64>> = first.of_one_seed().map(load).collect::<Result<_>>()?;
    let mut loads: Vec<f64> = loads.into_iter().flatten().collect();
    loads.sort_by(f64::total_cmp);
    loads.dedup();
    Ok((loads, place))
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|integer| integer as f64))
}

/// What is known of each variant before anything runs.
fn variants(points: &[Point], high: Option<f64>) -> Result<Vec<Variant>> {
    let all: Vec<Vec<(String, Scalar)>> = points.iter().map(|point| parameters(&point.swept)).collect();
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
            high: high.or(bound).unwrap_or(facts.bisection_load),
            bound,
            busiest: facts.busiest_link,
            zero_load_latency: facts.zero_load_latency,
            measure_cycles: point.resolved.view("workload").u64("measure_cycles").cast_signed(),
        })
    };
    points.iter().zip(all).map(one).collect()
}
