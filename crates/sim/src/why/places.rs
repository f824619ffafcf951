//! Names of links, directions and nodes in the sentences.

use super::numbers::list;
use tailback_network::graph::LinkKind;
use tailback_network::layout::groups;
use tailback_network::{Grid, Network};
use tailback_probes::anatomy::Links;
use tailback_probes::kinds::Kinds;
use tailback_probes::levels::direction_name;

/// A router: `[14,9]`.
pub fn router(grid: &Grid, router: u32) -> String {
    let coordinates: Vec<String> = grid.coordinates(router).iter().map(u32::to_string).collect();
    format!("[{}]", coordinates.join(","))
}

/// A router of any network: by its coordinates, or by its number where it has none.
pub fn at(network: &Network, number: u32) -> String {
    network.grid().map_or_else(|| format!("router {number}"), |grid| router(grid, number))
}

/// An output port, those to nodes after those to neighbours: `x+ of [14,9]` or `node 5`.
pub(crate) fn output(grid: &Grid, at: u32, port: usize) -> String {
    match port.checked_sub(grid.ports()) {
        None => format!("{} of {}", direction_name(port), router(grid, at)),
        Some(local) => format!("node {}", at * grid.nodes_per_router() + local as u32),
    }
}

/// A link of a network without a grid: `the global link from router 3 of group 0 to router 30 of group 7`.
pub(crate) fn link(network: &Network, from: u32, port: usize) -> String {
    let Some(link) = network.link(from, port) else { return format!("port {port} of router {from}") };
    let groups = groups(network);
    let group = |router: u32| match &groups {
        Some(group_of) => format!("router {router} of group {}", group_of[router as usize]),
        None => format!("router {router}"),
    };
    let kind = if link.kind == LinkKind::Any { String::new() } else { format!("{} ", link.kind) };
    format!("the {kind}link from {} to {}", group(from), group(link.to.router))
}

/// An output port of any network, those to nodes after those to neighbours.
pub(crate) fn any_output(network: &Network, at: u32, port: usize) -> String {
    match network.grid() {
        Some(grid) => output(grid, at, port),
        None => {
            Links::new(network).node(at, port).map_or_else(|| link(network, at, port), |node| format!("node {node}"))
        }
    }
}

/// Directions: `x+`, `x+ and y+`.
pub fn directions(ports: &[usize]) -> String {
    list(&ports.iter().map(|&port| direction_name(port)).collect::<Vec<String>>())
}

/// Kinds of links, as a grid's directions.
pub fn names(kinds: &Kinds, these: &[usize]) -> String {
    list(&these.iter().map(|&kind| kinds.name(kind).to_owned()).collect::<Vec<String>>())
}

/// One link of a kind with its article: `an x+ link`, `a global link`; of a network that tells no kinds apart `a link`.
pub fn a_kind(kinds: &Kinds, kind: usize) -> String {
    match kinds.name(kind) {
        _ if kinds.are_ports() => a_link(&[kind]),
        "link" => "a link".to_owned(),
        name if name.starts_with('u') => format!("an {name} link"),
        name => format!("a {name} link"),
    }
}

/// One link of these directions with its article: `an x+ link`, `a y- link`, `an x+ or y+ link`.
pub fn a_link(ports: &[usize]) -> String {
    let names: Vec<String> = ports.iter().map(|&port| direction_name(port)).collect();
    let article = if names.first().is_some_and(|name| name.starts_with('x')) { "an" } else { "a" };
    format!("{article} {} link", names.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_nodes_and_directions_have_names() {
        let grid = Grid::new(&[4, 4], &[true; 2], 2, 1);
        assert_eq!(output(&grid, 6, 0), "x+ of [2,1]");
        assert_eq!((output(&grid, 6, 4), output(&grid, 6, 5)), ("node 12".to_owned(), "node 13".to_owned()));
        assert_eq!((directions(&[0, 2]), a_link(&[0, 2])), ("x+ and y+".to_owned(), "an x+ or y+ link".to_owned()));
        assert_eq!(a_link(&[3]), "a y- link");
    }
}
