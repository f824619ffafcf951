//! Records in the terminal: a table of many, a page of one.

use super::numbers::{count, large, maybe, scalar, seconds, short, thousands};
use super::table::{Column, pairs, table};
use crate::curves::unit_of;
use tailback_pictures::terminal::Paint;
use tailback_results::table::parameter_names;
use tailback_results::{Record, Status};
use tailback_sim::Finding;
use tailback_summary::points::offers_swept_load;

/// The unit of loads.
pub const LOAD: &str = "flits/node/cycle";

/// A table of records: what the sweep varied, then the core columns that have values.
pub fn many(records: &[&Record], color: Paint) -> String {
    let mut columns = Vec::new();
    for name in parameter_names(records.iter().copied()) {
        columns.push(parameter(records, name));
    }
    if records.windows(2).any(|w| w[0].seed != w[1].seed) {
        columns.push(Column::new("seed", "", records.iter().map(|r| r.seed.to_string()).collect()));
    }
    if !records.iter().all(|record| offers_swept_load(record)) {
        columns.push(number(records, "offered", "", |r| r.offered_load.map(short)));
    }
    columns.push(number(records, "accepted", "", |r| r.accepted_load.map(short)));
    columns.push(number(records, "duration", "cycles", |r| r.duration.map(thousands)));
    columns.push(number(records, "efficiency", "", |r| r.efficiency.map(short)));
    columns.push(number(records, "latency", "cycles", |r| r.latency_mean.map(short)));
    columns.push(number(records, "p99", "cycles", |r| r.latency_p99.map(thousands)));
    columns.push(number(records, "messages", "cycles", |r| message_latency(r).map(short)));
    columns.push(number(records, "latency", "ns", |r| r.latency_mean_ns.map(short)));
    columns.push(number(records, "accepted", "flits/ns", |r| r.accepted_flits_per_ns.map(short)));
    columns.push(number(records, "hops", "links", |r| r.hops_mean.map(short)));
    columns.retain(|c| c.cells.iter().any(|cell| cell != "-"));
    columns.push(Column::text("status", records.iter().map(|r| status(r.status, color)).collect()));
    // Below every head of a load, this unit would make the table twice as wide.
    format!("{}Loads are in {LOAD}.\n", table(&columns, color))
}

fn parameter(records: &[&Record], name: &str) -> Column {
    let value = |r: &&Record| r.parameters.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    let cells = records.iter().map(|r| value(r).map_or("-".to_owned(), |v| scalar(&v))).collect();
    let numeric = records.iter().filter_map(value).all(|v| v.as_f64().is_some());
    let unit = Some(unit_of(name)).filter(|unit| *unit != LOAD).unwrap_or_default();
    Column { left: !numeric, ..Column::new(name, unit, cells) }
}

fn number(records: &[&Record], name: &str, unit: &str, cell: fn(&Record) -> Option<String>) -> Column {
    Column::new(name, unit, records.iter().map(|r| cell(r).unwrap_or("-".to_owned())).collect())
}

/// The status, green where all is well, yellow where the numbers need care, red where something broke.
pub fn status(status: Status, color: Paint) -> String {
    colored(status, status.name(), color)
}

/// Words in the colour of a status.
pub fn colored(status: Status, words: &str, color: Paint) -> String {
    let code = match status {
        Status::Steady | Status::Completed => "32",
        Status::Saturated | Status::Slow | Status::Interrupted => "33",
        Status::Deadlocked | Status::Starved | Status::Livelocked | Status::Stuck => "31",
    };
    if color == Paint::Ansi { format!("\x1b[{code}m{words}\x1b[0m") } else { words.to_owned() }
}

/// Mean latency of messages, where they are not packets.
fn message_latency(record: &Record) -> Option<f64> {
    record.message_latency_mean.filter(|_| record.message_latency_mean != record.latency_mean)
}

/// `41.5 ± 0.3`
fn with_interval(value: f64, interval: Option<f64>) -> String {
    match interval {
        Some(half) => format!("{} ± {}", short(value), short(half)),
        None => short(value),
    }
}

