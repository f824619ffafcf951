//! What a run of a program writes down of its operations. The sources of the engine do it; this says that it is asked for.

use crate::listed::{Listed, Site, switch};
use crate::picture::{Bars, Draw, Picture, Shade, Stand};
use tailback_engine::Probe;
use tailback_results::Series;
use tailback_spec::{Idle, Param, Resolved, When};

/// The switch of the table of operations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Operations;

/// The switch of the critical path.
#[derive(Clone, Copy, Debug, Default)]
pub struct CriticalPath;

/// The switch of runs of single jobs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

tailback_base::stateless!(Operations, CriticalPath, Alone);

impl Probe for Operations {}

impl Probe for Alone {}

impl Probe for CriticalPath {}

/// The bars of a critical path, at most.
const BARS: usize = 12;

/// The shares of a critical path, in the order in which they stand on each other.
const SHARES: [&str; 6] = ["serialisation", "wire", "compute", "channel_wait", "source_queue", "admission"];

/// The shares of runs of segments, one after the other.
fn along(table: &Series) -> Option<Bars> {
    let from = table.column("from")?;
    let each = from.len().div_ceil(BARS).max(1);
    let sums = |share: &str| -> Vec<f64> {
        table.column(share).unwrap_or_default().chunks(each).map(|run| run.iter().sum()).collect()
    };
    Some(Bars {
        groups: from.chunks(each).map(|run| run[0].to_string()).collect(),
        bars: SHARES.iter().map(|share| (share.replace('_', " "), sums(share))).collect(),
    })
}

/// Whether nodes execute a program.
fn is_program(site: &Site<'_>) -> bool {
    site.traffic.program().is_some()
}

impl Listed for Operations {
    const PARAMS: &'static [Param] = &[switch(
        "operations",
        "Of a program: the table `operations`, with the cycles in which each operation was ready, started and finished (docs/programs.md). It \
         takes about 250 bytes for each operation.",
    )];

    const IDLE: &'static [Idle] = &[Idle {
        keys: &["operations"],
        when: &[When::IsNot("workload.kind", &["program"])],
        because: "only a program has operations",
    }];

    const PICTURES: &'static [Picture] = &[Picture {
        kind: "ranks",
        caption: "What every rank does over time: it computes, its messages leave, and its receives wait for messages. Where a rank does none \
             of these, its row is empty.",
        table: "operations",
        draw: Draw::Ranks,
    }];

    const MERGE: Option<fn(&mut Self, &Self)> = Some(|_, _| {});

    fn sees(site: &Site<'_>) -> bool {
        is_program(site)
    }

    fn new(_site: &Site<'_>) -> Self {
        Operations
    }
}

impl Listed for Alone {
    const PARAMS: &'static [Param] = &[switch(
        "alone",
        "Of a program of several jobs: each job is run alone as well, at the same nodes, for its slow-down by the others (docs/programs.md).",
    )];

    const IDLE: &'static [Idle] = &[Idle {
        keys: &["alone"],
        when: &[When::Where("there are no jobs", |spec, _own| !has_jobs(spec))],
        because: "only a job has others beside it",
    }];

    const MERGE: Option<fn(&mut Self, &Self)> = Some(|_, _| {});

    fn sees(site: &Site<'_>) -> bool {
        site.traffic.program().is_some_and(|placed| !placed.jobs().is_empty())
    }

    fn new(_site: &Site<'_>) -> Self {
        Alone
    }
}

/// Whether the workload has jobs.
fn has_jobs(spec: &Resolved) -> bool {
    let jobs = spec.get("workload.jobs");
    jobs.and_then(|jobs| jobs.as_array()).is_some_and(|jobs| !jobs.is_empty())
}

impl Listed for CriticalPath {
    const PARAMS: &'static [Param] = &[switch(
        "critical_path",
        "Of a program that completes: the longest chain of causes and where its cycles went, as the table `critical_path` and among the \
         reasons (docs/programs.md). The run is repeated with a look at the network in every cycle.",
    )];

    const IDLE: &'static [Idle] = &[Idle {
        keys: &["critical_path"],
        when: &[When::IsNot("workload.kind", &["program"])],
        because: "only a program has operations",
    }];

    const PICTURES: &'static [Picture] = &[
        Picture {
            kind: "critical-path",
            caption: "What the cycles of the critical path are spent on, along the path. A bar is a run of its segments and has the cycle in which \
             they begin.",
            table: "critical_path",
            draw: Draw::Bars {
                title: "Where the time of the critical path goes",
                label: "Time",
                unit: "cycles",
                stand: Stand::Stacked,
                bars: along,
            },
        },
        Picture {
            kind: "critical-map",
            caption: "The links that messages of the critical path cross, and how long the path waits for each. Other links have no colour.",
            table: "critical_links",
            draw: Draw::Links(Shade {
                column: "wait",
                title: "The critical path on the network",
                label: "Wait for the link",
                unit: "cycles",
            }),
        },
    ];

    const MERGE: Option<fn(&mut Self, &Self)> = Some(|_, _| {});

    fn sees(site: &Site<'_>) -> bool {
        is_program(site)
    }

    fn new(_site: &Site<'_>) -> Self {
        CriticalPath
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{column, rows};

    #[test]
    fn bars_hold_all_cycles_of_a_path() {
        let segments = 30;
        let of = |name: &str, value: f64| column(name, "cycles", vec![value; segments]);
        let from = column("from", "cycles", (0..segments).map(|at| 5.0 * at as f64).collect());
        let table = rows("critical_path", "cycles", "segment", vec![from, of("wire", 2.0), of("serialisation", 3.0)]);
        let bars = along(&table).expect("there are segments");
        assert_eq!((bars.groups.len(), bars.groups[1].as_str()), (10, "15"));
        let all: f64 = bars.bars.iter().flat_map(|(_, values)| values).sum();
        assert_eq!(all, 150.0);
        assert_eq!(bars.bars[0], ("serialisation".to_owned(), vec![9.0; 10]));
    }
}
