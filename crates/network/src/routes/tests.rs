//! Engines, tables and their texts.

use super::testing::petersen;
use super::*;
use crate::Grid;
use crate::family::testing::built;
use crate::family::{Built, Classes, LinkChannels, Minimal};

fn routes(engine: &str, built: &Built) -> Routes {
    Engine::named(engine).unwrap().routes(built).unwrap()
}

fn of_graph(network: Network) -> Built {
    let channels = LinkChannels::default();
    Built { network, minimal: Minimal::Shortest, classes: Classes::ByHop, channels, one_way: false, notes: Vec::new() }
}

#[test]
fn layers_are_as_many_as_they_should_be() {
    let row = |built: &Built, layers, mean: f64| {
        let routes = routes("layered", built);
        assert_eq!(routes.layers(), layers);
        assert!((routes.mean(&built.network) - mean).abs() < 5e-5, "{}", routes.mean(&built.network));
    };
    row(&of_graph(petersen()), 2, 1.6667);
    row(&built("slim_fly", "q=5 nodes_per_router=4"), 2, 1.8571);
    row(&built("jellyfish", "routers=20 degree=4 nodes_per_router=2"), 2, 2.1053);
    row(&built("jellyfish", "routers=64 degree=6 nodes_per_router=2"), 3, 2.4613);
    row(&built("torus", "radix=[4,8]"), 2, 3.0968);
    row(&built("hyperx", "sides=[4,4] nodes_per_router=4"), 1, 1.6);
    row(&built("fat_tree", "arity=4 levels=3"), 1, 3.6);
}

#[test]
fn up_down_is_as_long_as_its_ways() {
    let jellyfish = built("jellyfish", "routers=64 degree=6 nodes_per_router=2");
    let (routes, ways) = (routes("up_down", &jellyfish), crate::up_down::UpDown::new(&jellyfish.network, None));
    for (source, destination) in pairs(&jellyfish.network) {
        assert_eq!(routes.hops(source, destination), ways.free.distance(source, destination));
    }
    assert!(routes.looks_at_inputs() && routes.layers() == 1);
}

#[test]
fn minimal_ways_of_a_dragonfly_change_channels_behind_the_global_link() {
    let dragonfly = built("dragonfly", "routers_per_group=4 global_links=2");
    let (routes, ways) = (routes("minimal", &dragonfly), crate::ways::Ways::new(&dragonfly));
    for (source, destination) in pairs(&dragonfly.network) {
        assert_eq!(routes.hops(source, destination), ways.distance(source, destination));
    }
    let refused = Engine::named("minimal").unwrap().routes(&built("slim_fly", "q=5")).unwrap_err();
    assert!(refused.contains("take the engine layered"), "{refused}");
}

#[test]
fn a_text_is_read_as_it_was_written() {
    for (engine, kind, sets) in [
        ("layered", "jellyfish", "routers=20 degree=4"),
        ("up_down", "jellyfish", "routers=20 degree=4"),
        ("minimal", "dragonfly", "routers_per_group=4 global_links=2"),
        ("layered", "torus", "radix=[4,8]"),
        ("up_down", "torus", "radix=[4,5]"),
        ("up_down", "fat_tree", "arity=2 levels=3"),
    ] {
        let built = built(kind, sets);
        let written = routes(engine, &built);
        let text = written.text(&built.network);
        let read = Routes::parse(&text, &built.network, 4).unwrap_or_else(|message| panic!("{kind}: {message}"));
        assert_eq!(read.text(&built.network), text, "{kind}");
        for (source, destination) in pairs(&built.network) {
            assert_eq!(read.hops(source, destination), written.hops(source, destination));
            assert_eq!(read.layer(source, destination), written.layer(source, destination));
        }
    }
}

/// A line of three routers, as a grid and not.
const LINE: &str = "0 1 x+\n0 2 x+ 1 # upwards\n\n1 0 x-\n1 2 x+\n2 0 x-\n2 1 x- 0,1\n";

fn line(text: &str) -> Result<Routes, String> {
    Routes::parse(text, &Grid::new(&[3], &[false], 1, 1).into(), 2)
}

fn square(text: &str) -> Result<Routes, String> {
    Routes::parse(text, &built("hyperx", "sides=[2,2]").network, 2)
}

/// By x, then y.
const SQUARE: &str = "0 1 0\n0 2 1\n0 3 0\n1 0 0\n1 3 1\n1 2 0\n2 3 0\n2 0 1\n2 1 0\n3 2 0\n3 1 1\n3 0 0\n";

