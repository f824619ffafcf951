//! The times of every preset of `bubble-1999` are those of the paper's pipelines: an empty network's latency is cycles a router
//! times routers on the way, and the length of the packet.

use tailback_cost::{Variant, price};
use tailback_spec::{Document, Point};

fn points(name: &str) -> Vec<Point> {
    let file = format!("{}/../../papers/bubble-1999/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let document = Document::parse(&file, &text).unwrap_or_else(|errors| panic!("{errors}"));
    document.expand(tailback_sim::catalogue()).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn empty_networks_have_the_latency_of_the_pipelines() {
    let mut seen = 0;
    for name in ["table5", "base-3d"] {
        for point in points(name).iter().step_by(5) {
            let prepared = tailback_sim::prepare(point).unwrap_or_else(|errors| panic!("{errors}"));
            let facts = prepared.facts();
            let (Some(hops), Some(found)) = (facts.hops_mean, facts.zero_load_latency) else { continue };
            if point.resolved.view("traffic.size").kind() != "fixed" {
                continue;
            }
            let name = point.resolved.get("preset").and_then(|name| name.as_str()).expect("every point has a preset");
            let preset = tailback_cost::preset(name).expect("it is one of the presets");
            let cost = price(Variant::of(preset.family, preset.dimensions)).expect("the paper's routers have a price");
            let cycles = f64::from(cost.cycles.0) * (hops + 1.0);
            let expected = if preset.family.crossbar_by_channel() { cycles + 15.0 } else { cycles + 16.0 };
            // Turns and consumption of the two-dimensional adaptive bubble router take a cycle more each.
            let extra = 2.0 * f64::from(cost.cycles.1 - cost.cycles.0);
            assert!((expected - 1e-9..=expected + extra + 1e-9).contains(&found), "{name} {found} {expected}");
            seen += 1;
        }
    }
    assert!(seen > 10, "most points have one length of packet");
}
