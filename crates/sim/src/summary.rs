//! Summing a run up: the record, its tables, findings and the explanation.

use crate::anatomy;
use crate::critical;
use crate::outcome::Outcome;
use crate::prepare::Prepared;
use crate::ramp::ramp;
use crate::run::Finished;
use crate::why::why;
use crate::{VERSION, catalogue};
use tailback_engine::Totals;
use tailback_network::bounds::bisection_links;
use tailback_probes::{End, Finding, Meter, Windows, congestion_trees};
use tailback_results::statistics::{batch_means, batch_means_of_ratio, mser5};
use tailback_results::{Capsule, Digest, LatencyHistogram, Record, Scalar, Series, Status};
use tailback_traffic::Course;

impl Finished {
    pub(crate) fn sum_up(self, prepared: &Prepared) -> Outcome {
        let (diagnosis, long_waits) = self.diagnosis(prepared);
        let record = self.record(prepared, diagnosis.status());
        let ramp = ramp(&self, prepared);
        let findings = self.findings(prepared, &record, ramp.findings);
        let spec = prepared.point.resolved.to_toml(catalogue());
        let end = self.end(prepared, record.measured_cycles);
        let link_map = self.watch.link_load.as_ref().map(|links| links.uses(&end));
        let ends = (&diagnosis, long_waits.as_ref(), ramp.remark.as_deref());
        let why = why(prepared, &record, &self, ends, link_map.as_deref());
        let series = self.series(prepared, &end);
        Outcome {
            capsule: Capsule::new(spec, record.clone()),
            settled: self.settled,
            record,
            series,
            space_time: self.watch.space_time.clone(),
            link_map,
            anatomy: self.anatomy,
            jobs: self.standing.as_ref().map_or_else(Vec::new, |standing| prepared.jobs_done(standing)),
            critical: self.critical,
            findings,
            explanation: why.paragraph(),
            why,
            diagnosis,
            long_waits,
            ramp_remark: ramp.remark,
            watchdog_share: self.watchdog.as_secs_f64() / self.wall.as_secs_f64().max(1e-9),
        }
    }

    /// What probes are told of the end.
    fn end<'a>(&'a self, prepared: &'a Prepared, measured_cycles: u64) -> End<'a> {
        End { site: prepared.site_in(self.window), cycle: self.cycle, measured_cycles, watch: &self.watch }
    }

    /// All tables, those without rows among them.
    fn series(&self, prepared: &Prepared, end: &End<'_>) -> Vec<Series> {
        let mut series = self.watch.tables(end);
        series.extend(self.watch.set_aside.as_ref().map(|_| congestion_trees::table(&self.trees)));
        series.extend(self.anatomy.iter().flat_map(|dissected| anatomy::tables(dissected, end.site.network)));
        let told = self.standing.as_ref().filter(|_| prepared.view("probes").bool("operations"));
        let program = prepared.traffic.program();
        if let Some((of, placed)) = told.zip(program) {
            series.extend([critical::ranks(placed, &of.told), critical::operations(placed, &of.told)]);
        }
        series.extend(self.critical.iter().flat_map(|path| [critical::segments(path), critical::links(path)]));
        series
    }