#[test]
fn hops_are_followed_and_channels_kept() {
    let routes = line(LINE).unwrap();
    assert_eq!((routes.hops(0, 2), routes.longest()), (2, 2));
    let at = |router| routes.hop(router, None, 2).map(|hop| (hop.port, hop.channels));
    assert_eq!((at(0), at(1), at(2)), (Some((0, 0b10)), Some((0, 0)), None));
}

#[test]
fn inputs_have_hops_of_their_own() {
    // From router 0 to router 3 by way of 1; what comes to 1 by its port 0 goes on, and nothing else changes.
    let routes = square(&format!("{SQUARE}1 3 in 0 1 0\nlayer 2 1 1\n")).unwrap();
    let hop = |input| routes.hop(1, input, 3).map(|hop| (hop.port, hop.channels));
    assert_eq!((hop(None), hop(Some(1)), hop(Some(0))), (Some((1, 0)), Some((1, 0)), Some((1, 1))));
    assert_eq!((routes.layers(), routes.layer(2, 1), routes.layer(1, 2)), (2, 1, 0));
    // What came from 1 is sent back there, and then round the other way.
    let circle = square(&format!("{SQUARE}1 3 in 0 0\n")).unwrap_err();
    assert!(circle.contains("from router 0 to 3 goes round in a circle"), "{circle}");
    // What starts at 2 goes to 0, and comes back from there to go on.
    let detour = square(&SQUARE.replace("0 3 0", "0 3 1").replace("2 3 0", "2 3 1\n2 3 in 1 0")).unwrap();
    assert_eq!((detour.hops(2, 3), detour.hops(0, 3)), (3, 2));
}

#[test]
fn wrong_tables_are_told() {
    let refusals = [
        ("", "router 1 has no way to 0, and 5 more"),
        ("0 1 x+\n0 1 x+\n", "line 2: router 0 has a way to 1 already"),
        ("0 3 x+\n", "line 1: router 3 does not exist: the last one is 2"),
        ("0 x x+\n", "line 1: `x` is not a router's number"),
        ("0 1 y+\n", "line 1: there is no port y+: the network has 1 dimensions"),
        ("0 1 up\n", "line 1: `up` is not a port"),
        ("0 1 d1+\n", "line 1: `d1+` is not a port"),
        ("0 1 x-\n", "line 1: router 0 has no link x-"),
        ("0 1 x+ 2\n", "line 1: there is no virtual channel 2: the last one is 1"),
        ("0 1 x+ \u{1b}\n", "line 1: `\\u001b` is not a virtual channel"),
        ("1 1 x+\n", "line 1: router 1 is the destination"),
        ("0 1\n", "line 1: a line holds a router"),
        ("0 1 x+ 0 1\n", "line 1: a line holds a router"),
        ("0 1 in x+ x+\n", "line 1: no link comes in by port x+ of router 0"),
        ("layer 0 0 1\n", "line 1: router 0 is the destination"),
        ("layer 0 1 16\n", "line 1: layer 16 is too high: the last one may be 15"),
        ("layer 0 1 x\n", "line 1: `x` is not a layer"),
    ];
    for (text, expected) in refusals {
        let message = line(text).expect_err(text);
        assert!(message.contains(expected), "{text:?}: {message}");
    }
    for (more, expected) in [
        ("0 1 2\n", "router 0 has no port 2: it has 2 ports to other routers"),
        ("0 1 x+\n", "`x+` is not the number of a port"),
        ("layer 0 1 1\nlayer 0 1 0\n", "packets from router 0 to 1 have a layer already"),
        ("0 3 in 1 0\n0 3 in 1 0\n", "router 0 has two ways to 3 from one input port"),
        ("layer 0 1 2\n", "the table has 3 layers, and each needs a virtual channel of its own; there are 2"),
    ] {
        let message = square(&format!("{SQUARE}{more}")).expect_err(more);
        assert!(message.contains(expected), "{more:?}: {message}");
    }
    let secret = line(&"root:$6$salt$secretsecretsecretsecret:1:: x x\n".repeat(25)).expect_err("all are wrong");
    assert!(secret.starts_with("line 1: `root:$6$salt$secrets…` is not a router's number; lines 2, 3, "), "{secret}");
    assert_eq!(secret.matches("root").count(), 1, "one word of the file");
    let circle = line(&LINE.replace("1 0 x-", "1 0 x+")).expect_err("2 sends it back");
    assert!(circle.contains("from router 1 to 0 goes round in a circle"), "{circle}");
}