/// The lines about latency, in cycles and, where it is known how long one is, in ns.
fn latencies(record: &Record, push: &mut impl FnMut(&str, String)) {
    let Some(latency) = record.latency_mean else { return };
    let ns = |value: Option<f64>| value.map_or(String::new(), |ns| format!(" = {} ns", short(ns)));
    let shown = with_interval(latency, record.latency_ci95);
    push("mean latency", format!("{shown} cycles{}", ns(record.latency_mean_ns)));
    let network = ns(record.network_latency_mean_ns);
    push("  in the network", format!("{} cycles{network}", maybe(record.network_latency_mean)));
    push("  in the source queue", format!("{} cycles", maybe(record.source_latency_mean)));
    push("latency percentiles", percentiles(record));
    if let Some(messages) = message_latency(record) {
        push("mean message latency", format!("{} cycles{}", short(messages), ns(record.message_latency_mean_ns)));
    }
}

/// All that matters of one record, one line per number.
pub fn one(record: &Record, findings: &[Finding], color: Paint) -> String {
    pairs(&rows(record, findings, color))
}

/// All that matters of one record: names and values with their units.
pub fn rows(record: &Record, findings: &[Finding], color: Paint) -> Vec<(String, String)> {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut push = |name: &str, value: String| lines.push((name.to_owned(), value));
    for (name, value) in &record.parameters {
        push(name, format!("{} {}", scalar(value), unit_of(name)));
    }
    push("status", status(record.status, color));
    if let Some(duration) = record.duration {
        push("duration", format!("{} cycles", thousands(duration)));
    }
    if let Some(bound) = record.bound {
        let share = record.efficiency.map_or(String::new(), |share| format!(", efficiency {}", short(share)));
        push("bound", format!("{} cycles, by {}{share}", thousands(bound), record.bound_by));
    }
    if let Some(load) = record.offered_load {
        push("offered load", format!("{} {LOAD}", short(load)));
    }
    if let Some(load) = record.generated_load {
        push("generated load", format!("{} {LOAD}", short(load)));
    }
    if let Some(load) = record.accepted_load {
        let per_ns =
            record.accepted_flits_per_ns.map_or(String::new(), |flits| format!(", in all {} flits/ns", short(flits)));
        push("accepted load", format!("{} {LOAD}{per_ns}", with_interval(load, record.accepted_load_ci95)));
    }
    latencies(record, &mut push);
    if let Some(hops) = record.hops_mean {
        push("mean hops", format!("{} links", short(hops)));
    }
    if let Some(index) = record.jain_index {
        push("fairness of sources", format!("{} (Jain's index)", short(index)));
    }
    if let Some(wait) = record.longest_wait {
        let node = record.longest_wait_node.map_or(String::new(), |node| format!(", node {node}"));
        push("longest wait to enter", format!("{} cycles{node}", thousands(wait)));
    }
    for (what, load) in
        [("accepted of hot sources", record.culprit_load), ("accepted of the others", record.victim_load)]
    {
        if let Some(load) = load {
            push(what, format!("{} flits/node/cycle", short(load)));
        }
    }
    if let Some(most) = record.set_aside_max_ingress {
        let egress = record
            .set_aside_max_egress
            .map_or(String::new(), |most| format!(", {} at an egress side", whole(most as u64)));
        push("most set-aside queues", format!("{} at an ingress side{egress}", whole(most as u64)));
    }
    push(
        "packets delivered",
        format!("{} ({} left)", whole(record.packets_delivered), whole(record.packets_in_flight_end)),
    );
    push("simulated", format!("{} cycles, {} of them measured", whole(record.cycles), whole(record.measured_cycles)));
    for finding in findings {
        push(&finding.name.replace('_', " "), format!("{} {}", short(finding.value), finding.unit));
    }
    lines
}

fn percentiles(record: &Record) -> String {
    let whole = |value: Option<f64>| value.map_or("-".to_owned(), thousands);
    format!(
        "50 %: {}   95 %: {}   99 %: {}   largest: {} cycles",
        whole(record.latency_p50),
        whole(record.latency_p95),
        whole(record.latency_p99),
        whole(record.latency_max)
    )
}

fn whole(value: u64) -> String {
    thousands(value as f64)
}

