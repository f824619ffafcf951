//! `explain`: readable, complete, and the same spec again.

use crate::sample::{catalogue, document, resolve};

const SPEC: &str = "name = \"a \\\"b\\\"\"\ntopology = { radix = [4, 4] }\n[traffic]\nload = 0.5\n[workload]\nkind = \"phases\"\nphases = [{ cycles = 5 }, { pattern = \"hot-spot\", cycles = 9 }]\n[sweep]\n\"admission.kind\" = [\"spth\", \"off\"]\n";

#[test]
fn explain_shows_units_and_defaults() {
    let text = resolve(SPEC).unwrap().to_toml(&catalogue());
    insta::assert_snapshot!(text, @r##"
name = "a \"b\""

[run]  # A section.
seed = 1                            # default
replicas = 1                        # default
audit = false                       # default

[topology]  # A section.
kind = "torus"                      # A k-ary n-cube; default
radix = [4, 4]                      # routers
weights = []                        # default

[network]  # A section.
vcs = 2                             # virtual channels; default
buffer_flits = 16                   # flits; default
source_queue = "infinite"           # packets; default
hop_cycles = "auto"                 # cycles; default

[traffic]  # A section.
load = 0.5                          # flits/node/cycle
ties = "random"                     # default

[traffic.pattern]  # A section.
kind = "uniform"                    # Every other node alike; default

[workload]  # A section.
kind = "phases"                     # A list of patterns.

[[workload.phases]]
cycles = 5                          # cycles
label = ""                          # default

[workload.phases.pattern]  # Pattern.
kind = "uniform"                    # Every other node alike; default

[[workload.phases]]
cycles = 9                          # cycles
label = ""                          # default

[workload.phases.pattern]  # Pattern.
kind = "hot-spot"                   # Some go to one node.
share = 0.1                         # default

[admission]  # A section.
kind = "spth"                       # State propagation.
# margin_flits = 0                  # flits; default

[sweep]
"admission.kind" = ["spth", "off"]
"##);
}

#[test]
fn explain_is_the_same_spec() {
    let catalogue = catalogue();
    let first = document(SPEC).unwrap();
    let text = first.resolve(&catalogue).unwrap().to_toml(&catalogue);
    let second = document(&text).unwrap();
    assert_eq!(first.resolve(&catalogue).unwrap().into_table(), second.resolve(&catalogue).unwrap().into_table());
    let ids = |d: &tailback_spec::Document| {
        d.expand(&catalogue).unwrap().into_iter().map(|p| (p.id, p.swept)).collect::<Vec<_>>()
    };
    assert_eq!(ids(&first), ids(&second));
}
