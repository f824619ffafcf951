//! `tailback cost`: what a router costs in silicon and nanoseconds, after bubble-1999.

use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::show::table::{Column, table};
use crate::show::{self, color, wrapped};
use serde_json::{Value as Json, json};
use tailback_cost::{Cost, Family, PRESETS, Preset, Value, Variant, preset, price};

const AFTER: &str = "\
Examples:
  tailback cost                                  the paper's four routers, in 2-D and 3-D
  tailback cost bubble_adaptive_2d               one of them, module by module
  tailback cost bubble_adaptive_2d --channels 3  with another adaptive channel
  tailback cost vc_dor_2d --queue-phits 32 --json

Areas and delays are those of bubble-1999: 0.7 micrometre standard cells under typical conditions.
Each number says whether the paper measured it, or by which rule it was interpolated or extrapolated.";

/// Arguments of `cost`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// A router, such as bubble_adaptive_2d [default: all of them]
    #[arg(value_name = "PRESET")]
    preset: Option<String>,
    /// Number of virtual channels per link [default: the paper's]
    #[arg(long, value_name = "N")]
    channels: Option<u32>,
    /// Length of each channel's queue, in phits [default: the paper's]
    #[arg(long, value_name = "N")]
    queue_phits: Option<u32>,
    /// Number of dimensions of the torus [default: the preset's]
    #[arg(long, value_name = "N")]
    dimensions: Option<u32>,
    /// Print one JSON object per router
    #[arg(long)]
    json: bool,
}

/// Prices.
pub fn run(args: &Args) -> Result {
    interrupt::watch("the prices were not printed whole")?;
    let chosen: Vec<&Preset> = match &args.preset {
        Some(name) => vec![preset(name).ok_or_else(|| unknown(name))?],
        None => PRESETS.iter().collect(),
    };
    let mut costs: Vec<Cost> = Vec::new();
    for preset in chosen {
        let dimensions = args.dimensions.unwrap_or(preset.dimensions);
        let variant =
            Variant { family: preset.family, dimensions, channels: args.channels, queue_phits: args.queue_phits };
        // With --dimensions the presets of a design become one.
        if costs.iter().all(|cost| (cost.variant.family, cost.variant.dimensions) != (preset.family, dimensions)) {
            costs.push(price(variant).map_err(|why| Failure::usage(why.to_string()))?);
        }
    }
    if args.json {
        costs.iter().try_for_each(|cost| show::line(&json_of(cost).to_string()))?;
    } else if args.preset.is_some() {
        costs.iter().try_for_each(|cost| show::print(&page(cost)))?;
    } else {
        show::print(&overview(&costs))?;
    }
    Ok(SUCCESS)
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    Failure::usage(format!("there is no router `{name}`; there are {}", names.join(", ")))
}

/// A number with two decimals, as the paper prints them, marked where the paper does not give it.
fn marked(value: &Value) -> String {
    let mark = match value.source {
        tailback_cost::Source::Measured => "",
        tailback_cost::Source::Interpolated => "~",
        tailback_cost::Source::Extrapolated => "?",
    };
    format!("{}{mark}", decimals(value.number))
}

fn decimals(number: f64) -> String {
    // 25.425 ns is 25.43 in the paper: halves go up.
    format!("{:.2}", (number * 100.0 + 1e-6).round() / 100.0)
}

fn cycles(cost: &Cost) -> String {
    match cost.cycles {
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least}-{most}"),
    }
}

fn queues(cost: &Cost) -> String {
    cost.queues.iter().map(u32::to_string).collect::<Vec<_>>().join(" + ")
}

fn title(cost: &Cost) -> String {
    format!("{}, {}-D", cost.variant.family.title(), cost.variant.dimensions)
}

/// A router a row, as in tables 3 and 4.
fn overview(costs: &[Cost]) -> String {
    let column = |cell: &dyn Fn(&Cost) -> String| costs.iter().map(cell).collect::<Vec<_>>();
    let columns = [
        Column::text("router", column(&title)),
        Column::new("cycles", "", column(&cycles)),
        Column::new("crossbar", "", column(&|c| format!("{}x{}", c.crossbar.0, c.crossbar.1))),
        Column::new("queues", "phits", column(&queues)),
        Column::new("cycle", "ns", column(&|c| marked(&c.cycle_ns))),
        Column::new("area", "mm2", column(&|c| marked(&c.area_mm2))),
        Column::new("hop", "ns", column(&|c| marked(&c.hop_ns))),
    ];
    let note =
        "\nNo mark: from the paper. ~ interpolated, ? extrapolated: `tailback cost PRESET` says by which rule.\n";
    table(&columns, color()) + note
}

