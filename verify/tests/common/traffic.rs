//! Random traffic, as tables of a spec.

use proptest::prelude::*;

/// Packet lengths.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// Text of the spec.
    pub text: String,
    /// The longest \[flits\].
    #[allow(dead_code, reason = "not every test that includes this file asks")]
    pub longest: u32,
}

/// One length.
pub fn fixed_sizes() -> impl Strategy<Value = Sizes> {
    (1u32..=9).prop_map(|flits| Sizes { text: format!("{{ kind = \"fixed\", flits = {flits} }}"), longest: flits })
}

/// Any lengths.
pub fn sizes() -> impl Strategy<Value = Sizes> {
    let bimodal = (1u32..=4, 1u32..=12, 0u32..=100).prop_map(|(short, more, percent)| Sizes {
        text: format!(
            "{{ kind = \"bimodal\", short_flits = {short}, long_flits = {}, long_percent = {percent} }}",
            short + more
        ),
        longest: short + more,
    });
    let distribution = prop::collection::vec((1u32..=12, 1u32..=5), 1..=4).prop_map(|list| {
        let (flits, weights): (Vec<u32>, Vec<u32>) = list.into_iter().unzip();
        let longest = flits.iter().copied().max().unwrap_or(1);
        Sizes { text: format!("{{ kind = \"distribution\", flits = {flits:?}, weights = {weights:?} }}"), longest }
    });
    prop_oneof![3 => fixed_sizes(), 1 => bimodal, 1 => distribution]
}

/// Cycles, cycles between audits and the spec's traffic, with the word SIZES for the sizes.
pub fn traffic() -> impl Strategy<Value = (u64, u64, String)> {
    (workload(), process(), pattern(), 150u64..500, 1u64..40).prop_map(
        |((load, workload), process, pattern, cycles, audit_every)| {
            let text = format!(
                "[traffic]\nload = {load:?}\npattern = {pattern}\nprocess = {process}\nsize = SIZES\n\n[workload]\n{workload}"
            );
            (cycles, audit_every, text)
        },
    )
}

/// A workload that ends: a collective of at most `most` packets a node, or phases after which nodes are silent, which last less than
/// 150 cycles. With the word PATTERN for the pattern of every phase.
pub fn finite(most: u32) -> impl Strategy<Value = String> {
    let collective = (1u32..=most).prop_map(|packets| format!("kind = \"collective\"\npackets_per_node = {packets}"));
    let phase = (5u32..50, prop_oneof![1 => Just(0.0), 4 => load()])
        .prop_map(|(cycles, load)| format!("{{ cycles = {cycles}, load = {load:?}, pattern = PATTERN }}"));
    let phases = prop::collection::vec(phase, 1..=3)
        .prop_map(|phases| format!("kind = \"phases\"\nphases = [{}]", phases.join(", ")));
    prop_oneof![1 => collective, 2 => phases]
}

fn load() -> impl Strategy<Value = f64> {
    prop_oneof![1 => 1u32..50, 2 => 50u32..400, 2 => 400u32..3000]
        .prop_map(|thousandths| f64::from(thousandths) / 1000.0)
}

/// Load and workload.
fn workload() -> impl Strategy<Value = (f64, String)> {
    let steady = load().prop_map(|load| (load, "kind = \"steady\"".to_owned()));
    let collective =
        (1u32..=12).prop_map(|packets| (0.1, format!("kind = \"collective\"\npackets_per_node = {packets}")));
    let ramp = (load(), 50u32..400).prop_map(|(load, cycles)| {
        (0.1, format!("kind = \"ramp\"\nend_load_flits_per_node_cycle = {load:?}\ncycles = {cycles}"))
    });
    let phase = (10u32..150, prop_oneof![1 => Just(0.0), 4 => load()], pattern())
        .prop_map(|(cycles, load, pattern)| format!("{{ cycles = {cycles}, load = {load:?}, pattern = {pattern} }}"));
    let phases = (prop::collection::vec(phase, 1..=3), any::<bool>()).prop_map(|(phases, repeat)| {
        (0.1, format!("kind = \"phases\"\nphases = [{}]\nrepeat = {repeat}", phases.join(", ")))
    });
    prop_oneof![5 => steady, 2 => collective, 1 => ramp, 2 => phases]
}

/// When nodes send.
pub fn process() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just("\"bernoulli\"".to_owned()),
        1 => Just("{ kind = \"periodic\", phase = \"random\" }".to_owned()),
        1 => Just("{ kind = \"periodic\", phase = \"zero\" }".to_owned()),
        1 => (5u32..60, 5u32..60).prop_map(|(on, off)| {
            format!("{{ kind = \"on_off\", mean_on_cycles = {on}, mean_off_cycles = {off} }}")
        }),
    ]
}

fn pattern() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "neighbour",
        "tornado",
        "torn",
        "rand",
        "rpar",
        "random_permutation",
        "shift",
        "trns",
        "shfl",
        "bcmp",
        "brev",
        "brot",
        "butterfly",
    ]);
    prop_oneof![
        3 => Just("\"uniform\"".to_owned()),
        1 => Just("{ kind = \"uniform\", include_self = true }".to_owned()),
        3 => fixed.prop_map(|name| format!("\"{name}\"")),
        1 => (0u32..=1, 10u32..=100)
            .prop_map(|(node, share)| format!("{{ kind = \"hot_spot\", nodes = [{node}], share_percent = {share} }}")),
        1 => (1u32..=2, prop_oneof!["even", "random"]).prop_map(|(one_in, placement)| {
            format!("{{ kind = \"hot_sources\", destination = 0, one_in = {one_in}, placement = \"{placement}\" }}")
        }),
        1 => (10u32..=60).prop_map(|percent| format!("{{ kind = \"hot_region\", region_percent = {percent} }}")),
    ]
}
