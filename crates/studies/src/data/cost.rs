//! What a router costs, as a quantity of formulas.

use crate::formula::Value;
use tailback_cost::{Cost, Family, Variant, price};

/// `router_cost(family, dimensions, queue, what)`: what a router of a family costs. `queue` is the queue of each channel \[phits\], or
/// `nothing` for that of the paper. `what` is `cycle_ns`, `hop_ns`, `area_mm2`, `cycles`, `turn_cycles`, `crossbar_inputs`,
/// `crossbar_outputs`, `queue N`, or a module with `delay_ns`, `area_mm2` or `count`: `synchroniser delay_ns`. NaN for a module or a
/// queue that the router does not have.
///
/// # Errors
/// Values of the wrong kind, or a family or quantity that there is not.
pub fn router_cost(values: &[Value]) -> Result<f64, String> {
    let [Value::Text(name), dimensions, queue, Value::Text(what)] = values else {
        return Err("`router_cost` takes a family, dimensions, a queue and what is asked for".to_owned());
    };
    let family = Family::ALL.into_iter().find(|family| family.name() == name);
    let names = Family::ALL.map(Family::name).join(", ");
    let family = family.ok_or_else(|| format!("expected one of the routers {names}, found `{name}`"))?;
    let queue = queue.number()?;
    let queue_phits = (!queue.is_nan()).then_some(queue as u32);
    let cost = price(Variant { queue_phits, ..Variant::of(family, dimensions.number()? as u32) });
    quantity(&cost.map_err(|refusal| refusal.to_string())?, what)
}

fn quantity(cost: &Cost, what: &str) -> Result<f64, String> {
    Ok(match what {
        "cycle_ns" => cost.cycle_ns.number,
        "hop_ns" => cost.hop_ns.number,
        "area_mm2" => cost.area_mm2.number,
        "cycles" => f64::from(cost.cycles.0),
        "turn_cycles" => f64::from(cost.cycles.1),
        "crossbar_inputs" => f64::from(cost.crossbar.0),
        "crossbar_outputs" => f64::from(cost.crossbar.1),
        _ => return of_part(cost, what),
    })
}

fn of_part(cost: &Cost, what: &str) -> Result<f64, String> {
    let (part, last) =
        what.rsplit_once(' ').ok_or_else(|| format!("expected a quantity of a router, found `{what}`"))?;
    if let Ok(at) = last.parse::<usize>() {
        return Ok(cost.queues.get(at).map_or(f64::NAN, |phits| f64::from(*phits)));
    }
    let module = cost.modules.iter().find(|module| module.name.starts_with(part));
    match last {
        "delay_ns" => Ok(module.map_or(f64::NAN, |module| module.delay_ns.number)),
        // The area of another module has that of this one.
        "area_mm2" => Ok(module.map_or(f64::NAN, |module| module.area_mm2.as_ref().map_or(0.0, |area| area.number))),
        "count" => Ok(module.map_or(f64::NAN, |module| f64::from(module.count))),
        _ => Err(format!("expected delay_ns, area_mm2 or count of a module, found `{last}`")),
    }
}
