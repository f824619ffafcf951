//! To whom nodes send, by BookSim's rules: a node that a permutation gives itself sends to itself.

use super::knuth::{Knuth, permutation};
use super::network::{is_grid, nodes};
use super::table;
use crate::config::Config;
use crate::list::Call;
use toml::Value;

/// The seed of BookSim's generator before it is given one.
const UNSEEDED: i64 = 314_159;

/// The most nodes of a random permutation: BookSim takes as many steps as the square of it.
const MOST_DRAWN: u32 = 1 << 16;

/// The pattern, as a spec has it.
pub(super) fn pattern(config: &Config) -> Result<Value, String> {
    let call = Call::of(config.text("traffic"));
    if call.name == "uniform" {
        return Ok(table([("kind", "uniform".into()), ("include_self", true.into())]));
    }
    let nodes = nodes(config)?;
    let kind = |kind: &str| table([("kind", kind.into())]);
    match call.name {
        "bitcomp" => bits(nodes).map(|_| kind("bcmp")),
        "bitrev" => bits(nodes).map(|_| with_itself("brev")),
        "shuffle" => bits(nodes).map(|_| with_itself("shfl")),
        "transpose" => transpose(config, nodes),
        "tornado" | "neighbor" => digits(config, &call, nodes),
        "diagonal" => Ok(steps(&[(1, 1.0), (0, 2.0)])),
        "asymmetric" if nodes % 2 == 0 => Ok(steps(&[(0, 1.0), (nodes / 2, 1.0)])),
        "asymmetric" => Err("this pattern needs an even number of nodes".to_owned()),
        "taper64" if nodes == 64 => Ok(taper()),
        "taper64" => Err("this pattern is one of 64 nodes".to_owned()),
        "hotspot" => hotspot(&call, nodes),
        "background" => background(&call, nodes),
        "randperm" => randperm(config, &call, nodes),
        "badperm_yarc" => columns(config, &call, nodes),
        "bad_dragon" => {
            let k = call.int(0).unwrap_or_else(|| config.int("k"));
            let group = k.checked_mul(2 * k).filter(|group| (1..i64::from(nodes)).contains(group));
            let group = group.ok_or_else(|| format!("there is more than one group of {k} times {} nodes", 2 * k))?;
            Ok(table([("kind", "adversarial".into()), ("group_nodes", group.into())]))
        }
        _ => Err("this pattern is not mapped yet".to_owned()),
    }
}

/// So many nodes further on, each as often as its weight says.
fn steps(list: &[(u32, f64)]) -> Value {
    let steps = list.iter().map(|&(step, _)| Value::from(i64::from(step))).collect();
    let weights = list.iter().map(|&(_, weight)| Value::Float(weight)).collect();
    table([("kind", "steps".into()), ("steps", Value::Array(steps)), ("weights", Value::Array(weights))])
}

/// Half of the packets go to one of nine nodes around the source on a grid of 8 by 8, the other half anywhere.
fn taper() -> Value {
    let near = [55, 56, 57, 63, 0, 1, 7, 8, 9];
    let weight = |step: u32| if near.contains(&step) { 9.0 + 64.0 } else { 9.0 };
    steps(&(0..64).map(|step| (step, weight(step))).collect::<Vec<_>>())
}

/// A permutation node by node.
fn listed(nodes: u32, to: impl Fn(u32) -> u32) -> Value {
    let destinations = (0..nodes).map(|node| Value::from(i64::from(to(node)))).collect();
    table([("kind", "destinations".into()), ("nodes", Value::Array(destinations))])
}

/// Bits of the number of a node.
fn bits(nodes: u32) -> Result<u32, String> {
    let power = nodes.is_power_of_two() && nodes > 1;
    power.then(|| nodes.ilog2()).ok_or_else(|| format!("this pattern needs a power of two of nodes, not {nodes}"))
}

/// A permutation of Tailback, whose fixed points send.
fn with_itself(kind: &str) -> Value {
    table([("kind", kind.into()), ("fixed_points", "send".into())])
}

/// The halves of a node's number change places: in a square network the coordinates do.
fn transpose(config: &Config, nodes: u32) -> Result<Value, String> {
    let bits = bits(nodes)?;
    if bits % 2 == 1 {
        return Err(format!("this pattern needs an even power of two of nodes, not {nodes}"));
    }
    if config.int("n") == 2 && is_grid(config) {
        return Ok(with_itself("trns"));
    }
    let (half, low) = (bits / 2, (1 << (bits / 2)) - 1);
    Ok(listed(nodes, move |node| node >> half & low | (node & low) << half))
}

/// An argument of a pattern, or the key that stands for it.
fn argument(config: &Config, call: &Call<'_>, at: usize, key: &str) -> i64 {
    call.int(at).unwrap_or_else(|| config.int(key))
}

