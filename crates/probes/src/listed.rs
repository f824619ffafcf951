//! What a probe's file says of it, so that the rest of the program can list, watch, add up, sum up and draw it.

use crate::Watch;
use crate::latency_split::Ends;
use crate::picture::Picture;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use tailback_base::state::State;
use tailback_engine::Probe;
use tailback_network::{Grid, Network};
use tailback_results::{Record, Series};
use tailback_spec::{Fallback, Idle, Kind, Param, View};
use tailback_traffic::{Periods, Traffic};

/// A probe that stands in the list of the crate.
pub trait Listed: Probe + State + Sized {
    /// Its parameters in the section `probes`. The first one turns it on.
    const PARAMS: &'static [Param] = &[];

    /// Where parameters of it have no effect.
    const IDLE: &'static [Idle] = &[];

    /// Its pictures.
    const PICTURES: &'static [Picture] = &[];

    /// Whether it reads the levels of buffers.
    const READS_LEVELS: bool = false;

    /// Whether it needs [`Probe::granted`] of a data path that moves flits one by one.
    const WATCHES_FLITS: bool = false;

    /// Whether it goes by the coordinates or directions of a grid. A spec that asks for it is refused in a network without one.
    const NEEDS_GRID: bool = false;

    /// Whether it looks at cycles in which nothing happens. Others are told with [`Listed::idle`] how many were left out.
    const MINDS_IDLE: bool = false;

    /// Adds what was seen in another part of the same network. `None` if the probe looks at the whole network: such a network is
    /// simulated in one piece.
    const MERGE: Option<fn(&mut Self, &Self)> = None;

    /// Whether a run has it.
    fn is_on(site: &Site<'_>) -> bool {
        Self::PARAMS.first().is_some_and(|param| is_asked(param, site.probes))
    }

    /// Whether it has something to record under the data path of a run.
    fn sees(_site: &Site<'_>) -> bool {
        true
    }

    /// The probe of a run, in cycle 0.
    fn new(site: &Site<'_>) -> Self;

    /// Whether it has seen all cycles before `cycle`, and no other, as far as it knows: it came from a checkpoint.
    fn is_of(&self, _cycle: u64) -> bool {
        true
    }

    /// The network was empty and at rest, and the cycles before `until` were not simulated.
    fn idle(&mut self, _until: u64) {}

    /// Forgets what was measured, for a measured window that has not begun; `new` has seen nothing. What is recorded from cycle 0
    /// on, whatever the measured window is, goes on.
    fn measure_anew(&mut self, new: Self) {
        *self = new;
    }

    /// Ends the measured window before `cycle`, which is sooner than was expected.
    fn close(&mut self, _cycle: u64) {}

    /// The memory that its time series take, where that grows with the cycles of a run.
    fn grows(_size: Size) -> Grows {
        Grows::Little
    }

    /// Fills the columns that it knows.
    fn columns(&self, _end: &End<'_>, _record: &mut Record) {}

    /// Numbers beside the columns.
    fn findings(&self, _end: &End<'_>) -> Vec<Finding> {
        Vec::new()
    }

    /// Its tables.
    fn tables(&self, _end: &End<'_>) -> Vec<Series> {
        Vec::new()
    }
}

/// The network and the run that a probe watches.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// The network.
    pub network: &'a Network,
    /// The traffic.
    pub traffic: &'a Traffic,
    /// The section `probes` of the spec.
    pub probes: View<'a>,
    /// Virtual channels of a link.
    pub channels: usize,
    /// Buffer of a virtual channel \[flits\].
    pub capacity: u16,
    /// First cycle of the measured window and the first one after it.
    pub measured: (u64, u64),
    /// Length of the windows of time series \[cycles\].
    pub window: u64,
    /// Length of the run as far as it is known \[cycles\].
    pub expected: u64,
    /// What the data path does.
    pub path: Path,
    /// The rule by which the run is measured period by period, if it is.
    pub periods: Option<Periods>,
}

impl<'a> Site<'a> {
    /// Nodes, whatever classes have ports there that the network counts as nodes.
    pub fn nodes(&self) -> usize {
        self.network.nodes() / self.traffic.ports() as usize
    }

    /// The coordinates of the routers, for probes that are refused where there are none.
    ///
    /// # Panics
    /// In a network without a grid.
    pub fn grid(&self) -> &'a Grid {
        self.network.grid().expect("probes that go by coordinates are refused in networks that have none")
    }
}

