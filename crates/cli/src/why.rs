//! How a point ended and why: as a JSON object, and as lines in the terminal.

mod asked;
mod block;
mod page;
mod remedies;

pub use asked::WhyArgs;
pub use block::block;
pub use page::page;

use crate::anatomy;
use crate::exit;
use crate::show;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tailback_network::Network;
use tailback_probes::levels::direction_name;
use tailback_probes::{Binding, Livelock};
use tailback_results::Record;
use tailback_sim::{Blocked, Critical, Diagnosis, Held, Lock, LongWaits, Outcome, Prepared, SHARE_NAMES, Saturation};
use tailback_sim::{Segment, Shares, Starving, Why};

/// The why of a row of `why.jsonl`; `None` where another version of the program wrote it with less.
pub fn of_row(row: &Value) -> Option<Why> {
    Why::deserialize(row).ok()
}

/// The page of one of so many runs; of several below what tells it from the others.
pub fn one_of(runs: usize, record: &Record, why: &Why) -> String {
    if runs == 1 {
        return page(why);
    }
    let swept = record.parameters.iter().map(|(name, value)| format!("{name} = {}", show::numbers::scalar(value)));
    let name: Vec<String> = swept.chain([format!("seed {}", record.seed)]).collect();
    format!("{}\n{}\n", show::bold(&name.join(", ")), page(why))
}

/// The object: identity, status and exit code, the paragraph, and under the status's name what stands behind it.
pub fn object(prepared: &Prepared, outcome: &Outcome) -> Value {
    let (record, network) = (&outcome.record, prepared.network());
    let mut object = Map::new();
    object.insert("point_id".to_owned(), json!(record.point_id));
    object.insert("seed".to_owned(), json!(record.seed));
    object.insert("status".to_owned(), json!(record.status.name()));
    object.insert("exit_code".to_owned(), json!(exit::of_status(record.status)));
    object.insert("cycles".to_owned(), json!(record.cycles));
    object.insert("text".to_owned(), json!(outcome.explanation));
    let why = &outcome.why;
    object.insert("short".to_owned(), json!(why.short()));
    object.insert("headline".to_owned(), json!(why.headline));
    object.insert("cause".to_owned(), json!(why.cause));
    object.insert("lines".to_owned(), json!(why.lines));
    object.insert("remedies".to_owned(), json!(why.remedies));
    object.insert("care".to_owned(), json!(why.care));
    object.insert("options".to_owned(), json!(why.options));
    let behind = match &outcome.diagnosis {
        Diagnosis::Steady | Diagnosis::Completed | Diagnosis::Interrupted => None,
        Diagnosis::Saturated(saturation) => {
            let mut behind = saturated(network, record.cycles, saturation);
            behind["offered_load"] = json!(record.offered_load);
            behind["accepted_load"] = json!(record.accepted_load);
            Some(behind)
        }
        Diagnosis::Slow(slow) => Some(json!({
            "packets_delivered": slow.delivered, "packets": slow.packets, "last_delivery": slow.last_delivery,
            "cycles_left": slow.cycles_left,
        })),
        Diagnosis::Starved(nodes) => Some(nodes.iter().map(|node| starving(network, record.cycles, node)).collect()),
        Diagnosis::Livelocked(Livelock { since, hops, packets, longest }) => {
            Some(json!({ "since_cycle": since, "hops": hops, "packets": packets, "longest_way": longest }))
        }
        Diagnosis::Deadlocked(lock) => Some(deadlocked(network, lock)),
        Diagnosis::Stuck(stuck) => Some(json!({
            "operations_left": stuck.remaining, "receives_waiting": stuck.waiting, "waits": stuck.waits,
        })),
    };
    object.extend(
        outcome.long_waits.as_ref().map(|waits| ("long_waits".to_owned(), long_waits(network, record.cycles, waits))),
    );
    object.extend(outcome.ramp_remark.as_ref().map(|remark| ("ramp".to_owned(), json!(remark))));
    object.extend(outcome.critical.as_ref().map(|path| ("critical_path".to_owned(), critical_path(path))));
    let anatomy = outcome
        .anatomy
        .as_ref()
        .map(|dissected| ("anatomy".to_owned(), anatomy::object(prepared.network(), dissected)));
    object.extend(anatomy);
    object.extend(behind.map(|behind| (record.status.name().to_owned(), behind)));
    Value::Object(object)
}

