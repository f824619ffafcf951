//! `tailback saturation`: the largest load that a network, or each variant of it, carries in a steady state, by bisection.

use crate::bisection::{Bisection, Next};
use crate::exit::{DEADLOCK, Result, SUCCESS};
use crate::interrupt;
use crate::loads::{Loads, Wanted, load};
use crate::points::{Source, code_unless_stopped};
use crate::runner::collect;
use crate::show::numbers::{count, short};
use crate::show::progress::Bar;
use crate::show::table::{self, Column};
use crate::show::{self, progress::Progress, records};
use crate::spec_file::SpecArgs;
use serde_json::{Map, Value, json};
use tailback_results::identical::is_identical;
use tailback_results::{Record, Status};
use tailback_spec::Point;

const AFTER: &str = "\
Examples:
  tailback saturation examples/mesh.toml --set traffic.pattern=bcmp
  tailback saturation my.toml --tolerance 0.001 --seeds 5
  tailback saturation my.toml --low 0.2 --high 0.6 --json
  tailback saturation examples/study.toml --seeds 3 --tolerance 0.02

If the spec sweeps mechanisms, every variant gets a row, all under the same seeds. A sweep of the
load is ignored. Loads are values of traffic.load, in flits/cycle for each node that sends. A load
counts as carried if the runs of all seeds end steady: all packets of the measured window arrive,
and latency does not grow. A longer workload.measure_cycles is stricter. `tailback curve` gives an
interval.";

/// Arguments of `saturation`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// Width of the bracket at which the search ends [flits/node/cycle]
    #[arg(long, default_value_t = 0.005, value_name = "LOAD", value_parser = load)]
    tolerance: f64,
    /// A load that the network surely carries [flits/node/cycle]
    #[arg(long, default_value_t = 0.01, value_name = "LOAD", value_parser = load)]
    low: f64,
    /// A load that is surely too much [flits/node/cycle] [default: the channel-load bound of each variant]
    #[arg(long, value_name = "LOAD", value_parser = load)]
    high: Option<f64>,
    /// Number of seeds for each load
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,
    /// Number of runs at the same time. Results do not depend on it [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Searches.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was run")?;
    let loads = Loads::new(&args.spec, args.low, args.high)?;
    interrupt::keep();
    let searches = loads.variants.iter().map(|variant| Search {
        bisection: Bisection::new(args.low, variant.high, args.tolerance),
        records: Vec::new(),
        equals: None,
    });
    let mut work = Work { args, loads: &loads, searches: searches.collect(), made: 0 };
    work.search()?;
    if args.json {
        work.json()?;
    } else if work.searches.len() == 1 {
        work.one()?;
    } else {
        work.many()?;
    }
    let deadlocked = work.searches.iter().flat_map(|search| &search.records).any(|r| r.status == Status::Deadlocked);
    Ok(code_unless_stopped(if deadlocked { DEADLOCK } else { SUCCESS }))
}

/// The searches of all variants.
struct Work<'a> {
    args: &'a Args,
    loads: &'a Loads,
    searches: Vec<Search>,
    made: u64,
}

/// The search for one variant.
struct Search {
    bisection: Bisection,
    records: Vec<Record>,
    /// The earlier variant that it equals, bit for bit; then it is not searched any further.
    equals: Option<usize>,
}

/// Runs that are wanted at one time.
struct Batch<'a> {
    loads: &'a Loads,
    wanted: Vec<Wanted>,
}

impl Source for Batch<'_> {
    fn count(&self) -> usize {
        self.wanted.len()
    }

    fn at(&self, index: usize) -> Result<Point> {
        self.loads.one(self.wanted[index])
    }
}

