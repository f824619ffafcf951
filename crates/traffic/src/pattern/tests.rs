//! Every pattern against its definition written naively, and what no network can have.

use super::{Pattern, REGISTRY, build};
use crate::Shape;
use crate::testing::{TextFile, resolved, shape};
use std::collections::BTreeMap;
use tailback_base::rng::{Purpose, draw_u64};
use tailback_spec::View;

const SIZES: &[&[u32]] =
    &[&[2, 2], &[4, 4], &[8, 8], &[32, 32], &[8, 4], &[2, 4, 8], &[16], &[5, 5], &[7, 3], &[6, 6], &[3, 3, 4]];

fn try_pattern(text: &str, shape: &Shape, seed: u64) -> super::Built {
    build(View::new(&resolved("traffic.pattern", &text.parse().expect("TOML"))), shape, seed)
}

pub(super) fn pattern(text: &str, shape: &Shape) -> Box<dyn Pattern> {
    try_pattern(text, shape, 1).unwrap_or_else(|problems| panic!("{text} on {shape}: {problems:?}"))
}

pub(super) fn refused(text: &str, shape: &Shape) -> String {
    let problems = try_pattern(text, shape, 1).err().unwrap_or_else(|| panic!("accepted: {text} on {shape}"));
    problems.iter().map(|p| format!("{}: {}", p.0, p.1)).collect::<Vec<_>>().join("; ")
}

/// The destinations of all nodes, a silent one its own.
fn map(pattern: &dyn Pattern, nodes: u32) -> Vec<u32> {
    (0..nodes).map(|node| pattern.destination(node, u64::from(node) * 77).unwrap_or(node)).collect()
}

/// The address as the paper writes it, highest bit first, rearranged by `f`.
fn by_text(node: u32, bits: usize, f: fn(String) -> String) -> u32 {
    u32::from_str_radix(&f(format!("{node:0bits$b}")), 2).expect("bits")
}

#[test]
fn bit_patterns_follow_their_definitions() {
    type OnText = fn(String) -> String;
    let definitions: [(&str, OnText); 5] = [
        ("shfl", |w| format!("{}{}", &w[1..], &w[..1])),
        ("brot", |w| format!("{}{}", &w[w.len() - 1..], &w[..w.len() - 1])),
        ("bcmp", |w| w.chars().map(|c| if c == '0' { '1' } else { '0' }).collect()),
        ("brev", |w| w.chars().rev().collect()),
        ("butterfly", |w| {
            let n = w.len();
            if n == 1 { w } else { format!("{}{}{}", &w[n - 1..], &w[1..n - 1], &w[..1]) }
        }),
    ];
    for radix in SIZES.iter().chain(&[&[2u32][..]]) {
        let shape = shape(radix);
        let nodes = shape.nodes();
        for (name, definition) in definitions {
            let text = format!("kind = '{name}'");
            if !nodes.is_power_of_two() {
                let message = refused(&text, &shape);
                assert!(message.contains("power of two") && message.contains(&nodes.to_string()), "{message}");
                continue;
            }
            let bits = nodes.trailing_zeros() as usize;
            let expected: Vec<u32> = (0..nodes).map(|node| by_text(node, bits, definition)).collect();
            assert_eq!(map(&*pattern(&text, &shape), nodes), expected, "{name} on {shape}");
        }
    }
    let message = refused("kind = 'shfl'", &shape(&[6, 6]));
    assert_eq!(message, ": shfl rotates the bits of the node address and needs a power of two of nodes; 6x6 has 36");
}

#[test]
fn bit_patterns_survive_the_widest_and_the_narrowest_address() {
    let wide = Shape { radix: vec![1 << 16, 1 << 15], nodes_per_router: 1 };
    let top = (1u32 << 31) - 1;
    for (name, from, to) in
        [("shfl", 1 << 30, 1), ("brot", 1, 1 << 30), ("bcmp", 0, top), ("brev", 1, 1 << 30), ("butterfly", 1, 1 << 30)]
    {
        assert_eq!(pattern(&format!("kind = '{name}'"), &wide).destination(from, 0), Some(to), "{name}");
        assert_eq!(pattern(&format!("kind = '{name}'"), &shape(&[1])).destination(0, 0), None, "{name}");
    }
}

