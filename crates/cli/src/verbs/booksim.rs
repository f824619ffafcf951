//! `tailback booksim`: runs configuration files of BookSim 2.

use crate::booksim::classic::{self, Asked};
use crate::booksim::network;
use crate::booksim::sources::Sources;
use crate::chosen::ShowArgs;
use crate::drawings::Axes;
use crate::exit::{Failure, Result, SUCCESS};
use crate::folder::{Folder, can_be_folder};
use crate::interrupt;
use crate::points::{Points, points_of};
use crate::runner::{Done, Watcher, run_points};
use crate::session::{Rows, Session};
use crate::show;
use crate::show::progress::Bar;
use crate::show::table::{Column, table};
use crate::spec_file::SpecArgs;
use std::path::PathBuf;
use std::time::Instant;
use tailback_booksim::{Config, Fault, Spec, Unknown, explain, spec};
use tailback_results::store::Existing;
use tailback_sim::{Settled, catalogue, prepare, witness};
use tailback_spec::Document;
use toml::{Table, Value};

const AFTER: &str = "\
Examples:
  tailback booksim examples/booksim/mesh.cfg
  tailback booksim examples/booksim/mesh.cfg injection_rate=0.3 num_vcs=2
  tailback booksim examples/booksim/mesh.cfg --classic
  tailback booksim examples/booksim/mesh.cfg --explain
  tailback booksim examples/booksim/mesh.cfg --spec > mesh.toml
  tailback booksim examples/booksim/mesh.cfg --rates 0.05..0.35:0.1 --json

A configuration either runs, or is refused with the key, its place and the
reason. Notes on standard error say what is near and not exact. As in
BookSim, arguments behind `--` that begin with `-` are skipped.
--classic-exit gives BookSim's exit codes: 255 for a stable run, 0 for an
unstable one.";

/// Arguments of `booksim`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// Configuration files, and assignments that come after them
    #[arg(value_name = "FILE|KEY=VALUE", required_unless_present = "keys")]
    arguments: Vec<String>,
    /// Print the spec that the configuration becomes, and run nothing
    #[arg(long, conflicts_with_all = ["explain", "check"])]
    spec: bool,
    /// Print a line for each key: its value, where from, and what it became; run nothing
    #[arg(long, conflicts_with = "check")]
    explain: bool,
    /// Say whether the configuration runs, and run nothing
    #[arg(long)]
    check: bool,
    /// Print what BookSim prints
    #[arg(long, conflicts_with = "json")]
    classic: bool,
    /// Exit with 255 after a stable run and with 0 after an unstable one, as BookSim does
    #[arg(long)]
    classic_exit: bool,
    /// Run these values of injection_rate in one go, as 0.05..0.45:0.05
    #[arg(long, value_name = "A..B:STEP")]
    rates: Option<String>,
    /// Refuse configurations whose channels are cyclic; without it they run, as in BookSim
    #[arg(long)]
    strict: bool,
    /// Print a table of all keys and what becomes of them, as Markdown
    #[arg(long, conflicts_with = "arguments")]
    keys: bool,
    /// Ignore keys of older versions of BookSim
    #[arg(long)]
    legacy: bool,
    /// Print one JSON object per run, with BookSim's figures in `booksim`
    #[arg(long)]
    json: bool,
    /// Write records, capsules, series, pictures and report.html to this folder
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Reads, and does what is asked.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was run")?;
    if args.keys {
        show::print(&tailback_booksim::keys::markdown())?;
        return Ok(SUCCESS);
    }
    args.out.as_deref().map_or(Ok(()), can_be_folder)?;
    let sources = Sources::read(&args.arguments)?;
    let texts = sources.texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let unknown = if args.legacy { Unknown::OlderAllowed } else { Unknown::Refused };
    let mut config = Config::read(texts, unknown).map_err(refused)?;
    let file = network::read(&config, &sources);
    config.nodes_of_file = file.as_ref().ok().and_then(|file| Some(file.as_ref()?.nodes));
    let mapped = spec(&config);
    if args.explain {
        explained(&config, mapped.as_ref().ok())?;
        return mapped.map(|_| SUCCESS).map_err(refused);
    }
    // Without its file a network has no number of nodes, which patterns need.
    let file = file?;
    let mut mapped = mapped.map_err(refused)?;
    network::place(&mut mapped, file);
    let name = sources.texts[0].0.clone();
    let rates = args.rates.as_deref().map(|rates| swept(rates, &config, &mut mapped)).transpose()?;
    let (document, circle) = deadlock_allowed(&name, &mut mapped, args.strict)?;
    if args.spec {
        notes(&mapped);
        show::print(&text(&name, &mapped))?;
        return Ok(SUCCESS);
    }
    let spec_args = SpecArgs { spec: sources.files[0].clone(), set: Vec::new() };
    let points = points_of(&spec_args, &document)?;
    points.told.warn();
    notes(&mapped);
    if args.check {
        show::line(&format!("{name}: it runs"))?;
        return Ok(SUCCESS);
    }
    let runs = Runs::new(args, &points, &sources, circle)?;
    runs.end(args, &config, rates.is_some())
}

