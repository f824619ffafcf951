//! One flat, self-describing row per simulated point.
//!
//! The same names appear in JSON lines, Parquet, data frames and reports. [`COLUMNS`] carries units and
//! meanings; a test holds it and [`Record`] together.

mod columns;
mod one;
mod parameters;

pub use columns::{COLUMNS, Column, Kind, column};
pub use parameters::Scalar;

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How the simulation of a point ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Accepted load follows offered load; the averages are those of a steady state.
    Steady,
    /// Sources offer more than the network accepts; latencies grow with the length of the run.
    Saturated,
    /// Packets wait for each other in a circle; nothing will ever move again.
    Deadlocked,
    /// Some packet waits without bound while others pass.
    Starved,
    /// Packets go on and on, and none arrives.
    Livelocked,
    /// A workload that ends had not ended at its limit, though packets went on arriving.
    Slow,
    /// A workload that ends has ended: every packet was delivered.
    Completed,
    /// The operations of a program wait for messages that are never sent; nothing will ever happen again.
    Stuck,
    /// The user stopped the run; the numbers cover what was simulated until then.
    Interrupted,
}

impl Status {
    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Saturated => "saturated",
            Self::Deadlocked => "deadlocked",
            Self::Starved => "starved",
            Self::Livelocked => "livelocked",
            Self::Slow => "slow",
            Self::Completed => "completed",
            Self::Stuck => "stuck",
            Self::Interrupted => "interrupted",
        }
    }
}