/// One line about the work, with `noun` for a simulation: how much, how long, how fast a core.
pub fn effort(records: &[&Record], noun: &str, wall_seconds: f64) -> String {
    let cycles: u64 = records.iter().map(|r| r.cycles).sum();
    let hops = |r: &&Record| r.packet_hops_per_second.zip(r.wall_seconds).map(|(speed, wall)| speed * wall);
    let busy: f64 = records.iter().filter_map(|r| r.wall_seconds).sum();
    // The sum of nothing is -0.
    let speed = records.iter().filter_map(hops).fold(0.0, |sum, hops| sum + hops) / busy.max(1e-9);
    format!(
        "{}, {} cycles in {}; {} packet-hops/s on a core",
        count(records.len() as u64, noun),
        thousands(cycles as f64),
        seconds(wall_seconds),
        large(speed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::Scalar;

    #[test]
    fn a_clock_adds_ns_and_cut_messages_their_latency() {
        let timed = Record {
            latency_mean: Some(41.5),
            network_latency_mean: Some(40.0),
            message_latency_mean: Some(60.0),
            cycle_ns: Some(2.0),
            latency_mean_ns: Some(83.0),
            network_latency_mean_ns: Some(80.0),
            message_latency_mean_ns: Some(120.0),
            accepted_flits_per_ns: Some(3.2),
            jain_index: Some(0.98765),
            longest_wait: Some(1234.0),
            longest_wait_node: Some(17.0),
            ..record(0.1, 0.1)
        };
        insta::assert_snapshot!(one(&timed, &[], Paint::Plain), @r"
          traffic.load           0.1 flits/node/cycle
          status                 steady
          offered load           0.1000 flits/node/cycle
          accepted load          0.1000 flits/node/cycle, in all 3.200 flits/ns
          mean latency           41.50 cycles = 83.00 ns
            in the network       40.00 cycles = 80.00 ns
            in the source queue  - cycles
          latency percentiles    50 %: -   95 %: -   99 %: -   largest: - cycles
          mean message latency   60.00 cycles = 120.0 ns
          fairness of sources    0.9877 (Jain's index)
          longest wait to enter  1,234 cycles, node 17
          packets delivered      0 (0 left)
          simulated              0 cycles, 0 of them measured
        ");
        insta::assert_snapshot!(many(&[&timed, &record(0.2, 0.1)], Paint::Plain), @r"
        traffic.load  accepted  latency  messages  latency  accepted  status
                                 cycles    cycles       ns  flits/ns
        ────────────  ────────  ───────  ────────  ───────  ────────  ──────
                 0.1    0.1000    41.50     60.00    83.00     3.200  steady
                 0.2    0.1000        -         -        -         -  steady
        Loads are in flits/node/cycle.
        ");
    }

    fn record(load: f64, accepted: f64) -> Record {
        let parameters = vec![("traffic.load".to_owned(), Scalar::Float(load))];
        let loads = (Some(load), Some(accepted));
        Record {
            parameters,
            offered_load: loads.0,
            accepted_load: loads.1,
            ..Record::empty("i", 1, "0", Status::Steady)
        }
    }

    #[test]
    fn columns_without_values_are_left_out() {
        let records = [record(0.1, 0.1), record(0.25, 0.2)];
        let shown = many(&[&records[0], &records[1]], Paint::Plain);
        insta::assert_snapshot!(shown, @r"
        traffic.load  accepted  status
        ────────────  ────────  ──────
                 0.1    0.1000  steady
                0.25    0.2000  steady
        Loads are in flits/node/cycle.
        ");
    }

    #[test]
    fn one_record_is_a_page() {
        let latency = Record { latency_mean: Some(41.5), latency_ci95: Some(0.25), ..record(0.1, 0.1) };
        let finding = Finding { name: "critical_load".into(), unit: LOAD.into(), value: 0.11 };
        insta::assert_snapshot!(one(&latency, &[finding], Paint::Plain), @r"
          traffic.load           0.1 flits/node/cycle
          status                 steady
          offered load           0.1000 flits/node/cycle
          accepted load          0.1000 flits/node/cycle
          mean latency           41.50 ± 0.2500 cycles
            in the network       - cycles
            in the source queue  - cycles
          latency percentiles    50 %: -   95 %: -   99 %: -   largest: - cycles
          packets delivered      0 (0 left)
          simulated              0 cycles, 0 of them measured
          critical load          0.1100 flits/node/cycle
        ");
    }
}
