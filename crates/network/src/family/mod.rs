//! Families of networks, a file each, with its parameters, its wiring, and its own minimal ways.
//!
//! A new family is one file and one line of [`FAMILIES`].

mod arrangement;
mod butterfly;
mod channels;
pub(crate) mod clos;
mod crossbar;
mod dragonfly;
mod edges;
mod express_mesh;
mod fat_tree;
mod file;
mod folded_clos;
mod hyperx;
mod jellyfish;
mod leaf_spine;
mod megafly;
mod mesh;
mod params;
mod polarfly;
mod slim_fly;
#[cfg(test)]
pub(crate) mod testing;
mod torus;
mod tree4;

use crate::Grid;
use crate::graph::{Fault, Network, limits};
pub use channels::LinkChannels;
pub use params::NODES_PER_ROUTER;
use params::refusal;
use tailback_spec::{Entry, Section, SpecError, View};
pub use torus::is_twisted;

/// A family of networks.
#[derive(Debug)]
pub struct Family {
    /// Its name and parameters.
    pub entry: &'static Entry,
    /// Builds a member of it from a resolved `topology` section.
    pub build: fn(View) -> Result<Built, Box<SpecError>>,
}

/// All families, as documentation lists them.
pub const FAMILIES: &[&Family] = &[
    &torus::FAMILY,
    &mesh::FAMILY,
    &dragonfly::FAMILY,
    &megafly::FAMILY,
    &hyperx::FAMILY,
    &fat_tree::FAMILY,
    &folded_clos::FAMILY,
    &leaf_spine::FAMILY,
    &slim_fly::FAMILY,
    &polarfly::FAMILY,
    &jellyfish::FAMILY,
    &butterfly::FAMILY,
    &express_mesh::FAMILY,
    &tree4::FAMILY,
    &crossbar::FAMILY,
    &file::FAMILY,
];

/// A network that was built.
#[derive(Debug)]
pub struct Built {
    /// The network.
    pub network: Network,
    /// Its family's own minimal ways.
    pub minimal: Minimal,
    /// Classes of channels with which these ways close no circle.
    pub classes: Classes,
    /// Virtual channels of its links.
    pub channels: LinkChannels,
    /// Whether links are used in one direction only, so that no ways but the family's own lead anywhere.
    pub one_way: bool,
    /// What whoever asked for it should know, a sentence each.
    pub notes: Vec<String>,
}

/// The minimal ways of a family.
#[derive(Debug)]
pub enum Minimal {
    /// All shortest ways of the graph.
    Shortest,
    /// The ways that a rule gives. They may be longer than the shortest ways.
    Rule(Box<dyn Rule>),
}

/// How many virtual channels minimal ways need so that packets never wait for each other in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classes {
    /// One: the ways turn in one order, as up and then down, or one dimension after the other.
    One,
    /// The number of global links behind a packet; on a global link there is one class.
    ByGlobal,
    /// The number of links behind a packet.
    ByHop,
}

/// A rule that leads from any router to any other. All its ways between two routers are equally long.
pub trait Rule: std::fmt::Debug + Send + Sync {
    /// Appends the output ports by which the rule leads from `at` to another router `to`.
    fn ports(&self, at: u32, to: u32, ports: &mut Vec<usize>);

    /// The output port by which a packet leaves the router of its node for a node there, where it has to go round: as many links as to
    /// any other router.
    fn round(&self, _at: u32) -> Option<usize> {
        None
    }
}

impl Built {
    /// A network whose minimal ways are all shortest ways of the graph.
    fn shortest(network: Network) -> Built {
        let channels = LinkChannels::default();
        Built {
            network,
            minimal: Minimal::Shortest,
            classes: Classes::ByHop,
            channels,
            one_way: false,
            notes: Vec::new(),
        }
    }

    /// A grid, for routings that go by the links of a network and not by coordinates.
    pub fn on_grid(grid: &Grid) -> Built {
        Built::shortest(grid.into())
    }

    /// A network with a rule for minimal ways.
    fn by(network: Network, rule: impl Rule + 'static) -> Built {
        Built { minimal: Minimal::Rule(Box::new(rule)), ..Built::shortest(network) }
    }

    /// The same, with these classes of channels.
    fn with_classes(self, classes: Classes) -> Built {
        Built { classes, ..self }
    }
}