#[test]
fn transpose_swaps_coordinates_of_squares_only() {
    for k in [1, 2, 5, 8] {
        let shape = shape(&[k, k]);
        let map = map(&*pattern("kind = 'trns'", &shape), k * k);
        (0..k).for_each(|x| (0..k).for_each(|y| assert_eq!(map[(y * k + x) as usize], x * k + y)));
    }
    let two = Shape { radix: vec![3, 3], nodes_per_router: 2 };
    assert_eq!(pattern("kind = 'trns'", &two).destination((2 + 3) * 2 + 1, 0), Some((1 + 3 * 2) * 2 + 1));
    assert!(refused("kind = 'trns'", &shape(&[8, 4])).contains("8x4"));
    assert!(refused("kind = 'trns'", &shape(&[4, 4, 8])).contains("4x4x8"));
    assert!(refused("kind = 'trns'", &shape(&[8])).contains("two dimensions"));
    // (x, y, z) to (z, x, y); where all are alike a node is silent.
    let cube = pattern("kind = 'trns'", &shape(&[8, 8, 8]));
    assert_eq!(cube.destination(1 + 8 * 2 + 64 * 3, 0), Some(3 + 8 + 64 * 2));
    assert_eq!(cube.destination(5 + 8 * 5 + 64 * 5, 0), None);
}

#[test]
fn distances_follow_their_definitions() {
    for radix in SIZES {
        let shape = shape(radix);
        let nodes = shape.nodes();
        let half = radix[0] / 2;
        let torn = map(&*pattern("kind = 'torn'", &shape), nodes);
        let six = map(&*pattern("kind = 'torn'\noffset = 6", &shape), nodes);
        let tornado = map(&*pattern("kind = 'tornado'", &shape), nodes);
        let all = map(&*pattern("kind = 'neighbour'", &shape), nodes);
        let first = map(&*pattern("kind = 'neighbour'\ndimensions = 'first'", &shape), nodes);
        for node in 0..nodes {
            let i = node as usize;
            assert_eq!((torn[i], six[i]), ((node + half) % nodes, (node + 6) % nodes));
            for (d, &k) in radix.iter().enumerate() {
                let (x, at) = (shape.coordinate(node, d), |node: u32| shape.coordinate(node, d));
                assert_eq!(at(tornado[i]), (x + k.div_ceil(2) - 1) % k);
                assert_eq!(at(all[i]), (x + 1) % k);
                assert_eq!(at(first[i]), if d == 0 { (x + 1) % k } else { x });
            }
        }
    }
    let two = Shape { radix: vec![8, 8], nodes_per_router: 2 };
    assert_eq!(pattern("kind = 'torn'", &two).destination(3, 0), Some(3 + 8), "half a row of 16 nodes");
    assert_eq!(pattern("kind = 'tornado'", &two).destination(3, 0), Some(((1 + 3) + 8 * 3) * 2 + 1));
}

#[test]
fn random_pairs_are_a_matching_that_the_seed_draws() {
    for radix in [&[2u32][..], &[4, 4], &[32, 32], &[3, 4]] {
        let shape = shape(radix);
        let map_of = |seed| map(&*try_pattern("kind = 'rpar'", &shape, seed).expect("even"), shape.nodes());
        let partner = map_of(1);
        for node in 0..shape.nodes() {
            assert_ne!(partner[node as usize], node);
            assert_eq!(partner[partner[node as usize] as usize], node);
        }
        assert!(shape.nodes() < 16 || map_of(2) != partner);
        assert_eq!(map_of(1), partner);
    }
    // All three matchings of four nodes are equally likely.
    let mut counts = [0u32; 4];
    for seed in 0..3000 {
        let pattern = try_pattern("kind = 'rpar'", &shape(&[2, 2]), seed).expect("even");
        counts[pattern.destination(0, 0).expect("sends") as usize] += 1;
    }
    assert!(counts[0] == 0 && counts[1..].iter().all(|n| (900..1100).contains(n)), "{counts:?}");
    assert!(refused("kind = 'rpar'", &shape(&[5, 5])).contains("even number of them; 5x5 has 25"));
}

/// Every pattern with values for its required parameters, to be tried on 4x4.
fn every_pattern() -> Vec<(String, Box<dyn Pattern>)> {
    let file = TextFile::new(&"0 1 2 3 4 5 6 7 8 9 10 11 12 14 15 13".replace(' ', "\n"));
    let with = |name: &str| match name {
        "adversarial" => "group_nodes = 4".to_owned(),
        "hot_spot" => "nodes = [3, 9]".to_owned(),
        "destinations" => "nodes = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]".to_owned(),
        "weighted" => "nodes = [3, 9, 3]\nweights = [1, 3, 2]".to_owned(),
        "steps" => "steps = [1, 5, 21]\nweights = [2, 1, 1]".to_owned(),
        "hot_sources" => "destination = 5\none_in = 3".to_owned(),
        "permutation" => format!("file = '{}'", file.path()),
        _ => String::new(),
    };
    let text = |name: &str| format!("kind = '{name}'\n{}", with(name));
    REGISTRY.iter().map(|part| (part.0.name.to_owned(), pattern(&text(part.0.name), &shape(&[4, 4])))).collect()
}

