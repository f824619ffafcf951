//! The modules of a router put together.

use crate::designs::{CHANNEL_CROSSBARS, Design, Family, LINK_CROSSBARS, QUEUE_AREA, QUEUE_DELAY, SYNC};
use crate::value::{Line, Source, Value};
use std::fmt;

/// A router to price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The design.
    pub family: Family,
    /// Dimensions of the torus, 1 to 6.
    pub dimensions: u32,
    /// Virtual channels of a link, at least those of the design and at most 16; `None`: as in the paper.
    pub channels: Option<u32>,
    /// Queue of each of a link's channels, 16 to 32767 \[phits\]; `None`: as in the paper.
    pub queue_phits: Option<u32>,
}

/// A kind of module of a router.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// As the paper calls it.
    pub name: String,
    /// Critical path \[ns\].
    pub delay_ns: Value,
    /// Area of one \[mm2\]; `None` where another module's area has it.
    pub area_mm2: Option<Value>,
    /// How many there are.
    pub count: u32,
}

/// A stage of the pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// What it does.
    pub name: &'static str,
    /// Cycles of a head in it.
    pub cycles: Value,
    /// More cycles where a packet turns into another dimension or is consumed.
    pub extra_cycles: u32,
}

/// What a router costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The router.
    pub variant: Variant,
    /// Its modules.
    pub modules: Vec<Module>,
    /// Inputs and outputs of the crossbar.
    pub crossbar: (u32, u32),
    /// Queues of a link \[phits\].
    pub queues: Vec<u32>,
    /// Its pipeline.
    pub stages: Vec<Stage>,
    /// Area \[mm2\].
    pub area_mm2: Value,
    /// The module with the longest critical path.
    pub critical: String,
    /// Cycle time \[ns\]: that path.
    pub cycle_ns: Value,
    /// Cycles a router takes of a packet that goes straight on, and of one that turns.
    pub cycles: (u32, u32),
    /// Time of a hop: the mean of both, in ns.
    pub hop_ns: Value,
}

/// Why there is no price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

impl Variant {
    /// A design of the paper for a torus of so many dimensions.
    pub fn of(family: Family, dimensions: u32) -> Variant {
        Variant { family, dimensions, channels: None, queue_phits: None }
    }

    /// Queues of a link \[phits\].
    fn queues(&self) -> Vec<u32> {
        let design = self.family.queues();
        let count = self.channels.map_or(design.len(), |channels| channels as usize);
        let own = |i: usize| design.get(i).copied().unwrap_or(design[0]);
        (0..count).map(|i| self.queue_phits.unwrap_or_else(|| own(i))).collect()
    }

    /// The variant without the parameters that equal those of the paper's design.
    fn plain(self) -> Variant {
        let design = self.family.queues();
        let channels = self.channels.filter(|channels| *channels as usize != design.len());
        let queue_phits = self.queue_phits.filter(|phits| design.iter().any(|own| own != phits));
        Variant { channels, queue_phits, ..self }
    }

    fn check(&self) -> Result<(), Refusal> {
        let least = self.family.queues().len() as u32;
        let name = self.family.name();
        if !(1..=6).contains(&self.dimensions) {
            return Err(Refusal(format!("{} dimensions: 1 to 6 can be priced", self.dimensions)));
        }
        if let Some(channels) = self.channels.filter(|channels| !(least..=16).contains(channels)) {
            return Err(Refusal(format!("{channels} channels: {name} needs {least} a link, and 16 are the most")));
        }
        if let Some(phits) = self.queue_phits.filter(|phits| !(16..=32767).contains(phits)) {
            return Err(Refusal(format!("queues of {phits} phits: 16 (a packet) to 32767 can be priced")));
        }
        Ok(())
    }
}

/// Prices a router.
///
/// # Errors
/// A variant outside the ranges of [`Variant`].
pub fn price(variant: Variant) -> Result<Cost, Refusal> {
    variant.check()?;
    let variant = variant.plain();
    let queues = variant.queues();
    let links = 2 * variant.dimensions;
    let inputs = links * queues.len() as u32 + 1;
    let outputs = if variant.family.crossbar_by_channel() { inputs } else { links + 1 };
    let mut modules = vec![part(&variant, SYNC, "tables 1 and 2", links + 1)];
    modules.extend(queue_modules(&variant, &queues, links));
    let design = variant.family.design();
    modules.push(part(&variant, design.routing, design.table, inputs));
    modules.extend(crossbar_modules(&variant, design, (inputs, outputs)));
    modules.extend(design.controller.map(|controller| {
        let mut module = part(&variant, controller, design.table, links);
        if queues.len() != design.queues.len() {
            let area = module.area_mm2.take().map(|area| {
                let number = area.number * queues.len() as f64 / design.queues.len() as f64;
                Value { number, ..area.carried("in proportion to the channels") }
            });
            module.area_mm2 = area;
            module.delay_ns = module.delay_ns.carried("taken as unchanged");
        }
        module
    }));
    let stages = stages(&variant);
    Ok(sum(variant, modules, (inputs, outputs), queues, stages))
}