/// The `topology` section with all families.
pub fn section() -> Section {
    Section {
        path: "topology",
        doc: "How routers are wired.",
        params: params::COMMON,
        entries: FAMILIES.iter().map(|family| family.entry).collect(),
        default_entry: None,
        idle: Vec::new(),
    }
}

/// The sections below `topology`.
pub fn subsections() -> Vec<Section> {
    vec![mesh::boundary_section()]
}

/// What a torus or a mesh of a `topology` section has beside its grid, in words.
pub fn beside_grid(view: View) -> Option<&'static str> {
    let all = [
        (torus::is_twisted(view), "a twist"),
        (mesh::has_boundary(view), "boundaries between tiles"),
        (mesh::has_tiles(view), "nodes numbered by tile"),
    ];
    all.into_iter().find(|&(has, _)| has).map(|(_, what)| what)
}

/// Why the network of a resolved `topology` section has no coordinates to go by, where it has none: the end of a sentence.
pub fn without_coordinates(view: View) -> String {
    match beside_grid(view) {
        Some(what) => format!("a {} with {what} is not one", view.kind()),
        None => format!("a {} has none", view.kind()),
    }
}

/// The grid on which the routers of a torus or a mesh of a resolved `topology` section stand, whatever its links have beside it.
pub fn grid(view: View) -> Option<Grid> {
    let all = [(&torus::FAMILY, true), (&mesh::FAMILY, false)];
    let wraps = all.into_iter().find(|(family, _)| family.entry.name == view.kind())?.1;
    let radix = view.u32s("radix");
    Some(Grid::new(&radix, &vec![wraps; radix.len()], params::nodes_per_router(view, 1), view.u32("link_cycles")))
}

/// The plane on which patterns go by coordinates, where the network of a resolved `topology` section has one beside its links: radices,
/// and nodes at each place.
pub fn plane(view: View) -> Option<(Vec<u32>, u32)> {
    (view.kind() == mesh::FAMILY.entry.name).then(|| mesh::plane(view))
}

/// Builds the network of a resolved `topology` section.
///
/// # Errors
/// For parameters that make no network, or too large a one.
pub fn build(view: View) -> Result<Built, Box<SpecError>> {
    let family = FAMILIES.iter().find(|family| family.entry.name == view.kind()).expect("the section lists families");
    if family.entry.name != mesh::FAMILY.entry.name && mesh::has_boundary(view) {
        let message = format!("a {} has no boundaries between tiles; they need kind = \"mesh\"", family.entry.name);
        return Err(refusal("topology.boundary", message));
    }
    (family.build)(view)
}

/// Refuses sizes beyond the limits, before anything is allocated.
fn sized(routers: u64, nodes: u64, ports: u64) -> Result<(), Box<SpecError>> {
    limits::check(routers, nodes, ports).map_err(refused)
}

/// A network that cannot be built as asked.
fn refused(fault: Fault) -> Box<SpecError> {
    refusal("topology", fault.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_spec::{Catalogue, problems};

    #[test]
    fn the_sections_are_sound() {
        let sections = [section()].into_iter().chain(subsections()).collect();
        assert_eq!(problems(&Catalogue { sections, ..Catalogue::default() }), Vec::<String>::new());
    }

    #[test]
    fn absurd_sizes_are_refused_at_once() {
        for (kind, sets) in [
            ("dragonfly", "routers_per_group=1000000 global_links=1000"),
            ("megafly", "leaves=1000000 spines=1000000 global_links=1000"),
            ("hyperx", "sides=[1000000,1000000,1000000]"),
            ("fat_tree", "arity=1024 levels=16"),
            ("folded_clos", "levels=[[1000,1000,1],[1000,1000,1],[1000,1000,1],[1000,0,1]]"),
            ("leaf_spine", "leaves=1000000 spines=1000000"),
            ("slim_fly", "q=99991"),
            ("jellyfish", "routers=10000000 degree=1000"),
            ("torus", "radix=[100000,100000]"),
            ("mesh", "radix=[100000,100000]"),
        ] {
            let refused = testing::refused(kind, sets);
            assert!(refused.contains("are the most") || refused.contains("must be"), "{kind}: {refused}");
        }
    }

    #[test]
    fn boundaries_are_those_of_meshes() {
        assert!(testing::refused("torus", "radix=[8,8] boundary.every=[4,4]").contains("kind = \"mesh\""));
    }
}
