//! The catalogue as a JSON Schema (draft 2020-12), for editors. It says what may be written; what must be written depends
//! on the sweep, which may give a required parameter, so only lists of tables have required keys.

use serde_json::{Map, Value, json};

use crate::catalogue::{Catalogue, Entry, Fallback, Kind, Param, Section};
use crate::node::join;
use crate::reference::values;
use crate::sweep;

const PRESET: &str = "Named defaults; what the spec itself says comes before them.";

/// The schema of a spec.
pub fn json_schema(catalogue: &Catalogue) -> Value {
    let mut properties = Map::new();
    properties.insert("name".to_owned(), json!({ "type": "string", "description": "Name of the spec." }));
    properties.insert("description".to_owned(), json!({ "type": "string", "description": "What the spec is for." }));
    if !catalogue.presets.is_empty() {
        let names: Vec<Value> =
            catalogue.presets.iter().map(|p| json!({ "const": p.name, "description": p.summary })).collect();
        properties.insert("preset".to_owned(), json!({ "description": PRESET, "oneOf": names }));
    }
    for child in catalogue.children("") {
        properties.insert(child.to_owned(), table(catalogue, child));
    }
    properties.insert("sweep".to_owned(), sweep_table(catalogue));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tailback spec",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": definitions(catalogue),
    })
}

/// The components, by the path of their section, and the range of a sweep.
fn definitions(catalogue: &Catalogue) -> Map<String, Value> {
    let mut definitions = Map::new();
    for section in catalogue.every_section().filter(|s| !s.entries.is_empty()) {
        definitions.insert(section.path.to_owned(), choice(section, &Map::new()));
    }
    let ends = json!({ "from": { "type": "number" }, "to": { "type": "number" } });
    let with = |extra: Value, required: Value| {
        let mut properties = ends.as_object().cloned().unwrap_or_default();
        properties.extend(extra.as_object().cloned().unwrap_or_default());
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    };
    let step = with(json!({ "step": { "type": "number" } }), json!(["from", "to", "step"]));
    let spaced = json!({
        "points": { "type": "integer", "minimum": 2 },
        "spacing": { "enum": ["linear", "log"], "default": "linear" },
    });
    let points = with(spaced, json!(["from", "to", "points"]));
    let doc = "Numbers from one end to the other, both included.";
    definitions.insert("range".to_owned(), json!({ "description": doc, "oneOf": [step, points] }));
    definitions
}

/// The table at a path, with the tables below it.
fn table(catalogue: &Catalogue, path: &str) -> Value {
    let children: Map<String, Value> =
        catalogue.children(path).into_iter().map(|c| (c.to_owned(), table(catalogue, &join(path, c)))).collect();
    match catalogue.section(path) {
        Some(section) if section.entries.is_empty() => object(section.doc, section.params, children),
        Some(section) if children.is_empty() => {
            json!({ "description": section.doc, "$ref": format!("#/$defs/{}", section.path) })
        }
        Some(section) => choice(section, &children),
        None => object("", &[], children),
    }
}

fn object(doc: &str, params: &[Param], mut properties: Map<String, Value>) -> Value {
    properties.extend(params.iter().map(|p| (p.name.to_owned(), param_schema(p))));
    json!({ "type": "object", "description": doc, "properties": properties, "additionalProperties": false })
}

/// A component: its bare name, or a table for one of the kinds.
fn choice(section: &Section, children: &Map<String, Value>) -> Value {
    let names: Vec<Value> =
        section.entries.iter().map(|e| json!({ "const": e.name, "description": e.summary })).collect();
    let mut options = vec![json!({ "type": "string", "oneOf": names })];
    options.extend(section.entries.iter().map(|entry| kind(section, entry, children)));
    let mut schema = json!({ "description": section.doc, "oneOf": options });
    if let Some(default) = section.default_entry {
        schema["default"] = json!(default);
    }
    schema
}

fn kind(section: &Section, entry: &Entry, children: &Map<String, Value>) -> Value {
    let mut properties = children.clone();
    properties.insert("kind".to_owned(), json!({ "const": entry.name }));
    properties.extend(section.params.iter().map(|p| (p.name.to_owned(), param_schema(p))));
    let mut schema = object(entry.summary, entry.params, properties);
    if section.default_entry != Some(entry.name) {
        schema["required"] = json!(["kind"]);
    }
    schema
}

fn param_schema(param: &Param) -> Value {
    let mut schema = kind_schema(&param.kind);
    let unit = if param.unit.is_empty() { String::new() } else { format!(" Unit: {}.", param.unit) };
    let required = if param.fallback == Fallback::Required { " Required." } else { "" };
    schema["description"] = json!(format!("{}{unit} Value: {}.{required}", param.doc, values(param)));
    if !param.unit.is_empty() {
        schema["x-unit"] = json!(param.unit);
    }
    if !matches!((param.fallback, param.kind), (Fallback::Required, _) | (Fallback::Empty, Kind::Component(_))) {
        schema["default"] = json!(param.fallback.value(&param.kind));
    }
    schema
}