    fn record(&self, prepared: &Prepared, status: Status) -> Record {
        let point = &prepared.point;
        let meter = &self.watch.meter;
        let (from, to) = self.window;
        let collective = prepared.traffic.ends();
        let last = self.standing.as_ref().and_then(|standing| standing.completed).unwrap_or(meter.last_delivery);
        // The clock of a host stands where the host left it.
        let ended = status == Status::Completed && prepared.traffic.hosted().is_none();
        let cycles = if ended { last } else { self.cycle };
        let measured = cycles.min(to).saturating_sub(from);
        let per_node_cycle = |flits: u64| flits as f64 / (prepared.nodes() as f64 * measured.max(1) as f64);
        let (before, counters) = (&self.before, self.counters);
        // Whoever interrupts does not wait for what is to be counted.
        let least = if status == Status::Interrupted { None } else { prepared.least() };
        let duration = (collective && status == Status::Completed).then_some(last as f64);
        let seconds = self.wall.as_secs_f64().max(1e-9);
        let latency = meter.latency.mean();
        let over = |sum: u128, packets: u64| (packets > 0).then(|| sum as f64 / packets as f64);
        let mean = |sum: u128| over(sum, meter.latency.count());
        let percentile = |p| percentile(&meter.latency, p);
        let network = mean(meter.network_latency_sum);
        let full = measured == to - from;
        let mut record = Record {
            parameters: parameters(&point.swept),
            offered_load: prepared.offered_load(),
            generated_load: Some(per_node_cycle(meter.made_flits)),
            accepted_load: Some(per_node_cycle(meter.delivered_flits)),
            accepted_load_ci95: full.then(|| accepted_interval(meter, prepared.nodes())).flatten(),
            latency_mean: latency,
            latency_ci95: full.then(|| latency_interval(meter)).flatten(),
            latency_p50: percentile(50.0),
            latency_p95: percentile(95.0),
            latency_p99: percentile(99.0),
            latency_p999: percentile(99.9),
            latency_max: meter.latency.max().map(|v| v as f64),
            arrived_latency_mean: over(meter.arrived_latency_sum, meter.delivered_packets),
            network_latency_mean: network,
            source_latency_mean: latency.zip(network).map(|(l, n)| l - n),
            hops_mean: mean(meter.hops_sum),
            packets_generated: meter.made_packets,
            packets_delivered: meter.delivered_packets,
            flits_delivered: meter.delivered_flits,
            cycles,
            measured_cycles: measured,
            duration,
            bound: least.map(|least| least.cycles as f64),
            bound_by: least.map_or_else(String::new, |least| least.by.to_owned()),
            efficiency: least.zip(duration).and_then(|(least, duration)| least.efficiency(duration)),
            ideal: prepared.is_ideal(),
            wall_seconds: Some(seconds),
            cycles_per_second: Some((self.cycle - before.0) as f64 / seconds),
            flit_hops_per_second: Some((counters.flit_hops - before.1.flit_hops) as f64 / seconds),
            packet_hops_per_second: Some((counters.packet_hops - before.1.packet_hops) as f64 / seconds),
            ..Record::empty(point.id.clone(), point.seed, VERSION, status)
        };
        self.totals(&mut record);
        self.watch.columns(&self.end(prepared, measured), &mut record);
        if let Some(grid) = prepared.network.grid() {
            let limit = 4.0 * bisection_links(grid) as f64 / prepared.nodes() as f64;
            record.relative_throughput = record.accepted_load.map(|load| load / limit);
        }
        in_ns(crate::router::cycle_ns(&point.resolved), &mut record);
        record.digest = self.digest(cycles);
        record
    }

    /// What became of all packets since cycle 0.
    fn totals(&self, record: &mut Record) {
        let Totals { generated, delivered, in_sources, in_network } = self.totals;
        record.total_packets_generated = generated.packets;
        record.total_packets_delivered = delivered.packets;
        record.packets_in_sources_end = in_sources.packets;
        record.packets_in_network_end = in_network.packets;
        record.packets_in_flight_end = in_sources.packets + in_network.packets;
        record.total_flits_generated = generated.flits;
        record.total_flits_delivered = delivered.flits;
        record.flits_in_sources_end = in_sources.flits;
        record.flits_in_network_end = in_network.flits;
    }

    /// The digest of what was simulated up to cycle `end`, and of nothing else: what was measured of it, and how, how the work was
    /// shared out and what the end is called stay out. `docs/results.md` says what enters.
    fn digest(&self, end: u64) -> String {
        let (counters, Totals { generated, delivered, in_sources, in_network }) = (self.counters, self.totals);
        let amounts = [generated, delivered, in_sources, in_network].map(|amount| [amount.packets, amount.flits]);
        let mut digest = Digest::new();
        digest
            .u64("deliveries", self.watch.meter.deliveries_hash)
            .u64("ways", self.watch.meter.ways_hash)
            .u64_list("totals", amounts.as_flattened())
            .u64("packet_hops", counters.packet_hops)
            .u64("flit_hops", counters.flit_hops)
            .u64("cycles", end);
        digest.finish()
    }

