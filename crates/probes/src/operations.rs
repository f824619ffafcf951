//! What a run of a program writes down of its operations. The sources of the engine do it; this says that it is asked for.

use crate::listed::{Listed, Site, switch};
use tailback_engine::Probe;
use tailback_spec::{Idle, Param, When};

/// The switch of the table of operations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Operations;

/// The switch of the critical path.
#[derive(Clone, Copy, Debug, Default)]
pub struct CriticalPath;

tailback_base::stateless!(Operations, CriticalPath);

impl Probe for Operations {}

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