/// One simulated point. Units and meanings of the columns are in [`COLUMNS`].
///
/// `None` means unknown or not applicable and is null in files. A NaN or an infinity is written as null, too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Swept parameters under their spec path (`traffic.load`), in the order of the sweep; first in the row.
    #[serde(flatten, with = "parameters")]
    pub parameters: Vec<(String, Scalar)>,
    /// Load the spec asked the sources for \[flits/node/cycle\]; null for a workload without a rate.
    pub offered_load: Option<f64>,
    /// Load the sources made \[flits/node/cycle\]; less than offered where a full queue stalls them.
    pub generated_load: Option<f64>,
    /// Load that arrived at destinations in the measured window \[flits/node/cycle\].
    pub accepted_load: Option<f64>,
    /// Half width of the 95 % confidence interval of `accepted_load`, from batch means \[flits/node/cycle\].
    pub accepted_load_ci95: Option<f64>,
    /// Mean time from generation of a packet to delivery of its tail \[cycles\].
    pub latency_mean: Option<f64>,
    /// Half width of the 95 % confidence interval of `latency_mean`, from batch means \[cycles\].
    pub latency_ci95: Option<f64>,
    /// Median latency \[cycles\].
    pub latency_p50: Option<f64>,
    /// 95th percentile of latency \[cycles\].
    pub latency_p95: Option<f64>,
    /// 99th percentile of latency \[cycles\].
    pub latency_p99: Option<f64>,
    /// 99.9th percentile of latency \[cycles\].
    pub latency_p999: Option<f64>,
    /// Largest latency, exact \[cycles\].
    pub latency_max: Option<f64>,
    /// Mean latency of the packets delivered in the measured window, whenever they were made \[cycles\].
    pub arrived_latency_mean: Option<f64>,
    /// Mean time from the head entering the network to delivery of the tail \[cycles\].
    pub network_latency_mean: Option<f64>,
    /// Mean time in the source queue, `latency_mean` minus `network_latency_mean` \[cycles\].
    pub source_latency_mean: Option<f64>,
    /// Mean number of links between routers on the way \[links\].
    pub hops_mean: Option<f64>,
    /// Mean time from generation of a message's first packet to delivery of its last \[cycles\]; `latency_mean` where
    /// messages are not cut.
    pub message_latency_mean: Option<f64>,
    /// Median latency of messages \[cycles\].
    pub message_latency_p50: Option<f64>,
    /// 95th percentile of the latency of messages \[cycles\].
    pub message_latency_p95: Option<f64>,
    /// 99th percentile of the latency of messages \[cycles\].
    pub message_latency_p99: Option<f64>,
    /// 99.9th percentile of the latency of messages \[cycles\].
    pub message_latency_p999: Option<f64>,
    /// Largest latency of a message, exact \[cycles\].
    pub message_latency_max: Option<f64>,
    /// Jain's fairness index of the flits delivered in the measured window by source, over the sources that offer load.
    pub jain_index: Option<f64>,
    /// Longest time that a packet stood at the front of an injection queue before it entered the network \[cycles\], those
    /// that still wait included.
    pub longest_wait: Option<f64>,
    /// Node of the longest wait; null where no packet waited.
    pub longest_wait_node: Option<f64>,
    /// Mean packets in an injection queue in the measured window; null where nobody counted.
    pub injection_queue_mean: Option<f64>,
    /// Accepted flits of all nodes over the most that uniform traffic gets through the bisection: four times its links one way.
    pub relative_throughput: Option<f64>,
    /// Load that arrived in the measured window from sources that are not hot, over these \[flits/node/cycle\]; null where
    /// the pattern has no hot sources.
    pub victim_load: Option<f64>,
    /// The same load for hot sources.
    pub culprit_load: Option<f64>,
    /// Most set-aside queues in use at one ingress side in the measured window; null under other disciplines.
    pub set_aside_max_ingress: Option<f64>,
    /// The same of egress sides.
    pub set_aside_max_egress: Option<f64>,
    /// The same of adapters.
    pub set_aside_max_adapter: Option<f64>,
    /// Set-aside queues in use at an ingress side, mean over all of them and over the measured window; null under other disciplines.
    pub set_aside_mean_ingress: Option<f64>,
    /// The same of egress sides.
    pub set_aside_mean_egress: Option<f64>,
    /// The same of adapters.
    pub set_aside_mean_adapter: Option<f64>,
    /// Length of a cycle \[ns\], where the spec gives it.
    pub cycle_ns: Option<f64>,
    /// `latency_mean` \[ns\].
    pub latency_mean_ns: Option<f64>,
    /// `network_latency_mean` \[ns\].
    pub network_latency_mean_ns: Option<f64>,
    /// `message_latency_mean` \[ns\].
    pub message_latency_mean_ns: Option<f64>,
    /// Flits that the whole network delivered in the measured window, over its length \[flits/ns\].
    pub accepted_flits_per_ns: Option<f64>,
    /// Packets generated in the measured window, whenever they are delivered.
    pub packets_generated: u64,
    /// Packets delivered in the measured window, whenever they were generated.
    pub packets_delivered: u64,
    /// Flits of `packets_delivered`.
    pub flits_delivered: u64,
    /// Packets that the sources made from cycle 0 to the last; the sum of the next three.
    pub total_packets_generated: u64,
    /// Packets delivered from cycle 0 to the last.
    pub total_packets_delivered: u64,
    /// Packets made whose head had not left its source queue when the simulation stopped.
    pub packets_in_sources_end: u64,
    /// Packets whose head had left its source queue and whose tail was not delivered when the simulation stopped.
    pub packets_in_network_end: u64,
    /// Packets generated and not yet delivered when the simulation stopped: packets_in_sources_end plus packets_in_network_end.
    pub packets_in_flight_end: u64,
    /// Flits of the packets of total_packets_generated; the sum of the next three.
    pub total_flits_generated: u64,
    /// Flits of the packets of total_packets_delivered.
    pub total_flits_delivered: u64,
    /// Flits of the packets of packets_in_sources_end.
    pub flits_in_sources_end: u64,
    /// Flits of the packets of packets_in_network_end, those that are still to leave their source among them.
    pub flits_in_network_end: u64,
    /// Cycles simulated.
    pub cycles: u64,
    /// Cycles of the measured window.
    pub measured_cycles: u64,
    /// How the simulation ended.
    pub status: Status,
    /// Cycle in which the last tail was delivered, or the last operation of a program finished, for a workload that ends \[cycles\]; else
    /// null.
    pub duration: Option<f64>,
    /// Cycles below which no run of this program on this network can end; null where no program runs.
    pub bound: Option<f64>,
    /// Name of the bound that is the largest: `ports`, `cut`, `latency`, `compute` or `chain`; empty where no program runs.
    #[serde(default)]
    pub bound_by: String,
    /// `bound` over `duration`; null where one of them is, or `duration` is 0.
    pub efficiency: Option<f64>,
    /// Duration of a job among the others over its duration alone, the largest of all jobs; null without `probes.alone`.
    pub slowdown: Option<f64>,
    /// The run used an idealised mechanism, one that no hardware could build.
    pub ideal: bool,
    /// Seed of every random stream of the point.
    pub seed: u64,
    /// Identity of the point: the hash of its resolved spec and seed.
    pub point_id: String,
    /// Digest of what was simulated, hexadecimal; `docs/results.md` says what enters it.
    pub digest: String,
    /// Version of the program that made the row.
    pub version: String,
    /// Wall-clock time of this point \[seconds\].
    pub wall_seconds: Option<f64>,
    /// Simulated cycles per second of wall-clock time \[1/s\].
    pub cycles_per_second: Option<f64>,
    /// Flits times links crossed, per second of wall-clock time \[1/s\].
    pub flit_hops_per_second: Option<f64>,
    /// Packets times links crossed, per second of wall-clock time \[1/s\].
    pub packet_hops_per_second: Option<f64>,
}