/// A module whose area and delay do not depend on the size of the router.
fn part(variant: &Variant, part: crate::designs::Part, table: &str, count: u32) -> Module {
    let value = |number| match (Value::measured(number, table), variant.dimensions) {
        (value, 2) => value,
        (value, _) => value.carried("taken as unchanged from two dimensions"),
    };
    Module { name: part.name.to_owned(), delay_ns: value(part.ns), area_mm2: Some(value(part.mm2)), count }
}

/// The queues of the links and of the node; one kind where they are alike.
fn queue_modules(variant: &Variant, queues: &[u32], links: u32) -> Vec<Module> {
    let design = variant.family.design();
    let mut sizes: Vec<(u32, u32)> = Vec::new();
    for &phits in queues {
        match sizes.iter_mut().find(|(size, _)| *size == phits) {
            Some((_, count)) => *count += links,
            None => sizes.push((phits, links)),
        }
    }
    if design.queues_surplus > 0.0 && variant.channels.is_none() && variant.queue_phits.is_none() {
        return vec![link_queues(variant, queues, links), queue("injection queue", design.injection, 1)];
    }
    let mut modules: Vec<Module> = sizes.into_iter().map(|(phits, count)| queue("queue", phits, count)).collect();
    if design.queues_surplus > 0.0 {
        modules.push(surplus(design, links));
    }
    match (queues.iter().all(|phits| *phits == design.injection), modules.first_mut()) {
        (true, Some(all)) => all.count += 1,
        _ => modules.push(queue("injection queue", design.injection, 1)),
    }
    modules
}

fn queue(name: &str, phits: u32, count: u32) -> Module {
    let area = Line { points: &QUEUE_AREA, table: "table 1", over: "phits" };
    let delay = Line { points: &QUEUE_DELAY, table: "table 1", over: "the binary logarithm of phits" };
    let name = format!("{name}, {phits} phits");
    let delay_ns = delay.at(f64::from(phits).log2());
    Module { name, delay_ns, area_mm2: Some(area.at(f64::from(phits))), count }
}

/// The queues of a link as the paper prices them together.
fn link_queues(variant: &Variant, queues: &[u32], links: u32) -> Module {
    let design = variant.family.design();
    let sizes: Vec<String> = queues.iter().map(u32::to_string).collect();
    let single = queues.iter().map(|phits| queue("", *phits, 1));
    let (mut area, mut delay) = (design.queues_surplus, 0.0);
    for module in single {
        area += module.area_mm2.map_or(0.0, |area| area.number);
        delay = f64::max(delay, module.delay_ns.number);
    }
    let name = format!("queues of a link, {} phits", sizes.join(" + "));
    let (delay_ns, area_mm2) = (Value::measured(delay, design.table), Some(Value::measured(area, design.table)));
    Module { name, delay_ns, area_mm2, count: links }
}

/// What the queues of a link cost beyond single queues.
fn surplus(design: &Design, links: u32) -> Module {
    let rule = format!("{}: a link's queues beyond single ones of table 1", design.table);
    let value = |number| Value { number, source: Source::Extrapolated, rule: rule.clone() };
    Module {
        name: "queues of a link, control".to_owned(),
        delay_ns: value(0.0),
        area_mm2: Some(value(design.queues_surplus)),
        count: links,
    }
}