/// The base of the digits of a node's number.
fn base(config: &Config, call: &Call<'_>) -> Result<u32, String> {
    let base = argument(config, call, 0, "k").saturating_mul(argument(config, call, 2, "xr"));
    u32::try_from(base).ok().filter(|&base| base > 0).ok_or_else(|| format!("digits of base {base}"))
}

/// Patterns on the digits of a node: coordinates, unless arguments say otherwise.
fn digits(config: &Config, call: &Call<'_>, nodes: u32) -> Result<Value, String> {
    let (base, n) = (base(config, call)?, argument(config, call, 1, "n"));
    let step = if call.name == "tornado" { base.div_ceil(2) - 1 } else { 1 };
    let coordinates = is_grid(config) && call.arguments.is_empty() && config.int("xr") == 1;
    match (call.name, coordinates) {
        ("neighbor", true) => return Ok(table([("kind", "neighbour".into())])),
        // On rings of two the pattern stays where it is.
        ("tornado", true) if step > 0 => return Ok(table([("kind", "tornado".into())])),
        _ => {}
    }
    // Where there are more nodes than numbers of so many digits, the higher digits of a node are lost.
    let to = |node: u32| {
        let (mut rest, mut place, mut to) = (node, 1u32, 0u32);
        for _ in 0..n.min(32) {
            to = to.saturating_add(((rest % base + step) % base).saturating_mul(place));
            rest /= base;
            place = place.saturating_mul(base);
        }
        to
    };
    match (0..nodes).find(|&node| to(node) >= nodes) {
        Some(node) => Err(format!("node {node} would send to node {}, which is not there; BookSim aborts", to(node))),
        None => Ok(listed(nodes, to)),
    }
}

/// Rows of nodes send to columns. Where numbers have another number of digits than two, rows and columns are of different lengths.
fn columns(config: &Config, call: &Call<'_>, nodes: u32) -> Result<Value, String> {
    let base = base(config, call)?;
    if u64::from(base).pow(2) != u64::from(nodes) {
        return Err(format!("this pattern is one of {base} rows of {base} nodes here, and there are {nodes} nodes"));
    }
    Ok(table([("kind", "row_to_column".into())]))
}

/// All packets to a few nodes.
fn hotspot(call: &Call<'_>, nodes: u32) -> Result<Value, String> {
    let list = |at: usize| call.arguments.get(at).map(|list| crate::list::numbers(list));
    // BookSim draws before it takes notice of `seed`, so that every run has the same spots.
    let mut drawn = Knuth::new(UNSEEDED);
    let spot = |spot: f64| if spot < 0.0 { f64::from(drawn.up_to(nodes - 1)) } else { spot };
    let spots: Vec<f64> = list(0).unwrap_or_else(|| vec![-1.0]).into_iter().map(spot).collect();
    if let Some(spot) = spots.iter().find(|&&spot| spot >= f64::from(nodes)) {
        return Err(format!("there is no node {spot}; BookSim aborts"));
    }
    let mut weights = list(1).unwrap_or_else(|| vec![1.0]);
    weights.resize(spots.len(), weights.last().copied().unwrap_or(1.0));
    if weights.iter().any(|&weight| weight <= 0.0) {
        return Err("a rate is positive; BookSim aborts".to_owned());
    }
    let spots = spots.into_iter().map(|spot| Value::from(spot as i64)).collect();
    let weights = weights.into_iter().map(Value::Float).collect();
    Ok(table([("kind", "weighted".into()), ("nodes", Value::Array(spots)), ("weights", Value::Array(weights))]))
}

/// Packets to any node but a few.
fn background(call: &Call<'_>, nodes: u32) -> Result<Value, String> {
    let Some(excluded) = call.arguments.first().map(|list| crate::list::numbers(list)) else {
        return Err("the nodes that get nothing are named, as in background({{0,5}})".to_owned());
    };
    if let Some(node) = excluded.iter().find(|node| !(0.0..f64::from(nodes)).contains(*node)) {
        return Err(format!("there is no node {node}; BookSim aborts"));
    }
    let others: Vec<Value> =
        (0..nodes).filter(|&node| !excluded.contains(&f64::from(node))).map(|node| i64::from(node).into()).collect();
    if others.is_empty() {
        return Err("no node would get anything; BookSim never ends".to_owned());
    }
    let weights = vec![Value::Float(1.0); others.len()];
    Ok(table([("kind", "weighted".into()), ("nodes", Value::Array(others)), ("weights", Value::Array(weights))]))
}

/// The permutation that BookSim draws of a seed.
fn randperm(config: &Config, call: &Call<'_>, nodes: u32) -> Result<Value, String> {
    if nodes > MOST_DRAWN {
        return Err(format!("random permutations are made for {MOST_DRAWN} nodes at most here"));
    }
    let destinations = permutation(nodes, call.int(0).unwrap_or_else(|| config.int("perm_seed")));
    Ok(listed(nodes, |node| destinations[node as usize]))
}