impl Record {
    /// A row with the given identity in which everything measured is zero or null.
    pub fn empty(point_id: impl Into<String>, seed: u64, version: impl Into<String>, status: Status) -> Self {
        Self {
            parameters: Vec::new(),
            offered_load: None,
            generated_load: None,
            accepted_load: None,
            accepted_load_ci95: None,
            latency_mean: None,
            latency_ci95: None,
            latency_p50: None,
            latency_p95: None,
            latency_p99: None,
            latency_p999: None,
            latency_max: None,
            arrived_latency_mean: None,
            network_latency_mean: None,
            source_latency_mean: None,
            hops_mean: None,
            message_latency_mean: None,
            message_latency_p50: None,
            message_latency_p95: None,
            message_latency_p99: None,
            message_latency_p999: None,
            message_latency_max: None,
            jain_index: None,
            longest_wait: None,
            longest_wait_node: None,
            injection_queue_mean: None,
            relative_throughput: None,
            victim_load: None,
            culprit_load: None,
            set_aside_max_ingress: None,
            set_aside_max_egress: None,
            set_aside_max_adapter: None,
            set_aside_mean_ingress: None,
            set_aside_mean_egress: None,
            set_aside_mean_adapter: None,
            cycle_ns: None,
            latency_mean_ns: None,
            network_latency_mean_ns: None,
            message_latency_mean_ns: None,
            accepted_flits_per_ns: None,
            packets_generated: 0,
            packets_delivered: 0,
            flits_delivered: 0,
            total_packets_generated: 0,
            total_packets_delivered: 0,
            packets_in_sources_end: 0,
            packets_in_network_end: 0,
            packets_in_flight_end: 0,
            total_flits_generated: 0,
            total_flits_delivered: 0,
            flits_in_sources_end: 0,
            flits_in_network_end: 0,
            cycles: 0,
            measured_cycles: 0,
            status,
            duration: None,
            bound: None,
            bound_by: String::new(),
            efficiency: None,
            slowdown: None,
            ideal: false,
            seed,
            point_id: point_id.into(),
            digest: String::new(),
            version: version.into(),
            wall_seconds: None,
            cycles_per_second: None,
            flit_hops_per_second: None,
            packet_hops_per_second: None,
        }
    }

    /// The row as (column, value) pairs in file order, null for `None`.
    ///
    /// # Errors
    /// [`Error::Record`] where a parameter has the name of a core column or of another parameter.
    pub fn row(&self) -> Result<serde_json::Map<String, serde_json::Value>> {
        self.check_names()?;
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(row)) => Ok(row),
            Ok(_) => Err(self.error("not an object")),
            Err(cause) => Err(self.error(cause.to_string())),
        }
    }

    /// The value of a parameter or core column; `None` where it is null or there is no such column.
    pub fn scalar(&self, column: &str) -> Option<Scalar> {
        if let Some((_, value)) = self.parameters.iter().find(|(name, _)| name == column) {
            return Some(value.clone());
        }
        // A seed beyond the signed range has no exact scalar; as a number for an axis the nearest float will do.
        Scalar::nearest(&one::one(self, column)?)
    }

    /// The value of a column as a number, for axes and sorting; `None` for text, booleans and null.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.scalar(column).and_then(|value| value.as_f64())
    }

    fn check_names(&self) -> Result<()> {
        let mut seen = BTreeSet::new();
        for (name, _) in &self.parameters {
            if column(name).is_some() {
                return Err(self.error(format!("parameter `{name}` has the name of a core column")));
            }
            if !seen.insert(name) {
                return Err(self.error(format!("parameter `{name}` is there twice")));
            }
        }
        Ok(())
    }

    fn error(&self, cause: impl Into<String>) -> Error {
        Error::Record { point: self.point_id.clone(), cause: cause.into() }
    }
}

#[cfg(test)]
mod tests;