fn crossbar_modules(variant: &Variant, design: &Design, (inputs, outputs): (u32, u32)) -> Vec<Module> {
    let (points, table) = if variant.family.crossbar_by_channel() {
        (&CHANNEL_CROSSBARS, "table 2: 9x9 and 13x13")
    } else {
        (&LINK_CROSSBARS, "tables 1 and 2: 5x5 and 9x5")
    };
    let area = Line { points, table, over: "crosspoints" }.at(f64::from(inputs * outputs));
    let own = variant.dimensions == 2 && inputs == 4 * design.queues.len() as u32 + 1;
    let area = match (own, area.source) {
        (true, _) => Value::measured(area.number, design.table),
        (false, Source::Measured) => area.carried("the crossbar of another design with as many crosspoints"),
        (false, _) => area,
    };
    let size = format!("{inputs}x{outputs}");
    let line = Line { points: &design.crossbar_ns, table: "tables 1, 2 and 4", over: "crossbar inputs" };
    let mut delay = line.at(f64::from(inputs));
    if delay.source == Source::Measured {
        // The same inputs may belong to another number of outputs than the paper's crossbar has.
        let paper = design.queues.len() as u32;
        let same = inputs == 2 * variant.dimensions * paper + 1 && (2..=3).contains(&variant.dimensions);
        let table = if variant.dimensions == 3 { "table 4" } else { design.table };
        delay = if same {
            Value { rule: table.to_owned(), ..delay }
        } else {
            delay.carried("of a crossbar with as many inputs and other outputs")
        };
    }
    let Some(alone) = design.crossbar_alone_ns else {
        let name = format!("crossbar and arbiter, {size}");
        return vec![Module { name, delay_ns: delay, area_mm2: Some(area), count: 1 }];
    };
    let scaled = Value { number: alone * delay.number / design.crossbar_ns[0].1, ..Value::measured(0.0, design.table) };
    let crossbar = if own { scaled } else { scaled.carried("in proportion to the arbiter's") };
    let arbiter = Module { name: "arbiter".to_owned(), delay_ns: delay, area_mm2: None, count: 1 };
    vec![Module { name: format!("crossbar, {size}"), delay_ns: crossbar, area_mm2: Some(area), count: 1 }, arbiter]
}

/// The pipeline: sections 3.2 and 3.3, figures 5 and 6, tables 3 and 4.
fn stages(variant: &Variant) -> Vec<Stage> {
    let known = (2..=3).contains(&variant.dimensions) && variant.channels.is_none();
    let stage = |name, cycles: u32, extra_cycles| {
        let cycles = Value::measured(f64::from(cycles), "figures 5 and 6, tables 3 and 4");
        let cycles = if known { cycles } else { cycles.carried("taken as unchanged") };
        Stage { name, cycles, extra_cycles }
    };
    // One header phit a cycle: two dimensions need another cycle only where the first offset is nought, three always.
    let (routing, extra) = match (variant.family, variant.dimensions) {
        (Family::BubbleAdaptive, 3..) => (2, 0),
        (Family::BubbleAdaptive, _) => (1, 1),
        _ => (1, 0),
    };
    let mut stages = vec![stage("synchroniser", 1, 0), stage("queue", 1, 0), stage("routing", routing, extra)];
    if variant.family == Family::VcAdaptive {
        stages.extend([stage("arbiter", 1, 0), stage("crossbar", 1, 0)]);
    } else {
        stages.push(stage("crossbar and arbiter", 1, 0));
    }
    if variant.family.crossbar_by_channel() {
        stages.push(stage("virtual-channel control", 1, 0));
    }
    stages
}

fn sum(variant: Variant, modules: Vec<Module>, crossbar: (u32, u32), queues: Vec<u32>, stages: Vec<Stage>) -> Cost {
    let areas = || modules.iter().filter_map(|m| m.area_mm2.as_ref().map(|area| (area, m.count)));
    let source = areas().map(|(area, _)| area.source).max().unwrap_or(Source::Measured);
    let number = areas().map(|(area, count)| area.number * f64::from(count)).sum();
    let area_mm2 = Value { number, source, rule: "sum of the modules".to_owned() };
    // Of equal paths the first module is named.
    let critical = modules.iter().reduce(|a, b| if b.delay_ns.number > a.delay_ns.number { b } else { a });
    let (critical, cycle_ns) = critical.map_or_else(
        || (String::new(), Value::measured(0.0, "")),
        |module| (module.name.clone(), module.delay_ns.clone()),
    );
    let cycle_ns = Value { rule: format!("the longest critical path: {critical} ({})", cycle_ns.rule), ..cycle_ns };
    let least: u32 = stages.iter().map(|stage| stage.cycles.number as u32).sum();
    let most = least + stages.iter().map(|stage| stage.extra_cycles).sum::<u32>();
    let cycles_source = stages.iter().map(|stage| stage.cycles.source).max().unwrap_or(Source::Measured);
    let hop_ns = Value {
        number: f64::from(least + most) / 2.0 * cycle_ns.number,
        source: cycle_ns.source.max(cycles_source),
        rule: if most > least { "mean cycles of a hop times the cycle time" } else { "cycles times the cycle time" }
            .to_owned(),
    };
    Cost { variant, modules, crossbar, queues, stages, area_mm2, critical, cycle_ns, cycles: (least, most), hop_ns }
}

#[cfg(test)]
mod tests;