/// What a data path does, as far as probes mind it.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// The injection queues of a node.
    pub queues: usize,
    /// Whether a node has a queue for each destination before those.
    pub by_destination: bool,
    /// Whether it says how many packets are in every injection queue.
    pub tells_queues: bool,
    /// Whether messages are cut into packets.
    pub cuts_messages: bool,
    /// Whether it says how heads come to their channels.
    pub tells_takes: bool,
    /// Whether heads that find no preferred channel may take an escape channel.
    pub escapes: bool,
    /// Whether packets that are taken for deadlocked go to a recovery lane.
    pub recovers: bool,
    /// Whether queues are set aside for congested flows.
    pub sets_aside: bool,
    /// Times that no queue has a packet's head.
    pub ends: Ends,
}

/// The end of a run.
#[derive(Clone, Copy)]
pub struct End<'a> {
    /// The network and the run.
    pub site: Site<'a>,
    /// Cycles simulated.
    pub cycle: u64,
    /// Cycles of the measured window that were simulated.
    pub measured_cycles: u64,
    /// All probes of the run.
    pub watch: &'a Watch,
}

impl End<'_> {
    /// Per cycle of the measured window.
    pub(crate) fn per_cycle(&self, flits: u64) -> f64 {
        flits as f64 / self.measured_cycles.max(1) as f64
    }
}

/// The network that a series is of.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Routers.
    pub routers: u64,
    /// Virtual channels of all ports of a router.
    pub buffers: u64,
}

/// The memory that a time series takes while a run goes on, and once more as the columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grows {
    /// It does not grow with the cycles, or by little.
    Little,
    /// So many bytes for each window of the time series.
    Window(u64),
    /// So many bytes in every interval that the probe's first parameter says.
    Sample(u64),
}

/// A number found by analysis, beside the record's columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Name, as a column would have it: `critical_load`.
    pub name: Cow<'static, str>,
    /// Unit, or empty.
    pub unit: Cow<'static, str>,
    /// The number.
    pub value: f64,
}

impl Finding {
    /// A number with its unit.
    pub fn new(name: &'static str, unit: &'static str, value: f64) -> Self {
        Finding { name: Cow::Borrowed(name), unit: Cow::Borrowed(unit), value }
    }
}

/// A probe that a spec turns on.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// The parameter that does it.
    pub param: &'static Param,
    /// Whether it has something to record under the data path of a run.
    pub sees: fn(&Site<'_>) -> bool,
    /// Whether what was seen in the parts of a network adds up.
    pub adds_up: bool,
    /// Whether it goes by the coordinates or directions of a grid.
    pub needs_grid: bool,
}

impl Switch {
    /// Of a probe's first parameter, if that turns it on.
    pub(crate) fn of<T: Listed>() -> Option<Self> {
        let param = T::PARAMS.first().filter(|param| is_switch(param))?;
        Some(Switch { param, sees: T::sees, adds_up: T::MERGE.is_some(), needs_grid: T::NEEDS_GRID })
    }

    /// Whether the section `probes` of a spec turns it on.
    pub fn is_asked(&self, probes: View<'_>) -> bool {
        is_asked(self.param, probes)
    }

    /// The value that turns it on, with `every` cycles between samples or in a chart.
    pub fn value(&self, every: u64) -> String {
        if self.param.kind == Kind::Bool { "true".to_owned() } else { every.to_string() }
    }
}

/// Whether a parameter turns something on that is off unless a spec says so.
pub(crate) fn is_switch(param: &Param) -> bool {
    matches!(param.fallback, Fallback::Bool(false) | Fallback::Integer(0))
}

/// Whether the section `probes` asks for what a parameter turns on.
pub(crate) fn is_asked(param: &Param, probes: View<'_>) -> bool {
    match param.kind {
        Kind::Bool => probes.bool(param.name),
        _ => is_switch(param) && probes.u64(param.name) > 0,
    }
}

/// A parameter of a probe that is on or off.
pub(crate) const fn switch(name: &'static str, doc: &'static str) -> Param {
    Param { name, kind: Kind::Bool, unit: "", fallback: Fallback::Bool(false), doc }
}

/// A parameter in cycles; 0 turns the probe off.
pub(crate) const fn cycles(name: &'static str, max: i64, doc: &'static str) -> Param {
    Param { name, kind: Kind::Integer { min: 0, max }, unit: "cycles", fallback: Fallback::Integer(0), doc }
}

/// A parameter that is `"auto"` unless a spec says so.
pub(crate) const fn auto(name: &'static str, unit: &'static str, range: (i64, i64), doc: &'static str) -> Param {
    Param {
        name,
        kind: Kind::IntegerOrAuto { min: range.0, max: range.1 },
        unit,
        fallback: Fallback::Text("auto"),
        doc,
    }
}
