//! Everything a spec may say, gathered from the crates that mean it.

use crate::presets::presets;
use crate::router;
use std::sync::LazyLock;
use tailback_mechanisms::{admission, arbiter, flow_control, interface, queueing, recovery, routing, selection};
use tailback_network::topology;
use tailback_spec::{Catalogue, Fallback, Idle, Implied, Kind, Param, Resolved, Section, View, When};

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
    sections.extend(tailback_traffic::sections());
    sections.extend([clock(), probes(), run()]);
    // Its own minimal ways are the default where there is no grid.
    let minimal =
        Implied { of: "topology", kinds: topology::without_grid(), section: "routing", kind: routing::WITHOUT_GRID };
    Catalogue { sections, presets: presets(), implied: vec![minimal] }
});

/// Everything a spec may say.
pub fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

const fn integer(name: &'static str, unit: &'static str, range: (i64, i64), default: i64, doc: &'static str) -> Param {
    Param { name, kind: Kind::Integer { min: range.0, max: range.1 }, unit, fallback: Fallback::Integer(default), doc }
}

const fn switch(name: &'static str, doc: &'static str) -> Param {
    Param { name, kind: Kind::Bool, unit: "", fallback: Fallback::Bool(false), doc }
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
    section("clock", "How long a cycle is; the simulation itself knows only cycles.", PARAMS, &[])
}

fn probes() -> Section {
    const PARAMS: &[Param] = &[
        Param {
            name: "window_cycles",
            kind: Kind::IntegerOrAuto { min: 1, max: 1 << 40 },
            unit: "cycles",
            fallback: Fallback::Text("auto"),
            doc: "Length of the windows of the time series; \"auto\" is the workload's own, or a 200th of a steady \
                run.",
        },
        integer(
            "moving_average_windows",
            "windows",
            (1, 1 << 20),
            1,
            "Pictures of time series show the moving average over this number of windows (spth-2015 section 5.2: 200).",
        ),
        switch("link_load", "Count the flits of every link and virtual channel in the measured window."),
        switch(
            "node_load",
            "Count the flits of every source and every destination in the measured window, and the longest waits.",
        ),
        switch(
            "channel_occupancy",
            "Average the flits in the buffers of each direction and virtual channel, over the measured window and \
             window by \
             window.",
        ),
        switch(
            "latency_split",
            "Divide the latency of the packets made in the measured window into parts, from the source queue to the \
             wires (docs/latency.md). Runs become several times slower.",
        ),
        switch(
            "injection_queues",
            "Average the packets in the injection queues, over the measured window and window by window. Only for \
             router kinds adaptive_cut_through and input_output_queued (packets in admittance).",
        ),
        switch(
            "set_aside_queues",
            "Record the set-aside queues in use by kind of side, window by window. Only for queueing kind recn.",
        ),
        integer(
            "occupancy_every_cycles",
            "cycles",
            (0, 1 << 40),
            0,
            "Time between samples of buffer levels and full buffers, per direction and virtual channel; 0: no samples.",
        ),
        integer(
            "load_map_every_cycles",
            "cycles",
            (0, 1 << 40),
            0,
            "Length of the windows in which the flits that leave each router over its links are counted: the \
             network's map over time; 0: no map.",
        ),
        integer(
            "anatomy_every_cycles",
            "cycles",
            (0, 1 << 40),
            0,
            "Time between two looks at all packets in the measured window, to find congestion trees, head-of-line \
             blocking, culprits and victims, and the movement of busy areas; 0: never.",
        ),
        switch(
            "congestion",
            "Record full buffers, the throttle's threshold and estimate, escapes and recoveries, window by window.",
        ),
        integer(
            "space_time_cycles",
            "cycles",
            (0, 1 << 20),
            0,
            "Length of the space-time charts; 0: none (spth-2015 section 3.3).",
        ),
        integer("space_time_from_cycle", "cycles", (0, 1 << 40), 0, "First cycle of the space-time charts."),
        Param {
            name: "space_time_row",
            kind: Kind::IntegerOrAuto { min: 0, max: 1 << 30 },
            unit: "",
            fallback: Fallback::Text("auto"),
            doc: "Second coordinate of the routers in the E and W charts; \"auto\" is floor(k/3).",
        },
        Param {
            name: "space_time_column",
            kind: Kind::IntegerOrAuto { min: 0, max: 1 << 30 },
            unit: "",
            fallback: Fallback::Text("auto"),
            doc: "First coordinate of the routers in the N and S charts; \"auto\" is floor(k/3).",
        },
    ];
    section("probes", "What to record in addition to the core columns.", PARAMS, UNSEEN)
}

/// Probes that have nothing to see.
const UNSEEN: &[Idle] = &[
    Idle {
        keys: &["injection_queues"],
        when: &[When::Is("router.kind", &["cut_through", "wormhole"])],
        because: "a node has no injection queues there, only its source queue",
    },
    Idle {
        keys: &["set_aside_queues"],
        when: &[When::IsNot("queueing.kind", queueing::SETTING_ASIDE)],
        because: "only queueing.kind = recn sets packets aside",
    },
    Idle {
        keys: &["space_time_from_cycle", "space_time_row", "space_time_column"],
        when: &[When::Is(".space_time_cycles", &["0"])],
        because: "there are no space-time charts",
    },
    Idle {
        keys: &["space_time_row", "space_time_column"],
        when: &[When::Where("the network has one dimension", is_of_one_dimension)],
        because: "its routers are in one line",
    },
];

/// Whether packets turn nowhere.
pub(crate) fn is_of_one_dimension(spec: &Resolved, _own: View<'_>) -> bool {
    topology::has_grid(spec.view("topology")) && spec.view("topology").u32s("radix").len() == 1
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
    section("run", "How to run.", PARAMS, &[])
}

fn section(path: &'static str, doc: &'static str, params: &'static [Param], idle: &'static [Idle]) -> Section {
    Section { path, doc, params, entries: Vec::new(), default_entry: None, idle: idle.iter().collect() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_catalogue_is_sound() {
        assert_eq!(tailback_spec::problems(super::catalogue()), Vec::<String>::new());
    }
}
