//! Who sends what, when, and how long.

use super::{Draft, measurement, permutations, table};
use crate::config::Config;
use crate::fault::Fault;
use crate::list::{self, Call};
use crate::rules;
use std::collections::BTreeMap;
use toml::{Table, Value};

pub(super) fn map(draft: &mut Draft, classes: &[Config]) -> Result<(), Fault> {
    if classes.len() > 1 {
        self::classes(draft, classes)?;
    } else {
        class(draft)?;
        draft.say(&["classes"], "one class of packets");
    }
    match classes.iter().any(|class| class.flag("use_read_write")) {
        true => types(draft),
        false => draft.say(&["use_read_write"], "no replies"),
    }
    Ok(())
}

/// The packets of a class.
fn class(draft: &mut Draft) -> Result<(), Fault> {
    let (mean, divisor) = match draft.config.flag("use_read_write") {
        true => requests(draft)?,
        false => sizes(draft).map(|mean| (mean, mean))?,
    };
    let pattern = permutations::pattern(draft.config).map_err(|why| draft.config.fault(&["traffic"], &why))?;
    draft.put("traffic.pattern", pattern, &["traffic"]);
    load(draft, mean, divisor)?;
    process(draft);
    Ok(())
}

/// Several classes, each with its share of the load of all.
fn classes(draft: &mut Draft, classes: &[Config]) -> Result<(), Fault> {
    let mut tables = Vec::new();
    for (number, config) in classes.iter().enumerate() {
        let mut own = Draft { config, table: Table::new(), became: BTreeMap::new(), notes: Vec::new() };
        class(&mut own)?;
        let Some(Value::Table(mut table)) = own.table.remove("traffic") else { unreachable!("a class has traffic") };
        let load = table.remove("load").expect("a class has a load");
        table.insert("share".to_owned(), load);
        table.insert("measured".to_owned(), is_measured(draft.config, number).into());
        if let Some(limits) = measurement::limits_of(draft.config, number) {
            table.insert("limits".to_owned(), limits);
        }
        for (key, words) in own.became {
            draft.say(&[key], &format!("class {number}: {}", words.join(", ").replace("traffic.", "")));
        }
        draft.notes.extend(own.notes.into_iter().map(|note| format!("class {number}: {note}")));
        tables.push(table);
    }
    let share = |table: &Table| table["share"].as_float().unwrap_or(0.0);
    let all: f64 = tables.iter().map(share).sum();
    draft.put("traffic.load", Value::Float(decimal(all)), &[]);
    draft.put("traffic.classes", Value::Array(tables.into_iter().map(Value::Table).collect()), &[]);
    draft.say(&["classes"], "traffic.classes, a table each");
    Ok(())
}

/// Whether the packets of a class are measured.
pub(crate) fn is_measured(config: &Config, class: usize) -> bool {
    let flags = config.floats("measure_stats");
    flags.get(class).or(flags.last()).is_some_and(|&flag| flag as i64 != 0)
}

/// A number as a decimal, lest sums and products show the bits behind them.
fn decimal(value: f64) -> f64 {
    format!("{value:.12}").parse().unwrap_or(value)
}

/// Read requests, write requests, read replies and write replies.
const TYPES: [&str; 4] = ["read_request", "write_request", "read_reply", "write_reply"];

/// The keys of the first and the last channel of each type.
const RANGES: [&str; 8] = [
    "read_request_begin_vc",
    "read_request_end_vc",
    "write_request_begin_vc",
    "write_request_end_vc",
    "read_reply_begin_vc",
    "read_reply_end_vc",
    "write_reply_begin_vc",
    "write_reply_end_vc",
];

/// The keys of the planes of types.
pub(crate) const PLANES: [&str; 4] =
    ["read_request_subnet", "write_request_subnet", "read_reply_subnet", "write_reply_subnet"];

