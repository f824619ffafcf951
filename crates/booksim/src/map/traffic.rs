//! Who sends what, when, and how long.

use super::{Draft, permutations, table};
use crate::fault::Fault;
use crate::list::{self, Call};
use toml::Value;

pub(super) fn map(draft: &mut Draft) -> Result<(), Fault> {
    let mean = sizes(draft)?;
    let pattern = permutations::pattern(draft.config).map_err(|why| draft.config.fault(&["traffic"], &why))?;
    draft.put("traffic.pattern", pattern, &["traffic"]);
    load(draft, mean)?;
    process(draft);
    draft.say(&["classes", "use_read_write"], "one class of packets, without replies");
    Ok(())
}

/// Lengths of packets; returns their mean \[flits\].
fn sizes(draft: &mut Draft) -> Result<f64, Fault> {
    let config = draft.config;
    let inner = |key: &str| {
        let shown = config.shown(key);
        let first = list::elements(&shown).first().map_or(String::new(), |element| (*element).to_owned());
        list::numbers(&first)
    };
    let (flits, mut weights) = (inner("packet_size"), inner("packet_size_rate"));
    weights.resize(flits.len(), weights.last().copied().unwrap_or(1.0));
    if flits.iter().any(|size| !(1.0..=32767.0).contains(size)) {
        return Err(config.fault(&["packet_size"], "a packet has 1 to 32767 flits"));
    }
    if let [one] = flits[..] {
        draft.put("traffic.size", table([("kind", "fixed".into()), ("flits", (one as i64).into())]), &["packet_size"]);
        draft.say(&["packet_size_rate"], "no effect: packets have one length");
        return Ok(one);
    }
    if weights.iter().any(|&weight| weight < 0.0) || weights.iter().sum::<f64>() <= 0.0 {
        return Err(config.fault(&["packet_size_rate"], "weights are positive"));
    }
    let list = |values: &[f64]| Value::Array(values.iter().map(|&value| (value as i64).into()).collect());
    let floats = Value::Array(weights.iter().map(|&weight| Value::Float(weight)).collect());
    let size = table([("kind", "distribution".into()), ("flits", list(&flits)), ("weights", floats)]);
    draft.put("traffic.size", size, &["packet_size", "packet_size_rate"]);
    let all: f64 = weights.iter().sum();
    Ok(flits.iter().zip(&weights).map(|(flits, weight)| flits * weight).sum::<f64>() / all)
}

fn load(draft: &mut Draft, mean: f64) -> Result<(), Fault> {
    let config = draft.config;
    let rate = config.float("injection_rate");
    let load = if config.flag("injection_rate_uses_flits") { rate } else { rate * mean };
    if load / mean > 1.0 {
        let why = "a node makes one packet per cycle at most; BookSim stops, too";
        return Err(config.fault(&["injection_rate", "packet_size"], why));
    }
    // Written as a decimal, lest the product show the bits behind it.
    let load = format!("{load:.12}").parse().unwrap_or(load);
    draft.put("traffic.load", Value::Float(load), &["injection_rate", "injection_rate_uses_flits", "packet_size"]);
    Ok(())
}

fn process(draft: &mut Draft) {
    let config = draft.config;
    let bursts = &["burst_alpha", "burst_beta", "burst_r1"];
    if Call::of(config.text("injection_process")).name == "bernoulli" {
        draft.put("traffic.process", "bernoulli", &["injection_process"]);
        draft.say(bursts, "no effect: injection_process = bernoulli");
        return;
    }
    let [mut alpha, mut beta, peak] = bursts.map(|key| config.float(key));
    let rate = config.float("injection_rate");
    if alpha < 0.0 {
        alpha = beta * rate / (peak - rate);
    } else if beta < 0.0 {
        beta = alpha * (peak - rate) / rate;
    }
    let mean = |probability: f64| Value::Float(1.0 / probability);
    let process = table([("kind", "on_off".into()), ("mean_on_cycles", mean(beta)), ("mean_off_cycles", mean(alpha))]);
    draft.put("traffic.process", process, &["injection_process", "burst_alpha", "burst_beta", "burst_r1"]);
}
