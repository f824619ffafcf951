//! From the reference model's configuration to the engine's parts, so that both simulate the same network.

use crate::reference::{
    Admission, Arbiter, Config, CrossLine, Datelines, Delivered, Level, Numbering, Place, Propagation, Registers, Tie,
    Wires,
};
use tailback_engine::cut_through::{MAX_PORTS, Parts};
use tailback_engine::{Delivery, Probe, Router};
use tailback_mechanisms::admission::Site;
use tailback_mechanisms::routing::classed::Classed;
use tailback_mechanisms::{Bundle, Refusal, admission, arbiter, flow_control, routing};
use tailback_network::Grid;
use tailback_spec::{Fallback, Kind, Param, Section, View};
use tailback_traffic::{Shape, Traffic};
use toml::{Table, Value};

/// The engine's network of a configuration.
pub fn grid(config: &Config) -> Grid {
    Grid::new(&config.radix, &config.wrap, config.nodes_per_router, config.link_cycles)
}

/// The numbers of its routers.
pub fn router(config: &Config) -> Router {
    Router {
        channels: config.virtual_channels,
        buffer_flits: config.buffer_flits,
        header_cycles: config.header_cycles,
        credit_cycles: config.credit_cycles,
        ejection_channels: config.ejection_channels,
        ejection_packets: config.ejection_packets,
        source_queue_packets: config.source_queue_packets,
        seed: config.seed,
    }
}

/// The mechanisms of a configuration.
pub fn parts(config: &Config, grid: &Grid) -> Parts<Bundle> {
    let channels = config.virtual_channels;
    let routing_table = resolved(&[routing::section()], "routing", &routing_table(config));
    let flow_control_table = resolved(&[flow_control::section()], "flow_control", &Table::new());
    let admission_table = resolved(&[admission::section()], "admission", &admission_table(&config.admission));
    Parts {
        routing: classed(config, routing::build(View::new(&routing_table), grid, channels / config.message_classes)),
        arbiter: arbiter(config, inputs(config, grid.routers() * MAX_PORTS)),
        flow_control: flow_control::build(View::new(&flow_control_table)),
        admission: admission::build(View::new(&admission_table), site(grid, config)),
    }
}

/// The routing of all message classes.
fn classed(config: &Config, one: Result<routing::Any, Refusal>) -> routing::Any {
    let (one, classes) = (one.expect("the channels suffice"), config.message_classes);
    match classes {
        1 => one,
        _ => routing::Any::Classed(Classed::new(one, classes, config.virtual_channels / classes)),
    }
}

/// Among whom its arbiters choose, whose numbers are below `arbiters`.
pub fn inputs(config: &Config, arbiters: usize) -> arbiter::Inputs {
    let channels = config.virtual_channels;
    arbiter::Inputs { arbiters, channels, network: config.ports() as u32 * channels }
}

/// Its arbiters.
pub fn arbiter(config: &Config, inputs: arbiter::Inputs) -> arbiter::Any {
    let mut table = kind(arbiter_word(config.arbiter));
    if config.arbiter == Arbiter::TwoLevelNext {
        table.insert("channel".into(), "next".into());
    }
    let table = resolved(&[arbiter::section()], "arbiter", &table);
    arbiter::build(View::new(&table), config.seed, inputs)
}

/// The network that a throttle is for.
pub(crate) fn site<'a>(grid: &'a Grid, config: &Config) -> Site<'a> {
    Site { grid, channels: config.virtual_channels, buffer_flits: config.buffer_flits }
}

/// A table that names an entry.
pub(crate) fn kind(word: &str) -> Table {
    Table::from_iter([("kind".to_owned(), Value::from(word))])
}

/// The table `routing` of Cross-Line.
fn cross_line_table(config: &Config, chosen: CrossLine) -> Table {
    let mut table = kind("cross_line");
    table.insert("tie".into(), tie_word(config.tie).into());
    table.insert("margin_flits".into(), i64::from(chosen.margin_flits).into());
    table.insert("register_bits".into(), chosen.register_bits.map_or("auto".into(), |bits| i64::from(bits).into()));
    table.insert("propagation".into(), if chosen.wires == Wires::Own { "ideal" } else { "stealing" }.into());
    table
}

/// The table `routing`: dimension order, if not Cross-Line.
pub(crate) fn routing_table(config: &Config) -> Table {
    if let Some(chosen) = config.cross_line {
        return cross_line_table(config, chosen);
    }
    let (datelines, place) = match config.datelines {
        Datelines::None => ("none", None),
        Datelines::One => ("one", None),
        Datelines::Two => ("two", None),
        Datelines::OneAt(place) => ("one", Some(place)),
        Datelines::TwoAt(place) => ("two", Some(place)),
    };
    let place = match place {
        None => "link",
        Some(Place::Router) => "router",
        Some(Place::Entry) => "entry",
    };
    let numbering = match config.numbering {
        Numbering::Reset => "reset",
        Numbering::Carry => "carry",
    };
    let mut table = kind("dimension_order");
    table.insert("datelines".into(), datelines.into());
    table.insert("dateline_place".into(), place.into());
    table.insert("channel_numbering".into(), numbering.into());
    let shares = config.shares_middle && config.datelines == Datelines::OneAt(Place::Entry);
    table.insert("middle_channel".into(), middle_word(shares).into());
    table.insert("straight_on".into(), if config.keeps_channel { "same" } else { "class" }.into());
    table.insert("tie".into(), tie_word(config.tie).into());
    table
}

/// The value of `middle_channel`.
pub(crate) fn middle_word(shares: bool) -> &'static str {
    if shares { "shared" } else { "first" }
}

