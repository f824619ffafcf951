//! What a spec says of an input-output-queued switch, and its numbers.

use super::integer;
use tailback_engine::ioq::Router;
use tailback_spec::{Entry, Fallback, Kind, Param, Resolved, View};

/// The kind of router.
pub static ENTRY: Entry = Entry {
    name: "input_output_queued",
    summary: "memories on both sides of a crossbar, whose queues `queueing` sorts packets into; credits take link \
        bandwidth",
    paper: "recn-mesh-2005 section 3.1",
    ideal: false,
    params: &[
        integer(
            "message_classes",
            "classes",
            (1, 16),
            1,
            "Classes of messages of a program or a host, such as requests and replies. Each has queues of its own with an equal part of every \
             memory, and a port of its own at every node, with an adapter. workload.class_tags says which message of a program is of which \
             class; a host says it of each message.",
        ),
        float(
            "link_gbps",
            "Gb/s",
            (0.001, 1e6),
            8.0,
            "Bandwidth of every link, one way; it makes the length of a cycle.",
        ),
        integer("flit_bytes", "bytes", (1, 65_536), 8, "Number of bytes that a link moves in one cycle."),
        integer(
            "packet_bytes",
            "bytes",
            (1, 1 << 20),
            64,
            "Length of every packet. Longer messages are cut into packets of this length.",
        ),
        integer("ingress_memory_bytes", "bytes", (1, 1 << 31), 131_072, "Memory of a port before the crossbar."),
        integer(
            "egress_memory_bytes",
            "bytes",
            (1, 1 << 31),
            131_072,
            "Memory of a port behind the crossbar, and of a node's adapter.",
        ),
        float(
            "crossbar_speedup",
            "",
            (1.0, 16.0),
            1.0,
            "Bandwidth of each input and output of the crossbar, as a multiple of a link's bandwidth.",
        ),
        integer(
            "header_cycles",
            "cycles",
            (0, 4096),
            0,
            "Time from the arrival of a head until it may ask for the crossbar; with a speedup it waits at least \
             until the \
             rest can follow without a gap.",
        ),
        integer(
            "control_bytes",
            "bytes",
            (1, 65_536),
            8,
            "Length of a credit or notice on a link, rounded up to flits.",
        ),
        integer(
            "credit_batch_packets",
            "packets",
            (1, 1 << 20),
            4,
            "Number of credits that are collected, at most a quarter of a queue, before they are sent ahead of \
             packets. On an idle link credits are sent at once.",
        ),
    ],
};

const fn float(name: &'static str, unit: &'static str, range: (f64, f64), default: f64, doc: &'static str) -> Param {
    Param { name, kind: Kind::Float { min: range.0, max: range.1 }, unit, fallback: Fallback::Float(default), doc }
}

/// Of a resolved spec. Packets that are no whole number of flits are rounded down, and so are memories: the
/// former are refused.
pub fn of(spec: &Resolved, seed: u64) -> Router {
    let view = spec.view("router");
    let (flit, packet) = (view.u32("flit_bytes"), view.u32("packet_bytes"));
    let packet_flits = (packet / flit).max(1);
    Router {
        packet_flits,
        packet_bytes: packet,
        ingress_packets: view.u32("ingress_memory_bytes") / packet,
        egress_packets: view.u32("egress_memory_bytes") / packet,
        adapter_cycles: spec.view("topology").u32("link_cycles"),
        transfer_cycles: (f64::from(packet_flits) / view.float("crossbar_speedup")).ceil() as u32,
        header_cycles: view.u32("header_cycles"),
        control_flits: view.u32("control_bytes").div_ceil(flit),
        credit_batch_packets: view.u32("credit_batch_packets"),
        source_queue_packets: view.finite("source_queue_packets").map(|v| v as u32),
        seed,
    }
}

/// Length of a cycle \[ns\]: a flit's time on a link.
pub fn cycle_ns(view: View) -> f64 {
    8.0 * f64::from(view.u32("flit_bytes")) / view.float("link_gbps")
}