fn refused(faults: Vec<Fault>) -> Failure {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    Failure::usage(lines.join("\n"))
}

fn notes(mapped: &Spec) {
    mapped.notes.iter().for_each(|note| show::note(&format!("note: {note}")));
}

fn explained(config: &Config, mapped: Option<&Spec>) -> Result<()> {
    let rows = explain(config, mapped);
    let of = |cell: fn(&tailback_booksim::Row) -> String| rows.iter().map(cell).collect::<Vec<String>>();
    let columns = [
        Column::text("key", of(|row| row.key.to_owned())),
        Column::text("value", of(|row| row.value.clone())),
        Column::text("from", of(|row| row.from.clone())),
        Column::text("what it becomes", of(|row| row.became.clone())),
    ];
    show::print(&table(&columns, show::color()))
}

/// The spec as a file.
fn text(name: &str, mapped: &Spec) -> String {
    format!("# What `tailback booksim` makes of {name}.\n{}", mapped.table)
}

/// Adds a sweep of the load, and returns its rates.
fn swept(rates: &str, config: &Config, mapped: &mut Spec) -> Result<Vec<f64>> {
    let wrong = || Failure::usage("--rates takes A..B:STEP, such as 0.05..0.45:0.05, with up to 1000 rates above 0");
    let (from, rest) = rates.split_once("..").ok_or_else(wrong)?;
    let (to, step) = rest.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0);
    let (Some(from), Some(to), Some(step)) = (number(from), number(to), number(step)) else { return Err(wrong()) };
    let count = ((to - from) / step + 1e-9).floor();
    if !(0.0..1000.0).contains(&count) {
        return Err(wrong());
    }
    // Decimals, lest sums show the bits behind them.
    let decimal = |value: f64| format!("{value:.12}").parse().unwrap_or(value);
    let rates: Vec<f64> = (0..=count as u32).map(|i| decimal(from + f64::from(i) * step)).collect();
    let load = |table: &Table| table.get("traffic")?.as_table()?.get("load")?.as_float();
    let per_packet = load(&mapped.table).unwrap_or(0.0) / config.float("injection_rate");
    if !(per_packet.is_finite() && per_packet > 0.0) {
        return Err(Failure::usage("--rates needs a configuration with an injection_rate above 0"));
    }
    let of_classes: Vec<f64> = config.classes().iter().map(|class| class.float("injection_rate")).collect();
    if of_classes.iter().any(|&rate| rate != of_classes[0]) {
        return Err(Failure::usage("--rates needs one injection_rate for all classes"));
    }
    let bursts = config.classes().iter().any(|class| class.text("injection_process") != "bernoulli");
    if bursts && config.float("burst_r1") >= 0.0 {
        return Err(Failure::usage("with burst_r1 each rate has bursts of its own: give injection_rate one by one"));
    }
    let loads = rates.iter().map(|rate| Value::Float(decimal(rate * per_packet))).collect();
    let sweep = Table::from_iter([("traffic.load".to_owned(), Value::Array(loads))]);
    mapped.table.insert("sweep".to_owned(), sweep.into());
    Ok(rates)
}