/// The value of `tie`.
pub(crate) fn tie_word(tie: Tie) -> &'static str {
    match tie {
        Tie::Plus => "plus",
        Tie::Minus => "minus",
        Tie::Sign => "sign",
        Tie::Alternate => "alternate",
        Tie::Random => "random",
    }
}

fn arbiter_word(arbiter: Arbiter) -> &'static str {
    match arbiter {
        Arbiter::RoundRobin => "round_robin",
        Arbiter::Random => "random",
        Arbiter::OldestFirst => "oldest_first",
        Arbiter::TwoLevel | Arbiter::TwoLevelNext => "two_level",
    }
}

/// The table `admission`.
pub(crate) fn admission_table(chosen: &Admission) -> Table {
    let Admission::Spth { margin_flits, inclusive, level, register_bits, registers, propagation } = *chosen else {
        return kind("off");
    };
    let mut table = kind("spth");
    table.insert("margin_flits".into(), i64::from(margin_flits).into());
    table.insert("inclusive".into(), inclusive.into());
    table.insert("level".into(), if level == Level::Edge { "edge" } else { "departed" }.into());
    table.insert("register_bits".into(), register_bits.map_or("auto".into(), |bits| i64::from(bits).into()));
    table.insert("registers".into(), if registers == Registers::Any { "any" } else { "used" }.into());
    let word = if propagation == Propagation::Ideal { "ideal" } else { "shared_link" };
    table.insert("propagation".into(), word.into());
    table
}

/// The traffic of a text with the tables `traffic` and `workload` on the network of `config`.
///
/// # Errors
/// What makes it impossible there, a line each.
pub fn traffic(config: &Config, text: &str) -> Result<Traffic, String> {
    let shape = Shape { radix: config.radix.clone(), nodes_per_router: config.nodes_per_router };
    traffic_on(config, &shape, text)
}

/// The same on nodes of another shape.
///
/// # Errors
/// What makes it impossible there, a line each.
pub fn traffic_on(config: &Config, shape: &Shape, text: &str) -> Result<Traffic, String> {
    let spec: Table = text.parse().map_err(|error| format!("{error}"))?;
    let sections = tailback_traffic::sections();
    let section = |path: &str| {
        let given = spec.get(path).and_then(Value::as_table).cloned().unwrap_or_default();
        resolved(&sections, path, &given)
    };
    Traffic::build(View::new(&section("traffic")), View::new(&section("workload")), shape, config.seed)
        .map_err(|problems| problems.iter().map(|(path, message, _)| format!("{path}: {message}\n")).collect())
}

/// The table of an entry of a section that has one path, with the defaults.
pub fn of_kind(section: Section, word: &str) -> Table {
    let path = section.path;
    resolved(&[section], path, &kind(word))
}

/// The table at `path`, complete: what is given and, where it is silent, the catalogue's defaults.
pub(crate) fn resolved(sections: &[Section], path: &str, given: &Table) -> Table {
    let section = sections.iter().find(|section| section.path == path).expect("a section of the catalogue");
    let mut table = given.clone();
    if let Some(default) = section.default_entry {
        let kind = table.entry("kind").or_insert(default.into()).as_str().expect("a word").to_owned();
        complete(sections, section.entry(&kind).expect("a kind of the catalogue").params, &mut table);
    }
    complete(sections, section.params, &mut table);
    let below = |section: &&Section| section.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    for child in sections.iter().filter(below) {
        let key = child.path.rsplit('.').next().expect("a path has a last part");
        let given = table.get(key).cloned().unwrap_or(Value::Table(Table::new()));
        table.insert(key.into(), component(sections, child.path, &given));
    }
    table
}

fn component(sections: &[Section], path: &str, given: &Value) -> Value {
    let table = match given {
        Value::String(word) => kind(word),
        other => other.as_table().expect("a component is a word or a table").clone(),
    };
    Value::Table(resolved(sections, path, &table))
}

fn complete(sections: &[Section], params: &[Param], table: &mut Table) {
    for param in params {
        let value = table.entry(param.name).or_insert_with(|| default(param));
        match (param.kind, value) {
            (Kind::Component(path), value) => *value = component(sections, path, value),
            (Kind::Tables(params), Value::Array(tables)) => {
                let each = tables.iter_mut().filter_map(Value::as_table_mut);
                each.for_each(|table| complete(sections, params, table));
            }
            _ => {}
        }
    }
}

fn default(param: &Param) -> Value {
    match param.fallback {
        Fallback::Bool(v) => v.into(),
        Fallback::Integer(v) => v.into(),
        Fallback::Float(v) => v.into(),
        Fallback::Text(v) => v.into(),
        Fallback::Integers(v) => v.to_vec().into(),
        Fallback::Floats(v) => v.to_vec().into(),
        Fallback::Required | Fallback::Empty => Value::Array(Vec::new()),
    }
}

/// A probe that keeps every delivery.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deliveries(pub Vec<Delivered>);

impl Deliveries {
    /// The deliveries by source and index.
    pub fn sorted(mut self) -> Vec<Delivered> {
        self.0.sort_unstable();
        self.0
    }
}

impl Probe for Deliveries {
    fn delivered(&mut self, delivery: Delivery<'_>) {
        let packet = delivery.packet;
        self.0.push(Delivered {
            source: packet.source,
            index: packet.index,
            destination: packet.destination,
            birth: packet.birth,
            entered: packet.entered,
            delivered: delivery.cycle,
            hops: packet.hops,
        });
    }
}
