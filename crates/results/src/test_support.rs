//! What the tests share: a filled record, and arbitrary ones.

use crate::schema::{Record, Scalar, Status};
use proptest::prelude::*;

/// A record in which every column has a value of its own.
pub(crate) fn filled() -> Record {
    Record {
        parameters: vec![
            ("traffic.load".into(), Scalar::Float(0.25)),
            ("router.channels".into(), Scalar::Integer(3)),
            ("admission.kind".into(), Scalar::Text("spth".into())),
            ("admission.ideal".into(), Scalar::Bool(true)),
        ],
        offered_load: Some(0.25),
        generated_load: Some(0.249),
        accepted_load: Some(0.1 + 0.2),
        accepted_load_ci95: Some(0.001),
        latency_mean: Some(80.5),
        latency_ci95: Some(1.5),
        latency_p50: Some(70.0),
        latency_p95: Some(140.0),
        latency_p99: Some(200.0),
        latency_p999: Some(260.0),
        latency_max: Some(301.0),
        arrived_latency_mean: Some(82.5),
        network_latency_mean: Some(60.25),
        source_latency_mean: Some(20.25),
        hops_mean: Some(16.0),
        message_latency_mean: Some(90.5),
        message_latency_p50: Some(75.0),
        message_latency_p95: Some(150.0),
        message_latency_p99: Some(210.0),
        message_latency_p999: Some(270.0),
        message_latency_max: Some(311.0),
        jain_index: Some(0.875),
        longest_wait: Some(512.0),
        longest_wait_node: Some(7.0),
        injection_queue_mean: Some(1.5),
        relative_throughput: Some(0.96),
        victim_load: Some(0.24),
        culprit_load: Some(0.015),
        set_aside_max_ingress: Some(8.0),
        set_aside_max_egress: Some(7.0),
        set_aside_max_adapter: Some(2.0),
        set_aside_mean_ingress: Some(0.5),
        set_aside_mean_egress: Some(0.25),
        set_aside_mean_adapter: Some(0.125),
        cycle_ns: Some(2.5),
        latency_mean_ns: Some(201.25),
        network_latency_mean_ns: Some(150.625),
        message_latency_mean_ns: Some(226.25),
        accepted_flits_per_ns: Some(12.5),
        packets_generated: 1001,
        packets_delivered: 1000,
        flits_delivered: 8000,
        total_packets_generated: 1501,
        total_packets_delivered: 1484,
        packets_in_sources_end: 12,
        packets_in_network_end: 5,
        packets_in_flight_end: 17,
        total_flits_generated: 12_008,
        total_flits_delivered: 11_872,
        flits_in_sources_end: 96,
        flits_in_network_end: 40,
        cycles: 30_000,
        measured_cycles: 20_000,
        status: Status::Steady,
        duration: Some(1301.0),
        bound: Some(1201.0),
        bound_by: "ports".into(),
        efficiency: Some(0.9231),
        slowdown: Some(1.75),
        ideal: true,
        seed: u64::MAX,
        point_id: "a1b2".into(),
        digest: "00ff".into(),
        version: "0.1.0".into(),
        wall_seconds: Some(0.5),
        cycles_per_second: Some(60_000.0),
        flit_hops_per_second: Some(1e8),
        packet_hops_per_second: Some(1.25e7),
    }
}

fn number() -> impl Strategy<Value = Option<f64>> {
    proptest::option::of(prop_oneof![any::<f64>().prop_filter("finite", |v| v.is_finite()), 0.0..1e6])
}

fn scalar() -> impl Strategy<Value = Scalar> {
    prop_oneof![
        any::<bool>().prop_map(Scalar::Bool),
        any::<i64>().prop_map(Scalar::Integer),
        any::<f64>().prop_filter("finite", |v| v.is_finite()).prop_map(Scalar::Float),
        any::<String>().prop_map(Scalar::Text),
    ]
}

fn status() -> impl Strategy<Value = Status> {
    use Status::*;
    proptest::sample::select(vec![
        Steady,
        Saturated,
        Deadlocked,
        Starved,
        Livelocked,
        Completed,
        Slow,
        Stuck,
        Interrupted,
    ])
}

/// Arbitrary records with parameters of distinct names.
pub(crate) fn any_record() -> impl Strategy<Value = Record> {
    let parameters = proptest::collection::btree_map("[a-z]{1,6}\\.[a-z_]{1,9}", scalar(), 0..5);
    let numbers = proptest::collection::vec(number(), 8);
    let counts = proptest::array::uniform8(any::<u64>());
    (parameters, numbers, counts, status(), any::<u64>(), any::<String>()).prop_map(
        |(parameters, numbers, counts, status, seed, text)| Record {
            parameters: parameters.into_iter().collect(),
            offered_load: numbers[0],
            accepted_load: numbers[1],
            latency_mean: numbers[2],
            latency_p999: numbers[3],
            latency_max: numbers[4],
            duration: numbers[5],
            wall_seconds: numbers[6],
            hops_mean: numbers[7],
            packets_generated: counts[0],
            packets_delivered: counts[1],
            flits_delivered: counts[2],
            packets_in_flight_end: counts[3],
            cycles: counts[4],
            measured_cycles: counts[5],
            total_packets_generated: counts[6],
            flits_in_network_end: counts[7],
            digest: text.clone(),
            ..Record::empty(text, seed, "0.1.0", status)
        },
    )
}
