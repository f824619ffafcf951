//! `preset`: named defaults below what a spec says.

use crate::sample::{catalogue, document, errors, expand, resolve};
use tailback_spec::Origin;

const NARROW: &str = "preset = \"narrow\"\n[traffic]\nload = 0.5\n";

#[test]
fn a_preset_gives_what_the_spec_does_not_say() {
    let resolved = resolve(&format!("{NARROW}[network]\nbuffer_flits = 32\n")).unwrap();
    let network = resolved.view("network");
    assert_eq!((network.u32("vcs"), network.u32("buffer_flits")), (1, 32));
    assert_eq!((resolved.view("admission").kind(), resolved.view("admission").u32("margin_flits")), ("spth", 4));
    let origin = |path| resolved.sources.origin(path);
    assert_eq!((origin("network.vcs"), origin("network.hop_cycles")), (Origin::Preset, Origin::Default));
    assert!(matches!(origin("network.buffer_flits"), Origin::File(_)));
    assert!(matches!(origin("preset"), Origin::File(_)));
}

#[test]
fn another_kind_takes_nothing_and_the_same_kind_the_rest() {
    let off = resolve(&format!("admission = \"off\"\n{NARROW}")).unwrap();
    assert_eq!(off.view("admission").kind(), "off");
    let word = resolve(&format!("admission = \"spth\"\n{NARROW}")).unwrap();
    assert_eq!(word.view("admission").u32("margin_flits"), 4);
    let table = resolve(&format!("{NARROW}[admission]\nkind = \"spth\"\nmargin_flits = 9")).unwrap();
    assert_eq!(table.view("admission").u32("margin_flits"), 9);
    let other = errors(&format!("{NARROW}[admission]\nkind = \"off\"\nmargin_flits = 9"));
    assert!(other.contains("`margin_flits` belongs to"), "{other}");
}

#[test]
fn what_is_given_by_a_preset_is_not_missing() {
    assert_eq!(resolve("preset = \"wide\"").unwrap().view("traffic").float("load"), 0.25);
    assert!(errors("preset = \"narrow\"").contains("`traffic.load` is missing"));
}

#[test]
fn the_same_values_are_the_same_point() {
    let by_name = expand("preset = \"wide\"").unwrap();
    let written = expand("[network]\nvcs = 8\n[traffic]\nload = 0.25").unwrap();
    assert_eq!(by_name[0].id, written[0].id);
    assert_ne!(by_name[0].id, expand("preset = \"wide\"\n[network]\nvcs = 4").unwrap()[0].id);
}

#[test]
fn presets_are_swept_and_set() {
    let points = expand("[traffic]\nload = 0.5\n[sweep]\npreset = [\"wide\", \"narrow\"]\n").unwrap();
    let of = |i: usize| (points[i].resolved.view("network").u32("vcs"), points[i].resolved.view("admission").kind());
    assert_eq!((of(0), of(1)), ((8, "off"), (1, "spth")));
    assert_eq!(points[1].swept, [("preset".to_owned(), toml::Value::from("narrow"))]);
    // A parameter of a component that only one of the presets chooses.
    let mixed =
        errors("[traffic]\nload = 0.5\n[sweep]\npreset = [\"wide\", \"narrow\"]\n\"admission.margin_flits\" = [1]\n");
    assert!(mixed.contains("`margin_flits` belongs to"), "{mixed}");
    let mut set = document(NARROW).unwrap();
    set.set("preset=wide").unwrap();
    assert_eq!(set.resolve(&catalogue()).unwrap().view("network").u32("vcs"), 8);
}

#[test]
fn an_unknown_preset_is_named_with_what_there_is() {
    insta::assert_snapshot!(errors("preset = \"narow\"\n[traffic]\nload = 0.5"), @r#"
    error: there is no preset "narow"
     --> spec.toml:1:10
      |
    1 | preset = "narow"
      |          ^^^^^^^ unknown preset
      |
      = help: did you mean `narrow`?
    "#);
    assert!(errors("preset = 3\n[traffic]\nload = 0.5").contains("must be the name of a preset"));
    let swept = errors("[traffic]\nload = 0.5\n[sweep]\npreset = [\"wide\", \"x\"]\n");
    assert!(swept.contains("there is no preset \"x\""), "{swept}");
}

#[test]
fn explain_marks_what_a_preset_gives_and_is_the_same_spec() {
    let catalogue = catalogue();
    let text = resolve(NARROW).unwrap().to_toml(&catalogue);
    assert!(text.contains("preset = \"narrow\"") && text.contains("virtual channels; preset"), "{text}");
    let ids = |text: &str| expand(text).unwrap().into_iter().map(|p| p.id).collect::<Vec<_>>();
    assert_eq!(ids(NARROW), ids(&text));
    let swept = "[traffic]\nload = 0.5\n[sweep]\npreset = [\"wide\", \"narrow\"]\n";
    let text = resolve(swept).unwrap().to_toml(&catalogue);
    assert!(text.contains("# vcs = 8") && text.contains("\"preset\" = [\"wide\", \"narrow\"]"), "{text}");
    assert_eq!(ids(swept), ids(&text), "{text}");
}

#[test]
fn a_preset_that_says_what_nobody_knows_is_a_fault_of_the_catalogue() {
    let mut bad = catalogue();
    bad.presets[0].toml = "[network]\nvcs = 99\ncolour = 1";
    bad.presets[1].name = "narrow";
    let problems = tailback_spec::problems(&bad).join("\n");
    for part in ["`vcs` must be", "`colour`", "two presets are called narrow"] {
        assert!(problems.contains(part), "{part}: {problems}");
    }
    assert_eq!(tailback_spec::problems(&catalogue()), Vec::<String>::new());
}
