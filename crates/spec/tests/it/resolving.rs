//! What a spec resolves to.

use tailback_spec::{Document, Origin, SpecError};

use crate::sample::{catalogue, document, errors, resolve};

#[test]
fn everything_is_present_in_the_order_of_the_catalogue() {
    let resolved = resolve("admission = \"spth\"\n[traffic]\nload = 1\n").unwrap();
    let text = serde_json::to_string(resolved.table()).unwrap();
    let wanted = concat!(
        r#"{"run":{"seed":1,"replicas":1,"audit":false},"#,
        r#""topology":{"kind":"torus","radix":[8,8],"weights":[]},"#,
        r#""network":{"vcs":2,"buffer_flits":16,"source_queue":"infinite","hop_cycles":"auto"},"#,
        r#""traffic":{"load":1.0,"ties":"random","pattern":{"kind":"uniform"}},"#,
        r#""workload":{"kind":"steady","trace":""},"admission":{"kind":"spth","margin_flits":0}}"#,
    );
    assert_eq!(text, wanted);
    assert_eq!(resolved.view("traffic.pattern").kind(), "uniform");
    assert_eq!(resolved.view("network").finite("source_queue"), None);
    assert_eq!(resolved.name(), None);
}

#[test]
fn a_bare_word_and_its_table_are_the_same() {
    let base = "traffic.load = 0.5\n";
    for (a, b) in [
        ("admission = \"spth\"", "[admission]\nkind = \"spth\""),
        ("traffic.pattern = \"hot-spot\"", "traffic.pattern.kind = \"hot-spot\""),
        ("admission = \"off\"", ""),
    ] {
        let (a, b) = (resolve(&format!("{base}{a}")).unwrap(), resolve(&format!("{base}{b}")).unwrap());
        assert_eq!(a.table(), b.table());
    }
}

#[test]
fn components_inside_tables_are_resolved_too() {
    let resolved = resolve(
        "traffic.load = 0.5\n[workload]\nkind = \"phases\"\nphases = [{ cycles = 5 }, { pattern = { kind = \"hot-spot\" }, cycles = 9 }]\n",
    )
    .unwrap();
    let phases = resolved.view("workload").tables("phases");
    assert_eq!(phases[0].sub("pattern").kind(), "uniform");
    assert_eq!(phases[1].sub("pattern").float("share"), 0.1);
    assert_eq!(resolved.sources.origin("workload.phases[0].pattern.kind"), Origin::Default);
    assert!(matches!(resolved.sources.origin("workload.phases[1].pattern.kind"), Origin::File(_)));
    let wrong =
        errors("traffic.load = 0.5\n[workload]\nkind = \"phases\"\nphases = [{ pattern = \"unifrom\", length = 5 }]\n");
    assert!(wrong.contains("`workload.phases[0].pattern` has no kind \"unifrom\""), "{wrong}");
    assert!(wrong.contains("unknown key `length` in `workload.phases[0]`"), "{wrong}");
    assert!(wrong.contains("`workload.phases[0].cycles` is missing"), "{wrong}");
}

#[test]
fn set_changes_values_and_knows_bare_words() {
    let mut document = document("name = \"n\"\ntraffic.load = 0.5\nadmission = \"spth\"\n").unwrap();
    for argument in [
        "traffic.load=0.25",
        "traffic.pattern=hot-spot",
        "admission.margin_flits = 8",
        "name=other",
        "topology.radix=[4, 4, 4]",
        "network.source_queue=\"infinite\"",
    ] {
        document.set(argument).unwrap();
    }
    let resolved = document.resolve(&catalogue()).unwrap();
    assert_eq!(resolved.view("traffic").float("load"), 0.25);
    assert_eq!(resolved.view("admission").kind(), "spth");
    assert_eq!(resolved.view("admission").integer("margin_flits"), 8);
    assert_eq!(resolved.view("topology").u32s("radix"), [4, 4, 4]);
    assert_eq!(resolved.name(), Some("other"));
    let origin = resolved.sources.origin("traffic.load");
    assert_eq!(origin, Origin::Set("traffic.load=0.25".to_owned(), 13..17));
}

