//! What the probes of a run report, against numbers worked out by hand and against each other.

use crate::common::{column, outcome, table};

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found}, not {expected}");
}

/// Two routers with two nodes each; every node sends a packet to the other side in cycle 0.
const CROSSING: &str = "
topology = { kind = 'mesh', radix = [2], nodes_per_router = 2 }
router = { virtual_channels = 1, buffer_flits = 16 }
traffic = { pattern = 'bcmp', size = { kind = 'fixed', flits = 8 } }
workload = { kind = 'collective', packets_per_node = 1 }
";

/// A steady torus.
const STEADY: &str = "
topology = { kind = 'torus', radix = [4, 4] }
router = { virtual_channels = 2, buffer_flits = 16 }
traffic = { load = 0.3, size = { kind = 'fixed', flits = 8 } }
workload = { kind = 'steady', warmup_cycles = 100, measure_cycles = 1000, drain_cycles = 1000 }
";

#[test]
fn of_two_packets_for_one_link_one_waits_for_the_other() {
    let wormhole = CROSSING.replace("router = {", "router = { kind = 'wormhole',");
    let adaptive = CROSSING.replace("router = {", "router = { kind = 'adaptive_cut_through',");
    for spec in [CROSSING, &wormhole, &adaptive] {
        let record = outcome(spec).record;
        assert_eq!(record.jain_index, Some(1.0));
        // The link is taken for the eight cycles of the first packet. Wormhole heads need a cycle more for their turn.
        let wait = record.longest_wait.expect("packets");
        assert!(wait == 8.0 || spec == wormhole && (8.0..=12.0).contains(&wait), "{wait}: {spec}");
        assert!(record.longest_wait_node.is_some_and(|node| node < 4.0));
    }
}

#[test]
fn packets_that_nobody_stands_in_the_way_of_do_not_wait() {
    let spec = "
        topology = { kind = 'torus', radix = [4] }
        router = { virtual_channels = 2, buffer_flits = 16 }
        traffic = { pattern = 'neighbour', size = { kind = 'fixed', flits = 8 } }
        workload = { kind = 'collective', packets_per_node = 3 }";
    let record = outcome(spec).record;
    assert_eq!((record.longest_wait, record.longest_wait_node, record.jain_index), (Some(0.0), None, Some(1.0)));
}

#[test]
fn nodes_share_what_the_network_delivers() {
    let outcome = outcome(&format!("{STEADY}probes = {{ node_load = true }}"));
    let nodes = table(&outcome, "nodes");
    let (sent, received) = (column(nodes, "sent"), column(nodes, "received"));
    let all = outcome.record.flits_delivered as f64 / outcome.record.measured_cycles as f64;
    assert_eq!((sent.len(), received.len()), (16, 16));
    near(sent.iter().sum(), all);
    near(received.iter().sum(), all);
    let squares: f64 = sent.iter().map(|x| x * x).sum();
    near(outcome.record.jain_index.expect("deliveries"), all * all / (16.0 * squares));
    let longest = column(nodes, "longest_wait").iter().copied().fold(0.0, f64::max);
    assert_eq!(outcome.record.longest_wait, Some(longest));
    let node = outcome.record.longest_wait_node.expect("some waited") as usize;
    assert_eq!(column(nodes, "longest_wait")[node], longest);
}

#[test]
fn channels_are_as_full_as_samples_of_every_cycle_and_as_used_as_their_links() {
    let probes =
        "probes = { channel_occupancy = true, link_load = true, occupancy_every_cycles = 1, window_cycles = 50 }";
    let outcome = outcome(&format!("{STEADY}{probes}"));
    let (samples, windows) = (table(&outcome, "occupancy"), table(&outcome, "channel_occupancy"));
    let channels = table(&outcome, "channels");
    assert_eq!((channels.x.len(), windows.columns.len()), (8, 8));
    for (row, window) in windows.columns.iter().enumerate() {
        let sampled = column(samples, &format!("{}_mean", window.name));
        let mean = |cycles: &[f64]| cycles.iter().sum::<f64>() / cycles.len() as f64;
        window.values.iter().zip(sampled.chunks(50)).for_each(|(&found, cycles)| near(found, mean(cycles)));
        near(column(channels, "occupancy")[row], mean(&sampled[100..1100]));
    }
    let used: f64 = column(channels, "utilisation").iter().sum();
    let links = column(table(&outcome, "links"), "utilisation");
    near(used / 4.0, links.iter().sum::<f64>() / links.len() as f64);
    assert!(used > 0.1 && column(channels, "occupancy").iter().all(|&level| level > 0.0));
}

