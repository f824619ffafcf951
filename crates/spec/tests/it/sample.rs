//! A small catalogue with every kind of parameter, and short ways to use it.

use tailback_spec::{Catalogue, Document, Entry, Errors, Fallback, Kind, Param, Point, Preset, Resolved, Section};

const fn param(name: &'static str, kind: Kind, unit: &'static str, fallback: Fallback, doc: &'static str) -> Param {
    Param { name, kind, unit, fallback, doc }
}

const fn entry(name: &'static str, summary: &'static str, params: &'static [Param]) -> Entry {
    Entry { name, summary, paper: "", ideal: false, params }
}

static RUN: [Param; 3] = [
    param("seed", Kind::Integer { min: 0, max: i64::MAX }, "", Fallback::Integer(1), "Seed of the first replica."),
    param("replicas", Kind::Integer { min: 1, max: 1_000_000_000 }, "", Fallback::Integer(1), "Seeds per point."),
    param("audit", Kind::Bool, "", Fallback::Bool(false), "Whether to check conservation."),
];

static TORUS: Entry = entry(
    "torus",
    "A k-ary n-cube.",
    &[
        param(
            "radix",
            Kind::Integers { min: 2, max: 1024, min_len: 1, max_len: 6 },
            "routers",
            Fallback::Integers(&[8, 8]),
            "Routers in each dimension.",
        ),
        param("weights", Kind::Floats { min: 0.0, max: 1.0, min_len: 0, max_len: 3 }, "", Fallback::Floats(&[]), "W."),
    ],
);
static FILE: Entry =
    entry("file", "Links from a file.", &[param("path", Kind::Path, "", Fallback::Required, "The file.")]);
const STEADY_FILE: Param = param("trace", Kind::Path, "", Fallback::Text(""), "A trace, or none.");

static NETWORK: [Param; 4] = [
    param("vcs", Kind::Integer { min: 1, max: 16 }, "virtual channels", Fallback::Integer(2), "Channels per link."),
    param("buffer_flits", Kind::Integer { min: 1, max: 4096 }, "flits", Fallback::Integer(16), "Buffer per channel."),
    param(
        "source_queue",
        Kind::IntegerOrInfinite { min: 1, max: i64::MAX },
        "packets",
        Fallback::Text("infinite"),
        "Source queue | per node.",
    ),
    param("hop_cycles", Kind::IntegerOrAuto { min: 1, max: 9 }, "cycles", Fallback::Text("auto"), "Header delay."),
];

static TRAFFIC: [Param; 2] = [
    param("load", Kind::Float { min: 0.0, max: 1.0 }, "flits/node/cycle", Fallback::Required, "Offered load."),
    param(
        "ties",
        Kind::Choice(&[("random", "a coin"), ("positive", "always up")]),
        "",
        Fallback::Text("random"),
        "Which way at distance k/2.",
    ),
];
static UNIFORM: Entry = entry("uniform", "Every other node alike.", &[]);
static HOT: Entry = entry(
    "hot-spot",
    "Some go to one node.",
    &[param("share", Kind::Float { min: 0.0, max: 1.0 }, "", Fallback::Float(0.1), "Share of hot packets.")],
);
static OFF: Entry = entry("off", "No throttle.", &[]);
static SPTH: Entry = entry(
    "spth",
    "State propagation.",
    &[param("margin_flits", Kind::Integer { min: 0, max: 1024 }, "flits", Fallback::Integer(0), "Margin m of th(m).")],
);
static STEADY: Entry = entry("steady", "Warm-up, then measurement.", &[STEADY_FILE]);
static PHASES: Entry = entry(
    "phases",
    "A list of patterns.",
    &[param(
        "phases",
        Kind::Tables(&[
            param("pattern", Kind::Component("traffic.pattern"), "", Fallback::Text("uniform"), "Pattern."),
            param("cycles", Kind::Integer { min: 1, max: 1_000_000 }, "cycles", Fallback::Required, "Length."),
            param("label", Kind::Text, "", Fallback::Text(""), "A name."),
        ]),
        "",
        Fallback::Empty,
        "The phases.",
    )],
);

fn section(
    path: &'static str,
    params: &'static [Param],
    entries: Vec<&'static Entry>,
    default_entry: Option<&'static str>,
) -> Section {
    Section { path, doc: "A section.", params, entries, default_entry, idle: Vec::new() }
}

const fn preset(name: &'static str, toml: &'static str) -> Preset {
    Preset { name, summary: "A preset.", paper: "", toml }
}

/// The catalogue.
pub fn catalogue() -> Catalogue {
    Catalogue {
        sections: vec![
            section("run", &RUN, vec![], None),
            section("topology", &[], vec![&TORUS, &FILE], Some("torus")),
            section("network", &NETWORK, vec![], None),
            section("traffic", &TRAFFIC, vec![], None),
            section("traffic.pattern", &[], vec![&UNIFORM, &HOT], Some("uniform")),
            section("workload", &[], vec![&STEADY, &PHASES], Some("steady")),
            section("admission", &[], vec![&OFF, &SPTH], Some("off")),
        ],
        nested: Vec::new(),
        presets: vec![
            preset("narrow", "[network]\nvcs = 1\nbuffer_flits = 8\n[admission]\nkind = \"spth\"\nmargin_flits = 4"),
            preset("wide", "[network]\nvcs = 8\n[traffic]\nload = 0.25"),
        ],
        implied: Vec::new(),
        settled: Vec::new(),
        ..Catalogue::default()
    }
}

pub fn document(text: &str) -> Result<Document, Errors> {
    Document::parse("spec.toml", text.as_bytes())
}

pub fn resolve(text: &str) -> Result<Resolved, Errors> {
    document(text)?.resolve(&catalogue())
}

pub fn expand(text: &str) -> Result<Vec<Point>, Errors> {
    document(text)?.expand(&catalogue())
}

/// The rendered errors of resolving and expanding a spec.
pub fn errors(text: &str) -> String {
    match document(text).and_then(|d| d.plan(&catalogue()).map(|p| p.len())) {
        Ok(points) => panic!("no error, {points} points"),
        Err(errors) => errors.render(),
    }
}