/// The first and the last channel of each type: a negative number stands for the half of the requests, or of the replies.
pub(crate) fn ranges(config: &Config) -> [(i64, i64); 4] {
    let channels = config.int("num_vcs");
    let (requests, replies) = ((0, channels / 2 - 1), (channels / 2, channels - 1));
    let or = |key: &str, half: i64| if config.int(key) < 0 { half } else { config.int(key) };
    let range = |of: usize, half: (i64, i64)| (or(RANGES[2 * of], half.0), or(RANGES[2 * of + 1], half.1));
    [range(0, requests), range(1, requests), range(2, replies), range(3, replies)]
}

/// What packets of each type have for themselves.
fn types(draft: &mut Draft) {
    let config = draft.config;
    let channels = ranges(config).into_iter().flat_map(|(first, last)| [first, last]);
    if config.int("num_vcs") > 1 {
        let channels: Vec<Value> = channels.map(Value::from).collect();
        draft.put("router.type_channels", channels, &RANGES);
    }
    if config.int("subnets") > 1 {
        let planes: Vec<Value> = PLANES.iter().map(|key| Value::from(config.int(key))).collect();
        draft.put("router.type_planes", planes, &PLANES);
    } else {
        draft.say(&PLANES, "no effect: there is one network");
    }
}

/// The keys of the lengths of requests and replies.
pub(crate) const SIZES: [&str; 4] = ["read_request_size", "write_request_size", "read_reply_size", "write_reply_size"];

/// Lengths of requests and replies; returns the mean of requests \[flits\], and that which BookSim divides a rate in flits by.
fn requests(draft: &mut Draft) -> Result<(f64, f64), Fault> {
    let config = draft.config;
    let lengths = SIZES.map(|key| config.int(key));
    if let Some(key) =
        SIZES.into_iter().zip(lengths).find(|(_, flits)| !(1..=32767).contains(flits)).map(|(key, _)| key)
    {
        return Err(config.fault(&[key], "a packet has 1 to 32767 flits"));
    }
    let writes = config.float("write_fraction").clamp(0.0, 1.0);
    let mut size = table([("kind", "read_write".into()), ("write_fraction", Value::Float(writes))]);
    let of = size.as_table_mut().expect("it was made above");
    TYPES.iter().zip(lengths).for_each(|(name, flits)| _ = of.insert(format!("{name}_flits"), flits.into()));
    draft.put("traffic.size", size, &[&["use_read_write", "write_fraction"][..], &SIZES].concat());
    draft.say(&["packet_size", "packet_size_rate"], "no effect: requests and replies have lengths of their own");
    let mean = lengths[0] as f64 * (1.0 - writes) + lengths[1] as f64 * writes;
    Ok((mean, (lengths.iter().sum::<i64>() / 2) as f64))
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

/// The load, where a rate in flits is divided by `divisor` and packets have `mean` flits.
fn load(draft: &mut Draft, mean: f64, divisor: f64) -> Result<(), Fault> {
    let config = draft.config;
    let rate = config.float("injection_rate");
    let load = if config.flag("injection_rate_uses_flits") { rate * (mean / divisor) } else { rate * mean };
    if load / mean > 1.0 {
        let why = "a node makes one packet per cycle at most; BookSim stops, too";
        return Err(config.fault(&["injection_rate", "packet_size"], why));
    }
    let most = mean * rules::share_of_bursts(config);
    let sent = if load <= most {
        decimal(load)
    } else {
        let what = "a packet in every cycle of a burst is less than this load, here and in BookSim";
        draft.say(&["injection_rate", "burst_alpha", "burst_beta"], what);
        let keys = config.words(&["injection_rate"]);
        draft.notes.push(format!("{keys}: {what}; nodes send {most:.4} flits per cycle"));
        // Rounded down: more than the most is refused.
        (most * 1e12).floor() / 1e12
    };
    draft.put("traffic.load", Value::Float(sent), &["injection_rate", "injection_rate_uses_flits", "packet_size"]);
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
    let [mut alpha, mut beta, peak] = rules::bursts(config);
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