#[test]
fn levels_that_are_counted_when_somebody_reads_them_are_those_that_are_counted_in_every_cycle() {
    let spec = "
        topology = { kind = 'torus', radix = [9, 9] }
        router = { kind = 'wormhole', buffer_flits = 4 }
        traffic = { load = 0.7, size = { kind = 'fixed', flits = 8 } }
        workload = { kind = 'steady', warmup_cycles = 100, measure_cycles = 600, drain_cycles = 100 }";
    let read = "occupancy_every_cycles = 7, congestion = true, window_cycles = 30, anatomy_every_cycles = 23, \
                space_time_cycles = 50, space_time_from_cycle = 200";
    let seen = |more: &str| {
        let outcome = outcome(&format!("{spec}\nprobes = {{ {read}{more} }}"));
        let tables =
            outcome.series.iter().filter(|table| !["channels", "channel_occupancy"].contains(&table.name.as_str()));
        let tables: Vec<String> = tables.map(|table| table.to_csv().expect("columns fit")).collect();
        (tables, outcome.space_time.expect("a chart").panels)
    };
    let (tables, panels) = seen("");
    assert!(panels.iter().any(|panel| panel.cells.iter().any(|&cell| cell != 0)), "nothing was ever full");
    // Now somebody reads them in every cycle.
    assert_eq!((tables, panels), seen(", channel_occupancy = true"));
}

/// Below saturation what arrives in the window is like what is made in it; beyond, what waits is left out.
#[test]
fn latency_of_arrivals_leaves_out_what_waits() {
    let both = |load: f64| {
        let record = outcome(&STEADY.replace("load = 0.3", &format!("load = {load}"))).record;
        (record.latency_mean.expect("packets"), record.arrived_latency_mean.expect("packets"))
    };
    let (made, arrived) = both(0.1);
    assert!(made != arrived && (arrived / made - 1.0).abs() < 0.1, "{arrived} beside {made} cycles");
    let (made, arrived) = both(2.0);
    assert!(arrived < 0.9 * made, "{arrived} beside {made} cycles");
}

#[test]
fn a_clock_gives_ns_and_changes_nothing_else() {
    let (plain, timed) = (outcome(STEADY).record, outcome(&format!("{STEADY}clock = {{ cycle_ns = 2.5 }}")).record);
    assert_eq!((plain.cycle_ns, plain.latency_mean_ns, plain.accepted_flits_per_ns), (None, None, None));
    assert_eq!((timed.digest == plain.digest, timed.cycle_ns), (true, Some(2.5)));
    for (ns, cycles) in [
        (timed.latency_mean_ns, timed.latency_mean),
        (timed.network_latency_mean_ns, timed.network_latency_mean),
        (timed.message_latency_mean_ns, timed.message_latency_mean),
    ] {
        near(ns.expect("a clock"), 2.5 * cycles.expect("packets"));
    }
    let accepted = timed.accepted_load.expect("a load");
    near(timed.accepted_flits_per_ns.expect("a clock"), accepted * 16.0 / 2.5);
}

#[test]
fn where_messages_are_not_cut_their_latency_is_that_of_packets() {
    let record = outcome(STEADY).record;
    let packets = [record.latency_mean, record.latency_p50, record.latency_p99, record.latency_max];
    let messages = [
        record.message_latency_mean,
        record.message_latency_p50,
        record.message_latency_p99,
        record.message_latency_max,
    ];
    assert_eq!(packets, messages);
    assert!(record.latency_mean.is_some());
}

#[test]
fn a_message_is_as_late_as_its_last_packet() {
    // Alone in the network, the second packet of a message follows the first one four cycles behind.
    let spec = STEADY
        .replace("router = {", "router = { kind = 'adaptive_cut_through',")
        .replace("load = 0.3,", "load = 0.002, packet_flits = 4,")
        .replace("measure_cycles = 1000", "measure_cycles = 20000");
    let outcome = outcome(&format!("{spec}probes = {{ injection_queues = true }}"));
    let record = &outcome.record;
    let (packets, messages) = (record.latency_mean.expect("packets"), record.message_latency_mean.expect("messages"));
    assert!((messages - packets - 2.0).abs() < 0.2, "{messages} {packets}");
    assert!(table(&outcome, "message_latency_histogram").x.len() > 1);
    // A packet is in its queue until its tail has left: the first one four cycles, the second one eight.
    let load = record.accepted_load.expect("a load");
    let queued = record.injection_queue_mean.expect("the data path tells");
    assert!((queued / (load / 8.0 * 12.0) - 1.0).abs() < 0.1, "{queued} at load {load}");
    assert!(table(&outcome, "injection_queues").x.len() > 100);
}