    fn findings(&self, prepared: &Prepared, record: &Record, mut findings: Vec<Finding>) -> Vec<Finding> {
        if prepared.course() == Course::Steady && record.status == Status::Steady {
            findings.extend(warmup_finding(&self.watch.windows, prepared));
        }
        findings.extend(self.watch.findings(&self.end(prepared, record.measured_cycles)));
        findings
    }
}

fn percentile(latency: &LatencyHistogram, percent: f64) -> Option<f64> {
    latency.percentile(percent).map(|v| v as f64)
}

/// Fills the columns in ns, where the length of a cycle is known.
fn in_ns(cycle_ns: Option<f64>, record: &mut Record) {
    let Some(cycle_ns) = cycle_ns else { return };
    let ns = |cycles: Option<f64>| cycles.map(|cycles| cycles * cycle_ns);
    record.cycle_ns = Some(cycle_ns);
    record.latency_mean_ns = ns(record.latency_mean);
    record.network_latency_mean_ns = ns(record.network_latency_mean);
    record.message_latency_mean_ns = ns(record.message_latency_mean);
    let measured = record.measured_cycles as f64 * cycle_ns;
    record.accepted_flits_per_ns = (measured > 0.0).then(|| record.flits_delivered as f64 / measured);
}

/// What the sweep chose, as columns; a component given as a table becomes its kind and its parameters.
pub fn parameters(swept: &[(String, toml::Value)]) -> Vec<(String, Scalar)> {
    let mut columns = Vec::new();
    for (path, value) in swept.iter().filter(|(path, _)| path != "run.seed") {
        flatten(path, value, &mut columns);
    }
    columns
}

fn flatten(path: &str, value: &toml::Value, columns: &mut Vec<(String, Scalar)>) {
    let scalar = match value {
        toml::Value::Boolean(v) => Scalar::Bool(*v),
        toml::Value::Integer(v) => Scalar::Integer(*v),
        toml::Value::Float(v) => Scalar::Float(*v),
        toml::Value::String(v) => Scalar::Text(v.clone()),
        toml::Value::Table(table) => {
            for (key, value) in table {
                // `admission = { kind = "spth" }` and `admission = "off"` are one column.
                let name = if key == "kind" { path.to_owned() } else { format!("{path}.{key}") };
                flatten(&name, value, columns);
            }
            return;
        }
        other => Scalar::Text(other.to_string()),
    };
    columns.push((path.to_owned(), scalar));
}

fn accepted_interval(meter: &Meter, nodes: usize) -> Option<f64> {
    let per_batch = meter.batch_cycles() as f64 * nodes as f64;
    let loads: Vec<f64> = meter.batches().iter().map(|b| b.delivered_flits as f64 / per_batch).collect();
    batch_means(&loads, 10).map(|b| b.half_width)
}

fn latency_interval(meter: &Meter) -> Option<f64> {
    let sums: Vec<f64> = meter.batches().iter().map(|b| b.latency as f64).collect();
    let packets: Vec<f64> = meter.batches().iter().map(|b| b.packets as f64).collect();
    batch_means_of_ratio(&sums, &packets, 10).map(|b| b.half_width)
}

/// The warm-up that the latency series asks for (MSER-5), where it can be trusted.
fn warmup_finding(windows: &Windows, prepared: &Prepared) -> Option<Finding> {
    let (_, to) = prepared.measured_window();
    let series = windows.series(to);
    let latency: Vec<f64> = series.columns[2].values.iter().copied().filter(|v| v.is_finite()).collect();
    let warmup = mser5(&latency);
    let cycles = warmup.truncate as f64 * windows.cycles() as f64;
    warmup.trusted.then_some(Finding::new("warmup_needed", "cycles", cycles))
}
