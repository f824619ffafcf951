//! From the text of a spec to what the façade says of its first point.
#![allow(dead_code, reason = "`forged` stands alone and needs little of it")]

pub mod data_paths;
pub mod random;
pub mod ranks;
pub mod same;
pub mod specs;
pub mod timeless;

pub use random::kinds;
use tailback_results::{Record, Series};
use tailback_sim::{Facts, Outcome, Prepared, catalogue, prepare, run};
use tailback_spec::{Document, Errors};
use tailback_traffic::{Shape, Traffic};

/// The throttles that decide by nothing but their own router, so that parts of a network need not know of each other.
pub fn local_throttles() -> Vec<&'static str> {
    let is_local = |kind: &&str| {
        let spec = format!("topology = {{ kind = 'torus', radix = [4, 4] }}\nadmission = '{kind}'\n");
        prepared(&format!("{spec}traffic.load = 0.1\n")).is_ok_and(|prepared| prepared.indivisible().is_none())
    };
    kinds("admission").into_iter().filter(is_local).collect()
}

pub fn prepared(spec: &str) -> Result<Prepared, Errors> {
    let points = Document::parse("test.toml", spec.as_bytes())?.expand(catalogue())?;
    prepare(&points[0])
}

pub fn outcome(spec: &str) -> Outcome {
    let prepared = prepared(spec).unwrap_or_else(|e| panic!("{}", e.render()));
    same::controlled(|control| run(&prepared, control))
}

/// What the sources of a point have to send before cycle `end`, packets and flits, where no queue is full: asked of its traffic,
/// packet by packet. Messages are cut as the spec has it.
pub fn due(prepared: &Prepared, end: u64) -> (u64, u64) {
    let resolved = &prepared.point().resolved;
    let view = |section| resolved.view(section);
    let (shape, router) = (view("topology"), view("router"));
    let shape = Shape { radix: shape.u32s("radix"), nodes_per_router: prepared.grid().nodes_per_router() };
    let traffic =
        Traffic::build(view("traffic"), view("workload"), &shape, prepared.point().seed).expect("it was built");
    let cut = match router.kind() {
        "adaptive_cut_through" => view("traffic").u32("packet_flits"),
        "input_output_queued" => router.u32("packet_bytes") / router.u32("flit_bytes"),
        _ => 0,
    };
    let (mut packets, mut flits) = (0, 0);
    for node in 0..shape.nodes() {
        let mut source = traffic.source(node);
        let next = || traffic.next(node, &mut source);
        for message in std::iter::from_fn(next).take_while(|message| message.cycle < end) {
            packets += u64::from(message.flits.checked_div(cut).unwrap_or(1));
            flits += u64::from(message.flits);
        }
    }
    (packets, flits)
}

/// That what was made is delivered, in the sources or in the network, to the packet and to the flit.
pub fn adds_up(record: &Record) -> bool {
    let packets = record.total_packets_delivered + record.packets_in_sources_end + record.packets_in_network_end;
    let flits = record.total_flits_delivered + record.flits_in_sources_end + record.flits_in_network_end;
    record.total_packets_generated == packets
        && record.total_flits_generated == flits
        && record.packets_in_flight_end == record.packets_in_sources_end + record.packets_in_network_end
}

pub fn facts(spec: &str) -> Facts {
    prepared(spec).unwrap_or_else(|e| panic!("{}", e.render())).facts()
}

/// The message without its line breaks.
pub fn refusal(spec: &str) -> String {
    let text = prepared(spec).err().map(|e| e.render()).unwrap_or_else(|| panic!("not refused: {spec}"));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A spec with parts of its text replaced, all of which it must have.
pub fn changed(spec: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(spec.to_owned(), |spec, (from, to)| {
        assert!(spec.contains(from), "{from}");
        spec.replace(from, to)
    })
}

pub fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Series {
    Series::named(&outcome.series, name).unwrap_or_else(|| panic!("no table {name}"))
}

pub fn column<'a>(series: &'a Series, name: &str) -> &'a [f64] {
    series.column(name).unwrap_or_else(|| panic!("no column {name}"))
}
