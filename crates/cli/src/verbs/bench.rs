//! `tailback bench`: speed on fixed scenarios, each in a process of its own so that its peak memory is its own.

mod probes;

use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::points::code_unless_stopped;
use crate::show::numbers::{bytes, large, seconds};
use crate::show::table::{Column, table};
use crate::show::{self, note};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::Duration;
use tailback::measure::measure;
use tailback_sim::bench::{SCENARIOS, Scenario, run_scenario};

const AFTER: &str = "\
Examples:
  tailback bench
  tailback bench spth-32 --repeat 5
  tailback bench parallel-128 --threads 2 --json
  tailback bench --json
  tailback bench --probes --repeat 5

Speeds are per second of wall-clock time, on one core unless --threads asks for more.
Build with --release: a debug build is many times slower.";

/// The scenarios whose networks are stepped from outside, too: those whose names begin so.
const EMBEDDED: &str = "embedded-";

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// Arguments of `bench`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// Scenarios [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print one JSON object per scenario
    #[arg(long)]
    json: bool,
    /// Run each scenario N times and take the fastest run, because other work on the machine can only slow a run down
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,
    /// Run each scenario on one thread and on N threads in turn, and print the speed-up
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Measure what every probe of [probes] costs: the time of a run with the probe, divided by the time of a run without
    /// it. The scenarios are the named ones, or one per kind of router. Sampling probes sample every 100 cycles
    #[arg(long, conflicts_with = "threads")]
    probes: bool,
    /// Run one scenario in this very process
    #[arg(long, hide = true)]
    child: bool,
}

/// Runs the scenarios.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was measured")?;
    let scenarios = chosen(&args.names)?;
    if args.child {
        scenarios.into_iter().try_for_each(|scenario| show::line(&measured(scenario, args.threads).to_string()))?;
        return Ok(SUCCESS);
    }
    if cfg!(debug_assertions) {
        note("this is a debug build; its speed says nothing");
    }
    interrupt::keep();
    if args.probes {
        return probes::run(args);
    }
    let mut results = Vec::new();
    for scenario in scenarios {
        let best = match fastest(scenario, args.repeat, args.threads) {
            Err(Failure::Interrupted) => break,
            best => best?,
        };
        if args.json {
            show::line(&best.to_string())?;
        }
        results.push(best);
    }
    if !args.json && !results.is_empty() {
        show::print(&text(&results))?;
    }
    Ok(code_unless_stopped(SUCCESS))
}

fn chosen(names: &[String]) -> Result<Vec<&'static Scenario>> {
    let all = || SCENARIOS.iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
    if let Some(name) = names.iter().find(|name| SCENARIOS.iter().all(|s| s.name != **name)) {
        return Err(Failure::usage(format!("there is no scenario `{name}`; there are {}", all())));
    }
    Ok(SCENARIOS.iter().filter(|s| names.is_empty() || names.iter().any(|n| n == s.name)).collect())
}

fn measured(scenario: &Scenario, threads: u16) -> Value {
    let result = run_scenario(scenario, threads.into());
    let mut row = json!({
        "name": result.name, "threads": threads, "version": tailback_sim::VERSION,
        "routers": result.routers, "cycles": result.cycles,
        "wall_seconds": result.wall_seconds, "cycles_per_second": result.cycles_per_second,
        "flit_hops_per_second": result.flit_hops_per_second, "packet_hops_per_second": result.packet_hops_per_second,
        "peak_rss_bytes": result.peak_rss_bytes, "accepted_load": result.accepted_load,
        "watchdog_share": result.watchdog_share, "digest": result.digest,
    });
    if scenario.name.starts_with(EMBEDDED) {
        let stepped = measure(scenario.spec, result.cycles);
        row["embedded"] = json!({
            "cycles_per_second": stepped.cycles_per_second, "ratio": stepped.cycles_per_second / result.cycles_per_second,
            "any_length_ratio": stepped.any_length / result.cycles_per_second,
            "messages": stepped.received, "call_ns": stepped.call_ns, "first_call_ns": stepped.first_call_ns,
            "idle_seconds": stepped.idle_seconds, "digests_equal": stepped.digest == result.digest,
        });
    }
    row
}

/// The fastest of `repeat` runs in processes of their own, with the number of runs and the slowest speed beside it. With several
/// threads, runs on one take turns with them, and the fastest of these is what it is compared with.
fn fastest(scenario: &Scenario, repeat: u16, threads: u16) -> Result<Value> {
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    for _ in 0..repeat {
        alone.push(in_a_process(scenario.name, 1)?);
        if threads > 1 {
            together.push(in_a_process(scenario.name, threads)?);
        }
    }
    if threads == 1 {
        return Ok(best_of(alone));
    }
    let equal = alone.iter().chain(&together).all(|run| run["digest"] == alone[0]["digest"]);
    let (one, mut best) = (best_of(alone), best_of(together));
    best["cycles_per_second_one_thread"] = one["cycles_per_second"].clone();
    best["speedup"] = json!(speed(&best) / speed(&one));
    best["digests_equal"] = json!(equal);
    Ok(best)
}