#[test]
fn a_refused_set_leaves_the_document_as_it_was() {
    let mut document = document("traffic.load = 0.5\nname = \"n\"\n").unwrap();
    for argument in [
        "",
        "=",
        "traffic.load",
        "traffic.load=",
        "traffic..load=1",
        "[a]\nb=1",
        "a#b=1",
        "traffic.load=[1",
        "traffic.load.x=1",
    ] {
        assert!(document.set(argument).is_err(), "{argument}");
    }
    assert_eq!(document.resolve(&catalogue()).unwrap().view("traffic").float("load"), 0.5);
}

#[test]
fn elements_of_lists_are_set_by_number() {
    let text =
        "traffic.load = 0.5\ntopology.radix = [4, 4]\nworkload = { kind = \"phases\", phases = [{ cycles = 5 }] }\n";
    let mut document = document(text).unwrap();
    document.set("topology.radix.1=8").unwrap();
    document.set("workload.phases.0.pattern=hot-spot").unwrap();
    document.set("workload.phases.0.pattern.share=0.3").unwrap();
    let resolved = document.resolve(&catalogue()).unwrap();
    assert_eq!(resolved.view("topology").integers("radix"), [4, 8]);
    let phase = resolved.view("workload").tables("phases")[0];
    assert_eq!((phase.u64("cycles"), phase.sub("pattern").float("share")), (5, 0.3));
    assert!(matches!(resolved.sources.origin("workload.phases[0].pattern.share"), Origin::Set(..)));
    for (argument, found) in [
        ("topology.radix.2=8", "a list of 2 values (0 to 1) in the way"),
        ("topology.radix.x=8", "a list of 2 values in the way"),
        ("topology.radix.1.x=8", "the integer 8 in the way"),
    ] {
        let errors = document.set(argument).unwrap_err().render();
        assert!(errors.contains(found), "{errors}");
    }
}

#[test]
fn later_layers_point_at_the_line_or_the_nearest_table() {
    let document = Document::parse("spec.toml", b"traffic.load = 0.5\n[network]\nvcs = 1\n").unwrap();
    let resolved = document.resolve(&catalogue()).unwrap();
    assert!(resolved.errors([]).is_none());
    let errors = resolved
        .errors([
            SpecError::at("network.buffer_flits", "a packet does not fit").help("at least 32 flits"),
            SpecError::at("network.vcs", "too few virtual channels"),
            SpecError::at("topology.radix", "too large a network"),
        ])
        .unwrap();
    insta::assert_snapshot!(errors.render(), @r##"
error: a packet does not fit
 --> spec.toml:2:2
  |
2 | [network]
  |  ^^^^^^^ `network.buffer_flits` is 16 by default
  |
  = help: at least 32 flits

error: too few virtual channels
 --> spec.toml:3:7
  |
3 | vcs = 1
  |       ^

error: too large a network
--> spec.toml
 = note: `topology.radix` is [8, 8] by default
"##);
}

#[test]
fn a_byte_order_mark_and_crlf_do_not_matter() {
    let document = Document::parse("s", b"\xef\xbb\xbftraffic.load = 0.5\r\n[network]\r\nvcs = 3\r\n").unwrap();
    assert_eq!(document.resolve(&catalogue()).unwrap().view("network").u32("vcs"), 3);
}

#[test]
fn no_file_can_be_written_only_where_it_is_the_default() {
    assert!(resolve("traffic.load = 0.5\nworkload = { trace = \"\" }\n").is_ok());
    assert!(
        errors("traffic.load = 0.5\ntopology = { kind = \"file\", path = \"\" }\n")
            .contains("must be the path of a file")
    );
    let text = resolve("traffic.load = 0.5\n").unwrap().to_toml(&catalogue());
    assert!(resolve(&text).is_ok(), "{text}");
}
