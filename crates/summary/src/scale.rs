//! On which scale the interval of a column is made: declared here for every column.

/// The scale of an interval over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Student's t on the logarithm of the values, put around the arithmetic mean as `mean * exp(±h)`: it cannot be negative.
    /// For what is always positive. Where a value is 0 all the same, the interval is that of [`Scale::Plain`] from 0 on.
    Logarithm,
    /// Student's t on the values, cut at the natural bounds. For what can be 0.
    Plain {
        /// The least value that there can be.
        low: f64,
        /// The largest value that there can be.
        high: f64,
    },
    /// No mean makes sense: names, identities, truth values.
    None,
}

const LOGARITHM: Scale = Scale::Logarithm;
/// Counts, and times that can be 0.
const FROM_ZERO: Scale = Scale::Plain { low: 0.0, high: f64::INFINITY };
/// Shares and indices between 0 and 1.
const SHARE: Scale = Scale::Plain { low: 0.0, high: 1.0 };

/// The scale of every core column; a test holds this table and the columns of the results together.
#[rustfmt::skip]
pub const SCALES: &[(&str, Scale)] = &[
    ("offered_load", LOGARITHM),
    ("generated_load", LOGARITHM),
    ("accepted_load", LOGARITHM),
    ("accepted_load_ci95", FROM_ZERO),
    ("latency_mean", LOGARITHM),
    ("latency_ci95", FROM_ZERO),
    ("latency_p50", LOGARITHM),
    ("latency_p95", LOGARITHM),
    ("latency_p99", LOGARITHM),
    ("latency_p999", LOGARITHM),
    ("latency_max", LOGARITHM),
    ("arrived_latency_mean", LOGARITHM),
    ("network_latency_mean", LOGARITHM),
    ("source_latency_mean", FROM_ZERO),
    ("hops_mean", LOGARITHM),
    ("message_latency_mean", LOGARITHM),
    ("message_latency_p50", LOGARITHM),
    ("message_latency_p95", LOGARITHM),
    ("message_latency_p99", LOGARITHM),
    ("message_latency_p999", LOGARITHM),
    ("message_latency_max", LOGARITHM),
    ("jain_index", SHARE),
    ("longest_wait", FROM_ZERO),
    ("longest_wait_node", Scale::None),
    ("injection_queue_mean", FROM_ZERO),
    ("relative_throughput", LOGARITHM),
    ("victim_load", LOGARITHM),
    ("culprit_load", LOGARITHM),
    ("set_aside_max_ingress", FROM_ZERO),
    ("set_aside_max_egress", FROM_ZERO),
    ("set_aside_max_adapter", FROM_ZERO),
    ("set_aside_mean_ingress", FROM_ZERO),
    ("set_aside_mean_egress", FROM_ZERO),
    ("set_aside_mean_adapter", FROM_ZERO),
    ("cycle_ns", LOGARITHM),
    ("latency_mean_ns", LOGARITHM),
    ("network_latency_mean_ns", LOGARITHM),
    ("message_latency_mean_ns", LOGARITHM),
    ("accepted_flits_per_ns", LOGARITHM),
    ("packets_generated", FROM_ZERO),
    ("packets_delivered", FROM_ZERO),
    ("flits_delivered", FROM_ZERO),
    ("total_packets_generated", FROM_ZERO),
    ("total_packets_delivered", FROM_ZERO),
    ("packets_in_sources_end", FROM_ZERO),
    ("packets_in_network_end", FROM_ZERO),
    ("packets_in_flight_end", FROM_ZERO),
    ("total_flits_generated", FROM_ZERO),
    ("total_flits_delivered", FROM_ZERO),
    ("flits_in_sources_end", FROM_ZERO),
    ("flits_in_network_end", FROM_ZERO),
    ("cycles", FROM_ZERO),
    ("measured_cycles", FROM_ZERO),
    ("status", Scale::None),
    ("duration", LOGARITHM),
    ("bound", LOGARITHM),
    ("bound_by", Scale::None),
    ("efficiency", SHARE),
    ("slowdown", LOGARITHM),
    ("ideal", Scale::None),
    ("seed", Scale::None),
    ("point_id", Scale::None),
    ("digest", Scale::None),
    ("version", Scale::None),
    ("wall_seconds", LOGARITHM),
    ("cycles_per_second", LOGARITHM),
    ("flit_hops_per_second", LOGARITHM),
    ("packet_hops_per_second", LOGARITHM),
];

/// The scale of a column. One that the table does not know, such as a swept parameter, has none.
pub fn scale(column: &str) -> Scale {
    SCALES.iter().find(|(name, _)| *name == column).map_or(Scale::None, |(_, scale)| *scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::schema::{COLUMNS, Kind};

    #[test]
    fn every_column_of_a_record_has_a_scale_and_nothing_else_has() {
        let columns: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        let scales: Vec<&str> = SCALES.iter().map(|(name, _)| *name).collect();
        assert_eq!(scales, columns, "in the same order");
        for column in COLUMNS.iter().filter(|column| matches!(column.kind, Kind::Text | Kind::Bool)) {
            assert_eq!(scale(column.name), Scale::None, "{} is no number", column.name);
        }
        assert_eq!(scale("traffic.load"), Scale::None);
    }
}
