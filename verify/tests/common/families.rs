//! Networks of families, and what the static check says of a routing on them.

use tailback_deadlock::{Heads, Rules, Sharing, Verdict};
use tailback_engine::contract::routing::Routing;
use tailback_network::family::{self, Built};
use tailback_spec::{Catalogue, Document};

/// A member of a family, by its parameters with spaces between them.
pub fn built(kind: &str, sets: &str) -> Built {
    let sections = [family::section()].into_iter().chain(family::subsections()).collect();
    let catalogue = Catalogue { sections, ..Catalogue::default() };
    let lines: Vec<String> = sets.split(' ').map(|set| format!("topology.{set}\n")).collect();
    let text = format!("topology.kind = \"{kind}\"\n{}", lines.concat());
    let document = Document::parse("spec.toml", text.as_bytes()).expect("readable");
    let resolved = document.resolve(&catalogue).unwrap_or_else(|errors| panic!("{kind}: {errors}"));
    family::build(resolved.view("topology")).unwrap_or_else(|error| panic!("{kind}: {}", error.message))
}

/// What the check says.
pub fn verdict<R: Routing + Sync>(built: &Built, routing: &R, channels: u32) -> Verdict {
    let network = tailback_deadlock::Network::new(&built.network, routing, channels, Heads::Request);
    let rules = Rules { sharing: Sharing::Whole, bubbles: false };
    tailback_deadlock::check(&network, rules, 1 << 26).expect("it is small")
}
