//! Which load with which pattern at which time, and when it ends. One file a workload.

pub(crate) mod changes;
mod collective;
mod host;
mod periods;
mod phases;
mod program;
mod ramp;
mod steady;
pub(crate) mod timeline;

use crate::hosted::Hosted;
use crate::pattern::{self, Pattern};
use crate::{Placed, Problem, Shape, under};
pub use periods::{From as LatencyFrom, Limits, Periods};
pub(crate) use program::generate_section;
pub use program::{is_answered, is_anywhere, notes};
use tailback_spec::{Entry, Idle, View, When};
use timeline::Timeline;

/// The longest time that a spec may ask for, in cycles.
const MAX_CYCLES: i64 = 1_000_000_000_000;

/// The highest load that a spec may ask for, in flits/node/cycle: far beyond what any network takes.
pub(crate) const MAX_LOAD: f64 = 64.0;

/// What a workload asks of the nodes.
pub(crate) struct Workload {
    /// Its patterns; a phase names them by index.
    pub patterns: Vec<Box<dyn Pattern>>,
    /// When nodes send.
    pub plan: Plan,
}

/// When nodes send.
pub(crate) enum Plan {
    /// At a load that depends on the time.
    Load(Timeline),
    /// Each node makes this number of packets, all at cycle 0.
    Packets(u64),
    /// Nodes execute a program.
    Program(Box<Placed>),
    /// A host says what nodes send.
    Host(Hosted),
}

/// What a workload is built from.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    /// The section `traffic`.
    pub traffic: View<'a>,
    /// The section `workload`.
    pub workload: View<'a>,
    /// The network.
    pub shape: &'a Shape,
    /// Seed of the point.
    pub seed: u64,
    /// Length of a cycle \[ns\], where it is known.
    pub cycle_ns: Option<f64>,
    /// What nodes send later, where that changes.
    pub stages: &'a [changes::Stage<'a>],
}

impl Ask<'_> {
    /// Builds the pattern of `traffic.pattern`.
    fn pattern(&self) -> Result<Box<dyn Pattern>, Vec<Problem>> {
        self.pattern_at("traffic.pattern", self.traffic.sub("pattern"))
    }

    /// Builds the pattern that the table at `path` asks for; refused when no node would ever send.
    fn pattern_at(&self, path: &str, view: View) -> Result<Box<dyn Pattern>, Vec<Problem>> {
        let pattern = pattern::build(view, self.shape, self.seed).map_err(|problems| under(path, problems))?;
        if (0..self.shape.nodes()).any(|node| pattern.destination(node, 0).is_some()) {
            return Ok(pattern);
        }
        let message = format!("under {} on {} every node would send to itself, so none sends", view.kind(), self.shape);
        Err(vec![(path.to_owned(), message, Some("choose another pattern or a larger network".into()))])
    }
}

/// How a run of a workload goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It warms up, is measured for a time, and drains.
    Steady,
    /// The load climbs, and all of the run is measured.
    Ramp,
    /// Loads and patterns follow each other.
    Phases,
    /// It ends when all packets have arrived.
    Collective,
    /// It is measured period by period until means settle.
    Periods,
    /// It ends when the operations of a program have finished.
    Program,
    /// A host steps it, and ends it when it likes.
    Host,
}

type Part = (&'static Entry, Course, fn(&Ask) -> Result<Workload, Vec<Problem>>);

/// Every workload, in the order in which they are listed.
const REGISTRY: &[Part] = &[
    (&steady::ENTRY, Course::Steady, steady::build),
    (&ramp::ENTRY, Course::Ramp, ramp::build),
    (&phases::ENTRY, Course::Phases, phases::build),
    (&collective::ENTRY, Course::Collective, collective::build),
    (&periods::ENTRY, Course::Periods, periods::build),
    (&program::ENTRY, Course::Program, program::build),
    (&host::ENTRY, Course::Host, host::build),
];

/// The catalogue entries of all workloads.
pub(crate) fn entries() -> Vec<&'static Entry> {
    REGISTRY.iter().map(|part| part.0).collect()
}

const WINDOW: Idle = Idle {
    keys: &["window_cycles"],
    when: &[When::IsNot("probes.window_cycles", &["auto"])],
    because: "it says how long windows are",
};

/// Where parameters of workloads have no effect.
pub(crate) fn idle() -> Vec<&'static Idle> {
    [&WINDOW, &phases::IDLE].into_iter().chain(periods::IDLE).chain(program::IDLE).collect()
}

/// Builds the workload that `ask` chooses with its `kind`; problems have full paths.
pub(crate) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    part(ask.workload).2(ask)
}

/// The rule of a resolved section `workload` of kind `periods`.
pub fn periods(workload: View) -> Periods {
    Periods::of(workload)
}

/// How a run of the workload that a resolved section `workload` chooses goes.
pub fn course(workload: View) -> Course {
    part(workload).1
}

/// Whether nodes execute a program under a resolved section `workload`.
pub fn is_program(workload: View) -> bool {
    course(workload) == Course::Program
}

/// Whether a host says what nodes send.
pub fn is_hosted(workload: View) -> bool {
    course(workload) == Course::Host
}

/// Whether messages are those of a program or of a host: then what `traffic` says of loads, patterns and lengths has no effect.
pub fn has_messages(workload: View) -> bool {
    matches!(course(workload), Course::Program | Course::Host)
}

fn part(view: View) -> &'static Part {
    REGISTRY.iter().find(|part| part.0.name == view.kind()).expect("the catalogue knows every kind")
}
