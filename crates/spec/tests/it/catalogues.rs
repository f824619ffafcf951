//! What derives from the catalogue alone: schema, documentation, lists, self-check.

use tailback_spec::{Fallback, Kind, Param, Section, json_schema, list, markdown, problems};

use crate::sample::catalogue;

#[test]
fn the_sample_is_sound_and_unsound_catalogues_are_found() {
    assert_eq!(problems(&catalogue()), Vec::<String>::new());
    static BAD: [Param; 4] = [
        Param { name: "x", kind: Kind::Integer { min: 1, max: 2 }, unit: "", fallback: Fallback::Integer(3), doc: "" },
        Param { name: "x", kind: Kind::Bool, unit: "", fallback: Fallback::Bool(true), doc: "" },
        Param { name: "c", kind: Kind::Component("nowhere"), unit: "", fallback: Fallback::Empty, doc: "" },
        Param { name: "t", kind: Kind::Component("topology"), unit: "", fallback: Fallback::Text("file"), doc: "" },
    ];
    let mut bad = catalogue();
    bad.sections.push(Section {
        path: "bad",
        doc: "",
        params: &BAD,
        entries: vec![],
        default_entry: Some("none"),
        idle: Vec::new(),
    });
    let found = problems(&bad);
    for wanted in [
        "default of bad.x is refused",
        "bad.x is declared twice",
        "nowhere",
        "bad.t is no complete",
        "default kind of bad",
    ] {
        assert!(found.iter().any(|f| f.contains(wanted)), "{wanted}: {found:?}");
    }
    assert_eq!(found.len(), 5, "{found:?}");
}

#[test]
fn the_schema_declares_everything_once() {
    let schema = json_schema(&catalogue());
    let load = &schema["properties"]["traffic"]["properties"]["load"];
    assert_eq!(load["type"], "number");
    assert_eq!((&load["minimum"], &load["maximum"]), (&0.0.into(), &1.0.into()));
    assert_eq!(load["x-unit"], "flits/node/cycle");
    assert_eq!(schema["properties"]["traffic"]["properties"]["pattern"]["$ref"], "#/$defs/traffic.pattern");
    let admission = &schema["$defs"]["admission"]["oneOf"];
    assert_eq!(admission[0]["oneOf"][1]["const"], "spth");
    assert_eq!(admission[2]["properties"]["margin_flits"]["default"], 0);
    assert_eq!(admission[2]["required"][0], "kind");
    assert!(admission[1].get("required").is_none());
    let sweep = &schema["properties"]["sweep"]["properties"];
    assert_eq!(sweep["traffic.load"]["anyOf"][1]["$ref"], "#/$defs/range");
    assert!(sweep.get("run.replicas").is_none());
    closed(&schema);
}

/// Every object forbids what it does not declare, and every reference leads somewhere.
fn closed(schema: &serde_json::Value) {
    fn walk(value: &serde_json::Value, root: &serde_json::Value) {
        if let Some(target) = value.get("$ref").and_then(|r| r.as_str()) {
            let name = target.strip_prefix("#/$defs/").expect("a local reference");
            assert!(root["$defs"].get(name).is_some(), "{target}");
        }
        if value["type"] == "object" && value.get("properties").is_some_and(|p| p.is_object()) {
            assert_eq!(value["additionalProperties"], false, "{value}");
        }
        match value {
            serde_json::Value::Object(map) => map.values().for_each(|v| walk(v, root)),
            serde_json::Value::Array(list) => list.iter().for_each(|v| walk(v, root)),
            _ => {}
        }
    }
    walk(schema, schema);
}

#[test]
fn the_documentation_names_every_parameter() {
    let text = markdown(&catalogue());
    for section in &catalogue().sections {
        assert!(text.contains(&format!("## `[{}]`", section.path)));
        for param in section.every_param() {
            assert!(text.contains(&format!("| `{}` |", param.name)), "{}", param.name);
        }
    }
    let row = "| `source_queue` | integer at least 1, or `\"infinite\"` | packets | `\"infinite\"` | Source queue \\| per node. |";
    assert!(text.contains(row), "{text}");
    assert!(
        text.contains("| `phases[].cycles` | integer between 1 and 1000000 | cycles | required | Length. |"),
        "{text}"
    );
}

#[test]
fn list_filters_by_section() {
    let catalogue = catalogue();
    assert_eq!(list(&catalogue, None).unwrap().len(), 7);
    let paths: Vec<&str> = list(&catalogue, Some("traffic")).unwrap().iter().map(|s| s.path).collect();
    assert_eq!(paths, ["traffic", "traffic.pattern"]);
    assert_eq!(list(&catalogue, Some("trafic")).unwrap_err(), "there is no section `trafic`; did you mean `traffic`?");
}
