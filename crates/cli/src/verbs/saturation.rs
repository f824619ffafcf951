//! `tailback saturation`: the largest load that a network carries in a steady state, by bisection.

use crate::exit::{DEADLOCK, Failure, Result, SUCCESS};
use crate::interrupt;
use crate::loads::{Loads, load};
use crate::points::code_unless_stopped;
use crate::runner::collect;
use crate::show::numbers::short;
use crate::show::{self, progress::Progress, records};
use crate::spec_file::SpecArgs;
use serde_json::json;
use tailback_results::{Record, Status};

const AFTER: &str = "\
Examples:
  tailback saturation examples/mesh.toml --set traffic.pattern=bcmp
  tailback saturation my.toml --tolerance 0.001 --seeds 5
  tailback saturation my.toml --low 0.2 --high 0.6 --json

Loads are values of traffic.load, in flits/cycle for each node that sends. A load counts as
carried when the run with every seed ends steady: all that was made in the measured window
arrives, and latency does not grow. A longer workload.measure_cycles judges more strictly.";

/// Arguments of `saturation`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// Width of the bracket at which the search ends [flits/node/cycle]
    #[arg(long, default_value_t = 0.005, value_name = "LOAD", value_parser = load)]
    tolerance: f64,
    /// A load that is surely carried [flits/node/cycle]
    #[arg(long, default_value_t = 0.01, value_name = "LOAD", value_parser = load)]
    low: f64,
    /// A load that is surely too much [flits/node/cycle] [default: the channel-load bound]
    #[arg(long, value_name = "LOAD", value_parser = load)]
    high: Option<f64>,
    /// Seeds for each load
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,
    /// Seeds to run at the same time [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What the search found so far.
struct Search<'a> {
    args: &'a Args,
    loads: Loads<'a>,
    records: Vec<Record>,
    progress: Progress,
}

/// How a search ends.
struct Found {
    /// Largest load that was carried, if any was.
    carried: Option<f64>,
    /// Smallest load that was not, if any was not.
    refused: Option<f64>,
}

/// Searches.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was run")?;
    let loads = Loads::new(&args.spec, args.low, args.high)?;
    let high = loads.high;
    interrupt::keep();
    let mut search = Search { args, loads, records: Vec::new(), progress: Progress::new(1, false) };
    let found = search.bisect(high)?;
    search.progress = Progress::new(1, true);
    if args.json {
        search.json(&found)?
    } else {
        search.text(&found)?
    }
    let deadlocked = search.records.iter().any(|r| r.status == Status::Deadlocked);
    Ok(code_unless_stopped(if deadlocked { DEADLOCK } else { SUCCESS }))
}

impl Search<'_> {
    fn bisect(&mut self, high: f64) -> Result<Found> {
        let mut found = Found { carried: None, refused: None };
        for load in [self.args.low, high] {
            self.step(load, &mut found)?;
            if found.carried != Some(load) || interrupt::requested() {
                return match load == high && found.carried.is_some() {
                    true => self.narrow(found),
                    false => Ok(found),
                };
            }
        }
        Ok(found)
    }

    fn narrow(&mut self, mut found: Found) -> Result<Found> {
        while let (Some(low), Some(high)) = (found.carried, found.refused) {
            // Beyond the resolution of a float there is nothing between the two.
            let middle = low + (high - low) / 2.0;
            if high - low <= self.args.tolerance || middle <= low || middle >= high || interrupt::requested() {
                break;
            }
            self.step(middle, &mut found)?;
        }
        Ok(found)
    }

    /// Runs one load with all seeds and notes whether it was carried; an interrupted one says nothing.
    fn step(&mut self, load: f64, found: &mut Found) -> Result<()> {
        let points = match self.loads.at(load, u64::from(self.args.seeds)) {
            Err(Failure::Interrupted) => return Ok(()),
            points => points?,
        };
        let (threads, all) = (self.args.threads.map_or(0, usize::from), points.cycles.unwrap_or(0).max(1));
        let message = format!("load {}", short(load));
        let tick = |_, cycles| self.progress.of(cycles, all, message.clone());
        let records = collect(&points, threads, |done| done.outcome.record, tick)?;
        if !interrupt::requested() {
            let carried = records.iter().flatten().all(|r| r.status == Status::Steady);
            let side = if carried { &mut found.carried } else { &mut found.refused };
            *side = Some(load);
        }
        self.records.extend(records.into_iter().flatten());
        Ok(())
    }

    fn json(&self, found: &Found) -> Result<()> {
        let runs = self.records.iter().map(|r| r.row().map(serde_json::Value::Object));
        let runs: Vec<_> = runs.collect::<tailback_results::Result<_>>()?;
        let line = json!({
            "carried_load": found.carried, "refused_load": found.refused, "unit": "flits/node/cycle",
            "tolerance": self.args.tolerance, "seeds": self.args.seeds, "channel_load_bound": self.loads.bound, "runs": runs,
        });
        show::line(&line.to_string())
    }

    fn text(&self, found: &Found) -> Result<()> {
        let mut shown: Vec<&Record> = self.records.iter().collect();
        shown.sort_by(|a, b| a.offered_load.unwrap_or(0.0).total_cmp(&b.offered_load.unwrap_or(0.0)));
        show::print(&records::many(&shown, show::color()))?;
        let unit = "flits/node/cycle";
        let text = match (found.carried, found.refused) {
            (Some(low), Some(high)) => {
                format!("the network saturates at a traffic.load between {} and {} {unit}", short(low), short(high))
            }
            (Some(low), None) => {
                format!("the network carries a traffic.load of {} {unit}, the highest tried", short(low))
            }
            (None, Some(high)) => {
                format!("a traffic.load of {} {unit} is too much already; give a smaller --low", short(high))
            }
            (None, None) => "nothing was finished".to_owned(),
        };
        let bound = self.loads.bound.map_or(String::new(), |b| format!("; the channel-load bound is {}", short(b)));
        show::line(&format!("\n{}", show::bold(&format!("{text}{bound}"))))
    }
}
