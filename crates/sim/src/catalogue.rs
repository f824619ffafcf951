//! Everything a spec may say, gathered from the crates that mean it.

use crate::presets::presets;
use crate::router;
use std::sync::LazyLock;
use tailback_mechanisms::{admission, arbiter, flow_control, interface, queueing, recovery, routing, selection};
use tailback_network::{family, topology};
use tailback_spec::{Catalogue, Fallback, Implied, Kind, Param, Section};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut sections = vec![
        topology::section(),
        router::section(),
        flow_control::section(),
        routing::section(),
        selection::section(),
        arbiter::section(),
        recovery::section(),
        interface::section(),
        queueing::section(),
        admission::section(),
    ];
    sections.splice(1..1, family::subsections());
    sections.extend(tailback_traffic::sections());
    sections.extend([clock(), tailback_probes::section(), run()]);
    // Its own minimal ways are the default where there is no grid.
    let minimal =
        Implied { of: "topology", when: topology::lacks_grid, section: "routing", kind: routing::WITHOUT_GRID };
    Catalogue {
        sections,
        nested: tailback_traffic::nested(),
        presets: presets(),
        implied: vec![minimal],
        settled: vec![router::CHANNELS],
        ..Catalogue::default()
    }
});

/// Everything a spec may say.
pub fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

const fn integer(name: &'static str, unit: &'static str, range: (i64, i64), default: i64, doc: &'static str) -> Param {
    Param { name, kind: Kind::Integer { min: range.0, max: range.1 }, unit, fallback: Fallback::Integer(default), doc }
}

fn clock() -> Section {
    const PARAMS: &[Param] = &[Param {
        name: "cycle_ns",
        kind: Kind::Float { min: 0.0, max: 1e6 },
        unit: "ns",
        fallback: Fallback::Float(0.0),
        doc: "Length of a cycle. With it, results are given in ns as well as in cycles; 0: unknown. Router kind \
            input_output_queued derives it from the bandwidth of its links.",
    }];
    section("clock", "How long a cycle is; the simulation itself knows only cycles.", PARAMS)
}

fn run() -> Section {
    const PARAMS: &[Param] = &[
        integer("seed", "", (0, i64::MAX), 1, "Seed of every random stream."),
        integer("replicas", "runs", (1, 100_000), 1, "Repeat every point with seeds seed, seed + 1, and so on."),
        Param {
            name: "allow_deadlock",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(false),
            doc: "Run a configuration although it is known to deadlock.",
        },
        Param {
            name: "memory_limit_mib",
            kind: Kind::IntegerOrAuto { min: 1, max: 1 << 40 },
            unit: "MiB",
            fallback: Fallback::Text("auto"),
            doc: "Refuse a network that may need more memory; \"auto\" is three quarters of this machine's.",
        },
    ];
    section("run", "How to run.", PARAMS)
}

fn section(path: &'static str, doc: &'static str, params: &'static [Param]) -> Section {
    Section { path, doc, params, entries: Vec::new(), default_entry: None, idle: Vec::new() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_catalogue_is_sound() {
        assert_eq!(tailback_spec::problems(super::catalogue()), Vec::<String>::new());
    }
}