fn speed(result: &Value) -> f64 {
    result["cycles_per_second"].as_f64().unwrap_or(0.0)
}

fn best_of(mut runs: Vec<Value>) -> Value {
    runs.sort_by(|a, b| speed(b).total_cmp(&speed(a)));
    let (count, slowest) = (runs.len(), runs.last().map_or(0.0, speed));
    let mut best = runs.swap_remove(0);
    best["runs"] = json!(count);
    best["cycles_per_second_slowest"] = json!(slowest);
    best
}

fn in_a_process(name: &str, threads: u16) -> Result<Value> {
    let failed = |why: String| Failure::Other(format!("scenario `{name}`: {why}"));
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new(program);
    command
        .args(["bench", name, "--child", "--threads", &threads.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    // Its line fits into the pipe, so that it never waits for its reader.
    while child.try_wait().map_err(|error| failed(error.to_string()))?.is_none() {
        if interrupt::requested() {
            // One that has ended by itself cannot be killed, and need not be.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::Interrupted);
        }
        std::thread::sleep(LOOK);
    }
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        // Ctrl-C in a terminal goes to both processes, and the other one may be the first to hear of it.
        std::thread::sleep(2 * LOOK);
        return Err(if interrupt::requested() { Failure::Interrupted } else { failed(output.status.to_string()) });
    }
    serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))
}

fn text(results: &[Value]) -> String {
    let number = |result: &Value, key: &str| result[key].as_f64().unwrap_or(f64::NAN);
    let column = |name: &str, unit: &str, cell: &dyn Fn(&Value) -> String| {
        Column::new(name, unit, results.iter().map(cell).collect())
    };
    let names = results.iter().map(|r| r["name"].as_str().unwrap_or_default().to_owned()).collect();
    let per_router = |r: &Value| format!("{:.0}", number(r, "peak_rss_bytes") / number(r, "routers"));
    let speedup = |r: &Value| match (&r["speedup"], &r["digests_equal"]) {
        (Value::Null, _) => "-".to_owned(),
        (times, equal) => {
            let equal = if equal == &json!(true) { "same bits" } else { "OTHER BITS" };
            format!("{:.2} x on {}, {equal}", times.as_f64().unwrap_or(f64::NAN), r["threads"])
        }
    };
    let mut columns = vec![
        Column::text("scenario", names),
        column("cycles", "1/s", &|r| large(number(r, "cycles_per_second"))),
        column("flit-hops", "1/s", &|r| large(number(r, "flit_hops_per_second"))),
        column("packet-hops", "1/s", &|r| large(number(r, "packet_hops_per_second"))),
        column("peak memory", "", &|r| bytes(number(r, "peak_rss_bytes") as u64)),
        column("of it", "bytes/router", &per_router),
        column("time", "", &|r| seconds(number(r, "wall_seconds"))),
        column("watchdog", "% of it", &|r| format!("{:.2}", 100.0 * number(r, "watchdog_share"))),
        column("threads", "", &speedup),
    ];
    columns.retain(|column| column.cells.iter().any(|cell| cell != "-"));
    let stepped = results.iter().filter(|result| !result["embedded"].is_null());
    table(&columns, show::color()) + &stepped.map(embedded).collect::<String>()
}

/// What stepping the network of a scenario from outside came to.
fn embedded(result: &Value) -> String {
    let (name, stepped) = (result["name"].as_str().unwrap_or_default(), &result["embedded"]);
    let number = |key: &str| stepped[key].as_f64().unwrap_or(f64::NAN);
    let equal = if stepped["digests_equal"] == json!(true) { "same bits" } else { "OTHER BITS" };
    format!(
        "{name}, stepped cycle by cycle through the C interface: {} cycles/s, {:.2} of the speed of a run, {equal};\n\
         {:.2} of it where the spec does not say how long messages are;\n\
         a send and a receive take {:.0} ns ({:.0} ns where 100,000 messages wait at once),\n\
         and 10^9 idle cycles of 1,024 routers {:.3} s\n",
        large(number("cycles_per_second")),
        number("ratio"),
        number("any_length_ratio"),
        number("call_ns"),
        number("first_call_ns"),
        number("idle_seconds")
    )
}
