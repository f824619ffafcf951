//! Maps of networks without a grid: their layout as a plan to draw, and what is drawn on it.

use crate::show::numbers::count;
use std::collections::BTreeMap;
use tailback_network::graph::{Link, LinkKind, Network};
use tailback_network::layout::Layout;
use tailback_pictures::network_map::{Kind, Label, Line, NetworkMap, Plan, Show};
use tailback_probes::levels::direction_name;
use tailback_probes::picture::Shade;
use tailback_results::Series as Table;

/// Sentences name so many links.
const NAMED: usize = 3;

/// Where everything of a network stands.
pub fn plan(layout: &Layout) -> Plan {
    let line = |line: &tailback_network::layout::Line| Line {
        from: line.from as usize,
        to: line.to as usize,
        bends: line.bends,
    };
    let label = |label: &tailback_network::layout::Label| Label {
        at: label.at,
        toward: label.toward,
        text: label.text.clone(),
    };
    Plan {
        places: layout.places.clone(),
        lines: layout.links.iter().map(line).collect(),
        labels: layout.labels.iter().map(label).collect(),
        aspect: layout.aspect,
        radius: layout.radius,
    }
}

/// The network itself, its links by their kind.
pub fn bare(name: &str, network: &Network) -> NetworkMap {
    let layout = Layout::new(network);
    let mut kinds: BTreeMap<(LinkKind, u32, u32), Vec<usize>> = BTreeMap::new();
    for (at, line) in layout.links.iter().enumerate() {
        let Link { kind, cycles, period, .. } = network.link(line.from, line.port as usize).expect("it was laid out");
        kinds.entry((kind, cycles, period)).or_default().push(at);
    }
    let kind = |((kind, cycles, period), lines): ((LinkKind, u32, u32), Vec<usize>)| {
        let name = kind_name(kind);
        let width = if period > 1 { format!(", a flit every {period} cycles") } else { String::new() };
        let delay = if cycles == 1 { "1 cycle".to_owned() } else { format!("{cycles} cycles") };
        Kind { name: format!("{name}: {}, {delay}{width}", lines.len()), lines }
    };
    let (routers, nodes, links) = (network.routers(), network.nodes(), network.links());
    NetworkMap {
        title: format!("A network of kind {name}"),
        label: "Kind".to_owned(),
        unit: String::new(),
        plan: plan(&layout),
        show: Show::Kinds(kinds.into_iter().map(kind).collect()),
        notes: vec![format!(
            "{}, {}, {}.",
            count(routers as u64, "router"),
            count(nodes as u64, "node"),
            count(links as u64, "directed link")
        )],
    }
}

/// A kind of links in words.
fn kind_name(kind: LinkKind) -> String {
    match kind {
        LinkKind::Any => "links".to_owned(),
        LinkKind::Across(dimension) => format!("dimension {dimension}"),
        LinkKind::Higher(dimension) => direction_name(2 * usize::from(dimension)),
        LinkKind::Lower(dimension) => direction_name(2 * usize::from(dimension) + 1),
        other => other.to_string(),
    }
}

/// A value for each link of a table; `None` where the table has none.
pub fn links(network: &Network, table: &Table, shade: Shade) -> Option<NetworkMap> {
    let layout = Layout::new(network);
    let ends = table.column("router")?.iter().zip(table.column("port")?);
    let mut values = vec![f64::NAN; layout.links.len()];
    for ((&router, &port), &value) in ends.zip(table.column(shade.column)?) {
        values[layout.link(router as u32, port as usize)?] = value;
    }
    let notes = busiest(network, &layout, &values, shade);
    let (title, label, unit) = (shade.title.to_owned(), shade.label.to_owned(), shade.unit.to_owned());
    Some(NetworkMap { title, label, unit, plan: plan(&layout), show: Show::Links(values), notes })
}

/// A value for each router.
pub fn routers(network: &Network, values: Vec<f64>, shade: Shade) -> NetworkMap {
    let (title, label, unit) = (shade.title.to_owned(), shade.label.to_owned(), shade.unit.to_owned());
    let plan = plan(&Layout::new(network));
    NetworkMap { title, label, unit, plan, show: Show::Routers(values), notes: Vec::new() }
}

/// The links of the highest values, and the mean of each kind.
fn busiest(network: &Network, layout: &Layout, values: &[f64], shade: Shade) -> Vec<String> {
    let mut order: Vec<usize> = (0..values.len()).filter(|&at| values[at] > 0.0).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    let named = order.iter().take(NAMED).map(|&at| {
        let line = &layout.links[at];
        format!("router {} to router {}, {:.3}", line.from, line.to, values[at])
    });
    let named: Vec<String> = named.collect();
    let mut kinds: BTreeMap<LinkKind, (f64, u32)> = BTreeMap::new();
    for (line, &value) in layout.links.iter().zip(values).filter(|(_, value)| !value.is_nan()) {
        let kind = network.link(line.from, line.port as usize).map_or(LinkKind::Any, |link| link.kind);
        let sum = kinds.entry(kind).or_default();
        *sum = (sum.0 + value, sum.1 + 1);
    }
    let mean = |(kind, (sum, count)): (&LinkKind, &(f64, u32))| {
        let name = if kinds.len() == 1 { "all links".to_owned() } else { kind_name(*kind) };
        format!("{name} {:.3}", sum / f64::from(*count))
    };
    let means: Vec<String> = kinds.iter().map(mean).collect();
    let mut notes = Vec::new();
    if !named.is_empty() {
        notes.push(format!("Highest: {} ({}).", named.join("; "), shade.unit));
        notes.push(format!("Mean: {}.", means.join(", ")));
    }
    notes
}