#[test]
fn flows_are_the_frequencies_of_destinations() {
    const DRAWS: u64 = 40_000;
    for (name, pattern) in every_pattern() {
        for source in 0..16 {
            let mut flows = BTreeMap::new();
            pattern.flows(source, &mut |destination, share| {
                assert!(flows.insert(destination, share).is_none(), "{name}: a destination twice");
            });
            let mut counts = BTreeMap::new();
            for i in 0..DRAWS {
                let draw = draw_u64(1, Purpose::Destination, source, i);
                pattern.destination(source, draw).into_iter().for_each(|d| *counts.entry(d).or_insert(0u64) += 1);
            }
            assert_eq!(counts.keys().collect::<Vec<_>>(), flows.keys().collect::<Vec<_>>(), "{name} from {source}");
            for (destination, share) in &flows {
                let counted = counts[destination] as f64 / DRAWS as f64;
                assert!((counted - share).abs() < 0.012, "{name} {source} to {destination}: {counted} {share}");
            }
            let total: f64 = flows.values().sum();
            assert!(flows.is_empty() || (total - 1.0).abs() < 1e-9, "{name}: {total}");
        }
    }
}

#[test]
fn destinations_exist_and_silence_does_not_depend_on_the_draw() {
    for (name, pattern) in every_pattern() {
        for source in 0..16 {
            let reached = [0, 1, u64::MAX / 3, u64::MAX - 1, u64::MAX].map(|draw| pattern.destination(source, draw));
            let may = |d: u32| d < 16 && (d != source || ["weighted", "row_to_column"].contains(&name.as_str()));
            assert!(reached.iter().flatten().all(|&d| may(d)), "{name} from {source}: {reached:?}");
            assert!(reached.iter().all(|d| d.is_some() == reached[0].is_some()), "{name} from {source}");
        }
    }
}

