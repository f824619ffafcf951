//! A host: another program that steps the network from outside and says packet by packet what nodes send.

use super::{Ask, MAX_CYCLES, Plan, Workload};
use crate::hosted::Hosted;
use crate::{Problem, problem};
use tailback_spec::{Entry, Fallback, Kind, Param};

/// The longest message that a host may send \[flits\].
const MAX_MESSAGE: i64 = 1 << 20;

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "host",
    summary: "another simulator steps the network and sends and receives messages (docs/embedding.md); it has no end of its own, and \
        `tailback run` refuses it",
    paper: "",
    ideal: false,
    params: &[
        Param {
            name: "shortest_flits",
            kind: Kind::Integer { min: 1, max: MAX_MESSAGE },
            unit: "flits",
            fallback: Fallback::Integer(1),
            doc: "The host sends no shorter message. A network of packets of one length is faster: set longest_flits to the same.",
        },
        Param {
            name: "longest_flits",
            kind: Kind::IntegerOrAuto { min: 1, max: MAX_MESSAGE },
            unit: "flits",
            fallback: Fallback::Text("auto"),
            doc: "The host sends no longer message. \"auto\": what a buffer holds where a message is one packet that moves as a whole, else 4096, \
                or 1048576 where messages are cut into packets.",
        },
        Param {
            name: "threads",
            kind: Kind::Integer { min: 1, max: 256 },
            unit: "threads",
            fallback: Fallback::Integer(1),
            doc: "Threads that a large network uses while the host advances it, which pays where it advances many cycles at a time. Results do not \
                depend on it.",
        },
        Param {
            name: "warmup_cycles",
            kind: Kind::Integer { min: 0, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(0),
            doc: "What is measured begins then, and goes on until the host asks for the record.",
        },
        Param {
            name: "window_cycles",
            kind: Kind::Integer { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(10_000),
            doc: "Length of the windows in which throughput, latency and packets in flight are recorded.",
        },
    ],
};

/// Builds it.
pub(super) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    let (shortest, longest) = (ask.workload.u32("shortest_flits"), ask.workload.finite("longest_flits"));
    let longest = longest.map(|flits| flits as u32);
    if longest.is_some_and(|longest| longest < shortest) {
        let message = format!("the longest message has fewer flits than the shortest one, which has {shortest}");
        return problem("workload.longest_flits", message, None);
    }
    Ok(Workload { patterns: Vec::new(), plan: Plan::Host(Hosted::new(shortest, longest)) })
}
