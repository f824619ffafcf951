//! A spec as a function of its load: what `saturation` and `curve` search over.

use crate::exit::{Failure, Result};
use crate::points::{Points, bound_of_load, points_of};
use crate::show::numbers::short;
use crate::spec_file::SpecArgs;
use tailback_sim::catalogue;
use tailback_spec::{Document, Point};

/// A steady spec without a sweep, and the range of loads in which it is looked at \[flits/node/cycle\].
pub struct Loads<'a> {
    spec: &'a SpecArgs,
    /// The spec; `traffic.load` stands for any value.
    document: Document,
    /// A load that is surely too much.
    pub high: f64,
    /// The channel-load bound as a value of `traffic.load`.
    pub bound: Option<f64>,
    measure_cycles: u64,
}

/// Parses a load of the command line: a positive number.
pub fn load(text: &str) -> std::result::Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "a number is wanted".to_owned())?;
    let fits = value > 0.0 && value <= 64.0;
    if fits { Ok(value) } else { Err("a load in flits/node/cycle above 0 is wanted".to_owned()) }
}

impl<'a> Loads<'a> {
    /// Reads a spec and checks it at `low`. The upper end is the channel-load bound, or else the bisection's, where none is
    /// given.
    ///
    /// # Errors
    /// A bad spec; a workload that is not steady; a sweep; an empty range.
    pub fn new(spec: &'a SpecArgs, low: f64, high: Option<f64>) -> Result<Self> {
        let mut loads = Loads { spec, document: spec.document()?, high: 0.0, bound: None, measure_cycles: 0 };
        let first = loads.at(low, 1)?;
        first.told.warn();
        let prepared = first.first()?;
        let (facts, point) = (prepared.facts(), prepared.point());
        let kind = point.resolved.view("workload").kind().to_owned();
        if kind != "steady" {
            let message =
                format!("a search needs the workload `steady`, this spec has `{kind}`; add --set workload=steady");
            return Err(Failure::usage(message));
        }
        loads.measure_cycles = point.resolved.view("workload").u64("measure_cycles");
        loads.bound = bound_of_load(point, &facts);
        loads.high = high.or(loads.bound).unwrap_or(facts.bisection_load);
        if loads.high <= low {
            return Err(Failure::usage(format!("--low {low} is not below the upper end {}", short(loads.high))));
        }
        Ok(loads)
    }

    /// Replica `replica` of the spec, which [`Loads::new`] found good, at one load, with its measured window doubled so many
    /// times.
    ///
    /// # Errors
    /// A window too long for a number, a file that is gone.
    pub fn one(&self, load: f64, replica: u64, doublings: u32) -> Result<Point> {
        let mut document = self.document.clone();
        document.set(&format!("traffic.load={load:?}"))?;
        document.set(&format!("run.replicas={}", replica + 1))?;
        if doublings > 0 {
            let cycles = u128::from(self.measure_cycles) << doublings;
            document.set(&format!("workload.measure_cycles={cycles}"))?;
        }
        let mut point = document.plan(catalogue())?.point(replica)?;
        self.spec.locate_files(&mut point)?;
        Ok(point)
    }

    /// The points of the spec at one load: its seeds and nothing else.
    ///
    /// # Errors
    /// A bad spec; a sweep.
    pub fn at(&self, load: f64, seeds: u64) -> Result<Points> {
        let mut document = self.document.clone();
        document.set(&format!("traffic.load={load:?}"))?;
        document.set(&format!("run.replicas={seeds}"))?;
        let points = points_of(self.spec, &document)?;
        if !points.groups.is_empty() {
            let axes = points.axes();
            return Err(Failure::usage(format!(
                "this spec also sweeps {axes}; fix it with --set, a search moves the load alone"
            )));
        }
        Ok(points)
    }
}
