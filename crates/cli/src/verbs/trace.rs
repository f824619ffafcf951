//! `tailback trace`: one packet's story, hop by hop.

use crate::exit::{Failure, INTERRUPTED, Result, SUCCESS};
use crate::interrupt;
use crate::output::{Destination, ForceArgs, inputs};
use crate::points::{Source, points};
use crate::runner::waited;
use crate::show;
use crate::spec_file::SpecArgs;
use crate::why::place;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use tailback_network::Network;
use tailback_results::Kind;
use tailback_sim::{Control, Story, Traced, Which};

const AFTER: &str = "\
Examples:
  tailback trace my.toml --packet 1000
  tailback trace my.toml --source 3 --packet 20
  tailback trace my.toml --source 3 --destination 9 --from-cycle 5000
  tailback trace my.toml --source 3 --packet 20 --out packet.json
  tailback trace my.toml --packet 1000 --json

Without --source, packets are numbered from 0 in the order in which they reach the front of
their source queues. Packets that do so in the same cycle are ordered by source node.

Times are in cycles. The file of --out is in the Chrome trace-event format, with one cycle as
one microsecond. Its viewers show one row for every queue that the packet was in.";

/// Arguments of `trace`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
    /// The packet's source node
    #[arg(long, value_name = "NODE", required_unless_present = "packet")]
    source: Option<u32>,
    /// The packet's number, from 0, among the packets of its source; without --source, among the packets of all nodes
    #[arg(long, value_name = "N", conflicts_with_all = ["destination", "from_cycle"])]
    packet: Option<u64>,
    /// The first packet to this node
    #[arg(long, value_name = "NODE")]
    destination: Option<u32>,
    /// The first packet made in this cycle or later
    #[arg(long, value_name = "CYCLE", default_value_t = 0)]
    from_cycle: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write the story to this file in the Chrome trace-event format. `-` is standard output; nothing else is printed then
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

/// Follows the packet.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was run")?;
    let points = points(&args.spec)?;
    points.told.warn();
    if points.count() > 1 {
        let more = format!("this spec has {} points; choose one with --set", points.count());
        return Err(Failure::usage(more));
    }
    let inputs = inputs(&args.spec, points.files.clone());
    let out = args.out.as_deref().map(|path| Destination::new(path, Kind::TraceEvents, args.force.replace(), &inputs));
    let out = out.transpose()?;
    let prepared = points.first()?;
    let which = match (args.source, args.packet) {
        (Some(source), Some(number)) => Which::Number(source, number),
        (Some(source), None) => Which::From(source, args.from_cycle, args.destination),
        (None, number) => Which::Started(number.unwrap_or(0)),
    };
    let limit = prepared.total_cycles().unwrap_or(u64::MAX);
    interrupt::keep();
    let control = Control { cancel: interrupt::flag(), cycles_done: &AtomicU64::new(0), threads: 1 };
    let traced = waited(control.cycles_done, || tailback_sim::trace(&prepared, which, limit, &control));
    let story = match traced.map_err(Failure::Usage)? {
        Traced::Found(story) => *story,
        Traced::Cancelled(cycle) => {
            show::note(&format!(
                "interrupted in cycle {cycle}: by then the packet was not at the front of its source queue"
            ));
            return Ok(INTERRUPTED);
        }
    };
    if !out.as_ref().is_some_and(Destination::is_stdout) {
        match args.json {
            true => show::line(&object(prepared.network(), &story).to_string())?,
            false => story.lines(prepared.network()).iter().try_for_each(|line| show::line(line))?,
        }
    }
    if let Some(out) = out {
        out.write(format!("{}\n", events(prepared.network(), &story)).as_bytes())?;
    }
    Ok(crate::points::code_unless_stopped(SUCCESS))
}

/// The story as one object; times are cycles.
fn object(network: &Network, story: &Story) -> Value {
    let packet = &story.packet;
    let wait = |from: u64, to: u64, reason: &str| json!({ "from": from, "to": to, "reason": reason });
    let stop = |stop: &tailback_sim::Stop| {
        let waits = stop.waits.iter().map(|one| wait(one.from, one.to, &one.words(network, stop.router)));
        json!({
            "name": stop.name(network), "router": place(network, stop.router), "from": stop.from, "left": stop.left,
            "leaves_to": stop.left.map(|_| stop.leaves_to(network)), "waits": waits.collect::<Vec<_>>(),
        })
    };
    let before = story.before().map(|(what, from, to)| wait(from, to, what));
    json!({
        "source": packet.source, "number": packet.index, "destination": packet.destination, "flits": packet.flits,
        "made": packet.birth, "before": before.collect::<Vec<_>>(),
        "stops": story.stops.iter().map(stop).collect::<Vec<_>>(),
        "delivered": story.delivered, "end": story.end, "interrupted": story.cancelled, "unit": "cycles",
    })
}

/// The story in the Chrome trace-event format: a row a queue, in it the waits and the time in which flits leave.
fn events(network: &Network, story: &Story) -> Value {
    let packet = &story.packet;
    let event = |row: usize, name: &str, kind: &str, from: u64, to: u64| json!({ "name": name, "cat": kind, "ph": "X", "ts": from, "dur": to - from, "pid": 0, "tid": row });
    let title = format!("packet {} of node {} to node {}", packet.index, packet.source, packet.destination);
    let mut events = vec![json!({ "name": "process_name", "ph": "M", "pid": 0, "args": { "name": title } })];
    events.extend(story.before().map(|(what, from, to)| event(0, what, "source queue", from, to)));
    for (row, stop) in story.stops.iter().enumerate() {
        let name = stop.name(network);
        events.push(json!({ "name": "thread_name", "ph": "M", "pid": 0, "tid": row, "args": { "name": name } }));
        events.extend(
            stop.waits.iter().map(|wait| event(row, &wait.words(network, stop.router), "wait", wait.from, wait.to)),
        );
        events.extend(stop.left.map(|cycle| {
            // A flit a cycle.
            event(
                row,
                &format!("leaves by {}", stop.leaves_to(network)),
                "send",
                cycle,
                cycle + u64::from(packet.flits),
            )
        }));
    }
    json!({ "traceEvents": events, "displayTimeUnit": "ms", "otherData": { "unit": "1 us is a cycle" } })
}