impl Work<'_> {
    /// Rounds in which every variant that is still searched runs one load with all seeds.
    fn search(&mut self) -> Result<()> {
        let progress = Progress::new(1, Bar::Shown);
        let threads = self.args.threads.map_or(0, usize::from);
        for round in 0.. {
            let wanted = self.wanted();
            if wanted.is_empty() || interrupt::requested() {
                break;
            }
            let batch = Batch { loads: self.loads, wanted };
            let all = self.made + batch.wanted.len() as u64;
            let tick = |ended, _| progress.of(self.made + ended, all, format!("round {}", round + 1));
            let records = collect(&batch, threads, |done| done.outcome.record, tick)?;
            self.made = all;
            self.take(&batch.wanted, records);
            // The lowest and the highest load were run: those of variants that differ show it.
            if round == 1 {
                self.find_equals();
            }
        }
        Ok(())
    }

    fn wanted(&self) -> Vec<Wanted> {
        let next = |(variant, search): (usize, &Search)| match search.bisection.next() {
            Next::Try(load) if search.equals.is_none() => Some((variant, load)),
            _ => None,
        };
        let loads = self.searches.iter().enumerate().filter_map(next);
        let seeds = u64::from(self.args.seeds);
        loads
            .flat_map(|(variant, load)| (0..seeds).map(move |replica| Wanted { variant, load, replica, doublings: 0 }))
            .collect()
    }

    /// Takes in what ran; a load of which some run was cut short says nothing.
    fn take(&mut self, wanted: &[Wanted], records: Vec<Option<Record>>) {
        let mut records = records.into_iter();
        for of_one in wanted.chunk_by(|one, next| one.variant == next.variant) {
            let found: Vec<Record> = records.by_ref().take(of_one.len()).flatten().collect();
            let search = &mut self.searches[of_one[0].variant];
            let whole = found.len() == of_one.len() && found.iter().all(|record| record.status != Status::Interrupted);
            if whole {
                let load = of_one[0].load;
                match found.iter().all(|record| record.status == Status::Steady) {
                    true => search.bisection.carries(load),
                    false => search.bisection.refuses(load),
                }
            }
            search.records.extend(found);
        }
    }

    fn find_equals(&mut self) {
        for number in 1..self.searches.len() {
            let mine = &self.searches[number].records;
            let equal = |other: &usize| {
                let its = &self.searches[*other];
                let pairs = its.records.iter().zip(mine);
                its.equals.is_none()
                    && !mine.is_empty()
                    && its.records.len() == mine.len()
                    && pairs
                        .into_iter()
                        .all(|(one, other)| one.offered_load == other.offered_load && is_identical(one, other))
            };
            self.searches[number].equals = (0..number).find(equal);
        }
    }

    /// The search that says where a variant saturates.
    fn of(&self, number: usize) -> &Search {
        &self.searches[self.searches[number].equals.unwrap_or(number)]
    }

    fn json(&self) -> Result<()> {
        let variants =
            (0..self.searches.len()).map(|number| self.object(number)).collect::<Result<Vec<Map<_, _>>>>()?;
        let mut line = Map::new();
        if let [only] = variants.as_slice() {
            line.extend(only.clone());
        }
        let shared = json!({
            "unit": "flits/node/cycle", "tolerance": self.args.tolerance, "seeds": self.args.seeds, "variants": variants,
        });
        line.extend(shared.as_object().cloned().unwrap_or_default());
        show::line(&Value::Object(line).to_string())
    }

    fn object(&self, number: usize) -> Result<Map<String, Value>> {
        let (variant, search, found) = (&self.loads.variants[number], &self.searches[number], self.of(number));
        let runs = search.records.iter().map(|r| r.row().map(Value::Object));
        let runs: Vec<_> = runs.collect::<tailback_results::Result<_>>()?;
        let object = json!({
            "name": variant.name,
            "carried_load": found.bisection.carried, "refused_load": found.bisection.refused,
            "equals": search.equals.map(|other| self.loads.variants[other].name.clone()),
            "channel_load_bound": variant.bound, "runs": runs,
        });
        Ok(object.as_object().cloned().unwrap_or_default())
    }

    fn one(&self) -> Result<()> {
        let search = &self.searches[0];
        let mut shown: Vec<&Record> = search.records.iter().collect();
        shown.sort_by(|a, b| a.offered_load.unwrap_or(0.0).total_cmp(&b.offered_load.unwrap_or(0.0)));
        show::print(&records::many(&shown, show::color()))?;
        let unit = "flits/node/cycle";
        let text = match (search.bisection.carried, search.bisection.refused) {
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
        let bound = self.loads.variants[0].bound.map(|bound| format!("; the channel-load bound is {}", short(bound)));
        show::line(&format!("\n{}", show::bold(&format!("{text}{}", bound.unwrap_or_default()))))
    }

    /// One row for each variant.
    fn many(&self) -> Result<()> {
        let column = |cell: &dyn Fn(usize) -> String| (0..self.searches.len()).map(cell).collect::<Vec<_>>();
        let load = |value: Option<f64>| value.map_or("-".to_owned(), short);
        let note = |number: usize| match (self.searches[number].equals, self.of(number).bisection.next()) {
            (Some(other), _) => format!("equals {} bit for bit", self.loads.variants[other].name),
            (None, Next::AllCarried) => "the highest load tried".to_owned(),
            (None, Next::NoneCarried) => "give a smaller --low".to_owned(),
            (None, Next::Try(_)) => "not finished".to_owned(),
            (None, Next::Found) => String::new(),
        };
        let columns = [
            Column::text("variant", column(&|number| self.loads.variants[number].name.clone())),
            Column::new("carries", "flits/node/cycle", column(&|number| load(self.of(number).bisection.carried))),
            Column::new("saturates at", "flits/node/cycle", column(&|number| load(self.of(number).bisection.refused))),
            Column::new(
                "channel-load bound",
                "flits/node/cycle",
                column(&|number| load(self.loads.variants[number].bound)),
            ),
            Column::new("runs", "", column(&|number| self.searches[number].records.len().to_string())),
            Column::text("", column(&note)),
        ];
        show::print(&table::table(&columns, show::color()))?;
        let seeds = count(u64::from(self.args.seeds), "seed");
        let common = if self.args.seeds == 1 { "the same for all variants" } else { "the same ones for all variants" };
        show::print(&format!(
            "\n{}",
            show::wrapped(&format!("A load is carried that is steady with {seeds}, {common}."), 0)
        ))
    }
}