#[test]
fn permutations_are_bijections() {
    let random = [
        "uniform",
        "rand",
        "hot_spot",
        "hot_region",
        "hot_sources",
        "adversarial",
        "weighted",
        "steps",
        "row_to_column",
    ];
    for (name, pattern) in every_pattern().into_iter().filter(|(name, _)| !random.contains(&name.as_str())) {
        let mut reached = map(&*pattern, 16);
        reached.sort_unstable();
        assert_eq!(reached, (0..16).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn uniform_may_include_self() {
    let with_self = pattern("kind = 'uniform'\ninclude_self = true", &shape(&[3]));
    let draws = [0, u64::MAX / 2, u64::MAX];
    assert_eq!(draws.map(|draw| with_self.destination(1, draw)), [Some(0), Some(1), Some(2)]);
    assert_eq!(pattern("kind = 'uniform'", &shape(&[1])).destination(0, 5), None);
    let mut none = true;
    pattern("kind = 'uniform'", &shape(&[1])).flows(0, &mut |_, _| none = false);
    assert!(none);
}

fn share_to(pattern: &dyn Pattern, source: u32, inside: impl Fn(u32) -> bool) -> f64 {
    let mut share = 0.0;
    pattern.flows(source, &mut |node, s| share += if inside(node) { s } else { 0.0 });
    share
}

#[test]
fn adversarial_traffic_goes_to_another_group() {
    let machine = shape(&[4, 4]);
    let next = pattern("kind = 'adversarial'\ngroup_nodes = 4", &machine);
    assert!((share_to(&*next, 5, |node| (8..12).contains(&node)) - 1.0).abs() < 1e-9);
    assert!((share_to(&*next, 15, |node| node < 4) - 1.0).abs() < 1e-9, "the first group follows the last one");
    let far = pattern("kind = 'adversarial'\ngroup_nodes = 4\noffset = 7", &machine);
    assert!((share_to(&*far, 0, |node| node >= 12) - 1.0).abs() < 1e-9, "seven groups on are three of four");
    assert!(refused("kind = 'adversarial'\ngroup_nodes = 5", &machine).contains("do not fill a network of 16 nodes"));
    assert!(refused("kind = 'adversarial'\ngroup_nodes = 4\noffset = 8", &machine).contains("is the own group"));
    assert!(refused("kind = 'adversarial'\ngroup_nodes = 16", &machine).contains("is the own group"));
}

#[test]
fn shifts_go_by_groups() {
    let machine = shape(&[4, 4]);
    let to = |text: &str, nodes: [u32; 4]| {
        let pattern = pattern(&format!("kind = 'shift'\n{text}"), &machine);
        nodes.map(|node| pattern.destination(node, 0).unwrap_or(node))
    };
    assert_eq!(to("", [0, 8, 9, 15]), [7, 15, 0, 6], "half of sixteen less 1");
    assert_eq!(to("offset = 19", [0, 8, 13, 15]), [3, 11, 0, 2]);
    assert_eq!(to("group_nodes = 4", [0, 3, 4, 15]), [1, 0, 5, 12]);
    assert_eq!(to("group_nodes = 8\noffset = 2", [0, 6, 7, 15]), [2, 0, 1, 9], "rows of four routers with two nodes");
    assert_eq!(to("group_nodes = 8\noffset = 8", [0, 6, 7, 15]), [0, 6, 7, 15], "all are silent");
    assert!(refused("kind = 'shift'\ngroup_nodes = 3", &machine).contains("do not fill a network of 16 nodes"));
}

#[test]
fn random_permutations_are_drawn_by_the_seed() {
    let drawn = |seed| map(&*try_pattern("kind = 'random_permutation'", &shape(&[4, 4]), seed).expect("possible"), 16);
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
    // All permutations of three nodes that move some are equally likely.
    let mut counts = BTreeMap::new();
    for seed in 0..3000 {
        let pattern = try_pattern("kind = 'random_permutation'", &shape(&[3]), seed).expect("possible");
        *counts.entry(map(&*pattern, 3)).or_insert(0u32) += 1;
    }
    assert!(counts.len() == 5 && counts.values().all(|n| (500..700).contains(n)), "{counts:?}");
}

#[test]
fn hot_sets_get_their_share() {
    let machine = shape(&[32, 32]);
    let band = pattern("kind = 'hot_region'", &machine);
    // A quarter to the 128 first nodes, and of the rest their part of the other 1023 nodes.
    assert!((share_to(&*band, 500, |n| n < 128) - (0.25 + 0.75 * 128.0 / 1023.0)).abs() < 1e-9);
    assert!((share_to(&*band, 5, |n| n < 128) - (0.25 + 0.75 * 127.0 / 1023.0)).abs() < 1e-9);
    let block = pattern("kind = 'hot_region'\nshape = 'block'\nblock_routers = [16, 8]\nshare_percent = 100", &machine);
    assert!((share_to(&*block, 1023, |n| n % 32 < 16 && n / 32 < 8) - 1.0).abs() < 1e-9);
    let spot = pattern("kind = 'hot_spot'\nnodes = [7]\nshare_percent = 20", &machine);
    assert!((share_to(&*spot, 8, |n| n == 7) - (0.2 + 0.8 / 1023.0)).abs() < 1e-9);
    assert!((share_to(&*spot, 7, |n| n == 9) - 1.0 / 1023.0).abs() < 1e-9, "alone it has nobody hot to send to");
}

#[test]
fn impossible_hot_sets_are_refused() {
    let machine = shape(&[4, 4]);
    let spots = refused("kind = 'hot_spot'\nnodes = [16, 3, 3]", &machine);
    assert!(spots.contains("nodes: node 16 does not exist: 4x4 has nodes 0 to 15"), "{spots}");
    assert!(spots.contains("node 3 is listed twice"), "{spots}");
    assert!(refused("kind = 'hot_region'\nregion_percent = 6", &machine).starts_with("region_percent: "));
    assert!(refused("kind = 'hot_region'\nblock_routers = [2, 2]", &machine).starts_with("block_routers: "));
    let block =
        |sizes: &str| refused(&format!("kind = 'hot_region'\nshape = 'block'\nblock_routers = {sizes}"), &machine);
    assert!(block("[5, 1]").contains("does not fit into the 4 of dimension 0"));
    assert!(block("[2]").contains("1 sizes for the 2 dimensions"));
    assert!(block("[]").contains("0 sizes"));
}

fn hot_nodes(text: &str, shape: &Shape, seed: u64) -> Vec<u32> {
    let pattern = try_pattern(&format!("kind = 'hot_sources'\n{text}"), shape, seed).expect("a good pattern");
    (0..shape.nodes()).filter(|&node| pattern.is_hot_source(node) == Some(true)).collect()
}

#[test]
fn hot_sources_are_spread_evenly_and_never_the_destination() {
    let machine = shape(&[4, 4]);
    assert_eq!(hot_nodes("destination = 10", &machine, 1), [3, 7, 11, 15]);
    assert_eq!(hot_nodes("destination = 10\none_in = 8", &machine, 1), [7, 15]);
    assert_eq!(hot_nodes("destination = 7", &machine, 1), [3, 11, 15]);
    assert_eq!(hot_nodes("destination = 0\none_in = 1", &shape(&[3]), 1), [1, 2]);
    let two = Shape { radix: vec![2, 2], nodes_per_router: 4 };
    assert_eq!(hot_nodes("destination = 3\none_in = 4", &two, 1), [7, 11, 15], "ids, not routers");
    let pattern = pattern("kind = 'hot_sources'\ndestination = 10", &machine);
    for draw in [0, 1 << 40, u64::MAX] {
        assert_eq!(pattern.destination(3, draw), Some(10));
        assert_ne!(pattern.destination(10, draw), Some(10));
    }
    // A victim sends to any other node, the hot one among them.
    assert!((share_to(&*pattern, 4, |node| node == 10) - 1.0 / 15.0).abs() < 1e-12);
    assert!((share_to(&*pattern, 15, |node| node == 10) - 1.0).abs() < 1e-12);
}

#[test]
fn hot_sources_may_be_drawn() {
    let machine = shape(&[8, 8]);
    let draw = |seed| hot_nodes("destination = 9\none_in = 4\nplacement = 'random'", &machine, seed);
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
    let mut often = [0; 64];
    for seed in 0..400 {
        let hot = draw(seed);
        assert!(hot.len() == 16 && !hot.contains(&9), "{hot:?}");
        hot.into_iter().for_each(|node| often[node as usize] += 1);
    }
    // 400 * 16 / 63 = 102 times each, nine standard deviations either way.
    assert!((0..64).all(|node| node == 9 || (20..185).contains(&often[node])), "{often:?}");
    assert_eq!(hot_nodes("destination = 0\none_in = 1\nplacement = 'random'", &shape(&[3]), 1), [1, 2]);
}

#[test]
fn impossible_hot_sources_are_refused() {
    let machine = shape(&[4, 4]);
    let refused = |text: &str| refused(&format!("kind = 'hot_sources'\n{text}"), &machine);
    assert_eq!(refused("destination = 16"), "destination: node 16 does not exist: 4x4 has nodes 0 to 15");
    for placement in ["even", "random"] {
        let message = refused(&format!("destination = 3\none_in = 17\nplacement = '{placement}'"));
        assert_eq!(message, "one_in: one node in 17 is none of the 16 of 4x4");
    }
    assert!(refused("destination = 15\none_in = 16").starts_with("one_in: "), "the only candidate is the destination");
}

#[test]
fn who_says_that_no_seed_draws_it_is_the_same_for_all() {
    let file = TextFile::new("1 0\n0 1\n");
    let more = |name: &str| match name {
        "adversarial" => "group_nodes = 4\n".to_owned(),
        "hot_spot" => "nodes = [3]\n".to_owned(),
        "destinations" => "nodes = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]\n".to_owned(),
        "weighted" => "nodes = [3]\nweights = [1]\n".to_owned(),
        "steps" => "steps = [3]\nweights = [1]\n".to_owned(),
        "hot_sources" => "destination = 3\nplacement = 'random'\n".to_owned(),
        "permutation" => format!("file = '{}'\n", file.path()),
        _ => String::new(),
    };
    let flows = |text: &str, shape: &Shape, seed: u64| {
        let pattern = try_pattern(text, shape, seed).ok()?;
        let mut found = Vec::new();
        (0..shape.nodes()).for_each(|node| pattern.flows(node, &mut |to, share| found.push((node, to, share))));
        Some(found)
    };
    let mut looked_at = 0;
    for (entry, _) in REGISTRY {
        let text = format!("kind = '{}'\n{}", entry.name, more(entry.name));
        let shape = shape(if entry.name == "permutation" { &[2] } else { &[4, 4] });
        let Some(first) = flows(&text, &shape, 1) else { continue };
        looked_at += 1;
        let differs = (2..20).any(|seed| flows(&text, &shape, seed).as_ref() != Some(&first));
        let table: toml::Table = text.parse().expect("TOML");
        assert_eq!(super::is_drawn(View::new(&resolved("traffic.pattern", &table))), differs, "{}", entry.name);
    }
    assert!(looked_at >= REGISTRY.len() - 1, "{looked_at}");
}
