//! Random specs: an answer always, a panic never; what resolves can be explained and resolved again.

use proptest::prelude::*;
use tailback_spec::Document;

use crate::sample::catalogue;

/// Fragments that reach deep when shuffled.
const PIECES: [&str; 44] = [
    "[traffic]\n",
    "load = 0.5\n",
    "[network]\n",
    "vcs = 3\n",
    "vcs = 99\n",
    "[sweep]\n",
    "\"traffic.load\" = ",
    "[0.1, 0.2]\n",
    "{ from = 0.1, to = 0.3, step = 0.1 }\n",
    "\"admission\" = ",
    "[\"off\", { kind = \"spth\" }]\n",
    "zip = ",
    "[[\"traffic.load\", \"admission\"]]\n",
    "name = ",
    "\"a\"\n",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "\"",
    "'",
    "\n",
    "#",
    "nan",
    "inf",
    "-1",
    "0x7f",
    "1e999",
    "true",
    "kind = ",
    "\"phases\"\n",
    "[workload]\n",
    "phases = ",
    "[{ cycles = 5, pattern = \"hot-spot\" }]\n",
    "[[workload.phases]]\n",
    "cycles = 7\n",
    "[admission]\n",
    "margin_flits = 8\n",
    "é",
    "\u{1b}",
    "run.replicas = 3\n",
];

fn exercise(bytes: &[u8], sets: &[String]) {
    let catalogue = catalogue();
    let mut document = match Document::parse("r.toml", bytes) {
        Ok(document) => document,
        Err(errors) => {
            assert!(!errors.errors().is_empty() && !errors.styled().is_empty());
            return;
        }
    };
    for set in sets {
        if let Err(errors) = document.set(set) {
            assert!(errors.render().contains("--set"));
        }
    }
    match document.resolve(&catalogue) {
        Err(errors) => assert!(!errors.render().is_empty()),
        Ok(resolved) => {
            let text = resolved.to_toml(&catalogue);
            let again = Document::parse("e.toml", text.as_bytes()).expect("explain is TOML").resolve(&catalogue);
            assert_eq!(again.expect("explain resolves").table(), resolved.table(), "{text}");
        }
    }
    match document.plan(&catalogue) {
        Err(errors) => assert!(!errors.render().is_empty()),
        Ok(plan) => {
            for index in [0, plan.len() / 2, plan.len() - 1] {
                plan.point(index).expect("a plan that was checked makes its points");
            }
        }
    }
}

/// A valid spec from random values.
fn valid() -> impl Strategy<Value = String> {
    let network =
        (1..=16i64, 1..=4096i64, prop_oneof![Just("\"infinite\"".to_owned()), (1..99i64).prop_map(|v| v.to_string())]);
    let traffic = (0.0..=1.0f64, prop_oneof![Just("uniform"), Just("hot-spot")], "[ -~é\\n\\t\"]{0,12}");
    let shape = (proptest::collection::vec(2..=1024i64, 1..=6), proptest::collection::vec(0.0..=1.0f64, 0..=3));
    let phases = proptest::collection::vec((1..=1000i64, 0.0..=1.0f64, any::<bool>()), 0..3);
    (network, traffic, shape, phases, any::<bool>()).prop_map(|(network, traffic, shape, phases, throttled)| {
        let (vcs, buffer, queue) = network;
        let (load, pattern, name) = traffic;
        let name = toml::Value::String(name);
        let mut text = format!("name = {name}\ntopology = {{ radix = {:?}, weights = {:?} }}\n", shape.0, shape.1);
        text += if throttled { "admission.margin_flits = 3\nadmission.kind = \"spth\"\n" } else { "" };
        text += &format!("[network]\nvcs = {vcs}\nbuffer_flits = {buffer}\nsource_queue = {queue}\n");
        text += &format!("[traffic]\nload = {load:?}\npattern = \"{pattern}\"\n[workload]\nkind = \"phases\"\n");
        for (cycles, share, hot) in phases {
            text += &format!("[[workload.phases]]\ncycles = {cycles}\n");
            text +=
                &if hot { format!("pattern = {{ kind = \"hot-spot\", share = {share:?} }}\n") } else { String::new() };
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        exercise(&bytes, &[]);
    }

    #[test]
    fn pieces(picks in proptest::collection::vec(0..PIECES.len(), 0..30), sets in proptest::collection::vec(0..PIECES.len(), 0..4)) {
        let text: String = picks.iter().map(|p| PIECES[*p]).collect();
        let sets: Vec<String> = sets.iter().map(|p| format!("traffic.load={}", PIECES[*p])).collect();
        exercise(text.as_bytes(), &sets);
    }

    #[test]
    fn mutated(text in valid(), at in any::<prop::sample::Index>(), piece in 0..PIECES.len(), cut in 0..4usize) {
        let chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len());
        let end = (at + cut).min(chars.len());
        let mutant: String = chars[..at].iter().copied().chain(PIECES[piece].chars()).chain(chars[end..].iter().copied()).collect();
        exercise(mutant.as_bytes(), &[]);
    }

    #[test]
    fn round_trip(text in valid()) {
        let resolved = Document::parse("v.toml", text.as_bytes()).and_then(|d| d.resolve(&catalogue()));
        prop_assert!(resolved.is_ok(), "{}\n{}", text, resolved.unwrap_err());
        exercise(text.as_bytes(), &["network.vcs=5".to_owned(), "admission=off".to_owned()]);
    }
}
