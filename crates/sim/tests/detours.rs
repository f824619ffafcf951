//! Routings that take detours, on a dragonfly: what they accept, what bounds them, and what closes a circle.

use crate::common::same::{gone_on, in_parts, record};
use tailback_results::Status;
use tailback_sim::{Prepared, catalogue, prepare};
use tailback_spec::Document;

fn tried(spec: &str) -> Result<Prepared, String> {
    let document = Document::parse("s.toml", spec.as_bytes()).expect("readable");
    let points = document.expand(catalogue()).unwrap_or_else(|errors| panic!("{}", errors.render()));
    prepare(&points[0]).map_err(|errors| errors.render())
}

fn prepared(spec: &str) -> Prepared {
    tried(spec).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The dragonfly of the documentation: 4 routers a group, 2 nodes and 2 global links a router.
fn spec(routing: &str, offset: Option<u32>, load: f64, seed: u32) -> String {
    let pattern = match offset {
        Some(offset) => format!("pattern = {{ kind = 'adversarial', group_nodes = 8, offset = {offset} }}"),
        None => "pattern = 'uniform'".to_owned(),
    };
    format!(
        "topology = {{ kind = 'dragonfly', routers_per_group = 4, global_links = 2, nodes_per_router = 2, local_cycles = 10, \
         global_cycles = 100 }}\nrouter = {{ virtual_channels = 4, buffer_flits = 256 }}\nrouting = {{ {routing} }}\n\
         [traffic]\nload = {load:?}\nsize = {{ kind = 'fixed', flits = 8 }}\n{pattern}\n\
         [workload]\nwarmup_cycles = 5000\nmeasure_cycles = 10000\ndrain_cycles = 0\n[run]\nseed = {seed}\n"
    )
}

/// The mean accepted load over some seeds.
fn accepted(routing: &str, offset: Option<u32>, load: f64, seeds: u32) -> f64 {
    let of_seed = |seed| record(&prepared(&spec(routing, offset, load, seed))).accepted_load.expect("it was measured");
    (1..=seeds).map(of_seed).sum::<f64>() / f64::from(seeds)
}

/// What is accepted, and the mean latency, with one seed.
fn at_load(routing: &str, offset: Option<u32>, load: f64) -> (f64, f64) {
    let record = record(&prepared(&spec(routing, offset, load, 1)));
    (record.accepted_load.expect("it was measured"), record.latency_mean.expect("packets arrive"))
}

#[test]
fn bounds_are_those_of_all_detours() {
    for (routing, offset, bound) in [
        ("kind = 'valiant'", None, 0.50714),
        ("kind = 'valiant'", Some(1), 0.4375),
        ("kind = 'valiant'", Some(2), 0.29167),
        ("kind = 'valiant', to = 'router'", Some(2), 0.4375),
    ] {
        let found = prepared(&spec(routing, offset, 0.1, 1)).facts().channel_load_bound.expect("it is small");
        assert!((found - bound).abs() < 1e-5, "{routing}, {offset:?}: {found}");
    }
    // How often packets take a detour depends on the traffic.
    assert_eq!(prepared(&spec("kind = 'ugal_l'", None, 0.1, 1)).facts().channel_load_bound, None);
}

/// Within their bounds: `docs/dragonfly.md` has the numbers.
#[test]
fn detours_carry_adversarial_traffic() {
    let valiant = accepted("kind = 'valiant'", Some(1), 1.0, 2);
    assert!((0.9 * 0.4375..=0.4375).contains(&valiant), "{valiant}");
    let valiant = accepted("kind = 'valiant'", Some(2), 1.0, 2);
    assert!((0.9 * 0.29167..=0.29167).contains(&valiant), "{valiant}");
    for (routing, share) in [("kind = 'ugal_l'", 0.8), ("kind = 'piggyback'", 0.85), ("kind = 'par'", 0.8)] {
        let found = accepted(routing, Some(1), 1.0, 1);
        assert!(found >= share * 0.4375, "{routing}: {found}");
    }
}

/// Each of the 9 groups is drawn as often as any other, those at both ends of the way included.
#[test]
fn a_router_drawn_among_all_leaves_two_packets_of_nine_on_their_minimal_way() {
    let hops = |to| {
        let routing = format!("kind = 'valiant', to = '{to}'");
        record(&prepared(&spec(&routing, Some(1), 0.05, 1))).hops_mean.expect("packets arrive")
    };
    let minimal = record(&prepared(&spec("kind = 'minimal'", Some(1), 0.05, 1))).hops_mean.expect("packets arrive");
    let (some, all) = (hops("router"), hops("any_router"));
    let share = (some - all) / (some - minimal);
    assert!((share - 2.0 / 9.0).abs() < 0.02, "{minimal}, {all} and {some} hops: a share of {share}");
}

#[test]
fn packets_hardly_leave_their_minimal_ways_under_uniform_traffic() {
    let minimal = accepted("kind = 'minimal'", None, 1.0, 1);
    for threshold in ["", ", threshold = 'booksim'"] {
        let found = accepted(&format!("kind = 'ugal_l'{threshold}"), None, 1.0, 1);
        assert!(found >= 0.9 * minimal, "{threshold}: {found} of {minimal}");
    }
    // Without a bias the flits on a long link look like a queue.
    let exact = accepted("kind = 'ugal_l', threshold = 'exact'", None, 1.0, 1);
    assert!(exact >= 0.85 * minimal, "{exact} of {minimal}");
}

#[test]
fn flags_and_an_ideal_are_faster_than_the_queues_of_one_router() {
    let [own, flags, all] =
        ["ugal_l", "piggyback", "ugal_g"].map(|kind| at_load(&format!("kind = '{kind}'"), Some(1), 0.3).1);
    assert!(all < flags && flags < own, "{all}, {flags}, {own}");
}

const LOCKING: &str = "kind = 'ugal_l', to = 'router', classes = 'booksim', threshold = 'exact'";

/// The assignment of BookSim's ugal_dragonflynew, with small buffers.
fn booksim(allowed: bool) -> String {
    spec(LOCKING, Some(1), 1.0, 1)
        .replace("virtual_channels = 4, buffer_flits = 256", "virtual_channels = 3, buffer_flits = 16")
        .replace("seed = 1", &format!("seed = 1\nallow_deadlock = {allowed}"))
}

#[test]
fn the_assignment_of_booksim_is_refused_with_its_circle_and_locks_where_it_is_allowed() {
    let refused = tried(&booksim(false)).err().expect("it is refused");
    assert!(refused.contains("routing.classes = \"booksim\"") && refused.contains("channel 0"), "{refused}");
    let locked = record(&prepared(&booksim(true)));
    assert_eq!(locked.status, Status::Deadlocked);
}

#[test]
fn parts_and_checkpoints_change_nothing() {
    for (kind, to) in [
        ("valiant", "auto"),
        ("ugal_l", "auto"),
        ("par", "auto"),
        ("piggyback", "auto"),
        ("ugal_g", "auto"),
        ("ugal_l", "any_router"),
    ] {
        let text = spec(&format!("kind = '{kind}', to = '{to}'"), Some(1), 0.4, 3)
            .replace("warmup_cycles = 5000\nmeasure_cycles = 10000", "warmup_cycles = 300\nmeasure_cycles = 900");
        let prepared = prepared(&text);
        let whole = record(&prepared);
        assert!(whole.packets_delivered > 100, "{kind}");
        let looks_far = ["piggyback", "ugal_g"].contains(&kind);
        let told = prepared.indivisible();
        assert_eq!(told.is_some_and(|why| why.contains("more than one router's own queues")), looks_far, "{kind}");
        in_parts(&prepared, &whole, 3, kind);
        assert!(gone_on(&prepared, &whole, kind), "{kind}: there was time for a checkpoint");
    }
}