fn kind_schema(kind: &Kind) -> Value {
    match *kind {
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Integer { min, max } => integer(min, max),
        Kind::Float { min, max } => float(min, max),
        Kind::IntegerOrInfinite { min, max } => json!({ "oneOf": [{ "const": "infinite" }, integer(min, max)] }),
        Kind::IntegerOrAuto { min, max } => json!({ "oneOf": [{ "const": "auto" }, integer(min, max)] }),
        Kind::Choice(words) => json!({ "enum": words.iter().map(|(word, _)| *word).collect::<Vec<_>>() }),
        Kind::Text | Kind::Path => json!({ "type": "string" }),
        Kind::Integers { min, max, min_len, max_len } => array(integer(min, max), min_len, max_len),
        Kind::Floats { min, max, min_len, max_len } => array(float(min, max), min_len, max_len),
        Kind::Rows { min, max, min_len, max_len, max_rows } => {
            array(array(integer(min, max), min_len, max_len), 0, max_rows)
        }
        Kind::Component(path) => json!({ "$ref": format!("#/$defs/{path}") }),
        Kind::Tables(params) => {
            let mut item = object("", params, Map::new());
            let required = params.iter().filter(|p| p.fallback == Fallback::Required);
            item["required"] = json!(required.map(|p| p.name).collect::<Vec<_>>());
            json!({ "type": "array", "items": item })
        }
        Kind::Settings => json!({ "type": "object", "minProperties": 1 }),
    }
}

fn integer(min: i64, max: i64) -> Value {
    let mut schema = json!({ "type": "integer" });
    if min != i64::MIN {
        schema["minimum"] = json!(min);
    }
    if max != i64::MAX {
        schema["maximum"] = json!(max);
    }
    schema
}

fn float(min: f64, max: f64) -> Value {
    let mut schema = json!({ "type": "number" });
    if min > f64::MIN {
        schema["minimum"] = json!(min);
    }
    if max < f64::MAX {
        schema["maximum"] = json!(max);
    }
    schema
}

fn array(items: Value, min: usize, max: usize) -> Value {
    let mut schema = json!({ "type": "array", "items": items, "minItems": min });
    if max != usize::MAX {
        schema["maxItems"] = json!(max);
    }
    schema
}

/// `[sweep]`: every parameter and component by its path, and `zip`.
fn sweep_table(catalogue: &Catalogue) -> Value {
    let mut properties = Map::new();
    for path in sweep::paths(catalogue) {
        let values = swept_values(catalogue, &path);
        let mut forms = vec![json!({ "type": "array", "items": one_or_any(&values), "minItems": 1 })];
        if values.iter().any(numeric) {
            forms.push(json!({ "$ref": "#/$defs/range" }));
        }
        properties.insert(path, one_or_any(&forms));
    }
    let bundle = json!({ "type": "array", "items": { "type": "string" }, "minItems": 2 });
    let zip = json!({ "type": "array", "items": bundle, "description": "Axes that advance together." });
    properties.insert("zip".to_owned(), zip);
    let doc = "Parameters that vary, by dotted path; axes are crossed unless zipped.";
    json!({ "type": "object", "description": doc, "properties": properties, "additionalProperties": false })
}

/// What may stand at a path: several schemas where kinds declare the name differently.
fn swept_values(catalogue: &Catalogue, path: &str) -> Vec<Value> {
    if path == "preset" {
        return vec![json!({ "enum": catalogue.presets.iter().map(|p| p.name).collect::<Vec<_>>() })];
    }
    if let Some(section) = catalogue.section(path).filter(|s| !s.entries.is_empty()) {
        return vec![json!({ "$ref": format!("#/$defs/{}", section.path) })];
    }
    let Some((section, name)) = path.rsplit_once('.').and_then(|(s, n)| catalogue.section(s).map(|s| (s, n))) else {
        return Vec::new();
    };
    let mut values: Vec<Value> = Vec::new();
    if name == "kind" {
        values.push(json!({ "enum": section.names() }));
    }
    for param in section.every_param().filter(|p| p.name == name) {
        let schema = kind_schema(&param.kind);
        if !values.contains(&schema) {
            values.push(schema);
        }
    }
    values
}

fn one_or_any(schemas: &[Value]) -> Value {
    match schemas {
        [one] => one.clone(),
        several => json!({ "anyOf": several }),
    }
}

fn numeric(schema: &Value) -> bool {
    let number = |s: &Value| s["type"] == "integer" || s["type"] == "number";
    number(schema) || schema["oneOf"].as_array().is_some_and(|options| options.iter().any(number))
}