/// The critical path: its shares by name, all segments, and where packets waited.
fn critical_path(path: &Critical) -> Value {
    let named = |shares: &Shares| -> Map<String, Value> {
        SHARE_NAMES.iter().zip(shares).map(|(name, &cycles)| ((*name).to_owned(), json!(cycles))).collect()
    };
    let segment = |segment: &Segment| {
        let mut object = json!(segment);
        object["shares"] = Value::Object(named(&segment.shares));
        object
    };
    json!({
        "duration": path.duration, "shares": named(&path.shares), "waits": path.waits,
        "segments": path.segments.iter().map(segment).collect::<Vec<Value>>(),
    })
}

/// A router: its coordinates, or its number where it has none.
pub fn place(network: &Network, router: u32) -> Value {
    network.grid().map_or_else(|| json!(router), |grid| json!(grid.coordinates(router)))
}

/// A port: its direction, or its number where it has none.
fn port_name(network: &Network, port: usize) -> Value {
    network.grid().map_or_else(|| json!(port), |_| json!(direction_name(port)))
}

fn saturated(network: &Network, cycle: u64, saturation: &Saturation) -> Value {
    let binding = |b: &Binding| {
        json!({
            "router": place(network, b.router), "port": b.port.map(|port| port_name(network, port as usize)),
            "waiting_heads": b.heads,
        })
    };
    json!({
        "waiting_heads": saturation.heads,
        "binding": saturation.binding.iter().map(binding).collect::<Vec<Value>>(),
        "starving": saturation.starving.iter().map(|node| starving(network, cycle, node)).collect::<Vec<Value>>(),
    })
}

fn starving(network: &Network, cycle: u64, node: &Starving) -> Value {
    json!({
        "node": node.node, "router": place(network, network.router_of(node.node)), "packet": node.index,
        "since_cycle": node.since, "cycles": cycle.saturating_sub(node.since), "others_packets_mean": node.others,
    })
}

fn long_waits(network: &Network, cycle: u64, waits: &LongWaits) -> Value {
    let nodes: Vec<Value> = waits.nodes.iter().map(|node| starving(network, cycle, node)).collect();
    json!({ "nodes": nodes, "doubt": waits.doubt.to_string() })
}

fn deadlocked(network: &Network, lock: &Lock) -> Value {
    let circle: Vec<Value> = lock.circle.iter().map(|s| stuck(network, s)).collect();
    let mut told = json!({ "blocked": lock.blocked, "circle": circle });
    if !lock.waits.is_empty() {
        told["waits"] = json!(lock.waits);
    }
    told
}

fn stuck(network: &Network, stuck: &Held) -> Value {
    let head = &stuck.head;
    let place = |router: u32| place(network, router);
    let port_name = |port: u8| port_name(network, usize::from(port));
    let is_link = usize::from(head.port) < network.ports(head.router);
    let far = is_link.then(|| network.ahead(head.router, usize::from(head.port))).flatten().map(|to| to.router);
    let channels: Vec<u32> = (0..u16::BITS).filter(|channel| head.channels >> channel & 1 == 1).collect();
    json!({
        "packet": { "source": head.source, "destination": head.destination, "index": head.index },
        "buffer": match head.input.0 {
            Blocked::CONSUMER => json!({ "router": place(head.router), "ejection_buffer_of": head.destination }),
            Blocked::SOURCE => json!({ "router": place(head.router), "source_queue_of": head.source }),
            port => json!({ "router": place(head.router), "port": port_name(port), "channel": head.input.1 }),
        },
        "waits_for": {
            "router": far.map(place),
            "port": is_link.then(|| port_name(head.port)), "channels": channels, "room_flits": head.room,
        },
        "text": stuck.words,
    })
}
