//! What checks cost, counted in the places and ways that the looks for deadlock visit: a time would be that of the machine.
//!
//! One test, since all that a process visits is counted together.

#[path = "common/repository.rs"]
mod repository;

use repository::specs;
use std::sync::atomic::AtomicBool;
use tailback_deadlock::visited;
use tailback_sim::{ALIKE, catalogue, witness};
use tailback_spec::{Document, Plan};

/// Places and ways for all points of a spec, which take some tenths of a second. The torus of 64 x 64 has 2^24 pairs of routers.
const MOST_OF_A_SPEC: u64 = 24 << 20;

/// And for all specs of `papers/` and `examples/`, one after the other.
const MOST_OF_ALL: u64 = 48 << 20;

fn plan(name: &str, bytes: &[u8]) -> Plan<'static> {
    let document = Document::parse(name, bytes).unwrap_or_else(|errors| panic!("{}", errors.render()));
    document.plan(catalogue()).unwrap_or_else(|errors| panic!("{}", errors.render()))
}

/// Looks for deadlock in points, and returns what was visited.
fn look(plan: &Plan, points: impl Iterator<Item = u64>) -> u64 {
    let before = visited();
    for index in points {
        witness(&plan.point(index).expect("a point"), &AtomicBool::new(false));
    }
    visited() - before
}

/// A network that no other test looks at, so that nobody remembers it.
fn loads_and_seeds(radix: u32, loads: usize, seeds: u32) -> Plan<'static> {
    let loads: Vec<String> = (1..=loads).map(|n| format!("{}", n as f64 / 100.0)).collect();
    let spec = format!(
        "topology = {{ kind = 'torus', radix = [{radix}, 7] }}\n[run]\nreplicas = {seeds}\n[sweep]\n\"traffic.load\" = [{}]\n",
        loads.join(", ")
    );
    plan("loads.toml", spec.as_bytes())
}

#[test]
fn what_is_visited_is_bounded_and_does_not_grow_with_loads_and_seeds() {
    let one = loads_and_seeds(9, 1, 1);
    let many = loads_and_seeds(11, 40, 5);
    assert_eq!((one.len(), many.len()), (1, 200));
    let (of_one, of_many) = (look(&one, 0..1), look(&many, 0..200));
    assert!(of_one > 0 && of_many < 2 * of_one, "{of_one} for a point of 9 x 7, {of_many} for 200 of 11 x 7");
    assert_eq!(look(&many, 0..200), 0, "what was found is remembered");

    let mut all = 0;
    for path in specs() {
        let name = path.display().to_string();
        let plan = plan(&name, &std::fs::read(&path).expect("a spec"));
        let of_spec = look(&plan, plan.kinds(&ALIKE).map(|kin| kin.first));
        assert!(of_spec <= MOST_OF_A_SPEC, "{of_spec} places and ways for {name}");
        all += of_spec;
    }
    assert!(all <= MOST_OF_ALL, "{all} places and ways for all specs");
}
