//! The core columns: names, kinds, units and meanings. Documentation and Parquet metadata derive from here.

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True or false, never null.
    Bool,
    /// An unsigned whole number, never null.
    Integer,
    /// A number, or null where unknown.
    Float,
    /// A text, never null.
    Text,
}

/// One core column of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in every file.
    pub name: &'static str,
    /// Type of the values.
    pub kind: Kind,
    /// Unit, empty where there is none.
    pub unit: &'static str,
    /// Meaning, as one phrase.
    pub meaning: &'static str,
}

/// The core columns in file order.
#[rustfmt::skip]
pub const COLUMNS: &[Column] = &[
    Column { name: "offered_load", kind: Kind::Float, unit: "flits/node/cycle", meaning: "load the spec asked the sources for; null for a workload without a rate" },
    Column { name: "generated_load", kind: Kind::Float, unit: "flits/node/cycle", meaning: "load the sources made; less than offered where a full queue stalls them" },
    Column { name: "accepted_load", kind: Kind::Float, unit: "flits/node/cycle", meaning: "load that arrived at destinations in the measured window" },
    Column { name: "accepted_load_ci95", kind: Kind::Float, unit: "flits/node/cycle", meaning: "half width of the 95 % confidence interval of accepted_load, from batch means" },
    Column { name: "latency_mean", kind: Kind::Float, unit: "cycles", meaning: "mean time from generation of a packet to delivery of its tail" },
    Column { name: "latency_ci95", kind: Kind::Float, unit: "cycles", meaning: "half width of the 95 % confidence interval of latency_mean, from batch means" },
    Column { name: "latency_p50", kind: Kind::Float, unit: "cycles", meaning: "median latency" },
    Column { name: "latency_p95", kind: Kind::Float, unit: "cycles", meaning: "95th percentile of latency" },
    Column { name: "latency_p99", kind: Kind::Float, unit: "cycles", meaning: "99th percentile of latency" },
    Column { name: "latency_p999", kind: Kind::Float, unit: "cycles", meaning: "99.9th percentile of latency" },
    Column { name: "latency_max", kind: Kind::Float, unit: "cycles", meaning: "largest latency, exact" },
    Column { name: "arrived_latency_mean", kind: Kind::Float, unit: "cycles", meaning: "mean latency of the packets delivered in the measured window, whenever they were made; latency_mean is of those made in it" },
    Column { name: "network_latency_mean", kind: Kind::Float, unit: "cycles", meaning: "mean time from the head entering the network to delivery of the tail" },
    Column { name: "source_latency_mean", kind: Kind::Float, unit: "cycles", meaning: "mean time in the source queue: latency_mean minus network_latency_mean" },
    Column { name: "hops_mean", kind: Kind::Float, unit: "links", meaning: "mean number of links between routers on the way" },
    Column { name: "message_latency_mean", kind: Kind::Float, unit: "cycles", meaning: "mean time from generation of a message's first packet to delivery of its last; latency_mean where messages are not cut" },
    Column { name: "message_latency_p50", kind: Kind::Float, unit: "cycles", meaning: "median latency of messages" },
    Column { name: "message_latency_p95", kind: Kind::Float, unit: "cycles", meaning: "95th percentile of the latency of messages" },
    Column { name: "message_latency_p99", kind: Kind::Float, unit: "cycles", meaning: "99th percentile of the latency of messages" },
    Column { name: "message_latency_p999", kind: Kind::Float, unit: "cycles", meaning: "99.9th percentile of the latency of messages" },
    Column { name: "message_latency_max", kind: Kind::Float, unit: "cycles", meaning: "largest latency of a message, exact" },
    Column { name: "jain_index", kind: Kind::Float, unit: "", meaning: "Jain's fairness index of the flits delivered in the measured window by source, over the sources that offer load: 1 when all of them delivered the same" },
    Column { name: "longest_wait", kind: Kind::Float, unit: "cycles", meaning: "longest time that a packet stood at the front of an injection queue before it entered the network, including packets that still wait" },
    Column { name: "longest_wait_node", kind: Kind::Float, unit: "", meaning: "node of the longest wait; null where no packet waited" },
    Column { name: "injection_queue_mean", kind: Kind::Float, unit: "packets", meaning: "mean packets in an injection queue in the measured window, with probes.injection_queues under adaptive cut-through" },
    Column { name: "relative_throughput", kind: Kind::Float, unit: "", meaning: "accepted flits of all nodes, divided by the most that uniform traffic gets through the bisection: four times its links one way (4N flits per cycle on an N x N mesh, recn-mesh-2005 section 3, note 6)" },
    Column { name: "victim_load", kind: Kind::Float, unit: "flits/node/cycle", meaning: "load that arrived in the measured window from sources that are not hot, per such source; null without pattern hot_sources" },
    Column { name: "culprit_load", kind: Kind::Float, unit: "flits/node/cycle", meaning: "load that arrived in the measured window from hot sources, per such source; null without pattern hot_sources" },
    Column { name: "set_aside_max_ingress", kind: Kind::Float, unit: "queues", meaning: "most set-aside queues in use at one ingress side of a switch port in the measured window; null without queueing recn" },
    Column { name: "set_aside_max_egress", kind: Kind::Float, unit: "queues", meaning: "most set-aside queues in use at one egress side of a switch port in the measured window; null without queueing recn" },
    Column { name: "set_aside_max_adapter", kind: Kind::Float, unit: "queues", meaning: "most set-aside queues in use at one adapter of a node in the measured window; null without queueing recn" },
    Column { name: "set_aside_mean_ingress", kind: Kind::Float, unit: "queues", meaning: "set-aside queues in use at an ingress side of a switch port, mean over all of them and over the measured window; null without queueing recn" },
    Column { name: "set_aside_mean_egress", kind: Kind::Float, unit: "queues", meaning: "set-aside queues in use at an egress side of a switch port, mean over all of them and over the measured window; null without queueing recn" },
    Column { name: "set_aside_mean_adapter", kind: Kind::Float, unit: "queues", meaning: "set-aside queues in use at an adapter of a node, mean over all of them and over the measured window; null without queueing recn" },
    Column { name: "cycle_ns", kind: Kind::Float, unit: "ns", meaning: "length of a cycle, where clock.cycle_ns gives it" },
    Column { name: "latency_mean_ns", kind: Kind::Float, unit: "ns", meaning: "latency_mean times cycle_ns" },
    Column { name: "network_latency_mean_ns", kind: Kind::Float, unit: "ns", meaning: "network_latency_mean times cycle_ns" },
    Column { name: "message_latency_mean_ns", kind: Kind::Float, unit: "ns", meaning: "message_latency_mean times cycle_ns" },
    Column { name: "accepted_flits_per_ns", kind: Kind::Float, unit: "flits/ns", meaning: "flits that the whole network delivered in the measured window, over its length in ns" },
    Column { name: "packets_generated", kind: Kind::Integer, unit: "packets", meaning: "packets generated in the measured window, whenever they are delivered" },
    Column { name: "packets_delivered", kind: Kind::Integer, unit: "packets", meaning: "packets delivered in the measured window, whenever they were generated" },
    Column { name: "flits_delivered", kind: Kind::Integer, unit: "flits", meaning: "flits of packets_delivered" },
    Column { name: "total_packets_generated", kind: Kind::Integer, unit: "packets", meaning: "packets that the sources made from cycle 0 to the last; the sum of the next three" },
    Column { name: "total_packets_delivered", kind: Kind::Integer, unit: "packets", meaning: "packets delivered from cycle 0 to the last" },
    Column { name: "packets_in_sources_end", kind: Kind::Integer, unit: "packets", meaning: "packets made whose head had not left its source queue when the simulation stopped" },
    Column { name: "packets_in_network_end", kind: Kind::Integer, unit: "packets", meaning: "packets whose head had left its source queue and whose tail was not delivered when the simulation stopped" },
    Column { name: "packets_in_flight_end", kind: Kind::Integer, unit: "packets", meaning: "packets generated and not yet delivered when the simulation stopped: packets_in_sources_end plus packets_in_network_end" },
    Column { name: "total_flits_generated", kind: Kind::Integer, unit: "flits", meaning: "flits of the packets of total_packets_generated; the sum of the next three" },
    Column { name: "total_flits_delivered", kind: Kind::Integer, unit: "flits", meaning: "flits of the packets of total_packets_delivered" },
    Column { name: "flits_in_sources_end", kind: Kind::Integer, unit: "flits", meaning: "flits of the packets of packets_in_sources_end" },
    Column { name: "flits_in_network_end", kind: Kind::Integer, unit: "flits", meaning: "flits of the packets of packets_in_network_end, including the flits that are still to leave their source" },
    Column { name: "cycles", kind: Kind::Integer, unit: "cycles", meaning: "cycles simulated" },
    Column { name: "measured_cycles", kind: Kind::Integer, unit: "cycles", meaning: "cycles of the measured window" },
    Column { name: "status", kind: Kind::Text, unit: "", meaning: "how the simulation ended: steady, saturated, deadlocked, starved, livelocked, completed, slow, stuck or interrupted" },
    Column { name: "duration", kind: Kind::Float, unit: "cycles", meaning: "cycle in which the last tail was delivered, or the last operation of a program finished, for a workload that ends; else null" },
    Column { name: "bound", kind: Kind::Float, unit: "cycles", meaning: "cycles below which no run of the program on this network can end, whatever its routing; null where no program runs, and after an interruption" },
    Column { name: "bound_by", kind: Kind::Text, unit: "", meaning: "name of the largest bound: ports, cut, latency, compute or chain (docs/programs.md); empty where no program runs" },
    Column { name: "efficiency", kind: Kind::Float, unit: "", meaning: "bound divided by duration, at most 1; null for a program that has not completed" },
    Column { name: "slowdown", kind: Kind::Float, unit: "", meaning: "duration of a job among the others divided by its duration alone, the largest of all jobs; null without probes.alone" },
    Column { name: "ideal", kind: Kind::Bool, unit: "", meaning: "the run used an idealised mechanism, one that no hardware could build" },
    Column { name: "seed", kind: Kind::Integer, unit: "", meaning: "seed of every random stream of the point" },
    Column { name: "point_id", kind: Kind::Text, unit: "", meaning: "identity of the point: the hash of its resolved spec, its seed and the content of the files that it names" },
    Column { name: "digest", kind: Kind::Text, unit: "", meaning: "digest of what was simulated, hexadecimal; what enters it is listed below" },
    Column { name: "version", kind: Kind::Text, unit: "", meaning: "version of the program that wrote the row" },
    Column { name: "wall_seconds", kind: Kind::Float, unit: "seconds", meaning: "wall-clock time of this point" },
    Column { name: "cycles_per_second", kind: Kind::Float, unit: "1/s", meaning: "simulated cycles per second of wall-clock time" },
    Column { name: "flit_hops_per_second", kind: Kind::Float, unit: "1/s", meaning: "flits times links crossed, per second of wall-clock time" },
    Column { name: "packet_hops_per_second", kind: Kind::Float, unit: "1/s", meaning: "packets times links crossed, per second of wall-clock time" },
];

/// The core column of that name.
pub fn column(name: &str) -> Option<&'static Column> {
    COLUMNS.iter().find(|column| column.name == name)
}
