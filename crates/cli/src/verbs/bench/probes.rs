//! `tailback bench --probes`: what watching costs, as the time of a run with a probe over that of one without.

use super::Args;
use crate::exit::{Result, SUCCESS};
use crate::interrupt;
use crate::show;
use crate::show::progress::Bar;
use crate::show::progress::Progress;
use crate::show::table::{Column, table};
use serde_json::json;
use tailback_sim::bench::{PATHS, SAMPLED, SCENARIOS, Scenario, Switch, loop_seconds, switches};

/// A probe on a scenario.
struct Cost {
    scenario: &'static str,
    probe: &'static str,
    /// The fastest run with it over the fastest without; `None` where the data path has no such probe.
    ratio: Option<f64>,
}

/// Measures every probe on scenarios: those that were named, or one of each data path.
pub fn run(args: &Args) -> Result {
    let named = |s: &&Scenario| {
        args.names.iter().any(|name| name == s.name) || args.names.is_empty() && PATHS.contains(&s.name)
    };
    let scenarios: Vec<&Scenario> = SCENARIOS.iter().filter(named).collect();
    let probes = switches();
    let bar = if args.json { Bar::Hidden } else { Bar::Shown };
    let progress = Progress::new((scenarios.len() * probes.len()) as u64, bar);
    let mut costs = Vec::new();
    for scenario in &scenarios {
        for probing in &probes {
            if interrupt::requested() {
                break;
            }
            progress.at(costs.len() as u64, format!("{} on {}", probing.param.name, scenario.name));
            let ratio = ratio(scenario, probing, args.repeat);
            costs.push(Cost { scenario: scenario.name, probe: probing.param.name, ratio });
        }
    }
    drop(progress);
    if args.json {
        costs.iter().try_for_each(row)?
    } else {
        show::print(&text(&scenarios, &probes, &costs))?
    }
    Ok(crate::points::code_unless_stopped(SUCCESS))
}

/// Runs without and with the probe in turn, so often each: other work on the machine only slows down, and meets both.
fn ratio(scenario: &Scenario, probing: &Switch, repeat: u16) -> Option<f64> {
    let (mut without, mut with) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..repeat {
        without = without.min(loop_seconds(scenario, None)?);
        with = with.min(loop_seconds(scenario, Some(probing))?);
    }
    Some(with / without)
}

fn row(cost: &Cost) -> Result<()> {
    let &Cost { scenario, probe, ratio } = cost;
    show::line(&json!({ "scenario": scenario, "probe": probe, "time_over_none": ratio }).to_string())
}

fn text(scenarios: &[&Scenario], probes: &[Switch], costs: &[Cost]) -> String {
    let cell = |scenario: &str, probe: &str| {
        let cost = costs.iter().find(|cost| cost.scenario == scenario && cost.probe == probe);
        cost.and_then(|cost| cost.ratio).map_or("-".to_owned(), |ratio| format!("{ratio:.2}"))
    };
    let column = |scenario: &&Scenario| {
        let cells = probes.iter().map(|probing| cell(scenario.name, probing.param.name)).collect();
        Column::new(scenario.name, "x", cells)
    };
    let names = probes.iter().map(|probing| format!("{} = {}", probing.param.name, probing.value(SAMPLED))).collect();
    let columns: Vec<Column> = [Column::text("probe", names)].into_iter().chain(scenarios.iter().map(column)).collect();
    table(&columns, show::color())
}
