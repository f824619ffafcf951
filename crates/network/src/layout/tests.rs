//! Tests of layouts: of every family, at several sizes.

use super::*;
use crate::family::testing::built;

const MEMBERS: [(&str, &str); 19] = [
    ("dragonfly", "routers_per_group=4 nodes_per_router=2 global_links=2"),
    ("dragonfly", "routers_per_group=4 global_links=2 groups=2"),
    ("dragonfly", "routers_per_group=8 global_links=4"),
    ("megafly", "leaves=2 spines=2 global_links=2"),
    ("megafly", "leaves=1 spines=3 global_links=1"),
    ("hyperx", "sides=[4,4] nodes_per_router=4"),
    ("hyperx", "sides=[5] trunks=[2]"),
    ("hyperx", "sides=[4,3,2,2]"),
    ("fat_tree", "arity=2 levels=3"),
    ("fat_tree", "arity=8 levels=3"),
    ("fat_tree", "arity=4 levels=1"),
    ("folded_clos", "levels=[[8,2,2],[8,0,1]]"),
    ("leaf_spine", "leaves=8 spines=4 nodes_per_router=8"),
    ("slim_fly", "q=5"),
    ("jellyfish", "routers=20 degree=4"),
    ("crossbar", "nodes_per_router=5"),
    ("torus", "radix=[4,8]"),
    ("torus", "radix=[4,4,8] twist=[[0,0,4],[0,0,4],[0,0,0]]"),
    ("mesh", "radix=[6]"),
];

fn is_inside((x, y): Position) -> bool {
    (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)
}

#[test]
fn routers_stand_inside_apart_and_always_in_the_same_place() {
    for (kind, sets) in MEMBERS {
        let network = built(kind, sets).network;
        let layout = Layout::new(&network);
        assert_eq!((layout.places.len(), layout.links.len()), (network.routers(), network.links()), "{kind} {sets}");
        assert!(layout.places.iter().copied().all(is_inside), "{kind} {sets}");
        for (a, one) in layout.places.iter().enumerate() {
            for other in &layout.places[a + 1..] {
                let apart = ((one.0 - other.0) * layout.aspect).hypot(one.1 - other.1);
                assert!(apart > 1.9 * layout.radius, "{kind} {sets}: {one:?} {other:?}, radius {}", layout.radius);
            }
        }
        assert_eq!(layout, Layout::new(&built(kind, sets).network), "{kind} {sets}");
    }
}

#[test]
fn links_stay_on_the_map_and_no_two_are_one() {
    for (kind, sets) in MEMBERS {
        let layout = Layout::new(&built(kind, sets).network);
        let near = |&(x, y): &Position| (-0.35..=1.35).contains(&x) && (-0.65..=1.65).contains(&y);
        assert!(layout.links.iter().flat_map(|line| &line.bends).all(near), "{kind} {sets}");
        let mut curves: Vec<String> = layout
            .links
            .iter()
            .map(|line| {
                let ends = (line.from.min(line.to), line.from.max(line.to));
                let mut bends = line.bends.map(|(x, y)| format!("{x:.6} {y:.6}"));
                bends.sort();
                format!("{ends:?} {bends:?}")
            })
            .collect();
        let all = curves.len();
        curves.sort();
        curves.dedup();
        assert_eq!(
            curves.len(),
            all,
            "{kind} {sets}: both directions, and links side by side, have a curve of their own"
        );
    }
}

#[test]
fn links_are_found_by_router_and_port() {
    let network = built("fat_tree", "arity=3 levels=2").network;
    let layout = Layout::new(&network);
    for router in 0..network.routers() as u32 {
        for (port, link) in network.links_of(router) {
            let line = layout.links[layout.link(router, port).expect("it is there")];
            assert_eq!((line.from, line.port as usize, line.to), (router, port, link.to.router));
        }
        assert_eq!(layout.link(router, network.ports(router)), None);
    }
}

#[test]
fn each_family_has_its_form() {
    let layout = |kind, sets| Layout::new(&built(kind, sets).network);
    let words = |layout: &Layout| layout.labels.iter().map(|label| label.text.clone()).collect::<Vec<_>>();
    // Nine groups, the first at the top.
    let ring = layout("dragonfly", "routers_per_group=4 global_links=2");
    assert_eq!(words(&ring), ["0", "1", "2", "3", "4", "5", "6", "7", "8"]);
    assert!((ring.labels[0].at.0 - 0.5).abs() < 1e-12 && ring.labels[0].at.1 > 0.9);
    let tree = layout("fat_tree", "arity=2 levels=3");
    assert_eq!(words(&tree), ["leaves", "level 1", "level 2"]);
    // The roots of a tree are numbered first, and stand at the top.
    assert!(tree.places[0].1 > 0.9 && tree.places[11].1 < 0.1);
    let matrix = layout("hyperx", "sides=[4,3]");
    assert_eq!(matrix.places[5], ((1.0 + 0.5) / 4.0, (1.0 + 0.5) / 3.0));
    assert_eq!(words(&matrix), ["0", "1", "2", "3", "0", "1", "2"]);
    // Leaves of a megafly stand farther out than spines.
    let mega = layout("megafly", "leaves=2 spines=2 global_links=2");
    let out = |router: usize| (mega.places[router].0 - 0.5).hypot(mega.places[router].1 - 0.5);
    assert!((0..10).all(|leaf| (10..20).all(|spine| out(leaf) > out(spine))));
    assert_eq!(words(&layout("slim_fly", "q=3")).len(), 18);
}

#[test]
fn a_file_has_the_form_that_its_links_say() {
    let of = |text: &str| {
        let path = std::env::temp_dir().join(format!("tailback-layout-{}-{}", std::process::id(), text.len()));
        std::fs::write(&path, text).unwrap();
        let layout = Layout::new(&built("file", &format!("path={:?}", path.display().to_string())).network);
        std::fs::remove_file(path).unwrap();
        layout
    };
    let tree = of("routers 3\n0 2 kind up\n1 2 kind up\nnode 0 0\nnode 1 1\n");
    assert_eq!(tree.labels[0].text, "leaves");
    let ring = of("routers 4\n0 1 kind local\n2 3 kind local\n1 2 kind global\nnode 0 0\nnode 1 3\n");
    assert_eq!(ring.labels.len(), 2);
    // Links up in a circle make no levels, and links across a dimension whose routers are not in rows no matrix.
    let circle = of("routers 3\n0 1 kind up\n1 2 kind up\n2 0 kind up\nnode 0 0\nnode 1 1\n");
    assert_eq!(circle.labels.len(), 3);
    let odd = of("routers 4\n0 1 kind across0\n2 3 kind across0\n1 3 kind across0\nnode 0 0\nnode 1 1\n");
    assert_eq!(odd.labels.len(), 4);
}