/// The document, allowed to deadlock where its channels are cyclic: BookSim runs it, too. With a circle of packets, in words.
fn deadlock_allowed(name: &str, mapped: &mut Spec, strict: bool) -> Result<(Document, Vec<String>)> {
    let document = |mapped: &Spec| Document::parse(name, text(name, mapped).as_bytes());
    let first = document(mapped)?;
    let points = first.expand(catalogue())?;
    let point = points.first().ok_or_else(|| Failure::usage("there is nothing to run"))?;
    if strict || prepare(point).is_ok() {
        return Ok((first, Vec::new()));
    }
    let found = witness(point, interrupt::flag());
    let mut allowed = mapped.clone();
    let run = allowed.table.entry("run").or_insert_with(|| Table::new().into());
    if let Value::Table(run) = run {
        run.insert("allow_deadlock".to_owned(), true.into());
    }
    let second = document(&allowed)?;
    let runs =
        || second.expand(catalogue()).ok().is_some_and(|points| points.first().is_some_and(|p| prepare(p).is_ok()));
    if found.is_none() && !runs() {
        return Ok((first, Vec::new()));
    }
    *mapped = allowed;
    let circle = found.map_or_else(Vec::new, |found| found.circle.words());
    let example = if circle.is_empty() { String::new() } else { format!(" For example: {}", circle.join("; ")) };
    mapped.notes.push(format!(
        "packets can wait for each other forever in these channels; BookSim runs it, so it runs here (--strict refuses it).{example}"
    ));
    Ok((second, circle))
}

/// Runs, with what the rule of periods came to in each.
struct Runs<'a> {
    session: Session<'a>,
    settled: Vec<Option<Settled>>,
    start: Instant,
}

impl<'a> Runs<'a> {
    /// Runs all points.
    fn new(args: &Args, points: &'a Points, sources: &Sources, circle: Vec<String>) -> Result<Runs<'a>> {
        let inputs = sources.inputs();
        let open = |root| Folder::open(root, Existing::Refuse, &inputs);
        let folder = args.out.as_deref().map(open).transpose()?;
        interrupt::keep();
        let rows = match (args.json, args.classic) {
            (true, _) => Rows::Records,
            (_, true) => Rows::Nothing,
            _ => Rows::None,
        };
        let session = Session::new(points, folder, rows, Bar::Shown)?.with_circle(circle);
        let pending = session.pending();
        let mut runs = Runs { session, settled: vec![None; pending.len()], start: Instant::now() };
        run_points(points, &pending, 0, &mut runs)?;
        Ok(runs)
    }

    /// Prints what is left to print.
    fn end(self, args: &Args, config: &Config, sweeps: bool) -> Result {
        let seconds = self.start.elapsed().as_secs_f64();
        let settled: Vec<Settled> = self.settled.into_iter().flatten().collect();
        let stable = settled.iter().all(|run| run.stable);
        let code = self.session.finish(&Axes::default(), &ShowArgs::default())?;
        if args.classic {
            let asked = Asked {
                classes: config
                    .classes()
                    .iter()
                    .map(|class| (class.text("traffic").to_owned(), class.float("injection_rate")))
                    .collect(),
                csv: config.flag("print_csv_results"),
                limits: config.classes().iter().map(|class| class.float("latency_thres")).collect(),
                drains: config.text("sim_type") == "latency",
            };
            match sweeps {
                // Each rate is a call of BookSim of its own.
                true => settled
                    .chunks(config.int("sim_count").max(1) as usize)
                    .try_for_each(|runs| show::print(&classic::page(runs, &asked, seconds)))?,
                false => show::print(&classic::page(&settled, &asked, seconds))?,
            }
        }
        Ok(match args.classic_exit {
            true if stable => u8::MAX,
            true => 0,
            false => code,
        })
    }
}

impl Watcher for Runs<'_> {
    fn done(&mut self, done: Done) -> Result<()> {
        self.settled[done.index] = done.outcome.settled.clone();
        self.session.done(done)
    }

    fn failed(&mut self, index: usize, reason: String) -> Result<()> {
        self.session.failed(index, reason)
    }

    fn tick(&mut self, cycles: u64) {
        self.session.tick(cycles);
    }
}