/// One router, module by module.
fn page(cost: &Cost) -> String {
    let family = cost.variant.family;
    let (ins, outs) = cost.crossbar;
    let mut out = format!("{}: queues of {} phits per link, crossbar {ins}x{outs}\n\n", title(cost), queues(cost));
    let column = |cell: &dyn Fn(&tailback_cost::Module) -> String| cost.modules.iter().map(cell).collect::<Vec<_>>();
    let area = |times: u32, module: &tailback_cost::Module| {
        let of = |area: &Value| marked(&Value { number: area.number * f64::from(times), ..area.clone() });
        module.area_mm2.as_ref().map_or("-".to_owned(), of)
    };
    let columns = [
        Column::text("module", column(&|m| m.name.clone())),
        Column::new("delay", "ns", column(&|m| marked(&m.delay_ns))),
        Column::new("area", "mm2", column(&|m| area(1, m))),
        Column::new("count", "", column(&|m| m.count.to_string())),
        Column::new("areas", "mm2", column(&|m| area(m.count, m))),
    ];
    out += &table(&columns, color());
    out += &format!("\narea   {} mm2\n", marked(&cost.area_mm2));
    out += &format!("cycle  {} ns, {}\n", marked(&cost.cycle_ns), cost.critical);
    out += &format!("hop    {} cycles, {} ns\n", cycles(cost), marked(&cost.hop_ns));
    let stage = |stage: &tailback_cost::Stage| match stage.extra_cycles {
        0 => format!("{} {}", stage.name, stage.cycles.number),
        extra => {
            format!(
                "{} {} ({} at turns and consumption)",
                stage.name,
                stage.cycles.number,
                extra + stage.cycles.number as u32
            )
        }
    };
    let stages: Vec<String> = cost.stages.iter().map(stage).collect();
    out += &wrapped(&format!("stages {}", stages.join(", ")), 0);
    out += "\nWhere numbers come from (no mark: the paper, ~ interpolated, ? extrapolated):\n";
    for (what, values) in provenance(cost) {
        out += &wrapped(&format!("{what}: {}", values.join("; ")), 2);
    }
    if family == Family::VcAdaptive {
        out += &wrapped("A link's queues of 64, 32 and 32 phits cost 0.10 mm2 more than single ones of table 1.", 2);
    }
    out
}

/// The rules behind the numbers of every module that are no measurements, or the table.
fn provenance(cost: &Cost) -> Vec<(String, Vec<String>)> {
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for module in &cost.modules {
        let mut rules = vec![format!("delay {} ({})", module.delay_ns.source.word(), module.delay_ns.rule)];
        rules.extend(module.area_mm2.iter().map(|area| format!("area {} ({})", area.source.word(), area.rule)));
        rows.push((module.name.clone(), rules));
    }
    let cycles = cost.stages.first().map(|stage| format!("{} ({})", stage.cycles.source.word(), stage.cycles.rule));
    rows.push(("cycles".to_owned(), cycles.into_iter().collect()));
    rows
}

fn json_of(cost: &Cost) -> Json {
    let value = |value: &Value| json!({ "value": value.number, "source": value.source.word(), "rule": value.rule });
    let modules = cost.modules.iter().map(|module| {
        json!({
            "name": module.name, "delay_ns": value(&module.delay_ns), "area_mm2": module.area_mm2.as_ref().map(value),
            "count": module.count,
        })
    });
    let stages = cost
        .stages
        .iter()
        .map(|stage| json!({ "name": stage.name, "cycles": value(&stage.cycles), "extra_cycles": stage.extra_cycles }));
    json!({
        "router": cost.variant.family.name(), "dimensions": cost.variant.dimensions, "queues_phits": cost.queues,
        "crossbar": [cost.crossbar.0, cost.crossbar.1], "modules": modules.collect::<Vec<_>>(),
        "stages": stages.collect::<Vec<_>>(), "area_mm2": value(&cost.area_mm2), "critical": cost.critical,
        "cycle_ns": value(&cost.cycle_ns), "cycles_least": cost.cycles.0, "cycles_most": cost.cycles.1,
        "hop_ns": value(&cost.hop_ns),
    })
}
