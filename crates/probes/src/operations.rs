//! What a run of a program writes down of its operations. The sources of the engine do it; this says that it is asked for.

use crate::listed::{Listed, Site, switch};
use tailback_engine::Probe;
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

    const MERGE: Option<fn(&mut Self, &Self)> = Some(|_, _| {});

    fn sees(site: &Site<'_>) -> bool {
        is_program(site)
    }

    fn new(_site: &Site<'_>) -> Self {
        CriticalPath
    }
}
